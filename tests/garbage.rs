//! Whatever is sent, the program lives on, answers with one line, and keeps its position.

#[path = "common/client.rs"]
mod client;

use client::Client;
use pentarch::games::GameId;

/// Lines that set something up which garbage must not change.
const SETUP: &[&str] = &["position startpos", "setoption name MultiPV value 2"];

/// Sends a line that must be refused, and checks that exactly one error line answers it.
fn refuse(client: &mut Client, line: &[u8]) {
    client.send_bytes(&[line, b"\n"].concat());
    let shown = String::from_utf8_lossy(&line[..line.len().min(200)]).into_owned();
    let answer = client.ask("isready");
    assert!(answer.starts_with("info string error: "), "{shown:?}: {answer}");
    assert!(!answer.contains("fault of the program"), "{shown:?}: {answer}");
    assert_eq!(client.receive().as_deref(), Some("readyok"), "{shown:?}: {answer}");
}

/// Good lines that garbage is made from.
fn good_lines(fen: &str) -> Vec<String> {
    let mut lines: Vec<String> = [
        "ugi",
        "uci",
        "isready",
        "uginewgame",
        "setoption name Hash value 1",
        "setoption name RepetitionDraw value true",
        "position startpos moves",
        "go depth 1",
        "go nodes 10",
        "go movetime 1",
        "go p1time 1 p2time 1 p1inc 0 p2inc 0",
        "go mate 1",
        "go perft 1",
        "stop",
        "ponderhit",
        "query fen",
        "query islegal a1",
        "legal",
        "legal a1a2",
        "play a1",
        "undo 1",
        "d",
        "drawoffer",
        "perft 1",
        "eval",
        "games",
        "help go",
    ]
    .map(String::from)
    .to_vec();
    lines.push(format!("position fen {fen}"));
    lines.push(format!("position fen {fen} moves a1 b2"));
    lines
}

/// Changes a line at random.
fn mutate(rng: &mut fastrand::Rng, line: &str) -> Vec<u8> {
    let mut bytes = line.as_bytes().to_vec();
    for _ in 0..rng.usize(1..6) {
        let at = rng.usize(0..=bytes.len());
        match rng.u8(0..7) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, rng.u8(..)),
            2 => bytes.insert(at, *rng.choice(b" \t-/0123456789abcdefghikKxoXOwWsScC.+#").unwrap()),
            3 if at < bytes.len() => bytes[at] = rng.u8(..),
            4 if at < bytes.len() => drop(bytes.remove(at)),
            5 => bytes.extend_from_slice(b" 99999999999999999999999"),
            _ => bytes.rotate_left(at),
        }
    }
    bytes.retain(|&byte| byte != b'\n');
    bytes
}

/// Whether a mutated line may start something that runs on, or end the program.
fn is_safe(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line).to_lowercase();
    let first = text.split_whitespace().next().unwrap_or_default();
    let huge = text.split_whitespace().filter_map(|word| word.parse::<u64>().ok()).any(|number| number > 3);
    match first {
        "quit" | "bench" => false,
        "go" => !huge && text.trim() != "go" && !text.contains("ponder") && !text.contains("infinite"),
        "perft" => !huge,
        "setoption" => !text.contains("hash") && !text.contains("threads"),
        _ => true,
    }
}

#[test]
fn mutated_lines_are_answered_and_leave_the_program_alive() {
    for (number, id) in (0..).zip(GameId::WORDS) {
        let mut rng = fastrand::Rng::with_seed(number);
        let mut client = Client::in_process();
        client.send(&format!("setoption name Game value {id}"));
        let fen = client.ask("query fen").replace("response ", "");
        let lines = good_lines(&fen);
        for _ in 0..3_000 {
            let chosen = rng.usize(..lines.len());
            let line = mutate(&mut rng, &lines[chosen]);
            if !is_safe(&line) {
                continue;
            }
            let before = client.ask("query fen");
            client.send_bytes(&[&line[..], b"\n"].concat());
            // A search stands between this question and its answer; all of its output is one `bestmove` at most.
            client.send("undo 999999");
            let answers = client.receive_until("info string error: cannot take back 999999");
            let shown = String::from_utf8_lossy(&line).into_owned();
            let errors =
                answers[..answers.len() - 1].iter().filter(|line| line.starts_with("info string error")).count();
            assert!(errors <= 1, "{id} {shown:?}: {answers:#?}");
            assert!(answers.iter().all(|line| !line.contains("fault of the program")), "{id} {shown:?}: {answers:#?}");
            assert!(answers.iter().all(|line| !line.is_empty() && line.trim_end() == line), "{id} {shown:?}");
            if errors == 1 {
                assert_eq!(answers.len(), 2, "{id} {shown:?}: {answers:#?}");
                assert_eq!(client.ask("query fen"), before, "{id} {shown:?}");
            }
        }
        assert_eq!(client.finish().0, [""; 0], "{id}");
    }
}

#[test]
fn random_bytes_are_refused_one_by_one() {
    let mut rng = fastrand::Rng::with_seed(11);
    let mut client = Client::in_process();
    SETUP.iter().for_each(|line| client.send(line));
    let before = client.ask("query fen");
    for _ in 0..2_000 {
        let mut line: Vec<u8> = (0..rng.usize(1..60)).map(|_| rng.u8(..)).collect();
        line.retain(|byte| !b"\n\r#".contains(byte));
        // No letter in front: no command begins like this.
        line.insert(0, *rng.choice(b"!$%&()*,0123456789:;=@[]^{|}~\0\x7f\xff").unwrap());
        refuse(&mut client, &line);
    }
    assert_eq!(client.ask("query fen"), before);
}

#[test]
fn lines_of_any_length_and_kind_are_refused() {
    let mut client = Client::in_process();
    let mib = 1024 * 1024;
    refuse(&mut client, &vec![b'x'; mib]);
    refuse(&mut client, &vec![b'x'; mib + 1]);
    refuse(&mut client, &vec![b'x'; 5 * mib]);
    refuse(&mut client, &[&b"position startpos moves "[..], &b"Kb6 Kh4 ".repeat(mib / 8 - 3)].concat());
    refuse(&mut client, &[&b"position fen "[..], &b"b8h2 ".repeat(mib / 5 - 3)].concat());
    refuse(&mut client, &[&b"position startpos moves "[..], &vec![b'K'; mib - 30]].concat());
    refuse(&mut client, "position startpos moves ä\u{10ffff} ".repeat(30_000).as_bytes());
    refuse(&mut client, &[&b"setoption name "[..], &vec![b'x'; mib - 20]].concat());
    refuse(&mut client, &[&b"go "[..], &b"depth ".repeat(mib / 6 - 3)].concat());
    refuse(&mut client, b"is\0ready");
    refuse(&mut client, b"\0");
    refuse(&mut client, b"\xff\xfe");
    refuse(&mut client, "ｉｓｒｅａｄｙ".as_bytes());
    assert_eq!(client.ask("query fen"), "response b8h2 b5c6d7e2e8f3g4h5 r - 1");
}

#[test]
fn a_last_line_without_an_end_counts() {
    let mut client = Client::in_process();
    client.send_bytes(b"isready\r\n\n\r\nquery game");
    assert_eq!(client.finish().0, ["readyok", "response alcaxar"]);
}

//! The program survives any input. It answers each invalid line with a single line, and keeps its
//! position.

#[cfg(unix)]
use std::fs;
#[cfg(unix)]
use std::path::Path;
use std::process::Command;
#[cfg(unix)]
use std::time::Duration;
use std::time::Instant;

#[cfg(unix)]
use nix::time::{ClockId, clock_gettime};
use pentarch_alcaxar::Alcaxar;

use crate::client::Client;
use crate::common::fuzz::{self, Corpus, runner};
use crate::common::rules;

/// Lines that create a state. Garbage must not change this state.
const SETUP_LINES: &[&str] = &["position startpos", "setoption name MultiPV value 2"];

/// Sends a line that must be rejected. Checks that the answer is exactly one error line.
fn send_rejected(client: &mut Client, line: &[u8]) {
    client.send_bytes(&[line, b"\n"].concat());
    let shown = String::from_utf8_lossy(&line[..line.len().min(200)]).into_owned();
    let answer = client.ask("isready");
    assert!(answer.starts_with("info string error: "), "{shown:?}: {answer}");
    assert!(!answer.contains("fault of the program"), "{shown:?}: {answer}");
    assert_eq!(client.receive().as_deref(), Some("readyok"), "{shown:?}: {answer}");
}

/// Checks batches of mutated input until they contain `lines` lines. The first batch has the number
/// `seed`. Returns the number of batches.
fn check_batches(seed: u64, lines: usize) -> u64 {
    let corpus = Corpus::read();
    let batches = runner::run(seed, lines, move |lot| fuzz::check_batch(&corpus, lot));
    if let Some(most) = peak_memory() {
        assert!(most < MAX_MEMORY, "{most} MiB of memory were in use");
    }
    batches
}

/// The maximum memory in MiB that the checks may need.
const MAX_MEMORY: u64 = 1024;

/// Returns the peak memory of this process in MiB; `None` if the system does not report it.
fn peak_memory() -> Option<u64> {
    let facts = std::fs::read_to_string("/proc/self/status").ok()?;
    let kib =
        facts.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().strip_suffix(" kB")?;
    kib.parse::<u64>().ok().map(|kib| kib / 1024)
}

/// Runs a short version of the long test below in a separate process, and measures its memory.
#[test]
fn mutated_input_is_rejected_or_valid() {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([
        "--exact",
        "garbage::much_mutated_input_is_rejected_or_valid",
        "--ignored",
        "--nocapture",
    ]);
    command.env("FUZZ_SEED", "1").env("FUZZ_LINES", "30000");
    let output = command.output().unwrap();
    let [out, err] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success() && out.contains("30000 lines in "), "{out}{err}");
}

/// Checks ten million lines. The environment variable FUZZ_LINES sets another number, and FUZZ_SEED
/// the first batch. To repeat a failure in a batch, set FUZZ_LINES=1 and FUZZ_SEED to that batch.
/// Without `--release`, an overflow is also a failure: `cargo test --test all garbage::much --
/// --ignored --nocapture`
#[test]
#[ignore = "ten million lines: minutes"]
fn much_mutated_input_is_rejected_or_valid() {
    let seed = runner::number_from_env("FUZZ_SEED", 1_000_000);
    let lines = runner::number_from_env("FUZZ_LINES", 10_000_000);
    let begun = Instant::now();
    let batches = check_batches(seed, lines as usize);
    let seconds = begun.elapsed().as_secs();
    let memory = peak_memory().unwrap_or(0);
    println!(
        "{lines} lines in {batches} batches from {seed} on in {seconds} s, {memory} MiB of memory at most"
    );
}

/// The maximum processor time for an input of the corpus, in a build with all checks.
#[cfg(unix)]
const MAX_TIME: Duration = Duration::from_secs(5);

/// Runs the functions of the fuzz targets with inputs that the fuzzer has found. There is at least
/// one input for each branch that it has reached.
#[cfg(unix)]
#[test]
fn fuzz_corpus_is_rejected_or_valid_and_fast() {
    let now = || Duration::from(clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).unwrap());
    fuzz::requests::build_tables();
    for (name, target) in fuzz::targets::ALL {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(name);
        let mut inputs = 0;
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let bytes = fs::read(&path).unwrap();
            let begun = now();
            target(&bytes);
            let time = now() - begun;
            assert!(time < MAX_TIME, "{}: {time:?}", path.display());
            inputs += 1;
        }
        assert!(inputs >= 20, "{name}: {inputs} inputs");
    }
}

/// Errors show the content of a file on one line. Control characters that a terminal would obey are
/// not shown.
#[test]
fn errors_quote_files_without_control_characters() {
    let (_, options, _) = fuzz::choose_rules(&[0, 0]).unwrap();
    fuzz::files::check_match_file(&options, "[Match \"\u{1b}[2J \r another\"]\n*\n\n");
    let proof = "pentarch proof 3\nClaim: \u{1b}[2J wins\n";
    fuzz::files::check_proof(&rules::<Alcaxar>(&[]), proof, false);
}

#[test]
fn rejects_random_bytes_one_by_one() {
    let mut rng = fastrand::Rng::with_seed(11);
    let mut client = Client::in_process();
    SETUP_LINES.iter().for_each(|line| client.send(line));
    let before = client.ask("query fen");
    for _ in 0..2_000 {
        let mut line: Vec<u8> = (0..rng.usize(1..60)).map(|_| rng.u8(..)).collect();
        line.retain(|byte| !b"\n\r#".contains(byte));
        // Commands begin with a letter, and none of these characters is a letter.
        line.insert(0, *rng.choice(b"!$%&()*,0123456789:;=@[]^{|}~\0\x7f\xff").unwrap());
        send_rejected(&mut client, &line);
    }
    assert_eq!(client.ask("query fen"), before);
}

#[test]
fn rejects_lines_of_any_length_and_kind() {
    let mut client = Client::in_process();
    let mib = 1024 * 1024;
    send_rejected(&mut client, &vec![b'x'; mib]);
    send_rejected(&mut client, &vec![b'x'; mib + 1]);
    send_rejected(&mut client, &vec![b'x'; 5 * mib]);
    send_rejected(
        &mut client,
        &[&b"position startpos moves "[..], &b"Kb6 Kh4 ".repeat(mib / 8 - 3)].concat(),
    );
    send_rejected(&mut client, &[&b"position fen "[..], &b"b8h2 ".repeat(mib / 5 - 3)].concat());
    send_rejected(&mut client, &[&b"position startpos moves "[..], &vec![b'K'; mib - 30]].concat());
    send_rejected(&mut client, "position startpos moves ä\u{10ffff} ".repeat(30_000).as_bytes());
    send_rejected(&mut client, &[&b"setoption name "[..], &vec![b'x'; mib - 20]].concat());
    send_rejected(&mut client, &[&b"go "[..], &b"depth ".repeat(mib / 6 - 3)].concat());
    send_rejected(&mut client, b"is\0ready");
    send_rejected(&mut client, b"\0");
    send_rejected(&mut client, b"\xff\xfe");
    send_rejected(&mut client, b"\xc2\xa0# \xff");
    send_rejected(&mut client, "ｉｓｒｅａｄｙ".as_bytes());
    assert_eq!(client.ask("query fen"), "response b8h2 b5c6d7e2e8f3g4h5 r - 1");
}

#[test]
fn accepts_a_last_line_without_line_feed() {
    let mut client = Client::in_process();
    client.send_bytes(b"isready\r\n\n\r\nquery game");
    assert_eq!(client.finish().0, ["readyok", "response alcaxar"]);
}

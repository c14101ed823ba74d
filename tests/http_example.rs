//! The example `examples/http_engine.py`, which answers questions for a move over HTTP. It needs
//! `python3`.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use pentarch_core::{GameHistory, Notation, Rules};
use pentarch_quoridor::Quoridor;
use serde_json::{Value, json};

use crate::client::PENTARCH;
use crate::common::{new_history, rules};

/// The running example. It ends with the test.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    /// Starts the example with these additional arguments. If there is no `python3`, prints a
    /// reason and returns `None`.
    fn start(arguments: &[&str]) -> Option<Server> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut command = Command::new("python3");
        command
            .arg(root.join("examples/http_engine.py"))
            .args(["--port", "0", "--engines", "2"])
            .args(arguments);
        command
            .env("PENTARCH", PENTARCH)
            .env("PYTHONPATH", root.join("src/python"))
            .env("PYTHONDONTWRITEBYTECODE", "1");
        let spawned = command.stdout(Stdio::piped()).spawn();
        let Ok(mut child) = spawned else {
            eprintln!("skipped: python3 cannot be started: {}", spawned.unwrap_err());
            return None;
        };
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line
            .trim()
            .strip_prefix("http://")
            .unwrap_or_else(|| panic!("no address: {line}"))
            .to_string();
        Some(Server { child, address })
    }

    /// Sends these bytes. Returns the status and the answer.
    fn send(&self, bytes: &[u8]) -> (u16, Value) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(bytes).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) =
            answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {answer}"));
        (
            head.split(' ').nth(1).unwrap().parse().unwrap(),
            serde_json::from_str(body).unwrap_or(Value::Null),
        )
    }

    /// Posts a body.
    fn post(&self, body: &str) -> (u16, Value) {
        let length = body.len();
        self.send(
            format!(
                "POST / HTTP/1.1\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
            )
            .as_bytes(),
        )
    }

    /// Sends an invalid body, and returns the status and the error.
    fn refused(&self, body: &str) -> (u16, String) {
        let (status, answer) = self.post(body);
        assert_eq!(answer["ok"], false, "{body}: {answer}");
        (status, answer["error"].as_str().unwrap().into())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The engines of the example end with their input.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the moves of a random game that is not over.
fn random_moves(
    rules: &std::sync::Arc<Quoridor>,
    rng: &mut fastrand::Rng,
) -> (GameHistory<Quoridor>, Vec<String>) {
    let (mut history, mut texts) = (new_history(rules), Vec::new());
    for _ in 0..rng.usize(..30) {
        let moves = history.legal_move_list();
        let mv = moves[rng.usize(..moves.len())];
        if rules.outcome(&rules.play(history.position(), mv)).is_some() {
            break;
        }
        history.push(mv);
        texts.push(rules.move_text(mv));
    }
    (history, texts)
}

/// Sends `requests` requests at once, each from a separate thread. Checks that all responses are
/// legal moves.
fn ask_in_parallel(requests: usize) {
    let Some(server) = Server::start(&[]) else { return };
    let rules = rules::<Quoridor>(&[]);
    let answered = AtomicUsize::new(0);
    thread::scope(|scope| {
        for seed in 0..requests {
            let (server, rules, answered) = (&server, &rules, &answered);
            let ask = move || {
                let (history, moves) =
                    random_moves(rules, &mut fastrand::Rng::with_seed(seed as u64));
                let clock = json!({"wtime": 9000, "btime": 8000, "winc": 100, "binc": 0});
                let request = match seed % 3 {
                    0 => json!({"moves": moves, "budget_ms": 50}),
                    1 => json!({"moves": moves, "budget_ms": 30, "clock": clock}),
                    _ => json!({"moves": moves, "clock": clock, "budget_ms": null}),
                };
                let (status, answer) = server.post(&request.to_string());
                assert_eq!((status, &answer["ok"]), (200, &json!(true)), "{request}: {answer}");
                let mv = rules.parse_move(answer["move"].as_str().unwrap()).unwrap();
                assert!(rules.resolve_move(history.position(), &mv).is_ok(), "{request}: {answer}");
                assert!(
                    answer["ev"].as_f64().is_some_and(|chance| (0. ..=1.).contains(&chance)),
                    "{answer}"
                );
                assert!(
                    answer["nodes"].is_u64() && answer.as_object().unwrap().len() == 4,
                    "{answer}"
                );
                answered.fetch_add(1, Relaxed);
            };
            thread::Builder::new().stack_size(1 << 18).spawn_scoped(scope, ask).unwrap();
        }
    });
    assert_eq!(answered.into_inner(), requests);
}

#[test]
fn questions_in_parallel_are_answered_by_legal_moves() {
    ask_in_parallel(40);
}

/// Takes a minute: `cargo test --test all http_example::a_thousand -- --ignored`.
#[test]
#[ignore = "takes a minute"]
fn a_thousand_questions_in_parallel_are_answered_by_legal_moves() {
    ask_in_parallel(1000);
}

#[test]
fn bad_requests_get_errors() {
    let Some(server) = Server::start(&["--set", "Quoridor_BoardSize=5"]) else { return };
    for (body, status, error) in [
        ("", 400, "the request is not JSON: Expecting value"),
        ("[1]", 400, "the request is not a JSON object"),
        (r#"{"moves": []}"#, 400, "budget_ms is missing, and so is a clock with wtime or btime"),
        (r#"{"budget_ms": 10}"#, 400, r#"moves takes a list of strings, such as ["e2", "e8"]"#),
        (r#"{"moves": ["c2\nquit"], "budget_ms": 10}"#, 400, "moves takes a list"),
        (r#"{"moves": [2], "budget_ms": 10}"#, 400, "moves takes a list"),
        (
            r#"{"moves": [], "budget_ms": -1}"#,
            400,
            "budget_ms takes a whole number from 0 to 60000, not -1",
        ),
        (
            r#"{"moves": [], "budget_ms": true}"#,
            400,
            "budget_ms takes a whole number from 0 to 60000, not true",
        ),
        (
            r#"{"moves": [], "budget_ms": 60001}"#,
            400,
            "budget_ms takes a whole number from 0 to 60000, not 60001",
        ),
        (
            r#"{"moves": [], "clock": {"wtime": "5"}}"#,
            400,
            r#"wtime takes a whole number from 0 to 86400000, not "5""#,
        ),
        (r#"{"moves": [], "clock": 5}"#, 400, "clock is not a JSON object"),
        (
            r#"{"moves": [], "clock": {"time": 5}}"#,
            400,
            r#"clock has no field "time"; it takes wtime, btime"#,
        ),
        (
            r#"{"moves": [], "budget": 5}"#,
            400,
            r#"the request has no field "budget"; it takes moves, budget_ms"#,
        ),
        (r#"{"moves": ["c2", "c9"], "budget_ms": 10}"#, 422, "move 2, c9, "),
        (
            r#"{"moves": ["pass"], "budget_ms": 10, "clock": null}"#,
            422,
            "move 1, pass: expected a rank number",
        ),
        (
            r#"{"moves": ["c2", "c4", "c3", "c2", "c4", "c1"], "budget_ms": 10}"#,
            422,
            "the game is over",
        ),
    ] {
        let (found, told) = server.refused(body);
        assert!(
            found == status && told.contains(error) && (status == 400 || !told.contains("column")),
            "{body}: {found} {told}"
        );
    }
    let deep = server.refused(&"[".repeat(60_000));
    assert!(deep.0 == 400 && deep.1.starts_with("the request is not JSON: "), "{deep:?}");
    let large = server.refused(&" ".repeat((1 << 16) + 1));
    assert_eq!(large, (413, "a request has at most 65536 bytes".into()));
    for (request, status) in [
        ("GET / HTTP/1.1\r\n\r\n", 405),
        ("POST / HTTP/1.1\r\n\r\n", 411),
        ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 411),
        ("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", 413),
        ("nonsense\r\n\r\n", 400),
    ] {
        let (found, answer) = server.send(request.as_bytes());
        assert!(
            found == status && answer["ok"] == false && answer["error"].is_string(),
            "{request}: {found} {answer}"
        );
    }
    // After all of these requests comes a valid one.
    let (status, answer) = server.post(r#"{"moves": ["c2", "c4", "c3"], "budget_ms": 20}"#);
    assert_eq!((status, &answer["move"]), (200, &json!("c2")), "{answer}");
}

/// A request may have to wait while the engines search for other requests. Then it stops such a
/// search. All requests are answered.
#[test]
fn a_request_does_not_wait_for_searches_of_others() {
    let Some(server) = Server::start(&["--engines", "1"]) else { return };
    let begun = Instant::now();
    let mut long = TcpStream::connect(&server.address).unwrap();
    let body = r#"{"moves": [], "budget_ms": 60000}"#;
    write!(long, "POST / HTTP/1.1\r\nContent-Length: {}\r\n\r\n{body}", body.len()).unwrap();
    let at_once = json!({"moves": ["e2"], "budget_ms": 0});
    let by_clock = json!({"moves": ["e2"], "clock": {"btime": 6000}});
    let in_time = json!({"moves": ["e2"], "budget_ms": 300});
    // A stop has no effect on a search that has not begun. So the questions are repeated until one
    // of them ends the search.
    while !is_readable(&long) {
        for question in [&at_once, &by_clock, &in_time] {
            let (status, answer) = server.post(&question.to_string());
            assert_eq!((status, &answer["ok"]), (200, &json!(true)), "{answer}");
        }
    }
    // The response to the long search is the result up to the stop. Without the stop it would take
    // a minute.
    let mut answer = String::new();
    BufReader::new(long).read_line(&mut answer).unwrap();
    let is_early = begun.elapsed() < Duration::from_secs(55);
    assert!(answer.starts_with("HTTP/1.1 200 ") && is_early, "{answer}");
}

/// Returns whether a read would return at once.
fn is_readable(stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    let peeked = stream.peek(&mut [0]);
    stream.set_nonblocking(false).unwrap();
    match peeked {
        Err(error) if error.kind() == ErrorKind::WouldBlock => false,
        other => other.map(|_| true).unwrap(),
    }
}

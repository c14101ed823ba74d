//! Requests over the WebSocket `requests` of the page's server. The same socket has a console.

use serde_json::{Value, json};

use super::schema::Schema;
use crate::serve::page::{Frame, PageServer, Socket};

/// The maximum number of sockets at the same time.
const SESSIONS: usize = 16;
/// The code with which a connection is closed if [`SESSIONS`] sockets are already open.
const AGAIN: u16 = 1013;
/// The time limit of a search in milliseconds. The search would end by itself only after a day.
const A_DAY: u64 = 24 * 60 * 60 * 1000;

/// A socket for requests.
struct RequestSocket {
    socket: Socket,
    schema: &'static Schema,
}

impl RequestSocket {
    fn open(page: &PageServer) -> RequestSocket {
        RequestSocket { socket: page.requests(), schema: Schema::read() }
    }

    fn send(&mut self, request: &Value) {
        self.schema.check_request(request);
        self.socket.send(&request.to_string());
    }

    fn receive(&mut self) -> (&'static str, Value) {
        match self.socket.receive() {
            Frame::Text(line) => self.schema.response(&line),
            other => panic!("{other:?}"),
        }
    }

    fn ask(&mut self, request: &Value) -> (&'static str, Value) {
        self.send(request);
        self.receive()
    }

    /// Sends a line to the console. Returns the output of the console up to the first line that
    /// begins with `end`.
    fn console(&mut self, id: &Value, line: &str, end: &str) -> Vec<String> {
        self.send(&json!({ "id": id, "ugi": line }));
        let mut lines = Vec::new();
        loop {
            let (kind, answer) = self.receive();
            assert_eq!((kind, &answer["id"]), ("ugi", id), "{answer}");
            let line = answer["ugi"].as_str().unwrap().to_string();
            let is_last = line.starts_with(end);
            lines.push(line);
            if is_last {
                return lines;
            }
        }
    }
}

/// Returns a request that runs for a day and sends reports.
fn endless(id: u64) -> Value {
    json!({ "id": id, "game": "quoridor", "moves": "e2 e8", "ask": "analysis", "movetime": A_DAY, "every": 1 })
}

#[test]
fn answers_and_stops_requests() {
    let page = PageServer::start(&["--game", "quoridor"]);
    let mut requests = RequestSocket::open(&page);
    let (kind, answer) =
        requests.ask(&json!({ "id": 1, "ask": ["status", "moves"], "moves": "e2" }));
    assert_eq!(
        (kind, &answer["game"], &answer["status"]["turn"]),
        ("response", &json!("quoridor"), &json!("black"))
    );
    assert_eq!(requests.ask(&json!({ "id": 2, "depth": 2 })).0, "response");
    // A request must state its own search limits.
    assert_eq!(requests.ask(&json!({ "id": 3, "ask": "analysis" })).0, "error");
    requests.socket.send("{");
    assert_eq!(requests.receive().0, "error");
    // A request without a search is answered while another request runs.
    assert_eq!(requests.ask(&endless(4)).0, "partial");
    requests.send(&json!({ "id": 5, "ask": "version" }));
    let mut after = |id: Value| loop {
        let (kind, answer) = requests.receive();
        if answer["id"] == id {
            return (kind, answer);
        }
        assert_eq!(kind, "partial");
    };
    assert_eq!(after(json!(5)).0, "response");
    requests.send(&json!({ "id": 6, "stop": 4 }));
    let mut kinds = Vec::new();
    while kinds.len() < 2 {
        kinds.extend(Some(requests.receive().0).filter(|kind| *kind != "partial"));
    }
    kinds.sort_unstable();
    assert_eq!(kinds, ["response", "stopped"]);
}

/// The lines of the console belong to one session. Each line of its output is returned as an
/// object.
#[test]
fn console_is_one_session_separate_from_requests() {
    let page = PageServer::start(&[]);
    let mut requests = RequestSocket::open(&page);
    let first = json!({ "a": [1] });
    let second = json!("second");
    for line in ["setoption name Game value roses", "", "# remark", "position startpos moves d3"] {
        requests.send(&json!({ "id": first, "ugi": line }));
    }
    assert_eq!(requests.console(&second, "query game", ""), ["response roses"]);
    // The game of the console does not affect requests. Requests do not affect the game of the
    // console.
    let asked = json!({ "id": 1, "ask": "status" });
    assert_eq!(requests.ask(&asked).1["game"], "alcaxar");
    let other = json!({ "id": 1, "game": "bushka", "moves": "a3b4", "ask": "status" });
    assert_eq!(requests.ask(&other).1["status"]["turn"], "black");
    assert_eq!(requests.console(&first, "query fen", ""), ["response c/4/5/5/1S2/C b 3/4 1"]);
    assert_eq!(
        requests.console(&second, "play d3", "")[0].split(": ").next(),
        Some("info string error")
    );
    let lines = requests.console(&first, "go depth 1", "bestmove ");
    assert!(lines.len() > 1 && lines[0].starts_with("info depth 1 "), "{lines:#?}");
    // A page cannot name files in the console either.
    let refused = requests.console(&first, "record file", "");
    assert!(refused[0].starts_with("info string error: "), "{refused:#?}");
    // Another socket has a separate session. After `quit` the next line begins a new session.
    let mut others = RequestSocket::open(&page);
    assert_eq!(others.console(&first, "query game", ""), ["response alcaxar"]);
    requests.send(&json!({ "ugi": "quit" }));
    assert_eq!(requests.console(&second, "query game", ""), ["response alcaxar"]);
    assert_eq!(requests.ask(&asked).0, "response");
}

#[test]
fn rejects_an_invalid_console_line() {
    let page = PageServer::start(&[]);
    let mut requests = RequestSocket::open(&page);
    for line in [
        r#"{"id": 1, "ugi": "isready\nquit"}"#,
        r#"{"id": 1, "ugi": "isready\r"}"#,
        r#"{"id": 1, "ugi": ["isready"]}"#,
        r#"{"id": 1, "ugi": null}"#,
        r#"{"id": 1, "ugi": "isready", "ask": "scene"}"#,
        r#"{"id": 1, "ugi": "isready", "ugi": "isready"}"#,
        r#"{"id": 1, "ugi": "isready", "stop": null}"#,
    ] {
        requests.socket.send(line);
        let (kind, answer) = requests.receive();
        assert!(kind == "error" && answer["id"] == 1, "{line}: {answer}");
    }
    assert_eq!(requests.console(&json!(2), "isready", ""), ["readyok"]);
}

/// When a socket is closed, all its searches end, and its slot becomes free.
#[test]
fn closing_a_socket_ends_its_threads() {
    let page = PageServer::start(&[]);
    // There are three kinds of actions and three rounds. So each socket does everything once.
    for round in 0..3 {
        let mut sockets: Vec<RequestSocket> = (0..SESSIONS).map(|_| next_socket(&page)).collect();
        for (number, requests) in sockets.iter_mut().enumerate() {
            match (round + number) % 3 {
                // These are a running search, queued searches, and a search of the console.
                0 => (0..3).for_each(|id| requests.send(&endless(id))),
                1 => requests.send(&json!({ "ugi": "go infinite" })),
                _ => requests.send(&json!({ "ugi": "perft 60" })),
            }
            if number % 4 == 0 {
                requests.send(&json!({ "ugi": "isready" }));
            }
            if number % 2 == 0 {
                requests.socket.close();
            }
        }
        drop(sockets);
    }
    let all: Vec<RequestSocket> = (0..SESSIONS).map(|_| next_socket(&page)).collect();
    let mut more = page.requests();
    assert_eq!((all.len(), more.receive()), (SESSIONS, Frame::Close(AGAIN)));
}

/// Returns a socket as soon as a slot is free.
fn next_socket(page: &PageServer) -> RequestSocket {
    loop {
        let mut socket = page.requests();
        socket.send(r#"{"ask": "version"}"#);
        if let Frame::Text(_) = socket.receive() {
            return RequestSocket { socket, schema: Schema::read() };
        }
    }
}

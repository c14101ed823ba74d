//! The page's server. The tests check access to it and the limits of a session. They also check how
//! it handles a misbehaving page.

pub(crate) mod page;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};

use page::{Console, Frame, PageServer, Socket, serve};
use serde_json::json;

use crate::client::{Client, run};
use crate::common::temporary::Folder;

/// The maximum number of sessions at the same time.
const SESSIONS: usize = 16;
/// The codes with which a connection is closed.
const AWAY: u16 = 1001;
const PROTOCOL: u16 = 1002;
const UNSUPPORTED: u16 = 1003;
const NOT_UTF8: u16 = 1007;
const POLICY: u16 = 1008;
const SIZE: u16 = 1009;
const AGAIN: u16 = 1013;
/// A command that takes years but ends by itself. So the end of the input does not stop it.
const ENDLESS_COMMAND: &str = "perft 60";

#[test]
fn serves_the_page_with_isolating_headers() {
    let page = PageServer::start(&[]);
    let answer = page.get("");
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(
        head.starts_with("HTTP/1.1 200 ") && body.to_lowercase().starts_with("<!doctype html>"),
        "{answer}"
    );
    assert!(head.contains("\r\ncontent-type: text/html; charset=utf-8"), "{head}");
    assert!(head.contains(&format!("\r\ncontent-length: {}", body.len())), "{head}");
    let without_body = page.ask("HEAD", "", &page.host());
    let same = |text: &str| {
        text.lines()
            .filter(|line| !line.starts_with("date: "))
            .map(String::from)
            .collect::<Vec<_>>()
    };
    assert_eq!(same(head), same(without_body.strip_suffix("\r\n\r\n").unwrap()));
    let others = [
        page.get("other"),
        page.ask("POST", "", &page.host()),
        page.ask("GET", "", "evil"),
        page.ask("GET", "", &format!("localhost:{}", page.port)),
        page.get("requests"),
    ];
    for (answer, caching) in
        [(&answer, "no-cache")].into_iter().chain(others.iter().map(|other| (other, "no-store")))
    {
        check_headers(answer, caching);
    }
}

/// Checks the headers that isolate the page, and the header for its caching.
fn check_headers(answer: &str, caching: &str) {
    for header in [
        "referrer-policy: no-referrer",
        "x-content-type-options: nosniff",
        &format!("cache-control: {caching}"),
        "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
         img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ] {
        assert!(answer.contains(&format!("\r\n{header}\r\n")), "{header}: {answer}");
    }
    assert!(!answer.to_lowercase().contains("access-control"), "{answer}");
}

#[test]
fn browser_caches_all_files_except_the_page() {
    let page = PageServer::start(&[]);
    let index = page.get("");
    let names: Vec<&str> =
        index.split('"').filter(|text| text.ends_with(".js") || text.ends_with(".css")).collect();
    assert!(names.len() > 30, "{index}");
    for name in names {
        let answer = page.get(name);
        assert!(answer.starts_with("HTTP/1.1 200 "), "{name}: {answer}");
        assert!(
            answer.contains("\r\ncache-control: max-age=31536000, immutable\r\n"),
            "{name}: {answer}"
        );
        assert!(page.get(name.split_once('/').unwrap().1).starts_with("HTTP/1.1 404 "), "{name}");
    }
    let tag = index.split("\r\netag: ").nth(1).unwrap().lines().next().unwrap();
    let again =
        |tags: &str| page.ask("GET", "", &format!("{}\r\nIf-None-Match: {tags}", page.host()));
    for tags in [
        tag,
        &format!("W/{tag}"),
        &format!("\"x\", {tag}"),
        &format!("\"x\"\r\nIf-None-Match: {tag}"),
        "*",
    ] {
        let answer = again(tags);
        assert!(
            answer.starts_with("HTTP/1.1 304 ") && answer.ends_with("\r\n\r\n"),
            "{tags}: {answer}"
        );
        assert!(
            answer.contains(&format!("\r\netag: {tag}\r\n")) && !answer.contains("content-length"),
            "{answer}"
        );
    }
    for tags in ["\"x\"", "", "x", "\"*\"", tag.trim_matches('"')] {
        assert!(again(tags).starts_with("HTTP/1.1 200 "), "{tags}");
    }
}

#[test]
fn serves_only_the_files_of_the_page_read_only() {
    let page = PageServer::start(&[]);
    let names = [
        "other",
        ".",
        "..",
        "../",
        "index.html",
        "app/main.js",
        "index.html/",
        "/",
        "%2e%2e/",
        "//etc/passwd",
    ];
    for name in names.into_iter().chain(["session", "requests/"]) {
        assert!(page.get(name).starts_with("HTTP/1.1 404 "), "{name}");
    }
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"] {
        let answer = page.ask(method, "", &page.host());
        assert!(
            answer.starts_with("HTTP/1.1 405 ") && answer.contains("\r\nallow: GET, HEAD\r\n"),
            "{answer}"
        );
    }
}

#[test]
fn address_without_its_last_slash_redirects_to_the_page() {
    let page = PageServer::start(&[]);
    let request = |path: &str| {
        format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", page.host())
    };
    let path = page.path.trim_end_matches('/');
    for path in [path, &format!("{path}?x")] {
        let answer = page.raw(&request(path));
        assert!(answer.starts_with("HTTP/1.1 308 "), "{answer}");
        assert!(answer.contains(&format!("\r\nlocation: {}\r\n", page.address())), "{answer}");
    }
    for path in [&format!("{path}x"), &path[..path.len() - 1]] {
        let answer = page.raw(&request(path));
        assert!(answer.starts_with("HTTP/1.1 404 "), "{answer}");
    }
}

#[test]
fn outdated_address_explains_where_to_look() {
    let page = PageServer::start(&[]);
    let old = format!(
        "GET /{}/ HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
        "0".repeat(32),
        page.host()
    );
    let answer = page.raw(&old);
    assert!(
        answer.starts_with("HTTP/1.1 404 ") && answer.contains("\r\ncontent-type: text/html"),
        "{answer}"
    );
    assert!(
        answer.contains("<code>pentarch serve</code>") && !answer.contains("<script"),
        "{answer}"
    );
    let token = page.path.trim_matches('/');
    for answer in [
        answer,
        page.raw(&old.replace("GET", "POST")),
        page.ask("GET", "", "evil"),
        page.get("other"),
    ] {
        assert!(!answer.contains(token), "{answer}");
    }
}

#[test]
fn address_is_the_same_at_the_next_start() {
    let state = Folder::new("state");
    let page = PageServer::from_command(&mut serve(state.path(), &[])).unwrap();
    let port = page.port.to_string();
    let address = page.address();
    // Another server at the same time has a separate port and a separate token.
    let other = PageServer::from_command(&mut serve(state.path(), &[])).unwrap();
    assert!(other.port != page.port && other.path != page.path);
    assert_eq!([page.end(), other.end()], ["", ""]);
    // Another program may take the port in between.
    let again = |arguments: &[&str]| loop {
        let arguments = [&["--port", &port], arguments].concat();
        if let Some(page) = PageServer::from_command(&mut serve(state.path(), &arguments)) {
            return page;
        }
    };
    assert_eq!(again(&[]).address(), address);
    let new = again(&["--new-token"]).address();
    assert_ne!(new, address);
    assert_eq!(again(&[]).address(), new);
    // Even if the token cannot be stored, the page is served.
    std::fs::write(state.file(&format!("pentarch/serve-{port}.token")), "x").unwrap();
    let page = again(&[]);
    assert!(
        page.get("").starts_with("HTTP/1.1 200 ") && ![&address, &new].contains(&&page.address())
    );
    let told = page.end();
    let expected =
        ".token: it does not contain a token; 'pentarch serve --new-token' replaces it\n";
    assert!(
        told.starts_with("pentarch: the address is for this start only, ")
            && told.ends_with(expected),
        "{told}"
    );
    assert_eq!(told.lines().count(), 1, "{told}");
}

#[test]
fn page_learns_that_its_address_has_changed() {
    let pages = [PageServer::start(&[]), PageServer::start(&[])];
    // At most one of these servers is on the default port, whatever ports other programs use.
    for page in &pages {
        let tells = page.get("").contains("<meta name=\"usual-host\" content=\"127.0.0.1:29405\">");
        assert_eq!(tells, page.port != 29_405, "{}", page.port);
    }
    assert_ne!(pages[0].port, pages[1].port);
}

#[test]
fn guessed_path_leads_nowhere() {
    let page = PageServer::start(&[]);
    let token = page.path.trim_matches('/');
    assert_eq!((token.len(), token.chars().all(|digit| digit.is_ascii_hexdigit())), (32, true));
    let last = if token.ends_with('0') { "1" } else { "0" };
    let near = format!("/{}{last}/", &token[..31]);
    let upper = format!("/{}/", token.to_uppercase());
    for path in [
        "/",
        "",
        &page.path[..32],
        &near,
        &format!("/x{}", page.path),
        "/requests",
        &format!("{near}requests"),
    ] {
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", page.host());
        let answer = page.raw(&request);
        let expected = if path.is_empty() { "HTTP/1.1 400 " } else { "HTTP/1.1 404 " };
        assert!(answer.starts_with(expected), "{path}: {answer}");
    }
    assert!(token == token.to_lowercase() && upper.len() == page.path.len());
    assert_ne!(PageServer::start(&[]).path, page.path);
}

#[test]
fn answers_only_this_machine_by_its_own_name() {
    let page = PageServer::start(&[]);
    let port = page.port;
    let status = |host: &str| page.ask("GET", "", host)[9..12].to_string();
    assert_eq!([status(&page.host()), status(&format!("localhost:{port}"))], ["200", "308"]);
    for other in ["evil.example", "LOCALHOST", "0.0.0.0", "127.0.0.2", "[::1]", ""] {
        assert_eq!(status(&format!("{other}:{port}")), "403", "{other}");
    }
    for other in ["127.0.0.1", "localhost", "127.0.0.1:1", "127.0.0.1:", "evil.example", ""] {
        assert_eq!(status(other), "403", "{other}");
    }
    let host = page.host();
    let path = &page.path;
    for request in [
        format!("GET {path} HTTP/1.1\r\nConnection: close\r\n\r\n"),
        format!("GET {path} HTTP/1.0\r\n\r\n"),
        format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nHost: evil\r\nConnection: close\r\n\r\n"),
        format!("GET http://evil{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"),
    ] {
        let answer = page.raw(&request);
        assert!(
            answer.starts_with("HTTP/1.1 403 ") || answer.starts_with("HTTP/1.0 403 "),
            "{request}{answer}"
        );
    }
    // Another address of this machine simulates its address in a network.
    #[cfg(target_os = "linux")]
    assert!(TcpStream::connect(("127.0.0.2", port)).is_err());
}

#[test]
fn other_name_of_this_machine_leads_to_the_page() {
    let page = PageServer::start(&[]);
    let other = format!("localhost:{}", page.port);
    let path = &page.path;
    for path in [
        path.as_str(),
        &format!("{path}?x=1"),
        "/",
        "//evil.example/",
        "/%0d%0aX:y",
        "/wrong/requests",
    ] {
        for method in ["GET", "HEAD", "POST"] {
            let answer = page.raw(&format!(
                "{method} {path} HTTP/1.1\r\nHost: {other}\r\nConnection: close\r\n\r\n"
            ));
            let place = format!("\r\nlocation: http://{}{path}\r\n", page.host());
            assert!(
                answer.starts_with("HTTP/1.1 308 ") && answer.contains(&place),
                "{path}: {answer}"
            );
        }
    }
    for path in ["*", "evil.example:80", "http://evil.example/"] {
        let answer =
            page.raw(&format!("GET {path} HTTP/1.1\r\nHost: {other}\r\nConnection: close\r\n\r\n"));
        assert!(
            answer.starts_with("HTTP/1.1 4") && !answer.contains("location"),
            "{path}: {answer}"
        );
    }
}

#[test]
fn accepts_sockets_only_from_its_own_page() {
    let page = PageServer::start(&[]);
    let host = page.host();
    let port = page.port;
    let status = |host: &str, origin: &[String]| {
        let origins: String = origin.iter().map(|origin| format!("Origin: {origin}\r\n")).collect();
        Socket::connect(&page, "requests", &format!("Host: {host}\r\n{origins}"))
            .err()
            .map(|answer| answer[9..12].to_string())
    };
    let local = format!("localhost:{port}");
    assert_eq!(status(&host, &[format!("http://{host}")]), None);
    // A browser stores data for the other name separately. It does not belong to the page.
    assert_eq!(status(&local, &[format!("http://{local}")]), Some("308".into()));
    assert_eq!(status(&host, &[format!("http://{local}")]), Some("403".into()));
    let refused = Some("403".to_string());
    for origin in [
        "null",
        "http://evil.example",
        "https://127.0.0.1",
        "http://127.0.0.1",
        "http://127.0.0.1:1",
        "",
    ] {
        assert_eq!(status(&host, &[origin.into()]), refused, "{origin}");
    }
    for origins in [vec![], vec![format!("https://{host}")], vec![host.clone()]] {
        assert_eq!(status(&host, &origins), refused, "{origins:?}");
    }
    assert_eq!(status(&host, &[format!("http://{host}"), format!("http://{host}")]), refused);
    assert_eq!(status("evil", &["http://evil".into()]), refused);
    let other =
        Socket::connect(&page, "other", &format!("Host: {host}\r\nOrigin: http://{host}\r\n"));
    assert!(other.is_err_and(|answer| answer.starts_with("HTTP/1.1 404 ")));
    // If a browser requests the address as a page, it gets no socket.
    assert!(
        page.ask("GET", "requests", &format!("{host}\r\nOrigin: http://{host}"))
            .starts_with("HTTP/1.1 400 ")
    );
}

#[test]
fn console_has_the_lines_of_standard_input_and_output() {
    let page = PageServer::start(&["--game", "quoridor"]);
    let mut session = page.console();
    let mut client = Client::program(&["--game", "quoridor"]);
    for line in [
        "query fen",
        "play e2 e8 e3h",
        "d",
        "legal e4",
        "legal e2v",
        "nonsense",
        "undo 7",
        "record",
    ] {
        client.send(line);
        session.send(line);
    }
    client.send("isready");
    session.send("isready");
    assert_eq!(session.until("readyok"), client.receive_until("readyok"));
    session.send("go depth 3");
    assert_eq!(session.until("bestmove ").len(), 4);
    session.send("go infinite");
    session.send("quit");
    session.until("bestmove ");
    // The next line begins another session.
    assert_eq!(session.ask("query fen"), "response e1e9 - w 10/10 1");
}

#[test]
fn each_console_has_a_separate_game() {
    let page = PageServer::start(&[]);
    let mut one = page.console();
    let mut other = page.console();
    one.send("setoption name Game value roses");
    assert_eq!(
        [one.ask("query game"), other.ask("query game")],
        ["response roses", "response alcaxar"]
    );
    one.0.close();
    assert_eq!(one.receive(), Frame::Close(AWAY));
    assert_eq!(other.ask("query game"), "response alcaxar");
}

#[test]
fn page_cannot_name_files() {
    let folder = Folder::new("serve");
    let page = PageServer::start(&[]);
    let mut session = page.console();
    let file = folder.file("game");
    let refused =
        "is not allowed here: the session of a page in a browser neither reads nor writes files";
    for line in [
        format!("record {file}"),
        format!("load {file}"),
        format!("LOAD {file}:2"),
        "load /etc/passwd".into(),
    ] {
        assert_eq!(
            session.ask(&line),
            format!("info string error: the name of a file {refused}"),
            "{line}"
        );
    }
    for value in [folder.path().to_str().unwrap(), "<empty>"] {
        let answer = session.ask(&format!("setoption name tablepath value {value}"));
        assert_eq!(answer, format!("info string error: column 16: TablePath {refused}"));
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    session.send("ugi");
    let options = session.until("ugiok");
    assert!(!options.iter().any(|line| line.contains("type string")), "{options:#?}");
    session.send("record");
    assert_eq!(session.until("*").len(), 3);
}

#[test]
fn page_has_limited_resources() {
    let limits = |page: &PageServer| {
        let mut session = page.console();
        session.send("ugi");
        let lines = session.until("ugiok");
        let max = |name: &str| {
            let start = format!("option name {name} type spin default ");
            let line = lines.iter().find(|line| line.starts_with(&start)).unwrap();
            line.rsplit(' ').next().unwrap().parse::<u32>().unwrap()
        };
        (max("Hash"), max("Threads"), session)
    };
    let page = PageServer::start(&[]);
    let (hash, threads, mut session) = limits(&page);
    assert_eq!((hash, threads), (256, 8));
    let answer = session.ask("setoption name Hash value 257");
    assert_eq!(
        answer,
        "info string error: column 16: Hash takes a whole number from 1 to 256, not '257'"
    );
    let answer = session.ask("setoption name Threads value 9");
    assert_eq!(
        answer,
        "info string error: column 16: Threads takes a whole number from 1 to 8, not '9'"
    );
    session.send("setoption name Threads value 8");
    session.send("setoption name Hash value 1");
    assert_eq!(session.ask("isready"), "readyok");
    // The pawns move back and forth.
    session.send("setoption name Game value quoridor");
    let moves = "e2 e8 e1 e9 ".repeat(2_500);
    let too_long = "info string error: a game in a page's session has at most 10000 moves";
    session.send(&format!("play {moves}"));
    assert_eq!(session.ask("play e2"), too_long);
    assert_eq!(session.ask(&format!("position startpos moves {moves} e2")), too_long);
    assert_eq!(session.ask(&format!("load text [Game \"quoridor\"] {moves} *")), too_long);
    assert_eq!(session.ask("query fen"), "response e1e9 - w 10/10 5001");
    // The person who starts the server may raise the limits.
    let page = PageServer::start(&["--set", "Threads=12", "--set", "Hash=2"]);
    let (hash, threads, _) = limits(&page);
    assert_eq!((hash, threads), (256, 12));
}

#[test]
fn limits_the_number_of_sockets() {
    let page = PageServer::start(&[]);
    let mut sessions: Vec<Console> = (0..SESSIONS).map(|_| page.console()).collect();
    for session in &mut sessions {
        assert_eq!(session.ask("isready"), "readyok");
    }
    assert_eq!(page.console().receive(), Frame::Close(AGAIN));
    sessions.pop();
    assert_eq!(page.wait_for_console().ask("isready"), "readyok");
}

#[test]
fn closed_tab_stops_its_search() {
    let page = PageServer::start(&[]);
    for search in [ENDLESS_COMMAND, "go infinite", "go mate 100"] {
        let mut sessions: Vec<Console> =
            (0..SESSIONS / 3).map(|_| page.wait_for_console()).collect();
        for (number, session) in sessions.iter_mut().enumerate() {
            session.send(search);
            session.send("isready");
            session.until("readyok");
            // This command is queued after the search.
            session.send(ENDLESS_COMMAND);
            if number % 2 == 0 {
                session.0.close();
            }
        }
        drop(sessions);
    }
    let all: Vec<Console> = (0..SESSIONS).map(|_| page.wait_for_console()).collect();
    assert_eq!(all.len(), SESSIONS);
}

#[test]
fn cuts_off_a_flooding_page() {
    let page = PageServer::start(&[]);
    let mut socket = page.requests();
    // Searches block these requests. 8 MiB may be queued in each of two places.
    let long = json!({ "id": "x".repeat(1000 * 1000), "ask": "analysis", "movetime": 86_400_000 })
        .to_string();
    for _ in 0..28 {
        socket.send(&long);
    }
    assert_eq!(socket.receive(), Frame::Close(POLICY));
    // Queued lines of the console have the same limit. One line too many is rejected, or the page
    // is cut off before.
    let mut console = page.console();
    console.send(ENDLESS_COMMAND);
    let line = format!("play {}", "x".repeat(1000 * 1000));
    for _ in 0..24 {
        console.send(&line);
    }
    match console.0.receive() {
        Frame::Text(refused) => {
            assert!(refused.contains("lines arrive faster than they are processed"), "{refused}")
        }
        end => assert_eq!(end, Frame::Close(POLICY)),
    }
    assert_eq!(page.console().ask("isready"), "readyok");
}

#[test]
fn cuts_off_a_page_that_does_not_read() {
    let page = PageServer::start(&[]);
    let _others: Vec<Console> = (1..SESSIONS).map(|_| page.console()).collect();
    let mut socket = page.requests();
    // The answers to these lines also fill all buffers on the way. One message is sure to arrive
    // completely.
    const LINES: usize = 40_000;
    socket.send(&"{\"ask\": \"board\"}\n".repeat(LINES));
    // A slot is free as soon as the page is cut off.
    assert_eq!(page.wait_for_console().ask("isready"), "readyok");
    let mut boards = 0;
    loop {
        match socket.receive() {
            Frame::Text(line) => boards += usize::from(line.starts_with("{\"board\":")),
            Frame::Close(code) => break assert_eq!(code, POLICY),
            Frame::Gone => break,
        }
    }
    assert!(boards < LINES);
}

#[test]
fn rejects_large_and_binary_messages() {
    let page = PageServer::start(&[]);
    let mut console = page.console();
    console.0.send(&"x".repeat(1024 * 1024 + 1));
    let Frame::Text(too_long) = console.0.receive() else { panic!("the socket is closed") };
    assert!(too_long.contains("a line has more than 1048576 bytes; it is ignored"), "{too_long}");
    assert_eq!(console.ask("query game"), "response alcaxar");
    console.0.begin_message(2 * 1024 * 1024 + 1);
    assert_eq!(console.receive(), Frame::Close(SIZE));
    let mut socket = page.requests();
    socket.frame(0x82, b"{}");
    assert_eq!(socket.receive(), Frame::Close(UNSUPPORTED));
    // An empty message has no answer. A message with several lines has several answers.
    let mut socket = page.requests();
    socket.send("");
    socket.send("{\"id\": 1, \"ask\": \"version\"}\r\n{\"id\": 2, \"ask\": \"version\"}");
    for id in ["\"id\":1,", "\"id\":2,"] {
        let Frame::Text(answer) = socket.receive() else { panic!("the socket is closed") };
        assert!(answer.contains(id), "{answer}");
    }
}

#[test]
fn invalid_frames_and_text_have_close_codes() {
    let page = PageServer::start(&[]);
    let cases: [(u16, &[u8]); 15] = [
        // These frames have a reserved bit, an undefined opcode for data, an undefined opcode for
        // control, and no mask.
        (PROTOCOL, &[0xc1, 0x80, 0, 0, 0, 0]),
        (PROTOCOL, &[0x83, 0x80, 0, 0, 0, 0]),
        (PROTOCOL, &[0x8b, 0x80, 0, 0, 0, 0]),
        (PROTOCOL, &[0x81, 0x02, b'{', b'}']),
        // These are the rest of a message that has not begun, and a message within another one.
        (PROTOCOL, &[0x80, 0x80, 0, 0, 0, 0]),
        (PROTOCOL, &[0x01, 0x81, 0, 0, 0, 0, b'{', 0x81, 0x80, 0, 0, 0, 0]),
        // These are a fragmented ping, and a ping that is too long.
        (PROTOCOL, &[0x09, 0x80, 0, 0, 0, 0]),
        (PROTOCOL, &[0x89, 0xfe, 0, 126, 0, 0, 0, 0]),
        // These are a close frame with half of a code, and one with a code that must not be sent.
        (PROTOCOL, &[0x88, 0x81, 0, 0, 0, 0, 3]),
        (PROTOCOL, &[0x88, 0x82, 0, 0, 0, 0, 3, 0xed]),
        // These messages are not UTF-8: a message in one piece, a message cut within a character, a
        // message in two pieces, and the reason for a close.
        (NOT_UTF8, &[0x81, 0x81, 0, 0, 0, 0, 0xff]),
        (NOT_UTF8, &[0x81, 0x81, 0, 0, 0, 0, 0xc3]),
        (NOT_UTF8, &[0x01, 0x81, 0, 0, 0, 0, 0xc3, 0x80, 0x81, 0, 0, 0, 0, b'x']),
        (NOT_UTF8, &[0x88, 0x83, 0, 0, 0, 0, 3, 0xe8, 0xff]),
        // This message is longer than the memory.
        (SIZE, &[0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]),
    ];
    for (code, bytes) in cases {
        let mut socket = page.requests();
        socket.bytes(bytes);
        // The code arrives, whatever data follow the fault.
        socket.bytes(&[0; 100_000]);
        assert_eq!(socket.receive(), Frame::Close(code), "{bytes:x?}");
        assert_eq!(socket.receive(), Frame::Gone, "{bytes:x?}");
    }
    // These sockets need another server. The first server counts a socket until its threads have
    // ended.
    let page = PageServer::start(&[]);
    // The second piece makes this message too long.
    let mut socket = page.requests();
    socket.frame(0x01, b"{");
    socket.frame(0x80, &vec![b' '; 2 * 1024 * 1024]);
    assert_eq!(socket.receive(), Frame::Close(SIZE));
    // A message may be cut into pieces within a character.
    let mut socket = page.requests();
    socket.bytes(&[0x01, 0x82, 0, 0, 0, 0, b'"', 0xc3, 0x80, 0x82, 0, 0, 0, 0, 0xa4, b'"']);
    assert!(matches!(socket.receive(), Frame::Text(_)));
    assert_eq!(page.console().ask("isready"), "readyok");
}

#[test]
fn connections_without_token_do_not_block_the_page() {
    let page = PageServer::start(&[]);
    let mut console = page.console();
    // This is more than twice the maximum number.
    let mut idle = Vec::new();
    for number in 1..=150 {
        let mut stream = page.connect();
        if number % 2 == 0 {
            // The server may have already closed the connection.
            let _ = stream.write_all(b"GET / HTTP/1.1\r\nX-");
        }
        idle.push(stream);
        if number % 25 == 0 {
            assert!(page.get("").starts_with("HTTP/1.1 200 "), "{number}");
            assert_eq!(console.ask("isready"), "readyok", "{number}");
        }
    }
    assert_eq!(page.wait_for_console().ask("isready"), "readyok");
}

#[test]
fn connections_may_be_reused_or_dropped_at_any_time() {
    let page = PageServer::start(&[]);
    let request = format!("GET {} HTTP/1.1\r\nHost: {}\r\n\r\n", page.path, page.host());
    let whole = page.get("").split_once("\r\n\r\n").unwrap().1.to_string();
    let mut kept = BufReader::new(page.connect());
    for _ in 0..3 {
        kept.get_mut().write_all(request.as_bytes()).unwrap();
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(kept.read_line(&mut head).unwrap() > 0, "{head}");
        }
        assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
        let mut body = vec![0; whole.len()];
        kept.read_exact(&mut body).unwrap();
        assert_eq!(String::from_utf8(body).unwrap(), whole);
    }
    drop(kept);
    let mut cut = page.connect();
    cut.write_all(&request.as_bytes()[..20]).unwrap();
    drop(cut);
    drop(page.connect());
    assert!(page.get("").starts_with("HTTP/1.1 200 "));
}

#[test]
fn chooses_a_port_unless_it_is_taken() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let state = Folder::new("state");
    let (out, err, code) = run(serve(state.path(), &["--port", &port]), "");
    assert_eq!((out.as_str(), code), ("", Some(1)));
    assert!(err.starts_with(&format!("pentarch: cannot listen on 127.0.0.1:{port}: ")), "{err}");
    drop(taken);
    // Another program may take a free port just now.
    let free = || TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let starts = |port: u16| {
        PageServer::from_command(&mut serve(state.path(), &["--port", &port.to_string()]))
            .is_some_and(|page| page.port == port)
    };
    assert!((0..100).any(|_| starts(free())));
    for wrong in ["0", "80", "65536", "x"] {
        assert_eq!(run(serve(state.path(), &["--port", wrong]), "").2, Some(2), "{wrong}");
    }
}

#[test]
fn closed_output_ends_the_server() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let state = Folder::new("state");
    let mut child = serve(state.path(), &[]).stdout(writer).spawn().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// On most systems with X, the program that opens addresses has this name.
#[cfg(target_os = "linux")]
#[test]
fn opened_address_leads_to_the_page_once() {
    use std::os::unix::fs::PermissionsExt;

    let state = Folder::new("state");
    let programs = Folder::new("programs");
    let opener = programs.path().join("xdg-open");
    let opened = programs.file("opened");
    std::fs::write(
        &opener,
        format!("#!/bin/sh\necho \"$1\" > '{opened}.part'\nmv '{opened}.part' '{opened}'\n"),
    )
    .unwrap();
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = std::env::join_paths(
        [programs.path().into(), "/usr/bin".into(), "/bin".into()] as [std::path::PathBuf; 3]
    );
    let page =
        PageServer::from_command(serve(state.path(), &["--open"]).env("PATH", path.unwrap()))
            .unwrap();
    let address = loop {
        if let Ok(address) = std::fs::read_to_string(&opened) {
            break address;
        }
        std::thread::yield_now();
    };
    let path = address.trim_end().strip_prefix(&format!("http://{}", page.host())).unwrap();
    assert!(!address.contains(&page.path) && path.len() == page.path.len(), "{address}");
    let ask = || {
        page.raw(&format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            page.host()
        ))
    };
    let answer = ask();
    let place = format!("\r\nlocation: {}\r\n", page.address());
    assert!(answer.starts_with("HTTP/1.1 303 ") && answer.contains(&place), "{answer}");
    assert!(ask().starts_with("HTTP/1.1 404 "));
}

#[cfg(unix)]
#[test]
fn signals_end_the_server_with_its_sessions() {
    use nix::sys::signal::Signal;

    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let mut page = PageServer::start(&[]);
        let mut session = page.console();
        session.send(ENDLESS_COMMAND);
        assert_eq!(session.ask("isready"), "readyok");
        page.signal(signal);
        assert_eq!(session.receive(), Frame::Close(AWAY), "{signal}");
        session.0.close();
        assert_eq!(page.exit_code(), Some(0), "{signal}");
    }
}

#[test]
fn log_is_private_and_has_no_token() {
    let folder = Folder::new("log");
    let log = folder.file("serve.log");
    let page = PageServer::start(&["--log-file", &log]);
    let text = std::fs::read_to_string(&log).unwrap();
    assert!(text.contains(&page.port.to_string()), "{text}");
    assert!(!text.contains(page.path.trim_matches('/')), "{text}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(&log).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600);
    }
}

#[test]
fn does_not_read_from_a_page_that_reads_no_pongs() {
    let page = PageServer::start(&[]);
    assert!(page.requests().send_pings(64_000_000) < 64_000_000);
}

/// Measures the memory of the server:
/// `cargo test --test all pings_take_little_memory -- --ignored --nocapture`
#[cfg(target_os = "linux")]
#[test]
#[ignore = "sends 1 GB"]
fn pings_take_little_memory() {
    let page = PageServer::start(&[]);
    let mut socket = page.requests();
    let sent = socket.send_pings(1_000_000_000);
    let resident = page.resident_kib();
    println!("{sent} bytes sent, {resident} KiB resident");
    assert!(resident < 100_000);
}

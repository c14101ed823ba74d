//! The program as a front end sees it.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

/// Runs the program with these arguments and this input. Returns its output.
fn run(arguments: &[&str], input: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_connect_four"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn speaks_the_line_protocol() {
    let out = run(
        &[],
        "position startpos moves d d\nquery fen\nlegal h\ngo depth 4\nisready\nposition fen b6/r6/b6/r6/b6/r6 r 4\nlegal a\nquery moves\n",
    );
    for line in [
        "response 7/7/7/7/3b3/3r3 r 2",
        "info string error: column 7: expected a file from a to g, found 'h'",
        "readyok",
        "illegal a: file a is full",
        "response b c d e f g",
    ] {
        assert!(out.lines().any(|other| other == line), "{line} in {out}");
    }
    assert!(out.contains("\nbestmove "), "{out}");
}

#[test]
fn offers_only_its_own_game() {
    assert!(run(&["games"], "").starts_with("connectfour "), "only its own game");
    assert!(run(&["--help"], "").starts_with("Plays Connect Four\n"));
    assert!(run(&["play", "--side", "both"], "d\nquit\n").contains("Last move: d"));
    assert!(!run(&[], "ugi\n").contains("Quoridor"), "no options of other games");
}

#[test]
fn plays_matches() {
    let out = run(&["arena", "--games", "10", "--first-nodes", "300", "--second-nodes", "30"], "");
    assert!(out.contains("games: 10 of 10"), "{out}");
}

#[test]
fn draws_its_board() {
    let out = run(
        &[],
        "position startpos moves d\nquery scene\nquery details d\nquery clicks d6\nquery board\n",
    );
    assert!(out.contains(r#""pieces":[{"kind":"piece","side":0,"site":"d1"}]"#), "{out}");
    assert!(out.contains(r#""placed":[{"kind":"piece","side":1,"site":"d2"}]"#), "{out}");
    assert!(out.contains(r#""text":"d""#), "{out}");
    assert_eq!(out.matches(r#""class":"square""#).count(), 42, "{out}");
    assert!(run(&["diagram"], "").contains(r#"height=""#), "an image");
}

#[test]
fn answers_requests() {
    let request = r#"{"id": 1, "ask": ["analysis", "status"], "moves": ["d"], "depth": 3}"#;
    let out = run(&["analyse"], &format!("{request}\n"));
    assert!(out.contains(r#""sentence":"Black is to move""#), "{out}");
    assert!(out.contains(r#""lines":[{"#), "{out}");
}

#[test]
fn passes_the_cases_of_its_own_rules() {
    let program = env!("CARGO_BIN_EXE_connect_four");
    let path = format!("{}/cases.jsonl", env!("CARGO_TARGET_TMPDIR"));
    let _ = fs::remove_file(&path);
    run(&["conform", "--write", &path], "");
    let cases = fs::read_to_string(&path).unwrap();
    for kind in ["position", "move", "invalid", "perft"] {
        assert!(cases.contains(&format!(r#""case":"{kind}""#)), "{kind}");
    }
    let out = run(&["conform", "--engine", program, "--cases", &path], "");
    assert_eq!(out, format!("all {} cases agree\n", cases.lines().count()));
}

#[test]
fn speaks_the_go_text_protocol_without_points() {
    let input = "play_text d\nundo\nplay black d1\nlegal_moves\nquit\n";
    let out = run(&["--gtp"], input);
    let no_board = "connectfour has no board of points; use play_text and genmove_text";
    assert_eq!(out, format!("= \n\n= \n\n? {no_board}\n\n= a b c d e f g\n\n= \n\n"));
}

#[test]
fn bench_searches_the_start_position() {
    assert!(!run(&["bench"], "").contains("\nNodes: 0\n"));
}

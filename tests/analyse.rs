//! The subcommand `analyse` as people and programs run it.

use std::fs;

use serde_json::{Value, json};

use crate::client::{program, run};
use crate::common::temporary::Folder;
use crate::pages::pages;

/// Returns the answers to these lines.
fn answers(arguments: &[&str], requests: &str) -> Vec<Value> {
    let (out, err, code) = run(program([&["analyse"], arguments].concat()), requests);
    assert_eq!((err.as_str(), code), ("", Some(0)));
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The reviews on the documentation pages. Each is a command, followed by its output.
#[test]
fn documented_reviews_match_the_output() {
    let mut count = 0;
    for page in pages() {
        for pair in page.blocks().windows(2) {
            let [command, printed] = pair else { continue };
            let Some(words) = command.text.strip_prefix("pentarch analyse ") else { continue };
            if printed.mark == "text" {
                let words: Vec<&str> = words.split_whitespace().collect();
                let (out, err, code) = run(program([&["analyse"], &words[..]].concat()), "");
                assert_eq!(
                    (&out, err.as_str(), code),
                    (&printed.text, "", Some(0)),
                    "{}:{}",
                    page.name,
                    command.line
                );
                count += 1;
            }
        }
    }
    assert!(count > 0);
}

/// The examples on the documentation pages. They are requests and their answers. The duration of a
/// search may differ.
#[test]
fn documented_examples_match_the_output() {
    let without_times = |text: &str| {
        let mut parts = text.split("\"time\":");
        let first = parts.next().unwrap().to_string();
        parts.fold(first, |text, part| {
            text + part.trim_start_matches(|digit: char| digit.is_ascii_digit())
        })
    };
    let mut count = 0;
    for page in pages() {
        let blocks = page.blocks();
        for (at, requests) in
            blocks.iter().enumerate().filter(|(_, block)| block.mark == "json requests")
        {
            let expected = blocks.get(at + 1).filter(|block| block.mark == "json answers");
            let expected = expected
                .unwrap_or_else(|| panic!("{}:{}: no answers follow", page.name, requests.line));
            let (out, ..) = run(program(["analyse"]), &requests.text);
            assert_eq!(
                without_times(&out),
                without_times(&expected.text),
                "{}:{}",
                page.name,
                requests.line
            );
            count += 1;
        }
    }
    assert!(count > 1);
}

#[test]
fn answers_each_request_once() {
    let games = ["alcaxar", "alquerque", "quoridor", "bushka"];
    let mut requests = String::new();
    let mut expected = Vec::new();
    for id in 0..150 {
        let game = games[id % games.len()];
        match id % 10 {
            3 => {
                requests += &format!(
                    "{{\"id\": {id}, \"game\": \"{game}\", \"moves\": [\"z0\"], \"nodes\": 9}}\n"
                )
            }
            7 => requests += &format!("{{\"id\": {id}, \"game\": \"{game}\"\n"),
            _ => {
                requests += &format!(
                    "{{\"id\": {id}, \"game\": \"{game}\", \"depth\": 1, \"multipv\": 2}}\r\n\n"
                )
            }
        }
        expected.push(if id % 10 == 7 { Value::Null } else { json!(id) });
    }
    let answers = |arguments: &[&str]| {
        let mut answers = answers(arguments, &requests);
        // The duration of the search differs.
        for answer in answers.iter_mut().filter(|answer| answer["analysis"].is_object()) {
            answer["analysis"]["time"].take();
        }
        answers
    };
    let one = answers(&[]);
    assert_eq!(one.iter().map(|answer| answer["id"].clone()).collect::<Vec<_>>(), expected);
    for (id, answer) in one.iter().enumerate() {
        assert_eq!(answer["format"], 3);
        assert_eq!(answer["error"].is_object(), matches!(id % 10, 3 | 7), "{answer}");
        let lines = answer["analysis"]["lines"].as_array();
        assert!(answer["error"].is_object() || lines.unwrap().len() == 2, "{answer}");
    }
    assert_eq!(answers(&["--concurrency", "4"]), one);
    let text = |answers: &[Value]| {
        let mut lines: Vec<String> = answers.iter().map(Value::to_string).collect();
        lines.sort_unstable();
        lines
    };
    assert_eq!(text(&answers(&["--concurrency", "4", "--unordered"])), text(&one));
}

#[test]
fn answers_like_a_session() {
    let request = r#"{"game": "bushka", "moves": ["a3b4"], "depth": 4, "multipv": 3}"#;
    let session = "setoption name MultiPV value 3\nposition startpos moves a3b4\ngo depth 4\n";
    let (out, ..) = run(program(["--game", "bushka"]), session);
    let mut lines: Vec<&str> =
        out.lines().filter(|line| line.starts_with("info depth")).rev().take(3).collect();
    lines.reverse();
    let answer = &answers(&[], request)[0];
    let answered = answer["analysis"]["lines"].as_array().unwrap();
    assert_eq!((answered.len(), lines.len()), (3, 3), "{answer}");
    for (line, info) in answered.iter().zip(lines) {
        let pv: Vec<&str> =
            line["pv"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
        let score = format!(" score cp {} nodes ", line["cp"]);
        assert!(
            info.ends_with(&format!(" pv {}", pv.join(" "))) && info.contains(&score),
            "{line}\n{info}"
        );
        assert!(info.starts_with(&format!("info depth {} ", line["depth"])), "{line}\n{info}");
    }
}

#[test]
fn lists_no_moves_after_the_end_and_names_error_columns() {
    let over = r#"{"id": "over", "ask": ["analysis", "status"], "game": "alcaxar", "moves": "e8d9 c6b7 b5a6 d7c8", "depth": 2}"#;
    let wrong = r#"{"id": [1], "game": "quoridor", "moves": "e2 e3", "depth": 2}"#;
    let answers = answers(&[], &format!("{over}\n{wrong}\n\u{feff}{{]\n"));
    assert_eq!(answers[0]["analysis"]["lines"], json!([]));
    assert_eq!(answers[0]["status"]["outcome"], "win green trapped");
    assert_eq!((&answers[1]["id"], &answers[1]["error"]["column"]), (&json!([1]), &json!(4)));
    assert_eq!((&answers[2]["id"], &answers[2]["error"]["column"]), (&Value::Null, &json!(2)));
}

/// A game of Quoridor without walls, in which black steps back once and white wins.
const GAME: &str = "[Game \"quoridor\"]\n[Option \"Quoridor_Walls=0\"]\n[Fen \"e7d5 - w 0/0 20\"]\n\n\
    20. e8 d6 21. e9 1-0\n";

#[test]
fn reviews_a_game() {
    let folder = Folder::new("analyse");
    let file = &folder.file("game.txt");
    fs::write(file, GAME).unwrap();
    let review = |more: &[&str]| {
        let (out, err, code) =
            run(program([&["analyse", file, "--depth", "6"], more].concat()), "");
        assert_eq!((err.as_str(), code), ("", Some(0)));
        out
    };
    let text = review(&[]);
    let expected =
        "        move               before     after    lost     steps  then  best move\n";
    assert!(text.starts_with(expected), "{text}");
    assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    assert_eq!(text, review(&["--concurrency", "3"]));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[1].split_whitespace().collect::<Vec<_>>(),
        ["20.", "e8", "mate", "2", "mate", "1", "2-4", "1-4"]
    );
    assert_eq!(lines[3].split_whitespace().take(4).collect::<Vec<_>>(), ["21.", "e9", "mate", "1"]);
    assert_eq!(
        lines[4..],
        [
            "white  accuracy 100 %, 0 mistakes, 0 blunders",
            "black  accuracy 100 %, 0 mistakes, 0 blunders",
            "outcome: win white goal"
        ]
    );
    let csv = review(&["--csv"]);
    assert!(csv.starts_with(
        "ply,number,side,move,before,after,lost,mark,best,before_cp,before_mate,before_result,before_chance,\
             after_cp,after_mate,after_result,after_chance,race_before,race_after,\
             class,before_human_chance,after_human_chance,stake\n\
             1,20,white,e8,mate 2,mate 1,0.000,,e8,,2,,1.000,,1,,1.000,2-4,1-4,best,1.000,1.000,0.000\n"
    ));
    assert_eq!(csv.lines().count(), 4);
    assert!(
        csv.lines()
            .last()
            .unwrap()
            .ends_with(",,1,,1.000,,,1,1.000,1-5,0-5,best,1.000,1.000,0.000"),
        "{csv}"
    );
    let json: Vec<Value> =
        review(&["--json"]).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(json[0]["chances"], json!([1.0, 1.0]));
    assert_eq!(
        (&json[0]["before"], &json[2]["number"], json.len()),
        (&json!({"mate": 2}), &json!(21), 4)
    );
    assert_eq!(
        json[3]["sides"][0],
        json!({
            "side": "white", "moves": 2, "accuracy": 1.0, "inaccuracies": 0, "mistakes": 0,
            "blunders": 0,
        })
    );
}

#[test]
fn leaves_chance_empty_without_a_score() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/roses/castle.record");
    let review = |form| {
        let arguments = ["analyse", file, form, "--movetime", "1", "--set", "Hash=1"];
        let (out, err, code) = run(program(arguments), "");
        assert_eq!((err.as_str(), code), ("", Some(0)));
        out
    };
    for line in review("--csv").lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(
            [4, 5].map(|at| cells[at] == "?"),
            [12, 16].map(|at| cells[at].is_empty()),
            "{line}"
        );
    }
    for line in review("--json").lines().filter(|line| line.contains("chances")) {
        let mv: Value = serde_json::from_str(line).unwrap();
        assert_eq!(
            ["before", "after"].map(|at| mv[at].is_null()),
            [0, 1].map(|at| mv["chances"][at].is_null())
        );
    }
}

#[test]
fn searches_forced_moves_and_proves_exact_draws() {
    // There is only one legal move, a capture. A player who saves time would make this move at
    // once.
    let forced = r#"{"game": "alquerque", "moves": "c2c3", "movetime": 300}"#;
    assert!(answers(&[], forced)[0]["analysis"]["lines"][0]["depth"].as_i64().unwrap() > 2);
    let draw = &answers(&[], r#"{"game": "roses", "depth": 1}"#)[0]["analysis"]["lines"][0];
    assert_eq!((&draw["cp"], &draw["proven"]), (&json!(0), &json!(true)), "{draw}");
    let won = r#"{"game": "quoridor", "nodes": 1, "fen": "e8d5 - w 10/10 20"}"#;
    let won = &answers(&[], won)[0]["analysis"]["lines"][0];
    assert_eq!((&won["mate"], &won["proven"]), (&json!(1), &json!(true)), "{won}");
}

#[test]
fn returns_ids_unchanged() {
    for id in ["12345678901234567890123", "-0", "1e400", "\"é\"", "[1,{\"a\":null}]"] {
        let (out, ..) = run(program(["analyse"]), format!("{{\"id\": {id}}}\n"));
        assert!(out.ends_with(&format!("\"id\":{id}}}\n")), "{id}: {out}");
    }
    // The column is that of the error. It does not belong to the word that the message quotes.
    for (request, column) in
        [(r#"{"column 9": 1}"#, json!(2)), (r#"{"game": "column 77", "nodes": 1}"#, Value::Null)]
    {
        assert_eq!(answers(&[], request)[0]["error"]["column"], column, "{request}");
    }
}

#[test]
fn costliest_blunder_is_the_turning_point() {
    let folder = Folder::new("costliest-blunder");
    let name = &folder.file("game.txt");
    // White gives a draw away, Black gives it back, and White loses again.
    let game = "[Game \"roses\"]\nd3 b4 c2 a3 e4 a2 c3 b3 d3d4 b4c4 d4e4d5e5 \
                 c4c5 c3d4 b3c4 d4c3 a2a3b3b4 c3d3 b3c4c3d4 \
                 c2c3 c4c3 c2c3 b4b3 e5e6 c5c3 d5d6 d4d3 d6c5 c4a2 e6d5 c3e3 *\n";
    fs::write(name, game).unwrap();
    let (out, ..) = run(program(["analyse", name, "--nodes", "100"]), "");
    let blunders = out.lines().filter(|line| line.contains("25 % ??")).count();
    assert!(blunders > 1 && out.contains("turning point: 12. e5e6 "), "{out}");
    assert!(
        out.contains("\n      it lets black win in at most 3 moves\n      better: d3b3 "),
        "{out}"
    );
}

#[test]
fn blunder_is_the_turning_point() {
    let folder = Folder::new("analyse-blunder");
    let file = &folder.file("game.txt");
    fs::write(file, GAME.replace("e8 d6 21. e9 1-0", "e6 d4 21. e7 d3 22. e8 d2 23. f8 d1 0-1"))
        .unwrap();
    let (out, ..) = run(program(["analyse", file, "--depth", "6"]), "");
    assert!(
        out.contains("  23.   f8                 mate 1   mate -1   100 % ??    1-1   1-1  e9\n"),
        "{out}"
    );
    assert!(
        out.contains("\nturning point: 23. f8 cost white 100 % of the chances; best was e9\n  steps to the goal: 1-1, \
                      after the move 1-1: level instead of one step ahead\n"),
        "{out}"
    );
    assert!(out.contains("white  accuracy 75 %, 0 mistakes, 1 blunder\n"), "{out}");
    let (out, ..) = run(program(["analyse", file, "--depth", "6", "--json"]), "");
    assert_eq!(
        serde_json::from_str::<Value>(out.lines().last().unwrap()).unwrap()["turning_point"],
        7
    );
}

#[test]
fn annotated_records_have_the_steps_before_and_after_a_wall() {
    let folder = Folder::new("analyse-steps");
    let file = &folder.file("game.txt");
    fs::write(file, "[Game \"quoridor\"]\ne2 e8 e2h *\n").unwrap();
    let (out, ..) = run(program(["analyse", file, "--depth", "1", "--annotate"]), "");
    assert_eq!(out.matches("7-7, after the wall 8-8.").count(), 1, "{out}");
    assert!(out.contains("e8 2. e2h"), "the steps do not lengthen a path: {out}");
}

#[test]
fn mistake_of_the_winner_is_not_a_turning_point() {
    let folder = Folder::new("analyse-winner");
    let file = &folder.file("game.txt");
    // Light gives the game away at once, and dark gives it back.
    let moves = "d3c3 b3d3 e3c3 d4d3 c3e3 e5d4 e3e5c3 d5d4 c3e5 c4d4 e5c3 a3b3 c3a3 c5c4 a3c5c3 a5b4 c3a5a3 b5b4 a3c5";
    fs::write(file, format!("[Game \"alquerque\"]\n{moves} 1-0\n")).unwrap();
    let (out, ..) = run(program(["analyse", file, "--nodes", "2000"]), "");
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[1].contains("d3c3") && lines[1].contains(" ??"), "{out}");
    assert!(
        out.contains("\nturning point: 2... d4d3 cost dark ")
            && out.ends_with("win light captured\n"),
        "{out}"
    );
}

#[test]
fn reports_invalid_arguments() {
    let folder = Folder::new("analyse-wrong");
    let missing = &folder.file("none");
    let (_, err, code) = run(program(["analyse", missing]), "");
    assert!(err.starts_with(&format!("pentarch: {missing}: ")) && code == Some(1), "{err}");
    for (arguments, part) in [
        (&["analyse", "--csv"][..], "<FILE>"),
        (&["analyse", "game", "--csv", "--json"], "cannot be used with"),
        (&["analyse", "game", "--unordered"], "cannot be used with"),
        (&["analyse", "--depth", "0"], "invalid value"),
        (&["analyse", "--multipv", "257"], "invalid value"),
    ] {
        let (_, err, code) = run(program(arguments), "");
        assert!(err.contains(part) && code == Some(2), "{err}");
    }
}

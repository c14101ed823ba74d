//! Forced wins, as requests ask for them.

use std::fs;

use serde_json::{Value, json};

use super::schema::{RequestEngine, Schema};
use crate::client::{program, run};
use crate::common::temporary::Folder;

/// Returns the answers of `pentarch analyse` to these requests.
fn answers(requests: &[Value]) -> Vec<Value> {
    let lines: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let (out, err, code) = run(program(["analyse"]), &lines);
    assert_eq!((err.as_str(), code), ("", Some(0)));
    out.lines().map(|line| Schema::read().response(line).1).collect()
}

/// A position in which light wins. The command `prove` also proves this.
const WON_POSITION: &str = "x4/2o2/4o/5/5 l - - - 19";

#[test]
fn proof_equals_that_of_the_command_and_holds() {
    let folder = Folder::new("proof-request");
    let [written, answered] = ["written", "answered"].map(|name| folder.file(name));
    let words: Vec<&str> = WON_POSITION.split(' ').collect();
    let options = [
        "-g",
        "alquerque",
        "--set",
        "Alquerque_Retreat=free",
        "prove",
        "--tables",
        "3",
        "--memory",
        "8",
    ];
    let command = [&options[..], &["--output", &written, "fen"], &words].concat();
    let (text, _, code) = run(program(&command), "");
    assert_eq!(code, Some(0), "{text}");
    let rules = json!({ "Alquerque_Retreat": "free" });
    let request = json!({ "ask": "prove", "game": "alquerque", "options": rules, "fen": WON_POSITION, "nodes": 1_000_000 });
    let with_field = |name: &str, value: Value| {
        let mut request = request.clone();
        request[name] = value;
        request
    };
    let mut limited = with_field("tables", json!(3));
    limited["memory"] = json!(8);
    let told = answers(&[limited, with_field("nodes", json!(10))]);
    let found = &told[0]["prove"];
    let open = &told[1]["prove"];
    assert_eq!((&found["settled"], &found["winner"]), (&json!(true), &json!("light")), "{found}");
    let sentence = format!(
        "light wins in at most {} plies: {} replies, {} positions checked\nNodes: {}\n",
        found["plies"], found["replies"], found["positions"], found["nodes"]
    );
    assert!(text.starts_with(&sentence), "{text}{found}");
    let proof = found["proofs"][0].as_str().unwrap();
    assert_eq!(fs::read_to_string(&written).unwrap(), proof);
    fs::write(&answered, proof).unwrap();
    let (text, _, code) = run(program(["prove", "--check", &answered, "--tables", "3"]), "");
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(
        (&open["settled"], &open["winner"], &open["nodes"]),
        (&json!(false), &Value::Null, &json!(10))
    );
    assert_eq!(open["why"], "more memory or more nodes may help");
}

/// If the side that is not to move wins, the answer contains only the proof of this win.
#[test]
fn win_of_the_other_side_has_one_proof() {
    let fen = "x4/5/5/1o3/oo3 d - - - 1";
    let told =
        &answers(&[json!({ "ask": "prove", "game": "alquerque", "fen": fen, "nodes": 100_000 })])
            [0]["prove"];
    let proofs = told["proofs"].as_array().unwrap();
    assert_eq!((&told["winner"], proofs.len()), (&json!("light"), 1), "{told}");
    assert!(proofs[0].as_str().unwrap().contains("\nClaim: light wins\n"));
}

/// If neither side can force a win, there are two proofs.
#[test]
fn draw_has_a_proof_for_each_side() {
    let folder = Folder::new("proofs-request");
    let position = ["5/5/2x2/5/o4 d - - - 1", "c3c2"];
    let drawn = json!({
        "ask": ["prove", "status"], "game": "alquerque", "fen": position[0], "moves": position[1], "nodes": 100_000
    });
    let told = &answers(&[drawn])[0];
    let found = &told["prove"];
    assert_eq!(
        (&found["settled"], &found["winner"], &found["plies"]),
        (&json!(true), &Value::Null, &Value::Null)
    );
    for (number, side) in ["light", "dark"].iter().enumerate() {
        let file = folder.file(side);
        let proof = found["proofs"][number].as_str().unwrap();
        assert!(proof.contains(&format!("\nClaim: {side} does not win\n")), "{proof}");
        fs::write(&file, proof).unwrap();
        assert_eq!(run(program(["prove", "--check", &file]), "").2, Some(0), "{side}");
    }
}

#[test]
fn reports_what_cannot_be_proven() {
    let ask = |mut more: Value| {
        more["ask"] = json!("prove");
        more
    };
    let over = json!(["e8d9", "c6b7", "b5a6", "d7c8"]);
    let told = answers(&[
        ask(json!({ "nodes": 10, "moves": over })),
        ask(json!({ "nodes": 10, "game": "quoridor", "options": { "Quoridor_Players": 4 } })),
        ask(json!({ "nodes": 10, "memory": 65_537 })),
        ask(json!({ "nodes": 10, "tables": 0 })),
        ask(json!({ "game": "roses" })),
        ask(json!({ "nodes": 10, "depth": 3 })),
    ]);
    for (answer, why) in told.iter().zip(["the game is over there", "it has more than two players"])
    {
        assert_eq!(
            (&answer["prove"]["settled"], &answer["prove"]["why"]),
            (&json!(false), &json!(why)),
            "{answer}"
        );
    }
    for (answer, member) in told[2..].iter().zip(["memory", "tables", "nodes", "depth"]) {
        assert_eq!(answer["error"]["field"], member, "{answer}");
    }
    let (kind, refused) = RequestEngine::new().ask(&ask(json!({ "id": 5, "nodes": 10 })), 1);
    assert_eq!((kind, &refused["error"]["field"]), ("error", &json!("ask")), "{refused}");
}

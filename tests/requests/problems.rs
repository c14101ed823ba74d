//! The built-in problems, as requests list them and return them.

use std::sync::Arc;

use pentarch::problems::grader::problem_of_position;
use pentarch_core::Options;
use pentarch_engine::games::{GAME_OPTION, all_game_words, all_games};
use pentarch_engine::problem::NotAProblemReason;
use pentarch_search::control::SearchControl;
use serde_json::{Value, json};

use super::schema::{RequestEngine, Schema};
use crate::client::{program, run};

/// Returns the problems of a game. Each has the content of its position.
fn list(desk: &mut RequestEngine, game: &str) -> Vec<Value> {
    let (kind, mut answer) = desk.ask(&json!({ "id": 1, "ask": "problems", "game": game }), 1);
    assert_eq!(kind, "response", "{answer}");
    serde_json::from_value(answer["problems"].take()).unwrap()
}

#[test]
fn each_game_lists_problems_won_by_their_solutions() {
    let mut desk = RequestEngine::new();
    for game in all_game_words() {
        let listed = list(&mut desk, game);
        let ranks: Vec<_> =
            listed.iter().map(|one| ["grade", "length"].map(|name| one[name].as_u64())).collect();
        assert!(ranks.is_sorted(), "{game}: {ranks:?}");
        if ranks.is_empty() {
            continue;
        }
        for number in [1, listed.len().div_ceil(2), listed.len()] {
            let asked = json!({
                "id": 2, "ask": ["problem", "scene", "status", "board"], "game": game, "problem": number,
            });
            let (kind, answer) = desk.ask(&asked, 1);
            let problem = &answer["problem"];
            let members = problem.as_object().unwrap_or_else(|| panic!("{kind}: {answer}"));
            let one = listed[number - 1].as_object().unwrap();
            assert!(
                one.iter().all(|(name, value)| members[name] == *value),
                "{game} {number}: {answer}"
            );
            assert_eq!(
                (&problem["number"], &problem["fen"]),
                (&json!(number), &answer["scene"]["fen"])
            );
            assert_eq!(problem["side"], answer["status"]["turn"]);
            for (name, value) in problem["options"].as_object().unwrap() {
                assert_eq!(answer["board"]["rules"][name], *value);
            }
            // A position can be named in two ways. Both lead to the same position.
            let solution = &problem["solution"];
            for place in [
                json!({ "problem": number, "moves": solution }),
                json!({ "fen": problem["fen"], "options": problem["options"], "moves": solution }),
            ] {
                let mut asked = json!({ "id": 3, "ask": ["status", "course"], "game": game });
                super::schema::extend(&mut asked, place);
                let (_, won) = desk.ask(&asked, 1);
                let is_draw = problem["themes"].as_array().unwrap().contains(&json!("draw"));
                let winner = if is_draw { &Value::Null } else { &problem["side"] };
                assert_eq!(&won["status"]["winner"], winner, "{game} {number}: {won}");
                assert_eq!(won["course"]["start"], problem["fen"]);
            }
            if let Some(wrong) = problem["temptation"].as_object() {
                assert_ne!(wrong["move"], solution[0]);
                let moves = [&wrong["move"], &wrong["reply"]];
                let asked = json!({ "id": 4, "ask": "moves", "game": game, "problem": number, "moves": moves });
                assert_eq!(desk.ask(&asked, 1).0, "response");
            }
        }
    }
}

#[test]
fn lists_drills_of_games_that_have_them() {
    let mut desk = RequestEngine::new();
    for game in all_games() {
        let word = game.word;
        let (kind, answer) = desk.ask(&json!({ "id": 1, "ask": "drills", "game": word }), 1);
        assert_eq!(kind, "response", "{answer}");
        let drills = answer["drills"].as_array().unwrap();
        assert_eq!(drills.len(), game.drills().len(), "{answer}");
        for drill in drills {
            let place = json!({ "id": 2, "ask": "status", "game": word, "fen": drill["fen"] });
            let (_, stands) = desk.ask(&place, 1);
            assert_eq!(stands["status"]["outcome"], "ongoing", "{stands}");
        }
    }
}

/// Returns the responses of `pentarch analyse` to these requests.
fn ask(requests: &[Value]) -> Vec<Value> {
    let lines: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let (out, ..) = run(program(["analyse"]), &lines);
    out.lines().map(|line| Schema::read().response(line).1).collect()
}

/// The program converts a position to the same problem that is built in, regardless of the history.
/// If the position is not a problem, the program explains why.
#[test]
fn converts_a_position_to_a_problem_or_explains_the_failure() {
    let listed = list(&mut RequestEngine::new(), "roses");
    let number = listed.iter().position(|one| one["length"] == 2).unwrap() + 1;
    let known =
        &ask(&[json!({ "ask": "problem", "game": "roses", "problem": number })])[0]["problem"];
    let answers = ask(&[
        json!({ "id": 1, "ask": ["isproblem", "status"], "game": "roses", "fen": known["fen"], "nodes": 20000 }),
        json!({ "id": 2, "ask": "isproblem", "game": "roses", "fen": "c/4/5/5/4/C w 4/4 1", "nodes": 100 }),
        json!({ "id": 3, "ask": "isproblem", "game": "roses", "problem": number, "moves": known["solution"] }),
        json!({ "id": 4, "ask": "isproblem", "game": "roses", "fen": known["fen"], "end": { "resign": "white" } }),
        json!({ "id": 5, "ask": "isproblem", "game": "quoridor", "options": { "Quoridor_Players": 4 } }),
    ]);
    let made = &answers[0]["isproblem"]["problem"];
    for member in ["fen", "side", "length", "solution"] {
        assert_eq!(made[member], known[member], "{member}: {}", answers[0]);
    }
    assert!(made.get("number").is_none() && answers[0]["isproblem"]["why"].is_null());
    assert_eq!(answers[0]["status"]["turn"], known["side"]);
    for (answer, reason) in answers[1..].iter().zip([
        "a win of white",
        "the game is over there",
        "the game is over there",
        "more than two players",
    ]) {
        let told = &answer["isproblem"];
        assert!(
            told["problem"].is_null() && told["why"].as_str().unwrap().contains(reason),
            "{answer}"
        );
    }
    // A request may name any number of nodes, but a proof uses at most its default. A stop ends the
    // proof.
    let fen = known["fen"].as_str().unwrap();
    let most = json!({ "ask": "isproblem", "game": "quoridor", "nodes": i64::MAX });
    assert_eq!(
        ask(&[most])[0]["isproblem"],
        ask(&[json!({ "ask": "isproblem", "game": "quoridor" })])[0]["isproblem"]
    );
    let mut options = Options::default();
    let control = Arc::new(SearchControl::default());
    options.set(&GAME_OPTION, "roses").unwrap();
    assert!(problem_of_position(&options, fen, 20_000, &control).is_ok());
    control.stop();
    assert_eq!(
        problem_of_position(&options, fen, 20_000, &control),
        Err(NotAProblemReason::Stopped)
    );
}

/// A request for a conversion rejects search fields. It accepts them if another question uses them.
#[test]
fn conversion_to_a_problem_rejects_search_fields() {
    let members = [
        ("movetime", json!(5)),
        ("depth", json!(5)),
        ("every", json!(5)),
        ("level", json!("novice")),
        ("seed", json!(5)),
        ("multipv", json!(2)),
    ];
    let request_with = |ask: Value, (member, value): &(&str, Value)| {
        let mut request = json!({ "id": 6, "ask": ask, "game": "quoridor", "nodes": 100 });
        request[*member] = value.clone();
        request
    };
    let alone: Vec<Value> =
        members.iter().map(|member| request_with(json!("isproblem"), member)).collect();
    for (refused, (member, _)) in ask(&alone).iter().zip(&members) {
        assert_eq!(refused["error"]["field"], *member, "{refused}");
    }
    let both: Vec<Value> =
        members.iter().map(|member| request_with(json!(["isproblem", "play"]), member)).collect();
    assert!(ask(&both).iter().all(|answer| answer.get("error").is_none()));
    // The library without the program contains no prover.
    let (kind, refused) =
        RequestEngine::new().ask(&json!({ "id": 5, "ask": "isproblem", "game": "roses" }), 1);
    assert_eq!((kind, &refused["error"]["field"]), ("error", &json!("ask")), "{refused}");
}

/// A problem has separate rules. They do not depend on the rules at the start of the program.
#[test]
fn rejects_an_unknown_or_duplicate_problem() {
    let (out, ..) = run(
        program(["--game", "bushka", "--set", "Bushka_Board=11x9", "analyse"]),
        "{\"ask\": [\"problem\", \"status\"], \"problem\": 1}\n",
    );
    assert!(out.contains("\"solution\""), "{out}");
    let mut desk = RequestEngine::new();
    let count = list(&mut desk, "roses").len();
    for (line, field, expected) in [
        (
            r#"{"ask": "problem", "game": "roses"}"#.to_string(),
            "problem",
            "expected the number of a built-in problem",
        ),
        (
            r#"{"ask": "scene", "game": "roses", "problem": 0}"#.into(),
            "problem",
            "a whole number from 1 to ",
        ),
        (
            format!(r#"{{"ask": "problem", "game": "roses", "problem": {}}}"#, count + 1),
            "problem",
            &format!("expected a whole number from 1 to {count}"),
        ),
        (
            r#"{"ask": "scene", "game": "roses", "problem": "1"}"#.into(),
            "problem",
            "a whole number",
        ),
        (
            r#"{"ask": "scene", "game": "roses", "problem": 1, "fen": "x"}"#.into(),
            "fen",
            "the problem already specifies it",
        ),
        (
            r#"{"ask": "scene", "game": "roses", "problem": 1, "options": {}}"#.into(),
            "options",
            "the problem already specifies it",
        ),
        (
            r#"{"ask": "scene", "problem": 1, "record": "*"}"#.into(),
            "problem",
            "the record already specifies it",
        ),
        (
            r#"{"ask": "scene", "game": "roses", "problem": 1, "moves": "e3x"}"#.into(),
            "moves",
            "move 1",
        ),
    ] {
        let answers = desk.engine.receive_request(&line);
        let (kind, answer) = desk.schema.response(&answers[0]);
        let error = &answer["error"];
        let message = error["message"].as_str().unwrap();
        assert!(kind == "error" && message.contains(expected), "{line}: {answer}");
        assert_eq!(error["field"], field, "{line}: {answer}");
    }
}

//! Requests on one thread, in slices. The test sets the clock.

use serde_json::{Value, json};

use super::schema::RequestEngine;
use crate::client::{program, run};

/// Returns a request about the first moves of a game of Quoridor. No search solves this position.
fn long_search(id: u32, more: Value) -> Value {
    let mut request = json!({ "id": id, "game": "quoridor", "moves": "e2 e8", "ask": "analysis" });
    super::schema::extend(&mut request, more);
    request
}

/// The first report comes at once. Further reports come each time the interval has passed on the
/// clock of the host. The answer comes last.
#[test]
fn reports_come_before_the_answer_at_the_requested_interval() {
    let mut desk = RequestEngine::new();
    assert_eq!(
        desk.send(&long_search(1, json!({ "nodes": 60_000, "every": 1000, "multipv": 2 }))),
        None
    );
    let mut told = Vec::new();
    while told.is_empty() {
        told = desk.step(500);
    }
    // The clock does not advance during the search.
    assert!((0..60).all(|_| desk.step(500).is_empty()), "no report without time");
    while !desk.engine.is_idle() {
        desk.clock.advance(1000);
        let more = desk.step(500);
        assert!(more.len() <= 1, "{more:#?}");
        told.extend(more);
    }
    let reports = told.len() - 1;
    let (kinds, answers): (Vec<&str>, Vec<Value>) = told.into_iter().unzip();
    assert!(reports >= 2 && kinds[reports] == "response", "{kinds:?}");
    assert!(kinds[..reports].iter().all(|kind| *kind == "partial"), "{kinds:?}");
    let nodes = |answer: &Value| answer["analysis"]["nodes"].as_u64().unwrap();
    assert!(answers.windows(2).all(|pair| nodes(&pair[0]) <= nodes(&pair[1])));
    assert!(
        answers.iter().all(|answer| answer["analysis"]["lines"].as_array().unwrap().len() == 2)
    );
}

/// A stop between two slices ends only the request that it names. The answer is the result so far.
#[test]
fn stop_between_slices_returns_the_current_result() {
    let mut desk = RequestEngine::new();
    for id in 1..=3 {
        assert_eq!(desk.send(&long_search(id, json!({ "depth": 100 }))), None);
    }
    assert!((0..20).all(|_| desk.step(500).is_empty()));
    assert_eq!(desk.send(&json!({ "id": "s", "stop": 1 })).unwrap().1["stopped"], 1);
    let (kind, answer) = desk.step(500).remove(0);
    assert_eq!(
        (kind, &answer["id"], answer["analysis"]["lines"].as_array().unwrap().len()),
        ("response", &json!(1), 1)
    );
    assert!(answer["analysis"]["nodes"].as_u64().unwrap() > 0);
    assert_eq!(desk.send(&json!({ "id": "s", "stop": 1 })).unwrap().1["stopped"], 0);
    assert!(desk.step(500).is_empty());
    // A stop without an id gets no answer.
    assert_eq!(desk.send(&json!({ "stop": null })), None);
    let ids: Vec<Value> = (0..2).map(|_| desk.step(500).remove(0).1["id"].clone()).collect();
    assert_eq!((ids, desk.engine.is_idle()), (vec![json!(2), json!(3)], true));
}

/// A time limit is measured on the clock of the host.
#[test]
fn time_limits_use_the_clock_of_the_host() {
    let mut desk = RequestEngine::new();
    assert_eq!(desk.send(&long_search(1, json!({ "movetime": 700 }))), None);
    assert!((0..40).all(|_| desk.step(500).is_empty()));
    desk.clock.advance(699);
    assert!((0..40).all(|_| desk.step(500).is_empty()));
    desk.clock.advance(1);
    let answer = desk.finish(500).pop().unwrap().1;
    assert_eq!(answer["analysis"]["time"], 700);
    // If there are two limits, the first one that is reached counts. The time of each request is
    // measured separately.
    desk.clock.advance(123_456);
    assert_eq!(desk.send(&long_search(2, json!({ "movetime": 700, "nodes": 2000 }))), None);
    let answer = desk.finish(500).pop().unwrap().1;
    assert!(
        answer["analysis"]["time"] == 0 && answer["analysis"]["nodes"].as_u64().unwrap() >= 2000,
        "{answer}"
    );
    // If a player has no time left on the clock, the move is made at once.
    let clock = json!({ "times": [-5, 0], "increments": [0, 0] });
    assert_eq!(desk.send(&long_search(3, json!({ "ask": "play", "clock": clock }))), None);
    assert!(desk.finish(500).pop().unwrap().1["play"]["move"].is_string());
}

/// A request with a higher priority overtakes a running one. The running request continues
/// afterwards.
#[test]
fn higher_priority_overtakes() {
    let mut desk = RequestEngine::new();
    let limits = json!({ "nodes": 3000 });
    for (id, priority) in [(1, json!(null)), (2, json!(-1)), (3, json!(0))] {
        let mut request = long_search(id, limits.clone());
        super::schema::extend(&mut request, json!({ "priority": priority }));
        assert_eq!(desk.send(&request), None);
    }
    assert!(desk.step(500).is_empty());
    for (id, priority) in [(4, 7.5), (5, 1e300), (6, 7.5)] {
        let mut request = long_search(id, limits.clone());
        super::schema::extend(&mut request, json!({ "priority": priority }));
        assert_eq!(desk.send(&request), None);
    }
    // Requests without a search are still answered at once.
    assert_eq!(desk.send(&json!({ "id": 0, "ask": "version" })).unwrap().1["id"], 0);
    let ids: Vec<Value> = (0..6).map(|_| desk.finish(500).pop().unwrap().1["id"].clone()).collect();
    assert_eq!(json!(ids), json!([5, 4, 6, 1, 3, 2]));
}

/// The exact values of a solved game need hardly any time.
#[test]
fn knows_solved_games_at_once() {
    let mut desk = RequestEngine::new();
    let request =
        json!({ "id": 1, "game": "roses", "ask": ["analysis", "drawoffer"], "movetime": 1 });
    assert_eq!(desk.send(&request), None);
    let answer = desk.finish(1).pop().unwrap().1;
    let line = &answer["analysis"]["lines"][0];
    assert_eq!(
        (&line["cp"], &line["proven"], &line["chance"]),
        (&json!(0), &json!(true), &json!(0.5)),
        "{answer}"
    );
    // The rules do not allow a draw by agreement.
    assert_eq!(answer["drawoffer"], "decline", "{answer}");
}

/// If a review is stopped half way, it contains the moves evaluated so far.
#[test]
fn stopped_review_has_the_moves_so_far() {
    let mut desk = RequestEngine::new();
    let game = json!({
        "id": 1, "game": "quoridor", "moves": "e2 e8 e3 e7 e4 e6 e5 e4 e6 e3", "ask": "review", "nodes": 500, "every": 1,
    });
    let all = desk.ask(&game, u64::MAX).1;
    assert_eq!(all["review"]["moves"].as_array().unwrap().len(), 10);
    assert_eq!(desk.send(&game), None);
    let mut reports = Vec::new();
    while reports.len() < 4 {
        reports.extend(desk.step(200));
        desk.clock.advance(1);
    }
    assert_eq!(desk.send(&json!({ "stop": 1 })), None);
    let (kind, answer) = desk.finish(200).pop().unwrap();
    let moves = answer["review"]["moves"].as_array().unwrap();
    assert_eq!((kind, moves.len()), ("response", 4), "{answer}");
    for (number, (kind, report)) in reports.iter().enumerate() {
        let known = report["review"]["moves"].as_array().unwrap();
        assert_eq!((*kind, known.len(), &known[..]), ("partial", number + 1, &moves[..=number]));
    }
    // Later moves are not evaluated. But the outcome of the game is known.
    assert_eq!(
        (&answer["review"]["sides"][0]["moves"], &answer["review"]["outcome"]),
        (&json!(2), &json!("ongoing"))
    );
}

/// With one large slice, the answers equal those of `pentarch analyse`. Only the time may differ.
#[test]
fn one_large_slice_equals_the_program() {
    let mut requests = vec![
        json!({ "id": "of format 1", "game": "bushka", "moves": "a3b4", "depth": 4, "multipv": 3 }),
    ];
    for (id, game) in
        ["alcaxar", "alquerque", "roses", "quoridor", "bushka"].into_iter().enumerate()
    {
        let ask = ["analysis", "drawoffer", "play", "status", "moves"];
        requests.push(json!({ "id": id, "game": game, "ask": ask, "depth": 3, "multipv": 2 }));
        requests.push(json!({ "id": id, "game": game, "ask": "analysis", "nodes": 1000 }));
    }
    requests.push(json!({ "id": 9, "game": "quoridor", "moves": "e2 e8 e3 e7", "ask": "review", "nodes": 800 }));
    let four = json!({ "Quoridor_Players": 4 });
    requests.push(
        json!({ "id": 9, "game": "quoridor", "options": four, "ask": "analysis", "depth": 3 }),
    );
    let lines: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let (out, err, code) = run(program(["--set", "Hash=1", "analyse"]), lines);
    assert_eq!((err.as_str(), code, out.lines().count()), ("", Some(0), requests.len()));
    let mut desk = RequestEngine::new();
    for (request, line) in requests.iter().zip(out.lines()) {
        let (_, mut expected) = desk.schema.response(line);
        let (_, mut answer) = desk.ask(request, u64::MAX);
        for member in [&mut expected, &mut answer] {
            for place in ["/analysis/time", "/play/analysis/time"] {
                member.pointer_mut(place).map(Value::take);
            }
        }
        assert_eq!(answer, expected);
    }
}

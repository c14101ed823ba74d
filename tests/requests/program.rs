//! Requests that `pentarch analyse` answers. The tests check stops, priorities, and reports before
//! the answer.

use serde_json::{Value, json};

use super::schema::Schema;
use crate::client::Client;

/// The time limit of a search in milliseconds. The search would end by itself only after a day, and
/// thus never during a test.
const A_DAY: u64 = 24 * 60 * 60 * 1000;

/// The program that answers requests.
struct Program {
    client: Client,
    schema: &'static Schema,
}

impl Program {
    fn start(arguments: &[&str]) -> Program {
        let arguments = [&["--set", "Hash=1", "analyse"], arguments].concat();
        Program { client: Client::program(&arguments), schema: Schema::read() }
    }

    fn send(&mut self, request: Value) {
        self.schema.check_request(&request);
        self.client.send(&request.to_string());
    }

    fn receive(&mut self) -> (&'static str, Value) {
        self.schema.response(&self.client.receive().expect("an answer"))
    }

    /// Waits until there is a report for the request with this id.
    fn until_report(&mut self, id: u64) {
        loop {
            let (kind, report) = self.receive();
            assert_eq!(kind, "partial", "{report}");
            if report["id"] == id {
                return;
            }
        }
    }

    /// Returns the next line that is not a report.
    fn answer(&mut self) -> (&'static str, Value) {
        loop {
            let (kind, answer) = self.receive();
            if kind != "partial" {
                return (kind, answer);
            }
        }
    }

    /// Returns the ids of the next `count` answers, in the order of arrival.
    fn ids(&mut self, count: usize) -> Vec<Value> {
        (0..count).map(|_| self.answer().1["id"].clone()).collect()
    }

    /// Ends the input, and checks that there is no further output.
    fn finish(self) {
        assert_eq!(self.client.finish(), (Vec::new(), Some(0)));
    }
}

/// Returns a request that runs for a day and sends reports.
fn endless(id: u64) -> Value {
    json!({ "id": id, "game": "quoridor", "moves": "e2 e8", "ask": "analysis", "movetime": A_DAY, "every": 1 })
}

/// Returns a small request with this priority.
fn small(id: u64, priority: f64) -> Value {
    json!({ "id": id, "game": "bushka", "ask": "analysis", "depth": 1, "priority": priority })
}

/// If a running request is stopped, its answer is the result so far. The answer is also in order.
#[test]
fn stops_a_running_request_by_its_id() {
    for arguments in [&[][..], &["--unordered"]] {
        let mut program = Program::start(arguments);
        program.send(endless(7));
        program.until_report(7);
        program.send(json!({ "id": "other", "stop": "7" }));
        let (kind, answer) = program.answer();
        assert_eq!(
            (kind, answer),
            ("stopped", json!({ "id": "other", "format": 3, "stopped": 0 }))
        );
        program.send(json!({ "id": "stop", "stop": 7 }));
        let mut answers = [program.answer(), program.answer()];
        answers.sort_by_key(|(kind, _)| *kind);
        let [(answered, answer), (stopped, stop)] = answers;
        assert_eq!(
            (answered, stopped, &answer["id"], &stop["stopped"]),
            ("response", "stopped", &json!(7), &json!(1))
        );
        assert_eq!(answer["analysis"]["lines"].as_array().unwrap().len(), 1);
        program.finish();
    }
}

/// A stop of all requests ends the running request. It also ends each queued request as soon as
/// that request begins. A stop without an id gets no answer.
#[test]
fn stops_everything_at_once() {
    let mut program = Program::start(&["--concurrency", "2"]);
    (0..5).for_each(|id| program.send(endless(id)));
    program.until_report(0);
    program.send(json!({ "stop": null }));
    assert_eq!(program.ids(5), [0, 1, 2, 3, 4]);
    program.send(endless(5));
    program.until_report(5);
    program.send(json!({ "stop": null, "id": null }));
    let mut answers = [program.answer(), program.answer()];
    answers.sort_by_key(|(kind, _)| *kind);
    assert_eq!((&answers[0].1["id"], &answers[1].1["stopped"]), (&json!(5), &json!(1)));
    program.finish();
}

/// A stop that arrives directly after its request ends the request at any stage. Most of these
/// stops arrive while the moves of the game are being made.
#[test]
fn stop_directly_after_a_request_is_effective() {
    for arguments in [&[][..], &["--unordered", "--concurrency", "3"]] {
        let mut program = Program::start(arguments);
        for id in 0..30 {
            let mut request = endless(id);
            // If the game has another length, it is played from its beginning.
            request["moves"] = "e2 e8 e1 e9 ".repeat(if id % 2 == 0 { 5000 } else { 1 }).into();
            request["every"] = Value::Null;
            program.client.send(&request.to_string());
            program.client.send(&json!({ "stop": id }).to_string());
            let (kind, answer) = program.answer();
            assert_eq!((kind, &answer["id"]), ("response", &json!(id)));
        }
        program.finish();
    }
}

/// Queued requests with a higher priority come first. Of requests with the same priority, the
/// earlier one comes first. A running request is not interrupted.
#[test]
fn higher_priority_comes_first() {
    let mut program = Program::start(&["--unordered", "--concurrency", "1"]);
    program.send(endless(0));
    program.until_report(0);
    for (id, priority) in [(1, 0.), (2, 5.), (3, -1.5), (4, 5.), (5, 0.), (6, 1e9)] {
        program.send(small(id, priority));
    }
    // The default priority is 0.
    program.send(json!({ "id": 7, "game": "bushka", "depth": 1 }));
    // A request without a search never waits. A request that is rejected or has nothing to search
    // does not wait either.
    program.client.send(r#"{"id": 8, "ask": "analysis", "depth": 1, "priority": "urgent"}"#);
    program.send(json!({ "id": 9, "ask": "status" }));
    program.client.send("{\"id\": 10");
    assert_eq!(
        (program.answer().1["id"].clone(), program.answer().1["id"].clone()),
        (json!(8), json!(9))
    );
    assert_eq!(program.answer().1["id"], Value::Null);
    program.send(json!({ "stop": 0 }));
    assert_eq!(program.ids(8), [0, 6, 2, 4, 1, 5, 7, 3]);
    program.finish();
}

/// Without `--unordered` the answers are in the order of the requests, regardless of the
/// priorities. Reports on later requests may arrive before earlier answers. (A request that is far
/// ahead must wait. So the number of waiting answers is limited.)
#[test]
fn answers_come_in_order_and_reports_immediately() {
    let mut program = Program::start(&["--concurrency", "2"]);
    program.send(endless(0));
    program.until_report(0);
    for id in 1..100 {
        program.send(small(id, id as f64));
    }
    program.send(endless(100));
    program.send(json!({ "id": 101, "ask": "moves", "priority": -9 }));
    program.until_report(100);
    program.send(json!({ "stop": 100 }));
    program.send(json!({ "stop": 0 }));
    let ids = program.ids(102);
    assert!(ids.iter().zip(0..).all(|(id, number)| *id == number), "{ids:?}");
    program.finish();
}

/// A review reports each move, and a played move reports its search. The last answer is not a
/// report.
#[test]
fn reports_come_before_the_answer() {
    let mut program = Program::start(&[]);
    let moves = "e2 e8 e3 e7 e4 e6";
    let review = json!({ "id": 1, "game": "quoridor", "moves": moves, "ask": ["review", "moves"], "nodes": 300, "every": 1 });
    let play = json!({ "id": 2, "game": "quoridor", "moves": moves, "ask": "play", "nodes": 20_000, "every": 1 });
    let none = json!({ "id": 3, "game": "quoridor", "moves": moves, "ask": "drawoffer", "nodes": 20_000, "every": 1 });
    for request in [&review, &play, &none] {
        program.send(request.clone());
    }
    program.client.end_input();
    let mut last = 1;
    let mut kinds = [Vec::new(), Vec::new(), Vec::new()];
    while let Some(line) = program.client.receive() {
        let (kind, answer) = program.schema.response(&line);
        let id = answer["id"].as_u64().unwrap();
        assert!(id >= last, "{answer}");
        last = id;
        // The first fields of a report are those of the answer.
        assert_eq!((&answer["game"], answer["fen"].is_string()), (&json!("quoridor"), true));
        kinds[id as usize - 1].push(kind);
    }
    for kinds in &kinds {
        assert_eq!(kinds.iter().filter(|kind| **kind == "response").count(), 1);
        assert_eq!(kinds.last(), Some(&"response"), "{kinds:?}");
    }
    // The reply to a draw offer is not known before the search has ended.
    assert_eq!(kinds[2].len(), 1, "{kinds:?}");
}

/// At the end of the input, every queued request is answered.
#[test]
fn answers_everything_after_the_end_of_the_input() {
    for arguments in [&["--concurrency", "3"][..], &["--unordered"]] {
        let mut program = Program::start(arguments);
        for id in 0..300 {
            program.send(if id % 3 == 0 {
                json!({ "id": id, "ask": "scene" })
            } else {
                small(id, (id % 7) as f64)
            });
        }
        program.client.end_input();
        let mut ids: Vec<u64> = program.ids(300).iter().map(|id| id.as_u64().unwrap()).collect();
        ids.sort_unstable();
        assert!(ids.into_iter().eq(0..300));
        program.finish();
    }
}

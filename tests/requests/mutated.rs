//! Mutated requests. Each line gets one answer, the answers are in order, and the program
//! continues.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::io::{BufRead, BufReader, Write};
use std::process::ChildStdin;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Instant;

use fastrand::Rng;
use pentarch_games::{BuiltinRules, Game, GameOperation};
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::answers::{clicks_of, moves_made};
use super::schema::{Schema, request, value_of};
use crate::client::program;
use crate::common::fuzz::mutation::{change_character, mutate_bytes};
use crate::common::fuzz::runner;
use crate::common::*;

/// Returns valid requests about games of every kind.
fn valid_requests() -> Vec<Value> {
    struct AddRequests<'a>(&'a mut Vec<Value>);
    impl GameOperation for AddRequests<'_> {
        type Output = ();
        fn run_for_game_type<G: Game>(self) {
            let mut rng = Rng::with_seed(8);
            // There are only a few rule sets, because each one that is searched needs tables of
            // solved positions.
            for options in option_sets::<G>(0).into_iter().take(2) {
                let rules = std::sync::Arc::new(G::from_options(&options));
                let mut game = new_history(&rules);
                random_game(game.clone(), &mut rng, 12, |history| game = history.clone());
                let made = moves_made(&game);
                let legal = legal_move_strings(&game);
                let mv = legal.first().map_or("a1", |mv| mv);
                let fen = rules.position_text(game.position());
                let at_once = json!(["scene", "status", "moves", "clicks", "legal"]);
                self.0.extend([
                    json!({ "moves": made, "nodes": 40, "multipv": 2 }),
                    json!({ "fen": fen, "depth": 1 }),
                    json!({ "moves": made.join(" "), "ask": at_once, "move": mv, "clicks": clicks_of(&game, mv) }),
                    json!({ "fen": fen, "ask": "details", "move": mv, "priority": -1.5 }),
                    json!({ "moves": made, "ask": ["analysis", "drawoffer"], "nodes": 30, "searchmoves": [mv], "every": 1 }),
                    json!({ "moves": made, "ask": "play", "level": "novice", "every": 5, "depth": 1 }),
                    json!({ "ask": "play", "clock": { "times": [20, 20], "increments": [1], "overhead": 5 }, "nodes": 50 }),
                    json!({ "moves": made, "ask": ["review", "record"], "nodes": 10, "end": { "resign": G::SIDE_NAMES[0] } }),
                    json!({ "ask": ["status", "record"], "end": { "agree": true, "flag": null } }),
                    json!({ "ask": ["board", "rules"], "topic": "aim" }),
                ].map(|fields| request::<G>(&options, fields)));
                let record = format!(
                    "[Game \"{}\"]\n{} *",
                    G::GAME_ID,
                    moves_made(&new_history(&rules)).join(" ")
                );
                self.0
                    .push(json!({ "id": "record", "record": record, "ask": ["scene", "diagram"] }));
            }
        }
    }
    let mut requests = Vec::new();
    BuiltinRules::ALL_RULES.iter().for_each(|id| id.run_operation(AddRequests(&mut requests)));
    requests.extend([
        json!({ "ask": ["games", "options", "version"] }),
        json!({ "stop": "nobody", "id": 1 }),
    ]);
    requests.extend([
        json!({ "ask": ["problem", "problems"], "game": "bushka", "problem": 2, "moves": [] }),
    ]);
    requests
}

/// JSON values that often cause errors in programs.
const DIFFICULT_VALUES: &[&str] = &[
    "null",
    "true",
    "false",
    "0",
    "-0",
    "-1",
    "1",
    "1.0",
    "1e2",
    "0.5",
    "-1e-7",
    "256",
    "257",
    "4294967296",
    "9223372036854775808",
    "-9223372036854775809",
    "18446744073709551616",
    "1e400",
    "-1e400",
    "123456789012345678901234567890",
    r#""""#,
    r#"" ""#,
    r#""e2""#,
    r#""e2 e8""#,
    r#""\u0000""#,
    r#""\ud800""#,
    r#""\ud83c\udfb2""#,
    r#""é≠\u2028\u202e""#,
    r#""startpos""#,
    r#""quoridor""#,
    r#""champion""#,
    r#""analysis""#,
    r#""position""#,
    "[]",
    "{}",
    "[[]]",
    "[null]",
    r#"["e2"]"#,
    r#"["e2", 1]"#,
    r#"{"times": [1]}"#,
    r#"{"resign": "white"}"#,
    r#"{"Quoridor_Walls": 0}"#,
    r#"{"a": 1, "a": 2}"#,
    "[1000000]",
    r#"["scene", "play"]"#,
    r#"{"$serde_json::private::Number": "1"}"#,
    "nul",
    "NaN",
    "'x'",
];

/// Names of request fields, and some other names.
const FIELD_NAMES: &[&str] = &[
    "id",
    "game",
    "options",
    "fen",
    "moves",
    "depth",
    "nodes",
    "movetime",
    "multipv",
    "ask",
    "every",
    "priority",
    "stop",
    "record",
    "end",
    "clicks",
    "move",
    "topic",
    "searchmoves",
    "level",
    "seed",
    "clock",
    "ugi",
    "times",
    "overhead",
    "resign",
    "agree",
    "Depth",
    "deph",
    "",
    "\u{0}",
    "é",
    "partial",
    "format",
];

/// Returns a request, possibly a mutated one. Fields may be removed, added, duplicated, renamed,
/// nested or changed. Characters may also change.
fn mutated_request(rng: &mut Rng, good: &[Value]) -> Vec<u8> {
    let Value::Object(fields) = rng.choice(good).unwrap() else { unreachable!() };
    let mut parts: Vec<(String, String)> = fields
        .iter()
        .map(|(name, value)| (Value::from(name.as_str()).to_string(), value.to_string()))
        .collect();
    let name = |rng: &mut Rng| Value::from(*rng.choice(FIELD_NAMES).unwrap()).to_string();
    let other = |rng: &mut Rng| -> (String, String) {
        let Value::Object(fields) = rng.choice(good).unwrap() else { unreachable!() };
        let (name, value) = rng.choice(fields.iter()).unwrap();
        (Value::from(name.as_str()).to_string(), value.to_string())
    };
    for _ in 0..rng.usize(0..3) {
        let at = rng.usize(..parts.len().max(1)).min(parts.len().saturating_sub(1));
        if parts.is_empty() {
            break;
        }
        match rng.u8(..12) {
            0 => drop(parts.remove(at)),
            1 => parts.insert(at, other(rng)),
            2 => parts.push(parts[at].clone()),
            3 => parts[at].0 = name(rng),
            4 | 5 => parts[at].1 = rng.choice(DIFFICULT_VALUES).unwrap().to_string(),
            6 => parts[at].1 = other(rng).1,
            7 => parts.push((name(rng), rng.choice(DIFFICULT_VALUES).unwrap().to_string())),
            8 => {
                let deep = *rng.choice(&[1, 3, 126, 127, 128, 5000]).unwrap();
                parts[at].1 = "[".repeat(deep) + &parts[at].1 + &"]".repeat(deep);
            }
            9 => parts[at].1 = format!("{{{}: {}}}", name(rng), parts[at].1),
            10 => parts[at].1 = change_character(rng, &parts[at].1),
            _ => parts[at].1 = rng.u64(..).to_string().repeat(rng.usize(1..15)),
        }
    }
    let inner: Vec<String> = parts.iter().map(|(name, value)| format!("{name}:{value}")).collect();
    let mut line = format!("{{{}}}", inner.join(if rng.bool() { "," } else { " , " }));
    if rng.u8(..4) == 0 {
        line = change_character(rng, &line);
    }
    let mut bytes = line.into_bytes();
    if rng.u8(..30) == 0 {
        mutate_bytes(rng, &mut bytes);
    }
    bytes.retain(|byte| *byte != b'\n');
    bytes
}

/// The expected answer to a line.
enum ExpectedResponse {
    /// One answer to the request with these fields, in the order of the lines. The fields are
    /// `None` if the request cannot be read.
    InOrder(String, Option<Map<String, Value>>),
    /// One answer at any time.
    AtOnce,
    /// No answer.
    Nothing,
}

/// Returns the fields of a line; `None` if the line is not an object.
fn fields_of(line: &[u8]) -> Option<Map<String, Value>> {
    let text = str::from_utf8(line).ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match value_of(text) {
        Ok(Value::Object(fields)) => Some(fields),
        _ => None,
    }
}

fn expected(line: &[u8]) -> ExpectedResponse {
    let shown = String::from_utf8_lossy(line).into_owned();
    if shown.trim_start_matches('\u{feff}').trim().is_empty() {
        return ExpectedResponse::Nothing;
    }
    let fields = fields_of(line);
    let names = fields.as_ref().map_or_else(Vec::new, |_| names(&shown));
    match names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["stop"] => ExpectedResponse::Nothing,
        ["id", "stop"] | ["stop", "id"] => ExpectedResponse::AtOnce,
        _ => ExpectedResponse::InOrder(shown, fields),
    }
}

/// Returns the names of the fields of an object. Duplicate names occur several times.
fn names(line: &str) -> Vec<String> {
    struct Names(Vec<String>);
    impl<'de> Deserialize<'de> for Names {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Names, D::Error> {
            struct All;
            impl<'de> serde::de::Visitor<'de> for All {
                type Value = Names;

                fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                    f.write_str("an object")
                }

                fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Names, A::Error> {
                    let mut names = Vec::new();
                    while let Some((name, _)) = fields.next_entry::<String, IgnoredAny>()? {
                        names.push(name);
                    }
                    Ok(Names(names))
                }
            }
            deserializer.deserialize_map(All)
        }
    }
    serde_json::from_str::<Names>(line.trim_start_matches('\u{feff}')).unwrap().0
}

/// Returns the text of the id in a line. The line is an object. If there are several ids, the last
/// one counts.
fn id_text(line: &str) -> Option<String> {
    let fields =
        serde_json::from_str::<BTreeMap<String, &RawValue>>(line.trim_start_matches('\u{feff}'));
    fields.ok()?.get("id").map(|id| id.get().to_string())
}

/// Returns whether a line may request a search that does not end soon.
fn may_be_long(fields: &Map<String, Value>) -> bool {
    let is_small = |name: &str, most: u64| {
        fields.get(name).and_then(Value::as_u64).is_some_and(|number| number <= most)
    };
    let has_limit = ["depth", "nodes", "movetime", "clock"]
        .into_iter()
        .any(|name| fields.get(name).is_some_and(|value| !value.is_null()));
    has_limit && !is_small("nodes", 500) && !is_small("depth", 1)
}

/// Writes `count` mutated requests and a last valid one. Before each request is written, its
/// expected answer is sent through the channel.
fn write_lines(mut input: ChildStdin, seed: u64, count: usize, answers: &Sender<ExpectedResponse>) {
    let good = valid_requests();
    let mut rng = Rng::with_seed(seed);
    for _ in 0..count {
        let mut line = mutated_request(&mut rng, &good);
        // A carriage return at the end of a line is accepted.
        let answer = expected(line.strip_suffix(b"\r").unwrap_or(&line));
        let is_long =
            matches!(&answer, ExpectedResponse::InOrder(_, Some(fields)) if may_be_long(fields));
        line.push(b'\n');
        answers.send(answer).unwrap();
        if is_long {
            line.extend(b"{\"stop\":null}\n");
        }
        input.write_all(&line).unwrap();
    }
    answers.send(expected(b"{\"id\":\"last\",\"ask\":\"version\"}")).unwrap();
    input.write_all(b"{\"id\":\"last\",\"ask\":\"version\"}\n").unwrap();
}

/// Sends `count` lines to a program, and checks its answers.
fn check(seed: u64, count: usize) {
    let mut child = program(["--set", "Hash=1", "analyse", "--nodes", "40"]).spawn().unwrap();
    let input = child.stdin.take().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    let (sender, sent) = channel();
    let writer = thread::spawn(move || write_lines(input, seed, count, &sender));
    let schema = Schema::read();
    let mut in_order = VecDeque::new();
    let mut at_once = 0_usize;
    let receive_expected = |waiting: &mut VecDeque<(String, Option<Map<String, Value>>)>,
                            at_once: &mut usize| match sent.recv() {
        Ok(ExpectedResponse::InOrder(line, fields)) => waiting.push_back((line, fields)),
        Ok(ExpectedResponse::AtOnce) => *at_once += 1,
        Ok(ExpectedResponse::Nothing) => {}
        Err(_) => panic!("more answers than lines"),
    };
    let mut last = Value::Null;
    let mut kinds = std::collections::BTreeMap::new();
    for line in output.lines() {
        let line = line.unwrap();
        assert!(!line.contains("fault of the program"), "{line}");
        let (kind, answer) = schema.response(&line);
        *kinds.entry(kind).or_insert(0) += 1;
        if kind == "partial" {
            continue;
        }
        if kind == "stopped" {
            while at_once == 0 {
                receive_expected(&mut in_order, &mut at_once);
            }
            at_once -= 1;
            continue;
        }
        while in_order.is_empty() {
            receive_expected(&mut in_order, &mut at_once);
        }
        let (sent, fields) = in_order.pop_front().unwrap();
        let id = fields.as_ref().and_then(|_| id_text(&sent)).unwrap_or_else(|| "null".into());
        assert_eq!(id_text(&line), Some(id), "{sent}\n{answer}");
        // The schema accepts all requests that the engine accepts.
        if kind == "response" {
            schema.check_request(&fields.expect("an object").into());
        }
        last = answer["id"].clone();
    }
    writer.join().unwrap();
    assert_eq!((last, at_once, in_order.len()), (json!("last"), 0, 0), "{kinds:?}");
    assert!(sent.try_recv().is_err() && child.wait().unwrap().success());
    println!("{kinds:?}");
    for kind in ["response", "error", "stopped"] {
        assert!(kinds.contains_key(kind), "{kinds:?}");
    }
}

#[test]
fn each_mutated_line_gets_one_answer_in_order() {
    check(1, 700);
}

/// Checks 200,000 lines. FUZZ_LINES sets another number, and FUZZ_SEED another seed: `cargo test
/// --test all requests::mutated::many -- --ignored --nocapture`
#[test]
#[ignore = "200,000 lines: minutes"]
fn many_mutated_lines_get_one_answer_each() {
    let seed = runner::number_from_env("FUZZ_SEED", 2);
    let lines = runner::number_from_env("FUZZ_LINES", 200_000);
    let begun = Instant::now();
    check(seed, lines as usize);
    println!("{lines} lines in {} s", begun.elapsed().as_secs());
}

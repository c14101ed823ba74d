//! Real answers to every question. The answers and their requests are checked against the schema.
//! There are also invalid requests.

use std::collections::BTreeSet;

use fastrand::Rng;
use pentarch_core::{GameHistory, OptionKind, Options};
use pentarch_engine::requests::fields::RequestQuestion;
use pentarch_games::{Game, GameOperation};
use serde_json::{Value, json};

use super::schema::{RequestEngine, SCHEMA_TEXT, Schema, extend, request};
use crate::common::*;

/// The questions about a position that need no search, except questions about a move.
const QUESTIONS_WITHOUT_SEARCH: [&str; 13] = [
    "board",
    "scene",
    "clicks",
    "successor",
    "rules",
    "lesson",
    "status",
    "moves",
    "legal",
    "record",
    "course",
    "diagram",
    "starts",
];

/// Returns the moves of a game.
pub(super) fn moves_made<G: Game>(history: &GameHistory<G>) -> Vec<String> {
    history.moves().map(|mv| history.rules().move_text(mv)).collect()
}

/// Returns the clicks of a legal move as strings.
pub(super) fn clicks_of<G: Game>(history: &GameHistory<G>, text: &str) -> Vec<String> {
    let mut sites = Vec::new();
    let Ok(mv) = history.resolve_move(text) else { return Vec::new() };
    history.rules().append_move_clicks(history.position(), mv, &mut sites);
    sites.iter().map(ToString::to_string).collect()
}

/// A response has a field for each question. Each field of the schema has a description.
#[test]
fn schema_describes_a_response_to_every_question() {
    let schema: Value = serde_json::from_str(SCHEMA_TEXT).unwrap();
    let questions = schema["$defs"]["Question"]["enum"].as_array().unwrap();
    assert_eq!(questions.len(), 29);
    for question in questions {
        assert!(serde_json::from_value::<RequestQuestion>(question.clone()).is_ok());
        let word = question.as_str().unwrap();
        assert!(schema["$defs"]["Response"]["properties"][word].is_object(), "{word}");
    }
    let mut count = 0;
    for (name, definition) in schema["$defs"].as_object().unwrap() {
        for (field, schema) in definition["properties"].as_object().into_iter().flatten() {
            let text = schema["description"].as_str().unwrap_or_default();
            let is_sentence = text.starts_with(|first: char| first.is_uppercase() || first == '`')
                && text.ends_with('.');
            assert!(is_sentence, "{name}/{field}: {text:?}");
            count += 1;
        }
    }
    assert!(count > 150, "{count}");
}

/// Answers without a search, in games of every kind with each value of each option. The positions
/// are at the start, later, and at the end. The questions include a legal move, other moves, and
/// every ending by the players.
#[test]
fn answers_about_all_games_match_the_schema() {
    #[derive(Clone)]
    struct Check;
    impl GameOperation for Check {
        type Output = ();
        fn run_for_game_type<G: Game>(self) {
            let mut desk = RequestEngine::new();
            let mut rng = Rng::with_seed(3);
            for options in option_sets::<G>(1) {
                let mut game = new_history(&std::sync::Arc::new(G::from_options(&options)));
                random_game(game.clone(), &mut rng, 40, |history| {
                    if history.len() == 26 || history.outcome().is_some() {
                        ask_all(
                            &mut desk,
                            &options,
                            history,
                            &mut Rng::with_seed(history.len() as u64),
                        );
                    }
                    game = history.clone();
                });
                if options == default_options::<G>() {
                    // After forty moves, most games are undecided.
                    let mut whole = game.clone();
                    random_game(game.clone(), &mut rng, 5000, |history| whole = history.clone());
                    assert!(whole.outcome().is_some(), "{}", G::GAME_ID);
                    ask_all(&mut desk, &options, &whole, &mut rng);
                    ends::<G>()
                        .iter()
                        .for_each(|end| check_ended(&mut desk, &options, &whole, end));
                }
                for end in ends::<G>() {
                    check_ended(&mut desk, &options, &game, &end);
                }
            }
        }
    }
    for_each_rules(Check);
}

/// Outcomes with a reason of two words also match the schema.
#[test]
fn reason_may_have_two_words() {
    let mut desk = RequestEngine::new();
    let blocked = "10/b9/1b8/w1w7/1w1w6/2w1w5/9b/8w1/5w1w2/10 b 26";
    let (kind, response) = desk.ask(
        &json!({
            "id": 1, "game": "bushka", "fen": blocked, "ask": ["scene", "status", "review", "record"],
            "depth": 1,
        }),
        1,
    );
    assert_eq!(
        (kind, &response["status"]["outcome"]),
        ("response", &json!("win white no move")),
        "{response}"
    );
}

/// Asks all questions about a position. The position is given by its moves and by its record.
fn ask_all<G: Game>(
    desk: &mut RequestEngine,
    options: &Options,
    history: &GameHistory<G>,
    rng: &mut Rng,
) {
    let made = moves_made(history);
    let legal = legal_move_strings(history);
    let mv = rng.choice(&legal).cloned();
    let clicks = mv.as_ref().map_or(Vec::new(), |mv| clicks_of(history, mv));
    let mut asked = json!({
        "ask": QUESTIONS_WITHOUT_SEARCH, "moves": made, "move": mv.as_deref().unwrap_or("a1"),
        "clicks": clicks[..rng.usize(..=clicks.len())], "priority": 2.5, "seed": 7,
    });
    if mv.is_some() {
        asked["ask"].as_array_mut().unwrap().extend(["details".into(), "counts".into()]);
    }
    let (kind, answer) = desk.ask(&request::<G>(options, asked.clone()), 1);
    assert_eq!(kind, "response", "{answer}");
    assert_eq!(
        (&answer["moves"], &answer["legal"]["legal"]),
        (&json!(legal), &json!(mv.is_some()))
    );
    assert_eq!(answer["status"]["turn"].is_null(), history.outcome().is_some());
    let known = answer["rules"]["topics"].as_array().unwrap();
    let topic = rng.choice(known).unwrap();
    assert_eq!(
        desk.ask(&request::<G>(options, json!({ "ask": "rules", "topic": topic })), 1).0,
        "response"
    );
    // This is the same game as a record.
    extend(&mut asked, json!({ "id": ["a", 1, null], "record": answer["record"], "moves": null }));
    assert_eq!(desk.ask(&asked, 1), (kind, answer));
    // These are moves that are probably illegal, and strings that are not moves.
    for wrong in ["a1", "e3h", "z0", made.first().map_or("?", |mv| mv)] {
        let asked = json!({ "ask": "legal", "moves": made, "move": wrong });
        assert_eq!(desk.ask(&request::<G>(options, asked), 1).0, "response");
        let asked = json!({ "ask": "details", "moves": made, "move": wrong, "fen": null });
        let (kind, _) = desk.ask(&request::<G>(options, asked), 1);
        assert_eq!(kind == "response", history.resolve_move(wrong).is_ok(), "{wrong}");
    }
}

/// A level takes over the other side if its own side is worse. Without walls, the pawn that is
/// nearer to its goal wins.
#[test]
fn a_level_swaps_to_the_better_side() {
    let mut desk = RequestEngine::new();
    for (fen, swaps) in [("e8a9 - b 0/0 9", true), ("e1a3 - b 0/0 9", false)] {
        for level in ["average", "champion"] {
            let request = json!({
                "id": 1, "game": "quoridor", "options": { "Quoridor_Walls": 0 }, "fen": fen,
                "ask": "swap", "level": level, "seed": 1, "nodes": 2000,
            });
            assert_eq!(desk.ask(&request, u64::MAX).1["swap"], swaps, "{fen} {level}");
        }
    }
}

/// Returns all endings by the players, and one ending that does not exist.
fn ends<G: Game>() -> Vec<Value> {
    let words = G::SIDE_NAMES.iter().chain(G::PLAYER_NAMES).chain(&["nobody"]);
    let endings_with = |how: &'static str| words.clone().map(move |word| json!({ how: word }));
    endings_with("resign")
        .chain(endings_with("flag"))
        .chain([json!({ "agree": true, "flag": null })])
        .collect()
}

/// Checks a game with this ending. If the players can end the game in this way, it must be decided.
/// Then there is nothing left to search.
fn check_ended<G: Game>(
    desk: &mut RequestEngine,
    options: &Options,
    game: &GameHistory<G>,
    end: &Value,
) {
    let questions =
        [&QUESTIONS_WITHOUT_SEARCH[..], &["analysis", "play", "drawoffer", "swap"]].concat();
    let asked = json!({
        "ask": questions, "moves": moves_made(game), "move": "a1", "end": end, "depth": 1,
    });
    let (kind, answer) = desk.ask(&request::<G>(options, asked), 1);
    if kind == "error" {
        assert_eq!(answer["error"]["field"], "end", "{answer}");
        return;
    }
    assert!(game.outcome().is_none(), "{answer}");
    assert_eq!((&answer["status"]["turn"], &answer["moves"]), (&Value::Null, &json!([])));
    assert_ne!(answer["status"]["outcome"], "ongoing");
    assert_eq!(answer["play"], json!({ "move": null, "analysis": answer["analysis"] }));
    let record = answer["record"].as_str().unwrap();
    let again = json!({ "id": 0, "record": record, "ask": ["scene", "status", "record"] });
    let (_, again) = desk.ask(&again, 1);
    for member in ["scene", "status", "record"] {
        assert_eq!(again[member], answer[member], "{member}");
    }
}

/// Answers of searches and their reports match the schema. The test covers every game, games for
/// four players, and searches at once and in slices.
#[test]
fn search_results_match_the_schema() {
    #[derive(Clone)]
    struct Check;
    impl GameOperation for Check {
        type Output = ();
        fn run_for_game_type<G: Game>(self) {
            let mut desk = RequestEngine::new();
            let mut rng = Rng::with_seed(4);
            let mut seen = BTreeSet::new();
            for options in searched_rules::<G>() {
                let mut game = new_history(&std::sync::Arc::new(G::from_options(&options)));
                random_game(game.clone(), &mut rng, 7, |history| game = history.clone());
                seen.extend(check_searches(&mut desk, &options, &game));
            }
            assert!(seen.contains("response") && seen.contains("partial"), "{seen:?}");
        }
    }
    for_each_rules(Check);
}

/// Returns the default rules, and rules that combine other options. They include the rulesets of
/// Alquerque, boards of Bushka and teams of Quoridor.
fn searched_rules<G: Game>() -> Vec<Options> {
    let mut sets = vec![default_options::<G>()];
    for spec in G::RULE_OPTIONS
        .iter()
        .filter(|spec| ["_Ruleset", "_Board", "_Teams"].iter().any(|end| spec.name.ends_with(end)))
    {
        let values = match spec.kind {
            OptionKind::Combo { values, .. } => values.to_vec(),
            _ => vec!["true", "false"],
        };
        for value in values.into_iter().filter(|value| *value != spec.default_value().to_string()) {
            let mut options = default_options::<G>();
            options.set(spec, value).unwrap();
            sets.push(options);
        }
    }
    sets
}

fn check_searches<G: Game>(
    desk: &mut RequestEngine,
    options: &Options,
    game: &GameHistory<G>,
) -> Vec<&'static str> {
    let made = moves_made(game);
    let mut seen = Vec::new();
    let mut ask = |mut members: Value, nodes: u64| {
        extend(&mut members, json!({ "moves": made }));
        let request = request::<G>(options, members);
        let mut told: Vec<_> = desk.send(&request).into_iter().collect();
        while !desk.engine.is_idle() {
            desk.clock.advance(1);
            told.extend(desk.step(nodes));
        }
        seen.extend(told.iter().map(|(kind, _)| *kind));
        let (kind, answer) = told.pop().unwrap();
        assert!(told.iter().all(|(kind, _)| *kind == "partial"), "{told:#?}");
        assert_eq!(answer["id"], request["id"]);
        (kind, answer)
    };
    let all =
        json!(["analysis", "known", "play", "drawoffer", "status", "games", "options", "version"]);
    // With a time limit, the search does not wait for tables of solved positions. Each rule set
    // would need separate tables.
    let is_default = *options == default_options::<G>();
    let limited = |mut members: Value, limit: Value| {
        extend(&mut members, if is_default { limit } else { json!({ "movetime": 4 }) });
        members
    };
    for nodes in if is_default { vec![100, u64::MAX] } else { vec![100] } {
        assert_eq!(
            ask(limited(json!({ "multipv": 3 }), json!({ "depth": 2 })), nodes).0,
            "response"
        );
        let asked = json!({ "ask": all, "multipv": 3, "every": 1 });
        assert_eq!(ask(limited(asked, json!({ "depth": 3 })), nodes).0, "response");
        let times = vec![900; G::PLAYER_NAMES.len()];
        let clock = json!({ "times": times, "increments": [10], "overhead": 1 });
        let asked = json!({ "ask": "play", "clock": clock, "every": 1 });
        assert_eq!(ask(limited(asked, json!({ "nodes": 300 })), nodes).0, "response");
        assert_eq!(ask(json!({ "ask": "play", "level": "Novice" }), nodes).0, "response");
        let asked = json!({ "ask": ["review", "record"], "every": 1 });
        let (kind, review) = ask(limited(asked, json!({ "nodes": 60 })), nodes);
        assert_eq!(kind, if G::PLAYER_NAMES.len() == 2 { "response" } else { "error" }, "{review}");
        let moves = review["review"]["moves"].as_array().map_or(made.len(), Vec::len);
        assert_eq!(moves, made.len());
    }
    seen
}

/// Lines whose form is not a request according to the schema.
const INVALID_FORMS: [&str; 66] = [
    "1",
    "[]",
    "null",
    r#"{"dept": 3}"#,
    r#"{"depth": -1}"#,
    r#"{"depth": 1.5}"#,
    r#"{"depth": 1000001}"#,
    r#"{"nodes": 99999999999999999999}"#,
    r#"{"ask": "analysis", "movetime": 99999999999999999999}"#,
    r#"{"depth": "3"}"#,
    r#"{"depth": true}"#,
    r#"{"depth": 1, "multipv": 257}"#,
    r#"{"depth": 1, "multipv": 0}"#,
    r#"{"depth": 1, "game": 4}"#,
    r#"{"depth": 1, "fen": ["startpos"]}"#,
    r#"{"depth": 1, "moves": [["e2"]]}"#,
    r#"{"depth": 1, "moves": ["e2 e8"]}"#,
    r#"{"depth": 1, "moves": {"0": "e2"}}"#,
    r#"{"depth": 1, "options": {"RepetitionDraw": null}}"#,
    r#"{"depth": 1, "options": []}"#,
    r#"{"ask": "scen"}"#,
    r#"{"ask": "Scene"}"#,
    r#"{"ask": []}"#,
    r#"{"ask": [["scene"]]}"#,
    r#"{"ask": ["scene", 1]}"#,
    r#"{"ask": {"scene": true}}"#,
    r#"{"ask": "problem"}"#,
    r#"{"ask": ["scene", "problem"], "problem": null}"#,
    r#"{"ask": "scene", "problem": 0}"#,
    r#"{"ask": "scene", "problem": "1"}"#,
    r#"{"ask": "scene", "problem": 1, "fen": "e1e9"}"#,
    r#"{"ask": "scene", "problem": 1, "options": {}}"#,
    r#"{"ask": "scene", "record": "*", "problem": 1}"#,
    r#"{"ask": "legal"}"#,
    r#"{"ask": ["moves", "details"], "move": null}"#,
    r#"{"ask": "legal", "move": ["e2"]}"#,
    r#"{"ask": "legal", "move": "e2 e3"}"#,
    r#"{"ask": "legal", "move": " "}"#,
    r#"{"ask": "clicks", "clicks": [1]}"#,
    r#"{"ask": "rules", "topic": 1}"#,
    r#"{"ask": "scene", "every": 0}"#,
    r#"{"ask": "scene", "every": "often"}"#,
    r#"{"ask": "scene", "priority": "high"}"#,
    r#"{"ask": "scene", "priority": [1]}"#,
    r#"{"ask": "scene", "record": "*", "fen": "x"}"#,
    r#"{"ask": "scene", "record": "*", "moves": []}"#,
    r#"{"ask": "scene", "end": "resign"}"#,
    r#"{"ask": "scene", "end": {}}"#,
    r#"{"ask": "scene", "end": {"agree": false}}"#,
    r#"{"ask": "scene", "end": {"agree": 1}}"#,
    r#"{"ask": "scene", "end": {"resign": "red", "agree": true}}"#,
    r#"{"ask": "scene", "end": {"resigned": "red"}}"#,
    r#"{"ask": "scene", "end": {"flag": 0}}"#,
    r#"{"ask": "play", "clock": {}}"#,
    r#"{"ask": "play", "clock": [1000, 1000]}"#,
    r#"{"ask": "play", "clock": {"times": []}}"#,
    r#"{"ask": "play", "clock": {"times": [null]}}"#,
    r#"{"ask": "play", "clock": {"times": [1, 2, 3, 4, 5]}}"#,
    r#"{"ask": "play", "clock": {"times": [1.5]}}"#,
    r#"{"ask": "play", "clock": {"times": 1000}}"#,
    r#"{"ask": "play", "clock": {"times": [1], "overhead": -1}}"#,
    r#"{"ask": "play", "clock": {"times": [1], "delay": 1}}"#,
    r#"{"ask": "play", "depth": 1, "searchmoves": [null]}"#,
    r#"{"stop": 1, "ask": "scene"}"#,
    r#"{"stop": null, "priority": 1}"#,
    r#"{"ask": "scene", "ugi": "isready"}"#,
];

/// The program also rejects requests that the schema rejects. Its error matches the schema.
#[test]
fn schema_and_program_reject_the_same_forms() {
    let schema = Schema::read();
    let mut desk = RequestEngine::new();
    for line in INVALID_FORMS {
        let value: Value = serde_json::from_str(line).unwrap();
        assert!(!schema.is_request(&value), "{line}");
        let answers = desk.engine.receive_request(line);
        assert!(desk.engine.is_idle(), "{line}");
        let (kind, _) = schema.response(&answers[0]);
        assert!(kind == "error", "{line}: {answers:#?}");
    }
}

/// Requests of valid form that the engine rejects. The error names the field and the column.
#[test]
fn errors_name_field_and_column() {
    let mut desk = RequestEngine::new();
    for (line, field, column) in [
        (r#"{"ask": "scene", "game": "chess"}"#, json!("game"), Value::Null),
        (r#"{"ask": "scene", "options": {"Quoridor_Walls": 3}}"#, json!("options"), Value::Null),
        (
            r#"{"ask": "scene", "options": {"repetitiondraw": "perhaps"}}"#,
            json!("options"),
            Value::Null,
        ),
        (r#"{"ask": "scene", "game": "quoridor", "fen": "e1e9 - x"}"#, json!("fen"), json!(9)),
        (r#"{"ask": "scene", "game": "quoridor", "moves": "e2 e3"}"#, json!("moves"), json!(4)),
        (
            r#"{"ask": "scene", "game": "quoridor", "moves": ["e2", "e3"]}"#,
            json!("moves"),
            Value::Null,
        ),
        (r#"{"ask": "scene", "game": "quoridor", "moves": "e2 e8x"}"#, json!("moves"), json!(6)),
        (r#"{"ask": "clicks", "clicks": "b5 z9"}"#, json!("clicks"), json!(4)),
        (r#"{"ask": "details", "move": "z9"}"#, json!("move"), json!(1)),
        (r#"{"ask": "rules", "topic": "z9"}"#, json!("topic"), Value::Null),
        (r#"{"ask": "scene", "end": {"resign": "nobody"}}"#, json!("end"), Value::Null),
        (r#"{"ask": "scene", "end": {"agree": true}}"#, json!("end"), Value::Null),
        (r#"{"ask": "analysis", "depth": 1, "searchmoves": "z9"}"#, json!("searchmoves"), json!(1)),
        (r#"{"ask": "play", "depth": 1, "level": "grand"}"#, json!("level"), Value::Null),
        (r#"{"ask": "scene", "record": "e2"}"#, json!("record"), json!(3)),
        (r#"{"ask": "analysis"}"#, Value::Null, Value::Null),
    ] {
        let (kind, answer) = desk.send(&serde_json::from_str(line).unwrap()).unwrap();
        let error = &answer["error"];
        assert_eq!(
            (kind, &error["field"], &error["column"]),
            ("error", &field, &column),
            "{line}: {answer}"
        );
    }
    // If a rule forbids a move, the error has the id of that rule. If the request asks whether the
    // move is legal, there is no error.
    let made = r#"{"ask": "scene", "game": "roses", "moves": "d3 d3"}"#;
    let (_, answer) = desk.send(&serde_json::from_str(made).unwrap()).unwrap();
    let asked = r#"{"ask": "legal", "game": "roses", "moves": "d3", "move": "d3"}"#;
    let (_, legal) = desk.send(&serde_json::from_str(asked).unwrap()).unwrap();
    assert_eq!(answer["error"]["rule"], legal["legal"]["rule"], "{answer} {legal}");
    assert!(
        answer["error"]["message"]
            .as_str()
            .unwrap()
            .ends_with(legal["legal"]["why"].as_str().unwrap())
    );
}

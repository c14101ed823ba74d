//! Known values: every answer about a position reports the same one.

use std::sync::Arc;

use fastrand::Rng;
use pentarch_alcaxar::Alcaxar;
use pentarch_alquerque::Alquerque;
use pentarch_bushka::Bushka;
use pentarch_core::{GameHistory, Options, Outcome, ProbeTables, Rules, Side};
use pentarch_engine::engine_options::OWN_BOOK_OPTION;
use pentarch_games::Game;
use pentarch_quoridor::Quoridor;
use pentarch_roses::Roses;
use pentarch_search::control::SearchControl;
use pentarch_search::known_value::KnownValueLookup;
use pentarch_search::strength_levels::StrengthLevel;
use pentarch_search::transposition::TranspositionTable;
use pentarch_search::{Limits, score, search};
use serde_json::{Value, json};

use super::answers::moves_made;
use super::schema::{RequestEngine, extend, request};
use crate::common::{default_options, new_history, rules, set};

/// Returns the options of a game with these `NAME=VALUE` settings.
fn options_of<G: Game>(settings: &[&str]) -> Options {
    let mut options = default_options::<G>();
    settings.iter().for_each(|setting| set::<G>(&mut options, setting));
    options
}

/// Returns a request about the current position of a game.
fn ask<G: Game>(options: &Options, history: &GameHistory<G>, members: Value) -> Value {
    let fen = history.rules().position_text(history.start_position());
    let mut fields = json!({ "moves": moves_made(history), "fen": fen });
    // A book needs a game from the start position.
    if *history.start_position() == history.rules().start_position() {
        fields["fen"] = Value::Null;
    }
    extend(&mut fields, members);
    request::<G>(options, fields)
}

/// Returns the response to a request. The clock advances with the nodes of the search.
fn answer(desk: &mut RequestEngine, request: &Value) -> Value {
    let mut told = desk.send(request);
    while !desk.engine.is_idle() {
        desk.clock.advance(1);
        told = desk.step(200).pop().or(told);
    }
    let (kind, answer) = told.unwrap();
    assert_eq!(kind, "response", "{request}: {answer}");
    answer
}

/// Returns the value of a line of an analysis in the words of `known`, if the line is proven.
fn proven_value<G: Game>(history: &GameHistory<G>, line: &Value) -> Option<String> {
    let side = history.side_to_move().index();
    let score = line["mate"].as_i64().or(line["cp"].as_i64())?;
    let winner = if score > 0 { side } else { 1 - side };
    line["proven"].as_bool()?.then(|| match score {
        0 => "draw".into(),
        _ => format!("win {}", G::SIDE_NAMES[winner]),
    })
}

/// Checks that the best line of an analysis has the known value, and every line with a known move
/// the value of that move. If no move is known to reach the value, the best line says so.
fn check_lines<G: Game>(history: &GameHistory<G>, known: &Value, analysis: &Value) {
    let lines = analysis["lines"].as_array().unwrap();
    assert_eq!(proven_value(history, &lines[0]).as_deref(), known["value"].as_str(), "{analysis}");
    let is_reached = known["moves"].as_object().unwrap().values().any(|mv| is_of(mv, known));
    let is_estimate = lines[0]["estimate"].is_i64();
    assert_eq!(is_estimate, !is_reached && lines[0]["mate"] == bound_in_moves(known), "{analysis}");
    for line in &lines[usize::from(is_estimate)..] {
        check_move_line(history, known, line);
    }
}

/// Returns whether a known move has the same value as its position.
fn is_of(mv: &Value, known: &Value) -> bool {
    mv["value"] == known["value"]
}

/// Returns the known number of moves to a win of the side to move, as in a line of an analysis.
fn bound_in_moves(known: &Value) -> Value {
    known["plies"].as_i64().map(|plies| (plies + 1) / 2).into()
}

/// Checks that the line of a known move has its value.
fn check_move_line<G: Game>(history: &GameHistory<G>, known: &Value, line: &Value) {
    let mv = line["move"].as_str().unwrap();
    if let Some(value) = known["moves"][mv]["value"].as_str() {
        assert_eq!(proven_value(history, line).as_deref(), Some(value), "{line} {known}");
    }
}

/// Compares all answers about a position with its known value. Returns whether the value is known.
fn check_position<G: Game>(
    desk: &mut RequestEngine,
    options: &Options,
    history: &GameHistory<G>,
    limits: &[Value],
) -> bool {
    let known = &answer(desk, &ask(options, history, json!({ "ask": "known" })))["known"];
    let Some(value) = known["value"].as_str() else { return false };
    assert!(known["checked"].as_str().unwrap().ends_with('.'), "{known}");
    for limit in limits {
        for multipv in [1, 4] {
            let mut asked = json!({ "ask": ["analysis", "known"], "multipv": multipv });
            extend(&mut asked, limit.clone());
            let answer = answer(desk, &ask(options, history, asked));
            check_lines(history, known, &answer["analysis"]);
            assert_eq!(answer["known"]["value"], value);
        }
        let mut asked = json!({ "ask": "play", "multipv": 1 });
        extend(&mut asked, limit.clone());
        let played = &answer(desk, &ask(options, history, asked))["play"];
        check_lines(history, known, &played["analysis"]);
        let mv = &known["moves"][played["move"].as_str().unwrap()];
        assert!(mv.is_null() || is_of(mv, known), "{played}");
        // Here the best moves are excluded.
        let moves = known["moves"].as_object().unwrap();
        if let Some((mv, _)) = moves.iter().find(|(_, mv)| !is_of(mv, known)) {
            let mut asked = json!({ "ask": "analysis", "multipv": 2, "searchmoves": [mv] });
            extend(&mut asked, limit.clone());
            let answer = answer(desk, &ask(options, history, asked));
            check_move_line(history, known, &answer["analysis"]["lines"][0]);
        }
        // The page analyses in this way.
        let mut asked = json!({ "ask": "analysis", "every": 1, "multipv": 3 });
        extend(&mut asked, limit.clone());
        let shown = answer(desk, &ask(options, history, asked));
        check_lines(history, known, &shown["analysis"]);
        check_review(desk, options, history, value, limit);
    }
    true
}

/// Checks the value before a further move in a review of the game.
fn check_review<G: Game>(
    desk: &mut RequestEngine,
    options: &Options,
    history: &GameHistory<G>,
    value: &str,
    limit: &Value,
) {
    let mut longer = history.clone();
    longer.push(history.legal_move_list()[0]);
    let mut asked = json!({ "ask": "review" });
    extend(&mut asked, limit.clone());
    let review = answer(desk, &ask(options, &longer, asked));
    let before = &review["review"]["moves"][history.len()]["before"];
    let side = history.side_to_move().index();
    let seen = match (before["mate"].as_i64(), before["cp"].as_i64()) {
        (Some(mate), _) => format!("win {}", G::SIDE_NAMES[if mate > 0 { side } else { 1 - side }]),
        (None, Some(0)) => "draw".into(),
        _ => before.to_string(),
    };
    assert_eq!(seen, value, "{before}");
}

/// Returns games that follow their book, with random moves of Dark, up to random lengths.
fn games_by_the_book(options: &Options, count: usize) -> Vec<GameHistory<Alquerque>> {
    let mut rng = Rng::with_seed(8);
    let rules = Arc::new(Alquerque::from_options(options));
    let mut games = Vec::new();
    while games.len() < count {
        let mut history = new_history(&rules);
        for _ in 0..rng.usize(..16) {
            let lookup = KnownValueLookup::without_tables(&history);
            let moves = history.legal_move_list();
            let Some(mv) = lookup.values(&moves).book_move.or_else(|| rng.choice(moves)) else {
                break;
            };
            history.push(mv);
        }
        if history.outcome().is_none() {
            games.push(history);
        }
    }
    games
}

/// A rule set in which Light wins from the start, but no winning move is known.
const WON_START: [&str; 3] =
    ["Alquerque_MultiCapture=stop", "Alquerque_Removal=after", "Alquerque_Win=block"];

/// Checks the first `count` of these positions of Alquerque with proved values: starts, and
/// positions soon after them. In some of them no move is known to reach the value.
fn check_proved_positions(desk: &mut RequestEngine, limits: &[Value], count: usize) {
    let drawn = [
        "Alquerque_MultiCapture=off",
        "Alquerque_Movement=bell",
        "Alquerque_Retreat=free",
        "Alquerque_Win=capture",
    ];
    let after = ["Alquerque_Removal=after", "Alquerque_Retreat=free", "Alquerque_Win=block"];
    let maximum = ["Alquerque_MultiCapture=maximum", "Alquerque_Retreat=free"];
    let cases: [(&[&str], &str, &str); 8] = [
        (&drawn, "", "draw"),
        (&[], "b2c3", "draw"),
        (&[], "d2c3", "win dark"),
        (&["Alquerque_Ruleset=bell"], "d2c3", "win dark"),
        (&WON_START, "", "win light"),
        (&after, "", "win light"),
        (&after, "c2c3", "win light"),
        (&maximum, "", "draw"),
    ];
    for (settings, line, value) in cases.into_iter().take(count) {
        let options = options_of::<Alquerque>(settings);
        let mut history = new_history(&Arc::new(Alquerque::from_options(&options)));
        for text in line.split_whitespace() {
            let mv = history.resolve_move(text).unwrap();
            history.push(mv);
        }
        let known = &answer(desk, &ask(&options, &history, json!({ "ask": "known" })))["known"];
        assert_eq!((&known["value"], &known["source"]), (&json!(value), &json!("proof")));
        assert!(check_position(desk, &options, &history, limits), "{known}");
    }
}

/// Checks positions of random games until `count` of them have a known value.
fn check_random_games<G: Game>(
    desk: &mut RequestEngine,
    settings: &[&str],
    limits: &[Value],
    count: usize,
) {
    let options = options_of::<G>(settings);
    let mut rng = Rng::with_seed(5);
    let mut checked = 0;
    for _ in 0..100_000 {
        let mut history = new_history(&Arc::new(G::from_options(&options)));
        while history.outcome().is_none() && history.len() < 200 && checked < count {
            checked += usize::from(check_position(desk, &options, &history, limits));
            let skipped = rng.usize(1..6);
            for _ in 0..skipped {
                let Some(mv) = rng.choice(history.legal_move_list()) else { break };
                history.push(mv);
            }
        }
        if checked == count {
            return;
        }
    }
    panic!("{}: {checked} of {count}", G::GAME_ID);
}

/// Checks `scale` times ten positions of all games.
fn check_all_games(scale: usize, limits: &[Value], with_tables: bool) {
    let mut desk = RequestEngine::new();
    let mut without_book = Options::default();
    without_book.set(&OWN_BOOK_OPTION.spec, "false").unwrap();
    let mut desk_without_book = RequestEngine::with_options(without_book);
    for ruleset in ["Alquerque_Ruleset=modern", "Alquerque_Ruleset=bell"] {
        let options = options_of::<Alquerque>(&[ruleset]);
        for history in games_by_the_book(&options, scale) {
            assert!(check_position(&mut desk, &options, &history, limits));
            assert!(check_position(&mut desk_without_book, &options, &history, limits));
        }
    }
    check_proved_positions(&mut desk, limits, 4 * scale);
    let small = ["Quoridor_BoardSize=5", "Quoridor_Walls=0"];
    check_random_games::<Quoridor>(&mut desk, &small, limits, scale);
    check_random_games::<Quoridor>(
        &mut desk,
        &["Quoridor_BoardSize=4", "Quoridor_Walls=1"],
        limits,
        scale,
    );
    for walls in 1..=scale.min(20) {
        let walls = format!("Quoridor_Walls={walls}");
        let settings = ["Quoridor_BoardSize=4", &walls];
        let options = options_of::<Quoridor>(&settings);
        let start = new_history(&Arc::new(Quoridor::from_options(&options)));
        check_position(&mut desk, &options, &start, limits);
    }
    check_random_games::<Alcaxar>(&mut desk, &[], limits, scale);
    check_random_games::<Bushka>(&mut desk, &[], limits, scale);
    if with_tables {
        check_random_games::<Roses>(&mut desk, &[], limits, scale);
        let free = ["Alquerque_Retreat=free", "Alquerque_Win=block"];
        check_random_games::<Alquerque>(&mut desk, &free, limits, scale);
    }
}

/// A few positions of the test below.
#[test]
fn answers_agree_with_known_values() {
    check_all_games(1, &[json!({ "nodes": 100 })], false);
}

/// 200 positions, with limits of depth, nodes and time. Takes minutes: `cargo test --test all
/// known::all_answers -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn all_answers_agree_with_known_values() {
    let limits = [json!({ "depth": 2 }), json!({ "nodes": 500 }), json!({ "movetime": 3 })];
    check_all_games(20, &limits, true);
}

/// A known value is reported with the move that the search prefers if no move is known to reach it.
/// Levels, searches without tablebases, and searches of some of the moves do not report it.
#[test]
fn a_position_may_have_a_value_without_a_known_move() {
    let rules = rules::<Alquerque>(&WON_START);
    let history = new_history(&rules);
    let tables = rules.create_uncomputed_tables(None);
    let first_report = |limits: &Limits<_>| {
        let mut reports = Vec::new();
        let (table, control) = (TranspositionTable::new(1).unwrap(), SearchControl::default());
        let result = search(&history, &tables, limits, &table, &control, &mut |info| {
            reports.push((info.rank, info.score, info.move_score.is_some(), info.pv[0]));
        });
        let (rank, score, is_estimate, mv) = *reports.iter().rfind(|report| report.0 == 1).unwrap();
        let result = result.unwrap();
        assert_eq!((rank, Some(score)), (1, result.score), "{limits:?}");
        assert!(result.best == mv || limits.level != StrengthLevel::Champion);
        (score, is_estimate)
    };
    let limits = Limits { depth: Some(2), ..Limits::default() };
    let known = (score::win_score_at_ply(133), true);
    for limits in [
        limits.clone(),
        Limits { multi_pv: 4, ..limits.clone() },
        Limits { threads: 2, ..limits.clone() },
        Limits { nodes: Some(1), ..Limits::default() },
        Limits { mate: Some(2), nodes: Some(300), ..Limits::default() },
    ] {
        assert_eq!(first_report(&limits), known, "{limits:?}");
    }
    let moves = history.legal_move_list().split_off(1);
    for limits in [
        Limits { moves, ..limits.clone() },
        Limits { use_tablebases: false, ..limits.clone() },
        Limits { level: StrengthLevel::Good, seed: Some(1), ..limits },
    ] {
        let (score, is_estimate) = first_report(&limits);
        assert!(!is_estimate && !score::is_proven_score(score), "{limits:?}");
    }
}

/// The values of the moves are taken over if the value of the position is known only from them.
#[test]
fn known_moves_decide_a_position() {
    let mut desk = RequestEngine::new();
    let options = options_of::<Quoridor>(&["Quoridor_BoardSize=4", "Quoridor_Walls=1"]);
    let mut history = new_history(&Arc::new(Quoridor::from_options(&options)));
    history.push(history.resolve_move("c1v").unwrap());
    let limits = [json!({ "depth": 1 }), json!({ "nodes": 1 }), json!({ "movetime": 0 })];
    assert!(check_position(&mut desk, &options, &history, &limits));
    let asked = json!({ "ask": "analysis", "depth": 8, "multipv": 3 });
    let answer = answer(&mut desk, &ask(&options, &history, asked));
    let line = |index: usize| {
        let line = &answer["analysis"]["lines"][index];
        (
            line["move"].as_str().unwrap(),
            line["mate"].as_i64(),
            line["pv"].as_array().unwrap().len(),
        )
    };
    // The search finds a quicker win by a move without a known value.
    assert_eq!(
        [line(0), line(1), line(2)],
        [("c3", Some(3), 5), ("a1h", Some(4), 7), ("a2h", Some(4), 7)]
    );
}

/// The lines of known moves are proven at any depth, even if another move wins at once and the
/// search need not look at them.
#[test]
fn known_moves_are_proven_beside_a_win_in_one() {
    let mut desk = RequestEngine::new();
    let options = options_of::<Quoridor>(&["Quoridor_BoardSize=4", "Quoridor_Walls=2"]);
    let mut history = new_history(&Arc::new(Quoridor::from_options(&options)));
    for text in "b3v c2v b2 a3h c2 c3".split(' ') {
        history.push(history.resolve_move(text).unwrap());
    }
    for (moves, multipv) in [(json!(null), 2), (json!(["b2", "b1h"]), 1)] {
        let asked =
            json!({ "ask": "analysis", "depth": 1, "multipv": multipv, "searchmoves": moves });
        let answer = answer(&mut desk, &ask(&options, &history, asked));
        let line = answer["analysis"]["lines"].as_array().unwrap().last().unwrap();
        assert_eq!(
            (&line["move"], &line["mate"], &line["proven"]),
            (&json!("b1h"), &json!(3), &json!(true))
        );
    }
}

/// With `MultiPV` each line with a known value is proven, and a line by the book ends the game.
#[test]
fn lines_of_known_values_are_proven() {
    let mut desk = RequestEngine::new();
    let options = options_of::<Alquerque>(&[]);
    let mut history = new_history(&Arc::new(Alquerque::from_options(&options)));
    let asked = json!({ "ask": "analysis", "nodes": 500, "multipv": 4 });
    let answer = answer(&mut desk, &ask(&options, &history, asked));
    let lines = answer["analysis"]["lines"].as_array().unwrap();
    let values: Vec<_> = lines.iter().map(|line| proven_value(&history, line)).collect();
    let values: Vec<_> = values.iter().map(Option::as_deref).collect();
    assert_eq!(values, [Some("win light"), Some("draw"), Some("win dark"), Some("win dark")]);
    for mv in lines[0]["pv"].as_array().unwrap() {
        let mv = history.resolve_move(mv.as_str().unwrap()).unwrap();
        history.push(mv);
    }
    assert_eq!(history.outcome().and_then(Outcome::winner), Some(Side::First));
}

/// The proven lines of an analysis are known in its response, unless another source has the value.
#[test]
fn an_analysis_adds_known_values() {
    let mut desk = RequestEngine::new();
    let fen = "10/10/7b2/2b3b1b1/1b1b1b1b2/b1w1b1w1b1/1w1w1w1w1w/w1w1w5/7w2/10 b 1";
    let asked = json!({
        "id": 1, "game": "bushka", "fen": fen, "ask": ["analysis", "known"], "depth": 8,
    });
    let answer = answer(&mut desk, &asked);
    let known = &answer["known"];
    assert_eq!((&known["value"], &known["source"]), (&json!("win black"), &json!("search")));
    let line = &answer["analysis"]["lines"][0];
    let plies = line["mate"].as_u64().unwrap() * 2 - 1;
    let mv = line["move"].as_str().unwrap();
    assert_eq!((&known["plies"], &known["moves"][mv]["plies"]), (&json!(plies), &json!(plies)));
}

/// A proof does not consider the game so far. So a move to the third occurrence of a position is a
/// draw, and a position whose game can end by repetition has no value by a proof.
#[test]
fn proved_values_consider_the_game_so_far() {
    let mut desk = RequestEngine::new();
    let cases = [
        (5, 2, Value::Null, "c2 c4 d2 c5 c2 c4 c1 c5", "c2", "win black"),
        (4, 0, json!("b2d4 - w 0/0 1"), "a2 c4 b2 d4 a2 c4 b2", "d4", "win white"),
    ];
    for (size, walls, fen, moves, mv, proved) in cases {
        let moves: Vec<&str> = moves.split(' ').collect();
        let asked = json!({
            "id": 1, "game": "quoridor", "ask": "known", "fen": fen, "moves": moves,
            "options": {
                "Quoridor_BoardSize": size, "Quoridor_Walls": walls, "RepetitionDraw": true,
            },
        });
        let known = &answer(&mut desk, &asked)["known"];
        assert_eq!(known["moves"][mv]["value"], "draw", "{known}");
        assert_ne!(known["value"], proved, "{known}");
    }
}

/// A known move decides a position although a repetition makes the values of other moves uncertain.
#[test]
fn known_moves_decide_a_position_that_can_repeat() {
    let mut desk = RequestEngine::new();
    let options = options_of::<Quoridor>(&[
        "Quoridor_BoardSize=4",
        "Quoridor_Walls=1",
        "RepetitionDraw=true",
    ]);
    let mut history = new_history(&Arc::new(Quoridor::from_options(&options)));
    for text in "b2 d4 c2h a2v b1 c4 a1 b4 b1 c4".split(' ') {
        history.push(history.resolve_move(text).unwrap());
    }
    assert!(check_position(&mut desk, &options, &history, &[json!({ "depth": 2 })]));
}

/// A search knows the value after a move back to a solved start.
#[test]
fn a_move_back_to_a_solved_start_is_known() {
    let mut desk = RequestEngine::new();
    let cases = [
        ("3", "a1 c3 b1", json!(null), "b3", "win black"),
        ("4", "a1 b4 b1", json!(["c4", "b3"]), "c4", "win white"),
    ];
    for (size, moves, searched, back, winner) in cases {
        let size = format!("Quoridor_BoardSize={size}");
        let options = options_of::<Quoridor>(&[&size, "Quoridor_Walls=1"]);
        let mut history = new_history(&Arc::new(Quoridor::from_options(&options)));
        for text in moves.split(' ') {
            history.push(history.resolve_move(text).unwrap());
        }
        let asked = json!({
            "ask": ["analysis", "known"], "depth": 1, "multipv": 2, "searchmoves": searched,
        });
        let answer = answer(&mut desk, &ask(&options, &history, asked));
        let known = &answer["known"]["moves"][back];
        assert_eq!((&known["value"], &known["source"]), (&json!(winner), &json!("proof")));
        let lines = answer["analysis"]["lines"].as_array().unwrap();
        let line = lines.iter().find(|line| line["move"] == back).unwrap();
        assert_eq!(proven_value(&history, line).as_deref(), Some(winner), "{line}");
    }
}

/// With four players the sides are the player to move and the rest.
#[test]
fn four_players_have_known_values() {
    let mut desk = RequestEngine::new();
    let asked = json!({
        "id": 1, "game": "quoridor", "ask": "known", "fen": "c4a2a5e3 - 1 5/5/5/5 9",
        "options": { "Quoridor_Players": 4, "Quoridor_BoardSize": 5 },
    });
    let known = &answer(&mut desk, &asked)["known"];
    assert_eq!((&known["value"], &known["plies"]), (&json!("win player1"), &json!(1)));
    assert_eq!(known["source"], "rules");
}

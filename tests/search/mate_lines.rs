//! The lines of proven wins and losses: each ends with the end of the game, after the announced
//! number of moves.

use std::collections::BTreeMap;
use std::sync::Arc;

use fastrand::Rng;
use pentarch_alquerque::Alquerque;
use pentarch_core::{GameHistory, Notation, ProbeWorkLimit, Rules};
use pentarch_engine::games::all_game_words;
use pentarch_games::{BuiltinRules, Game, GameOperation};
use pentarch_quoridor::Quoridor;
use pentarch_search::control::SearchControl;
use pentarch_search::known_value::KnownValueLookup;
use pentarch_search::transposition::TranspositionTable;
use pentarch_search::{Limits, SearchReport, Searcher, score, search};

use crate::common::fuzz::runner::number_from_env;
use crate::common::{built_tables, fresh_seed, no_tables, rule_sets, rules};

/// The plies after which another game begins.
const MAX_PLIES: usize = 120;
/// The maximum number of moves to the end of the game for which a line must be complete.
const MAX_COMPLETE_MOVES: i32 = 10;
/// The minimum number of plies of longer lines that do not reach the end of the game.
const MIN_PLIES: usize = 20;

/// A fault of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum LineFault {
    EndsEarly,
    WrongWinner,
    WinsSooner,
    WinsLater,
}

/// Returns the fault of the line of a proven score, if it has one.
fn line_fault<G: Game>(
    history: &GameHistory<G>,
    score: i32,
    pv: &[G::Move],
) -> Result<(), LineFault> {
    let moves = score::mate_distance_in_moves(score).abs();
    let is_long = moves > MAX_COMPLETE_MOVES;
    let side = history.side_to_move();
    let winner = if score > 0 { side } else { !side };
    let mut line = history.history_seen_by_mover().clone();
    for &mv in pv {
        assert!(line.outcome().is_none() && line.legal_move_list().contains(&mv), "{pv:?}");
        line.push(mv);
    }
    let shown = pv.len().div_ceil(2) as i32;
    match line.outcome() {
        None if is_long && pv.len() >= MIN_PLIES => Ok(()),
        None => Err(LineFault::EndsEarly),
        Some(outcome) if outcome.winner() != Some(winner) => Err(LineFault::WrongWinner),
        Some(_) if shown < moves && !is_long => Err(LineFault::WinsSooner),
        Some(_) if shown > moves => Err(LineFault::WinsLater),
        Some(_) => Ok(()),
    }
}

/// The number of checked lines and of their faults.
#[derive(Debug, Default)]
struct Counts {
    lines: usize,
    /// Lines of more than [`MAX_COMPLETE_MOVES`] that the search knows from tables, and that are
    /// shorter than [`MIN_PLIES`].
    cut_in_tables: usize,
    faults: BTreeMap<LineFault, usize>,
}

/// Searches a position and checks the lines of all reports. Returns the best move.
fn check<G: Game>(
    searcher: &Searcher<G>,
    history: &GameHistory<G>,
    limits: &Limits<G::Move>,
    counts: &mut Counts,
) -> G::Move {
    let mut report = |info: SearchReport<G::Move>| {
        if !score::is_proven_score(info.score) {
            return;
        }
        counts.lines += 1;
        if let Err(fault) = line_fault(history, info.score, info.pv) {
            let is_long = score::mate_distance_in_moves(info.score).abs() > MAX_COMPLETE_MOVES;
            if fault == LineFault::EndsEarly && is_long && info.table_hits > 0 {
                counts.cut_in_tables += 1;
                return;
            }
            *counts.faults.entry(fault).or_default() += 1;
            let rules = history.rules();
            let line: Vec<String> = info.pv.iter().map(|&mv| rules.move_text(mv)).collect();
            println!(
                "{fault:?}: {} {} {} {line:?} {limits:?}",
                G::GAME_ID,
                rules.position_text(history.position()),
                score::format_uci_score(info.score)
            );
        }
    };
    searcher
        .search_with_control(history, limits, &SearchControl::default(), &mut report)
        .unwrap()
        .best
}

/// Plays games by these rules until this many lines were checked, or for 100 games.
fn check_games<G: Game>(rules: &Arc<G>, lines: usize, counts: &mut Counts, rng: &mut Rng) {
    let searcher = Searcher::with_tables(no_tables(rules.as_ref()), 16).unwrap();
    let enough = counts.lines + lines;
    for _ in 0..100 {
        // The results of several threads differ from run to run. With a separate generator, only
        // this game depends on them.
        let rng = &mut rng.fork();
        let threads = if rng.u8(..4) == 0 { 4 } else { 1 };
        let use_tablebases = rng.bool();
        let mut history = GameHistory::new(rules.clone(), rules.start_position());
        for _ in 0..MAX_PLIES {
            let moves = history.legal_move_list();
            if moves.is_empty() {
                break;
            }
            if counts.lines >= enough {
                return;
            }
            let nodes = Some(1 << rng.u32(6..15));
            let multi_pv = rng.usize(1..=4);
            let limits = Limits { nodes, threads, multi_pv, use_tablebases, ..Limits::default() };
            if rng.bool() {
                searcher.clear();
            }
            let best = check(&searcher, &history, &limits, counts);
            let is_random = rng.u8(..3) == 0;
            history.push(if is_random { moves[rng.usize(..moves.len())] } else { best });
        }
    }
}

/// After the last wall only a race is left. The search knows the value of the race without its
/// moves.
#[test]
fn mate_lines_are_complete() {
    let mut counts = Counts::default();
    let limits = Limits { nodes: Some(8000), multi_pv: 3, ..Limits::default() };
    let quoridor = rules::<Quoridor>(&["Quoridor_BoardSize=5", "Quoridor_Walls=3"]);
    let mut history = GameHistory::new(quoridor.clone(), quoridor.start_position());
    for text in "d1 b2h e1 d5 d1 d4 e1 d3 d1 d4h e1 d2 d1v".split(' ') {
        let mv = history.resolve_move(text).unwrap();
        history.push(mv);
    }
    check(&Searcher::new(quoridor), &history, &limits, &mut counts);
    assert!(counts.lines > 4 && counts.faults.is_empty(), "{counts:?}");
}

/// Returns the game with these moves from a position of Alquerque.
fn alquerque_game(rules: &Arc<Alquerque>, fen: &str, moves: &str) -> GameHistory<Alquerque> {
    let mut history = GameHistory::new(rules.clone(), rules.parse_position(fen).unwrap());
    for text in moves.split_whitespace() {
        history.push(history.resolve_move(text).unwrap());
    }
    history
}

/// Returns the score of a search.
fn search_score<G: Game>(
    history: &GameHistory<G>,
    tables: &Arc<G::Tables>,
    limits: &Limits<G::Move>,
) -> i32 {
    let (table, control) = (TranspositionTable::new(1).unwrap(), SearchControl::default());
    let result = search(history, tables, limits, &table, &control, &mut |_| {}).unwrap();
    result.score.unwrap()
}

/// Tables that consider the step bans of Alquerque have only bounds of the distance to mate. A line
/// in which the loser does not resist longest does not make the bound smaller.
#[test]
fn a_shorter_line_in_tables_does_not_hasten_a_loss() {
    let alquerque = rules::<Alquerque>(&[]);
    let tables = built_tables(alquerque.as_ref());
    for (fen, moves) in [
        ("5/4o/5/1x3/4o d b2a1e4e3 - - 5", ""),
        ("3x1/1o1x1/3o1/1o1o1/5 d - - - 1", "d4e5 d2e2 e5e4 d3e3 d5c5 e3e5 c5a3c1 e2e3 c1b2 e5e4"),
        (
            "2x2/5/1x3/o2o1/5 d - - - 1",
            "b3b2 a2c2 c5c4 d2d1 c4d4 c2d2 d4d5 d2e1 d5c5 d1c1 c5b4 e1d1",
        ),
    ] {
        let history = alquerque_game(&alquerque, fen, moves);
        let known = KnownValueLookup::without_tables(&history)
            .with_tables(&tables, ProbeWorkLimit::Thorough)
            .position_value();
        let limits = Limits { depth: Some(1), ..Limits::default() };
        assert!(known.and_then(|value| value.plies).is_some_and(|plies| plies >= 32));
        let score = search_score(&history, &tables, &limits);
        assert_eq!(Some(score), known.map(|value| value.score(history.side_to_move())));
    }
}

/// A search for a win reports the number of moves within which it has found the win, although the
/// tables give a longer bound for a position of this win.
#[test]
fn a_mate_search_reports_the_win_that_it_has_found() {
    let alquerque = rules::<Alquerque>(&[]);
    let tables = built_tables(alquerque.as_ref());
    let history =
        alquerque_game(&alquerque, "x1x2/1x3/2o2/3ox/2o2 l d2e1e2e3 - - 1", "d2c2 b4d2b2 c1a3");
    for moves in [4, 5, 6] {
        let limits = Limits { mate: Some(moves), ..Limits::default() };
        let score = search_score(&history, &tables, &limits);
        assert!(
            score::mate_distance_in_moves(score) <= moves as i32 && score > 0,
            "{moves} {score}"
        );
    }
}

/// A search for a win by one move finds the win although the position can occur again. Then all
/// moves are allowed in it, and the tables know its value.
#[test]
fn a_win_by_one_allowed_move_is_found_although_its_position_can_repeat() {
    let quoridor = rules::<Quoridor>(&["Quoridor_Walls=0"]);
    let position = quoridor.parse_position("d8b8 - w 0/0 9").unwrap();
    let history = GameHistory::new(quoridor.clone(), position);
    let moves = vec![history.resolve_move("d7").unwrap()];
    let limits = Limits { mate: Some(4), moves, ..Limits::default() };
    let score = search_score(&history, &no_tables(quoridor.as_ref()), &limits);
    assert_eq!(score::mate_distance_in_moves(score), 3);
}

/// Checks many lines of games by many rules, half of them with the tables that the game computes.
/// `LINES` sets the number of lines, `SEED` the seed, and `GAME` chooses a game:
/// `cargo test --test all many_mate_lines -- --ignored --nocapture`.
#[test]
#[ignore = "thousands of searches: a minute"]
fn many_mate_lines_are_complete() {
    struct GameCheck<'a> {
        lines: usize,
        counts: &'a mut Counts,
        rng: &'a mut Rng,
    }
    impl GameOperation for GameCheck<'_> {
        type Output = ();
        fn run_for_game_type<G: Game>(self) {
            let mut all = rule_sets::<G>(3);
            self.rng.shuffle(&mut all[1..]);
            all.truncate(8);
            let lines = self.lines.div_ceil(all.len());
            for rules in &all {
                check_games(rules, lines, self.counts, self.rng);
            }
        }
    }
    let rng = &mut Rng::with_seed(fresh_seed());
    let lines = number_from_env("LINES", 2000) as usize / BuiltinRules::TWO_PLAYER_GAMES.len();
    let game = std::env::var("GAME").unwrap_or_default();
    let mut sum = 0;
    for (id, word) in BuiltinRules::TWO_PLAYER_GAMES.iter().zip(all_game_words()) {
        if word.starts_with(&game) {
            let mut counts = Counts::default();
            id.run_operation(GameCheck { lines, counts: &mut counts, rng });
            println!("{word}: {counts:?}");
            assert!(counts.faults.is_empty(), "{word}: {counts:?}");
            sum += counts.lines;
        }
    }
    assert!(sum > 0);
}

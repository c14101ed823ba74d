//! Compares the search with plain negamax in every game. The modules make further comparisons: the
//! search in slices with the uninterrupted search, and proofs of the search and of the prover with
//! exact values.

mod mate_lines;
mod proofs;
mod prover;
mod retrograde;
mod slices;

use std::sync::Arc;

use pentarch_core::{
    GameHistory, HasPlayers, MIN_NOISY_ORDERING_SCORE, Outcome, ProbeResult, ProbeWorkLimit,
    QuiescenceState, Searchable, TableValue,
};
use pentarch_games::{BuiltinRules, Game, GameOperation};
use pentarch_nim::pile;
use pentarch_search::clock::Clock;
use pentarch_search::control::SearchControl;
use pentarch_search::score::MAX_SEARCH_PLIES;
use pentarch_search::strength_levels::StrengthLevel;
use pentarch_search::transposition::TranspositionTable;
use pentarch_search::{
    CompiledSearch, Limits, SearchReport, SearchResult, Searcher, score, search,
};

/// Runs a check on each game for two.
macro_rules! for_each_game {
    ($check:ident) => {{
        struct Check;
        impl GameOperation for Check {
            type Output = ();
            fn run_for_game_type<G: Game>(self) {
                $check::<G>();
            }
        }
        BuiltinRules::TWO_PLAYER_GAMES.iter().for_each(|id| id.run_operation(Check));
    }};
}
use for_each_game;

/// Searches by negamax without pruning, tables and move ordering. The result defines the score that
/// the search must compute.
fn negamax<G: Searchable>(
    history: &mut GameHistory<G>,
    tables: &G::Tables,
    depth: i32,
    ply: usize,
) -> i32 {
    let rules = history.rules().clone();
    let position = *history.position();
    let side = history.side_to_move();
    let score = |outcome: Outcome, win: i32| {
        outcome.winner().map_or(0, |winner| if winner == side { win } else { -win })
    };
    if ply > 0 {
        if let Some(outcome) = rules.outcome(&position) {
            return score(outcome, score::win_score_at_ply(ply));
        }
        let earlier: Vec<usize> = history.plies_since_occurrences().collect();
        match rules.repetition_outcome(&position) {
            None if earlier.iter().any(|&ago| ago <= ply) => return 0,
            Some(Outcome::Draw(_))
                if earlier.len() > 1 || earlier.iter().any(|&ago| ago <= ply) =>
            {
                return 0;
            }
            Some(outcome) if earlier.len() > 1 => {
                let certain = earlier.iter().filter(|&&ago| ago >= ply).count() > 1;
                return score(outcome, score::repetition_win_score_at_ply(ply, certain));
            }
            _ => {}
        }
        match rules
            .probe_tables(tables, &position, ProbeWorkLimit::Computed)
            .and_then(ProbeResult::value)
        {
            Some(TableValue::Win(plies)) => return score::win_score_at_ply(ply + plies as usize),
            Some(TableValue::Draw) => return 0,
            Some(TableValue::Loss(plies)) => return -score::win_score_at_ply(ply + plies as usize),
            None => {}
        }
    }
    let cache = rules.compute_eval_data(&position);
    let quiescence_state = rules.quiescence_state(&position, &cache);
    if ply > 0 && (depth <= -8 || (depth <= 0 && quiescence_state == QuiescenceState::Quiet)) {
        return rules.evaluate(&position, &cache);
    }
    let mut moves = history.legal_move_list();
    let mut best = -score::INFINITE_SCORE;
    if depth <= 0 && quiescence_state == QuiescenceState::Noisy {
        best = rules.evaluate(&position, &cache);
        let ordering_score = rules.move_ordering_scores(&position, &cache);
        moves.retain(|&mv| ordering_score(mv) >= MIN_NOISY_ORDERING_SCORE);
    }
    for mv in moves {
        history.push(mv);
        best = best.max(-negamax(history, tables, depth - 1, ply + 1));
        history.pop();
    }
    best
}

fn limits<G: Searchable>(history: &GameHistory<G>) -> Limits<G::Move> {
    Limits { moves: history.legal_move_list(), use_tablebases: false, ..Limits::default() }
}

/// The limit of moves to a win. It makes a search exhaustive and excludes no win.
const EXHAUSTIVE: Option<u32> = Some(MAX_SEARCH_PLIES as u32);

/// Creates the tables for a game. They are not computed yet.
fn tables<G: Searchable>(history: &GameHistory<G>) -> Arc<G::Tables> {
    history.rules().create_uncomputed_tables(None)
}

/// The depth, rank and score of a report.
type Report = (i32, usize, i32);

/// Searches without time limits, and returns the result.
fn search_with<G: CompiledSearch>(
    history: &GameHistory<G>,
    limits: &Limits<G::Move>,
    table: &TranspositionTable,
    mut report: impl FnMut(SearchReport<G::Move>),
) -> SearchResult<G::Move> {
    let tables = history.rules().create_or_share_tables(None);
    search(history, &tables, limits, table, &SearchControl::default(), &mut report).unwrap()
}

/// Searches without time limits, and returns the result and the reports.
fn search_and_report<G: CompiledSearch>(
    history: &GameHistory<G>,
    limits: &Limits<G::Move>,
    table: &TranspositionTable,
) -> (SearchResult<G::Move>, Vec<Report>) {
    let mut reports = Vec::new();
    let report = |info: SearchReport<G::Move>| reports.push((info.depth, info.rank, info.score));
    (search_with(history, limits, table, report), reports)
}

fn new_history<G: HasPlayers>() -> GameHistory<G> {
    let rules = Arc::new(G::default());
    let start = rules.start_position();
    GameHistory::new(rules, start)
}

fn random_history<G: HasPlayers>(rng: &mut fastrand::Rng, plies: usize) -> GameHistory<G> {
    let mut history = new_history();
    for _ in 0..plies {
        let Some(mv) = rng.choice(history.legal_move_list()) else { break };
        history.push(mv);
    }
    if history.outcome().is_some() {
        history.pop();
    }
    history
}

/// Plays a game up to a few plies before its end. Each move has the best static score of a few
/// random moves. So the position contains threats, and both sides still have pieces.
fn late_history<G: Searchable>(rng: &mut fastrand::Rng) -> GameHistory<G> {
    let mut history = new_history::<G>();
    while history.len() < 200 && history.outcome().is_none() {
        let at_a_glance = |&mv: &G::Move| {
            let next = history.rules().play(history.position(), mv);
            match history.rules().outcome(&next) {
                Some(_) => score::INFINITE_SCORE,
                None => -history.rules().evaluate(&next, &history.rules().compute_eval_data(&next)),
            }
        };
        let few = rng.choose_multiple(history.legal_move_list(), 8);
        let Some(best) = few.into_iter().max_by_key(at_a_glance) else { break };
        history.push(best);
    }
    for _ in 0..rng.usize(1..=4).min(history.len()) {
        history.pop();
    }
    history
}

#[test]
fn scores_equal_negamax() {
    fn check<G: Game>() {
        let mut rng = fastrand::Rng::with_seed(5);
        // These are half of all numbers. Some are even and some are odd, so that either side is to
        // move.
        for plies in (0..80).filter(|plies| plies % 4 < 2) {
            let is_late = plies >= 40;
            let mut history = if is_late {
                late_history::<G>(&mut rng)
            } else {
                random_history::<G>(&mut rng, plies)
            };
            let limits = limits(&history);
            let depth = if is_late && limits.moves.len() > 60 { 1 } else { 2 };
            if depth == 2 && limits.moves.len() > 60 && plies % 8 != 0 {
                continue;
            }
            let limits = Limits { depth: Some(depth), mate: EXHAUSTIVE, ..limits };
            let (answer, _) = search_and_report(&history, &limits, &TranspositionTable::default());
            let tables = tables(&history);
            let expected = negamax(&mut history, &tables, depth as i32, 0);
            assert_eq!(
                answer.score,
                Some(expected),
                "{} {}",
                G::GAME_ID,
                history.rules().position_text(history.position())
            );
        }
    }
    for_each_game!(check);
}

#[test]
fn ranked_lines_are_the_best_moves_in_order() {
    fn check<G: Game>() {
        let history = random_history::<G>(&mut fastrand::Rng::with_seed(9), 6);
        let all = Limits { mate: EXHAUSTIVE, ..limits(&history) };
        let mut scores: Vec<i32> = Vec::new();
        for &mv in &all.moves {
            let one = Limits { moves: vec![mv], depth: Some(2), ..all.clone() };
            scores
                .extend(search_and_report(&history, &one, &TranspositionTable::default()).0.score);
        }
        scores.sort_by_key(|&score| std::cmp::Reverse(score));
        let three = Limits { multi_pv: 3, depth: Some(2), ..all };
        let (_, reports) = search_and_report(&history, &three, &TranspositionTable::default());
        let ranked: Vec<i32> =
            reports.iter().filter(|report| report.0 == 2).map(|report| report.2).collect();
        assert_eq!(ranked, scores[..scores.len().min(3)], "{}", G::GAME_ID);
    }
    for_each_game!(check);
}

#[test]
fn equal_searches_have_equal_nodes_and_moves() {
    fn check<G: Game>() {
        let history = new_history::<G>();
        for limited in [
            Limits { depth: Some(3), ..limits(&history) },
            Limits { nodes: Some(30_000), ..limits(&history) },
            Limits { depth: Some(2), multi_pv: 4, ..limits(&history) },
        ] {
            let table = TranspositionTable::new(1).unwrap();
            let first = search_and_report(&history, &limited, &table);
            // Another search in between leaves its entries in the table.
            let other = random_history::<G>(&mut fastrand::Rng::with_seed(3), 5);
            search_and_report(&other, &Limits { nodes: Some(30_000), ..limits(&other) }, &table);
            table.clear();
            let again = search_and_report(&history, &limited, &table);
            assert_eq!(first, again, "{}", G::GAME_ID);
            assert!(limited.nodes.is_none_or(|most| first.0.nodes <= most), "{}", G::GAME_ID);
        }
    }
    for_each_game!(check);
}

#[test]
fn a_stopped_search_returns_a_legal_move() {
    let history = new_history::<pentarch_alcaxar::Alcaxar>();
    let control = SearchControl::new(&Clock::default(), None, false, true);
    control.stop();
    let limits = limits(&history);
    let answer = search(
        &history,
        &tables(&history),
        &limits,
        &TranspositionTable::default(),
        &control,
        &mut |_| {},
    )
    .unwrap();
    assert!(limits.moves.contains(&answer.best));
    assert_eq!(answer.nodes, 1);
}

#[test]
fn weak_players_play_legal_moves_and_vary() {
    let history = new_history::<pentarch_alcaxar::Alcaxar>();
    let limits = Limits { level: StrengthLevel::Beginner, ..limits(&history) };
    let answers: Vec<_> = (0..40)
        .map(|_| search_and_report(&history, &limits, &TranspositionTable::default()).0.best)
        .collect();
    assert!(answers.iter().all(|answer| limits.moves.contains(answer)));
    assert!(answers.iter().any(|answer| *answer != answers[0]));
}

#[test]
fn several_threads_return_a_legal_move_and_end() {
    let history = new_history::<pentarch_alcaxar::Alcaxar>();
    let limits = Limits { threads: 3, depth: Some(5), ..limits(&history) };
    let (answer, _) = search_and_report(&history, &limits, &TranspositionTable::new(1).unwrap());
    assert!(limits.moves.contains(&answer.best));
}

#[test]
fn wins_and_losses_are_found_with_their_distance() {
    for size in 1..=16 {
        let history = pile(size, 0);
        let (answer, reports) =
            search_and_report(&history, &limits(&history), &TranspositionTable::new(1).unwrap());
        // If the size is a multiple of four, the side to move loses after size / 2 plies. Otherwise
        // it wins by moving to such a size.
        let expected = match size % 4 {
            0 => -score::win_score_at_ply(size as usize / 2),
            rest => {
                assert_eq!(answer.best, rest);
                score::win_score_at_ply((size as usize - rest as usize) / 2 + 1)
            }
        };
        assert_eq!(answer.score, Some(expected), "{size}");
        let (depth, _, _) = reports[reports.len() - 1];
        // Late moves are reduced. So a win may be proved a little later.
        assert!(
            depth <= score::plies_to_end(expected) + 2,
            "{size}: depth {depth}, though the score is proven"
        );
    }
}

#[test]
fn tables_of_solved_positions_are_probed() {
    for size in [9, 10, 11, 14] {
        let history = pile(size, 8);
        let mut hits = 0;
        let report = |info: SearchReport<u32>| hits = info.table_hits;
        let with_table = Limits { use_tablebases: true, ..limits(&history) };
        let answer = search_with(&history, &with_table, &TranspositionTable::default(), report);
        let without =
            search_and_report(&pile(size, 0), &limits(&history), &TranspositionTable::default()).0;
        assert_eq!((answer.best, answer.score), (without.best, without.score), "{size}");
        assert!(hits > 0 && answer.nodes < without.nodes, "{size}");
    }
}

#[test]
fn a_mate_search_probes_tables_only_if_allowed() {
    let history = pile(14, 8);
    let [with, without] = [true, false].map(|use_tablebases| {
        let (mut hits, mut nodes) = (0, 0);
        let report = |info: SearchReport<u32>| (hits, nodes) = (info.table_hits, info.nodes);
        let limits = Limits { use_tablebases, mate: Some(4), ..limits(&history) };
        let answer = search_with(&history, &limits, &TranspositionTable::new(1).unwrap(), report);
        assert_eq!(answer.score, Some(score::win_score_at_ply(7)));
        (hits, nodes)
    });
    assert!(with.0 > 0 && without.0 == 0 && with.1 < without.1, "{with:?} {without:?}");
}

#[test]
fn a_solved_root_is_ranked_exactly_and_not_searched() {
    let history = pile(10, 9);
    let limits = Limits { use_tablebases: true, multi_pv: 5, nodes: Some(1), ..limits(&history) };
    let mut ranking = Vec::new();
    let report = |info: SearchReport<u32>| {
        ranking.push((info.depth, info.rank, info.score, info.pv.to_vec()))
    };
    let answer = search_with(&history, &limits, &TranspositionTable::default(), report);
    // The other side gets a pile of 8, 7 or 9. A pile of 8 is lost in four plies. A pile of 7 is
    // won by taking three, and a pile of 9 by taking one.
    let expected = [
        (1, 1, score::win_score_at_ply(5), vec![2, 1, 3, 1, 3]),
        (1, 2, -score::win_score_at_ply(6), vec![1, 1, 1, 3, 1, 3]),
        (1, 3, -score::win_score_at_ply(4), vec![3, 3, 1, 3]),
    ];
    assert_eq!(ranking, expected);
    assert_eq!((answer.best, answer.ponder, answer.nodes), (2, Some(1), 1));
}

#[test]
fn a_mate_search_ends_when_the_win_is_found_or_refuted() {
    // This is won in four moves: 14, 12, 8, 4, 0.
    let history = pile(14, 0);
    let depth = |moves| {
        let limits = Limits { mate: Some(moves), ..limits(&history) };
        let (answer, reports) =
            search_and_report(&history, &limits, &TranspositionTable::new(1).unwrap());
        (answer.score, reports.last().map(|report| report.0))
    };
    assert_eq!(depth(4).0, Some(score::win_score_at_ply(7)));
    // There is no win in three moves. So the result is the best move of the ordinary search.
    assert!(depth(3).0.is_some_and(|score| score <= score::win_score_at_ply(7)));
}

#[test]
fn a_searcher_remembers_until_it_is_cleared() {
    let history = new_history::<pentarch_bushka::Bushka>();
    let searcher = Searcher::new(history.rules().clone());
    let limits = Limits { depth: Some(6), ..Limits::default() };
    let search = || searcher.search(&history, &limits).unwrap();
    let (first, second) = (search(), search());
    assert!(second.nodes < first.nodes, "{} {}", first.nodes, second.nodes);
    searcher.clear();
    assert_eq!(search(), first);
}

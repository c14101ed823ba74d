//! Compares the search in slices with the uninterrupted search.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::task::Poll;
use std::time::Duration;

use super::*;
use pentarch_alcaxar::Alcaxar;
use pentarch_alquerque::Alquerque;
use pentarch_core::Side;
use pentarch_nim::{Fault, Nim, Pile};
use pentarch_quoridor::Quoridor;
use pentarch_search::clock::Clock;
use pentarch_search::sliced_search::SlicedSearch;
use pentarch_search::time_management::TimeBudget;

/// Searches in steps of this many nodes. Returns the result, the reports, and the number of steps.
fn run_in_slices<G: CompiledSearch>(
    history: &GameHistory<G>,
    limits: &Limits<G::Move>,
    nodes: u64,
    table: &TranspositionTable,
) -> (SearchResult<G::Move>, Vec<Report>, usize) {
    let mut slices = SlicedSearch::new(history.clone(), tables(history), limits.clone());
    let (control, mut reports) = (SearchControl::default(), Vec::new());
    for steps in 1.. {
        let mut report =
            |info: SearchReport<G::Move>| reports.push((info.depth, info.rank, info.score));
        if let Poll::Ready(answer) = slices.step(nodes, table, &control, &mut report) {
            return (answer.unwrap(), reports, steps);
        }
    }
    unreachable!()
}

fn assert_same<G: CompiledSearch>(history: &GameHistory<G>, limits: &Limits<G::Move>) {
    let table = TranspositionTable::new(1).unwrap();
    let expected = search_and_report(history, limits, &table);
    table.clear();
    let (answer, reports, _) = run_in_slices(history, limits, u64::MAX, &table);
    assert_eq!((answer, reports), expected, "{} {limits:?}", G::GAME_ID);
}

#[test]
fn one_large_step_is_the_whole_search() {
    fn check<G: Game>() {
        let mut rng = fastrand::Rng::with_seed(11);
        for history in [new_history::<G>(), random_history(&mut rng, 12), late_history(&mut rng)] {
            for limited in [
                Limits { depth: Some(3), ..limits(&history) },
                Limits { nodes: Some(20_000), ..limits(&history) },
                Limits { depth: Some(2), multi_pv: 3, ..limits(&history) },
                Limits { mate: Some(1), nodes: Some(2_000), ..limits(&history) },
                Limits { level: StrengthLevel::Average, seed: Some(4), ..limits(&history) },
                Limits { depth: Some(0), ..limits(&history) },
            ] {
                assert_same(&history, &limited);
            }
            let few = limits(&history).moves.into_iter().take(2).collect();
            assert_same(&history, &Limits { moves: few, nodes: Some(5_000), ..limits(&history) });
        }
    }
    for_each_game!(check);
}

#[test]
fn one_large_step_uses_the_tables() {
    fn check<G: CompiledSearch>(plies: usize) {
        let history = random_history::<G>(&mut fastrand::Rng::with_seed(2), plies);
        assert_same(&history, &Limits { nodes: Some(5_000), multi_pv: 2, ..Limits::default() });
    }
    check::<Alquerque>(20);
    check::<Quoridor>(10);
}

#[test]
fn limits_hold_over_all_steps() {
    fn check<G: Game>() {
        let history = random_history::<G>(&mut fastrand::Rng::with_seed(6), 9);
        let (table, all) = (TranspositionTable::new(1).unwrap(), limits(&history));
        for nodes in [1, 40, 1000] {
            table.clear();
            let by_nodes = Limits { nodes: Some(6_000), ..all.clone() };
            let (answer, _, steps) = run_in_slices(&history, &by_nodes, nodes, &table);
            assert!(
                all.moves.contains(&answer.best) && answer.nodes <= 6_000 && steps > 2,
                "{} {nodes}",
                G::GAME_ID
            );
            table.clear();
            let by_depth = Limits { depth: Some(2), multi_pv: 2, ..all.clone() };
            let (answer, reports, _) = run_in_slices(&history, &by_depth, nodes, &table);
            assert!(all.moves.contains(&answer.best), "{} {nodes}", G::GAME_ID);
            let ranks = all.moves.len().min(2);
            let expected = (1..=2).flat_map(|depth| (1..=ranks).map(move |rank| (depth, rank)));
            assert!(
                reports.iter().map(|&(depth, rank, _)| (depth, rank)).eq(expected),
                "{} {reports:?}",
                G::GAME_ID
            );
        }
        let one = Limits { moves: all.moves[..1].to_vec(), nodes: Some(500), ..all };
        assert_eq!(
            run_in_slices(&history, &one, 100, &table).0.best,
            one.moves[0],
            "{}",
            G::GAME_ID
        );
    }
    for_each_game!(check);
}

#[test]
fn wins_and_losses_are_the_same_in_small_steps() {
    for size in 1..=16 {
        let history = pile(size, 0);
        let expected =
            search_and_report(&history, &limits(&history), &TranspositionTable::new(1).unwrap()).0;
        for nodes in [1, 7, 100] {
            let table = TranspositionTable::new(1).unwrap();
            let (answer, _, _) = run_in_slices(&history, &limits(&history), nodes, &table);
            assert_eq!(answer.score, expected.score, "{size} {nodes}");
            assert!(size % 4 == 0 || answer.best == expected.best, "{size} {nodes}");
        }
    }
    // These are late positions of the games. The depth is such that both searches see the same
    // wins.
    fn check<G: Game>() {
        let mut rng = fastrand::Rng::with_seed(21);
        for _ in 0..6 {
            let history = late_history::<G>(&mut rng);
            let limits = Limits { depth: Some(3), ..limits(&history) };
            let [large, small] = [(); 2].map(|()| TranspositionTable::new(1).unwrap());
            let expected = search_and_report(&history, &limits, &large).0.score;
            let (answer, _, _) = run_in_slices(&history, &limits, 200, &small);
            let proven = |score: Option<i32>| {
                score.filter(|&score| score::is_proven_score(score)).map(i32::signum)
            };
            assert_eq!(
                proven(answer.score),
                proven(expected),
                "{} {:?}",
                G::GAME_ID,
                history.position()
            );
        }
    }
    for_each_game!(check);
}

#[test]
fn a_search_ends_with_a_small_table_and_many_steps() {
    let history = new_history::<Quoridor>();
    let limited = Limits { depth: Some(6), ..limits(&history) };
    let (answer, reports, steps) =
        run_in_slices(&history, &limited, 300, &TranspositionTable::new(1).unwrap());
    assert!(limited.moves.contains(&answer.best) && steps > 100, "{steps}");
    assert_eq!(reports.last().map(|report| report.0), Some(6));
    // If the steps are too small for the search of a root move, they become larger. This also holds
    // if the table stores nothing.
    let limited = Limits { depth: Some(4), ..limits(&history) };
    let (_, reports, steps) = run_in_slices(&history, &limited, 1, &TranspositionTable::default());
    assert_eq!(reports.last().map(|report| report.0), Some(4));
    assert!(steps > 100, "{steps}");
}

#[test]
fn steps_grow_under_all_limits_but_end_on_time() {
    const BEFORE: u64 = 20_000;
    const STEPS: u64 = 250;
    let history = new_history::<Quoridor>();
    let nodes_of_steps = |limited: &Limits<_>, budget, longest: Duration| {
        // Each time the clock is read, it advances by this many milliseconds.
        let (looks, pace) = (AtomicU64::new(0), Arc::new(AtomicU64::new(0)));
        let ticks = pace.clone();
        let clock = Clock::new(move || {
            Duration::from_millis(looks.fetch_add(ticks.load(Relaxed), Relaxed))
        });
        let control = SearchControl::new(&clock, budget, false, false).with_max_slice_time(longest);
        let mut slices = SlicedSearch::new(history.clone(), tables(&history), limited.clone());
        // If the table stores nothing, small steps make no progress as soon as the search is deep.
        let mut step =
            |nodes| slices.step(nodes, &TranspositionTable::default(), &control, &mut |_| {});
        assert!(step(BEFORE).is_pending());
        pace.store(1, Relaxed);
        for _ in 0..STEPS {
            assert!(step(50).is_pending());
        }
        control.stop();
        match step(50) {
            Poll::Ready(answer) => answer.map_or(0, |answer| answer.nodes) - BEFORE,
            Poll::Pending => panic!("it was stopped"),
        }
    };
    let all = limits(&history);
    let by_depth = Limits { depth: Some(20), ..all.clone() };
    let by_nodes = Limits { nodes: Some(10_000_000), ..all.clone() };
    let budget = TimeBudget { soft: Duration::MAX, hard: Duration::MAX };
    for (limited, budget) in
        [(&all, None), (&all, Some(budget)), (&by_depth, None), (&by_nodes, None)]
    {
        let [grown, short] = [Duration::MAX, Duration::from_millis(1)]
            .map(|longest| nodes_of_steps(limited, budget, longest));
        assert!(
            grown > 2 * STEPS * 50 && short < grown / 2,
            "{grown} {short} {:?} {budget:?}",
            limited.depth
        );
    }
}

#[test]
fn a_stop_between_steps_returns_the_best_move_so_far() {
    let history = new_history::<Alcaxar>();
    let limited = limits(&history);
    let table = TranspositionTable::new(1).unwrap();
    for steps in [0, 1, 5, 40] {
        let (control, mut best) = (SearchControl::new(&Clock::default(), None, false, true), None);
        let mut slices = SlicedSearch::new(history.clone(), tables(&history), limited.clone());
        for _ in 0..steps {
            let step = slices.step(400, &table, &control, &mut |info| best = Some(info.pv[0]));
            assert!(step.is_pending());
        }
        control.stop();
        let Poll::Ready(Some(answer)) =
            slices.step(400, &table, &control, &mut |info| best = Some(info.pv[0]))
        else {
            panic!("{steps}");
        };
        assert!(limited.moves.contains(&answer.best));
        assert!(answer.score.is_some() && answer.nodes > 0, "{steps}");
        assert!(best.is_none_or(|best| best == answer.best), "{steps}");
    }
}

/// Returns a clock that the test sets, and the number of milliseconds that it shows.
fn clock() -> (Clock, Arc<AtomicU64>) {
    let millis = Arc::new(AtomicU64::new(0));
    let shown = millis.clone();
    (Clock::new(move || Duration::from_millis(shown.load(Relaxed))), millis)
}

const BUDGET: TimeBudget =
    TimeBudget { soft: Duration::from_millis(100), hard: Duration::from_millis(300) };

#[test]
fn limits_of_time_end_the_search() {
    let history = new_history::<Alcaxar>();
    let table = TranspositionTable::new(1).unwrap();
    let ended_at = |slice: u64| {
        let (clock, millis) = clock();
        let control = SearchControl::new(&clock, Some(BUDGET), false, false);
        let mut slices = SlicedSearch::new(history.clone(), tables(&history), limits(&history));
        while slices.step(slice, &table, &control, &mut |_| {}).is_pending() {
            millis.fetch_add(10, Relaxed);
        }
        millis.load(Relaxed)
    };
    // With large steps, an iteration ends soon after the soft limit. The limit is extended at most
    // threefold.
    assert!((100..=300).contains(&ended_at(20_000)));
    // With small steps, the hard limit comes within an iteration.
    assert_eq!(ended_at(2), 300);
}

#[test]
fn tables_precede_the_search_only_without_a_time_limit() {
    let nim = Nim { fault: Fault::EndlessTables, ..Nim::default() };
    let history = GameHistory::new(Arc::new(nim), Pile { size: 13, side: Side::First });
    let table = TranspositionTable::new(1).unwrap();
    let control = SearchControl::default();
    let mut slices = SlicedSearch::new(history.clone(), tables(&history), Limits::default());
    assert!((0..20).all(|_| slices.step(1_000_000, &table, &control, &mut |_| {}).is_pending()));
    control.stop();
    let Poll::Ready(Some(answer)) = slices.step(1_000_000, &table, &control, &mut |_| {}) else {
        panic!()
    };
    assert_eq!(answer.nodes, 1);
    let control = SearchControl::new(&Clock::default(), Some(BUDGET), false, false);
    let mut slices = SlicedSearch::new(history.clone(), tables(&history), Limits::default());
    let Poll::Ready(Some(answer)) = slices.step(1_000_000, &table, &control, &mut |_| {}) else {
        panic!()
    };
    assert_eq!(answer.best, 1);
    // If tables cannot be computed, they do not delay the search.
    let nim = Nim { fault: Fault::Tables, ..Nim::default() };
    let history = GameHistory::new(Arc::new(nim), Pile { size: 13, side: Side::First });
    assert_eq!(run_in_slices(&history, &Limits::default(), 1_000_000, &table).0.best, 1);
}

#[test]
fn a_finished_game_has_no_result() {
    let history = pile(0, 0);
    let mut slices = SlicedSearch::new(history.clone(), tables(&history), Limits::default());
    let step =
        slices.step(100, &TranspositionTable::default(), &SearchControl::default(), &mut |_| {});
    assert_eq!(step, Poll::Ready(None));
}

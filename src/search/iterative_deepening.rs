//! Iterative deepening on one or several threads, with aspiration windows.
//!
//! Parallel search is lazy SMP: each thread searches the same root by itself, and the threads share nothing but the
//! transposition table. The answer is that of the main thread; the others help it by filling the table.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

use crate::core::memory::HelperThreads;
use crate::core::{GameHistory, Searchable};

use super::control::Control;
use super::known_winner::KnownWinner;
use super::root_probe::Certainty;
use super::score::{self, INFINITE, MAX_PLY};
use super::transposition::TranspositionTable;
use super::worker::{ExactValues, RootMove, Shared, Stopped, Worker};
use super::{Answer, Info, Limits};

/// The name of the threads that help the main thread.
pub const HELPER: &str = "helper";

/// Searches deeper and deeper with all threads, and gives the best of the moves in `limits`; none if `limits` holds no
/// moves. Here an empty list does not stand for all legal moves, as it does for [`search`](super::search).
///
/// # Panics
/// If a searching thread panics, but not before the main thread has ended its search.
pub fn search<G: Searchable>(
    history: &GameHistory<G>,
    tables: &G::Tables,
    limits: &Limits<G::Move>,
    table: &TranspositionTable,
    control: &Control,
    mut report: impl FnMut(Info<G::Move>),
) -> Option<Answer<G::Move>> {
    let rules = history.rules().as_ref();
    let mut shared = Shared {
        table,
        control,
        nodes: AtomicU64::new(0),
        max_nodes: limits.nodes.unwrap_or(u64::MAX),
        exact_values: if limits.use_tablebases { ExactValues::Tablebases } else { ExactValues::Computed },
        certainty: Certainty::after(history, tables),
        known_winner: None,
        table_hits: AtomicU64::new(0),
        ended: AtomicBool::new(false),
    };
    let mut roots: Vec<_> = limits.moves.iter().map(|&mv| RootMove { mv, score: -INFINITE, pv: vec![mv] }).collect();
    // The first of the moves is the answer if the search is stopped at once, so they begin in a sensible order.
    let cache = rules.eval_cache(history.position());
    let ordering_score = rules.move_ordering_scores(history.position(), &cache);
    roots.sort_by_key(|root| Reverse(ordering_score(root.mv)));
    if roots.is_empty() {
        return None;
    }
    let parameters = limits.parameters.as_deref().copied().unwrap_or(G::SEARCH_PARAMETERS);
    let exhaustive = limits.mate.is_some();
    if limits.use_tablebases && !exhaustive {
        shared.known_winner = KnownWinner::at_root(history, tables, &mut roots);
        shared.table_hits = AtomicU64::new(shared.known_winner.map_or(0, |_| roots.len() as u64));
    }
    let shared = shared;
    let mut faults = Vec::new();
    let best = thread::scope(|scope| {
        let _end = EndHelpers(&shared);
        let mut worker = Worker::new(rules, tables, &shared, history.clone(), parameters, exhaustive);
        let mut helpers = HelperThreads::default();
        for number in 1..limits.threads {
            let (shared, mut roots) = (&shared, roots.clone());
            let prepare = move || Worker::new(rules, tables, shared, history.clone(), parameters, exhaustive);
            // Lazy SMP: half of the helpers begin a ply deeper, so that the threads do not all do the same at the same
            // time.
            let help = move |mut worker| deepen(&mut worker, &mut roots, limits, 1 + number as i32 % 2, |_| {});
            if let Err(error) = helpers.start(scope, HELPER, prepare, help) {
                faults.push(format!("{number} of {} threads search, and no more: {error}", limits.threads));
                break;
            }
        }
        deepen(&mut worker, &mut roots, limits, 1, &mut report);
        &roots[0]
    });
    let score = (best.score > -INFINITE).then(|| shared.reported_score(best.score).0);
    let ponder = best.pv.get(1).copied();
    Some(Answer { best: best.mv, ponder, score, nodes: shared.nodes.load(Relaxed), faults })
}

/// Ends the helping threads when it is dropped, that is, when the main thread has ended its search or panics.
struct EndHelpers<'a>(&'a Shared<'a>);

impl Drop for EndHelpers<'_> {
    fn drop(&mut self) {
        self.0.ended.store(true, Relaxed);
    }
}

/// Searches deeper and deeper until a limit is reached. The first of the root moves is the best one then.
fn deepen<G: Searchable>(
    worker: &mut Worker<G>,
    roots: &mut [RootMove<G::Move>],
    limits: &Limits<G::Move>,
    first_depth: i32,
    mut report: impl FnMut(Info<G::Move>),
) {
    let ranked = limits.multi_pv.min(roots.len());
    let max_depths = [limits.depth, limits.mate.map(|moves| moves.saturating_mul(2))];
    let max_depth = max_depths.into_iter().flatten().min().map_or(MAX_PLY, |depth| (depth as usize).min(MAX_PLY));
    let mut extension = TimeExtension::default();
    for depth in first_depth..=max_depth as i32 {
        let reported = roots[0].mv;
        if worker.probe_root(roots, limits.multi_pv) {
            for (at, root) in roots.iter().take(limits.multi_pv).enumerate() {
                report(Info { is_exact: true, ..worker.info(depth, at + 1, root) });
            }
            return;
        }
        let finished = (0..ranked).all(|rank| aspiration_search(worker, &mut roots[rank..], depth).is_ok());
        worker.count_nodes();
        if finished {
            roots[..ranked].sort_by_key(|root| Reverse(root.score));
        }
        let lines = match finished {
            true => limits.multi_pv.min(ranked),
            false => usize::from(roots[0].mv != reported),
        };
        for (at, root) in roots[..lines].iter().enumerate() {
            report(worker.info(depth, at + 1, root));
        }
        extension.update(depth, roots[0].mv != reported, roots[0].score);
        let is_late = || worker.control().is_late(extension.per_cent);
        if !finished || is_enough(worker, &roots[..ranked], depth, limits) || is_late() {
            return;
        }
    }
}

/// The extension of the soft time limit while the best move changes (it is unstable) or its score falls.
#[derive(Debug, Default)]
struct TimeExtension {
    /// The extended limit in hundredths of the usual one: 100 to 300.
    per_cent: u64,
    /// The score of the last iteration.
    score: i32,
}

impl TimeExtension {
    /// Updates the extension after an iteration: `changed` says whether it has changed the best move.
    fn update(&mut self, depth: i32, changed: bool, score: i32) {
        let lost = if depth > 1 { (self.score - score).clamp(0, 100) as u64 } else { 0 };
        let kept = self.per_cent.saturating_sub(100) * 2 / 3;
        self.per_cent = (100 + kept + if changed { 60 } else { 0 } + lost).min(300);
        self.score = score;
    }
}

/// The least depth at which a search has an aspiration window.
const ASPIRATION_DEPTH: i32 = 4;
/// How far an aspiration window extends to either side of the last score, in centipawns.
const ASPIRATION_WINDOW: i32 = 25;
/// A side of the window that would extend further than this is left unbounded.
const WIDEST_WINDOW: i32 = 700;

/// Searches for the best of these moves in an aspiration window around its last score, and in wider ones until the
/// score lies inside.
pub(super) fn aspiration_search<G: Searchable>(
    worker: &mut Worker<G>,
    roots: &mut [RootMove<G::Move>],
    depth: i32,
) -> Result<(), Stopped> {
    let last = roots[0].score;
    let has_window = depth >= ASPIRATION_DEPTH && last > -INFINITE && !score::is_proven(last);
    let (mut alpha, mut beta) =
        if has_window { (last - ASPIRATION_WINDOW, last + ASPIRATION_WINDOW) } else { (-INFINITE, INFINITE) };
    let mut margin = ASPIRATION_WINDOW;
    loop {
        let score = worker.search_root(roots, depth, alpha, beta)?;
        margin *= 3;
        if score <= alpha && alpha > -INFINITE {
            alpha = if margin > WIDEST_WINDOW { -INFINITE } else { score - margin };
        } else if score >= beta && beta < INFINITE {
            beta = if margin > WIDEST_WINDOW { INFINITE } else { score + margin };
        } else {
            return Ok(());
        }
    }
}

/// Whether nothing is gained by searching deeper than this depth: the scores are proven, the win that was asked for is
/// found, or there is only one move to choose and a player's clock runs.
fn is_enough<G: Searchable>(
    worker: &Worker<G>,
    ranked: &[RootMove<G::Move>],
    depth: i32,
    limits: &Limits<G::Move>,
) -> bool {
    let final_score = |root: &RootMove<_>| score::is_proven(root.score) && score::plies_to_end(root.score) <= depth;
    let mate_found = limits.mate.is_some_and(|moves| {
        let best = ranked[0].score;
        best > 0 && score::is_proven(best) && score::plies_to_end(best) <= moves.saturating_mul(2) as i32
    });
    let only_move = limits.moves.len() == 1 && worker.control().is_timed();
    mate_found || only_move || ranked.iter().all(final_score)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_extended_while_the_best_move_changes_or_its_score_falls() {
        let mut extension = TimeExtension::default();
        let mut after = |depth, changed, score| {
            extension.update(depth, changed, score);
            extension.per_cent
        };
        assert_eq!(after(1, false, 50), 100, "the first score has not fallen");
        assert_eq!(after(2, true, 50), 160, "another move");
        assert_eq!(after(3, false, 20), 100 + 40 + 30, "two thirds of the extension are kept, and 30 centipawns lost");
        assert_eq!(after(4, false, 90), 100 + 46, "a score that rises shortens nothing");
        assert_eq!(after(5, true, -900), 100 + 30 + 60 + 100, "a fall counts for 100 at most");
        assert_eq!(after(6, true, -2000), 300, "three times the limit at most");
    }
}

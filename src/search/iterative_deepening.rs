//! Iterative deepening on one or several threads, with aspiration windows.
//!
//! Parallel search is lazy SMP: each thread searches the same root by itself, and the threads share nothing but the
//! transposition table. The answer is that of the main thread; the others help it by filling the table.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

use crate::core::memory::HelperThreads;
use crate::core::{GameHistory, SearchParameters, Searchable};

use super::control::Control;
use super::known_winner::{self, KnownWinner};
use super::root_probe::Certainty;
use super::score::{self, INFINITE, MAX_PLY};
use super::transposition::TranspositionTable;
use super::worker::{ExactValues, Memory, RootMove, RootSearch, Shared, Stopped, Worker};
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
    report: impl FnMut(Info<G::Move>),
) -> Option<Answer<G::Move>> {
    let mut search = Search::new(history, tables, limits)?;
    let rules = history.rules().as_ref();
    let shared = search.shared(table, control, limits.nodes.unwrap_or(u64::MAX));
    let mut faults = Vec::new();
    thread::scope(|scope| {
        let _end = EndHelpers(&shared);
        let mut helpers = HelperThreads::default();
        for number in 1..limits.threads {
            // Lazy SMP: half of the helpers begin a ply deeper, so that the threads do not all do the same at the same
            // time.
            let mut deepening = Deepening { depth: 1 + number as i32 % 2, ..search.deepening.clone() };
            let (shared, (parameters, exhaustive)) = (&shared, parameters::<G>(limits));
            let memory = || Memory::new(history.clone());
            let prepare = move || Worker::new(rules, tables, shared, memory(), parameters, exhaustive);
            let help = move |mut worker| {
                // It helps until the search ends, in whichever way.
                let _ = deepening.run(&mut worker, limits, &mut |_| {});
            };
            if let Err(error) = helpers.start(scope, HELPER, prepare, help) {
                faults.push(format!("{number} of {} threads search, and no more: {error}", limits.threads));
                break;
            }
        }
        search.run(history, tables, limits, &shared, report, |_| true);
    });
    Some(Answer { faults, ..search.answer()? })
}

/// The numbers on which pruning and reductions depend in a search, and whether it is exhaustive.
fn parameters<G: Searchable>(limits: &Limits<G::Move>) -> (SearchParameters, bool) {
    (limits.parameters.as_deref().copied().unwrap_or(G::SEARCH_PARAMETERS), limits.mate.is_some())
}

/// Ends the helping threads when it is dropped, that is, when the main thread has ended its search or panics.
struct EndHelpers<'a>(&'a Shared<'a>);

impl Drop for EndHelpers<'_> {
    fn drop(&mut self) {
        self.0.ended.store(true, Relaxed);
    }
}

/// The search of the main thread, which can be interrupted and taken up again.
pub(super) struct Search<G: Searchable> {
    deepening: Deepening<G::Move>,
    exact_values: ExactValues,
    certainty: Certainty,
    known_winner: Option<KnownWinner>,
    /// None while the search runs.
    memory: Option<Memory<G>>,
    /// The number of nodes so far.
    pub(super) nodes: u64,
    /// The number of positions found in tablebases so far.
    table_hits: u64,
}

impl<G: Searchable> Search<G> {
    /// A search that has not begun; none if `limits` holds no moves.
    pub(super) fn new(history: &GameHistory<G>, tables: &G::Tables, limits: &Limits<G::Move>) -> Option<Search<G>> {
        let rules = history.rules().as_ref();
        let begun = |&mv| RootMove { mv, score: -INFINITE, pv: vec![mv] };
        let mut roots: Vec<_> = limits.moves.iter().map(begun).collect();
        // The first of the moves is the answer if the search is stopped at once, so they begin in a sensible order.
        let cache = rules.eval_cache(history.position());
        let ordering_score = rules.move_ordering_scores(history.position(), &cache);
        roots.sort_by_key(|root| Reverse(ordering_score(root.mv)));
        if roots.is_empty() {
            return None;
        }
        let has_tables = limits.use_tablebases && limits.mate.is_none();
        let known_winner = if has_tables { KnownWinner::at_root(history, tables, &mut roots) } else { None };
        Some(Search {
            exact_values: if limits.use_tablebases { ExactValues::Tablebases } else { ExactValues::Computed },
            certainty: Certainty::after(history, tables),
            known_winner,
            memory: Some(Memory::new(history.clone())),
            nodes: 0,
            table_hits: known_winner.map_or(0, |_| roots.len() as u64),
            deepening: Deepening { roots, depth: 1, extension: TimeExtension::default(), iteration: None },
        })
    }

    /// What the threads of the search share until it has searched so many nodes.
    pub(super) fn shared<'a>(&self, table: &'a TranspositionTable, control: &'a Control, max_nodes: u64) -> Shared<'a> {
        Shared {
            table,
            control,
            nodes: AtomicU64::new(self.nodes),
            max_nodes,
            exact_values: self.exact_values,
            certainty: self.certainty,
            known_winner: self.known_winner,
            table_hits: AtomicU64::new(self.table_hits),
            ended: AtomicBool::new(false),
        }
    }

    /// Goes on with the search until it ends or must stop. Returns whether it has ended: if it was stopped,
    /// `is_last_stop` says so by the number of nodes.
    pub(super) fn run(
        &mut self,
        history: &GameHistory<G>,
        tables: &G::Tables,
        limits: &Limits<G::Move>,
        shared: &Shared,
        mut report: impl FnMut(Info<G::Move>),
        is_last_stop: impl FnOnce(u64) -> bool,
    ) -> bool {
        let memory = self.memory.take().unwrap_or_else(|| Memory::new(history.clone()));
        let (parameters, exhaustive) = parameters::<G>(limits);
        let mut worker = Worker::new(history.rules().as_ref(), tables, shared, memory, parameters, exhaustive);
        let run = self.deepening.run(&mut worker, limits, &mut report);
        (self.nodes, self.table_hits) = (shared.nodes.load(Relaxed), shared.table_hits.load(Relaxed));
        let has_ended = run.is_ok() || is_last_stop(self.nodes);
        if run.is_err() && has_ended {
            self.deepening.report_change(&worker, &mut report);
        }
        self.memory = Some(worker.into_memory());
        has_ended
    }

    /// How often the search of the move of the root that comes next was interrupted.
    pub(super) fn interruptions(&self) -> u32 {
        let aspiration = self.deepening.iteration.as_ref().and_then(|iteration| iteration.aspiration.as_ref());
        aspiration.map_or(0, |aspiration| aspiration.search.interruptions)
    }

    /// The answer of the search after what it has done so far; none if there were no moves.
    pub(super) fn answer(&self) -> Option<Answer<G::Move>> {
        let best = self.deepening.roots.first()?;
        let score = (best.score > -INFINITE).then(|| known_winner::reported_score(self.known_winner, best.score).0);
        let ponder = best.pv.get(1).copied();
        Some(Answer { best: best.mv, ponder, score, nodes: self.nodes, faults: Vec::new() })
    }
}

/// The state of iterative deepening. The first of the root moves is the best one so far.
#[derive(Clone)]
struct Deepening<M> {
    roots: Vec<RootMove<M>>,
    /// The depth of the iteration that comes next or that has begun.
    depth: i32,
    extension: TimeExtension,
    /// The iteration that has begun.
    iteration: Option<Iteration<M>>,
}

/// The state of an iteration.
#[derive(Clone)]
struct Iteration<M> {
    /// The best move before the iteration.
    before: M,
    /// How many of the best moves, one rank after the other, have been found.
    rank: usize,
    /// The search for the move of the next rank, if it has begun.
    aspiration: Option<Aspiration>,
}

impl<M: Copy + PartialEq> Deepening<M> {
    /// Searches deeper and deeper until a limit is reached.
    ///
    /// # Errors
    /// If the search must end within an iteration. The next call goes on with it.
    fn run<G: Searchable<Move = M>>(
        &mut self,
        worker: &mut Worker<G>,
        limits: &Limits<M>,
        report: &mut impl FnMut(Info<M>),
    ) -> Result<(), Stopped> {
        let ranked = limits.multi_pv.min(self.roots.len());
        let max_depths = [limits.depth, limits.mate.map(|moves| moves.saturating_mul(2))];
        let max_depth = max_depths.into_iter().flatten().min().map_or(MAX_PLY, |depth| (depth as usize).min(MAX_PLY));
        while self.depth <= max_depth as i32 {
            let Deepening { roots, depth, extension, iteration } = self;
            if iteration.is_none() && worker.probe_root(roots, limits.multi_pv) {
                for (at, root) in roots.iter().take(limits.multi_pv).enumerate() {
                    report(Info { is_exact: true, ..worker.info(*depth, at + 1, root) });
                }
                return Ok(());
            }
            let begun = iteration.get_or_insert(Iteration { before: roots[0].mv, rank: 0, aspiration: None });
            let searched = begun.search(worker, &mut roots[..], ranked, *depth);
            worker.count_nodes();
            searched?;
            roots[..ranked].sort_by_key(|root| Reverse(root.score));
            for (at, root) in roots[..ranked].iter().enumerate() {
                report(worker.info(*depth, at + 1, root));
            }
            extension.update(*depth, roots[0].mv != begun.before, roots[0].score);
            let is_late = || worker.control().is_late(extension.per_cent);
            if is_enough(worker, &roots[..ranked], *depth, limits) || is_late() {
                return Ok(());
            }
            (self.iteration, self.depth) = (None, self.depth + 1);
        }
        Ok(())
    }

    /// Reports the best move if an iteration that does not end has changed it.
    fn report_change<G: Searchable<Move = M>>(&self, worker: &Worker<G>, report: &mut impl FnMut(Info<M>)) {
        if self.iteration.as_ref().is_some_and(|iteration| iteration.before != self.roots[0].mv) {
            report(worker.info(self.depth, 1, &self.roots[0]));
        }
    }
}

impl<M: Copy> Iteration<M> {
    /// Finds so many of the best moves, or those that are left.
    fn search<G: Searchable<Move = M>>(
        &mut self,
        worker: &mut Worker<G>,
        roots: &mut [RootMove<M>],
        ranked: usize,
        depth: i32,
    ) -> Result<(), Stopped> {
        while self.rank < ranked {
            let rest = &mut roots[self.rank..];
            self.aspiration.get_or_insert_with(|| Aspiration::new(rest[0].score, depth)).search(worker, rest)?;
            (self.rank, self.aspiration) = (self.rank + 1, None);
        }
        Ok(())
    }
}

/// The extension of the soft time limit while the best move changes (it is unstable) or its score falls.
#[derive(Debug, Clone, Default)]
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
    Aspiration::new(roots[0].score, depth).search(worker, roots)
}

/// The state of a search for the best of some moves of the root.
#[derive(Clone)]
struct Aspiration {
    depth: i32,
    /// The window, and how far it was last widened.
    alpha: i32,
    beta: i32,
    margin: i32,
    /// The search in this window.
    search: RootSearch,
}

impl Aspiration {
    /// A search in a window around the last score that has not begun.
    fn new(last: i32, depth: i32) -> Aspiration {
        let has_window = depth >= ASPIRATION_DEPTH && last > -INFINITE && !score::is_proven(last);
        let (alpha, beta) =
            if has_window { (last - ASPIRATION_WINDOW, last + ASPIRATION_WINDOW) } else { (-INFINITE, INFINITE) };
        Aspiration { depth, alpha, beta, margin: ASPIRATION_WINDOW, search: RootSearch::new(depth, alpha, beta) }
    }

    /// Searches in wider and wider windows until the score lies inside.
    fn search<G: Searchable>(
        &mut self,
        worker: &mut Worker<G>,
        roots: &mut [RootMove<G::Move>],
    ) -> Result<(), Stopped> {
        let Aspiration { depth, alpha, beta, margin, search } = self;
        loop {
            let score = worker.search_root(roots, search)?;
            *margin *= 3;
            if score <= *alpha && *alpha > -INFINITE {
                *alpha = if *margin > WIDEST_WINDOW { -INFINITE } else { score - *margin };
            } else if score >= *beta && *beta < INFINITE {
                *beta = if *margin > WIDEST_WINDOW { INFINITE } else { score + *margin };
            } else {
                return Ok(());
            }
            *search = RootSearch::new(*depth, *alpha, *beta);
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

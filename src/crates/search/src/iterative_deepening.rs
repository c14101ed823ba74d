//! Iterative deepening on one or several threads, with aspiration windows.
//!
//! Parallel search is lazy SMP: each thread searches the same root by itself, and the threads share
//! only the transposition table. The result is that of the main thread. The other threads help the
//! main thread by filling the table.

use std::cmp::Reverse;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, Scope, available_parallelism};

use pentarch_core::sorting::sort_by_key;
use pentarch_core::{Searchable, Warning};
use pentarch_system::memory::ThreadTask;
use thiserror::Error;

use super::known_winner::{self, KnownWinner};
use super::move_ordering;
use super::root_move::{self, RootMove};
use super::score::{self, INFINITE_SCORE, MAX_SEARCH_PLIES};
use super::search_worker::{
    ExactValueSource, PausedThreadState, SearchStopped, SearchWindow, SearchWorker,
    SharedSearchState,
};
use super::time_management::MIN_SOFT_LIMIT_PER_CENT;
use super::{SearchContext, SearchEvent, SearchReport, SearchResult, pruning, root_probe};

/// The name of the threads that help the main thread.
pub const HELPER_THREAD_NAME: &str = "helper";

/// The maximum number of searching threads per core. More threads do not search faster. But a
/// thread that must react to a `stop` or to the clock would have to wait for its turn after all
/// these threads. With 256 threads on two cores, the thread that reads the input waited for up to
/// 0.44 s on Linux 6.18.
const MAX_THREADS_PER_CORE: usize = 4;

/// Searches with all threads, deeper with each iteration, and returns the best of the moves that
/// the limits list; `None` if the list is empty.
///
/// # Panics
/// If a searching thread panics. If a helper thread panics, this function panics only after it has
/// reported the result.
pub(super) fn search_with_all_threads<G: Searchable>(
    context: &SearchContext<G>,
    on_event: &mut dyn FnMut(SearchEvent<G::Move>),
) -> Option<SearchResult<G::Move>> {
    let mut search = MainThreadSearch::new(context)?;
    search.run_slice(context, u64::MAX, on_event);
    search.result()
}

/// A guard that ends the helper threads when it is dropped. The guard is dropped when the main
/// thread has ended its search or panics.
struct HelperThreadsGuard<'a>(&'a AtomicBool);

impl Drop for HelperThreadsGuard<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// Starts the helper threads of a search.
///
/// # Errors
/// If the system cannot start one of the helper threads.
fn start_helpers<'scope, 'a, G: Searchable>(
    scope: &'scope Scope<'scope, 'a>,
    context: &'a SearchContext<G>,
    shared: &'a SharedSearchState,
    deepening: &IterativeDeepening<G::Move>,
) -> Result<(), TooFewThreadsError> {
    let threads = context.limits.threads;
    if threads == 1 {
        return Ok(());
    }
    let most = available_parallelism().map_or(threads, |cores| cores.get() * MAX_THREADS_PER_CORE);
    for number in 1..threads.min(most) {
        // Lazy SMP: half of the helpers begin a ply deeper, so that not all threads do the same
        // work at the same time.
        let mut deepening =
            IterativeDeepening { depth: 1 + number as i32 % 2, ..deepening.clone() };
        let help = move || {
            // The helper searches until the whole search ends, for whatever reason.
            let _ = deepening.run(&mut SearchWorker::new(context, shared, None), None);
        };
        let thread = thread::Builder::new().name(HELPER_THREAD_NAME.into());
        thread
            .spawn_scoped(scope, Box::new(help) as ThreadTask)
            .map_err(|error| TooFewThreadsError { number, threads, error })?;
    }
    Ok(())
}

/// The error if the system started fewer threads than the search should use.
#[derive(Debug, Error)]
#[error("only {number} of {threads} threads search: {error}")]
struct TooFewThreadsError {
    /// The number of threads that search.
    number: usize,
    /// The number of threads that should search.
    threads: usize,
    /// The error that the system returned.
    error: io::Error,
}

/// The search of the main thread, which can be interrupted and resumed.
pub(super) struct MainThreadSearch<G: Searchable> {
    deepening: IterativeDeepening<G::Move>,
    shared: SharedSearchState,
    memory: Option<PausedThreadState<G>>,
    faults: Vec<Warning>,
}

impl<G: Searchable> MainThreadSearch<G> {
    /// Creates a search that has not begun; `None` if the limits contain no moves.
    pub(super) fn new(context: &SearchContext<G>) -> Option<MainThreadSearch<G>> {
        let SearchContext { history, tables, limits, .. } = *context;
        if limits.moves.is_empty() {
            return None;
        }
        // If the search is stopped at once, the result is the first of the moves. So the moves are
        // put into a sensible order first.
        let mut moves = limits.moves.clone();
        move_ordering::sort_moves_by_ordering_scores(
            history.rules().as_ref(),
            history.position(),
            &mut moves,
        );
        let mut roots: Vec<_> = moves.into_iter().map(RootMove::new).collect();
        let use_tables = limits.use_tablebases;
        let mut shared = SharedSearchState::new(
            context,
            if use_tables { ExactValueSource::Tablebases } else { ExactValueSource::Computed },
        );
        if use_tables {
            shared.unreached_score = root_move::apply_known_values(context, &mut roots);
            let certainty = shared.table_certainty;
            root_probe::sort_root_moves_by_uncertain_values(history, tables, &mut roots, certainty);
        }
        if use_tables && limits.mate.is_none() {
            shared.known_winner = KnownWinner::at_root(context, &mut roots);
            let known_best = roots.iter().filter(|root| root.is_known_best()).count();
            let hits = if shared.known_winner.is_some() { roots.len() } else { known_best };
            *shared.table_hits.get_mut() = hits as u64;
        }
        let extension = SoftLimitExtension::default();
        let deepening = IterativeDeepening {
            roots,
            depth: 1,
            extension,
            best_before: None,
            rank: 0,
            aspiration: None,
        };
        Some(MainThreadSearch { deepening, shared, memory: None, faults: Vec::new() })
    }

    /// Continues the search until it ends, must stop, or has searched `more_nodes` nodes. Returns
    /// whether the search has ended or must end.
    pub(super) fn run_slice(
        &mut self,
        context: &SearchContext<G>,
        more_nodes: u64,
        on_event: &mut dyn FnMut(SearchEvent<G::Move>),
    ) -> bool {
        let SearchContext { limits, control, .. } = *context;
        let MainThreadSearch { deepening, shared, memory, faults } = self;
        let most_nodes = limits.nodes.unwrap_or(u64::MAX);
        shared.max_nodes = shared.nodes.get_mut().saturating_add(more_nodes).min(most_nodes);
        *shared.ended.get_mut() = false;
        let shared = &*shared;
        thread::scope(|scope| {
            let end_helpers = HelperThreadsGuard(&shared.ended);
            let start = start_helpers(scope, context, shared, deepening);
            faults.extend(start.err().map(Warning::new));
            let mut worker = SearchWorker::new(context, shared, memory.take());
            let report = &mut |info: SearchReport<_>| on_event(SearchEvent::Report(info));
            let run = deepening.run(&mut worker, Some(report));
            let has_ended =
                run.is_ok() || shared.nodes.load(Relaxed) >= most_nodes || control.is_over();
            if run.is_err() && has_ended {
                let has_changed = deepening.settle_unfinished_iteration();
                if deepening.depth == 1 {
                    let depth = deepening.settle_unfinished_first_iteration(&mut worker);
                    worker.report_best_moves(depth, &mut deepening.roots, 1, report);
                } else if has_changed {
                    // The unfinished iteration has changed the best move.
                    worker.report_best_moves(deepening.depth, &mut deepening.roots, 1, report);
                } else {
                    // The unfinished iteration may have changed the score of the best move.
                    worker.confirm_score(&mut deepening.roots, 0);
                }
            }
            *memory = Some(PausedThreadState {
                seldepth: worker.seldepth,
                move_history: worker.move_history,
                evaluations: worker.evaluations,
            });
            drop(end_helpers);
            if has_ended && limits.threads > 1 {
                let result = best_move_result(&deepening.roots, shared, faults);
                result.iter().for_each(|result| on_event(SearchEvent::Result(result)));
            }
            has_ended
        })
    }

    /// Returns how often the search of the next root move was interrupted.
    pub(super) fn interruption_count(&self) -> u32 {
        self.deepening.aspiration.as_ref().map_or(0, |aspiration| aspiration.interruption_count)
    }

    /// Returns the result of the search so far.
    pub(super) fn result(&self) -> Option<SearchResult<G::Move>> {
        best_move_result(&self.deepening.roots, &self.shared, &self.faults)
    }
}

/// Returns the result of a search whose best root move is the first of `roots`; `None` if there are
/// no root moves.
fn best_move_result<M: Copy>(
    roots: &[RootMove<M>],
    shared: &SharedSearchState,
    faults: &[Warning],
) -> Option<SearchResult<M>> {
    let best = roots.first()?;
    let score = (best.score > -INFINITE_SCORE || best.known.is_some())
        .then(|| known_winner::reported_score(shared, best, best.reported_score(), true).score);
    let nodes = shared.nodes.load(Relaxed);
    let result = SearchResult::from_pv(&best.pv, score, nodes)?;
    let table_hits = shared.table_hits.load(Relaxed);
    Some(SearchResult { table_hits, faults: faults.to_vec(), ..result })
}

/// The callback for reports.
type IterationReportFn<'a, M> = &'a mut dyn FnMut(SearchReport<M>);

/// The state of iterative deepening. The first of the root moves is the best one so far.
#[derive(Clone)]
struct IterativeDeepening<M> {
    roots: Vec<RootMove<M>>,
    /// The depth of the current iteration, or of the next one if none has begun.
    depth: i32,
    extension: SoftLimitExtension,
    /// The best move before the current iteration; `None` if no iteration has begun.
    best_before: Option<RootMove<M>>,
    /// The number of best moves that this iteration has already determined: 1 for the best move, 2
    /// for the best and the second best, and so on.
    rank: usize,
    /// The search for the move of rank `rank`, counted from 0; `None` if this search has not begun.
    aspiration: Option<AspirationSearch>,
}

impl<M: Copy + PartialEq> IterativeDeepening<M> {
    /// Chooses the best move of an unfinished iteration. Returns whether this move differs from the
    /// best move of the previous iteration.
    ///
    /// If the best move so far loses, a move that has not been searched yet may be better. In this
    /// case the best move of the previous iteration becomes the best move again, with its score.
    fn settle_unfinished_iteration(&mut self) -> bool {
        let Some(before) = self.best_before.as_ref() else { return false };
        let best = &self.roots[0];
        let is_lost = best.score < 0
            && (score::is_proven_score(best.score) || score::is_known_win_score(best.score));
        if self.rank == 0
            && is_lost
            && let Some(index) = self.roots.iter().position(|root| root.mv == before.mv)
        {
            self.roots[index] = before.clone();
            self.roots[..=index].rotate_right(1);
        }
        self.roots[0].mv != before.mv
    }

    /// Determines the best move and its score after an unfinished first iteration. The moves are
    /// compared by their expected values first. Moves with equal expected values are compared by
    /// their known values, or else by the scores of the search. A move with neither a known value
    /// nor a score of the search gets the static evaluation after the move. Returns the depth of
    /// the score: 0 for a static evaluation.
    fn settle_unfinished_first_iteration<G: Searchable<Move = M>>(
        &mut self,
        worker: &mut SearchWorker<G>,
    ) -> i32 {
        let roots = &mut self.roots;
        let uses_tables = worker.context.limits.use_tablebases;
        if uses_tables && roots.iter().all(|root| root.known.is_none()) {
            root_move::apply_values_by_rules_and_tables(worker.context, roots);
        }
        sort_by_key(roots, |root| (root.group, Reverse(root.expected)));
        let first = roots.iter_mut().find(|root| root.known.is_none());
        let unsearched = first.filter(|root| root.score == -INFINITE_SCORE);
        let evaluated = unsearched.map(|root| {
            root.score = worker.evaluate_move(root.mv);
            root.mv
        });
        sort_by_key(roots, |root| {
            let score = root.prefer_known_score(root.score);
            (root.group, Reverse(root.expected), Reverse(score))
        });
        i32::from(evaluated != Some(roots[0].mv))
    }

    /// Searches deeper and deeper until a limit is reached. Helpers have no `report`.
    ///
    /// # Errors
    /// If the search must end within an iteration. The next call continues the iteration.
    fn run<G: Searchable<Move = M>>(
        &mut self,
        worker: &mut SearchWorker<G>,
        mut report: Option<IterationReportFn<M>>,
    ) -> Result<(), SearchStopped> {
        let limits = worker.context.limits;
        worker.evaluate_root();
        let ranked = limits.multi_pv.min(self.roots.len());
        let max_depth = max_iteration_depth(limits.depth, limits.mate);
        while self.depth <= max_depth {
            let IterativeDeepening { roots, depth, extension, best_before, rank, aspiration } =
                self;
            if best_before.is_none() && worker.probe_root(roots, limits.multi_pv) {
                if let Some(report) = &mut report {
                    worker.report_best_moves(*depth, roots, ranked, &mut |info| {
                        let is_known = info.is_known || info.score == 0;
                        report(SearchReport { is_exact: true, is_known, ..info })
                    });
                }
                return Ok(());
            }
            let mv_before = match best_before {
                Some(before) => before.mv,
                None => {
                    let before = best_before.insert(roots[0].clone()).mv;
                    // A report can change the order of the moves.
                    sort_by_key(roots, |root| root.group);
                    before
                }
            };
            while *rank < ranked {
                search_group(worker, &mut roots[*rank..], *depth, aspiration)?;
                *rank += 1;
                *aspiration = None;
            }
            sort_by_key(&mut roots[..ranked], |root| {
                (Reverse(root.prefer_known_score(root.score)), root.group, Reverse(root.score))
            });
            if let Some(report) = &mut report {
                worker.report_best_moves(*depth, roots, ranked, report);
            }
            extension.update(CompletedIteration {
                depth: *depth,
                has_new_best_move: roots[0].mv != mv_before,
                score: roots[0].score,
                best_move_node_share: best_move_node_share(roots),
            });
            let is_past_soft_limit =
                || worker.context.control.is_past_soft_limit(extension.per_cent);
            if is_deeper_search_useless(worker, &roots[..ranked], *depth) || is_past_soft_limit() {
                return Ok(());
            }
            self.best_before = None;
            self.rank = 0;
            self.depth += 1;
        }
        Ok(())
    }
}

/// Returns the depth of the last iteration, in plies, if the search is limited to a depth or to a
/// win in `mate` moves.
fn max_iteration_depth(depth: Option<u32>, mate: Option<u32>) -> i32 {
    let limits = [depth, mate.map(|moves| moves.saturating_mul(2))];
    let limit = limits.into_iter().flatten().min();
    limit.map_or(MAX_SEARCH_PLIES, |plies| (plies as usize).min(MAX_SEARCH_PLIES)) as i32
}

/// Searches for the best of the moves that have the same group as the first move. `aspiration` is
/// the state of the search, if the search has begun.
///
/// # Errors
/// If the search must end.
fn search_group<G: Searchable>(
    worker: &mut SearchWorker<G>,
    rest: &mut [RootMove<G::Move>],
    depth: i32,
    aspiration: &mut Option<AspirationSearch>,
) -> Result<(), SearchStopped> {
    let group = rest[0].group;
    let size = rest.iter().take_while(|root| root.group == group).count();
    aspiration
        .get_or_insert_with(|| AspirationSearch::new(rest[0].score, depth))
        .search(worker, &mut rest[..size])
}

/// Returns the percentage of the nodes of all root moves that were searched below the best move,
/// the first of the list.
fn best_move_node_share<M>(roots: &[RootMove<M>]) -> u64 {
    let all_nodes: u64 = roots.iter().map(|root| root.nodes).sum();
    roots[0].nodes.saturating_mul(100) / all_nodes.max(1)
}

/// The facts about a completed iteration that determine how much time the search should take.
#[derive(Debug, Clone, Copy)]
struct CompletedIteration {
    depth: i32,
    /// Whether the best move differs from that of the previous iteration.
    has_new_best_move: bool,
    /// The score of the best move.
    score: i32,
    /// The share of the best move in the nodes of all iterations, in per cent.
    best_move_node_share: u64,
}

/// The extension of the soft time limit. The limit is longer while the best move changes or its
/// score falls. The limit is shorter if most nodes are below the best move, because the other moves
/// are then refuted quickly.
#[derive(Debug, Clone, Default)]
struct SoftLimitExtension {
    /// The extended limit in hundredths of the original one: [`MIN_SOFT_LIMIT_PER_CENT`] to 300.
    per_cent: u64,
    /// The hundredths that were added because the best move changed or its score fell: 0 to 200.
    instability: u64,
    /// The score of the last iteration.
    score: i32,
}

impl SoftLimitExtension {
    /// Updates the extension after an iteration.
    fn update(&mut self, iteration: CompletedIteration) {
        let CompletedIteration { depth, has_new_best_move, score, best_move_node_share } =
            iteration;
        let lost = if depth > 1 { (self.score - score).clamp(0, 100) as u64 } else { 0 };
        let kept = self.instability * 2 / 3;
        self.instability = (kept + if has_new_best_move { 60 } else { 0 } + lost).min(200);
        let stable_per_cent = u64::from(MIN_SOFT_LIMIT_PER_CENT) + (100 - best_move_node_share);
        self.per_cent = ((100 + self.instability) * stable_per_cent / 100).min(300);
        self.score = score;
    }
}

const MIN_ASPIRATION_DEPTH: i32 = 4;
/// The distance, in centipawns, from the score of the last search to each bound of a new aspiration
/// window.
const INITIAL_ASPIRATION_MARGIN: i32 = 25;
/// The maximum distance, in centipawns, from the score of the last search to a bound of an
/// aspiration window. If a bound would be further away, the window is open on this side.
const MAX_ASPIRATION_MARGIN: i32 = 700;

/// A search for the best of some root moves. The search begins with an aspiration window around the
/// score of the last search, and widens the window until the score is inside. The search can be
/// interrupted and resumed.
#[derive(Clone)]
pub(super) struct AspirationSearch {
    depth: i32,
    /// The lower bound of the window.
    alpha: i32,
    /// The upper bound of the window.
    beta: i32,
    /// The last shift of a window bound, in centipawns.
    margin: i32,
    /// The best score that this search has found with the current window.
    best: i32,
    /// The index of the next move in the list of moves to search.
    next: usize,
    /// The number of times that the search of the move at `next` was interrupted.
    interruption_count: u32,
}

impl AspirationSearch {
    /// Creates a search that has not begun. The aspiration window, if the search has one, is around
    /// `last`, the score of the last search.
    pub(super) fn new(last: i32, depth: i32) -> AspirationSearch {
        let has_window = depth >= MIN_ASPIRATION_DEPTH
            && last > -INFINITE_SCORE
            && !score::is_proven_score(last);
        let (alpha, beta) = if has_window {
            (last - INITIAL_ASPIRATION_MARGIN, last + INITIAL_ASPIRATION_MARGIN)
        } else {
            (-INFINITE_SCORE, INFINITE_SCORE)
        };
        AspirationSearch {
            depth,
            alpha,
            beta,
            margin: INITIAL_ASPIRATION_MARGIN,
            best: -INFINITE_SCORE,
            next: 0,
            interruption_count: 0,
        }
    }

    /// Searches with wider and wider windows until the score is inside. A move whose score is above
    /// the lower bound moves to the front of the list, with its score and principal variation. The
    /// other moves keep their order.
    ///
    /// # Errors
    /// If the search must end. If a better move was found before, this move is the first of the
    /// list. The next call continues with the move that was being searched.
    pub(super) fn search<G: Searchable>(
        &mut self,
        worker: &mut SearchWorker<G>,
        roots: &mut [RootMove<G::Move>],
    ) -> Result<(), SearchStopped> {
        loop {
            let searched = self.search_moves_in_window(worker, roots);
            worker.add_to_shared_node_count();
            searched?;
            self.margin *= 3;
            let AspirationSearch { alpha, beta, margin, best, .. } = *self;
            if best <= alpha && alpha > -INFINITE_SCORE {
                self.alpha =
                    if margin > MAX_ASPIRATION_MARGIN { -INFINITE_SCORE } else { best - margin };
            } else if best >= beta && beta < INFINITE_SCORE {
                self.beta =
                    if margin > MAX_ASPIRATION_MARGIN { INFINITE_SCORE } else { best + margin };
            } else {
                return Ok(());
            }
            self.best = -INFINITE_SCORE;
            self.next = 0;
        }
    }

    /// Searches the remaining moves with the current window.
    fn search_moves_in_window<G: Searchable>(
        &mut self,
        worker: &mut SearchWorker<G>,
        roots: &mut [RootMove<G::Move>],
    ) -> Result<(), SearchStopped> {
        let AspirationSearch { depth, beta, .. } = *self;
        for at in self.next..roots.len() {
            let mv = roots[at].mv;
            let reduction = if worker.exhaustive || at < 4 {
                0
            } else {
                pruning::late_move_reduction(&worker.parameters, depth, at, false) - 1
            };
            let window = SearchWindow {
                depth,
                ply: 0,
                alpha: self.alpha.max(self.best),
                beta,
                is_cut_node: false,
            };
            let known = roots[at].known.filter(|_| roots[at].is_determined);
            let searched = match known {
                Some(score) => Ok(score),
                None => {
                    let nodes_before = worker.thread_nodes();
                    let searched = worker.search_move(mv, window, reduction.max(0), at == 0);
                    roots[at].nodes += worker.thread_nodes() - nodes_before;
                    searched
                }
            };
            let score = searched.inspect_err(|_| {
                self.interruption_count = self.interruption_count.saturating_add(1)
            })?;
            self.next = at + 1;
            self.interruption_count = 0;
            self.best = self.best.max(score);
            if score > window.alpha {
                let root = &mut roots[at];
                root.score = score;
                if known.is_none() {
                    root.pv.clear();
                    root.pv.push(mv);
                    root.pv.extend_from_slice(&worker.pvs[1]);
                }
                roots[..=at].rotate_right(1);
            }
            if score >= beta {
                break;
            }
        }
        Ok(())
    }
}

/// Returns whether a deeper search gains nothing: the scores are proven, the requested win is
/// found, or there is only one move while a player's clock runs.
fn is_deeper_search_useless<G: Searchable>(
    worker: &SearchWorker<G>,
    ranked: &[RootMove<G::Move>],
    depth: i32,
) -> bool {
    let SearchContext { limits, control, .. } = *worker.context;
    let final_score = |root: &RootMove<_>| {
        root.is_known_best()
            || score::is_proven_score(root.score) && score::plies_to_end(root.score) <= depth
    };
    let mate_found = limits.mate.is_some_and(|moves| {
        let best = ranked[0].score;
        best > 0
            && score::is_proven_score(best)
            && score::plies_to_end(best) <= moves.saturating_mul(2) as i32
    });
    let only_move = limits.moves.len() == 1 && control.is_player_clock_running();
    mate_found || only_move || ranked.iter().all(final_score)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_extended_while_the_best_move_changes_or_its_score_falls() {
        let mut extension = SoftLimitExtension::default();
        let mut after = |depth, has_new_best_move, score| {
            let best_move_node_share = 60;
            extension.update(CompletedIteration {
                depth,
                has_new_best_move,
                score,
                best_move_node_share,
            });
            extension.per_cent
        };
        assert_eq!(after(1, false, 50), 100, "the first score has not fallen");
        assert_eq!(after(2, true, 50), 160, "another move");
        assert_eq!(
            after(3, false, 20),
            100 + 40 + 30,
            "two thirds of the extension are kept, and 30 centipawns lost"
        );
        assert_eq!(after(4, false, 90), 100 + 46, "a score that rises shortens nothing");
        assert_eq!(after(5, true, -900), 100 + 30 + 60 + 100, "a fall counts for 100 at most");
        assert_eq!(after(6, true, -2000), 300, "three times the limit at most");
    }

    #[test]
    fn time_is_shortened_if_most_nodes_are_below_the_best_move() {
        let per_cent = |best_nodes, other_nodes, has_new_best_move| {
            let mut roots = [RootMove::new('a'), RootMove::new('b'), RootMove::new('c')];
            [roots[0].nodes, roots[2].nodes] = [best_nodes, other_nodes];
            let mut extension = SoftLimitExtension::default();
            extension.update(CompletedIteration {
                depth: 9,
                has_new_best_move,
                score: 10,
                best_move_node_share: best_move_node_share(&roots),
            });
            extension.per_cent
        };
        assert_eq!(per_cent(95, 5, false), 65);
        assert_eq!(per_cent(30, 70, false), 130);
        assert_eq!(per_cent(95, 5, true), 104, "a new best move");
        assert_eq!(per_cent(7, 0, false), 60, "the only move");
        assert_eq!(per_cent(0, 0, false), 160, "moves with known values are not searched");
    }
}

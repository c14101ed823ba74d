//! One searching thread: its state, and the step of principal variation search.
//!
//! The search is fail-soft alpha-beta in the form of principal variation search (PVS, "NegaScout";
//! Marsland and Campbell, 1982; Reinefeld, 1983). Every move after the first is tried with a null
//! window. If a move turns out better than the moves before it, this move is searched again. The
//! module `node` searches the nodes below the root.
//!
//! Late moves are reduced, and singular moves are extended. Late moves near the leaves may be
//! pruned. A node may also be pruned if its evaluation is far above its bound, or if two of its
//! moves reach the bound. Yet a proven score is a proof (up to hash collisions). Only ends of games
//! and tablebases make a score proven, and no proven score rests on a pruned move. The distance to
//! mate of a proven score is the maximum number of plies that the winner needs. An exhaustive
//! search prunes nothing. Without a transposition table, its score at a depth is that of plain
//! negamax. With a transposition table, its score can also contain results of deeper searches.
//!
//! An entry of the transposition table does not show which positions its line of play passes. In
//! some games two positions can be equal for the repetition rule but different for the search, for
//! example in Alcaxar with different blocked walls. If a winning line passes three positions that
//! are equal for this rule, the game ends at the third of them, before the win. So in these games a
//! proven score is confirmed before it is reported (module `win_confirmation`).

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use pentarch_core::{
    GameHistory, GameTables, ProbeResult, ProbeWorkLimit, QuiescenceState, SearchParameters,
    Searchable, Side, TableValue,
};

use super::evaluation_cache::EvaluationCache;
use super::known_winner::{self, KnownWinner, ReportedScore};
use super::move_ordering::{MoveOrderingHistory, ScoredMove};
use super::proven_line;
use super::root_move::{self, RootGroup, RootMove};
use super::root_probe::{self, RootProbeOptions, TableValueCertainty};
use super::score::{self, MAX_SEARCH_PLIES};
use super::transposition::ScoreBound;
use super::win_confirmation::{self, ReportPreparationBudget};
use super::{SearchContext, SearchReport, pruning};

/// The error returned when the search must end.
#[derive(Debug)]
pub struct SearchStopped;

/// The state that all threads of a search share.
#[derive(Debug)]
pub struct SharedSearchState {
    /// The number of nodes that all threads have searched. Each thread adds its nodes from time to
    /// time, so the last few may be missing.
    pub nodes: AtomicU64,
    /// The maximum number of nodes.
    pub max_nodes: u64,
    /// The source of the exact values that the search uses.
    pub exact_values: ExactValueSource,
    /// The [repetition keys](GameHistory::repeated_keys) of the positions that have occurred twice
    /// before the search. The next occurrence of such a position ends the game.
    pub repeated: Vec<u64>,
    /// The limit up to which tablebase values are certain in this search.
    pub table_certainty: TableValueCertainty,
    /// The winner of the root position, if it is known from tables that do not store the distance
    /// to mate.
    pub known_winner: Option<KnownWinner>,
    /// The known score of the root position, if no move is known to reach it.
    pub unreached_score: Option<i32>,
    /// Whether the tables must still be computed. The search begins to compute them, and waits for
    /// them, at the first position that they may contain.
    pub tables_are_due: AtomicBool,
    /// The number of positions found in tablebases.
    pub table_hits: AtomicU64,
    /// Whether the main thread has ended its search.
    pub ended: AtomicBool,
}

impl SharedSearchState {
    /// Creates the shared state of a search that has not begun.
    pub fn new<G: Searchable>(
        context: &SearchContext<G>,
        exact_values: ExactValueSource,
    ) -> SharedSearchState {
        SharedSearchState {
            nodes: AtomicU64::new(0),
            max_nodes: context.limits.nodes.unwrap_or(u64::MAX),
            exact_values,
            repeated: if context.history.can_end_by_repetition() {
                context.history.repeated_keys()
            } else {
                Vec::new()
            },
            table_certainty: TableValueCertainty::for_game(context.history, context.tables),
            known_winner: None,
            unreached_score: None,
            tables_are_due: AtomicBool::new(
                exact_values == ExactValueSource::Tablebases && context.waits_for_tables(),
            ),
            table_hits: AtomicU64::new(0),
            ended: AtomicBool::new(false),
        }
    }
}

/// The sources from which a search takes exact values while the game is not over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExactValueSource {
    /// Tablebases, and values that can be computed without a table.
    Tablebases,
    /// Only values that can be computed quickly without a table.
    Computed,
    /// No source: only an end of the game has an exact value.
    Unused,
}

/// The amount of work between two checks of the clock. A node counts as one unit of work, and every
/// [`MOVES_PER_WORK_UNIT`] of its moves as one more unit.
const CLOCK_CHECK_INTERVAL_WORK_UNITS: u64 = 128;
/// The units of work of a node if the exact value of its position may be computed, which [may take
/// a while](super::pruning::MIN_EXACT_VALUE_DEPTH).
pub const EXACT_VALUE_WORK_UNITS: u64 = 16;
/// The number of generated moves that count as one unit of work.
pub const MOVES_PER_WORK_UNIT: usize = 32;

/// The data of a thread that a search in [slices](super::sliced_search) keeps between two slices.
pub struct PausedThreadState<G: Searchable> {
    /// The greatest depth reached, in plies (`seldepth` of an `info` line).
    pub(super) seldepth: usize,
    /// The history of moves, for move ordering.
    pub(super) move_history: MoveOrderingHistory<G>,
    /// The cached evaluations of positions.
    pub(super) evaluations: EvaluationCache,
}

/// The state of one thread.
pub struct SearchWorker<'a, G: Searchable> {
    pub(super) rules: &'a G,
    pub(super) tables: &'a G::Tables,
    pub(super) context: &'a SearchContext<'a, G>,
    pub(super) shared: &'a SharedSearchState,
    pub(super) history: GameHistory<G>,
    /// The parameters of pruning and reductions.
    pub(super) parameters: SearchParameters,
    /// Whether the search prunes and reduces no move. If an exhaustive search finds no win at a
    /// depth, no win exists within this depth.
    pub(super) exhaustive: bool,
    /// The deepest ply reached (selective depth).
    pub(super) seldepth: usize,
    /// The units of work since the last check of the clock.
    work: u64,
    /// The number of nodes that this thread has added to the shared count.
    counted_nodes: u64,
    /// The number of nodes that this thread has searched but not yet added to the shared count.
    pub(super) uncounted_nodes: u64,
    /// The concatenated move lists of the nodes from the root to the current node.
    pub(super) moves: Vec<G::Move>,
    /// The same moves as in `moves`, with their ordering scores.
    pub(super) scored: Vec<ScoredMove>,
    pub(super) move_history: MoveOrderingHistory<G>,
    /// The static evaluations of quiet positions.
    pub(super) evaluations: EvaluationCache,
    /// The search stack: one entry for each node from the root to the current one.
    pub(super) stack: Vec<SearchStackEntry>,
    /// The principal variations of the nodes from the root to the current one (triangular table).
    pub(super) pvs: Vec<Vec<G::Move>>,
}

/// The entry of a node in the search stack.
#[derive(Debug, Clone, Copy, Default)]
pub struct SearchStackEntry {
    /// The history index of the move that led to the node; `None` after a null move and at the
    /// root.
    pub history_index: Option<usize>,
    /// The static evaluation; `None` if the position is forced.
    pub evaluation: Option<i32>,
}

/// The alpha-beta window of a node, with its depth and its ply.
#[derive(Debug, Clone, Copy)]
pub struct SearchWindow {
    /// The remaining depth in plies; 0 or less in the quiescence search.
    pub depth: i32,
    /// The distance from the root in plies.
    pub ply: usize,
    /// The lower bound: the score that the side to move can already reach by other moves.
    pub alpha: i32,
    /// The upper bound: at this score or above, the opponent avoids the node.
    pub beta: i32,
    /// Whether a score of at least `beta` is expected (a cut node, type 2 of Knuth and Moore,
    /// 1975).
    pub is_cut_node: bool,
}

impl SearchWindow {
    /// Returns whether this is a null window. A null window only shows whether the score is above
    /// `alpha`.
    pub fn is_null(&self) -> bool {
        self.beta - self.alpha == 1
    }

    /// Returns whether the exact value of the node may be computed even if that takes a while.
    /// After a move of the root, the value may be computed at any depth, so that reports contain
    /// all known values. But once a win in one move has been found, the values of later moves do
    /// not matter.
    pub fn allows_thorough_probe(&self) -> bool {
        self.depth >= pruning::MIN_EXACT_VALUE_DEPTH
            || self.ply == 1 && self.beta > -score::win_score_at_ply(1)
    }

    /// Returns the window of a child node. `reduction` is the number of plies by which the depth of
    /// the child is reduced. `again` states whether the same side is to move again in the child.
    #[inline]
    pub fn child(&self, reduction: i32, again: bool) -> SearchWindow {
        let (alpha, beta) = if again { (self.alpha, self.beta) } else { (-self.beta, -self.alpha) };
        let is_cut_node = self.is_null() && self.is_cut_node == again;
        SearchWindow {
            depth: self.depth - 1 - reduction,
            ply: self.ply + 1,
            alpha,
            beta,
            is_cut_node,
        }
    }

    /// Returns whether a score from a search with this window is a lower bound, an upper bound, or
    /// exact.
    #[inline]
    pub fn bound_of_score(&self, score: i32) -> ScoreBound {
        match score {
            _ if score >= self.beta => ScoreBound::Lower,
            _ if score > self.alpha => ScoreBound::Exact,
            _ => ScoreBound::Upper,
        }
    }

    /// Returns the null window above `alpha`.
    pub fn null_window(&self) -> SearchWindow {
        SearchWindow { beta: self.alpha + 1, ..*self }
    }
}

impl<'a, G: Searchable> SearchWorker<'a, G> {
    /// Creates a search thread. `memory` is the data of this thread at the end of the last slice of
    /// the search; `None` if there was no slice before.
    pub fn new(
        context: &'a SearchContext<'a, G>,
        shared: &'a SharedSearchState,
        memory: Option<PausedThreadState<G>>,
    ) -> SearchWorker<'a, G> {
        let SearchContext { history, tables, limits, .. } = *context;
        let PausedThreadState { seldepth, move_history, evaluations } =
            memory.unwrap_or_else(|| PausedThreadState {
                seldepth: 0,
                move_history: MoveOrderingHistory::new(MAX_SEARCH_PLIES + 1),
                evaluations: EvaluationCache::new(G::CACHES_EVALUATIONS),
            });
        SearchWorker {
            rules: history.rules(),
            tables,
            context,
            shared,
            history: history.clone(),
            parameters: limits.parameters.as_deref().copied().unwrap_or(G::SEARCH_PARAMETERS),
            exhaustive: limits.mate.is_some(),
            seldepth,
            work: 0,
            counted_nodes: 0,
            uncounted_nodes: 0,
            moves: Vec::new(),
            scored: Vec::new(),
            move_history,
            evaluations,
            stack: vec![SearchStackEntry::default(); MAX_SEARCH_PLIES + 2],
            pvs: vec![Vec::new(); MAX_SEARCH_PLIES + 2],
        }
    }

    /// Evaluates the root position and stores the evaluation on the search stack. The search
    /// compares the evaluations below the root with the evaluation of the root.
    pub fn evaluate_root(&mut self) {
        let position = *self.history.position();
        let cache = self.rules.compute_eval_data(&position);
        self.stack[0].evaluation = match self.rules.quiescence_state(&position, &cache) {
            QuiescenceState::Forced => None,
            _ => self
                .tablebase_estimate(&position)
                .or_else(|| Some(self.rules.evaluate(&position, &cache))),
        };
    }

    /// Tries to confirm the score of the root move at `index`. Returns `false` if the score is
    /// proven but not confirmed, and `true` in all other cases.
    pub fn confirm_score(&self, roots: &mut [RootMove<G::Move>], index: usize) -> bool {
        let nodes = self.shared.nodes.load(Relaxed);
        self.confirm_score_within_budget(
            &mut ReportPreparationBudget::for_confirming_scores(nodes),
            roots,
            index,
        )
    }

    fn confirm_score_within_budget(
        &self,
        budget: &mut ReportPreparationBudget,
        roots: &mut [RootMove<G::Move>],
        index: usize,
    ) -> bool {
        let score = roots[index].score;
        if roots[index].confirmed == Some(score) {
            return true;
        }
        let repeated = &self.shared.repeated;
        let is_confirmed = win_confirmation::is_proven_score_confirmed(
            self.context,
            repeated,
            budget,
            roots,
            index,
        );
        // If a later move is confirmed to lose, the moves before it need not lose. So its loss is
        // not stored as confirmed.
        if is_confirmed && (index == 0 || score > 0) {
            roots[index].confirmed = Some(score);
        }
        is_confirmed
    }

    /// Prepares the first `lines` root moves for a report. Confirms the scores of these moves, and
    /// completes the principal variations that belong to proven scores. Sorts the moves again,
    /// because a completed variation can be shorter than the score says. Returns for each of these
    /// moves whether its score was confirmed or needs no confirmation.
    fn prepare_root_moves_for_report(
        &self,
        roots: &mut [RootMove<G::Move>],
        lines: usize,
    ) -> Vec<bool> {
        let nodes = self.shared.nodes.load(Relaxed);
        let budget = &mut ReportPreparationBudget::for_confirming_scores(nodes);
        let line_budget = &mut ReportPreparationBudget::for_completing_lines(nodes);
        let mut confirmed = Vec::new();
        for index in 0..lines {
            let is_confirmed = self.confirm_score_within_budget(budget, roots, index);
            if is_confirmed && !roots[index].is_determined {
                line_budget.begin_line(lines - index);
                let repeated = &self.shared.repeated;
                proven_line::complete_proven_line(
                    self.context,
                    repeated,
                    line_budget,
                    roots,
                    index,
                );
            }
            confirmed.push(is_confirmed);
            let shown = |root: &RootMove<_>| root.prefer_known_score(root.stored_line_score());
            let score = shown(&roots[index]);
            if let Some(place) = (0..index).find(|&at| shown(&roots[at]) < score) {
                roots[place..=index].rotate_right(1);
                confirmed[place..=index].rotate_right(1);
            }
        }
        confirmed
    }

    /// Reports the first `lines` root moves, the best one first, after a search to this depth.
    pub fn report_best_moves(
        &self,
        depth: i32,
        roots: &mut [RootMove<G::Move>],
        lines: usize,
        report: &mut dyn FnMut(SearchReport<G::Move>),
    ) {
        for (at, is_confirmed) in
            self.prepare_root_moves_for_report(roots, lines).into_iter().enumerate()
        {
            let root = &mut roots[at];
            let is_determined = root.is_determined;
            let score = score::reportable_score(root.stored_line_score(), is_confirmed);
            let score = root.prefer_known_score(score);
            let is_exact = score == 0 && self.is_known_drawing_move(root);
            let is_drawn_position = is_exact && matches!(root.group, RootGroup::Best(_));
            let reported = known_winner::reported_score(self.shared, root, score, at == 0);
            let pv = if root.known == Some(score) {
                root_move::known_line(self.context, root)
            } else {
                &root.pv
            };
            let ReportedScore { score, is_known, table_rank, move_score } = reported;
            let line = if is_determined { pv.len() } else { 0 };
            report(SearchReport {
                depth,
                seldepth: self.seldepth.max(line),
                rank: at + 1,
                score,
                is_known: is_known || is_drawn_position,
                table_rank,
                move_score,
                is_exact,
                nodes: self.shared.nodes.load(Relaxed),
                table_hits: self.shared.table_hits.load(Relaxed),
                ..self.context.report_for_line(pv)
            });
        }
    }

    /// Returns whether the move is known to draw: by its known value, by the rules or by the
    /// tables.
    fn is_known_drawing_move(&self, root: &RootMove<G::Move>) -> bool {
        if root.known == Some(0) {
            return true;
        }
        if self.shared.exact_values != ExactValueSource::Tablebases {
            return false;
        }
        let mut next = self.history.clone();
        next.push(root.mv);
        if let Some(outcome) = next.outcome() {
            return outcome.winner().is_none();
        }
        let limit = ProbeWorkLimit::FromFiles;
        let probed = self.rules.probe_tables(self.tables, next.position(), limit);
        probed == Some(ProbeResult::Value(TableValue::Draw))
    }

    /// Probes the tables for this position. If the search must wait for tables, waits for the
    /// tables that may contain the position and are still being computed.
    pub fn probe_tables(
        &self,
        position: &G::Position,
        limit: ProbeWorkLimit,
    ) -> Option<ProbeResult> {
        self.await_tables(position);
        self.rules.probe_tables(self.tables, position, limit)
    }

    fn await_tables(&self, position: &G::Position) {
        if self.shared.tables_are_due.load(Relaxed) && self.tables.may_contain_position(position) {
            self.tables.begin_computing_tables();
            self.tables.wait_until_computed(&|| self.context.control.is_over());
            self.shared.tables_are_due.store(false, Relaxed);
        }
    }

    /// Sets the exact scores of these root moves and sorts the moves, best first. Does nothing if
    /// tablebases do not know all of these moves. The first `lines` moves also get a principal
    /// variation. Returns whether every move was known. If the search must end, only tables in
    /// memory are probed, and no principal variations are computed.
    pub fn probe_root(&mut self, moves: &mut [RootMove<G::Move>], lines: usize) -> bool {
        let SharedSearchState { exact_values, table_certainty, .. } = *self.shared;
        if self.shared.tables_are_due.load(Relaxed) {
            moves.iter().for_each(|root| {
                self.await_tables(&self.rules.play(self.history.position(), root.mv))
            });
        }
        let is_over = || self.context.control.is_over();
        let mut rank = |limit, lines, is_over: &dyn Fn() -> bool| {
            root_probe::score_root_moves_by_tables(
                &mut self.history,
                self.tables,
                moves,
                table_certainty,
                RootProbeOptions { limit, lines },
                is_over,
            )
        };
        let found = exact_values == ExactValueSource::Tablebases
            && G::SIDES_ALTERNATE
            && (rank(ProbeWorkLimit::Thorough, lines, &is_over)
                || is_over() && rank(ProbeWorkLimit::Quick, 0, &|| false));
        if found {
            let plies = |root: &RootMove<G::Move>| {
                if score::is_proven_score(root.score) {
                    score::plies_to_end(root.score) as usize
                } else {
                    root.pv.len()
                }
            };
            self.seldepth = moves.iter().map(plies).max().unwrap_or(0);
            self.uncounted_nodes += (moves.len() as u64).min(self.shared.max_nodes);
            self.shared.table_hits.fetch_add(moves.len() as u64, Relaxed);
            self.add_to_shared_node_count();
        }
        found
    }

    /// Returns the score of a root move without a search. If the move ends the game, the score is
    /// that of the outcome. Otherwise the score is the static evaluation of the position after the
    /// move, before the opponent replies.
    ///
    /// # Errors
    /// If the search must end.
    pub fn static_score_after_move(&mut self, mv: G::Move) -> Result<i32, SearchStopped> {
        self.check_limits(1)?;
        self.uncounted_nodes += 1;
        Ok(self.evaluate_move(mv))
    }

    /// Returns the score of a root move without a search, and does not count the move as a node.
    pub fn evaluate_move(&mut self, mv: G::Move) -> i32 {
        let side = self.history.side_to_move();
        self.history.push(mv);
        let position = self.history.position();
        let score = match self.history.outcome() {
            Some(outcome) => score::outcome_score(outcome, side, score::win_score_at_ply(1)),
            None => {
                let score = self.rules.evaluate(position, &self.rules.compute_eval_data(position));
                if self.has_another_turn(side) { score } else { -score }
            }
        };
        self.history.pop();
        score
    }

    /// Searches a move and returns its score for the side that makes it. The score is exact if it
    /// is inside the window, otherwise a bound.
    ///
    /// This is the step of principal variation search. The first move is searched with the full
    /// window. Every other move is first searched with a null window, at a lower depth if there is
    /// a reduction. If its score exceeds `alpha`, the move is searched again at full depth, still
    /// with the null window. If the score is then also below `beta`, the move is searched a last
    /// time with the full window.
    pub(super) fn search_move(
        &mut self,
        mv: G::Move,
        window: SearchWindow,
        reduction: i32,
        first: bool,
    ) -> Result<i32, SearchStopped> {
        let SearchWindow { ply, alpha, beta, .. } = window;
        self.stack[ply + 1].history_index = Some(self.rules.history_table_index(mv));
        let side = self.history.side_to_move();
        self.history.push(mv);
        let again = self.has_another_turn(side);
        let mut result = Ok(alpha + 1);
        if reduction > 0 {
            // A late move is expected to fail, even in a node where the first move was expected to
            // cut off. So the opponent is expected to have a refutation: the child is a cut node.
            let mut reduced = window.null_window().child(reduction, again);
            reduced.is_cut_node = !again;
            result = self.search_child(reduced, again);
        }
        if !first && matches!(result, Ok(score) if score > alpha) {
            result = self.search_child(window.null_window().child(0, again), again);
        }
        if first || matches!(result, Ok(score) if score > alpha && score < beta) {
            result = self.search_child(window.child(0, again), again);
        }
        self.history.pop();
        result
    }

    /// Returns whether `mover`, which has just moved, is to move again. If the sides alternate, the
    /// result is known at compile time.
    #[inline]
    fn has_another_turn(&self, mover: Side) -> bool {
        !G::SIDES_ALTERNATE && self.history.side_to_move() == mover
    }

    /// Searches the current position, a child node, with its window. Returns the score for the side
    /// to move in the parent.
    #[inline]
    fn search_child(&mut self, window: SearchWindow, again: bool) -> Result<i32, SearchStopped> {
        let result = self.search(window);
        if again { result } else { result.map(|score| -score) }
    }

    /// Checks whether the search must end, after `work` further units of work. The clock is read
    /// only after every [`CLOCK_CHECK_INTERVAL_WORK_UNITS`] units.
    ///
    /// # Errors
    /// If the search must end.
    pub(super) fn check_limits(&mut self, work: u64) -> Result<(), SearchStopped> {
        self.work += work;
        let control = self.context.control;
        let SharedSearchState { nodes, max_nodes, ended, .. } = self.shared;
        if self.work >= CLOCK_CHECK_INTERVAL_WORK_UNITS {
            self.add_to_shared_node_count();
            self.work = 0;
            if control.is_over() || control.is_slice_over() {
                return Err(SearchStopped);
            }
        }
        let searched = || nodes.load(Relaxed) + self.uncounted_nodes;
        if control.is_stopped() || ended.load(Relaxed) || searched() >= *max_nodes {
            // At least one node is searched, so that there is a report on the best move.
            return if searched() > 0 { Err(SearchStopped) } else { Ok(()) };
        }
        Ok(())
    }

    /// Adds to the shared count the nodes that this thread has searched since the last call.
    pub fn add_to_shared_node_count(&mut self) {
        let nodes = std::mem::take(&mut self.uncounted_nodes);
        self.counted_nodes += nodes;
        self.shared.nodes.fetch_add(nodes, Relaxed);
    }

    /// Returns the number of nodes that this thread has searched.
    pub(super) fn thread_nodes(&self) -> u64 {
        self.counted_nodes + self.uncounted_nodes
    }
}

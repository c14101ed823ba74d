//! The search of one node below the root. This module uses values that are known without a search,
//! and prunes the node. The [move loop](super::move_loop) searches its moves.

use std::cell::OnceCell;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;

use pentarch_core::{
    Evaluate, HasTurn, Outcome, ProbeResult, ProbeWorkLimit, QuiescenceState, Searchable,
    TableValue,
};

use super::move_loop::MoveSubset;
use super::pruning;
use super::score::{self, INFINITE_SCORE, MAX_SEARCH_PLIES};
use super::search_worker::{
    EXACT_VALUE_WORK_UNITS, ExactValueSource, SearchStopped, SearchWindow, SearchWorker,
};
use super::transposition::{ScoreBound, TranspositionEntry};

/// The maximum number of plies that quiescence search adds while the position is not quiet.
const MAX_QUIESCENCE_PLIES: i32 = 8;

/// A node of the search tree, with the facts that are known before its moves are tried.
pub(super) struct SearchNode<G: Evaluate> {
    pub(super) position: G::Position,
    /// The data for evaluation and move ordering. It is computed when it is first needed, because a
    /// node with a cached evaluation is often pruned without it.
    eval_data: OnceCell<G::PositionEvalData>,
    pub(super) quiescence_state: QuiescenceState,
    /// The entry of the transposition table.
    entry: Option<TranspositionEntry>,
}

impl<G: Evaluate> SearchNode<G> {
    pub(super) fn eval_data(&self, rules: &G) -> &G::PositionEvalData {
        self.eval_data.get_or_init(|| rules.compute_eval_data(&self.position))
    }

    pub(super) fn hash_move_index(&self) -> Option<u32> {
        self.entry.and_then(|entry| entry.best)
    }
}

/// The result of searching all moves of a node except the move of the transposition table.
enum SingularMoveVerdict {
    /// The move of the transposition table should be searched this number of plies deeper. The
    /// number is negative if the move should be searched less deep.
    Extension(i32),
    /// The node is cut off, and the move of the transposition table is not searched. The score of
    /// the node is at least this number, which is at least `beta`.
    MultiCut(i32),
}

impl<G: Searchable> SearchWorker<'_, G> {
    /// Returns the score of the current position for its side to move. The score is exact inside
    /// the window, otherwise a bound.
    pub(super) fn search(&mut self, mut window: SearchWindow) -> Result<i32, SearchStopped> {
        let SearchWindow { depth, ply, .. } = window;
        self.pvs[ply].clear();
        self.seldepth = self.seldepth.max(ply);
        // Searching a node of the quiescence search again takes little time, so such a node gets no
        // entry in the transposition table.
        let key = (depth > 0).then(|| self.rules.search_key(self.history.position()));
        if let Some(key) = key {
            self.context.table.prefetch(key);
        }
        self.check_limits(if window.allows_thorough_probe() { EXACT_VALUE_WORK_UNITS } else { 1 })?;
        self.uncounted_nodes += 1;
        if let Some(score) = self.score_without_search(window) {
            return Ok(score);
        }
        // Mate distance pruning: at the earliest, the side to move loses at this node or wins with
        // its next move.
        window.alpha = window.alpha.max(-score::win_score_at_ply(ply));
        window.beta = window.beta.min(score::win_score_at_ply(ply + 1));
        if window.alpha >= window.beta {
            return Ok(window.alpha);
        }
        let node = match self.examine_node_before_moves(key, window) {
            ControlFlow::Break(score) => return Ok(score),
            ControlFlow::Continue(node) => node,
        };
        // Internal iterative reduction (E. Schröder, 2021): without a move that is known to be
        // good, a search takes long. So this search is a ply less deep, and the next search of the
        // node has a good move to begin with.
        if G::EXTENDS_SINGULAR_MOVES
            && node.hash_move_index().is_none()
            && depth >= pruning::MIN_ITERATIVE_REDUCTION_DEPTH
            && !self.exhaustive
        {
            window.depth -= 1;
        }
        if let Some(score) = self.prune_node(&node, window)? {
            return Ok(score);
        }
        let extension = match self.test_singular_move(&node, window)? {
            SingularMoveVerdict::Extension(extension) => extension,
            SingularMoveVerdict::MultiCut(score) => return Ok(score),
        };
        let (best, best_move) = self.search_moves(&node, window, MoveSubset::All { extension })?;
        if let Some(key) = key {
            let score = score::score_to_transposition_table(best, ply);
            // If no move raised `alpha`, the best move of the old table entry is still the best
            // guess.
            let best_move = best_move.or(node.hash_move_index());
            let bound = window.bound_of_score(best);
            let entry = TranspositionEntry { score, depth: window.depth, bound, best: best_move };
            self.context.table.put(key, entry);
        }
        Ok(best)
    }

    /// Examines a node before its moves are tried, and evaluates it. Breaks with the score of the
    /// node if the score is known without a search of moves. `key` is `None` in the quiescence
    /// search.
    #[inline]
    fn examine_node_before_moves(
        &mut self,
        key: Option<u64>,
        window: SearchWindow,
    ) -> ControlFlow<i32, SearchNode<G>> {
        let SearchWindow { depth, ply, .. } = window;
        let rules = self.rules;
        let position = *self.history.position();
        let estimate = self.tablebase_estimate(&position);
        if estimate.is_some() {
            self.shared.table_hits.fetch_add(1, Relaxed);
        }
        if let Some(score) = estimate.filter(|_| depth <= 0) {
            return ControlFlow::Break(score);
        }
        let cache_key = if G::CACHES_EVALUATIONS {
            key.unwrap_or_else(|| rules.search_key(&position))
        } else {
            0
        };
        let cached = if G::CACHES_EVALUATIONS { self.evaluations.get(cache_key) } else { None };
        let is_at_end = ply >= MAX_SEARCH_PLIES;
        // The cache contains only evaluations of quiet positions.
        if let Some(evaluation) = cached.filter(|_| depth <= 0 || is_at_end) {
            return ControlFlow::Break(evaluation);
        }
        let eval_data = OnceCell::new();
        let mut quiescence_state = QuiescenceState::Quiet;
        let mut evaluation = estimate.or(cached);
        if cached.is_none() {
            let data = eval_data.get_or_init(|| rules.compute_eval_data(&position));
            quiescence_state = rules.quiescence_state(&position, data);
            if quiescence_state == QuiescenceState::Noisy
                && let Some(mv) = rules.find_immediate_win(&position, data)
            {
                self.pvs[ply].push(mv);
                return ControlFlow::Break(score::win_score_at_ply(ply + 1));
            }
            if is_at_end
                || depth <= -MAX_QUIESCENCE_PLIES
                || depth <= 0 && quiescence_state == QuiescenceState::Quiet
            {
                let evaluation = self.evaluate(cache_key, &position, quiescence_state, data);
                return ControlFlow::Break(evaluation);
            }
        }
        let entry = key.and_then(|key| self.context.table.get(key));
        if let Some(entry) = entry.filter(|entry| entry.depth >= depth && window.is_null()) {
            let score = score::score_from_transposition_table(entry.score, ply);
            if entry.bound.decides_beta_comparison(score, window.beta) {
                return ControlFlow::Break(score);
            }
        }
        if quiescence_state == QuiescenceState::Forced {
            evaluation = None;
        } else if evaluation.is_none()
            && let Some(data) = eval_data.get()
        {
            evaluation = Some(self.evaluate(cache_key, &position, quiescence_state, data));
        }
        self.stack[ply].evaluation = evaluation;
        ControlFlow::Continue(SearchNode { position, eval_data, quiescence_state, entry })
    }

    /// Evaluates a position statically. Caches the evaluation if the position is quiet and the game
    /// caches evaluations.
    fn evaluate(
        &mut self,
        key: u64,
        position: &G::Position,
        quiescence_state: QuiescenceState,
        eval_data: &G::PositionEvalData,
    ) -> i32 {
        let evaluation = self.rules.evaluate(position, eval_data);
        if G::CACHES_EVALUATIONS && quiescence_state == QuiescenceState::Quiet {
            self.evaluations.put(key, evaluation);
        }
        evaluation
    }

    /// Tries to cut off the node without a full search of its moves. Returns a score of at least
    /// `beta` if the node is cut off, otherwise `None`.
    fn prune_node(
        &mut self,
        node: &SearchNode<G>,
        window: SearchWindow,
    ) -> Result<Option<i32>, SearchStopped> {
        let SearchWindow { depth, ply, alpha, beta, .. } = window;
        let Some(evaluation) = self.stack[ply].evaluation else { return Ok(None) };
        if depth <= 0 {
            // The bound of `stand pat`: the search assumes that some quiet move preserves the
            // evaluation.
            return Ok((evaluation >= beta).then_some(evaluation));
        }
        let must_be_sound = self.exhaustive
            || !window.is_null()
            || score::is_proven_score(alpha)
            || score::is_proven_score(beta);
        if must_be_sound || node.quiescence_state != QuiescenceState::Quiet || evaluation < beta {
            return Ok(None);
        }
        // Reverse futility pruning.
        if let Some(margin) = pruning::reverse_futility_margin(&self.parameters, depth)
            && evaluation - margin >= beta
        {
            return Ok(Some(evaluation));
        }
        // Null move pruning (Goetsch and Campbell, 1990): if passing the turn is good enough, some
        // move is also good enough. There are never two null moves in a row.
        let after_null_move = ply > 0 && self.stack[ply].history_index.is_none();
        if depth < pruning::MIN_NULL_MOVE_DEPTH || after_null_move {
            return Ok(None);
        }
        let Some(after) = self.rules.position_after_null_move(&node.position) else {
            return Ok(None);
        };
        self.stack[ply + 1].history_index = None;
        self.history.push_null_move(after);
        let result =
            self.search(window.child(pruning::null_move_reduction(&self.parameters, depth), false));
        self.history.pop();
        let score = -result?;
        // A win found after a null move is not a proven win, so only `beta` is returned.
        Ok((score >= beta).then_some(if score::is_proven_score(score) { beta } else { score }))
    }

    /// Searches for a singular move (singular extensions; Anantharaman, Campbell and Hsu, 1990).
    /// All moves except that of the transposition table are searched to half the depth. If these
    /// moves are clearly worse, much depends on the move of the table, so this move is searched
    /// deeper.
    ///
    /// Two other results are possible. If another move is also good enough for a cutoff, the node
    /// is cut off (multi-cut; Björnsson and Marsland, 1999). If the move of the table is expected
    /// to cut off, and some other move is almost as good, the move of the table is searched less
    /// deep.
    fn test_singular_move(
        &mut self,
        node: &SearchNode<G>,
        window: SearchWindow,
    ) -> Result<SingularMoveVerdict, SearchStopped> {
        let SearchWindow { depth, ply, .. } = window;
        let none = Ok(SingularMoveVerdict::Extension(0));
        let has_depth = (pruning::MIN_SINGULAR_DEPTH..).contains(&depth)
            && (1..pruning::MAX_EXTENSION_PLY).contains(&ply);
        if !G::EXTENDS_SINGULAR_MOVES || self.exhaustive || !has_depth {
            return none;
        }
        let Some(TranspositionEntry { score, depth: known_depth, bound, best: Some(hash_move) }) =
            node.entry
        else {
            return none;
        };
        let is_known = known_depth >= depth - pruning::MAX_SINGULAR_ENTRY_DEPTH_GAP
            && bound != ScoreBound::Upper;
        if !is_known || score::is_proven_score(score) {
            return none;
        }
        let beta = score - pruning::singular_extension_margin(depth);
        let others = SearchWindow {
            depth: pruning::singular_search_depth(depth),
            alpha: beta - 1,
            beta,
            ..window
        };
        let (best, _) = self.search_moves(node, others, MoveSubset::AllBut(hash_move))?;
        self.pvs[ply].clear();
        Ok(match best {
            // A node with only one legal move has its own extension.
            _ if best == -INFINITE_SCORE => SingularMoveVerdict::Extension(0),
            _ if best < beta => SingularMoveVerdict::Extension(1),
            _ if beta >= window.beta => SingularMoveVerdict::MultiCut(beta),
            _ => SingularMoveVerdict::Extension(if score >= window.beta { -1 } else { 0 }),
        })
    }

    /// Returns whether the static evaluation is better than at the last turn of the side to move.
    /// If the position was forced at that turn, the turn before it is used.
    pub(super) fn is_improving(&self, ply: usize) -> bool {
        if !G::SIDES_ALTERNATE {
            return false;
        }
        let before =
            |plies: usize| ply.checked_sub(plies).and_then(|ply| self.stack[ply].evaluation);
        let earlier = before(2).or_else(|| before(4));
        matches!((self.stack[ply].evaluation, earlier), (Some(now), Some(earlier)) if now > earlier)
    }

    /// Returns the score of a position that need not be searched: the game is over, the position
    /// repeats an earlier one, or its exact value is known.
    fn score_without_search(&self, window: SearchWindow) -> Option<i32> {
        let ply = window.ply;
        let rules = self.rules;
        let position = self.history.position();
        if let Some(outcome) = rules.outcome(position) {
            return Some(score::outcome_score(
                outcome,
                position.side_to_move(),
                score::win_score_at_ply(ply),
            ));
        }
        if let Some(score) = self.repetition_score(ply) {
            return Some(score);
        }
        let limit = match self.shared.exact_values {
            ExactValueSource::Tablebases if window.allows_thorough_probe() => {
                ProbeWorkLimit::Thorough
            }
            ExactValueSource::Tablebases if ply <= 2 => ProbeWorkLimit::FromFiles,
            ExactValueSource::Tablebases => ProbeWorkLimit::Quick,
            ExactValueSource::Computed => ProbeWorkLimit::Computed,
            ExactValueSource::Unused => return None,
        };
        let score = match self.probe_tables(position, limit)? {
            ProbeResult::Value(value)
                if !self.shared.table_certainty.is_value_certain(&self.history, value) =>
            {
                return None;
            }
            ProbeResult::Value(TableValue::Win(plies)) => {
                score::win_score_at_ply(ply + plies as usize)
            }
            ProbeResult::Value(TableValue::Draw) => 0,
            ProbeResult::Value(TableValue::Loss(plies)) => {
                -score::win_score_at_ply(ply + plies as usize)
            }
            // The search already knows the winner of the root. It must find out how the winner
            // wins, which this score does not show.
            ProbeResult::Lost(_) if self.exhaustive || self.shared.known_winner.is_some() => {
                return None;
            }
            ProbeResult::Lost(_) => -score::known_win_score_at_ply(ply),
            ProbeResult::Similar(_) => return None,
        };
        self.shared.table_hits.fetch_add(1, Relaxed);
        Some(score)
    }

    /// Returns the score of a position that has occurred before, if the repetition decides the
    /// score; otherwise `None`.
    fn repetition_score(&self, ply: usize) -> Option<i32> {
        let position = self.history.position();
        // If both earlier occurrences are at the root or before it, they are on every path to this
        // position. So the third occurrence decides the game on every path. The history alone does
        // not show all earlier occurrences: after a null move, it hides the positions before this
        // move. But through the transposition table, other paths use scores that were found after a
        // null move.
        let repeated = &self.shared.repeated;
        let is_certain =
            !repeated.is_empty() && repeated.binary_search(&self.history.repetition_key()).is_ok();
        let mut earlier = self.history.plies_since_occurrences();
        let ago = earlier.next();
        if ago.is_none() && !is_certain {
            return None;
        }
        // If the position has already occurred within the search, the sides can repeat it again.
        let repeats_here = ago.is_some_and(|ago| ago <= ply);
        let is_third = is_certain || earlier.next().is_some();
        match self.rules.repetition_outcome(position) {
            None if repeats_here => Some(0),
            Some(Outcome::Draw(_)) if repeats_here || is_third => Some(0),
            Some(outcome @ Outcome::Win(..)) if is_third => {
                let win = score::repetition_win_score_at_ply(ply, is_certain);
                Some(score::outcome_score(outcome, position.side_to_move(), win))
            }
            _ => None,
        }
    }

    /// Returns an estimated score of a position from tablebases; `None` if this search uses no such
    /// estimates. The estimate comes from an exact value under similar rules, or from a tablebase
    /// value that is not certain here because positions of the game may occur again.
    pub(super) fn tablebase_estimate(&self, position: &G::Position) -> Option<i32> {
        if self.shared.exact_values != ExactValueSource::Tablebases || self.exhaustive {
            return None;
        }
        let value = match self.probe_tables(position, ProbeWorkLimit::Quick)? {
            ProbeResult::Similar(value) => value,
            ProbeResult::Value(value) if self.shared.table_certainty.has_uncertain_values() => {
                value
            }
            _ => return None,
        };
        score::score_from_similar_rules(value)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pentarch_core::{GameHistory, ProbeTables};
    use pentarch_nim::{Nim, pile};

    use super::*;
    use crate::control::SearchControl;
    use crate::search_worker::SharedSearchState;
    use crate::transposition::TranspositionTable;
    use crate::{Limits, SearchContext};

    #[test]
    fn the_evaluation_improves_only_on_a_known_one() {
        let history: GameHistory<Nim> = pile(10, 0);
        let tables: Arc<_> = history.rules().create_uncomputed_tables(None);
        let (limits, control) = (Limits::default(), SearchControl::default());
        let table = TranspositionTable::default();
        let context = SearchContext {
            history: &history,
            tables: &tables,
            limits: &limits,
            table: &table,
            control: &control,
        };
        let shared = SharedSearchState::new(&context, ExactValueSource::Unused);
        let mut worker = SearchWorker::new(&context, &shared, None);
        let mut improves = |four_ago, two_ago, now| {
            worker.stack[1].evaluation = four_ago;
            worker.stack[3].evaluation = two_ago;
            worker.stack[5].evaluation = now;
            worker.is_improving(5)
        };
        assert!(improves(None, Some(10), Some(20)) && !improves(None, Some(10), Some(10)));
        assert!(!improves(Some(5), Some(30), Some(20)), "four plies ago stands in for two only");
        assert!(improves(Some(10), None, Some(20)) && !improves(Some(30), None, Some(20)));
        assert!(!improves(None, None, Some(20)) && !improves(Some(10), Some(10), None));
        worker.evaluate_root();
        worker.stack[2].evaluation = worker.stack[0].evaluation;
        assert!(worker.stack[2].evaluation.is_some() && !worker.is_improving(2));
    }
}

//! The move loop of a node: it generates the moves, orders them, prunes and reduces late moves, and
//! searches the others.

use pentarch_core::{HasTurn, QuiescenceState, Searchable};

use super::move_ordering::{self, MoveOrderingContext};
use super::node::SearchNode;
use super::pruning;
use super::score::{self, INFINITE_SCORE};
use super::search_worker::{MOVES_PER_WORK_UNIT, SearchStopped, SearchWindow, SearchWorker};

/// The indices at which the moves of a node begin in the lists of the thread.
#[derive(Debug, Clone, Copy)]
struct MoveListStart {
    /// The index in the list of moves.
    moves: usize,
    /// The index in the list of scored moves.
    scored: usize,
}

/// The subset of a node's moves to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MoveSubset {
    /// All moves. The move of the transposition table is searched `extension` plies deeper.
    All { extension: i32 },
    /// All moves except the one at this index of the list.
    AllBut(u32),
}

impl MoveSubset {
    /// Returns the number of plies by which a move is searched deeper.
    fn extension(self, is_hash_move: bool) -> i32 {
        match self {
            MoveSubset::All { extension } if is_hash_move => extension,
            _ => 0,
        }
    }
}

impl<G: Searchable> SearchWorker<'_, G> {
    /// Tries the moves of the node in order. Returns the best score, and also the index of the best
    /// move if its score is above `alpha`.
    pub(super) fn search_moves(
        &mut self,
        node: &SearchNode<G>,
        window: SearchWindow,
        moves: MoveSubset,
    ) -> Result<(i32, Option<u32>), SearchStopped> {
        let list = MoveListStart { moves: self.moves.len(), scored: self.scored.len() };
        let result = self.search_listed_moves(node, window, moves, list);
        self.moves.truncate(list.moves);
        self.scored.truncate(list.scored);
        result
    }

    /// Does the work of [`search_moves`](SearchWorker::search_moves). The node's moves and scored
    /// moves begin at `list`; the moves stay where they are generated.
    fn search_listed_moves(
        &mut self,
        node: &SearchNode<G>,
        mut window: SearchWindow,
        selection: MoveSubset,
        list: MoveListStart,
    ) -> Result<(i32, Option<u32>), SearchStopped> {
        let SearchWindow { depth, ply, beta, .. } = window;
        self.history.legal_moves(&mut self.moves);
        let move_count = self.moves.len() - list.moves;
        self.check_limits((move_count / MOVES_PER_WORK_UNIT) as u64)?;
        window.depth += self.only_reply_extension(window, move_count);
        let only_noisy = depth <= 0 && node.quiescence_state == QuiescenceState::Noisy;
        let mut best = -INFINITE_SCORE;
        if only_noisy && let Some(evaluation) = self.stack[ply].evaluation {
            best = evaluation;
            window.alpha = window.alpha.max(best);
        }
        let late_move_pruning_count = self.late_move_pruning_count(node, window);
        let mut best_move = None;
        let mut is_first = true;
        let context = MoveOrderingContext {
            side: node.position.side_to_move(),
            ply,
            previous: self.stack[ply].history_index,
        };
        // The move of the transposition table often causes a cutoff, so it is searched before the
        // moves are scored. The first move is neither pruned nor reduced, so it need not be known
        // whether it is noisy.
        let hash_move = match selection {
            MoveSubset::All { .. } => {
                node.hash_move_index().filter(|&index| (index as usize) < move_count)
            }
            MoveSubset::AllBut(_) => None,
        };
        for number in 0..move_count {
            let (index, is_noisy) = match hash_move {
                Some(index) if number == 0 => (index, false),
                _ => self.select_move(node, context, list, number),
            };
            if selection == MoveSubset::AllBut(index) {
                continue;
            }
            // Noisy moves are sorted first. The quiescence search has no move of the transposition
            // table, which could precede them.
            if only_noisy && !is_noisy {
                break;
            }
            // Late move pruning and futility pruning.
            if !is_noisy && number >= late_move_pruning_count {
                // The pruned moves were not searched, so the score must not prove that all moves
                // lose. A score of at least `alpha` cannot prove this.
                best = best.max(window.alpha);
                break;
            }
            let mv = self.moves[list.moves + index as usize];
            let reduction = self.node_late_move_reduction(node, window, mv, is_noisy, number);
            let extension = selection.extension(node.hash_move_index() == Some(index));
            let searched = SearchWindow { depth: window.depth + extension, ..window };
            let score = self.search_move(mv, searched, reduction, std::mem::take(&mut is_first))?;
            if score <= best {
                continue;
            }
            best = score;
            if score > window.alpha {
                window.alpha = score;
                best_move = Some(index);
                self.update_principal_variation(ply, mv);
            }
            if score >= beta {
                self.reward_cutoff_move(context, depth, mv, list, number);
                break;
            }
        }
        Ok((best, best_move))
    }

    /// Returns the number of plies by which a node is searched deeper if its side has only one
    /// reply. The extension costs little, because the side has no choice.
    fn only_reply_extension(&self, window: SearchWindow, move_count: usize) -> i32 {
        let SearchWindow { depth, ply, .. } = window;
        let is_extended =
            move_count == 1 && depth > 0 && !self.exhaustive && ply < pruning::MAX_EXTENSION_PLY;
        i32::from(is_extended)
    }

    /// Returns the generated index of the move with this number in the order of the search, and
    /// whether the move is noisy. The first call for a node scores the moves. The method must be
    /// called for all numbers in ascending order; only the move of the transposition table, number
    /// 0, may be omitted.
    fn select_move(
        &mut self,
        node: &SearchNode<G>,
        context: MoveOrderingContext,
        list: MoveListStart,
        number: usize,
    ) -> (u32, bool) {
        if self.scored.len() == list.scored {
            self.move_history.score_moves(
                self.rules,
                context,
                (&node.position, node.eval_data(self.rules)),
                node.hash_move_index(),
                &self.moves[list.moves..],
                &mut self.scored,
            );
            // The move of the transposition table, which was searched before, comes first.
            if number > 0 {
                move_ordering::select_best_remaining_move(&mut self.scored[list.scored..], 0);
            }
        }
        let scored = &mut self.scored[list.scored..];
        move_ordering::select_best_remaining_move(scored, number);
        (scored[number].index(), scored[number].is_noisy())
    }

    /// Sets the principal variation at `ply`: the move `mv`, followed by the principal variation of
    /// the next ply.
    fn update_principal_variation(&mut self, ply: usize, mv: G::Move) {
        let (above, below) = self.pvs.split_at_mut(ply + 1);
        above[ply].clear();
        above[ply].push(mv);
        above[ply].extend_from_slice(&below[0]);
    }

    /// Raises the history score of `mv`, which caused a cutoff, and lowers the scores of the moves
    /// tried before it. `tried` is the number of these moves.
    fn reward_cutoff_move(
        &mut self,
        context: MoveOrderingContext,
        depth: i32,
        mv: G::Move,
        list: MoveListStart,
        tried: usize,
    ) {
        let moves = &self.moves[list.moves..];
        let scored = self.scored[list.scored..].iter().take(tried);
        let failed = scored.map(|scored| moves[scored.index() as usize]);
        self.move_history.update_after_cutoff(self.rules, context, depth, mv, failed);
    }

    /// Returns the number of moves of this node that are searched before the remaining quiet moves
    /// are pruned (late move pruning). In a zugzwang, the only good move can be one of the last
    /// quiet moves. So this pruning is used only in positions without the risk of zugzwang.
    fn late_move_pruning_count(&self, node: &SearchNode<G>, window: SearchWindow) -> usize {
        let SearchWindow { depth, ply, alpha, .. } = window;
        let must_be_sound = self.exhaustive || !window.is_null() || score::is_proven_score(alpha);
        if must_be_sound || node.quiescence_state != QuiescenceState::Quiet {
            return usize::MAX;
        }
        let lead = self.stack[ply].evaluation.map_or(0, |evaluation| evaluation - alpha);
        match pruning::late_move_pruning_count(&self.parameters, depth, lead) {
            count
                if count < usize::MAX
                    && self.rules.position_after_null_move(&node.position).is_some() =>
            {
                count
            }
            _ => usize::MAX,
        }
    }

    /// Returns the late move reduction: the number of plies by which a late move is searched less
    /// deep than the first move. The reduction is greater in expected cut nodes. The reduction is
    /// smaller if the window is not a null window, if the static evaluation improves, or if the
    /// move has a high history score.
    fn node_late_move_reduction(
        &self,
        node: &SearchNode<G>,
        window: SearchWindow,
        mv: G::Move,
        is_noisy: bool,
        number: usize,
    ) -> i32 {
        let SearchWindow { depth, ply, .. } = window;
        if self.exhaustive
            || is_noisy
            || depth < pruning::MIN_LATE_MOVE_REDUCTION_DEPTH
            || number < 2
        {
            return 0;
        }
        if node.quiescence_state == QuiescenceState::Forced {
            return 0;
        }
        let side = node.position.side_to_move();
        let less = i32::from(!window.is_null())
            + i32::from(self.is_improving(ply))
            + self.move_history.history_score(side, self.rules.history_table_index(mv))
                / self.parameters.reduction_history;
        let reduction =
            pruning::late_move_reduction(&self.parameters, depth, number, window.is_cut_node);
        (reduction - less).clamp(0, depth - 1)
    }
}

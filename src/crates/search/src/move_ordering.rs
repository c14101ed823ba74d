//! Move ordering: by the game's own scores, and by the moves that caused cutoffs elsewhere.
//!
//! The order is that of chess engines: the move of the transposition table, then noisy moves, the
//! killer moves, the countermove, and the rest by the history heuristic.

use std::cmp::Reverse;

use pentarch_core::{Evaluate, MIN_NOISY_ORDERING_SCORE, Side};

/// The number of moves at the start of a list that are found by selection, one best move at a time.
/// The later moves are sorted in blocks. The number is a power of 2.
const SELECTION_SORTED_MOVE_COUNT: usize = 8;
const HASH_MOVE_SCORE: i32 = i32::MAX;
/// The base score of noisy moves; the game's own score is added.
const NOISY_MOVE_SCORE: i32 = 4 << 26;
/// The scores of the two killer moves.
const KILLER_MOVE_SCORES: [i32; 2] = [3 << 26, 2 << 26];
/// The score of the countermove.
const COUNTERMOVE_SCORE: i32 = 1 << 26;
/// The weight of the game's own score of a move. The history score has the weight 1.
const GAME_SPECIFIC_ORDERING_WEIGHT: i32 = 64;
const MAX_HISTORY_SCORE: i32 = 1 << 14;

/// A move with its ordering score, packed into one number. Moves are selected and sorted by this
/// number, the greatest first. From the highest bit on, the number contains:
///
/// - the score (32 bits)
/// - the complement of the index in the generated list (31 bits), so that the earlier of two
///   equal moves comes first
/// - whether the move is noisy (1 bit)
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScoredMove(u64);

impl ScoredMove {
    fn new(score: i32, index: u32, is_noisy: bool) -> ScoredMove {
        // With the sign bit flipped, unsigned numbers compare like the signed ones.
        let score = u64::from(score as u32 ^ 1 << 31);
        ScoredMove(score << 32 | u64::from(!index << 1) | u64::from(is_noisy))
    }

    /// Returns the index of the move in the generated list.
    pub fn index(self) -> u32 {
        !(self.0 as u32 >> 1) & u32::MAX >> 1
    }

    /// Returns whether the move is [noisy](MIN_NOISY_ORDERING_SCORE).
    pub fn is_noisy(self) -> bool {
        self.0 & 1 != 0
    }
}

/// The facts about a node that are used to order its moves, in addition to its position.
#[derive(Debug, Clone, Copy)]
pub struct MoveOrderingContext {
    /// The side to move.
    pub side: Side,
    /// The distance from the root in plies.
    pub ply: usize,
    /// The [history index](Evaluate::history_table_index) of the move that led to the node; `None`
    /// after a null move and at the root.
    pub previous: Option<usize>,
}

/// The moves that caused cutoffs in one thread: killer moves (Akl and Newborn, 1977), the history
/// heuristic (Schaeffer, 1983) and countermoves (Uiterwijk, 1992).
#[derive(Debug)]
pub struct MoveOrderingHistory<G: Evaluate> {
    /// The killer moves: for each ply, the last two moves that caused a cutoff at this ply.
    killers: Vec<[Option<G::Move>; 2]>,
    /// The history scores, by side and history index of a move.
    history: [Vec<i32>; 2],
    /// For each side and each history index of a previous move: the move that last refuted this
    /// previous move.
    countermoves: [Vec<Option<G::Move>>; 2],
}

impl<G: Evaluate> MoveOrderingHistory<G> {
    /// Creates an empty history for a search to at most `plies` plies.
    pub fn new(plies: usize) -> MoveOrderingHistory<G> {
        MoveOrderingHistory {
            killers: vec![[None; 2]; plies],
            history: [vec![0; G::HISTORY_TABLE_SIZE], vec![0; G::HISTORY_TABLE_SIZE]],
            countermoves: [vec![None; G::HISTORY_TABLE_SIZE], vec![None; G::HISTORY_TABLE_SIZE]],
        }
    }

    /// Returns the history score of this side's moves with this history index, scaled to the range
    /// from -1000 to 1000. Cutoffs by such a move raise the score; unsuccessful tries before
    /// another move's cutoff lower it.
    #[inline]
    pub fn history_score(&self, side: Side, index: usize) -> i32 {
        self.history[side.index()][index] * 1000 / MAX_HISTORY_SCORE
    }

    /// Scores the moves of a node and appends them to `scored` in the order of `moves`.
    /// `hash_move` is the index of the move of the transposition table.
    pub fn score_moves(
        &self,
        rules: &G,
        node: MoveOrderingContext,
        (position, eval_data): (&G::Position, &G::PositionEvalData),
        hash_move: Option<u32>,
        moves: &[G::Move],
        scored: &mut Vec<ScoredMove>,
    ) {
        let side = node.side.index();
        let history = &self.history[side];
        let killers = self.killers[node.ply];
        let countermove = node.previous.and_then(|index| self.countermoves[side][index]);
        let game_score = rules.move_ordering_scores(position, eval_data);
        scored.extend((0..).zip(moves).map(|(index, &mv)| {
            let own = game_score(mv);
            let is_noisy = own >= MIN_NOISY_ORDERING_SCORE;
            let class = match Some(mv) {
                _ if hash_move == Some(index) => HASH_MOVE_SCORE,
                _ if is_noisy => NOISY_MOVE_SCORE,
                known if killers[0] == known => KILLER_MOVE_SCORES[0],
                known if killers[1] == known => KILLER_MOVE_SCORES[1],
                known if countermove == known => COUNTERMOVE_SCORE,
                _ => 0,
            };
            let history_score = history.get(rules.history_table_index(mv));
            let history_score =
                history_score.expect("HISTORY_TABLE_SIZE is greater than each history_table_index");
            let score = class.saturating_add(own * GAME_SPECIFIC_ORDERING_WEIGHT + history_score);
            ScoredMove::new(score, index, is_noisy)
        }));
    }

    /// Updates the history scores, killer moves and countermoves after a cutoff at this depth. The
    /// move `good` caused the cutoff, and the moves in `failed` were tried before it.
    #[inline]
    pub fn update_after_cutoff(
        &mut self,
        rules: &G,
        node: MoveOrderingContext,
        depth: i32,
        good: G::Move,
        failed: impl Iterator<Item = G::Move>,
    ) {
        let MoveOrderingContext { side, ply, previous } = node;
        let killers = &mut self.killers[ply];
        if killers[0] != Some(good) {
            *killers = [Some(good), killers[0]];
        }
        if let Some(index) = previous {
            self.countermoves[side.index()][index] = Some(good);
        }
        let history = &mut self.history[side.index()];
        let bonus = (16 * depth.max(1).pow(2)).min(MAX_HISTORY_SCORE / 8);
        // History gravity: the nearer an entry is to its limit, the less a bonus changes it.
        let mut add = |mv, bonus: i32| {
            let entry = &mut history[rules.history_table_index(mv)];
            *entry += bonus - *entry * bonus.abs() / MAX_HISTORY_SCORE;
        };
        add(good, bonus);
        failed.for_each(|mv| add(mv, -bonus));
    }
}

/// Sorts moves of a position by the game's own scores, the highest first.
pub fn sort_moves_by_ordering_scores<G: Evaluate>(
    rules: &G,
    position: &G::Position,
    moves: &mut [G::Move],
) {
    let eval_data = rules.compute_eval_data(position);
    let score = rules.move_ordering_scores(position, &eval_data);
    moves.sort_by_cached_key(|&mv| Reverse(score(mv)));
}

/// Finds the best of the moves from index `at` on, and moves it to this index. The function must
/// already have been called for all lower indices.
///
/// The first few moves are selected one by one. Then blocks of moves are sorted, each twice as long
/// as the previous block. So a node that is left early never sorts its whole list.
#[inline]
pub fn select_best_remaining_move(scored: &mut [ScoredMove], at: usize) {
    let rest = &mut scored[at..];
    let block = at + SELECTION_SORTED_MOVE_COUNT;
    if at < SELECTION_SORTED_MOVE_COUNT {
        let best =
            rest.iter().enumerate().max_by_key(|(_, scored)| **scored).map_or(0, |(best, _)| best);
        rest.swap(0, best);
    } else if block.is_power_of_two() {
        if block < rest.len() {
            rest.select_nth_unstable_by(block, |a, b| b.cmp(a));
        }
        let end = block.min(rest.len());
        rest[..end].sort_unstable_by(|a, b| b.cmp(a));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_selected_by_score_and_then_by_index() {
        let mut rng = fastrand::Rng::with_seed(15);
        for length in (0..40).chain([100, 119, 120, 121, 500]) {
            let moves: Vec<(i32, u32, bool)> = (0..length)
                .map(|index| (rng.i32(-20..20) << rng.u32(..26), index, rng.bool()))
                .collect();
            let mut sorted = moves.clone();
            sorted.sort_by_key(|&(score, index, _)| (Reverse(score), index));
            let mut scored: Vec<ScoredMove> = moves
                .iter()
                .map(|&(score, index, is_noisy)| ScoredMove::new(score, index, is_noisy))
                .collect();
            for (at, (_, index, is_noisy)) in sorted.into_iter().enumerate() {
                select_best_remaining_move(&mut scored, at);
                assert_eq!(
                    (scored[at].index(), scored[at].is_noisy()),
                    (index, is_noisy),
                    "{at} of {length}"
                );
            }
        }
        assert_eq!(ScoredMove::new(i32::MIN, u32::MAX >> 1, true).index(), u32::MAX >> 1);
    }
}

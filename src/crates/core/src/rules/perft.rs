//! Perft: the number of leaf positions of the legal-move tree at a depth, as in chess programming.

use crate::{GameHistory, HasPlayers};

/// Returns the number of move sequences of `depth` plies from the current position. This is the
/// number of leaves of the legal-move tree at this depth. Returns `None` if `stopped` returned
/// `true` at any time.
///
/// Repetitions are considered, including repetitions of positions earlier in the game. A sequence
/// that ends the game by repetition has no continuation. The moves of the last ply are counted
/// without being made (bulk counting).
pub fn perft<G: HasPlayers>(
    history: &mut GameHistory<G>,
    depth: u32,
    stopped: &dyn Fn() -> bool,
) -> Option<u64> {
    count_perft_leaves(history, depth, &mut Vec::new(), stopped)
}

fn count_perft_leaves<G: HasPlayers>(
    history: &mut GameHistory<G>,
    depth: u32,
    moves: &mut Vec<G::Move>,
    stopped: &dyn Fn() -> bool,
) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    if stopped() {
        return None;
    }
    let start = moves.len();
    history.legal_moves(moves);
    let mut leaves = 0;
    if depth == 1 {
        leaves = (moves.len() - start) as u64;
    } else {
        for at in start..moves.len() {
            history.push(moves[at]);
            let below = count_perft_leaves(history, depth - 1, moves, stopped);
            history.pop();
            leaves += below?;
        }
    }
    moves.truncate(start);
    Some(leaves)
}

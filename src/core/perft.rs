//! Perft: the number of leaf positions of the legal-move tree at a depth, as in chess programming.

use super::{Game, Line};

/// Counts the leaves `depth` plies below the current position; none if `stopped` became true on the way.
///
/// The history counts from the line's own start: only positions of the line and of the paths below it can repeat.
/// Moves at the last ply are counted without being made.
pub fn perft<G: Game>(line: &mut Line<G>, depth: u32, stopped: &impl Fn() -> bool) -> Option<u64> {
    count(line, depth, &mut Vec::new(), stopped)
}

fn count<G: Game>(
    line: &mut Line<G>,
    depth: u32,
    moves: &mut Vec<G::Move>,
    stopped: &impl Fn() -> bool,
) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    if stopped() {
        return None;
    }
    let start = moves.len();
    line.legal_moves(moves);
    let mut leaves = 0;
    if depth == 1 {
        leaves = (moves.len() - start) as u64;
    } else {
        for at in start..moves.len() {
            line.push(moves[at]);
            let below = count(line, depth - 1, moves, stopped);
            line.pop();
            leaves += below?;
        }
    }
    moves.truncate(start);
    Some(leaves)
}

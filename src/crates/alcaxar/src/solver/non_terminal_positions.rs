//! The undecided positions of a set of walls, one after the other. In an undecided position, the
//! game is not over.

use pentarch_core::Side;

use super::super::board::{Board, Square, iter_slots};
use super::super::position::Position;

/// Iterates over all undecided positions with these walls: for each pair of knight squares, each
/// side to move and each possible last move.
pub fn non_terminal_positions(board: &Board, walls: u64) -> impl Iterator<Item = Position> {
    let knights = (0..16).flat_map(|red| (0..16).map(move |green| [Square(red), Square(green)]));
    let sides = knights.flat_map(|knights| Side::BOTH_SIDES.map(|side| (knights, side)));
    let positions = sides.flat_map(move |(knights, side)| {
        let last_walls = std::iter::once(None).chain(iter_slots(walls).map(Some));
        last_walls.map(move |last_wall| Position { knights, walls, side, last_wall, full_move: 1 })
    });
    positions.filter(|position| is_non_terminal(board, position))
}

/// Returns whether a position is undecided: the knights are on different squares, no knight is
/// trapped, and no knight has reached the enemy fortress. In the argument, the knights may be on
/// any squares, even on the same square.
pub fn is_non_terminal(board: &Board, position: &Position) -> bool {
    position.knights[0] != position.knights[1]
        && Side::BOTH_SIDES.into_iter().all(|side| {
            let is_trapped = position.count_knight_step_targets(board, side) == 0;
            !is_trapped && position.knight(side) != Position::target_fortress(side)
        })
}

//! The undecided positions of a set of walls, one by one.

use pentarch_core::Side;

use super::super::board::{Board, Square, slots};
use super::super::position::Position;

/// All undecided positions with these walls, for both sides and after each move that may have come before.
pub fn undecided_positions(board: &Board, walls: u64) -> impl Iterator<Item = Position> {
    let knights = (0..16).flat_map(|red| (0..16).map(move |green| [Square(red), Square(green)]));
    let sides = knights.flat_map(|knights| Side::BOTH.map(|side| (knights, side)));
    let positions = sides.flat_map(move |(knights, side)| {
        let last_walls = std::iter::once(None).chain(slots(walls).map(Some));
        last_walls.map(move |last_wall| Position { knights, walls, side, last_wall, full_move: 1 })
    });
    positions.filter(|position| is_undecided(board, position))
}

/// Whether the game goes on in a position with any knights: they stand apart, and neither is trapped or has arrived.
pub fn is_undecided(board: &Board, position: &Position) -> bool {
    let is_over = |side| position.outcome(board).is_some() || position.accessible(board, side) == 0;
    let has_arrived = |side: Side| position.knight(side) == Position::target(side);
    position.knights[0] != position.knights[1]
        && !Side::BOTH.into_iter().any(|side| is_over(side) || has_arrived(side))
}

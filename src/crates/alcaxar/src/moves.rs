//! The moves of Alcaxar and their generation.

use pentarch_core::Point;

use super::board::{Board, Square, WallSlot, slots};
use super::position::{Position, slot_image, square_image};

/// A move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// The knight steps to this square.
    Knight(Square),
    /// A wall turns from one slot to another.
    Wall {
        /// The slot that the wall leaves.
        from: WallSlot,
        /// The slot that the wall reaches.
        to: WallSlot,
    },
}

impl Move {
    /// Returns the image under a symmetry of the board.
    pub fn map(self, image: fn(Point) -> Point) -> Move {
        match self {
            Move::Knight(to) => Move::Knight(square_image(to, image)),
            Move::Wall { from, to } => {
                Move::Wall { from: slot_image(from, image), to: slot_image(to, image) }
            }
        }
    }
}

/// Appends the legal moves of an undecided position.
pub fn generate_moves(board: &Board, position: &Position, moves: &mut Vec<Move>) {
    let own = position.knight(position.side);
    let enemy = position.knight(!position.side);
    moves.extend(board.accessible(own, enemy, position.walls).map(Move::Knight));
    let knights = position.knight_set();
    for from in slots(position.walls & !position.blocked(board)) {
        for turn in &board.turns[usize::from(from.0)] {
            let after = position.walls ^ from.bit() ^ turn.to.bit();
            if turn.is_clear(position.walls, knights)
                && board.accessible(own, enemy, after).next().is_some()
            {
                moves.push(Move::Wall { from, to: turn.to });
            }
        }
    }
}

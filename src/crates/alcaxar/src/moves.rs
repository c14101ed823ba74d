//! The moves of Alcaxar and their generation.

use pentarch_core::Point;

use super::board::{Board, Square, WallSlot, iter_slots};
use super::position::{Position, map_slot, map_square};

/// A move of Alcaxar: a step of the knight or a turn of a wall.
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
    /// Returns the image of the move under a symmetry of the board.
    pub fn apply_symmetry(self, image: fn(Point) -> Point) -> Move {
        match self {
            Move::Knight(to) => Move::Knight(map_square(to, image)),
            Move::Wall { from, to } => {
                Move::Wall { from: map_slot(from, image), to: map_slot(to, image) }
            }
        }
    }
}

/// Appends the legal moves of an undecided position.
pub fn generate_moves(board: &Board, position: &Position, moves: &mut Vec<Move>) {
    let own = position.knight(position.side);
    let enemy = position.knight(!position.side);
    moves.extend(board.knight_step_targets(own, enemy, position.walls).map(Move::Knight));
    let knights = position.knight_squares();
    for from in iter_slots(position.walls & !position.blocked_slots(board)) {
        for turn in &board.turns[usize::from(from.0)] {
            let after = position.walls ^ from.bit() ^ turn.to.bit();
            if turn.is_path_clear(position.walls, knights)
                && board.knight_step_targets(own, enemy, after).next().is_some()
            {
                moves.push(Move::Wall { from, to: turn.to });
            }
        }
    }
}

//! The moves of Quoridor and their generation.

use std::fmt;

use pentarch_core::notation::points::BoardReflection;

use super::board::Board;
use super::position::{PlayerToMove, Position};
use super::square_sets::{FILE_STRIDE, PassageSet, Square, iter_squares};
use super::walls::{Wall, WallDirection, Walls};

/// A turn of a player: a move of the pawn, or a placed wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// A pawn move to this square: a step, a straight jump or a diagonal move.
    Pawn(Square),
    /// A wall that is placed on the board.
    Wall(Wall),
}

impl Move {
    /// Returns the mirror image of the move.
    pub fn mirrored(self, board: &Board, mirror: BoardReflection) -> Move {
        match self {
            Move::Pawn(to) => Move::Pawn(to.mirrored(mirror, board.size)),
            Move::Wall(wall) => Move::Wall(wall.mirrored(board, mirror)),
        }
    }

    /// Returns the number of files and of ranks that the pawn on `from` moves; `None` if the move
    /// places a wall.
    pub fn pawn_distance(self, from: Square) -> Option<[u8; 2]> {
        match self {
            Move::Pawn(to) => {
                let [from, to] = [from, to].map(Square::point);
                Some([from.file.abs_diff(to.file), from.rank.abs_diff(to.rank)])
            }
            Move::Wall(_) => None,
        }
    }

    /// Returns the name of the kind of move, in the plural.
    pub fn kind_name(self) -> &'static str {
        match self {
            Move::Pawn(_) => "pawn moves",
            Move::Wall(Wall { direction: WallDirection::Horizontal, .. }) => "walls between ranks",
            Move::Wall(_) => "walls between files",
        }
    }

    /// Returns the index of the move in the tables of the history heuristic. The index depends on
    /// the kind of move, and on the square or post.
    pub fn history_table_index(self) -> usize {
        let (kind, square) = match self {
            Move::Pawn(to) => (0, to),
            Move::Wall(wall) if wall.direction == WallDirection::Horizontal => (1, wall.post),
            Move::Wall(wall) => (2, wall.post),
        };
        kind * usize::from(FILE_STRIDE) * usize::from(FILE_STRIDE) + usize::from(square.0)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Move::Pawn(to) => to.point().fmt(f),
            Move::Wall(wall) => wall.fmt(f),
        }
    }
}

/// Appends the legal moves of an undecided position. `targets` are the squares to which the pawn of
/// the player to move can go. `placeable_walls` returns the walls that a player with a wall left
/// may place.
pub fn generate_moves<const PLAYERS: usize, M: PlayerToMove>(
    position: &Position<PLAYERS, M>,
    targets: u128,
    placeable_walls: impl FnOnce() -> Walls,
    moves: &mut Vec<Move>,
) {
    moves.extend(iter_squares(targets).map(Move::Pawn));
    if position.walls_left[position.player_index()] > 0 {
        moves.extend(placeable_walls().iter().map(Move::Wall));
    }
}

/// Returns the squares to which the pawn of the side to move can go. `open` is the result of
/// [`Position::open_passages`].
pub fn pawn_targets(position: &Position, open: PassageSet) -> u128 {
    pawn_targets_from(position.pawn(position.mover), position.pawn(!position.mover), open)
}

/// Returns the squares to which a pawn on `own` can step or jump if the other pawn is on `other`.
pub fn pawn_targets_from(own: Square, other: Square, open: PassageSet) -> u128 {
    let neighbours = open.neighbours(own.bit());
    if neighbours & other.bit() == 0 {
        return neighbours;
    }
    // The pawn can jump over the other pawn. The jump is straight if the passage behind the other
    // pawn is open. Otherwise it is diagonal, to either side of the other pawn.
    let beyond = open.neighbours(other.bit()) & !own.bit();
    let behind = if other > own {
        other.bit() << (other.0 - own.0)
    } else {
        other.bit() >> (own.0 - other.0)
    };
    let straight = beyond & behind;
    neighbours & !other.bit() | if straight == 0 { beyond } else { straight }
}

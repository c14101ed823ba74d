//! The moves of Quoridor for four, and the walls that may be placed.

use super::super::blocking_walls::LoopClosingWalls;
use super::super::wall_placement::{fitting_walls, touched_posts};
use super::super::square_sets::{Passages, Square, squares};
use super::super::walls::Walls;
use super::QuoridorForFour;
use super::position::Position;

/// The squares to which a player's pawn can go: steps, straight jumps, and diagonal moves where a wall or the edge of
/// the board is behind the pawn that is passed. A pawn behind it bars the straight jump and opens no diagonal one.
pub fn targets(pawns: &[Square; 4], player: usize, open: Passages) -> u128 {
    let own = pawns[player];
    let occupied = pawns.iter().fold(0, |set, pawn| set | pawn.bit());
    let beside = open.neighbours(own.bit());
    let passed = squares(beside & occupied).fold(0, |set, other| {
        let past = open.neighbours(other.bit()) & !own.bit();
        let behind = if other > own {
            other.bit() << (other.0 - own.0)
        } else {
            other.bit() >> (own.0 - other.0)
        };
        set | if past & behind == 0 { past } else { behind }
    });
    (beside | passed) & !occupied
}

impl QuoridorForFour {
    /// Whether a player has a legal move. `open` is what [`Position::open_passages`] returns.
    pub(super) fn can_move(&self, position: &Position, open: Passages, player: usize) -> bool {
        targets(&position.pawns, player, open) != 0
            || position.walls_left[player] > 0 && !self.placeable_walls(position, open).is_empty()
    }

    /// The walls that may be placed by a player who has one left: those that fit and leave every pawn a path.
    ///
    /// A wall can part a pawn from its goal only if it completes a loop of walls and rim, and only if it lies across
    /// the path that is found for the pawn without it. Only for such walls is a flood due.
    pub(super) fn placeable_walls(&self, position: &Position, open: Passages) -> Walls {
        let fitting_walls = fitting_walls(&self.board, position.walls);
        let doubtful = fitting_walls & LoopClosingWalls::upper_bound(&self.board, touched_posts(position.walls)).all();
        if doubtful.is_empty() {
            return fitting_walls;
        }
        let mut separating_walls = Walls::NONE;
        for (pawn, goal) in position.pawns.iter().zip(self.goals) {
            let path =
                open.shortest_paths(pawn.bit(), goal).map_or(Passages::NONE, |paths| paths.path);
            for wall in (doubtful & path.crossing_walls()).iter() {
                if open.without(wall.into()).flood_to(pawn.bit(), goal).is_none() {
                    separating_walls = separating_walls | wall.into();
                }
            }
        }
        fitting_walls.difference(separating_walls)
    }
}

//! The moves of Quoridor for four, and the walls that may be placed.

use super::super::blocking_walls::LoopClosingWalls;
use super::super::square_sets::{PassageSet, Square, iter_squares};
use super::super::wall_placement::{posts_touched_by_walls, walls_fitting_on_board};
use super::super::walls::Walls;
use super::QuoridorForFour;
use super::position::Position;

/// Returns the squares to which a player's pawn can go by steps, straight jumps and diagonal moves.
/// Diagonal moves are allowed if a wall or the edge of the board is behind the jumped pawn. A third
/// pawn behind the jumped pawn bars the straight jump, but does not allow the diagonal moves.
pub(super) fn pawn_targets(pawns: &[Square; 4], player: usize, open: PassageSet) -> u128 {
    let own = pawns[player];
    let occupied = pawns.iter().fold(0, |set, pawn| set | pawn.bit());
    let neighbours = open.neighbours(own.bit());
    let jumps = iter_squares(neighbours & occupied).fold(0, |set, other| {
        let beyond = open.neighbours(other.bit()) & !own.bit();
        let behind = if other > own {
            other.bit() << (other.0 - own.0)
        } else {
            other.bit() >> (own.0 - other.0)
        };
        set | if beyond & behind == 0 { beyond } else { behind }
    });
    (neighbours | jumps) & !occupied
}

impl QuoridorForFour {
    /// Returns whether a player has a legal move. `open` is the result of
    /// [`Position::open_passages`].
    pub(super) fn can_move(&self, position: &Position, open: PassageSet, player: usize) -> bool {
        pawn_targets(&position.pawns, player, open) != 0
            || position.walls_left[player] > 0 && !self.placeable_walls(position, open).is_empty()
    }

    /// Returns the walls that a player with a wall left may place. These walls fit on the board and
    /// leave a path for every pawn.
    ///
    /// A wall can separate a pawn from its goal only if it completes a loop of walls and rim, and
    /// also crosses the path that the pawn had without the wall. Only such walls need a flood.
    pub(super) fn placeable_walls(&self, position: &Position, open: PassageSet) -> Walls {
        let fitting = walls_fitting_on_board(&self.board, position.walls);
        let doubtful = fitting
            & LoopClosingWalls::superset_for_posts(
                &self.board,
                posts_touched_by_walls(position.walls),
            )
            .all_walls();
        if doubtful.is_empty() {
            return fitting;
        }
        let mut separating_walls = Walls::EMPTY;
        for (pawn, goal) in position.pawns.iter().zip(self.goals) {
            let path =
                open.shortest_paths(pawn.bit(), goal).map_or(PassageSet::EMPTY, |paths| paths.path);
            for wall in (doubtful & path.crossing_walls()).iter() {
                if open.without_walls(wall.into()).distance(pawn.bit(), goal).is_none() {
                    separating_walls = separating_walls | wall.into();
                }
            }
        }
        fitting.difference(separating_walls)
    }
}

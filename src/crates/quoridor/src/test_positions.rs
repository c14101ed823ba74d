//! Random positions for tests, and a slow search for the legal walls, with a flood for each wall.

use super::board::Board;
use super::position::Position;
use super::square_sets::{Square, iter_squares};
use super::wall_placement::walls_fitting_on_board;
use super::walls::{Wall, WallDirection, Walls};

/// Returns a random position in which the game is not over. The squares of the pawns and the number
/// of walls are random. The maximum number of walls nearly fills the board.
pub(crate) fn random_position(board: &Board, rng: &mut fastrand::Rng) -> Position {
    let posts: Vec<Square> = iter_squares(board.posts).collect();
    let pawn_squares: Vec<Square> = iter_squares(board.all_squares()).collect();
    let mut position = Position::start(board, [20; 2]);
    let is_unfinished = |[white, black]: [Square; 2]| {
        white != black && white.bit() & board.goals[0] == 0 && black.bit() & board.goals[1] == 0
    };
    position.pawns = loop {
        let pawns = [(); 2].map(|()| pawn_squares[rng.usize(..pawn_squares.len())]);
        if is_unfinished(pawns) {
            break pawns;
        }
    };
    for _ in 0..rng.usize(..3 * posts.len()) {
        let post = posts[rng.usize(..posts.len())];
        let direction =
            if rng.bool() { WallDirection::Horizontal } else { WallDirection::Vertical };
        let wall = Wall { post, direction }.into();
        if !(wall & placeable_walls_by_flood(board, &position, wall)).is_empty() {
            position.walls = position.walls | wall;
        }
    }
    position
}

/// Returns the walls of this set that may be placed. The function is slow, because it floods for
/// each wall and each pawn.
pub(crate) fn placeable_walls_by_flood(board: &Board, position: &Position, walls: Walls) -> Walls {
    let keeps_paths = |wall: &Walls| {
        let open = position.open_passages(board).without_walls(*wall);
        [0, 1]
            .iter()
            .all(|&side| open.reachable_from(position.pawns[side].bit()) & board.goals[side] != 0)
    };
    let walls = (walls & walls_fitting_on_board(board, position.walls)).iter().map(Walls::from);
    walls.filter(keeps_paths).fold(Walls::EMPTY, |set, wall| set | wall)
}

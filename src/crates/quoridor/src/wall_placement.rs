//! Finds the walls that may be placed.
//!
//! A wall must not share an edge with another wall or cross another wall. Shifts and masks check
//! these two conditions for all walls at once. The third condition is that each pawn keeps a path.
//! A direct check would need a flood for each pawn and each wall. Instead, the loops that walls
//! complete and one open path for each pawn decide this condition for all walls at once: see
//! [`blocking_walls`](super::blocking_walls). There are three steps, each slower than the previous
//! one. In most positions, the first steps are enough:
//!
//! 1. *Touching.* A wall can complete a loop only if at least two of its three points touch other
//!    walls or the rim. If there is no such wall, all walls may be placed.
//! 2. *Closing.* The loops are computed. If no wall completes a loop, all walls may be placed.
//! 3. *Separating.* A path is found for each pawn. A wall is illegal if and only if it completes a
//!    loop across such a path.

use pentarch_core::Side;

use super::blocking_walls::LoopClosingWalls;
use super::board::Board;
use super::position::Position;
use super::square_sets::{FILE_STRIDE, PassageSet};
use super::walls::Walls;

/// Returns the walls that the side to move may place if it has a wall left. `open` is the result of
/// [`Position::open_passages`].
pub(crate) fn placeable_walls(board: &Board, position: &Position, open: PassageSet) -> Walls {
    placeable_walls_given_paths(board, position.walls, || {
        Side::BOTH_SIDES.map(|side| {
            let shortest =
                open.shortest_paths(position.pawn(side).bit(), board.goals[side.index()]);
            shortest.map_or(PassageSet::EMPTY, |shortest| shortest.path)
        })
    })
}

/// Returns the walls that may be placed on a board with these walls. `paths` returns an open path
/// to its goal for the first side's pawn, and then for the second side's pawn.
pub(crate) fn placeable_walls_given_paths(
    board: &Board,
    walls: Walls,
    paths: impl FnOnce() -> [PassageSet; 2],
) -> Walls {
    let fitting = walls_fitting_on_board(board, walls);
    if (fitting
        & LoopClosingWalls::superset_for_posts(board, posts_touched_by_walls(walls)).all_walls())
    .is_empty()
    {
        return fitting;
    }
    let loops = LoopClosingWalls::find(board, walls.closed_passages(), Side::BOTH_SIDES);
    if (fitting & (loops[0].all_walls() | loops[1].all_walls())).is_empty() {
        return fitting;
    }
    let [white_path, black_path] = paths();
    fitting
        .difference(loops[0].separating_walls(white_path) | loops[1].separating_walls(black_path))
}

/// Returns the walls that fit on a board with these walls. A wall fits if it does not share an edge
/// with a wall on the board and does not cross such a wall.
pub(crate) fn walls_fitting_on_board(board: &Board, walls: Walls) -> Walls {
    let Walls { horizontal: h, vertical: v } = walls;
    Walls {
        horizontal: board.posts & !(h | h << FILE_STRIDE | h >> FILE_STRIDE | v),
        vertical: board.posts & !(v | v << 1 | v >> 1 | h),
    }
}

/// Returns the posts that are the middle or an end of one of these walls. In the result, bits off
/// the board may also be set.
pub(crate) fn posts_touched_by_walls(walls: Walls) -> u128 {
    let Walls { horizontal: h, vertical: v } = walls;
    h | h << FILE_STRIDE | h >> FILE_STRIDE | v | v << 1 | v >> 1
}

#[cfg(test)]
mod tests {
    use super::super::test_positions::{placeable_walls_by_flood, random_position};
    use super::*;

    fn compare(positions: usize) {
        let mut rng = fastrand::Rng::with_seed(11);
        for size in 3..=11 {
            let board = Board::new(size);
            let all = Walls { horizontal: board.posts, vertical: board.posts };
            let mut forbidden = 0;
            for _ in 0..positions {
                let position = random_position(&board, &mut rng);
                let placeable = placeable_walls(&board, &position, position.open_passages(&board));
                assert_eq!(
                    placeable,
                    placeable_walls_by_flood(&board, &position, all),
                    "{position:?}"
                );
                forbidden += walls_fitting_on_board(&board, position.walls)
                    .difference(placeable)
                    .count() as usize;
            }
            assert!(forbidden > positions / 2, "{forbidden} of size {size}");
        }
    }

    #[test]
    fn agrees_with_a_flood_for_each_wall() {
        compare(4000);
    }

    /// Run this test with `cargo test --release -p pentarch-quoridor wall_placement:: --
    /// --ignored`.
    #[test]
    #[ignore = "a million positions: a minute"]
    fn agrees_with_a_flood_for_each_wall_in_many_positions() {
        compare(200_000);
    }
}

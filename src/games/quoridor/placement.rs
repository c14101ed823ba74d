//! Where a wall may be placed.
//!
//! Whether a wall shares an edge with another or crosses one is a matter of shifts and masks, for all places at once.
//! The third condition, that each pawn keeps a path, would take a flood for each pawn and each place. Loops answer it
//! for all places at once, from one way of each pawn that is open now: see [`loops`](super::loops). What leads there is
//! cheap to dear, and mostly the first steps suffice:
//!
//! 1. *Touching.* A wall completes a loop only if two of its three points are connected, so only if two of them at least
//!    touch other walls or the rim. If no wall does, all may be placed.
//! 2. *Closing.* The loops are found. If no wall completes one, all may be placed.
//! 3. *Parting.* A way is found for each pawn. The walls that complete a loop across it are illegal, and no others.

use crate::core::Side;

use super::board::{Board, STRIDE};
use super::loops::Loops;
use super::paths::Passages;
use super::position::Position;
use super::walls::Walls;

/// The walls that a player who has one left may place. `open` is what [`Position::open`] returns.
pub fn allowed(board: &Board, position: &Position, open: Passages) -> Walls {
    let walls = position.walls;
    let free = free(board, walls);
    if (free & Loops::at_most(board, touched(walls)).all()).is_empty() {
        return free;
    }
    let loops = Loops::of(board, walls.edges(), Side::BOTH);
    if (free & (loops[0].all() | loops[1].all())).is_empty() {
        return free;
    }
    let [white, black] = Side::BOTH.map(|side| {
        let route = open.route(position.pawn(side).bit(), board.goals[side.index()]);
        loops[side.index()].parting(route.map_or(Passages::NONE, |route| route.way))
    });
    free.minus(white | black)
}

/// The walls that share an edge with no other and cross none.
pub fn free(board: &Board, walls: Walls) -> Walls {
    let Walls { horizontal: h, vertical: v } = walls;
    Walls {
        horizontal: board.posts & !(h | h << STRIDE | h >> STRIDE | v),
        vertical: board.posts & !(v | v << 1 | v >> 1 | h),
    }
}

/// The posts at which walls stand or end, and places beyond the board.
fn touched(walls: Walls) -> u128 {
    let Walls { horizontal: h, vertical: v } = walls;
    h | h << STRIDE | h >> STRIDE | v | v << 1 | v >> 1
}

#[cfg(test)]
mod tests {
    use super::super::samples::{plainly_allowed, random_position};
    use super::*;

    fn compare(positions: usize) {
        let mut rng = fastrand::Rng::with_seed(11);
        for size in [3, 5, 7, 9, 11] {
            let board = Board::new(size);
            let all = Walls { horizontal: board.posts, vertical: board.posts };
            let mut forbidden = 0;
            for _ in 0..positions {
                let position = random_position(&board, &mut rng);
                let allowed = allowed(&board, &position, position.open(&board));
                assert_eq!(allowed, plainly_allowed(&board, &position, all), "{position:?}");
                forbidden += free(&board, position.walls).minus(allowed).count() as usize;
            }
            assert!(forbidden > positions / 2, "{forbidden} of size {size}");
        }
    }

    #[test]
    fn allowed_walls_are_those_of_a_flood_for_each() {
        compare(4000);
    }

    /// `cargo test --release quoridor::placement -- --ignored`
    #[test]
    #[ignore = "a million positions: a minute"]
    fn allowed_walls_are_those_of_a_flood_for_each_in_many_positions() {
        compare(200_000);
    }
}

//! Where a wall may be placed.
//!
//! Whether a wall shares an edge with another or crosses one is a matter of shifts and masks, for all places at once.
//! The third condition, that each pawn keeps a path, would take a flood for each player and each place. Three exact
//! arguments acquit most walls of closing a path; what none of them acquits is flooded.
//!
//! Take the posts, and the whole rim as one more, for the vertices of a graph drawn on the board, and the edges on
//! which walls lie for its edges. A way leads from one square to another exactly if they lie in the same face of this
//! graph.
//!
//! 1. *Touching.* An edge drawn between two components of a graph divides no face. (Euler: vertices - edges + faces =
//!    1 + components. One edge more and one component less leave the number of faces as it is.) A wall is two edges,
//!    drawn one after the other through three vertices: one end, the middle, the other end. If at most one of the
//!    three touches a wall or the rim, then each edge in its turn leads to a vertex that stands alone, and no two
//!    squares are parted.
//!
//! 2. *Closing.* By the same argument, a wall divides a face only if two of its three points are in one component. The
//!    components are found by floods over posts; there are few, and each is held against all places at once.
//!
//! 3. *Ways.* A wall that lies across neither of two known ways to the goals, one of each pawn, leaves both pawns
//!    these ways. One shortest way each is found, once for all places and only if it is needed.
//!
//! The two floods for a wall that is left share their work: if the first one, from White's pawn, has come over Black's
//! pawn, then Black's can go wherever White's can, and the second flood goes on from all that the first has reached.

use crate::core::Side;

use super::board::{Board, Rim, STRIDE};
use super::paths::Passages;
use super::position::Position;
use super::walls::Walls;

/// The walls that a player who has one left may place. `open` is what [`Position::open`] returns.
pub fn allowed(board: &Board, position: &Position, open: Passages) -> Walls {
    let walls = position.walls;
    let free = free(board, walls);
    if (free & joining(touched(board, walls), board.rim)).is_empty() {
        return free;
    }
    let closing = free & closing(board, walls);
    if closing.is_empty() {
        return free;
    }
    let routes = Side::BOTH.map(|side| open.route(position.pawn(side).bit(), board.goals[side.index()]));
    let [white, black] = routes.map(|route| route.map_or(Walls::NONE, |route| route.way.crossed_by()));
    let parting =
        (closing & (white | black)).iter().filter(|&wall| !keeps_paths(board, position, open.without(wall.into())));
    free.minus(parting.fold(Walls::NONE, |set, wall| set | wall.into()))
}

/// The walls that share an edge with no other and cross none.
fn free(board: &Board, walls: Walls) -> Walls {
    let Walls { horizontal: h, vertical: v } = walls;
    Walls {
        horizontal: board.posts & !(h | h << STRIDE | h >> STRIDE | v),
        vertical: board.posts & !(v | v << 1 | v >> 1 | h),
    }
}

/// The posts at which walls stand or end.
fn touched(board: &Board, walls: Walls) -> u128 {
    let Walls { horizontal: h, vertical: v } = walls;
    board.posts & (h | h << STRIDE | h >> STRIDE | v | v << 1 | v >> 1)
}

/// The walls that have two at least of their three points among these posts and this rim.
fn joining(posts: u128, rim: Rim) -> Walls {
    let two = |start: u128, end: u128| (start | end) & posts | start & end;
    Walls {
        horizontal: two(posts << STRIDE | rim.west, posts >> STRIDE | rim.east),
        vertical: two(posts << 1 | rim.south, posts >> 1 | rim.north),
    }
}

/// The walls that have two of their three points in one component of walls and rim: all that part any squares.
fn closing(board: &Board, walls: Walls) -> Walls {
    let Walls { horizontal: h, vertical: v } = walls;
    let Rim { west, east, south, north } = board.rim;
    let joints = Passages { north: board.lattice.north & (v | v >> 1), east: board.lattice.east & (h | h >> STRIDE) };
    let anchored = joints.fill(h & (west | east) | v & (south | north));
    let mut closing = joining(anchored, board.rim);
    let mut rest = touched(board, walls) & !anchored;
    while rest != 0 {
        let component = joints.fill(rest & rest.wrapping_neg());
        closing = closing | joining(component, Rim::NONE);
        rest &= !component;
    }
    closing
}

/// Whether both pawns have a path to their goals through these passages. Paths ignore pawns.
fn keeps_paths(board: &Board, position: &Position, open: Passages) -> bool {
    let [white, black] = position.pawns.map(|pawn| pawn.bit());
    open.flood_to(white, board.goals[0]).is_some_and(|(flooded, _)| {
        let start = if flooded & black != 0 { flooded } else { black };
        open.flood_to(start, board.goals[1]).is_some()
    })
}

//! Where a wall may be placed.
//!
//! Sharing an edge with a wall and crossing one are shifts and masks over all places at once. The third condition, that
//! each pawn keeps a path, would take a flood for each player and place. Four exact shortcuts leave few of them to do.
//! Each of them only acquits walls; what none acquits is flooded.
//!
//! Think of posts, and of the whole rim as one more of them, as the vertices of a graph drawn on the board, and of walls
//! as its edges. Two squares are joined by a way exactly if they lie in the same face of this graph.
//!
//! 1. *Touching.* An edge drawn between two parts of a graph that are not connected divides no face. (Euler: vertices -
//!    edges + faces = 1 + components. One edge more and one component less leave the number of faces.) A wall is two
//!    edges drawn one after the other through three vertices: its ends and its middle. If at most one of the three
//!    touches a wall or the rim, each of the two edges leads to a vertex that stood alone, and no face is divided: no two
//!    squares are parted. This is seen for all places at once.
//! 2. *Closing.* By the same argument, a wall divides a face only if two of its three points belong to the same component.
//!    Components are found by floods over posts; there are few of them, and each serves all places.
//! 3. *Routes.* A wall that lies across one shortest way of each player leaves both with these ways. The ways
//!    are found once; which walls lie across them are shifts again.
//! 4. *Meeting.* What is left is flooded, first from White's pawn to its goal. If Black's pawn stands in what was flooded by then,
//!    it can go wherever White's can, so the second flood goes on from there instead of from the pawn.

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

/// The walls that have two of their three points in the same component of walls and rim: those that part any squares.
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

//! Finds the legal move that a text names, or says what is wrong with a point, a wall or a move.
//!
//! The move generator decides what is legal. Only for a move that it does not generate is a reason searched for.

use crate::core::{Point, Rules, Side};

use super::Quoridor;
use super::board::{Board, Square};
use super::moves::{self, Move};
use super::paths::Passages;
use super::placement;
use super::position::Position;
use super::walls::{Direction, Wall, Walls};

/// The name of a side.
pub fn name(side: Side) -> &'static str {
    Quoridor::SIDES[side.index()]
}

/// The square at this point.
///
/// # Errors
/// If it is off the board.
pub fn square(board: &Board, point: Point) -> Result<Square, String> {
    let corner = Point::new(board.size - 1, board.size - 1);
    board.square(point).ok_or_else(|| format!("{point} is off the board, which ends at {corner}"))
}

/// The post with this name.
///
/// # Errors
/// If the board has no such post.
pub fn post(board: &Board, point: Point) -> Result<Square, String> {
    let last = Point::new(board.size - 2, board.size - 2);
    board.post(point).ok_or_else(|| format!("no wall fits at {point}: names of walls run from a1 to {last}"))
}

/// Why a wall cannot stand together with these walls, as the rest of a sentence that begins with the wall; none if it
/// can.
pub fn conflict(walls: Walls, wall: Wall) -> Option<String> {
    let edges = Walls::from(wall).edges();
    walls.iter().find_map(|other| {
        if other == wall {
            Some("stands there already".into())
        } else if edges.shares(Walls::from(other).edges()) {
            Some(format!("shares an edge with the wall {other}"))
        } else if other.post == wall.post {
            Some(format!("crosses the wall {other}"))
        } else {
            None
        }
    })
}

/// The sides whose pawns have no path to their goals through these passages.
pub fn cut_off(board: &Board, position: &Position, open: Passages) -> Vec<Side> {
    let has_path = |side: &Side| open.flood_to(position.pawn(*side).bit(), board.goals[side.index()]).is_some();
    Side::BOTH.into_iter().filter(|side| !has_path(side)).collect()
}

/// The wall move with this name.
///
/// # Errors
/// The rule that forbids it.
pub fn find_wall(board: &Board, position: &Position, point: Point, direction: Direction) -> Result<Move, String> {
    let wall = Wall { post: post(board, point)?, direction };
    if position.walls_left[position.side.index()] == 0 {
        return Err(format!("{} has no wall left", name(position.side)));
    }
    let open = position.open(board);
    if placement::allowed(board, position, open).contains(wall) {
        return Ok(Move::Wall(wall));
    }
    Err(conflict(position.walls, wall).map_or_else(
        || {
            let sides = cut_off(board, position, open.without(wall.into())).into_iter();
            let sides =
                sides.map(|side| format!("{} without a path to rank {}", name(side), board.goal_rank(side) + 1));
            format!("it leaves {}", sides.collect::<Vec<_>>().join(" and "))
        },
        |conflict| format!("it {conflict}"),
    ))
}

/// The pawn move to this point.
///
/// # Errors
/// The rule that forbids it.
pub fn find_pawn_move(board: &Board, position: &Position, point: Point) -> Result<Move, String> {
    let to = square(board, point)?;
    let open = position.open(board);
    if moves::pawn_targets(position, open) & to.bit() != 0 {
        return Ok(Move::Pawn(to));
    }
    Err(why_no_pawn_move(position, to))
}

/// Why the pawn of the side to move cannot go to this square.
fn why_no_pawn_move(position: &Position, to: Square) -> String {
    let [own, other] = [position.pawn(position.side), position.pawn(!position.side)];
    let (point, from) = (to.point(), own.point());
    let enemy = format!("{}'s pawn", name(!position.side));
    if to == own {
        return format!("the pawn stands on {point} already, and there is no passing");
    }
    if to == other {
        return format!("{enemy} stands on {point}");
    }
    let path: &[Square] = match (is_beside(own, to), is_beside(own, other) && is_beside(other, to)) {
        (true, _) => &[own, to],
        (false, true) => &[own, other, to],
        (false, false) => {
            let on = other.point();
            let no_jump = if is_beside(own, other) {
                format!("no jump over {enemy} on {on} ends there")
            } else {
                format!("{enemy} on {on} is not between them to be jumped")
            };
            return format!("{point} is not a neighbour of {from}, and {no_jump}");
        }
    };
    let wall = path.windows(2).find_map(|step| {
        let wall = wall_between(position.walls, step[0], step[1])?;
        Some(format!("the wall {wall} stands between {} and {}", step[0].point(), step[1].point()))
    });
    // If no wall stands on the path, the move is a diagonal one although the straight jump is possible.
    wall.unwrap_or_else(|| {
        let on = other.point();
        format!("neither a wall nor the rim is behind {enemy} on {on}: the jump is straight then, not diagonal")
    })
}

/// The wall between two neighbouring squares, if one of these stands there.
pub fn wall_between(walls: Walls, a: Square, b: Square) -> Option<Wall> {
    let passage = Passages::between(a.bit(), b.bit());
    walls.iter().find(|&wall| Walls::from(wall).edges().shares(passage))
}

/// Whether two squares are orthogonal neighbours.
pub fn is_beside(a: Square, b: Square) -> bool {
    let [a, b] = [a.point(), b.point()];
    a.file.abs_diff(b.file) + a.rank.abs_diff(b.rank) == 1
}

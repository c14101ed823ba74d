//! Moves by their texts, and the sentences that say what is wrong with a point, a wall or a move.
//!
//! What is legal is decided by the sets of the generator. Only for what is not in them a reason is looked for.

use crate::core::{Game, Point, Side};

use super::Quoridor;
use super::board::{Board, Square};
use super::moves::{self, Move};
use super::paths::Passages;
use super::placement;
use super::position::Position;
use super::walls::{Direction, Wall, Walls};

/// What a side is called.
pub fn name(side: Side) -> &'static str {
    Quoridor::SIDES[side.index()]
}

/// The square at this point.
///
/// # Errors
/// If it is off the board.
pub fn square(board: &Board, place: Point) -> Result<Square, String> {
    let corner = Point::new(board.size - 1, board.size - 1);
    board.square(place).ok_or_else(|| format!("{place} is off the board, which ends at {corner}"))
}

/// The post with this name.
///
/// # Errors
/// If there is none.
pub fn post(board: &Board, place: Point) -> Result<Square, String> {
    let last = Point::new(board.size - 2, board.size - 2);
    board.post(place).ok_or_else(|| format!("no wall fits at {place}: names of walls run from a1 to {last}"))
}

/// What a wall would do to one that stands already, if the two cannot stand together.
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
pub fn find_wall(board: &Board, position: &Position, place: Point, direction: Direction) -> Result<Move, String> {
    let wall = Wall { post: post(board, place)?, direction };
    if position.left[position.side.index()] == 0 {
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
pub fn find_pawn_move(board: &Board, position: &Position, place: Point) -> Result<Move, String> {
    let to = square(board, place)?;
    let open = position.open(board);
    if moves::pawn_targets(position, open) & to.bit() != 0 {
        return Ok(Move::Pawn(to));
    }
    Err(why_not_to(position, to))
}

/// Why the pawn of the side to move cannot go to a square of the board.
fn why_not_to(position: &Position, to: Square) -> String {
    let [own, other] = [position.pawn(position.side), position.pawn(!position.side)];
    let (place, from) = (to.point(), own.point());
    let enemy = format!("{}'s pawn", name(!position.side));
    if to == own {
        return format!("the pawn stands on {place} already, and there is no passing");
    }
    if to == other {
        return format!("{enemy} stands on {place}");
    }
    let way: &[Square] = match (is_beside(own, to), is_beside(own, other) && is_beside(other, to)) {
        (true, _) => &[own, to],
        (false, true) => &[own, other, to],
        (false, false) => {
            let on = other.point();
            let no_jump = if is_beside(own, other) {
                format!("no jump over {enemy} on {on} ends there")
            } else {
                format!("{enemy} on {on} is not between them to be jumped")
            };
            return format!("{place} is not a neighbour of {from}, and {no_jump}");
        }
    };
    let wall = way.windows(2).find_map(|step| {
        let passage = Passages::between(step[0].bit(), step[1].bit());
        let wall = position.walls.iter().find(|&wall| Walls::from(wall).edges().shares(passage))?;
        Some(format!("the wall {wall} stands between {} and {}", step[0].point(), step[1].point()))
    });
    // Without a wall in the way, only a diagonal move is left that lacks its reason.
    wall.unwrap_or_else(|| {
        let on = other.point();
        format!("neither a wall nor the rim is behind {enemy} on {on}: the jump is straight then, not diagonal")
    })
}

/// Whether two squares are orthogonal neighbours.
fn is_beside(a: Square, b: Square) -> bool {
    let [a, b] = [a.point(), b.point()];
    a.file.abs_diff(b.file) + a.rank.abs_diff(b.rank) == 1
}

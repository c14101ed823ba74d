//! Finds the legal move named by a move string in a position, or the rule that forbids it.

use pentarch_core::Point;

use super::board::{BOARD_SIZE, Board, Square, WallSlot, WallTurn, iter_slots};
use super::moves::Move;
use super::position::Position;
use super::rule_violations::{IllegalMove, WallTurnObstacle, WrongPointKind};

/// Returns the legal knight move to a point.
///
/// # Errors
/// The rule that forbids the move.
pub(crate) fn resolve_knight_move(
    board: &Board,
    position: &Position,
    point: Point,
) -> Result<Move, IllegalMove> {
    let own = position.knight(position.side);
    let enemy = position.knight(!position.side);
    let from = own.point();
    let to = require_square(point)?;
    if to == own {
        return Err(IllegalMove::NoStep { square: point });
    }
    let Some(step) = board.steps[usize::from(own.0)].iter().find(|step| step.to == to) else {
        return Err(IllegalMove::LongStep { from, to: point });
    };
    if let Some(slot) = iter_slots(step.gate & position.walls).next() {
        return Err(IllegalMove::WallBetween { slot: slot.point(), from, to: point });
    }
    if to == enemy {
        return Err(IllegalMove::OtherKnight { square: point });
    }
    Ok(Move::Knight(to))
}

/// Returns the legal wall move from one point to another.
///
/// # Errors
/// The rule that forbids the move.
pub(crate) fn resolve_wall_move(
    board: &Board,
    position: &Position,
    from: Point,
    to: Point,
) -> Result<Move, IllegalMove> {
    let start = require_wall_slot(from)?;
    let end = require_wall_slot(to)?;
    if position.walls & start.bit() == 0 {
        return Err(IllegalMove::NoWall { slot: from });
    }
    if start == end {
        return Err(IllegalMove::NoTurn { slot: to });
    }
    if position.last_wall == Some(start) {
        return Err(IllegalMove::LastWall { slot: from });
    }
    let last_towers = position.last_wall.map(WallSlot::towers);
    let shared = start
        .towers()
        .into_iter()
        .find(|tower| last_towers.is_some_and(|towers| towers.contains(tower)));
    if let Some((last, tower)) = position.last_wall.zip(shared) {
        return Err(IllegalMove::BlockedTower { last: last.point(), tower });
    }
    let Some(turn) = board.turns[usize::from(start.0)].iter().find(|turn| turn.to == end) else {
        return Err(IllegalMove::NoHinge { from, to });
    };
    if position.walls & end.bit() != 0 {
        return Err(IllegalMove::OccupiedSlot { slot: to });
    }
    if !turn.is_path_clear(position.walls, position.knight_squares()) {
        let [clockwise, counter_clockwise] = wall_turn_obstacles(position, turn);
        return Err(IllegalMove::BarredTurn { hinge: turn.tower, clockwise, counter_clockwise });
    }
    let after = position.walls ^ start.bit() ^ end.bit();
    let own = position.knight(position.side);
    if board.knight_step_targets(own, position.knight(!position.side), after).next().is_none() {
        return Err(IllegalMove::OwnTrap { square: own.point() });
    }
    Ok(Move::Wall { from: start, to: end })
}

/// Returns the obstacles on the two paths of a turn: the walls and knights on the clockwise path,
/// and those on the counter-clockwise path.
fn wall_turn_obstacles(position: &Position, turn: &WallTurn) -> [Vec<WallTurnObstacle>; 2] {
    turn.sweeps.map(|sweep| {
        let walls = iter_slots(sweep.slots & position.walls)
            .map(|slot| WallTurnObstacle::Wall(slot.point()));
        let knights =
            position.knights.into_iter().filter(|knight| knight.bit() & sweep.squares != 0);
        walls.chain(knights.map(|knight| WallTurnObstacle::Knight(knight.point()))).collect()
    })
}

/// Returns the square at a point.
///
/// # Errors
/// If the point is not a square.
pub(crate) fn require_square(point: Point) -> Result<Square, WrongPointKind> {
    Square::from_point(point).ok_or_else(|| match point_kind(point) {
        Some(kind) => WrongPointKind::NotASquare { point, kind },
        None => WrongPointKind::OffBoard { point },
    })
}

/// Returns the wall slot at a point.
///
/// # Errors
/// If the point is not a wall slot.
pub(crate) fn require_wall_slot(point: Point) -> Result<WallSlot, WrongPointKind> {
    WallSlot::from_point(point).ok_or_else(|| match point_kind(point) {
        Some(kind) => WrongPointKind::NotASlot { point, kind },
        None => WrongPointKind::OffBoard { point },
    })
}

/// Returns the kind of a point, or `None` if the point is off the board.
fn point_kind(point: Point) -> Option<&'static str> {
    match (point.file < BOARD_SIZE && point.rank < BOARD_SIZE, point.file % 2, point.rank % 2) {
        (false, ..) => None,
        (true, 1, 1) => Some("square"),
        (true, 0, 0) => Some("tower"),
        _ => Some("wall slot"),
    }
}

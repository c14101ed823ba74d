//! Finds the legal move that a text names in a position, or the rule that forbids it.

use pentarch_core::Point;

use super::board::{Board, SIZE, Slot, Square, Turn, slots};
use super::errors::{IllegalMove, Obstacle, WrongPoint};
use super::moves::Move;
use super::position::Position;

/// The knight move to this point.
///
/// # Errors
/// The rule that forbids it.
pub fn find_knight_move(
    board: &Board,
    position: &Position,
    point: Point,
) -> Result<Move, IllegalMove> {
    let (own, enemy) = (position.knight(position.side), position.knight(!position.side));
    let from = own.point();
    let to = square_at(point)?;
    if to == own {
        return Err(IllegalMove::NoStep { square: point });
    }
    let Some(step) = board.steps[usize::from(own.0)].iter().find(|step| step.to == to) else {
        return Err(IllegalMove::LongStep { from, to: point });
    };
    if let Some(slot) = slots(step.gate & position.walls).next() {
        return Err(IllegalMove::WallBetween { slot: slot.point(), from, to: point });
    }
    if to == enemy {
        return Err(IllegalMove::OtherKnight { square: point });
    }
    Ok(Move::Knight(to))
}

/// The wall move from one of these points to the other.
///
/// # Errors
/// The rule that forbids it.
pub fn find_wall_move(
    board: &Board,
    position: &Position,
    from: Point,
    to: Point,
) -> Result<Move, IllegalMove> {
    let (start, end) = (slot_at(from)?, slot_at(to)?);
    if position.walls & start.bit() == 0 {
        return Err(IllegalMove::NoWall { slot: from });
    }
    if start == end {
        return Err(IllegalMove::NoTurn { slot: to });
    }
    if position.last_wall == Some(start) {
        return Err(IllegalMove::LastWall { slot: from });
    }
    let last_towers = position.last_wall.map(Slot::towers);
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
    if !turn.is_clear(position.walls, position.knight_set()) {
        let [clockwise, counter_clockwise] = obstacles(position, turn);
        return Err(IllegalMove::BarredTurn { hinge: turn.tower, clockwise, counter_clockwise });
    }
    let after = position.walls ^ start.bit() ^ end.bit();
    let own = position.knight(position.side);
    if board.accessible(own, position.knight(!position.side), after).next().is_none() {
        return Err(IllegalMove::OwnTrap { square: own.point() });
    }
    Ok(Move::Wall { from: start, to: end })
}

/// The walls and knights that a turn meets clockwise and counter-clockwise.
fn obstacles(position: &Position, turn: &Turn) -> [Vec<Obstacle>; 2] {
    turn.sweeps.map(|sweep| {
        let walls = slots(sweep.slots & position.walls).map(|slot| Obstacle::Wall(slot.point()));
        let knights =
            position.knights.into_iter().filter(|knight| knight.bit() & sweep.squares != 0);
        walls.chain(knights.map(|knight| Obstacle::Knight(knight.point()))).collect()
    })
}

/// The square at this point.
///
/// # Errors
/// If the point is of another kind.
pub fn square_at(point: Point) -> Result<Square, WrongPoint> {
    Square::at(point).ok_or_else(|| match kind(point) {
        Some(kind) => WrongPoint::NotASquare { point, kind },
        None => WrongPoint::OffBoard { point },
    })
}

/// The wall slot at this point.
///
/// # Errors
/// If the point is of another kind.
pub fn slot_at(point: Point) -> Result<Slot, WrongPoint> {
    Slot::at(point).ok_or_else(|| match kind(point) {
        Some(kind) => WrongPoint::NotASlot { point, kind },
        None => WrongPoint::OffBoard { point },
    })
}

/// The kind of a point; none if the point is off the board.
fn kind(point: Point) -> Option<&'static str> {
    match (point.file < SIZE && point.rank < SIZE, point.file % 2, point.rank % 2) {
        (false, ..) => None,
        (true, 1, 1) => Some("square"),
        (true, 0, 0) => Some("tower"),
        _ => Some("wall slot"),
    }
}

//! Finds the legal move that a text names in a position, or the rule that forbids it.

use pentarch_core::Point;

use super::board::{Board, SIZE, Slot, Square, Turn, slots};
use super::moves::Move;
use super::position::Position;

/// The knight move to this point.
///
/// # Errors
/// The rule that forbids it.
pub fn find_knight_move(board: &Board, position: &Position, point: Point) -> Result<Move, String> {
    let (own, enemy) = (position.knight(position.side), position.knight(!position.side));
    let to = square_at(point)?;
    if to == own {
        return Err(format!("the knight stands on {point} already"));
    }
    let Some(step) = board.steps[usize::from(own.0)].iter().find(|step| step.to == to) else {
        return Err(format!(
            "a knight steps to a neighbouring square, and {point} is not next to {}",
            own.point()
        ));
    };
    if let Some(slot) = slots(step.gate & position.walls).next() {
        return Err(format!(
            "the wall in {} stands between {} and {point}",
            slot.point(),
            own.point()
        ));
    }
    if to == enemy {
        return Err(format!("the other knight stands on {point}"));
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
) -> Result<Move, String> {
    let (start, end) = (slot_at(from)?, slot_at(to)?);
    if position.walls & start.bit() == 0 {
        return Err(format!("no wall stands in {from}"));
    }
    if start == end {
        return Err(format!("the wall stands in {to} already"));
    }
    if position.last_wall == Some(start) {
        return Err(format!("the wall in {from} has just been moved there"));
    }
    let last_towers = position.last_wall.map(Slot::towers);
    let shared = start
        .towers()
        .into_iter()
        .find(|tower| last_towers.is_some_and(|towers| towers.contains(tower)));
    if let Some((last, tower)) = position.last_wall.zip(shared) {
        return Err(format!("the wall just moved to {} stands on its tower {tower}", last.point()));
    }
    let Some(turn) = board.turns[usize::from(start.0)].iter().find(|turn| turn.to == end) else {
        return Err(format!(
            "a wall turns about one of its towers, and {from} and {to} share none"
        ));
    };
    if position.walls & end.bit() != 0 {
        return Err(format!("another wall stands in {to}"));
    }
    if !turn.is_clear(position.walls, position.knight_set()) {
        return Err(obstacles(position, turn));
    }
    let after = position.walls ^ start.bit() ^ end.bit();
    let own = position.knight(position.side);
    if board.accessible(own, position.knight(!position.side), after).next().is_none() {
        return Err(format!("it would trap the mover's own knight on {}", own.point()));
    }
    Ok(Move::Wall { from: start, to: end })
}

/// The walls and knights that a turn meets in each direction, as a sentence, if it is clear in neither.
fn obstacles(position: &Position, turn: &Turn) -> String {
    let [clockwise, counter] = turn.sweeps.map(|sweep| {
        let walls =
            slots(sweep.slots & position.walls).map(|slot| format!("the wall in {}", slot.point()));
        let knights =
            position.knights.into_iter().filter(|knight| knight.bit() & sweep.squares != 0);
        let knights = knights.map(|knight| format!("the knight on {}", knight.point()));
        walls.chain(knights).collect::<Vec<_>>().join(" and ")
    });
    format!("turning about {} meets {clockwise} clockwise, {counter} counter-clockwise", turn.tower)
}

/// The square at this point.
///
/// # Errors
/// If it is none, and what it is.
pub fn square_at(point: Point) -> Result<Square, String> {
    Square::at(point).ok_or_else(|| not_a("square", point))
}

/// The wall slot at this point.
///
/// # Errors
/// If it is none, and what it is.
pub fn slot_at(point: Point) -> Result<Slot, String> {
    Slot::at(point).ok_or_else(|| not_a("wall slot", point))
}

/// The sentence that a point is not of the kind that is wanted, and of which kind it is.
fn not_a(wanted: &str, point: Point) -> String {
    let kind = match (point.file < SIZE && point.rank < SIZE, point.file % 2, point.rank % 2) {
        (false, ..) => return format!("{point} is off the board"),
        (true, 1, 1) => "square",
        (true, 0, 0) => "tower",
        _ => "wall slot",
    };
    format!("{point} is a {kind}, not a {wanted}")
}

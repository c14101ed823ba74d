//! Finds the legal move that a text names in a position, or the rule that forbids it.

use pentarch_core::{Point, Side};

use super::board::{Board, Cell, Direction, RED};
use super::errors::{IllegalMove, Occupant, Piece};
use super::moves::{self, Move};
use super::names::name;
use super::position::Position;

/// The drop on this cell.
///
/// # Errors
/// The rule that forbids it.
pub fn find_drop(board: &Board, position: &Position, point: Point) -> Result<Move, IllegalMove> {
    let cell = cell_at(point)?;
    let side = name(position.side);
    if !position.is_drop_phase() {
        return Err(IllegalMove::EmptyReserve { side, cell: point });
    }
    if moves::drops(board, position) & cell.bit() != 0 {
        return Ok(Move::Drop(cell));
    }
    Err(if let Some(occupant) = occupant(position, cell) {
        IllegalMove::OccupiedDrop(occupant)
    } else if RED & cell.bit() != 0 {
        IllegalMove::RedDrop { cell: point }
    } else {
        IllegalMove::RemoteDrop { side, cell: point }
    })
}

/// The line move or the attack from one cell to another.
///
/// # Errors
/// The rule that forbids it.
pub fn find_forward(
    board: &Board,
    position: &Position,
    from: Point,
    to: Point,
) -> Result<Move, IllegalMove> {
    let (start, end) = (cell_at(from)?, cell_at(to)?);
    check_movers(position, &[start])?;
    if start == end {
        return Err(IllegalMove::NoDistance { cell: to });
    }
    let Some(direction) = board.direction(start, end) else {
        return Err(IllegalMove::NoLine { from, to });
    };
    match moves::forward(board, position, start, direction) {
        Some(mv @ Move::Forward { to: reached, .. }) if reached == end => Ok(mv),
        _ => Err(why_not_forward(board, position, start, end, direction)),
    }
}

/// Why no move leads from one cell to another on the same line.
fn why_not_forward(
    board: &Board,
    position: &Position,
    start: Cell,
    end: Cell,
    direction: Direction,
) -> IllegalMove {
    let (side, from, to) = (name(position.side), start.point(), end.point());
    let own = position.soldiers(position.side);
    let line = || {
        std::iter::successors(Some(start), |&cell| board.next(cell, direction))
            .take_while(|&cell| cell != end)
    };
    if let Some(gap) = line().find(|cell| own & cell.bit() == 0) {
        return IllegalMove::Gap { from, to, side, gap: gap.point() };
    }
    let soldiers = line().count();
    // Soldiers stand on all cells of the line, so the cell in front is not empty: otherwise this would be a line move.
    if let Some(occupant) =
        occupant(position, end).filter(|_| position.pieces(position.side) & end.bit() != 0)
    {
        return IllegalMove::BlockedFront { occupant, soldiers };
    }
    if soldiers > 2 {
        return IllegalMove::LongPhalanx { soldiers };
    }
    let behind = board.next(end, direction);
    if let Some(behind) = behind.and_then(|behind| occupant(position, behind)) {
        return IllegalMove::BlockedPush { cell: to, behind, soldiers };
    }
    // With nothing behind the piece, an attack by two soldiers would be legal, so a single soldier attacks.
    if position.castles & end.bit() != 0 {
        return IllegalMove::CastleSupport { cell: to };
    }
    if (own & board.neighbours(end)).count_ones() < 2 {
        return IllegalMove::LoneAttack { from, to };
    }
    IllegalMove::RemoteSupport { side, from, to }
}

/// The translation of two soldiers, each to the cell at the same index of `to`.
///
/// # Errors
/// The rule that forbids it.
pub fn find_translation(
    board: &Board,
    position: &Position,
    from: [Point; 2],
    to: [Point; 2],
) -> Result<Move, IllegalMove> {
    let start = [cell_at(from[0])?, cell_at(from[1])?];
    let end = [cell_at(to[0])?, cell_at(to[1])?];
    check_movers(position, &start)?;
    if start[0] == start[1] {
        return Err(IllegalMove::SameSoldier { cell: from[0] });
    }
    let step = |from, to| {
        board.direction(from, to).filter(|&direction| board.next(from, direction) == Some(to))
    };
    let Some(line) = step(start[0], start[1]) else {
        let [first, second] = from;
        return Err(IllegalMove::DistantSoldiers { first, second });
    };
    let one_cell = |at: usize| {
        let long = IllegalMove::LongTranslation { from: from[at], to: to[at] };
        step(start[at], end[at]).ok_or(long)
    };
    let (direction, other) = (one_cell(0)?, one_cell(1)?);
    if direction != other {
        return Err(IllegalMove::TwoDirections { from, to });
    }
    if direction.is_along(line) {
        return Err(IllegalMove::TranslationAlongLine);
    }
    let ascending = [start[0].min(start[1]), start[0].max(start[1])];
    moves::translation(board, position, ascending, direction).ok_or_else(|| {
        let occupants = end.into_iter().filter_map(|cell| occupant(position, cell)).collect();
        IllegalMove::BlockedTranslation { occupants }
    })
}

/// The cell with this name.
///
/// # Errors
/// If the board has no such cell.
fn cell_at(point: Point) -> Result<Cell, IllegalMove> {
    Cell::at(point).ok_or(IllegalMove::OffBoard { point })
}

/// Checks that it is the move phase for the side to move, and that its soldiers stand on all these cells.
///
/// # Errors
/// The rule that forbids to move from one of these cells.
fn check_movers(position: &Position, from: &[Cell]) -> Result<(), IllegalMove> {
    let [side, enemy] = [position.side, !position.side].map(name);
    if position.is_drop_phase() {
        let reserve = position.reserves[position.side.index()];
        return Err(IllegalMove::MoveBeforeLastDrop { side, reserve });
    }
    for &start in from {
        let cell = start.point();
        if position.castles & start.bit() != 0 {
            return Err(IllegalMove::CastleMove { cell });
        }
        if position.soldiers(!position.side) & start.bit() != 0 {
            return Err(IllegalMove::EnemySoldier { cell, enemy, side });
        }
        if position.soldiers(position.side) & start.bit() == 0 {
            return Err(IllegalMove::NoSoldier { cell });
        }
    }
    Ok(())
}

/// The piece on a cell; none if the cell is empty.
fn occupant(position: &Position, cell: Cell) -> Option<Occupant> {
    let on = |side| {
        if position.soldiers(side) & cell.bit() != 0 {
            Some(Piece::Soldier(name(side)))
        } else if position.castle(side) & cell.bit() != 0 {
            Some(Piece::Castle(name(side)))
        } else {
            None
        }
    };
    let piece = Side::BOTH.into_iter().find_map(on)?;
    Some(Occupant { piece, cell: cell.point() })
}

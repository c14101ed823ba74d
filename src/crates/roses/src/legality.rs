//! Finds the legal move named by a move string in a position, or the rule that forbids this move.

use pentarch_core::{Point, Side};

use super::board::{BoardGraph, Direction, HexCell, NO_DROP_CELLS};
use super::moves::{self, Move};
use super::names::side_name;
use super::position::Position;
use super::rule_violations::{IllegalMove, NamedPiece, Occupant};

/// Returns the drop on this cell.
///
/// # Errors
/// If a rule forbids the move.
pub(crate) fn resolve_drop(
    board: &BoardGraph,
    position: &Position,
    point: Point,
) -> Result<Move, IllegalMove> {
    let cell = require_cell(point)?;
    let side = side_name(position.side);
    if !position.is_drop_phase() {
        return Err(IllegalMove::EmptyReserve { side, cell: point });
    }
    if moves::legal_drop_cells(board, position) & cell.bit() != 0 {
        return Ok(Move::Drop(cell));
    }
    Err(if let Some(occupant) = find_occupant(position, cell) {
        IllegalMove::OccupiedDrop(occupant)
    } else if NO_DROP_CELLS & cell.bit() != 0 {
        IllegalMove::RedDrop { cell: point }
    } else {
        IllegalMove::RemoteDrop { side, cell: point }
    })
}

/// Returns the line move or the attack from one cell to another.
///
/// # Errors
/// If a rule forbids the move.
pub(crate) fn resolve_line_move_or_attack(
    board: &BoardGraph,
    position: &Position,
    from: Point,
    to: Point,
) -> Result<Move, IllegalMove> {
    let start = require_cell(from)?;
    let end = require_cell(to)?;
    check_moving_soldiers(position, &[start])?;
    if start == end {
        return Err(IllegalMove::SameCell { cell: to });
    }
    let Some(direction) = board.direction_between(start, end) else {
        return Err(IllegalMove::NoLine { from, to });
    };
    match moves::line_move_or_attack(board, position, start, direction) {
        Some(mv @ Move::Forward { to: reached, .. }) if reached == end => Ok(mv),
        _ => Err(illegal_line_move_reason(board, position, start, end, direction)),
    }
}

/// Returns the rule that forbids a move from one cell to another on the same line.
fn illegal_line_move_reason(
    board: &BoardGraph,
    position: &Position,
    start: HexCell,
    end: HexCell,
    direction: Direction,
) -> IllegalMove {
    let side = side_name(position.side);
    let from = start.point();
    let to = end.point();
    let own = position.soldiers(position.side);
    let mut soldiers = 0;
    let mut next = Some(start);
    while let Some(cell) = next.filter(|&cell| cell != end) {
        if own & cell.bit() == 0 {
            return IllegalMove::Gap { from, to, side, gap: cell.point() };
        }
        soldiers += 1;
        next = board.next(cell, direction);
    }
    // All cells of the line have soldiers. So the cell in front is not empty, because otherwise the
    // move would be a legal line move.
    if let Some(occupant) =
        find_occupant(position, end).filter(|_| position.pieces(position.side) & end.bit() != 0)
    {
        return IllegalMove::BlockedFront { occupant, soldiers };
    }
    if soldiers > 2 {
        return IllegalMove::LongPhalanx { soldiers };
    }
    let behind = board.next(end, direction);
    if let Some(behind) = behind.and_then(|behind| find_occupant(position, behind)) {
        return IllegalMove::BlockedPush { cell: to, behind, soldiers };
    }
    // If nothing is behind the enemy piece, an attack by two soldiers would be legal. So only one
    // soldier attacks.
    if position.castles & end.bit() != 0 {
        return IllegalMove::CastleSupport { cell: to };
    }
    if (own & board.neighbours(end)).count_ones() < 2 {
        return IllegalMove::LoneAttack { from, to };
    }
    IllegalMove::RemoteSupport { side, from, to }
}

/// Returns the translation of two soldiers. Each soldier goes to the cell at its index in `to`.
///
/// # Errors
/// If a rule forbids the move.
pub(crate) fn resolve_translation_move(
    board: &BoardGraph,
    position: &Position,
    from: [Point; 2],
    to: [Point; 2],
) -> Result<Move, IllegalMove> {
    let start = [require_cell(from[0])?, require_cell(from[1])?];
    let end = [require_cell(to[0])?, require_cell(to[1])?];
    check_moving_soldiers(position, &start)?;
    if start[0] == start[1] {
        return Err(IllegalMove::SameSoldier { cell: from[0] });
    }
    let Some(line) = step_direction(board, start[0], start[1]) else {
        let [first, second] = from;
        return Err(IllegalMove::DistantSoldiers { first, second });
    };
    let [first, second] = [0, 1].map(|index| {
        step_direction(board, start[index], end[index])
            .ok_or(IllegalMove::LongTranslation { from: from[index], to: to[index] })
    });
    let direction = first?;
    if direction != second? {
        return Err(IllegalMove::TwoDirections { from, to });
    }
    if direction.is_parallel_to(line) {
        return Err(IllegalMove::TranslationAlongLine);
    }
    let ascending = [start[0].min(start[1]), start[0].max(start[1])];
    moves::legal_soldier_translation(board, position, ascending, direction).ok_or_else(|| {
        let occupants = end.into_iter().filter_map(|cell| find_occupant(position, cell)).collect();
        IllegalMove::BlockedTranslation { occupants }
    })
}

/// Returns the direction of the step from one cell to another, or `None` if the cells are not
/// adjacent.
fn step_direction(board: &BoardGraph, from: HexCell, to: HexCell) -> Option<Direction> {
    board.direction_between(from, to).filter(|&direction| board.next(from, direction) == Some(to))
}

/// Returns the cell with this name.
///
/// # Errors
/// If the board has no such cell.
fn require_cell(point: Point) -> Result<HexCell, IllegalMove> {
    HexCell::from_point(point).ok_or(IllegalMove::OffBoard { point })
}

/// Checks that the side to move is in the move phase, and that all these cells have soldiers of
/// this side.
///
/// # Errors
/// If a rule forbids a move from one of these cells.
fn check_moving_soldiers(position: &Position, from: &[HexCell]) -> Result<(), IllegalMove> {
    let [side, enemy] = [position.side, !position.side].map(side_name);
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

/// Returns the piece on a cell, or `None` if the cell is empty.
fn find_occupant(position: &Position, cell: HexCell) -> Option<Occupant> {
    for side in Side::BOTH_SIDES {
        let piece = if position.soldiers(side) & cell.bit() != 0 {
            NamedPiece::Soldier(side_name(side))
        } else if position.castle(side) & cell.bit() != 0 {
            NamedPiece::Castle(side_name(side))
        } else {
            continue;
        };
        return Some(Occupant { piece, cell: cell.point() });
    }
    None
}

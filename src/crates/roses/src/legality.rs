//! Finds the legal move that a text names in a position, or the rule that forbids it.

use pentarch_core::{Point, Side};

use super::board::{Board, Cell, Direction, RED};
use super::moves::{self, Move};
use super::names::name;
use super::position::Position;

/// The drop on this cell.
///
/// # Errors
/// The rule that forbids it.
pub fn find_drop(board: &Board, position: &Position, point: Point) -> Result<Move, String> {
    let (cell, own) = (cell_at(point)?, name(position.side));
    if !position.is_drop_phase() {
        return Err(format!("{own} has no soldier in reserve to drop on {point}"));
    }
    if moves::drops(board, position) & cell.bit() != 0 {
        return Ok(Move::Drop(cell));
    }
    Err(if let Some(piece) = piece_on(position, cell) {
        format!("a soldier is dropped on an empty cell, and {piece} stands on {point}")
    } else if RED & cell.bit() != 0 {
        format!("{point} is red, and soldiers cannot be dropped on red cells")
    } else {
        format!(
            "a soldier is dropped next to a friendly piece, and none of {own}'s is adjacent to {point}"
        )
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
) -> Result<Move, String> {
    let (start, end) = (cell_at(from)?, cell_at(to)?);
    check_movers(position, &[start])?;
    if start == end {
        return Err(format!("the soldier stands on {to} already"));
    }
    let Some(direction) = board.direction(start, end) else {
        return Err(format!("{from} and {to} do not lie on one line of the board"));
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
) -> String {
    let (own, from, to) = (name(position.side), start.point(), end.point());
    let soldiers = position.soldiers(position.side);
    let line = || {
        std::iter::successors(Some(start), |&cell| board.next(cell, direction))
            .take_while(|&cell| cell != end)
    };
    if let Some(gap) = line().find(|cell| soldiers & cell.bit() == 0) {
        return format!(
            "{from}{to} moves a line of {own} soldiers, and none stands on {}",
            gap.point()
        );
    }
    // Soldiers stand on all cells of the line, so the cell in front is not empty: otherwise this would be a line move.
    if let Some(piece) =
        piece_on(position, end).filter(|_| position.pieces(position.side) & end.bit() != 0)
    {
        return format!("the cell in front is not empty: {piece} stands on {to}");
    }
    let count = line().count();
    if count > 2 {
        return format!("an attack by phalanx moves two soldiers, not {count}");
    }
    let behind = board.next(end, direction);
    if let Some((behind, piece)) =
        behind.and_then(|behind| Some((behind.point(), piece_on(position, behind)?)))
    {
        return format!("the soldier on {to} cannot be pushed on: {piece} stands on {behind}");
    }
    // With nothing behind the piece, an attack by two soldiers would be legal, so a single soldier attacks.
    if position.castles & end.bit() != 0 {
        return format!(
            "the castle on {to} cannot be attacked by support, only by two soldiers on a line to it"
        );
    }
    if (soldiers & board.neighbours(end)).count_ones() < 2 {
        return format!(
            "{from} attacks {to} alone: support takes two soldiers adjacent to the enemy soldier"
        );
    }
    format!(
        "support must be contiguous: no other soldier of {own}'s is adjacent to both {from} and {to}"
    )
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
) -> Result<Move, String> {
    let start = [cell_at(from[0])?, cell_at(from[1])?];
    let end = [cell_at(to[0])?, cell_at(to[1])?];
    check_movers(position, &start)?;
    if start[0] == start[1] {
        return Err(format!("a translation moves two soldiers, and {} is named twice", from[0]));
    }
    let step = |from, to| {
        board.direction(from, to).filter(|&direction| board.next(from, direction) == Some(to))
    };
    let Some(line) = step(start[0], start[1]) else {
        let [first, second] = from;
        return Err(format!(
            "a translation moves two adjacent soldiers, and {first} and {second} are not adjacent"
        ));
    };
    let one_cell = |at: usize| {
        let reason = || {
            format!("each soldier goes one cell, and {} is not adjacent to {}", to[at], from[at])
        };
        step(start[at], end[at]).ok_or_else(reason)
    };
    let (direction, other) = (one_cell(0)?, one_cell(1)?);
    if direction != other {
        let [first, second] = [0, 1].map(|at| format!("{} to {}", from[at], to[at]));
        return Err(format!(
            "both soldiers go in the same direction, not one from {first} and one from {second}"
        ));
    }
    if direction.is_along(line) {
        return Err("a translation is not along the soldiers' own line: that is a line move".into());
    }
    let ascending = [start[0].min(start[1]), start[0].max(start[1])];
    moves::translation(board, position, ascending, direction).ok_or_else(|| {
        let occupant =
            |cell| Some(format!("{} stands on {}", piece_on(position, cell)?, cell.point()));
        let occupants: Vec<String> = end.into_iter().filter_map(occupant).collect();
        format!("both cells must be empty, and {}", occupants.join(", "))
    })
}

/// The cell with this name.
///
/// # Errors
/// If the board has no such cell.
fn cell_at(point: Point) -> Result<Cell, String> {
    Cell::at(point).ok_or_else(|| format!("the board has no cell {point}"))
}

/// Checks that it is the move phase for the side to move, and that its soldiers stand on all these cells.
///
/// # Errors
/// The rule that forbids to move from one of these cells.
fn check_movers(position: &Position, from: &[Cell]) -> Result<(), String> {
    let own = name(position.side);
    if position.is_drop_phase() {
        let reserve = position.reserves[position.side.index()];
        return Err(format!(
            "{own} must drop a soldier while it has any in reserve ({reserve} now)"
        ));
    }
    for &cell in from {
        let point = cell.point();
        if position.castles & cell.bit() != 0 {
            return Err(format!("castles do not move, and {point} holds one"));
        }
        if position.soldiers(!position.side) & cell.bit() != 0 {
            return Err(format!(
                "the soldier on {point} is {}'s, and it is {own}'s turn",
                name(!position.side)
            ));
        }
        if position.soldiers(position.side) & cell.bit() == 0 {
            return Err(format!("no soldier stands on {point}"));
        }
    }
    Ok(())
}

/// The piece on a cell in words, as in `a white soldier` and `the black castle`; none on an empty cell.
fn piece_on(position: &Position, cell: Cell) -> Option<String> {
    let on = |side| {
        let soldier = (position.soldiers(side) & cell.bit() != 0)
            .then(|| format!("a {} soldier", name(side)));
        soldier.or_else(|| {
            (position.castle(side) & cell.bit() != 0).then(|| format!("the {} castle", name(side)))
        })
    };
    Side::BOTH.into_iter().find_map(on)
}

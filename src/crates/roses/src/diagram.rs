//! The board of Guerre des Deux Roses as a text diagram of hexagons.

use pentarch_core::Side;
use pentarch_core::view::diagram::{Cell, CellKind, Diagram};
use pentarch_core::view::layout::Site;

use super::board::{self, RED, ROWS};
use super::names::{name, symbol};
use super::position::Position;

/// The outline of a cell. Neighbours share their edges: the next cell of a row begins at the last column of this one,
/// and the next row at its fourth line.
const CELL: [&str; 5] = ["  / \\  ", " /   \\ ", "|     |", " \\   / ", "  \\ /  "];
/// The columns from a cell to the one down right of it: half the columns between two cells of a row.
const RIGHT: usize = 3;
/// The lines from one row to the next.
const DOWN: usize = 3;
/// The lines and columns of the whole diagram.
const SIZE: (usize, usize) = (ROWS as usize * DOWN + 2, 11 * RIGHT + 1);

/// Draws the board with each side's reserve beside its castle. Below it is the meaning of the letters.
pub fn draw(position: &Position, viewer: Side) -> Diagram {
    let mut diagram = board(position, viewer);
    for (line, side) in [(2, !viewer), (SIZE.0 - 3, viewer)] {
        diagram.rows[line].extend(CellKind::Note.cells(&reserve(position, side)));
    }
    diagram.push_note("C, S: White's castle and soldiers; c, s: Black's");
    diagram
}

/// The board, all of whose lines have the same width.
fn board(position: &Position, viewer: Side) -> Diagram {
    let mut canvas = vec![vec![Cell::SPACE; SIZE.1]; SIZE.0];
    for cell in board::Cell::all() {
        let site = Site::from(cell.point());
        let (top, left) = (
            usize::from(cell.row()) * DOWN,
            usize::from(cell.point().file + cell.point().rank - 1) * RIGHT,
        );
        let (top, left) = match viewer {
            Side::First => (top, left),
            // The board is the same after a half turn.
            Side::Second => (SIZE.0 - CELL.len() - top, SIZE.1 - CELL[0].len() - left),
        };
        let mut put = |line: usize, column: usize, text: &str, kind: CellKind| {
            let there = canvas[top + line][left + column..].iter_mut();
            for (old, new) in there.zip(kind.cells(text)).filter(|(_, new)| new.character != ' ') {
                *old = new;
            }
        };
        CELL.iter().enumerate().for_each(|(line, text)| put(line, 0, text, CellKind::Line));
        put(1, 2, &cell.point().to_string(), CellKind::Name);
        if RED & cell.bit() != 0 {
            put(3, 2, "red", CellKind::Name);
        }
        let middle = &mut canvas[top + 2][left + 2..left + 5];
        let player = Side::BOTH.iter().position(|&side| position.pieces(side) & cell.bit() != 0);
        match symbol(position, cell).zip(player) {
            Some((letter @ ('C' | 'c'), player)) => {
                let castle = ['[', letter, ']'].map(|sign| Cell::piece(sign, player, site));
                middle.copy_from_slice(&castle);
            }
            Some((letter, player)) => middle[1] = Cell::piece(letter, player, site),
            None => middle[1] = Cell::empty(' ', site),
        }
    }
    Diagram { rows: canvas }
}

/// The reserve of one side, as a text.
fn reserve(position: &Position, side: Side) -> String {
    let soldier = [" S", " s"][side.index()];
    let soldiers = match position.reserves[side.index()] {
        0 => " none".into(),
        count => soldier.repeat(count.into()),
    };
    format!("{} reserve:{soldiers}", name(side))
}

//! The board of Guerre des Deux Roses as a text diagram of hexagons.

use pentarch_core::Side;
use pentarch_core::view::diagram::{Diagram, DiagramCell, DiagramCellKind};
use pentarch_core::view::layout::Site;

use super::board::{HexCell, NO_DROP_CELLS, ROW_COUNT};
use super::names::{piece_letter, side_name};
use super::position::Position;

/// The outline of a cell. Neighbours share their edges. So the next cell of a row begins at the
/// last column of a cell, and the next row begins at the fourth line of a cell.
const CELL_OUTLINE: [&str; 5] = ["  / \\  ", " /   \\ ", "|     |", " \\   / ", "  \\ /  "];
/// The number of columns from a cell to the next cell down right. This is half the number of
/// columns between two cells of a row.
const HALF_CELL_COLUMNS: usize = 3;
/// The number of lines from one row to the next.
const LINES_PER_ROW: usize = 3;
const DIAGRAM_HEIGHT: usize = ROW_COUNT as usize * LINES_PER_ROW + 2;
const DIAGRAM_WIDTH: usize = 11 * HALF_CELL_COLUMNS + 1;

/// Draws the board with each side's reserve next to the side's castle. The meaning of the letters
/// appears below the board.
pub(crate) fn draw_position(position: &Position, viewer: Side) -> Diagram {
    let mut diagram = draw_board(position, viewer);
    for (line, side) in [(2, !viewer), (DIAGRAM_HEIGHT - 3, viewer)] {
        diagram.rows[line]
            .extend(DiagramCellKind::Note.cells_for_characters(&format_reserve(position, side)));
    }
    diagram.push_note("C, S: White's castle and soldiers; c, s: Black's");
    diagram
}

/// Draws the board. All lines have the same width.
fn draw_board(position: &Position, viewer: Side) -> Diagram {
    let mut canvas = vec![vec![DiagramCell::SPACE_CELL; DIAGRAM_WIDTH]; DIAGRAM_HEIGHT];
    for cell in HexCell::all() {
        let site = Site::from(cell.point());
        let mut top = usize::from(cell.row()) * LINES_PER_ROW;
        let mut left = usize::from(cell.point().file + cell.point().rank - 1) * HALF_CELL_COLUMNS;
        // The board is the same after a half turn.
        if viewer == Side::Second {
            top = DIAGRAM_HEIGHT - CELL_OUTLINE.len() - top;
            left = DIAGRAM_WIDTH - CELL_OUTLINE[0].len() - left;
        }
        let mut put = |line: usize, column: usize, text: &str, kind: DiagramCellKind| {
            let covered = canvas[top + line][left + column..].iter_mut();
            for (old, new) in covered.zip(kind.cells_for_characters(text)) {
                if new.character != ' ' {
                    *old = new;
                }
            }
        };
        for (line, text) in CELL_OUTLINE.iter().enumerate() {
            put(line, 0, text, DiagramCellKind::Line);
        }
        put(1, 2, &cell.point().to_string(), DiagramCellKind::Name);
        if NO_DROP_CELLS & cell.bit() != 0 {
            put(3, 2, "red", DiagramCellKind::Name);
        }
        let middle = &mut canvas[top + 2][left + 2..left + 5];
        let player =
            Side::BOTH_SIDES.iter().position(|&side| position.pieces(side) & cell.bit() != 0);
        match piece_letter(position, cell).zip(player) {
            Some((letter @ ('C' | 'c'), player)) => {
                let castle =
                    ['[', letter, ']'].map(|sign| DiagramCell::of_piece(sign, player, site));
                middle.copy_from_slice(&castle);
            }
            Some((letter, player)) => middle[1] = DiagramCell::of_piece(letter, player, site),
            None => middle[1] = DiagramCell::of_empty_site(' ', site),
        }
    }
    Diagram { rows: canvas }
}

/// Returns a note with the soldiers that a side has in reserve.
fn format_reserve(position: &Position, side: Side) -> String {
    let soldier = [" S", " s"][side.index()];
    let soldiers = match position.reserves[side.index()] {
        0 => " none".into(),
        count => soldier.repeat(count.into()),
    };
    format!("{} reserve:{soldiers}", side_name(side))
}

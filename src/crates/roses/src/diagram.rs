//! The board of Guerre des Deux Roses as a text diagram of hexagons.

use pentarch_core::Side;

use super::board::{Cell, RED, ROWS};
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
pub fn draw(position: &Position, viewer: Side) -> String {
    let mut lines = board(position, viewer);
    lines[2] += &reserve(position, !viewer);
    lines[SIZE.0 - 3] += &reserve(position, viewer);
    lines.push("C, S: White's castle and soldiers; c, s: Black's".into());
    joined(&lines)
}

/// Draws the board alone.
pub fn draw_board(position: &Position) -> String {
    joined(&board(position, Side::First))
}

/// The lines as one text, without trailing spaces.
fn joined(lines: &[String]) -> String {
    lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
}

/// The lines of the board, all of the same width.
fn board(position: &Position, viewer: Side) -> Vec<String> {
    let mut canvas = [[' '; SIZE.1]; SIZE.0];
    for cell in Cell::all() {
        let (top, left) = (
            usize::from(cell.row()) * DOWN,
            usize::from(cell.point().file + cell.point().rank - 1) * RIGHT,
        );
        let (top, left) = match viewer {
            Side::First => (top, left),
            // The board is the same after a half turn.
            Side::Second => (SIZE.0 - CELL.len() - top, SIZE.1 - CELL[0].len() - left),
        };
        let red = if RED & cell.bit() != 0 { "red" } else { "" };
        let piece = symbol(position, cell).map_or(String::new(), |symbol| match symbol {
            'C' | 'c' => format!("[{symbol}]"),
            _ => format!(" {symbol}"),
        });
        let mut put = |line: usize, column: usize, text: &str| {
            let there = canvas[top + line][left + column..].iter_mut();
            there
                .zip(text.chars())
                .filter(|(_, new)| *new != ' ')
                .for_each(|(old, new)| *old = new);
        };
        CELL.iter().enumerate().for_each(|(line, text)| put(line, 0, text));
        put(1, 2, &cell.point().to_string());
        put(2, 2, &piece);
        put(3, 2, red);
    }
    canvas.into_iter().map(String::from_iter).collect()
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

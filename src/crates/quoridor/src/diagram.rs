//! The board of Quoridor as a text diagram.

use pentarch_core::notation::points::{letter, rightwards};
use pentarch_core::{Point, Side};

use super::board::Board;
use super::sets::{Passages, Square};
use super::walls::Walls;

/// The lines of a drawn board. Posts and the corners of the rim are `+`, walls are lines two squares long. `sign` gives
/// the sign of what stands on a square, and `beside` the text at the right of a rank.
pub fn board(
    board: &Board,
    walls: Walls,
    viewer: Side,
    sign: impl Fn(Square) -> char,
    beside: impl Fn(u8) -> Option<String>,
) -> Vec<String> {
    let open = board.open.without(walls);
    // A square, and the groove to its right.
    let inside = |square: Square| {
        let groove = if open.east & square.bit() != 0 { ' ' } else { '|' };
        format!(" {} {groove}", sign(square))
    };
    let rank_of =
        |rank| (0..board.size).filter_map(move |file| board.square(Point::new(file, rank)));
    // What stands left of the board, a line of the board, and what stands right of it.
    let mut rows: Vec<(String, String, String)> = Vec::new();
    for rank in (0..board.size).rev() {
        let groove: String = rank_of(rank).map(|square| above(walls, open, square)).collect();
        rows.push(("  ".into(), format!("+{groove}"), String::new()));
        let squares: String = rank_of(rank).map(inside).collect();
        rows.push((
            format!("{:2}", rank + 1),
            format!("|{squares}"),
            beside(rank).unwrap_or_default(),
        ));
    }
    rows.push(("  ".into(), format!("+{}", "---+".repeat(usize::from(board.size))), String::new()));
    if viewer == Side::Second {
        // The signs of the board look the same after a half turn.
        rows.reverse();
        rows.iter_mut().for_each(|(_, line, _)| *line = line.chars().rev().collect());
    }
    let mut lines: Vec<String> =
        rows.into_iter().map(|(left, line, right)| format!("{left} {line}{right}")).collect();
    let files: String =
        rightwards(board.size, viewer).map(|file| format!("   {}", letter(file))).collect();
    lines.push(format!("  {files}"));
    lines
}

/// The groove above a square, and the post at its upper right corner.
fn above(walls: Walls, open: Passages, square: Square) -> String {
    let line = if open.north & square.bit() != 0 { "   " } else { "---" };
    let post = match (walls.horizontal & square.bit(), walls.vertical & square.bit()) {
        (0, 0) => '+',
        (0, _) => '|',
        _ => '-',
    };
    format!("{line}{post}")
}

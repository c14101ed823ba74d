//! The board of Quoridor as a text diagram.

use crate::core::points::{letter, rightwards};
use crate::core::{Point, Rules, Side};

use super::Quoridor;
use super::board::{Board, Square};
use super::paths::Passages;
use super::position::Position;
use super::walls::Walls;

/// Draws the board, with the walls that each player has left beside the player's first rank.
pub fn draw(board: &Board, position: &Position, viewer: Side) -> String {
    let sign = |square| match position.pawns {
        [white, _] if white == square => 'W',
        [_, black] if black == square => 'B',
        _ => ' ',
    };
    let beside = |rank| {
        let player = Side::BOTH.into_iter().find(|&side| board.goal_rank(!side) == rank);
        player.map(|side| {
            format!("   {}, walls left: {}", Quoridor::SIDES[side.index()], position.walls_left[side.index()])
        })
    };
    let mut lines = self::board(board, position.walls, viewer, sign, beside);
    lines.push("W, B: the pawns".into());
    lines.join("\n")
}

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
    let rank_of = |rank| (0..board.size).filter_map(move |file| board.square(Point::new(file, rank)));
    // What stands left of the board, a line of the board, and what stands right of it.
    let mut rows: Vec<(String, String, String)> = Vec::new();
    for rank in (0..board.size).rev() {
        let groove: String = rank_of(rank).map(|square| above(walls, open, square)).collect();
        rows.push(("  ".into(), format!("+{groove}"), String::new()));
        let squares: String = rank_of(rank).map(|square| inside(open, square, sign(square))).collect();
        rows.push((format!("{:2}", rank + 1), format!("|{squares}"), beside(rank).unwrap_or_default()));
    }
    rows.push(("  ".into(), format!("+{}", "---+".repeat(usize::from(board.size))), String::new()));
    if viewer == Side::Second {
        // The signs of the board look the same after a half turn.
        rows.reverse();
        rows.iter_mut().for_each(|(_, line, _)| *line = line.chars().rev().collect());
    }
    let mut lines: Vec<String> = rows.into_iter().map(|(left, line, right)| format!("{left} {line}{right}")).collect();
    let files: String = rightwards(board.size, viewer).map(|file| format!("   {}", letter(file))).collect();
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

/// A square, and the groove to its right.
fn inside(open: Passages, square: Square, pawn: char) -> String {
    let groove = if open.east & square.bit() != 0 { ' ' } else { '|' };
    format!(" {pawn} {groove}")
}

//! The board of Quoridor as a text diagram.

use pentarch_core::notation::points::files_from_left;
use pentarch_core::view::diagram::{
    Diagram, DiagramCell, DiagramCellKind, file_label_line, rank_label,
};
use pentarch_core::{Point, Side};

use super::board::Board;
use super::layout::{site_of_square, wall_site};
use super::position::Position;
use super::square_sets::Square;
use super::walls::{Wall, WallDirection};

struct DiagramRow {
    /// The label of a rank, to the left of the board, or spaces of the same width.
    left: Vec<DiagramCell>,
    /// The row of the board itself.
    line: Vec<DiagramCell>,
    /// A note to the right of the board.
    right: Vec<DiagramCell>,
}

/// Draws the board with its labels. Posts and the corners of the rim are drawn as `+`. Walls are
/// lines with the length of two squares. `signs` are the letters of the players' pawns, and `note`
/// returns the text to the right of a rank.
pub(crate) fn draw_board<const PLAYERS: usize, M>(
    board: &Board,
    position: &Position<PLAYERS, M>,
    viewer: Side,
    signs: [char; PLAYERS],
    note: impl Fn(u8) -> Option<String>,
) -> Diagram {
    // Returns the lines of a rank and of the grooves above it.
    let draw_rank = |rank| {
        let mut squares = vec![line_character_cell(WallDirection::Vertical)];
        let mut above = vec![DiagramCell::new('+', DiagramCellKind::Post)];
        for file in 0..board.size {
            let square = Square::new(Point::new(file, rank));
            let player = position.pawns.iter().position(|&pawn| pawn == square);
            let cell = match player {
                Some(player) => {
                    DiagramCell::of_piece(signs[player], player, site_of_square(square))
                }
                None => DiagramCell::of_empty_site(' ', site_of_square(square)),
            };
            squares.extend([DiagramCell::SPACE_CELL, cell, DiagramCell::SPACE_CELL]);
            squares.push(groove_cell(board, position, square, WallDirection::Vertical));
            above.extend([groove_cell(board, position, square, WallDirection::Horizontal); 3]);
            above.push(post_cell(position, square));
        }
        [squares, above]
    };
    let mut rows = Vec::new();
    let no_label = || vec![DiagramCell::SPACE_CELL; 2];
    for rank in (0..board.size).rev() {
        let [squares, above] = draw_rank(rank);
        let note = note(rank).unwrap_or_default();
        rows.push(DiagramRow { left: no_label(), line: above, right: Vec::new() });
        rows.push(DiagramRow {
            left: rank_label(rank, 2),
            line: squares,
            right: DiagramCellKind::Note.cells_for_characters(&note).collect(),
        });
    }
    let mut rim = vec![DiagramCell::new('+', DiagramCellKind::Post)];
    for _ in 0..board.size {
        rim.extend([line_character_cell(WallDirection::Horizontal); 3]);
        rim.push(DiagramCell::new('+', DiagramCellKind::Post));
    }
    rows.push(DiagramRow { left: no_label(), line: rim, right: Vec::new() });
    if viewer == Side::Second {
        // Each character looks the same after a half turn, so reversing the order is enough.
        rows.reverse();
        rows.iter_mut().for_each(|row| row.line.reverse());
    }
    let mut diagram = Diagram::default();
    for DiagramRow { left, line, right } in rows {
        diagram.rows.push([left, vec![DiagramCell::SPACE_CELL], line, right].concat());
    }
    diagram.rows.push(file_label_line(files_from_left(board.size, viewer), 2, 3));
    diagram
}

/// Returns the cell of the groove above a square or to the right of a square, depending on the
/// direction. The cell shows a wall in this direction, the edge of the board, or a gap.
fn groove_cell<const PLAYERS: usize, M>(
    board: &Board,
    position: &Position<PLAYERS, M>,
    square: Square,
    direction: WallDirection,
) -> DiagramCell {
    let point = square.point();
    // A groove can be covered by a wall with its post at the end of this groove, or by a wall with
    // its post one square earlier.
    let (before, open) = match direction {
        WallDirection::Horizontal => (point.offset_by(-1, 0), board.passages.north),
        WallDirection::Vertical => (point.offset_by(0, -1), board.passages.east),
    };
    let mut walls = [Some(point), before]
        .into_iter()
        .flatten()
        .map(|point| Wall { post: Square::new(point), direction });
    match walls.find(|&wall| position.walls.contains(wall)) {
        Some(wall) => line_character_cell(direction).with_site(wall_site(wall)),
        None if open & square.bit() == 0 => line_character_cell(direction),
        None => DiagramCell::SPACE_CELL,
    }
}

/// Returns the cell at the upper right corner of a square. The cell shows the post there, or the
/// wall that covers the post.
fn post_cell<const PLAYERS: usize, M>(
    position: &Position<PLAYERS, M>,
    square: Square,
) -> DiagramCell {
    let walls = [WallDirection::Horizontal, WallDirection::Vertical]
        .map(|direction| Wall { post: square, direction });
    match walls.into_iter().find(|&wall| position.walls.contains(wall)) {
        Some(wall) => line_character_cell(wall.direction).with_site(wall_site(wall)),
        None => DiagramCell::new('+', DiagramCellKind::Post),
    }
}

/// Returns the cell that draws a part of a wall or of the edge of the board.
fn line_character_cell(direction: WallDirection) -> DiagramCell {
    match direction {
        WallDirection::Horizontal => DiagramCell::new('-', DiagramCellKind::Horizontal),
        WallDirection::Vertical => DiagramCell::new('|', DiagramCellKind::Vertical),
    }
}

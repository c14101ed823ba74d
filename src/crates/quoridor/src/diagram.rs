//! The board of Quoridor as a text diagram.

use pentarch_core::notation::points::rightwards;
use pentarch_core::view::diagram::{Cell, CellKind, Diagram, file_labels, rank_label};
use pentarch_core::{Point, Side};

use super::board::Board;
use super::layout::{site, wall_site};
use super::position::Position;
use super::square_sets::Square;
use super::walls::{WallDirection, Wall};

/// The board with its labels. Posts and the corners of the rim are `+`, walls are lines two squares long. `signs` are
/// the signs of the players' pawns, and `beside` is the text at the right of a rank.
pub fn board<const PLAYERS: usize, M>(
    board: &Board,
    position: &Position<PLAYERS, M>,
    viewer: Side,
    signs: [char; PLAYERS],
    beside: impl Fn(u8) -> Option<String>,
) -> Diagram {
    // The line of a rank, and the line of the grooves above it.
    let rank_of = |rank| {
        let mut squares = vec![line(WallDirection::Vertical)];
        let mut above = vec![Cell::new('+', CellKind::Post)];
        for file in 0..board.size {
            let square = Square::new(Point::new(file, rank));
            let player = position.pawns.iter().position(|&pawn| pawn == square);
            let place = match player {
                Some(player) => Cell::piece(signs[player], player, site(square)),
                None => Cell::empty(' ', site(square)),
            };
            squares.extend([Cell::SPACE, place, Cell::SPACE]);
            squares.push(groove(board, position, square, WallDirection::Vertical));
            above.extend([groove(board, position, square, WallDirection::Horizontal); 3]);
            above.push(post(position, square));
        }
        [squares, above]
    };
    // What stands left of the board, a line of the board, and what stands right of it.
    let mut rows: Vec<[Vec<Cell>; 3]> = Vec::new();
    let no_label = || vec![Cell::SPACE; 2];
    for rank in (0..board.size).rev() {
        let [squares, above] = rank_of(rank);
        let beside = beside(rank).unwrap_or_default();
        rows.push([no_label(), above, Vec::new()]);
        rows.push([rank_label(rank, 2), squares, CellKind::Note.cells(&beside).collect()]);
    }
    let mut rim = vec![Cell::new('+', CellKind::Post)];
    for _ in 0..board.size {
        rim.extend([line(WallDirection::Horizontal); 3]);
        rim.push(Cell::new('+', CellKind::Post));
    }
    rows.push([no_label(), rim, Vec::new()]);
    if viewer == Side::Second {
        // The signs of the board look the same after a half turn.
        rows.reverse();
        rows.iter_mut().for_each(|[_, line, _]| line.reverse());
    }
    let joined =
        |[left, line, right]: [Vec<Cell>; 3]| [left, vec![Cell::SPACE], line, right].concat();
    let mut diagram = Diagram { rows: rows.into_iter().map(joined).collect() };
    diagram.rows.push(file_labels(rightwards(board.size, viewer), 2, 3));
    diagram
}

/// The groove above a square, or that to its right: a wall in this direction, the edge of the board, or a gap.
fn groove<const PLAYERS: usize, M>(
    board: &Board,
    position: &Position<PLAYERS, M>,
    square: Square,
    direction: WallDirection,
) -> Cell {
    let point = square.point();
    // The other wall that lies here has its post a square before.
    let (before, open) = match direction {
        WallDirection::Horizontal => (point.step(-1, 0), board.passages.north),
        WallDirection::Vertical => (point.step(0, -1), board.passages.east),
    };
    let mut walls = [Some(point), before]
        .into_iter()
        .flatten()
        .map(|point| Wall { post: Square::new(point), direction });
    match walls.find(|&wall| position.walls.contains(wall)) {
        Some(wall) => line(direction).at(wall_site(wall)),
        None if open & square.bit() == 0 => line(direction),
        None => Cell::SPACE,
    }
}

/// The post at the upper right corner of a square, or the wall that stands there.
fn post<const PLAYERS: usize, M>(position: &Position<PLAYERS, M>, square: Square) -> Cell {
    let walls = [WallDirection::Horizontal, WallDirection::Vertical]
        .map(|direction| Wall { post: square, direction });
    match walls.into_iter().find(|&wall| position.walls.contains(wall)) {
        Some(wall) => line(wall.direction).at(wall_site(wall)),
        None => Cell::new('+', CellKind::Post),
    }
}

/// A part of a wall or of the edge of the board.
fn line(direction: WallDirection) -> Cell {
    match direction {
        WallDirection::Horizontal => Cell::new('-', CellKind::Horizontal),
        WallDirection::Vertical => Cell::new('|', CellKind::Vertical),
    }
}

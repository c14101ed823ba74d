//! Guerre des Deux Roses on the hexagonal board of a Go front end: six files and six ranks, of which the twenty cells
//! are there and all other points are missing.
//!
//! The number of a cell tells its column, and its row in the rules tells its row. GoGui draws each row half a point to
//! the left of the row below it, so that the neighbours of `(x, y)` are those on its row and on its column,
//! `(x + 1, y + 1)` and `(x - 1, y - 1)`. They are the six neighbours of the cell, and the board looks as it does in
//! the rules.

use pentarch_core::view::layout::Site;
use pentarch_core::view::projection::BoardText;
use pentarch_core::{GoGrid, Point, Projection, Side};

use super::Roses;
use super::board::{Cell, ROWS, cells};
use super::position::Position;

impl Projection for Roses {
    fn grid(&self) -> Option<GoGrid> {
        Some(GoGrid { size: ROWS, hexagonal: true })
    }

    fn points(&self, site: Site) -> Vec<Point> {
        let row = Cell::at(site.point).map(Cell::row);
        row.map(|row| Point::new(site.point.rank - 1, ROWS - 1 - row)).into_iter().collect()
    }

    /// A castle has a letter, and behind it the number of soldiers in reserve: `C+4`.
    fn board_text(&self, position: &Position) -> BoardText {
        let reserve = |side: Side| Some(position.reserves[side.index()]).filter(|&count| count > 0);
        let label = |side: Side| {
            let text =
                format!("C{}", reserve(side).map_or_else(String::new, |count| format!("+{count}")));
            cells(position.castle(side))
                .map(move |cell| (cell.point().into(), vec![text.clone().into()]))
        };
        let remark = |side| {
            reserve(side)
                .map(|count| format!("has {count} in reserve").into())
                .into_iter()
                .collect()
        };
        BoardText {
            labels: Side::BOTH.into_iter().flat_map(label).collect(),
            remarks: Side::BOTH.map(remark),
            ..BoardText::default()
        }
    }
}

//! Guerre des Deux Roses on the hexagonal board of a Go front end: six files and six ranks, of
//! which the twenty cells exist and all other points are missing.
//!
//! The number of a cell defines its column, and its row in the rules defines its row. GoGui draws
//! each row half a point to the left of the row below it, so that the neighbours of `(x, y)` are
//! those on its row and on its column, `(x + 1, y + 1)` and `(x - 1, y - 1)`. They are the six
//! neighbours of the cell, and the board looks as it does in the rules.

use pentarch_core::view::layout::Site;
use pentarch_core::view::projection::BoardText;
use pentarch_core::{GoGrid, GoProjection, Point, Side};

use super::Roses;
use super::board::{HexCell, ROW_COUNT, cells};
use super::position::Position;

impl GoProjection for Roses {
    fn grid(&self) -> Option<GoGrid> {
        Some(GoGrid { size: ROW_COUNT, hexagonal: true })
    }

    fn points(&self, site: Site) -> Vec<Point> {
        let row = HexCell::at(site.point).map(HexCell::row);
        row.map(|row| Point::new(site.point.rank - 1, ROW_COUNT - 1 - row)).into_iter().collect()
    }

    /// Labels a castle with its letter and the number of soldiers in reserve: `C+4`.
    fn board_text(&self, position: &Position) -> BoardText {
        let mut board_text = BoardText::default();
        for side in Side::BOTH {
            let reserve = position.reserves[side.index()];
            let mut label = String::from("C");
            if reserve > 0 {
                label += &format!("+{reserve}");
                board_text.remarks[side.index()].push(format!("has {reserve} in reserve").into());
            }
            for cell in cells(position.castle(side)) {
                board_text.labels.push((cell.point().into(), vec![label.clone().into()]));
            }
        }
        board_text
    }
}

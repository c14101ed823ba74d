//! Guerre des Deux Roses on the hexagonal board of a Go front end. The Go board has six files and
//! six ranks. Twenty of its points are the cells; the other points are not used.
//!
//! The number in the name of a cell defines the column of the cell's point. The row of the cell in
//! the rules defines the row of the point. GoGui draws each row half a point to the left of the row
//! below it. So the neighbours of a point `(x, y)` are the nearest points on its row, the nearest
//! points on its column, `(x + 1, y + 1)` and `(x - 1, y - 1)`. These are the points of the cell's
//! six neighbours, so the board looks as in the rules.

use pentarch_core::view::go_board_projection::GoBoardLabelsAndNote;
use pentarch_core::view::layout::Site;
use pentarch_core::{GoBoardProjection, GoBoardShape, Point, Side};

use super::Roses;
use super::board::{HexCell, ROW_COUNT, iter_cells};
use super::position::Position;

impl GoBoardProjection for Roses {
    fn go_board_shape(&self) -> Option<GoBoardShape> {
        Some(GoBoardShape { size: ROW_COUNT, hexagonal: true })
    }

    fn go_points_of_site(&self, site: Site) -> Vec<Point> {
        let row = HexCell::from_point(site.point).map(HexCell::row);
        row.map(|row| Point::new(site.point.rank - 1, ROW_COUNT - 1 - row)).into_iter().collect()
    }

    /// Labels a castle with its letter and the number of soldiers in reserve: `C+4`.
    fn go_board_labels_and_note(&self, position: &Position) -> GoBoardLabelsAndNote {
        let mut board_text = GoBoardLabelsAndNote::default();
        for side in Side::BOTH_SIDES {
            let reserve = position.reserves[side.index()];
            let mut label = String::from("C");
            if reserve > 0 {
                label += &format!("+{reserve}");
                board_text.remarks[side.index()].push(format!("has {reserve} in reserve").into());
            }
            for cell in iter_cells(position.castle(side)) {
                board_text.labels.push((cell.point().into(), vec![label.clone().into()]));
            }
        }
        board_text
    }
}

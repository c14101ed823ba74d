//! Guerre des Deux Roses on the hexagonal board of a Go front end: six files and six ranks, of which the twenty cells
//! are there and all other points are missing.
//!
//! A cell keeps its letter as its file. Its rank is its row, the top row being the highest. A hexagonal board is drawn
//! with each rank shifted half a point to the right of the one below, so that the neighbours of `(x, y)` are those on
//! its rank and file, `(x - 1, y + 1)` and `(x + 1, y - 1)`. They are the six neighbours of the cell, each in its own
//! direction, and the board looks as it does in the rules.

use crate::core::layout::Site;
use crate::core::{Grid, Point, Projection, Side};

use super::Roses;
use super::board::{Cell, ROWS};
use super::position::Position;

impl Projection for Roses {
    fn grid(&self) -> Option<Grid> {
        Some(Grid { size: ROWS, hexagonal: true })
    }

    fn points(&self, site: Site) -> Vec<Point> {
        let row = Cell::at(site.point).map(Cell::row);
        row.map(|row| Point::new(site.point.file, ROWS - 1 - row)).into_iter().collect()
    }

    fn remark(&self, position: &Position, side: Side) -> Option<String> {
        let count = position.reserves[side.index()];
        (count > 0).then(|| format!("has {count} in reserve"))
    }
}

//! Guerre des Deux Roses on the hexagonal board of a Go front end: six files and six ranks, of which the twenty cells
//! are there and all other points are missing.
//!
//! The number of a cell tells its column, and its row in the rules tells its row. GoGui draws each row half a point to
//! the left of the row below it, so that the neighbours of `(x, y)` are those on its row and on its column,
//! `(x + 1, y + 1)` and `(x - 1, y - 1)`. They are the six neighbours of the cell, and the board looks as it does in
//! the rules.

use crate::core::layout::{Piece, Site};
use crate::core::{Grid, Part, Point, Projection, Side};

use super::Roses;
use super::board::{Cell, ROWS};
use super::position::Position;

impl Projection for Roses {
    fn grid(&self) -> Option<Grid> {
        Some(Grid { size: ROWS, hexagonal: true })
    }

    fn points(&self, site: Site) -> Vec<Point> {
        let row = Cell::at(site.point).map(Cell::row);
        row.map(|row| Point::new(site.point.rank - 1, ROWS - 1 - row)).into_iter().collect()
    }

    /// A castle has a letter, and behind it the number of soldiers in reserve: `C+4`.
    fn label(&self, position: &Position, piece: Piece) -> Vec<Part> {
        let count = piece.side.map_or(0, |side| position.reserves[side.index()]);
        let reserve = if count > 0 { format!("+{count}") } else { String::new() };
        (piece.kind == "castle").then(|| format!("C{reserve}").into()).into_iter().collect()
    }

    fn remark(&self, position: &Position, side: Side) -> Vec<Part> {
        let count = position.reserves[side.index()];
        (count > 0).then(|| format!("has {count} in reserve").into()).into_iter().collect()
    }
}

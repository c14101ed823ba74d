//! Guerre des Deux Roses on the hexagonal board of a Go front end: six files and six ranks, of which the twenty cells
//! are there and all other points are missing.
//!
//! A cell keeps its letter as its file. Its rank is its row, the top row being the highest. A hexagonal board is drawn
//! with each rank shifted half a point to the right of the one below, so that the neighbours of `(x, y)` are those on
//! its rank and file, `(x - 1, y + 1)` and `(x + 1, y - 1)`. They are the six neighbours of the cell, each in its own
//! direction, and the board looks as it does in the rules.
//!
//! The clicks of a move are the cells of its text. A drop is one click. A move along a line is two: the rearmost
//! soldier, and the cell that the foremost reaches. A translation is four: both soldiers, then the cell that each
//! reaches. The clicks of one move are never the beginning of those of another, since a move along a line never ends on
//! an own soldier.

use crate::core::projection::{labelled, text};
use crate::core::{Field, Grid, Point, Projection, Side};

use super::Roses;
use super::board::{Cell, RED, ROWS, cells};
use super::moves::Move;
use super::position::{Position, SOLDIERS};

const GRID: Grid = Grid { size: ROWS, hexagonal: true };

const RED_CELL: &str = "#d04040";

impl Projection for Roses {
    fn grid(&self) -> Option<Grid> {
        Some(GRID)
    }

    fn field(&self, position: &Position, point: Point) -> Field {
        let Some(cell) = Cell::all().find(|&cell| projected(cell) == point) else { return Field::Missing };
        let side = Side::BOTH.into_iter().find(|&side| position.pieces(side) & cell.bit() != 0);
        side.map_or(Field::Empty, Field::Man)
    }

    /// Castles are labelled `C`.
    fn graphics(&self, position: &Position) -> Vec<String> {
        let red = |point| cells(RED).any(|cell| projected(cell) == point);
        let mut lines = GRID.coloured(|point| red(point).then_some(RED_CELL));
        lines.extend(labelled("C", cells(position.castles).map(projected)));
        let reserve = |side: Side| match position.reserves[side.index()] {
            0 => None,
            count => Some(format!("has {count} in reserve")),
        };
        lines.push(text::<Self>(reserve, None));
        lines
    }

    fn clicks(&self, _: &Position, mv: Move, points: &mut Vec<Point>) {
        match mv {
            Move::Drop(cell) => points.push(projected(cell)),
            Move::Forward { from, to, .. } => points.extend([from, to].map(projected)),
            Move::Translation { from, to } => points.extend([from[0], from[1], to[0], to[1]].map(projected)),
        }
    }

    /// A captured castle counts like a soldier.
    fn captured(&self, position: &Position) -> [u32; 2] {
        let all = u32::from(SOLDIERS) + 1;
        Side::BOTH.map(|side| {
            let enemy = !side;
            all - position.pieces(enemy).count_ones() - u32::from(position.reserves[enemy.index()])
        })
    }
}

/// The point of the Go board that stands for a cell.
fn projected(cell: Cell) -> Point {
    Point::new(cell.point().file, ROWS - 1 - cell.row())
}

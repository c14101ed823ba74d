//! Bushka on the board of a Go front end: its own files and ranks; 11x9 with two missing ranks on top, to be square.
//!
//! A move is clicked as its text is written: where it begins, a phalanx at its rearmost soldier that moves, then where
//! it ends or every stop. No move's clicks begin another's: captures take equally many pieces, one a stop, and all
//! other moves are two clicks.

use crate::core::projection::{labelled, text};
use crate::core::{Field, Grid, Point, Projection, Side};

use super::Bushka;
use super::board::{Square, squares};
use super::moves::Move;
use super::position::Position;

/// A dark square. Light ones stay on the board, uncoloured: a board with holes in their place would fall apart into
/// points that only touch at their corners.
const DARK: &str = "#c09060";

impl Projection for Bushka {
    fn grid(&self) -> Grid {
        Grid { size: self.board.files.max(self.board.ranks), hexagonal: false }
    }

    fn field(&self, position: &Position, point: Point) -> Field {
        let bit = self.board.square_at(point).map_or(0, Square::bit);
        match Side::BOTH.into_iter().find(|&side| position.men(side) & bit != 0) {
            Some(side) => Field::Man(side),
            None if self.board.contains(point) => Field::Empty,
            None => Field::Missing,
        }
    }

    /// Kings are labelled `K`.
    fn graphics(&self, position: &Position) -> Vec<String> {
        let mut lines = self.grid().coloured(|point| self.board.square_at(point).map(|_| DARK));
        lines.extend(labelled("K", squares(position.kings[0] | position.kings[1]).map(Square::point)));
        lines.push(text::<Self>(|_| None, None));
        lines
    }

    fn clicks(&self, _: &Position, mv: Move, points: &mut Vec<Point>) {
        points.extend(mv.squares().map(Square::point));
    }

    fn captured(&self, position: &Position) -> [u32; 2] {
        Side::BOTH.map(|side| {
            let enemy = !side;
            self.board.homes[enemy.index()].count_ones() - position.men(enemy).count_ones()
        })
    }
}

//! Bushka on the board of a Go front end. The board keeps its files and ranks; 11x9 has two missing ranks on top,
//! because a Go board is square.
//!
//! The clicks of a move are the points of its path, as in its text. The clicks of one move are never the beginning of
//! those of another: all captures by single pieces take equally many pieces, one at each stop, and all other moves are
//! two clicks.

use crate::core::projection::{labelled, text};
use crate::core::{Field, Grid, Point, Projection, Side};

use super::Bushka;
use super::board::{Square, squares};
use super::moves::Move;
use super::position::Position;

/// The colour of dark squares. Light squares are empty points without a colour: if they were missing, the board would
/// consist of points that touch only at their corners.
const DARK: &str = "#c09060";

/// The grid of the board, padded to a square.
fn grid(rules: &Bushka) -> Grid {
    Grid { size: rules.board.files.max(rules.board.ranks), hexagonal: false }
}

impl Projection for Bushka {
    fn grid(&self) -> Option<Grid> {
        Some(grid(self))
    }

    fn field(&self, position: &Position, point: Point) -> Field {
        let bit = self.board.square_at(point).map_or(0, Square::bit);
        match Side::BOTH.into_iter().find(|&side| position.pieces(side) & bit != 0) {
            Some(side) => Field::Man(side),
            None if self.board.contains(point) => Field::Empty,
            None => Field::Missing,
        }
    }

    /// Kings are labelled `K`.
    fn graphics(&self, position: &Position) -> Vec<String> {
        let mut lines = grid(self).coloured(|point| self.board.square_at(point).map(|_| DARK));
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
            self.board.homes[enemy.index()].count_ones() - position.pieces(enemy).count_ones()
        })
    }
}

//! Alquerque on the board of a Go front end, which has the same five files and ranks.
//!
//! The clicks of a move are the points of its text: that of the checker, then the point to which it steps or every
//! point on which it lands. A huff comes first, as a click on the huffed checker; if the huff ends the game, it is the
//! only click. Only if a capture may stop early (`MultiCapture stop`) can the clicks of one move be the beginning of
//! those of another.

use crate::core::projection::{shaped, text, vertex};
use crate::core::{Field, Grid, Point, Projection, Side};

use super::board::{SIZE, Spot, spots};
use super::moves::Move;
use super::notation::{MEN, bans};
use super::position::Position;
use super::rules::Alquerque;

const GRID: Grid = Grid { size: SIZE, hexagonal: false };

/// The colour of points with diagonal lines, which a Go board does not draw.
const DIAGONALS: &str = "#e8c890";

impl Projection for Alquerque {
    fn grid(&self) -> Option<Grid> {
        Some(GRID)
    }

    fn field(&self, position: &Position, point: Point) -> Field {
        let Some(spot) = Spot::at(point) else { return Field::Missing };
        let side = Side::BOTH.into_iter().find(|side| position.men[side.index()] & spot.bit() != 0);
        side.map_or(Field::Empty, Field::Man)
    }

    /// A cross marks a checker that may be huffed, a triangle one that never steps again.
    fn graphics(&self, position: &Position) -> Vec<String> {
        let mut lines = GRID.coloured(|point| (point.file + point.rank).is_multiple_of(2).then_some(DIAGONALS));
        lines.extend(shaped("MARK", spots(position.huff).map(Spot::point)));
        lines.extend(shaped("TRIANGLE", spots(position.spent).map(Spot::point)));
        let bans = bans(position).map(|(spot, back)| format!("{} to {}", vertex(spot.point()), vertex(back.point())));
        let bans = bans.collect::<Vec<_>>().join(", ");
        lines.push(text::<Self>(|_| None, (!bans.is_empty()).then(|| format!("no step back: {bans}"))));
        lines
    }

    fn clicks(&self, _: &Position, mv: Move, points: &mut Vec<Point>) {
        points.extend(mv.huffed.into_iter().chain(mv.points()).map(Spot::point));
    }

    /// A huffed checker counts as captured.
    fn captured(&self, position: &Position) -> [u32; 2] {
        Side::BOTH.map(|side| MEN - position.men[(!side).index()].count_ones())
    }
}

//! Alcaxar on the board of a Go front end, which has the same nine files and ranks. The knights are stones.
//!
//! A step of a knight is one click, on the square to which it leads. A wall move is two: the wall's slot, then the new
//! one. Squares and slots are different points, so the clicks of one move are never the beginning of those of another.

use crate::core::projection::{text, vertex};
use crate::core::{Field, Grid, Point, Projection, Side};

use super::Alcaxar;
use super::board::{SIZE, Slot, Square, slots};
use super::moves::Move;
use super::position::{FORTRESSES, Position};

const GRID: Grid = Grid { size: SIZE, hexagonal: false };

/// The colour of a square that is no fortress.
const SQUARE: &str = "#f0e0c0";
/// The colours of Red's fortress and of Green's.
const FORTRESS: [&str; 2] = ["#e08080", "#80c080"];
/// The colour of a tower.
const TOWER: &str = "#a0a0a0";
/// The colour of a wall and of the two towers that it joins.
const WALL: &str = "#803010";
/// The colour of a wall that may not be moved now, and of its towers, except for those that it shares with a wall that
/// may be moved.
const BLOCKED: &str = "#606080";

impl Projection for Alcaxar {
    fn grid(&self) -> Option<Grid> {
        Some(GRID)
    }

    fn field(&self, position: &Position, point: Point) -> Field {
        let knight = |side: &Side| position.knight(*side).point() == point;
        match Side::BOTH.into_iter().find(knight) {
            Some(side) => Field::Man(side),
            None if point.file < SIZE && point.rank < SIZE => Field::Empty,
            None => Field::Missing,
        }
    }

    fn graphics(&self, position: &Position) -> Vec<String> {
        let blocked = position.walls & position.blocked(&self.board);
        let covers =
            |walls: u64, point: Point| slots(walls).any(|slot| slot.point() == point || slot.towers().contains(&point));
        let colour = |point: Point| {
            let square = Square::at(point).map(|square| {
                let fortress = FORTRESSES.iter().position(|&fortress| fortress == square);
                fortress.map_or(SQUARE, |side| FORTRESS[side])
            });
            if covers(position.walls & !blocked, point) {
                Some(WALL)
            } else if covers(blocked, point) {
                Some(BLOCKED)
            } else if Slot::at(point).is_some() {
                None
            } else {
                Some(square.unwrap_or(TOWER))
            }
        };
        let last = position.last_wall.map(|slot| {
            let [one, other] = slot.towers().map(vertex);
            format!("walls on {one} and {other} are blocked")
        });
        let mut lines = GRID.coloured(colour);
        lines.push(text::<Self>(|_| None, last));
        lines
    }

    fn clicks(&self, _: &Position, mv: Move, points: &mut Vec<Point>) {
        match mv {
            Move::Knight(to) => points.push(to.point()),
            Move::Wall { from, to } => points.extend([from.point(), to.point()]),
        }
    }

    /// Nothing is ever captured.
    fn captured(&self, _: &Position) -> [u32; 2] {
        [0; 2]
    }
}

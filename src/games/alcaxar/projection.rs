//! Alcaxar on the board of a Go front end: its own nine files and ranks, the knights as men.
//!
//! A step of a knight is one click, on the square it goes to. A wall move is two: the wall's slot, then the new one.
//! Squares and slots are different points, so that no move's clicks begin another's.

use crate::core::projection::{text, vertex};
use crate::core::{Field, Grid, Point, Projection, Side};

use super::Alcaxar;
use super::board::{SIZE, Slot, Square, slots};
use super::moves::Move;
use super::position::{FORTRESSES, Position};

const GRID: Grid = Grid { size: SIZE, hexagonal: false };

const SQUARE: &str = "#f0e0c0";
/// Red's fortress and Green's.
const FORTRESS: [&str; 2] = ["#e08080", "#80c080"];
const TOWER: &str = "#a0a0a0";
/// A wall, with the two towers that it joins.
const WALL: &str = "#803010";
/// A wall that must not be moved now, with its towers, but for those that it shares with a wall that may be moved.
const BLOCKED: &str = "#606080";

impl Projection for Alcaxar {
    fn grid(&self) -> Grid {
        GRID
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

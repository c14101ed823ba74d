//! Quoridor on the board of a Go front end: twice as fine, so that the grooves between the squares are points too.
//!
//! The square on file `f` and rank `r`, both from 0, is the point `(2f, 2r)`. Between two squares lies an edge, between
//! four a post. A pawn's move is one click, on the square it goes to. A wall is one click as well, on the first of the
//! two edges that it closes, the one beside the square that names it: above that square for a horizontal wall, its left
//! edge, and right of it for a vertical one, its lower edge.

use crate::core::projection::text;
use crate::core::{Field, Grid, Point, Projection, Side};

use super::Quoridor;
use super::board::Square;
use super::moves::Move;
use super::position::Position;
use super::walls::{Direction, Wall};

const SQUARE: &str = "#f0e0c0";
/// The goal ranks of the first side, whose pawn is a black stone, and of the second.
const GOAL: [&str; 2] = ["#b0b0b0", "#ffffff"];
const WALL: &str = "#803010";

impl Projection for Quoridor {
    fn grid(&self) -> Grid {
        Grid { size: 2 * self.board.size - 1, hexagonal: false }
    }

    fn field(&self, position: &Position, point: Point) -> Field {
        let pawn = |side: &Side| centre(position.pawn(*side)) == point;
        let size = self.grid().size;
        match Side::BOTH.into_iter().find(pawn) {
            Some(side) => Field::Man(side),
            None if point.file < size && point.rank < size => Field::Empty,
            None => Field::Missing,
        }
    }

    fn graphics(&self, position: &Position) -> Vec<String> {
        let walls: Vec<Point> = position.walls.iter().flat_map(covered).collect();
        let colour = |point: Point| {
            if point.file.is_multiple_of(2) && point.rank.is_multiple_of(2) {
                let goal = Side::BOTH.into_iter().find(|&side| 2 * self.board.goal_rank(side) == point.rank);
                Some(goal.map_or(SQUARE, |side| GOAL[side.index()]))
            } else {
                walls.contains(&point).then_some(WALL)
            }
        };
        let left = |side: Side| Some(format!("has {} walls left", position.left[side.index()]));
        let mut lines = self.grid().coloured(colour);
        lines.push(text::<Self>(left, None));
        lines
    }

    fn clicks(&self, _: &Position, mv: Move, points: &mut Vec<Point>) {
        points.push(match mv {
            Move::Pawn(to) => centre(to),
            Move::Wall(wall) => covered(wall)[0],
        });
    }

    /// Nothing is ever captured.
    fn captured(&self, _: &Position) -> [u32; 2] {
        [0; 2]
    }
}

/// The point of a square.
fn centre(square: Square) -> Point {
    let Point { file, rank } = square.point();
    Point::new(2 * file, 2 * rank)
}

/// The points on which a wall lies: the edge by which it is clicked, its post, and its other edge.
fn covered(wall: Wall) -> [Point; 3] {
    let Point { file, rank } = centre(wall.post);
    [0, 1, 2].map(|along| match wall.direction {
        Direction::Horizontal => Point::new(file + along, rank + 1),
        Direction::Vertical => Point::new(file + 1, rank + along),
    })
}

//! Quoridor on the board of a Go front end. The grooves between the squares are points, too, so the Go board has almost
//! twice as many files and ranks.
//!
//! The square on file `f` and rank `r`, both counted from 0, is the point `(2f, 2r)`. Between two squares lies an edge,
//! between four a post. A pawn move is one click, on the square to which it leads. A wall is one click as well, on that
//! of the two edges it closes which lies beside the square that names it: on the left edge, above that square, for a
//! horizontal wall, and on the lower edge, right of that square, for a vertical one.

use crate::core::projection::text;
use crate::core::{Field, Grid, Point, Projection, Side};

use super::Quoridor;
use super::board::Square;
use super::moves::Move;
use super::position::Position;
use super::walls::{Direction, Wall};

/// The colour of squares that are on no goal rank.
const SQUARE: &str = "#f0e0c0";
/// The colours of the goal ranks: that of the first side, whose pawn is a black stone, and that of the second.
const GOAL: [&str; 2] = ["#b0b0b0", "#ffffff"];
/// The colour of walls.
const WALL: &str = "#803010";

/// The grid of the Go board.
fn grid(rules: &Quoridor) -> Grid {
    Grid { size: 2 * rules.board.size - 1, hexagonal: false }
}

impl Projection for Quoridor {
    fn grid(&self) -> Option<Grid> {
        Some(grid(self))
    }

    fn field(&self, position: &Position, point: Point) -> Field {
        let pawn = |side: &Side| centre(position.pawn(*side)) == point;
        let size = grid(self).size;
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
        let left = |side: Side| Some(format!("has {} walls left", position.walls_left[side.index()]));
        let mut lines = grid(self).coloured(colour);
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

/// The point of the Go board that stands for a square.
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

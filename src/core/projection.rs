//! A game on the board of a Go front end: points, what stands on them, and whole moves as sequences of single points.

use super::{Notation, Point};

/// What a point of the front end's board shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// The board has no such point.
    Missing,
    /// Nothing stands there.
    Empty,
    /// A man of this side stands there.
    Man(super::Side),
}

/// The front end's board: square, its cells square or hexagonal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    /// Points along each side.
    pub size: u8,
    /// Whether the cells are hexagons: each point's neighbours are then those on its row and column and on one diagonal.
    pub hexagonal: bool,
}

/// How a game is drawn and clicked on a square board of single points.
pub trait Projection: Notation {
    /// The board.
    fn grid(&self) -> Grid;

    /// What a point shows.
    fn field(&self, position: &Self::Position, point: Point) -> Field;

    /// What fields cannot show, as lines of GoGui's graphics language: `COLOR #ff0000 D4`, `LABEL D4 K`, ...
    /// [`vertex`] names the points.
    fn graphics(&self, position: &Self::Position) -> Vec<String>;

    /// Appends the points to be clicked, one after the other, to make a legal move. No two legal moves of a position
    /// have the same points. Where the points of one begin those of another, a pass ends the shorter one.
    fn clicks(&self, position: &Self::Position, mv: Self::Move, points: &mut Vec<Point>);

    /// How many enemy men each side has captured, the first side's captures first.
    fn captured(&self, position: &Self::Position) -> [u32; 2];
}

/// The name of a point in GTP: column letters without I, so that file 8 is `J`.
pub fn vertex(point: Point) -> String {
    let letter = point.file + u8::from(point.file >= 8);
    format!("{}{}", char::from(b'A' + letter), point.rank + 1)
}

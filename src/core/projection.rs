//! A game on the board of a Go front end: points, what stands on them, and whole moves as sequences of single points.

use super::{Game, Notation, Point, Side};

/// What a point of the front end's board shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// The board has no such point.
    Missing,
    /// Nothing stands there.
    Empty,
    /// A man of this side stands there.
    Man(Side),
}

/// The front end's board: square, its cells square or hexagonal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    /// Points along each side.
    pub size: u8,
    /// Whether the cells are hexagons: each point's neighbours are then those on its row and column and on one
    /// diagonal.
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

impl Grid {
    /// All points: by file, then by rank.
    pub fn points(self) -> impl Iterator<Item = Point> {
        (0..self.size).flat_map(move |file| (0..self.size).map(move |rank| Point::new(file, rank)))
    }

    /// The lines that paint the points with these colours, one line a colour.
    pub fn coloured(self, colour: impl Fn(Point) -> Option<&'static str>) -> Vec<String> {
        let mut lines: Vec<(&str, String)> = Vec::new();
        for (point, colour) in self.points().filter_map(|point| Some((point, colour(point)?))) {
            let place = lines.iter().position(|line| line.0 == colour).unwrap_or_else(|| {
                lines.push((colour, format!("COLOR {colour}")));
                lines.len() - 1
            });
            lines[place].1 += &format!(" {}", vertex(point));
        }
        lines.into_iter().map(|line| line.1).collect()
    }
}

/// The line that gives all these points this shape (`CIRCLE`, `SQUARE`, `TRIANGLE`, `MARK`); none if there are none.
pub fn shaped(verb: &str, points: impl Iterator<Item = Point>) -> Option<String> {
    let points: String = points.map(|point| format!(" {}", vertex(point))).collect();
    (!points.is_empty()).then(|| format!("{verb}{points}"))
}

/// The line that writes the same word on all these points; none if there are none.
pub fn labelled(word: &str, points: impl Iterator<Item = Point>) -> Option<String> {
    let labels: String = points.map(|point| format!(" {} {word}", vertex(point))).collect();
    (!labels.is_empty()).then(|| format!("LABEL{labels}"))
}

/// The line of text below the board. It says who plays which stones, for black ones are the first side's, whatever the
/// game calls it; then what else is `known` of each side, and last what else there is to say.
pub fn text<G: Game>(known: impl Fn(Side) -> Option<String>, more: Option<String>) -> String {
    let player = |side: Side| {
        let (name, stones) = (G::SIDES[side.index()], ["black", "white"][side.index()]);
        format!("{name} ({stones} stones){}", known(side).map_or(String::new(), |known| format!(" {known}")))
    };
    let [first, second] = Side::BOTH.map(player);
    format!("TEXT {first}, {second}{}", more.map_or(String::new(), |more| format!("; {more}")))
}

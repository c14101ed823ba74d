//! A game on the board of a Go front end: points, what stands on them, and whole moves as sequences of single points.

use super::{Notation, Point, Rules, Side};

/// What a point of the front end's board shows: a stone, nothing, or no point at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// The game's board has no such point.
    Missing,
    /// Nothing stands there.
    Empty,
    /// A man of this side stands there.
    Man(Side),
}

/// The front end's board: square, its cells square or hexagonal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    /// The number of points along each side.
    pub size: u8,
    /// Whether the cells are hexagons. The neighbours of a point are then those on its row, on its column and on one of
    /// its diagonals.
    pub hexagonal: bool,
}

/// How a game is drawn and its moves are entered on a square board of single points. A game that Go front ends do not
/// show keeps the defaults; a game that has a [grid](Projection::grid) implements all methods.
pub trait Projection: Notation {
    /// The front end's board; none if Go front ends do not show this game.
    fn grid(&self) -> Option<Grid> {
        None
    }

    /// What a point shows.
    fn field(&self, position: &Self::Position, point: Point) -> Field {
        let _ = (position, point);
        Field::Missing
    }

    /// What stones cannot show, as lines of GoGui's graphics language: `COLOR #ff0000 D4`, `LABEL D4 K`, ...
    /// [`vertex`] gives the names of the points.
    fn graphics(&self, position: &Self::Position) -> Vec<String> {
        let _ = position;
        Vec::new()
    }

    /// Appends the points that are clicked one after the other to make a legal move. No two legal moves of a position
    /// have the same points. If the points of one move are the first points of another, a pass ends the shorter one.
    fn clicks(&self, position: &Self::Position, mv: Self::Move, points: &mut Vec<Point>) {
        let _ = (position, mv, points);
    }

    /// The number of men that each side has captured, the first side's captures first.
    fn captured(&self, position: &Self::Position) -> [u32; 2] {
        let _ = position;
        [0; 2]
    }
}

/// The name of a point in GTP, whose column letters leave out I: file 8 is `J`.
pub fn vertex(point: Point) -> String {
    let letter = point.file + u8::from(point.file >= 8);
    format!("{}{}", char::from(b'A' + letter), point.rank + 1)
}

impl Grid {
    /// All points, file by file, and on each file by rank.
    pub fn points(self) -> impl Iterator<Item = Point> {
        (0..self.size).flat_map(move |file| (0..self.size).map(move |rank| Point::new(file, rank)))
    }

    /// The graphics lines that paint the points with their colours, one line for each colour.
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

/// The graphics line that marks all these points with a shape (`CIRCLE`, `SQUARE`, `TRIANGLE`, `MARK`); no line without
/// points.
pub fn shaped(verb: &str, points: impl Iterator<Item = Point>) -> Option<String> {
    let points: String = points.map(|point| format!(" {}", vertex(point))).collect();
    (!points.is_empty()).then(|| format!("{verb}{points}"))
}

/// The graphics line that writes the same word on all these points; no line without points.
pub fn labelled(word: &str, points: impl Iterator<Item = Point>) -> Option<String> {
    let labels: String = points.map(|point| format!(" {} {word}", vertex(point))).collect();
    (!labels.is_empty()).then(|| format!("LABEL{labels}"))
}

/// The graphics line with the text below the board. It says which stones each side plays, because the first side has
/// the black ones whatever the game calls it, each side followed by its `details`; `more` is put at the end.
pub fn text<G: Rules>(details: impl Fn(Side) -> Option<String>, more: Option<String>) -> String {
    let player = |side: Side| {
        let (name, stones) = (G::SIDES[side.index()], ["black", "white"][side.index()]);
        format!("{name} ({stones} stones){}", details(side).map_or(String::new(), |details| format!(" {details}")))
    };
    let [first, second] = Side::BOTH.map(player);
    format!("TEXT {first}, {second}{}", more.map_or(String::new(), |more| format!("; {more}")))
}

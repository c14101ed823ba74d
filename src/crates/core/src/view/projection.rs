//! A game on the board of a Go front end, as a view of its [`Layout`]: each site becomes one point or several, and
//! something may be written on pieces and below the board. How all that looks is the front end's to say.

use crate::Point;
use crate::view::layout::{Layout, Site};

/// The front end's board: square, its cells square or hexagonal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GoGrid {
    /// The number of points along each side.
    pub size: u8,
    /// Whether the cells are hexagons. Each row is then drawn half a point to the left of the row below it, so that the
    /// neighbours of `(x, y)` are those on its row and on its column, `(x + 1, y + 1)` and `(x - 1, y - 1)`.
    pub hexagonal: bool,
}

impl GoGrid {
    /// All points, file by file, and on each file by rank.
    pub fn points(self) -> impl Iterator<Item = Point> {
        (0..self.size).flat_map(move |file| (0..self.size).map(move |rank| Point::new(file, rank)))
    }
}

/// A part of what is written on a piece or below the board. Points are kept as such, because the front end has names of
/// its own for them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextPart {
    /// These words.
    Text(String),
    /// The name of this point of the board.
    Point(Point),
}

impl<T: Into<String>> From<T> for TextPart {
    fn from(text: T) -> TextPart {
        TextPart::Text(text.into())
    }
}

/// What is written on the board and below it in one position.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BoardText {
    /// The sites on whose piece something is written: a word without spaces.
    pub labels: Vec<(Site, Vec<TextPart>)>,
    /// What to say of each side below the board, after its name: `has 3 walls left`. Empty if there is nothing to say.
    pub remarks: [Vec<TextPart>; 2],
    /// What else to say below the board; empty if there is nothing to say.
    pub note: Vec<TextPart>,
}

/// How the sites of a game become points of a square board. A game that Go front ends do not show keeps the defaults.
pub trait Projection: Layout {
    /// The front end's board; none if Go front ends do not show this game.
    fn grid(&self) -> Option<GoGrid> {
        None
    }

    /// The points that a site and what stands on it cover, first the one by which the site is clicked. By default it is
    /// the point of the site.
    fn points(&self, site: Site) -> Vec<Point> {
        vec![site.point]
    }

    /// What is written on the board and below it.
    fn board_text(&self, position: &Self::Position) -> BoardText {
        let _ = position;
        BoardText::default()
    }
}

/// The point by which a site is clicked.
pub fn click_point<G: Projection>(rules: &G, site: Site) -> Point {
    rules.points(site).first().copied().unwrap_or(site.point)
}

/// Appends the points that are clicked one after the other to make a legal move. No two legal moves of a position have
/// the same points. If the points of one move are the first points of another, a pass ends the shorter one.
pub fn click_points<G: Projection>(
    rules: &G,
    position: &G::Position,
    mv: G::Move,
    points: &mut Vec<Point>,
) {
    let mut sites = Vec::new();
    rules.clicks(position, mv, &mut sites);
    points.extend(sites.into_iter().map(|site| click_point(rules, site)));
}

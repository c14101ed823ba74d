//! A game on the board of a Go front end, as a view of its [`Layout`]: each site becomes one or
//! more points, and text may be written on pieces and below the board. The front end decides how
//! all that looks.

use crate::Point;
use crate::view::layout::{Layout, Site};

/// The front end's board: square, with square or hexagonal cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GoGrid {
    /// The number of points along each side.
    pub size: u8,
    /// Whether the cells are hexagons. Each row is then drawn half a point to the left of the row
    /// below it, so that the neighbours of `(x, y)` are those on its row and on its column, `(x +
    /// 1, y + 1)` and `(x - 1, y - 1)`.
    pub hexagonal: bool,
}

impl GoGrid {
    /// Returns all points, file by file, and on each file by rank.
    pub fn points(self) -> impl Iterator<Item = Point> {
        (0..self.size).flat_map(move |file| (0..self.size).map(move |rank| Point::new(file, rank)))
    }
}

/// A part of a text on a piece or below the board. Points are separate parts, because the front end
/// has its own names for them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BoardTextPart {
    /// Words.
    Text(String),
    /// The name of a point of the board.
    Point(Point),
}

impl<T: Into<String>> From<T> for BoardTextPart {
    fn from(text: T) -> BoardTextPart {
        BoardTextPart::Text(text.into())
    }
}

/// The labels and remarks on the board and below it in one position.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BoardText {
    /// Labels of the pieces on sites: words without spaces.
    pub labels: Vec<(Site, Vec<BoardTextPart>)>,
    /// A remark about each side below the board, after its name: `has 3 walls left`. Empty if there
    /// is none.
    pub remarks: [Vec<BoardTextPart>; 2],
    /// A further note below the board; empty if there is none.
    pub note: Vec<BoardTextPart>,
}

/// The projection of a game's sites to points of a square board. A game that Go front ends do not
/// show keeps the defaults.
pub trait GoProjection: Layout {
    /// Returns the front end's board, or `None` if Go front ends do not show this game.
    fn grid(&self) -> Option<GoGrid> {
        None
    }

    /// Returns the points that a site and the piece on it cover, first the point to click. By
    /// default it is only the point of the site.
    fn points(&self, site: Site) -> Vec<Point> {
        vec![site.point]
    }

    /// Returns the labels and remarks on the board and below it.
    fn board_text(&self, position: &Self::Position) -> BoardText {
        let _ = position;
        BoardText::default()
    }
}

/// Returns the point to click for a site.
pub fn click_point<G: GoProjection>(rules: &G, site: Site) -> Point {
    rules.points(site).first().copied().unwrap_or(site.point)
}

/// Appends the points to click one after the other for a legal move. No two legal moves of a
/// position have the same points. If the points of one move are the first points of another, a pass
/// ends the shorter one.
pub fn click_points<G: GoProjection>(
    rules: &G,
    position: &G::Position,
    mv: G::Move,
    points: &mut Vec<Point>,
) {
    let mut sites = Vec::new();
    rules.clicks(position, mv, &mut sites);
    points.extend(sites.into_iter().map(|site| click_point(rules, site)));
}

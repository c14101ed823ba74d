//! A game on the board of a Go front end, as a view of the game's [`BoardLayout`]. Each site
//! becomes one or more points. Pieces can have labels, and there can be text below the board. The
//! front end decides how it draws all this.

use crate::Point;
use crate::view::layout::{BoardLayout, Site};

/// The front end's board. It is square, with square or hexagonal cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GoGrid {
    /// The number of points along each side.
    pub size: u8,
    /// Whether the cells are hexagons. Then each row is drawn half a point to the left of the row
    /// below it. So a point `(x, y)` has six neighbours: the nearest points on its row, the nearest
    /// points on its column, `(x + 1, y + 1)` and `(x - 1, y - 1)`.
    pub hexagonal: bool,
}

impl GoGrid {
    /// Returns all points, file by file, with the points of each file in the order of their ranks.
    pub fn points(self) -> impl Iterator<Item = Point> {
        (0..self.size).flat_map(move |file| (0..self.size).map(move |rank| Point::new(file, rank)))
    }
}

/// A part of a text on a piece or below the board. Points are separate parts, because the front end
/// has its own names for points.
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

/// The labels on the pieces and the remarks below the board in one position.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BoardText {
    /// Labels of the pieces on sites: words without spaces.
    pub labels: Vec<(Site, Vec<BoardTextPart>)>,
    /// A remark about each side, such as `has 3 walls left`. The remark is below the board, after
    /// the name of the side. Empty if there is no remark.
    pub remarks: [Vec<BoardTextPart>; 2],
    /// A further note below the board. Empty if there is no note.
    pub note: Vec<BoardTextPart>,
}

/// The projection of a game's sites to points of a square board. A game that Go front ends do not
/// show uses the defaults.
pub trait GoProjection: BoardLayout {
    /// Returns the front end's board, or `None` if Go front ends do not show this game.
    fn go_grid(&self) -> Option<GoGrid> {
        None
    }

    /// Returns the points that a site and a piece on it cover. The first is the point to click. By
    /// default the result is only the point of the site.
    fn points_of_site(&self, site: Site) -> Vec<Point> {
        vec![site.point]
    }

    /// Returns the labels on the pieces and the remarks below the board.
    fn go_board_text(&self, position: &Self::Position) -> BoardText {
        let _ = position;
        BoardText::default()
    }
}

/// Returns the point to click for a site.
pub fn click_point<G: GoProjection>(rules: &G, site: Site) -> Point {
    rules.points_of_site(site).first().copied().unwrap_or(site.point)
}

/// Appends the points to click one after the other for a legal move. Two legal moves of a position
/// never have the same points. But the points of one move may be the first points of another. Then
/// the person plays a pass to end the shorter move.
pub fn append_click_points<G: GoProjection>(
    rules: &G,
    position: &G::Position,
    mv: G::Move,
    points: &mut Vec<Point>,
) {
    let mut sites = Vec::new();
    rules.append_clicks(position, mv, &mut sites);
    points.extend(sites.into_iter().map(|site| click_point(rules, site)));
}

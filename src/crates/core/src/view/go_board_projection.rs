//! A game on the board of a Go front end. Each site of the game's [`BoardLayout`] becomes one or
//! more points of the Go board. Pieces can have labels, and there can be text below the board. The
//! front end decides how to draw the board, the labels and the text.

use crate::Point;
use crate::view::layout::{BoardLayout, Site};

/// The board that a Go front end shows. The board is square, with square or hexagonal cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GoBoardShape {
    /// The number of points along each side.
    pub size: u8,
    /// Whether the cells are hexagons. If so, each row is drawn half a point to the left of the row
    /// below it, and a point `(x, y)` has six neighbours: the nearest points on its row, the
    /// nearest points on its column, `(x + 1, y + 1)` and `(x - 1, y - 1)`.
    pub hexagonal: bool,
}

impl GoBoardShape {
    /// Returns all points of the board: first the points of the first file in the order of their
    /// ranks, then those of the second file, and so on.
    pub fn points(self) -> impl Iterator<Item = Point> {
        (0..self.size).flat_map(move |file| (0..self.size).map(move |rank| Point::new(file, rank)))
    }
}

/// A part of a label or of a text below the board. A point is a separate part, because the front
/// end has its own names for points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GoBoardLabelFragment {
    /// Words.
    Text(String),
    /// A point of the board, which the front end replaces by its own name for the point.
    Point(Point),
}

impl<T: Into<String>> From<T> for GoBoardLabelFragment {
    fn from(text: T) -> GoBoardLabelFragment {
        GoBoardLabelFragment::Text(text.into())
    }
}

/// The labels on the pieces and the text below the board in one position.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GoBoardLabelsAndNote {
    /// The labels of pieces, each with the site of the piece. A label is a word without spaces.
    pub labels: Vec<(Site, Vec<GoBoardLabelFragment>)>,
    /// A remark about each side, such as `has 3 walls left`. The remark is shown below the board,
    /// after the name of the side. The remark is empty if there is nothing to say.
    pub remarks: [Vec<GoBoardLabelFragment>; 2],
    /// A further note, which is shown below the board; empty if there is none.
    pub note: Vec<GoBoardLabelFragment>,
}

/// The projection of a game's sites to points of a Go board. A game that Go front ends do not show
/// uses the defaults.
pub trait GoBoardProjection: BoardLayout {
    /// Returns the front end's board, or `None` if Go front ends do not show this game.
    fn go_board_shape(&self) -> Option<GoBoardShape> {
        None
    }

    /// Returns the points of the Go board that a site and a piece on this site cover. The first
    /// point is the point to click. By default the result is only the point of the site.
    fn go_points_of_site(&self, site: Site) -> Vec<Point> {
        vec![site.point]
    }

    /// Returns the labels of the pieces and the text below the board for a position.
    fn go_board_labels_and_note(&self, position: &Self::Position) -> GoBoardLabelsAndNote {
        let _ = position;
        GoBoardLabelsAndNote::default()
    }
}

/// Returns the point that represents a click on a site.
pub fn go_click_point_of_site<G: GoBoardProjection>(rules: &G, site: Site) -> Point {
    rules.go_points_of_site(site).first().copied().unwrap_or(site.point)
}

/// Appends the points to click, one after the other, for a legal move. Two legal moves of a
/// position never have the same points. But the points of a short move may be the first points of a
/// longer move. In this case, the person ends the short move with a pass.
pub fn append_go_click_points<G: GoBoardProjection>(
    rules: &G,
    position: &G::Position,
    mv: G::Move,
    points: &mut Vec<Point>,
) {
    let mut sites = Vec::new();
    rules.append_move_clicks(position, mv, &mut sites);
    points.extend(sites.into_iter().map(|site| go_click_point_of_site(rules, site)));
}

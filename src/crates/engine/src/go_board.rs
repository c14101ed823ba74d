//! The boundary between Go front ends and the games: what such a front end shows of a game in play, and the points by
//! which it names moves, as plain data.

use pentarch_core::view::layout::{DrawnSite, Mark, Piece};
use pentarch_core::view::projection::{BoardText, click_point};
use pentarch_core::{GoGrid, Point, TextPart, Violation};
use pentarch_games::Game;

/// A game in play on the board of a Go front end, on which moves are named by points.
pub trait GoBoard {
    /// What the front end shows of the position in play; `None` if the game has no such board.
    fn go_scene(&self) -> Option<GoScene>;

    /// Returns the meaning of the points that were clicked so far.
    fn moves_through(&self, begun: &[Point]) -> MovesThrough;
}

/// The meaning of points that were clicked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MovesThrough {
    /// The legal moves whose points begin with these.
    pub moves: Vec<PointMove>,
    /// The rule that forbids the move that these points spell; none if they spell no whole move, or if there are moves.
    pub violation: Option<Violation>,
}

/// A legal move by its points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointMove {
    /// The canonical notation.
    pub text: String,
    /// All its points.
    pub points: Vec<Point>,
}

/// What a Go front end shows of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoScene {
    /// The size and kind of the board.
    pub grid: GoGrid,
    /// The sites of the game's board, in the order in which they are drawn.
    pub sites: Vec<GoSite>,
    /// What stands on them.
    pub pieces: Vec<GoPiece>,
    /// What is to be known of sites: a word of the list in `protocol.md`, and the point by which the site is clicked.
    pub marks: Vec<(&'static str, Point)>,
    /// What the game calls its sides.
    pub sides: [&'static str; 2],
    /// What to say of each side below the board, after its name; empty if there is nothing to say.
    pub remarks: [Vec<TextPart>; 2],
    /// What else to say below the board; empty if there is nothing to say.
    pub note: Vec<TextPart>,
    /// How many men each side has captured.
    pub captured: [u32; 2],
}

/// A site of the game's board on that of the front end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoSite {
    /// What kind of site it is: words of the list in `protocol.md`, separated by spaces.
    pub class: &'static str,
    /// The points that it covers, first the one by which it is clicked.
    pub points: Vec<Point>,
}

/// A piece on the board of the front end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoPiece {
    /// The piece on the game's board.
    pub piece: Piece,
    /// What is written on it: a word without spaces, or nothing.
    pub label: Vec<TextPart>,
    /// The points that it covers, first the one by which it is clicked.
    pub points: Vec<Point>,
}

impl GoScene {
    /// What is shown of this position; none if Go front ends do not show this game.
    pub fn of<G: Game>(rules: &G, position: &G::Position) -> Option<GoScene> {
        let site =
            |drawn: DrawnSite| GoSite { class: drawn.class, points: rules.points(drawn.site) };
        let (scene, BoardText { labels, remarks, note }) =
            (rules.scene(position), rules.board_text(position));
        let piece = |piece: Piece| GoPiece {
            piece,
            label: labels
                .iter()
                .find(|label| label.0 == piece.site)
                .map(|label| label.1.clone())
                .unwrap_or_default(),
            points: rules.points(piece.site),
        };
        let [first, second] = scene.lost;
        let mark = |mark: Mark| (mark.kind, click_point(rules, mark.site));
        Some(GoScene {
            grid: rules.grid()?,
            sites: rules.geometry().sites.into_iter().map(site).collect(),
            pieces: scene.pieces.into_iter().map(piece).collect(),
            marks: scene.marks.into_iter().map(mark).collect(),
            sides: G::SIDES,
            remarks,
            note,
            captured: [second, first],
        })
    }
}

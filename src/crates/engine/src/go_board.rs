//! The interface between Go front ends and the games, as plain data: the position as a Go front end
//! shows it, and the points by which it names moves.

use pentarch_core::view::layout::Piece;
use pentarch_core::view::projection::{BoardText, click_point};
use pentarch_core::{BoardTextPart, GoGrid, Point, Violation};
use pentarch_games::Game;

/// Shows the current game on the board of a Go front end, where points name moves.
pub trait GoBoard {
    /// Returns the position as the front end shows it; `None` if the game has no such board.
    fn go_scene(&self) -> Option<GoScene>;

    /// Returns the legal moves that begin with these points.
    fn matching_moves(&self, clicked: &[Point]) -> MatchingMoves;
}

/// The moves that clicked points can become.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MatchingMoves {
    /// The legal moves that begin with the points.
    pub moves: Vec<PointMove>,
    /// The rule that forbids the move of the points; `None` if they spell no complete move, or if
    /// `moves` is not empty.
    pub violation: Option<Violation>,
}

/// A legal move, as points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointMove {
    /// The canonical notation.
    pub text: String,
    /// All points of the move.
    pub points: Vec<Point>,
}

/// A position as a Go front end shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoScene {
    /// The size and kind of the board.
    pub grid: GoGrid,
    /// The sites of the game's board, in drawing order.
    pub sites: Vec<GoSite>,
    /// The pieces on the sites.
    pub pieces: Vec<GoPiece>,
    /// Marks of sites: a word of the list in `protocol.md`, and the point by which the site is
    /// clicked.
    pub marks: Vec<(&'static str, Point)>,
    /// The names of the sides.
    pub sides: [&'static str; 2],
    /// Remarks on each side below the board, after its name; empty if there are none.
    pub remarks: [Vec<BoardTextPart>; 2],
    /// A further note below the board; empty if there is none.
    pub note: Vec<BoardTextPart>,
    /// The number of pieces that each side has captured.
    pub captured: [u32; 2],
}

/// A site of the game's board on the board of the front end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoSite {
    /// The class of the site: words of the list in `protocol.md`, separated by spaces.
    pub class: &'static str,
    /// The points that the site covers. The first is the one by which it is clicked.
    pub points: Vec<Point>,
}

/// A piece on the board of the front end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoPiece {
    /// The piece on the game's board.
    pub piece: Piece,
    /// The label of the piece: a word without spaces, or empty.
    pub label: Vec<BoardTextPart>,
    /// The points that the piece covers. The first is the one by which it is clicked.
    pub points: Vec<Point>,
}

impl GoScene {
    /// Creates the scene of this position; `None` if Go front ends do not support this game.
    pub fn new<G: Game>(rules: &G, position: &G::Position) -> Option<GoScene> {
        let grid = rules.grid()?;
        let scene = rules.scene(position);
        let BoardText { labels, remarks, note } = rules.board_text(position);
        let sites = rules
            .geometry()
            .sites
            .into_iter()
            .map(|drawn| GoSite { class: drawn.class, points: rules.points(drawn.site) });
        let mut pieces = Vec::with_capacity(scene.pieces.len());
        for piece in scene.pieces {
            let label = labels.iter().find(|(site, _)| *site == piece.site);
            pieces.push(GoPiece {
                piece,
                label: label.map(|(_, parts)| parts.clone()).unwrap_or_default(),
                points: rules.points(piece.site),
            });
        }
        let marks = scene.marks.into_iter().map(|mark| (mark.kind, click_point(rules, mark.site)));
        let [first, second] = scene.lost;
        Some(GoScene {
            grid,
            sites: sites.collect(),
            pieces,
            marks: marks.collect(),
            sides: G::SIDE_NAMES,
            remarks,
            note,
            captured: [second, first],
        })
    }
}

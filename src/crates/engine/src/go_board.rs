//! The interface between Go front ends and the games, as plain data. A position is in the form that
//! a Go front end shows, and a move is a list of points.

use pentarch_core::view::go_board_projection::{GoBoardLabelsAndNote, go_click_point_of_site};
use pentarch_core::view::layout::Piece;
use pentarch_core::{GoBoardLabelFragment, GoBoardShape, Point, RuleViolation};
use pentarch_games::Game;

/// Shows the current game on the board of a Go front end. Each move is a list of points of this
/// board.
pub trait GoBoard {
    /// Returns the position for the front end's Go board; `None` if the game has no such board.
    fn go_board_scene(&self) -> Option<GoBoardScene>;

    /// Returns the legal moves that begin with these points.
    fn moves_matching_clicks(&self, clicked: &[Point]) -> MovesMatchingClicks;
}

/// The legal moves that begin with the clicked points.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MovesMatchingClicks {
    /// The legal moves that begin with the clicked points.
    pub moves: Vec<GoBoardMove>,
    /// The rule that forbids the move formed by the points; `None` if the points do not form a
    /// complete move, or if `moves` is not empty.
    pub violation: Option<RuleViolation>,
}

/// A legal move, as points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoBoardMove {
    /// The canonical notation of the move.
    pub text: String,
    /// All points of the move.
    pub points: Vec<Point>,
}

/// A position in the form that a Go front end shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoBoardScene {
    /// The size and kind of the board.
    pub grid: GoBoardShape,
    /// The sites of the game's board, in drawing order.
    pub sites: Vec<GoBoardSite>,
    /// The pieces on the sites.
    pub pieces: Vec<GoFrontEndPiece>,
    /// The marks of sites. Each mark has a word from the list in `protocol.md`, and the click point
    /// of its site.
    pub marks: Vec<(&'static str, Point)>,
    /// The names of the sides.
    pub sides: [&'static str; 2],
    /// Remarks on each side. The remarks appear below the board, after the name of the side. A side
    /// without remarks has an empty list.
    pub remarks: [Vec<GoBoardLabelFragment>; 2],
    /// A further note below the board; empty if there is none.
    pub note: Vec<GoBoardLabelFragment>,
    /// The number of pieces that each side has captured.
    pub captured: [u32; 2],
}

/// A site of the game's board on the board of the front end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoBoardSite {
    /// The class of the site: words from the list in `protocol.md`, separated by spaces.
    pub class: &'static str,
    /// The points that the site covers. A click on the first point is a click on the site.
    pub points: Vec<Point>,
}

/// A piece on the board of the front end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoFrontEndPiece {
    /// The piece on the game's board.
    pub piece: Piece,
    /// The label of the piece: a word without spaces, or empty.
    pub label: Vec<GoBoardLabelFragment>,
    /// The points that the piece covers. A click on the first point is a click on the piece.
    pub points: Vec<Point>,
}

impl GoBoardScene {
    /// Creates the view of this position for Go front ends; `None` if Go front ends do not support
    /// this game.
    pub fn new<G: Game>(rules: &G, position: &G::Position) -> Option<GoBoardScene> {
        let grid = rules.go_board_shape()?;
        let scene = rules.position_scene(position);
        let [first, second] = [0, 1].map(|player| scene.lost_count(player));
        let GoBoardLabelsAndNote { labels, remarks, note } =
            rules.go_board_labels_and_note(position);
        let sites = rules.board_geometry().sites.into_iter().map(|drawn| GoBoardSite {
            class: drawn.class,
            points: rules.go_points_of_site(drawn.site),
        });
        let mut pieces = Vec::with_capacity(scene.pieces.len());
        for piece in scene.pieces {
            let label = labels.iter().find(|(site, _)| *site == piece.site);
            pieces.push(GoFrontEndPiece {
                piece,
                label: label.map(|(_, parts)| parts.clone()).unwrap_or_default(),
                points: rules.go_points_of_site(piece.site),
            });
        }
        let marks = scene
            .marks
            .into_iter()
            .map(|mark| (mark.kind, go_click_point_of_site(rules, mark.site)));
        Some(GoBoardScene {
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

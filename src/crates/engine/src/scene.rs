//! Describes a game as data for front ends that do not implement its rules. Such front ends draw
//! the board and the pieces, let users make moves by clicks, and show the effects of moves.
//! `protocol.md` describes the fields.

use std::collections::BTreeMap;

use serde::Serialize;

use pentarch_core::{Options, Point};
use pentarch_diagram::board::ImageOptions;

use super::error::EngineError;
use super::input_word::InputWord;

/// The rules, and the parts of a board that are the same in every position. Lengths are in units of
/// one square, and `y` increases upwards.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Board {
    /// The word that names the game.
    pub game: &'static str,
    /// The options of the rules, with their values as strings.
    pub rules: BTreeMap<&'static str, String>,
    /// The words that name the players, in the order of their turns.
    pub sides: &'static [&'static str],
    /// A text for people that explains the aim of each side under these rules.
    pub aim: &'static str,
    /// The rectangle around everything that is drawn: the `x` and `y` of its lower left corner, its
    /// width and its height.
    #[serde(rename = "box")]
    pub bounds: [f64; 4],
    /// The sites, in drawing order.
    pub sites: Vec<Site>,
    /// The outlines of sites, by the name of the shape. Each outline is a path. Its origin is the
    /// centre of the site.
    pub shapes: BTreeMap<&'static str, String>,
    /// The outlines of pieces, by the kind of piece. Each outline is a path. Its origin is the
    /// centre of the piece's site.
    pub kinds: BTreeMap<&'static str, String>,
    /// The emblems on pieces, as paths by the kind of piece. A kind without an emblem is missing.
    pub emblems: BTreeMap<&'static str, String>,
    /// Lines to draw, each as `[x1, y1, x2, y2]`.
    pub lines: Vec<[f64; 4]>,
    /// Labels to draw.
    pub labels: Vec<Label>,
    /// The scale of the curve that converts scores to winning chances, in centipawns.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub odds: i32,
}

/// A site of the board.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Site {
    /// The id of the site, as in move strings.
    pub id: String,
    /// The `x` of the centre.
    pub x: f64,
    /// The `y` of the centre.
    pub y: f64,
    /// The name of the shape.
    pub shape: &'static str,
    /// The angle by which the shape and the piece on the site are turned counter-clockwise, in
    /// degrees.
    #[cfg_attr(test, schemars(range(max = 359)))]
    pub turn: u16,
    /// The class: words separated by spaces.
    #[cfg_attr(test, schemars(regex(pattern = crate::requests::schema::SITE_CLASS_PATTERN)))]
    pub class: &'static str,
}

/// A label on the board.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Label {
    /// The text of the label.
    pub text: String,
    /// The `x` of the label's centre.
    pub x: f64,
    /// The `y` of the label's centre.
    pub y: f64,
}

/// The pieces and marks of a position.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Scene {
    /// The FEN of the position.
    pub fen: String,
    /// The word that names the player to move; `null` if the game is over.
    pub turn: Option<&'static str>,
    /// The outcome in the words of the protocol, such as `ongoing`, `win red fortress` or `draw
    /// repetition`.
    #[cfg_attr(test, schemars(regex(pattern = crate::requests::schema::OUTCOME_PATTERN)))]
    pub outcome: String,
    /// A sentence for people about whose turn it is or how the game ended.
    pub sentence: String,
    /// The pieces on the board.
    pub pieces: Vec<Piece>,
    /// Marks of sites.
    pub marks: Vec<Mark>,
    /// Arrows, which are marks that connect two sites.
    pub arrows: Vec<Arrow>,
    /// The pieces that each player can still bring onto the board. A count may be 0.
    pub hands: Vec<PieceCount>,
    /// The number of pieces that each player has lost. Only pieces with which a player starts the
    /// game are counted.
    pub captured: Vec<u32>,
    /// The numbers in `captured`, split by the kinds of the pieces at the start of the game. A
    /// count may be 0.
    pub lost: Vec<PieceCount>,
    /// The last move; `null` if none was made.
    pub last: Option<String>,
    /// The sites of the last move.
    pub lastsites: Vec<String>,
}

/// A piece on the board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Piece {
    /// The kind of the piece.
    #[cfg_attr(test, schemars(extend("enum" = crate::requests::schema::PIECE_KINDS)))]
    pub kind: &'static str,
    /// The index of the player who owns the piece, or who placed it in this game; `null` if there
    /// is no such player.
    pub side: Option<usize>,
    /// The site of the piece.
    pub site: String,
}

/// A mark of a site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Mark {
    /// The kind of the mark.
    #[cfg_attr(test, schemars(extend("enum" = crate::requests::schema::MARK_KINDS)))]
    pub kind: &'static str,
    /// The marked site.
    pub site: String,
}

/// An arrow, which is a mark that connects two sites.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Arrow {
    /// The kind of the arrow.
    #[cfg_attr(test, schemars(extend("enum" = crate::requests::schema::ARROW_KINDS)))]
    pub kind: &'static str,
    /// The site where the arrow begins.
    pub from: String,
    /// The site where the arrow ends.
    pub to: String,
}

/// A number of pieces of one kind that are not on the board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PieceCount {
    /// The index of the player.
    pub side: usize,
    /// The kind of the pieces.
    #[cfg_attr(test, schemars(extend("enum" = crate::requests::schema::PIECE_KINDS)))]
    pub kind: &'static str,
    /// The number of these pieces.
    pub count: u8,
}

/// The meaning of the clicks so far, and the clicks that can follow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Clicks"))]
pub struct ClickInterpretation {
    /// The sites that can be clicked next, sorted.
    pub next: Vec<String>,
    /// The legal move that the clicks form; `null` if they form no legal move.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The string of the move that the clicks form, even if it is illegal; `null` if they form no
    /// move.
    pub text: Option<String>,
    /// The reason why the move is illegal; `null` if the clicks form no illegal move.
    pub why: Option<String>,
    /// The text of `why` without the ids of requirements; `null` if nothing forbids the move.
    pub reason: Option<String>,
    /// The id of the requirement that forbids the move; `null` if there is none.
    pub rule: Option<&'static str>,
}

/// The effects of a legal move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Details"))]
pub struct MoveDetails {
    /// The canonical notation of the move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The sites that must be clicked to make the move.
    pub clicks: Vec<String>,
    /// The pieces that move to another site.
    pub moved: Vec<PieceMove>,
    /// The pieces that leave the board.
    pub removed: Vec<Piece>,
    /// The pieces that come onto the board.
    pub placed: Vec<Piece>,
    /// The sites that the moving piece visits, from the first to the last. The list is empty if no
    /// piece or several pieces move.
    pub path: Vec<String>,
    /// The sites of the captured pieces, in order.
    pub captured: Vec<String>,
    /// The pushed pieces. These pieces are also in `moved`.
    pub pushed: Vec<PieceMove>,
    /// Whether a piece is promoted; `null` in a game without promotion.
    pub promoted: Option<bool>,
    /// The site about which a wall turns; `null` if no wall turns.
    pub pivot: Option<String>,
    /// The direction in which a wall turns; `null` if no wall turns.
    #[cfg_attr(test, schemars(extend("enum" = crate::requests::schema::WALL_TURN_DIRECTIONS)))]
    pub direction: Option<&'static str>,
    /// The angle by which a wall turns, in degrees; `null` if no wall turns.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub degrees: Option<u16>,
    /// The points that must be clicked on a Go front end's board to make the move.
    #[serde(skip)]
    pub points: Vec<Point>,
}

/// A piece that moves from one site to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PieceMove {
    /// The site that the piece leaves.
    pub from: String,
    /// The site that the piece reaches.
    pub to: String,
}

/// A number with which players assess a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Count"))]
pub struct LabelledCountFields {
    /// The name of the number, for people, such as `steps to the goal`.
    pub label: &'static str,
    /// The index of the player whose number this is; `null` stands for the player to move.
    pub side: Option<usize>,
    /// The number; `null` for the steps of a piece that has no path.
    pub value: Option<u32>,
    /// The counted sites. If `path` is `true`, these are the sites of a path in order, and the
    /// first site is not counted. The list is empty if the number is not a count of sites.
    pub sites: Vec<String>,
    /// Whether the sites are a path.
    pub path: bool,
    /// The number after the move in the request; `null` if the request has no move.
    pub after: Option<CountAfter>,
}

/// A number with which players assess a position, after a move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CountAfter {
    /// The number after the move; `null` for the steps of a piece that has no path.
    pub value: Option<u32>,
    /// The change of the number by the move; `null` if there is no number before or after the move,
    /// or if the number is that of the player to move.
    pub added: Option<i32>,
    /// The counted sites after the move.
    pub sites: Vec<String>,
}

/// Shows the current game to front ends that draw it.
pub trait BoardView {
    /// Returns the rules that these options select, and the parts of the board that never change.
    fn board_data(&self, options: &Options) -> Board;

    /// Returns the pieces and marks of the position.
    fn position_scene(&self) -> Scene;

    /// Returns the position as an SVG image that shows these legal moves.
    ///
    /// # Errors
    /// If a move is not legal.
    fn svg_image(&self, shown: &[InputWord], options: ImageOptions) -> Result<String, EngineError>;

    /// Returns the meaning of the clicked sites, and the sites that can be clicked next.
    ///
    /// # Errors
    /// If the board has no such site.
    fn interpret_clicks(&self, sites: &[InputWord]) -> Result<ClickInterpretation, EngineError>;

    /// Returns the effects of a legal move.
    ///
    /// # Errors
    /// If the move is not legal.
    fn move_effect(&self, mv: &InputWord) -> Result<MoveDetails, EngineError>;

    /// Returns the numbers with which players assess the position. If a move is given, also returns
    /// the numbers after this move.
    ///
    /// # Errors
    /// If the move is not legal.
    fn position_counts(
        &self,
        mv: Option<&InputWord>,
    ) -> Result<Vec<LabelledCountFields>, EngineError>;
}

//! A game as data for front ends that draw it and make moves without knowing its rules: the board, what stands on it,
//! clicks, and what moves do. The documentation of the protocol describes the members.

use std::collections::BTreeMap;

use serde::Serialize;

use pentarch_core::Options;
use pentarch_core::view::layout;
use pentarch_diagram::board::View;

use super::input_word::Word;
use super::refused::Refused;

/// What is drawn of a board in every position, and the rules. Lengths are in units of one square, `y` grows up.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Board {
    /// The word of the game.
    pub game: &'static str,
    /// The options of the rules, with their values.
    pub rules: BTreeMap<&'static str, String>,
    /// The words for the players.
    pub sides: &'static [&'static str],
    /// What each side tries to do, for people.
    pub aim: &'static str,
    /// The `x` and `y` of the lower left corner, the width and the height.
    #[serde(rename = "box")]
    pub bounds: [f64; 4],
    /// The sites, in the order in which they are drawn.
    pub sites: Vec<Site>,
    /// The outlines of sites by name.
    pub shapes: BTreeMap<&'static str, String>,
    /// The outlines of kinds of pieces by name.
    pub kinds: BTreeMap<&'static str, String>,
    /// Lines, each as `[x1, y1, x2, y2]`.
    pub lines: Vec<[f64; 4]>,
    /// Texts with their places.
    pub labels: Vec<Label>,
    /// The [scale](pentarch_core::Evaluate::ODDS_SCALE) of the curve from scores to chances of winning, in centipawns.
    pub odds: i32,
}

/// A site as it is drawn.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the members of `DrawnSite`")]
pub struct Site {
    pub id: layout::Site,
    pub x: f64,
    pub y: f64,
    pub shape: &'static str,
    pub turn: u16,
    pub class: &'static str,
}

/// A text on the board, with the place of its centre.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(missing_docs, reason = "explained above")]
pub struct Label {
    pub text: String,
    pub x: f64,
    pub y: f64,
}

/// What a position shows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scene {
    /// The text of the position.
    pub fen: String,
    /// The word of the player to move; none if the game is over.
    pub turn: Option<&'static str>,
    /// The outcome in the words of the protocol.
    pub outcome: String,
    /// Whose turn it is, or how the game has ended, for people.
    pub sentence: String,
    /// What is drawn.
    #[serde(flatten)]
    pub drawn: layout::Scene,
    /// For each player, how many of its men have been lost.
    pub captured: Vec<u32>,
    /// The last move; none if no move was made.
    pub last: Option<String>,
    /// The sites that the last move concerns.
    pub lastsites: Vec<layout::Site>,
}

/// What clicks mean, and which ones can follow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Clicks {
    /// The sites that can be clicked next, sorted by their ids.
    pub next: Vec<layout::Site>,
    /// The legal move that these clicks are.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The text of the move that they spell, legal or not.
    pub text: Option<String>,
    /// What forbids that move.
    pub why: Option<String>,
    /// The same without the ids of requirements.
    pub reason: Option<String>,
}

/// What a legal move does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Details {
    /// The canonical text of the move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The sites that are clicked for it.
    pub clicks: Vec<layout::Site>,
    /// What it does on the board, but for the ways of pieces and the turn of a wall.
    #[serde(flatten)]
    pub details: layout::Details,
    /// Every piece that comes to stand on another site.
    pub moved: Vec<Way>,
    /// The pieces that are pushed.
    pub pushed: Vec<Way>,
    /// The site about which a wall turns.
    pub pivot: Option<layout::Site>,
    /// Which way a wall turns: `cw`, `ccw` or `either`.
    pub direction: Option<&'static str>,
    /// The angle by which it turns.
    pub degrees: Option<u16>,
}

/// From where to where a piece goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "explained above")]
pub struct Way {
    pub from: layout::Site,
    pub to: layout::Site,
}

/// A game in play as data for front ends that draw it.
pub trait Drawing {
    /// What is drawn of the board in every position, and the rules, as these options choose them.
    fn board(&self, options: &Options) -> Board;

    /// What the position shows.
    fn scene(&self) -> Scene;

    /// The picture of the position in SVG, in which these legal moves are shown.
    ///
    /// # Errors
    /// If a move is not legal.
    fn diagram(&self, shown: &[Word], view: View) -> Result<String, Refused>;

    /// What the sites that were clicked so far mean, and which ones can follow.
    ///
    /// # Errors
    /// If the board has no such site.
    fn clicks(&self, sites: &[Word]) -> Result<Clicks, Refused>;

    /// What a legal move does.
    ///
    /// # Errors
    /// If the move is not legal.
    fn details(&self, mv: &Word) -> Result<Details, Refused>;
}

//! A game in play without the types of the game: object-safe traits by purpose. [`Session`] is all of them.
//!
//! Their methods take and return values: rules as [`Options`], and what a position, a move or an outcome has for front
//! ends as plain structs. Strings that these values can compose are functions of `session_text`, and what depends on the
//! rules alone is a function of [`game_rules`].
//!
//! Positions and moves come in as [words](Word) of input, because they mean something only by the rules and in the
//! position of a game. So their one parser is that of the game, behind these traits, and its error names the word. They
//! go out in canonical notation, which that parser reads.
//!
//! [`game_rules`]: crate::game_rules

use std::sync::Arc;
use std::task::Poll;

use serde::Serialize;

use pentarch_core::view::diagram::Diagram;
use pentarch_core::{MoveError, Options, Outcome, PlayerEnd, Side, TableFiles, Warning};
use pentarch_search::control::Control;
use pentarch_search::transposition::TranspositionTable;
use pentarch_search::{Limits, SearchReport, SearchResult};

use super::error::EngineError;
use super::go_board::GoBoard;
use super::input_word::Word;
use super::scene::Drawing;

/// The most moves that a game may have after moves were given as a list. It bounds how long a command takes that
/// nothing interrupts, and what each thread of a search copies.
pub const MAX_PLIES: usize = 100_000;

/// A game in play: played, described, drawn and searched.
pub trait Session: Play + GameInfo + PositionInfo + Drawing + Searching + GoBoard + Send {}

impl<S: Play + GameInfo + PositionInfo + Drawing + Searching + GoBoard + Send> Session for S {}

/// What is the same in every game by any rules of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// The word that selects the game.
    pub game: &'static str,
    /// What the game calls its two sides.
    pub sides: [&'static str; 2],
    /// The words for the players, in the order of their turns. In a game for two they are the sides.
    pub players: &'static [&'static str],
    /// The [scale](pentarch_core::Evaluate::WIN_RATE_SCALE) of the curve from scores to chances of winning, in centipawns.
    pub odds_scale: i32,
}

/// How a game stands, as plain values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// The number of moves made.
    pub moves: usize,
    /// The player whose turn it is, as an index.
    pub player: usize,
    /// The side whose turn it is.
    pub side: Side,
    /// The number, from 0, of the side to move, or of the player where each of more than two plays against all others.
    pub turn_number: usize,
    /// How the game has ended; none while it goes on.
    pub outcome: Option<Outcome>,
    /// The number, from 0, of the winner among those who can win; none in a draw and while the game goes on.
    pub winner_number: Option<usize>,
    /// How the players have ended the game; none if they have not.
    pub end: Option<PlayerEnd>,
    /// Whether the rules let the players agree on a draw.
    pub allows_draw_agreement: bool,
    /// The names of the sides.
    pub side_names: [&'static str; 2],
    /// The names of the sides as the player to move [sees](pentarch_core::Players::seen_by_mover) them: those of scores
    /// and evaluations.
    pub seen_names: [&'static str; 2],
    /// The side of the player to move among these.
    pub seen_side: Side,
}

/// The state of a game, in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Status {
    /// The word of the player to move; `null` if the game is over.
    pub turn: Option<&'static str>,
    /// The index of the player whose turn it is in the position, even if the game is over.
    pub player: usize,
    /// The words of the players, in the order of their turns.
    pub players: &'static [&'static str],
    /// The outcome in the words of the protocol: `ongoing`, `win red fortress`, `draw repetition`.
    #[cfg_attr(test, schemars(regex(pattern = crate::requests::schema::OUTCOME)))]
    pub outcome: String,
    /// The player to move, or the end of the game, for people: `Green has won: red's knight has no step`.
    pub sentence: String,
    /// The reason why the game is over, for people; `null` if it is not over.
    pub why: Option<String>,
    /// The words of the players of each team; empty if each player plays alone.
    pub teams: Vec<Vec<&'static str>>,
    /// The word of the winner; `null` in a draw and if the game is not over.
    pub winner: Option<&'static str>,
    /// The ways in which the players may end the game now.
    pub may: May,
}

/// The ways in which players may end a game; none if the game is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct May {
    /// The sides that may resign.
    pub resign: Vec<&'static str>,
    /// Whether the players may agree on a draw.
    pub agree: bool,
    /// The sides whose time may run out.
    pub flag: Vec<&'static str>,
}

/// The moves of a game, and where it began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Course {
    /// The text of the position that the game began at; none for the start position of its rules.
    pub start: Option<String>,
    /// The full-move number and the side to move at the beginning of the game.
    pub first_turn: (u32, Side),
    /// The canonical texts of the moves made, first to last.
    pub moves: Vec<String>,
    /// The same texts, each with the marks that were typed with the move.
    pub marked: Vec<String>,
    /// The player of each move, as an index, and the full-move number at which it was made.
    pub turns: Vec<(usize, u32)>,
}

/// The game in play: what changes it, and how it stands.
pub trait Play {
    /// Adopts the rules that these options choose, and returns whether they differ from those before. If they do, the
    /// game begins anew, and scores that were found under the old rules hold no longer.
    fn configure(&mut self, options: &Options) -> bool;

    /// Has the tablebases read from these files. The game goes on.
    fn set_table_files(&mut self, files: Option<Arc<dyn TableFiles>>);

    /// Sets up the position of the text `fen`, or the start position without one, and makes moves. It takes little time
    /// where the game began there already and its moves begin with the same ones.
    ///
    /// # Errors
    /// If the text is no position of these rules, or a move is not legal; the game is unchanged then.
    fn set_position(&mut self, fen: Option<&[Word]>, moves: &[Word]) -> Result<(), EngineError>;

    /// The same game once more, with the same tables.
    fn copy(&self) -> Box<dyn Session>;

    /// Makes moves.
    ///
    /// # Errors
    /// If one of them is not legal; none is made then.
    fn play(&mut self, moves: &[Word]) -> Result<(), EngineError>;

    /// Ends the game as the players want it.
    ///
    /// # Errors
    /// If the game is over, or the rules do not let the players end it so; the game is unchanged then.
    fn end(&mut self, end: PlayerEnd) -> Result<(), EngineError>;

    /// Takes this many moves back. An end that the players have made counts as one.
    ///
    /// # Errors
    /// If fewer moves were made; none is taken back then.
    fn undo(&mut self, count: u32) -> Result<(), EngineError>;
}

/// The game in play: how it stands, and how it came about.
pub trait GameInfo {
    /// What is the same in every game by these rules.
    fn facts(&self) -> Facts;

    /// How the game stands.
    fn standing(&self) -> Standing;

    /// How the game stands, in words.
    fn status(&self) -> Status;

    /// The moves of the game, and where it began.
    fn course(&self) -> Course;

    /// Returns the number of these moves that the game begins with, if it began at the position of this text; none if it did
    /// not. It compares the words as they were typed, so that nothing is parsed again.
    fn shared_moves(&self, fen: Option<&[Word]>, moves: &[Word]) -> Option<usize>;
}

/// A position in notation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionNotation {
    /// The FEN.
    pub fen: String,
    /// The notation of the source of the rules, if it has one.
    pub source: Option<String>,
    /// The [key](pentarch_core::Rules::search_key).
    pub key: u64,
}

/// A legal move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegalMove {
    /// The canonical notation.
    pub text: String,
    /// The kind, for people: `knight moves`.
    pub kind: &'static str,
}

/// The static evaluation of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaticEvaluation {
    /// The evaluation in centipawns for the side to move.
    pub score: i32,
    /// The features by name that are not 0 for both sides, each with its centipawns for the first and the second side.
    pub features: Vec<(&'static str, [i32; 2])>,
}

/// The current position: its notation, its legal moves and its evaluation.
pub trait PositionInfo {
    /// Returns the current position in notation.
    fn position(&self) -> PositionNotation;

    /// Returns the legal moves, sorted by their notation.
    fn legal_moves(&self) -> Vec<LegalMove>;

    /// Returns the legal move that a text names.
    ///
    /// # Errors
    /// If the text does not have the form of a move, or the move is not legal.
    fn find_move(&self, text: &str) -> Result<LegalMove, MoveError>;

    /// Returns the legal moves as the source of the rules writes them, in the order of [`legal_moves`]. This notation
    /// needs the position after each move, so that no function of the values can compose it.
    ///
    /// [`legal_moves`]: PositionInfo::legal_moves
    fn annotated_moves(&self) -> Vec<String>;

    /// Returns the board in characters as this side sees it, now and before the last move, if one was made.
    fn diagrams(&self, viewer: Side) -> (Diagram, Option<Diagram>);

    /// Returns the static evaluation; none if the game is over.
    fn evaluation(&self) -> Option<StaticEvaluation>;
}

/// The work on a game in play that takes long.
pub trait Searching {
    /// Prepares a search of the current position; none if the game is over.
    ///
    /// # Errors
    /// If one of the moves to be searched is not legal.
    fn search(&self, limits: &Limits<Word>) -> Result<Option<Box<dyn SearchJob>>, EngineError>;

    /// Prepares a [perft](pentarch_core::rules::perft) of the current position. The history begins there: positions
    /// before it do not count as repeated.
    fn perft(&self, depth: u32) -> PerftJob;

    /// Prepares the making of the game's tablebases.
    fn make_tables(&self) -> TablesJob;

    /// Who wins the current position if both sides play as well as they can, `Some(None)` for a draw, as far as tables
    /// and what is worked out without a search know it. None if the game is over, or if a repetition may make a
    /// difference, of which tables know nothing.
    fn known_winner(&self) -> Option<Option<Side>>;

    /// Whether the game is [solved by tables](pentarch_core::MakeTables::SOLVES_GAME), which are made.
    fn is_solved(&self) -> bool;
}

/// A search that is ready to run on any thread, as a whole or in slices. There is an answer even if it panics.
pub trait SearchJob: Send {
    /// Searches to the end, calls `report` with each report, and gives the answer.
    fn run(
        self: Box<Self>,
        table: &TranspositionTable,
        control: &Control,
        report: &mut dyn FnMut(&SearchReport<String>),
    ) -> SearchResult<String>;

    /// Searches about so many nodes more, and gives the answer if the search has ended. Not to be called after that.
    fn step(
        &mut self,
        nodes: u64,
        table: &TranspositionTable,
        control: &Control,
        report: &mut dyn FnMut(&SearchReport<String>),
    ) -> Poll<SearchResult<String>>;

    /// The answer without a search, or without any more of it: the best move so far, a legal one in any case.
    fn give_up(&mut self) -> SearchResult<String>;
}

/// The making of tablebases, ready to run on any thread. It waits until they are made or the control ends the waiting,
/// and returns their faults.
pub type TablesJob = Box<dyn FnOnce(&Control) -> Vec<Warning> + Send>;

/// A [perft](pentarch_core::rules::perft) that is ready to run on any thread. It calls the function with each move and
/// the leaves below it, in the order of the moves' texts, and returns their sum; `None` if it was stopped.
pub type PerftJob = Box<dyn FnOnce(&Control, &mut dyn FnMut(&str, u64)) -> Option<u64> + Send>;

//! The boundary between the protocols and the games: a game in play as an object-safe trait, whose methods take and
//! return texts and plain values.

use crate::core::rules_text::RulesText;
use crate::core::{MoveError, Options, Outcome, PlayerEnd, Side};
use crate::search::control::Control;
use crate::search::transposition::TranspositionTable;
use crate::search::{Answer, Info, Limits};

use super::front_end::FrontEnd;
use super::go_board::GoBoard;
use super::word::Word;

/// The most moves that a game may have after moves were given as a list. It bounds how long a command takes that nothing
/// interrupts, and what each thread of a search copies.
pub const MAX_PLIES: usize = 100_000;

/// A game in play. Moves and positions are texts here.
pub trait Session: Send {
    /// Adopts the rules that these options choose, and returns whether they differ from those before. If they do, the
    /// game begins anew, and scores that were found under the old rules hold no longer.
    fn configure(&mut self, options: &Options) -> bool;

    /// Replaces the tablebases by those in the directory that these options name. The game goes on.
    fn change_tables(&mut self, options: &Options);

    /// Sets up the position of the text `fen`, or the start position without one, and makes moves.
    ///
    /// # Errors
    /// If the text is no position of these rules, or a move is not legal; the game is unchanged then.
    fn set_position(&mut self, fen: Option<&[Word]>, moves: &[Word]) -> Result<(), String>;

    /// Makes moves.
    ///
    /// # Errors
    /// If one of them is not legal; none is made then.
    fn play(&mut self, moves: &[Word]) -> Result<(), String>;

    /// Ends the game as the players want it.
    ///
    /// # Errors
    /// If the game is over, or the rules do not let the players agree on a draw; the game is unchanged then.
    fn end(&mut self, end: PlayerEnd) -> Result<(), String>;

    /// How the players have ended the game; `None` if they have not.
    fn player_end(&self) -> Option<PlayerEnd>;

    /// Whether the rules let the players agree on a draw.
    fn knows_agreement(&self) -> bool;

    /// Takes this many moves back. An end that the players have made counts as one.
    ///
    /// # Errors
    /// If fewer moves were made; none is taken back then.
    fn undo(&mut self, count: u32) -> Result<(), String>;

    /// The word that selects the game.
    fn game(&self) -> &'static str;

    /// What the game calls its sides.
    fn sides(&self) -> [&'static str; 2];

    /// The words for the players, in the order of their turns. In a game for two they are the sides.
    fn players(&self) -> &'static [&'static str];

    /// The player whose turn it is, as an index.
    fn player_to_move(&self) -> usize;

    /// The number, from 0, of the side to move, or of the player where each of more than two plays against all others.
    fn turn_number(&self) -> usize;

    /// The number, from 0, of the winner among those who can win; `None` in a draw and while the game goes on.
    fn winner_number(&self) -> Option<usize>;

    /// The side for which this word stands: the word of a side, or of a player on the side; `None` if it is neither.
    fn side_named(&self, word: &str) -> Option<Side>;

    /// The words for the two sides as the player to move [sees](crate::core::Rules::seen_by_mover) them, and which of
    /// them is the player's.
    fn side_words(&self) -> ([&'static str; 2], Side);

    /// The player of each move made, as an index, and the full-move number at which it was made, first to last.
    fn turns(&self) -> Vec<(usize, u32)>;

    /// The side whose turn it is.
    fn side_to_move(&self) -> Side;

    /// How the game has ended; `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// The outcome in words: `ongoing`, `win red fortress`, `draw repetition`.
    fn outcome_text(&self) -> String;

    /// An outcome in words: `win red fortress`, `draw repetition`.
    fn outcome_words(&self, outcome: Outcome) -> String;

    /// The outcome for error messages and GTP: `red has won (fortress)`.
    fn outcome_sentence(&self) -> String;

    /// Whose turn it is, or how the game has ended, for people: `Green has won: red's knight has no step`.
    fn status(&self) -> String;

    /// The text of the current position.
    fn position_text(&self) -> String;

    /// The text of the position that the game began at; `None` for the start position of these rules.
    fn start_text(&self) -> Option<String>;

    /// The full-move number and the side to move at the beginning of the game.
    fn first_turn(&self) -> (u32, Side);

    /// The canonical texts of the moves made, first to last.
    fn moves_made(&self) -> Vec<String>;

    /// The same texts, each with the marks that were typed with the move.
    fn marked_moves(&self) -> Vec<String>;

    /// The canonical texts of the legal moves, sorted.
    fn legal_moves(&self) -> Vec<String>;

    /// The canonical text of a legal move.
    ///
    /// # Errors
    /// If the text does not have the form of a move, or the move is not legal.
    fn canonical_move(&self, text: &str) -> Result<String, MoveError>;

    /// The text that teaches the rules of the game.
    ///
    /// # Errors
    /// If the game has none.
    fn rules_text(&self) -> Result<RulesText<'static>, String>;

    /// The current position for people: the board, the position text, the key, the legal moves and the outcome.
    fn board_text(&self) -> String;

    /// The drawn board as this side sees it.
    fn picture(&self, viewer: Side) -> String;

    /// The drawn board before the last move; `None` if no move was made.
    fn picture_before(&self, viewer: Side) -> Option<String>;

    /// The legal moves by their kinds, in the order of their texts.
    fn move_groups(&self) -> Vec<(&'static str, Vec<String>)>;

    /// The text that teaches the rules of the game, or one topic of it.
    ///
    /// # Errors
    /// If the game has no such text or topic.
    fn rules(&self, topic: Option<&str>) -> Result<String, String>;

    /// The static evaluation in centipawns for the side to move, and the features that are not 0 for both sides; `None`
    /// if the game is over.
    fn features(&self) -> Option<(i32, Features)>;

    /// The static evaluation and its features as a table for people.
    fn evaluation(&self) -> String;

    /// The [scale](crate::core::Evaluate::ODDS_SCALE) of the curve from scores to chances of winning, in centipawns.
    fn odds_scale(&self) -> i32;

    /// Prepares a [`perft`](crate::core::perft) of the current position. The history begins there: positions before it
    /// do not count as repeated.
    fn perft(&self, depth: u32) -> PerftJob;

    /// Prepares a search of the current position; `None` if the game is over.
    ///
    /// # Errors
    /// If one of the moves to be searched is not legal.
    fn search(&self, limits: &Limits<Word>) -> Result<Option<SearchJob>, String>;

    /// Prepares the making of the game's tablebases.
    fn make_tables(&self) -> TablesJob;

    /// Whether a position that can occur again has occurred twice, so that its third occurrence can end the game.
    fn has_repeated(&self) -> bool;

    /// The game on the board of a Go front end.
    fn on_go_board(&mut self) -> &mut dyn GoBoard;

    /// The game as data for front ends that draw it.
    fn front_end(&self) -> &dyn FrontEnd;
}

/// Features of the static evaluation by name, with how many centipawns each gives to the first and the second side.
pub type Features = Vec<(&'static str, [i32; 2])>;

/// The making of tablebases, ready to run on any thread. It waits until they are made or the control ends the waiting,
/// and returns what went wrong, in words.
pub type TablesJob = Box<dyn FnOnce(&Control) -> Vec<String> + Send>;

/// A search that is ready to run on any thread. It calls the function with each report and returns the answer; there is
/// an answer even if the search panics.
pub type SearchJob =
    Box<dyn FnOnce(&TranspositionTable, &Control, &mut dyn FnMut(Info<String>)) -> Answer<String> + Send>;

/// A [`perft`](crate::core::perft) that is ready to run on any thread. It calls the function with each move and the
/// leaves below it, in the order of the moves' texts, and returns their sum; `None` if it was stopped.
pub type PerftJob = Box<dyn FnOnce(&Control, &mut dyn FnMut(&str, u64)) -> Option<u64> + Send>;

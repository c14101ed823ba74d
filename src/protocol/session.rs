//! The seam between the protocol and the games: one game in play, behind boxed traits of plain values.

use crate::core::{Field, Grid, MoveError, Options, Outcome, Side};
use crate::search::Limits;
use crate::search::control::Control;
use crate::search::table::Table;

use super::clicks::Click;
use super::command::Word;

/// A game in play, whatever the game. Moves and positions are texts here.
pub trait Session: Send {
    /// Takes over the rules that these options choose. If they differ from those in force, the game begins anew, and
    /// what was learnt under the old ones holds no more: then the answer is true.
    fn configure(&mut self, options: &Options) -> bool;

    /// Takes the tables of solved positions from where these options say; the game goes on.
    fn change_tables(&mut self, options: &Options);

    /// Sets up the start position or a position text, and makes moves.
    ///
    /// # Errors
    /// If any of it is wrong; the game is unchanged then.
    fn set_position(&mut self, fen: Option<&[Word]>, moves: &[Word]) -> Result<(), String>;

    /// Makes all of these moves or none.
    ///
    /// # Errors
    /// If one of them is not legal.
    fn play(&mut self, moves: &[Word]) -> Result<(), String>;

    /// Takes moves back.
    ///
    /// # Errors
    /// If there are fewer; none is taken back then.
    fn undo(&mut self, count: u32) -> Result<(), String>;

    /// The word that selects the game.
    fn game(&self) -> &'static str;

    /// Whose turn it is.
    fn side_to_move(&self) -> Side;

    /// How the game has ended, if it has.
    fn outcome(&self) -> Option<Outcome>;

    /// The outcome in words: `ongoing`, `win red fortress`, `draw repetition`.
    fn outcome_text(&self) -> String;

    /// The outcome as a sentence for people.
    fn verdict(&self) -> String;

    /// The position text.
    fn position_text(&self) -> String;

    /// The text of the position that the game began at; none for the start position of these rules.
    fn beginning(&self) -> Option<String>;

    /// The full-move number and the side of the first move.
    fn first_turn(&self) -> (u32, Side);

    /// The moves made.
    fn moves_made(&self) -> Vec<String>;

    /// The legal moves, canonical and sorted.
    fn legal_moves(&self) -> Vec<String>;

    /// The canonical text of a legal move.
    ///
    /// # Errors
    /// If the text is not of the form of a move, or the move is not legal.
    fn canonical_move(&self, text: &str) -> Result<String, MoveError>;

    /// Everything about the position for people to look at.
    fn picture(&self) -> String;

    /// The static evaluation and its parts as a table for people.
    fn evaluation(&self) -> String;

    /// Prepares a count of the leaves below the current position, the history beginning there.
    fn count(&self, depth: u32) -> CountJob;

    /// Prepares a search of the current position; none if the game is over.
    ///
    /// # Errors
    /// If one of the moves to be searched is not legal.
    fn search(&self, request: &SearchRequest) -> Result<Option<SearchJob>, String>;

    /// Whether some position of the game has stood twice already.
    fn has_repeated(&self) -> bool;

    /// The game as a Go front end sees and plays it.
    fn on_go_board(&mut self) -> &mut dyn GoBoard;
}

/// A game in play as a Go front end sees and plays it: by single points, in which a move may be half made.
pub trait GoBoard {
    /// The size and kind of the board.
    fn grid(&self) -> Grid;

    /// What the points show, in rows from the top.
    fn fields(&self) -> Vec<Vec<Field>>;

    /// What fields cannot show, in GoGui's graphics language; the points of a half-made move are circled.
    fn graphics(&self) -> Vec<String>;

    /// How many men each side has captured.
    fn captured(&self) -> [u32; 2];

    /// The inputs that can come next; none if the game is over.
    fn legal_clicks(&self) -> Vec<Click>;

    /// Makes an input.
    ///
    /// # Errors
    /// If no legal move goes on like this; nothing changes then.
    fn click(&mut self, click: Click) -> Result<(), String>;

    /// Makes a move given whole, in the place of a half-made one.
    ///
    /// # Errors
    /// If it is not legal; nothing changes then.
    fn play_whole(&mut self, text: &str) -> Result<(), MoveError>;

    /// Takes the last input back, or the last move that was given whole.
    ///
    /// # Errors
    /// If there is none.
    fn take_back(&mut self) -> Result<(), String>;

    /// Whether a move is half made.
    fn is_half_made(&self) -> bool;

    /// The legal moves that the half-made one can become.
    fn completions(&self) -> Vec<String>;

    /// The next input of one of these.
    fn next_click(&self, text: &str) -> Option<Click>;
}

/// What a search is asked for, besides its time.
#[derive(Debug, Clone)]
pub struct SearchRequest {
    /// The limits, without moves.
    pub limits: Limits<()>,
    /// The moves to choose from; all if there are none here.
    pub moves: Vec<Word>,
}

/// A search ready to run on any thread, with its table and control, handing each `info` line on. Whatever happens in it,
/// it has an answer.
pub type SearchJob = Box<dyn FnOnce(&Table, &Control, &mut dyn FnMut(String)) -> SearchAnswer + Send>;

/// The answer of a search.
#[derive(Debug, Clone)]
pub struct SearchAnswer {
    /// The best move.
    pub best: String,
    /// The reply expected.
    pub ponder: Option<String>,
    /// The score for the side that moves.
    pub score: Option<i32>,
    /// Positions searched.
    pub nodes: u64,
    /// What went wrong in it, and what is wrong with the files of tables, told once.
    pub faults: Vec<String>,
}

/// A count ready to run on any thread: it hands each move on with its leaves, in the order of their texts, and returns
/// the sum, or nothing if it was stopped.
pub type CountJob = Box<dyn FnOnce(&Control, &mut dyn FnMut(&str, u64)) -> Option<u64> + Send>;

//! The current game, without the types of the game. The interface consists of object-safe traits,
//! one for each purpose. [`Session`] combines these traits.
//!
//! The methods of the traits take and return values. Rules are passed as [`Options`], and
//! positions, moves and outcomes as plain structs. `session_text` composes strings from these
//! values. [`game_rules`] contains the functions that depend only on the rules.
//!
//! Positions and moves are passed as [words](InputWord) of input, because the meaning of a word
//! depends on the rules and on the current position. So only the game behind these traits parses
//! the words. Its errors name the invalid word. Results are in canonical notation, which the same
//! parser can read.
//!
//! [`game_rules`]: crate::rules_info

use std::sync::Arc;
use std::task::Poll;

use serde::Serialize;

use pentarch_core::evaluation::HumanWinChanceCurve;
use pentarch_core::view::diagram::Diagram;
use pentarch_core::view::position_counts::RaceCountLabel;
use pentarch_core::{EndByPlayers, MoveError, Options, Outcome, Side, TableFiles, Warning};
use pentarch_search::control::SearchControl;
use pentarch_search::time_management::PlayerOnClock;
use pentarch_search::transposition::TranspositionTable;
use pentarch_search::{Limits, SearchEvent, SearchReport, SearchResult};

use super::error::EngineError;
use super::go_board::GoBoard;
use super::input_word::InputWord;
use super::known::KnownFacts;
use super::scene::BoardView;

/// The maximum length of a game whose moves are given as a list. The maximum bounds the time of
/// commands that cannot be interrupted, and the size of the copy that each search thread makes.
pub const MAX_GAME_PLIES: usize = 100_000;

/// The current game, which can be played, described, drawn and searched.
pub trait Session:
    GameControl + IndexedMoves + GameInfo + PositionInfo + BoardView + GameJobPreparer + GoBoard + Send
{
}

impl<S> Session for S where
    S: GameControl
        + IndexedMoves
        + GameInfo
        + PositionInfo
        + BoardView
        + GameJobPreparer
        + GoBoard
        + Send
{
}

/// Values that are the same for all rules of one [`Game`](pentarch_games::Game) type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameConstants {
    /// The word that selects the game.
    pub game: &'static str,
    /// The names of the two sides.
    pub sides: [&'static str; 2],
    /// The words that name the players, in the order of their turns. In a game for two players,
    /// these words also name the sides.
    pub players: &'static [&'static str],
    /// The [scale](pentarch_core::Evaluate::WIN_RATE_SCALE) of the curve that converts scores to
    /// winning chances, in centipawns.
    pub win_rate_scale: i32,
    /// The cases that illustrate the sentences of the rules; see
    /// [`RULE_CASES`](pentarch_core::Notation::RULE_CASES).
    pub rule_cases: &'static str,
    /// The id of the [sentence about the order of the
    /// turns](pentarch_core::Notation::TURN_RULE_ID).
    pub turn_rule: Option<&'static str>,
    /// The id of the [sentence about FENs](pentarch_core::Notation::FEN_FORMAT_RULE_ID).
    pub fen_rule: Option<&'static str>,
    /// The [count](pentarch_core::BoardLayout::RACE_COUNT_LABEL) that decides the race; `None` if
    /// the game is not a race between two players.
    pub race_count: Option<RaceCountLabel>,
}

/// The state of a game, as plain values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameState {
    /// The number of moves made.
    pub moves: usize,
    /// The full-move number of the position.
    pub full_move: u32,
    /// The index of the player to move.
    pub player: usize,
    /// The side to move.
    pub side: Side,
    /// The index of the player or team to move, among the players or teams that can win.
    pub mover_index: usize,
    /// The outcome; `None` while the game continues.
    pub outcome: Option<Outcome>,
    /// The index of the winner among the players or teams that can win; `None` in a draw and while
    /// the game continues.
    pub winner_index: Option<usize>,
    /// The decision by which the players ended the game; `None` if they did not end it.
    pub end: Option<EndByPlayers>,
    /// Whether the rules allow the players to agree on a draw.
    pub allows_draw_agreement: bool,
    /// The names of the sides.
    pub side_names: [&'static str; 2],
    /// The names of the sides as the player to move
    /// [sees](pentarch_core::HasPlayers::position_seen_by_mover) them. Scores and evaluations use
    /// these names.
    pub seen_names: [&'static str; 2],
    /// The side of the player to move. Its name is in `seen_names`.
    pub seen_side: Side,
}

/// The state of a game, in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Status"))]
pub struct GameStatus {
    /// The word that names the player to move; `null` if the game is over.
    pub turn: Option<&'static str>,
    /// The index of the player whose turn it is in the position, even if the game is over.
    pub player: usize,
    /// The words that name the players, in the order of their turns.
    pub players: &'static [&'static str],
    /// The outcome in the words of the protocol, such as `ongoing`, `win red fortress` or `draw
    /// repetition`.
    #[cfg_attr(test, schemars(regex(pattern = crate::requests::schema::OUTCOME_PATTERN)))]
    pub outcome: String,
    /// A sentence for people about whose turn it is or how the game ended, such as `Green has won:
    /// red's knight has no step`.
    pub sentence: String,
    /// The reason why the game is over, for people; `null` if the game is not over.
    pub why: Option<String>,
    /// The words that name the players of each team; empty if each player plays alone.
    pub teams: Vec<Vec<&'static str>>,
    /// The word that names the winner; `null` in a draw and if the game is not over.
    pub winner: Option<&'static str>,
    /// The ways in which the players may end the game now.
    pub may: AllowedEndings,
}

/// The ways in which players may end a game. There are none if the game is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AllowedEndings {
    /// The sides that may resign.
    pub resign: Vec<&'static str>,
    /// Whether the players may agree on a draw.
    pub agree: bool,
    /// The sides whose time may run out.
    pub flag: Vec<&'static str>,
}

/// The moves of a game and its first position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameMoves {
    /// The FEN of the first position; `None` for the start position of the rules.
    pub start: Option<String>,
    /// The full-move number and the side to move in the first position.
    pub first_turn: (u32, Side),
    /// The moves in canonical notation, first to last.
    pub moves: Vec<String>,
    /// The [signs](pentarch_core::notation::record::notes::MOVE_SUFFIX_CHARACTERS) that were typed
    /// after each move.
    pub signs: Vec<String>,
    /// For each move, the index of the player that made it, and its full-move number.
    pub turns: Vec<(usize, u32)>,
}

impl GameMoves {
    /// Returns the moves with their signs.
    pub fn moves_with_typed_signs(&self) -> Vec<String> {
        self.moves.iter().zip(&self.signs).map(|(mv, signs)| format!("{mv}{signs}")).collect()
    }

    /// Returns the moves of this game since its earlier state `earlier`; `None` if `earlier` is a
    /// state of another game.
    pub fn moves_since(&self, earlier: &GameMoves) -> Option<&[String]> {
        let has_same_start = self.start == earlier.start && self.first_turn == earlier.first_turn;
        self.moves.strip_prefix(earlier.moves.as_slice()).filter(|_| has_same_start)
    }
}

/// Changes the current game.
pub trait GameControl {
    /// Sets the rules that these options select. Returns whether the new rules differ from the old
    /// ones. If the rules differ, the game starts again, and scores that were found under the old
    /// rules are invalid.
    fn configure_rules(&mut self, options: &Options) -> bool;

    /// Sets the files of the tablebases, without changing the current game.
    fn set_table_files(&mut self, files: Option<Arc<dyn TableFiles>>);

    /// Sets up the position `fen`, or the start position if `fen` is `None`, and makes moves. The
    /// call is fast if the current game began in the same position with the same moves.
    ///
    /// # Errors
    /// If `fen` is not a position of these rules, or if a move is not legal. The game is then
    /// unchanged.
    fn set_position(
        &mut self,
        fen: Option<&[InputWord]>,
        moves: &[InputWord],
    ) -> Result<(), EngineError>;

    /// Returns a copy of the game that shares its tablebases.
    fn copy_session(&self) -> Box<dyn Session>;

    /// Makes moves.
    ///
    /// # Errors
    /// If one of the moves is not legal. Then no move is made.
    fn play_moves(&mut self, moves: &[InputWord]) -> Result<(), EngineError>;

    /// Ends the game by a decision of the players.
    ///
    /// # Errors
    /// If the game is over, or if the rules do not allow this end. The game is then unchanged.
    fn end_game_by_players(&mut self, end: EndByPlayers) -> Result<(), EngineError>;

    /// Takes back `count` moves. An end of the game by a decision of the players counts as a move.
    ///
    /// # Errors
    /// If fewer moves were made. Then no move is taken back.
    fn undo_moves(&mut self, count: u32) -> Result<(), EngineError>;
}

/// Makes legal moves by their indices. No move is parsed, and only the chosen move is converted to
/// a string. So a random game takes little longer than the generation of its legal moves.
pub trait IndexedMoves {
    /// Generates the legal moves of the current position and returns their number. The moves have
    /// indices in the order of their generation. The indices are valid until the game changes.
    fn generate_legal_moves(&mut self) -> usize;

    /// Returns the generated move with this index in canonical notation; `None` if there is no such
    /// move.
    fn generated_move_text(&self, index: usize) -> Option<String>;

    /// Makes the generated move with this index. Returns `false` if there is no such move, or if
    /// the game already has [`MAX_GAME_PLIES`] moves.
    fn play_generated_move(&mut self, index: usize) -> bool;

    /// Returns the last move in canonical notation; `None` if no move was made.
    fn last_move_text(&self) -> Option<String>;
}

/// Describes the current game: its state and its moves.
pub trait GameInfo {
    /// Returns the constants of the game.
    fn game_constants(&self) -> GameConstants;

    /// Returns the [curve](pentarch_core::Evaluate::human_win_chance_curve) that converts scores to
    /// people's winning chances under these rules.
    fn human_win_chance_curve(&self) -> HumanWinChanceCurve;

    /// Returns the state of the game.
    fn game_state(&self) -> GameState;

    /// Returns the player to move, for time management.
    fn player_on_clock(&self) -> PlayerOnClock;

    /// Returns the state of the game in words.
    fn game_status(&self) -> GameStatus;

    /// Returns the moves of the game and its first position.
    fn game_moves(&self) -> GameMoves;

    /// Returns the number of initial moves that this list and the current game have in common;
    /// `None` if the game did not begin at `fen`. Compares the words as typed, without parsing
    /// them.
    fn count_common_first_moves(
        &self,
        fen: Option<&[InputWord]>,
        moves: &[InputWord],
    ) -> Option<usize>;
}

/// A position in notation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionNotation {
    /// The FEN.
    pub fen: String,
    /// The position in the published notation of the rules; `None` if the rules have no such
    /// notation.
    pub published: Option<String>,
    /// The [search key](pentarch_core::Rules::search_key) of the position.
    pub key: u64,
}

/// A legal move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegalMove {
    /// The canonical notation of the move.
    pub text: String,
    /// The kind of the move, for people, such as `knight moves`.
    pub kind: &'static str,
    /// The id of the sentence of the rules that permits the move; `None` if the rules text has no
    /// such sentence.
    pub rule: Option<&'static str>,
}

/// The static evaluation of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaticEvaluation {
    /// The evaluation in centipawns for the side to move.
    pub score: i32,
    /// The features of the evaluation that are not 0, by name. Each has its values in centipawns
    /// for the first side and for the second side.
    pub features: Vec<(&'static str, [i32; 2])>,
}

/// Describes the current position: its notation, its legal moves and its evaluation.
pub trait PositionInfo {
    /// Returns the current position in notation.
    fn position_notation(&self) -> PositionNotation;

    /// Returns the legal moves, sorted by their notation.
    fn legal_moves(&self) -> Vec<LegalMove>;

    /// Returns the legal move with this notation.
    ///
    /// # Errors
    /// If `text` does not have the form of a move, or if the move is not legal.
    fn resolve_move(&self, text: &str) -> Result<LegalMove, MoveError>;

    /// Returns the id of the sentence of the rules that ends games for this reason, which is given
    /// in the words of an outcome; `None` if there is no such sentence.
    fn rule_id_of_outcome(&self, reason: &str) -> Option<&'static str>;

    /// Returns the legal moves in the notation in which the rules were published, in the same order
    /// as [`legal_moves`]. This notation depends on the position after each move, so `session_text`
    /// cannot compose it.
    ///
    /// [`legal_moves`]: PositionInfo::legal_moves
    fn moves_in_published_notation(&self) -> Vec<String>;

    /// Returns text diagrams of the current position and, if a move was made, of the previous
    /// position. The side `viewer` is at the bottom.
    fn current_and_previous_diagrams(&self, viewer: Side) -> (Diagram, Option<Diagram>);

    /// Returns the static evaluation; `None` if the game is over, and in a program without the
    /// search.
    fn static_evaluation(&self) -> Option<StaticEvaluation>;
}

/// Prepares searches and other long operations on the current game.
pub trait GameJobPreparer {
    /// Prepares a search of the current position; `None` if the game is over.
    ///
    /// # Errors
    /// If one of the moves to be searched is not legal.
    fn prepare_search_job(
        &self,
        limits: &Limits<InputWord>,
    ) -> Result<Option<Box<dyn SearchJob>>, EngineError>;

    /// Prepares a [perft](pentarch_core::rules::perft) of the current position. The history begins
    /// at this position, so a repetition of an earlier position does not count.
    fn prepare_perft_job(&self, depth: u32) -> PerftJob;

    /// Prepares the building of the game's tablebases.
    fn prepare_tablebase_build_job(&self) -> TablebaseBuildJob;

    /// Returns which side wins the current position with perfect play, or `Some(None)` for a draw.
    /// The result comes from the tablebases and from values that are computed without a search.
    /// Returns `None` if these sources do not contain the result, if the game is over, or if a
    /// repetition may matter, because the tablebases ignore repetitions.
    fn known_winner(&self) -> Option<Option<Side>>;

    /// Returns the facts about the current position that are certain. If the tablebases may contain
    /// the position or a position after one of its moves, waits for the tablebases until `given_up`
    /// returns `true`.
    fn known_values(&self, given_up: &dyn Fn() -> bool) -> KnownFacts;

    /// Returns whether the tablebases [solve the
    /// game](pentarch_core::GameTables::TABLES_SOLVE_GAME) and are built.
    fn is_game_solved(&self) -> bool;
}

/// A search that is ready to run on any thread, as a whole or in slices. The job returns a best
/// move even if the search panics.
pub trait SearchJob: Send {
    /// Searches to the end and returns the best move. Calls `on_event` with each report, and with
    /// the result before the helper threads end. The returned result can contain more faults than
    /// the result in the event.
    fn run_with_events(
        self: Box<Self>,
        table: &TranspositionTable,
        control: &SearchControl,
        on_event: &mut dyn FnMut(SearchEvent<String>),
    ) -> SearchResult<String>;

    /// Searches about `nodes` more nodes. Returns the best move if the search has ended. After that
    /// the method must not be called again.
    fn search_slice(
        &mut self,
        nodes: u64,
        table: &TranspositionTable,
        control: &SearchControl,
        report: &mut dyn FnMut(&SearchReport<String>),
    ) -> Poll<SearchResult<String>>;

    /// Ends the search and returns the best move so far, which is always legal.
    fn stop_with_best_move(&mut self) -> SearchResult<String>;
}

/// A function that builds tablebases, on any thread. It ends when the tablebases are built or when
/// the control stops it, and returns the faults found in the tablebase files.
pub type TablebaseBuildJob = Box<dyn FnOnce(&SearchControl) -> Vec<Warning> + Send>;

/// A function that runs a [perft](pentarch_core::rules::perft), on any thread. It calls its
/// callback argument with each move, in the order of their notation, and with the number of leaves
/// below that move. It returns the total number of leaves, or `None` if it was stopped.
pub type PerftJob =
    Box<dyn FnOnce(&SearchControl, &mut dyn FnMut(&str, u64)) -> Option<u64> + Send>;

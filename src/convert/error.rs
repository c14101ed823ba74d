//! The errors that end a conversion.

use thiserror::Error;

use pentarch_core::SyntaxError;
use pentarch_core::notation::parsing::{did_you_mean_hint, join_with_or, quote_for_message};
use pentarch_engine::error::EngineError;
use pentarch_system::LocatedError;

use super::json_games::JsonGameError;
use super::move_lists::MoveListFileError;

/// An error that ends a conversion.
#[derive(Debug, Error)]
pub enum ConvertError {
    /// A text does not have the syntax of records, or is not a game in SGF.
    #[error(transparent)]
    Text(EngineError),
    /// The text is SGF, but another format was requested.
    #[error("it is SGF: use --from sgf")]
    IsSgf,
    /// A line is not a game in JSON.
    #[error(transparent)]
    Json(#[from] LocatedError<JsonGameError>),
    /// A list of moves has invalid syntax.
    #[error(transparent)]
    List(#[from] LocatedError<MoveListFileError>),
    /// The source of the rules has no notation for games.
    #[error(transparent)]
    NoSource(#[from] NoPublishedNotationError),
    /// The text has no game with this number.
    #[error("it holds {games} games, and no game {number}")]
    GameNumber {
        /// The number of games in the text.
        games: usize,
        /// The number of the chosen game.
        number: usize,
    },
    /// The only game of a text cannot be converted.
    #[error(transparent)]
    OnlyGame(GameConversionError),
    /// One of several games cannot be converted.
    #[error(transparent)]
    Game(LocatedError<GameConversionError>),
}

/// The reason why a game cannot be converted.
#[derive(Debug, Error)]
pub enum GameConversionError {
    /// The engine rejects the record.
    #[error(transparent)]
    Record(#[from] EngineError),
    /// The game does not have the requested notation of moves.
    #[error(transparent)]
    Style(#[from] MoveNotationStyleError),
    /// A move has invalid syntax in its notation.
    #[error(transparent)]
    Move(#[from] Box<MoveSyntaxError>),
    /// The game does not name its rules, and the game is not legal under any of the rules that were
    /// tried.
    #[error("{}", .failures.iter().map(IllegalUnderRulesError::to_string).collect::<Vec<_>>().join("; "))]
    NoRules {
        /// The reason for each of the rules that were tried.
        failures: Vec<IllegalUnderRulesError>,
    },
    /// The game does not begin in the start position of the rules. A bare list of moves cannot
    /// contain another start position.
    #[error("a bare list of moves cannot hold the start position {}", quote_for_message(.position))]
    ListStart {
        /// The start position, as a FEN.
        position: String,
    },
    /// The source of the rules has no notation for games.
    #[error(transparent)]
    NoSource(#[from] NoPublishedNotationError),
    /// The notation of the rules' source cannot describe a part of the start position.
    #[error("the notation of the source cannot hold the start position {}", quote_for_message(.position))]
    SourceStart {
        /// The start position, as a FEN.
        position: String,
    },
    /// The rules have no board for Go front ends.
    #[error("these rules of {game} have no board for Go front ends")]
    NoBoard {
        /// The word for the game.
        game: &'static str,
    },
    /// Stones on a Go board do not define the start position.
    #[error("stones on a Go board do not define the start position {}", quote_for_message(.position))]
    SgfStart {
        /// The start position, as a FEN.
        position: String,
    },
}

/// The reason why a game is not legal under some rules.
#[derive(Debug, Error)]
#[error("with {setting}: {error}")]
pub struct IllegalUnderRulesError {
    /// The setting of the rules, as `NAME=VALUE`.
    pub setting: &'static str,
    /// The reason.
    pub error: GameConversionError,
}

/// The error of a game whose source (the publication of its rules) has no notation for games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the rules of {game} have no notation of their own")]
pub struct NoPublishedNotationError {
    /// The word for the game.
    pub game: &'static str,
}

/// An error in the word for a notation of moves.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MoveNotationStyleError {
    /// The game has no other notation.
    #[error(
        "other programs write the moves of {game} like this one; there is no notation {}",
        quote_for_message(.word)
    )]
    OnlyOwn {
        /// The word for the game.
        game: &'static str,
        /// The word for the notation.
        word: String,
    },
    /// The game has other notations, but not this one.
    #[error(
        "the notations of {game} are {}, not {}{}",
        join_with_or(.known),
        quote_for_message(.word),
        did_you_mean_hint(.word, .known.iter().copied())
    )]
    Unknown {
        /// The word for the game.
        game: &'static str,
        /// The words for the notations of the game.
        known: Vec<&'static str>,
        /// The word for the notation.
        word: String,
    },
}

/// A move with invalid syntax in its notation.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "{}move {number}, {}: {error}",
    .variations.iter().map(|number| format!("variation for move {number}: ")).collect::<String>(),
    quote_for_message(.text)
)]
pub struct MoveSyntaxError {
    /// The numbers of the moves whose variations lead to this move, outermost first. The list is
    /// empty for a move of the main line.
    pub variations: Vec<usize>,
    /// The number of the move.
    pub number: usize,
    /// The move.
    pub text: String,
    /// The error of the notation.
    pub error: SyntaxError,
}

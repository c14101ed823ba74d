//! The errors that end a game at the terminal, and the errors of a line of input.

use std::fmt::Display;

use thiserror::Error;

use crate::io::record_file::ReadRecordFileError;
use pentarch_core::notation::parsing::{escape_for_terminal, join_with_or, quote_for_message};
use pentarch_core::notation::record::MOVE_QUALITY_MARKS;
use pentarch_engine::error::EngineError;
use pentarch_engine::games::all_game_words;
use pentarch_system::{FileError, LocatedError};

use super::clock::ClockError;
use super::commands::PlayInputLineError;
use super::game_start::GameStartError;
use super::local_game::{LocalGameError, PlayerChoiceError};
use super::review::ReviewError;
use super::terminal::TerminalError;
use super::text_formatting::ListMovesError;

/// An error that ends the session or prevents it.
#[derive(Debug, Error)]
pub enum PlayError {
    /// An error of the terminal.
    #[error(transparent)]
    Terminal(#[from] TerminalError),
    /// No game is chosen, and there is no terminal on which to ask.
    #[error("which game? 'pentarch play GAME', one of {}", all_game_words().join(", "))]
    NoGame,
    /// The file of the game cannot be used.
    #[error("{}", quote_file_error(.0))]
    Load(#[from] LocatedError<UnusableGameFileError>),
    /// The state of this user is not used here, so there are no stored games.
    #[error(
        "stored games are available only at a terminal, without --no-state and PENTARCH_STATE=off"
    )]
    NoState,
    /// There is no unfinished stored game.
    #[error("there is no unfinished stored game; 'pentarch play --list' lists all stored games")]
    NothingToResume,
    /// There is no stored game with this number.
    #[error("there is no stored game {number}; 'pentarch play --list' lists them")]
    NoStoredGame {
        /// The number that the command line names.
        number: usize,
    },
    /// The command line sets a rule of a stored game, which has its own rules.
    #[error("a stored game has its own rules: --resume does not take --set {rule}=...")]
    ResumeRules {
        /// The name of the option.
        rule: &'static str,
    },
    /// The stored game cannot be used.
    #[error("{}", quote_file_error(.0))]
    Resume(#[from] FileError),
    /// The clocks do not fit the game.
    #[error("--clock: {0}")]
    Clock(#[from] ClockError),
    /// The game has no such players.
    #[error(transparent)]
    Players(#[from] PlayerChoiceError),
    /// The game cannot begin in the requested way.
    #[error(transparent)]
    Start(#[from] GameStartError),
    /// An option does not accept the value that the player has chosen.
    #[error(transparent)]
    Option(EngineError),
    /// The options choose other rules than the rules of the problems.
    #[error("the problems have the default rules of {game}, not {rule}={value}")]
    ProblemRules {
        /// The word for the game.
        game: String,
        /// The name of the option.
        rule: &'static str,
        /// The value of the option.
        value: String,
    },
    /// The program has no problems of the game.
    #[error("there are no problems of {game} in the program; 'pentarch problems' composes some")]
    NoProblems {
        /// The word for the game.
        game: String,
    },
    /// The game has more than two players, but drills are for two players.
    #[error(transparent)]
    NotForTwo(EngineError),
    /// The engine has no tables with positions for drills.
    #[error(
        "the engine solves no part of {game} by itself{}; \
         there are drills of roses, alquerque, quoridor and bushka with their default rules",
        if *.has_drills { " under these rules" } else { "" }
    )]
    NoDrills {
        /// The word for the game.
        game: String,
        /// Whether there are drills of the game with its default rules.
        has_drills: bool,
    },
    /// There is not enough memory for the tables that drills need.
    #[error("there is not enough memory for the tables")]
    NoMemory,
}

impl PlayError {
    /// Returns whether the error is a fault of the command line's arguments.
    pub fn is_usage_error(&self) -> bool {
        match self {
            PlayError::NoGame
            | PlayError::NoState
            | PlayError::NothingToResume
            | PlayError::NoStoredGame { .. }
            | PlayError::ResumeRules { .. }
            | PlayError::Clock(_)
            | PlayError::Players(_)
            | PlayError::Start(_)
            | PlayError::ProblemRules { .. }
            | PlayError::NoProblems { .. }
            | PlayError::NotForTwo(_)
            | PlayError::NoDrills { .. } => true,
            PlayError::Terminal(_)
            | PlayError::Load(_)
            | PlayError::Resume(_)
            | PlayError::Option(_)
            | PlayError::NoMemory => false,
        }
    }
}

/// The error for a rejected line of input in a game. The game is unchanged.
#[derive(Debug, Error)]
pub enum CommandError {
    /// The line is not a command.
    #[error(transparent)]
    Line(#[from] PlayInputLineError),
    /// There are no moves to show.
    #[error(transparent)]
    Moves(#[from] ListMovesError),
    /// The game at the terminal rejects the command.
    #[error(transparent)]
    LocalGame(#[from] LocalGameError),
    /// The engine rejects the command.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The game cannot be reviewed or practised.
    #[error(transparent)]
    Review(#[from] ReviewError),
    /// The command needs a review of the game, and there is none.
    #[error("review the game first, with 'review'")]
    NotReviewed,
    /// No move was rejected. Therefore there is no rule to explain.
    #[error("no move was rejected yet")]
    NothingRejected,
    /// There is no such mark of a move.
    #[error("expected {}, not {}", join_with_or(&MOVE_QUALITY_MARKS), quote_for_message(.typed))]
    UnknownMark {
        /// The argument that is not a mark.
        typed: String,
    },
    /// The file of a game cannot be used.
    #[error("{}", quote_file_error(.0))]
    Load(#[from] LocatedError<UnusableGameFileError>),
    /// There is already a file of this name. This session has not written it, or somebody has
    /// changed it since.
    #[error("there is already a file {}: choose another name", quote_for_message(.file))]
    FileExists {
        /// The name as the user typed it.
        file: String,
    },
    /// The game cannot be saved in a new file.
    #[error("{}", quote_file_error(.0))]
    Save(#[from] FileError),
}

/// The reason why the file of a game cannot be used.
#[derive(Debug, Error)]
pub enum UnusableGameFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadRecordFileError),
    /// The file contains another game than the arguments name.
    #[error("it is a game of {found}, not {named}")]
    OtherGame {
        /// The game of the file.
        found: &'static str,
        /// The game of the arguments.
        named: &'static str,
    },
    /// The file has no valid game.
    #[error(transparent)]
    Record(#[from] EngineError),
}

/// Returns the text of an error with its file in quotes. A sentence that begins with a quote needs
/// no capital letter.
fn quote_file_error(LocatedError { location, error }: &LocatedError<impl Display>) -> String {
    format!("'{}': {error}", escape_for_terminal(&location.to_string()))
}

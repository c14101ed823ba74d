//! The errors of the arguments of `arena`.

use std::path::PathBuf;

use thiserror::Error;

use crate::arena::error::ArenaError;
use crate::arena::opening::OpeningSourceError;
use crate::cli::CliError;
use crate::cli::settings::MalformedSetting;
use crate::convert::openings::ReadOpeningsError;
use pentarch_core::notation::parsing::{did_you_mean_hint, quote_for_message};
use pentarch_core::rules::options::InvalidOptionValue;
use pentarch_engine::error::EngineError;
use pentarch_system::{FileError, LocatedError};

use super::engines_file::EnginesFileError;
use super::flag_value_parsers::MAX_COUNT_ARGUMENT;

/// An error of the arguments, or of a file that they name.
#[derive(Debug, Error)]
pub(crate) enum ArenaArgumentsError {
    /// A value of `--set` does not have the form `NAME=VALUE`.
    #[error("--set {0}")]
    Setting(MalformedSetting),
    /// `--set` sets the game.
    #[error("--game chooses the game, not --set")]
    Game,
    /// An option that is a rule of the game does not accept its value.
    #[error(transparent)]
    Rule(#[from] InvalidOptionValue),
    /// The game does not have two players.
    #[error(transparent)]
    Engine(#[from] Box<EngineError>),
    /// A setting of a single engine names an option that is a rule of the game. All engines must
    /// have the same rules.
    #[error("{name} applies to both engines: --game or --set sets it")]
    CommonSetting {
        /// The name of the rule.
        name: String,
    },
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file of the engines has an error.
    #[error("{}, {error}", path.display())]
    EnginesFile {
        /// The path of the file.
        path: PathBuf,
        /// The error in the file.
        error: Box<EnginesFileError>,
    },
    /// One of two engines has no limit.
    #[error(transparent)]
    NoLimit(#[from] MissingMoveLimit),
    /// An engine in the file of engines has no limit for its moves.
    #[error(transparent)]
    NoLimitInFile(#[from] LocatedError<MissingMoveLimit>),
    /// The engine of the gauntlet is not in the file.
    #[error(
        "--gauntlet: there is no engine {}{}",
        quote_for_message(name),
        did_you_mean_hint(name, known.iter().map(String::as_str))
    )]
    Gauntlet {
        /// The name in the arguments.
        name: String,
        /// The names in the file.
        known: Vec<String>,
    },
    /// A file of openings has an error.
    #[error("{}, {error}", .path.display())]
    Openings {
        /// The path of the file.
        path: PathBuf,
        /// The error.
        error: Box<ReadOpeningsError>,
    },
    /// The built-in openings have an error.
    #[error(transparent)]
    BuiltinOpenings(#[from] OpeningSourceError),
    /// An opening already has the maximum length of a game.
    #[error("--plies leaves no move after the {plies} plies of an opening")]
    LongOpening {
        /// The length of the longest opening.
        plies: usize,
    },
    /// Two files have the same name.
    #[error("--record and --plot name the same file")]
    SameFile,
    /// The two Elo differences of the sequential test are not in ascending order.
    #[error("--sprt takes two Elo differences, the smaller one first")]
    Sprt,
    /// A pairing of a tournament has an odd number of games.
    #[error("--games of a tournament is an even number, because each opening is played twice")]
    OddGames,
    /// The pairings have more games than a match may have.
    #[error("{pairings} pairings have {games} games together; the maximum is {MAX_COUNT_ARGUMENT}")]
    ManyGames {
        /// The number of pairings.
        pairings: usize,
        /// The number of games of all pairings.
        games: usize,
    },
}

/// The error for an engine whose moves have no limit.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the moves of {engine} have no limit: set --movetime, --time, --nodes or --depth")]
pub(crate) struct MissingMoveLimit {
    /// The engine: `the first engine`, or its name in quotes.
    pub engine: String,
}

impl From<ArenaError> for CliError {
    fn from(error: ArenaError) -> CliError {
        if error.is_usage_error() {
            CliError::invalid_arguments(error)
        } else {
            CliError::command_failed(error)
        }
    }
}

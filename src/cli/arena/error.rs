//! The errors of the arguments of `arena`.

use std::path::PathBuf;

use thiserror::Error;

use crate::arena::error::ArenaError;
use crate::arena::opening::SourceError;
use crate::cli::Failure;
use pentarch_core::notation::text::{did_you_mean, quoted};
use pentarch_core::rules::options::InvalidValue;
use pentarch_engine::error::EngineError;
use pentarch_system::{FileError, Located};

use super::engines_file::EnginesFileError;
use super::values::MAX_COUNT;

/// An error of the arguments, or of a file that they name.
#[derive(Debug, Error)]
pub enum ArgumentsError {
    /// A text of `--set` does not have the form `NAME=VALUE`.
    #[error("--set {0}")]
    Setting(String),
    /// `--set` sets the game.
    #[error("the game is chosen by --game")]
    Game,
    /// A rule of the game does not take the value.
    #[error(transparent)]
    Rule(#[from] InvalidValue),
    /// The game is not one for two players.
    #[error(transparent)]
    Engine(#[from] Box<EngineError>),
    /// A setting of one of two engines is a rule of the game.
    #[error("{name} is a matter of both engines: --game or --set sets it")]
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
        /// The error in it.
        error: Box<EnginesFileError>,
    },
    /// No limit is given for one of two engines.
    #[error(transparent)]
    NoLimit(#[from] MissingLimit),
    /// No limit is given for an engine of a file.
    #[error(transparent)]
    NoLimitInFile(#[from] Located<MissingLimit>),
    /// The engine of the gauntlet is not in the file.
    #[error(
        "--gauntlet: there is no engine {}{}",
        quoted(name),
        did_you_mean(name, known.iter().map(String::as_str))
    )]
    Gauntlet {
        /// The name in the arguments.
        name: String,
        /// The names in the file.
        known: Vec<String>,
    },
    /// The openings have an error.
    #[error(transparent)]
    Openings(#[from] SourceError),
    /// An opening leaves no ply for the game.
    #[error("no game goes on after the {plies} plies of its opening")]
    LongOpening {
        /// The length of the longest opening.
        plies: usize,
    },
    /// Two files have the same name.
    #[error("--record and --plot name the same file")]
    SameFile,
    /// The differences of the sequential test are in another order.
    #[error("--sprt takes two Elo differences, the smaller one first")]
    Sprt,
    /// A pairing of a tournament has an odd number of games.
    #[error("--games of a tournament is an even number, because each opening is played twice")]
    OddGames,
    /// The pairings have more games than a match can have.
    #[error("{pairings} pairings have {games} games together, and at most {MAX_COUNT} are played")]
    ManyGames {
        /// The number of pairings.
        pairings: usize,
        /// The number of games of all pairings.
        games: usize,
    },
}

/// An engine whose moves have no limit.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("nothing limits the moves of {engine}: --movetime, --time, --nodes or --depth does")]
pub struct MissingLimit {
    /// The engine: `the first engine`, or its name in quotes.
    pub engine: String,
}

impl From<ArenaError> for Failure {
    fn from(error: ArenaError) -> Failure {
        if error.is_usage() { Failure::bad_arguments(error) } else { Failure::failed(error) }
    }
}

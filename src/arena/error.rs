//! The errors that end a match.

use std::slice::GetDisjointMutError;

use thiserror::Error;

use crate::io::whole_files::NewFileError;
use crate::io::workers::WorkerError;
use crate::shard::error::ShardError;
use pentarch_core::Warning;
use pentarch_engine::error::EngineError;
use pentarch_system::{FileError, LocatedError};

use super::match_file::MatchFileError;
use super::opening::RandomOpeningError;
use super::process::EngineStartError;

/// An error that ends a match.
#[derive(Debug, Error)]
pub enum ArenaError {
    /// An engine does not start.
    #[error(transparent)]
    Start(#[from] EngineStartError),
    /// There is no opening for a game.
    #[error(transparent)]
    NoOpening(#[from] RandomOpeningError),
    /// The arena's own board rejects an opening or the outcome of a game.
    #[error(transparent)]
    Board(#[from] Box<EngineError>),
    /// The file of the match is not usable.
    #[error(transparent)]
    MatchFile(#[from] MatchFileError),
    /// A finished game cannot be added to the file of the match.
    #[error("a game cannot be recorded: {0}")]
    Unrecorded(FileError),
    /// The file for the graph cannot be created.
    #[error(transparent)]
    Plot(#[from] LocatedError<NewFileError>),
    /// The graph or the shard of the match cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The tables for adjudication cannot be built.
    #[error("there are no tables to end games by: {fault}")]
    NoTables {
        /// The reason why the tables cannot be built, as the engine reports it.
        fault: Warning,
    },
    /// Adjudication by tables would end each game at its first position.
    #[error(
        "tables know the result of every position of this game, so that no game would be played: \
         --adjudicate-tables is for other games"
    )]
    Solved,
    /// The schedule names engines that the match does not have, or one engine twice.
    #[error("there are no such engines: {0}")]
    NoEngines(#[from] GetDisjointMutError),
    /// Engines have lost games by crashes, and `fail_on_crash` is set.
    #[error("games lost by a crash: {games}")]
    Crashes {
        /// The number of games lost by crashes.
        games: usize,
    },
    /// A thread for games does not start, or panics.
    #[error(transparent)]
    Worker(#[from] WorkerError),
    /// The shard of the match cannot be computed.
    #[error(transparent)]
    Shard(#[from] ShardError),
}

impl ArenaError {
    /// Returns whether the error is a fault of the command line's arguments. In that case no games
    /// were played.
    pub fn is_usage_error(&self) -> bool {
        matches!(self, ArenaError::Shard(error) if error.is_usage_error())
    }
}

//! The errors that end a match.

use std::slice::GetDisjointMutError;

use thiserror::Error;

use crate::io::files::NewFileError;
use crate::io::workers::WorkerError;
use crate::shards::error::ShardError;
use pentarch_core::Warning;
use pentarch_engine::error::EngineError;
use pentarch_system::{FileError, Located};

use super::match_file::MatchFileError;
use super::opening::RandomOpeningError;
use super::process::StartError;

/// An error that ends a match.
#[derive(Debug, Error)]
pub enum ArenaError {
    /// An engine does not start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// There is no opening for a game.
    #[error(transparent)]
    NoOpening(#[from] RandomOpeningError),
    /// The arena's own board rejects an opening or the end of a game.
    #[error(transparent)]
    Board(#[from] Box<EngineError>),
    /// The file of the match cannot be used.
    #[error(transparent)]
    MatchFile(#[from] MatchFileError),
    /// A game that has ended cannot be added to the file of the match.
    #[error("a game cannot be recorded: {0}")]
    Unrecorded(FileError),
    /// There can be no file for the graph at its path.
    #[error(transparent)]
    Plot(#[from] Located<NewFileError>),
    /// The graph or the shard of the match cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The tables that are to end games cannot be made.
    #[error("there are no tables to end games by: {fault}")]
    NoTables {
        /// The fault of the tables, as the engine reports it.
        fault: Warning,
    },
    /// Tables are to end games, and would end each of them at its beginning.
    #[error(
        "tables know the result of every position of this game, so that no game would be played: \
         --adjudicate-tables is for other games"
    )]
    Solved,
    /// The schedule names engines that the match does not have, or one engine twice.
    #[error("there are no such engines: {0}")]
    NoEngines(#[from] GetDisjointMutError),
    /// Crashes count, and engines have lost games by them.
    #[error("games lost by a crash: {games}")]
    Crashes {
        /// The number of these games.
        games: usize,
    },
    /// A thread that plays games does not start, or panics.
    #[error(transparent)]
    Worker(#[from] WorkerError),
    /// The shard of the match cannot be begun.
    #[error(transparent)]
    Shard(#[from] ShardError),
}

impl ArenaError {
    /// Whether the arguments of the command are at fault, so that nothing was played.
    pub fn is_usage(&self) -> bool {
        matches!(self, ArenaError::Shard(error) if error.is_usage())
    }
}

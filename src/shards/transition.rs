//! The errors of shards for the arena, until this module has a type of its own. Then this file goes.

use thiserror::Error;

use crate::arena::error::ArenaError;
use crate::cli::Failure;

/// An error of a shard.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct ShardError(Failure);

impl ShardError {
    /// Whether the arguments of the command are at fault.
    pub fn is_usage(&self) -> bool {
        matches!(self.0, Failure::BadArguments(_))
    }
}

impl From<Failure> for ArenaError {
    fn from(failure: Failure) -> ArenaError {
        ArenaError::Shard(ShardError(failure))
    }
}

impl From<String> for ArenaError {
    fn from(error: String) -> ArenaError {
        Failure::Failed(error).into()
    }
}

//! The errors of shards.

use std::io;
use std::ops::Range;

use thiserror::Error;

use pentarch_system::LocatedError;
use pentarch_system::memory::ThreadError;

use super::header::{ShardHeaderDifferences, ShardHeaderError};

/// An error that prevents a command from computing a shard.
#[derive(Debug, Error)]
pub enum ShardError {
    /// The shard begins after the last number of the job.
    #[error("--shard begins with {from}, and {}", job_number_range_clause(*.count))]
    Range {
        /// The first number of the shard.
        from: u64,
        /// The number of items of the job.
        count: u64,
    },
    /// The thread that watches the standard input cannot be started.
    #[error(transparent)]
    Thread(#[from] ThreadError),
    /// The file cannot be created, or another file exists at the path.
    #[error(transparent)]
    File(#[from] LocatedError<ShardFileError>),
}

impl ShardError {
    /// Returns whether the error is a fault of the command line's arguments.
    pub fn is_usage_error(&self) -> bool {
        matches!(self, ShardError::Range { .. })
    }
}

/// Returns the valid numbers of a job with `count` items as a clause: `the numbers are those from 0
/// to 9`.
fn job_number_range_clause(count: u64) -> String {
    match count {
        0 => "there are no numbers".into(),
        _ => format!("the numbers are those from 0 to {}", count - 1),
    }
}

/// The reason why the file of a shard cannot be used.
#[derive(Debug, Error)]
pub enum ShardFileError {
    /// The file cannot be read or created.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file does not begin with a header of this version.
    #[error(transparent)]
    Header(#[from] ShardHeaderError),
    /// The file exists, and is another shard.
    #[error("it is there, and another shard:\n{0}")]
    OtherShard(#[from] ShardHeaderDifferences),
    /// A line after the header does not contain a number and its result.
    #[error("it is damaged: {0}")]
    Line(#[from] serde_json::Error),
    /// The checksum of a line does not match its contents.
    #[error("it is damaged: the line of number {number} has another checksum")]
    Checksum {
        /// The number of the damaged line.
        number: u64,
    },
    /// A number is not greater than the previous number.
    #[error("it is damaged: number {number} follows {last}")]
    Order {
        /// The number that is too small.
        number: u64,
        /// The number before this number.
        last: u64,
    },
    /// A number is not in the range of the shard.
    #[error("it is damaged: number {number} is not in its range {}..{}", .range.start, .range.end)]
    OutOfRange {
        /// The number outside the range.
        number: u64,
        /// The range of the shard.
        range: Range<u64>,
    },
    /// A number of the range is missing.
    #[error("it is damaged: it lacks {number}")]
    Missing {
        /// The missing number.
        number: u64,
    },
}

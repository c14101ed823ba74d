//! The errors that end a tuning run.

use thiserror::Error;

use crate::shard::error::ShardError;
use pentarch_core::evaluation::data_format::DataFileFormatError;
use pentarch_system::{FileError, LocatedError};

use super::checkpoint::CheckpointError;
use super::report::{FitError, WeightUnitError};
use super::selfplay::SelfPlayError;

/// An error that ends a tuning run.
#[derive(Debug, Error)]
pub enum TuneError {
    /// The weight of a feature cannot be the unit of the other weights.
    #[error(transparent)]
    Unit(#[from] WeightUnitError),
    /// The evaluation of a game has no net to train.
    #[error("the evaluation of {game} has no net")]
    NoNet {
        /// The name of the game.
        game: &'static str,
    },
    /// The file for the net already exists, with a net at least as good as the new one or with
    /// other contents.
    #[error(transparent)]
    Net(#[from] LocatedError<ExistingNetFileError>),
    /// Games cannot be played.
    #[error(transparent)]
    SelfPlay(#[from] SelfPlayError),
    /// The weights or the scale cannot be fitted.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// The file of the unfinished tuning cannot be read.
    #[error(transparent)]
    CheckpointFile(#[from] LocatedError<CheckpointError>),
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The shard of the games cannot be computed.
    #[error(transparent)]
    Shard(#[from] ShardError),
}

impl TuneError {
    /// Returns whether the error is a fault of the command line's arguments. In that case no games
    /// were played.
    pub fn is_usage_error(&self) -> bool {
        match self {
            TuneError::Unit(_) | TuneError::NoNet { .. } => true,
            TuneError::Shard(error) => error.is_usage_error(),
            _ => false,
        }
    }
}

/// The reason why the existing file at the path of a net is not replaced.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum ExistingNetFileError {
    /// The file is not a net of this version, or is damaged.
    #[error("it is there already, and cannot be read: {0}")]
    Format(#[from] DataFileFormatError),
    /// The file does not have the size of a net of the game.
    #[error("it is there already, and is not a net of {game}")]
    NotANet {
        /// The name of the game.
        game: &'static str,
    },
    /// The net in the file is as good as the new one or better.
    #[error(
        "it is there already, and no worse: it predicts the games held out with a loss of {there:.5}, the new net with \
         {new:.5}; --force replaces it"
    )]
    NoWorse {
        /// The loss of the net in the file: how badly it predicts the results of games that no net
        /// has learnt from.
        there: f64,
        /// The loss of the new net.
        new: f64,
    },
}

//! The error of a failed command, and the exit code that follows from it.

use std::fmt::Display;

use thiserror::Error;

/// The message of a failed command. The variant determines the exit code.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CliError {
    /// The arguments request something impossible. Nothing has been done.
    #[error("{0}")]
    InvalidArguments(String),
    /// The execution of the command has failed.
    #[error("{0}")]
    Failed(String),
}

impl CliError {
    /// Returns the error of a failed command.
    pub fn command_failed(error: impl Display) -> CliError {
        CliError::Failed(error.to_string())
    }

    /// Returns the error of invalid arguments.
    pub fn invalid_arguments(error: impl Display) -> CliError {
        CliError::InvalidArguments(error.to_string())
    }
}

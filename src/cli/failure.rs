//! Why a command of the program did not succeed.

use std::fmt::Display;

use thiserror::Error;

/// Why a command did not succeed, in words; the variant decides the exit code of the program.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Failure {
    /// The arguments ask for something that cannot be done. Nothing has been done.
    #[error("{0}")]
    BadArguments(String),
    /// Something went wrong while the command was carried out.
    #[error("{0}")]
    Failed(String),
}

impl Failure {
    /// Returns the failure of a command with this error.
    pub fn failed(error: impl Display) -> Failure {
        Failure::Failed(error.to_string())
    }

    /// Returns the failure of a command whose arguments have this error.
    pub fn bad_arguments(error: impl Display) -> Failure {
        Failure::BadArguments(error.to_string())
    }
}

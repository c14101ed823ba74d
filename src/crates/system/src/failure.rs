//! Why a command of the program did not succeed.

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

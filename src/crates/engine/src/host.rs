//! What the engine takes from outside.

use std::io;
use std::sync::Arc;

use pentarch_core::TableFiles;
use pentarch_search::clock::Clock;
use thiserror::Error;

/// Where the engine runs: what it takes from there beside its input. An engine in a browser has the clock of the
/// browser and no files.
pub trait Host: Send + Sync {
    /// The clock.
    fn clock(&self) -> Clock;

    /// How much memory the engine could get now, in MiB; none, the default, where that is not known.
    fn free_memory(&self) -> Option<u64> {
        None
    }

    /// The files of tables in the directory of this name.
    ///
    /// # Errors
    /// If there is no such directory, or it cannot be used. By default there is none.
    fn table_files(&self, directory: &str) -> Result<Arc<dyn TableFiles>, TableDirectoryError> {
        let _ = directory;
        Err(TableDirectoryError::Missing)
    }
}

/// The reason why a directory of tables cannot be opened: the rest of a sentence that begins with its name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TableDirectoryError {
    /// There is no directory of this name.
    #[error("is none")]
    Missing,
    /// The system does not let the program use the directory.
    #[error("cannot be used: {}", system_error(*.code))]
    Denied {
        /// The error code of the system, if it has given one.
        code: Option<i32>,
    },
}

/// Returns the error of the system with this code.
fn system_error(code: Option<i32>) -> io::Error {
    code.map_or_else(|| io::ErrorKind::PermissionDenied.into(), io::Error::from_raw_os_error)
}

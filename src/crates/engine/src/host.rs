//! What the engine takes from outside.

use std::io;
use std::sync::Arc;

use pentarch_core::TableFiles;
use pentarch_search::clock::Clock;
use thiserror::Error;

use super::error::ErrorKind;

/// Where the engine runs: what it takes from there beside its input. An engine in a browser has the
/// clock of the browser and no files.
pub trait Host: Send + Sync {
    /// The clock.
    fn clock(&self) -> Clock;

    /// How much memory the engine could get now, in MiB; none, the default, where that is not
    /// known.
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

/// The reason why a directory of tables cannot be opened: the rest of a sentence that begins with
/// its name.
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

/// A fault of the program that has the engine, or of its connection.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum HostFault {
    /// There is no memory for the transposition tables of the threads.
    #[error("no memory for {} of {mib} MiB: set a smaller Hash", tables(*.count))]
    NoTables {
        /// The number of tables.
        count: usize,
        /// The size of each in MiB.
        mib: usize,
    },
    /// The system starts no thread.
    #[error(
        "there is no thread to {purpose}: {}",
        .code.map_or_else(|| io::ErrorKind::Other.into(), io::Error::from_raw_os_error)
    )]
    NoThread {
        /// The use of the thread, as the rest of the sentence: `read on`.
        purpose: &'static str,
        /// The error code of the system, if it has given one.
        code: Option<i32>,
    },
    /// The code that runs a request has panicked.
    #[error("the request failed inside; this is a fault of the program")]
    Panic,
    /// Too many lines wait.
    #[error("lines come faster than they are carried out")]
    TooManyLines,
    /// The socket is closed.
    #[error("the socket is closed")]
    Closed,
}

impl HostFault {
    /// Returns the kind of the fault.
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            HostFault::NoTables { .. } | HostFault::NoThread { .. } | HostFault::TooManyLines => {
                ErrorKind::Limit
            }
            HostFault::Panic => ErrorKind::Unavailable,
            HostFault::Closed => ErrorKind::State,
        }
    }
}

/// Returns a number of tables in words.
fn tables(count: usize) -> String {
    if count == 1 { "a table".into() } else { format!("{count} tables") }
}

/// Returns the error of the system with this code.
fn system_error(code: Option<i32>) -> io::Error {
    code.map_or_else(|| io::ErrorKind::PermissionDenied.into(), io::Error::from_raw_os_error)
}

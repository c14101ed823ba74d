//! The interface between the engine and its host. The host is the program or page that runs the
//! engine.

use std::io;
use std::sync::Arc;

use pentarch_core::TableFiles;
use pentarch_search::clock::Clock;
use thiserror::Error;

use super::error::ErrorKind;

/// The environment of the engine, which provides everything that the engine needs except its input.
/// In a browser, the host provides the browser's clock and no files.
pub trait Host: Send + Sync {
    /// Returns the clock.
    fn host_clock(&self) -> Clock;

    /// Returns the memory in MiB that the engine could allocate now; `None`, the default, if the
    /// amount is unknown.
    fn free_memory_mib(&self) -> Option<u64> {
        None
    }

    /// Returns the tablebase files in this directory.
    ///
    /// # Errors
    /// If the directory does not exist or cannot be used. The default implementation always returns
    /// this error.
    fn open_table_files(
        &self,
        directory: &str,
    ) -> Result<Arc<dyn TableFiles>, TablebaseDirectoryError> {
        let _ = directory;
        Err(TablebaseDirectoryError::Missing)
    }
}

/// The reason why a tablebase directory cannot be opened. The message completes a sentence that
/// begins with the name of the directory.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TablebaseDirectoryError {
    /// There is no directory with this name.
    #[error("is not one")]
    Missing,
    /// The system denies access to the directory.
    #[error("cannot be used: {}", system_error_of_code(*.code))]
    Denied {
        /// The error code of the system, if there is one.
        code: Option<i32>,
    },
}

/// A fault of the host or of its connection.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum HostFault {
    /// There is not enough memory for the transposition tables of the threads.
    #[error("no memory for {} of {mib} MiB: set a smaller Hash", format_table_count(*.count))]
    NoTables {
        /// The number of tables.
        count: usize,
        /// The size of each table in MiB.
        mib: usize,
    },
    /// The system cannot start a thread.
    #[error(
        "there is no thread to {purpose}: {}",
        .code.map_or_else(|| io::ErrorKind::Other.into(), io::Error::from_raw_os_error)
    )]
    NoThread {
        /// The purpose of the thread, such as `read on`, as the end of `there is no thread to ...`.
        purpose: &'static str,
        /// The error code of the system, if there is one.
        code: Option<i32>,
    },
    /// The code that processes a request has panicked.
    #[error("the request failed inside; this is a fault of the program")]
    Panic,
    /// Too many lines are queued.
    #[error("lines arrive faster than they are processed")]
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
fn format_table_count(count: usize) -> String {
    if count == 1 { "a table".into() } else { format!("{count} tables") }
}

/// Returns the system error with this code.
fn system_error_of_code(code: Option<i32>) -> io::Error {
    code.map_or_else(|| io::ErrorKind::PermissionDenied.into(), io::Error::from_raw_os_error)
}

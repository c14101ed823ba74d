//! Batches of requests, whole games and proofs, on several threads, and their printed forms.
//!
//! | module | what it holds |
//! |---|---|
//! | `graph` | the chances of winning over the moves of a game |
//! | `json_lines` | requests and answers as lines of JSON, on several threads |
//! | `proof` | the prover with its tables, for the command `prove` and for requests |
//! | `review` | the review of a whole game on several threads, and its printed forms |
//! | `shard` | some lines of a file of requests, for several machines |
//!
//! Each position is searched by one thread, with a transposition table that is cleared before. So a result does not
//! depend on the number of threads, nor on what was searched before, unless the search has a limit of time.

pub mod graph;
pub mod json_lines;
pub mod proof;
pub mod review;
pub mod shard;

use std::thread::Builder;

use crate::io::host::System;
use pentarch_engine::host::HostFault;
use pentarch_engine::options::TableSize;
use pentarch_search::transposition::TranspositionTable;
use pentarch_system::memory::{self, ThreadError};

/// How many threads work, and how.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// The number of threads.
    pub concurrency: usize,
    /// The size of the transposition table of each thread.
    pub hash: TableSize,
    /// Whether the answers to requests come in their order, rather than as they are found.
    pub ordered: bool,
}

impl Plan {
    /// Starts the thread with this number, which searches with a table of its own. If the system has none, the others
    /// do without it, except for the first one.
    ///
    /// # Errors
    /// If there is no memory for a table whose size was set, or no first thread.
    fn start(
        self,
        number: usize,
        work: impl FnOnce(&TranspositionTable) + Send + 'static,
    ) -> Result<(), HostFault> {
        let Plan { concurrency: count, hash, .. } = self;
        let table = hash.table(&System).ok_or(HostFault::NoTables { count, mib: hash.mib })?;
        let started = start_thread(format!("analysis {number}"), "search on", move || work(&table));
        if number == 0 {
            return started;
        }
        let _ = started.inspect_err(|fault| log::info!("one thread less searches: {fault}"));
        Ok(())
    }
}

/// Starts a thread that nobody joins. `purpose` is its use, as in [`HostFault::NoThread`].
///
/// # Errors
/// If the system starts no thread.
pub(crate) fn start_thread(
    name: String,
    purpose: &'static str,
    work: impl FnOnce() + Send + 'static,
) -> Result<(), HostFault> {
    memory::spawn_detached(Builder::new().name(name), work)
        .map_err(|error| to_host_fault(ThreadError { purpose, error }))
}

/// Returns the error of a response for a thread that does not start.
pub(crate) fn to_host_fault(ThreadError { purpose, error }: ThreadError) -> HostFault {
    HostFault::NoThread { purpose, code: error.raw_os_error() }
}

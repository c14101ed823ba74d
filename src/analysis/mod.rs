//! Analyses batches of requests, whole games and proofs on several threads, and formats the
//! results.
//!
//! | module | contents |
//! |---|---|
//! | `win_chance_chart` | the graph of the winning chances over the moves of a game |
//! | `json_lines` | requests and responses as lines of JSON, on several threads |
//! | `proof` | the prover with its tables, for the command `prove` and for requests |
//! | `review` | the review of a whole game on several threads, and its printed formats |
//! | `shard` | a shard of a file of requests, for several machines |
//!
//! A single thread searches each position, after clearing its transposition table. Therefore a
//! result does not depend on the number of threads or on earlier searches. Results of searches with
//! a time limit may differ.

pub(crate) mod json_lines;
pub(crate) mod proof;
pub(crate) mod review;
pub(crate) mod shard;
pub(crate) mod win_chance_chart;

use std::thread::Builder;

use crate::io::host::SystemHost;
use pentarch_engine::engine_options::HashTableSize;
use pentarch_engine::host::HostFault;
use pentarch_search::transposition::TranspositionTable;
use pentarch_system::memory::{self, ThreadError};

/// The options of a batch: its threads, and the order of its responses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BatchThreadOptions {
    /// The number of threads of the batch.
    pub concurrency: usize,
    /// The size of the transposition table of each thread.
    pub hash: HashTableSize,
    /// Whether the responses come in the order of the requests. Otherwise they come as soon as they
    /// are ready.
    pub ordered: bool,
}

impl BatchThreadOptions {
    /// Starts the thread with this number. The thread searches with a separate table. If the system
    /// has no more threads, the batch runs without this thread. Only the first thread is required.
    ///
    /// # Errors
    /// If the size of the tables was set and there is no memory for a table, or if the first thread
    /// cannot be started.
    fn start_worker_thread(
        self,
        number: usize,
        run: impl FnOnce(&TranspositionTable) + Send + 'static,
    ) -> Result<(), HostFault> {
        let BatchThreadOptions { concurrency: count, hash, .. } = self;
        let table =
            hash.allocate_table(&SystemHost).ok_or(HostFault::NoTables { count, mib: hash.mib })?;
        let started =
            start_detached_thread(format!("analysis {number}"), "search on", move || run(&table));
        if number == 0 {
            return started;
        }
        let _ = started.inspect_err(|fault| log::info!("one thread less searches: {fault}"));
        Ok(())
    }
}

/// Starts a thread that is never joined. `purpose` states what the thread is for, as in
/// [`HostFault::NoThread`].
///
/// # Errors
/// If the system starts no thread.
pub(crate) fn start_detached_thread(
    name: String,
    purpose: &'static str,
    run: impl FnOnce() + Send + 'static,
) -> Result<(), HostFault> {
    memory::spawn_detached_thread(Builder::new().name(name), run)
        .map_err(|error| thread_error_to_host_fault(ThreadError { purpose, error }))
}

/// Converts the error of a thread that did not start to an error for a response.
pub(crate) fn thread_error_to_host_fault(ThreadError { purpose, error }: ThreadError) -> HostFault {
    HostFault::NoThread { purpose, code: error.raw_os_error() }
}

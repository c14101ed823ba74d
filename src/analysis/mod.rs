//! Batches of requests and whole games, on several threads, and their printed forms.
//!
//! | module | what it holds |
//! |---|---|
//! | `graph` | the chances of winning over the moves of a game |
//! | `json_lines` | requests and answers as lines of JSON, on several threads |
//! | `queue` | the requests that wait for these threads |
//! | `review` | the review of a whole game on several threads, and its printed forms |
//!
//! Each position is searched by one thread, with a transposition table that is cleared before. So a result does not
//! depend on the number of threads, nor on what was searched before, unless the search has a limit of time.

pub mod graph;
pub mod json_lines;
mod queue;
pub mod review;

use std::thread::Builder;

use crate::core::memory;
use crate::search::transposition::TranspositionTable;

/// How many threads work, and how.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// The number of threads.
    pub concurrency: usize,
    /// The size in MiB of the transposition table of each thread.
    pub hash: usize,
    /// Whether the answers to requests come in their order, rather than as they are found.
    pub ordered: bool,
}

impl Plan {
    /// Starts the thread with this number, which searches with a table of its own.
    fn start(self, number: usize, work: impl FnOnce(&TranspositionTable) + Send + 'static) -> Result<(), String> {
        let Plan { concurrency, hash, .. } = self;
        let table = TranspositionTable::new(hash)
            .ok_or_else(|| format!("no memory for {concurrency} tables of {hash} MiB: set a smaller Hash"))?;
        memory::start(Builder::new().name(format!("analysis {number}")), move || work(&table))
            .map_err(|error| format!("there is no thread to search on: {error}"))
    }
}

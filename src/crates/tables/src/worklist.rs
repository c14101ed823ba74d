//! The worklist of a retrograde analysis: the positions that each pass must visit.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::dtm::Dtm;
use super::retrograde_control::{GroupSolveError, RetrogradeControl};
use super::run_in_parallel;

/// The number of positions in a chunk, which one thread visits as a whole.
const POSITIONS_PER_CHUNK: usize = 4096;

/// A worklist of positions numbered from 0. The list stores the positions that a pass must visit;
/// such positions are called due. There is one pass for each value: a position that is given a
/// value is due in the pass for this value. The list stores chunks instead of single positions: if
/// a position is due, the pass visits all positions of its chunk.
pub struct Worklist {
    size: usize,
    /// For each chunk, the set of passes in which the chunk is due. The set has one bit for each of
    /// the 256 values.
    chunks: Box<[[AtomicU64; 4]]>,
    /// Whether any position was ever given the value, for each of the 256 values.
    ever_due: [AtomicBool; 256],
}

impl Worklist {
    /// Creates a worklist of `size` positions. No position is due.
    pub fn new(size: usize) -> Worklist {
        let chunks = (0..size.div_ceil(POSITIONS_PER_CHUNK)).map(|_| Default::default()).collect();
        Worklist { size, chunks, ever_due: std::array::from_fn(|_| AtomicBool::new(false)) }
    }

    /// Returns the number of chunks.
    pub fn chunk_count(&self) -> usize {
        self.chunks.len()
    }

    /// Returns the positions of a chunk.
    pub fn positions_of_chunk(&self, chunk: usize) -> Range<usize> {
        let start = chunk * POSITIONS_PER_CHUNK;
        start..(start + POSITIONS_PER_CHUNK).min(self.size)
    }

    /// Makes a position due in the pass for this value.
    pub fn add(&self, number: usize, value: Dtm) {
        let word = usize::from(value.0 / 64);
        let bit = 1 << (value.0 % 64);
        let Some(due) = self.chunks.get(number / POSITIONS_PER_CHUNK).map(|chunk| &chunk[word])
        else {
            return;
        };
        if due.load(Relaxed) & bit == 0 {
            due.fetch_or(bit, Relaxed);
            self.ever_due[usize::from(value.0)].store(true, Relaxed);
        }
    }

    /// Returns whether any position was ever given this value, and so was due in the pass for this
    /// value.
    pub fn was_value_ever_due(&self, value: Dtm) -> bool {
        self.ever_due[usize::from(value.0)].load(Relaxed)
    }

    /// Returns the positions of a chunk if a position of the chunk is due in the pass for this
    /// value. After this call, no position of the chunk is due in this pass.
    pub fn take_due_positions(&self, chunk: usize, value: Dtm) -> Option<Range<usize>> {
        let word = usize::from(value.0 / 64);
        let bit = 1 << (value.0 % 64);
        let is_due = self.chunks[chunk][word].fetch_and(!bit, Relaxed) & bit != 0;
        is_due.then(|| self.positions_of_chunk(chunk))
    }
}

/// The progress of a retrograde analysis: the current pass, and the chunks that it has visited. An
/// interrupted analysis can continue from here.
#[derive(Debug, Default)]
pub struct PassProgress {
    /// The number of the current pass; all earlier passes are complete.
    number: usize,
    /// The number of chunks that the current pass has already visited.
    chunks: usize,
}

impl PassProgress {
    /// Runs the pass with this number. If the pass was interrupted, runs the rest of the pass.
    ///
    /// The method calls `act` once for each of the `chunks`, on the threads of the budget. The
    /// arguments of `act` are the number of the chunk and a scratch buffer. `act` returns whether
    /// there was work to do. After each chunk with work, the method asks the budget whether to
    /// continue. The budget receives `plies` as its [argument](RetrogradeControl::should_continue).
    ///
    /// Passes run in the order of their numbers. A completed pass is not run again.
    ///
    /// # Errors
    /// If the budget stops the analysis. The next call with this number continues where this call
    /// ended.
    pub fn run_pass<T>(
        &mut self,
        number: usize,
        budget: &RetrogradeControl,
        plies: u32,
        chunks: usize,
        act: impl Fn(usize, &mut Vec<T>) -> bool + Sync,
    ) -> Result<(), GroupSolveError> {
        if number < self.number {
            return Ok(());
        }
        let start = if number == self.number { self.chunks } else { 0 };
        let done = run_in_parallel(budget.threads, start..chunks, |chunk, buffer| {
            !act(chunk, buffer) || (budget.should_continue)(plies)
        });
        // A pass without remaining chunks is complete.
        (self.number, self.chunks) = if done < chunks { (number, done) } else { (number + 1, 0) };
        if done == chunks && (budget.should_continue)(plies) {
            Ok(())
        } else {
            Err(GroupSolveError::Interrupted)
        }
    }
}

//! The worklist of a retrograde analysis: which positions are due in which pass, and the passes.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::budget::{RetrogradeBudget, SolveError};
use super::dtm::Dtm;
use super::in_parallel;

/// The number of positions that a thread takes at once.
const CHUNK: usize = 4096;

/// The worklist of positions that are numbered from 0. There is one pass for each value, and a position is due in the
/// pass for each value that it is given. What is kept are not positions but chunks of them: a pass looks at all
/// positions of a chunk in which one is due.
pub struct Worklist {
    /// The number of positions.
    size: usize,
    /// For each chunk, the set of passes that are due: one bit for each value.
    chunks: Box<[[AtomicU64; 4]]>,
    /// For each value, whether a position was ever given it.
    any: [AtomicBool; 256],
}

impl Worklist {
    /// A worklist of so many positions, none of which is due.
    pub fn new(size: usize) -> Worklist {
        let chunks = (0..size.div_ceil(CHUNK)).map(|_| Default::default()).collect();
        Worklist { size, chunks, any: std::array::from_fn(|_| AtomicBool::new(false)) }
    }

    /// The number of chunks.
    pub fn chunks(&self) -> usize {
        self.chunks.len()
    }

    /// The positions of a chunk.
    pub fn all(&self, chunk: usize) -> Range<usize> {
        let start = chunk * CHUNK;
        start..(start + CHUNK).min(self.size)
    }

    /// Makes a position due in the pass for this value.
    pub fn add(&self, number: usize, value: Dtm) {
        let (word, bit) = (usize::from(value.0 / 64), 1 << (value.0 % 64));
        let Some(due) = self.chunks.get(number / CHUNK).map(|chunk| &chunk[word]) else { return };
        if due.load(Relaxed) & bit == 0 {
            due.fetch_or(bit, Relaxed);
            self.any[usize::from(value.0)].store(true, Relaxed);
        }
    }

    /// Whether any position was ever due in the pass for this value.
    pub fn has(&self, value: Dtm) -> bool {
        self.any[usize::from(value.0)].load(Relaxed)
    }

    /// The positions of a chunk, if any of them is due in the pass for this value. They are not due any more after this
    /// call.
    pub fn take(&self, chunk: usize, value: Dtm) -> Option<Range<usize>> {
        let (word, bit) = (usize::from(value.0 / 64), 1 << (value.0 % 64));
        let is_due = self.chunks[chunk][word].fetch_and(!bit, Relaxed) & bit != 0;
        is_due.then(|| self.all(chunk))
    }
}

/// How far an analysis is in its passes, so that one that was interrupted can go on.
#[derive(Debug, Default)]
pub struct PassProgress {
    /// The number of the pass that is being made; those before it are made.
    number: usize,
    /// The number of chunks of this pass for which `act` was called.
    chunks: usize,
}

impl PassProgress {
    /// Makes the pass with this number, or what is left of it: calls `act` once for each of so many `chunks`, on all
    /// threads of the effort. `act` gets the number of the chunk and a scratch buffer, and returns whether there was
    /// anything to do. The effort is told the distance of the pass in `plies` after each chunk with something to do.
    /// Passes come in the order of their numbers; one that is made already is not made again.
    ///
    /// # Errors
    /// If the effort says not to go on. The next call with this number goes on where this one has ended.
    pub fn make<T>(
        &mut self,
        number: usize,
        budget: &RetrogradeBudget,
        plies: u32,
        chunks: usize,
        act: impl Fn(usize, &mut Vec<T>) -> bool + Sync,
    ) -> Result<(), SolveError> {
        if number < self.number {
            return Ok(());
        }
        let begun = if number == self.number { self.chunks } else { 0 };
        let goes_on =
            |chunk, buffer: &mut _| !act(chunk, buffer) || (budget.should_continue)(plies);
        let done = in_parallel(budget.threads, begun..chunks, goes_on);
        // Of a pass with no chunk left there is nothing to go on with.
        (self.number, self.chunks) = if done < chunks { (number, done) } else { (number + 1, 0) };
        if done == chunks && (budget.should_continue)(plies) {
            Ok(())
        } else {
            Err(SolveError::Interrupted)
        }
    }
}

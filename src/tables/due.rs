//! Passes over many positions: what is to be looked at in which of them, on several threads.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;

use crate::core::room;

use super::code::Code;
use super::solve::{Effort, Unsolved};

/// Positions that one thread takes at once.
const CHUNK: usize = 4096;

/// For some positions that are numbered from 0, in which passes to look at them, as far as is known by now.
pub struct Due {
    size: usize,
    /// For each chunk a set of codes: those given to its positions, and not worked off yet.
    chunks: Box<[[AtomicU64; 4]]>,
    /// For each code, whether a position was ever given it.
    any: [AtomicBool; 256],
}

impl Due {
    /// So many positions, to be looked at in no pass yet.
    pub fn new(size: usize) -> Due {
        let chunks = (0..size.div_ceil(CHUNK)).map(|_| Default::default()).collect();
        Due { size, chunks, any: std::array::from_fn(|_| AtomicBool::new(false)) }
    }

    /// How many chunks there are.
    pub fn chunks(&self) -> usize {
        self.chunks.len()
    }

    /// The positions of a chunk.
    pub fn all(&self, chunk: usize) -> Range<usize> {
        let start = chunk * CHUNK;
        start..(start + CHUNK).min(self.size)
    }

    /// A position is to be looked at in the pass for this code.
    pub fn give(&self, number: usize, code: Code) {
        let (word, bit) = (usize::from(code.0 / 64), 1 << (code.0 % 64));
        let Some(given) = self.chunks.get(number / CHUNK).map(|chunk| &chunk[word]) else { return };
        if given.load(Relaxed) & bit == 0 {
            given.fetch_or(bit, Relaxed);
            self.any[usize::from(code.0)].store(true, Relaxed);
        }
    }

    /// Whether there is anything to look at in the pass for this code.
    pub fn has(&self, code: Code) -> bool {
        self.any[usize::from(code.0)].load(Relaxed)
    }

    /// The positions of a chunk, some of which have been given this code since this was last asked; none if no one has.
    pub fn take(&self, chunk: usize, code: Code) -> Option<Range<usize>> {
        let (word, bit) = (usize::from(code.0 / 64), 1 << (code.0 % 64));
        let given = self.chunks[chunk][word].fetch_and(!bit, Relaxed) & bit != 0;
        given.then(|| self.all(chunk))
    }
}

/// Does something with all of so many chunks, on all threads, as one pass so many `plies` back. `act` tells whether
/// there was anything to do, and gets room to work in.
///
/// # Errors
/// If it is stopped.
pub fn in_parallel<T>(
    effort: &Effort,
    plies: u32,
    chunks: usize,
    act: impl Fn(usize, &mut Vec<T>) -> bool + Sync,
) -> Result<(), Unsolved> {
    let next = AtomicUsize::new(0);
    let run = || {
        let mut room = Vec::new();
        loop {
            let chunk = next.fetch_add(1, Relaxed);
            if chunk >= chunks || act(chunk, &mut room) && !(effort.go_on)(plies) {
                return;
            }
        }
    };
    let threads = effort.threads.min(chunks).max(1);
    let threads = if room::is_plenty_for(threads - 1) { threads } else { 1 };
    thread::scope(|scope| {
        for _ in 1..threads {
            // Fewer threads do the same work.
            if thread::Builder::new().spawn_scoped(scope, run).is_err() {
                break;
            }
        }
        run();
    });
    if (effort.go_on)(plies) { Ok(()) } else { Err(Unsolved::Interrupted) }
}

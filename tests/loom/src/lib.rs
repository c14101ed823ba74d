//! Modules of the program that threads share. [`loom`] runs them in all orders that the memory
//! model of Rust allows: `cargo test --manifest-path tests/loom/Cargo.toml`. A processor such as
//! x86 shows few of these orders.

#![forbid(unsafe_code)]

use loom::sync::atomic::{AtomicU8, AtomicU64, fence};

#[allow(dead_code, reason = "the test uses its own part")]
#[path = "../../../src/crates/alcaxar/src/solver/due_sets.rs"]
mod due_sets;

/// The number of sets in a chunk.
const WALL_SETS_PER_CHUNK: usize = 4;

/// Returns the bits that the due word of a set adds to the mark of its chunk. In this test there is
/// only one kind of due set.
fn chunk_mark_from_due_bits(due: u64) -> u8 {
    u8::from(due != 0)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;
    use due_sets::DueWallSets;

    const DUE: u64 = 1;
    const RANK: usize = 0;

    /// Checks that no change is lost. Each of `writers` threads changes an entry, and makes the set
    /// due that depends on the entry. Meanwhile another thread processes the chunk. If this thread
    /// does not read one of the changes, the set must be due afterwards, and its chunk must be
    /// marked. `due_before` is the rank of a set that is due at the beginning.
    #[track_caller]
    fn check(writers: usize, due_before: Option<usize>) {
        loom::model(move || {
            let words = [0, 1].map(|_| [0, 1].map(|_| AtomicU64::new(0)));
            let due = Arc::new(DueWallSets::new(Box::new(words), Box::new([AtomicU8::new(0)])));
            if let Some(rank) = due_before {
                due.make_due(0, rank, DUE);
            }
            let entries: Vec<_> = (0..writers).map(|_| Arc::new(AtomicU64::new(0))).collect();
            let threads = entries.iter().map(|entry| {
                let due = due.clone();
                let entry = entry.clone();
                loom::thread::spawn(move || {
                    entry.store(1, Relaxed);
                    due_sets::fence_after_entry_changes();
                    due.make_due(0, RANK, DUE);
                })
            });
            let threads: Vec<_> = threads.collect();
            let mut are_read = vec![false; writers];
            if due.is_chunk_marked(0, 1) {
                due.clear_chunk_mark(0, 1);
                if due.get(0, RANK) != 0 {
                    due.take_bits(0, RANK, DUE);
                    due_sets::fence_before_entry_reads();
                    are_read = entries.iter().map(|entry| entry.load(Relaxed) == 1).collect();
                }
            }
            threads.into_iter().for_each(|thread| thread.join().unwrap());
            let is_still_due = due.get(0, RANK) != 0 && due.is_chunk_marked(0, 1);
            assert!(is_still_due || are_read.iter().all(|&is_read| is_read), "a change is lost");
        });
    }

    #[test]
    fn loses_no_change_in_an_idle_chunk() {
        check(1, None);
        check(2, None);
    }

    #[test]
    fn loses_no_change_of_a_set_that_is_due() {
        check(1, Some(RANK));
        check(2, Some(RANK));
    }

    #[test]
    fn loses_no_change_in_a_chunk_that_is_marked() {
        check(1, Some(RANK + 1));
        check(2, Some(RANK + 1));
    }
}

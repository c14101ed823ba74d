//! The solver's entries in memory, for both sides to move. All threads read and write them.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use pentarch_core::Side;
use pentarch_system::memory;
use prefetch_index::prefetch_index;

use super::pair_set::PairSet;

/// The number of words of an entry, for both sides together. They fill a cache line.
const WORDS_PER_ENTRY: usize = 8;

/// The entries, by number. An entry represents a set of walls and its blocked walls. For each side
/// to move, it contains a set of pairs of knight squares.
///
/// While a thread writes a set, another thread may read a mixture of old and new words. The two
/// sides of an entry share a cache line, because a pass through a set of walls needs both.
#[derive(Debug, Default)]
pub(crate) struct SolverEntries {
    words: Box<[AtomicU64]>,
    /// The number of unused words before the first entry, so that it begins at the start of a cache
    /// line.
    skipped: usize,
    /// The number of entries.
    pub len: usize,
}

impl SolverEntries {
    /// Creates `len` empty entries. Returns `None` if there is not enough memory.
    pub(crate) fn new(len: usize) -> Option<SolverEntries> {
        let words = memory::allocate_zeros::<AtomicU64>(WORDS_PER_ENTRY * (len + 1))?;
        let skipped = (words.as_ptr() as usize / size_of::<u64>()).wrapping_neg() % WORDS_PER_ENTRY;
        Some(SolverEntries { words, skipped, len })
    }

    #[inline]
    fn entry_words(&self, side: Side, entry: usize) -> &[AtomicU64] {
        &self.words[self.skipped + WORDS_PER_ENTRY * entry + WORDS_PER_ENTRY / 2 * side.index()..]
            [..WORDS_PER_ENTRY / 2]
    }

    #[inline]
    pub(crate) fn get(&self, side: Side, entry: usize) -> PairSet {
        let words = self.entry_words(side, entry);
        PairSet([
            words[0].load(Relaxed),
            words[1].load(Relaxed),
            words[2].load(Relaxed),
            words[3].load(Relaxed),
        ])
    }

    /// Prefetches an entry that will be read soon, without waiting for its memory.
    #[inline]
    pub(crate) fn prefetch(&self, entry: usize) {
        prefetch_index(&self.words, self.skipped + WORDS_PER_ENTRY * entry);
    }

    #[inline]
    pub(crate) fn set(&self, side: Side, entry: usize, set: PairSet) {
        self.entry_words(side, entry)
            .iter()
            .zip(set.0)
            .for_each(|(word, new)| word.store(new, Relaxed));
    }

    pub(crate) fn side_words(&self, side: Side, entries: Range<usize>) -> Vec<[u64; 4]> {
        entries.map(|entry| self.get(side, entry).0).collect()
    }
}

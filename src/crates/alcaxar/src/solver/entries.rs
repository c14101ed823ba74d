//! The entries of both sides, which all threads read and write.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use pentarch_core::Side;
use pentarch_system::memory;
use prefetch_index::prefetch_index;

use super::pair_set::PairSet;

/// The words of an entry, those of both sides: a cache line.
const WORDS: usize = 8;

/// For each number of an entry, a set of pairs of knights for each side to move.
///
/// What is read while another thread writes may be old. The two sides of an entry share a cache line, because whoever
/// works on a set of walls asks for both.
#[derive(Debug, Default)]
pub struct Entries {
    words: Box<[AtomicU64]>,
    /// How many words at the beginning are not used, so that the first entry begins a cache line.
    skipped: usize,
    /// The number of entries.
    pub len: usize,
}

impl Entries {
    /// So many entries without a pair; none if there is not enough memory.
    pub fn new(len: usize) -> Option<Entries> {
        let words = memory::zeroed::<AtomicU64>(WORDS * (len + 1))?;
        let skipped = (words.as_ptr() as usize / size_of::<u64>()).wrapping_neg() % WORDS;
        Some(Entries { words, skipped, len })
    }

    /// The words of a side in an entry.
    #[inline]
    fn words(&self, side: Side, entry: usize) -> &[AtomicU64] {
        &self.words[self.skipped + WORDS * entry + WORDS / 2 * side.index()..][..WORDS / 2]
    }

    /// The set of a side in an entry.
    #[inline]
    pub fn get(&self, side: Side, entry: usize) -> PairSet {
        let words = self.words(side, entry);
        PairSet([
            words[0].load(Relaxed),
            words[1].load(Relaxed),
            words[2].load(Relaxed),
            words[3].load(Relaxed),
        ])
    }

    /// Asks the memory for an entry that is read soon, without waiting for it.
    #[inline]
    pub fn prefetch(&self, entry: usize) {
        prefetch_index(&self.words, self.skipped + WORDS * entry);
    }

    /// Replaces the set of a side in an entry.
    #[inline]
    pub fn set(&self, side: Side, entry: usize, set: PairSet) {
        self.words(side, entry).iter().zip(set.0).for_each(|(word, new)| word.store(new, Relaxed));
    }

    /// The sets of a side in some entries.
    pub fn of_side(&self, side: Side, entries: Range<usize>) -> Vec<[u64; 4]> {
        entries.map(|entry| self.get(side, entry).0).collect()
    }
}

//! The sets of walls that are due, which all threads read and write.
//!
//! A thread that has changed an entry makes sets due. A thread that processes a chunk of the sets
//! takes the due words there, and then reads entries. No change may be lost: either it is read, or
//! its set stays due and the chunk marked.
//!
//! If each of two threads writes one word and then reads the word of the other, both can read the
//! old value (store buffering), unless each has a fence in between. There are two such pairs of
//! words: the mark of a chunk and a due word in it, and a due word and an entry. The crate
//! `tests/loom` includes this file, with atomics that run it in all orders that the memory model of
//! the language allows.

use std::sync::atomic::Ordering::{Relaxed, SeqCst};

use super::{AtomicU8, AtomicU64, CHUNK_LEN, fence, mark_bits};

/// For each set of walls and each side to move, a word that is not 0 if the set is due. For each
/// chunk of the sets, a mark with a bit for each kind of due set there.
#[derive(Debug)]
pub(crate) struct DueSets {
    /// By the rank of the set and the side.
    words: Box<[[AtomicU64; 2]]>,
    /// For the second side, the bits are one higher than in [`mark_bits`].
    marks: Box<[AtomicU8]>,
}

impl DueSets {
    /// Creates the sets from their words and marks. No set is due if these are all 0.
    pub(crate) fn new(words: Box<[[AtomicU64; 2]]>, marks: Box<[AtomicU8]>) -> DueSets {
        DueSets { words, marks }
    }

    /// Returns the words, by the rank of the set and the side.
    pub(crate) fn words(&self) -> &[[AtomicU64; 2]] {
        &self.words
    }

    /// Returns the number of chunks.
    pub(crate) fn chunk_count(&self) -> usize {
        self.marks.len()
    }

    /// Makes a set due for a side. Call [`fence_after_changes`] before.
    pub(crate) fn add(&self, side: usize, rank: usize, due: u64) {
        // Most sets are already due, and reading does not take the cache line away from another
        // thread. The thread that made the set due marks its chunk.
        let word = &self.words[rank][side];
        if word.load(Relaxed) & due == due {
            return;
        }
        word.fetch_or(due, Relaxed);
        // Pairs with the fence of `take_mark`.
        fence(SeqCst);
        let mark = &self.marks[rank / CHUNK_LEN];
        let kinds = mark_bits(due) << side;
        if mark.load(Relaxed) & kinds != kinds {
            mark.fetch_or(kinds, Relaxed);
        }
    }

    /// Returns whether a chunk is marked with one of these kinds.
    pub(crate) fn is_marked(&self, chunk: usize, kinds: u8) -> bool {
        self.marks[chunk].load(Relaxed) & kinds != 0
    }

    /// Clears these kinds in the mark of a chunk. Call it before you process the due sets there.
    pub(crate) fn take_mark(&self, chunk: usize, kinds: u8) {
        self.marks[chunk].fetch_and(!kinds, Relaxed);
        fence(SeqCst);
    }

    /// Returns the word of a set for a side.
    pub(crate) fn get(&self, side: usize, rank: usize) -> u64 {
        self.words[rank][side].load(Relaxed)
    }

    /// Clears these bits in the word of a set, and returns the word before. Call
    /// [`fence_before_reading`] before you read entries.
    pub(crate) fn take(&self, side: usize, rank: usize, bits: u64) -> u64 {
        self.words[rank][side].fetch_and(!bits, Relaxed)
    }

    /// Sets the word of a set for a side. Call [`mark_chunks`](DueSets::mark_chunks) afterwards.
    pub(crate) fn set(&mut self, side: usize, rank: usize, due: u64) {
        self.words[rank][side].store(due, Relaxed);
    }

    /// Computes the marks from the words.
    pub(crate) fn mark_chunks(&mut self) {
        for (words, mark) in self.words.chunks(CHUNK_LEN).zip(&self.marks) {
            let mut kinds = 0;
            for side in 0..2 {
                let all = words.iter().fold(0, |all, word| all | word[side].load(Relaxed));
                kinds |= mark_bits(all) << side;
            }
            mark.store(kinds, Relaxed);
        }
    }
}

/// Separates the changes of entries from [`DueSets::add`].
pub(super) fn fence_after_changes() {
    fence(SeqCst);
}

/// Separates [`DueSets::take`] from reading entries.
pub(super) fn fence_before_reading() {
    fence(SeqCst);
}

//! The sets of walls that are due, which all threads read and write.
//!
//! A thread that has changed an entry makes sets due. A thread that works on a chunk of the sets takes what is due
//! there, and then reads entries. No change may get lost: it is read, or its set stays due, and the chunk marked.
//!
//! Two threads of which each writes one word and then reads the word of the other can both read the old value (store
//! buffering), unless each has a fence in between. There are two such pairs: the mark of a chunk and what is due in it,
//! and what is due and the entries. The crate `tests/loom` includes this file, with atomics that run it in all orders
//! that the memory model of the language allows.

use std::sync::atomic::Ordering::{Relaxed, SeqCst};

use super::{AtomicU8, AtomicU64, CHUNK, fence, kinds_of};

/// For each set of walls and each side to move a word that says what is due, and for each chunk of the sets a mark with
/// a bit for each kind of what is due there.
#[derive(Debug)]
pub struct DueSets {
    /// By the rank of the set.
    words: Box<[[AtomicU64; 2]]>,
    /// For the second side the bits are one higher than [`kinds_of`] has them.
    marks: Box<[AtomicU8]>,
}

impl DueSets {
    /// Sets of which nothing is due, if all words and marks are 0.
    pub fn new(words: Box<[[AtomicU64; 2]]>, marks: Box<[AtomicU8]>) -> DueSets {
        DueSets { words, marks }
    }

    /// The words by the rank of the set and the side.
    pub fn words(&self) -> &[[AtomicU64; 2]] {
        &self.words
    }

    /// The number of chunks.
    pub fn chunks(&self) -> usize {
        self.marks.len()
    }

    /// Makes a set due for a side. [`fence_after_changes`] comes before.
    pub fn add(&self, side: usize, rank: usize, due: u64) {
        // Most are due already, and reading does not take the cache line away from another thread. The thread that made
        // the set due marks its chunk.
        let word = &self.words[rank][side];
        if word.load(Relaxed) & due == due {
            return;
        }
        word.fetch_or(due, Relaxed);
        // Pairs with the fence of `take_mark`.
        fence(SeqCst);
        let mark = &self.marks[rank / CHUNK];
        let kinds = kinds_of(due) << side;
        if mark.load(Relaxed) & kinds != kinds {
            mark.fetch_or(kinds, Relaxed);
        }
    }

    /// Whether a chunk is marked with one of these kinds.
    pub fn is_marked(&self, chunk: usize, kinds: u8) -> bool {
        self.marks[chunk].load(Relaxed) & kinds != 0
    }

    /// Takes these kinds from the mark of a chunk, before the work on what is due there.
    pub fn take_mark(&self, chunk: usize, kinds: u8) {
        self.marks[chunk].fetch_and(!kinds, Relaxed);
        fence(SeqCst);
    }

    /// The word of a set for a side.
    pub fn get(&self, side: usize, rank: usize) -> u64 {
        self.words[rank][side].load(Relaxed)
    }

    /// Takes these bits from the word of a set, and returns the word before. [`fence_before_reading`] comes before entries are
    /// read.
    pub fn take(&self, side: usize, rank: usize, bits: u64) -> u64 {
        self.words[rank][side].fetch_and(!bits, Relaxed)
    }

    /// Sets the word of a set for a side. The chunks are to be [marked](DueSets::mark_chunks) then.
    pub fn set(&mut self, side: usize, rank: usize, due: u64) {
        self.words[rank][side].store(due, Relaxed);
    }

    /// Works out the marks from the words.
    pub fn mark_chunks(&mut self) {
        for (words, mark) in self.words.chunks(CHUNK).zip(&self.marks) {
            let mut kinds = 0;
            for side in 0..2 {
                let all = words.iter().fold(0, |all, word| all | word[side].load(Relaxed));
                kinds |= kinds_of(all) << side;
            }
            mark.store(kinds, Relaxed);
        }
    }
}

/// Separates the changes of entries from [`DueSets::add`].
pub fn fence_after_changes() {
    fence(SeqCst);
}

/// Separates [`DueSets::take`] from reading entries.
pub fn fence_before_reading() {
    fence(SeqCst);
}

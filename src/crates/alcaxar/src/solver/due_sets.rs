//! The sets of walls that are due. All threads read and write this data.
//!
//! A thread that has changed an entry makes sets of walls due. A thread that processes a chunk of
//! the sets first takes the due words of the chunk, and then reads entries. No change may be lost:
//! either the second thread reads the change, or the set stays due and its chunk stays marked.
//!
//! Suppose that each of two threads writes a word and then reads the word that the other thread
//! writes. Then both threads can read the old value (store buffering). A fence between the write
//! and the read in each thread prevents this. There are two such pairs of words. The first pair is
//! the mark of a chunk and a due word of the chunk. The second pair is a due word and an entry.
//!
//! The crate `tests/loom` includes this file. There, the atomics of loom run the code in all orders
//! that the memory model of the language allows.

use std::sync::atomic::Ordering::{Relaxed, SeqCst};

use super::{AtomicU8, AtomicU64, WALL_SETS_PER_CHUNK, chunk_mark_from_due_bits, fence};

/// The due sets of walls: those that a pass must process, because a move leads from them to a
/// changed entry. There is a word for each set of walls and each side to move; if the set is due,
/// its word is not 0. There is also a mark for each chunk of sets. The bits of the mark show for
/// which steps and sides the chunk may contain due sets.
#[derive(Debug)]
pub(crate) struct DueWallSets {
    /// The due words, by the rank of the set of walls and then by the side to move.
    words: Box<[[AtomicU64; 2]]>,
    /// The marks of the chunks. The bits for the first side are those of
    /// [`chunk_mark_from_due_bits`]. The bits for the second side are one position higher.
    marks: Box<[AtomicU8]>,
}

impl DueWallSets {
    /// Creates the sets from their words and marks. If all words and marks are 0, no set is due.
    pub(crate) fn new(words: Box<[[AtomicU64; 2]]>, marks: Box<[AtomicU8]>) -> DueWallSets {
        DueWallSets { words, marks }
    }

    pub(crate) fn words(&self) -> &[[AtomicU64; 2]] {
        &self.words
    }

    pub(crate) fn chunk_count(&self) -> usize {
        self.marks.len()
    }

    /// Makes a set of walls due for a side to move: sets the bits `due` in its word, and marks its
    /// chunk. Before this method, call [`fence_after_entry_changes`].
    pub(crate) fn make_due(&self, side: usize, rank: usize, due: u64) {
        // Most sets are already due. So the word is read first, because reading does not take the
        // cache line away from another thread. If the set is already due, the thread that made it
        // due marks the chunk.
        let word = &self.words[rank][side];
        if word.load(Relaxed) & due == due {
            return;
        }
        word.fetch_or(due, Relaxed);
        // Pairs with the fence of `clear_chunk_mark`.
        fence(SeqCst);
        let mark = &self.marks[rank / WALL_SETS_PER_CHUNK];
        let mark_bits = chunk_mark_from_due_bits(due) << side;
        if mark.load(Relaxed) & mark_bits != mark_bits {
            mark.fetch_or(mark_bits, Relaxed);
        }
    }

    /// Returns whether the mark of a chunk has at least one of the bits in `mark_bits`.
    pub(crate) fn is_chunk_marked(&self, chunk: usize, mark_bits: u8) -> bool {
        self.marks[chunk].load(Relaxed) & mark_bits != 0
    }

    /// Clears the bits in `mark_bits` in the mark of a chunk. Call this method before you process
    /// the due sets of the chunk.
    pub(crate) fn clear_chunk_mark(&self, chunk: usize, mark_bits: u8) {
        self.marks[chunk].fetch_and(!mark_bits, Relaxed);
        fence(SeqCst);
    }

    /// Returns the due word of a set of walls for a side to move.
    pub(crate) fn get(&self, side: usize, rank: usize) -> u64 {
        self.words[rank][side].load(Relaxed)
    }

    /// Clears these bits in the due word of a set of walls, and returns the word before the change.
    /// Then call [`fence_before_entry_reads`] before you read entries.
    pub(crate) fn take_bits(&self, side: usize, rank: usize, bits: u64) -> u64 {
        self.words[rank][side].fetch_and(!bits, Relaxed)
    }

    /// Sets the due word of a set of walls for a side to move. After this method, call
    /// [`mark_chunks`](DueWallSets::mark_chunks).
    pub(crate) fn set_due_word(&mut self, side: usize, rank: usize, due: u64) {
        self.words[rank][side].store(due, Relaxed);
    }

    /// Computes the marks from the words.
    pub(crate) fn mark_chunks(&mut self) {
        for (words, mark) in self.words.chunks(WALL_SETS_PER_CHUNK).zip(&self.marks) {
            let mut mark_bits = 0;
            for side in 0..2 {
                let all = words.iter().fold(0, |all, word| all | word[side].load(Relaxed));
                mark_bits |= chunk_mark_from_due_bits(all) << side;
            }
            mark.store(mark_bits, Relaxed);
        }
    }
}

/// Orders memory accesses: the caller's changes of entries come before its later calls of
/// [`DueWallSets::make_due`].
pub(super) fn fence_after_entry_changes() {
    fence(SeqCst);
}

/// Orders memory accesses: the caller's call of [`DueWallSets::take_bits`] comes before its later
/// reads of entries.
pub(super) fn fence_before_entry_reads() {
    fence(SeqCst);
}

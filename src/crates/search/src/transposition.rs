//! The transposition table: search results by position. All threads of a search share the table
//! without locks (Hyatt and Mann, 2002).

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

use pentarch_system::memory;

/// The relation of a stored score to the true score of the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScoreBound {
    /// The true score is at most the stored one.
    Upper,
    /// The true score is at least the stored one.
    Lower,
    /// The true score is the stored one.
    Exact,
}

impl ScoreBound {
    /// Returns whether a score with this bound is enough to compare the true score with `beta`.
    #[inline]
    pub fn decides_beta_comparison(self, score: i32, beta: i32) -> bool {
        match self {
            ScoreBound::Exact => true,
            ScoreBound::Lower => score >= beta,
            ScoreBound::Upper => score < beta,
        }
    }
}

/// The result of a search of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TranspositionEntry {
    /// The score. The distance to mate of a proven score is counted from the position itself.
    pub score: i32,
    /// The depth of the search in plies.
    pub depth: i32,
    /// The relation of `score` to the true score.
    pub bound: ScoreBound,
    /// The index of the best move in the generated list.
    pub best: Option<u32>,
}

/// The memory of one entry: its data, and a check word. The check word is the exclusive or of the
/// key and the data. If two threads write a slot at the same time, the slot may contain a mixture
/// of their entries. No search finds the mixture, because its check word does not match any key
/// that is searched for.
#[derive(Clone, Copy)]
struct EntrySlot<'a> {
    check: &'a AtomicU64,
    data: &'a AtomicU64,
}

/// The number of words of a slot.
const WORDS_PER_ENTRY_SLOT: usize = 2;
/// The number of words of a bucket: one cache line of 64 bytes. An entry can be in any slot of its
/// bucket.
const WORDS_PER_BUCKET: usize = 4 * WORDS_PER_ENTRY_SLOT;
/// The number of generations before the counter starts again.
const ENTRY_GENERATION_COUNT: u32 = 1 << 14;
/// The index that stands for no move. A move with this or a greater index cannot be stored.
const NO_MOVE_INDEX: u64 = (1 << 24) - 1;

/// A transposition table of a fixed size. A table of size 0 stores nothing.
#[derive(Debug, Default)]
pub struct TranspositionTable {
    /// The words of the buckets, one bucket after the other, with extra words for the alignment.
    words: Box<[AtomicU64]>,
    /// The index of the first word of the first bucket. From there on each bucket fills one cache
    /// line.
    start: usize,
    /// The number of buckets.
    buckets: usize,
    /// The number of the current search. Entries of older generations are replaced first.
    generation: AtomicU32,
    /// The first generation whose entries are valid.
    oldest: AtomicU32,
    /// Whether a position had already occurred twice in the game of the last search.
    had_repetitions: AtomicBool,
}

impl TranspositionTable {
    /// Creates a table that takes at most `mib` MiB. Returns `None` if there is not [enough
    /// memory](memory::allocate_zeros).
    pub fn new(mib: usize) -> Option<TranspositionTable> {
        let line = WORDS_PER_BUCKET * size_of::<AtomicU64>();
        let buckets = mib.saturating_mul(1024 * 1024) / line;
        let words: Box<[AtomicU64]> =
            memory::allocate_zeros((buckets + buckets.min(1)) * WORDS_PER_BUCKET)?;
        Some(TranspositionTable {
            start: words.as_ptr().align_offset(line).min(words.len()),
            words,
            buckets,
            generation: AtomicU32::new(1),
            oldest: AtomicU32::new(1),
            had_repetitions: AtomicBool::new(false),
        })
    }

    /// Creates a table of at most `mib` MiB. Halves the size until the allocation succeeds. If even
    /// 1 MiB cannot be allocated, the table stores nothing.
    pub fn allocate_up_to_mib(mib: usize) -> TranspositionTable {
        let sizes =
            std::iter::successors(Some(mib), |mib| Some(mib / 2)).take_while(|mib| *mib > 0);
        sizes.filter_map(TranspositionTable::new).next().unwrap_or_default()
    }

    /// Returns the size of the table in MiB.
    pub fn size_mib(&self) -> usize {
        self.buckets * WORDS_PER_BUCKET * size_of::<AtomicU64>() / (1024 * 1024)
    }

    /// Forgets all entries.
    pub fn clear(&self) {
        self.begin_generation();
        self.oldest.store(self.generation.load(Relaxed), Relaxed);
    }

    /// Begins a new search. Entries stored from now on belong to a new generation.
    /// `can_end_by_repetition` states whether a position has occurred twice in the game and can
    /// occur a third time.
    ///
    /// If `can_end_by_repetition` is set, a score can rest on the third occurrence. Such a score
    /// does not hold in any other game (the graph history interaction problem; Campbell, 1985). A
    /// score from another game does not hold in this game either, because a repetition can save the
    /// loser here. So the table is cleared before and after such a search.
    pub(crate) fn begin_search(&self, can_end_by_repetition: bool) {
        if self.had_repetitions.swap(can_end_by_repetition, Relaxed) || can_end_by_repetition {
            self.clear();
        } else {
            self.begin_generation();
        }
    }

    fn begin_generation(&self) {
        let next = self.generation.load(Relaxed) + 1;
        if next < ENTRY_GENERATION_COUNT {
            self.generation.store(next, Relaxed);
            return;
        }
        self.words.iter().for_each(|word| word.store(0, Relaxed));
        self.generation.store(1, Relaxed);
        self.oldest.store(1, Relaxed);
    }

    /// Begins to read the bucket of this key from memory (prefetching). Meanwhile the caller does
    /// other work before it requests the entry.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch_index::prefetch_index(&self.words, self.bucket_start(key));
    }

    /// Returns the entry of the position with this key.
    #[inline]
    pub fn get(&self, key: u64) -> Option<TranspositionEntry> {
        let oldest = self.oldest.load(Relaxed);
        self.key_bucket_slots(key).find_map(|slot| {
            let data = slot.data.load(Relaxed);
            let known = slot.check.load(Relaxed) ^ data == key && entry_generation(data) >= oldest;
            known.then(|| unpack_entry(data)).flatten()
        })
    }

    /// Stores an entry. The new entry replaces the entry with the same key, or else an entry of an
    /// older generation, or else the entry with the least depth.
    #[inline]
    pub fn put(&self, key: u64, entry: TranspositionEntry) {
        let now = self.generation.load(Relaxed);
        let oldest = self.oldest.load(Relaxed);
        let replacement_order = |slot: &EntrySlot| {
            let data = slot.data.load(Relaxed);
            let same = slot.check.load(Relaxed) ^ data == key;
            // An entry from before the table was cleared counts as an empty slot, so that a cleared
            // table works like a new one.
            if entry_generation(data) < oldest {
                (true, false, 0)
            } else {
                (!same, entry_generation(data) == now, data & 0xff)
            }
        };
        let Some(slot) = self.key_bucket_slots(key).min_by_key(replacement_order) else { return };
        let data = pack_entry(entry, now);
        slot.check.store(key ^ data, Relaxed);
        slot.data.store(data, Relaxed);
    }

    /// Returns how much of the table the current search has filled, in thousandths. The number is
    /// an estimate from the first slots.
    pub fn per_mille_full(&self) -> usize {
        let now = self.generation.load(Relaxed);
        let sample = &self.words[self.start..]
            [..(self.buckets * WORDS_PER_BUCKET).min(1000 * WORDS_PER_ENTRY_SLOT)];
        let full = bucket_slots(sample)
            .filter(|slot| entry_generation(slot.data.load(Relaxed)) == now)
            .count();
        full * 1000 / (sample.len() / WORDS_PER_ENTRY_SLOT).max(1)
    }

    /// Returns the index of the first word of the bucket for this key.
    #[inline]
    fn bucket_start(&self, key: u64) -> usize {
        let bucket = ((u128::from(key) * self.buckets as u128) >> 64) as usize;
        self.start + bucket * WORDS_PER_BUCKET
    }

    /// Returns the slots that can contain an entry with this key; a table of size 0 has none.
    #[inline]
    fn key_bucket_slots(&self, key: u64) -> impl Iterator<Item = EntrySlot<'_>> {
        let at = self.bucket_start(key);
        bucket_slots(self.words.get(at..at + WORDS_PER_BUCKET).unwrap_or_default())
    }
}

#[inline]
fn bucket_slots(words: &[AtomicU64]) -> impl Iterator<Item = EntrySlot<'_>> {
    words
        .chunks_exact(WORDS_PER_ENTRY_SLOT)
        .map(|pair| EntrySlot { check: &pair[0], data: &pair[1] })
}

/// Packs an entry into a word. The parts of the word, from the lowest bit: the depth (8 bits), the
/// bound (2 bits, 0 in an empty slot), the generation (14 bits), the score (16 bits) and the move
/// (24 bits).
#[inline]
fn pack_entry(entry: TranspositionEntry, generation: u32) -> u64 {
    let depth = entry.depth.clamp(0, 255) as u64;
    let best = entry.best.map_or(NO_MOVE_INDEX, u64::from).min(NO_MOVE_INDEX);
    depth
        | (entry.bound as u64 + 1) << 8
        | u64::from(generation) << 10
        | u64::from(entry.score as i16 as u16) << 24
        | best << 40
}

#[inline]
fn entry_generation(data: u64) -> u32 {
    (data >> 10) as u32 & (ENTRY_GENERATION_COUNT - 1)
}

#[inline]
fn unpack_entry(data: u64) -> Option<TranspositionEntry> {
    let bound = match data >> 8 & 3 {
        0 => return None,
        1 => ScoreBound::Upper,
        2 => ScoreBound::Lower,
        _ => ScoreBound::Exact,
    };
    let best = data >> 40;
    Some(TranspositionEntry {
        score: i32::from((data >> 24) as u16 as i16),
        depth: (data & 0xff) as i32,
        bound,
        best: (best != NO_MOVE_INDEX).then_some(best as u32),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: TranspositionEntry = TranspositionEntry {
        score: -31_000,
        depth: 6,
        bound: ScoreBound::Lower,
        best: Some(93_643),
    };

    #[test]
    fn a_table_has_the_requested_size() {
        assert_eq!(
            [1, 3, 16].map(|mib| TranspositionTable::new(mib).unwrap().size_mib()),
            [1, 3, 16]
        );
    }

    #[test]
    fn entries_of_this_search_fill_the_table() {
        let (table, mut rng) = (TranspositionTable::new(1).unwrap(), fastrand::Rng::with_seed(32));
        assert_eq!(table.per_mille_full(), 0);
        // A table of 1 MiB has 65,536 slots.
        (0..32_768).for_each(|_| table.put(rng.u64(..), ENTRY));
        assert!((350..550).contains(&table.per_mille_full()), "{}", table.per_mille_full());
        (0..1_000_000).for_each(|_| table.put(rng.u64(..), ENTRY));
        assert_eq!(table.per_mille_full(), 1000);
        table.begin_search(false);
        assert_eq!(table.per_mille_full(), 0);
    }

    #[test]
    fn entries_are_found_until_the_table_is_cleared() {
        let table = TranspositionTable::new(1).unwrap();
        for entry in [
            ENTRY,
            TranspositionEntry { score: 30_999, depth: 200, bound: ScoreBound::Exact, best: None },
        ] {
            table.put(42, entry);
            assert_eq!(table.get(42), Some(entry));
            assert_eq!(table.get(43), None);
            table.begin_search(false);
            assert_eq!(table.get(42), Some(entry));
            table.clear();
            assert_eq!(table.get(42), None);
        }
    }

    #[test]
    fn a_full_bucket_keeps_the_recent_and_the_deep() {
        let table = TranspositionTable::new(1).unwrap();
        let old = TranspositionEntry { depth: 50, ..ENTRY };
        table.put(1, old);
        table.begin_search(false);
        for key in 2..=5 {
            table.put(key, TranspositionEntry { depth: key as i32, ..ENTRY });
        }
        assert_eq!(table.get(1), None);
        assert!((2..=5).all(|key| table.get(key).is_some()));
        table.put(6, ENTRY);
        assert_eq!(table.get(2), None);
        assert_eq!(table.get(6), Some(ENTRY));
    }

    #[test]
    fn a_cleared_table_works_like_a_new_one() {
        let table = TranspositionTable::new(1).unwrap();
        let deep = |key: u64| TranspositionEntry { depth: (key * 7 % 50) as i32, ..ENTRY };
        (1..=9).for_each(|key| table.put(key, deep(key)));
        table.clear();
        let new = TranspositionTable::new(1).unwrap();
        for key in (3..=15).rev() {
            [&table, &new].into_iter().for_each(|table| table.put(key, deep(key + 5)));
            assert!((1..=15).all(|key| table.get(key) == new.get(key)), "{key}");
        }
    }

    #[test]
    fn generations_restart_without_old_entries() {
        let table = TranspositionTable::new(1).unwrap();
        table.put(42, ENTRY);
        for _ in 0..ENTRY_GENERATION_COUNT {
            table.begin_search(false);
        }
        assert_eq!(table.get(42), None);
        table.put(42, ENTRY);
        assert_eq!(table.get(42), Some(ENTRY));
    }

    /// The parts of each entry in this test show whether they belong together. Miri tries other
    /// orders of the threads' accesses: `cargo +nightly miri test -p pentarch-search --lib --
    /// transposition::tests::entries`, with `MIRIFLAGS` set to `-Zmiri-disable-stacked-borrows
    /// -Zmiri-many-seeds=0..16`.
    #[test]
    fn entries_written_concurrently_are_never_torn() {
        let table = TranspositionTable::new(1).unwrap();
        let entry = |key: u64, number: i32| TranspositionEntry {
            score: number - 500,
            depth: number % 200,
            bound: ScoreBound::Upper,
            best: Some(number as u32 * 10 + key as u32),
        };
        let rounds = if cfg!(miri) { 30 } else { 30_000 };
        let found: usize = std::thread::scope(|scope| {
            let write = |thread: i32| {
                let (table, entry) = (&table, &entry);
                scope.spawn(move || {
                    let keys = (0..rounds).flat_map(|round| (1..=6).map(move |key| (round, key)));
                    let found = keys.filter(|&(round, key)| {
                        table.put(key, entry(key, (round * 7 + thread * 331) % 1000));
                        let found = table.get(7 - key);
                        assert!(
                            found.is_none_or(|found| found == entry(7 - key, found.score + 500)),
                            "{found:?}"
                        );
                        found.is_some()
                    });
                    found.count()
                })
            };
            [0, 1, 2].map(write).into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert!(found > 10);
    }

    #[test]
    fn a_table_of_size_zero_stores_nothing() {
        let table = TranspositionTable::new(0).unwrap();
        table.put(42, ENTRY);
        assert_eq!((table.get(42), table.per_mille_full()), (None, 0));
    }
}

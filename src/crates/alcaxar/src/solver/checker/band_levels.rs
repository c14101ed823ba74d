//! The ranks of all states with green to move, loaded one band at a time.
//!
//! The ranks of all states do not fit into the solver's memory, so the check compares them in
//! passes. Each pass loads the ranks of one *band*: the ranks above the floor of the band and up to
//! its top. For a rank below the band, the pass stores only that it is lower.
//!
//! The *level* of a state is its rank minus the floor, or 0 if the rank is not above the floor. The
//! level is [`NOT_WON_LEVEL`] if the rank is above the top, or if the state is not won.

use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use pentarch_core::notation::points::bit_indices;
use pentarch_system::memory;

use super::knight_pair_moves::{
    KnightPairsByRedSquare, knight_pairs_from_words, knight_pairs_to_words,
};

/// The levels of all pairs of knights, indexed by the number of the pair: 16 times the square of
/// the red knight plus the square of the green knight.
pub type PairLevels = [i16; 256];

/// The level of a state that is not won.
pub const NOT_WON_LEVEL: i16 = i16::MAX;

/// A range of ranks that one pass checks. The level of a rank is the rank minus the floor. The
/// floor is even, so a level is odd exactly if the rank is odd.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WinRankBand {
    /// The rank below the band.
    pub floor: u16,
    /// The highest rank of the band.
    pub top: u16,
}
const MAX_WIN_RANKS_PER_BAND: u16 = 0x7f00;
/// The number of ranks at the bottom of a band that the previous band also contains. The pass for
/// the previous band has checked these ranks; the pass for this band only compares higher ranks
/// with them.
const BAND_OVERLAP_WIN_RANKS: u16 = 2;

impl WinRankBand {
    /// The highest rank that can be checked.
    pub const MAX_CHECKABLE_WIN_RANK: u16 = 0xfff0;

    /// Splits the ranks into bands of at most `most` states each, so that the states of a band fit
    /// into memory. `states` is the number of states of each rank. A band has a minimum number of
    /// ranks, so it may exceed `most` states if single ranks have many states.
    pub fn split_ranks(states: &[u64], most: u64) -> Vec<WinRankBand> {
        let last = states.iter().rposition(|&count| count > 0).unwrap_or(0) as u16;
        let mut bands = Vec::new();
        let mut floor = 0;
        loop {
            // The top of each band except the last one is even.
            let least = floor + 2 * BAND_OVERLAP_WIN_RANKS;
            let mut top = floor;
            let mut states_here = 0;
            while top < last && top - floor < MAX_WIN_RANKS_PER_BAND {
                let more: u64 = (1..=2)
                    .map(|more| states.get(usize::from(top) + more).copied().unwrap_or(0))
                    .sum();
                if top >= least && states_here + more > most {
                    break;
                }
                top += 2;
                states_here += more;
            }
            bands.push(WinRankBand { floor, top });
            if top >= last {
                return bands;
            }
            floor = top - BAND_OVERLAP_WIN_RANKS;
        }
    }

    /// Returns whether this is the first band.
    pub fn is_first(self) -> bool {
        self.floor == 0
    }

    /// Returns the lowest level that the pass for this band checks.
    pub fn first_checked_level(self) -> i16 {
        if self.is_first() { 1 } else { BAND_OVERLAP_WIN_RANKS as i16 + 1 }
    }

    /// Returns the level of the highest rank.
    pub fn last_level(self) -> i16 {
        (self.top - self.floor) as i16
    }
}

/// A flag in a stored level. If it is set, some move requires exactly this level for the state.
const LEVEL_REACHED_BIT: u16 = 0x8000;

/// The levels of all states with green to move, for one band. The states are grouped into entries,
/// as in the files; a state of an entry is a pair of knight squares.
pub struct BandLevels {
    /// For each entry, two sets of pairs: the pairs with level 0, and the pairs whose rank is in
    /// the band.
    sets: Box<[[[u64; 4]; 2]]>,
    /// The levels of the pairs whose rank is in the band, ordered by entry and then by pair.
    levels: Vec<AtomicU16>,
    /// For each entry, the number of elements of `levels` that belong to earlier entries of its
    /// group.
    offsets: Box<[u32]>,
    /// For each group of entries, the number of elements of `levels` that belong to earlier groups.
    groups: Vec<usize>,
}

/// The number of entries of a group. It is small enough that 32 bits can count the levels of a
/// group.
const ENTRIES_PER_COUNT_GROUP: usize = 1 << 16;

impl BandLevels {
    /// Returns the memory in bytes that the levels of `states` states need.
    pub fn memory_size(entries: usize, states: u64) -> u64 {
        (entries * (size_of::<[[u64; 4]; 2]>() + size_of::<u32>())) as u64
            + states * size_of::<AtomicU16>() as u64
    }

    /// Allocates memory for the levels of `states` states. Returns `None` if there is not enough
    /// memory.
    pub fn new(entries: usize, states: usize) -> Option<BandLevels> {
        let mut levels = Vec::new();
        levels.try_reserve_exact(states).ok()?;
        let sets = memory::allocate_zeros(entries)?;
        let offsets = memory::allocate_zeros(entries)?;
        Some(BandLevels { sets, levels, offsets, groups: Vec::new() })
    }

    /// Adds the next entry. `low` are its pairs with level 0. `listed` are its pairs whose rank is
    /// in the band, and `levels` are the levels of these pairs.
    pub fn add_entry(
        &mut self,
        entry: usize,
        low: KnightPairsByRedSquare,
        listed: KnightPairsByRedSquare,
        levels: impl Iterator<Item = u16>,
    ) {
        if entry.is_multiple_of(ENTRIES_PER_COUNT_GROUP) {
            self.groups.push(self.levels.len());
        }
        self.sets[entry] = [knight_pairs_to_words(low), knight_pairs_to_words(listed)];
        self.offsets[entry] =
            (self.levels.len() - self.groups[entry / ENTRIES_PER_COUNT_GROUP]) as u32;
        self.levels.extend(levels.map(AtomicU16::new));
    }

    /// Returns the pairs with level 0.
    pub fn pairs_at_level_zero(&self, entry: usize) -> KnightPairsByRedSquare {
        knight_pairs_from_words(self.sets[entry][0])
    }

    /// Returns the index in `levels` of the first level of an entry.
    fn first_level_index_of_entry(&self, entry: usize) -> usize {
        self.groups[entry / ENTRIES_PER_COUNT_GROUP] + self.offsets[entry] as usize
    }

    /// Calls `act` with the number and the level of each pair of an entry whose rank is in the
    /// band, until `act` returns `false`.
    fn for_each_level(&self, entry: usize, mut act: impl FnMut(u8, &AtomicU16) -> bool) {
        let mut levels = self.levels[self.first_level_index_of_entry(entry)..].iter();
        for (first, mut word) in [0, 64, 128, 192].into_iter().zip(self.sets[entry][1]) {
            while word != 0 {
                let pair = first + word.trailing_zeros() as u8;
                word &= word - 1;
                if levels.next().is_none_or(|level| !act(pair, level)) {
                    return;
                }
            }
        }
    }

    /// Returns the levels of all pairs of an entry, or of its mirror image. `image` maps the number
    /// of each pair in the entry to its number in the result. `low` are the pairs with level 0 in
    /// the result.
    pub fn levels_of_entry(
        &self,
        entry: usize,
        low: KnightPairsByRedSquare,
        image: &[u8; 256],
    ) -> PairLevels {
        let mut levels = select_pair_levels_by_mask(low, &[0; 256], &[NOT_WON_LEVEL; 256]);
        self.for_each_level(entry, |pair, level| {
            levels[usize::from(image[usize::from(pair)])] =
                (level.load(Relaxed) & !LEVEL_REACHED_BIT) as i16;
            true
        });
        levels
    }

    /// Returns the first pair of an entry whose level is lower than a move requires. Compares only
    /// pairs whose rank is in the band. `least` are the required levels, with the pairs numbered as
    /// in the result of
    /// [`levels_of_entry`](BandLevels::levels_of_entry).
    pub fn find_pair_below_required_level(
        &self,
        entry: usize,
        least: &PairLevels,
        first_checked_level: i16,
        image: &[u8; 256],
    ) -> Option<u8> {
        let mut wrong = None;
        self.for_each_level(entry, |stored, level| {
            let pair = image[usize::from(stored)];
            let least = least[usize::from(pair)];
            let found = level.load(Relaxed);
            if least == found as i16 {
                level.store(found | LEVEL_REACHED_BIT, Relaxed);
            } else if least > (found & !LEVEL_REACHED_BIT) as i16
                && (found & !LEVEL_REACHED_BIT) as i16 >= first_checked_level
            {
                wrong = Some(pair);
            }
            wrong.is_none()
        });
        wrong
    }

    /// Returns the first state, as an entry and a pair, whose level is checked in this band but is
    /// higher than any move requires.
    pub fn find_unrequired_level(&self, band: WinRankBand) -> Option<(usize, u8)> {
        let checked = band.first_checked_level() as u16..LEVEL_REACHED_BIT;
        let at = self.levels.iter().position(|level| checked.contains(&level.load(Relaxed)))?;
        let group = self.groups.partition_point(|&first| first <= at) - 1;
        let entries = group * ENTRIES_PER_COUNT_GROUP
            ..self.offsets.len().min((group + 1) * ENTRIES_PER_COUNT_GROUP);
        let before = at - self.groups[group];
        let entry = entries.start
            + self.offsets[entries].partition_point(|&first| first as usize <= before)
            - 1;
        let mut pairs = knight_pair_numbers(knight_pairs_from_words(self.sets[entry][1]));
        pairs.nth(at - self.first_level_index_of_entry(entry)).map(|pair| (entry, pair))
    }
}

/// Iterates over the numbers of the pairs of a set, in ascending order.
pub fn knight_pair_numbers(pairs: KnightPairsByRedSquare) -> impl Iterator<Item = u8> {
    let words = [0, 64, 128, 192].into_iter().zip(knight_pairs_to_words(pairs));
    words.flat_map(|(first, word)| bit_indices(word).map(move |pair| first + pair))
}

const GREEN_SQUARE_MASKS: [u16; 16] = {
    let mut bits = [0; 16];
    let mut green = 0;
    while green < 16 {
        bits[green] = 1 << green;
        green += 1;
    }
    bits
};

/// Returns the levels in `these` for the pairs in `pairs`, and the levels in `others` for all other
/// pairs.
pub fn select_pair_levels_by_mask(
    pairs: KnightPairsByRedSquare,
    these: &PairLevels,
    others: &PairLevels,
) -> PairLevels {
    let mut levels = *others;
    for (red, row) in pairs.into_iter().enumerate() {
        for (green, bit) in GREEN_SQUARE_MASKS.into_iter().enumerate() {
            // Without a branch, the compiler can vectorise the loop.
            let mask = i16::from(row & bit != 0).wrapping_neg();
            let level = &mut levels[16 * red + green];
            *level = these[16 * red + green] & mask | *level & !mask;
        }
    }
    levels
}

/// Combines two lists of levels, pair by pair.
pub fn zip_pair_levels(
    one: &PairLevels,
    other: &PairLevels,
    combine: impl Fn(i16, i16) -> i16,
) -> PairLevels {
    let mut levels = *one;
    levels.iter_mut().zip(other).for_each(|(level, &other)| *level = combine(*level, other));
    levels
}

/// Applies `change` to the level of each pair.
pub fn map_pair_levels(levels: &PairLevels, change: impl Fn(i16) -> i16) -> PairLevels {
    let mut levels = *levels;
    levels.iter_mut().for_each(|level| *level = change(*level));
    levels
}

/// Returns the pairs whose levels are greater than a limit.
pub fn knight_pairs_above_level(levels: &PairLevels, limit: i16) -> KnightPairsByRedSquare {
    let mut pairs = [0; 16];
    for (row, levels) in pairs.iter_mut().zip(levels.as_chunks::<16>().0) {
        for (bit, &level) in GREEN_SQUARE_MASKS.iter().zip(levels) {
            *row |= if level > limit { *bit } else { 0 };
        }
    }
    pairs
}

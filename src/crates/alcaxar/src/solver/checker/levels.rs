//! The ranks of all states with green to move, one band at a time.
//!
//! The ranks of all states need more memory than the solver has. So they are compared in passes, each with the ranks of
//! one *band*: those above its floor and not above its top. A lower rank is only known to be lower. The *level* of a
//! state is its rank above the floor, 0 if it is lower or the same, and [`NEVER`] if it is above the top or no win.

use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use pentarch_core::notation::points::bits;
use pentarch_system::memory;

use super::walls::{Pairs, from_words, to_words};

/// The levels of all pairs of knights, by their numbers: 16 times the square of the red knight and that of the green one.
pub type Levels = [i16; 256];

/// The level of what is not won.
pub const NEVER: i16 = i16::MAX;

/// A band of ranks. Its floor is even, so that a level is odd if the rank is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Band {
    /// The rank below the band.
    pub floor: u16,
    /// The highest rank.
    pub top: u16,
}

/// The most ranks of a band.
const MOST_RANKS: u16 = 0x7f00;
/// The number of the lowest ranks of a band that have been checked in the band before. Here other ranks are compared with
/// them.
const OVERLAP: u16 = 2;

impl Band {
    /// The highest rank that can be checked.
    pub const MOST: u16 = 0xfff0;

    /// The bands for which at most `most` states are in memory, by the number of states of each rank. A band of few ranks
    /// may have more.
    pub fn all(states: &[u64], most: u64) -> Vec<Band> {
        let last = states.iter().rposition(|&count| count > 0).unwrap_or(0) as u16;
        let mut bands = Vec::new();
        let mut floor = 0;
        loop {
            // The top of each band but the last one is even.
            let least = floor + 2 * OVERLAP;
            let (mut top, mut held) = (floor, 0);
            while top < last && top - floor < MOST_RANKS {
                let more: u64 = (1..=2)
                    .map(|more| states.get(usize::from(top) + more).copied().unwrap_or(0))
                    .sum();
                if top >= least && held + more > most {
                    break;
                }
                (top, held) = (top + 2, held + more);
            }
            bands.push(Band { floor, top });
            if top >= last {
                return bands;
            }
            floor = top - OVERLAP;
        }
    }

    /// Whether this is the first band.
    pub fn is_first(self) -> bool {
        self.floor == 0
    }

    /// The lowest level that is checked in this band.
    pub fn first_checked(self) -> i16 {
        if self.is_first() { 1 } else { OVERLAP as i16 + 1 }
    }

    /// The level of the highest rank.
    pub fn last_level(self) -> i16 {
        (self.top - self.floor) as i16
    }
}

/// The bit of a level that says that a move leads to a state of just this level.
const REACHED: u16 = 0x8000;

/// The levels of all entries in one band.
pub struct BandLevels {
    /// The pairs that have level 0, and those that are in the band.
    sets: Box<[[[u64; 4]; 2]]>,
    /// The levels of the latter, entry by entry in the order of the pairs.
    levels: Vec<AtomicU16>,
    /// For each entry, how many levels there are before it, from the first entry of its group on.
    offsets: Box<[u32]>,
    /// For each group of entries, how many levels there are before it.
    groups: Vec<usize>,
}

/// The number of entries of a group, whose levels a word of 32 bits counts.
const GROUP: usize = 1 << 16;

impl BandLevels {
    /// The memory in bytes.
    pub fn memory(entries: usize, states: u64) -> u64 {
        (entries * (size_of::<[[u64; 4]; 2]>() + size_of::<u32>())) as u64
            + states * size_of::<AtomicU16>() as u64
    }

    /// No levels yet; none if there is not enough memory.
    pub fn new(entries: usize, states: usize) -> Option<BandLevels> {
        let mut levels = Vec::new();
        levels.try_reserve_exact(states).ok()?;
        let (sets, offsets) = (memory::zeroed(entries)?, memory::zeroed(entries)?);
        Some(BandLevels { sets, levels, offsets, groups: Vec::new() })
    }

    /// Adds the next entry: the pairs with level 0, those in the band, and the levels of these.
    pub fn add(
        &mut self,
        entry: usize,
        low: Pairs,
        listed: Pairs,
        levels: impl Iterator<Item = u16>,
    ) {
        if entry.is_multiple_of(GROUP) {
            self.groups.push(self.levels.len());
        }
        self.sets[entry] = [to_words(low), to_words(listed)];
        self.offsets[entry] = (self.levels.len() - self.groups[entry / GROUP]) as u32;
        self.levels.extend(levels.map(AtomicU16::new));
    }

    /// The pairs with level 0.
    pub fn low(&self, entry: usize) -> Pairs {
        from_words(self.sets[entry][0])
    }

    /// The number of the first level of an entry.
    fn first_level(&self, entry: usize) -> usize {
        self.groups[entry / GROUP] + self.offsets[entry] as usize
    }

    /// Calls `act` with the number and the level of each pair in the band, until it returns false.
    fn visit(&self, entry: usize, mut act: impl FnMut(u8, &AtomicU16) -> bool) {
        let mut levels = self.levels[self.first_level(entry)..].iter();
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

    /// The levels of an entry, whose pairs `image` maps to those of the result; `low` are the latter with level 0.
    pub fn get(&self, entry: usize, low: Pairs, image: &[u8; 256]) -> Levels {
        let mut levels = select(low, &[0; 256], &[NEVER; 256]);
        self.visit(entry, |pair, level| {
            levels[usize::from(image[usize::from(pair)])] = (level.load(Relaxed) & !REACHED) as i16;
            true
        });
        levels
    }

    /// Compares the states of an entry in the band with the levels that a move of theirs requires, numbered as the result
    /// of [`get`](BandLevels::get). Returns the first pair whose level is lower.
    pub fn compare(
        &self,
        entry: usize,
        least: &Levels,
        first_checked: i16,
        image: &[u8; 256],
    ) -> Option<u8> {
        let mut wrong = None;
        self.visit(entry, |stored, level| {
            let pair = image[usize::from(stored)];
            let (least, found) = (least[usize::from(pair)], level.load(Relaxed));
            if least == found as i16 {
                level.store(found | REACHED, Relaxed);
            } else if least > (found & !REACHED) as i16
                && (found & !REACHED) as i16 >= first_checked
            {
                wrong = Some(pair);
            }
            wrong.is_none()
        });
        wrong
    }

    /// The first entry and pair with a level that is checked, but to which no move leads.
    pub fn unreached(&self, band: Band) -> Option<(usize, u8)> {
        let checked = band.first_checked() as u16..REACHED;
        let at = self.levels.iter().position(|level| checked.contains(&level.load(Relaxed)))?;
        let group = self.groups.partition_point(|&first| first <= at) - 1;
        let entries = group * GROUP..self.offsets.len().min((group + 1) * GROUP);
        let before = at - self.groups[group];
        let entry = entries.start
            + self.offsets[entries].partition_point(|&first| first as usize <= before)
            - 1;
        let mut pairs = bits_of(from_words(self.sets[entry][1]));
        pairs.nth(at - self.first_level(entry)).map(|pair| (entry, pair))
    }
}

/// The numbers of the pairs of a set, in ascending order.
pub fn bits_of(pairs: Pairs) -> impl Iterator<Item = u8> {
    let words = [0, 64, 128, 192].into_iter().zip(to_words(pairs));
    words.flat_map(|(first, word)| bits(word).map(move |pair| first + pair))
}

/// The bit of each square of the green knight.
const BITS: [u16; 16] = {
    let mut bits = [0; 16];
    let mut green = 0;
    while green < 16 {
        bits[green] = 1 << green;
        green += 1;
    }
    bits
};

/// The levels of the first kind for these pairs, and those of the second kind for the others.
pub fn select(pairs: Pairs, these: &Levels, others: &Levels) -> Levels {
    let mut levels = *others;
    for (red, row) in pairs.into_iter().enumerate() {
        for (green, bit) in BITS.into_iter().enumerate() {
            // Without a branch, so that the compiler works on many at once.
            let mask = i16::from(row & bit != 0).wrapping_neg();
            let level = &mut levels[16 * red + green];
            *level = these[16 * red + green] & mask | *level & !mask;
        }
    }
    levels
}

/// Combines two levels for each pair.
pub fn zip(one: &Levels, other: &Levels, combine: impl Fn(i16, i16) -> i16) -> Levels {
    let mut levels = *one;
    levels.iter_mut().zip(other).for_each(|(level, &other)| *level = combine(*level, other));
    levels
}

/// Changes the level of each pair.
pub fn map(levels: &Levels, change: impl Fn(i16) -> i16) -> Levels {
    let mut levels = *levels;
    levels.iter_mut().for_each(|level| *level = change(*level));
    levels
}

/// The pairs whose levels are greater than this.
pub fn above(levels: &Levels, limit: i16) -> Pairs {
    let mut pairs = [0; 16];
    for (row, levels) in pairs.iter_mut().zip(levels.as_chunks::<16>().0) {
        for (bit, &level) in BITS.iter().zip(levels) {
            *row |= if level > limit { *bit } else { 0 };
        }
    }
    pairs
}

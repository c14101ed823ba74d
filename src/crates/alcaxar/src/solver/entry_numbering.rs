//! The numbering of the solver's entries: each set of walls has one for each of its blocked sets.

use std::ops::Range;

use pentarch_system::memory;
use prefetch_index::prefetch_index;

use super::super::board::{self, Board, Slot, slots};
use super::super::position::map_slot;
use super::pair_set::PairSet;
use super::wall_sets::{self, MAX_WALLS, RankedSet, count};

/// The number of slots.
const SLOTS: usize = Slot::COUNT as usize;
/// How many sets of walls share a word of [`EntryNumbering::sets`].
const WORD: usize = 8;
/// The lowest bit of each byte.
const LOWEST_BITS: u64 = 0x0101_0101_0101_0101;

/// A turn of a wall.
#[derive(Debug, Clone, Copy)]
pub struct WallTurn {
    /// The slot that the wall reaches.
    pub to: Slot,
    /// For each of the two directions, the slots that must be empty.
    ways: [u64; 2],
    /// For each of them, the pairs in which no knight stands in the way, and their mirror images.
    clear: [[PairSet; 2]; 2],
}

impl WallTurn {
    /// Whether these walls leave a way for this turn, if there are no knights.
    pub fn is_possible(&self, walls: u64) -> bool {
        self.ways.iter().any(|way| way & walls == 0)
    }

    /// The pairs in which knights and these walls leave a way for this turn, or their mirror images.
    fn clear_pairs(&self, walls: u64, is_mirrored: bool) -> PairSet {
        let [one, other] = self.clear[usize::from(is_mirrored)];
        let open =
            self.ways.map(|way| if way & walls == 0 { PairSet::ALL } else { PairSet::EMPTY });
        one & open[0] | other & open[1]
    }
}

/// The tables of the board.
#[derive(Debug)]
pub struct Geometry {
    /// For each slot, the turns of a wall from it.
    pub turns: [Vec<WallTurn>; SLOTS],
    /// For each slot, the set of slots that share a tower with it, the slot itself included.
    touching: [u64; SLOTS],
    /// The mirror images of the slots on the diagonal from a9 to i1.
    mirrored: [Slot; SLOTS],
}

impl Geometry {
    /// Computes the tables.
    pub fn new(board: &Board) -> Geometry {
        let turn = |turn: &board::SlotTurn| {
            let clear = turn.sweeps.map(|sweep| PairSet::product(!sweep.squares, !sweep.squares));
            let ways = turn.sweeps.map(|sweep| sweep.slots);
            WallTurn { to: turn.to, ways, clear: [clear, clear.map(|pairs| pairs.mirror())] }
        };
        Geometry {
            turns: std::array::from_fn(|slot| board.turns[slot].iter().map(turn).collect()),
            touching: board.touching,
            mirrored: std::array::from_fn(|slot| {
                map_slot(Slot(slot as u8), |point| board::half_turn(board::mirror(point)))
            }),
        }
    }

    /// The mirror image of a slot.
    pub fn mirror_slot(&self, slot: Slot) -> Slot {
        self.mirrored[usize::from(slot.0)]
    }

    /// The mirror image of a set of slots.
    pub fn mirror(&self, set: u64) -> u64 {
        slots(set).fold(0, |image, slot| image | self.mirror_slot(slot).bit())
    }

    /// The walls of a set that share a tower with a slot: those that are blocked if the last move ended there.
    fn blocked(&self, walls: u64, last: Slot) -> u64 {
        walls & self.touching[usize::from(last.0)]
    }
}

/// A set of walls with its blocked sets: the walls that may not be moved after one of them was moved last.
///
/// Different blocked sets are numbered from 1 on, in the order of the first wall that gives them; 0 is the number of
/// the empty set, after a move of a knight.
#[derive(Debug, Clone, Copy)]
pub struct Walls {
    /// The walls, as a set of slots.
    pub set: u64,
    /// The walls, in ascending order; only the first [`count`](Walls::count) are walls.
    slots: [Slot; MAX_WALLS],
    count: usize,
    /// For each wall, the number of the set that is blocked after it was moved.
    pub numbers: [u8; MAX_WALLS],
    /// For each number, the blocked walls.
    pub blocked: [u64; MAX_WALLS + 1],
    /// How many blocked sets there are, the empty one included.
    pub blocked_sets: usize,
}

impl Walls {
    /// The blocked sets of a set of walls.
    pub fn new(geometry: &Geometry, set: u64) -> Walls {
        let mut walls = Walls {
            set,
            slots: [Slot(0); MAX_WALLS],
            count: 0,
            numbers: [0; MAX_WALLS],
            blocked: [0; MAX_WALLS + 1],
            blocked_sets: 1,
        };
        for slot in slots(set) {
            let blocked = geometry.blocked(set, slot);
            let known = (1..walls.blocked_sets).find(|&number| walls.blocked[number] == blocked);
            let number = known.unwrap_or(walls.blocked_sets);
            walls.slots[walls.count] = slot;
            walls.numbers[walls.count] = number as u8;
            walls.blocked[number] = blocked;
            walls.blocked_sets = walls.blocked_sets.max(number + 1);
            walls.count += 1;
        }
        walls
    }

    /// The walls, in ascending order.
    pub fn slots(&self) -> &[Slot] {
        &self.slots[..self.count]
    }

    /// For each wall, whether it is the first with its blocked set: bit 0 stands for the first wall.
    fn first_with_their_set(&self) -> u8 {
        let is_first = |&place: &usize| !self.numbers[..place].contains(&self.numbers[place]);
        (0..self.count).filter(is_first).fold(0, |set, place| set | 1 << place)
    }
}

/// The numbers of the entries of all sets of so many walls.
///
/// A set and its mirror image on the diagonal from a9 to i1 share their entries: those of the one whose bits are the
/// smaller number, the canonical one. It has an entry for each blocked set, in the order of their numbers.
#[derive(Debug)]
pub struct EntryNumbering {
    /// The number of walls.
    pub walls: usize,
    /// The tables of the board.
    pub geometry: Geometry,
    /// For each eight sets in the order of their ranks: how many entries there are before them; and for each of them
    /// one byte in two words, which is 0 if the set is not canonical, or else tells by a bit for each wall whether it
    /// is the first with its blocked set.
    sets: Box<[[u32; 3]]>,
    /// The number of entries.
    pub entries: usize,
}

/// The entry of a set of walls and a blocked set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryIndex {
    /// The number of the entry.
    pub entry: usize,
    /// Whether the entry is that of the mirror image.
    pub is_mirrored: bool,
}

impl EntryNumbering {
    /// Numbers the sets of so many walls, 1 to 8; none if there is not enough memory.
    pub fn new(board: &Board, walls: usize) -> Option<EntryNumbering> {
        let geometry = Geometry::new(board);
        let mut sets = memory::zeroed::<[u32; 3]>(count(walls) / WORD + 1)?;
        let mut entries = 0;
        for (rank, set) in wall_sets::all(walls).enumerate() {
            if rank % WORD == 0 {
                sets[rank / WORD][0] = entries as u32;
            }
            if set <= geometry.mirror(set) {
                let walls = Walls::new(&geometry, set);
                let byte = u32::from(walls.first_with_their_set());
                sets[rank / WORD][1 + rank % WORD / 4] |= byte << (rank % 4 * 8);
                entries += walls.blocked_sets;
            }
        }
        if count(walls).is_multiple_of(WORD) {
            sets[count(walls) / WORD][0] = entries as u32;
        }
        Some(EntryNumbering { walls, geometry, sets, entries })
    }

    /// The bytes of eight sets of walls, and how many entries there are before the set of this rank.
    fn word(&self, rank: usize) -> (u64, usize) {
        let [first, low, high] = self.sets[rank / WORD];
        let bytes = u64::from(low) | u64::from(high) << 32;
        let before = bytes & ((1 << (rank % WORD * 8)) - 1);
        // An entry for each blocked set, and one without a blocked wall. The first wall is always the first with its
        // blocked set, so the lowest bit of the byte tells whether the set is canonical. The bits of each byte are
        // counted, then the sums of all bytes are in the highest one.
        let pairs = before - ((before >> 1) & (0x55 * LOWEST_BITS));
        let fours = (pairs & (0x33 * LOWEST_BITS)) + ((pairs >> 2) & (0x33 * LOWEST_BITS));
        let counts = ((fours + (fours >> 4)) & (0xf * LOWEST_BITS)) + (before & LOWEST_BITS);
        (bytes, first as usize + (counts.wrapping_mul(LOWEST_BITS) >> 56) as usize)
    }

    /// Asks the memory for what the entries of the set of this rank are numbered by.
    pub fn prefetch(&self, rank: usize) {
        prefetch_index(&self.sets, rank / WORD);
    }

    /// The number of the first entry of the set of this rank, or of the next one that is canonical.
    pub fn first_entry(&self, rank: usize) -> usize {
        self.word(rank).1
    }

    /// The entries of the blocked sets of a canonical set.
    pub fn entries_of(&self, rank: usize) -> Range<usize> {
        self.first_entry(rank)..self.first_entry(rank + 1)
    }

    /// Whether the set of this rank is canonical.
    fn is_canonical(&self, rank: usize) -> bool {
        self.word(rank).0 >> (rank % WORD * 8) & 1 != 0
    }

    /// The canonical sets, each with its rank.
    pub fn canonical_sets(&self) -> impl Iterator<Item = (usize, u64)> {
        wall_sets::all(self.walls).enumerate().filter(|&(rank, _)| self.is_canonical(rank))
    }

    /// The number of the entry of a canonical set after its wall in `last` was moved.
    fn entry(&self, set: u64, rank: usize, last: Slot) -> usize {
        let (bytes, first) = self.word(rank);
        let firsts = bytes >> (rank % WORD * 8) & 0xff;
        let before = |slot: Slot| (set & (slot.bit() - 1)).count_ones();
        let mut place = before(last);
        if firsts >> place & 1 == 0 {
            // The first wall with the same blocked set belongs to this set.
            let blocked = self.geometry.blocked(set, last);
            let same = slots(blocked).find(|&slot| self.geometry.blocked(set, slot) == blocked);
            place = before(same.unwrap_or(last));
        }
        first + 1 + (firsts as u8 & ((1 << place) - 1) as u8).count_ones() as usize
    }

    /// The entry of a set of walls, if no wall is blocked, or after its wall in `last` was moved.
    pub fn index(&self, set: u64, last: Option<Slot>) -> EntryIndex {
        let image = self.geometry.mirror(set);
        let is_mirrored = image < set;
        let (set, rank) = (set.min(image), RankedSet::new(set.min(image)).rank());
        let last =
            last.map(|slot| if is_mirrored { self.geometry.mirror_slot(slot) } else { slot });
        let entry = last.map_or_else(|| self.first_entry(rank), |last| self.entry(set, rank, last));
        EntryIndex { entry, is_mirrored }
    }
}

/// A set of walls and its mirror image with partial sums of their ranks, to find the sets after each turn of a wall.
#[derive(Debug, Clone, Copy)]
pub struct Neighbours<'a> {
    numbering: &'a EntryNumbering,
    sets: [RankedSet; 2],
}

/// The most turns of a wall.
pub const MOST_TURNS: usize = 6;

/// A set of walls after a turn: the canonical one of it and its mirror image.
#[derive(Debug, Clone, Copy, Default)]
pub struct Turned {
    /// The rank of the set.
    pub rank: usize,
    /// The number of the entry, with the walls blocked that share a tower with the wall that has turned.
    pub entry: usize,
    set: u64,
    /// The slot that the wall has reached.
    to: u8,
    /// A bit for the place of this wall in the set, counted from 0; if the set is its own mirror image, also one for
    /// that of the image of the wall.
    pub places: u8,
    /// Whether the set is its own mirror image.
    pub is_symmetric: bool,
    /// Whether the set is the mirror image of the one after the turn.
    pub is_mirrored: bool,
    /// The pairs, as they stand with this set, in which knights leave a way for the turn.
    pub clear: PairSet,
}

impl<'a> Neighbours<'a> {
    /// The neighbours of a set of walls.
    pub fn new(numbering: &'a EntryNumbering, set: u64) -> Neighbours<'a> {
        Neighbours { numbering, sets: [set, numbering.geometry.mirror(set)].map(RankedSet::new) }
    }

    /// Writes the set after a wall has turned from its slot into an empty one, without its entry.
    fn write_after(&self, from: Slot, to: Slot, after: &mut Turned) {
        let Neighbours { numbering: EntryNumbering { geometry, .. }, sets: [own, image] } = self;
        let turned = [from, to].map(|slot| geometry.mirror_slot(slot));
        let here = own.set ^ from.bit() | to.bit();
        let there = image.set ^ turned[0].bit() | turned[1].bit();
        let is_mirrored = there < here;
        let (ranked, set) = if is_mirrored { (image, there) } else { (own, here) };
        let [from, to] = if is_mirrored { turned } else { [from, to] };
        let rank = ranked.rank_after(ranked.before(from), to);
        let place = |slot: Slot| 1 << (set & (slot.bit() - 1)).count_ones();
        let other = if here == there { place(turned[1]) } else { 0 };
        // Field by field: the processor waits if it copies in large parts what it has just stored in small ones.
        (after.rank, after.set, after.to) = (rank, set, to.0);
        (after.places, after.is_symmetric, after.is_mirrored) =
            (place(to) | other, here == there, is_mirrored);
    }

    /// Writes the sets of walls after each turn of a wall that the walls allow. Returns how many there are.
    pub fn turned(&self, from: Slot, turned: &mut [Turned; MOST_TURNS]) -> usize {
        let (mut count, walls) = (0, self.sets[0].set);
        for turn in &self.numbering.geometry.turns[usize::from(from.0)] {
            if turn.is_possible(walls) {
                self.write_after(from, turn.to, &mut turned[count]);
                count += 1;
            }
        }
        count
    }

    /// Works out the entries of sets of walls after turns of a wall, and which knights leave a way.
    pub fn find_entries(&self, from: Slot, turned: &mut [Turned]) {
        let walls = self.sets[0].set;
        let possible = self.numbering.geometry.turns[usize::from(from.0)]
            .iter()
            .filter(|turn| turn.is_possible(walls));
        for (turned, turn) in turned.iter_mut().zip(possible) {
            turned.clear = turn.clear_pairs(walls, turned.is_mirrored);
            turned.entry = self.numbering.entry(turned.set, turned.rank, Slot(turned.to));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::wall_sets::unrank;
    use super::*;

    #[test]
    fn entries_are_those_of_canonical_sets_and_their_blocked_sets() {
        let board = Board::default();
        for walls in 1..=3 {
            let numbering = EntryNumbering::new(&board, walls).unwrap();
            let mut used = vec![0; numbering.entries];
            for (rank, set) in wall_sets::all(walls).enumerate() {
                let blocked = Walls::new(&numbering.geometry, set);
                assert_eq!(numbering.is_canonical(rank), set <= numbering.geometry.mirror(set));
                let none = numbering.index(set, None);
                used[none.entry] += 1;
                let mut found = vec![none.entry];
                for (at, &slot) in blocked.slots().iter().enumerate() {
                    let place = numbering.index(set, Some(slot));
                    assert_eq!(place.is_mirrored, none.is_mirrored);
                    let number = usize::from(blocked.numbers[at]);
                    assert_eq!(blocked.blocked[number], set & board.touching[usize::from(slot.0)]);
                    if !place.is_mirrored {
                        assert_eq!(place.entry, numbering.first_entry(rank) + number);
                    }
                    if !found.contains(&place.entry) {
                        used[place.entry] += 1;
                        found.push(place.entry);
                    }
                }
                assert_eq!(found.len(), blocked.blocked_sets);
            }
            assert!(used.iter().all(|times| (1..=2).contains(times)));
        }
    }

    #[test]
    fn neighbours_have_the_places_of_their_sets() {
        let (board, mut rng) = (Board::default(), fastrand::Rng::with_seed(24));
        let numbering = EntryNumbering::new(&board, 4).unwrap();
        for _ in 0..500 {
            let set = unrank(4, rng.usize(..count(4)));
            let neighbours = Neighbours::new(&numbering, set);
            for from in slots(set) {
                for turn in &numbering.geometry.turns[usize::from(from.0)] {
                    if turn.is_possible(set) {
                        let after = set ^ from.bit() | turn.to.bit();
                        let mut turned = Turned::default();
                        neighbours.write_after(from, turn.to, &mut turned);
                        let entry = numbering.entry(turned.set, turned.rank, Slot(turned.to));
                        let place = EntryIndex { entry, is_mirrored: turned.is_mirrored };
                        assert_eq!(place, numbering.index(after, Some(turn.to)));
                        assert_eq!(
                            unrank(4, turned.rank),
                            after.min(numbering.geometry.mirror(after))
                        );
                    }
                }
            }
        }
    }
}

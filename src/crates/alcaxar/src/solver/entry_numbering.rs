//! The numbering of the solver's entries: each set of walls has an entry for each of its blocked
//! sets.

use std::ops::Range;

use pentarch_system::memory;
use prefetch_index::prefetch_index;

use super::super::board::{self, Board, WallSlot, slots};
use super::super::position::slot_image;
use super::pair_set::PairSet;
use super::wall_sets::{self, MAX_WALLS, RankedSet, count_wall_sets};
const SLOT_COUNT: usize = WallSlot::COUNT as usize;
/// The number of sets of walls that share a word of [`EntryNumbering::sets`].
const SETS_PER_WORD: usize = 8;
const BYTE_LOWEST_BITS: u64 = 0x0101_0101_0101_0101;

/// A turn of a wall, with the slots and the pairs of knights that leave its path clear.
#[derive(Debug, Clone, Copy)]
pub struct TurnMasks {
    /// The slot that the wall reaches.
    pub to: WallSlot,
    /// For each of the two directions, the slots that must be empty.
    paths: [u64; 2],
    /// For each direction, the pairs in which no knight is on the path, and their mirror images.
    clear: [[PairSet; 2]; 2],
}

impl TurnMasks {
    /// Returns whether these walls leave a path for this turn, if there are no knights.
    pub fn is_possible(&self, walls: u64) -> bool {
        self.paths.iter().any(|path| path & walls == 0)
    }

    /// Returns the pairs in which knights and these walls leave a path for this turn, or their
    /// mirror images.
    fn clear_pairs(&self, walls: u64, is_mirrored: bool) -> PairSet {
        let [one, other] = self.clear[usize::from(is_mirrored)];
        let open =
            self.paths.map(|path| if path & walls == 0 { PairSet::ALL } else { PairSet::EMPTY });
        one & open[0] | other & open[1]
    }
}

/// The tables of the board that the solver uses.
#[derive(Debug)]
pub struct BoardMasks {
    /// For each slot, the turns of a wall from it.
    pub turns: [Vec<TurnMasks>; SLOT_COUNT],
    /// For each slot, the set of slots that share a tower with it, including the slot itself.
    touching: [u64; SLOT_COUNT],
    /// The image of each slot in the mirror on the diagonal from a9 to i1.
    mirror_slots: [WallSlot; SLOT_COUNT],
}

impl BoardMasks {
    /// Computes the tables.
    pub fn new(board: &Board) -> BoardMasks {
        let turn = |turn: &board::SlotTurn| {
            let clear = turn.sweeps.map(|sweep| PairSet::product(!sweep.squares, !sweep.squares));
            let paths = turn.sweeps.map(|sweep| sweep.slots);
            TurnMasks { to: turn.to, paths, clear: [clear, clear.map(|pairs| pairs.mirror())] }
        };
        BoardMasks {
            turns: std::array::from_fn(|slot| board.turns[slot].iter().map(turn).collect()),
            touching: board.touching,
            mirror_slots: std::array::from_fn(|slot| {
                slot_image(WallSlot(slot as u8), |point| {
                    board::half_turn(board::mirror_point(point))
                })
            }),
        }
    }

    /// Returns the mirror image of a slot.
    pub fn mirror_slot(&self, slot: WallSlot) -> WallSlot {
        self.mirror_slots[usize::from(slot.0)]
    }

    /// Returns the mirror image of a set of slots.
    pub fn mirror(&self, set: u64) -> u64 {
        slots(set).fold(0, |image, slot| image | self.mirror_slot(slot).bit())
    }

    /// Returns the walls of a set that share a tower with a slot: those that are blocked if the
    /// last move ended there.
    fn blocked(&self, walls: u64, last: WallSlot) -> u64 {
        walls & self.touching[usize::from(last.0)]
    }
}

/// A set of walls with its blocked sets. A blocked set is the set of the walls that may not be
/// moved after one of the walls was moved last.
///
/// The empty set, after a knight move, has the number 0. The other blocked sets are numbered from
/// 1, in the order of the first wall after whose move they are blocked.
#[derive(Debug, Clone, Copy)]
pub struct WallSet {
    /// The walls, as a set of slots.
    pub set: u64,
    /// The walls, in ascending order; only the first [`count`](WallSet::count) are walls.
    slots: [WallSlot; MAX_WALLS],
    count: usize,
    /// For each wall, the number of the set that is blocked after its move.
    pub blocked_numbers: [u8; MAX_WALLS],
    /// For each number, the blocked walls.
    pub blocked: [u64; MAX_WALLS + 1],
    /// The number of blocked sets, including the empty one.
    pub blocked_sets: usize,
}

impl WallSet {
    /// Computes the blocked sets of a set of walls.
    pub fn new(masks: &BoardMasks, set: u64) -> WallSet {
        let mut walls = WallSet {
            set,
            slots: [WallSlot(0); MAX_WALLS],
            count: 0,
            blocked_numbers: [0; MAX_WALLS],
            blocked: [0; MAX_WALLS + 1],
            blocked_sets: 1,
        };
        for slot in slots(set) {
            let blocked = masks.blocked(set, slot);
            let known = (1..walls.blocked_sets).find(|&number| walls.blocked[number] == blocked);
            let number = known.unwrap_or(walls.blocked_sets);
            walls.slots[walls.count] = slot;
            walls.blocked_numbers[walls.count] = number as u8;
            walls.blocked[number] = blocked;
            walls.blocked_sets = walls.blocked_sets.max(number + 1);
            walls.count += 1;
        }
        walls
    }

    /// Returns the walls, in ascending order.
    pub fn slots(&self) -> &[WallSlot] {
        &self.slots[..self.count]
    }

    /// Returns a bit for each wall, whether it is the first with its blocked set. Bit 0 is that of
    /// the first wall.
    fn first_with_blocked_set(&self) -> u8 {
        let blocked_numbers = &self.blocked_numbers;
        (0..self.count)
            .filter(|&wall| !blocked_numbers[..wall].contains(&blocked_numbers[wall]))
            .fold(0, |set, wall| set | 1 << wall)
    }
}

/// The numbers of the entries of all sets of one number of walls.
///
/// A set and its mirror image on the diagonal from a9 to i1 share their entries: those of the
/// canonical one, whose bits are the smaller number. The canonical set has an entry for each
/// blocked set, in the order of their numbers.
#[derive(Debug)]
pub struct EntryNumbering {
    /// The number of walls.
    pub walls: usize,
    /// The tables of the board.
    pub masks: BoardMasks,
    /// For each eight sets in the order of their ranks: the number of entries before them, and a
    /// byte for each set, in two words. The byte is 0 if the set is not canonical. Otherwise it has
    /// a bit for each wall: whether the wall is the first with its blocked set.
    sets: Box<[[u32; 3]]>,
    /// The number of entries.
    pub entries: usize,
}

/// The place of the entry of a set of walls and a blocked set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryIndex {
    /// The number of the entry.
    pub entry: usize,
    /// Whether the entry is that of the mirror image.
    pub is_mirrored: bool,
}

impl EntryNumbering {
    /// Numbers the sets of `walls` walls, 1 to 8. Returns `None` if there is not enough memory.
    pub fn new(board: &Board, walls: usize) -> Option<EntryNumbering> {
        let masks = BoardMasks::new(board);
        let mut sets = memory::zeroed::<[u32; 3]>(count_wall_sets(walls) / SETS_PER_WORD + 1)?;
        let mut entries = 0;
        for (rank, set) in wall_sets::all_wall_sets(walls).enumerate() {
            if rank % SETS_PER_WORD == 0 {
                sets[rank / SETS_PER_WORD][0] = entries as u32;
            }
            if set <= masks.mirror(set) {
                let walls = WallSet::new(&masks, set);
                let byte = u32::from(walls.first_with_blocked_set());
                sets[rank / SETS_PER_WORD][1 + rank % SETS_PER_WORD / 4] |= byte << (rank % 4 * 8);
                entries += walls.blocked_sets;
            }
        }
        if count_wall_sets(walls).is_multiple_of(SETS_PER_WORD) {
            sets[count_wall_sets(walls) / SETS_PER_WORD][0] = entries as u32;
        }
        Some(EntryNumbering { walls, masks, sets, entries })
    }

    /// Returns the bytes of eight sets of walls, and the number of entries before the set of this
    /// rank.
    fn word(&self, rank: usize) -> (u64, usize) {
        let [first, low, high] = self.sets[rank / SETS_PER_WORD];
        let bytes = u64::from(low) | u64::from(high) << 32;
        let before = bytes & ((1 << (rank % SETS_PER_WORD * 8)) - 1);
        // A set has an entry for each blocked set, and one without a blocked wall. The first wall
        // is always the first with its blocked set, so the lowest bit of the byte tells whether the
        // set is canonical. The code counts the bits of each byte. The highest byte of the product
        // is then the sum of all bytes.
        let pairs = before - ((before >> 1) & (0x55 * BYTE_LOWEST_BITS));
        let fours =
            (pairs & (0x33 * BYTE_LOWEST_BITS)) + ((pairs >> 2) & (0x33 * BYTE_LOWEST_BITS));
        let counts =
            ((fours + (fours >> 4)) & (0xf * BYTE_LOWEST_BITS)) + (before & BYTE_LOWEST_BITS);
        (bytes, first as usize + (counts.wrapping_mul(BYTE_LOWEST_BITS) >> 56) as usize)
    }

    /// Prefetches the memory that has the numbers of the entries of the set of this rank.
    pub fn prefetch(&self, rank: usize) {
        prefetch_index(&self.sets, rank / SETS_PER_WORD);
    }

    /// Returns the number of the first entry of the set of this rank, or of the next canonical set.
    pub fn first_entry(&self, rank: usize) -> usize {
        self.word(rank).1
    }

    /// Returns the entries of the blocked sets of a canonical set.
    pub fn entries_of(&self, rank: usize) -> Range<usize> {
        self.first_entry(rank)..self.first_entry(rank + 1)
    }

    fn is_canonical(&self, rank: usize) -> bool {
        self.word(rank).0 >> (rank % SETS_PER_WORD * 8) & 1 != 0
    }

    /// Iterates over the canonical sets, each with its rank.
    pub fn canonical_sets(&self) -> impl Iterator<Item = (usize, u64)> {
        wall_sets::all_wall_sets(self.walls)
            .enumerate()
            .filter(|&(rank, _)| self.is_canonical(rank))
    }

    /// Returns the number of the entry of a canonical set after the move of its wall in `last`.
    fn entry(&self, set: u64, rank: usize, last: WallSlot) -> usize {
        let (bytes, first) = self.word(rank);
        let firsts = bytes >> (rank % SETS_PER_WORD * 8) & 0xff;
        let before = |slot: WallSlot| (set & (slot.bit() - 1)).count_ones();
        let mut wall = before(last);
        if firsts >> wall & 1 == 0 {
            // The first wall with the same blocked set is in this set.
            let blocked = self.masks.blocked(set, last);
            let same = slots(blocked).find(|&slot| self.masks.blocked(set, slot) == blocked);
            wall = before(same.unwrap_or(last));
        }
        first + 1 + (firsts as u8 & ((1 << wall) - 1) as u8).count_ones() as usize
    }

    /// Returns the entry of a set of walls, if no wall is blocked, or after the move of its wall in
    /// `last`.
    pub fn index(&self, set: u64, last: Option<WallSlot>) -> EntryIndex {
        let image = self.masks.mirror(set);
        let is_mirrored = image < set;
        let set = set.min(image);
        let rank = RankedSet::new(set).rank();
        let last = last.map(|slot| if is_mirrored { self.masks.mirror_slot(slot) } else { slot });
        let entry = last.map_or_else(|| self.first_entry(rank), |last| self.entry(set, rank, last));
        EntryIndex { entry, is_mirrored }
    }
}

/// A set of walls and its mirror image with partial sums of their ranks, to find the sets after
/// each turn of a wall.
#[derive(Debug, Clone, Copy)]
pub struct NeighbourFinder<'a> {
    numbering: &'a EntryNumbering,
    sets: [RankedSet; 2],
}

/// The maximum number of turns of a wall.
pub const MAX_TURNS: usize = 6;

/// The set of walls after a turn: the canonical one of it and its mirror image.
#[derive(Debug, Clone, Copy, Default)]
pub struct NeighbourSet {
    /// The rank of the set.
    pub rank: usize,
    /// The number of the entry in which the walls are blocked that share a tower with the wall that
    /// has turned.
    pub entry: usize,
    set: u64,
    /// The slot that the wall has reached, or its mirror image.
    to: u8,
    /// The bit of the turned wall: its index in the set, counted from 0. If the set is its own
    /// mirror image, also the bit of the image of the wall.
    pub wall_bits: u8,
    /// Whether the set is its own mirror image.
    pub is_symmetric: bool,
    /// Whether the set is the mirror image of the set after the turn.
    pub is_mirrored: bool,
    /// The pairs, as seen with this set, in which the knights leave a path for the turn.
    pub clear: PairSet,
}

impl<'a> NeighbourFinder<'a> {
    /// Prepares the search for the neighbours of a set of walls.
    pub fn new(numbering: &'a EntryNumbering, set: u64) -> NeighbourFinder<'a> {
        NeighbourFinder { numbering, sets: [set, numbering.masks.mirror(set)].map(RankedSet::new) }
    }

    /// Writes the set after a turn of a wall into an empty slot, without its entry.
    fn write_after(&self, from: WallSlot, to: WallSlot, after: &mut NeighbourSet) {
        let NeighbourFinder { numbering: EntryNumbering { masks, .. }, sets: [own, image] } = self;
        let images = [from, to].map(|slot| masks.mirror_slot(slot));
        let here = own.set ^ from.bit() | to.bit();
        let there = image.set ^ images[0].bit() | images[1].bit();
        let is_mirrored = there < here;
        let ranked = if is_mirrored { image } else { own };
        let set = if is_mirrored { there } else { here };
        let [from, to] = if is_mirrored { images } else { [from, to] };
        let rank = ranked.rank_after(ranked.count_before(from), to);
        let wall_bit = |slot: WallSlot| 1 << (set & (slot.bit() - 1)).count_ones();
        let image_bit = if here == there { wall_bit(images[1]) } else { 0 };
        // Field by field: the processor waits if it copies in large parts what it has just stored
        // in small ones.
        after.rank = rank;
        after.set = set;
        after.to = to.0;
        after.wall_bits = wall_bit(to) | image_bit;
        after.is_symmetric = here == there;
        after.is_mirrored = is_mirrored;
    }

    /// Writes the sets of walls after each turn of a wall that the other walls allow, without their
    /// entries. Returns the number of sets.
    pub fn write_neighbours(
        &self,
        from: WallSlot,
        neighbours: &mut [NeighbourSet; MAX_TURNS],
    ) -> usize {
        let walls = self.sets[0].set;
        let mut count = 0;
        for turn in &self.numbering.masks.turns[usize::from(from.0)] {
            if turn.is_possible(walls) {
                self.write_after(from, turn.to, &mut neighbours[count]);
                count += 1;
            }
        }
        count
    }

    /// Writes the entries of the sets of walls after turns of a wall, and the pairs of knights that
    /// leave a path.
    pub fn write_entries(&self, from: WallSlot, neighbours: &mut [NeighbourSet]) {
        let walls = self.sets[0].set;
        let possible = self.numbering.masks.turns[usize::from(from.0)]
            .iter()
            .filter(|turn| turn.is_possible(walls));
        for (neighbour, turn) in neighbours.iter_mut().zip(possible) {
            neighbour.clear = turn.clear_pairs(walls, neighbour.is_mirrored);
            neighbour.entry =
                self.numbering.entry(neighbour.set, neighbour.rank, WallSlot(neighbour.to));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::wall_sets::unrank_wall_set;
    use super::*;

    #[test]
    fn each_canonical_set_has_an_entry_per_blocked_set() {
        let board = Board::default();
        for walls in 1..=3 {
            let numbering = EntryNumbering::new(&board, walls).unwrap();
            let mut used = vec![0; numbering.entries];
            for (rank, set) in wall_sets::all_wall_sets(walls).enumerate() {
                let blocked = WallSet::new(&numbering.masks, set);
                assert_eq!(numbering.is_canonical(rank), set <= numbering.masks.mirror(set));
                let none = numbering.index(set, None);
                used[none.entry] += 1;
                let mut found = vec![none.entry];
                for (at, &slot) in blocked.slots().iter().enumerate() {
                    let index = numbering.index(set, Some(slot));
                    assert_eq!(index.is_mirrored, none.is_mirrored);
                    let number = usize::from(blocked.blocked_numbers[at]);
                    assert_eq!(blocked.blocked[number], set & board.touching[usize::from(slot.0)]);
                    if !index.is_mirrored {
                        assert_eq!(index.entry, numbering.first_entry(rank) + number);
                    }
                    if !found.contains(&index.entry) {
                        used[index.entry] += 1;
                        found.push(index.entry);
                    }
                }
                assert_eq!(found.len(), blocked.blocked_sets);
            }
            assert!(used.iter().all(|times| (1..=2).contains(times)));
        }
    }

    #[test]
    fn neighbours_have_the_entries_of_their_sets() {
        let board = Board::default();
        let mut rng = fastrand::Rng::with_seed(24);
        let numbering = EntryNumbering::new(&board, 4).unwrap();
        for _ in 0..500 {
            let set = unrank_wall_set(4, rng.usize(..count_wall_sets(4)));
            let finder = NeighbourFinder::new(&numbering, set);
            for from in slots(set) {
                for turn in &numbering.masks.turns[usize::from(from.0)] {
                    if turn.is_possible(set) {
                        let after = set ^ from.bit() | turn.to.bit();
                        let mut neighbour = NeighbourSet::default();
                        finder.write_after(from, turn.to, &mut neighbour);
                        let entry =
                            numbering.entry(neighbour.set, neighbour.rank, WallSlot(neighbour.to));
                        let index = EntryIndex { entry, is_mirrored: neighbour.is_mirrored };
                        assert_eq!(index, numbering.index(after, Some(turn.to)));
                        assert_eq!(
                            unrank_wall_set(4, neighbour.rank),
                            after.min(numbering.masks.mirror(after))
                        );
                    }
                }
            }
        }
    }
}

//! Numbers the solver's entries. There is an entry for each set of walls and each of its blocked
//! sets. A blocked set consists of the walls that may not move now, because of the last wall move.

use std::ops::Range;

use pentarch_system::memory;
use prefetch_index::prefetch_index;

use super::super::board::{self, Board, WallSlot, iter_slots};
use super::super::position::map_slot;
use super::pair_set::PairSet;
use super::wall_sets::{self, MAX_WALLS, RankedWallSet, count_wall_sets};
const WALL_SLOT_COUNT: usize = WallSlot::SLOT_COUNT as usize;
/// The number of sets of walls in one element of [`EntryNumbering::sets`].
const WALL_SETS_PER_WORD: usize = 8;
const LOWEST_BIT_OF_EACH_BYTE: u64 = 0x0101_0101_0101_0101;

/// A turn of a wall, with the conditions under which its path is clear of walls and knights.
#[derive(Debug, Clone, Copy)]
pub struct WallTurnMasks {
    /// The slot that the wall reaches.
    pub to: WallSlot,
    /// The slots that must be empty: clockwise, and counter-clockwise.
    paths: [u64; 2],
    /// For each direction, the pairs in which no knight is on the path. The first element contains
    /// these pairs, and the second element their mirror images.
    clear: [[PairSet; 2]; 2],
}

impl WallTurnMasks {
    /// Returns whether the path of this turn is clear of these walls in at least one direction.
    /// Knights are ignored.
    pub fn is_clear_of_walls(&self, walls: u64) -> bool {
        self.paths.iter().any(|path| path & walls == 0)
    }

    /// Returns the pairs of knights for which this turn is possible. `walls` are the walls before
    /// the turn. If `is_mirrored` is `true`, returns the mirror images of the pairs.
    fn knight_pairs_allowing_turn(&self, walls: u64, is_mirrored: bool) -> PairSet {
        let [one, other] = self.clear[usize::from(is_mirrored)];
        let open =
            self.paths.map(|path| if path & walls == 0 { PairSet::ALL } else { PairSet::EMPTY });
        one & open[0] | other & open[1]
    }
}

/// Data about the slots of the board: the turns of walls, the shared towers and the mirror images.
#[derive(Debug)]
pub struct BoardMasks {
    /// For each slot, the turns of a wall in this slot.
    pub turns: [Vec<WallTurnMasks>; WALL_SLOT_COUNT],
    /// For each slot, the set of slots that share a tower with this slot, including the slot
    /// itself.
    touching: [u64; WALL_SLOT_COUNT],
    /// The mirror image of each slot in the diagonal from a9 to i1.
    mirror_slots: [WallSlot; WALL_SLOT_COUNT],
}

impl BoardMasks {
    /// Computes the tables.
    pub fn new(board: &Board) -> BoardMasks {
        let turn = |turn: &board::WallTurn| {
            let clear =
                turn.sweeps.map(|sweep| PairSet::from_square_sets(!sweep.squares, !sweep.squares));
            let paths = turn.sweeps.map(|sweep| sweep.slots);
            WallTurnMasks { to: turn.to, paths, clear: [clear, clear.map(|pairs| pairs.mirror())] }
        };
        BoardMasks {
            turns: std::array::from_fn(|slot| board.turns[slot].iter().map(turn).collect()),
            touching: board.touching,
            mirror_slots: std::array::from_fn(|slot| {
                map_slot(WallSlot(slot as u8), |point| {
                    board::half_turn_point(board::mirror_point(point))
                })
            }),
        }
    }

    /// Returns the mirror image of a slot.
    pub fn mirror_slot(&self, slot: WallSlot) -> WallSlot {
        self.mirror_slots[usize::from(slot.0)]
    }

    /// Returns the mirror image of a set of slots.
    pub fn mirror_slots(&self, set: u64) -> u64 {
        iter_slots(set).fold(0, |image, slot| image | self.mirror_slot(slot).bit())
    }

    /// Returns the walls of a set that share a tower with a slot. These walls are blocked if the
    /// last move turned a wall into this slot.
    fn walls_blocked_by_last_turn(&self, walls: u64, last: WallSlot) -> u64 {
        walls & self.touching[usize::from(last.0)]
    }
}

/// A set of walls with its blocked sets. A blocked set consists of the walls that may not move now,
/// because they share a tower with the last moved wall. So there is a blocked set for each possible
/// last moved wall.
///
/// After a knight move, the blocked set is empty; this set has the number 0. The other blocked sets
/// are numbered from 1. If several walls have the same blocked set, the set is counted only once,
/// at the first of these walls.
#[derive(Debug, Clone, Copy)]
pub struct WallSet {
    /// The walls, as a set of slots.
    pub set: u64,
    /// The walls, in ascending order. Only the first [`count`](WallSet::count) elements are used.
    slots: [WallSlot; MAX_WALLS],
    count: usize,
    /// For each wall, the number of the blocked set if this wall was moved last.
    pub blocked_numbers: [u8; MAX_WALLS],
    /// The blocked sets, by number.
    pub blocked: [u64; MAX_WALLS + 1],
    /// The number of blocked sets, including the empty one.
    pub blocked_set_count: usize,
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
            blocked_set_count: 1,
        };
        for slot in iter_slots(set) {
            let blocked = masks.walls_blocked_by_last_turn(set, slot);
            let known =
                (1..walls.blocked_set_count).find(|&number| walls.blocked[number] == blocked);
            let number = known.unwrap_or(walls.blocked_set_count);
            walls.slots[walls.count] = slot;
            walls.blocked_numbers[walls.count] = number as u8;
            walls.blocked[number] = blocked;
            walls.blocked_set_count = walls.blocked_set_count.max(number + 1);
            walls.count += 1;
        }
        walls
    }

    /// Returns the walls, in ascending order.
    pub fn wall_slots(&self) -> &[WallSlot] {
        &self.slots[..self.count]
    }

    /// Returns a bit for each wall, which shows whether the wall is the first one with its blocked
    /// set. Bit 0 is for the first wall.
    fn distinct_blocked_set_mask(&self) -> u8 {
        let blocked_numbers = &self.blocked_numbers;
        (0..self.count)
            .filter(|&wall| !blocked_numbers[..wall].contains(&blocked_numbers[wall]))
            .fold(0, |set, wall| set | 1 << wall)
    }
}

/// The numbering of the entries of all sets of `walls` walls. There is an entry for each set of
/// walls and each of its blocked sets (see [`WallSet`]).
///
/// A set and its mirror image in the diagonal from a9 to i1 share the entries of the canonical set.
/// This is the one of the two sets whose bits form the smaller number. The entries of a set have
/// consecutive numbers, in the order of the blocked sets.
#[derive(Debug)]
pub struct EntryNumbering {
    /// The number of walls of each set.
    pub walls: usize,
    /// The tables of the board.
    pub masks: BoardMasks,
    /// Three words for each group of eight sets of walls, in the order of the sets' ranks. The
    /// first word is the number of entries before this group. The other two words have a byte for
    /// each set. The byte is 0 if the set is not canonical. Otherwise it has a bit for each wall,
    /// which says whether the wall is the first one with its blocked set.
    sets: Box<[[u32; 3]]>,
    /// The number of entries.
    pub entries: usize,
}

/// The entry for a set of walls and a blocked set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryIndex {
    /// The number of the entry.
    pub entry: usize,
    /// Whether the entry is that of the set's mirror image. In this case, the pairs are also
    /// mirrored.
    pub is_mirrored: bool,
}

impl EntryNumbering {
    /// Numbers the entries of all sets of `walls` walls. `walls` must be from 1 to 8. Returns
    /// `None` if there is not enough memory.
    pub fn new(board: &Board, walls: usize) -> Option<EntryNumbering> {
        let masks = BoardMasks::new(board);
        let mut sets =
            memory::allocate_zeros::<[u32; 3]>(count_wall_sets(walls) / WALL_SETS_PER_WORD + 1)?;
        let mut entries = 0;
        for (rank, set) in wall_sets::all_wall_sets(walls).enumerate() {
            if rank % WALL_SETS_PER_WORD == 0 {
                sets[rank / WALL_SETS_PER_WORD][0] = entries as u32;
            }
            if set <= masks.mirror_slots(set) {
                let walls = WallSet::new(&masks, set);
                let byte = u32::from(walls.distinct_blocked_set_mask());
                sets[rank / WALL_SETS_PER_WORD][1 + rank % WALL_SETS_PER_WORD / 4] |=
                    byte << (rank % 4 * 8);
                entries += walls.blocked_set_count;
            }
        }
        if count_wall_sets(walls).is_multiple_of(WALL_SETS_PER_WORD) {
            sets[count_wall_sets(walls) / WALL_SETS_PER_WORD][0] = entries as u32;
        }
        Some(EntryNumbering { walls, masks, sets, entries })
    }

    /// Returns the eight bytes of the group that contains the set with this rank, and the number of
    /// entries before this set. See the field `sets`.
    fn group_bytes_and_entries_before(&self, rank: usize) -> (u64, usize) {
        let [first, low, high] = self.sets[rank / WALL_SETS_PER_WORD];
        let bytes = u64::from(low) | u64::from(high) << 32;
        let before = bytes & ((1 << (rank % WALL_SETS_PER_WORD * 8)) - 1);
        // A canonical set has one entry for each bit that is set in its byte, and one more entry
        // for the empty blocked set. The lowest bit of the byte says whether the set is canonical,
        // because the first wall is always the first one with its blocked set. So the code counts
        // the bits of each byte, and adds the lowest bit. The highest byte of the product is then
        // the sum of all bytes.
        let pairs = before - ((before >> 1) & (0x55 * LOWEST_BIT_OF_EACH_BYTE));
        let fours = (pairs & (0x33 * LOWEST_BIT_OF_EACH_BYTE))
            + ((pairs >> 2) & (0x33 * LOWEST_BIT_OF_EACH_BYTE));
        let counts = ((fours + (fours >> 4)) & (0xf * LOWEST_BIT_OF_EACH_BYTE))
            + (before & LOWEST_BIT_OF_EACH_BYTE);
        (bytes, first as usize + (counts.wrapping_mul(LOWEST_BIT_OF_EACH_BYTE) >> 56) as usize)
    }

    /// Prefetches the memory that contains the entry numbers of the set with this rank.
    pub fn prefetch(&self, rank: usize) {
        prefetch_index(&self.sets, rank / WALL_SETS_PER_WORD);
    }

    /// Returns the number of the first entry of the set with this rank. If this set is not
    /// canonical, returns the number of the first entry of the next canonical set.
    pub fn first_entry(&self, rank: usize) -> usize {
        self.group_bytes_and_entries_before(rank).1
    }

    /// Returns the entries of a canonical set. The set has one entry for each of its blocked sets.
    pub fn entry_range(&self, rank: usize) -> Range<usize> {
        self.first_entry(rank)..self.first_entry(rank + 1)
    }

    fn is_canonical(&self, rank: usize) -> bool {
        self.group_bytes_and_entries_before(rank).0 >> (rank % WALL_SETS_PER_WORD * 8) & 1 != 0
    }

    /// Iterates over the canonical sets, each with its rank.
    pub fn canonical_sets(&self) -> impl Iterator<Item = (usize, u64)> {
        wall_sets::all_wall_sets(self.walls)
            .enumerate()
            .filter(|&(rank, _)| self.is_canonical(rank))
    }

    /// Returns the entry number of a canonical set after a wall move into the slot `last`.
    fn entry_after_wall_move(&self, set: u64, rank: usize, last: WallSlot) -> usize {
        let (bytes, first) = self.group_bytes_and_entries_before(rank);
        let firsts = bytes >> (rank % WALL_SETS_PER_WORD * 8) & 0xff;
        let before = |slot: WallSlot| (set & (slot.bit() - 1)).count_ones();
        let mut wall = before(last);
        if firsts >> wall & 1 == 0 {
            // Walls with the same blocked set also belong to this set. So the first of these walls
            // is found in the set.
            let blocked = self.masks.walls_blocked_by_last_turn(set, last);
            let same = iter_slots(blocked)
                .find(|&slot| self.masks.walls_blocked_by_last_turn(set, slot) == blocked);
            wall = before(same.unwrap_or(last));
        }
        first + 1 + (firsts as u8 & ((1 << wall) - 1) as u8).count_ones() as usize
    }

    /// Returns the entry of a set of walls after a wall move into the slot `last`. If `last` is
    /// `None`, the last move was a knight move, and no wall is blocked.
    pub fn entry_index(&self, set: u64, last: Option<WallSlot>) -> EntryIndex {
        let image = self.masks.mirror_slots(set);
        let is_mirrored = image < set;
        let set = set.min(image);
        let rank = RankedWallSet::new(set).rank();
        let last = last.map(|slot| if is_mirrored { self.masks.mirror_slot(slot) } else { slot });
        let entry = last.map_or_else(
            || self.first_entry(rank),
            |last| self.entry_after_wall_move(set, rank, last),
        );
        EntryIndex { entry, is_mirrored }
    }
}

/// A finder for the sets of walls that one turn can reach from a given set. It stores the given set
/// and its mirror image, with the partial sums of their ranks.
#[derive(Debug, Clone, Copy)]
pub struct WallSetAfterTurnFinder<'a> {
    numbering: &'a EntryNumbering,
    sets: [RankedWallSet; 2],
}

/// The maximum number of turns of a wall.
pub const MAX_TURNS_PER_WALL: usize = 6;

/// The set of walls after a turn. The canonical one of this set and its mirror image is stored.
#[derive(Debug, Clone, Copy, Default)]
pub struct WallSetAfterTurn {
    /// The rank of the set.
    pub rank: usize,
    /// The number of the set's entry after the turn. In this entry, the walls that share a tower
    /// with the turned wall are blocked.
    pub entry: usize,
    set: u64,
    /// The slot of the turned wall in this set. If the set is mirrored, the slot is also mirrored.
    to: u8,
    /// The bit of the turned wall, by its index in the set. If the set is its own mirror image, the
    /// bit of the wall's mirror image is also set.
    pub wall_bits: u8,
    /// Whether the set is its own mirror image.
    pub is_symmetric: bool,
    /// Whether this set is the mirror image of the set after the turn.
    pub is_mirrored: bool,
    /// The pairs of knights for which the turn is possible. If this set is the mirror image, the
    /// pairs are also mirrored.
    pub clear: PairSet,
}

impl<'a> WallSetAfterTurnFinder<'a> {
    /// Creates a finder for the turns from this set of walls.
    pub fn new(numbering: &'a EntryNumbering, set: u64) -> WallSetAfterTurnFinder<'a> {
        WallSetAfterTurnFinder {
            numbering,
            sets: [set, numbering.masks.mirror_slots(set)].map(RankedWallSet::new),
        }
    }

    /// Writes the set of walls after the turn from the slot `from` to the slot `to` into `after`.
    /// Leaves the fields `entry` and `clear` unchanged.
    fn write_set_after_turn(&self, from: WallSlot, to: WallSlot, after: &mut WallSetAfterTurn) {
        let WallSetAfterTurnFinder { numbering: EntryNumbering { masks, .. }, sets: [own, image] } =
            self;
        let images = [from, to].map(|slot| masks.mirror_slot(slot));
        let here = own.set ^ from.bit() | to.bit();
        let there = image.set ^ images[0].bit() | images[1].bit();
        let is_mirrored = there < here;
        let ranked = if is_mirrored { image } else { own };
        let set = if is_mirrored { there } else { here };
        let [from, to] = if is_mirrored { images } else { [from, to] };
        let rank = ranked.rank_after_wall_move(ranked.count_walls_before(from), to);
        let wall_bit = |slot: WallSlot| 1 << (set & (slot.bit() - 1)).count_ones();
        let image_bit = if here == there { wall_bit(images[1]) } else { 0 };
        // The fields are written one by one, because a processor must wait if it copies data in
        // larger pieces than it has just stored.
        after.rank = rank;
        after.set = set;
        after.to = to.0;
        after.wall_bits = wall_bit(to) | image_bit;
        after.is_symmetric = here == there;
        after.is_mirrored = is_mirrored;
    }

    /// Finds all turns of the wall in the slot `from` that no other wall blocks, and writes the
    /// sets of walls after these turns to `neighbours`. Leaves the fields `entry` and `clear`
    /// unchanged. Returns the number of sets.
    pub fn write_sets_after_turns(
        &self,
        from: WallSlot,
        neighbours: &mut [WallSetAfterTurn; MAX_TURNS_PER_WALL],
    ) -> usize {
        let walls = self.sets[0].set;
        let mut count = 0;
        for turn in &self.numbering.masks.turns[usize::from(from.0)] {
            if turn.is_clear_of_walls(walls) {
                self.write_set_after_turn(from, turn.to, &mut neighbours[count]);
                count += 1;
            }
        }
        count
    }

    /// Writes the fields `entry` and `clear` of the sets that
    /// [`write_sets_after_turns`](WallSetAfterTurnFinder::write_sets_after_turns) has found for the
    /// same wall.
    pub fn write_entries_after_turns(&self, from: WallSlot, neighbours: &mut [WallSetAfterTurn]) {
        let walls = self.sets[0].set;
        let possible = self.numbering.masks.turns[usize::from(from.0)]
            .iter()
            .filter(|turn| turn.is_clear_of_walls(walls));
        for (neighbour, turn) in neighbours.iter_mut().zip(possible) {
            neighbour.clear = turn.knight_pairs_allowing_turn(walls, neighbour.is_mirrored);
            neighbour.entry = self.numbering.entry_after_wall_move(
                neighbour.set,
                neighbour.rank,
                WallSlot(neighbour.to),
            );
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
                assert_eq!(numbering.is_canonical(rank), set <= numbering.masks.mirror_slots(set));
                let none = numbering.entry_index(set, None);
                used[none.entry] += 1;
                let mut found = vec![none.entry];
                for (at, &slot) in blocked.wall_slots().iter().enumerate() {
                    let index = numbering.entry_index(set, Some(slot));
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
                assert_eq!(found.len(), blocked.blocked_set_count);
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
            let finder = WallSetAfterTurnFinder::new(&numbering, set);
            for from in iter_slots(set) {
                for turn in &numbering.masks.turns[usize::from(from.0)] {
                    if turn.is_clear_of_walls(set) {
                        let after = set ^ from.bit() | turn.to.bit();
                        let mut neighbour = WallSetAfterTurn::default();
                        finder.write_set_after_turn(from, turn.to, &mut neighbour);
                        let entry = numbering.entry_after_wall_move(
                            neighbour.set,
                            neighbour.rank,
                            WallSlot(neighbour.to),
                        );
                        let index = EntryIndex { entry, is_mirrored: neighbour.is_mirrored };
                        assert_eq!(index, numbering.entry_index(after, Some(turn.to)));
                        assert_eq!(
                            unrank_wall_set(4, neighbour.rank),
                            after.min(numbering.masks.mirror_slots(after))
                        );
                    }
                }
            }
        }
    }
}

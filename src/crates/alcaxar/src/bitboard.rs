//! Bitboards: sets of squares, towers and slots in one layout, so that knight steps and wall turns
//! are shifts.
//!
//! The bit of a slot is its number. Two neighbouring files have nine slots, so the numbers on a
//! tower file are 9 less than those on the next tower file. A square has the bit of the slot to its
//! left. A tower has the bit of the slot above it; on the top rank, it has the bit that such a slot
//! would have. So the slots around a square, and the slots and squares around a tower, are at the
//! same bit distances everywhere on the board.

use super::board::Square;

/// Returns the lowest `ranks` of the nine bits of each of the first `files` pairs of files.
const fn lattice_set(files: u32, ranks: u32) -> u64 {
    let mut set = 0;
    let mut file = 0;
    while file < files {
        set |= ((1 << ranks) - 1) << (9 * file);
        file += 1;
    }
    set
}

/// The slots of vertical walls, on tower files. Such a wall is between a square and the square to
/// its right.
const VERTICAL_SLOTS: u64 = lattice_set(5, 4);
/// The slots of horizontal walls, on square files. Such a wall is between a square and the square
/// above it.
const HORIZONTAL_SLOTS: u64 = lattice_set(4, 5) << 4;
/// The slots between two squares.
const INNER_SLOTS: u64 = lattice_set(3, 4) << 9 | lattice_set(4, 3) << 5;

/// Returns the bitboard of a square.
pub(crate) fn bitboard(square: Square) -> u64 {
    1 << (square.0 + square.0 / 4 * 5)
}

/// Returns the slots between a square, given as a bitboard, and its neighbours.
pub(crate) fn adjacent_slots(square: u64) -> u64 {
    (square | square << 4 | square << 5 | square << 9) & INNER_SLOTS
}

/// The passages between neighbouring squares that a set of walls leaves open.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Passages {
    /// The squares from which a step up is open.
    up: u64,
    /// The squares from which a step to the right is open.
    right: u64,
}

impl Passages {
    /// Returns the passages that these walls leave open.
    pub(crate) fn for_walls(walls: u64) -> Passages {
        Passages { up: !(walls >> 5) & lattice_set(4, 3), right: !(walls >> 9) & lattice_set(3, 4) }
    }

    /// Returns the squares that are one step away from a square of the set. They may include
    /// squares of the set.
    #[inline]
    pub(crate) fn neighbours(&self, from: u64) -> u64 {
        (from & self.up) << 1
            | (from >> 1) & self.up
            | (from & self.right) << 9
            | (from >> 9) & self.right
    }

    /// Returns the distance in steps from one square to another, both given as bitboards, and the
    /// squares that are nearer to the second one. If the distance is `max` or more, returns `max`
    /// and the empty set.
    ///
    /// A breadth-first search floods the board from the second square.
    #[inline]
    pub(crate) fn distance(&self, from: u64, to: u64, max: u32) -> (u32, u64) {
        let mut reached = to;
        for steps in 1..max {
            let next = reached | self.neighbours(reached);
            if next & from != 0 {
                return (steps, reached);
            }
            if next == reached {
                break;
            }
            reached = next;
        }
        (max, 0)
    }
}

/// Returns the slots that at least one of the walls `movers` can turn into, past the walls `walls`
/// and the knights `knights`.
#[inline]
pub(crate) fn turn_targets(walls: u64, movers: u64, knights: u64) -> u64 {
    // For all towers at once, each slot as the bit of the tower: the slots above, to the right,
    // below and to the left.
    let around = |set: u64| {
        [
            set & VERTICAL_SLOTS,
            (set & HORIZONTAL_SLOTS) >> 4,
            (set & VERTICAL_SLOTS) << 1,
            (set & HORIZONTAL_SLOTS) << 5,
        ]
    };
    let occupied = around(walls);
    // The knights on the square clockwise of each of these slots.
    let swept = [knights, knights << 1, knights << 10, knights << 9];
    let mut reached = [0; 4];
    let mut clockwise = around(movers);
    let mut counter = around(movers);
    for _ in 0..3 {
        clockwise = [3, 0, 1, 2].map(|at| clockwise[at] & !swept[at] & !occupied[(at + 1) % 4]);
        counter =
            [1, 2, 3, 0].map(|at| counter[at] & !swept[(at + 3) % 4] & !occupied[(at + 3) % 4]);
        for at in 0..4 {
            reached[at] |= clockwise[at] | counter[at];
        }
    }
    let [above, right, below, left] = reached;
    (above | below >> 1) & VERTICAL_SLOTS | (right << 4 | left >> 5) & HORIZONTAL_SLOTS
}

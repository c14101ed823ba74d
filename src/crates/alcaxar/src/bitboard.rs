//! Bitboards: sets of squares, towers and slots that share one numbering of bits, so that knight
//! steps and wall turns are shifts.
//!
//! The bit of a slot is its number. Two neighbouring files together have nine slots, so a slot on a
//! tower file has a number that is 9 less than that of the same slot on the next tower file. A
//! square has the bit of the slot to its left. A tower has the bit of the slot above it; on the top
//! rank, it has the bit that this slot would have. So the bit offsets from a square to the slots
//! around it are the same everywhere on the board. The same is true of the offsets from a tower to
//! the slots and squares around it.

use super::board::Square;

/// Returns a bitboard with `files` groups of bits, one for each file. A group has `ranks` bits and
/// begins nine bits after the previous group, because neighbouring files of the same kind are nine
/// bits apart.
const fn lattice_bitboard(files: u32, ranks: u32) -> u64 {
    let mut set = 0;
    let mut file = 0;
    while file < files {
        set |= ((1 << ranks) - 1) << (9 * file);
        file += 1;
    }
    set
}

/// The slots of vertical walls, on tower files. A vertical wall is between a square and the square
/// to its right.
const VERTICAL_WALL_SLOTS: u64 = lattice_bitboard(5, 4);
/// The slots of horizontal walls, on square files. A horizontal wall is between a square and the
/// square above it.
const HORIZONTAL_WALL_SLOTS: u64 = lattice_bitboard(4, 5) << 4;
/// The slots between two squares.
const INNER_WALL_SLOTS: u64 = lattice_bitboard(3, 4) << 9 | lattice_bitboard(4, 3) << 5;

pub(crate) fn square_bitboard(square: Square) -> u64 {
    1 << (square.0 + square.0 / 4 * 5)
}

/// Returns the slots between a square and its neighbours. The square is given as a bitboard.
pub(crate) fn adjacent_wall_slots(square: u64) -> u64 {
    (square | square << 4 | square << 5 | square << 9) & INNER_WALL_SLOTS
}

/// The passages between neighbouring squares that a set of walls leaves open.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OpenPassages {
    /// The squares from which a step up is open.
    up: u64,
    /// The squares from which a step to the right is open.
    right: u64,
}

impl OpenPassages {
    pub(crate) fn for_walls(walls: u64) -> OpenPassages {
        OpenPassages {
            up: !(walls >> 5) & lattice_bitboard(4, 3),
            right: !(walls >> 9) & lattice_bitboard(3, 4),
        }
    }

    /// Returns the squares that are one step away from a square of the set. The result may include
    /// squares of the set.
    #[inline]
    pub(crate) fn neighbours(&self, from: u64) -> u64 {
        (from & self.up) << 1
            | (from >> 1) & self.up
            | (from & self.right) << 9
            | (from >> 9) & self.right
    }

    /// Returns the distance in steps from the square `from` to the square `to`, and the squares
    /// that are nearer to `to` than `from` is. Squares are given as bitboards. If the distance is
    /// `max` or more, returns `max` and the empty set.
    ///
    /// A breadth-first search floods the board from `to`.
    #[inline]
    pub(crate) fn distance_and_nearer_squares(&self, from: u64, to: u64, max: u32) -> (u32, u64) {
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

/// Returns the slots into which at least one of the walls `movers` can turn. `walls` and `knights`
/// are the obstacles.
#[inline]
pub(crate) fn wall_turn_targets(walls: u64, movers: u64, knights: u64) -> u64 {
    // The slots above, to the right of, below and to the left of each tower, for all towers at
    // once. A slot is represented by the bit of its tower.
    let around = |set: u64| {
        [
            set & VERTICAL_WALL_SLOTS,
            (set & HORIZONTAL_WALL_SLOTS) >> 4,
            (set & VERTICAL_WALL_SLOTS) << 1,
            (set & HORIZONTAL_WALL_SLOTS) << 5,
        ]
    };
    let occupied = around(walls);
    // For each of these slots, the knights on the next square clockwise. A knight is also
    // represented by the bit of the tower.
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
    (above | below >> 1) & VERTICAL_WALL_SLOTS | (right << 4 | left >> 5) & HORIZONTAL_WALL_SLOTS
}

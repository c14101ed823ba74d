//! Sets of squares and of slots that shift onto each other, and what floods over them: steps and turns.
//!
//! From a tower file to the next one slots are counted nine on. A square has the bit of the slot to its left here, and
//! a tower that of the slot above it. Then the slots about a square, and the slots and squares about a tower, are the
//! same few places away from it everywhere on the board.

use super::board::Square;

/// The first `ranks` of nine places on each of the first `files` files: as slots are counted, those above towers of
/// file a, of file c and so on, and as squares and towers are given bits, these.
const fn lattice(files: u32, ranks: u32) -> u64 {
    let mut set = 0;
    let mut file = 0;
    while file < files {
        set |= ((1 << ranks) - 1) << (9 * file);
        file += 1;
    }
    set
}

/// The slots on tower files: their walls stand between a square and the one to its right.
const UPRIGHT: u64 = lattice(5, 4);
/// The slots on square files: their walls lie between a square and the one above it.
const LEVEL: u64 = lattice(4, 5) << 4;
/// The slots that part two squares.
const INNER: u64 = lattice(3, 4) << 9 | lattice(4, 3) << 5;

/// The square as a set.
pub fn area(square: Square) -> u64 {
    1 << (square.0 + square.0 / 4 * 5)
}

/// The slots about a square, given as a set, that part it from other squares.
pub fn gates(square: u64) -> u64 {
    (square | square << 4 | square << 5 | square << 9) & INNER
}

/// Where one can step under given walls.
#[derive(Debug, Clone, Copy)]
pub struct Ways {
    /// The squares from which a step up is open.
    up: u64,
    /// The squares from which a step to the right is open.
    right: u64,
}

impl Ways {
    /// The ways between these walls.
    pub fn between(walls: u64) -> Ways {
        Ways { up: !(walls >> 5) & lattice(4, 3), right: !(walls >> 9) & lattice(3, 4) }
    }

    /// The squares one step from those of a set, which may be squares of the set.
    #[inline]
    pub fn steps(&self, from: u64) -> u64 {
        (from & self.up) << 1 | (from >> 1) & self.up | (from & self.right) << 9 | (from >> 9) & self.right
    }

    /// The number of steps from one square to another, given as sets, and the squares a step less from the second; or
    /// `most` and nothing if there are no fewer.
    #[inline]
    pub fn distance(&self, from: u64, to: u64, most: u32) -> (u32, u64) {
        let mut reached = to;
        for steps in 1..most {
            let next = reached | self.steps(reached);
            if next & from != 0 {
                return (steps, reached);
            }
            if next == reached {
                break;
            }
            reached = next;
        }
        (most, 0)
    }
}

/// The slots into which one of the walls `movers` can be turned between `walls` and knights on `knights`.
#[inline]
pub fn reachable(walls: u64, movers: u64, knights: u64) -> u64 {
    // About every tower at once: the slots above it, to its right, below it and to its left.
    let about = |set: u64| [set & UPRIGHT, (set & LEVEL) >> 4, (set & UPRIGHT) << 1, (set & LEVEL) << 5];
    let taken = about(walls);
    // The square clockwise of each.
    let swept = [knights, knights << 1, knights << 10, knights << 9];
    let mut reached = [0; 4];
    let (mut clockwise, mut counter) = (about(movers), about(movers));
    for _ in 0..3 {
        clockwise = [3, 0, 1, 2].map(|at| clockwise[at] & !swept[at] & !taken[(at + 1) % 4]);
        counter = [1, 2, 3, 0].map(|at| counter[at] & !swept[(at + 3) % 4] & !taken[(at + 3) % 4]);
        for at in 0..4 {
            reached[at] |= clockwise[at] | counter[at];
        }
    }
    let [above, right, below, left] = reached;
    (above | below >> 1) & UPRIGHT | (right << 4 | left >> 5) & LEVEL
}

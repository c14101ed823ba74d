//! Squares, posts and the passages between squares, as bits, and sets of them.
//!
//! Boards of every size have one layout: the square on this file and rank (both from 0) is bit `11 * file + rank` of a
//! `u128`, so that a step north is a shift by 1, a step east a shift by [`STRIDE`], and 11 files of 11 ranks fit. The
//! order of bits is the order of texts: by file, then by rank.
//!
//! A *post* is an inner corner, where four squares meet and the middle of a wall can stand. It is named, as the wall
//! is, by the square to its lower left, and has that square's bit. Bits that are shifted off a board of the full size
//! wrap to the first or last rank of the neighbouring file. Every shift comes with a mask that leaves that rank out,
//! because it has no square (or post) beyond it.
//!
//! A flood (breadth-first search) extends a set of squares by one step in all directions at once,
//! with four shifts. The same works for posts: their "passages" are the edges along which walls
//! join them.

use pentarch_core::Point;
use pentarch_core::notation::points::Mirror;

/// The number of bits between neighbouring files, which is the greatest number of ranks.
pub const STRIDE: u8 = 11;

/// A square, or the post at its upper right corner, by the number of its bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Square(pub u8);

impl Square {
    /// The square at a point of the largest board.
    pub(crate) const fn new(point: Point) -> Square {
        Square(point.file * STRIDE + point.rank)
    }

    /// The point of the board on which the square lies.
    pub const fn point(self) -> Point {
        Point::new(self.0 / STRIDE, self.0 % STRIDE)
    }

    /// The square as a set of squares.
    pub const fn bit(self) -> u128 {
        1 << self.0
    }

    /// The image in a mirror, among the squares or the posts of a board that has so many files, and ranks, of them.
    pub fn mirrored(self, mirror: Mirror, size: u8) -> Square {
        Square::new(mirror.image(self.point(), [size; 2]))
    }
}

/// The squares of a set, in the order of their texts.
pub fn squares(set: u128) -> impl Iterator<Item = Square> {
    let half = |mut half: u64, first: u8| {
        (0..half.count_ones()).map(move |_| {
            let bit = half.trailing_zeros() as u8;
            half &= half.wrapping_sub(1);
            Square(first + bit)
        })
    };
    half(set as u64, 0).chain(half((set >> 64) as u64, 64))
}

/// A set of passages between neighbouring squares. Each passage is one bit, that of its southern or western square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Passages {
    /// The squares with a passage to the north.
    pub north: u128,
    /// The squares with a passage to the east.
    pub east: u128,
}

impl Passages {
    /// The empty set.
    pub const NONE: Passages = Passages { north: 0, east: 0 };

    /// The passage between two neighbouring squares, given as sets.
    pub fn between(a: u128, b: u128) -> Passages {
        let (low, high) = (a.min(b), a.max(b));
        if high == low << 1 {
            Passages { north: low, east: 0 }
        } else {
            Passages { north: 0, east: low }
        }
    }

    /// Whether the two sets have a passage in common.
    pub fn intersects(self, other: Passages) -> bool {
        self.north & other.north | self.east & other.east != 0
    }

    /// The squares that are one step away from a square of the set. Some of them may belong to the set themselves.
    pub fn neighbours(self, set: u128) -> u128 {
        (set & self.north) << 1
            | (set >> 1) & self.north
            | (set & self.east) << STRIDE
            | (set >> STRIDE) & self.east
    }

    /// All squares that can be reached from a set of squares, in any number of steps.
    pub fn reachable_from(self, set: u128) -> u128 {
        let mut reached = set;
        loop {
            let next = reached | self.neighbours(reached);
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }

    /// Floods from a set of squares until a goal is reached. Returns the squares that were reached by then and the
    /// number of steps, or none if no goal can be reached.
    pub fn flood_to(self, set: u128, goal: u128) -> Option<(u128, u32)> {
        let mut reached = set;
        let mut steps = 0;
        while reached & goal == 0 {
            let next = reached | self.neighbours(reached);
            if next == reached {
                return None;
            }
            reached = next;
            steps += 1;
        }
        Some((reached, steps))
    }
}

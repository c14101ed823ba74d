//! Squares, posts and passages between squares as bits, and sets of squares, posts and passages.
//!
//! Boards of every size have the same layout: the square on a file and rank (both counted from 0)
//! is bit `11 * file + rank` of a `u128`. So a step north is a shift by 1, and a step east is a
//! shift by [`FILE_STRIDE`]. 11 files of 11 ranks fit into the 128 bits. The order of the bits is
//! the order of the square names: by file, then by rank.
//!
//! A *post* is an inner corner, where four squares meet. The middle of a wall is on a post. The
//! post and the wall are named after the square to the lower left of the post. The post has the bit
//! of this square.
//!
//! On the largest board, bits that are shifted off the board wrap to the first or last rank of the
//! neighbouring file. So every shift comes with a mask that excludes the rank from which bits would
//! be shifted off.
//!
//! A flood (breadth-first search) extends a set of squares by one step in all directions at once,
//! with four shifts. The same works for posts. The "passages" of posts are the links along which
//! walls connect posts.

use pentarch_core::Point;
use pentarch_core::notation::points::BoardReflection;

/// The number of bits from one file to the next file. This is also the maximum number of ranks.
pub(crate) const FILE_STRIDE: u8 = 11;

/// A square, or the post at the upper right corner of a square, as its bit number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Square(pub u8);

impl Square {
    /// Returns the square at a point of the largest board.
    pub(crate) const fn new(point: Point) -> Square {
        Square(point.file * FILE_STRIDE + point.rank)
    }

    /// Returns the point of the square.
    pub const fn point(self) -> Point {
        Point::new(self.0 / FILE_STRIDE, self.0 % FILE_STRIDE)
    }

    /// Returns the set that contains only this square.
    pub const fn bit(self) -> u128 {
        1 << self.0
    }

    /// Returns the image of the square or post in a mirror. For a square, `size` is the number of
    /// files of the board. For a post, `size` is the number of files of posts.
    pub fn mirrored(self, mirror: BoardReflection, size: u8) -> Square {
        Square::new(mirror.reflect_point(self.point(), [size; 2]))
    }
}

/// Returns the squares of a set in ascending order.
pub(crate) fn iter_squares(set: u128) -> impl Iterator<Item = Square> {
    let half = |mut half: u64, first: u8| {
        (0..half.count_ones()).map(move |_| {
            let bit = half.trailing_zeros() as u8;
            half &= half.wrapping_sub(1);
            Square(first + bit)
        })
    };
    half(set as u64, 0).chain(half((set >> 64) as u64, 64))
}

/// A set of passages between neighbouring squares. The bit of a passage is the bit of its southern
/// or western square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PassageSet {
    /// The squares with a passage to the north.
    pub north: u128,
    /// The squares with a passage to the east.
    pub east: u128,
}

impl PassageSet {
    /// The empty set of passages.
    pub const EMPTY: PassageSet = PassageSet { north: 0, east: 0 };

    /// Returns the passage between two neighbouring squares, given as sets.
    pub fn between(a: u128, b: u128) -> PassageSet {
        let low = a.min(b);
        let high = a.max(b);
        if high == low << 1 {
            PassageSet { north: low, east: 0 }
        } else {
            PassageSet { north: 0, east: low }
        }
    }

    /// Returns whether the two sets have a common passage.
    pub fn intersects(self, other: PassageSet) -> bool {
        self.north & other.north | self.east & other.east != 0
    }

    /// Returns the squares that are one step away from a square of the set. Some squares of the
    /// result may be in the set.
    pub fn neighbours(self, set: u128) -> u128 {
        (set & self.north) << 1
            | (set >> 1) & self.north
            | (set & self.east) << FILE_STRIDE
            | (set >> FILE_STRIDE) & self.east
    }

    /// Returns all squares that can be reached from a set in any number of steps.
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

    /// Returns the number of steps from a set of squares to the nearest square of `goal`, or `None`
    /// if no goal square can be reached.
    pub fn distance(self, set: u128, goal: u128) -> Option<u32> {
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
        Some(steps)
    }
}

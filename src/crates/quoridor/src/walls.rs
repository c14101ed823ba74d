//! Walls, and sets of walls.

use std::fmt;
use std::ops::{BitAnd, BitOr};

use pentarch_core::notation::points::BoardReflection;

use super::board::Board;
use super::square_sets::{FILE_STRIDE, PassageSet, Square, iter_squares};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WallDirection {
    /// A wall between two ranks; written `h`.
    Horizontal,
    /// A wall between two files; written `v`.
    Vertical,
}

/// A wall on the board. The wall covers two edges, one on each side of its post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wall {
    /// The post at the middle of the wall.
    pub post: Square,
    pub direction: WallDirection,
}

impl WallDirection {
    /// Returns the letter of the direction in move strings.
    pub const fn letter(self) -> char {
        match self {
            WallDirection::Horizontal => 'h',
            WallDirection::Vertical => 'v',
        }
    }
}

impl Wall {
    /// Returns the mirror image.
    pub fn mirrored(self, board: &Board, mirror: BoardReflection) -> Wall {
        Wall { post: self.post.mirrored(mirror, board.size - 1), ..self }
    }
}

impl fmt::Display for Wall {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", self.post.point(), self.direction.letter())
    }
}

/// A set of walls, stored as the posts of its horizontal walls and the posts of its vertical walls.
/// The walls may overlap or cross each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Walls {
    /// The posts of the horizontal walls.
    pub horizontal: u128,
    /// The posts of the vertical walls.
    pub vertical: u128,
}

impl Walls {
    /// The empty set of walls.
    pub const EMPTY: Walls = Walls { horizontal: 0, vertical: 0 };

    /// Returns whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.horizontal | self.vertical == 0
    }

    /// Returns the number of walls in the set.
    pub fn count(self) -> u32 {
        self.horizontal.count_ones() + self.vertical.count_ones()
    }

    /// Returns whether the set contains a wall.
    pub fn contains(self, wall: Wall) -> bool {
        let posts = match wall.direction {
            WallDirection::Horizontal => self.horizontal,
            WallDirection::Vertical => self.vertical,
        };
        posts & wall.post.bit() != 0
    }

    /// Returns the walls of this set that are not in the other set.
    pub fn difference(self, other: Walls) -> Walls {
        Walls {
            horizontal: self.horizontal & !other.horizontal,
            vertical: self.vertical & !other.vertical,
        }
    }

    /// Returns the walls of the set: first the horizontal walls in ascending order, then the
    /// vertical walls.
    pub fn iter(self) -> impl Iterator<Item = Wall> {
        let horizontal = iter_squares(self.horizontal)
            .map(|post| Wall { post, direction: WallDirection::Horizontal });
        let vertical = iter_squares(self.vertical)
            .map(|post| Wall { post, direction: WallDirection::Vertical });
        horizontal.chain(vertical)
    }

    /// Returns the mirror image.
    pub fn mirrored(self, board: &Board, mirror: BoardReflection) -> Walls {
        self.iter().fold(Walls::EMPTY, |set, wall| set | wall.mirrored(board, mirror).into())
    }

    /// Returns the passages that these walls close. Each wall closes the passages across its two
    /// edges.
    pub fn closed_passages(self) -> PassageSet {
        PassageSet {
            north: self.horizontal | self.horizontal << FILE_STRIDE,
            east: self.vertical | self.vertical << 1,
        }
    }
}

impl PassageSet {
    /// Returns the passages of this set that the walls leave open.
    pub fn without_walls(self, walls: Walls) -> PassageSet {
        let closed = walls.closed_passages();
        PassageSet { north: self.north & !closed.north, east: self.east & !closed.east }
    }

    /// Returns the walls that close at least one of these passages. Some of these walls may not fit
    /// on the board.
    pub fn crossing_walls(self) -> Walls {
        Walls {
            horizontal: self.north | self.north >> FILE_STRIDE,
            vertical: self.east | self.east >> 1,
        }
    }
}

impl From<Wall> for Walls {
    fn from(wall: Wall) -> Walls {
        match wall.direction {
            WallDirection::Horizontal => Walls { horizontal: wall.post.bit(), vertical: 0 },
            WallDirection::Vertical => Walls { horizontal: 0, vertical: wall.post.bit() },
        }
    }
}

impl BitAnd for Walls {
    type Output = Walls;

    fn bitand(self, other: Walls) -> Walls {
        Walls {
            horizontal: self.horizontal & other.horizontal,
            vertical: self.vertical & other.vertical,
        }
    }
}

impl BitOr for Walls {
    type Output = Walls;

    fn bitor(self, other: Walls) -> Walls {
        Walls {
            horizontal: self.horizontal | other.horizontal,
            vertical: self.vertical | other.vertical,
        }
    }
}

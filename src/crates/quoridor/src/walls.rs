//! Walls, and sets of them.

use std::fmt;
use std::ops::{BitAnd, BitOr};

use pentarch_core::notation::points::Mirror;

use super::board::Board;
use super::square_sets::{Passages, STRIDE, Square, squares};

/// The direction in which a wall lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WallDirection {
    /// Between two ranks; written `h`.
    Horizontal,
    /// Between two files; written `v`.
    Vertical,
}

/// A wall on the board: two edges long, one on either side of its post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wall {
    /// The post at its middle.
    pub post: Square,
    /// The direction in which it lies.
    pub direction: WallDirection,
}

impl WallDirection {
    /// The letter of the direction in move texts.
    pub const fn letter(self) -> char {
        match self {
            WallDirection::Horizontal => 'h',
            WallDirection::Vertical => 'v',
        }
    }
}

impl Wall {
    /// The image in a mirror.
    pub fn mirrored(self, board: &Board, mirror: Mirror) -> Wall {
        Wall { post: self.post.mirrored(mirror, board.size - 1), ..self }
    }
}

impl fmt::Display for Wall {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", self.post.point(), self.direction.letter())
    }
}

/// A set of walls, given by the posts of the horizontal ones and of the vertical ones. The walls of a set may overlap
/// or cross each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Walls {
    /// The posts of the horizontal walls.
    pub horizontal: u128,
    /// The posts of the vertical walls.
    pub vertical: u128,
}

impl Walls {
    /// The empty set.
    pub const NONE: Walls = Walls { horizontal: 0, vertical: 0 };

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.horizontal | self.vertical == 0
    }

    /// The number of walls in the set.
    pub fn count(self) -> u32 {
        self.horizontal.count_ones() + self.vertical.count_ones()
    }

    /// Whether this wall is in the set.
    pub fn contains(self, wall: Wall) -> bool {
        let posts = match wall.direction {
            WallDirection::Horizontal => self.horizontal,
            WallDirection::Vertical => self.vertical,
        };
        posts & wall.post.bit() != 0
    }

    /// The walls of this set that are not in the other one.
    pub fn difference(self, other: Walls) -> Walls {
        Walls {
            horizontal: self.horizontal & !other.horizontal,
            vertical: self.vertical & !other.vertical,
        }
    }

    /// The walls of the set: the horizontal ones in the order of their texts, then the vertical ones.
    pub fn iter(self) -> impl Iterator<Item = Wall> {
        let horizontal =
            squares(self.horizontal).map(|post| Wall { post, direction: WallDirection::Horizontal });
        let vertical =
            squares(self.vertical).map(|post| Wall { post, direction: WallDirection::Vertical });
        horizontal.chain(vertical)
    }

    /// The image in a mirror.
    pub fn mirrored(self, board: &Board, mirror: Mirror) -> Walls {
        self.iter().fold(Walls::NONE, |set, wall| set | wall.mirrored(board, mirror).into())
    }

    /// The passages that these walls close: each closes the two edges on which it lies.
    pub fn closed_passages(self) -> Passages {
        Passages {
            north: self.horizontal | self.horizontal << STRIDE,
            east: self.vertical | self.vertical << 1,
        }
    }
}

impl Passages {
    /// The passages of this set that these walls do not close.
    pub fn without(self, walls: Walls) -> Passages {
        let closed = walls.closed_passages();
        Passages { north: self.north & !closed.north, east: self.east & !closed.east }
    }

    /// The walls that close at least one of these passages. Some of them may not fit on the board.
    pub fn crossing_walls(self) -> Walls {
        Walls {
            horizontal: self.north | self.north >> STRIDE,
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

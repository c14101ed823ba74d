//! Passages between squares, floods through them, and shortest ways.
//!
//! A flood spreads a whole set of squares by one step in all directions at once, with four shifts. The same works for
//! posts, where the "passages" are the edges along which walls join them.

use super::board::STRIDE;
use super::walls::Walls;

/// Between which squares one can pass. Each passage is one bit, of its southern or western square: what is open to the
/// north of a square is open to the south of the one beyond.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passages {
    /// The squares from which one can go north.
    pub north: u128,
    /// The squares from which one can go east.
    pub east: u128,
}

impl Passages {
    /// No passage at all.
    pub const NONE: Passages = Passages { north: 0, east: 0 };

    /// The one passage between two neighbouring squares, open or not.
    pub fn between(a: u128, b: u128) -> Passages {
        let (low, high) = (a.min(b), a.max(b));
        if high == low << 1 { Passages { north: low, east: 0 } } else { Passages { north: 0, east: low } }
    }

    /// Whether two sets have a passage in common.
    pub fn shares(self, other: Passages) -> bool {
        self.north & other.north | self.east & other.east != 0
    }

    /// The passages that are left when these walls are put up.
    pub fn without(self, walls: Walls) -> Passages {
        let closed = walls.edges();
        Passages { north: self.north & !closed.north, east: self.east & !closed.east }
    }

    /// The squares one step away from a set of squares; some may be of the set itself.
    pub fn around(self, set: u128) -> u128 {
        (set & self.north) << 1 | (set >> 1) & self.north | (set & self.east) << STRIDE | (set >> STRIDE) & self.east
    }

    /// All squares that can be reached from a set of squares, in any number of steps.
    pub fn fill(self, set: u128) -> u128 {
        let mut reached = set;
        loop {
            let next = reached | self.around(reached);
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }

    /// Floods from a set of squares until a goal is reached: what was flooded by then, and after how many steps; none
    /// if no goal can be reached.
    pub fn flood_to(self, set: u128, goal: u128) -> Option<(u128, u32)> {
        let mut reached = set;
        let mut steps = 0;
        while reached & goal == 0 {
            let next = reached | self.around(reached);
            if next == reached {
                return None;
            }
            reached = next;
            steps += 1;
        }
        Some((reached, steps))
    }

    /// A shortest way from one square to the nearest goal; none if there is no way.
    ///
    /// The flood starts at the goal and keeps its rings, the squares at the same distance, so that the way can be
    /// walked back downhill. Distances of neighbouring squares differ by one at most, hence three sets are enough for
    /// all rings: distances modulo 3 tell uphill, level and downhill apart.
    pub fn route(self, from: u128, goal: u128) -> Option<Route> {
        let mut rings = [goal, 0, 0];
        let mut reached = goal;
        let mut nearer = 0;
        let mut length = 0;
        while reached & from == 0 {
            let ring = self.around(reached) & !reached;
            if ring == 0 {
                return None;
            }
            length += 1;
            rings[length % 3] |= ring;
            nearer = reached;
            reached |= ring;
        }
        let mut way = Passages { north: 0, east: 0 };
        let mut at = from;
        for distance in (0..length).rev() {
            let downhill = self.around(at) & rings[distance % 3];
            let next = downhill & downhill.wrapping_neg();
            let passed = Passages::between(at, next);
            way = Passages { north: way.north | passed.north, east: way.east | passed.east };
            at = next;
        }
        Some(Route { way, nearer })
    }

    /// The walls that close one of these passages at least. Some of them may be no walls of the board.
    pub fn crossed_by(self) -> Walls {
        Walls { horizontal: self.north | self.north >> STRIDE, vertical: self.east | self.east >> 1 }
    }
}

/// A shortest way to a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Route {
    /// The passages it takes.
    pub way: Passages,
    /// All squares, on the way or off it, that are nearer to the goal than its beginning.
    pub nearer: u128,
}

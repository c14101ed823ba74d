//! Passages between squares, floods through them, and shortest ways.
//!
//! A flood spreads a whole set of squares by one step in all directions at once, with four shifts. The same works for
//! posts, where the "passages" are the edges along which walls join them.

use crate::core::Side;

use super::board::{Board, STRIDE};
use super::loops::Loops;
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

    /// The shortest ways from one square to the nearest goal; none if there is no way.
    ///
    /// The flood starts at the goal and keeps its rings, the squares at the same distance, so that a way can be walked
    /// back downhill. Distances of neighbouring squares differ by one at most, hence three sets are enough for all
    /// rings: distances modulo 3 tell uphill, level and downhill apart.
    pub fn route(self, from: u128, goal: u128) -> Option<Route> {
        let mut rings = [goal, 0, 0];
        let mut reached = goal;
        let mut nearer = 0;
        let mut length: u32 = 0;
        while reached & from == 0 {
            let ring = self.around(reached) & !reached;
            if ring == 0 {
                return None;
            }
            length += 1;
            rings[length as usize % 3] |= ring;
            nearer = reached;
            reached |= ring;
        }
        let mut route = Route { from, length, way: Passages::NONE, nearer, rings };
        let mut at = from;
        for next in route.walk(self) {
            let passed = Passages::between(at, next);
            route.way = Passages { north: route.way.north | passed.north, east: route.way.east | passed.east };
            at = next;
        }
        Some(route)
    }

    /// The walls that close one of these passages at least. Some of them may be no walls of the board.
    pub fn crossed_by(self) -> Walls {
        Walls { horizontal: self.north | self.north >> STRIDE, vertical: self.east | self.east >> 1 }
    }
}

/// The shortest ways from a square to a goal, and one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Route {
    /// Where they begin.
    from: u128,
    /// How many steps they take.
    pub length: u32,
    /// The passages that one of them takes.
    pub way: Passages,
    /// All squares, on a way or off it, that are nearer to the goal than the beginning.
    pub nearer: u128,
    /// The squares up to the distance of the beginning, by their distances modulo 3.
    rings: [u128; 3],
}

impl Route {
    /// The squares after the first on the way that the route [takes](Route::way), when these passages are open.
    pub fn walk(self, open: Passages) -> impl Iterator<Item = u128> {
        let mut at = self.from;
        (0..self.length).rev().map(move |distance| {
            let downhill = open.around(at) & self.rings[distance as usize % 3];
            at = downhill & downhill.wrapping_neg();
            at
        })
    }

    /// The passages that any of the shortest ways takes, when these are open.
    pub fn passages(&self, open: Passages) -> Passages {
        let mut front = self.from;
        let mut squares = self.from;
        for distance in (0..self.length).rev() {
            front = open.around(front) & self.rings[distance as usize % 3];
            squares |= front;
        }
        // Of two neighbours that shortest ways come by, one is a step nearer, and the passage is on a way; or both are
        // equally far.
        let level = |by: u8| self.rings.iter().fold(0, |level, ring| level | ring & ring >> by);
        Passages {
            north: open.north & squares & squares >> 1 & !level(1),
            east: open.east & squares & squares >> STRIDE & !level(STRIDE),
        }
    }

    /// The walls that cross every shortest way of this side's pawn, so that its way becomes longer or is closed. Some
    /// of them may have no room on the board.
    pub fn lengthening(&self, board: &Board, open: Passages, side: Side) -> Walls {
        let ways = self.passages(open);
        let [loops] = Loops::of(board, Passages { north: !ways.north, east: !ways.east }, [side]);
        loops.parting(self.way)
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::squares;
    use super::super::samples::random_position;
    use super::*;

    /// What a flood from either end says of each passage, and what a flood for each wall says of the way after it.
    #[test]
    fn shortest_ways_and_the_walls_that_lengthen_them_are_those_of_plain_floods() {
        let mut rng = fastrand::Rng::with_seed(12);
        for size in [3, 5, 7, 9, 11] {
            let board = Board::new(size);
            let mut longer = 0;
            for _ in 0..1000 {
                let position = random_position(&board, &mut rng);
                let open = position.open(&board);
                for side in Side::BOTH {
                    let (pawn, goal) = (position.pawn(side).bit(), board.goals[side.index()]);
                    let steps = |open: Passages, from| open.flood_to(from, goal).map(|(_, steps)| steps);
                    let route = open.route(pawn, goal).unwrap();
                    assert_eq!(Some(route.length), steps(open, pawn));
                    let passages = route.passages(open);
                    let on_way = |from: u128, to: u128| {
                        let before = open.flood_to(pawn, from).unwrap().1;
                        steps(open, to).is_some_and(|after| before + 1 + after == route.length)
                    };
                    let reached = open.fill(pawn);
                    let between =
                        |low: u128, high: u128| reached & low != 0 && (on_way(low, high) || on_way(high, low));
                    let north = squares(open.north).filter(|low| between(low.bit(), low.bit() << 1));
                    let east = squares(open.east).filter(|low| between(low.bit(), low.bit() << STRIDE));
                    assert_eq!(passages.north, north.fold(0, |set, low| set | low.bit()));
                    assert_eq!(passages.east, east.fold(0, |set, low| set | low.bit()));
                    let lengthening = route.lengthening(&board, open, side);
                    for wall in (Walls { horizontal: board.posts, vertical: board.posts }).iter() {
                        let after = steps(open.without(wall.into()), pawn);
                        assert_eq!(lengthening.contains(wall), after != Some(route.length), "{position:?} {wall}");
                        longer += usize::from(after > Some(route.length));
                    }
                }
            }
            assert!(longer > 1000, "{longer} of size {size}");
        }
    }
}

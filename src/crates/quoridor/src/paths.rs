//! Passages between squares, floods through them (breadth-first search), and shortest paths.
//!
//! A flood extends a set of squares by one step in all directions at once, with four shifts. The same works for posts:
//! their "passages" are the edges along which walls join them.

use pentarch_core::Side;

use super::blocking_walls::Loops;
use super::board::{Board, STRIDE};
use super::walls::Walls;

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
    pub fn shares(self, other: Passages) -> bool {
        self.north & other.north | self.east & other.east != 0
    }

    /// The passages of this set that these walls do not close.
    pub fn without(self, walls: Walls) -> Passages {
        let closed = walls.edges();
        Passages { north: self.north & !closed.north, east: self.east & !closed.east }
    }

    /// The squares that are one step away from a square of the set. Some of them may belong to the set themselves.
    pub fn around(self, set: u128) -> u128 {
        (set & self.north) << 1
            | (set >> 1) & self.north
            | (set & self.east) << STRIDE
            | (set >> STRIDE) & self.east
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

    /// Floods from a set of squares until a goal is reached. Returns the squares that were reached by then and the
    /// number of steps, or none if no goal can be reached.
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

    /// The shortest paths from a square, given as a set, to the nearest goal; none if there is no path.
    ///
    /// The flood starts at the goal and keeps its rings, the sets of squares at the same distance, so that a path can
    /// be followed from the square back to the goal. The distances of neighbouring squares differ by one at most, so
    /// distances modulo 3 tell which neighbours are nearer, and three sets are enough for all rings.
    pub fn shortest_paths(self, from: u128, goal: u128) -> Option<ShortestPaths> {
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
        let mut paths = ShortestPaths { from, length, path: Passages::NONE, nearer, rings };
        let mut at = from;
        for next in paths.squares_after(self) {
            let passed = Passages::between(at, next);
            paths.path = Passages {
                north: paths.path.north | passed.north,
                east: paths.path.east | passed.east,
            };
            at = next;
        }
        Some(paths)
    }

    /// The walls that close at least one of these passages. Some of them may not fit on the board.
    pub fn crossed_by(self) -> Walls {
        Walls {
            horizontal: self.north | self.north >> STRIDE,
            vertical: self.east | self.east >> 1,
        }
    }
}

/// The shortest paths from a square to a goal, and one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ShortestPaths {
    /// The square from which they lead.
    from: u128,
    /// The number of steps.
    pub length: u32,
    /// The passages of one of the paths.
    pub path: Passages,
    /// All squares that are nearer to the goal than the first square, whether they are on such a path or not.
    pub nearer: u128,
    /// The squares whose distance to the goal is at most `length`, by this distance modulo 3.
    rings: [u128; 3],
}

impl ShortestPaths {
    /// The squares after the first on the chosen [path](ShortestPaths::path), in order, each as a set. `open` are the
    /// passages with which the paths were found.
    pub fn squares_after(self, open: Passages) -> impl Iterator<Item = u128> {
        let mut at = self.from;
        (0..self.length).rev().map(move |distance| {
            let nearer = open.around(at) & self.rings[distance as usize % 3];
            at = nearer & nearer.wrapping_neg();
            at
        })
    }

    /// The passages that lie on any of the shortest paths. `open` are the passages with which the paths were found.
    pub fn passages(&self, open: Passages) -> Passages {
        let mut front = self.from;
        let mut squares = self.from;
        for distance in (0..self.length).rev() {
            front = open.around(front) & self.rings[distance as usize % 3];
            squares |= front;
        }
        // Two neighbouring squares on shortest paths are either at different distances, and then the passage between
        // them lies on a shortest path, or at the same distance, and then it does not.
        let level = |by: u8| self.rings.iter().fold(0, |level, ring| level | ring & ring >> by);
        Passages {
            north: open.north & squares & squares >> 1 & !level(1),
            east: open.east & squares & squares >> STRIDE & !level(STRIDE),
        }
    }

    /// The walls that cross every shortest path, so that the distance grows or no path is left. The paths are those of
    /// the pawn of this side, and `open` are the passages with which they were found. Some of these walls may not fit
    /// on the board.
    pub fn lengthening(&self, board: &Board, open: Passages, side: Side) -> Walls {
        let on_paths = self.passages(open);
        let [loops] =
            Loops::of(board, Passages { north: !on_paths.north, east: !on_paths.east }, [side]);
        loops.parting(self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::squares;
    use super::super::test_positions::random_position;
    use super::*;

    /// Compares with floods from both ends for each passage, and with a flood after each wall.
    #[test]
    fn shortest_paths_and_the_walls_that_lengthen_them_are_those_of_plain_floods() {
        let mut rng = fastrand::Rng::with_seed(12);
        for size in 3..=11 {
            let board = Board::new(size);
            let mut longer = 0;
            for _ in 0..1000 {
                let position = random_position(&board, &mut rng);
                let open = position.open(&board);
                for side in Side::BOTH {
                    let (pawn, goal) = (position.pawn(side).bit(), board.goals[side.index()]);
                    let steps =
                        |open: Passages, from| open.flood_to(from, goal).map(|(_, steps)| steps);
                    let paths = open.shortest_paths(pawn, goal).unwrap();
                    assert_eq!(Some(paths.length), steps(open, pawn));
                    let passages = paths.passages(open);
                    let on_path = |from: u128, to: u128| {
                        let before = open.flood_to(pawn, from).unwrap().1;
                        steps(open, to).is_some_and(|after| before + 1 + after == paths.length)
                    };
                    let reached = open.fill(pawn);
                    let between = |low: u128, high: u128| {
                        reached & low != 0 && (on_path(low, high) || on_path(high, low))
                    };
                    let north =
                        squares(open.north).filter(|low| between(low.bit(), low.bit() << 1));
                    let east =
                        squares(open.east).filter(|low| between(low.bit(), low.bit() << STRIDE));
                    assert_eq!(passages.north, north.fold(0, |set, low| set | low.bit()));
                    assert_eq!(passages.east, east.fold(0, |set, low| set | low.bit()));
                    let lengthening = paths.lengthening(&board, open, side);
                    for wall in (Walls { horizontal: board.posts, vertical: board.posts }).iter() {
                        let after = steps(open.without(wall.into()), pawn);
                        assert_eq!(
                            lengthening.contains(wall),
                            after != Some(paths.length),
                            "{position:?} {wall}"
                        );
                        longer += usize::from(after > Some(paths.length));
                    }
                }
            }
            assert!(longer > 1000, "{longer} of size {size}");
        }
    }
}

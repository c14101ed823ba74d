//! Shortest paths between squares, and the walls that lengthen them.

use pentarch_core::Side;

use super::blocking_walls::LoopClosingWalls;
use super::board::Board;
use super::square_sets::{Passages, STRIDE};
use super::walls::Walls;

impl Passages {
    /// The shortest paths from a square, given as a set, to the nearest goal; none if there is no path.
    ///
    /// The flood starts at the goal and keeps its rings, the sets of squares at the same distance, so that a path can
    /// be followed from the square back to the goal. The distances of neighbouring squares differ by one at most, so
    /// distances modulo 3 tell which neighbours are nearer, and three sets are enough for all rings.
    pub(crate) fn shortest_paths(self, from: u128, goal: u128) -> Option<ShortestPaths> {
        let mut rings = [goal, 0, 0];
        let mut reached = goal;
        let mut nearer_squares = 0;
        let mut length: u32 = 0;
        while reached & from == 0 {
            let ring = self.neighbours(reached) & !reached;
            if ring == 0 {
                return None;
            }
            length += 1;
            rings[length as usize % 3] |= ring;
            nearer_squares = reached;
            reached |= ring;
        }
        let mut paths = ShortestPaths { from, length, path: Passages::NONE, nearer_squares, rings };
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
    pub nearer_squares: u128,
    /// The squares whose distance to the goal is at most `length`, by this distance modulo 3.
    rings: [u128; 3],
}

impl ShortestPaths {
    /// The squares after the first on the chosen [path](ShortestPaths::path), in order, each as a set. `open` are the
    /// passages with which the paths were found.
    pub fn squares_after(self, open: Passages) -> impl Iterator<Item = u128> {
        let mut at = self.from;
        (0..self.length).rev().map(move |distance| {
            let nearer_squares = open.neighbours(at) & self.rings[distance as usize % 3];
            at = nearer_squares & nearer_squares.wrapping_neg();
            at
        })
    }

    /// The passages that lie on any of the shortest paths. `open` are the passages with which the paths were found.
    pub fn passages(&self, open: Passages) -> Passages {
        let mut front = self.from;
        let mut squares = self.from;
        for distance in (0..self.length).rev() {
            front = open.neighbours(front) & self.rings[distance as usize % 3];
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
    pub fn lengthening_walls(&self, board: &Board, open: Passages, side: Side) -> Walls {
        let on_paths = self.passages(open);
        let [loops] =
            LoopClosingWalls::of(board, Passages { north: !on_paths.north, east: !on_paths.east }, [side]);
        loops.separating_walls(self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::super::square_sets::squares;
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
                let open = position.open_passages(&board);
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
                    let reached = open.reachable_from(pawn);
                    let between = |low: u128, high: u128| {
                        reached & low != 0 && (on_path(low, high) || on_path(high, low))
                    };
                    let north =
                        squares(open.north).filter(|low| between(low.bit(), low.bit() << 1));
                    let east =
                        squares(open.east).filter(|low| between(low.bit(), low.bit() << STRIDE));
                    assert_eq!(passages.north, north.fold(0, |set, low| set | low.bit()));
                    assert_eq!(passages.east, east.fold(0, |set, low| set | low.bit()));
                    let lengthening_walls = paths.lengthening_walls(&board, open, side);
                    for wall in (Walls { horizontal: board.posts, vertical: board.posts }).iter() {
                        let after = steps(open.without(wall.into()), pawn);
                        assert_eq!(
                            lengthening_walls.contains(wall),
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

//! Shortest paths between squares, and the walls that lengthen these paths.

use pentarch_core::Side;

use super::blocking_walls::LoopClosingWalls;
use super::board::Board;
use super::square_sets::{FILE_STRIDE, PassageSet};
use super::walls::Walls;

impl PassageSet {
    /// Returns the shortest paths from a square to the nearest goal square, or `None` if there is
    /// no path. The square is given as a set.
    ///
    /// A flood starts at the goal and stores its rings. A ring is a set of squares at the same
    /// distance. With the rings, a path can be followed from the square to the goal. The distances
    /// of two neighbours with an open passage between them differ by at most one. So distances
    /// modulo 3 are enough to show which neighbours are nearer, and three sets are enough for all
    /// rings.
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
        let mut paths =
            ShortestPaths { from, length, path: PassageSet::EMPTY, nearer_squares, rings };
        let mut at = from;
        for next in paths.chosen_path_squares(self) {
            let passed = PassageSet::between(at, next);
            paths.path = PassageSet {
                north: paths.path.north | passed.north,
                east: paths.path.east | passed.east,
            };
            at = next;
        }
        Some(paths)
    }
}

/// All shortest paths from a square to a goal. `path` is one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ShortestPaths {
    /// The square where the paths start.
    from: u128,
    /// The number of steps of each path.
    pub length: u32,
    /// The passages of the chosen path.
    pub path: PassageSet,
    /// All squares that are nearer to the goal than the first square. These squares need not be on
    /// a shortest path.
    pub nearer_squares: u128,
    /// The squares within `length` steps of the goal, by their distance to the goal modulo 3.
    rings: [u128; 3],
}

impl ShortestPaths {
    /// Returns the squares of the chosen [path](ShortestPaths::path) in order, without the first
    /// square. Each square is given as a set. `open` are the passages with which the paths were
    /// found.
    pub(crate) fn chosen_path_squares(self, open: PassageSet) -> impl Iterator<Item = u128> {
        let mut at = self.from;
        (0..self.length).rev().map(move |distance| {
            let nearer_squares = open.neighbours(at) & self.rings[distance as usize % 3];
            at = nearer_squares & nearer_squares.wrapping_neg();
            at
        })
    }

    /// Returns all passages that are on at least one shortest path. `open` are the passages with
    /// which the paths were found.
    pub(crate) fn passages(&self, open: PassageSet) -> PassageSet {
        let mut front = self.from;
        let mut squares = self.from;
        for distance in (0..self.length).rev() {
            front = open.neighbours(front) & self.rings[distance as usize % 3];
            squares |= front;
        }
        // If two neighbouring squares are on shortest paths, the passage between them is also on a
        // shortest path, unless both squares have the same distance to the goal.
        let same_ring = |by: u8| self.rings.iter().fold(0, |set, ring| set | ring & ring >> by);
        PassageSet {
            north: open.north & squares & squares >> 1 & !same_ring(1),
            east: open.east & squares & squares >> FILE_STRIDE & !same_ring(FILE_STRIDE),
        }
    }

    /// Returns the walls that cross every shortest path, so that the distance grows or no path is
    /// left. The paths must be those of this side's pawn. `open` are the passages with which the
    /// paths were found. Some of these walls may not fit on the board.
    pub(crate) fn lengthening_walls(&self, board: &Board, open: PassageSet, side: Side) -> Walls {
        let on_paths = self.passages(open);
        let [loops] = LoopClosingWalls::find(
            board,
            PassageSet { north: !on_paths.north, east: !on_paths.east },
            [side],
        );
        loops.separating_walls(self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::super::square_sets::iter_squares;
    use super::super::test_positions::random_position;
    use super::*;

    /// Compares the passages on shortest paths with distances from both ends, and the lengthening
    /// walls with a flood after each wall.
    #[test]
    fn agrees_with_plain_floods() {
        let mut rng = fastrand::Rng::with_seed(12);
        for size in 3..=11 {
            let board = Board::new(size);
            let mut longer = 0;
            for _ in 0..1000 {
                let position = random_position(&board, &mut rng);
                let open = position.open_passages(&board);
                for side in Side::BOTH_SIDES {
                    let pawn = position.pawn(side).bit();
                    let goal = board.goals[side.index()];
                    let steps = |open: PassageSet, from| open.distance(from, goal);
                    let paths = open.shortest_paths(pawn, goal).unwrap();
                    assert_eq!(Some(paths.length), steps(open, pawn));
                    let passages = paths.passages(open);
                    let on_path = |from: u128, to: u128| {
                        let before = open.distance(pawn, from).unwrap();
                        steps(open, to).is_some_and(|after| before + 1 + after == paths.length)
                    };
                    let reached = open.reachable_from(pawn);
                    let between = |low: u128, high: u128| {
                        reached & low != 0 && (on_path(low, high) || on_path(high, low))
                    };
                    let north =
                        iter_squares(open.north).filter(|low| between(low.bit(), low.bit() << 1));
                    let east = iter_squares(open.east)
                        .filter(|low| between(low.bit(), low.bit() << FILE_STRIDE));
                    assert_eq!(passages.north, north.fold(0, |set, low| set | low.bit()));
                    assert_eq!(passages.east, east.fold(0, |set, low| set | low.bit()));
                    let lengthening_walls = paths.lengthening_walls(&board, open, side);
                    for wall in (Walls { horizontal: board.posts, vertical: board.posts }).iter() {
                        let after = steps(open.without_walls(wall.into()), pawn);
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

//! A flood from a pawn and a flood from its goal. Together the two floods show the number of steps
//! that a wall adds to the shortest path. The floods also show how long the pawn's path becomes if
//! the path begins with a step that is not on a shortest path.
//!
//! A separate flood for each wall would be slow. But a wall does not change all distances. If a
//! square is nearer to the pawn than the wall, its distance from the pawn stays the same. If a
//! square is nearer to the goal than the wall, its distance to the goal stays the same. So both
//! floods are stored level by level. For each wall, a new flood covers only the gap between these
//! two unaffected sets of squares.

use pentarch_core::Side;

use super::board::Board;
use super::position::Position;
use super::shortest_paths::ShortestPaths;
use super::square_sets::{FILE_STRIDE, PassageSet};
use super::walls::{Wall, Walls};

/// The maximum number of levels that a flood stores. Most paths have fewer steps. For longer paths,
/// the new flood after a wall covers a larger gap.
const MAX_FLOOD_LEVELS: usize = 32;

/// A flood, stored level by level.
#[derive(Debug, Clone)]
struct FloodLevels {
    /// The levels. The set at index `n` contains the squares within `n` steps of the start.
    sets: [u128; MAX_FLOOD_LEVELS],
    /// The number of stored levels.
    count: usize,
}

impl FloodLevels {
    const EMPTY: FloodLevels = FloodLevels { sets: [0; MAX_FLOOD_LEVELS], count: 0 };

    /// Floods from the set `from` until a square of `to` is reached, and stores the levels.
    fn flood(&mut self, open: PassageSet, from: u128, to: u128) {
        let mut reached = from;
        for (number, set) in self.sets.iter_mut().enumerate() {
            *set = reached;
            self.count = number + 1;
            if reached & to != 0 {
                return;
            }
            reached |= open.neighbours(reached);
        }
    }

    /// Returns the last level that does not change if passages next to these squares are closed,
    /// and that level's number.
    fn last_unaffected_level(&self, squares: u128) -> (u128, u32) {
        let (&last, before) = self.sets[..self.count].split_last().unwrap_or((&0, &[]));
        let touched = before.iter().zip(0..).find(|(set, _)| **set & squares != 0);
        touched.map_or((last, before.len() as u32), |(&set, number)| (set, number))
    }
}

/// The floods from a pawn and from its goal.
#[derive(Debug, Clone)]
pub(crate) struct BidirectionalFlood {
    open: PassageSet,
    pawn: u128,
    /// The length of the shortest paths.
    length: u32,
    from_pawn: FloodLevels,
    from_goal: FloodLevels,
}

impl BidirectionalFlood {
    /// A value that contains no floods.
    pub(crate) const EMPTY: BidirectionalFlood = BidirectionalFlood {
        open: PassageSet::EMPTY,
        pawn: 0,
        length: 0,
        from_pawn: FloodLevels::EMPTY,
        from_goal: FloodLevels::EMPTY,
    };

    /// Computes the floods for the first side's pawn and for the second side's pawn. `paths` are
    /// the shortest paths of these pawns.
    #[inline]
    pub(crate) fn for_both_pawns(
        board: &Board,
        position: &Position,
        open: PassageSet,
        paths: &[ShortestPaths; 2],
    ) -> [BidirectionalFlood; 2] {
        let mut both = [BidirectionalFlood::EMPTY; 2];
        for (side, flood) in Side::BOTH_SIDES.into_iter().zip(&mut both) {
            let pawn = position.pawn(side).bit();
            let goal = board.goals[side.index()];
            flood.flood(open, pawn, goal, paths[side.index()].length);
        }
        both
    }

    /// Floods from a pawn and from its goal, both given as sets of squares. `length` is the length
    /// of the shortest paths from the pawn to the goal through the passages `open`. The floods are
    /// written into `self`, because copying them would be slow.
    fn flood(&mut self, open: PassageSet, pawn: u128, goal: u128, length: u32) {
        self.open = open;
        self.pawn = pawn;
        self.length = length;
        self.from_pawn.flood(open, pawn, goal);
        self.from_goal.flood(open, goal, pawn);
    }

    /// Returns the number of steps that a wall adds to the shortest path. The wall must cross all
    /// shortest paths, but must leave the pawn a path.
    pub(crate) fn steps_added_by_wall(&self, wall: Wall) -> u32 {
        let closed = Walls::from(wall).closed_passages();
        let touched = closed.north | closed.north << 1 | closed.east | closed.east << FILE_STRIDE;
        let (mut reached, mut steps) = self.from_pawn.last_unaffected_level(touched);
        let (goal, remaining_steps) = self.from_goal.last_unaffected_level(touched);
        let open = self.open.without_walls(wall.into());
        while reached & goal == 0 {
            let next = reached | open.neighbours(reached);
            if next == reached {
                return 0;
            }
            reached = next;
            steps += 1;
        }
        (steps + remaining_steps).saturating_sub(self.length)
    }

    /// Returns the detours of the pawn's possible steps in ascending order. The detour of a step is
    /// the difference in length between the shortest path that begins with this step and the pawn's
    /// shortest path. The path that begins with the step must not return to the pawn's square. The
    /// other pawn is ignored.
    ///
    /// The value is `max_detour` for a longer detour, or for a step that leaves no path. If there
    /// are fewer than four steps, the remaining values are also `max_detour`.
    pub(crate) fn detours_by_step(&self, max_detour: u32) -> [u32; 4] {
        let pawn = self.pawn;
        let open = PassageSet {
            north: self.open.north & !(pawn | pawn >> 1),
            east: self.open.east & !(pawn | pawn >> FILE_STRIDE),
        };
        let mut steps = self.open.neighbours(pawn);
        let mut detours = [max_detour; 4];
        let mut number = 0;
        // The stored levels include paths that return to the pawn's square, which are not allowed
        // here. They are valid up to the first level that contains this square or one of its
        // neighbours.
        let (mut reached, mut length) = self.from_goal.last_unaffected_level(pawn | steps);
        loop {
            for _ in 0..(steps & reached).count_ones() {
                detours[number] = (length + 1).saturating_sub(self.length).min(max_detour);
                number += 1;
            }
            steps &= !reached;
            let next = reached | open.neighbours(reached);
            if steps == 0 || next == reached || length + 1 >= self.length + max_detour {
                return detours;
            }
            reached = next;
            length += 1;
        }
    }

    /// Returns the squares on the shortest paths. If the paths have more steps than a flood can
    /// store, returns only the pawn's square.
    pub(crate) fn path_squares(&self) -> u128 {
        let length = self.length as usize;
        if length >= MAX_FLOOD_LEVELS {
            return self.pawn;
        }
        (0..=length).fold(0, |set, steps| {
            set | self.from_pawn.sets[steps] & self.from_goal.sets[length - steps]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::square_sets::iter_squares;
    use super::super::test_positions::random_position;
    use super::*;

    /// Compares the results with plain floods.
    #[test]
    fn agrees_with_plain_floods() {
        let mut rng = fastrand::Rng::with_seed(14);
        for size in 3..=11 {
            let board = Board::new(size);
            let (mut longer, mut dead_ends) = (0, 0);
            for _ in 0..1000 {
                let position = random_position(&board, &mut rng);
                let open = position.open_passages(&board);
                for side in Side::BOTH_SIDES {
                    let pawn = position.pawn(side).bit();
                    let goal = board.goals[side.index()];
                    let paths = open.shortest_paths(pawn, goal).unwrap();
                    let steps = |open: PassageSet, from| open.distance(from, goal);
                    let mut flood = BidirectionalFlood::EMPTY;
                    flood.flood(open, pawn, goal, paths.length);
                    for wall in paths.lengthening_walls(&board, open, side).iter() {
                        let Some(after) = steps(open.without_walls(wall.into()), pawn) else {
                            continue;
                        };
                        assert_eq!(
                            flood.steps_added_by_wall(wall),
                            after - paths.length,
                            "{position:?} {wall}"
                        );
                        longer += usize::from(after > paths.length + 1);
                    }
                    let around =
                        PassageSet { north: pawn | pawn >> 1, east: pawn | pawn >> FILE_STRIDE };
                    let closed = PassageSet {
                        north: open.north & !around.north,
                        east: open.east & !around.east,
                    };
                    let mut detours_by_step: Vec<u32> = iter_squares(open.neighbours(pawn))
                        .map(|square| {
                            steps(closed, square.bit())
                                .map_or(9, |after| (after + 1 - paths.length).min(9))
                        })
                        .collect();
                    detours_by_step.sort_unstable();
                    detours_by_step.resize(4, 9);
                    dead_ends += usize::from(detours_by_step[1] == 9);
                    assert_eq!(
                        flood.detours_by_step(9).to_vec(),
                        detours_by_step,
                        "{position:?} {side:?}"
                    );
                    let is_on_path = |square: u128| {
                        let before = open.distance(pawn, square);
                        before
                            .zip(steps(open, square))
                            .is_some_and(|(before, after)| before + after == paths.length)
                    };
                    let all =
                        iter_squares(board.all_squares()).filter(|square| is_on_path(square.bit()));
                    let expected = all.fold(0, |set, square| set | square.bit());
                    let expected =
                        if paths.length >= MAX_FLOOD_LEVELS as u32 { pawn } else { expected };
                    assert_eq!(flood.path_squares(), expected, "{position:?}");
                }
            }
            assert!(longer > 500 && dead_ends > 20, "{longer} {dead_ends} of size {size}");
        }
    }
}

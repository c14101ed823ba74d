//! How much walls lengthen a shortest path, and how long the ways are that begin with another step.
//!
//! A flood for each wall would be slow. But a wall changes nothing in the squares that lie nearer to the pawn than the
//! wall does, nor in those that lie nearer to the goal. So two floods are kept level by level, from the pawn and from
//! the goal, and for each wall only the gap between the two sets that the wall leaves as they are is flooded anew.

use pentarch_core::Side;

use super::board::Board;
use super::shortest_paths::ShortestPaths;
use super::position::Position;
use super::square_sets::{Passages, STRIDE};
use super::walls::{Wall, Walls};

/// The number of levels that are kept of a flood. More than enough for most paths; where they are too few, only more
/// has to be flooded anew.
const MAX_LEVELS: usize = 32;

/// A flood level by level.
#[derive(Debug, Clone)]
struct FloodLevels {
    /// The squares within this many steps.
    sets: [u128; MAX_LEVELS],
    /// The number of levels that are kept.
    count: usize,
}

impl FloodLevels {
    const NONE: FloodLevels = FloodLevels { sets: [0; MAX_LEVELS], count: 0 };

    /// Floods from a set of squares until a square of another one is reached.
    fn flood(&mut self, open: Passages, from: u128, to: u128) {
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

    /// The last level, with its number, that stays as it is if passages are closed that lie beside these squares only.
    fn unaffected(&self, squares: u128) -> (u128, u32) {
        let (&last, before) = self.sets[..self.count].split_last().unwrap_or((&0, &[]));
        let touched = before.iter().zip(0..).find(|(set, _)| **set & squares != 0);
        touched.map_or((last, before.len() as u32), |(&set, number)| (set, number))
    }
}

/// The floods from a pawn and from its goal.
#[derive(Debug, Clone)]
pub struct BidirectionalFlood {
    open: Passages,
    pawn: u128,
    /// The length of the shortest paths.
    length: u32,
    from_pawn: FloodLevels,
    from_goal: FloodLevels,
}

impl BidirectionalFlood {
    /// No floods.
    pub const NONE: BidirectionalFlood = BidirectionalFlood {
        open: Passages::NONE,
        pawn: 0,
        length: 0,
        from_pawn: FloodLevels::NONE,
        from_goal: FloodLevels::NONE,
    };

    /// The floods for the first side's pawn and for the second side's. `paths` are the shortest paths of the pawns.
    #[inline]
    pub fn for_both_pawns(
        board: &Board,
        position: &Position,
        open: Passages,
        paths: &[ShortestPaths; 2],
    ) -> [BidirectionalFlood; 2] {
        let mut both = [BidirectionalFlood::NONE; 2];
        for (side, detours) in Side::BOTH.into_iter().zip(&mut both) {
            let (pawn, goal) = (position.pawn(side).bit(), board.goals[side.index()]);
            detours.flood(open, pawn, goal, paths[side.index()].length);
        }
        both
    }

    /// Floods from a pawn, given as a set of squares, and from its goal. `length` is that of the shortest paths between
    /// the two through these passages. The floods are written in place, because copies of them would cost much time.
    fn flood(&mut self, open: Passages, pawn: u128, goal: u128, length: u32) {
        (self.open, self.pawn, self.length) = (open, pawn, length);
        self.from_pawn.flood(open, pawn, goal);
        self.from_goal.flood(open, goal, pawn);
    }

    /// By how many steps a wall lengthens the shortest path. The wall crosses all shortest paths and leaves a path.
    pub fn added_steps(&self, wall: Wall) -> u32 {
        let closed = Walls::from(wall).closed_passages();
        let beside = closed.north | closed.north << 1 | closed.east | closed.east << STRIDE;
        let (mut reached, mut steps) = self.from_pawn.unaffected(beside);
        let (goal, rest) = self.from_goal.unaffected(beside);
        let open = self.open.without(wall.into());
        while reached & goal == 0 {
            let next = reached | open.neighbours(reached);
            if next == reached {
                return 0;
            }
            reached = next;
            steps += 1;
        }
        (steps + rest).saturating_sub(self.length)
    }

    /// For each step that the pawn could take if it were alone on the board, by how much the shortest path that begins
    /// with it and does not come back is longer than the shortest path, least first. The number is `most` where it is
    /// greater, where there is no such path, and where there are fewer than four steps.
    pub fn detours_by_step(&self, most: u32) -> [u32; 4] {
        let pawn = self.pawn;
        let open = Passages {
            north: self.open.north & !(pawn | pawn >> 1),
            east: self.open.east & !(pawn | pawn >> STRIDE),
        };
        let mut steps = self.open.neighbours(pawn);
        let mut found = [most; 4];
        let mut number = 0;
        // No step is nearer to the goal than this, so that the flood up to there is the one that is kept.
        let (mut reached, mut length) = self.from_goal.unaffected(pawn | steps);
        loop {
            for _ in 0..(steps & reached).count_ones() {
                found[number] = (length + 1).saturating_sub(self.length).min(most);
                number += 1;
            }
            steps &= !reached;
            let next = reached | open.neighbours(reached);
            if steps == 0 || next == reached || length + 1 >= self.length + most {
                return found;
            }
            reached = next;
            length += 1;
        }
    }

    /// The squares on shortest paths.
    pub fn squares(&self) -> u128 {
        let length = self.length as usize;
        if length >= MAX_LEVELS {
            return self.pawn;
        }
        (0..=length).fold(0, |set, steps| {
            set | self.from_pawn.sets[steps] & self.from_goal.sets[length - steps]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::square_sets::squares;
    use super::super::test_positions::random_position;
    use super::*;

    /// Compares with plain floods.
    #[test]
    fn detours_are_those_of_plain_floods() {
        let mut rng = fastrand::Rng::with_seed(14);
        for size in 3..=11 {
            let board = Board::new(size);
            let (mut longer, mut dead_ends) = (0, 0);
            for _ in 0..1000 {
                let position = random_position(&board, &mut rng);
                let open = position.open_passages(&board);
                for side in Side::BOTH {
                    let (pawn, goal) = (position.pawn(side).bit(), board.goals[side.index()]);
                    let paths = open.shortest_paths(pawn, goal).unwrap();
                    let steps =
                        |open: Passages, from| open.flood_to(from, goal).map(|(_, steps)| steps);
                    let mut detours = BidirectionalFlood::NONE;
                    detours.flood(open, pawn, goal, paths.length);
                    for wall in paths.lengthening_walls(&board, open, side).iter() {
                        let Some(after) = steps(open.without(wall.into()), pawn) else { continue };
                        assert_eq!(detours.added_steps(wall), after - paths.length, "{position:?} {wall}");
                        longer += usize::from(after > paths.length + 1);
                    }
                    let around = Passages { north: pawn | pawn >> 1, east: pawn | pawn >> STRIDE };
                    let closed = Passages {
                        north: open.north & !around.north,
                        east: open.east & !around.east,
                    };
                    let mut detours_by_step: Vec<u32> = squares(open.neighbours(pawn))
                        .map(|square| {
                            steps(closed, square.bit())
                                .map_or(9, |after| (after + 1 - paths.length).min(9))
                        })
                        .collect();
                    detours_by_step.sort_unstable();
                    detours_by_step.resize(4, 9);
                    dead_ends += usize::from(detours_by_step[1] == 9);
                    assert_eq!(detours.detours_by_step(9).to_vec(), detours_by_step, "{position:?} {side:?}");
                    let on_paths = |square: u128| {
                        let before = open.flood_to(pawn, square).map(|(_, steps)| steps);
                        before
                            .zip(steps(open, square))
                            .is_some_and(|(before, after)| before + after == paths.length)
                    };
                    let all = squares(board.all_squares())
                        .filter(|square| on_paths(square.bit()));
                    let expected = all.fold(0, |set, square| set | square.bit());
                    let expected = if paths.length >= MAX_LEVELS as u32 { pawn } else { expected };
                    assert_eq!(detours.squares(), expected, "{position:?}");
                }
            }
            assert!(longer > 500 && dead_ends > 20, "{longer} {dead_ends} of size {size}");
        }
    }
}

//! Retrograde analysis of positions that differ only in the pawns and the side to move. All these
//! positions have the same walls on the board and the same numbers of walls in hand.
//!
//! A pawn move leads from one of these positions to another of them. A wall leads to other
//! positions, which are already solved; [`WallMoveValues`] contains their values.
//!
//! [`PawnRetrograde::solve`] finds the distances to mate, one more ply in each pass. Odd passes
//! find won positions: in such a position, some move leads to a position that is lost in one ply
//! less. Even passes find lost positions: in such a position, every move leads to a won position,
//! and the slowest of these wins takes one ply less. If no pass solves a position, the position is
//! a draw, because neither side can force a win.
//!
//! The passes use sets of squares instead of single positions. For each square of the other pawn,
//! the four shifts of [`PassageSet::neighbours`] process all squares of the own pawn at once. Only
//! the few squares next to the other pawn need a check for jumps.

use pentarch_core::Side;

use super::board::Board;
use super::moves;
use super::square_sets::{FILE_STRIDE, PassageSet, Square, iter_squares};

/// The number of bits in a set of squares. The number of every square is smaller.
pub(crate) const BITS_PER_SQUARE_SET: usize = FILE_STRIDE as usize * FILE_STRIDE as usize;

/// For each square of the other pawn, a set of squares of the own pawn. The own pawn is that of the
/// side to move.
type PawnSetsByOtherPawn = [u128; BITS_PER_SQUARE_SET];

/// A solver of the positions that pawn moves connect. These positions have the same walls on the
/// board.
pub(crate) struct PawnRetrograde {
    all: u128,
    goals: [u128; 2],
    open: PassageSet,
    /// For each side, the squares from which a path leads to the side's goal.
    with_path: [u128; 2],
    /// For each square of a pawn, the jumps of the other pawn over this pawn.
    jumps: Vec<[PawnJumps; 4]>,
}

/// The jumps of a pawn from one square over the other pawn. Both fields are sets of squares.
#[derive(Clone, Copy, Default)]
struct PawnJumps {
    /// The square from which the pawn jumps.
    from: u128,
    /// The squares that the pawn can reach.
    targets: u128,
}

/// A side to move and the squares of the pawns.
#[derive(Clone, Copy)]
pub(crate) struct PawnsAndTurn {
    /// The side to move.
    pub side: Side,
    /// The square of the pawn of the side to move.
    pub own: Square,
    /// The square of the other pawn.
    pub other: Square,
}

/// The best results that each position can reach with a wall as the next move.
pub(crate) struct WallMoveValues {
    /// For each number of plies, the positions in which walls win or lose in this number of plies.
    /// If the number is odd, the quickest win with a wall takes this number of plies. If the number
    /// is even, all walls lose, and the slowest loss takes this number of plies.
    decided_at: Vec<Vec<PawnsAndTurn>>,
    /// For each side to move, the positions in which some wall does not lose. While these positions
    /// are solved, a wall also counts as not losing if its loss takes more plies than the current
    /// pass examines.
    not_losing: [PawnSetsByOtherPawn; 2],
}

impl Default for WallMoveValues {
    /// Returns the values for positions in which no side can place a wall.
    fn default() -> WallMoveValues {
        WallMoveValues { decided_at: Vec::new(), not_losing: [[0; BITS_PER_SQUARE_SET]; 2] }
    }
}

impl WallMoveValues {
    /// Records that no wall wins in a position, but some wall does not lose.
    pub(crate) fn record_not_losing(&mut self, PawnsAndTurn { side, own, other }: PawnsAndTurn) {
        self.not_losing[side.index()][usize::from(other.0)] |= own.bit();
    }

    /// Records the best result of a wall in a position. If `plies` is odd, the quickest win with a
    /// wall takes `plies` plies. If `plies` is even, all walls lose, and the slowest loss takes
    /// `plies` plies.
    pub(crate) fn record_decided_by_walls(&mut self, pawns: PawnsAndTurn, plies: u8) {
        self.record_not_losing(pawns);
        let plies = usize::from(plies);
        if self.decided_at.len() <= plies {
            self.decided_at.resize_with(plies + 1, Vec::new);
        }
        self.decided_at[plies].push(pawns);
    }

    /// Removes all recorded positions. Keeps the allocated memory for reuse.
    pub(crate) fn clear(&mut self) {
        self.decided_at.iter_mut().for_each(Vec::clear);
        self.not_losing = [[0; BITS_PER_SQUARE_SET]; 2];
    }
}

/// The state of the solver for the positions with one side to move: sets of squares of the own
/// pawn, by the square of the other pawn.
struct SideRetrogradeState {
    /// The squares of the own pawn in positions without a known value.
    unsolved: PawnSetsByOtherPawn,
    /// The squares to which a move of the own pawn is known to win.
    winning: PawnSetsByOtherPawn,
    /// The squares to which a move of the own pawn is known to lose.
    losing: PawnSetsByOtherPawn,
    /// The squares of the own pawn in positions in which a wall wins.
    won_by_wall: PawnSetsByOtherPawn,
    /// The squares of the other pawn for which the last pass has changed a set. The next pass
    /// examines only these squares.
    changed: u128,
}

impl PawnRetrograde {
    /// Creates the solver for a board with these open passages.
    pub(crate) fn new(board: &Board, open: PassageSet) -> PawnRetrograde {
        let all = board.all_squares();
        let mut jumps = vec![[PawnJumps::default(); 4]; BITS_PER_SQUARE_SET];
        for other in iter_squares(all) {
            let beside = iter_squares(open.neighbours(other.bit()));
            for (jump, own) in jumps[usize::from(other.0)].iter_mut().zip(beside) {
                let targets =
                    moves::pawn_targets_from(own, other, open) & !open.neighbours(own.bit());
                *jump = PawnJumps { from: own.bit(), targets };
            }
        }
        PawnRetrograde {
            all,
            goals: board.goals,
            open,
            with_path: board.goals.map(|goal| open.reachable_from(goal)),
            jumps,
        }
    }

    /// Returns whether these squares of the pawns can occur in a game that is not over. The pawns
    /// must be on different squares. Each pawn must have a path to its goal, and must not be on its
    /// goal.
    pub(crate) fn is_valid_position(
        &self,
        PawnsAndTurn { side, own, other }: PawnsAndTurn,
    ) -> bool {
        let is_on_its_way = |side: Side, pawn: Square| {
            self.with_path[side.index()] & !self.goals[side.index()] & pawn.bit() != 0
        };
        own != other && is_on_its_way(side, own) && is_on_its_way(!side, other)
    }

    /// Solves the positions. Calls `solved` for each won or lost position, with the distance to
    /// mate in plies.
    pub(crate) fn solve(
        &self,
        walls: &mut WallMoveValues,
        mut solved: impl FnMut(PawnsAndTurn, u16),
    ) {
        let WallMoveValues { decided_at, not_losing } = walls;
        let mut positions = Side::BOTH_SIDES.map(|side| self.initial_positions(side));
        for plies in 1.. {
            let is_win = plies % 2 == 1;
            for &PawnsAndTurn { side, own, other } in
                decided_at.get(usize::from(plies)).into_iter().flatten()
            {
                let at = usize::from(other.0);
                positions[side.index()].changed |= other.bit();
                match is_win {
                    true => positions[side.index()].won_by_wall[at] |= own.bit(),
                    false => not_losing[side.index()][at] &= !own.bit(),
                }
            }
            let changed = [0, 1].map(|side: usize| std::mem::take(&mut positions[side].changed));
            if changed == [0; 2] && decided_at.len() <= usize::from(plies) {
                break;
            }
            for (side, changed) in Side::BOTH_SIDES.into_iter().zip(changed) {
                for other in iter_squares(changed) {
                    let at = usize::from(other.0);
                    let own_positions = &mut positions[side.index()];
                    // Returns the squares from which a step or a jump of the own pawn leads into
                    // the set `to`.
                    let predecessors = |to: u128| {
                        let jumps = self.jumps[at].iter().filter(|jump| jump.targets & to != 0);
                        jumps.fold(self.open.neighbours(to), |set, jump| set | jump.from)
                    };
                    let solved_now = if is_win {
                        predecessors(own_positions.winning[at]) | own_positions.won_by_wall[at]
                    } else {
                        let escaping =
                            predecessors(self.all & !own_positions.losing[at] & !other.bit());
                        !(escaping | not_losing[side.index()][at])
                    };
                    let solved_now = own_positions.unsolved[at] & solved_now;
                    own_positions.unsolved[at] &= !solved_now;
                    let enemy_positions = &mut positions[(!side).index()];
                    for own in iter_squares(solved_now) {
                        solved(PawnsAndTurn { side, own, other }, plies);
                        let targets = if is_win {
                            &mut enemy_positions.losing
                        } else {
                            &mut enemy_positions.winning
                        };
                        targets[usize::from(own.0)] |= other.bit();
                        enemy_positions.changed |= own.bit();
                    }
                }
            }
        }
    }

    /// Returns the state of the positions with this side to move before the first pass. Only moves
    /// to the goal are known to win.
    fn initial_positions(&self, side: Side) -> SideRetrogradeState {
        let [own, other] = [side, !side].map(Side::index);
        let [unsolved, winning, losing, won_by_wall] = [[0; BITS_PER_SQUARE_SET]; 4];
        let mut positions =
            SideRetrogradeState { unsolved, winning, losing, won_by_wall, changed: self.all };
        for square in iter_squares(self.with_path[other] & !self.goals[other]) {
            positions.unsolved[usize::from(square.0)] =
                self.with_path[own] & !self.goals[own] & !square.bit();
            positions.winning[usize::from(square.0)] = self.goals[own] & !square.bit();
        }
        positions
    }
}

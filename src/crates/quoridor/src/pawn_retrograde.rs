//! Retrograde analysis of the positions that differ in the pawns alone: those with one set of walls on the board and
//! with so many walls in hand.
//!
//! A pawn move leads from such a position to another one. A wall leads away from them all, to positions that are solved
//! before: [`WallMoveValues`] says what that is worth. [`PawnRetrograde::solve`] finds the distance to mate, one more ply with
//! each pass. In odd passes it finds positions that are won: one move leads to a position that is lost in one ply less.
//! In even passes it finds positions that are lost: every move leads to a position that is won, the last of them in one
//! ply less. A position that no pass reaches is a draw, because neither side can force a win.
//!
//! The passes work on sets of squares instead of single positions. For each square of the other pawn, all squares of
//! the own pawn are handled at once by the four shifts of [`Passages::neighbours`]. Only the few squares beside the other
//! pawn need a look at jumps.

use pentarch_core::Side;

use super::board::Board;
use super::moves;
use super::square_sets::{Passages, STRIDE, Square, squares};

/// The number of bits that sets of squares use. It is greater than the number of any square.
pub const SQUARE_BITS: usize = STRIDE as usize * STRIDE as usize;

/// Sets of squares of the own pawn, which is that of the side to move, for each square of the other pawn.
type PawnSets = [u128; SQUARE_BITS];

/// The pawn moves with one set of walls.
pub struct PawnRetrograde {
    all: u128,
    goals: [u128; 2],
    open: Passages,
    /// For each side, the squares from which a path leads to its goal.
    with_path: [u128; 2],
    /// For each square of the other pawn, the squares from which the own pawn jumps over it, each as a set and with the
    /// set of squares that it reaches so.
    jumps: Vec<[(u128, u128); 4]>,
}

/// A side to move, the square of its pawn and that of the other pawn.
pub type PawnState = (Side, Square, Square);

/// What walls that are placed in each position are worth.
pub struct WallMoveValues {
    /// The positions in which a wall decides in so many plies, by these: in odd plies a wall wins, and none wins
    /// earlier; in even plies all walls lose, the slowest so late.
    decided_at: Vec<Vec<PawnState>>,
    /// The positions in which not all walls lose, or not yet in the current pass.
    holding: [PawnSets; 2],
}

impl Default for WallMoveValues {
    /// No side can place a wall.
    fn default() -> WallMoveValues {
        WallMoveValues { decided_at: Vec::new(), holding: [[0; SQUARE_BITS]; 2] }
    }
}

impl WallMoveValues {
    /// A wall keeps the side to move from losing, and none wins.
    pub fn hold(&mut self, (side, own, other): PawnState) {
        self.holding[side.index()][usize::from(other.0)] |= own.bit();
    }

    /// A wall wins, the quickest in so many plies, which are odd; or all walls lose, the slowest in so many plies.
    pub fn decide(&mut self, pawns: PawnState, plies: u8) {
        self.hold(pawns);
        let plies = usize::from(plies);
        if self.decided_at.len() <= plies {
            self.decided_at.resize_with(plies + 1, Vec::new);
        }
        self.decided_at[plies].push(pawns);
    }

    /// Makes this what it is by default, and keeps its memory.
    pub fn clear(&mut self) {
        self.decided_at.iter_mut().for_each(Vec::clear);
        self.holding = [[0; SQUARE_BITS]; 2];
    }
}

/// The positions with one side to move while they are solved.
struct SidePositions {
    /// The squares on which the own pawn stands in positions that are not solved yet.
    unsolved: PawnSets,
    /// The squares to which a move of the own pawn wins.
    winning: PawnSets,
    /// The squares to which a move of the own pawn loses.
    losing: PawnSets,
    /// The squares from which a wall wins.
    won_by_wall: PawnSets,
    /// The squares of the other pawn for which the last pass has changed the sets.
    changed: u128,
}

impl PawnRetrograde {
    /// The pawn moves through these passages.
    pub fn new(board: &Board, open: Passages) -> PawnRetrograde {
        let all = board.all_squares();
        let mut jumps = vec![[(0, 0); 4]; SQUARE_BITS];
        for other in squares(all) {
            let beside = squares(open.neighbours(other.bit()));
            for (jump, own) in jumps[usize::from(other.0)].iter_mut().zip(beside) {
                *jump = (own.bit(), moves::targets(own, other, open) & !open.neighbours(own.bit()));
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

    /// Whether the pawns stand on different squares, neither on its goal, and each has a path to its goal.
    pub fn is_position(&self, (side, own, other): PawnState) -> bool {
        let stands = |side: Side, pawn: Square| {
            self.with_path[side.index()] & !self.goals[side.index()] & pawn.bit() != 0
        };
        own != other && stands(side, own) && stands(!side, other)
    }

    /// Solves the positions, and calls `solved` with each that is won or lost and with the distance to mate in plies.
    pub fn solve(&self, walls: &mut WallMoveValues, mut solved: impl FnMut(PawnState, u16)) {
        let WallMoveValues { decided_at, holding } = walls;
        let mut positions = Side::BOTH.map(|side| self.before_first_pass(side));
        for plies in 1.. {
            let is_win = plies % 2 == 1;
            for &(side, own, other) in decided_at.get(usize::from(plies)).into_iter().flatten() {
                let at = usize::from(other.0);
                positions[side.index()].changed |= other.bit();
                match is_win {
                    true => positions[side.index()].won_by_wall[at] |= own.bit(),
                    false => holding[side.index()][at] &= !own.bit(),
                }
            }
            let changed = [0, 1].map(|side: usize| std::mem::take(&mut positions[side].changed));
            if changed == [0; 2] && decided_at.len() <= usize::from(plies) {
                break;
            }
            for (side, changed) in Side::BOTH.into_iter().zip(changed) {
                for other in squares(changed) {
                    let at = usize::from(other.0);
                    let own_positions = &mut positions[side.index()];
                    // The squares from which some move leads into the set `to`.
                    let predecessors = |to: u128| {
                        let jumping =
                            self.jumps[at].iter().filter(|(_, targets)| targets & to != 0);
                        jumping.fold(self.open.neighbours(to), |set, (from, _)| set | from)
                    };
                    let found = if is_win {
                        predecessors(own_positions.winning[at]) | own_positions.won_by_wall[at]
                    } else {
                        let escaping =
                            predecessors(self.all & !own_positions.losing[at] & !other.bit());
                        !(escaping | holding[side.index()][at])
                    };
                    let found = own_positions.unsolved[at] & found;
                    own_positions.unsolved[at] &= !found;
                    let enemy_positions = &mut positions[(!side).index()];
                    for own in squares(found) {
                        solved((side, own, other), plies);
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

    /// The positions with this side to move before the first pass: a pawn that goes to its goal wins, and the game is
    /// over there.
    fn before_first_pass(&self, side: Side) -> SidePositions {
        let [own, other] = [side, !side].map(Side::index);
        let [unsolved, winning, losing, won_by_wall] = [[0; SQUARE_BITS]; 4];
        let mut positions =
            SidePositions { unsolved, winning, losing, won_by_wall, changed: self.all };
        for square in squares(self.with_path[other] & !self.goals[other]) {
            positions.unsolved[usize::from(square.0)] =
                self.with_path[own] & !self.goals[own] & !square.bit();
            positions.winning[usize::from(square.0)] = self.goals[own] & !square.bit();
        }
        positions
    }
}

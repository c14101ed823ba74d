//! The state of a game of Guerre des Deux Roses, playing a move, and how a game ends.

use crate::core::{Outcome, Side, text::next_full_move};

use super::board::{Board, Cells, HOMES, half_turn};
use super::moves::{self, Move};

/// How many soldiers each side has.
pub const SOLDIERS: u8 = 4;

/// A position of Guerre des Deux Roses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// White's and Black's soldiers on the board.
    pub soldiers: [Cells; 2],
    /// The castles that stand, each on its [home](HOMES).
    pub castles: Cells,
    /// How many soldiers White and Black have in reserve.
    pub reserves: [u8; 2],
    /// Whose turn it is.
    pub side: Side,
    /// The full-move number.
    pub full_move: u32,
}

impl Position {
    /// The start position: the castles at home, all soldiers in reserve.
    pub fn start() -> Position {
        Position {
            soldiers: [0; 2],
            castles: HOMES[0].bit() | HOMES[1].bit(),
            reserves: [SOLDIERS; 2],
            side: Side::First,
            full_move: 1,
        }
    }

    /// The soldiers of one side on the board.
    pub fn soldiers(&self, side: Side) -> Cells {
        self.soldiers[side.index()]
    }

    /// The castle of one side; the empty set if it is captured.
    pub fn castle(&self, side: Side) -> Cells {
        self.castles & HOMES[side.index()].bit()
    }

    /// The soldiers and the castle of one side.
    pub fn pieces(&self, side: Side) -> Cells {
        self.soldiers(side) | self.castle(side)
    }

    /// The cells that are not empty.
    pub fn occupied(&self) -> Cells {
        self.soldiers[0] | self.soldiers[1] | self.castles
    }

    /// Drop phase: whether the side to move must drop a soldier.
    pub fn is_drop_phase(&self) -> bool {
        self.reserves[self.side.index()] > 0
    }

    /// What repetition compares, in 49 bits: board, reserves and the side to move. It also decides all later play.
    pub fn men(&self) -> u64 {
        let [white, black] = self.soldiers.map(u64::from);
        let [standing_white, standing_black] = Side::BOTH.map(|side| u64::from(self.castle(side) != 0));
        let [reserve_white, reserve_black] = self.reserves.map(u64::from);
        white
            | black << 20
            | standing_white << 40
            | standing_black << 41
            | reserve_white << 42
            | reserve_black << 45
            | (self.side as u64) << 48
    }

    /// The enemy piece that a legal move captures, as a set: one on its front cell with no cell behind it.
    pub fn captures(&self, board: &Board, mv: Move) -> Cells {
        match mv {
            Move::Forward { to, direction, .. } => {
                let enemy = self.pieces(!self.side) & to.bit();
                // Most moves go to an empty cell.
                if enemy != 0 && board.next(to, direction).is_none() { enemy } else { 0 }
            }
            _ => 0,
        }
    }

    /// The position after a legal move.
    pub fn play(&self, board: &Board, mv: Move) -> Position {
        let mut next = *self;
        let (own, enemy) = (self.side.index(), (!self.side).index());
        match mv {
            Move::Drop(cell) => {
                next.soldiers[own] |= cell.bit();
                next.reserves[own] -= 1;
            }
            Move::Forward { from, to, direction } => {
                next.soldiers[own] ^= from.bit() | to.bit();
                if self.soldiers[enemy] & to.bit() != 0 {
                    let behind = board.next(to, direction).map_or(0, |behind| behind.bit());
                    next.soldiers[enemy] ^= to.bit() | behind;
                }
                next.castles &= !to.bit();
            }
            Move::Translation { from, to } => {
                next.soldiers[own] ^= from[0].bit() | from[1].bit() | to[0].bit() | to[1].bit();
            }
        }
        next.side = !self.side;
        next.full_move = next_full_move(self.full_move, self.side);
        next
    }

    /// End: a castle is captured, or the side to move has no legal move.
    pub fn outcome(&self, board: &Board) -> Option<Outcome> {
        if let Some(winner) = Side::BOTH.into_iter().find(|&side| self.castle(!side) == 0) {
            Some(Outcome::Win(winner, "castle"))
        } else if !moves::any(board, self) {
            Some(Outcome::Win(!self.side, "no move"))
        } else {
            None
        }
    }

    /// Whether both castles stand.
    pub fn has_both_castles(&self) -> bool {
        self.castles.count_ones() == 2
    }

    /// The image under the half turn, which exchanges the sides.
    pub fn half_turn(&self) -> Position {
        let swapped = |[first, second]: [Cells; 2]| [half_turn(second), half_turn(first)];
        Position {
            soldiers: swapped(self.soldiers),
            castles: half_turn(self.castles),
            reserves: [self.reserves[1], self.reserves[0]],
            side: !self.side,
            full_move: self.full_move,
        }
    }
}

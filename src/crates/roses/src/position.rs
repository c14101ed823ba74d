//! The position of Guerre des Deux Roses: the state of a game, and playing a move.

use pentarch_core::Side;
use pentarch_core::notation::parsing::next_full_move_number;

use super::board::{BoardGraph, CASTLE_CELLS, CellSet, half_turn_cell_set};
use super::moves::Move;

/// The number of soldiers that each side has at the start.
pub(crate) const SOLDIERS_PER_SIDE: u8 = 4;

/// A position of Guerre des Deux Roses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The soldiers of White and of Black on the board, as sets of cells.
    pub soldiers: [CellSet; 2],
    /// The castles that are not captured, as a set of cells. Each castle is on its
    /// [cell](CASTLE_CELLS).
    pub castles: CellSet,
    /// The numbers of soldiers that White and Black have in reserve.
    pub reserves: [u8; 2],
    /// The side to move.
    pub side: Side,
    /// The full-move number.
    pub full_move: u32,
}

impl Position {
    /// Returns the soldiers of one side on the board.
    pub fn soldiers(&self, side: Side) -> CellSet {
        self.soldiers[side.index()]
    }

    /// Returns the castle of one side, or the empty set if the castle is captured.
    pub fn castle(&self, side: Side) -> CellSet {
        self.castles & CASTLE_CELLS[side.index()].bit()
    }

    /// Returns the soldiers and the castle of one side.
    pub fn pieces(&self, side: Side) -> CellSet {
        self.soldiers(side) | self.castle(side)
    }

    /// Returns the cells that are not empty.
    pub fn occupied_cells(&self) -> CellSet {
        self.soldiers[0] | self.soldiers[1] | self.castles
    }

    /// Returns whether the side to move is in the drop phase. In this phase the side must drop a
    /// soldier.
    pub fn is_drop_phase(&self) -> bool {
        self.reserves[self.side.index()] > 0
    }

    /// Returns the position without the full-move number, packed into 49 bits: the board, the
    /// reserves and the side to move. The repetition rule compares this value. All later play
    /// depends only on this value.
    pub fn packed_bits(&self) -> u64 {
        let [white, black] = self.soldiers.map(u64::from);
        let [white_castle, black_castle] =
            Side::BOTH_SIDES.map(|side| u64::from(self.castle(side) != 0));
        let [white_reserve, black_reserve] = self.reserves.map(u64::from);
        white
            | black << 20
            | white_castle << 40
            | black_castle << 41
            | white_reserve << 42
            | black_reserve << 45
            | (self.side as u64) << 48
    }

    /// Returns the cell of the enemy piece that a legal move captures, as a set. A piece on the
    /// cell that the move reaches is captured if the board has no cell behind it. Otherwise the
    /// piece is pushed to the cell behind.
    pub fn captured_cell(&self, board: &BoardGraph, mv: Move) -> CellSet {
        match mv {
            Move::Forward { to, direction, .. } => {
                let enemy = self.pieces(!self.side) & to.bit();
                // The target cell is tested first, because most moves go to an empty cell.
                if enemy != 0 && board.next(to, direction).is_none() { enemy } else { 0 }
            }
            _ => 0,
        }
    }

    /// Returns the position after a legal move.
    pub fn play(&self, board: &BoardGraph, mv: Move) -> Position {
        let mut next = *self;
        let own = self.side.index();
        let enemy = (!self.side).index();
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
        next.full_move = next_full_move_number(self.full_move, self.side);
        next
    }

    /// Returns whether both castles are on the board.
    pub fn has_both_castles(&self) -> bool {
        self.castles.count_ones() == 2
    }

    /// Returns the image of the position under the half turn, which exchanges the sides.
    pub fn half_turn(&self) -> Position {
        let [white, black] = self.soldiers;
        Position {
            soldiers: [half_turn_cell_set(black), half_turn_cell_set(white)],
            castles: half_turn_cell_set(self.castles),
            reserves: [self.reserves[1], self.reserves[0]],
            side: !self.side,
            full_move: self.full_move,
        }
    }
}

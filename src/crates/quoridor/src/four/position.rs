//! The position of Quoridor for four, and playing a move.

use pentarch_core::Side;
use pentarch_core::notation::text::LAST_FULL_MOVE;

use super::super::moves::Move;
use super::super::position::{self, PlayerToMove};
use super::super::walls::Walls;
use super::QuoridorForFour;

/// A position of Quoridor for four.
pub type Position = position::Position<4, FourPlayerMover>;

/// The player to move, and who plays for which side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FourPlayerMover {
    /// The player to move, from 0.
    pub player: u8,
    /// The players of the first side, the lowest bit for the first player. With teams it is the first team. Each
    /// against all, it is one player: the one who asks.
    pub first_side_players: u8,
}

impl FourPlayerMover {
    /// The side of a player.
    pub fn side_of(self, player: usize) -> Side {
        if self.first_side_players >> player & 1 != 0 { Side::First } else { Side::Second }
    }
}

impl PlayerToMove for FourPlayerMover {
    fn player(self) -> usize {
        usize::from(self.player % 4)
    }

    fn side(self) -> Side {
        self.side_of(self.player())
    }
}

impl Position {
    /// The position but for the full-move number and the sides, as words to be hashed with this one.
    pub fn hash_words(&self, other: u8) -> [u64; 5] {
        let Walls { horizontal: h, vertical: v } = self.walls;
        let pawns = self.pawns.iter().fold(0, |word, pawn| word << 7 | u64::from(pawn.0));
        let left = self.walls_left.iter().fold(0, |word, left| word << 4 | u64::from(*left));
        let rest = pawns | left << 28 | u64::from(self.mover.player) << 44 | u64::from(other) << 46;
        [h as u64, (h >> 64) as u64, v as u64, (v >> 64) as u64, rest]
    }
}

impl QuoridorForFour {
    /// The position after a legal move. The turn goes to the next player who has a legal move; if nobody has, also
    /// because the game is over, to the next one.
    pub(super) fn after(&self, position: &Position, mv: Move) -> Position {
        let mut next = position.with_move(mv);
        let mover = position.player();
        let open = next.open_passages(&self.board);
        let in_turn = |step: usize| (mover + step) % 4;
        let is_over = self.player_at_goal(&next).is_some();
        let player =
            (1..=4).map(in_turn).find(|&player| is_over || self.can_move(&next, open, player));
        let player = player.unwrap_or(in_turn(1));
        next.mover.player = player as u8;
        if player <= mover {
            next.full_move = (position.full_move + 1).min(LAST_FULL_MOVE);
        }
        next
    }
}

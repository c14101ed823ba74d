//! The position of Quoridor for four, and playing a move.

use pentarch_core::Side;
use pentarch_core::notation::parsing::MAX_FULL_MOVE_NUMBER;

use super::super::moves::Move;
use super::super::position::{self, PlayerToMove};
use super::super::walls::Walls;
use super::QuoridorForFour;

/// A position of Quoridor for four.
pub(super) type Position = position::Position<4, FourPlayerTurn>;

/// The player to move, and the division of the players into two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FourPlayerTurn {
    /// The player to move, counted from 0.
    pub player: u8,
    /// The players of the first side, with one bit for each player. The first player has the lowest
    /// bit. With teams, the first side is the first team. In free for all, the first side is the
    /// player to move at the root of the search.
    pub first_side_players: u8,
}

impl FourPlayerTurn {
    /// Returns the side of a player.
    pub fn side_containing_player(self, player: usize) -> Side {
        if self.first_side_players >> player & 1 != 0 { Side::First } else { Side::Second }
    }
}

impl PlayerToMove for FourPlayerTurn {
    fn player_index(self) -> usize {
        usize::from(self.player % 4)
    }

    fn team_side(self) -> Side {
        self.side_containing_player(self.player_index())
    }
}

impl Position {
    /// Returns the position and `extra` as words for a hash. The full-move number and the division
    /// into sides are left out.
    pub fn words_to_hash(&self, extra: u8) -> [u64; 5] {
        let Walls { horizontal: h, vertical: v } = self.walls;
        let pawns = self.pawns.iter().fold(0, |word, pawn| word << 7 | u64::from(pawn.0));
        let left = self.walls_left.iter().fold(0, |word, left| word << 4 | u64::from(*left));
        let rest = pawns | left << 28 | u64::from(self.mover.player) << 44 | u64::from(extra) << 46;
        [h as u64, (h >> 64) as u64, v as u64, (v >> 64) as u64, rest]
    }
}

impl QuoridorForFour {
    /// Returns the position after a legal move. The turn goes to the next player who has a legal
    /// move. If the game is over, or if no player has a legal move, the turn goes to the next
    /// player in order.
    pub(super) fn position_after_move(&self, position: &Position, mv: Move) -> Position {
        let mut next = position.with_move_but_no_turn_change(mv);
        let mover = position.player_index();
        let open = next.open_passages(&self.board);
        let in_turn = |step: usize| (mover + step) % 4;
        let is_over = self.player_at_goal(&next).is_some();
        let player =
            (1..=4).map(in_turn).find(|&player| is_over || self.can_move(&next, open, player));
        let player = player.unwrap_or(in_turn(1));
        next.mover.player = player as u8;
        if player <= mover {
            next.full_move = (position.full_move + 1).min(MAX_FULL_MOVE_NUMBER);
        }
        next
    }
}

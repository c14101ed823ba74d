//! Move bans that result from a position's history. Bans exist in games whose positions store
//! information about earlier moves.
//!
//! For example, under some rules of Alquerque a checker may not take back its last step. Many
//! positions differ only in such bans, and a ban never helps the side that it restricts. The prover
//! uses both facts. It stores a result together with the [bans](BanSet) on which the proof depends,
//! and reuses the result in all positions with these bans.

use crate::{HasPlayers, HasTurn, Side};

/// A set of up to 64 bans. Each game defines the meaning of its bans.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BanSet(pub u64);

impl BanSet {
    /// The empty set of bans.
    pub const NO_BANS: BanSet = BanSet(0);
    /// The set of all bans.
    pub const ALL_BANS: BanSet = BanSet(!0);

    /// Returns the bans that are in at least one of the two sets.
    pub fn union(self, other: BanSet) -> BanSet {
        BanSet(self.0 | other.0)
    }

    /// Returns the bans of this set that `other` does not contain.
    pub fn without(self, other: BanSet) -> BanSet {
        BanSet(self.0 & !other.0)
    }

    /// Returns whether no ban is in both sets.
    pub fn is_disjoint(self, other: BanSet) -> bool {
        self.0 & other.0 == 0
    }

    /// Returns whether `other` contains all bans of this set.
    pub fn is_subset(self, other: BanSet) -> bool {
        self.without(other) == BanSet::NO_BANS
    }

    /// Returns the number of bans.
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }
}

/// The bans that forbid a move, and the bans that the move sets or lifts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MoveBans {
    /// The bans that forbid this move. A single one of these bans makes the move illegal.
    pub against: BanSet,
    /// The bans that this move sets or lifts. Whether such a ban applies after the move does not
    /// depend on the bans before the move.
    pub decided: BanSet,
}

/// Bans that result from a position's history. A game whose positions store no earlier moves uses
/// the defaults.
pub trait HistoryBans: HasPlayers {
    /// Returns the position that the [`search_key`](crate::Rules::search_key) identifies. The
    /// result is equal for all positions from which the game can continue in the same way. By
    /// default, such positions differ only in the full-move number.
    fn search_key_position(&self, position: &Self::Position) -> Self::Position {
        position.with_full_move_number(1)
    }

    /// Returns the position as if the history contained no past moves of `side`.
    fn position_without_past_moves_of(
        &self,
        position: &Self::Position,
        side: Side,
    ) -> Self::Position {
        let _ = side;
        *position
    }

    /// Returns the position without its history.
    fn position_without_past(&self, position: &Self::Position) -> Self::Position {
        Side::BOTH_SIDES
            .into_iter()
            .fold(*position, |position, side| self.position_without_past_moves_of(&position, side))
    }

    /// Returns the bans of a position for each side, the first side first.
    ///
    /// The result is `Some` only if three conditions hold:
    /// - The history has no effects other than these bans.
    /// - A ban never helps the side that it restricts.
    /// - No position can occur again.
    ///
    /// Under these conditions, a proven win can also be valid for another history of the position.
    /// With that history, the winner must have no bans except those of the proof, and the loser
    /// must have at least the bans of the proof.
    fn position_bans(&self, position: &Self::Position) -> Option<[BanSet; 2]> {
        let _ = position;
        None
    }

    /// Returns the bans that affect the side to move. Each of them forbids a move of this side that
    /// would be legal without bans.
    fn bans_on_mover(&self, position: &Self::Position) -> BanSet {
        let _ = position;
        BanSet::NO_BANS
    }

    /// Returns the bans that forbid a move, and the bans that the move sets or lifts.
    fn bans_of_move(&self, mv: Self::Move) -> MoveBans {
        let _ = mv;
        MoveBans::default()
    }

    /// Returns a relaxation of these rules: the same game with fewer bans for the opponent of
    /// `side`, and with positions that store less history. If `side` can force a result under the
    /// relaxed rules, `side` can also force this result under the original rules.
    ///
    /// Returns `None` if there is no relaxation. The tables of a game that returns `None` must
    /// contain exact numbers of plies, because the prover then treats these numbers as exact.
    fn rules_relaxed_for_proof(&self, side: Side) -> Option<Self> {
        let _ = side;
        None
    }
}

//! Move bans that result from a position's history, for games whose positions remember earlier
//! moves.
//!
//! Under some rules of Alquerque a checker may not take back its last step. Many positions differ
//! only in such bans, and a ban never helps the side that it binds. The prover uses both facts: it
//! stores a result together with the [bans](BanSet) on which the proof rests, and applies it
//! wherever these bans hold.

use crate::{Players, Side, Turn};

/// A set of up to 64 bans. Each game defines what its bans are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BanSet(pub u64);

impl BanSet {
    /// The empty set.
    pub const NONE: BanSet = BanSet(0);
    /// The set of all bans.
    pub const ALL: BanSet = BanSet(!0);

    /// Returns the bans of either set.
    pub fn union(self, other: BanSet) -> BanSet {
        BanSet(self.0 | other.0)
    }

    /// Returns the bans of this set that are not in the other one.
    pub fn without(self, other: BanSet) -> BanSet {
        BanSet(self.0 & !other.0)
    }

    /// Returns whether no ban is in both sets.
    pub fn is_disjoint(self, other: BanSet) -> bool {
        self.0 & other.0 == 0
    }

    /// Returns whether all bans of this set are in the other one.
    pub fn is_subset(self, other: BanSet) -> bool {
        self.without(other) == BanSet::NONE
    }

    /// Returns the number of bans.
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }
}

/// The relation of a move to bans.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MoveBans {
    /// The bans that would each forbid this move.
    pub against: BanSet,
    /// The bans that this move decides: whether they hold after it does not depend on the bans
    /// before it.
    pub decided: BanSet,
}

/// Bans that result from a position's history. Games whose positions remember no moves keep the
/// defaults.
pub trait HistoryBans: Players {
    /// Returns the position that the [`search_key`](crate::Rules::search_key) identifies: the same
    /// for all positions from which the game can continue in the same way. By default they differ
    /// only in the full-move number.
    fn searched_position(&self, position: &Self::Position) -> Self::Position {
        position.with_full_move(1)
    }

    /// Returns the position without the part of its history that concerns the past moves of `side`.
    fn without_past_of(&self, position: &Self::Position, side: Side) -> Self::Position {
        let _ = side;
        *position
    }

    /// Returns the position without its history.
    fn without_past(&self, position: &Self::Position) -> Self::Position {
        Side::BOTH
            .into_iter()
            .fold(*position, |position, side| self.without_past_of(&position, side))
    }

    /// Returns the bans of a position for each side, the first side first.
    ///
    /// The result is `Some` only if these bans are the only effect of the history, no ban ever
    /// helps the side that it binds, and no position can occur again. Then a proven win holds for
    /// every history that bans no more for the winner and no less for the loser.
    fn bans(&self, position: &Self::Position) -> Option<[BanSet; 2]> {
        let _ = position;
        None
    }

    /// Returns the bans that keep the side to move from an otherwise legal move.
    fn binding_bans(&self, position: &Self::Position) -> BanSet {
        let _ = position;
        BanSet::NONE
    }

    /// Returns the relation of a move to bans.
    fn move_bans(&self, mv: Self::Move) -> MoveBans {
        let _ = mv;
        MoveBans::default()
    }

    /// Returns a relaxation of these rules: the same game with fewer bans for the opponent of
    /// `side`, and with positions that remember less. If `side` can force a result under the
    /// relaxed rules, it can force it under these.
    ///
    /// Returns `None` if there is no relaxation. The tables of a game without one contain exact
    /// plies.
    fn relaxation_for(&self, side: Side) -> Option<Self> {
        let _ = side;
        None
    }
}

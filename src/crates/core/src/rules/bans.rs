//! What the past of a position forbids, for games whose positions remember something of the moves that led to them.
//!
//! Under some rules of Alquerque a checker may not take its last step back. Positions that differ in nothing but such
//! bans are many, and a ban is never of use to the side that it binds. The prover makes use of both: what it proves
//! about a position it keeps with the [bans](BanSet) that the proof rests on, and takes for proved wherever these hold.

use crate::{Players, Side, Turn};

/// A set of bans. Which ban each of the 64 members stands for is the game's own affair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BanSet(pub u64);

impl BanSet {
    /// The empty set.
    pub const NONE: BanSet = BanSet(0);
    /// The set of all bans.
    pub const ALL: BanSet = BanSet(!0);

    /// The bans of either set.
    pub fn union(self, other: BanSet) -> BanSet {
        BanSet(self.0 | other.0)
    }

    /// The bans of this set that are not in the other one.
    pub fn without(self, other: BanSet) -> BanSet {
        BanSet(self.0 & !other.0)
    }

    /// Whether no ban is in both sets.
    pub fn is_disjoint(self, other: BanSet) -> bool {
        self.0 & other.0 == 0
    }

    /// Whether all bans of this set are in the other one.
    pub fn is_subset(self, other: BanSet) -> bool {
        self.without(other) == BanSet::NONE
    }

    /// How many bans the set has.
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }
}

/// What a move has to do with bans.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MoveBans {
    /// The bans each of which would forbid this move.
    pub against: BanSet,
    /// The bans that hold or do not hold after this move whatever was banned before it.
    pub decided: BanSet,
}

/// What the past of a position forbids. Games whose positions remember nothing of the moves before keep the defaults.
pub trait HistoryBans: Players {
    /// The position that the [`search_key`](crate::Rules::search_key) is the key of: it is the same for all
    /// positions from which the game can go on in the same way. By default only the full-move number does not matter.
    fn searched_position(&self, position: &Self::Position) -> Self::Position {
        position.with_full_move(1)
    }

    /// The position without what the rules remember of the past moves of one side.
    fn without_past_of(&self, position: &Self::Position, side: Side) -> Self::Position {
        let _ = side;
        *position
    }

    /// The position without what the rules remember of the past.
    fn without_past(&self, position: &Self::Position) -> Self::Position {
        Side::BOTH
            .into_iter()
            .fold(*position, |position, side| self.without_past_of(&position, side))
    }

    /// What the past of a position forbids each side, the first side first.
    ///
    /// It is given only if these bans are all that the past does, no ban is ever of use to the side that it binds, and
    /// no position can occur again. A proved win then holds for every past that bans no more for the winner and no less
    /// for the loser.
    fn bans(&self, position: &Self::Position) -> Option<[BanSet; 2]> {
        let _ = position;
        None
    }

    /// The bans that keep the side to move from a move which it could make otherwise.
    fn binding_bans(&self, position: &Self::Position) -> BanSet {
        let _ = position;
        BanSet::NONE
    }

    /// What a move has to do with bans.
    fn move_bans(&self, mv: Self::Move) -> MoveBans {
        let _ = mv;
        MoveBans::default()
    }

    /// A relaxation of these rules: the same game with fewer bans for the opponent of `side`, and with positions that
    /// tell less of the past. Whatever `side` can force under the relaxed rules it can force under these.
    ///
    /// None if there is no relaxation. The tables of a game without one tell exact plies.
    fn relaxation_for(&self, side: Side) -> Option<Self> {
        let _ = side;
        None
    }
}

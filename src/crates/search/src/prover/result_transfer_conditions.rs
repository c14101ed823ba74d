//! The conditions on the history of a position under which a result holds.
//!
//! A [ban](pentarch_core::HistoryBans::position_bans) never helps the side that it binds. So a
//! result also holds in a position that differs only in its history, provided that this position
//! has fewer bans on the winner and more bans on the loser. Bans that the proof of a result has not
//! used do not matter at all. Most bans that remain after a long game are not used. This relation
//! is a form of dominance between positions.

use pentarch_core::BanSet;

/// The conditions under which a position's result also holds in a position that differs only in its
/// bans. The winner is the attacker if a win is proved, and the defender if the win is disproved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ResultTransferConditions {
    /// The bans that must not bind the winner in the other position.
    winner_lacks: BanSet,
    /// The bans that must bind the loser.
    loser_has: BanSet,
}

impl ResultTransferConditions {
    /// Creates the conditions with these [bits](ResultTransferConditions::bits).
    pub fn from_bits([winner_lacks, loser_has]: [u64; 2]) -> ResultTransferConditions {
        ResultTransferConditions {
            winner_lacks: BanSet(winner_lacks),
            loser_has: BanSet(loser_has),
        }
    }

    /// Returns the conditions as bits.
    pub fn bits(self) -> [u64; 2] {
        [self.winner_lacks.0, self.loser_has.0]
    }

    /// Returns the strictest conditions that are met by these bans of the winner and of the loser.
    /// Other bans meet these conditions only if those bans are at least as good for the winner.
    pub fn strictest_for_bans([winner, loser]: [BanSet; 2]) -> ResultTransferConditions {
        ResultTransferConditions {
            winner_lacks: BanSet::ALL_BANS.without(winner),
            loser_has: loser,
        }
    }

    /// Returns the condition that each of these bans binds the loser.
    pub fn require_loser_has(bans: BanSet) -> ResultTransferConditions {
        ResultTransferConditions { winner_lacks: BanSet::NO_BANS, loser_has: bans }
    }

    /// Adds the condition that none of these bans binds the winner.
    pub fn and_winner_lacks(self, bans: BanSet) -> ResultTransferConditions {
        ResultTransferConditions { winner_lacks: self.winner_lacks.union(bans), ..self }
    }

    /// Returns the conjunction of these conditions and `other`.
    pub fn and(self, other: ResultTransferConditions) -> ResultTransferConditions {
        ResultTransferConditions {
            winner_lacks: self.winner_lacks.union(other.winner_lacks),
            loser_has: self.loser_has.union(other.loser_has),
        }
    }

    /// Converts conditions on the position after a move to conditions on the position before the
    /// move. Bans that the move decides are omitted, because they do not depend on the position
    /// before the move.
    pub fn conditions_before_move(self, decided: BanSet) -> ResultTransferConditions {
        ResultTransferConditions {
            winner_lacks: self.winner_lacks.without(decided),
            loser_has: self.loser_has.without(decided),
        }
    }

    /// Returns whether these bans of the winner and the loser satisfy the conditions.
    pub fn are_met_by(self, [winner, loser]: [BanSet; 2]) -> bool {
        winner.is_disjoint(self.winner_lacks) && self.loser_has.is_subset(loser)
    }

    /// Returns whether these conditions follow from `other`: all bans that meet `other` also meet
    /// these conditions.
    pub fn are_implied_by(self, other: ResultTransferConditions) -> bool {
        self.and(other) == other
    }

    /// Returns the number of bans in the conditions.
    pub fn count(self) -> u32 {
        self.winner_lacks.count() + self.loser_has.count()
    }
}

//! On what terms a position is won for a side, of what its past forbids.
//!
//! What is forbidden to a side is never of use to it. So a win holds as well if less is forbidden to the winner, and
//! more to the loser; and it holds whatever its proof has not made use of: most of what a long game leaves behind.

/// The terms. The bits are those of [`forbidden`](crate::core::Probe::forbidden).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Terms {
    /// What may not be forbidden to the winner.
    free: u64,
    /// What must be forbidden to the loser.
    forbidden: u64,
}

impl Terms {
    /// The terms of these [bits](Terms::bits).
    pub fn of_bits([free, forbidden]: [u64; 2]) -> Terms {
        Terms { free, forbidden }
    }

    /// The terms as bits.
    pub fn bits(self) -> [u64; 2] {
        [self.free, self.forbidden]
    }

    /// That just this is forbidden to the winner and the loser.
    pub fn exactly([winner, loser]: [u64; 2]) -> Terms {
        Terms { free: !winner, forbidden: loser }
    }

    /// That this is forbidden to the loser.
    pub fn forbidden(forbidden: u64) -> Terms {
        Terms { free: 0, forbidden }
    }

    /// These, and that this is not forbidden to the winner.
    pub fn and_free(self, free: u64) -> Terms {
        Terms { free: self.free | free, ..self }
    }

    /// Both these and others.
    pub fn and(self, other: Terms) -> Terms {
        Terms { free: self.free | other.free, forbidden: self.forbidden | other.forbidden }
    }

    /// Those after a move as terms before it: what the move has set does not depend on what was before.
    pub fn before(self, set: u64) -> Terms {
        Terms { free: self.free & !set, forbidden: self.forbidden & !set }
    }

    /// Whether they are met where this is forbidden to the winner and the loser.
    pub fn are_met(self, [winner, loser]: [u64; 2]) -> bool {
        winner & self.free == 0 && self.forbidden & !loser == 0
    }

    /// Whether they are met wherever the others are.
    pub fn are_met_by(self, other: Terms) -> bool {
        self.and(other) == other
    }

    /// How much they ask for.
    pub fn count(self) -> u32 {
        self.free.count_ones() + self.forbidden.count_ones()
    }
}

//! Proof and disproof numbers: how much is left to be shown.

/// The number of what is known to be impossible.
pub const NEVER: u32 = (1 << 28) - 1;
/// The most that a number can be that is not [`NEVER`].
const MOST: u32 = NEVER - 1;

/// How many positions must at least still be proved won for the attacker for a win, and not won for the opposite. One
/// of them is 0 when the matter is settled, the other one is [`NEVER`] then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numbers {
    /// What a win is short of.
    pub win: u32,
    /// What the refutation of a win is short of.
    pub refuted: u32,
}

impl Numbers {
    /// A win is proved.
    pub const WON: Numbers = Numbers { win: 0, refuted: NEVER };
    /// There is no win.
    pub const REFUTED: Numbers = Numbers { win: NEVER, refuted: 0 };

    /// Whether nothing is left to be shown.
    pub fn is_settled(self) -> bool {
        self.win == 0 || self.refuted == 0
    }

    /// What belongs to the attacker and to the other side, that of the side first for which the matter is settled.
    pub fn winner_first<T>(self, [attacker, other]: [T; 2]) -> [T; 2] {
        if self.win == 0 { [attacker, other] } else { [other, attacker] }
    }

    /// The numbers as seen by the side to move: what its aim is short of, and what the other side's is; and back. The
    /// attacker aims at a win, the defender at the refutation.
    pub fn aims(self, attacks: bool) -> Aims {
        let Numbers { win, refuted } = self;
        if attacks { Aims { own: win, other: refuted } } else { Aims { own: refuted, other: win } }
    }
}

/// [`Numbers`] as seen by the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Aims {
    /// What the aim of the side to move is short of.
    pub own: u32,
    /// What the aim of the other side is short of.
    pub other: u32,
}

impl Aims {
    /// The opposite of [`Numbers::aims`].
    pub fn numbers(self, attacks: bool) -> Numbers {
        let Aims { own, other } = self;
        if attacks { Numbers { win: own, refuted: other } } else { Numbers { win: other, refuted: own } }
    }

    /// The aims at a position from those at its children, each seen by the side to move here: one child is enough for
    /// the own aim, all of them are needed for the other. Many ways lead to the same positions, so that their numbers
    /// are not added up: the greatest counts, and one for each other child that is open ("weak" proof-number search,
    /// Ueda et al. 2008).
    pub fn of_children(children: impl Iterator<Item = Aims>) -> Aims {
        let mut aims = Aims { own: NEVER, other: 0 };
        let mut open = 0;
        for child in children {
            aims.own = aims.own.min(child.own);
            aims.other = aims.other.max(child.other);
            open += u32::from(child.other != 0);
        }
        if aims.own == 0 {
            aims.other = NEVER;
        } else if aims.other != 0 {
            aims.other = aims.other.saturating_add(open - 1).min(MOST);
        }
        aims
    }
}

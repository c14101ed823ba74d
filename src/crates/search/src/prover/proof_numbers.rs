//! Proof and disproof numbers (Allis, 1994): how much remains to be proved.

/// The proof or disproof number of something that is known to be impossible.
pub const INFINITE_NUMBER: u32 = (1 << 28) - 1;
/// The greatest finite number.
const MAX_FINITE: u32 = INFINITE_NUMBER - 1;

/// The proof and the disproof number of a position. The position is settled when one of them is 0;
/// the other one is [`INFINITE_NUMBER`] then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProofNumbers {
    /// The proof number: the minimum number of positions that must still be proved won for the
    /// attacker to prove a win here.
    pub proof: u32,
    /// The disproof number: the minimum number of positions that must still be proved not won for
    /// the attacker to disprove a win here.
    pub disproof: u32,
}

impl ProofNumbers {
    /// A win is proved.
    pub const PROVED: ProofNumbers = ProofNumbers { proof: 0, disproof: INFINITE_NUMBER };
    /// A win is disproved.
    pub const DISPROVED: ProofNumbers = ProofNumbers { proof: INFINITE_NUMBER, disproof: 0 };

    /// Returns whether nothing remains to be proved.
    pub fn is_settled(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    /// Sorts values of the attacker and the defender so that the winner's comes first: the
    /// attacker's if a win is proved, the defender's if it is disproved.
    pub fn order_winner_first<T>(self, [attacker, defender]: [T; 2]) -> [T; 2] {
        if self.proof == 0 { [attacker, defender] } else { [defender, attacker] }
    }

    /// Returns the numbers as the side to move sees them. The attacker aims at a proof, the
    /// defender at a disproof.
    pub fn phi_delta(self, is_attacker_to_move: bool) -> PhiDelta {
        let ProofNumbers { proof, disproof } = self;
        if is_attacker_to_move {
            PhiDelta { phi: proof, delta: disproof }
        } else {
            PhiDelta { phi: disproof, delta: proof }
        }
    }
}

/// [`ProofNumbers`] as the side to move sees them (Nagai, 2002).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhiDelta {
    /// The number of the side to move's aim.
    pub phi: u32,
    /// The number of the other side's aim.
    pub delta: u32,
}

impl PhiDelta {
    /// Returns the proof numbers: the inverse of [`ProofNumbers::phi_delta`].
    pub fn proof_numbers(self, is_attacker_to_move: bool) -> ProofNumbers {
        let PhiDelta { phi, delta } = self;
        let [proof, disproof] = if is_attacker_to_move { [phi, delta] } else { [delta, phi] };
        ProofNumbers { proof, disproof }
    }

    /// Computes the numbers of a position from those of its children, all as the side to move here
    /// sees them. One child is enough for its own aim, so that `phi` is the minimum; all children
    /// are needed for the other aim.
    ///
    /// Many paths lead to the same positions, so that a sum over the children would count positions
    /// more than once. So `delta` is the maximum, plus one for each other child that is open
    /// ("weak" proof-number search; Ueda et al., 2008).
    pub fn of_children(children: impl Iterator<Item = PhiDelta>) -> PhiDelta {
        let mut here = PhiDelta { phi: INFINITE_NUMBER, delta: 0 };
        let mut open = 0;
        for child in children {
            here.phi = here.phi.min(child.phi);
            here.delta = here.delta.max(child.delta);
            open += u32::from(child.delta != 0);
        }
        if here.phi == 0 {
            here.delta = INFINITE_NUMBER;
        } else if here.delta != 0 {
            here.delta = here.delta.saturating_add(open - 1).min(MAX_FINITE);
        }
        here
    }
}

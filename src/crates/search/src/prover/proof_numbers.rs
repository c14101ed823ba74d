//! Proof and disproof numbers (Allis, 1994). These numbers count how much remains to be proved or
//! disproved.

/// The proof number of a disproved position, and the disproof number of a proved one.
pub const INFINITE_PROOF_NUMBER: u32 = (1 << 28) - 1;
/// The greatest finite number.
const MAX_FINITE_PROOF_NUMBER: u32 = INFINITE_PROOF_NUMBER - 1;

/// The proof and the disproof number of a position. The position is settled when one of them is 0.
/// Then the other one is [`INFINITE_PROOF_NUMBER`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProofNumbers {
    /// The minimum number of positions still to be proved won, for a proof that the attacker wins
    /// this position.
    pub proof: u32,
    /// The minimum number of positions still to be proved not won, for a proof that the attacker
    /// does not win this position.
    pub disproof: u32,
}

impl ProofNumbers {
    /// The numbers of a position whose win is proved.
    pub const PROVED_PROOF_NUMBERS: ProofNumbers =
        ProofNumbers { proof: 0, disproof: INFINITE_PROOF_NUMBER };
    /// The numbers of a position whose win is disproved.
    pub const DISPROVED_PROOF_NUMBERS: ProofNumbers =
        ProofNumbers { proof: INFINITE_PROOF_NUMBER, disproof: 0 };

    /// Returns whether nothing remains to be proved.
    pub fn is_settled(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    /// Sorts a pair of values, the attacker's and the defender's, so that the winner's comes first.
    /// The winner is the attacker if a win is proved, and the defender if the win is disproved.
    pub fn sort_values_winner_first<T>(self, [attacker, defender]: [T; 2]) -> [T; 2] {
        if self.proof == 0 { [attacker, defender] } else { [defender, attacker] }
    }

    /// Converts the numbers to the view of the side to move. The attacker aims at a proof, and the
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

/// The [`ProofNumbers`] of a position in the view of the side to move (Nagai, 2002).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhiDelta {
    /// The proof number if the attacker is to move; the disproof number if the defender is to move.
    pub phi: u32,
    /// The disproof number if the attacker is to move; the proof number if the defender is to move.
    pub delta: u32,
}

impl PhiDelta {
    /// Converts the numbers back to a proof number and a disproof number. This is the inverse of
    /// [`ProofNumbers::phi_delta`].
    pub fn proof_numbers(self, is_attacker_to_move: bool) -> ProofNumbers {
        let PhiDelta { phi, delta } = self;
        let [proof, disproof] = if is_attacker_to_move { [phi, delta] } else { [delta, phi] };
        ProofNumbers { proof, disproof }
    }

    /// Computes the numbers of a position from those of its children. All numbers are in the view
    /// of the side to move in this position. This side achieves its aim if one child achieves it,
    /// so `phi` is the minimum of the children. The other side must achieve its aim in all
    /// children, so `delta` could be the sum of the children.
    ///
    /// But many paths lead to the same position, and a sum would count such a position more than
    /// once. Therefore `delta` is the maximum, plus one for each other child that is open ("weak"
    /// proof-number search; Ueda et al., 2008).
    pub fn from_children(children: impl Iterator<Item = PhiDelta>) -> PhiDelta {
        let mut here = PhiDelta { phi: INFINITE_PROOF_NUMBER, delta: 0 };
        let mut open = 0;
        for child in children {
            here.phi = here.phi.min(child.phi);
            here.delta = here.delta.max(child.delta);
            open += u32::from(child.delta != 0);
        }
        if here.phi == 0 {
            here.delta = INFINITE_PROOF_NUMBER;
        } else if here.delta != 0 {
            here.delta = here.delta.saturating_add(open - 1).min(MAX_FINITE_PROOF_NUMBER);
        }
        here
    }
}

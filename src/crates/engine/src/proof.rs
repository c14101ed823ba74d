//! Who can force a win from a position, as a request asks it and as it is answered.

use std::sync::Arc;

use serde::Serialize;

use pentarch_core::Options;
use pentarch_search::control::Control;

/// The greatest memory for a proof in MiB.
pub const MOST_MEMORY: u64 = 65_536;
/// The most men of the positions that are solved before a proof.
pub const MOST_MEN: u64 = 32;

/// Why nothing was found out where the memory that a proof may take is not there.
pub const NO_MEMORY: &str = "there is not enough memory";

/// What a proof may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProofLimits {
    /// How many positions the search for one side's win may visit.
    pub nodes: u64,
    /// The memory in MiB for what the search finds out; none for as much as there usually is.
    pub memory: Option<u32>,
    /// The most men of positions that are solved first; none for those that the game chooses.
    pub tables: Option<usize>,
}

/// Who can force a win.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Settled {
    /// Whether it was found out.
    pub settled: bool,
    /// The side that can; none if neither can, or if it was not found out.
    pub winner: Option<&'static str>,
    /// The plies of the longest line of the win that was found.
    pub plies: Option<u32>,
    /// How many replies the proofs have.
    pub replies: usize,
    /// How many positions their check has seen.
    pub positions: usize,
    /// How many positions the search has visited.
    pub nodes: u64,
    /// The time in milliseconds.
    pub time: u64,
    /// The texts of the proofs: of the win, or of both sides that they cannot.
    pub proofs: Vec<String>,
    /// Why it was not found out, as half a sentence.
    pub why: Option<String>,
}

impl Settled {
    /// That it was not found out, and why.
    pub fn open(why: impl Into<String>) -> Settled {
        Settled { why: Some(why.into()), ..Settled::default() }
    }
}

/// Finds out who can force a win from the position of a text under the rules that these options choose. The control
/// ends it.
pub type Settle = fn(&Options, &str, ProofLimits, &Arc<Control>) -> Settled;

//! The limits of a proof, and its result as a part of a response. A proof determines which side can
//! force a win from a position.

use std::sync::Arc;

use serde::{Serialize, Serializer};
use thiserror::Error;

use pentarch_core::{Options, PositionError};
use pentarch_search::control::SearchControl;

use super::requests::response_task::{GAME_IS_OVER_MESSAGE, STOPPED_PROOF_REASON};

/// The maximum memory for a proof in MiB.
pub const MAX_PROOF_MEMORY_MIB: u64 = 65_536;
/// The maximum of [`ProofLimits::tables`].
pub const MAX_PROOF_TABLE_PIECES: u64 = 32;

/// The reason why a proof has no result, as a clause.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ProofFailure {
    /// The game has more than two players.
    #[error("it has more than two players")]
    TooManyPlayers,
    /// The string is not a position of these rules.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// There is not enough memory for the proof.
    #[error("there is not enough memory")]
    NoMemory,
    /// The game is over in the position.
    #[error("{GAME_IS_OVER_MESSAGE}")]
    Over,
    /// The proof was stopped.
    #[error("{STOPPED_PROOF_REASON}")]
    Stopped,
    /// The proof has reached its limit of nodes or of memory.
    #[error("more memory or more nodes may help")]
    LimitReached,
}

impl Serialize for ProofFailure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The limits of a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProofLimits {
    /// The maximum number of positions that the search visits for each of the two sides.
    pub nodes: u64,
    /// The memory in MiB for the results of the search; `None` for the default.
    pub memory: Option<u32>,
    /// The number of pieces up to which all positions are solved first; `None` for the default of
    /// the game.
    pub tables: Option<usize>,
}

/// The answer to the question of which side can force a win.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProofResult {
    /// Whether the question was answered.
    pub settled: bool,
    /// The word that names the side that can force a win; `null` if neither side can, or if the
    /// question was not answered.
    pub winner: Option<&'static str>,
    /// The length in plies of the longest winning line; `null` if there is no win.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub plies: Option<u32>,
    /// The number of replies in the proofs.
    pub replies: usize,
    /// The number of positions that the verification of the proofs visited.
    pub positions: usize,
    /// The number of positions that the search visited.
    pub nodes: u64,
    /// The time of the proof in milliseconds.
    pub time: u64,
    /// The proofs. These proofs show that the winner can force a win, or that neither side can.
    pub proofs: Vec<String>,
    /// The reason why the question was not answered, as a clause; `null` if it was answered.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub why: Option<ProofFailure>,
}

impl ProofResult {
    /// Returns the result for a question that was not answered, with the reason.
    pub fn undetermined(why: impl Into<ProofFailure>) -> ProofResult {
        ProofResult { why: Some(why.into()), ..ProofResult::default() }
    }
}

/// A function that determines which side can force a win. Its arguments are the rules as options,
/// the position string, the limits, and the control that can stop the search.
pub type WinnerProverFn = fn(&Options, &str, ProofLimits, &Arc<SearchControl>) -> ProofResult;

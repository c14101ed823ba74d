//! Checks the solver's results against the rules, in every state.
//!
//! | module | contents |
//! |---|---|
//! | [`certificate`] | the file with the result of a check |
//! | [`pair_moves`] | the moves that a set of walls allows, for all pairs of knights at once |
//! | [`local`] | the local rule: a state is won if the next state can be forced into the won ones |
//! | [`win_files`] | the files of the certain wins, entry by entry |
//! | [`levels`] | the ranks, one band at a time |
//! | [`ranks`] | the decrease of the ranks, which proves that certain wins are wins |
//!
//! Of the solver's own code, the checker uses only the numbering of the entries, the names of the
//! files and the errors. It has its own moves, computed from the board of the game, and its own
//! operations on sets of pairs of knights.
//!
//! # Proof
//!
//! The local rule also accepts a circle of states, each of which would be won if the next one were.
//! So this rule proves the [safe](super::stages::Stage::Safe) wins, where a circle is a win because
//! red owns its states, and nothing else. The [ranks] leave no room for a circle of states of
//! green, and prove the certain wins with the other side to move. For all others only the local
//! rule is checked: the plain wins, those by repetition, those with the winner to move, and the
//! winner of the start. A missing win is no fault of the safe and the certain wins.

pub mod certificate;
pub mod levels;
pub mod local;
pub mod pair_moves;
pub mod ranks;
pub mod win_files;

use super::error::SolverError;
use super::stages::Stage;
use crate::position::Position;

/// The number of sets of walls that a thread processes at once.
const CHUNK_LEN: usize = 1 << 12;

/// The reason why a check did not pass.
#[derive(Debug)]
pub enum CheckFailure {
    /// The value of a position is wrong. The position is stored with the winner as red.
    WrongState(Box<Position>, StateFlaw),
    /// A table is damaged or missing.
    Damaged(SolverError),
    /// The check is not possible.
    Impossible(SolverError),
}

/// A stage whose check did not pass.
#[derive(Debug)]
pub struct FailedStage {
    /// The stage.
    pub stage: Stage,
    /// The reason.
    pub failure: CheckFailure,
}

/// The flaw of a state with a wrong value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum StateFlaw {
    /// It is won and does not satisfy the local rule, or the reverse.
    #[error("its value does not follow from its moves")]
    Local,
    /// The game is over, and the value differs from that of a position in which it is over.
    #[error("the game is over there, and it has the value of another position")]
    Decided,
    /// It is stored as safe, but a repetition of it loses.
    #[error("it is not safe, because its repetition is lost")]
    NotOwned,
    /// It is stored as safe, but not as certain.
    #[error("it is safe and not certain")]
    NotCertain,
    /// A move leads to a rank that is not low enough.
    #[error("a move leads to a rank that is too high for it")]
    RankTooLow,
    /// No move leads to a rank that its rank would follow from.
    #[error("no move leads to a rank that is high enough for it")]
    RankTooHigh,
    /// The states that differ only in the blocked walls have more than two ranks.
    #[error("positions that differ from it only in blocked walls have two other ranks")]
    ThirdRank,
}

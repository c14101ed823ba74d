//! Checks the solver's results against the rules, in every state.
//!
//! | module | what it holds |
//! |---|---|
//! | [`certificate`] | the file with the result of a check |
//! | [`walls`] | the moves that a set of walls allows, for all pairs of knights at once |
//! | [`local`] | the local rule: a state is won if the next state can be forced into the won ones |
//! | [`files`] | the files of the certain wins, entry by entry |
//! | [`levels`] | the ranks, one band at a time |
//! | [`ranks`] | the decrease of the ranks, which proves that certain wins are wins |
//!
//! Of the solver's own code nothing is used but the numbering of the entries, the names of the files and the errors. The moves are
//! those of the board of the game, and the sets of pairs of knights have operations of their own.
//!
//! # Proof
//!
//! A circle of states, each of which would be won if the next one were, passes the local rule. So that rule proves what
//! is [safe](super::stages::Stage::Safe), where a circle is a win because red owns its states, and nothing else.
//! The [ranks] leave no room for a circle of states of green, and prove what is certain with the other side to move. For
//! the rest only the local rule is checked: the plain wins, those by repetition, those with the winner to move, and who
//! wins the start. A missing win is no fault of the safe and the certain ones.

pub mod certificate;
pub mod files;
pub mod levels;
pub mod local;
pub mod ranks;
pub mod walls;

use super::error::SolverError;
use crate::position::Position;

/// How many sets of walls a thread takes at once.
const CHUNK: usize = 1 << 12;

/// Why a check did not pass.
#[derive(Debug)]
pub enum Fault {
    /// A position, with the winner on the side of red, is wrong.
    State(Box<Position>, Flaw),
    /// A table is damaged or missing.
    Damaged(SolverError),
    /// The check is not possible.
    Unable(SolverError),
}

/// The fault of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Flaw {
    /// It is not won by the local rule, or it is and is missing.
    #[error("its value does not follow from its moves")]
    Local,
    /// The game is over there, and it is stored as no such position is.
    #[error("the game is over there, and it has the value of another position")]
    Decided,
    /// It counts as safe, but its repetition is lost.
    #[error("it is not safe, because its repetition is lost")]
    NotOwned,
    /// It counts as safe, but not as certain.
    #[error("it is safe and not certain")]
    NotCertain,
    /// A move leads to a rank that is not lower.
    #[error("a move leads to a rank that is too high for it")]
    RankTooLow,
    /// No move leads to a rank that it would follow from.
    #[error("no move leads to a rank that is high enough for it")]
    RankTooHigh,
    /// The states that differ in the blocked walls only have more than two ranks.
    #[error("positions that differ from it only in blocked walls have two other ranks")]
    ThirdRank,
}

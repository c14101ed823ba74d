//! Checks what the solver has found against the rules, in every state.
//!
//! | module | what it holds |
//! |---|---|
//! | [`certificate`] | the file next to a table that says how it was checked |
//! | [`walls`] | what a set of walls allows, for all pairs of knights at once |
//! | [`local`] | the local rule: a state is won if the next state can be forced into the won ones |
//! | [`files`] | the files of the certain wins, entry by entry |
//! | [`levels`] | the ranks, as far as one pass over them needs |
//! | [`ranks`] | the decrease of the ranks, which proves that certain wins are wins |
//!
//! No code is shared with the solver but the numbering of the entries. The moves are those of the board of the game, and
//! the sets of pairs of knights have operations of their own.
//!
//! # What is proved
//!
//! A circle of states, each of which would be won if the next one were, passes the local rule. So that rule proves what
//! is [safe](super::solver::stages::Stage::Safe), where a circle is a win because red owns its states, and nothing else.
//! The [ranks] leave no room for a circle of states of green, and prove what is certain. What is found without ranks,
//! the plain wins, those by repetition and who wins the start, is held against the local rule only.

pub mod certificate;
pub mod files;
pub mod levels;
pub mod local;
pub mod ranks;
pub mod walls;

use super::position::Position;

/// How many sets of walls a thread takes at once.
const CHUNK: usize = 1 << 12;

/// What a check finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// A file cannot be read or written; the text names it.
    File(String),
    /// A position, with the winner on the side of red, is wrong.
    State(Box<Position>, Flaw),
}

/// What is wrong with a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Flaw {
    /// It is not won by the local rule, or it is and is missing.
    #[error("its moves do not lead to what it holds")]
    Local,
    /// The game is over there.
    #[error("it is no state of a game that goes on")]
    Decided,
    /// It counts as safe, but its repetition is lost.
    #[error("it is not safe, because its repetition is lost")]
    NotOwned,
    /// A move leads to a rank that is not lower.
    #[error("its rank is too low for a move")]
    RankTooLow,
    /// No move leads to a rank that it would follow from.
    #[error("its rank is too high for all moves")]
    RankTooHigh,
    /// The states that differ in the blocked walls only have more than two ranks.
    #[error("it has the third rank of those with other blocked walls")]
    ThirdRank,
}

//! Checks the solver's results against the rules, in every state.
//!
//! | module | contents |
//! |---|---|
//! | [`certificate`] | the file with the result of a check |
//! | [`knight_pair_moves`] | the moves that a set of walls allows, for all pairs of knights at once |
//! | [`successor_check`] | the local rule: a state is won if the winner can force the next state into the won states |
//! | [`win_files`] | the files of the certain wins, entry by entry |
//! | [`band_levels`] | the ranks of one band, as levels above the floor of the band |
//! | [`win_rank_check`] | the check that the ranks decrease; this proves the certain wins |
//!
//! The checker uses only three parts of the solver's code: the numbering of the entries, the names
//! of the files, and the errors. The checker has its own moves, which it computes from the board of
//! the game. It also has its own operations on sets of pairs of knights.
//!
//! # Proof
//!
//! The local rule also accepts a cycle of states in which each state is won only if the next state
//! is won. So the local rule proves only the [safe](super::stages::Stage::Safe) wins. A cycle of
//! safe wins is a win, because red owns its states. The [ranks](win_rank_check) exclude cycles with
//! states that green owns. So the ranks prove the certain wins with the other side to move.
//!
//! For all other results, only the local rule is checked: the plain wins, the wins by repetition,
//! the wins with the winner to move, and the winner of the start position. A win that is missing
//! from the safe or the certain wins is not a fault.

pub mod band_levels;
pub mod certificate;
pub mod knight_pair_moves;
pub mod successor_check;
pub mod win_files;
pub mod win_rank_check;

use super::error::SolverError;
use super::stages::Stage;
use crate::position::Position;

/// The number of sets of walls that a thread processes at once.
const WALL_SETS_PER_CHUNK: usize = 1 << 12;

/// The reason why a check did not pass.
#[derive(Debug)]
pub enum CheckFailure {
    /// A state has a wrong value. The position represents the state, turned so that the winner is
    /// red.
    WrongState(Box<Position>, StateFlaw),
    /// A table is damaged or missing.
    Damaged(SolverError),
    /// The check is not possible.
    Impossible(SolverError),
}

/// A stage whose check did not pass.
#[derive(Debug)]
pub struct FailedStageCheck {
    /// The stage that did not pass.
    pub stage: Stage,
    /// The reason why the stage did not pass.
    pub failure: CheckFailure,
}

/// A reason why the stored value of a state is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum StateFlaw {
    /// The state is stored as won although the winner cannot force the next state into the won
    /// states, or it is not stored as won although the winner can.
    #[error("its value does not follow from its moves")]
    Successors,
    /// The game is over in this state, but the stored value does not agree with the outcome.
    #[error("the game is over there, but its value does not agree with the outcome")]
    Decided,
    /// The state is stored as a safe win, but the winner would lose if the state were repeated.
    #[error("it is not safe, because its repetition is lost")]
    NotOwned,
    /// The state is stored as a safe win, but not as a certain win.
    #[error("it is safe and not certain")]
    NotCertain,
    /// The rank is too low: a move leads to a state whose rank requires a higher one.
    #[error("a move leads to a rank that is too high for it")]
    RankTooLow,
    /// The rank is too high: no move requires a rank this high.
    #[error("no move leads to a rank that is high enough for it")]
    RankTooHigh,
    /// The states of a class, which differ only in the blocked walls, have more than two different
    /// ranks.
    #[error("positions that differ from it only in blocked walls have two other ranks")]
    ThirdRank,
}

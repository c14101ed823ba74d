//! The means of a retrograde analysis, and why it ends without a result.

use thiserror::Error;

/// Why a group is not solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SolveError {
    /// The analysis was told to stop.
    #[error("interrupted")]
    Interrupted,
    /// There is not enough memory.
    #[error("not enough memory")]
    Memory,
    /// A position has a greater distance to mate than a byte holds.
    #[error("an end of the game is more than 254 plies away")]
    TooLong,
}

/// The means of an analysis.
pub struct RetrogradeBudget<'a> {
    /// The number of threads.
    pub threads: usize,
    /// Called from time to time with the distance to mate of the current pass, in plies. It returns whether the
    /// analysis is to go on.
    pub should_continue: &'a (dyn Fn(u32) -> bool + Sync),
}

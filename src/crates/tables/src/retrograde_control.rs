//! The budget of a retrograde analysis, and the reasons why an analysis ends without a result.

use thiserror::Error;

/// The reason why the values of a group of classes were not computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum GroupSolveError {
    /// The analysis was stopped.
    #[error("interrupted")]
    Interrupted,
    /// There is not enough memory.
    #[error("not enough memory")]
    Memory,
    /// A distance to mate does not fit into a byte.
    #[error("an end of the game is more than 254 plies away")]
    TooLong,
}

/// The budget of an analysis: the number of threads, and a function that decides whether to
/// continue.
pub struct RetrogradeControl<'a> {
    /// The number of threads of the analysis.
    pub threads: usize,
    /// A function that is called from time to time. The function returns whether the analysis
    /// should continue. Its argument is the distance to mate, in plies, of the positions that the
    /// current pass solves. The argument is 0 in the first pass.
    pub should_continue: &'a (dyn Fn(u32) -> bool + Sync),
}

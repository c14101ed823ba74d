//! The moves of the root.

use super::score::{self, INFINITE_SCORE};

/// A move of the root, with its score and principal variation.
#[derive(Debug, Clone)]
pub struct RootMove<M> {
    /// The move itself.
    pub mv: M,
    /// The score of the move, for the side to move at the root.
    pub score: i32,
    /// The principal variation, which begins with the move.
    pub pv: Vec<M>,
    /// The last proven score that was confirmed.
    pub confirmed: Option<i32>,
}

impl<M: Copy> RootMove<M> {
    /// Creates a move that has not been searched yet.
    pub fn new(mv: M) -> RootMove<M> {
        RootMove { mv, score: -INFINITE_SCORE, pv: vec![mv], confirmed: None }
    }

    /// Returns the score to report. A proven score is reported as proven only if it is confirmed.
    pub fn reported_score(&self) -> i32 {
        score::reportable_score(self.score, self.confirmed == Some(self.score))
    }
}

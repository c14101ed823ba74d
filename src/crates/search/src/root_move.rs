//! The moves of the root.

use super::score::{self, INFINITE_SCORE};

/// A move of the root, with its score and principal variation.
#[derive(Debug, Clone)]
pub struct RootMove<M> {
    /// The move itself.
    pub mv: M,
    /// The score of the move, for the side to move at the root.
    pub score: i32,
    /// The principal variation; its first move is this move.
    pub pv: Vec<M>,
    /// The last proven score that was confirmed.
    pub confirmed: Option<i32>,
    /// The result of the last attempt to complete the principal variation for a report.
    pub line: Option<ProvenLine<M>>,
}

/// The completed principal variation of a proven score. If it could not be completed, this is its
/// beginning.
#[derive(Debug, Clone)]
pub struct ProvenLine<M> {
    /// The score of the search.
    pub searched: i32,
    /// The score to report. If the line is complete, the distance to mate in this score is the
    /// length of the line.
    pub shown: i32,
    /// The line from the root.
    pub pv: Vec<M>,
}

impl<M: Copy> RootMove<M> {
    /// Creates the record of a root move that has not been searched yet.
    pub fn new(mv: M) -> RootMove<M> {
        RootMove { mv, score: -INFINITE_SCORE, pv: vec![mv], confirmed: None, line: None }
    }

    /// Returns the score to report. A proven score is reported as proven only if it is confirmed.
    pub fn reported_score(&self) -> i32 {
        score::reportable_score(self.shown_score(), self.confirmed == Some(self.score))
    }

    /// Stores the completed line of the move's proven score. The game ends after `plies` plies.
    /// `pv` is shorter than that if the whole line could not be found.
    pub fn set_line(&mut self, pv: Vec<M>, plies: usize) {
        let shown = score::win_score_at_ply(plies) * self.score.signum();
        self.line = Some(ProvenLine { searched: self.score, shown, pv: pv.clone() });
        self.pv = pv;
    }

    /// Returns the score that belongs to the stored line. If no line is stored for the current
    /// score, returns the current score.
    pub fn shown_score(&self) -> i32 {
        let line = self.line.as_ref().filter(|line| line.searched == self.score);
        line.map_or(self.score, |line| line.shown)
    }
}

//! The accuracy of a side: how little its moves lost in comparison with what was at stake.
//!
//! The stake of a move is the mean loss of a few other moves. So positions in which all moves are
//! about equal do not count, and decided positions count little. A player who chooses at random
//! loses about the sum of the stakes, which is an accuracy of 50 %.

/// The moves of a side, as far as its accuracy depends on them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct AccuracySum {
    /// The sum of the losses of winning chance.
    lost: f64,
    /// The sum of the [stakes](super::ReviewedMove::stake).
    at_stake: f64,
}

impl AccuracySum {
    /// Adds a move.
    pub(super) fn add_move(&mut self, lost: f64, stake: f64) {
        self.lost += lost;
        self.at_stake += stake;
    }

    /// Returns the accuracy, from 0 to 1.
    pub(super) fn accuracy(self) -> f64 {
        if self.lost > 0. { self.at_stake / (self.at_stake + self.lost) } else { 1. }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_compares_losses_with_stakes() {
        let accuracy = |moves: &[(f64, f64)]| {
            let mut sum = AccuracySum::default();
            moves.iter().for_each(|&(lost, stake)| sum.add_move(lost, stake));
            sum.accuracy()
        };
        assert_eq!(accuracy(&[]), 1.);
        assert_eq!(accuracy(&[(0., 0.25), (0.25, 0.5)]), 0.75);
        // Moves without an alternative change nothing.
        assert_eq!(accuracy(&[(0.25, 0.25), (0., 0.), (0., 0.)]), 0.5);
    }
}

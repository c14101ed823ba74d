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
    /// The sum of the losses of moves whose stake is unknown. The accuracy leaves them out.
    lost_without_stake: f64,
}

impl AccuracySum {
    /// Adds a move. The stake is `None` if the search could not compare moves.
    pub(super) fn add_move(&mut self, lost: f64, stake: Option<f64>) {
        match stake {
            Some(stake) => {
                self.lost += lost;
                self.at_stake += stake;
            }
            None => self.lost_without_stake += lost,
        }
    }

    /// Returns the accuracy, from 0 to 1; `None` if only moves without a known stake lost anything,
    /// and no stake is known.
    pub(super) fn accuracy(self) -> Option<f64> {
        match self.at_stake + self.lost {
            0. if self.lost_without_stake > 0. => None,
            0. => Some(1.),
            total => Some(self.at_stake / total),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_compares_losses_with_stakes() {
        let accuracy = |moves: &[(f64, Option<f64>)]| {
            let mut sum = AccuracySum::default();
            moves.iter().for_each(|&(lost, stake)| sum.add_move(lost, stake));
            sum.accuracy()
        };
        assert_eq!(accuracy(&[]), Some(1.));
        assert_eq!(accuracy(&[(0., Some(0.25)), (0.25, Some(0.5))]), Some(0.75));
        // Moves without an alternative, or without a comparison, change nothing.
        let moves = [(0.25, Some(0.25)), (0., Some(0.)), (0., None), (0.5, None)];
        assert_eq!(accuracy(&moves), Some(0.5));
        assert_eq!(accuracy(&[(0.25, None)]), None);
    }
}

//! The losses of a net after each epoch of its training.

/// The mean losses of an epoch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanEpochLosses {
    /// The log loss of the predicted results in the training set. The loss is measured while the
    /// net learns these results.
    pub training: f32,
    /// The log loss of the predicted results in the held-out set. The loss is measured after the
    /// epoch.
    pub held_out: f32,
}

/// The heading of the table of losses by epoch.
pub const EPOCH_TABLE_HEADING: &str = "epoch   loss: learnt  held out";

impl MeanEpochLosses {
    /// Returns the row of the table for the epoch with this number.
    pub fn table_row(&self, epoch: usize) -> String {
        format!("{epoch:>5}{:>15.5}{:>10.5}", self.training, self.held_out)
    }
}

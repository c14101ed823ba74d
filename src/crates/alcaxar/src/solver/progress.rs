//! The progress of the solver within its stages.

use pentarch_core::Side;

use super::FixpointStep;
use super::stages::{Stage, StateCounts};

/// The bit for a win of the start position that a [start stage](super::stages::Stage::Start) has
/// found.
pub(super) const START_STAGE_FOUND_WIN_BIT: u64 = 1 << 63;

/// The progress of the solver.
#[derive(Debug, Clone, Default)]
pub(super) struct SolverProgress {
    /// The index of the current stage, or the number of stages if all requested stages have ended.
    pub(super) stage: usize,
    /// A bit for each stage, by the index of the stage: whether the stage has ended.
    pub(super) ended: u64,
    /// The next step of the stage, and the side of this step; `None` if the stage has not begun.
    pub(super) next: Option<(FixpointStep, Side)>,
    /// The number of steps since the last step that changed something.
    pub(super) idle_steps: u64,
    /// The number of steps that the stage has made.
    pub(super) steps: u64,
    /// The number of the last step of the stage that changed something.
    pub(super) last_change: u64,
    /// The number of won states when red last began to stay.
    pub(super) won_before_stay: u64,
    /// The number of updates in this stage.
    pub(super) updates: u64,
    /// The current round of the certain wins: the number of steps in which states that the other
    /// side owns could enter.
    pub(super) round: u64,
    /// The round of the certain wins in which states entered by staying; 0 if no states have
    /// entered by staying.
    pub(super) stay_round: u64,
    /// The length of the log of the ranks in bytes.
    pub(super) log_len: u64,
    /// The length of the longest plain win in plies.
    pub(super) longest_plain_win: u64,
    /// Bits for each side: one for the start position, and one for the position after each of its
    /// moves. A bit says whether the rounds of the certain wins have found a win of the side.
    /// [`START_STAGE_FOUND_WIN_BIT`] is the bit for a win of the start position without the rounds.
    pub(super) start_wins: [u64; 2],
    /// The counts of each ended stage: first without a blocked wall, then with all blocked sets.
    pub(super) counts: [[StateCounts; 2]; Stage::COUNTED_STAGES],
}

/// The progress as it is stored in files.
pub(super) type ProgressWords = [u64; 64];
/// The version of the format: the meaning of the words, and the files of the stages. The version is
/// the last word.
const PROGRESS_FORMAT_VERSION: u64 = 4;

impl SolverProgress {
    /// Moves on to the stage with this index.
    pub(super) fn begin_stage(&mut self, stage: usize) {
        let SolverProgress { ended, longest_plain_win, start_wins, counts, .. } = *self;
        *self = SolverProgress {
            stage,
            ended,
            longest_plain_win,
            start_wins,
            counts,
            ..SolverProgress::default()
        };
    }

    /// Begins the next round of the certain wins.
    pub(super) fn begin_round(&mut self) {
        self.round += 1;
        // In odd rounds, states with red to move enter; in even rounds, states with green to move
        // enter.
        self.next = Some((FixpointStep::AttractUnowned, Side::BOTH[1 - self.round as usize % 2]));
    }

    /// Iterates over the fields that are plain numbers, each with the index of its word.
    fn iter_number_fields(&mut self) -> impl Iterator<Item = (usize, &mut u64)> {
        let [red_wins, green_wins] = &mut self.start_wins;
        let numbers = [
            &mut self.idle_steps,
            &mut self.steps,
            &mut self.last_change,
            &mut self.won_before_stay,
            &mut self.updates,
            &mut self.longest_plain_win,
            &mut self.round,
            red_wins,
            green_wins,
            &mut self.stay_round,
            &mut self.log_len,
            &mut self.ended,
        ];
        let counts = self.counts.as_flattened_mut().as_flattened_mut();
        (3..).zip(numbers).chain((16..).zip(counts))
    }

    /// Returns whether a stage has ended.
    pub(super) fn has_stage_ended(&self, stage: Stage) -> bool {
        self.ended >> stage.index() & 1 != 0
    }

    /// Returns whether a side is known to win the start.
    pub(super) fn is_start_won_by(&self, side: Side) -> bool {
        self.start_wins[side.index()] & (1 | START_STAGE_FOUND_WIN_BIT) != 0
    }

    /// Returns the words for the files. Unused words are 0.
    pub(super) fn to_words(&self) -> ProgressWords {
        let mut words = [0; 64];
        let step = self.next.map_or(0, |(step, _)| match step {
            FixpointStep::Stay => 1,
            FixpointStep::Attract | FixpointStep::AttractOwned | FixpointStep::AttractCapped => 2,
            FixpointStep::AttractUnowned => 3,
        });
        let side = self.next.map_or(0, |(_, side)| side.index() as u64);
        words[..3].copy_from_slice(&[self.stage as u64, step, side]);
        self.clone().iter_number_fields().for_each(|(at, number)| words[at] = *number);
        words[63] = PROGRESS_FORMAT_VERSION;
        words
    }

    /// Returns the progress with these words, or `None` if the words have another version.
    pub(super) fn from_words(words: &ProgressWords) -> Option<SolverProgress> {
        let [stage, step, side, ..] = *words;
        let step = match step {
            0 => None,
            1 => Some(FixpointStep::Stay),
            3 => Some(FixpointStep::AttractUnowned),
            _ => Stage::ALL.get(stage as usize).map(|stage| stage.attracting_step()),
        };
        let next = step.map(|step| (step, Side::BOTH[side as usize & 1]));
        let mut progress = SolverProgress { stage: stage as usize, next, ..Default::default() };
        progress.iter_number_fields().for_each(|(at, number)| *number = words[at]);
        (words[63] == PROGRESS_FORMAT_VERSION).then_some(progress)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_survives_conversion_to_words() {
        for (stage, step) in [(0, 0), (0, 2), (1, 1), (2, 2), (2, 3), (7, 0)] {
            let side = u64::from(step == 3);
            let mut words: ProgressWords = std::array::from_fn(|at| 100 + at as u64);
            [15..16, 58..63].into_iter().for_each(|unused| words[unused].fill(0));
            words[..3].copy_from_slice(&[stage, step, side]);
            words[63] = PROGRESS_FORMAT_VERSION;
            assert_eq!(SolverProgress::from_words(&words).unwrap().to_words(), words);
        }
        assert!(SolverProgress::from_words(&[0; 64]).is_none());
    }
}

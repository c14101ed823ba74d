//! The progress of the solver: the stages that have ended, and the steps of the current stage.

use pentarch_core::Side;

use super::FixpointStepKind;
use super::stages::{Stage, StateCounts};

/// The bit for a win of the start position that a [start stage](super::stages::Stage::Start) has
/// found.
pub(super) const START_STAGE_FOUND_WIN_BIT: u64 = 1 << 63;

#[derive(Debug, Clone, Default)]
pub(super) struct SolverProgress {
    /// The index of the current stage, or the number of stages if all requested stages have ended.
    pub(super) stage: usize,
    /// The stages that have ended, with one bit for each stage, by the index of the stage.
    pub(super) ended: u64,
    /// The next step of the stage, and the side to move whose states the step changes; `None` if
    /// the stage has not begun.
    pub(super) next: Option<(FixpointStepKind, Side)>,
    /// The number of steps since the last step that changed an entry.
    pub(super) idle_steps: u64,
    pub(super) steps: u64,
    /// The last step that changed an entry, counted from 1 in this stage.
    pub(super) last_change: u64,
    /// The number of won states when red last began to stay.
    pub(super) won_before_stay: u64,
    /// The number of updates in this stage.
    pub(super) updates: u64,
    /// The number of the current round of the certain wins: the number of steps so far in which
    /// states that green owns could enter.
    pub(super) round: u64,
    /// In the search for certain wins, the number of the round in which red stayed; 0 if red has
    /// not stayed yet.
    pub(super) stay_round: u64,
    /// The length of the log of the ranks in bytes.
    pub(super) log_len: u64,
    pub(super) longest_plain_win_plies: u64,
    /// For each side, the positions that it is known to win. Bit 0 is the start position, and the
    /// next bits are the positions after each move. The search for certain wins sets these bits.
    /// [`START_STAGE_FOUND_WIN_BIT`] is set if a start stage has found a win of the start position.
    pub(super) start_wins: [u64; 2],
    /// For each ended stage, two counts: the states without a blocked wall, and all states.
    pub(super) counts: [[StateCounts; 2]; Stage::COUNTED_STAGE_COUNT],
}

/// The progress as files store it, in 64 words.
pub(super) type ProgressWords = [u64; 64];
/// The version of the format of the solver's files. The last word of the progress contains it.
const PROGRESS_FORMAT_VERSION: u64 = 4;

impl SolverProgress {
    /// Makes the stage with this index the current stage, marked as not begun.
    pub(super) fn begin_stage(&mut self, stage: usize) {
        let SolverProgress { ended, longest_plain_win_plies, start_wins, counts, .. } = *self;
        *self = SolverProgress {
            stage,
            ended,
            longest_plain_win_plies,
            start_wins,
            counts,
            ..SolverProgress::default()
        };
    }

    pub(super) fn begin_certain_wins_round(&mut self) {
        self.round += 1;
        // In odd rounds, states with red to move enter; in even rounds, states with green to move
        // enter.
        self.next =
            Some((FixpointStepKind::AttractUnowned, Side::BOTH_SIDES[1 - self.round as usize % 2]));
    }

    /// Iterates over the fields of type `u64`, each with the index of its word in the stored
    /// progress.
    fn iter_number_fields(&mut self) -> impl Iterator<Item = (usize, &mut u64)> {
        let [red_wins, green_wins] = &mut self.start_wins;
        let numbers = [
            &mut self.idle_steps,
            &mut self.steps,
            &mut self.last_change,
            &mut self.won_before_stay,
            &mut self.updates,
            &mut self.longest_plain_win_plies,
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

    pub(super) fn has_stage_ended(&self, stage: Stage) -> bool {
        self.ended >> stage.index() & 1 != 0
    }

    /// Returns whether it is known that this side wins the start position.
    pub(super) fn is_start_won_by(&self, side: Side) -> bool {
        self.start_wins[side.index()] & (1 | START_STAGE_FOUND_WIN_BIT) != 0
    }

    /// Returns the progress in its stored form. Unused words are 0.
    pub(super) fn to_words(&self) -> ProgressWords {
        let mut words = [0; 64];
        let step = self.next.map_or(0, |(step, _)| match step {
            FixpointStepKind::Stay => 1,
            FixpointStepKind::Attract
            | FixpointStepKind::AttractOwned
            | FixpointStepKind::AttractCapped => 2,
            FixpointStepKind::AttractUnowned => 3,
        });
        let side = self.next.map_or(0, |(_, side)| side.index() as u64);
        words[..3].copy_from_slice(&[self.stage as u64, step, side]);
        self.clone().iter_number_fields().for_each(|(at, number)| words[at] = *number);
        words[63] = PROGRESS_FORMAT_VERSION;
        words
    }

    /// Returns the progress that these words store, or `None` if another version of the program
    /// wrote them.
    pub(super) fn from_words(words: &ProgressWords) -> Option<SolverProgress> {
        let [stage, step, side, ..] = *words;
        let step = match step {
            0 => None,
            1 => Some(FixpointStepKind::Stay),
            3 => Some(FixpointStepKind::AttractUnowned),
            _ => Stage::ALL.get(stage as usize).map(|stage| stage.attracting_step()),
        };
        let next = step.map(|step| (step, Side::BOTH_SIDES[side as usize & 1]));
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

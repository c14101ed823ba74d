//! How far the work on the stages is.

use pentarch_core::Side;

use super::Step;
use super::stages::{Counts, Stage};

/// The bit for whether a side wins the start by the [stage for that alone](super::stages::Stage::Start).
pub(super) const FOUND_ALONE: u64 = 1 << 63;

/// How far the work is.
#[derive(Debug, Clone, Default)]
pub(super) struct Progress {
    /// The number of the stage that is worked on; that of all stages if all that are wanted have ended.
    pub(super) stage: usize,
    /// By the number of a stage, one bit each: whether it has ended.
    pub(super) ended: u64,
    /// What the next step of the stage does, and for which side; none if the stage has not begun.
    pub(super) next: Option<(Step, Side)>,
    /// How many steps one after the other have changed nothing.
    pub(super) idle: u64,
    /// How many steps the stage has made.
    pub(super) steps: u64,
    /// The number of the last step of the stage that changed something.
    pub(super) last_change: u64,
    /// How many states were won when states last began to stay.
    pub(super) won_before: u64,
    /// How many sets of walls have been worked out in this stage.
    pub(super) evaluations: u64,
    /// The round of the wins that are certain: in how many steps states of the other side could have entered.
    pub(super) round: u64,
    /// The round of the wins that are certain in which states entered by staying; 0 if none have.
    pub(super) stay_round: u64,
    /// The length of the log of the ranks.
    pub(super) log_len: u64,
    /// The longest plain win in plies.
    pub(super) longest: u64,
    /// For each side, one bit for the start position and one for the position after each of its moves: whether the side
    /// wins by the rounds of the certain wins. Another one, [`FOUND_ALONE`], tells it of the start without them.
    pub(super) start: [u64; 2],
    /// For each stage that has ended, its counts without a blocked wall, then its counts with all blocked sets.
    pub(super) counts: [[Counts; 2]; Stage::COUNTED],
}

/// The progress as files have it.
pub(super) type Words = [u64; 64];
/// The version of what the words mean, and of the files of the stages. It is the last word.
const VERSION: u64 = 4;

impl Progress {
    /// Goes to the beginning of the stage with this number.
    pub(super) fn begin_stage(&mut self, stage: usize) {
        let Progress { ended, longest, start, counts, .. } = *self;
        *self = Progress { stage, ended, longest, start, counts, ..Progress::default() };
    }

    /// Begins the next round of the wins that are certain.
    pub(super) fn begin_round(&mut self) {
        self.round += 1;
        // In the rounds with odd numbers states with red to move enter, in the others those with green to move.
        self.next = Some((Step::AttractOther, Side::BOTH[1 - self.round as usize % 2]));
    }

    /// The plain numbers in it, each with the index of its word.
    fn numbers(&mut self) -> impl Iterator<Item = (usize, &mut u64)> {
        let Progress { idle, steps, last_change, won_before, evaluations, longest, .. } = self;
        let Progress { round, start: [red, green], stay_round, log_len, ended, counts, .. } = self;
        let numbers =
            [idle, steps, last_change, won_before, evaluations, longest, round, red, green];
        (3..)
            .zip(numbers.into_iter().chain([stay_round, log_len, ended]))
            .chain((16..).zip(counts.as_flattened_mut().as_flattened_mut()))
    }

    /// Whether a stage has ended.
    pub(super) fn has_ended(&self, stage: Stage) -> bool {
        self.ended >> stage.index() & 1 != 0
    }

    /// Whether a side is known to win the start.
    pub(super) fn wins_start(&self, side: Side) -> bool {
        self.start[side.index()] & (1 | FOUND_ALONE) != 0
    }

    /// The words for the files. Those that have no meaning are 0.
    pub(super) fn to_words(&self) -> Words {
        let mut words = [0; 64];
        let step = self.next.map_or(0, |(step, _)| match step {
            Step::Stay => 1,
            Step::Attract | Step::AttractOwned | Step::AttractTwice => 2,
            Step::AttractOther => 3,
        });
        let side = self.next.map_or(0, |(_, side)| side.index() as u64);
        words[..3].copy_from_slice(&[self.stage as u64, step, side]);
        self.clone().numbers().for_each(|(at, number)| words[at] = *number);
        words[63] = VERSION;
        words
    }

    /// The progress that these words tell; none if they are of another version.
    pub(super) fn from_words(words: &Words) -> Option<Progress> {
        let [stage, step, side, ..] = *words;
        let step = match step {
            0 => None,
            1 => Some(Step::Stay),
            3 => Some(Step::AttractOther),
            _ => Stage::ALL.get(stage as usize).map(|stage| stage.attracting()),
        };
        let next = step.map(|step| (step, Side::BOTH[side as usize & 1]));
        let mut progress = Progress { stage: stage as usize, next, ..Progress::default() };
        progress.numbers().for_each(|(at, number)| *number = words[at]);
        (words[63] == VERSION).then_some(progress)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_the_same_from_its_words() {
        for (stage, step) in [(0, 0), (0, 2), (1, 1), (2, 2), (2, 3), (7, 0)] {
            let side = u64::from(step == 3);
            let mut words: Words = std::array::from_fn(|at| 100 + at as u64);
            [15..16, 58..63].into_iter().for_each(|unused| words[unused].fill(0));
            (words[0], words[1], words[2], words[63]) = (stage, step, side, VERSION);
            assert_eq!(Progress::from_words(&words).unwrap().to_words(), words);
        }
        assert!(Progress::from_words(&[0; 64]).is_none());
    }
}

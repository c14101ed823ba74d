//! The training of a net on the positions of games by [gradient descent](pentarch_training::gradient_descent).

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use pentarch_training::gradient_descent::{Adam, Model, no_gradients};
use pentarch_training::regression::log_loss;
use pentarch_training::samples::NetSamples;

use pentarch_core::evaluation::net::NetShape;
use pentarch_core::rules::key::hash;
use pentarch_games::Game;

use super::checkpoint::Checkpoint;
use super::epoch_losses::{EPOCH_HEADING, EpochLosses};
use super::error::TuneError;
use super::report::{FitError, Report, SampleSet, scale};
use super::selfplay_file::Tally;

/// How many positions the gradient of a step is taken over.
const BATCH_SIZE: usize = 8192;

/// How a net is trained.
#[derive(Debug, Clone, Copy)]
pub struct Training<'a> {
    /// The shape of the net.
    pub shape: NetShape,
    /// How many samples the usual scale counts for when that of the scores is fitted.
    pub prior: f64,
    /// How many times the training goes through all positions.
    pub epochs: u32,
    /// The seed of the first weights and of the order of the positions.
    pub seed: u64,
    /// The path to which the net is going to be written. What is reached is kept beside it after each epoch.
    pub net: &'a Path,
    /// The bytes of the net that is there already.
    pub there: Option<&'a [u8]>,
}

impl Training<'_> {
    /// Trains a net on the training set, and returns the report and the bytes of the net's file. The net is on the
    /// scale of the scores in the files.
    ///
    /// # Errors
    /// If there are no samples, the regression fails, or the state cannot be kept.
    pub fn run<G: Game>(
        self,
        tally: Tally,
        [training, held_out]: &[NetSamples; 2],
    ) -> Result<(Report, Vec<u8>), TuneError> {
        let Training { shape, prior, epochs, seed, net, there } = self;
        let present = scale(&training.evaluated, prior)?;
        let searched = scale(&training.searched, prior)?;
        let odds_per_centipawn = 10.0 * searched as f32;
        let checkpoint = Checkpoint::beside(net, self.key(training, odds_per_centipawn))?;
        let mut adam = Adam::new(Model::random(shape, &mut fastrand::Rng::with_seed(seed)));
        let mut losses = Vec::new();
        let length = adam.state().count();
        if let Some((_, state)) = checkpoint.read(length, 2)? {
            let (state, kept) = state.split_at(length);
            adam.restore(state);
            losses = kept
                .as_chunks()
                .0
                .iter()
                .map(|&[training, held_out]| EpochLosses { training, held_out })
                .collect();
        }
        let mut gradients = no_gradients(shape);
        let steps = epochs as usize * training.ends.len().div_ceil(BATCH_SIZE);
        for epoch in losses.len() as u32 + 1..=epochs {
            let mut order: Vec<usize> = (0..training.ends.len()).collect();
            fastrand::Rng::with_seed(hash(&[seed, epoch.into()])).shuffle(&mut order);
            let mut loss = 0.0;
            for batch in order.chunks(BATCH_SIZE) {
                loss += adam.learn(&mut gradients, batch, training, odds_per_centipawn, steps);
            }
            let [training, held_out] =
                [loss / order.len() as f64, adam.model.log_loss(held_out)].map(|loss| loss as f32);
            losses.push(EpochLosses { training, held_out });
            show_progress(&losses);
            let kept = losses.iter().flat_map(|losses| [losses.training, losses.held_out]);
            checkpoint.write(epoch, adam.state().chain(kept))?;
        }
        let file = adam.model.file(odds_per_centipawn);
        // The mean log losses of a net of a file, on the scale that fits it best in the training set.
        let losses_of = |bytes: &[u8]| -> Result<[f64; 2], FitError> {
            let net = Model::of_file(shape, bytes);
            let evaluated = [training, held_out].map(|samples| net.evaluations(samples));
            let scale = scale(&evaluated[0], prior)?;
            Ok(evaluated.map(|samples| log_loss(&samples, &[scale])))
        };
        let new = losses_of(&file)?;
        let set = |samples: &NetSamples, new: f64| {
            SampleSet::new(&samples.evaluated, [log_loss(&samples.evaluated, &[present]), new])
        };
        let sets = [set(training, new[0]), set(held_out, new[1])];
        let losses_of_files =
            there.map(|there| Ok::<_, FitError>([losses_of(there)?[1], new[1]])).transpose()?;
        let report = Report {
            tally,
            sides: G::SIDES,
            sets,
            scale: searched,
            weights: Vec::new(),
            losses,
            losses_of_files,
        };
        Ok((report, file))
    }

    /// A hash of what the training depends on.
    fn key(&self, training: &NetSamples, odds_per_centipawn: f32) -> u64 {
        let Training { shape: NetShape { inputs, hidden, buckets }, epochs, seed, .. } = *self;
        let sizes = [inputs, hidden, buckets, training.ends.len(), training.inputs.len()];
        let others = [epochs.into(), seed, odds_per_centipawn.to_bits().into()];
        hash(&sizes.map(|size| size as u64).into_iter().chain(others).collect::<Vec<_>>())
    }
}

/// Shows on a terminal the losses of the epoch that has ended, in a table that grows by a row for each epoch.
fn show_progress(losses: &[EpochLosses]) {
    let mut stderr = io::stderr();
    if stderr.is_terminal() {
        let heading = if losses.len() == 1 { format!("{EPOCH_HEADING}\n") } else { String::new() };
        let last = losses.iter().enumerate().next_back();
        // If the terminal cannot be written to, only the progress is missing.
        let _ = last.map(|(at, losses)| writeln!(stderr, "{heading}{}", losses.row(at + 1)));
    }
}

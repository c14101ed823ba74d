//! Trains a net on the positions of games by [gradient
//! descent](pentarch_training::gradient_descent).

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use pentarch_training::gradient_descent::{AdamOptimiser, NetModel, create_zero_gradients};
use pentarch_training::regression::log_loss;
use pentarch_training::samples::NetSamples;

use pentarch_core::evaluation::data_format::NET_FILE_FORMAT;
use pentarch_core::evaluation::net::NetShape;
use pentarch_core::rules::key::hash_words;
use pentarch_games::Game;

use super::checkpoint::CheckpointFile;
use super::epoch_losses::{EPOCH_TABLE_HEADING, MeanEpochLosses};
use super::error::TuneError;
use super::report::{FitError, SampleSetLosses, TuneReport, fit_log_odds_scale};
use super::selfplay_file::GameResultCounts;

/// The number of positions from which each step of the training computes a gradient.
const BATCH_SIZE: usize = 8192;

/// The training of a net.
#[derive(Debug, Clone, Copy)]
pub struct NetTraining<'a> {
    /// The shape of the net.
    pub shape: NetShape,
    /// The weight of the default scale when the scale of the scores is fitted, as a number of
    /// samples.
    pub prior: f64,
    /// The number of epochs. In each epoch, the net learns every position once.
    pub epochs: u32,
    /// The seed. The seed determines the first weights and the order of the positions.
    pub seed: u64,
    /// The path of the file for the net. After each epoch the state is written to a checkpoint next
    /// to this file.
    pub net: &'a Path,
    /// The net in the existing file at the path `net`; `None` if there is no file.
    pub existing: Option<&'a [u8]>,
}

/// A trained net, with the losses of each epoch.
struct TrainedNet {
    model: NetModel,
    losses: Vec<MeanEpochLosses>,
}

impl NetTraining<'_> {
    /// Trains a net on the training set, and returns the report and the bytes of the net's file.
    /// The net is on the scale of the scores in the files.
    ///
    /// # Errors
    /// If there are no samples, the regression fails, or the state cannot be written.
    pub fn train_and_report<G: Game>(
        self,
        counts: GameResultCounts,
        [training, held_out]: &[NetSamples; 2],
    ) -> Result<(TuneReport, Vec<u8>), TuneError> {
        let NetTraining { shape, prior, existing, .. } = self;
        let present = fit_log_odds_scale(&training.evaluated, prior)?;
        let searched = fit_log_odds_scale(&training.searched, prior)?;
        // The scores in the samples are in tenths of a centipawn.
        let log_odds_per_centipawn = 10.0 * searched as f32;
        let TrainedNet { model, losses } =
            self.train(training, held_out, log_odds_per_centipawn)?;
        let file = model.to_file_bytes(log_odds_per_centipawn);
        let contents = NET_FILE_FORMAT.unverified_contents(&file).unwrap_or_default();
        // The mean log losses of the net with these contents, on the scale that fits it best in the
        // training set.
        let file_losses = |bytes: &[u8]| -> Result<[f64; 2], FitError> {
            let net = NetModel::from_file_contents(shape, bytes);
            let evaluated = [training, held_out].map(|samples| net.evaluate_samples(samples));
            let scale = fit_log_odds_scale(&evaluated[0], prior)?;
            Ok(evaluated.map(|samples| log_loss(&samples, &[scale])))
        };
        let new = file_losses(contents)?;
        let set = |samples: &NetSamples, new: f64| {
            SampleSetLosses::new(
                &samples.evaluated,
                [log_loss(&samples.evaluated, &[present]), new],
            )
        };
        let sets = [set(training, new[0]), set(held_out, new[1])];
        let file_losses = match existing {
            Some(existing) => Some([file_losses(existing)?[1], new[1]]),
            None => None,
        };
        let report = TuneReport {
            counts,
            sides: G::SIDE_NAMES,
            sets,
            scale: searched,
            weights: Vec::new(),
            losses,
            file_losses,
        };
        Ok((report, file))
    }

    /// Trains a net, from the checkpoint if there is one, and updates the checkpoint after each
    /// epoch.
    ///
    /// # Errors
    /// If the checkpoint cannot be read or written, or belongs to another training.
    fn train(
        &self,
        training: &NetSamples,
        held_out: &NetSamples,
        log_odds_per_centipawn: f32,
    ) -> Result<TrainedNet, TuneError> {
        let NetTraining { shape, epochs, seed, net, .. } = *self;
        let checkpoint =
            CheckpointFile::lock_for_net(net, self.config_hash(training, log_odds_per_centipawn))?;
        let mut adam =
            AdamOptimiser::new(NetModel::random(shape, &mut fastrand::Rng::with_seed(seed)));
        let mut losses = Vec::new();
        let length = adam.state().count();
        if let Some((_, state)) = checkpoint.read(length, 2)? {
            let (state, saved_losses) = state.split_at(length);
            adam.restore(state);
            for &[training, held_out] in saved_losses.as_chunks().0 {
                losses.push(MeanEpochLosses { training, held_out });
            }
        }
        let mut gradients = create_zero_gradients(shape);
        let steps = epochs as usize * training.ends.len().div_ceil(BATCH_SIZE);
        for epoch in losses.len() as u32 + 1..=epochs {
            let mut order: Vec<usize> = (0..training.ends.len()).collect();
            fastrand::Rng::with_seed(hash_words(&[seed, epoch.into()])).shuffle(&mut order);
            let mut loss = 0.0;
            for batch in order.chunks(BATCH_SIZE) {
                loss += adam.train_batch(
                    &mut gradients,
                    batch,
                    training,
                    log_odds_per_centipawn,
                    steps,
                );
            }
            losses.push(MeanEpochLosses {
                training: (loss / order.len() as f64) as f32,
                held_out: adam.model.log_loss(held_out) as f32,
            });
            show_epoch_progress(&losses);
            let saved_losses = losses.iter().flat_map(|losses| [losses.training, losses.held_out]);
            checkpoint.write(epoch, adam.state().chain(saved_losses))?;
        }
        Ok(TrainedNet { model: adam.model, losses })
    }

    /// Returns a hash of everything that the training depends on.
    fn config_hash(&self, training: &NetSamples, log_odds_per_centipawn: f32) -> u64 {
        let NetTraining { shape: NetShape { inputs, hidden, buckets }, epochs, seed, .. } = *self;
        let sizes = [inputs, hidden, buckets, training.ends.len(), training.inputs.len()];
        let others = [epochs.into(), seed, log_odds_per_centipawn.to_bits().into()];
        hash_words(&sizes.map(|size| size as u64).into_iter().chain(others).collect::<Vec<_>>())
    }
}

/// Shows the losses of the last epoch on a terminal, as a row of a table that grows with each
/// epoch.
fn show_epoch_progress(losses: &[MeanEpochLosses]) {
    let mut stderr = io::stderr();
    if stderr.is_terminal() {
        let heading =
            if losses.len() == 1 { format!("{EPOCH_TABLE_HEADING}\n") } else { String::new() };
        let last = losses.iter().enumerate().next_back();
        // If writing to the terminal fails, the training continues without a progress display.
        let _ = last
            .map(|(index, losses)| writeln!(stderr, "{heading}{}", losses.table_row(index + 1)));
    }
}

//! Fits the weights of a tuning run and reports its results: tables for people, and lines of
//! source.

use std::fmt;

use thiserror::Error;

use pentarch_training::regression::{fit_coefficients, log_loss};
use pentarch_training::samples::FeatureSamples;

use pentarch_core::Evaluate;
use pentarch_core::notation::parsing::{nearest_known_word, quote_for_message, spelling_hint};

use super::epoch_losses::{EPOCH_TABLE_HEADING, MeanEpochLosses};
use super::selfplay_file::GameResultCounts;

/// The default scale, which is the prior of the fit: one thousandth of the evaluation's unit is
/// worth 0.001 in the log-odds of a win. So the unit, 100 centipawns, is worth 1.
const PRIOR_LOG_ODDS_SCALE: f64 = 0.001;
/// The minimum scale. If the weights predict nothing, the fitted scale would be 0, and no weights
/// could be expressed on this scale.
const MIN_LOG_ODDS_SCALE: f64 = PRIOR_LOG_ODDS_SCALE / 20.0;

/// The result of a tuning run: fitted weights or a trained net. Displaying the result shows the
/// whole report.
#[derive(Debug, Clone, PartialEq)]
pub struct TuneReport {
    /// The counts of the games by result.
    pub counts: GameResultCounts,
    /// The names of the game's sides.
    pub sides: [&'static str; 2],
    /// The training set, and the held-out set that checks the weights.
    pub sets: [SampleSetLosses; 2],
    /// The scale of the fit: the first side's log-odds of a win per thousandth of the evaluation's
    /// unit. The unit is 100 centipawns.
    pub scale: f64,
    /// The weights, in the order of the features; empty if a net was trained.
    pub weights: Vec<FittedWeight>,
    /// The losses of each epoch of the training; empty if weights were fitted.
    pub losses: Vec<MeanEpochLosses>,
    /// The mean log losses of the old and the new net in the held-out set. The old net is the one
    /// that existed at the path of the new net; `None` without an old net. Each net has the
    /// parameters of its file, and is on the scale that fits it best.
    pub file_losses: Option<[f64; 2]>,
}

/// A set of samples, and the losses with which two evaluations predict its results: the present
/// evaluation and the new evaluation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SampleSetLosses {
    /// The number of games of the samples.
    pub games: usize,
    /// The number of samples in the set.
    pub samples: usize,
    /// The mean log losses, first of the present and then of the new weights or net. The present
    /// weights or net are on the scale that fits them best. A new net has the parameters of its
    /// file, and is also on the scale that fits it best.
    pub losses: [f64; 2],
}

/// The fitted weight of a feature, in thousandths like [`Evaluate::FEATURE_WEIGHTS`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FittedWeight {
    /// The name of the feature.
    pub feature: &'static str,
    /// The weight that the evaluation has now.
    pub present: i32,
    /// The weight that fits the samples.
    pub new: i32,
    /// The standard error of the new weight; `None` if the feature is 0 in all samples.
    pub error: Option<f64>,
}

/// The reason why the weight of a feature cannot set the scale of the other weights.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WeightUnitError {
    /// The evaluation has no such feature.
    #[error("the evaluation of {game} has no part {}{}", quote_for_message(.name), spelling_hint(*.nearest))]
    UnknownFeature {
        /// The name of the game.
        game: &'static str,
        /// The unknown name.
        name: String,
        /// The feature that was probably intended.
        nearest: Option<&'static str>,
    },
    /// The weight is 0.
    #[error("the weight of {} is 0, so it cannot be the unit", quote_for_message(.name))]
    NoWeight {
        /// The name of the feature.
        name: String,
    },
}

/// Returns the index of the feature with this name, whose weight sets the scale of the others.
///
/// # Errors
/// If the game's evaluation has no such feature, or the weight is 0.
pub fn find_weight_unit_feature<G: Evaluate>(name: &str) -> Result<usize, WeightUnitError> {
    let features = || G::FEATURE_WEIGHTS.iter().map(|&(feature, _)| feature);
    match features().position(|feature| feature.eq_ignore_ascii_case(name)) {
        Some(index) if G::FEATURE_WEIGHTS[index].1 == 0 => {
            Err(WeightUnitError::NoWeight { name: name.into() })
        }
        Some(index) => Ok(index),
        None => {
            let nearest = nearest_known_word(name, features());
            Err(WeightUnitError::UnknownFeature { game: G::GAME_NAME, name: name.into(), nearest })
        }
    }
}

/// The reason why weights or a scale cannot be fitted to samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum FitError {
    /// There are no samples.
    #[error("there is no position to learn from: more games are needed")]
    NoSamples,
    /// The regression has no finite solution.
    #[error("the regression on these samples has no finite solution")]
    NotFinite,
    /// The fit would change the sign of the weight that sets the scale of the others.
    #[error("the weight that is to be the unit changes its sign: another part must be the unit")]
    UnitSign,
}

/// Fits the scale between evaluations and chances of winning: the log-odds of a win per thousandth
/// of the evaluation's unit. The unit is 100 centipawns. The only feature of the samples must be
/// the evaluation in thousandths. The default scale has the weight of `prior` samples.
///
/// # Errors
/// If there are no samples, or the regression fails.
pub fn fit_log_odds_scale(evaluated: &FeatureSamples, prior: f64) -> Result<f64, FitError> {
    if evaluated.is_empty() {
        return Err(FitError::NoSamples);
    }
    let fit =
        fit_coefficients(evaluated, &[PRIOR_LOG_ODDS_SCALE], prior).ok_or(FitError::NotFinite)?;
    Ok(fit.coefficients[0].max(MIN_LOG_ODDS_SCALE))
}

impl SampleSetLosses {
    /// Creates the set of these samples, with their [losses](SampleSetLosses::losses).
    pub fn new(samples: &FeatureSamples, losses: [f64; 2]) -> SampleSetLosses {
        SampleSetLosses { games: samples.game_ranges().count(), samples: samples.len(), losses }
    }
}

impl TuneReport {
    /// Fits the weights of a game to the training set. The present weights are worth `prior`
    /// samples in the fit. The weight with index `unit` stays unchanged. Without a unit, the scale
    /// of the present weights stays unchanged.
    ///
    /// # Errors
    /// If there are no samples, the regression fails, or the weight of the unit changes its sign.
    pub fn new<G: Evaluate>(
        counts: GameResultCounts,
        [training, held_out]: [&FeatureSamples; 2],
        unit: Option<usize>,
        prior: f64,
    ) -> Result<TuneReport, FitError> {
        let present: Vec<i32> = G::FEATURE_WEIGHTS.iter().map(|(_, weight)| *weight).collect();
        let scale = fit_log_odds_scale(&training.with_weighted_sum_feature(&present), prior)?;
        let before: Vec<f64> = present.iter().map(|&weight| scale * f64::from(weight)).collect();
        let fitted = fit_coefficients(training, &before, prior).ok_or(FitError::NotFinite)?;
        let scale =
            unit.map_or(scale, |index| fitted.coefficients[index] / f64::from(present[index]));
        if scale <= 0.0 {
            return Err(FitError::UnitSign);
        }
        let set = |samples: &FeatureSamples| {
            SampleSetLosses::new(
                samples,
                [&before, &fitted.coefficients].map(|weights| log_loss(samples, weights)),
            )
        };
        let mut weights = Vec::new();
        let coefficients = fitted.coefficients.iter().zip(&fitted.errors);
        for (&(feature, present), (coefficient, error)) in
            G::FEATURE_WEIGHTS.iter().zip(coefficients)
        {
            weights.push(FittedWeight {
                feature,
                present,
                new: (coefficient / scale).round() as i32,
                error: error.map(|error| error / scale),
            });
        }
        Ok(TuneReport {
            counts,
            sides: G::SIDE_NAMES,
            sets: [set(training), set(held_out)],
            scale,
            weights,
            losses: Vec::new(),
            file_losses: None,
        })
    }

    /// Returns a sentence that compares how well the new net and the net in the program predict the
    /// held-out games.
    fn net_comparison(&self) -> String {
        let [_, SampleSetLosses { samples, losses: [present, new], .. }] = self.sets;
        if samples == 0 {
            return "No games were held out, so it is unknown whether the new net is better."
                .into();
        }
        let which = if new < present { "better" } else { "no better" };
        format!(
            "The new net predicts the games held out {which} than the present one: {new:.5} against {present:.5}."
        )
    }
}

impl fmt::Display for SampleSetLosses {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let SampleSetLosses { games, samples, losses: [present, new] } = self;
        if *samples == 0 {
            return write!(out, "{games:>9}{samples:>9}{:>19}{:>14}", "-", "-");
        }
        write!(out, "{games:>9}{samples:>9}{present:>19.5}{new:>14.5}")
    }
}

impl fmt::Display for TuneReport {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let GameResultCounts { won, drawn } = self.counts;
        let [first, second] = self.sides;
        writeln!(
            out,
            "Games: {} won by {first}, {} won by {second}, {drawn} drawn",
            won[0], won[1]
        )?;
        writeln!(
            out,
            "Scale: 100 centipawns of the new weights are worth {:.2} in log-odds",
            1000.0 * self.scale
        )?;
        writeln!(
            out,
            "\n{:<10}{:>9}{:>9}{:>19}{:>14}",
            "", "games", "samples", "log loss: present", "new"
        )?;
        let [training, held_out] = self.sets;
        write!(out, "{:<10}{training}\n{:<10}{held_out}", "learnt", "held out")?;
        if self.weights.is_empty() {
            write!(out, "\n\n{EPOCH_TABLE_HEADING}")?;
            self.losses
                .iter()
                .zip(1..)
                .try_for_each(|(losses, epoch)| write!(out, "\n{}", losses.table_row(epoch)))?;
            return write!(out, "\n\n{}", self.net_comparison());
        }
        let width = self.weights.iter().map(|weight| weight.feature.len()).max().unwrap_or(0);
        writeln!(out, "\n\n{:width$}{:>9}{:>9}{:>9}", "", "present", "new", "error")?;
        for FittedWeight { feature, present, new, error } in &self.weights {
            let error = error.map_or("unseen".into(), |error| format!("{error:.0}"));
            writeln!(out, "{feature:width$}{present:>9}{new:>9}{error:>9}")?;
        }
        writeln!(out, "\n    const FEATURE_WEIGHTS: &'static [(&'static str, i32)] = &[")?;
        for FittedWeight { feature, new, .. } in &self.weights {
            writeln!(out, "        ({feature:?}, {new}),")?;
        }
        write!(out, "    ];")
    }
}

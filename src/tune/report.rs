//! What a tuning run found out: for people as tables, and as lines of source.

use std::fmt;

use crate::core::Evaluate;
use crate::core::text::{did_you_mean, quoted};

use super::file::Tally;
use super::regression::{fit, log_loss};
use super::samples::Samples;

/// Before anything is known: the log-odds of a win that a thousandth is worth. 100 centipawns are worth 1 then.
const USUAL_SCALE: f64 = 0.001;
/// The least that counts as a scale: weights that do not foretell results at all have none.
const LEAST_SCALE: f64 = USUAL_SCALE / 20.0;

/// The weights that a regression found for a game, or that a net was trained, with what they were found from. Its text
/// is the whole report.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// How the games ended.
    pub tally: Tally,
    /// What the game calls its sides.
    pub sides: [&'static str; 2],
    /// What was learnt from, and what was held out to check the weights.
    pub sets: [SampleSet; 2],
    /// The log-odds of the first side's win that a thousandth of a weight's unit is worth.
    pub scale: f64,
    /// The weights, in their order; none if a net was trained.
    pub weights: Vec<Weight>,
}

/// A set of samples, and how well weights foretell its results.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SampleSet {
    /// How many games it is from.
    pub games: usize,
    /// How many samples it has.
    pub samples: usize,
    /// The log loss with the present weights, on the best scale for them, and with the new ones.
    pub losses: [f64; 2],
}

/// A weight, in thousandths like [`Evaluate::WEIGHTS`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weight {
    /// The name of its part.
    pub part: &'static str,
    /// What it is.
    pub present: i32,
    /// What it should be.
    pub new: i32,
    /// The standard error of the new one; none if no sample has the part.
    pub error: Option<f64>,
}

/// The part of this name, to be the unit of the others.
///
/// # Errors
/// If the game's evaluation has no such part, or it weighs nothing.
pub fn unit<G: Evaluate>(name: &str) -> Result<usize, String> {
    match G::WEIGHTS.iter().position(|(part, _)| part.eq_ignore_ascii_case(name)) {
        Some(place) if G::WEIGHTS[place].1 == 0 => Err(format!("{} weighs nothing and can be no unit", quoted(name))),
        Some(place) => Ok(place),
        None => {
            let hint = did_you_mean(name, G::WEIGHTS.iter().map(|(part, _)| *part));
            Err(format!("the evaluation of {} has no part {}{hint}", G::NAME, quoted(name)))
        }
    }
}

/// The log-odds of a win that a thousandth is worth, by samples whose only part is the evaluation in thousandths. What is
/// usual counts for `prior` samples.
///
/// # Errors
/// If the samples do not tell it.
pub fn scale(evaluated: &Samples, prior: f64) -> Result<f64, String> {
    if evaluated.is_empty() {
        return Err("there is no position to learn from: more games are needed".into());
    }
    let fit = fit(evaluated, &[USUAL_SCALE], prior).ok_or(BEYOND)?;
    Ok(fit.coefficients[0].max(LEAST_SCALE))
}

/// What is said of samples that a regression fails on.
const BEYOND: &str = "the samples are beyond reckoning";

impl SampleSet {
    /// Of these samples, foretold so well.
    pub fn new(samples: &Samples, losses: [f64; 2]) -> SampleSet {
        SampleSet { games: samples.games().count(), samples: samples.len(), losses }
    }
}

impl Report {
    /// Finds the weights. The present ones count for `prior` samples; the one at the place `unit` stays as it is, or
    /// else the scale of the present ones.
    ///
    /// # Errors
    /// If the samples do not tell them.
    pub fn new<G: Evaluate>(
        tally: Tally,
        [learnt, held_out]: [&Samples; 2],
        unit: Option<usize>,
        prior: f64,
    ) -> Result<Report, String> {
        let present: Vec<i32> = G::WEIGHTS.iter().map(|(_, weight)| *weight).collect();
        let scale = scale(&learnt.weighted(&present), prior)?;
        let before: Vec<f64> = present.iter().map(|&weight| scale * f64::from(weight)).collect();
        let found = fit(learnt, &before, prior).ok_or(BEYOND)?;
        let scale = unit.map_or(scale, |place| found.coefficients[place] / f64::from(present[place]));
        if scale <= 0.0 {
            return Err("the weight that is to be the unit changes its sign: another part must be the unit".into());
        }
        let set = |samples: &Samples| {
            SampleSet::new(samples, [&before, &found.coefficients].map(|weights| log_loss(samples, weights)))
        };
        let found = found.coefficients.iter().zip(&found.errors);
        let weights = G::WEIGHTS.iter().zip(found).map(|(&(part, present), (coefficient, error))| Weight {
            part,
            present,
            new: (coefficient / scale).round() as i32,
            error: error.map(|error| error / scale),
        });
        let weights = weights.collect();
        Ok(Report { tally, sides: G::SIDES, sets: [set(learnt), set(held_out)], scale, weights })
    }
}

impl fmt::Display for SampleSet {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let SampleSet { games, samples, losses: [present, new] } = self;
        write!(out, "{games:>9}{samples:>9}{present:>19.5}{new:>14.5}")
    }
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let Tally { won, drawn } = self.tally;
        let [first, second] = self.sides;
        writeln!(out, "Games: {} won by {first}, {} won by {second}, {drawn} drawn", won[0], won[1])?;
        writeln!(out, "Scale: 100 centipawns of the new weights are worth {:.2} in log-odds", 1000.0 * self.scale)?;
        writeln!(out, "\n{:<10}{:>9}{:>9}{:>19}{:>14}", "", "games", "samples", "log loss: present", "new")?;
        let [learnt, held_out] = self.sets;
        write!(out, "{:<10}{learnt}\n{:<10}{held_out}", "learnt", "held out")?;
        if self.weights.is_empty() {
            return Ok(());
        }
        let width = self.weights.iter().map(|weight| weight.part.len()).max().unwrap_or(0);
        writeln!(out, "\n\n{:width$}{:>9}{:>9}{:>9}", "", "present", "new", "error")?;
        for Weight { part, present, new, error } in &self.weights {
            let error = error.map_or("unseen".into(), |error| format!("{error:.0}"));
            writeln!(out, "{part:width$}{present:>9}{new:>9}{error:>9}")?;
        }
        writeln!(out, "\n    const WEIGHTS: &'static [(&'static str, i32)] = &[")?;
        for Weight { part, new, .. } in &self.weights {
            writeln!(out, "        ({part:?}, {new}),")?;
        }
        write!(out, "    ];")
    }
}

//! Training of a [net](crate::core::net) by gradient descent.
//!
//! The net learns to foretell, from the view of the side to move, the odds of a win: what the games ended in, mixed with
//! what the search thought of each position. The search is the better teacher of the two, since it sees what the game
//! does not tell, but only results say what its scores are worth. The steps are those of Adam (Kingma and Ba, 2015), on
//! shuffled batches, ever smaller towards the end. All on one thread, so that the same games give the same net.

use std::io::{self, IsTerminal, Write};

use crate::core::net::{GRAIN, HIDDEN, ONE, numbers};
use crate::core::{Complete, Side};

use super::file::{Record, Tally};
use super::regression::log_loss;
use super::report::{Report, SampleSet, scale};
use super::samples::{Samples, each_quiet};

/// What the result of the game counts for in what a position teaches; the rest is the score of the search.
const RESULT: f32 = 0.3;
/// How many positions a step learns from.
const BATCH: usize = 8192;
/// How far the first steps go; the last go hardly anywhere.
const STRIDE: f32 = 0.004;
/// How much of the past the means of the slope and of its square keep from step to step.
const KEPT: [f32; 2] = [0.9, 0.999];
/// No weight in front of a hidden unit gets further from 0: so the sums of sixty inputs stay within 16 bits.
const FURTHEST: f32 = 1.98;

/// The positions that a net learns from.
#[derive(Debug, Clone, PartialEq)]
pub struct Lessons {
    /// The inputs that are on, position after position.
    inputs: Vec<u16>,
    /// Where those of each position end.
    ends: Vec<usize>,
    /// What the search gave the position, in centipawns, and how the game ended: both for the side to move.
    teachers: Vec<[f32; 2]>,
    /// What the search gave them, in thousandths for the first side.
    searched: Samples,
    /// How the present evaluation judges them, likewise.
    evaluated: Samples,
}

impl Default for Lessons {
    fn default() -> Lessons {
        let [searched, evaluated] = [(); 2].map(|()| Samples::new(1));
        Lessons { inputs: Vec::new(), ends: Vec::new(), teachers: Vec::new(), searched, evaluated }
    }
}

impl Lessons {
    /// Adds the quiet positions of a game.
    pub fn add<G: Complete>(&mut self, rules: &G, record: &Record<G::Move>) {
        self.searched.begin_game();
        self.evaluated.begin_game();
        each_quiet(rules, record, |quiet| {
            let side = rules.side_to_move(quiet.position);
            let result = if side == Side::First { quiet.result } else { 1.0 - quiet.result };
            self.inputs.extend(rules.inputs(quiet.position).map(|input| input as u16));
            self.ends.push(self.inputs.len());
            self.teachers.push([quiet.score as f32, result as f32]);
            let evaluation = rules.evaluate(quiet.position, &quiet.insight);
            self.searched.push([10 * quiet.score * side.sign()], quiet.result);
            self.evaluated.push([10 * evaluation * side.sign()], quiet.result);
        });
    }

    fn inputs(&self, place: usize) -> &[u16] {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.inputs[start..self.ends[place]]
    }
}

/// Trains a net for a game, on the scale of the scores in the files: what is usual counts for `prior` samples in it.
///
/// # Errors
/// If there is nothing to learn from.
pub fn train<G: Complete>(
    tally: Tally,
    [learnt, held_out]: &[Lessons; 2],
    prior: f64,
    epochs: u32,
    seed: u64,
) -> Result<(Report, Vec<u8>), String> {
    let present = scale(&learnt.evaluated, prior)?;
    let scale = scale(&learnt.searched, prior)?;
    let for_centipawn = 10.0 * scale as f32;
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut training = Training::new(Model::random(G::INPUTS, &mut rng));
    let mut order: Vec<usize> = (0..learnt.ends.len()).collect();
    let steps = epochs as usize * order.len().div_ceil(BATCH);
    for epoch in 1..=epochs {
        rng.shuffle(&mut order);
        for batch in order.chunks(BATCH) {
            let mut slope = vec![0.0; numbers(G::INPUTS)];
            for &place in batch {
                let [score, result] = learnt.teachers[place];
                let taught = RESULT * result + (1.0 - RESULT) * chance(score * for_centipawn);
                training.model.learn(learnt.inputs(place), taught, &mut slope);
            }
            training.step(&slope, batch.len(), steps);
        }
        show(epoch, epochs);
    }
    let model = training.model;
    let set = |lessons: &Lessons| {
        SampleSet::new(&lessons.evaluated, [log_loss(&lessons.evaluated, &[present]), model.log_loss(lessons)])
    };
    let sets = [set(learnt), set(held_out)];
    Ok((Report { tally, sides: G::SIDES, sets, scale, weights: Vec::new() }, model.file(for_centipawn)))
}

/// A line for people that says how far the training is, written over the last one.
fn show(epoch: u32, epochs: u32) {
    let mut stderr = io::stderr();
    if stderr.is_terminal() {
        // Nobody has to see it.
        let _ = write!(stderr, "\r\x1b[Kepoch {epoch} of {epochs}{}", if epoch == epochs { "\n" } else { "" });
    }
}

/// The probability of a win by its log-odds.
fn chance(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

/// A net whose numbers are not whole yet, in the order of its file; its outcome is in log-odds.
#[derive(Debug, Clone, PartialEq)]
struct Model {
    inputs: usize,
    numbers: Vec<f32>,
}

impl Model {
    /// A net that knows nothing, but in which no two hidden units are alike.
    fn random(inputs: usize, rng: &mut fastrand::Rng) -> Model {
        let mut model = Model { inputs, numbers: vec![0.0; numbers(inputs)] };
        let (rows, behind) = model.numbers.split_at_mut(inputs * HIDDEN);
        rows.iter_mut().for_each(|weight| *weight = 0.4 * (rng.f32() - 0.5));
        let (biases, weights) = behind.split_at_mut(HIDDEN);
        biases.fill(0.25);
        weights.iter_mut().for_each(|weight| *weight = 0.2 * (rng.f32() - 0.5));
        model
    }

    /// One number for each hidden unit, so many layers from the front.
    fn layer(&self, layer: usize) -> &[f32] {
        &self.numbers[layer * HIDDEN..][..HIDDEN]
    }

    /// The number that is added in the end.
    fn offset(&self) -> f32 {
        self.numbers[numbers(self.inputs) - 1]
    }

    /// What the hidden units have, and the log-odds that come of it.
    fn judge(&self, inputs: &[u16]) -> ([f32; HIDDEN], f32) {
        let mut hidden = [0.0; HIDDEN];
        hidden.copy_from_slice(self.layer(self.inputs));
        for &input in inputs {
            hidden.iter_mut().zip(self.layer(input.into())).for_each(|(sum, weight)| *sum += weight);
        }
        let units = hidden.iter().zip(self.layer(self.inputs + 1));
        let odds = units.map(|(sum, weight)| sum.clamp(0.0, 1.0) * weight).sum::<f32>() + self.offset();
        (hidden, odds)
    }

    /// Adds the slope of the loss at a position where the chance of a win should be as taught.
    fn learn(&self, inputs: &[u16], taught: f32, slope: &mut [f32]) {
        let (hidden, odds) = self.judge(inputs);
        let error = chance(odds) - taught;
        let (rows, behind) = slope.split_at_mut(self.inputs * HIDDEN);
        let (biases, weights) = behind.split_at_mut(HIDDEN);
        let mut errors = [0.0; HIDDEN];
        for (unit, weight) in self.layer(self.inputs + 1).iter().enumerate() {
            weights[unit] += error * hidden[unit].clamp(0.0, 1.0);
            let is_moved = hidden[unit] > 0.0 && hidden[unit] < 1.0;
            errors[unit] = if is_moved { error * weight } else { 0.0 };
        }
        weights[HIDDEN] += error;
        let add = |row: &mut [f32]| row.iter_mut().zip(&errors).for_each(|(sum, error)| *sum += error);
        add(biases);
        inputs.iter().for_each(|&input| add(&mut rows[usize::from(input) * HIDDEN..][..HIDDEN]));
    }

    /// The mean over the positions of -log(probability of the result).
    fn log_loss(&self, lessons: &Lessons) -> f64 {
        let each = lessons.teachers.iter().enumerate().map(|(place, &[_, result])| {
            let odds = f64::from(self.judge(lessons.inputs(place)).1);
            odds.max(0.0) + (-odds.abs()).exp().ln_1p() - f64::from(result) * odds
        });
        each.sum::<f64>() / lessons.ends.len().max(1) as f64
    }

    /// The file of the net if a centipawn is worth so much in log-odds.
    fn file(&self, for_centipawn: f32) -> Vec<u8> {
        let hidden = (self.inputs + 1) * HIDDEN;
        let whole = |(place, number): (usize, &f32)| {
            let unit = if place < hidden { f32::from(ONE) } else { f32::from(GRAIN) / for_centipawn };
            (number * unit).round() as i16
        };
        self.numbers.iter().enumerate().map(whole).flat_map(i16::to_le_bytes).collect()
    }
}

/// A net on its way.
#[derive(Debug, Clone, PartialEq)]
struct Training {
    model: Model,
    /// The means of the slope and of its square, for each number.
    means: Vec<[f32; 2]>,
    steps: usize,
}

impl Training {
    fn new(model: Model) -> Training {
        let means = vec![[0.0; 2]; model.numbers.len()];
        Training { model, means, steps: 0 }
    }

    /// One step down the slope, which is the sum over so many positions; `all` are the steps of the whole training.
    fn step(&mut self, slope: &[f32], positions: usize, all: usize) {
        self.steps += 1;
        let stride = STRIDE * (0.02 + 0.98 * (1.0 - self.steps as f32 / all as f32));
        // The means begin at nothing, which must not count.
        let known = KEPT.map(|kept| 1.0 - kept.powf(self.steps as f32));
        let hidden = (self.model.inputs + 1) * HIDDEN;
        let numbers = self.model.numbers.iter_mut().zip(&mut self.means).zip(slope).enumerate();
        for (place, ((number, means), slope)) in numbers {
            let slope = slope / positions as f32;
            for (mean, (kept, new)) in means.iter_mut().zip(KEPT.into_iter().zip([slope, slope * slope])) {
                *mean = kept * *mean + (1.0 - kept) * new;
            }
            *number -= stride * (means[0] / known[0]) / ((means[1] / known[1]).sqrt() + 1e-8);
            if place < hidden {
                *number = number.clamp(-FURTHEST, FURTHEST);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_net_learns_what_no_sum_of_its_inputs_tells() {
        let mut rng = fastrand::Rng::with_seed(7);
        let mut training = Training::new(Model::random(2, &mut rng));
        let lessons: [(&[u16], f32); 4] = [(&[], 0.1), (&[0], 0.9), (&[1], 0.9), (&[0, 1], 0.1)];
        for _ in 0..2000 {
            let mut slope = vec![0.0; numbers(2)];
            lessons.iter().for_each(|&(inputs, taught)| training.model.learn(inputs, taught, &mut slope));
            training.step(&slope, lessons.len(), 2000);
        }
        let net = crate::core::net::Net::<2>::from_bytes(&training.model.file(0.01));
        for (inputs, taught) in lessons {
            let odds = training.model.judge(inputs).1;
            assert!((chance(odds) - taught).abs() < 0.01, "{inputs:?}: {} for {taught}", chance(odds));
            let judged = net.judge(inputs.iter().map(|&input| usize::from(input)));
            assert!((judged - (100.0 * odds) as i32).abs() < 5, "{inputs:?}: {judged} for {odds}");
        }
    }

    #[test]
    fn the_slope_is_that_of_the_loss() {
        let mut rng = fastrand::Rng::with_seed(8);
        let model = Model::random(3, &mut rng);
        let loss = |model: &Model| {
            let odds = f64::from(model.judge(&[0, 2]).1);
            odds.max(0.0) + (-odds.abs()).exp().ln_1p() - 0.3 * odds
        };
        let mut slope = vec![0.0; numbers(3)];
        model.learn(&[0, 2], 0.3, &mut slope);
        for (place, slope) in slope.into_iter().enumerate() {
            let [less, more] = [-1e-2_f32, 1e-2].map(|shift| {
                let mut moved = model.clone();
                moved.numbers[place] += shift;
                loss(&moved)
            });
            let found = (more - less) / 2e-2;
            assert!((found - f64::from(slope)).abs() < 2e-3, "{place}: {found} {slope}");
        }
    }
}

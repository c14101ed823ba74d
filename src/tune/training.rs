//! Training of a [net](crate::core::net) by stochastic gradient descent.
//!
//! The net learns to predict the log-odds of a win for the side to move. The target of a position is a mixture of the
//! result of its game and the score of the search there. The score is the better part, since the search sees what the
//! game does not show, but only results say how many log-odds a centipawn is worth. The loss is the cross-entropy. The
//! steps are those of Adam (D. Kingma and J. Ba, 2015) on shuffled batches, with a learning rate that falls linearly.
//! Everything runs on one thread, so that the same games give the same net.

use std::io::{self, IsTerminal, Write};

use crate::core::net::{GRAIN, HIDDEN, ONE, numbers};
use crate::core::{Game, Side, Turn};

use super::regression::log_loss;
use super::report::{Report, SampleSet, scale};
use super::samples::{Samples, for_each_quiet};
use super::selfplay_file::{SelfPlayGame, Tally};

/// The share of the game's result in the target of a position. The rest is the score of the search.
const RESULT_SHARE: f32 = 0.3;
/// How many positions the gradient of a step is taken over.
const BATCH_SIZE: usize = 8192;
/// The learning rate of the first step.
const LEARNING_RATE: f32 = 0.004;
/// The learning rate of the last step, as a share of the first.
const FINAL_RATE: f32 = 0.02;
/// The decay rates β₁ and β₂ of Adam, for the means of the gradient and of its square.
const DECAY: [f32; 2] = [0.9, 0.999];
/// The greatest absolute value of the weights and biases of the hidden units. With it the sums of sixty inputs stay
/// within 16 bits.
const WEIGHT_LIMIT: f32 = 1.98;

/// The positions that a net is trained on or checked with.
#[derive(Debug, Clone, PartialEq)]
pub struct NetSamples {
    /// The inputs that are on, position after position.
    inputs: Vec<u16>,
    /// Where the inputs of each position end.
    ends: Vec<usize>,
    /// For each position the score of the search in centipawns and the result of the game, both for the side to move.
    targets: Vec<[f32; 2]>,
    /// The scores of the search, in thousandths for the first side, with the results of the games.
    searched: Samples,
    /// The present evaluations, in thousandths for the first side, with the results of the games.
    evaluated: Samples,
}

impl Default for NetSamples {
    fn default() -> NetSamples {
        let [searched, evaluated] = [(); 2].map(|()| Samples::new(1));
        NetSamples { inputs: Vec::new(), ends: Vec::new(), targets: Vec::new(), searched, evaluated }
    }
}

impl NetSamples {
    /// Adds the quiet positions of a game.
    pub fn add<G: Game>(&mut self, rules: &G, game: &SelfPlayGame<G::Move>) {
        self.searched.begin_game();
        self.evaluated.begin_game();
        for_each_quiet(rules, game, |quiet| {
            let side = quiet.position.side_to_move();
            let result = if side == Side::First { quiet.result } else { 1.0 - quiet.result };
            self.inputs.extend(rules.inputs(quiet.position).map(|input| input as u16));
            self.ends.push(self.inputs.len());
            self.targets.push([quiet.score as f32, result as f32]);
            let evaluation = rules.evaluate(quiet.position, &quiet.cache);
            self.searched.push([10 * quiet.score * side.sign()], quiet.result);
            self.evaluated.push([10 * evaluation * side.sign()], quiet.result);
        });
    }

    /// The inputs that are on in the position at this place.
    fn inputs(&self, place: usize) -> &[u16] {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.inputs[start..self.ends[place]]
    }
}

/// Trains a net for a game on the training set, and returns the report and the bytes of the net's file. The net is on
/// the scale of the scores in the files; the usual scale counts for `prior` samples when that is fitted.
///
/// # Errors
/// If there are no samples, or the regression fails.
pub fn train<G: Game>(
    tally: Tally,
    [training, held_out]: &[NetSamples; 2],
    prior: f64,
    epochs: u32,
    seed: u64,
) -> Result<(Report, Vec<u8>), String> {
    let present = scale(&training.evaluated, prior)?;
    let scale = scale(&training.searched, prior)?;
    let odds_per_centipawn = 10.0 * scale as f32;
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut adam = Adam::new(Model::random(G::INPUTS, &mut rng));
    let mut order: Vec<usize> = (0..training.ends.len()).collect();
    let steps = epochs as usize * order.len().div_ceil(BATCH_SIZE);
    for epoch in 1..=epochs {
        rng.shuffle(&mut order);
        for batch in order.chunks(BATCH_SIZE) {
            let mut gradient = vec![0.0; numbers(G::INPUTS)];
            for &place in batch {
                let [score, result] = training.targets[place];
                let target = RESULT_SHARE * result + (1.0 - RESULT_SHARE) * sigmoid(score * odds_per_centipawn);
                adam.model.add_gradient(training.inputs(place), target, &mut gradient);
            }
            adam.step(&gradient, batch.len(), steps);
        }
        show_progress(epoch, epochs);
    }
    let model = adam.model;
    let set = |samples: &NetSamples| {
        SampleSet::new(&samples.evaluated, [log_loss(&samples.evaluated, &[present]), model.log_loss(samples)])
    };
    let sets = [set(training), set(held_out)];
    Ok((Report { tally, sides: G::SIDES, sets, scale, weights: Vec::new() }, model.file(odds_per_centipawn)))
}

/// Shows on a terminal how far the training is, in a line that overwrites the one before.
fn show_progress(epoch: u32, epochs: u32) {
    let mut stderr = io::stderr();
    if stderr.is_terminal() {
        // If the terminal cannot be written to, only the progress is missing.
        let _ = write!(stderr, "\r\x1b[Kepoch {epoch} of {epochs}{}", if epoch == epochs { "\n" } else { "" });
    }
}

/// The probability of a win with these log-odds.
fn sigmoid(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

/// A net during its training: its parameters are not rounded yet, and its output is in log-odds.
#[derive(Debug, Clone, PartialEq)]
struct Model {
    inputs: usize,
    /// The parameters in the order of the net's file.
    parameters: Vec<f32>,
}

impl Model {
    /// A net with small random weights, so that no two hidden units are alike.
    fn random(inputs: usize, rng: &mut fastrand::Rng) -> Model {
        let mut model = Model { inputs, parameters: vec![0.0; numbers(inputs)] };
        let (rows, rest) = model.parameters.split_at_mut(inputs * HIDDEN);
        rows.iter_mut().for_each(|weight| *weight = 0.4 * (rng.f32() - 0.5));
        let (biases, output) = rest.split_at_mut(HIDDEN);
        biases.fill(0.25);
        output.iter_mut().for_each(|weight| *weight = 0.2 * (rng.f32() - 0.5));
        model
    }

    /// The parameters at this place among the groups of one for each hidden unit: a row for each input, the biases, and
    /// the output weights.
    fn row(&self, place: usize) -> &[f32] {
        &self.parameters[place * HIDDEN..][..HIDDEN]
    }

    /// The bias of the output.
    fn output_bias(&self) -> f32 {
        self.parameters[numbers(self.inputs) - 1]
    }

    /// The forward pass: the sums of the hidden units before their activation, a clipped ReLU, and the log-odds.
    fn forward(&self, inputs: &[u16]) -> ([f32; HIDDEN], f32) {
        let mut hidden = [0.0; HIDDEN];
        hidden.copy_from_slice(self.row(self.inputs));
        for &input in inputs {
            hidden.iter_mut().zip(self.row(input.into())).for_each(|(sum, weight)| *sum += weight);
        }
        let units = hidden.iter().zip(self.row(self.inputs + 1));
        let odds = units.map(|(sum, weight)| sum.clamp(0.0, 1.0) * weight).sum::<f32>() + self.output_bias();
        (hidden, odds)
    }

    /// The backward pass: adds the gradient of the loss at a position whose probability of a win should be `target`.
    fn add_gradient(&self, inputs: &[u16], target: f32, gradient: &mut [f32]) {
        let (hidden, odds) = self.forward(inputs);
        let error = sigmoid(odds) - target;
        let (rows, rest) = gradient.split_at_mut(self.inputs * HIDDEN);
        let (biases, output) = rest.split_at_mut(HIDDEN);
        let mut errors = [0.0; HIDDEN];
        for (unit, weight) in self.row(self.inputs + 1).iter().enumerate() {
            output[unit] += error * hidden[unit].clamp(0.0, 1.0);
            let is_active = hidden[unit] > 0.0 && hidden[unit] < 1.0;
            errors[unit] = if is_active { error * weight } else { 0.0 };
        }
        output[HIDDEN] += error;
        let add = |row: &mut [f32]| row.iter_mut().zip(&errors).for_each(|(sum, error)| *sum += error);
        add(biases);
        inputs.iter().for_each(|&input| add(&mut rows[usize::from(input) * HIDDEN..][..HIDDEN]));
    }

    /// The mean over the positions of -log(probability of the result).
    fn log_loss(&self, samples: &NetSamples) -> f64 {
        let each = samples.targets.iter().enumerate().map(|(place, &[_, result])| {
            let odds = f64::from(self.forward(samples.inputs(place)).1);
            odds.max(0.0) + (-odds.abs()).exp().ln_1p() - f64::from(result) * odds
        });
        each.sum::<f64>() / samples.ends.len().max(1) as f64
    }

    /// The bytes of the net's file, in which a centipawn is worth this many log-odds.
    fn file(&self, odds_per_centipawn: f32) -> Vec<u8> {
        let hidden = (self.inputs + 1) * HIDDEN;
        let rounded = |(place, parameter): (usize, &f32)| {
            let unit = if place < hidden { f32::from(ONE) } else { f32::from(GRAIN) / odds_per_centipawn };
            (parameter * unit).round() as i16
        };
        self.parameters.iter().enumerate().map(rounded).flat_map(i16::to_le_bytes).collect()
    }
}

/// The state of Adam: the net, and the moving means of the gradient and of its square.
#[derive(Debug, Clone, PartialEq)]
struct Adam {
    model: Model,
    /// The two means for each parameter.
    means: Vec<[f32; 2]>,
    steps: usize,
}

impl Adam {
    fn new(model: Model) -> Adam {
        let means = vec![[0.0; 2]; model.parameters.len()];
        Adam { model, means, steps: 0 }
    }

    /// Makes a step. `gradient` is the sum over this many positions, and `all` the number of steps of the whole
    /// training, over which the learning rate falls.
    fn step(&mut self, gradient: &[f32], positions: usize, all: usize) {
        self.steps += 1;
        let rate = LEARNING_RATE * (FINAL_RATE + (1.0 - FINAL_RATE) * (1.0 - self.steps as f32 / all as f32));
        // The bias correction of Adam: the means begin at 0, which must not count.
        let correction = DECAY.map(|decay| 1.0 - decay.powf(self.steps as f32));
        let hidden = (self.model.inputs + 1) * HIDDEN;
        let parameters = self.model.parameters.iter_mut().zip(&mut self.means).zip(gradient).enumerate();
        for (place, ((parameter, means), gradient)) in parameters {
            let gradient = gradient / positions as f32;
            for (mean, (decay, new)) in means.iter_mut().zip(DECAY.into_iter().zip([gradient, gradient * gradient])) {
                *mean = decay * *mean + (1.0 - decay) * new;
            }
            *parameter -= rate * (means[0] / correction[0]) / ((means[1] / correction[1]).sqrt() + 1e-8);
            if place < hidden {
                *parameter = parameter.clamp(-WEIGHT_LIMIT, WEIGHT_LIMIT);
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
        let mut adam = Adam::new(Model::random(2, &mut rng));
        let samples: [(&[u16], f32); 4] = [(&[], 0.1), (&[0], 0.9), (&[1], 0.9), (&[0, 1], 0.1)];
        for _ in 0..2000 {
            let mut gradient = vec![0.0; numbers(2)];
            samples.iter().for_each(|&(inputs, target)| adam.model.add_gradient(inputs, target, &mut gradient));
            adam.step(&gradient, samples.len(), 2000);
        }
        let net = crate::core::net::Net::<2>::from_bytes(&adam.model.file(0.01));
        for (inputs, target) in samples {
            let odds = adam.model.forward(inputs).1;
            assert!((sigmoid(odds) - target).abs() < 0.01, "{inputs:?}: {} for {target}", sigmoid(odds));
            let judged = net.evaluate(inputs.iter().map(|&input| usize::from(input)));
            assert!((judged - (100.0 * odds) as i32).abs() < 5, "{inputs:?}: {judged} for {odds}");
        }
    }

    #[test]
    fn the_gradient_is_that_of_the_loss() {
        let mut rng = fastrand::Rng::with_seed(8);
        let model = Model::random(3, &mut rng);
        let loss = |model: &Model| {
            let odds = f64::from(model.forward(&[0, 2]).1);
            odds.max(0.0) + (-odds.abs()).exp().ln_1p() - 0.3 * odds
        };
        let mut gradient = vec![0.0; numbers(3)];
        model.add_gradient(&[0, 2], 0.3, &mut gradient);
        for (place, gradient) in gradient.into_iter().enumerate() {
            let [less, more] = [-1e-2_f32, 1e-2].map(|shift| {
                let mut moved = model.clone();
                moved.parameters[place] += shift;
                loss(&moved)
            });
            let found = (more - less) / 2e-2;
            assert!((found - f64::from(gradient)).abs() < 2e-3, "{place}: {found} {gradient}");
        }
    }
}

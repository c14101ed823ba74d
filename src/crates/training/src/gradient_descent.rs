//! Training of a [net] by stochastic gradient descent.
//!
//! The net learns to predict the log-odds of a win for the side to move. The target of a position
//! mixes the result of its game with the score of its search. The score says more about the
//! position, because the search sees variations that the game does not show. But only results
//! determine how many log-odds a centipawn is worth. The loss is the cross-entropy. The optimizer
//! is Adam (D. Kingma and J. Ba, 2015) on shuffled batches, with a learning rate that falls
//! linearly.
//!
//! Each batch is divided among a fixed number of threads. The gradients of the threads are always
//! added up in the same order, so the same games and the same program give the same net.

use std::thread;

use pentarch_core::evaluation::net;
use pentarch_core::evaluation::net::{
    NetShape, OUTPUT_UNITS_PER_CENTIPAWN, QUANTISED_ACTIVATION_OF_ONE,
};

use super::regression::cross_entropy;
use super::samples::{FeatureSamples, NetPosition, NetSamples};

/// The weight of the game's result in the target of a position. The score of the search has the
/// rest of the weight.
const GAME_RESULT_TARGET_SHARE: f32 = 0.6;
const GRADIENT_THREAD_COUNT: usize = 2;
/// The learning rate of the first step.
const LEARNING_RATE: f32 = 0.004;
/// The learning rate of the last step, divided by that of the first step.
const FINAL_LEARNING_RATE_SHARE: f32 = 0.02;
/// The decay rates of Adam: β₁ for the mean of the gradient, β₂ for the mean of its square.
const ADAM_DECAY_RATES: [f32; 2] = [0.9, 0.999];
/// The maximum absolute value of the weights and biases of the hidden units. With this limit, a sum
/// of sixty such weights fits into 16 bits. Larger sums are clipped.
const MAX_ABSOLUTE_WEIGHT: f32 = 1.98;

/// Returns the probability of a win with these log-odds.
fn sigmoid(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// The gradients of the threads.
pub type ThreadGradients = [Gradient; GRADIENT_THREAD_COUNT];

/// Returns one gradient for each thread, filled with 0.
pub fn create_zero_gradients(shape: NetShape) -> ThreadGradients {
    [(); GRADIENT_THREAD_COUNT].map(|()| Gradient::new(shape))
}

/// Computes the gradient of the loss over the positions of a batch, and returns the sum of the
/// losses. Each thread handles a part of the batch with its own gradient. At the end, the first of
/// these gradients contains the sum of all gradients.
fn sum_batch_gradients(
    gradients: &mut ThreadGradients,
    batch: &[usize],
    model: &NetModel,
    samples: &NetSamples,
    log_odds_per_centipawn: f32,
) -> f64 {
    let add = |part: &[usize], gradient: &mut Gradient| {
        let loss = part.iter().map(|&index| {
            let [score, result] = samples.targets[index];
            let target = GAME_RESULT_TARGET_SHARE * result
                + (1.0 - GAME_RESULT_TARGET_SHARE) * sigmoid(score * log_odds_per_centipawn);
            gradient.add_position(model, samples.position(index), target)
        });
        loss.sum::<f64>()
    };
    let parts = batch.chunks(batch.len().div_ceil(GRADIENT_THREAD_COUNT));
    let losses: Vec<f64> = thread::scope(|scope| {
        let threads: Vec<_> = parts
            .zip(&mut *gradients)
            .map(|(part, gradient)| scope.spawn(move || add(part, gradient)))
            .collect();
        // A thread panics only because of a bug, so the panic is passed on.
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|fault| std::panic::resume_unwind(fault)))
            .collect()
    });
    let [sum, others @ ..] = gradients;
    for other in others {
        sum.sums.iter_mut().zip(&other.sums).for_each(|(sum, other)| *sum += other);
        other.sums.fill(0.0);
    }
    losses.into_iter().sum()
}

/// A net during its training. Its parameters are not rounded yet, and its output is in log-odds.
#[derive(Debug, Clone, PartialEq)]
pub struct NetModel {
    shape: NetShape,
    /// The parameters of the net, in the order in which its file stores them.
    parameters: Vec<f32>,
}

impl NetModel {
    /// Creates a net with small random weights, so that no two hidden units are equal.
    pub fn random(shape: NetShape, rng: &mut fastrand::Rng) -> NetModel {
        let mut parameters = vec![0.0; shape.parameter_count()];
        let (rows, rest) = parameters.split_at_mut(shape.inputs * shape.hidden);
        rows.iter_mut().for_each(|weight| *weight = 0.4 * (rng.f32() - 0.5));
        let (biases, rest) = rest.split_at_mut(shape.hidden);
        biases.fill(0.25);
        let output_weights = &mut rest[..shape.buckets * shape.hidden];
        output_weights.iter_mut().for_each(|weight| *weight = 0.2 * (rng.f32() - 0.5));
        NetModel { shape, parameters }
    }

    /// Returns a row of the parameters: one parameter for each hidden unit. There is a row for each
    /// input, a row for the biases, and a row of output weights for each bucket.
    fn parameter_row(&self, index: usize) -> &[f32] {
        &self.parameters[index * self.shape.hidden..][..self.shape.hidden]
    }

    fn output_row_index(&self, bucket: usize) -> usize {
        self.shape.inputs + 1 + bucket
    }

    fn output_bias_index(&self, bucket: usize) -> usize {
        self.parameters.len() - self.shape.buckets + bucket
    }

    /// Computes the output of the net (forward pass), in log-odds. Fills `hidden` with the sums of
    /// the hidden units before their activation.
    fn forward_pass(&self, NetPosition { inputs, bucket }: NetPosition, hidden: &mut [f32]) -> f32 {
        hidden.copy_from_slice(self.parameter_row(self.shape.inputs));
        for &input in inputs {
            hidden
                .iter_mut()
                .zip(self.parameter_row(input.into()))
                .for_each(|(sum, weight)| *sum += weight);
        }
        let units = hidden.iter().zip(self.parameter_row(self.output_row_index(bucket)));
        units.map(|(&sum, weight)| hidden_unit_activation(sum)[0] * weight).sum::<f32>()
            + self.parameters[self.output_bias_index(bucket)]
    }

    /// Returns the mean over the positions of -log(probability of the result).
    pub fn log_loss(&self, samples: &NetSamples) -> f64 {
        let mut hidden = vec![0.0; self.shape.hidden];
        let each = samples.targets.iter().enumerate().map(|(index, &[_, result])| {
            cross_entropy(
                self.forward_pass(samples.position(index), &mut hidden).into(),
                result.into(),
            )
        });
        each.sum::<f64>() / samples.ends.len().max(1) as f64
    }

    /// Reads a net from the contents of its file. The output of the result is in centipawns.
    pub fn from_file_contents(shape: NetShape, bytes: &[u8]) -> NetModel {
        let hidden = (shape.inputs + 1) * shape.hidden;
        let read = |(index, parameter)| {
            let unit = if index < hidden {
                f32::from(QUANTISED_ACTIVATION_OF_ONE)
            } else {
                f32::from(OUTPUT_UNITS_PER_CENTIPAWN)
            };
            f32::from(parameter) / unit
        };
        NetModel {
            shape,
            parameters: net::decode_parameters(bytes).enumerate().map(read).collect(),
        }
    }

    /// Returns the outputs of this net for all positions, each with the result of its game. The
    /// output of the net must be in centipawns. The returned outputs are in tenths of a centipawn,
    /// for the side to move.
    pub fn evaluate_samples(&self, samples: &NetSamples) -> FeatureSamples {
        let mut hidden = vec![0.0; self.shape.hidden];
        let mut evaluated = FeatureSamples::new(1);
        evaluated.begin_game();
        for (index, &[_, result]) in samples.targets.iter().enumerate() {
            let centipawns = self.forward_pass(samples.position(index), &mut hidden);
            evaluated.push([(10.0 * centipawns).round() as i32], result.into());
        }
        evaluated
    }

    /// Returns the net as a file. `log_odds_per_centipawn` is the amount of log-odds for one
    /// centipawn in the file.
    pub fn to_file_bytes(&self, log_odds_per_centipawn: f32) -> Vec<u8> {
        let hidden = (self.shape.inputs + 1) * self.shape.hidden;
        let rounded = |(index, parameter): (usize, &f32)| {
            let unit = if index < hidden {
                f32::from(QUANTISED_ACTIVATION_OF_ONE)
            } else {
                f32::from(OUTPUT_UNITS_PER_CENTIPAWN) / log_odds_per_centipawn
            };
            (parameter * unit).round() as i16
        };
        net::encode_net_file(&self.parameters.iter().enumerate().map(rounded).collect::<Vec<_>>())
    }
}

/// Returns the activation of a hidden unit with this sum, and its derivative.
fn hidden_unit_activation(sum: f32) -> [f32; 2] {
    let clipped = sum.clamp(0.0, 1.0);
    let is_inside = f32::from(u8::from(sum > 0.0 && sum < 1.0));
    [clipped * clipped, 2.0 * clipped * is_inside]
}

/// The gradient of the loss, summed by one thread over its positions.
#[derive(Debug, Clone, PartialEq)]
pub struct Gradient {
    /// The sums of the derivatives of the loss, in the order of the net's parameters.
    sums: Vec<f32>,
    /// A buffer: the sums of the hidden units for one position, before their activation.
    hidden: Vec<f32>,
    /// A buffer: the derivatives of the loss at one position with respect to the sums in `hidden`.
    errors: Vec<f32>,
}

impl Gradient {
    fn new(shape: NetShape) -> Gradient {
        Gradient {
            sums: vec![0.0; shape.parameter_count()],
            hidden: vec![0.0; shape.hidden],
            errors: vec![0.0; shape.hidden],
        }
    }

    /// Adds the gradient at one position (backward pass), and returns the cross-entropy at this
    /// position. `target` is the probability of a win that the net should predict.
    fn add_position(&mut self, model: &NetModel, position: NetPosition, target: f32) -> f64 {
        let width = model.shape.hidden;
        let log_odds = model.forward_pass(position, &mut self.hidden);
        let error = sigmoid(log_odds) - target;
        let output_row = model.output_row_index(position.bucket);
        let output = &mut self.sums[output_row * width..][..width];
        let units = self
            .hidden
            .iter()
            .zip(model.parameter_row(output_row))
            .zip(output)
            .zip(&mut self.errors);
        for (((&sum, weight), output), unit_error) in units {
            let [activation, derivative] = hidden_unit_activation(sum);
            *output += error * activation;
            *unit_error = error * weight * derivative;
        }
        self.sums[model.output_bias_index(position.bucket)] += error;
        let rows = position.inputs.iter().map(|&input| input.into()).chain([model.shape.inputs]);
        for row in rows {
            let sums = self.sums[row * width..][..width].iter_mut().zip(&self.errors);
            sums.for_each(|(sum, error)| *sum += error);
        }
        cross_entropy(log_odds.into(), target.into())
    }
}

/// The state of Adam: the net, the moving mean of the gradient, and the moving mean of its square.
#[derive(Debug, Clone, PartialEq)]
pub struct AdamOptimiser {
    /// The net that Adam trains.
    pub model: NetModel,
    /// The two means for each parameter.
    means: Vec<[f32; 2]>,
    steps: usize,
}

impl AdamOptimiser {
    /// Creates the state before the first step, from this net.
    pub fn new(model: NetModel) -> AdamOptimiser {
        let means = vec![[0.0; 2]; model.parameters.len()];
        AdamOptimiser { model, means, steps: 0 }
    }

    /// Returns the state as a list of numbers: the number of steps, the parameters of the net, and
    /// the moving means.
    pub fn state(&self) -> impl Iterator<Item = f32> {
        let parameters = self.model.parameters.iter().copied();
        // The bits of this integer are stored in a float. No calculation uses this float.
        let steps = f32::from_bits(self.steps as u32);
        std::iter::once(steps).chain(parameters).chain(self.means.iter().flatten().copied())
    }

    /// Loads a [state](AdamOptimiser::state).
    pub fn restore(&mut self, state: &[f32]) {
        let mut state = state.iter().copied();
        self.steps = state.next().map_or(0, f32::to_bits) as usize;
        let all = self.model.parameters.iter_mut().chain(self.means.iter_mut().flatten());
        all.zip(state).for_each(|(number, stored)| *number = stored);
    }

    /// Improves the net by one step, with the gradient at the positions of a batch. Returns the sum
    /// of the losses at these positions. All numbers in `gradients` are 0 before and after the
    /// step. `log_odds_per_centipawn` is the amount of log-odds for one centipawn of the scores.
    /// `total_steps` is the number of steps of the whole training.
    pub fn train_batch(
        &mut self,
        gradients: &mut ThreadGradients,
        batch: &[usize],
        samples: &NetSamples,
        log_odds_per_centipawn: f32,
        total_steps: usize,
    ) -> f64 {
        let loss =
            sum_batch_gradients(gradients, batch, &self.model, samples, log_odds_per_centipawn);
        let [sum, ..] = gradients;
        self.apply_gradient(&sum.sums, batch.len(), total_steps);
        sum.sums.fill(0.0);
        loss
    }

    /// Changes the parameters of the net by one step of Adam. `gradient` is the sum of the
    /// gradients at `positions` positions. `total_steps` is the number of steps of the whole
    /// training, during which the learning rate falls.
    fn apply_gradient(&mut self, gradient: &[f32], positions: usize, total_steps: usize) {
        self.steps += 1;
        let rate = LEARNING_RATE
            * (FINAL_LEARNING_RATE_SHARE
                + (1.0 - FINAL_LEARNING_RATE_SHARE)
                    * (1.0 - self.steps as f32 / total_steps as f32));
        // The bias correction of Adam, which removes the effect of the initial value 0 of the
        // moving means.
        let correction = ADAM_DECAY_RATES.map(|decay| 1.0 - decay.powf(self.steps as f32));
        let hidden = (self.model.shape.inputs + 1) * self.model.shape.hidden;
        let parameters =
            self.model.parameters.iter_mut().zip(&mut self.means).zip(gradient).enumerate();
        for (index, ((parameter, means), gradient)) in parameters {
            let gradient = gradient / positions as f32;
            for (mean, (decay, new)) in means
                .iter_mut()
                .zip(ADAM_DECAY_RATES.into_iter().zip([gradient, gradient * gradient]))
            {
                *mean = decay * *mean + (1.0 - decay) * new;
            }
            *parameter -=
                rate * (means[0] / correction[0]) / ((means[1] / correction[1]).sqrt() + 1e-8);
            if index < hidden {
                *parameter = parameter.clamp(-MAX_ABSOLUTE_WEIGHT, MAX_ABSOLUTE_WEIGHT);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_core::evaluation::net::Net;

    fn predict_log_odds(model: &NetModel, inputs: &[u16], bucket: usize) -> f32 {
        model.forward_pass(NetPosition { inputs, bucket }, &mut vec![0.0; model.shape.hidden])
    }

    /// Trains a net on samples, each of which has inputs, a bucket and a target. Then checks that
    /// the net predicts the targets, before and after a round trip through its file.
    fn check_training(
        shape: NetShape,
        samples: &[(&[u16], usize, f32)],
        evaluate: impl Fn(&[u8], &[u16], usize) -> i32,
    ) {
        let mut rng = fastrand::Rng::with_seed(7);
        let mut adam = AdamOptimiser::new(NetModel::random(shape, &mut rng));
        for _ in 0..2000 {
            let mut gradient = Gradient::new(shape);
            for &(inputs, bucket, target) in samples {
                gradient.add_position(&adam.model, NetPosition { inputs, bucket }, target);
            }
            adam.apply_gradient(&gradient.sums, samples.len(), 2000);
        }
        let file = adam.model.to_file_bytes(0.01);
        for &(inputs, bucket, target) in samples {
            let log_odds = predict_log_odds(&adam.model, inputs, bucket);
            assert!(
                (sigmoid(log_odds) - target).abs() < 0.01,
                "{inputs:?}: {} for {target}",
                sigmoid(log_odds)
            );
            let evaluation = evaluate(&file, inputs, bucket);
            assert!(
                (evaluation - (100.0 * log_odds) as i32).abs() < 8,
                "{inputs:?}: {evaluation} for {log_odds}"
            );
        }
    }

    /// Evaluates a position with the net in a file.
    fn evaluate_file<const I: usize, const H: usize, const B: usize>(
        file: &[u8],
        inputs: &[u16],
        bucket: usize,
    ) -> i32 {
        let net = Net::<I, H, B>::from_bytes(file);
        let mut accumulator = net.new_accumulator();
        inputs.iter().for_each(|&input| net.add_input(&mut accumulator, input.into()));
        net.output(&accumulator, bucket)
    }

    #[test]
    fn a_net_learns_a_nonlinear_function() {
        let samples: [(&[u16], usize, f32); 4] =
            [(&[], 0, 0.1), (&[0], 0, 0.9), (&[1], 0, 0.9), (&[0, 1], 0, 0.1)];
        check_training(Net::<2, 32, 1>::NET_SHAPE, &samples, evaluate_file::<2, 32, 1>);
    }

    #[test]
    fn a_net_learns_a_function_of_the_bucket() {
        let samples: [(&[u16], usize, f32); 4] =
            [(&[0], 0, 0.1), (&[0], 1, 0.9), (&[1, 2], 0, 0.7), (&[2], 1, 0.3)];
        check_training(Net::<3, 16, 2>::NET_SHAPE, &samples, evaluate_file::<3, 16, 2>);
    }

    #[test]
    fn the_gradient_equals_difference_quotients_of_the_loss() {
        for shape in [Net::<2, 32, 1>::NET_SHAPE, Net::<3, 16, 2>::NET_SHAPE] {
            let mut rng = fastrand::Rng::with_seed(8);
            let model = NetModel::random(shape, &mut rng);
            let bucket = shape.buckets - 1;
            let loss = |model: &NetModel| {
                cross_entropy(predict_log_odds(model, &[0, 1], bucket).into(), 0.3)
            };
            let mut gradient = Gradient::new(shape);
            let found = gradient.add_position(&model, NetPosition { inputs: &[0, 1], bucket }, 0.3);
            assert!((found - loss(&model)).abs() < 1e-6);
            for (index, gradient) in gradient.sums.into_iter().enumerate() {
                let [less, more] = [-1e-2_f32, 1e-2].map(|shift| {
                    let mut moved = model.clone();
                    moved.parameters[index] += shift;
                    loss(&moved)
                });
                let found = (more - less) / 2e-2;
                assert!(
                    (found - f64::from(gradient)).abs() < 2e-3,
                    "{shape:?} {index}: {found} {gradient}"
                );
            }
        }
    }
}

//! Logistic regression with a normal prior, by Newton's method.

use super::samples::{FeatureSample, FeatureSamples};

/// The coefficients that make the samples most likely.
#[derive(Debug, Clone, PartialEq)]
pub struct RegressionResult {
    /// The coefficients of the features, in log-odds of the first side's win per unit.
    pub coefficients: Vec<f64>,
    /// The standard errors of the coefficients; `None` for a feature that is 0 in all samples.
    pub errors: Vec<Option<f64>>,
}

/// The maximum number of Newton steps. Usually a handful is enough.
const MAX_NEWTON_STEPS: usize = 50;
/// The iteration ends when a step lowers the objective by at most this difference.
const OBJECTIVE_TOLERANCE: f64 = 1e-9;
/// The lower bound of the mean square of a feature. If a feature is nearly always 0, this bound
/// keeps its coefficient at the value of the prior.
const MIN_FEATURE_MEAN_SQUARE: f64 = 1e-6;

/// Fits coefficients to the samples. Returns `None` if the numbers do not stay finite.
///
/// The prior is normal around the coefficients `mean`. The iteration begins with these
/// coefficients. The prior has the weight of `prior` samples with a probability of ½, for any scale
/// of the features.
///
/// The samples of a game are not independent of each other, because they share the game's result.
/// Therefore the games are the independent observations for the standard errors. The errors come
/// from the cluster-robust sandwich estimator (Huber, 1967; White, 1980).
pub fn fit_coefficients(
    samples: &FeatureSamples,
    mean: &[f64],
    prior: f64,
) -> Option<RegressionResult> {
    let mean_squares = feature_mean_squares(samples);
    // A sample with probability ½ adds ¼ of the square of its feature to the second derivative of
    // the loss.
    let precision = mean_squares
        .iter()
        .map(|square| prior / 4.0 * square.max(MIN_FEATURE_MEAN_SQUARE))
        .collect::<Vec<f64>>();
    let objective = |coefficients: &[f64]| {
        let penalty = coefficients
            .iter()
            .zip(mean)
            .zip(&precision)
            .map(|((coefficient, mean), precision)| precision * (coefficient - mean).powi(2));
        total_log_loss(samples, coefficients) + penalty.sum::<f64>() / 2.0
    };
    let mut coefficients = mean.to_vec();
    let mut value = objective(&coefficients);
    let mut factor = LowerTriangularMatrix::new(0);
    for _ in 0..MAX_NEWTON_STEPS {
        let LossDerivatives { mut gradient, mut hessian } =
            loss_derivatives(samples, &coefficients);
        for i in 0..coefficients.len() {
            gradient[i] += precision[i] * (coefficients[i] - mean[i]);
            hessian.add_to_element(i, i, precision[i]);
        }
        factor = hessian.cholesky()?;
        let step = factor.solve(&gradient);
        // Backtracking: far from the minimum a step may overshoot. Therefore the step is halved
        // until it lowers the objective.
        let mut gain = 0.0;
        for halvings in 0..30 {
            let fraction = 0.5_f64.powi(halvings);
            let next: Vec<f64> =
                coefficients.iter().zip(&step).map(|(old, step)| old - fraction * step).collect();
            let next_value = objective(&next);
            if next_value < value {
                gain = value - next_value;
                value = next_value;
                coefficients = next;
                break;
            }
        }
        if gain <= OBJECTIVE_TOLERANCE {
            break;
        }
    }
    let errors = standard_errors(samples, &coefficients, &factor).into_iter().zip(&mean_squares);
    let errors = errors.map(|(error, square)| (*square > 0.0).then_some(error)).collect();
    value.is_finite().then_some(RegressionResult { coefficients, errors })
}

/// Returns the mean over the samples of -log(probability of the result). A draw counts as half a
/// win and half a loss.
pub fn log_loss(samples: &FeatureSamples, coefficients: &[f64]) -> f64 {
    total_log_loss(samples, coefficients) / samples.len().max(1) as f64
}

/// Returns the sum over the samples of -log(probability of the result).
fn total_log_loss(samples: &FeatureSamples, coefficients: &[f64]) -> f64 {
    let each = samples
        .iter()
        .map(|sample| cross_entropy(predict_log_odds(&sample, coefficients), sample.result));
    each.sum()
}

/// Returns the cross-entropy between a prediction, given as log-odds, and a target probability. For
/// a win or a loss, this is -log of the predicted probability of that result.
pub fn cross_entropy(log_odds: f64, target: f64) -> f64 {
    // This is log(1 + exp(log_odds)) - target * log_odds, computed without overflow.
    log_odds.max(0.0) + (-log_odds.abs()).exp().ln_1p() - target * log_odds
}

fn predict_log_odds(sample: &FeatureSample, coefficients: &[f64]) -> f64 {
    sample
        .features
        .iter()
        .zip(coefficients)
        .map(|(&feature, coefficient)| f64::from(feature) * coefficient)
        .sum()
}

fn win_probability(sample: &FeatureSample, coefficients: &[f64]) -> f64 {
    1.0 / (1.0 + (-predict_log_odds(sample, coefficients)).exp())
}

fn feature_mean_squares(samples: &FeatureSamples) -> Vec<f64> {
    let mut sums = vec![0.0; samples.width];
    for sample in samples.iter() {
        sums.iter_mut()
            .zip(sample.features)
            .for_each(|(sum, &feature)| *sum += f64::from(feature).powi(2));
    }
    sums.iter().map(|sum| sum / samples.len().max(1) as f64).collect()
}

struct LossDerivatives {
    gradient: Vec<f64>,
    hessian: LowerTriangularMatrix,
}

fn loss_derivatives(samples: &FeatureSamples, coefficients: &[f64]) -> LossDerivatives {
    let mut gradient = vec![0.0; coefficients.len()];
    let mut hessian = LowerTriangularMatrix::new(coefficients.len());
    for sample in samples.iter() {
        let probability = win_probability(&sample, coefficients);
        let weight = probability * (1.0 - probability);
        for (i, &feature) in
            sample.features.iter().enumerate().filter(|(_, feature)| **feature != 0)
        {
            gradient[i] += (probability - sample.result) * f64::from(feature);
            let scaled = weight * f64::from(feature);
            sample.features[..=i]
                .iter()
                .enumerate()
                .for_each(|(j, &other)| hessian.add_to_element(i, j, scaled * f64::from(other)));
        }
    }
    LossDerivatives { gradient, hessian }
}

/// Returns the standard errors of the coefficients, with games as the observations. `factor` is the
/// Cholesky factor of the Hessian matrix.
fn standard_errors(
    samples: &FeatureSamples,
    coefficients: &[f64],
    factor: &LowerTriangularMatrix,
) -> Vec<f64> {
    let mut variance = vec![0.0; coefficients.len()];
    for range in samples.game_ranges() {
        let mut gradient = vec![0.0; coefficients.len()];
        for sample in samples.range(range) {
            let residual = win_probability(&sample, coefficients) - sample.result;
            gradient
                .iter_mut()
                .zip(sample.features)
                .for_each(|(sum, &feature)| *sum += residual * f64::from(feature));
        }
        variance
            .iter_mut()
            .zip(factor.solve(&gradient))
            .for_each(|(sum, shift)| *sum += shift * shift);
    }
    variance.into_iter().map(f64::sqrt).collect()
}

/// A symmetric matrix, of which only the lower triangle is stored, or a lower triangular matrix.
#[derive(Debug, Clone, PartialEq)]
struct LowerTriangularMatrix {
    rows: Vec<Vec<f64>>,
}

impl LowerTriangularMatrix {
    fn new(size: usize) -> LowerTriangularMatrix {
        LowerTriangularMatrix { rows: (0..size).map(|row| vec![0.0; row + 1]).collect() }
    }

    fn add_to_element(&mut self, row: usize, column: usize, value: f64) {
        self.rows[row][column] += value;
    }

    /// Returns the Cholesky factor `L` of this matrix: a lower triangular matrix with `L Lᵀ` equal
    /// to this matrix. Returns `None` if this matrix is not positive definite.
    fn cholesky(mut self) -> Option<LowerTriangularMatrix> {
        for i in 0..self.rows.len() {
            for j in 0..=i {
                let dot: f64 = (0..j).map(|k| self.rows[i][k] * self.rows[j][k]).sum();
                let rest = self.rows[i][j] - dot;
                self.rows[i][j] = if i == j { rest.sqrt() } else { rest / self.rows[j][j] };
            }
            if !(self.rows[i][i] > 0.0 && self.rows[i][i].is_finite()) {
                return None;
            }
        }
        Some(self)
    }

    /// Solves `A x = b` for `x`. `self` is the [Cholesky factor](LowerTriangularMatrix::cholesky)
    /// of `A`.
    fn solve(&self, b: &[f64]) -> Vec<f64> {
        let size = self.rows.len();
        let mut x = b.to_vec();
        for i in 0..size {
            let dot: f64 = (0..i).map(|k| self.rows[i][k] * x[k]).sum();
            x[i] = (x[i] - dot) / self.rows[i][i];
        }
        for i in (0..size).rev() {
            let dot: f64 = (i + 1..size).map(|k| self.rows[k][i] * x[k]).sum();
            x[i] = (x[i] - dot) / self.rows[i][i];
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates games of three samples each. The results are random, with the probabilities that
    /// follow from the coefficients.
    fn synthetic(coefficients: &[f64], games: usize) -> FeatureSamples {
        let mut rng = fastrand::Rng::with_seed(3);
        let mut samples = FeatureSamples::new(coefficients.len());
        for _ in 0..games {
            samples.begin_game();
            for _ in 0..3 {
                let features: Vec<i32> = coefficients.iter().map(|_| rng.i32(-4..=4)).collect();
                let probability = win_probability(
                    &FeatureSample { features: &features, result: 0.0 },
                    coefficients,
                );
                let result = if rng.f64() < probability { 1.0 } else { 0.0 };
                samples.push(features, result);
            }
        }
        samples
    }

    #[test]
    fn finds_known_coefficients_within_their_errors() {
        let known = [0.7, -0.3, 0.1, 0.0];
        let samples = synthetic(&known, 5000);
        let start = [0.0; 4];
        let result = fit_coefficients(&samples, &start, 1.0).unwrap();
        for (known, (found, error)) in
            known.iter().zip(result.coefficients.iter().zip(&result.errors))
        {
            let error = error.unwrap();
            assert!((found - known).abs() < 3.5 * error, "{known} {found} {error}");
            assert!((0.005..0.02).contains(&error), "{error}");
        }
        assert!(log_loss(&samples, &result.coefficients) < log_loss(&samples, &known));
        assert!((log_loss(&samples, &start) - 2_f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn the_prior_decides_coefficients_without_evidence() {
        let mut samples = FeatureSamples::new(3);
        samples.begin_game();
        samples.push([1, 0, 2], 1.0);
        let result = fit_coefficients(&samples, &[0.0, 0.4, 0.0], 1e9).unwrap();
        assert!((result.coefficients[1] - 0.4).abs() < 1e-12 && result.errors[1].is_none());
        assert!(
            result
                .coefficients
                .iter()
                .zip([0.0, 0.4, 0.0])
                .all(|(found, prior)| (found - prior).abs() < 1e-6)
        );
        // Without a prior, the coefficients fitted to a single win would be infinite.
        let free = fit_coefficients(&samples, &[0.0; 3], 1.0).unwrap();
        assert!(free.coefficients[0] > 0.1 && free.coefficients[0] < 10.0, "{free:?}");
    }

    #[test]
    fn a_single_feature_gets_the_log_odds_of_its_wins() {
        let mut samples = FeatureSamples::new(1);
        samples.begin_game();
        (0..300).for_each(|_| samples.push([1], 1.0));
        (0..100).for_each(|_| samples.push([-1], 1.0));
        let result = fit_coefficients(&samples, &[0.0], 1e-9).unwrap();
        assert!((result.coefficients[0] - 3_f64.ln()).abs() < 1e-6, "{result:?}");
    }

    #[test]
    fn solves_symmetric_equations() {
        let mut matrix = LowerTriangularMatrix::new(2);
        [(0, 0, 4.0), (1, 0, 2.0), (1, 1, 3.0)]
            .into_iter()
            .for_each(|(i, j, value)| matrix.add_to_element(i, j, value));
        let x = matrix.clone().cholesky().unwrap().solve(&[10.0, 9.0]);
        assert!((x[0] - 1.5).abs() < 1e-12 && (x[1] - 2.0).abs() < 1e-12, "{x:?}");
        matrix.add_to_element(1, 0, 5.0);
        assert_eq!(matrix.cholesky(), None);
    }
}

//! Logistic regression by Newton's method, with a normal prior.

use super::samples::{Sample, Samples};

/// The coefficients that make the samples most likely.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// One for each part: log-odds of the first side's win for each unit.
    pub coefficients: Vec<f64>,
    /// Their standard errors; none for parts that no sample has.
    pub errors: Vec<Option<f64>>,
}

/// Newton steps at the most; a handful are needed.
const MOST_STEPS: usize = 50;
/// The search ends when a step makes the loss of all samples together less by no more than this.
const SETTLED: f64 = 1e-9;
/// The spread that counts for a part that hardly varies, so that its coefficient stays where the prior has it.
const LEAST_SPREAD: f64 = 1e-6;

/// Fits the samples, beginning at the coefficients `mean`. These count as much as `prior` samples of even chances,
/// whatever the scale of the parts.
///
/// Samples of one game are not independent of each other, as they share its result: the standard errors take the games
/// as the independent observations (the sandwich estimator of Huber and White, by clusters).
///
/// Gives none if the numbers are beyond reckoning.
pub fn fit(samples: &Samples, mean: &[f64], prior: f64) -> Option<Fit> {
    let spread = spread(samples);
    let strength: Vec<f64> = spread.iter().map(|spread| prior / 4.0 * spread.max(LEAST_SPREAD)).collect();
    let penalised = |at: &[f64]| {
        let distance = at.iter().zip(mean).zip(&strength).map(|((at, mean), strength)| strength * (at - mean).powi(2));
        loss(samples, at) + distance.sum::<f64>() / 2.0
    };
    let mut at = mean.to_vec();
    let mut value = penalised(&at);
    let mut factor = Matrix::new(0);
    for _ in 0..MOST_STEPS {
        let (mut gradient, mut curvature) = derivatives(samples, &at);
        for i in 0..at.len() {
            gradient[i] += strength[i] * (at[i] - mean[i]);
            curvature.add(i, i, strength[i]);
        }
        factor = curvature.cholesky()?;
        let step = factor.solve(&gradient);
        // Far from the goal a whole step may lead too far.
        let tries = (0..30).map(|halvings| 0.5_f64.powi(halvings));
        let moved = |part: f64| at.iter().zip(&step).map(|(at, step)| at - part * step).collect::<Vec<_>>();
        let better = tries.map(moved).map(|at| (penalised(&at), at)).find(|(there, _)| *there < value);
        let Some((there, next)) = better else { break };
        let gain = value - there;
        (value, at) = (there, next);
        if gain <= SETTLED {
            break;
        }
    }
    let errors = errors(samples, &at, &factor).into_iter().zip(&spread);
    let errors = errors.map(|(error, spread)| (*spread > 0.0).then_some(error)).collect();
    value.is_finite().then_some(Fit { coefficients: at, errors })
}

/// The mean over the samples of -log(probability of the result); a draw counts as half a win and half a loss.
pub fn log_loss(samples: &Samples, coefficients: &[f64]) -> f64 {
    loss(samples, coefficients) / samples.len().max(1) as f64
}

fn loss(samples: &Samples, coefficients: &[f64]) -> f64 {
    let each = samples.iter().map(|sample| {
        let odds = odds(&sample, coefficients);
        // log(1 + exp(odds)) - result * odds, without overflow.
        odds.max(0.0) + (-odds.abs()).exp().ln_1p() - sample.result * odds
    });
    each.sum()
}

/// The log-odds of a win.
fn odds(sample: &Sample, coefficients: &[f64]) -> f64 {
    sample.parts.iter().zip(coefficients).map(|(&part, coefficient)| f64::from(part) * coefficient).sum()
}

/// The probability of a win.
fn chance(sample: &Sample, coefficients: &[f64]) -> f64 {
    1.0 / (1.0 + (-odds(sample, coefficients)).exp())
}

/// The mean of each part's square.
fn spread(samples: &Samples) -> Vec<f64> {
    let mut sums = vec![0.0; samples.width()];
    for sample in samples.iter() {
        sums.iter_mut().zip(sample.parts).for_each(|(sum, &part)| *sum += f64::from(part).powi(2));
    }
    sums.iter().map(|sum| sum / samples.len().max(1) as f64).collect()
}

/// The first and second derivatives of the loss.
fn derivatives(samples: &Samples, coefficients: &[f64]) -> (Vec<f64>, Matrix) {
    let mut gradient = vec![0.0; coefficients.len()];
    let mut curvature = Matrix::new(coefficients.len());
    for sample in samples.iter() {
        let chance = chance(&sample, coefficients);
        let weight = chance * (1.0 - chance);
        for (i, &part) in sample.parts.iter().enumerate().filter(|(_, part)| **part != 0) {
            gradient[i] += (chance - sample.result) * f64::from(part);
            let scaled = weight * f64::from(part);
            sample.parts[..=i]
                .iter()
                .enumerate()
                .for_each(|(j, &other)| curvature.add(i, j, scaled * f64::from(other)));
        }
    }
    (gradient, curvature)
}

/// The standard errors of the coefficients, by games.
fn errors(samples: &Samples, coefficients: &[f64], factor: &Matrix) -> Vec<f64> {
    let mut variance = vec![0.0; coefficients.len()];
    for places in samples.games() {
        let mut pull = vec![0.0; coefficients.len()];
        for sample in samples.range(places) {
            let surprise = chance(&sample, coefficients) - sample.result;
            pull.iter_mut().zip(sample.parts).for_each(|(pull, &part)| *pull += surprise * f64::from(part));
        }
        variance.iter_mut().zip(factor.solve(&pull)).for_each(|(sum, shift)| *sum += shift * shift);
    }
    variance.into_iter().map(f64::sqrt).collect()
}

/// A symmetric matrix by its lower half, or a lower triangular one.
#[derive(Debug, Clone, PartialEq)]
struct Matrix {
    rows: Vec<Vec<f64>>,
}

impl Matrix {
    fn new(size: usize) -> Matrix {
        Matrix { rows: (0..size).map(|row| vec![0.0; row + 1]).collect() }
    }

    fn add(&mut self, row: usize, column: usize, value: f64) {
        self.rows[row][column] += value;
    }

    /// The lower triangular matrix whose product with its transpose is this one; none if this one is not positive
    /// definite.
    fn cholesky(mut self) -> Option<Matrix> {
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

    /// Solves `A x = b` for the `A` that this is the [`cholesky`](Matrix::cholesky) factor of.
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

    /// Games of three samples each, with results by chance from these coefficients.
    fn synthetic(coefficients: &[f64], games: usize) -> Samples {
        let mut rng = fastrand::Rng::with_seed(3);
        let mut samples = Samples::new(coefficients.len());
        for _ in 0..games {
            samples.begin_game();
            for _ in 0..3 {
                let parts: Vec<i32> = coefficients.iter().map(|_| rng.i32(-4..=4)).collect();
                let chance = chance(&Sample { parts: &parts, result: 0.0 }, coefficients);
                let result = if rng.f64() < chance { 1.0 } else { 0.0 };
                samples.push(parts, result);
            }
        }
        samples
    }

    #[test]
    fn known_coefficients_are_found_within_their_errors() {
        let known = [0.7, -0.3, 0.1, 0.0];
        let samples = synthetic(&known, 5000);
        let start = [0.0; 4];
        let fit = fit(&samples, &start, 1.0).unwrap();
        for (known, (found, error)) in known.iter().zip(fit.coefficients.iter().zip(&fit.errors)) {
            let error = error.unwrap();
            assert!((found - known).abs() < 3.5 * error, "{known} {found} {error}");
            assert!((0.005..0.02).contains(&error), "{error}");
        }
        assert!(log_loss(&samples, &fit.coefficients) < log_loss(&samples, &known));
        assert!((log_loss(&samples, &start) - 2_f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn the_prior_keeps_what_the_samples_do_not_tell() {
        let mut samples = Samples::new(3);
        samples.begin_game();
        samples.push([1, 0, 2], 1.0);
        let fit = fit(&samples, &[0.0, 0.4, 0.0], 1e9).unwrap();
        assert!((fit.coefficients[1] - 0.4).abs() < 1e-12 && fit.errors[1].is_none());
        assert!(fit.coefficients.iter().zip([0.0, 0.4, 0.0]).all(|(found, prior)| (found - prior).abs() < 1e-6));
        // A single win would have no bounds.
        let free = super::fit(&samples, &[0.0; 3], 1.0).unwrap();
        assert!(free.coefficients[0] > 0.1 && free.coefficients[0] < 10.0, "{free:?}");
    }

    #[test]
    fn more_wins_than_losses_by_one_part_give_the_log_odds() {
        let mut samples = Samples::new(1);
        samples.begin_game();
        (0..300).for_each(|_| samples.push([1], 1.0));
        (0..100).for_each(|_| samples.push([-1], 1.0));
        let fit = fit(&samples, &[0.0], 1e-9).unwrap();
        assert!((fit.coefficients[0] - 3_f64.ln()).abs() < 1e-6, "{fit:?}");
    }

    #[test]
    fn symmetric_equations_are_solved() {
        let mut matrix = Matrix::new(2);
        [(0, 0, 4.0), (1, 0, 2.0), (1, 1, 3.0)].into_iter().for_each(|(i, j, value)| matrix.add(i, j, value));
        let x = matrix.clone().cholesky().unwrap().solve(&[10.0, 9.0]);
        assert!((x[0] - 1.5).abs() < 1e-12 && (x[1] - 2.0).abs() < 1e-12, "{x:?}");
        matrix.add(1, 0, 5.0);
        assert_eq!(matrix.cholesky(), None);
    }
}

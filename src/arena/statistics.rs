//! Computes the strength that the results of two engines indicate: the Elo difference and its
//! error, and the likelihood of superiority (LOS).
//!
//! A match is a series of *units*. In each unit the first engine has a score from 0 to 1. If
//! openings are played twice with sides swapped, a unit is such a pair of games. Its score is then
//! 0, ¼, ½, ¾ or 1 (the *pentanomial* model). Otherwise a unit is a single game. The games of a
//! pair depend on each other, because an opening may favour a side. Different pairs do not depend
//! on each other.
//!
//! Let N be the number of units, μ their mean score and σ² the variance. The standard error of μ is
//! √(σ²/N). The Elo difference of a score s is 400 log₁₀(s / (1 - s)) (A. Elo, *The Rating of
//! Chessplayers*, 1978). The ends of its 95 % interval are the Elo differences of the scores μ ±
//! 1.96 standard errors. The LOS is the likelihood that the first engine is the stronger one. Its
//! value is Φ((μ - ½) / error). The sequential test is in [another module](super::sprt).
//!
//! A few units with equal scores are weak evidence, but their variance is 0. Therefore σ² includes
//! one more unit. The variance v of this unit is that of equal engines, if they never draw and no
//! side is favoured: ¼ for a game and ⅛ for a pair. With S the sum of squared deviations, σ² = (S +
//! v) / (N + 1). With a hundred units this hardly matters.

use std::f64::consts::{LN_10, SQRT_2};

/// The number of units of a match, and the distribution of their scores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnitScoreSample {
    /// The number of units in the sample.
    pub units: f64,
    mean: f64,
    variance: f64,
    /// The number of games in a unit: 2 if openings are played twice with sides swapped, otherwise
    /// 1.
    pub games_per_unit: f64,
    /// The numbers of units with the scores 0, ¼, ½, ¾ and 1.
    pub counts: [f64; 5],
}

impl UnitScoreSample {
    /// Creates the sample of these scores; `None` if there are no scores. Each score is the mean of
    /// `games_per_unit` games (1 or 2).
    pub fn new(scores: &[f64], games_per_unit: f64) -> Option<UnitScoreSample> {
        if scores.is_empty() {
            return None;
        }
        let units = scores.len() as f64;
        let mean = scores.iter().sum::<f64>() / units;
        let squares: f64 = scores.iter().map(|score| (score - mean) * (score - mean)).sum();
        let mut counts = [0.0; 5];
        scores.iter().for_each(|score| counts[(4.0 * score) as usize] += 1.0);
        let variance = (squares + 0.25 / games_per_unit) / (units + 1.0);
        Some(UnitScoreSample { units, mean, variance, games_per_unit, counts })
    }

    /// Returns the Elo difference, and the lower and upper end of its 95 % interval. If a score is
    /// 0 or 1, its Elo difference is infinite.
    pub fn elo_interval(&self) -> [f64; 3] {
        self.mean_score_interval().map(elo_difference)
    }

    /// Returns the mean score, and the lower and upper end of its 95 % interval.
    pub fn mean_score_interval(&self) -> [f64; 3] {
        let margin = 1.959_964 * self.standard_error();
        [self.mean, self.mean - margin, self.mean + margin]
    }

    /// Returns the likelihood of superiority (LOS): the likelihood that the first engine is the
    /// stronger one.
    pub fn likelihood_of_superiority(&self) -> f64 {
        normal_cdf((self.mean - 0.5) / self.standard_error())
    }

    /// Returns the standard error of the mean.
    fn standard_error(&self) -> f64 {
        (self.variance / self.units).sqrt()
    }
}

fn elo_difference(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

/// Returns the expected score at an Elo difference.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / 400.0 * LN_10).exp())
}

/// Computes the distribution function Φ of the normal distribution, with an error below 1.5e-7
/// (M. Abramowitz and I. Stegun, *Handbook of Mathematical Functions*, 1964, formula 7.1.26).
fn normal_cdf(x: f64) -> f64 {
    let z = x.abs() / SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let terms = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    let upper = 0.5 * terms.iter().fold(0.0, |sum, term| (sum + term) * t) * (-z * z).exp();
    if x < 0.0 { upper } else { 1.0 - upper }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten pairs: 2-0 three times, 1-1 six times, 0-2 once.
    const PAIRS: [f64; 10] = [1.0, 0.5, 0.5, 1.0, 0.0, 0.5, 0.5, 1.0, 0.5, 0.5];

    fn near(found: f64, expected: f64) {
        assert!(
            (found - expected).abs() < 1e-4 * expected.abs().max(1.0),
            "{found} for {expected}"
        );
    }

    #[test]
    fn elo_and_scores_are_inverse() {
        // 400 log10(3) = 190.84850
        near(elo_difference(0.75), 190.848_5);
        near(elo_difference(0.25), -190.848_5);
        near(elo_difference(0.5), 0.0);
        near(expected_score(190.848_5), 0.75);
        near(expected_score(-400.0), 1.0 / 11.0);
        assert_eq!(elo_difference(1.0), f64::INFINITY);
        assert_eq!(elo_difference(-0.1), f64::NEG_INFINITY);
    }

    #[test]
    fn the_normal_distribution_matches_printed_tables() {
        for (x, area) in
            [(0.0, 0.5), (1.0, 0.841_345), (-1.0, 0.158_655), (1.959_964, 0.975), (-3.0, 0.001_35)]
        {
            assert!((normal_cdf(x) - area).abs() < 1e-6, "{x}");
        }
        assert_eq!((normal_cdf(40.0), normal_cdf(-40.0)), (1.0, 0.0));
    }

    #[test]
    fn a_sample_of_pairs_matches_the_formulas_by_hand() {
        let sample = UnitScoreSample::new(&PAIRS, 2.0).unwrap();
        // The squared deviations from 0.6 are 3 times 0.16, 6 times 0.01 and once 0.36. Their sum
        // is 0.9. The variance is (0.9 + 0.125) / 11.
        near(sample.mean, 0.6);
        near(sample.variance, 0.093_181_8);
        near(sample.standard_error(), 0.096_530_7);
        // 0.6 ± 0.189197
        let [mid, low, high] = sample.elo_interval();
        near(mid, 70.436_5);
        near(low, 400.0 * (0.410_803_f64 / 0.589_197).log10());
        near(high, 400.0 * (0.789_197_f64 / 0.210_803).log10());
        // Φ(0.1 / 0.0965307) = Φ(1.035940)
        near(sample.likelihood_of_superiority(), 0.849_885);
    }

    #[test]
    fn few_units_with_equal_results_are_not_certain() {
        let won = UnitScoreSample::new(&[1.0; 4], 1.0).unwrap();
        near(won.variance, 0.05);
        let [mid, low, high] = won.elo_interval();
        assert!(mid.is_infinite() && high.is_infinite() && low > 100.0 && low < 250.0, "{low}");
        assert!(
            won.likelihood_of_superiority() < 0.999_999 && UnitScoreSample::new(&[], 2.0).is_none()
        );
    }
}

//! What results say about strength: Elo, its error, likelihoods.
//!
//! A match is a row of *units*, each a score from 0 to 1 of the first engine: with openings played twice, colours
//! swapped, a unit is such a pair of games (its scores are 0, ¼, ½, ¾, 1: the *pentanomial* model), else it is a single
//! game. Games of one pair depend on each other, since an opening may favour a side; pairs do not.
//!
//! With N units of mean score μ and variance σ² the standard error of μ is √(σ²/N). The Elo difference of a score s is
//! 400 log₁₀(s / (1 - s)) (A. Elo, *The Rating of Chessplayers*, 1978); its 95 % interval is what the formula makes of
//! μ ± 1.96 standard errors. LOS, the likelihood that the first engine is the stronger one, is Φ((μ - ½) / error). The
//! sequential test is the one of [`Sprt`].
//!
//! Few units that all ended alike say little, but their variance is 0. So σ² counts one unit more, of the variance that
//! the unit would have between equal engines if there were no draws and no favoured side: with S the sum of squared
//! deviations, σ² = (S + v) / (N + 1), v being ¼ for a game and ⅛ for a pair. With a hundred units this hardly matters.

use std::f64::consts::{LN_10, SQRT_2};

/// Units of a match.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    count: f64,
    mean: f64,
    variance: f64,
}

impl Sample {
    /// A sample of these scores; `games` is how many games each is the mean of. None if there are no scores.
    pub fn new(scores: &[f64], games: f64) -> Option<Sample> {
        if scores.is_empty() {
            return None;
        }
        let count = scores.len() as f64;
        let mean = scores.iter().sum::<f64>() / count;
        let squares: f64 = scores.iter().map(|score| (score - mean) * (score - mean)).sum();
        Some(Sample { count, mean, variance: (squares + 0.25 / games) / (count + 1.0) })
    }

    /// The Elo difference, and the ends of its interval at 95 %. Infinite where all games are won or lost.
    pub fn elo(&self) -> [f64; 3] {
        let margin = 1.959_964 * self.error();
        [self.mean, self.mean - margin, self.mean + margin].map(elo)
    }

    /// The likelihood that the first engine is the stronger one.
    pub fn superiority(&self) -> f64 {
        normal((self.mean - 0.5) / self.error())
    }

    fn error(&self) -> f64 {
        (self.variance / self.count).sqrt()
    }
}

/// The Elo difference of a score.
fn elo(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

/// The score that an Elo difference lets expect.
fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / 400.0 * LN_10).exp())
}

/// The distribution function Φ of the normal distribution, to 1.5e-7: M. Abramowitz and I. Stegun, *Handbook of
/// Mathematical Functions*, 7.1.26.
fn normal(x: f64) -> f64 {
    let z = x.abs() / SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let terms = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    let upper = 0.5 * terms.iter().fold(0.0, |sum, term| (sum + term) * t) * (-z * z).exp();
    if x < 0.0 { upper } else { 1.0 - upper }
}

/// A sequential probability ratio test of two Elo differences (A. Wald, *Sequential Analysis*, 1947).
///
/// The log likelihood ratio is the normal approximation of the generalised test, as M. Van den Bergh gives it ("The
/// GSPRT approximation", for the Fishtest framework): with s0 and s1 the scores that the two differences let expect,
/// LLR = N (s1 - s0) (2μ - s0 - s1) / (2σ²). It is one for many units: before the tenth nothing is decided.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    /// The Elo difference of hypothesis H0.
    pub elo0: f64,
    /// The Elo difference of hypothesis H1, the greater one.
    pub elo1: f64,
    /// The probability of taking H1 although H0 holds.
    pub alpha: f64,
    /// The probability of taking H0 although H1 holds.
    pub beta: f64,
}

impl Sprt {
    /// The log likelihood ratio of H1 to H0; 0 without a sample.
    pub fn ratio(&self, sample: Option<Sample>) -> f64 {
        let [s0, s1] = [self.elo0, self.elo1].map(expected);
        sample.map_or(0.0, |sample| sample.count * (s1 - s0) * (2.0 * sample.mean - s0 - s1) / (2.0 * sample.variance))
    }

    /// The ratios at which H0 and H1 are taken.
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// Whether H1 is taken, or H0 (`false`); none while the test goes on.
    pub fn decision(&self, sample: Option<Sample>) -> Option<bool> {
        const LEAST_UNITS: f64 = 10.0;
        let ratio = self.ratio(sample.filter(|sample| sample.count >= LEAST_UNITS));
        let [lower, upper] = self.bounds();
        if ratio >= upper { Some(true) } else { (ratio <= lower).then_some(false) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten pairs: 2-0 three times, 1-1 six times, 0-2 once.
    const PAIRS: [f64; 10] = [1.0, 0.5, 0.5, 1.0, 0.0, 0.5, 0.5, 1.0, 0.5, 0.5];

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-4 * expected.abs().max(1.0), "{found} for {expected}");
    }

    #[test]
    fn elo_and_scores_are_inverse() {
        // 400 log10(3) = 190.84850
        near(elo(0.75), 190.848_5);
        near(elo(0.25), -190.848_5);
        near(elo(0.5), 0.0);
        near(expected(190.848_5), 0.75);
        near(expected(-400.0), 1.0 / 11.0);
        assert_eq!((elo(1.0), elo(-0.1)), (f64::INFINITY, f64::NEG_INFINITY));
    }

    #[test]
    fn the_normal_distribution_is_the_one_of_tables() {
        for (x, area) in [(0.0, 0.5), (1.0, 0.841_345), (-1.0, 0.158_655), (1.959_964, 0.975), (-3.0, 0.001_35)] {
            assert!((normal(x) - area).abs() < 1e-6, "{x}");
        }
        assert_eq!((normal(40.0), normal(-40.0)), (1.0, 0.0));
    }

    #[test]
    fn a_sample_of_pairs_gives_what_the_formulas_give_by_hand() {
        let sample = Sample::new(&PAIRS, 2.0).unwrap();
        // Squared deviations from 0.6: 3 of 0.16, 6 of 0.01 and one of 0.36 are 0.9; (0.9 + 0.125) / 11.
        near(sample.mean, 0.6);
        near(sample.variance, 0.093_181_8);
        near(sample.error(), 0.096_530_7);
        // 0.6 ± 0.189197
        let [mid, low, high] = sample.elo();
        near(mid, 70.436_5);
        near(low, 400.0 * (0.410_803_f64 / 0.589_197).log10());
        near(high, 400.0 * (0.789_197_f64 / 0.210_803).log10());
        // Φ(0.1 / 0.0965307) = Φ(1.035940)
        near(sample.superiority(), 0.849_885);
    }

    #[test]
    fn few_units_that_ended_alike_are_not_certain() {
        let won = Sample::new(&[1.0; 4], 1.0).unwrap();
        near(won.variance, 0.05);
        let [mid, low, high] = won.elo();
        assert!(mid.is_infinite() && high.is_infinite() && low > 100.0 && low < 250.0, "{low}");
        assert!(won.superiority() < 0.999_999 && Sample::new(&[], 2.0).is_none());
    }

    #[test]
    fn the_sequential_test_decides_at_its_bounds() {
        let sprt = Sprt { elo0: 0.0, elo1: 190.848_5, alpha: 0.05, beta: 0.05 };
        let [lower, upper] = sprt.bounds();
        near(lower, -(19f64.ln()));
        near(upper, 19f64.ln());
        // 10 * 0.25 * (1.2 - 0.5 - 0.75) / (2 * 0.0931818)
        let sample = Sample::new(&PAIRS, 2.0);
        near(sprt.ratio(sample), -0.670_73);
        assert_eq!((sprt.decision(sample), sprt.decision(None), sprt.ratio(None)), (None, None, 0.0));
        // 4 * 0.25 * 0.75 / (2 * 0.125 / 5)
        near(sprt.ratio(Sample::new(&[1.0; 4], 2.0)), 15.0);
        assert_eq!(sprt.decision(Sample::new(&[1.0; 9], 2.0)), None, "few units decide nothing");
        assert_eq!(sprt.decision(Sample::new(&[1.0; 10], 2.0)), Some(true));
        assert_eq!(sprt.decision(Sample::new(&[0.0; 10], 2.0)), Some(false));
    }
}

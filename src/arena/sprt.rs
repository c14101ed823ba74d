//! Decides between two Elo differences by the sequential probability ratio test (SPRT) (A. Wald,
//! *Sequential Analysis*, 1947).
//!
//! The log likelihood ratio (LLR) comes from the generalised test (X. Li, J. Liu and Z. Ying,
//! "Generalized sequential probability ratio test for separate families of hypotheses", *Sequential
//! Analysis* 33, 2014). The LLR is computed as in the Fishtest framework, after notes by M. Van den
//! Bergh. The data are the results of [units](super::statistics). A pair of games has one of the
//! five scores 0, ¼, ½, ¾ and 1 (the *pentanomial* model). A single game has one of the scores 0, ½
//! and 1.
//!
//! Each hypothesis fixes only the expected score: s0 or s1. The probabilities of the results are
//! chosen so that the observed results are the likeliest under the hypothesis. There are N units,
//! of which nᵢ have the score aᵢ. Under the expected score s, the probabilities are pᵢ = nᵢ / N /
//! (1 + x (aᵢ - s)). The number x is a Lagrange multiplier: it solves Σ pᵢ aᵢ = s. Let p0ᵢ and p1ᵢ
//! be the probabilities under s0 and s1. Then
//!
//! LLR = Σ nᵢ (ln p1ᵢ - ln p0ᵢ).
//!
//! As in Fishtest, a score that no unit has had is counted as a thousandth of a unit, so that every
//! expected score is possible. The test assumes many units. Therefore the test makes no decision
//! before the tenth unit.

use super::statistics::{UnitScoreSample, expected_score};

/// A sequential test of two hypotheses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    /// The Elo difference of hypothesis H0.
    pub elo0: f64,
    /// The Elo difference of hypothesis H1. This difference is greater than the difference of H0.
    pub elo1: f64,
}

/// The probability of a wrong decision: of accepting H1 although H0 is true (alpha), and of
/// accepting H0 although H1 is true (beta).
const SPRT_ERROR_PROBABILITY: f64 = 0.05;

/// The number of units that is assumed for a score if no unit has had this score.
const UNSEEN_SCORE_UNIT_COUNT: f64 = 0.001;

impl Sprt {
    /// Returns the log likelihood ratio of H1 to H0; 0 without a sample.
    pub fn log_likelihood_ratio(&self, sample: Option<UnitScoreSample>) -> f64 {
        let Some(sample) = sample else { return 0.0 };
        let step = if sample.games_per_unit == 1.0 { 2 } else { 1 };
        let mut counts = Vec::new();
        for index in (0..5).step_by(step) {
            let count = sample.counts[index].max(UNSEEN_SCORE_UNIT_COUNT);
            counts.push(ScoreFrequency { score: index as f64 / 4.0, count });
        }
        let [log0, log1] = [self.elo0, self.elo1].map(|elo| {
            // For large differences the expected score rounds to 0 or 1, and no x exists.
            let s = expected_score(elo).clamp(1e-9, 1.0 - 1e-9);
            let x = solve_lagrange_multiplier(&counts, s);
            let terms = counts.iter().map(|c| -c.count * (1.0 + x * (c.score - s)).ln());
            terms.sum::<f64>()
        });
        log1 - log0
    }

    /// Returns the log likelihood ratios at which H0 and H1 are accepted.
    pub fn log_likelihood_ratio_bounds() -> [f64; 2] {
        [
            (SPRT_ERROR_PROBABILITY / (1.0 - SPRT_ERROR_PROBABILITY)).ln(),
            ((1.0 - SPRT_ERROR_PROBABILITY) / SPRT_ERROR_PROBABILITY).ln(),
        ]
    }

    /// Returns whether H1 is accepted (`true`) or H0 (`false`); `None` while the test is undecided.
    pub fn is_h1_accepted(&self, sample: Option<UnitScoreSample>) -> Option<bool> {
        self.decide_by_ratio(sample.filter(|sample| sample.units >= MIN_SPRT_UNITS.into()))
    }

    /// Returns whether the ratio is beyond a bound, and only [`MIN_SPRT_UNITS`] delays the
    /// decision.
    pub fn is_bound_crossed_too_early(&self, sample: Option<UnitScoreSample>) -> bool {
        self.is_h1_accepted(sample).is_none() && self.decide_by_ratio(sample).is_some()
    }

    /// Returns the decision by the ratio alone.
    fn decide_by_ratio(&self, sample: Option<UnitScoreSample>) -> Option<bool> {
        let log_likelihood_ratio = self.log_likelihood_ratio(sample);
        let [lower, upper] = Sprt::log_likelihood_ratio_bounds();
        if log_likelihood_ratio >= upper {
            Some(true)
        } else {
            (log_likelihood_ratio <= lower).then_some(false)
        }
    }
}

/// The minimum number of units (pairs, or games with fixed sides) for a decision.
pub const MIN_SPRT_UNITS: u32 = 10;

/// A possible score of a unit, and the number of units with this score.
struct ScoreFrequency {
    score: f64,
    count: f64,
}

/// Returns the number x for which the scores have the mean s (see the module). The scores are 0, 1
/// and numbers in between.
fn solve_lagrange_multiplier(counts: &[ScoreFrequency], s: f64) -> f64 {
    // In an interval of x, all probabilities are positive. As x grows from the lower to the upper
    // end of this interval, the mean falls from 1 to 0.
    let mut low = -1.0 / (1.0 - s);
    let mut high = 1.0 / s;
    for _ in 0..200 {
        let x = f64::midpoint(low, high);
        let terms = counts.iter().map(|c| c.count * (c.score - s) / (1.0 + x * (c.score - s)));
        *if terms.sum::<f64>() > 0.0 { &mut low } else { &mut high } = x;
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 0.01, "{found} for {expected}");
    }

    /// An Elo difference of 190.8485 has the expected score ¾.
    const SPRT: Sprt = Sprt { elo0: 0.0, elo1: 190.848_5 };

    /// Returns a sample of pairs. `counts` has the number of pairs with each of the five scores.
    fn pairs(counts: [usize; 5]) -> Option<UnitScoreSample> {
        let scores = counts.into_iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]);
        UnitScoreSample::new(
            &scores.flat_map(|(count, score)| vec![score; count]).collect::<Vec<_>>(),
            2.0,
        )
    }

    /// There are 100, 200 and 100 pairs with the scores 0, ½ and 1. The observed frequencies have
    /// the mean ½, so x is 0 under the expected score ½. Under ¾, let y = x / 4. Then y solves -3 /
    /// (1 - 3y) - 2 / (1 - y) + 1 / (1 + y) = 0. This is 12 y² = 4, so y = -1 / √3. The
    /// probabilities are ¼ / (1 + √3), ½ / (1 + 1 / √3) and ¼ / (1 - 1 / √3).
    #[test]
    fn the_ratio_of_pairs_equals_the_one_computed_by_hand() {
        let root = 3f64.sqrt();
        let by_hand = -(100.0 * (1.0 + root).ln()
            + 200.0 * (1.0 + 1.0 / root).ln()
            + 100.0 * (1.0 - 1.0 / root).ln());
        near(by_hand, -105.53);
        let log_likelihood_ratio = SPRT.log_likelihood_ratio(pairs([100, 0, 200, 0, 100]));
        assert!((log_likelihood_ratio - by_hand).abs() < 0.1, "{log_likelihood_ratio}");
    }

    /// Take the probabilities 0.1, 0.2, 0.4, 0.2 and 0.1, whose mean is ½. For each score a, the
    /// count is 100 times the probability times 1 - (a - ½). Therefore these probabilities are the
    /// likeliest ones under the expected score ½, with x = -1. The mean of the counts is ½ less the
    /// variance 0.075. Under this mean the observed frequencies are the likeliest probabilities.
    #[test]
    fn all_five_results_count() {
        let sprt = Sprt { elo0: 400.0 * (0.425f64 / 0.575).log10(), elo1: 0.0 };
        let by_hand =
            -(15.0 * 1.5f64.ln() + 25.0 * 1.25f64.ln() + 15.0 * 0.75f64.ln() + 5.0 * 0.5f64.ln());
        near(by_hand, -3.879_7);
        near(sprt.log_likelihood_ratio(pairs([15, 25, 40, 15, 5])), by_hand);
    }

    /// The units are single games without draws, of which 30 are won and 10 lost. The ratio is 30
    /// ln (s1 / s0) + 10 ln ((1 - s1) / (1 - s0)).
    #[test]
    fn the_ratio_of_games_is_that_of_a_coin() {
        let games: Vec<f64> = (0..40).map(|number| if number < 30 { 1.0 } else { 0.0 }).collect();
        near(
            SPRT.log_likelihood_ratio(UnitScoreSample::new(&games, 1.0)),
            30.0 * 1.5f64.ln() + 10.0 * 0.5f64.ln(),
        );
    }

    #[test]
    fn the_test_decides_at_its_bounds() {
        let [lower, upper] = Sprt::log_likelihood_ratio_bounds();
        near(lower, -(19f64.ln()));
        near(upper, 19f64.ln());
        assert_eq!((SPRT.is_h1_accepted(None), SPRT.log_likelihood_ratio(None)), (None, 0.0));
        // If all n pairs are won, the ratio is n ln (s1 / s0).
        let won = |count| pairs([0, 0, 0, 0, count]);
        near(SPRT.log_likelihood_ratio(won(8)), 8.0 * 1.5f64.ln());
        assert!(
            SPRT.log_likelihood_ratio(won(8)) > upper
                && SPRT.is_h1_accepted(won(8)).is_none()
                && SPRT.is_bound_crossed_too_early(won(8))
                && !SPRT.is_bound_crossed_too_early(won(1))
                && !SPRT.is_bound_crossed_too_early(won(10)),
            "few units decide nothing"
        );
        assert_eq!(
            (SPRT.is_h1_accepted(won(10)), SPRT.is_h1_accepted(pairs([10, 0, 0, 0, 0]))),
            (Some(true), Some(false))
        );
        assert_eq!(SPRT.is_h1_accepted(pairs([1, 0, 6, 0, 3])), None);
    }

    #[test]
    fn the_ratio_is_finite_for_any_differences() {
        for (elo0, elo1) in
            [(-10_000.0, 10_000.0), (0.0, 10_000.0), (-10_000.0, -9_999.0), (0.0, 1e-9)]
        {
            for counts in [[0, 0, 0, 0, 10], [10, 0, 0, 0, 0], [0, 0, 10, 0, 0], [1, 2, 3, 2, 1]] {
                let log_likelihood_ratio = Sprt { elo0, elo1 }.log_likelihood_ratio(pairs(counts));
                assert!(
                    log_likelihood_ratio.is_finite(),
                    "{elo0} {elo1} {counts:?}: {log_likelihood_ratio}"
                );
            }
        }
    }
}

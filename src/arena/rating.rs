//! Computes ratings of more than two engines, by the model of R. A. Bradley and M. E. Terry ("Rank
//! analysis of incomplete block designs", *Biometrika* 39, 1952): an engine of strength p scores
//! p / (p + q) against an engine of strength q. A rating is 400 log₁₀ p. Therefore the difference
//! of two engines' ratings is their Elo difference.
//!
//! The ratings have the maximum likelihood. A draw counts as half a win of both engines. The
//! logarithm of the likelihood is concave in the ratings, and Newton's method finds its maximum. An
//! engine that has won or lost all its games would have no finite rating. Therefore half a drawn
//! game is added for each pairing that has been played. With a hundred games this hardly matters.
//!
//! The intervals come from a bootstrap (B. Efron, "Bootstrap methods: another look at the
//! jackknife", *The Annals of Statistics* 7, 1979): A *unit* is a pair of games with the same
//! opening. For each pairing, a resample draws as many units as the pairing has, at random and with
//! replacement. Then the ratings are computed again. This is repeated many times. Pairs are drawn
//! instead of games because the two results of a pair depend on each other.
//!
//! The interval lies between the percentiles 2.5 and 97.5. Engine A is stronger than engine B with
//! a likelihood equal to the share of resamples in which A has the greater rating.
//!
//! If there are only a few units and all have the same score, the resamples would suggest
//! certainty. Therefore one more unit can be drawn. The mean of this unit is the mean score of the
//! pairing. The variance of this unit is that of equal engines. As in a [match of
//! two](super::statistics), these engines never draw, and no side is favoured.

/// The results of two engines against each other: the score of each unit.
#[derive(Debug, Clone, PartialEq)]
pub struct PairingUnitResults {
    /// The indices of the engines.
    pub engines: [usize; 2],
    /// The score of the first engine in each unit, from 0 to 1.
    pub units: Vec<f64>,
    /// The number of games in a unit: 2 if openings are played twice with sides swapped, otherwise
    /// 1.
    pub games_per_unit: f64,
}

/// Ratings, each with its interval.
#[derive(Debug, Clone)]
pub struct Ratings {
    /// The rating of each engine.
    pub elo: Vec<f64>,
    /// The group of each engine. A group is identified by the index of one of its engines. Ratings
    /// of different groups are not comparable, because no games connect the groups.
    pub groups: Vec<usize>,
    /// The ratings in each resample of the bootstrap.
    resampled: Vec<Vec<f64>>,
}

/// The number of resamples of the bootstrap.
pub const BOOTSTRAP_RESAMPLE_COUNT: usize = 1000;

/// The points that each engine of a pairing gets for half a drawn game, which is added to the
/// results so that no rating is infinite.
const PRIOR_POINTS_PER_ENGINE: f64 = 0.25;

/// The points of two engines in their games against each other.
struct PairingPoints {
    engines: [usize; 2],
    points: [f64; 2],
}

impl Ratings {
    /// Estimates the ratings of engines from their results. `anchors` has the fixed ratings. In a
    /// group without anchors the mean rating is 0. The bootstrap makes `resample_count` resamples.
    pub fn estimate(
        pairings: &[PairingUnitResults],
        anchors: &[Option<f64>],
        resample_count: usize,
    ) -> Ratings {
        let played: Vec<&PairingUnitResults> =
            pairings.iter().filter(|pairing| !pairing.units.is_empty()).collect();
        let groups = connected_engine_groups(&played, anchors);
        let points = |sum: &mut dyn FnMut(&PairingUnitResults) -> f64| -> Vec<PairingPoints> {
            let mut all = Vec::new();
            for pairing in &played {
                let first = sum(pairing);
                let second = pairing.units.len() as f64 - first;
                let points = [first, second]
                    .map(|sum| sum * pairing.games_per_unit + PRIOR_POINTS_PER_ENGINE);
                all.push(PairingPoints { engines: pairing.engines, points });
            }
            all
        };
        let start: Vec<f64> = anchors.iter().map(|anchor| anchor.unwrap_or(0.0)).collect();
        let observed = points(&mut |pairing| pairing.units.iter().sum());
        let elo = fit_ratings(&observed, anchors, &groups, &start, 1e-9);
        // A constant seed, so that the same results always have the same intervals.
        let mut rng = fastrand::Rng::with_seed(1);
        let mut resampled = Vec::new();
        for _ in 0..resample_count {
            let points = points(&mut |pairing| resampled_pairing_score(pairing, &mut rng));
            resampled.push(fit_ratings(&points, anchors, &groups, &elo, 1e-6));
        }
        Ratings { elo, groups, resampled }
    }

    /// Returns the interval that contains the rating of an engine with a probability of 95 %.
    pub fn confidence_interval(&self, engine: usize) -> [f64; 2] {
        let mut ratings: Vec<f64> = self.resampled.iter().map(|elo| elo[engine]).collect();
        ratings.sort_by(f64::total_cmp);
        let outside = ratings.len() / 40;
        let end = |index: usize| ratings.get(index).copied().unwrap_or(self.elo[engine]);
        [end(outside), end(ratings.len().saturating_sub(1 + outside))]
    }

    /// Returns the likelihood of superiority (LOS): the likelihood that engine `one` is stronger
    /// than engine `other`.
    pub fn superiority_likelihood(&self, one: usize, other: usize) -> f64 {
        let points = self.resampled.iter().map(|elo| match elo[one] - elo[other] {
            difference if difference > 0.0 => 1.0,
            difference if difference < 0.0 => 0.0,
            _ => 0.5,
        });
        points.sum::<f64>() / self.resampled.len().max(1) as f64
    }
}

/// Returns the number of the group to which each engine belongs. Engines that have played against
/// each other are in the same group. All anchors (engines with a fixed rating) are in one group.
fn connected_engine_groups(played: &[&PairingUnitResults], anchors: &[Option<f64>]) -> Vec<usize> {
    let mut groups: Vec<usize> = (0..anchors.len()).collect();
    let anchored: Vec<usize> =
        (0..anchors.len()).filter(|&engine| anchors[engine].is_some()).collect();
    let links = anchored.windows(2).map(|pair| [pair[0], pair[1]]);
    for [one, other] in links.chain(played.iter().map(|pairing| pairing.engines)) {
        let remaining = groups[one].min(groups[other]);
        let merged = groups[one].max(groups[other]);
        groups.iter_mut().filter(|group| **group == merged).for_each(|group| *group = remaining);
    }
    groups
}

/// Draws as many units from a pairing as the pairing has, with replacement, and returns the sum of
/// their scores.
fn resampled_pairing_score(pairing: &PairingUnitResults, rng: &mut fastrand::Rng) -> f64 {
    let units = &pairing.units;
    let count = units.len() as f64;
    let mean = units.iter().sum::<f64>() / count;
    // The possible deviations of a unit's score from the mean score, if the two engines are equal
    // and never draw.
    let deviations: &[f64] =
        if pairing.games_per_unit == 1.0 { &[-0.5, 0.5] } else { &[-0.5, 0.0, 0.0, 0.5] };
    let drawn = units.iter().map(|_| match units.get(rng.usize(..=units.len())) {
        Some(score) => *score,
        None => mean + deviations[rng.usize(..deviations.len())],
    });
    drawn.sum::<f64>().clamp(0.0, count)
}

/// Computes the ratings of maximum likelihood for these points by Newton's method. The iteration
/// begins at `start`, and ends when the logarithm of each strength changes by less than
/// `tolerance`.
fn fit_ratings(
    scores: &[PairingPoints],
    anchors: &[Option<f64>],
    groups: &[usize],
    start: &[f64],
    tolerance: f64,
) -> Vec<f64> {
    const MAX_NEWTON_STEPS: usize = 1000;
    /// The maximum change of the logarithm of a strength in a Newton step. Far from the maximum of
    /// the likelihood, the steps would be too long.
    const MAX_NEWTON_STEP_LENGTH: f64 = 1.0;
    let scale = 400.0 / std::f64::consts::LN_10;
    let mut logs: Vec<f64> = start.iter().map(|elo| elo / scale).collect();
    let anchored = anchors.iter().position(Option::is_some).map(|engine| groups[engine]);
    let free: Vec<usize> = (0..logs.len())
        .filter(|&engine| {
            anchors[engine].is_none()
                && scores.iter().any(|pairing| pairing.engines.contains(&engine))
        })
        .collect();
    let mut rows = vec![None; logs.len()];
    free.iter().enumerate().for_each(|(row, &engine)| rows[engine] = Some(row));
    for _ in 0..MAX_NEWTON_STEPS {
        // The gradient and the negated Hessian matrix of the logarithm of the likelihood. The small
        // number on the diagonal of the matrix keeps groups without anchors from drifting.
        let mut gradient = vec![0.0; free.len()];
        let mut matrix = vec![vec![0.0; free.len()]; free.len()];
        (0..free.len()).for_each(|row| matrix[row][row] = 1e-9);
        for PairingPoints { engines: [a, b], points } in scores {
            let expected = 1.0 / (1.0 + (logs[*b] - logs[*a]).exp());
            let games = points[0] + points[1];
            let excess = points[0] - games * expected;
            let weight = games * expected * (1.0 - expected);
            for (engine, other, sign) in [(*a, *b, 1.0), (*b, *a, -1.0)] {
                let Some(row) = rows[engine] else { continue };
                gradient[row] += sign * excess;
                matrix[row][row] += weight;
                if let Some(column) = rows[other] {
                    matrix[row][column] -= weight;
                }
            }
        }
        let steps = solve_linear_system(matrix, gradient);
        let longest = steps.iter().map(|step| step.abs()).fold(0.0, f64::max);
        let factor = (MAX_NEWTON_STEP_LENGTH / longest).min(1.0);
        free.iter().zip(steps).for_each(|(&engine, step)| logs[engine] += step * factor);
        centre_log_strengths_of_groups(&mut logs, groups, anchored);
        if longest < tolerance {
            break;
        }
    }
    logs.into_iter().zip(anchors).map(|(log, anchor)| anchor.unwrap_or(log * scale)).collect()
}

/// Solves a system of linear equations with a symmetric, positive definite matrix by Gaussian
/// elimination.
fn solve_linear_system(mut matrix: Vec<Vec<f64>>, mut values: Vec<f64>) -> Vec<f64> {
    let count = values.len();
    for at in 0..count {
        let (above, below) = matrix.split_at_mut(at + 1);
        let pivot = &above[at];
        for (row, line) in below.iter_mut().enumerate().filter(|(_, line)| line[at] != 0.0) {
            let factor = line[at] / pivot[at];
            line[at..]
                .iter_mut()
                .zip(&pivot[at..])
                .for_each(|(cell, other)| *cell -= factor * other);
            values[at + 1 + row] -= factor * values[at];
        }
    }
    for at in (0..count).rev() {
        let known: f64 = (at + 1..count).map(|other| matrix[at][other] * values[other]).sum();
        values[at] = (values[at] - known) / matrix[at][at];
    }
    values
}

/// Shifts the logarithms of the strengths in each group so that their mean is 0. The group with the
/// anchors is not shifted.
fn centre_log_strengths_of_groups(logs: &mut [f64], groups: &[usize], anchored: Option<usize>) {
    let mut sums = vec![(0.0, 0.0); logs.len()];
    for (&group, log) in groups.iter().zip(&*logs) {
        sums[group].0 += log;
        sums[group].1 += 1.0;
    }
    for (&group, log) in groups.iter().zip(logs).filter(|(group, _)| Some(**group) != anchored) {
        *log -= sums[group].0 / sums[group].1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairing(engines: [usize; 2], units: &[f64]) -> PairingUnitResults {
        PairingUnitResults { engines, units: units.into(), games_per_unit: 2.0 }
    }

    /// Returns the expected score of the first engine. `one` and `other` are the ratings of both
    /// engines.
    fn expected(one: f64, other: f64) -> f64 {
        1.0 / (1.0 + 10f64.powf((other - one) / 400.0))
    }

    fn near(found: f64, expected: f64, within: f64) {
        assert!((found - expected).abs() < within, "{found} for {expected}");
    }

    /// Two engines have played 10 pairs, and the first one has 15 of 20 points. With the prior this
    /// is 15.25 of 20.5.
    #[test]
    fn two_engines_have_the_elo_difference_of_their_score() {
        let units = [vec![1.0; 5], vec![0.5; 5]].concat();
        let ratings = Ratings::estimate(&[pairing([1, 0], &units)], &[None; 2], 200);
        let elo = 400.0 * (15.25f64 / 5.25).log10();
        near(ratings.elo[1], elo / 2.0, 1e-6);
        near(ratings.elo[0], -elo / 2.0, 1e-6);
        let [low, high] = ratings.confidence_interval(1);
        assert!(low < ratings.elo[1] && ratings.elo[1] < high && high - low > 50.0, "{low} {high}");
        near(
            ratings.superiority_likelihood(1, 0) + ratings.superiority_likelihood(0, 1),
            1.0,
            1e-9,
        );
        assert!(ratings.superiority_likelihood(1, 0) > 0.99);
        // An anchor shifts the ratings of both engines.
        let anchored = Ratings::estimate(&[pairing([1, 0], &units)], &[Some(1500.0), None], 0);
        near(anchored.elo[1], 1500.0 + elo, 1e-6);
        assert_eq!(anchored.elo[0], 1500.0);
    }

    /// The results are the expected scores of the ratings 0, 100 and 300. Therefore these ratings
    /// have the maximum likelihood. With many games the prior has little effect.
    #[test]
    fn expected_scores_yield_their_ratings() {
        let truth = [0.0, 100.0, 300.0];
        let pairs = [[0, 1], [0, 2], [1, 2]];
        let played =
            pairs.map(|[a, b]| pairing([a, b], &vec![expected(truth[a], truth[b]); 100_000]));
        let ratings = Ratings::estimate(&played, &[None; 3], 0);
        for (found, truth) in ratings.elo.iter().zip(truth) {
            near(*found, truth - 400.0 / 3.0, 0.01);
        }
    }

    /// Each of six engines beats all later ones. The second and the fifth engine have fixed ratings
    /// far apart, in the wrong order. The ratings of the third and the fourth engine are symmetric
    /// about 0.
    #[test]
    fn anchors_far_apart_do_not_stop_the_fit() {
        let pairs = (0..6).flat_map(|a| (a + 1..6).map(move |b| [a, b]));
        let played: Vec<PairingUnitResults> =
            pairs.map(|engines| pairing(engines, &[1.0; 10])).collect();
        for far in [500.0, 3000.0, 10_000.0] {
            let anchors = [None, Some(far), None, None, Some(-far), None];
            let elo = Ratings::estimate(&played, &anchors, 0).elo;
            near(elo[2] + elo[3], 0.0, 1e-3);
            near(elo[0] + elo[5], 0.0, 1e-3);
            assert!(elo.is_sorted_by(|one, other| one > other), "{elo:?}");
        }
    }

    /// The test searches for likelier ratings, in all directions and in ever smaller steps. There
    /// are no likelier ratings.
    #[test]
    fn ratings_have_the_greatest_likelihood() {
        let played = [
            pairing([0, 1], &[1.0, 0.5, 0.75]),
            pairing([1, 2], &[0.25, 0.0]),
            pairing([2, 3], &[1.0, 1.0, 1.0]),
            pairing([3, 0], &[0.5]),
        ];
        let likelihood = |elo: &[f64]| -> f64 {
            let log = |pairing: &PairingUnitResults| {
                let [a, b] = pairing.engines;
                let points: f64 = pairing.units.iter().sum::<f64>() * 2.0 + PRIOR_POINTS_PER_ENGINE;
                let lost =
                    pairing.units.len() as f64 * 2.0 + 2.0 * PRIOR_POINTS_PER_ENGINE - points;
                points * expected(elo[a], elo[b]).ln() + lost * expected(elo[b], elo[a]).ln()
            };
            played.iter().map(log).sum()
        };
        for anchors in [[None; 4], [None, Some(50.0), None, Some(-20.0)]] {
            let mut elo = anchors.map(|anchor| anchor.unwrap_or(0.0));
            let mut step = 256.0;
            while step > 1e-6 {
                let before = likelihood(&elo);
                for engine in (0..4).filter(|&engine| anchors[engine].is_none()) {
                    for change in [step, -step] {
                        let mut other = elo;
                        other[engine] += change;
                        if likelihood(&other) > likelihood(&elo) {
                            elo = other;
                        }
                    }
                }
                step = if likelihood(&elo) > before { step } else { step / 2.0 };
            }
            let mean = if anchors == [None; 4] { elo.iter().sum::<f64>() / 4.0 } else { 0.0 };
            let ratings = Ratings::estimate(&played, &anchors, 0);
            for (found, expected) in ratings.elo.iter().zip(elo) {
                near(*found, expected - mean, 0.01);
            }
        }
    }

    #[test]
    fn an_engine_that_won_every_game_has_a_rating_and_an_interval() {
        let won =
            [pairing([0, 1], &[1.0; 5]), pairing([0, 2], &[1.0; 5]), pairing([1, 2], &[0.5; 5])];
        let ratings = Ratings::estimate(&won, &[None; 3], BOOTSTRAP_RESAMPLE_COUNT);
        let [best, second, third] = [ratings.elo[0], ratings.elo[1], ratings.elo[2]];
        let [low, _] = ratings.confidence_interval(0);
        near(second, third, 1e-6);
        near(best - second, 400.0 * (20.5f64 / 0.5).log10(), 1e-3);
        assert!(low > 100.0 && low < best - 50.0, "{low} {best}");
    }

    #[test]
    fn engines_without_connecting_games_are_in_separate_groups() {
        let played = [pairing([0, 1], &[1.0, 0.5]), pairing([2, 3], &[0.5]), pairing([3, 4], &[])];
        let ratings = Ratings::estimate(&played, &[None; 5], 10);
        assert_eq!(ratings.groups, [0, 0, 2, 2, 4]);
        near(ratings.elo[0] + ratings.elo[1], 0.0, 1e-6);
        assert_eq!((ratings.elo[4], ratings.confidence_interval(4)), (0.0, [0.0; 2]));
        // Anchors connect groups that no games connect.
        let anchors = [Some(10.0), None, None, Some(20.0), None];
        let ratings = Ratings::estimate(&played, &anchors, 0);
        assert_eq!(
            (ratings.groups.as_slice(), ratings.elo[0], ratings.elo[3]),
            (&[0, 0, 0, 0, 4][..], 10.0, 20.0)
        );
    }

    /// In simulated tournaments of three engines, the intervals contain the known ratings about as
    /// often as they should.
    #[test]
    fn intervals_contain_the_true_rating_at_the_stated_rate() {
        let truth = [-100.0, 0.0, 100.0];
        let mut rng = fastrand::Rng::with_seed(7);
        let mut hits = 0;
        let mut all = 0;
        for _ in 0..60 {
            let mut played = Vec::new();
            for [a, b] in [[0, 1], [0, 2], [1, 2]] {
                let mut game = || if rng.f64() < expected(truth[a], truth[b]) { 0.5 } else { 0.0 };
                played.push(pairing([a, b], &(0..30).map(|_| game() + game()).collect::<Vec<_>>()));
            }
            let ratings = Ratings::estimate(&played, &[None; 3], 200);
            for (engine, truth) in truth.into_iter().enumerate() {
                let [low, high] = ratings.confidence_interval(engine);
                hits += usize::from(low <= truth && truth <= high);
                all += 1;
            }
        }
        // 95 % of 180 intervals are 171. If the intervals were independent, the number of right
        // intervals would be from 161 to 179 in about 99.9 % of all cases.
        assert_eq!(all, 180);
        assert!((160..180).contains(&hits), "{hits} of {all}");
    }
}

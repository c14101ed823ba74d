//! Ratings of more than two engines, by the model of R. A. Bradley and M. E. Terry ("Rank analysis of incomplete block
//! designs", *Biometrika* 39, 1952): an engine of strength p scores p / (p + q) against one of strength q. A rating is
//! 400 log₁₀ p, so that for two engines its differences are Elo differences.
//!
//! The ratings are those of maximum likelihood, where a draw counts as half a win of both. The logarithm of the
//! likelihood is concave in the ratings, and Newton's method finds where it is greatest. An engine that has won or lost
//! all its games has no such rating. Therefore half a drawn game counts besides for each pairing that has been played;
//! with a hundred games this hardly matters.
//!
//! The intervals come from a bootstrap (B. Efron, "Bootstrap methods: another look at the jackknife", *The Annals of
//! Statistics* 7, 1979): from the units of each pairing as many are drawn at random, with replacement, and the ratings
//! computed anew, again and again. Units are pairs of games with the same opening, whose results depend on each other,
//! so that pairs are drawn and not games. The interval lies between the percentiles 2.5 and 97.5, and an engine is
//! stronger than another one as likely as it has the greater rating. A few units that all ended alike would pass for
//! certainty. Therefore one unit more can be drawn, with the mean score of the pairing and the variance that a unit has
//! between equal engines if there are no draws and no favoured side, as in a [match of two](super::statistics).

/// The units that two engines have played with each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Encounter {
    /// The indices of the engines.
    pub engines: [usize; 2],
    /// The score of the first of them in each unit, from 0 to 1.
    pub units: Vec<f64>,
    /// How many games a unit has: 1 or 2.
    pub games: f64,
}

/// Ratings, each with its interval.
#[derive(Debug, Clone)]
pub struct Ratings {
    /// The rating of each engine.
    pub elo: Vec<f64>,
    /// The group of each engine, by the index of an engine in it. Ratings of different groups do not compare: no games
    /// connect them.
    pub groups: Vec<usize>,
    /// The ratings that were computed of what the bootstrap has drawn.
    drawn: Vec<Vec<f64>>,
}

/// How often units are drawn.
pub const DRAWS: usize = 1000;

/// The half of a drawn game that counts besides for each pairing: so many points for both.
const PRIOR: f64 = 0.25;

/// The points that two engines have of their games with each other.
type Score = ([usize; 2], [f64; 2]);

impl Ratings {
    /// The ratings of engines by what they have played. Those of anchors are given; without anchors in its group the
    /// mean rating of a group is 0. The bootstrap draws so often.
    pub fn of(encounters: &[Encounter], anchors: &[Option<f64>], draws: usize) -> Ratings {
        let played: Vec<&Encounter> =
            encounters.iter().filter(|encounter| !encounter.units.is_empty()).collect();
        let groups = groups(&played, anchors);
        let scores = |sum: &mut dyn FnMut(&Encounter) -> f64| -> Vec<Score> {
            let score = |encounter: &&Encounter| {
                let (points, count) = (sum(encounter), encounter.units.len() as f64);
                let points =
                    [points, count - points].map(|points| points * encounter.games + PRIOR);
                (encounter.engines, points)
            };
            played.iter().map(score).collect()
        };
        let start: Vec<f64> = anchors.iter().map(|anchor| anchor.unwrap_or(0.0)).collect();
        let given = scores(&mut |encounter| encounter.units.iter().sum());
        let elo = fit(&given, anchors, &groups, &start, 1e-9);
        // The same seed each time, so that the same results always have the same intervals.
        let mut rng = fastrand::Rng::with_seed(1);
        let drawn = (0..draws).map(|_| {
            fit(&scores(&mut |encounter| draw(encounter, &mut rng)), anchors, &groups, &elo, 1e-6)
        });
        let drawn = drawn.collect();
        Ratings { elo, groups, drawn }
    }

    /// The interval in which the rating of an engine lies with a probability of 95 %.
    pub fn interval(&self, engine: usize) -> [f64; 2] {
        let mut ratings: Vec<f64> = self.drawn.iter().map(|drawn| drawn[engine]).collect();
        ratings.sort_by(f64::total_cmp);
        let outside = ratings.len() / 40;
        let end = |at: usize| ratings.get(at).copied().unwrap_or(self.elo[engine]);
        [end(outside), end(ratings.len().saturating_sub(1 + outside))]
    }

    /// The likelihood of superiority (LOS): that one engine is stronger than another one.
    pub fn superiority(&self, one: usize, other: usize) -> f64 {
        let points = self.drawn.iter().map(|drawn| match drawn[one] - drawn[other] {
            difference if difference > 0.0 => 1.0,
            difference if difference < 0.0 => 0.0,
            _ => 0.5,
        });
        points.sum::<f64>() / self.drawn.len().max(1) as f64
    }
}

/// The group of each engine. Engines that have played with each other are in one group, and so are all anchors.
fn groups(played: &[&Encounter], anchors: &[Option<f64>]) -> Vec<usize> {
    let mut groups: Vec<usize> = (0..anchors.len()).collect();
    let anchored: Vec<usize> =
        (0..anchors.len()).filter(|&engine| anchors[engine].is_some()).collect();
    let links = anchored.windows(2).map(|pair| [pair[0], pair[1]]);
    for [one, other] in links.chain(played.iter().map(|encounter| encounter.engines)) {
        let (kept, merged) = (groups[one].min(groups[other]), groups[one].max(groups[other]));
        groups.iter_mut().filter(|group| **group == merged).for_each(|group| *group = kept);
    }
    groups
}

/// Draws as many units of an encounter as it has, and returns the sum of their scores.
fn draw(encounter: &Encounter, rng: &mut fastrand::Rng) -> f64 {
    let (units, count) = (&encounter.units, encounter.units.len() as f64);
    let mean = units.iter().sum::<f64>() / count;
    // By these a unit of equal engines differs from its mean: each game is won or lost.
    let deviations: &[f64] =
        if encounter.games == 1.0 { &[-0.5, 0.5] } else { &[-0.5, 0.0, 0.0, 0.5] };
    let one_more = |rng: &mut fastrand::Rng| mean + deviations[rng.usize(..deviations.len())];
    let drawn = units.iter().map(|_| match units.get(rng.usize(..=units.len())) {
        Some(score) => *score,
        None => one_more(rng),
    });
    drawn.sum::<f64>().clamp(0.0, count)
}

/// The ratings of maximum likelihood by these scores, sought from `start` on by Newton's method until none changes by
/// more than `tolerance` in its logarithm.
fn fit(
    scores: &[Score],
    anchors: &[Option<f64>],
    groups: &[usize],
    start: &[f64],
    tolerance: f64,
) -> Vec<f64> {
    const MOST_STEPS: usize = 1000;
    /// No step changes a logarithm by more: far from the greatest likelihood Newton's steps are too long.
    const LONGEST_STEP: f64 = 1.0;
    let scale = 400.0 / std::f64::consts::LN_10;
    let mut logs: Vec<f64> = start.iter().map(|elo| elo / scale).collect();
    let anchored =
        groups.iter().zip(anchors).find(|(_, anchor)| anchor.is_some()).map(|(&group, _)| group);
    let has_played = |engine: usize| scores.iter().any(|(engines, _)| engines.contains(&engine));
    let free: Vec<usize> =
        (0..logs.len()).filter(|&at| anchors[at].is_none() && has_played(at)).collect();
    let mut row = vec![None; logs.len()];
    free.iter().enumerate().for_each(|(at, &engine)| row[engine] = Some(at));
    for _ in 0..MOST_STEPS {
        // The gradient of the logarithm of the likelihood, and the matrix of its second derivatives with the sign
        // changed. What is added on the diagonal lets a group without anchors not drift away.
        let (mut gradient, mut matrix) =
            (vec![0.0; free.len()], vec![vec![0.0; free.len()]; free.len()]);
        (0..free.len()).for_each(|at| matrix[at][at] = 1e-9);
        for ([a, b], [of_a, of_b]) in scores {
            let expected = 1.0 / (1.0 + (logs[*b] - logs[*a]).exp());
            let games = of_a + of_b;
            let (excess, weight) = (of_a - games * expected, games * expected * (1.0 - expected));
            for (engine, other, sign) in [(*a, *b, 1.0), (*b, *a, -1.0)] {
                let Some(at) = row[engine] else { continue };
                gradient[at] += sign * excess;
                matrix[at][at] += weight;
                if let Some(beside) = row[other] {
                    matrix[at][beside] -= weight;
                }
            }
        }
        let steps = solved(matrix, gradient);
        let longest = steps.iter().map(|step| step.abs()).fold(0.0, f64::max);
        let shortened = (LONGEST_STEP / longest).min(1.0);
        free.iter().zip(steps).for_each(|(&engine, step)| logs[engine] += step * shortened);
        centre(&mut logs, groups, anchored);
        if longest < tolerance {
            break;
        }
    }
    logs.into_iter().zip(anchors).map(|(log, anchor)| anchor.unwrap_or(log * scale)).collect()
}

/// The solution of a system of linear equations with a symmetric, positive definite matrix, by Gaussian elimination.
fn solved(mut matrix: Vec<Vec<f64>>, mut values: Vec<f64>) -> Vec<f64> {
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

/// Shifts the groups so that the mean of each is 0, but for the one that has the anchors.
fn centre(logs: &mut [f64], groups: &[usize], anchored: Option<usize>) {
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

    fn encounter(engines: [usize; 2], units: &[f64]) -> Encounter {
        Encounter { engines, units: units.into(), games: 2.0 }
    }

    /// What the first engine is expected to score.
    fn expected(one: f64, other: f64) -> f64 {
        1.0 / (1.0 + 10f64.powf((other - one) / 400.0))
    }

    fn near(found: f64, expected: f64, within: f64) {
        assert!((found - expected).abs() < within, "{found} for {expected}");
    }

    /// Two engines, 10 pairs with 15 of 20 points: with the prior 15.25 of 20.5.
    #[test]
    fn two_engines_have_the_elo_difference_of_their_score() {
        let units = [vec![1.0; 5], vec![0.5; 5]].concat();
        let ratings = Ratings::of(&[encounter([1, 0], &units)], &[None; 2], 200);
        let elo = 400.0 * (15.25f64 / 5.25).log10();
        near(ratings.elo[1], elo / 2.0, 1e-6);
        near(ratings.elo[0], -elo / 2.0, 1e-6);
        let [low, high] = ratings.interval(1);
        assert!(low < ratings.elo[1] && ratings.elo[1] < high && high - low > 50.0, "{low} {high}");
        near(ratings.superiority(1, 0) + ratings.superiority(0, 1), 1.0, 1e-9);
        assert!(ratings.superiority(1, 0) > 0.99);
        // An anchor shifts both.
        let anchored = Ratings::of(&[encounter([1, 0], &units)], &[Some(1500.0), None], 0);
        near(anchored.elo[1], 1500.0 + elo, 1e-6);
        assert_eq!(anchored.elo[0], 1500.0);
    }

    /// Scores that ratings of 0, 100 and 300 let expect have these ratings as those of maximum likelihood, up to the
    /// prior, which counts little where there are many games.
    #[test]
    fn expected_scores_give_their_ratings_back() {
        let truth = [0.0, 100.0, 300.0];
        let pairs = [[0, 1], [0, 2], [1, 2]];
        let played =
            pairs.map(|[a, b]| encounter([a, b], &vec![expected(truth[a], truth[b]); 100_000]));
        let ratings = Ratings::of(&played, &[None; 3], 0);
        for (found, truth) in ratings.elo.iter().zip(truth) {
            near(*found, truth - 400.0 / 3.0, 0.01);
        }
    }

    /// Of six engines each beats those behind it, and the second and the fifth have known ratings far apart, the wrong
    /// way round: the two between them mirror each other.
    #[test]
    fn anchors_far_apart_do_not_hold_the_others_up() {
        let pairs = (0..6).flat_map(|a| (a + 1..6).map(move |b| [a, b]));
        let played: Vec<Encounter> = pairs.map(|engines| encounter(engines, &[1.0; 10])).collect();
        for far in [500.0, 3000.0, 10_000.0] {
            let anchors = [None, Some(far), None, None, Some(-far), None];
            let elo = Ratings::of(&played, &anchors, 0).elo;
            near(elo[2] + elo[3], 0.0, 1e-3);
            near(elo[0] + elo[5], 0.0, 1e-3);
            assert!(elo.is_sorted_by(|one, other| one > other), "{elo:?}");
        }
    }

    /// The likelihood is nowhere greater: it is looked for in ever smaller steps in all directions.
    #[test]
    fn ratings_have_the_greatest_likelihood() {
        let played = [
            encounter([0, 1], &[1.0, 0.5, 0.75]),
            encounter([1, 2], &[0.25, 0.0]),
            encounter([2, 3], &[1.0, 1.0, 1.0]),
            encounter([3, 0], &[0.5]),
        ];
        let likelihood = |elo: &[f64]| -> f64 {
            let of = |encounter: &Encounter| {
                let [a, b] = encounter.engines;
                let points: f64 = encounter.units.iter().sum::<f64>() * 2.0 + PRIOR;
                let lost = encounter.units.len() as f64 * 2.0 + 2.0 * PRIOR - points;
                points * expected(elo[a], elo[b]).ln() + lost * expected(elo[b], elo[a]).ln()
            };
            played.iter().map(of).sum()
        };
        for anchors in [[None; 4], [None, Some(50.0), None, Some(-20.0)]] {
            let (mut elo, mut step) = (anchors.map(|anchor| anchor.unwrap_or(0.0)), 256.0);
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
            let ratings = Ratings::of(&played, &anchors, 0);
            for (found, expected) in ratings.elo.iter().zip(elo) {
                near(*found, expected - mean, 0.01);
            }
        }
    }

    #[test]
    fn an_engine_that_has_won_everything_has_a_rating_and_an_interval() {
        let won = [
            encounter([0, 1], &[1.0; 5]),
            encounter([0, 2], &[1.0; 5]),
            encounter([1, 2], &[0.5; 5]),
        ];
        let ratings = Ratings::of(&won, &[None; 3], DRAWS);
        let ([best, second, third], [low, _]) =
            ([ratings.elo[0], ratings.elo[1], ratings.elo[2]], ratings.interval(0));
        near(second, third, 1e-6);
        near(best - second, 400.0 * (20.5f64 / 0.5).log10(), 1e-3);
        assert!(low > 100.0 && low < best - 50.0, "{low} {best}");
    }

    #[test]
    fn engines_that_no_games_connect_do_not_compare() {
        let played =
            [encounter([0, 1], &[1.0, 0.5]), encounter([2, 3], &[0.5]), encounter([3, 4], &[])];
        let ratings = Ratings::of(&played, &[None; 5], 10);
        assert_eq!(ratings.groups, [0, 0, 2, 2, 4]);
        near(ratings.elo[0] + ratings.elo[1], 0.0, 1e-6);
        assert_eq!((ratings.elo[4], ratings.interval(4)), (0.0, [0.0; 2]));
        // Anchors connect what games do not.
        let anchors = [Some(10.0), None, None, Some(20.0), None];
        let ratings = Ratings::of(&played, &anchors, 0);
        assert_eq!(
            (ratings.groups.as_slice(), ratings.elo[0], ratings.elo[3]),
            (&[0, 0, 0, 0, 4][..], 10.0, 20.0)
        );
    }

    /// In made-up tournaments of three engines, whose ratings are known, the intervals hold these about as often as
    /// they should.
    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        let truth = [-100.0, 0.0, 100.0];
        let mut rng = fastrand::Rng::with_seed(7);
        let (mut held, mut all) = (0, 0);
        for _ in 0..60 {
            let mut played = Vec::new();
            for [a, b] in [[0, 1], [0, 2], [1, 2]] {
                let mut game = || if rng.f64() < expected(truth[a], truth[b]) { 0.5 } else { 0.0 };
                played
                    .push(encounter([a, b], &(0..30).map(|_| game() + game()).collect::<Vec<_>>()));
            }
            let ratings = Ratings::of(&played, &[None; 3], 200);
            for (engine, truth) in truth.into_iter().enumerate() {
                let [low, high] = ratings.interval(engine);
                held += usize::from(low <= truth && truth <= high);
                all += 1;
            }
        }
        // 95 % of 180 are 171. Were they independent, some 99.9 % of such sums would be from 161 to 179.
        assert_eq!(all, 180);
        assert!((160..180).contains(&held), "{held} of {all}");
    }
}

//! How the engines of a tournament stand.

use super::Conditions;
use super::fault::FaultKind;
use super::rating::{DRAWS, Encounter, Ratings};
use super::referee::Effort;
use super::results::{MatchResults, Tally, unit_of};

/// What a tournament has besides a match of two engines.
#[derive(Debug, Clone, PartialEq)]
pub struct Tournament {
    /// The index of the engine that plays against each of the others; none if each plays against each.
    pub gauntlet: Option<usize>,
    /// The ratings that are given, by the engines.
    pub anchors: Vec<Option<f64>>,
}

/// The results of a tournament, by engines.
#[derive(Debug, Clone)]
pub struct Standings {
    /// What each engine has won, drawn and lost against each.
    pub tallies: Vec<Vec<Tally>>,
    /// What each pairing has played, in units.
    pub encounters: Vec<Encounter>,
    /// The effort of each engine.
    pub efforts: Vec<Effort>,
    /// How many games each engine has lost by each kind of fault, in the order of [`FaultKind::ALL`].
    pub faults: Vec<[usize; FaultKind::ALL.len()]>,
}

impl Standings {
    /// The results of the games so far.
    pub fn of(conditions: &Conditions, results: &MatchResults) -> Standings {
        let (count, schedule) = (conditions.engines.len(), &conditions.schedule);
        let games = if schedule.fixed_sides { 1.0 } else { 2.0 };
        let encounter = |&engines: &[usize; 2]| Encounter { engines, units: Vec::new(), games };
        let mut standings = Standings {
            tallies: vec![vec![Tally::default(); count]; count],
            encounters: schedule.pairings.iter().map(encounter).collect(),
            efforts: vec![Effort::default(); count],
            faults: vec![[0; FaultKind::ALL.len()]; count],
        };
        // The unit whose first game was the last one that was looked at, and the score of that game.
        let mut begun = None;
        for (&number, game) in &results.games {
            let place = schedule.place(number);
            for (engine, other, side) in
                [(place.players[0], place.players[1], 0), (place.players[1], place.players[0], 1)]
            {
                let winner = game.winner.map(|winner| winner.index() == side);
                standings.tallies[engine][other].add(winner);
                standings.efforts[engine].add(game.effort[side]);
                let kind = if winner == Some(false) { game.fault } else { None };
                let at = FaultKind::ALL.iter().position(|known| Some(*known) == kind);
                at.into_iter().for_each(|at| standings.faults[engine][at] += 1);
            }
            let score =
                game.winner.map_or(0.5, |winner| if winner == place.first { 1.0 } else { 0.0 });
            let unit = unit_of(number, schedule.fixed_sides);
            let units = &mut standings.encounters[place.pairing].units;
            match begun.take() {
                _ if schedule.fixed_sides => units.push(score),
                Some((of, first)) if of == unit => units.push(f64::midpoint(first, score)),
                _ => begun = Some((unit, score)),
            }
        }
        standings
    }

    /// The ratings of the engines. The bootstrap draws as often as it takes for their intervals, or not at all.
    pub fn ratings(&self, tournament: &Tournament, with_intervals: bool) -> Ratings {
        Ratings::of(&self.encounters, &tournament.anchors, if with_intervals { DRAWS } else { 0 })
    }

    /// What an engine has won, drawn and lost in all.
    pub fn total(&self, engine: usize) -> Tally {
        self.tallies[engine].iter().fold(Tally::default(), |sum, tally| sum.with(*tally))
    }

    /// Whether an engine has a rating: an anchor has, and so has one with a unit that is over.
    pub fn is_rated(&self, tournament: &Tournament, engine: usize) -> bool {
        let has_played = |encounter: &Encounter| {
            encounter.engines.contains(&engine) && !encounter.units.is_empty()
        };
        tournament.anchors[engine].is_some() || self.encounters.iter().any(has_played)
    }

    /// The engines by their ratings, the best first; those without a rating are the last ones.
    pub fn order(&self, tournament: &Tournament, ratings: &Ratings) -> Vec<usize> {
        let mut order: Vec<usize> = (0..ratings.elo.len()).collect();
        order.sort_by(|&a, &b| ratings.elo[b].total_cmp(&ratings.elo[a]));
        order.sort_by_key(|&engine| !self.is_rated(tournament, engine));
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_core::Side;

    #[test]
    fn games_count_for_both_engines_and_units_when_they_are_over() {
        let (first, second) = (Some(Side::First), Some(Side::Second));
        let conditions = Conditions::for_tests(3);
        let mut results = MatchResults::new(false);
        // The pairs of the first round: a - b 2-0, a - c 1½-½, b - c not over; of the second one a - b's second game.
        let ends = [(1, first), (2, second), (3, first), (4, None), (5, second), (8, first)];
        for (number, winner) in ends {
            results.games.insert(
                number,
                crate::arena::referee::FinishedGame {
                    winner,
                    end: if number == 5 { "time: late".into() } else { "goal".into() },
                    fault: (number == 5).then_some(FaultKind::Time),
                    plies: 9,
                    effort: [
                        Effort { moves: 1, ..Effort::default() },
                        Effort { moves: 10, ..Effort::default() },
                    ],
                },
            );
        }
        let standings = Standings::of(&conditions, &results);
        let units: Vec<_> =
            standings.encounters.iter().map(|encounter| encounter.units.as_slice()).collect();
        assert_eq!(units, [&[1.0][..], &[0.75], &[]]);
        assert_eq!(standings.tallies[0][1], Tally { wins: 2, draws: 0, losses: 1 });
        assert_eq!(standings.total(2), Tally { wins: 1, draws: 1, losses: 1 });
        assert_eq!(standings.faults, [[0; 5], [0, 1, 0, 0, 0], [0; 5]]);
        assert_eq!(
            standings.efforts.iter().map(|effort| effort.moves).collect::<Vec<_>>(),
            [32, 13, 21]
        );
        let tournament = Tournament { gauntlet: None, anchors: vec![None; 3] };
        let ratings = standings.ratings(&tournament, false);
        assert_eq!(standings.order(&tournament, &ratings), [0, 2, 1]);
    }
}

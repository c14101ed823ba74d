//! Computes the results of each engine of a tournament from the games so far.

use super::MatchConfig;
use super::fault::FaultKind;
use super::rating::{BOOTSTRAP_RESAMPLE_COUNT, PairingUnitResults, Ratings};
use super::referee::SearchStats;
use super::results::{MatchResults, WinDrawLossCounts, scoring_unit_index};

/// The additional settings of a tournament.
#[derive(Debug, Clone, PartialEq)]
pub struct TournamentSettings {
    /// The index of the engine that plays against all others in a gauntlet; `None` for a round
    /// robin.
    pub gauntlet: Option<usize>,
    /// The fixed rating of each engine, if it has one.
    pub anchors: Vec<Option<f64>>,
}

/// The results of a tournament by engine.
#[derive(Debug, Clone)]
pub struct Standings {
    /// The wins, draws and losses of each engine against each other engine.
    pub tallies: Vec<Vec<WinDrawLossCounts>>,
    /// The scores of each pairing.
    pub pairings: Vec<PairingUnitResults>,
    /// The search statistics of each engine.
    pub stats: Vec<SearchStats>,
    /// For each engine, the number of games that it has lost by each kind of fault, in the order of
    /// [`FaultKind::ALL`].
    pub faults: Vec<[usize; FaultKind::ALL.len()]>,
}

impl Standings {
    /// Computes the standings after the games so far.
    pub fn new(config: &MatchConfig, results: &MatchResults) -> Standings {
        let count = config.engines.len();
        let schedule = &config.schedule;
        let games_per_unit = if schedule.fixed_sides { 1.0 } else { 2.0 };
        let pairings = schedule.pairings.iter();
        let mut standings = Standings {
            tallies: vec![vec![WinDrawLossCounts::default(); count]; count],
            pairings: pairings
                .map(|&engines| PairingUnitResults { engines, units: Vec::new(), games_per_unit })
                .collect(),
            stats: vec![SearchStats::default(); count],
            faults: vec![[0; FaultKind::ALL.len()]; count],
        };
        // The last unit, if only its first game is over, and the score of that game.
        let mut half_played = None;
        for (&number, game) in &results.games {
            let slot = schedule.scheduled_game(number);
            for (engine, other, side) in
                [(slot.players[0], slot.players[1], 0), (slot.players[1], slot.players[0], 1)]
            {
                let is_won = game.winner.map(|winner| winner.index() == side);
                standings.tallies[engine][other].add_game(is_won);
                standings.stats[engine].add_stats(game.stats[side]);
                let kind = if is_won == Some(false) { game.fault } else { None };
                let index = FaultKind::ALL.iter().position(|known| Some(*known) == kind);
                index.into_iter().for_each(|index| standings.faults[engine][index] += 1);
            }
            let score =
                game.winner.map_or(0.5, |winner| if winner == slot.first_side { 1.0 } else { 0.0 });
            let unit = scoring_unit_index(number, schedule.fixed_sides);
            let units = &mut standings.pairings[slot.pairing].units;
            match half_played.take() {
                _ if schedule.fixed_sides => units.push(score),
                Some((open, first)) if open == unit => units.push(f64::midpoint(first, score)),
                _ => half_played = Some((unit, score)),
            }
        }
        standings
    }

    /// Computes the ratings of the engines. The bootstrap runs and estimates the intervals of the
    /// ratings only if `with_intervals` is set.
    pub fn ratings(&self, tournament: &TournamentSettings, with_intervals: bool) -> Ratings {
        let resample_count = if with_intervals { BOOTSTRAP_RESAMPLE_COUNT } else { 0 };
        Ratings::estimate(&self.pairings, &tournament.anchors, resample_count)
    }

    /// Returns the wins, draws and losses of an engine against all others.
    pub fn results_against_all(&self, engine: usize) -> WinDrawLossCounts {
        self.tallies[engine]
            .iter()
            .fold(WinDrawLossCounts::default(), |sum, tally| sum.plus_results(*tally))
    }

    /// Returns whether an engine has a rating. Anchors and engines that have finished a unit have a
    /// rating.
    pub fn has_rating(&self, tournament: &TournamentSettings, engine: usize) -> bool {
        let has_played = |pairing: &PairingUnitResults| {
            pairing.engines.contains(&engine) && !pairing.units.is_empty()
        };
        tournament.anchors[engine].is_some() || self.pairings.iter().any(has_played)
    }

    /// Returns the engines by their ratings, the best engine first. Engines without a rating come
    /// last.
    pub fn engines_by_rating(
        &self,
        tournament: &TournamentSettings,
        ratings: &Ratings,
    ) -> Vec<usize> {
        let mut order: Vec<usize> = (0..ratings.elo.len()).collect();
        order.sort_by(|&a, &b| ratings.elo[b].total_cmp(&ratings.elo[a]));
        order.sort_by_key(|&engine| !self.has_rating(tournament, engine));
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_core::Side;

    #[test]
    fn games_count_for_both_engines_and_units_only_when_complete() {
        let first = Some(Side::First);
        let second = Some(Side::Second);
        let config = MatchConfig::test_round_robin(3);
        let mut results = MatchResults::new(false);
        // The pairs of the first round: a - b ended 2-0, a - c ended 1½-½, and b - c is not over.
        // In the second round only the second game of a - b is over.
        let ends = [(1, first), (2, second), (3, first), (4, None), (5, second), (8, first)];
        for (number, winner) in ends {
            results.games.insert(
                number,
                crate::arena::referee::FinishedGame {
                    winner,
                    end: if number == 5 { "time: late".into() } else { "goal".into() },
                    fault: (number == 5).then_some(FaultKind::Time),
                    plies: 9,
                    stats: [
                        SearchStats { moves: 1, ..SearchStats::default() },
                        SearchStats { moves: 10, ..SearchStats::default() },
                    ],
                },
            );
        }
        let standings = Standings::new(&config, &results);
        let units: Vec<_> =
            standings.pairings.iter().map(|pairing| pairing.units.as_slice()).collect();
        assert_eq!(units, [&[1.0][..], &[0.75], &[]]);
        assert_eq!(standings.tallies[0][1], WinDrawLossCounts { wins: 2, draws: 0, losses: 1 });
        assert_eq!(
            standings.results_against_all(2),
            WinDrawLossCounts { wins: 1, draws: 1, losses: 1 }
        );
        assert_eq!(standings.faults, [[0; 5], [0, 1, 0, 0, 0], [0; 5]]);
        let moves: Vec<u64> = standings.stats.iter().map(|stats| stats.moves).collect();
        assert_eq!(moves, [32, 13, 21]);
        let tournament = TournamentSettings { gauntlet: None, anchors: vec![None; 3] };
        let ratings = standings.ratings(&tournament, false);
        assert_eq!(standings.engines_by_rating(&tournament, &ratings), [0, 2, 1]);
    }
}

//! Collects the results of a match so far.

use std::collections::BTreeMap;

use pentarch_core::Side;

use super::fault::FaultKind;
use super::referee::{FinishedGame, SearchStats};
use super::statistics::UnitScoreSample;

/// The finished games of a match.
#[derive(Debug, Clone)]
pub struct MatchResults {
    /// The games by their numbers, from 1.
    pub games: BTreeMap<usize, FinishedGame>,
    /// Whether the first engine always plays the first side. Otherwise the engines swap sides after
    /// each game.
    fixed_sides: bool,
}

/// Wins, draws and losses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WinDrawLossCounts {
    /// Games won.
    pub wins: usize,
    /// Games drawn.
    pub draws: usize,
    /// Games lost.
    pub losses: usize,
}

impl WinDrawLossCounts {
    /// Returns the number of games.
    pub fn game_count(self) -> usize {
        self.wins + self.draws + self.losses
    }

    /// Adds a game: `Some(true)` is a win, `Some(false)` a loss, `None` a draw.
    pub fn add_game(&mut self, is_won: Option<bool>) {
        *match is_won {
            None => &mut self.draws,
            Some(true) => &mut self.wins,
            Some(false) => &mut self.losses,
        } += 1;
    }

    /// Returns the sum of these results and the results of other games.
    #[must_use]
    pub fn plus_results(
        self,
        WinDrawLossCounts { wins, draws, losses }: WinDrawLossCounts,
    ) -> WinDrawLossCounts {
        WinDrawLossCounts {
            wins: self.wins + wins,
            draws: self.draws + draws,
            losses: self.losses + losses,
        }
    }

    /// Returns the points: one for a win, half a point for a draw.
    pub fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }
}

/// Counts of pairs by result. A pair is two games with the same opening and swapped sides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GamePairCounts {
    /// The number of pairs in which the first engine got 0, ½, 1, 1½ and 2 points.
    pub pentanomial: [usize; 5],
    /// The number of pairs in which each engine won one game. In such pairs the opening or the side
    /// decided both games.
    pub split: usize,
}

/// Returns the side of the engine with this index (0 or 1) in the game with this number.
pub fn engine_side_in_game(engine: usize, game: usize, fixed_sides: bool) -> Side {
    let swapped = !fixed_sides && game.is_multiple_of(2);
    Side::BOTH_SIDES[usize::from((engine == 1) != swapped)]
}

/// Returns the index of the unit that has the game with this number. A unit is a pair of games, or
/// a game if sides are fixed. Units count from 0, games from 1. In a match of two engines the index
/// is the number of the opening.
pub fn scoring_unit_index(game: usize, fixed_sides: bool) -> usize {
    (game - 1) / if fixed_sides { 1 } else { 2 }
}

impl MatchResults {
    /// Creates the results of a match without games.
    pub fn new(fixed_sides: bool) -> MatchResults {
        MatchResults { games: BTreeMap::new(), fixed_sides }
    }

    /// Returns the wins, draws and losses of an engine (0 or 1), in its games as `as_side` or in
    /// all its games.
    pub fn win_draw_loss(&self, engine: usize, as_side: Option<Side>) -> WinDrawLossCounts {
        let mut tally = WinDrawLossCounts::default();
        for (&number, game) in &self.games {
            let side = engine_side_in_game(engine, number, self.fixed_sides);
            if as_side.is_none_or(|wanted| wanted == side) {
                tally.add_game(game.winner.map(|winner| winner == side));
            }
        }
        tally
    }

    /// Returns the half points of the first engine in the game with this number; `None` if the game
    /// is not over.
    fn first_engine_half_points_in_game(&self, number: usize) -> Option<usize> {
        let side = engine_side_in_game(0, number, self.fixed_sides);
        Some(self.games.get(&number)?.winner.map_or(1, |winner| if winner == side { 2 } else { 0 }))
    }

    /// Returns each pair whose games are both over: the index of the pair, and the half points of
    /// the first engine in each game.
    fn first_engine_pair_half_points(&self) -> impl Iterator<Item = (usize, [usize; 2])> {
        self.games.keys().filter(|number| !number.is_multiple_of(2)).filter_map(|&number| {
            Some((
                number / 2,
                [
                    self.first_engine_half_points_in_game(number)?,
                    self.first_engine_half_points_in_game(number + 1)?,
                ],
            ))
        })
    }

    /// Returns the counts of the pairs by result; `None` if sides are fixed.
    pub fn pair_counts(&self) -> Option<GamePairCounts> {
        if self.fixed_sides {
            return None;
        }
        let mut pairs = GamePairCounts::default();
        for (_, [a, b]) in self.first_engine_pair_half_points() {
            pairs.pentanomial[a + b] += 1;
            pairs.split += usize::from(a.abs_diff(b) == 2);
        }
        Some(pairs)
    }

    /// Returns the scores of all pairs, or of all games if sides are fixed; `None` if there are no
    /// scores.
    pub fn finished_unit_scores(&self) -> Option<UnitScoreSample> {
        self.score_sample_before_index(usize::MAX)
    }

    /// Returns the scores of the units before the first unit that is not over. A sequential test
    /// must use the units in this order, because the results of short games may differ from those
    /// of long games.
    pub fn scores_before_first_unfinished_unit(&self) -> Option<UnitScoreSample> {
        let gap = (1..).find(|&number| !self.games.contains_key(&number)).unwrap_or(1);
        self.score_sample_before_index(scoring_unit_index(gap, self.fixed_sides))
    }

    /// Returns the scores of the first unit, of the first two units, and so on, up to the first
    /// unit that is not over.
    pub fn cumulative_score_samples(&self) -> Vec<UnitScoreSample> {
        let games_per_unit = if self.fixed_sides { 1 } else { 2 };
        (1..)
            .take_while(|&end| self.games.contains_key(&(end * games_per_unit)))
            .map_while(|end| self.score_sample_before_index(end))
            .collect()
    }

    /// Returns the scores of the pairs or games with indices below `end`.
    fn score_sample_before_index(&self, end: usize) -> Option<UnitScoreSample> {
        if self.fixed_sides {
            let numbers = self.games.keys().filter(|&&number| number - 1 < end);
            let scores: Vec<f64> = numbers
                .filter_map(|&number| {
                    Some(self.first_engine_half_points_in_game(number)? as f64 / 2.0)
                })
                .collect();
            UnitScoreSample::new(&scores, 1.0)
        } else {
            let pairs =
                self.first_engine_pair_half_points().take_while(|(number, _)| *number < end);
            let scores: Vec<f64> = pairs.map(|(_, [a, b])| (a + b) as f64 / 4.0).collect();
            UnitScoreSample::new(&scores, 2.0)
        }
    }

    /// Returns the number of games that an engine (0 or 1) has lost by this kind of fault.
    pub fn fault_count(&self, engine: usize, kind: FaultKind) -> usize {
        let is_lost_by_fault = |&(&number, game): &(&usize, &FinishedGame)| {
            game.winner == Some(!engine_side_in_game(engine, number, self.fixed_sides))
                && game.fault == Some(kind)
        };
        self.games.iter().filter(is_lost_by_fault).count()
    }

    /// Returns the search statistics of an engine (0 or 1) over all games.
    pub fn search_stats(&self, engine: usize) -> SearchStats {
        let mut sum = SearchStats::default();
        for (&number, game) in &self.games {
            sum.add_stats(
                game.stats[engine_side_in_game(engine, number, self.fixed_sides).index()],
            );
        }
        sum
    }

    /// Returns the ways in which games have ended, with the numbers of these games, most frequent
    /// first. Faults are counted by kind.
    pub fn ending_counts(&self) -> Vec<(&str, usize)> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for game in self.games.values() {
            let end = game.fault.map_or(game.end.as_str(), |fault| fault.name());
            *counts.entry(end).or_default() += 1;
        }
        let mut endings: Vec<_> = counts.into_iter().collect();
        endings.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        endings
    }

    /// Returns the mean length of a game in plies; 0 without games.
    pub fn mean_plies(&self) -> f64 {
        let plies: usize = self.games.values().map(|game| game.plies).sum();
        plies as f64 / self.games.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(winner: Option<Side>, end: &str) -> FinishedGame {
        let stats =
            |moves| SearchStats { moves, depths: 2 * moves, nodes: 3 * moves, micros: 4 * moves };
        let fault = FaultKind::from_name(end.split(": ").next().unwrap_or_default());
        FinishedGame { winner, end: end.into(), fault, plies: 10, stats: [stats(1), stats(10)] }
    }

    /// Returns the results of four pairs. The first is won 2-0, the second is split, and the third
    /// has a draw. In the fourth pair only the second game is over.
    fn results(fixed_sides: bool) -> MatchResults {
        let winners = [
            Some(Side::First),
            Some(Side::Second),
            Some(Side::First),
            Some(Side::First),
            None,
            Some(Side::First),
        ];
        let mut results = MatchResults::new(fixed_sides);
        for (number, winner) in (1..).zip(winners) {
            results.games.insert(number, game(winner, "goal"));
        }
        results.games.insert(8, game(Some(Side::First), "crash: the process has ended"));
        results
    }

    #[test]
    fn counts_results_for_each_engine_and_side() {
        let results = results(false);
        assert_eq!(
            results.win_draw_loss(0, None),
            WinDrawLossCounts { wins: 3, draws: 1, losses: 3 }
        );
        assert_eq!(
            results.win_draw_loss(1, None),
            WinDrawLossCounts { wins: 3, draws: 1, losses: 3 }
        );
        assert_eq!(
            results.win_draw_loss(0, Some(Side::First)),
            WinDrawLossCounts { wins: 2, draws: 1, losses: 0 }
        );
        assert_eq!(
            results.win_draw_loss(0, Some(Side::Second)),
            WinDrawLossCounts { wins: 1, draws: 0, losses: 3 }
        );
        assert_eq!(results.win_draw_loss(0, None).points(), 3.5);
        assert_eq!(
            (results.fault_count(0, FaultKind::Crash), results.fault_count(1, FaultKind::Crash)),
            (1, 0)
        );
        assert_eq!(results.fault_count(0, FaultKind::Hang), 0);
        assert_eq!(results.search_stats(0).moves, 3 + 40);
        assert_eq!(results.search_stats(1).moves, 30 + 4);
        assert_eq!(results.ending_counts(), [("goal", 6), ("crash", 1)]);
        assert_eq!(results.mean_plies(), 10.0);
    }

    #[test]
    fn pairs_count_once_both_games_are_over() {
        let mut results = results(false);
        assert_eq!(
            results.pair_counts(),
            Some(GamePairCounts { pentanomial: [0, 1, 1, 0, 1], split: 1 })
        );
        assert_eq!(results.finished_unit_scores(), UnitScoreSample::new(&[1.0, 0.5, 0.25], 2.0));
        assert_eq!(results.scores_before_first_unfinished_unit(), results.finished_unit_scores());
        results.games.insert(9, game(None, "goal"));
        results.games.insert(10, game(None, "goal"));
        assert_eq!(results.pair_counts().unwrap().pentanomial[2], 2);
        assert_eq!(
            results.finished_unit_scores(),
            UnitScoreSample::new(&[1.0, 0.5, 0.25, 0.5], 2.0)
        );
        assert_eq!(
            results.scores_before_first_unfinished_unit(),
            UnitScoreSample::new(&[1.0, 0.5, 0.25], 2.0),
            "game 7 is not over yet"
        );
    }

    #[test]
    fn fixed_sides_make_each_game_a_unit() {
        let results = results(true);
        assert_eq!(
            results.win_draw_loss(0, None),
            WinDrawLossCounts { wins: 5, draws: 1, losses: 1 }
        );
        assert_eq!(results.win_draw_loss(1, Some(Side::First)), WinDrawLossCounts::default());
        assert_eq!(results.pair_counts(), None);
        assert_eq!(
            results.finished_unit_scores(),
            UnitScoreSample::new(&[1.0, 0.0, 1.0, 1.0, 0.5, 1.0, 1.0], 1.0)
        );
        assert_eq!(
            results.scores_before_first_unfinished_unit(),
            UnitScoreSample::new(&[1.0, 0.0, 1.0, 1.0, 0.5, 1.0], 1.0)
        );
        assert_eq!([1, 2, 3].map(|game| scoring_unit_index(game, true)), [0, 1, 2]);
        assert_eq!([1, 2, 3].map(|game| scoring_unit_index(game, false)), [0, 0, 1]);
    }
}

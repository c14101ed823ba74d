//! The results of the games of a match so far.

use std::collections::BTreeMap;

use pentarch_core::Side;

use super::fault::FaultKind;
use super::referee::{Effort, FinishedGame};
use super::statistics::Sample;

/// The games of a match that are over.
#[derive(Debug, Clone)]
pub struct MatchResults {
    /// The games by their numbers, from 1.
    pub games: BTreeMap<usize, FinishedGame>,
    /// Whether the first engine always plays the first side. Otherwise the engines swap sides after each game.
    fixed_sides: bool,
}

/// Wins, draws and losses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: usize,
    /// Games drawn.
    pub draws: usize,
    /// Games lost.
    pub losses: usize,
}

impl Tally {
    /// The number of games.
    pub fn games(self) -> usize {
        self.wins + self.draws + self.losses
    }

    /// Adds a game that was won, `Some(true)`, or lost, or drawn.
    pub fn add(&mut self, is_won: Option<bool>) {
        *match is_won {
            None => &mut self.draws,
            Some(true) => &mut self.wins,
            Some(false) => &mut self.losses,
        } += 1;
    }

    /// The sum with other games.
    #[must_use]
    pub fn with(self, Tally { wins, draws, losses }: Tally) -> Tally {
        Tally { wins: self.wins + wins, draws: self.draws + draws, losses: self.losses + losses }
    }

    /// The points: one for a win, half a point for a draw.
    pub fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }
}

/// The results of pairs, the two games with one opening and swapped sides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pairs {
    /// The numbers of pairs in which the first engine got 0, ½, 1, 1½ and 2 points.
    pub pentanomial: [usize; 5],
    /// The number of pairs in which each engine won one game, so that the opening or the side decided both.
    pub split: usize,
}

/// The side that the engine with this index (0 or 1) plays in the game with this number.
pub fn side_of(engine: usize, game: usize, fixed_sides: bool) -> Side {
    let swapped = !fixed_sides && game.is_multiple_of(2);
    Side::BOTH[usize::from((engine == 1) != swapped)]
}

/// The number of the unit, from 0, of the game with this number, from 1: of the pair of games, or of the game if sides
/// are fixed. In a match of two engines it is the number of the opening.
pub fn unit_of(game: usize, fixed_sides: bool) -> usize {
    (game - 1) / if fixed_sides { 1 } else { 2 }
}

impl MatchResults {
    /// A match without games.
    pub fn new(fixed_sides: bool) -> MatchResults {
        MatchResults { games: BTreeMap::new(), fixed_sides }
    }

    /// The results of an engine (0 or 1) in the games in which it played this side, or in all games without a side.
    pub fn tally(&self, engine: usize, as_side: Option<Side>) -> Tally {
        let mut tally = Tally::default();
        for (&number, game) in &self.games {
            let side = side_of(engine, number, self.fixed_sides);
            if as_side.is_none_or(|wanted| wanted == side) {
                tally.add(game.winner.map(|winner| winner == side));
            }
        }
        tally
    }

    /// The half points of the first engine in the game with this number; `None` if it is not over.
    fn half_points(&self, number: usize) -> Option<usize> {
        let side = side_of(0, number, self.fixed_sides);
        Some(self.games.get(&number)?.winner.map_or(1, |winner| if winner == side { 2 } else { 0 }))
    }

    /// The pairs of which both games are over: their numbers from 0, and the half points of the first engine in either
    /// game.
    fn pair_points(&self) -> impl Iterator<Item = (usize, [usize; 2])> {
        self.games.keys().filter(|number| !number.is_multiple_of(2)).filter_map(|&number| {
            Some((number / 2, [self.half_points(number)?, self.half_points(number + 1)?]))
        })
    }

    /// The results of the pairs; `None` if sides are fixed.
    pub fn pairs(&self) -> Option<Pairs> {
        if self.fixed_sides {
            return None;
        }
        let mut pairs = Pairs::default();
        for (_, [a, b]) in self.pair_points() {
            pairs.pentanomial[a + b] += 1;
            pairs.split += usize::from(a.abs_diff(b) == 2);
        }
        Some(pairs)
    }

    /// The scores of all pairs, or of all games if sides are fixed, as a sample; `None` if there are none.
    pub fn sample(&self) -> Option<Sample> {
        self.units(usize::MAX)
    }

    /// The same for the pairs or games before the first that is not over. A sequential test takes them in this order,
    /// because games that end early may differ in their results from games that take long.
    pub fn sample_in_order(&self) -> Option<Sample> {
        let gap = (1..).find(|&number| !self.games.contains_key(&number)).unwrap_or(1);
        self.units(unit_of(gap, self.fixed_sides))
    }

    /// The samples of the first unit, of the first two, and so on up to the first pair or game that is not over.
    pub fn samples(&self) -> Vec<Sample> {
        let last = |end| end * if self.fixed_sides { 1 } else { 2 };
        (1..)
            .take_while(|&end| self.games.contains_key(&last(end)))
            .map_while(|end| self.units(end))
            .collect()
    }

    /// The scores of the pairs or games whose numbers, from 0, are below `end`.
    fn units(&self, end: usize) -> Option<Sample> {
        if self.fixed_sides {
            let numbers = self.games.keys().filter(|&&number| number - 1 < end);
            let scores: Vec<f64> = numbers
                .filter_map(|&number| Some(self.half_points(number)? as f64 / 2.0))
                .collect();
            Sample::new(&scores, 1.0)
        } else {
            let pairs = self.pair_points().take_while(|(number, _)| *number < end);
            let scores: Vec<f64> = pairs.map(|(_, [a, b])| (a + b) as f64 / 4.0).collect();
            Sample::new(&scores, 2.0)
        }
    }

    /// How many games an engine (0 or 1) has lost by this kind of fault.
    pub fn faults(&self, engine: usize, kind: FaultKind) -> usize {
        let lost = |(&number, game): (&usize, &FinishedGame)| {
            game.winner == Some(!side_of(engine, number, self.fixed_sides))
                && game.fault == Some(kind)
        };
        self.games.iter().filter(|game| lost(*game)).count()
    }

    /// The effort of an engine (0 or 1) in all games.
    pub fn effort(&self, engine: usize) -> Effort {
        let mut sum = Effort::default();
        for (&number, game) in &self.games {
            sum.add(game.effort[side_of(engine, number, self.fixed_sides).index()]);
        }
        sum
    }

    /// The ends of games and how often each occurred, the most frequent first. Faults are counted by their kinds.
    pub fn ends(&self) -> Vec<(&str, usize)> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for game in self.games.values() {
            let end = game.fault.map_or(game.end.as_str(), |fault| fault.name());
            *counts.entry(end).or_default() += 1;
        }
        let mut ends: Vec<_> = counts.into_iter().collect();
        ends.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        ends
    }

    /// The mean length of a game in plies; 0 without games.
    pub fn mean_plies(&self) -> f64 {
        let plies: usize = self.games.values().map(|game| game.plies).sum();
        plies as f64 / self.games.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(winner: Option<Side>, end: &str) -> FinishedGame {
        let effort =
            |moves| Effort { moves, depths: 2 * moves, nodes: 3 * moves, micros: 4 * moves };
        let fault = FaultKind::named(end.split(": ").next().unwrap_or_default());
        FinishedGame { winner, end: end.into(), fault, plies: 10, effort: [effort(1), effort(10)] }
    }

    /// Four pairs: one won 2-0, one split, one with a draw, and one with only its second game over.
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
    fn results_are_counted_for_each_engine_and_side() {
        let results = results(false);
        assert_eq!(results.tally(0, None), Tally { wins: 3, draws: 1, losses: 3 });
        assert_eq!(results.tally(1, None), Tally { wins: 3, draws: 1, losses: 3 });
        assert_eq!(results.tally(0, Some(Side::First)), Tally { wins: 2, draws: 1, losses: 0 });
        assert_eq!(results.tally(0, Some(Side::Second)), Tally { wins: 1, draws: 0, losses: 3 });
        assert_eq!(results.tally(0, None).points(), 3.5);
        assert_eq!(
            (results.faults(0, FaultKind::Crash), results.faults(1, FaultKind::Crash)),
            (1, 0)
        );
        assert_eq!(results.faults(0, FaultKind::Hang), 0);
        assert_eq!((results.effort(0).moves, results.effort(1).moves), (3 + 40, 30 + 4));
        assert_eq!(results.ends(), [("goal", 6), ("crash", 1)]);
        assert_eq!(results.mean_plies(), 10.0);
    }

    #[test]
    fn pairs_count_when_both_games_are_over() {
        let mut results = results(false);
        assert_eq!(results.pairs(), Some(Pairs { pentanomial: [0, 1, 1, 0, 1], split: 1 }));
        assert_eq!(results.sample(), Sample::new(&[1.0, 0.5, 0.25], 2.0));
        assert_eq!(results.sample_in_order(), results.sample());
        results.games.insert(9, game(None, "goal"));
        results.games.insert(10, game(None, "goal"));
        assert_eq!(results.pairs().unwrap().pentanomial[2], 2);
        assert_eq!(results.sample(), Sample::new(&[1.0, 0.5, 0.25, 0.5], 2.0));
        assert_eq!(
            results.sample_in_order(),
            Sample::new(&[1.0, 0.5, 0.25], 2.0),
            "game 7 is not over yet"
        );
    }

    #[test]
    fn with_fixed_sides_games_stand_alone() {
        let results = results(true);
        assert_eq!(results.tally(0, None), Tally { wins: 5, draws: 1, losses: 1 });
        assert_eq!(results.tally(1, Some(Side::First)), Tally::default());
        assert_eq!(results.pairs(), None);
        assert_eq!(results.sample(), Sample::new(&[1.0, 0.0, 1.0, 1.0, 0.5, 1.0, 1.0], 1.0));
        assert_eq!(results.sample_in_order(), Sample::new(&[1.0, 0.0, 1.0, 1.0, 0.5, 1.0], 1.0));
        assert_eq!([1, 2, 3].map(|game| unit_of(game, true)), [0, 1, 2]);
        assert_eq!([1, 2, 3].map(|game| unit_of(game, false)), [0, 0, 1]);
    }
}

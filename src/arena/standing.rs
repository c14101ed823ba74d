//! The results of a match so far, from the first engine's view.

use std::collections::BTreeMap;

use crate::core::Side;

use super::fault::{Fault, FaultKind};
use super::referee::{Effort, Finished};
use super::score::Sample;

/// The games of a match that are over.
#[derive(Debug, Clone)]
pub struct Standing {
    /// By their numbers, from 1.
    games: BTreeMap<usize, Finished>,
    /// Whether the first engine always plays the first side; else the engines swap sides after each game.
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
    /// How many games.
    pub fn games(self) -> usize {
        self.wins + self.draws + self.losses
    }

    /// A point for a win, half a point for a draw.
    pub fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }
}

/// The results of openings that were played twice.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pairs {
    /// How many gave the first engine 0, ½, 1, 1½ and 2 points.
    pub by_half_points: [usize; 5],
    /// How many were won by each engine once: the opening decided, or the side.
    pub split: usize,
}

/// The side that the engine with this index, 0 or 1, plays in the game with this number.
pub fn side_of(engine: usize, game: usize, fixed_sides: bool) -> Side {
    let swapped = !fixed_sides && game.is_multiple_of(2);
    Side::BOTH[usize::from((engine == 1) != swapped)]
}

/// The number, from 0, of the opening of the game with this number: each is played twice, or once if sides are fixed.
pub fn opening_of(game: usize, fixed_sides: bool) -> usize {
    (game - 1) / if fixed_sides { 1 } else { 2 }
}

impl Standing {
    /// A match without games.
    pub fn new(fixed_sides: bool) -> Standing {
        Standing { games: BTreeMap::new(), fixed_sides }
    }

    /// Adds the game with this number, from 1.
    pub fn add(&mut self, number: usize, game: Finished) {
        self.games.insert(number, game);
    }

    /// Whether the game with this number is over.
    pub fn has(&self, number: usize) -> bool {
        self.games.contains_key(&number)
    }

    /// How many games are over.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether no game is over.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The games of an engine, 0 or 1, in which it played this side, or in all.
    pub fn tally(&self, engine: usize, as_side: Option<Side>) -> Tally {
        let mut tally = Tally::default();
        for (&number, game) in &self.games {
            let side = side_of(engine, number, self.fixed_sides);
            if as_side.is_none_or(|wanted| wanted == side) {
                *match game.winner {
                    None => &mut tally.draws,
                    Some(winner) if winner == side => &mut tally.wins,
                    Some(_) => &mut tally.losses,
                } += 1;
            }
        }
        tally
    }

    /// Half points of the first engine in a game, if it is over.
    fn half_points(&self, number: usize) -> Option<usize> {
        let side = side_of(0, number, self.fixed_sides);
        Some(self.games.get(&number)?.winner.map_or(1, |winner| if winner == side { 2 } else { 0 }))
    }

    /// Half points of the first engine in both games of each pair that is complete, in the order of the pairs.
    fn pair_points(&self) -> impl Iterator<Item = (usize, [usize; 2])> {
        self.games
            .keys()
            .filter(|number| !number.is_multiple_of(2))
            .filter_map(|&number| Some((number / 2, [self.half_points(number)?, self.half_points(number + 1)?])))
    }

    /// The results of the pairs; none if sides are fixed.
    pub fn pairs(&self) -> Option<Pairs> {
        if self.fixed_sides {
            return None;
        }
        let mut pairs = Pairs::default();
        for (_, [a, b]) in self.pair_points() {
            pairs.by_half_points[a + b] += 1;
            pairs.split += usize::from(a.abs_diff(b) == 2);
        }
        Some(pairs)
    }

    /// The units of the match: pairs, or games if sides are fixed.
    pub fn sample(&self) -> Option<Sample> {
        self.units(usize::MAX)
    }

    /// The units up to the first that is not over: no quick game counts before a slow one.
    pub fn sample_in_order(&self) -> Option<Sample> {
        let gap = (1..).find(|&number| !self.has(number)).unwrap_or(1);
        self.units(opening_of(gap, self.fixed_sides))
    }

    /// The units with numbers, from 0, below this.
    fn units(&self, end: usize) -> Option<Sample> {
        if self.fixed_sides {
            let numbers = self.games.keys().filter(|&&number| number - 1 < end);
            let scores: Vec<f64> = numbers.filter_map(|&number| Some(self.half_points(number)? as f64 / 2.0)).collect();
            Sample::new(&scores, 1.0)
        } else {
            let pairs = self.pair_points().take_while(|(number, _)| *number < end);
            let scores: Vec<f64> = pairs.map(|(_, [a, b])| (a + b) as f64 / 4.0).collect();
            Sample::new(&scores, 2.0)
        }
    }

    /// How often an engine, 0 or 1, lost by this fault.
    pub fn faults(&self, engine: usize, kind: FaultKind) -> usize {
        let lost = |(&number, game): (&usize, &Finished)| {
            game.winner == Some(!side_of(engine, number, self.fixed_sides)) && Fault::kind_of(&game.end) == Some(kind)
        };
        self.games.iter().filter(|game| lost(*game)).count()
    }

    /// What the searches of an engine, 0 or 1, took.
    pub fn effort(&self, engine: usize) -> Effort {
        let mut sum = Effort::default();
        for (&number, game) in &self.games {
            sum.add(game.effort[side_of(engine, number, self.fixed_sides).index()]);
        }
        sum
    }

    /// How the games ended, most frequent first; faults by their kinds.
    pub fn ends(&self) -> Vec<(&str, usize)> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for game in self.games.values() {
            let end = Fault::kind_of(&game.end).map_or(game.end.as_str(), |kind| kind.name());
            *counts.entry(end).or_default() += 1;
        }
        let mut ends: Vec<_> = counts.into_iter().collect();
        ends.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        ends
    }

    /// The mean number of plies of a game; 0 without games.
    pub fn mean_plies(&self) -> f64 {
        let plies: usize = self.games.values().map(|game| game.plies).sum();
        plies as f64 / self.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(winner: Option<Side>, end: &str) -> Finished {
        let effort = |moves| Effort { moves, depths: 2 * moves, nodes: 3 * moves, micros: 4 * moves };
        Finished { winner, end: end.into(), plies: 10, effort: [effort(1), effort(10)] }
    }

    /// Pairs won 2-0, split, half drawn, and half over; the first engine plays the first side in odd games.
    fn standing(fixed_sides: bool) -> Standing {
        let winners =
            [Some(Side::First), Some(Side::Second), Some(Side::First), Some(Side::First), None, Some(Side::First)];
        let mut standing = Standing::new(fixed_sides);
        for (number, winner) in (1..).zip(winners) {
            standing.add(number, game(winner, "goal"));
        }
        standing.add(8, game(Some(Side::First), "crash: the process has ended"));
        standing
    }

    #[test]
    fn results_are_counted_for_each_engine_and_side() {
        let standing = standing(false);
        assert_eq!(standing.tally(0, None), Tally { wins: 3, draws: 1, losses: 3 });
        assert_eq!(standing.tally(1, None), Tally { wins: 3, draws: 1, losses: 3 });
        assert_eq!(standing.tally(0, Some(Side::First)), Tally { wins: 2, draws: 1, losses: 0 });
        assert_eq!(standing.tally(0, Some(Side::Second)), Tally { wins: 1, draws: 0, losses: 3 });
        assert_eq!(standing.tally(0, None).points(), 3.5);
        assert_eq!((standing.faults(0, FaultKind::Crash), standing.faults(1, FaultKind::Crash)), (1, 0));
        assert_eq!(standing.faults(0, FaultKind::Hang), 0);
        assert_eq!((standing.effort(0).moves, standing.effort(1).moves), (3 + 40, 30 + 4));
        assert_eq!(standing.ends(), [("goal", 6), ("crash", 1)]);
        assert_eq!(standing.mean_plies(), 10.0);
    }

    #[test]
    fn pairs_count_when_both_games_are_over() {
        let mut standing = standing(false);
        assert_eq!(standing.pairs(), Some(Pairs { by_half_points: [0, 1, 1, 0, 1], split: 1 }));
        assert_eq!(standing.sample(), Sample::new(&[1.0, 0.5, 0.25], 2.0));
        assert_eq!(standing.sample_in_order(), standing.sample());
        standing.add(9, game(None, "goal"));
        standing.add(10, game(None, "goal"));
        assert_eq!(standing.pairs().unwrap().by_half_points[2], 2);
        assert_eq!(standing.sample(), Sample::new(&[1.0, 0.5, 0.25, 0.5], 2.0));
        assert_eq!(standing.sample_in_order(), Sample::new(&[1.0, 0.5, 0.25], 2.0), "game 7 is not over yet");
    }

    #[test]
    fn with_fixed_sides_games_stand_alone() {
        let standing = standing(true);
        assert_eq!(standing.tally(0, None), Tally { wins: 5, draws: 1, losses: 1 });
        assert_eq!(standing.tally(1, Some(Side::First)), Tally::default());
        assert_eq!(standing.pairs(), None);
        assert_eq!(standing.sample(), Sample::new(&[1.0, 0.0, 1.0, 1.0, 0.5, 1.0, 1.0], 1.0));
        assert_eq!(standing.sample_in_order(), Sample::new(&[1.0, 0.0, 1.0, 1.0, 0.5, 1.0], 1.0));
        assert_eq!([1, 2, 3].map(|game| opening_of(game, true)), [0, 1, 2]);
        assert_eq!([1, 2, 3].map(|game| opening_of(game, false)), [0, 0, 1]);
    }
}

//! Determines the pairings of a match and the order of its games.
//!
//! The games of a match have numbers from 1. A *unit* is a pair of games with the same opening and
//! swapped sides, or one game if sides are fixed. A tournament is played round by round. In the
//! first round each pairing plays a unit with the first opening, in the second round with the
//! second opening, and so on. Therefore the games are evenly distributed at any time.

use pentarch_core::Side;

use super::results::{engine_side_in_game, scoring_unit_index};

/// The maximum number of games of a match or a tournament.
pub const MAX_MATCH_GAMES: usize = 1_000_000;

/// The pairings of a match or a tournament.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// The indices of the engines of each pairing. The first engine of a pairing plays the first
    /// side in the first game.
    pub pairings: Vec<[usize; 2]>,
    /// Whether the first engine of a pairing always plays the first side. Otherwise the engines
    /// swap sides after each game.
    pub fixed_sides: bool,
}

/// The pairing, opening and players of one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScheduledGame {
    /// The index of the pairing that plays the game.
    pub pairing: usize,
    /// The number of the opening of the game, from 0.
    pub opening: usize,
    /// The side of the pairing's first engine.
    pub first_side: Side,
    /// The indices of the engines that play the first and the second side.
    pub players: [usize; 2],
}

impl Schedule {
    /// Creates the schedule in which each engine plays against every other engine.
    pub fn round_robin(engines: usize, fixed_sides: bool) -> Schedule {
        let pairings =
            (0..engines).flat_map(|first| (first + 1..engines).map(move |second| [first, second]));
        Schedule { pairings: pairings.collect(), fixed_sides }
    }

    /// Creates the schedule in which one engine plays against each of the other engines.
    pub fn gauntlet(engine: usize, engines: usize, fixed_sides: bool) -> Schedule {
        let others = (0..engines).filter(|&other| other != engine);
        Schedule { pairings: others.map(|other| [engine, other]).collect(), fixed_sides }
    }

    /// Returns the pairing, opening and players of the game with this number.
    pub fn scheduled_game(&self, game: usize) -> ScheduledGame {
        let unit = scoring_unit_index(game, self.fixed_sides);
        let pairing = unit % self.pairings.len();
        let first_side = engine_side_in_game(0, game, self.fixed_sides);
        let [one, other] = self.pairings[pairing];
        let players = if first_side == Side::First { [one, other] } else { [other, one] };
        ScheduledGame { pairing, opening: unit / self.pairings.len(), first_side, players }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pairing_plays_an_opening_twice_before_the_next_opening() {
        let schedule = Schedule::round_robin(3, false);
        let games: Vec<_> = (1..=14)
            .map(|game| schedule.scheduled_game(game))
            .map(|slot| (slot.opening, slot.players))
            .collect();
        let round = [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]];
        assert_eq!(games[..6], round.map(|players| (0, players)));
        assert_eq!(games[6..12], round.map(|players| (1, players)));
        assert_eq!(games[12..], [(2, [0, 1]), (2, [1, 0])]);
        let schedule = Schedule::gauntlet(1, 3, true);
        let games: Vec<_> = (1..=3)
            .map(|game| schedule.scheduled_game(game))
            .map(|slot| (slot.opening, slot.players))
            .collect();
        assert_eq!(games, [(0, [1, 0]), (0, [1, 2]), (1, [1, 0])]);
    }

    #[test]
    fn two_engines_alternate_as_the_results_assume() {
        for fixed_sides in [false, true] {
            let schedule = Schedule::round_robin(2, fixed_sides);
            for game in 1..9 {
                let slot = schedule.scheduled_game(game);
                assert_eq!(
                    (slot.pairing, slot.opening),
                    (0, scoring_unit_index(game, fixed_sides))
                );
                assert_eq!(slot.players[engine_side_in_game(0, game, fixed_sides).index()], 0);
            }
        }
    }
}

//! The results of the games of a session, as players count them over an evening.

use pentarch_core::notation::parsing::capitalise;

use super::local_game::{LocalGame, PlayerKind};

/// The result of a game for the person who played against the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the result of its name")]
pub enum PersonResult {
    Won,
    Lost,
    Drawn,
}

impl PersonResult {
    /// Returns the result as the beginning of a sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            PersonResult::Won => "You won",
            PersonResult::Lost => "You lost",
            PersonResult::Drawn => "A draw",
        }
    }
}

/// The number of games that each of two opponents has won.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// The opponents: the person and the engine, or the names of the sides of two people.
    names: [String; 2],
    won: [u32; 2],
    drawn: u32,
}

impl Tally {
    /// Adds a game. If the opponents are others than before, the tally begins again.
    fn add_game(&mut self, names: [String; 2], winner: Option<usize>) {
        if self.names != names {
            *self = Tally { names, ..Tally::default() };
        }
        match winner {
            Some(winner) => self.won[winner] += 1,
            None => self.drawn += 1,
        }
    }

    /// Swaps the sides of two people.
    pub fn swap_sides(&mut self) {
        self.won.swap(0, 1);
    }

    /// Returns the tally as a sentence; `None` after a single game.
    fn text(&self) -> Option<String> {
        let [first, second] = &self.names;
        let count = self.won[0] + self.won[1] + self.drawn;
        let drawn = match self.drawn {
            0 => String::new(),
            1 => ", 1 draw".into(),
            drawn => format!(", {drawn} draws"),
        };
        (count > 1).then(|| {
            format!("{} {}, {second} {}{drawn}.", capitalise(first), self.won[0], self.won[1])
        })
    }
}

impl LocalGame {
    /// Counts the game when it has ended. Returns sentences about the next level and the tally, if
    /// there are any. Each game counts once, with its first end. A game without moves does not
    /// count, because it is not stored either.
    pub fn count_ended_game(&mut self) -> Option<String> {
        let is_over = self.session().game_state().outcome.is_some();
        if self.is_counted || !is_over || self.session().game_moves().moves.is_empty() {
            return None;
        }
        self.is_counted = true;
        let mut sentences = Vec::new();
        if let Some(result) = self.person_result() {
            let winner = match result {
                PersonResult::Won => Some(0),
                PersonResult::Lost => Some(1),
                PersonResult::Drawn => None,
            };
            self.tally.add_game(["you".into(), "the engine".into()], winner);
            if self.auto_levels.is_on {
                let game = self.session().game_constants().game;
                sentences.push(self.auto_levels.adapt(game, result));
            }
        } else if let [PlayerKind::Person, PlayerKind::Person] = self.players[..] {
            let players = self.session().game_constants().players;
            let winner = self.session().game_status().winner;
            let winner = winner.and_then(|word| players.iter().position(|name| *name == word));
            self.tally.add_game([players[0].into(), players[1].into()], winner);
        } else {
            return None;
        }
        sentences.extend(self.tally.text());
        (!sentences.is_empty()).then(|| sentences.join(" "))
    }

    /// Returns the result for the people; `None` if they do not play together against the engine.
    fn person_result(&self) -> Option<PersonResult> {
        let constants = self.session().game_constants();
        let status = self.session().game_status();
        let mut groups = status.teams.clone();
        if groups.is_empty() {
            groups = constants.players.iter().map(|&player| vec![player]).collect();
        }
        let has_person = |group: &Vec<&str>| {
            let players = constants.players.iter().zip(&self.players);
            players.clone().any(|(name, &kind)| kind == PlayerKind::Person && group.contains(name))
        };
        let own = groups.iter().position(has_person)?;
        if groups.iter().filter(|group| has_person(group)).count() > 1 {
            return None;
        }
        let Some(winner) = status.winner else { return Some(PersonResult::Drawn) };
        // The winner can be the name of a team.
        let is_own = groups[own].contains(&winner)
            || (!status.teams.is_empty() && constants.sides[own] == winner);
        Some(if is_own { PersonResult::Won } else { PersonResult::Lost })
    }
}

//! The level `auto`, which adapts to the results of the player.
//!
//! After each game against the engine the level moves half a step: up if the person has won, and
//! down if the person has lost. So the person wins about half of the games. Half-way between two
//! levels, the engine makes every other move at the lower one.

use std::collections::BTreeMap;
use std::fmt;

use pentarch_search::strength_levels::StrengthLevel;

use super::tally::PersonResult;

/// The word that chooses this level.
pub const AUTO_LEVEL_WORD: &str = "auto";

/// The number of half steps from the lowest level to the highest.
const MAX_LEVEL_HALF_STEPS: u8 = 2 * (StrengthLevel::ALL.len() as u8 - 1);

/// A strength between the lowest and the highest level, in half steps. The default is the lowest
/// level.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AutoLevel {
    half_steps: u8,
}

impl AutoLevel {
    /// Returns the strength with this number of half steps; `None` if it is above the highest
    /// level.
    pub fn from_half_steps(half_steps: u8) -> Option<AutoLevel> {
        (half_steps <= MAX_LEVEL_HALF_STEPS).then_some(AutoLevel { half_steps })
    }

    /// Returns the number of half steps above the lowest level.
    pub fn half_steps(self) -> u8 {
        self.half_steps
    }

    /// Returns the level of the engine's move in this round of turns.
    pub fn level_in_round(self, round: usize) -> StrengthLevel {
        StrengthLevel::ALL[(usize::from(self.half_steps) + round % 2) / 2]
    }

    /// Returns the strength for the game after a game with this result.
    fn after_game(self, result: PersonResult) -> AutoLevel {
        let half_steps = match result {
            PersonResult::Won => (self.half_steps + 1).min(MAX_LEVEL_HALF_STEPS),
            PersonResult::Lost => self.half_steps.saturating_sub(1),
            PersonResult::Drawn => self.half_steps,
        };
        AutoLevel { half_steps }
    }
}

impl fmt::Display for AutoLevel {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match [0, 1].map(|round| self.level_in_round(round).name()) {
            [lower, higher] if lower == higher => f.write_str(lower),
            [lower, higher] => write!(f, "between {lower} and {higher}"),
        }
    }
}

/// The level `auto` of each game. People are not equally good at all games.
#[derive(Debug, Clone, Default)]
pub struct AutoLevels {
    /// Whether the engine plays at this level.
    pub is_on: bool,
    /// The strengths, by the words of the games. Other games have the default.
    pub by_game: BTreeMap<&'static str, AutoLevel>,
}

impl AutoLevels {
    /// Returns the strength in a game.
    pub fn of_game(&self, game: &'static str) -> AutoLevel {
        self.by_game.get(game).copied().unwrap_or_default()
    }

    /// Changes the strength after a game with this result. Returns a sentence about the next game.
    pub fn adapt(&mut self, game: &'static str, result: PersonResult) -> String {
        let old = self.of_game(game);
        let new = old.after_game(result);
        self.by_game.insert(game, new);
        let change = match new.half_steps.cmp(&old.half_steps) {
            std::cmp::Ordering::Greater => "a little harder",
            std::cmp::Ordering::Less => "a little easier",
            std::cmp::Ordering::Equal => "as hard as this one",
        };
        format!("{}: the next game is {change}. Level: auto, now {new}.", result.sentence())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_result_moves_the_level_half_a_step() {
        let mut levels = AutoLevels::default();
        assert_eq!(levels.of_game("bushka").to_string(), "beginner");
        let said = levels.adapt("bushka", PersonResult::Lost);
        assert_eq!(
            said,
            "You lost: the next game is as hard as this one. Level: auto, now beginner."
        );
        levels.adapt("bushka", PersonResult::Won);
        assert_eq!(levels.of_game("bushka").to_string(), "between beginner and novice");
        let names = [0, 1, 2].map(|round| levels.of_game("bushka").level_in_round(round).name());
        assert_eq!(names, ["beginner", "novice", "beginner"]);
        levels.adapt("bushka", PersonResult::Won);
        levels.adapt("bushka", PersonResult::Drawn);
        assert_eq!(levels.of_game("bushka").to_string(), "novice");
        assert_eq!(levels.of_game("roses"), AutoLevel::default());
        for _ in 0..30 {
            levels.adapt("bushka", PersonResult::Won);
        }
        assert_eq!(levels.of_game("bushka").to_string(), "champion");
        assert_eq!(AutoLevel::from_half_steps(19), None);
    }
}

//! The race in the review of a game: the steps of both sides before and after each move, and the
//! steps lost by mistakes.

use pentarch_core::Side;
use pentarch_core::view::position_counts::RaceCountLabel;
use serde::Serialize;

use super::input_word::InputWord;
use super::scene::LabelledCountFields;
use super::session::Session;

/// The numbers of both sides in a race, before and after a move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MoveRace {
    /// The name of the numbers, for people, such as `steps to the goal`.
    pub label: &'static str,
    /// The number of each side before the move.
    pub before: [u32; 2],
    /// The number of each side after the move.
    pub after: [u32; 2],
    /// The numbers for people, such as `15-11, after the wall 15-14`.
    pub text: String,
    /// The loss of a mistake in comparison with the best move, for people, such as `three steps
    /// behind instead of one`; `null` if the move is not a mistake or lost no step.
    pub lost: Option<String>,
}

impl MoveRace {
    /// Returns the numbers before and after the move as two cells of a table, such as `15-11` and
    /// `15-14`.
    pub fn table_cells(&self) -> [String; 2] {
        [self.before, self.after].map(format_step_counts)
    }

    /// Returns whether the move made the path of a side longer.
    pub fn has_lengthened_path(&self) -> bool {
        self.before.iter().zip(&self.after).any(|(before, after)| after > before)
    }

    /// Returns the text, and the loss if the move is a mistake.
    pub fn sentence(&self) -> String {
        match &self.lost {
            Some(lost) => format!("{}: {lost}", self.text),
            None => self.text.clone(),
        }
    }
}

/// A replay of a game, which counts the steps of both sides.
pub(crate) struct RaceReplay {
    race_count: RaceCountLabel,
    /// The game up to the next move.
    session: Box<dyn Session>,
}

impl RaceReplay {
    /// Creates the replay of a game that is in its first position. Returns `None` if the game is
    /// not a race.
    pub(crate) fn new(session: &dyn Session) -> Option<RaceReplay> {
        let race_count = session.game_constants().race_count?;
        Some(RaceReplay { race_count, session: session.copy_session() })
    }

    /// Makes the next move of the game, and returns the numbers before and after this move. `best`
    /// is the best move if the played move was a mistake.
    pub(crate) fn play(&mut self, mv: &str, mover: Side, best: Option<&str>) -> Option<MoveRace> {
        let mv = InputWord::from_text(mv);
        let race = self.move_race(&mv, mover, best.map(InputWord::from_text).as_ref());
        // An error cannot occur here, because the moves of the game are legal.
        let _ = self.session.play_moves(&[mv]);
        race
    }

    fn move_race(&self, mv: &InputWord, mover: Side, best: Option<&InputWord>) -> Option<MoveRace> {
        let StepCounts { before, after } = self.step_counts(mv)?;
        let effect = self.session.move_effect(mv).ok()?;
        let kind = effect.placed.first().map_or("move", |piece| piece.kind);
        let text = format!(
            "{}, after the {kind} {}",
            format_step_counts(before),
            format_step_counts(after)
        );
        let after_best = best.and_then(|best| self.step_counts(best));
        let lost = after_best.and_then(|best| self.describe_lost_lead(mover, after, best.after));
        Some(MoveRace { label: self.race_count.label, before, after, text, lost })
    }

    /// Returns the step counts of both sides before and after a move.
    fn step_counts(&self, mv: &InputWord) -> Option<StepCounts> {
        let counts = self.session.position_counts(Some(mv)).ok()?;
        let mut counts = counts.iter().filter(|count| count.label == self.race_count.label);
        let first = counts.next()?;
        let second = counts.next()?;
        let after =
            |count: &LabelledCountFields| count.after.as_ref().and_then(|after| after.value);
        Some(StepCounts {
            before: [first.value?, second.value?],
            after: [after(first)?, after(second)?],
        })
    }

    /// Returns the loss of a side by the played move in comparison with the best move, such as
    /// `three steps behind instead of one`. Returns `None` if the side lost nothing.
    fn describe_lost_lead(&self, mover: Side, played: [u32; 2], best: [u32; 2]) -> Option<String> {
        let lead = |numbers: [u32; 2]| {
            let own = i64::from(numbers[mover.index()]);
            i64::from(numbers[(!mover).index()]) - own
        };
        let played = lead(played);
        let best = lead(best);
        if played >= best {
            return None;
        }
        let unit = self.race_count.unit;
        let best_text = match (played.signum(), best.signum()) {
            (one, other) if one == other => number_in_words(best.unsigned_abs()),
            _ => describe_lead(best, unit),
        };
        Some(format!("{} instead of {best_text}", describe_lead(played, unit)))
    }
}

struct StepCounts {
    before: [u32; 2],
    after: [u32; 2],
}

/// Returns the numbers of both sides, as in `15-11`.
fn format_step_counts([first, second]: [u32; 2]) -> String {
    format!("{first}-{second}")
}

/// Returns a lead in words, such as `two steps ahead`, `level` or `one step behind`.
fn describe_lead(lead: i64, unit: &str) -> String {
    let direction = match lead {
        0 => return "level".into(),
        1.. => "ahead",
        _ => "behind",
    };
    let number = number_in_words(lead.unsigned_abs());
    let plural = if lead.abs() == 1 { "" } else { "s" };
    format!("{number} {unit}{plural} {direction}")
}

/// Returns a number in words if it is at most twelve, and otherwise in digits.
pub(crate) fn number_in_words(number: u64) -> String {
    const NUMBER_WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    match NUMBER_WORDS.get(number as usize) {
        Some(word) => (*word).into(),
        None => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use crate::games::GAME_OPTION;
    use pentarch_core::Options;

    use super::*;
    use crate::engine_state::new_game_session;

    /// Returns the loss of White in a race.
    fn loss(played: [u32; 2], best: [u32; 2]) -> Option<String> {
        let mut options = Options::default();
        options.set(&GAME_OPTION, "quoridor").unwrap();
        let replay = RaceReplay::new(new_game_session(&options).as_ref()).unwrap();
        replay.describe_lost_lead(Side::First, played, best)
    }

    #[test]
    fn says_what_a_mistake_lost_in_steps() {
        for (played, best, expected) in [
            ([11, 8], [9, 8], "three steps behind instead of one"),
            ([9, 8], [8, 8], "one step behind instead of level"),
            ([9, 8], [8, 10], "one step behind instead of two steps ahead"),
            ([8, 8], [7, 8], "level instead of one step ahead"),
            ([7, 8], [7, 10], "one step ahead instead of three"),
            ([30, 8], [21, 8], "22 steps behind instead of 13"),
        ] {
            assert_eq!(loss(played, best).as_deref(), Some(expected));
        }
        assert_eq!(loss([8, 8], [8, 8]), None);
        assert_eq!(loss([8, 9], [8, 8]), None);
    }
}

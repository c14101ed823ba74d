//! Checks that the tags, the result and the move numbers of a record are consistent with its moves.

use std::collections::BTreeSet;

use thiserror::Error;

use pentarch_core::EndByPlayers;
use pentarch_core::notation::parsing::quote_for_message;
use pentarch_core::notation::record::unread_elements::UnreadElements;
use pentarch_core::notation::record::{FINISHED_GAME_RESULTS, GameRecord, RecordedMove};

use crate::error::{EngineError, ErrorContext};
use crate::session::Session;

use super::current_game::result_for_record;
use super::error::RecordError;

/// Checks that no tag or option occurs twice, because one of its values would be lost. Also checks
/// that the tags agree with the rest of the record.
///
/// # Errors
/// If a check fails.
pub fn check_record_tags(record: &GameRecord) -> Result<(), RecordError> {
    let mut names = BTreeSet::new();
    for (name, _) in record.tags.iter().filter(|(name, _)| !name.eq_ignore_ascii_case("Option")) {
        if !names.insert(name.to_ascii_lowercase()) {
            return Err(RecordError::DuplicateTag { name: name.clone() });
        }
    }
    let mut options = BTreeSet::new();
    for setting in record.tag_values("Option") {
        let name = setting.split('=').next().unwrap_or_default();
        if !options.insert(name.to_ascii_lowercase()) {
            return Err(RecordError::DuplicateOption { name: name.into() });
        }
    }
    let contradiction = |tag, stated: &str, found: String| {
        Err(RecordError::Contradiction { tag, stated: stated.into(), found })
    };
    let has_fen = record.tag_values("Fen").next().is_some();
    if let Some(stated) = record.tag_values("Result").find(|stated| *stated != record.result) {
        return contradiction("Result", stated, format!("the record ends in {}", record.result));
    }
    if let Some(stated) = record.tag_values("SetUp").find(|stated| (*stated == "1") != has_fen) {
        let found = if has_fen { "there is a tag Fen" } else { "there is no tag Fen" };
        return contradiction("SetUp", stated, found.into());
    }
    let moves = record.moves.len();
    if let Some(stated) = record.tag_values("PlyCount").find(|stated| stated.parse() != Ok(moves)) {
        return contradiction("PlyCount", stated, format!("the record has {moves} moves"));
    }
    Ok(())
}

/// If the record does not end with a result, uses the result in the tag `Result` and returns a
/// warning.
pub(super) fn restore_result_from_tag(record: &mut GameRecord) -> Option<TruncationWarning> {
    let stated = record.tag_values("Result").next().filter(|_| record.result == "*")?;
    let result = FINISHED_GAME_RESULTS.into_iter().find(|result| *result == stated)?;
    record.result = result.into();
    Some(TruncationWarning { tag: "Result", stated: result.into(), result })
}

/// The warning that a record states an end of the game in a tag, but does not end with the result.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the record may be truncated: its tag {tag} says {}, but it does not end in {result}", quote_for_message(.stated))]
pub struct TruncationWarning {
    /// The name of the tag, `Outcome` or `Result`.
    pub tag: &'static str,
    /// The value of the tag.
    pub stated: String,
    /// The missing result.
    pub result: &'static str,
}

/// Ends the game if the record states an end by the players.
pub(super) fn end_game_as_stated(
    session: &mut dyn Session,
    record: &GameRecord,
) -> Result<(), EngineError> {
    let Some(stated) = record.tag_values("Outcome").next() else { return Ok(()) };
    for end in EndByPlayers::ALL {
        if session.outcome_protocol_words(end.outcome()) == stated {
            let context = ErrorContext::Outcome(stated.into());
            return session.end_game_by_players(end).map_err(|error| error.in_context(context));
        }
    }
    Ok(())
}

/// Checks that the outcome and the result in a record are those of the game. Returns a warning if
/// the record may be truncated.
pub(super) fn check_record_outcome(
    session: &dyn Session,
    record: &GameRecord,
) -> Result<Option<TruncationWarning>, RecordError> {
    let stated = record.tag_values("Outcome").next();
    let outcome = session.game_status().outcome;
    if let Some(stated) = stated.filter(|stated| *stated != outcome) {
        return Err(RecordError::Outcome { stated: stated.into(), outcome });
    }
    let result = result_for_record(session);
    let is_other_result = record.result != "*" && record.result != result;
    // A result without a reason is accepted while the game is not over, because some programs write
    // such results.
    if session.game_state().outcome.is_some() && is_other_result {
        return Err(RecordError::Result { stated: record.result.clone(), outcome });
    }
    // A complete record ends with its result.
    let is_truncated = stated.is_some() && record.result != result && record.result == "*";
    let warning = TruncationWarning { tag: "Outcome", stated: outcome, result };
    Ok(is_truncated.then_some(warning))
}

/// A counter of the move numbers in a text that are wrong for their positions.
#[derive(Debug, Default)]
pub(super) struct InvalidMoveNumberCounter {
    count: usize,
    /// The correct number at the position of the first invalid number.
    first: u32,
}

impl InvalidMoveNumberCounter {
    /// Checks the number that the text states for a move. `number` is the correct number, and
    /// `player` is the index of the player to move.
    pub(super) fn record_if_invalid(&mut self, mv: &RecordedMove, player: usize, number: u32) {
        let is_other_player = mv.has_stated_ellipsis() && player == 0;
        if is_other_player || mv.stated_number().is_some_and(|stated| stated != number) {
            self.first = if self.count == 0 { number } else { self.first };
            self.count += 1;
        }
    }

    pub(super) fn add_to_unread(&self, unread: &mut UnreadElements) {
        let name = format!("an invalid move number, the first in place of {}", self.first);
        (0..self.count).for_each(|_| unread.add(&name, None));
    }
}

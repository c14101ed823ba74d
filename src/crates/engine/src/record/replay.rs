//! Replays a record: makes its moves, and checks its variations.

use pentarch_core::Options;
use pentarch_core::notation::record::unread_elements::UnreadElements;
use pentarch_core::notation::record::{GameRecord, RecordedMove};

use crate::engine_state::new_session_with_tables;
use crate::error::{EngineError, ErrorContext};
use crate::host::Host;
use crate::input_word::InputWord;
use crate::session::{MAX_GAME_PLIES, Session};

use super::canonical::canonicalise_record_moves;
use super::checks::{
    InvalidMoveNumberCounter, TruncationWarning, check_record_outcome, end_game_as_stated,
    restore_result_from_tag,
};
use super::current_game::{copy_annotations_of_same_game, game_record};
use super::error::RecordError;
use super::rule_settings::{add_missing_game_and_rules, options_from_record};
use super::tags::{is_derived_tag, is_match_tag};

/// The game of a loaded record.
pub struct ReplayedGame {
    /// The options of the record. Options that the record does not set have their default values.
    pub options: Options,
    /// The game, at the end of the main line.
    pub session: Box<dyn Session>,
    /// The record with all its moves in canonical notation.
    pub record: GameRecord,
    /// Warnings about parts of the text that may be missing in the game.
    pub warnings: RecordWarnings,
}

/// Warnings about a text that was read as a game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordWarnings {
    /// The warning that the record may be truncated.
    pub truncation: Option<TruncationWarning>,
    /// The elements that were not read.
    pub unread: UnreadElements,
    /// The rules that were found by trying several rules, as `GAME_NAME=VALUE`; `None` if the text
    /// or the user names the rules.
    pub assumed_rules: Option<&'static str>,
}

impl RecordWarnings {
    /// Returns the warnings as sentences.
    pub fn messages(&self) -> Vec<String> {
        let truncation = self.truncation.iter().map(TruncationWarning::to_string);
        let unread = Some(&self.unread).filter(|unread| !unread.is_empty());
        truncation.chain(unread.map(UnreadElements::to_string)).collect()
    }
}

impl ReplayedGame {
    /// Replays the game of a record with its rules. If the record names no game, `options`
    /// determine the game and the rules.
    ///
    /// # Errors
    /// If the record names an unknown game or option. If the record has an illegal move, even in a
    /// variation. If the outcome in the record differs from the outcome under the rules.
    pub fn replay(
        record: GameRecord,
        options: &Options,
        host: &dyn Host,
    ) -> Result<ReplayedGame, EngineError> {
        replay_unless_stopped(record, options, host, &|| false)
    }
}

/// The number of moves between two checks for a stop. There is no check before the first 1,000
/// moves. So a script that loads a game of normal length and then contains `quit` always loads the
/// game, even if `quit` is read early.
pub(crate) const STOP_CHECK_INTERVAL_MOVES: usize = 1_000;

/// Replays a record like [`ReplayedGame::replay`], but fails as soon as `is_stopped` returns
/// `true`.
pub(super) fn replay_unless_stopped(
    mut record: GameRecord,
    options: &Options,
    host: &dyn Host,
    is_stopped: &dyn Fn() -> bool,
) -> Result<ReplayedGame, EngineError> {
    record.verify_and_remove_checksum().map_err(RecordError::from)?;
    let assumed = add_missing_game_and_rules(&mut record, options);
    replay_game(record, options, host, is_stopped).map_err(|error| match assumed {
        Some(game) => error.in_context(ErrorContext::AssumedGame(game)),
        None => error,
    })
}

/// Replays a record that names its game.
fn replay_game(
    mut record: GameRecord,
    options: &Options,
    host: &dyn Host,
    is_stopped: &dyn Fn() -> bool,
) -> Result<ReplayedGame, EngineError> {
    let truncation = restore_result_from_tag(&mut record);
    let options = options_from_record(&record, options)?;
    let mut session = new_session_with_tables(&options, host);
    let fen = record
        .tag_values("Fen")
        .next()
        .map(|text| text.split_whitespace().map(InputWord::from_text).collect::<Vec<_>>());
    let typed = record.moves.iter().map(RecordedMove::text_with_suffix_signs);
    let moves: Vec<InputWord> = typed.map(|text| InputWord::from_text(&text)).collect();
    // A list of moves that is too long is rejected before any of its moves is made.
    let interval =
        if moves.len() > MAX_GAME_PLIES { moves.len() } else { STOP_CHECK_INTERVAL_MOVES };
    for end in (0..moves.len()).step_by(interval).skip(1).chain([moves.len()]) {
        if end > STOP_CHECK_INTERVAL_MOVES && is_stopped() {
            return Err(RecordError::Stopped.into());
        }
        session.set_position(fen.as_deref(), &moves[..end])?;
    }
    let mut numbers = InvalidMoveNumberCounter::default();
    if record.len_with_variations() > moves.len() {
        if record.len_with_variations() > MAX_GAME_PLIES {
            return Err(RecordError::TooManyMoves.into());
        }
        let mut game = session.copy_session();
        game.set_position(fen.as_deref(), &[])?;
        canonicalise_record_moves(game.as_mut(), &mut record.moves, &mut numbers, is_stopped)?;
    } else {
        for (mv, (player, number)) in record.moves.iter().zip(session.game_moves().turns) {
            numbers.record_if_invalid(mv, player, number);
        }
    }
    end_game_as_stated(session.as_mut(), &record)?;
    let truncation = check_record_outcome(session.as_ref(), &record)?.or(truncation);
    let mut unread = std::mem::take(&mut record.unread);
    numbers.add_to_unread(&mut unread);
    for (name, _) in &record.tags {
        if is_match_tag(name) {
            unread.add(&format!("the tag {name}"), None);
        }
    }
    // The engine sets the tags for rules, start and outcome to its own values.
    let played = game_record(&options, session.as_ref());
    // Moves are compared in canonical notation, in which `E2` becomes `e2`.
    for (mv, made) in record.moves.iter_mut().zip(&played.moves) {
        mv.text.clone_from(&made.text);
    }
    let mut tags = played.tags.clone();
    tags.extend(record.tags.into_iter().filter(|(name, _)| !is_derived_tag(name)));
    let record = GameRecord { tags, ..record };
    let record = copy_annotations_of_same_game(&record, played, session.as_ref());
    let warnings = RecordWarnings { truncation, unread, assumed_rules: None };
    Ok(ReplayedGame { options, session, record, warnings })
}

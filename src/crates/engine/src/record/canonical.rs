//! Converts a record's moves, which may be typed in other forms, to canonical notation.

use pentarch_core::notation::record::RecordedMove;

use crate::error::{EngineError, ErrorContext};
use crate::input_word::InputWord;
use crate::session::{GameState, Session};

use super::checks::InvalidMoveNumberCounter;
use super::error::RecordError;
use super::replay::STOP_CHECK_INTERVAL_MOVES;

/// Converts the moves of a record and of its variations to canonical notation. `game` is in the
/// first position.
pub(super) fn canonicalise_record_moves(
    game: &mut dyn Session,
    line: &mut [RecordedMove],
    numbers: &mut InvalidMoveNumberCounter,
    is_stopped: &dyn Fn() -> bool,
) -> Result<(), EngineError> {
    let mut made = 0;
    canonicalise_line(game, line, &mut |game, mv| {
        made += 1;
        let GameState { player, full_move, .. } = game.game_state();
        numbers.record_if_invalid(mv, player, full_move);
        match made % STOP_CHECK_INTERVAL_MOVES == 0 && is_stopped() {
            true => Err(RecordError::Stopped.into()),
            false => canonical_move_string(game, mv),
        }
    })
}

/// Returns the canonical notation of a legal move.
pub(super) fn canonical_move_string(
    session: &dyn Session,
    mv: &RecordedMove,
) -> Result<String, EngineError> {
    let number = session.game_state().moves + 1;
    let text = mv.text_with_suffix_signs();
    let found = session.resolve_move(&text);
    let found = found
        .map_err(|error| EngineError::invalid_move(number, &InputWord::from_text(&text), error))?;
    Ok(found.text)
}

/// Replaces the notation of the moves in a line and in its variations. The line starts at the
/// current position of the game. `read` returns the new notation of a move. When the function
/// returns, the game is at the end of the line.
///
/// # Errors
/// The errors of `read`, and an error if a move is not legal. An error in a variation names the
/// move that the variation replaces. After an error the position of the game is unspecified.
pub(super) fn canonicalise_line(
    session: &mut dyn Session,
    line: &mut [RecordedMove],
    read: &mut dyn FnMut(&dyn Session, &RecordedMove) -> Result<String, EngineError>,
) -> Result<(), EngineError> {
    for mv in line {
        let text = read(session, mv)?;
        if !mv.notes().variations.is_empty() {
            let number = session.game_state().moves + 1;
            let context = ErrorContext::Variation { number, text: text.clone() };
            for variation in &mut mv.notes_mut().variations {
                canonicalise_line(session, variation, read)
                    .map_err(|error| error.in_context(context.clone()))?;
                session.undo_moves(variation.len() as u32)?;
            }
        }
        session.play_moves(&[InputWord::from_text(&text)])?;
        mv.text = text;
    }
    Ok(())
}

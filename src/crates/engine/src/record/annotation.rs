//! Annotations of the current game.

use pentarch_core::notation::record::notes;
use pentarch_core::notation::record::{
    MAX_VARIATION_NESTING, MOVE_QUALITY_MARKS, RecordedMove, normalise_comment,
};

use crate::annotate::annotate_record;
use crate::engine_state::Engine;
use crate::error::EngineError;
use crate::input_word::InputWord;
use crate::review::Review;

use super::canonical::{canonical_move_string, canonicalise_line};
use super::current_game::begins_with_record_moves;
use super::error::RecordError;
use super::tags::set_record_tag;

/// An annotation of the current game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordAnnotation {
    /// A comment on the last move, or on the game before the first move. The comment replaces the
    /// previous comment. An empty comment removes the previous comment.
    Comment(String),
    /// The glyph that marks the last move; `None` removes the marks of this move.
    Mark(Option<u8>),
    /// The remaining time in milliseconds of the player who made the last move.
    Clock(u64),
    /// Moves that could have been made instead of the last move.
    Variation(Vec<InputWord>),
    /// A tag with this name and value, without escapes. An empty value removes the tag.
    Tag(String, String),
}

impl Engine {
    /// Writes a review of the current game into its record.
    ///
    /// # Errors
    /// If the review is of another game. The engine is then unchanged.
    pub fn annotate_with_review(&mut self, review: &Review) -> Result<(), EngineError> {
        let mut record = self.annotated_record();
        annotate_record(&mut record, review, self.session.as_ref())?;
        self.annotated_record = Some(record);
        Ok(())
    }

    /// Adds an annotation to the record of the current game.
    ///
    /// # Errors
    /// If the annotation has an invalid form. If the annotation needs a move and no move was made.
    /// If a move of a variation is not legal. The engine is unchanged then.
    pub fn add_annotation(&mut self, annotation: RecordAnnotation) -> Result<(), EngineError> {
        let mut record = self.annotated_record();
        // Moves that were taken back remain in the record, because they can be made again.
        let taken_back = match &self.annotated_record {
            Some(annotated) if begins_with_record_moves(annotated, &record) => {
                annotated.moves.get(record.moves.len()..).unwrap_or_default().to_vec()
            }
            _ => Vec::new(),
        };
        let last = record.moves.last_mut();
        match annotation {
            RecordAnnotation::Comment(text) => {
                let comment = normalise_comment(&text).map_err(RecordError::from)?;
                match last {
                    Some(mv) => mv.notes_mut().comment = comment,
                    None => record.comment = comment,
                }
            }
            RecordAnnotation::Mark(glyph) => {
                let glyphs = &mut last.ok_or(RecordError::NoMove)?.notes_mut().glyphs;
                glyphs.retain(|&other| usize::from(other) > MOVE_QUALITY_MARKS.len());
                if let Some(glyph) = glyph {
                    glyphs.insert(0, glyph);
                }
            }
            RecordAnnotation::Clock(time) => {
                last.ok_or(RecordError::NoMove)?.notes_mut().clock = Some(time)
            }
            RecordAnnotation::Variation(moves) => {
                let mv = last.ok_or(RecordError::NoMove)?;
                let mut line: Vec<RecordedMove> =
                    moves.into_iter().map(|word| word.text.into()).collect();
                let mut session = self.session.copy_session();
                session.undo_moves(1 + u32::from(session.game_state().end.is_some()))?;
                canonicalise_line(session.as_mut(), &mut line, &mut |session, mv| {
                    canonical_move_string(session, mv)
                })?;
                if line.is_empty() {
                    return Err(RecordError::EmptyVariation.into());
                }
                mv.notes_mut().add_variation(line);
            }
            RecordAnnotation::Tag(name, value) => set_record_tag(&mut record, &name, &value)?,
        }
        record.moves.extend(taken_back);
        if !notes::is_variation_nesting_at_most(&record.moves, MAX_VARIATION_NESTING) {
            return Err(RecordError::TooDeep.into());
        }
        self.annotated_record = Some(record);
        Ok(())
    }
}

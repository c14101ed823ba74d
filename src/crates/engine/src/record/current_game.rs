//! The record of the current game, with the annotations of the last loaded record.

use pentarch_core::Options;
use pentarch_core::notation::record::{self, GameRecord, RecordedMove};

use crate::engine_state::{Engine, non_default_rules};
use crate::error::EngineError;
use crate::input_word::InputWord;
use crate::session::{GameMoves, Session};

use super::tags::is_derived_tag;

impl Engine {
    /// Returns the record of the current game as a string.
    pub fn record_text(&self) -> String {
        self.annotated_record().text(self.session.game_moves().turns)
    }

    /// Returns the current game as a record with its annotations.
    pub fn annotated_record(&self) -> GameRecord {
        current_game_record(self.annotated_record.as_ref(), &self.options, self.session.as_ref())
    }

    /// Sets up a position and makes moves, like
    /// [`GameControl::set_position`](crate::session::GameControl::set_position). If the moves
    /// continue the current game or take moves back, the annotations remain. Otherwise they are
    /// removed.
    ///
    /// # Errors
    /// If `fen` is not a position of these rules, or if a move is not legal. The engine is then
    /// unchanged.
    pub fn set_position(
        &mut self,
        fen: Option<&[InputWord]>,
        moves: &[InputWord],
    ) -> Result<(), EngineError> {
        let has_same_start = self.annotated_record.is_some()
            && self.session.count_common_first_moves(fen, &[]).is_some();
        let before = has_same_start.then(|| self.session.game_moves().moves);
        self.session.set_position(fen, moves)?;
        let is_same_game = before.is_some_and(|before| {
            // Moves are compared in canonical notation, because they may be typed in another
            // notation.
            let after = self.session.game_moves().moves;
            before.iter().zip(&after).all(|(before, after)| before == after)
        });
        if !is_same_game {
            self.annotated_record = None;
        }
        Ok(())
    }
}

/// Returns whether the moves of `record` begin with the moves of `beginning`.
pub(super) fn begins_with_record_moves(record: &GameRecord, beginning: &GameRecord) -> bool {
    let mut pairs = record.moves.iter().zip(&beginning.moves);
    record.moves.len() >= beginning.moves.len() && pairs.all(|(one, other)| one.text == other.text)
}

/// Returns the record `played`, with the annotations of the other record if both records are of the
/// same game.
pub(super) fn copy_annotations_of_same_game(
    annotated: &GameRecord,
    played: GameRecord,
    session: &dyn Session,
) -> GameRecord {
    let has_same = |name| annotated.tag_values(name).eq(played.tag_values(name));
    if !["Game", "Option", "Fen"].into_iter().all(has_same) {
        return played;
    }
    let is_unchanged = annotated.moves.len() == played.moves.len()
        && begins_with_record_moves(annotated, &played)
        && has_same("Outcome");
    // The result of an unfinished game does not follow from the rules. The record retains it while
    // the moves stay the same.
    let result = match session.game_state().outcome {
        None if is_unchanged => annotated.result.clone(),
        _ => played.result,
    };
    let added_tags = annotated.tags.iter().filter(|(name, _)| !is_derived_tag(name)).cloned();
    let tags = played.tags.into_iter().chain(added_tags).collect();
    GameRecord { tags, result, ..annotated.clone().with_main_line(played.moves) }
}

/// Returns the record of the current game, with the annotations of `annotated`.
pub(crate) fn current_game_record(
    annotated: Option<&GameRecord>,
    options: &Options,
    session: &dyn Session,
) -> GameRecord {
    let played = game_record(options, session);
    match annotated {
        Some(annotated) => copy_annotations_of_same_game(annotated, played, session),
        None => played,
    }
}

/// Returns the record of a game with the rules of these options, without annotations.
pub fn game_record(options: &Options, session: &dyn Session) -> GameRecord {
    let GameMoves { start, moves, signs, .. } = session.game_moves();
    let mut tags = vec![("Game".to_string(), session.game_constants().game.to_string())];
    let changed = non_default_rules(options).into_iter();
    tags.extend(changed.map(|(spec, value)| ("Option".into(), format!("{}={value}", spec.name))));
    tags.extend(start.map(|text| ("Fen".into(), text)));
    tags.push(("Outcome".into(), session.game_status().outcome));
    let mut line = Vec::with_capacity(moves.len());
    for (text, signs) in moves.into_iter().zip(signs) {
        let mut mv = RecordedMove::new(text, None);
        mv.add_suffix_signs(&signs);
        line.push(mv);
    }
    GameRecord { moves: line, result: result_for_record(session).into(), ..GameRecord::new(tags) }
}

/// Returns the result of a game for a record. Records can only state results between two sides.
pub(super) fn result_for_record(session: &dyn Session) -> &'static str {
    record::outcome_to_record_result(
        session.game_state().outcome.filter(|_| session.game_constants().players.len() == 2),
    )
}

//! Chooses a record in a text, and loads it as the current game.

use pentarch_core::Options;
use pentarch_core::notation::record::{GameRecord, RecordedMove};

use crate::engine_state::Engine;
use crate::error::EngineError;
use crate::sgf_reader::{SgfGames, SgfReadLimits, is_sgf};

use super::error::RecordError;
use super::replay::replay_unless_stopped;

impl Engine {
    /// Loads the game of a record as the current game, with its rules. `number` is the number of
    /// the record, from 1, if the text has several. The text may also be SGF or a list of moves. If
    /// the text names no rules, the rules of the current game apply. Sets [`Engine::warning`] if
    /// the record may be truncated, or if a part of the text was not read.
    ///
    /// # Errors
    /// If the text has an invalid form or no record with this number. If the record names an
    /// unknown game or option, or has an illegal move. If the outcome in the record differs from
    /// the outcome under the rules. The engine is then unchanged.
    pub fn load_record(&mut self, text: &str, number: Option<usize>) -> Result<(), EngineError> {
        self.load_record_unless_stopped(text, number, &|| false)
    }

    /// Loads a record like [`load_record`](Engine::load_record), but fails when `is_stopped`
    /// returns `true`. This function is called every few moves.
    ///
    /// # Errors
    /// The errors of [`load_record`](Engine::load_record), and an error if the loading was stopped.
    /// The engine is then unchanged.
    pub fn load_record_unless_stopped(
        &mut self,
        text: &str,
        number: Option<usize>,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<(), EngineError> {
        let source = RecordSelection {
            text,
            number,
            advice: "FILE:NUMBER names one of them",
            limits: SgfReadLimits { is_stopped, ..SgfReadLimits::DEFAULT },
        };
        let record = source.read_selected_record(&self.options)?;
        let host = self.host.as_ref();
        let game = replay_unless_stopped(record, &self.options, host, is_stopped)?;
        self.clear_search_results();
        self.options = game.options;
        self.session = game.session;
        self.annotated_record = Some(game.record);
        self.warning = Some(game.warnings.messages().join("; ")).filter(|text| !text.is_empty());
        Ok(())
    }
}

/// Returns whether a tag or the first move number shows that a record begins a separate game.
fn begins_separate_game(record: &GameRecord) -> bool {
    let number = record.moves.first().and_then(RecordedMove::stated_number);
    record.tag_values("Game").next().is_some() || number == Some(1)
}

/// A text with games, and the number of the chosen game.
pub(crate) struct RecordSelection<'a> {
    /// Records, a list of moves, or SGF.
    pub text: &'a str,
    /// The number of the game, from 1; `None` if the text must contain only one game.
    pub number: Option<usize>,
    /// The advice in the error message if the text has several games.
    pub advice: &'static str,
    /// The limits for SGF. To read SGF, its moves must be made.
    pub limits: SgfReadLimits<'a>,
}

impl RecordSelection<'_> {
    /// Returns the chosen record. `options` apply to SGF that names no rules.
    ///
    /// # Errors
    /// If the text has another form or no such record, or if the SGF exceeds the limits.
    pub(crate) fn read_selected_record(
        &self,
        options: &Options,
    ) -> Result<GameRecord, EngineError> {
        let RecordSelection { text, number, advice, ref limits } = *self;
        let in_text = |error| EngineError::syntax_error_in_text(text, error);
        if is_sgf(text) {
            let all = SgfGames::parse(text).map_err(in_text)?;
            return match (number, all.len()) {
                (None, games) if games > 1 => {
                    Err(RecordError::SeveralGames { games, advice }.into())
                }
                (number, _) => {
                    all.read_game_at_index(number.unwrap_or(1).wrapping_sub(1), options, limits)
                }
            };
        }
        let all = GameRecord::parse_all(text);
        match (number, all) {
            (Some(number), all) => {
                let all = all.map_err(in_text)?;
                let games = all.len();
                let record = all.into_iter().nth(number.wrapping_sub(1));
                Ok(record.ok_or(RecordError::GameNumber { games })?)
            }
            (None, Ok(all)) if all.len() > 1 && all.iter().all(begins_separate_game) => {
                Err(RecordError::SeveralGames { games: all.len(), advice }.into())
            }
            (None, Ok(all)) if all.is_empty() => Err(RecordError::GameNumber { games: 0 }.into()),
            (None, Ok(mut all)) if all.len() == 1 => Ok(all.remove(0)),
            (None, _) => GameRecord::parse(text).map_err(in_text),
        }
    }
}

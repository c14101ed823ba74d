//! Moves in the notations of other programs. A word in the format of a conversion selects the
//! notation.

use crate::games::RunOperation;
use pentarch_core::notation::record::notes::append_to_comment;
use pentarch_core::notation::record::{GameRecord, RecordedMove};
use pentarch_core::{MoveError, MoveNotationStyle, Options, SyntaxError};
use pentarch_engine::engine_state::game_specific_options;
use pentarch_engine::error::EngineError;
use pentarch_engine::games::{GAME_OPTION, RulesId, all_game_words};
use pentarch_engine::input_word::InputWord;
use pentarch_engine::record::{
    RecordError, ReplayedGame, add_missing_game_and_rules, options_from_record,
};
use pentarch_games::{Game, GameOperation};

use crate::io::host::SystemHost;

use super::error::{
    GameConversionError, IllegalUnderRulesError, MoveNotationStyleError, MoveSyntaxError,
};

/// Replays the game of a record whose moves are in the notation with this word. If neither the
/// record nor the options name the game, the record is taken to be of the game that has the
/// notation. If neither the record nor the options name the rules, tries the rules of the notation.
///
/// # Errors
/// If the game has no such notation, if a move is not in this notation, or if the game is not
/// legal.
pub(super) fn replay_styled_record(
    mut record: GameRecord,
    word: &str,
    options: &Options,
) -> Result<ReplayedGame, GameConversionError> {
    let names_game = record.tag_values("Game").next().is_some();
    let options = &options_with_game_of_notation(word, options);
    if record.tag_values("Option").next().is_none() {
        let of_record =
            if names_game { options_from_record(&record, options)? } else { options.clone() };
        let rules = RulesId::from_options(&of_record)
            .run_operation(NotationStyleRulesOperation { options, word })?;
        let mut settings = rules.to_vec();
        // This program writes a tag `Game`, and no tag `Option` for the default rules.
        if names_game {
            settings.reverse();
        }
        if !settings.is_empty() {
            return replay_by_first_fitting_rules(&record, word, options, &settings);
        }
    }
    add_missing_game_and_rules(&mut record, options);
    replay_by_record_tags(record, word, options)
}

/// Writes the moves of a record in the notation that `word` names, instead of in canonical
/// notation.
///
/// # Errors
/// If the game has no such notation.
pub(super) fn write_styled_moves(
    record: &mut GameRecord,
    word: &str,
    options: &Options,
) -> Result<(), GameConversionError> {
    RulesId::from_options(options).run_operation(MoveNotationConverter { options, word, record })
}

/// Replays the game of a record that names its game. `word` names the notation of the moves.
fn replay_by_record_tags(
    mut record: GameRecord,
    word: &str,
    options: &Options,
) -> Result<ReplayedGame, GameConversionError> {
    let rules = &options_from_record(&record, options)?;
    let moves = &mut record.moves;
    RulesId::from_options(rules).run_operation(StyledMovesReader {
        options: rules,
        word,
        moves,
    })?;
    Ok(ReplayedGame::replay(record, options, SystemHost::shared_host().as_ref())?)
}

/// Replays a game that does not name its rules, under the first of these settings that allows it.
///
/// # Errors
/// If none of the settings allows the game. The error contains the reason for each setting.
fn replay_by_first_fitting_rules(
    record: &GameRecord,
    word: &str,
    options: &Options,
    settings: &[&'static str],
) -> Result<ReplayedGame, GameConversionError> {
    let mut failures = Vec::new();
    for &setting in settings {
        let mut options = options.clone();
        options
            .set_rule_text(game_specific_options(&options), setting)
            .map_err(EngineError::from)?;
        let mut record = record.clone();
        let names_game = add_missing_game_and_rules(&mut record, &options).is_none();
        if names_game {
            record.tags.push(("Option".into(), setting.into()));
        }
        match replay_by_record_tags(record, word, &options) {
            Ok(mut game) => {
                let is_default = names_game && failures.is_empty();
                game.warnings.assumed_rules = (!is_default).then_some(setting);
                return Ok(game);
            }
            // The syntax of a move does not depend on the rules.
            Err(error @ GameConversionError::Move(_)) => return Err(error),
            Err(error) => failures.push(IllegalUnderRulesError { setting, error }),
        }
    }
    Err(GameConversionError::NoRules { failures })
}

/// Returns the options. If no game was chosen and the default game lacks the notation with this
/// word, the returned options choose a game that has this notation.
fn options_with_game_of_notation(word: &str, options: &Options) -> Options {
    let mut options = options.clone();
    if options.is_set(&GAME_OPTION)
        || RulesId::from_options(&options).run_operation(HasNotationStyleOperation(word))
    {
        return options;
    }
    let has_style = all_game_words().iter().copied().find(|game| {
        let mut of_game = Options::default();
        of_game.set(&GAME_OPTION, game).is_ok()
            && RulesId::from_options(&of_game).run_operation(HasNotationStyleOperation(word))
    });
    if let Some(game) = has_style {
        // The call cannot fail, because the word is that of a game.
        let _ = options.set(&GAME_OPTION, game);
    }
    options
}

/// The query of whether a game has the notation with this word.
pub(crate) struct HasNotationStyleOperation<'a>(&'a str);

impl GameOperation for HasNotationStyleOperation<'_> {
    type Output = bool;

    fn run_for_game_type<G: Game>(self) -> bool {
        find_notation_style::<G>(self.0).is_ok()
    }
}

/// The query for the settings to try for a game that does not name its rules: none if the user has
/// chosen the rules. `word` names the notation of its moves.
pub(crate) struct NotationStyleRulesOperation<'a> {
    options: &'a Options,
    word: &'a str,
}

impl GameOperation for NotationStyleRulesOperation<'_> {
    type Output = Result<&'static [&'static str], MoveNotationStyleError>;

    fn run_for_game_type<G: Game>(self) -> Self::Output {
        let is_chosen = G::RULE_OPTIONS.iter().any(|spec| self.options.is_set(spec));
        let style = find_notation_style::<G>(self.word)?;
        Ok(if is_chosen { &[] } else { style.rules })
    }
}

/// A converter of the moves of a line from the notation that `word` names to canonical notation.
pub(crate) struct StyledMovesReader<'a> {
    options: &'a Options,
    word: &'a str,
    moves: &'a mut Vec<RecordedMove>,
}

impl GameOperation for StyledMovesReader<'_> {
    type Output = Result<(), GameConversionError>;

    fn run_for_game_type<G: Game>(self) -> Self::Output {
        let style = find_notation_style::<G>(self.word)?;
        let rules = G::from_options(self.options);
        turn_remarks_into_move_notes(style, self.moves).map_err(EngineError::from)?;
        Ok(rewrite_move_strings(self.moves, 1, &mut |text| rules.convert_styled_move(style, text))?)
    }
}

/// Removes the remarks of a notation from a line and its variations. The move before a remark gets
/// the glyph and the notes of the remark.
///
/// # Errors
/// If a comment becomes too long.
fn turn_remarks_into_move_notes(
    style: &MoveNotationStyle,
    line: &mut Vec<RecordedMove>,
) -> Result<(), RecordError> {
    let remark_of =
        |text: &str| style.remarks.iter().find(|remark| remark.word.eq_ignore_ascii_case(text));
    for mut mv in std::mem::take(line) {
        if !mv.notes().variations.is_empty() {
            for variation in &mut mv.notes_mut().variations {
                turn_remarks_into_move_notes(style, variation)?;
            }
        }
        if let Some(remark) = remark_of(&mv.notes().signs) {
            mv.notes_mut().signs.clear();
            remark.glyph.iter().for_each(|&glyph| mv.notes_mut().add_glyph(glyph));
        }
        match (line.last_mut(), remark_of(&mv.text)) {
            (Some(last), Some(remark)) => {
                let notes = last.notes_mut();
                let glyphs = remark.glyph.iter().chain(&mv.notes().glyphs);
                glyphs.for_each(|&glyph| notes.add_glyph(glyph));
                notes.clock = notes.clock.or(mv.notes().clock);
                if !mv.notes().comment.is_empty() {
                    append_to_comment(&mut notes.comment, &mv.notes().comment)?;
                }
                notes.variations.append(&mut mv.notes_mut().variations);
            }
            _ => line.push(mv),
        }
    }
    Ok(())
}

/// A converter of the moves of a game from canonical notation to the notation that `word` names.
pub(crate) struct MoveNotationConverter<'a> {
    options: &'a Options,
    word: &'a str,
    record: &'a mut GameRecord,
}

impl GameOperation for MoveNotationConverter<'_> {
    type Output = Result<(), GameConversionError>;

    fn run_for_game_type<G: Game>(self) -> Self::Output {
        let style = find_notation_style::<G>(self.word)?;
        let rules = G::from_options(self.options);
        let start = match self.record.tag_values("Fen").next() {
            Some(fen) => rules.parse_position(fen).map_err(|error| {
                EngineError::invalid_position(&InputWord::split_into_words(fen), error)
            })?,
            None => rules.start_position(),
        };
        MoveNotationStyleWriter { rules: &rules, style }.write(start, &mut self.record.moves)?;
        Ok(())
    }
}

/// A writer of lines in the notation of another program.
struct MoveNotationStyleWriter<'a, G> {
    rules: &'a G,
    style: &'a MoveNotationStyle,
}

impl<G: Game> MoveNotationStyleWriter<'_, G> {
    /// Replaces the canonical moves of a line that begins in this position, and of its variations.
    fn write(
        &self,
        mut position: G::Position,
        line: &mut [RecordedMove],
    ) -> Result<(), EngineError> {
        for mv in line {
            let found = self.resolve_move(&position, &mv.text).map_err(|error| {
                EngineError::invalid_single_move(&InputWord::from_text(&mv.text), error)
            })?;
            mv.text = self.rules.format_styled_move(self.style, &position, found);
            if !mv.notes().variations.is_empty() {
                for variation in &mut mv.notes_mut().variations {
                    self.write(position, variation)?;
                }
            }
            position = self.rules.play(&position, found);
        }
        Ok(())
    }

    fn resolve_move(&self, position: &G::Position, text: &str) -> Result<G::Move, MoveError> {
        Ok(self.rules.resolve_move(position, &self.rules.parse_move(text)?)?)
    }
}

fn find_notation_style<G: Game>(
    word: &str,
) -> Result<&'static MoveNotationStyle, MoveNotationStyleError> {
    let styles = G::MOVE_NOTATION_STYLES;
    let game = G::GAME_ID;
    let found = styles.iter().find(|style| style.word.eq_ignore_ascii_case(word));
    found.ok_or_else(|| match styles {
        [] => MoveNotationStyleError::OnlyOwn { game, word: word.into() },
        _ => {
            let known = styles.iter().map(|style| style.word).collect();
            MoveNotationStyleError::Unknown { game, known, word: word.into() }
        }
    })
}

/// Replaces each move of a line and of its variations by the result of `name`. The first move has
/// the number `first`.
///
/// # Errors
/// The error that `name` returns for a move, with its number.
fn rewrite_move_strings(
    line: &mut [RecordedMove],
    first: usize,
    name: &mut dyn FnMut(&str) -> Result<String, SyntaxError>,
) -> Result<(), Box<MoveSyntaxError>> {
    for (number, mv) in (first..).zip(line) {
        mv.text = name(&mv.text).map_err(|error| {
            let text = mv.text.clone();
            Box::new(MoveSyntaxError { variations: Vec::new(), number, text, error })
        })?;
        if !mv.notes().variations.is_empty() {
            for variation in &mut mv.notes_mut().variations {
                rewrite_move_strings(variation, number, name).map_err(|mut error| {
                    error.variations.insert(0, number);
                    error
                })?;
            }
        }
    }
    Ok(())
}

//! Conversion of games from and to other formats. Reading yields records with legal moves, and
//! writing begins with them.
//!
//! | module | contents |
//! | --- | --- |
//! | [`error`] | the errors that end a conversion |
//! | `format` | the formats and the notations of moves, by their words |
//! | [`move_lists`] | bare lists of moves, and the notation of the rules' source |
//! | [`json_games`] | games as lines of JSON |
//! | [`sgf_reader`] | games of Go front ends: the moves of the games as clicks |
//! | [`sgf_tree`] | SGF as trees of nodes |
//! | [`sgf_writer`] | records in SGF |
//!
//! If a format cannot hold something that the game needs, the conversion fails. Other information
//! is omitted, and the omissions are reported.

pub mod error;
pub mod format;
pub mod json_games;
pub mod move_lists;
pub mod sgf_reader;
pub mod sgf_tree;
pub mod sgf_writer;

use std::collections::BTreeMap;

use crate::io::host::SystemHost;
use pentarch_core::notation::record::notes::add_comment;
use pentarch_core::notation::record::{Record, RecordedMove};
use pentarch_core::{MoveError, MoveStyle, Options, SyntaxError};
use pentarch_engine::engine_state::{game_specific_options, non_default_rules};
use pentarch_engine::error::EngineError;
use pentarch_engine::input_word::Word;
use pentarch_engine::record::{RecordError, ReplayedGame, record_options};
use pentarch_games::{GAME_OPTION, Game, GameId, GameVisitor};
use pentarch_system::ErrorContext;

use error::{ConvertError, GameError, RulesFailure, StyleError, StyledMoveError};
use format::{FormatKind, GameFormat};

/// Reads the games of a text in this format. The options apply where the text does not name the
/// game and its rules.
///
/// # Errors
/// If the text has another format, or a game is not legal by its rules.
pub fn read_games(
    text: &str,
    format: &GameFormat,
    options: &Options,
) -> Result<Vec<ReplayedGame>, ConvertError> {
    let records = match format.kind {
        FormatKind::Record | FormatKind::Oblique => Record::parse_all(text)
            .map_err(|error| ConvertError::Syntax(EngineError::in_multiline_text(text, error)))?,
        FormatKind::Json => json_games::parse_games(text)?,
        FormatKind::Moves => move_lists::parse_move_lists(text)?,
        FormatKind::Source => move_lists::parse_source_notation(text, options)?,
        FormatKind::Sgf => return sgf_reader::read_sgf(text, options),
    };
    let count = records.len();
    let mut games = Vec::new();
    for (number, record) in (1..).zip(records) {
        games.push(in_game(replay_in_notation(record, format, options), number, count)?);
    }
    Ok(games)
}

/// Adds the place to the error of the game with this number, unless it is the only one of `count`.
fn in_game<T>(
    result: Result<T, GameError>,
    number: usize,
    count: usize,
) -> Result<T, ConvertError> {
    match count {
        1 => result.map_err(ConvertError::OnlyGame),
        _ => result.in_game(number).map_err(ConvertError::Game),
    }
}

/// Replays the game of a record whose moves are in the notation of this format.
fn replay_in_notation(
    mut record: Record,
    format: &GameFormat,
    options: &Options,
) -> Result<ReplayedGame, GameError> {
    record.verify_and_remove_checksum().map_err(RecordError::from).map_err(EngineError::from)?;
    let names_game = record.values("Game").next().is_some();
    let Some(word) = &format.style else {
        name_game(&mut record, options);
        return Ok(ReplayedGame::replay(record, options, SystemHost::shared().as_ref())?);
    };
    let options = &with_game_of_format(format, options);
    if !names_game {
        if record.values("Option").next().is_none() {
            let game = GameId::from_options(options);
            let settings = game.visit(RulesToTry { options, word })?;
            if !settings.is_empty() {
                return try_rules(&record, word, options, settings);
            }
        }
        name_game(&mut record, options);
    }
    replay_styled(record, word, options)
}

/// Adds the tags for the game and the rules of these options to a record, unless it names its game.
fn name_game(record: &mut Record, options: &Options) {
    if record.values("Game").next().is_some() {
        return;
    }
    let mut tags = vec![("Game".to_string(), options.value(&GAME_OPTION).to_string())];
    for (spec, value) in non_default_rules(options) {
        tags.push(("Option".into(), format!("{}={value}", spec.name)));
    }
    record.tags.splice(0..0, tags);
}

/// Replays the game of a record whose moves are in the notation with this word.
fn replay_styled(
    mut record: Record,
    word: &str,
    options: &Options,
) -> Result<ReplayedGame, GameError> {
    let rules = &record_options(&record, options)?;
    let moves = &mut record.moves;
    GameId::from_options(rules).visit(StyledMovesReader { options: rules, word, moves })?;
    Ok(ReplayedGame::replay(record, options, SystemHost::shared().as_ref())?)
}

/// Replays a game that does not name its rules by the first of these settings that allows it.
///
/// # Errors
/// If none allows it. The error has the reason for each.
fn try_rules(
    record: &Record,
    word: &str,
    options: &Options,
    settings: &[&'static str],
) -> Result<ReplayedGame, GameError> {
    let mut failures = Vec::new();
    for &setting in settings {
        let mut options = options.clone();
        options
            .set_rule_text(game_specific_options(&options), setting)
            .map_err(EngineError::from)?;
        let mut record = record.clone();
        name_game(&mut record, &options);
        match replay_styled(record, word, &options) {
            Ok(game) => return Ok(ReplayedGame { assumed_rules: Some(setting), ..game }),
            // The syntax of a move does not depend on the rules.
            Err(error @ GameError::Move(_)) => return Err(error),
            Err(error) => failures.push(RulesFailure { setting, error }),
        }
    }
    Err(GameError::NoRules { failures })
}

/// Returns the options, with the game of the format if the format belongs to one and no other game
/// was chosen.
fn with_game_of_format(format: &GameFormat, options: &Options) -> Options {
    let mut options = options.clone();
    let word = format.style.as_deref().unwrap_or_default();
    if format.kind == FormatKind::Oblique && !options.is_set(&GAME_OPTION) {
        let games = GameId::WORDS.iter();
        let has_style = games.copied().find(|game| {
            let mut of_game = Options::default();
            of_game.set(&GAME_OPTION, game).is_ok()
                && GameId::from_options(&of_game).visit(HasStyle(word))
        });
        if let Some(game) = has_style {
            // This cannot fail: the word is that of a game.
            let _ = options.set(&GAME_OPTION, game);
        }
    }
    options
}

/// Whether a game has the notation with this word.
struct HasStyle<'a>(&'a str);

impl GameVisitor for HasStyle<'_> {
    type Output = bool;

    fn visit<G: Game>(self) -> bool {
        find_style::<G>(self.0).is_ok()
    }
}

/// The settings to try for games in the notation with this word that do not name their rules; none
/// if the user has chosen the rules.
struct RulesToTry<'a> {
    options: &'a Options,
    word: &'a str,
}

impl GameVisitor for RulesToTry<'_> {
    type Output = Result<&'static [&'static str], StyleError>;

    fn visit<G: Game>(self) -> Self::Output {
        let is_chosen = G::OPTIONS.iter().any(|spec| self.options.is_set(spec));
        let style = find_style::<G>(self.word)?;
        Ok(if is_chosen { &[] } else { style.rules })
    }
}

/// The arguments for converting the moves of a line from the notation with this word to the
/// canonical one.
struct StyledMovesReader<'a> {
    options: &'a Options,
    word: &'a str,
    moves: &'a mut Vec<RecordedMove>,
}

impl GameVisitor for StyledMovesReader<'_> {
    type Output = Result<(), GameError>;

    fn visit<G: Game>(self) -> Self::Output {
        let style = find_style::<G>(self.word)?;
        let rules = G::from_options(self.options);
        attach_remarks(style, self.moves).map_err(EngineError::from)?;
        Ok(rename_moves(self.moves, 1, &mut |text| rules.parse_styled_move(style, text))?)
    }
}

/// Removes the remarks of a notation from a line and its variations. Their glyphs and notes go to
/// the moves before them.
///
/// # Errors
/// If a comment becomes too long.
fn attach_remarks(style: &MoveStyle, line: &mut Vec<RecordedMove>) -> Result<(), RecordError> {
    let remark_of =
        |text: &str| style.remarks.iter().find(|remark| remark.word.eq_ignore_ascii_case(text));
    for mut mv in std::mem::take(line) {
        if !mv.notes().variations.is_empty() {
            for variation in &mut mv.notes_mut().variations {
                attach_remarks(style, variation)?;
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
                    add_comment(&mut notes.comment, &mv.notes().comment)?;
                }
                notes.variations.append(&mut mv.notes_mut().variations);
            }
            _ => line.push(mv),
        }
    }
    Ok(())
}

/// The arguments for converting the moves of a game from the canonical notation to the one with
/// this word.
struct StyledMovesWriter<'a> {
    options: &'a Options,
    word: &'a str,
    record: &'a mut Record,
}

impl GameVisitor for StyledMovesWriter<'_> {
    type Output = Result<(), GameError>;

    fn visit<G: Game>(self) -> Self::Output {
        let style = find_style::<G>(self.word)?;
        let rules = G::from_options(self.options);
        let start = match self.record.values("Fen").next() {
            Some(fen) => rules
                .parse_position(fen)
                .map_err(|error| EngineError::invalid_position(&Word::split(fen), error))?,
            None => rules.start(),
        };
        StyledLine { rules: &rules, style }.write(start, &mut self.record.moves)?;
        Ok(())
    }
}

/// Writes lines in one of a game's notations of other programs.
struct StyledLine<'a, G> {
    rules: &'a G,
    style: &'a MoveStyle,
}

impl<G: Game> StyledLine<'_, G> {
    /// Replaces the canonical moves of a line that begins in this position, and of its variations.
    fn write(
        &self,
        mut position: G::Position,
        line: &mut [RecordedMove],
    ) -> Result<(), EngineError> {
        for mv in line {
            let found = self.find_move(&position, &mv.text).map_err(|error| {
                EngineError::invalid_single_move(&Word::without_column(&mv.text), error)
            })?;
            mv.text = self.rules.styled_move(self.style, &position, found);
            if !mv.notes().variations.is_empty() {
                for variation in &mut mv.notes_mut().variations {
                    self.write(position, variation)?;
                }
            }
            position = self.rules.play(&position, found);
        }
        Ok(())
    }

    fn find_move(&self, position: &G::Position, text: &str) -> Result<G::Move, MoveError> {
        Ok(self.rules.find_move(position, &self.rules.parse_move(text)?)?)
    }
}

/// Returns the notation with this word.
fn find_style<G: Game>(word: &str) -> Result<&'static MoveStyle, StyleError> {
    let styles = G::MOVE_STYLES;
    let game = G::ID;
    let found = styles.iter().find(|style| style.word.eq_ignore_ascii_case(word));
    found.ok_or_else(|| match styles {
        [] => StyleError::OnlyOwn { game, word: word.into() },
        _ => {
            let known = styles.iter().map(|style| style.word).collect();
            StyleError::Unknown { game, known, word: word.into() }
        }
    })
}

/// Replaces each move of a line and of its variations by `name` of it. The first move has the
/// number `first`.
///
/// # Errors
/// The error that `name` returns for a move, with its number.
fn rename_moves(
    line: &mut [RecordedMove],
    first: usize,
    name: &mut dyn FnMut(&str) -> Result<String, SyntaxError>,
) -> Result<(), Box<StyledMoveError>> {
    for (number, mv) in (first..).zip(line) {
        mv.text = name(&mv.text).map_err(|error| {
            let text = mv.text.clone();
            Box::new(StyledMoveError { variations: Vec::new(), number, text, error })
        })?;
        if !mv.notes().variations.is_empty() {
            for variation in &mut mv.notes_mut().variations {
                rename_moves(variation, number, name).map_err(|mut error| {
                    error.variations.insert(0, number);
                    error
                })?;
            }
        }
    }
    Ok(())
}

/// Counts of the information that a conversion has omitted, by name.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Omissions(BTreeMap<&'static str, usize>);

impl Omissions {
    /// Adds `count` omissions of the information `name`.
    pub fn add(&mut self, name: &'static str, count: usize) {
        if count > 0 {
            *self.0.entry(name).or_default() += count;
        }
    }

    /// Returns the omissions as a list for people; `None` if there are none.
    pub fn summary(&self) -> Option<String> {
        let mut all = Vec::new();
        for (name, count) in &self.0 {
            all.push(format!("{count} {name}{}", if *count == 1 { "" } else { "s" }));
        }
        (!all.is_empty()).then(|| all.join(", "))
    }
}

/// Writes games in this format. Returns the text, and the omissions.
///
/// # Errors
/// If the format cannot hold something that a game needs.
pub fn write_games(
    games: &[ReplayedGame],
    format: &GameFormat,
) -> Result<(String, Omissions), ConvertError> {
    let mut omissions = Omissions::default();
    let mut texts = Vec::new();
    for (number, game) in (1..).zip(games) {
        let text = write_game(game, format, &mut omissions);
        texts.push(in_game(text, number, games.len())?);
    }
    let separator = if format.kind == FormatKind::Json { "\n" } else { "\n\n" };
    let end = if texts.is_empty() { "" } else { "\n" };
    Ok((texts.join(separator) + end, omissions))
}

fn write_game(
    game: &ReplayedGame,
    format: &GameFormat,
    omissions: &mut Omissions,
) -> Result<String, GameError> {
    let mut record = game.record.clone();
    if let Some(word) = &format.style {
        let options = &game.options;
        let record = &mut record;
        GameId::from_options(options).visit(StyledMovesWriter { options, word, record })?;
    }
    match format.kind {
        FormatKind::Record | FormatKind::Oblique => Ok(record.text(game.session.game_line().turns)),
        FormatKind::Json => Ok(json_games::to_json(&record)),
        FormatKind::Moves => move_lists::move_list(&record, omissions),
        FormatKind::Source => move_lists::source_notation(game, omissions),
        FormatKind::Sgf => sgf_writer::to_sgf(game, omissions),
    }
}

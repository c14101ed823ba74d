//! Games in the formats of others: they are read into records, whose moves are legal, and written from them.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`error`] | the errors that end a conversion |
//! | `format` | the formats and the notations of moves, by their words |
//! | [`lists`] | bare lists of moves, and the notation of the rules' source |
//! | [`lines`] | games as lines of JSON |
//! | [`sgf`] | games of Go front ends: the moves of the games as clicks |
//! | [`sgf_tree`] | texts in SGF as trees of nodes |
//! | [`sgf_writing`] | records in SGF |
//!
//! What a format cannot hold and the game needs is a reason to refuse it; what only says something of the game is left
//! out, and it is told what.

pub mod error;
pub mod format;
pub mod lines;
pub mod lists;
pub mod sgf;
pub mod sgf_tree;
pub mod sgf_writing;

use std::collections::BTreeMap;

use crate::io::host::System;
use pentarch_core::notation::record::{Record, RecordedMove};
use pentarch_core::{MoveStyle, Options, SyntaxError};
use pentarch_engine::engine_state::changed_rules;
use pentarch_engine::error::EngineError;
use pentarch_engine::record::{RecordError, Replayed, rules_of};
use pentarch_games::{GAME, Game, GameId, Visitor};
use pentarch_system::ErrorContext;

use error::{ConvertError, GameError, StyleError, StyledMoveError};
use format::{Format, Kind};

/// Reads the games of a text in this format, with these options where it says nothing of game and rules.
///
/// # Errors
/// If the text has another form, or a game of it is none of its rules.
pub fn read(text: &str, format: &Format, options: &Options) -> Result<Vec<Replayed>, ConvertError> {
    let records = match format.kind {
        Kind::Record => Record::parse_all(text)
            .map_err(|error| ConvertError::Syntax(EngineError::in_lines(text, error)))?,
        Kind::Json => lines::read(text)?,
        Kind::Moves => lists::read(text)?,
        Kind::Source => lists::read_source(text, options)?,
        Kind::Sgf => return sgf::read(text, options),
    };
    let count = records.len();
    let of_game = |(number, record)| of_games(taken(record, format, options), number, count);
    (1..).zip(records).map(of_game).collect()
}

/// Adds the place to the error of the game with this number, unless it is the only one of `count`.
fn of_games<T>(
    result: Result<T, GameError>,
    number: usize,
    count: usize,
) -> Result<T, ConvertError> {
    match count {
        1 => result.map_err(ConvertError::OnlyGame),
        _ => result.in_game(number).map_err(ConvertError::Game),
    }
}

/// The game of a record whose moves are written in the notation of this format.
fn taken(mut record: Record, format: &Format, options: &Options) -> Result<Replayed, GameError> {
    record.verify_and_remove_checksum().map_err(RecordError::from).map_err(EngineError::from)?;
    if record.values("Game").next().is_none() {
        let named = changed_rules(options)
            .into_iter()
            .map(|(spec, value)| format!("{}={value}", spec.name));
        let named = named.map(|setting| ("Option".to_string(), setting));
        let game = ("Game".to_string(), options.value(&GAME).to_string());
        record.tags.splice(0..0, std::iter::once(game).chain(named).collect::<Vec<_>>());
    }
    if let Some(word) = &format.style {
        let options = &rules_of(&record, options)?;
        GameId::chosen(options).visit(ReadStyled { options, word, moves: &mut record.moves })?;
    }
    Ok(Replayed::of(record, options, System::shared().as_ref())?)
}

/// Reads the moves of a line in the notation with this word, and gives them their canonical notation.
struct ReadStyled<'a> {
    options: &'a Options,
    word: &'a str,
    moves: &'a mut [RecordedMove],
}

impl Visitor for ReadStyled<'_> {
    type Output = Result<(), GameError>;

    fn visit<G: Game>(self) -> Self::Output {
        let style = style_of::<G>(self.word)?;
        let rules = G::from_options(self.options);
        Ok(renamed(self.moves, 1, &mut |text| rules.parse_styled_move(style, text))?)
    }
}

/// Writes the moves of a line, which are in canonical notation, in the notation with this word.
struct WriteStyled<'a> {
    options: &'a Options,
    word: &'a str,
    moves: &'a mut [RecordedMove],
}

impl Visitor for WriteStyled<'_> {
    type Output = Result<(), GameError>;

    fn visit<G: Game>(self) -> Self::Output {
        let style = style_of::<G>(self.word)?;
        let rules = G::from_options(self.options);
        Ok(renamed(self.moves, 1, &mut |text| Ok(rules.styled_move(style, text)))?)
    }
}

/// The notation with this word.
fn style_of<G: Game>(word: &str) -> Result<&'static MoveStyle, StyleError> {
    let (styles, game) = (G::MOVE_STYLES, G::ID);
    let found = styles.iter().find(|style| style.word.eq_ignore_ascii_case(word));
    found.ok_or_else(|| match styles {
        [] => StyleError::OnlyOwn { game, word: word.into() },
        _ => {
            let known = styles.iter().map(|style| style.word).collect();
            StyleError::Unknown { game, known, word: word.into() }
        }
    })
}

/// Gives each move of a line and of its variations the text that `name` makes of its text. The first one has this
/// number.
///
/// # Errors
/// The error that `name` returns for a move, with its number.
fn renamed(
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
                renamed(variation, number, name).map_err(|mut error| {
                    error.variations.insert(0, number);
                    error
                })?;
            }
        }
    }
    Ok(())
}

/// What was left out of a text, by its name, and how often.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct LeftOut(BTreeMap<&'static str, usize>);

impl LeftOut {
    /// Counts so many more of these.
    pub fn add(&mut self, what: &'static str, count: usize) {
        if count > 0 {
            *self.0.entry(what).or_default() += count;
        }
    }

    /// What was left out, in words; none if nothing was.
    pub fn text(&self) -> Option<String> {
        let counted = self
            .0
            .iter()
            .map(|(what, count)| format!("{count} {what}{}", if *count == 1 { "" } else { "s" }));
        let all: Vec<String> = counted.collect();
        (!all.is_empty()).then(|| all.join(", "))
    }
}

/// Writes games in this format, and says what it cannot hold.
///
/// # Errors
/// If the format cannot hold what a game needs.
pub fn write(games: &[Replayed], format: &Format) -> Result<(String, LeftOut), ConvertError> {
    let mut left_out = LeftOut::default();
    let mut texts = Vec::new();
    for (number, game) in (1..).zip(games) {
        let written = written(game, format, &mut left_out);
        texts.push(of_games(written, number, games.len())?);
    }
    let between = if format.kind == Kind::Json { "\n" } else { "\n\n" };
    let end = if texts.is_empty() { "" } else { "\n" };
    Ok((texts.join(between) + end, left_out))
}

fn written(game: &Replayed, format: &Format, left_out: &mut LeftOut) -> Result<String, GameError> {
    let mut record = game.record.clone();
    if let Some(word) = &format.style {
        let options = &game.options;
        GameId::chosen(options).visit(WriteStyled { options, word, moves: &mut record.moves })?;
    }
    match format.kind {
        Kind::Record => Ok(record.text(game.session.course().turns)),
        Kind::Json => Ok(lines::line(&record)),
        Kind::Moves => lists::moves(&record, left_out),
        Kind::Source => lists::source(game, left_out),
        Kind::Sgf => sgf_writing::text(game, left_out),
    }
}

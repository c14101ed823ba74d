//! Games in the formats of others: they are read into records, whose moves are legal, and written from them.
//!
//! | module | what it holds |
//! | --- | --- |
//! | `format` | the formats and the notations of moves, by their words |
//! | [`lists`] | bare lists of moves, and the notation of the rules' source |
//! | [`lines`] | games as lines of JSON |
//! | [`sgf`] | games of Go front ends: the moves of the games as clicks |
//! | [`sgf_tree`] | texts in SGF as trees of nodes |
//! | [`sgf_writing`] | records in SGF |
//!
//! What a format cannot hold and the game needs is a reason to refuse it; what only says something of the game is left
//! out, and it is told what.

pub mod format;
pub mod lines;
pub mod lists;
pub mod sgf;
pub mod sgf_tree;
pub mod sgf_writing;

use std::collections::BTreeMap;

use crate::io::host::System;
use pentarch_core::notation::record::{Record, RecordedMove};
use pentarch_core::notation::text::{did_you_mean, one_of, quoted};
use pentarch_core::{MoveStyle, Options};
use pentarch_engine::engine_state::{changed_rules, new_session};
use pentarch_engine::error::EngineError;
use pentarch_engine::record::{Replayed, rules_of};
use pentarch_engine::session::Session;
use pentarch_games::GAME;

use format::{Format, Kind};

/// Reads the games of a text in this format, with these options where it says nothing of game and rules.
///
/// # Errors
/// If the text has another form, or a game of it is none of its rules; it is said which game, where and why.
pub fn read(text: &str, format: &Format, options: &Options) -> Result<Vec<Replayed>, String> {
    let records = match format.kind {
        Kind::Record => Record::parse_all(text)
            .map_err(|error| EngineError::in_lines(text, error).to_string())?,
        Kind::Json => lines::read(text)?,
        Kind::Moves => lists::read(text)?,
        Kind::Source => lists::read_source(text, options)?,
        Kind::Sgf => return sgf::read(text, options),
    };
    let count = records.len();
    let of_game = |(number, record)| {
        let read = taken(record, format, options);
        read.map_err(|error| if count == 1 { error } else { format!("game {number}: {error}") })
    };
    (1..).zip(records).map(of_game).collect()
}

/// The game of a record whose moves are written in the notation of this format.
fn taken(mut record: Record, format: &Format, options: &Options) -> Result<Replayed, String> {
    if record.values("Game").next().is_none() {
        let named = changed_rules(options)
            .into_iter()
            .map(|(spec, value)| format!("{}={value}", spec.name));
        let named = named.map(|setting| ("Option".to_string(), setting));
        let game = ("Game".to_string(), options.text(&GAME));
        record.tags.splice(0..0, std::iter::once(game).chain(named).collect::<Vec<_>>());
    }
    if let Some(word) = &format.style {
        let session = new_session(&rules_of(&record, options)?);
        let style = style_of(word, session.as_ref())?;
        let mut read = |text: &str| {
            session.read_styled(style, text).map_err(|error| format!("{}: {error}", quoted(text)))
        };
        renamed(&mut record.moves, 1, &mut read)?;
    }
    Ok(Replayed::of(record, options, System::shared().as_ref())?)
}

/// The notation with this word.
fn style_of(word: &str, session: &dyn Session) -> Result<&'static MoveStyle, String> {
    let (styles, game) = (session.move_styles(), session.facts().game);
    let found = styles.iter().find(|style| style.word.eq_ignore_ascii_case(word));
    found.ok_or_else(|| {
        let words: Vec<&str> = styles.iter().map(|style| style.word).collect();
        match words[..] {
            [] => format!(
                "other programs write the moves of {game} as it does; there is no notation {}",
                quoted(word)
            ),
            _ => {
                let hint = did_you_mean(word, words.iter().copied());
                format!(
                    "the notations of {game} are {}, not {}{hint}",
                    one_of(&words),
                    quoted(word)
                )
            }
        }
    })
}

/// Gives each move of a line and of its variations the text that `name` makes of its text. The first one has this
/// number.
///
/// # Errors
/// What `name` says of a move, behind its number.
fn renamed(
    line: &mut [RecordedMove],
    first: usize,
    name: &mut dyn FnMut(&str) -> Result<String, String>,
) -> Result<(), String> {
    for (number, mv) in (first..).zip(line) {
        mv.text = name(&mv.text).map_err(|error| format!("move {number}, {error}"))?;
        if !mv.notes().variations.is_empty() {
            for variation in &mut mv.notes_mut().variations {
                renamed(variation, number, name)
                    .map_err(|error| format!("variation for move {number}: {error}"))?;
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
/// If the format cannot hold what a game needs; it is said which game, and why.
pub fn write(games: &[Replayed], format: &Format) -> Result<(String, LeftOut), String> {
    let mut left_out = LeftOut::default();
    let mut texts = Vec::new();
    for (number, game) in (1..).zip(games) {
        let written = written(game, format, &mut left_out);
        let of_game =
            |error| if games.len() == 1 { error } else { format!("game {number}: {error}") };
        texts.push(written.map_err(of_game)?);
    }
    let between = if format.kind == Kind::Json { "\n" } else { "\n\n" };
    let end = if texts.is_empty() { "" } else { "\n" };
    Ok((texts.join(between) + end, left_out))
}

fn written(game: &Replayed, format: &Format, left_out: &mut LeftOut) -> Result<String, String> {
    let session = game.session.as_ref();
    let mut record = game.record.clone();
    if let Some(word) = &format.style {
        let style = style_of(word, session)?;
        renamed(&mut record.moves, 1, &mut |text| Ok(session.styled(style, text)))?;
    }
    match format.kind {
        Kind::Record => Ok(record.text(session.course().turns)),
        Kind::Json => Ok(lines::line(&record)),
        Kind::Moves => lists::moves(&record, left_out),
        Kind::Source => lists::source(game, left_out),
        Kind::Sgf => sgf_writing::text(game, left_out),
    }
}

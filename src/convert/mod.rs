//! Conversion of games from and to other formats. Reading returns records with legal moves. Writing
//! starts from such records.
//!
//! | module | contents |
//! | --- | --- |
//! | [`error`] | the errors that end a conversion |
//! | `format` | the formats and the notations of moves, by their words |
//! | [`opening_list`] | openings of games, and lists of them |
//! | [`openings`] | openings from games in any format |
//! | [`move_lists`] | bare lists of moves, and the notation of the rules' source |
//! | [`json_games`] | games as lines of JSON |
//! | [`sgf_writer`] | records in SGF |
//! | `styled_moves` | moves in the notations of other programs |
//!
//! If a format cannot express something that the game needs, the conversion fails. Other
//! information is omitted, and the omissions are reported.

pub mod error;
pub mod format;
pub mod json_games;
pub mod move_lists;
pub mod opening_list;
pub mod openings;
pub mod sgf_writer;
pub(crate) mod styled_moves;

use std::collections::BTreeMap;

use crate::io::host::SystemHost;
use pentarch_core::Options;
use pentarch_core::notation::record::GameRecord;
use pentarch_engine::error::EngineError;
use pentarch_engine::record::{RecordError, ReplayedGame};
use pentarch_engine::sgf_reader::{SgfGames, SgfReadLimits, is_sgf};
use pentarch_system::WithErrorLocation;

use error::{ConvertError, GameConversionError};
use format::{GameFileFormat, GameFormatKind};

/// Reads the games of a text in this format. The options apply if the text does not name the game
/// and its rules.
///
/// # Errors
/// If the text has another format, or if a game breaks its rules.
pub fn read_games(
    text: &str,
    format: &GameFileFormat,
    options: &Options,
) -> Result<Vec<ReplayedGame>, ConvertError> {
    let games = ParsedGames::parse(text, format, options)?;
    (0..games.len()).map(|index| games.replay(index, format, options)).collect()
}

/// Reads one game of a text in this format, like [`read_games`]. `number` is the number of this
/// game, from 1. The other games need only a valid syntax.
///
/// # Errors
/// If the text has another format or no game with this number, or if the game breaks its rules.
pub fn read_game_with_number(
    text: &str,
    format: &GameFileFormat,
    options: &Options,
    number: usize,
) -> Result<ReplayedGame, ConvertError> {
    let games = ParsedGames::parse(text, format, options)?;
    match number.checked_sub(1).filter(|&index| index < games.len()) {
        Some(index) => games.replay(index, format, options),
        None => Err(ConvertError::GameNumber { games: games.len(), number }),
    }
}

/// The games of a text. The moves of the games are not replayed.
enum ParsedGames<'a> {
    Records(Vec<GameRecord>),
    /// A game in SGF becomes a record when its clicks are replayed.
    Sgf(SgfGames<'a>),
}

impl ParsedGames<'_> {
    fn parse<'a>(
        text: &'a str,
        format: &GameFileFormat,
        options: &Options,
    ) -> Result<ParsedGames<'a>, ConvertError> {
        let is_sgf = is_sgf(text);
        let kind = match format.kind {
            // Like every reader of records, this reader also accepts SGF.
            GameFormatKind::Record if is_sgf && format.style.is_none() => GameFormatKind::Sgf,
            kind if is_sgf && kind != GameFormatKind::Sgf => return Err(ConvertError::IsSgf),
            kind => kind,
        };
        let in_text = |error| ConvertError::Text(EngineError::syntax_error_in_text(text, error));
        Ok(ParsedGames::Records(match kind {
            GameFormatKind::Sgf => {
                return Ok(ParsedGames::Sgf(SgfGames::parse(text).map_err(in_text)?));
            }
            GameFormatKind::Record | GameFormatKind::Oblique => {
                GameRecord::parse_all(text).map_err(in_text)?
            }
            GameFormatKind::Json => json_games::parse_json_games(text)?,
            GameFormatKind::Moves => move_lists::parse_move_lists(text)?,
            GameFormatKind::Source => move_lists::parse_published_notation(text, options)?,
            GameFormatKind::Openings => openings::parse_openings_as_records(text),
        }))
    }

    fn len(&self) -> usize {
        match self {
            ParsedGames::Records(records) => records.len(),
            ParsedGames::Sgf(games) => games.len(),
        }
    }

    /// Replays the game with this index, which must be less than the number of games.
    fn replay(
        &self,
        index: usize,
        format: &GameFileFormat,
        options: &Options,
    ) -> Result<ReplayedGame, ConvertError> {
        let record = match self {
            ParsedGames::Records(records) => records[index].clone(),
            ParsedGames::Sgf(games) => games
                .read_game_at_index(index, options, &SgfReadLimits::DEFAULT)
                .map_err(ConvertError::Text)?,
        };
        let replayed = replay_record(record, format, options);
        add_game_number_to_error(replayed, index + 1, self.len())
    }
}

/// Adds the number of a game to its error. If the text has only one game (`count` is 1), the error
/// gets no number.
fn add_game_number_to_error<T>(
    result: Result<T, GameConversionError>,
    number: usize,
    count: usize,
) -> Result<T, ConvertError> {
    match count {
        1 => result.map_err(ConvertError::OnlyGame),
        _ => result.with_game_number(number).map_err(ConvertError::Game),
    }
}

/// Replays the game of a record whose moves are in the notation of this format.
fn replay_record(
    mut record: GameRecord,
    format: &GameFileFormat,
    options: &Options,
) -> Result<ReplayedGame, GameConversionError> {
    record.verify_and_remove_checksum().map_err(RecordError::from).map_err(EngineError::from)?;
    if let Some(word) = &format.style {
        return styled_moves::replay_styled_record(record, word, options);
    }
    Ok(ReplayedGame::replay(record, options, SystemHost::shared_host().as_ref())?)
}

/// Counts of the information that a conversion has omitted, by name.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct OmissionCounts(BTreeMap<&'static str, usize>);

impl OmissionCounts {
    /// Adds `count` omissions of the information with this name.
    pub fn add_omissions(&mut self, name: &'static str, count: usize) {
        if count > 0 {
            *self.0.entry(name).or_default() += count;
        }
    }

    /// Returns the omissions as a list for people; `None` if there are none.
    pub fn omissions_summary(&self) -> Option<String> {
        let mut all = Vec::new();
        for (name, count) in &self.0 {
            all.push(format!("{count} {name}{}", if *count == 1 { "" } else { "s" }));
        }
        (!all.is_empty()).then(|| all.join(", "))
    }
}

/// Writes games in this format. Returns the text and the omissions.
///
/// # Errors
/// If the format cannot express something that a game needs.
pub fn format_games(
    games: &[ReplayedGame],
    format: &GameFileFormat,
) -> Result<(String, OmissionCounts), ConvertError> {
    let mut omissions = OmissionCounts::default();
    let mut texts = Vec::new();
    for (number, game) in (1..).zip(games) {
        let text = format_game(game, format, &mut omissions);
        texts.push(add_game_number_to_error(text, number, games.len())?);
    }
    let separator = match format.kind {
        GameFormatKind::Json | GameFormatKind::Openings => "\n",
        _ => "\n\n",
    };
    let end = if texts.is_empty() { "" } else { "\n" };
    Ok((texts.join(separator) + end, omissions))
}

/// Counts information that a list of moves cannot contain: the options of the rules, and a result
/// that does not follow from the moves.
fn count_omissions_of_move_list_header(game: &ReplayedGame, omissions: &mut OmissionCounts) {
    let state = game.session.game_state();
    let is_by_rules = state.outcome.is_some() && state.end.is_none();
    omissions.add_omissions("result", usize::from(game.record.result != "*" && !is_by_rules));
    omissions.add_omissions("option", game.record.tag_values("Option").count());
    // A game without moves is lost, because nothing in a list of moves shows it.
    omissions.add_omissions("game without moves", usize::from(game.record.moves.is_empty()));
}

fn format_game(
    game: &ReplayedGame,
    format: &GameFileFormat,
    omissions: &mut OmissionCounts,
) -> Result<String, GameConversionError> {
    let mut record = game.record.clone();
    if let Some(word) = &format.style {
        styled_moves::write_styled_moves(&mut record, word, &game.options)?;
    }
    if matches!(
        format.kind,
        GameFormatKind::Moves | GameFormatKind::Source | GameFormatKind::Openings
    ) {
        count_omissions_of_move_list_header(game, omissions);
    }
    match format.kind {
        GameFormatKind::Record | GameFormatKind::Oblique => {
            Ok(record.text(game.session.game_moves().turns))
        }
        GameFormatKind::Json => Ok(json_games::record_to_json(&record)),
        GameFormatKind::Moves => move_lists::format_move_list(&record, omissions),
        GameFormatKind::Source => move_lists::format_game_in_published_notation(game, omissions),
        GameFormatKind::Sgf => sgf_writer::game_to_sgf(game, omissions),
        GameFormatKind::Openings => Ok(openings::format_game_as_opening(game, omissions)),
    }
}

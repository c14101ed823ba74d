//! Openings from games in any format, and games as openings.

use thiserror::Error;

use pentarch_core::Options;
use pentarch_core::notation::record::{GameRecord, RecordedMove, escape_tag_value};
use pentarch_core::rules::options::REPETITION_DRAW_OPTION;
use pentarch_engine::engine_state::{new_game_session, non_default_rules};
use pentarch_engine::games::GAME_OPTION;
use pentarch_engine::record::ReplayedGame;
use pentarch_engine::sgf_reader::is_sgf;
use pentarch_system::{LocatedError, WithErrorLocation};

use super::error::ConvertError;
use super::format::{GameFileFormat, GameFormatKind};
use super::move_lists::count_move_list_omissions;
use super::opening_list::{
    Opening, OpeningError, OpeningListError, numbered_opening_lines, parse_openings,
};
use super::{OmissionCounts, read_games};

/// An error while openings are read from a file.
#[derive(Debug, Error)]
pub enum ReadOpeningsError {
    /// The file is neither a list of openings nor a list of moves.
    #[error(transparent)]
    List(#[from] OpeningListError),
    /// The games cannot be read.
    #[error(transparent)]
    Games(#[from] ConvertError),
    /// The file is neither a list of openings nor a list of moves, and could be intended as either.
    #[error("as a list of openings: {openings}; as a list of moves: {games}")]
    Neither {
        /// The error of the list of openings.
        openings: Box<OpeningListError>,
        /// The error of the list of moves.
        games: Box<ConvertError>,
    },
    /// A game cannot be an opening.
    #[error(transparent)]
    Game(#[from] LocatedError<GameAsOpeningError>),
}

/// The reason why a game cannot be an opening.
#[derive(Debug, Error)]
pub enum GameAsOpeningError {
    /// The game has other rules than the match.
    #[error("it is a game by the rules '{found}', and the match is by '{expected}'")]
    OtherRules {
        /// The rules of the game.
        found: String,
        /// The rules of the match.
        expected: String,
    },
    /// The opening is invalid.
    #[error(transparent)]
    Opening(#[from] OpeningError),
}

/// Openings that were read from games, and the warnings about them.
pub struct OpeningsReadFromGames {
    /// The openings.
    pub openings: Vec<Opening>,
    /// Warnings about the parts of the games that an opening cannot contain.
    pub warnings: Vec<String>,
}

/// Reads openings from a list of openings, records, SGF or a list of moves. The games must have the
/// rules that `options` choose.
///
/// # Errors
/// If the text has another form, or a game is not an opening by these rules.
pub fn read_openings(
    text: &str,
    options: &Options,
) -> Result<OpeningsReadFromGames, ReadOpeningsError> {
    let begin = text.trim_start_matches('\u{feff}').trim_start();
    let read = |kind| read_games(text, &GameFileFormat { kind, style: None }, options);
    let games = if is_sgf(text) {
        read(GameFormatKind::Sgf)?
    } else if begin.starts_with(['[', '{']) {
        read(GameFormatKind::Record)?
    } else {
        let openings_error = match parse_openings(text, options) {
            Ok(openings) => return Ok(OpeningsReadFromGames { openings, warnings: Vec::new() }),
            Err(error) => error,
        };
        let moves_error = match read(GameFormatKind::Moves) {
            Ok(games) if !games.is_empty() => return openings_of_games(&games, options),
            Ok(_) => return Err(openings_error.into()),
            Err(error) => error,
        };
        let record_error = match read(GameFormatKind::Record) {
            Ok(games) => return openings_of_games(&games, options),
            Err(error) => error,
        };
        match read(GameFormatKind::Sgf) {
            Ok(games) if !games.is_empty() => games,
            _ => {
                // Only a record has comments, variations and glyphs.
                let is_record = text.contains(['{', '(', ';', '$']);
                let error = if is_record { record_error } else { moves_error };
                return Err(opening_list_error(text, options, openings_error, error));
            }
        }
    };
    openings_of_games(&games, options)
}

/// Returns the error for a text that is neither a list of openings nor a list of moves. The first
/// line decides which of the two errors is returned; if the line is ambiguous, both errors are
/// returned.
fn opening_list_error(
    text: &str,
    options: &Options,
    openings: OpeningListError,
    games: ConvertError,
) -> ReadOpeningsError {
    let mut session = new_game_session(options);
    let (_, line) = numbered_opening_lines(text).next().unwrap_or_default();
    let first = line.split_whitespace().next().unwrap_or_default();
    let begins_opening = line.split_whitespace().any(|word| word == "moves")
        || ["position", "startpos", "fen"].contains(&first)
        || Opening::parse(line).check_playable(session.as_mut()).is_ok();
    if begins_opening {
        return openings.into();
    }
    let after_number = first.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let begins_moves = after_number.starts_with(['.', '\u{2026}'])
        || new_game_session(options)
            .resolve_move(&RecordedMove::from(first.to_string()).text)
            .is_ok();
    match begins_moves {
        true => games.into(),
        false => ReadOpeningsError::Neither { openings: openings.into(), games: games.into() },
    }
}

fn openings_of_games(
    games: &[ReplayedGame],
    options: &Options,
) -> Result<OpeningsReadFromGames, ReadOpeningsError> {
    let mut omissions = OmissionCounts::default();
    let mut warnings = Vec::new();
    let mut openings = Vec::new();
    let mut session = new_game_session(options);
    for (number, game) in (1..).zip(games) {
        let opening = game_as_opening(game, options, &mut omissions).with_game_number(number)?;
        let checked = opening.check_playable(session.as_mut()).map_err(GameAsOpeningError::from);
        checked.with_game_number(number)?;
        openings.push(opening);
        warnings.extend(game.warnings.messages());
    }
    if openings.is_empty() {
        return Err(OpeningListError::Empty.into());
    }
    warnings.extend(
        omissions.omissions_summary().map(|all| format!("openings do not have these: {all}")),
    );
    Ok(OpeningsReadFromGames { openings, warnings })
}

/// Returns the rules as the words that choose them.
fn rules_as_setting_words(options: &Options) -> String {
    let mut words = options.value(&GAME_OPTION).to_string();
    for (spec, value) in non_default_rules(options) {
        // An opening is the same with and without draws by repetition.
        if *spec != REPETITION_DRAW_OPTION.spec {
            words += &format!(" {}={value}", spec.name);
        }
    }
    words
}

/// Returns a game as an opening, if it has the rules that these options choose.
fn game_as_opening(
    game: &ReplayedGame,
    options: &Options,
    omissions: &mut OmissionCounts,
) -> Result<Opening, GameAsOpeningError> {
    let found = rules_as_setting_words(&game.options);
    let expected = rules_as_setting_words(options);
    if found != expected {
        return Err(GameAsOpeningError::OtherRules { found, expected });
    }
    count_move_list_omissions(&game.record, omissions);
    omissions.add_omissions("result", usize::from(game.record.result != "*"));
    let line = game.session.game_moves();
    Ok(Opening { fen: line.start, moves: line.moves })
}

/// Parses a list of openings as records. The comments of the list do not belong to any opening, so
/// they are reported as unread parts of the first record.
pub fn parse_openings_as_records(text: &str) -> Vec<GameRecord> {
    let mut records = Vec::new();
    for (_, line) in numbered_opening_lines(text) {
        let Opening { fen, moves } = Opening::parse(line);
        let tags = fen.map(|fen| ("Fen".to_string(), escape_tag_value(&fen)));
        let mut record = GameRecord::new(tags.into_iter().collect());
        record.moves = moves.into_iter().map(RecordedMove::from).collect();
        records.push(record);
    }
    let comments = (1..).zip(text.lines()).filter(|(_, line)| line.trim_start().starts_with('#'));
    if let Some(record) = records.first_mut() {
        comments.for_each(|(number, _)| record.unread.add("a comment", Some(number)));
    }
    records
}

/// Returns a game as the opening of a match.
pub fn format_game_as_opening(game: &ReplayedGame, omissions: &mut OmissionCounts) -> String {
    count_move_list_omissions(&game.record, omissions);
    let line = game.session.game_moves();
    Opening { fen: line.start, moves: line.moves }.to_string()
}

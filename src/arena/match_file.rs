//! The file of a match. Each finished game is appended as a record, so that an interrupted match
//! can continue from the file.
//!
//! These records have the tags of every record, and these further tags:
//!
//! - `Match`: the settings of the match
//! - `Number`: the number of the game in the match
//! - `P1` and `P2`: the names of the engines that played the first and the second side
//! - `Opening`: the length of the opening in plies
//! - `End`: how the game ended
//! - `Fault`: the kind of the fault by which an engine lost the game; absent if there was none
//! - `Effort1` and `Effort2`: sums over the searches of the first and the second side

use std::path::Path;

use crate::io::record_file::RecordFile;
use pentarch_core::notation::record;
use pentarch_core::notation::record::checksum::ChecksumError;
use pentarch_core::notation::record::{GameRecord, escape_tag_value};
use pentarch_system::{FileError, LocatedError, WithErrorLocation};
use thiserror::Error;

use super::MatchConfig;
use super::fault::FaultKind;
use super::opening::{NumberedOpenings, RandomOpeningError};
use super::referee::{FinishedGame, FinishedGameWithRecord, SearchStats};
use super::results::MatchResults;
use super::schedule::MAX_MATCH_GAMES;
use crate::convert::opening_list::Opening;

/// An error in reading or writing a match file.
#[derive(Debug, Error)]
pub enum MatchFileError {
    /// The file cannot be read or written, or another run has it open.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file has contents other than games of the match.
    #[error(transparent)]
    Contents(#[from] LocatedError<MatchRecordError>),
}

/// An error in the contents of the file of a match.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MatchRecordError {
    /// The file has contents other than games of a match.
    #[error("it exists, and does not hold games of a match")]
    NotAMatch,
    /// A game was not written by this version, or was changed since then.
    #[error("game {number}: {error}")]
    Checksum {
        /// The number of the game.
        number: usize,
        /// The error of the game's checksum.
        error: ChecksumError,
    },
    /// The games belong to another match.
    #[error("it holds games of another match:\n  there: {there}\n  here:  {here}")]
    OtherMatch {
        /// The settings in the file.
        there: String,
        /// The settings of this match.
        here: String,
    },
    /// A game has no number.
    #[error("it holds a game without a number")]
    NoNumber,
    /// The number of a game exceeds the maximum of a match.
    #[error(
        "it holds a game with the number {number}, and a match has {MAX_MATCH_GAMES} games at most"
    )]
    LargeNumber {
        /// The number of the game.
        number: usize,
    },
    /// A game was played by other engines.
    #[error("game {number} is one of other engines than in this match")]
    OtherEngines {
        /// The number of the game.
        number: usize,
    },
    /// A game has another opening.
    #[error("game {number} has another opening than in this match")]
    OtherOpening {
        /// The number of the game.
        number: usize,
    },
    /// The match has no opening for a game.
    #[error(transparent)]
    NoOpening(#[from] RandomOpeningError),
}

/// The file of a match, open for appending.
pub struct MatchFile<'a> {
    file: RecordFile,
    config: &'a MatchConfig,
}

impl<'a> MatchFile<'a> {
    /// Opens or creates the file of a match, and adds its games to `results`.
    ///
    /// # Errors
    /// If the file cannot be read or written, or has contents other than games of this match. The
    /// file is then unchanged.
    pub fn open(
        path: &Path,
        config: &'a MatchConfig,
        openings: &mut NumberedOpenings,
        results: &mut MatchResults,
    ) -> Result<MatchFile<'a>, MatchFileError> {
        let (file, contents) = RecordFile::open(path)?;
        let mut match_file = MatchFile { file, config };
        let records = contents.records.as_ref().ok_or(MatchRecordError::NotAMatch);
        for record in records.with_file_path(path)? {
            let (number, game) =
                match_file.read_game_result(record, openings).with_file_path(path)?;
            results.games.insert(number, game);
        }
        if let Some(record) = &contents.unfinished {
            match_file.check_record_belongs_to_match(record).with_file_path(path)?;
        }
        match_file.file.remove_unfinished_record(&contents)?;
        Ok(match_file)
    }

    fn check_record_belongs_to_match(&self, record: &GameRecord) -> Result<(), MatchRecordError> {
        let there = record.tag_values("Match").next().ok_or(MatchRecordError::NotAMatch)?;
        let here = escape_tag_value(&self.config.to_string());
        if there != here {
            let there = there.replace(char::is_control, " ");
            return Err(MatchRecordError::OtherMatch { there, here });
        }
        Ok(())
    }

    /// Returns the number and the result of the game in a record. The record must be a game of this
    /// match.
    fn read_game_result(
        &self,
        record: &GameRecord,
        openings: &mut NumberedOpenings,
    ) -> Result<(usize, FinishedGame), MatchRecordError> {
        self.check_record_belongs_to_match(record)?;
        let tag = |name| record.tag_values(name).next().unwrap_or_default();
        let number = tag("Number").parse().ok().filter(|&number| number > 0);
        let number: usize = number.ok_or(MatchRecordError::NoNumber)?;
        if number > MAX_MATCH_GAMES {
            return Err(MatchRecordError::LargeNumber { number });
        }
        record.verify_checksum().map_err(|error| MatchRecordError::Checksum { number, error })?;
        let slot = self.config.schedule.scheduled_game(number);
        for (name, engine) in ["P1", "P2"].into_iter().zip(slot.players) {
            if tag(name) != escape_tag_value(&self.config.engines[engine].name) {
                return Err(MatchRecordError::OtherEngines { number });
            }
        }
        let opening = openings.opening_of_number(slot.opening)?;
        if record.tag_values("Fen").next() != opening.fen.as_deref()
            || !record.begins_with(&opening.moves)
        {
            return Err(MatchRecordError::OtherOpening { number });
        }
        Ok((number, parse_match_game(record)))
    }

    /// Appends the game with this number. An appended game stays in the file even if the program is
    /// interrupted afterwards.
    ///
    /// # Errors
    /// If the game cannot be written; the error names the file.
    pub fn append_game(
        &mut self,
        number: usize,
        opening: &Opening,
        game: &FinishedGameWithRecord,
    ) -> Result<(), FileError> {
        let record = match_game_record(self.config, number, opening, game);
        self.file.append(&record, game.first_turn)
    }
}

/// Returns the record of the game with this number, with the tags of the match.
pub fn match_game_record(
    config: &MatchConfig,
    number: usize,
    opening: &Opening,
    game: &FinishedGameWithRecord,
) -> GameRecord {
    let FinishedGameWithRecord { finished, record, .. } = game;
    let mut record = record.clone();
    let mut tag = |name: &str, value: String| record.tags.push((name.into(), value));
    tag("Match", escape_tag_value(&config.to_string()));
    tag("Number", number.to_string());
    for (player, engine) in (1..).zip(config.schedule.scheduled_game(number).players) {
        tag(&format!("P{player}"), escape_tag_value(&config.engines[engine].name));
    }
    tag("Opening", opening.moves.len().to_string());
    tag("End", escape_tag_value(&finished.end));
    if let Some(fault) = finished.fault {
        tag("Fault", fault.name().into());
    }
    for (player, stats) in (1..).zip(finished.stats) {
        tag(&format!("Effort{player}"), format_search_stats_tag(stats));
    }
    record.result = record::winner_to_record_result(finished.winner).into();
    record
}

/// Converts a record of a match to the finished game that it describes.
pub fn parse_match_game(record: &GameRecord) -> FinishedGame {
    let tag = |name| record.tag_values(name).next().unwrap_or_default();
    FinishedGame {
        winner: record::winner_from_record_result(&record.result).flatten(),
        end: tag("End").into(),
        fault: FaultKind::from_name(tag("Fault")),
        plies: record.moves.len(),
        stats: ["Effort1", "Effort2"].map(|name| parse_search_stats_tag(tag(name))),
    }
}

/// Formats search statistics as the value of a tag `Effort1` or `Effort2`.
fn format_search_stats_tag(stats: SearchStats) -> String {
    let SearchStats { moves, depths, nodes, micros } = stats;
    format!("{moves} moves, {depths} plies, {nodes} nodes, {micros} us")
}

/// Parses the output of [`format_search_stats_tag`]; missing numbers are 0.
fn parse_search_stats_tag(text: &str) -> SearchStats {
    let mut amounts = text.split(", ");
    let mut next = || {
        let number = amounts.next().and_then(|amount| amount.split(' ').next());
        number.and_then(|number| number.parse().ok()).unwrap_or(0)
    };
    SearchStats { moves: next(), depths: next(), nodes: next(), micros: next() }
}

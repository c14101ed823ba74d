//! The file of a match: each game is written as a record when it ends, so that an interrupted match can go on from the
//! file.
//!
//! Besides the tags that every record has, these have `Match` (the conditions of the match), `Number` (of the game in
//! the match), `P1` and `P2` (the names of the engines that played the first and the second side), `Opening` (its
//! length in plies), `End` (how the game ended), and `Effort1` and `Effort2` (sums over the searches of the first and
//! the second side).

use std::path::Path;

use crate::io::record_file::RecordFile;
use pentarch_core::notation::record;
use pentarch_core::notation::record::checksum::ChecksumError;
use pentarch_core::notation::record::{Record, escaped};
use pentarch_system::{ErrorContext, FileError, Located};
use thiserror::Error;

use super::Conditions;
use super::fault::FaultKind;
use super::opening::{Opening, Openings, RandomOpeningError};
use super::referee::{Effort, FinishedGame, PlayedGame};
use super::results::MatchResults;
use super::schedule::MOST_GAMES;

/// An error of the file of a match.
#[derive(Debug, Error)]
pub enum MatchFileError {
    /// The file cannot be read or written, or another run has it open.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file holds something else than games of the match.
    #[error(transparent)]
    Contents(#[from] Located<MatchRecordError>),
}

/// An error of the contents of the file of a match.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MatchRecordError {
    /// The file holds something else than games of a match.
    #[error("it exists, and does not hold games of a match")]
    NotAMatch,
    /// A game was not written by this version, or was changed since.
    #[error("game {number}: {error}")]
    Checksum {
        /// The number of the game.
        number: usize,
        /// The error of its checksum.
        error: ChecksumError,
    },
    /// The conditions of the games are those of another match.
    #[error("it holds games of another match:\n  there: {there}\n  here:  {here}")]
    OtherMatch {
        /// The conditions in the file.
        there: String,
        /// The conditions of this match.
        here: String,
    },
    /// A game has no number.
    #[error("it holds a game without a number")]
    NoNumber,
    /// The number of a game is greater than that of any game of a match.
    #[error("it holds a game with the number {number}, and a match has {MOST_GAMES} games at most")]
    LargeNumber {
        /// The number of the game.
        number: usize,
    },
    /// A game has other engines.
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
    conditions: &'a Conditions,
}

impl<'a> MatchFile<'a> {
    /// Opens the file of a match, or creates it if it does not exist, and adds the games in it to `results`.
    ///
    /// # Errors
    /// If the file cannot be read and written, or holds anything else than games of this match; it is unchanged then.
    pub fn open(
        path: &Path,
        conditions: &'a Conditions,
        openings: &mut Openings,
        results: &mut MatchResults,
    ) -> Result<MatchFile<'a>, MatchFileError> {
        let (file, contents) = RecordFile::open(path)?;
        let mut match_file = MatchFile { file, conditions };
        let records = contents.records.as_ref().ok_or(MatchRecordError::NotAMatch);
        for record in records.in_file(path)? {
            let (number, game) = match_file.read(record, openings).in_file(path)?;
            results.games.insert(number, game);
        }
        if let Some(record) = &contents.unfinished {
            match_file.check(record).in_file(path)?;
        }
        match_file.file.remove_unfinished(&contents)?;
        Ok(match_file)
    }

    /// Checks that a record is of this match.
    fn check(&self, record: &Record) -> Result<(), MatchRecordError> {
        let there = record.values("Match").next().ok_or(MatchRecordError::NotAMatch)?;
        let here = escaped(&self.conditions.to_string());
        if there != here {
            let there = there.replace(char::is_control, " ");
            return Err(MatchRecordError::OtherMatch { there, here });
        }
        Ok(())
    }

    /// The number and the result of the game in a record, which must be a game of this match.
    fn read(
        &self,
        record: &Record,
        openings: &mut Openings,
    ) -> Result<(usize, FinishedGame), MatchRecordError> {
        self.check(record)?;
        let tag = |name| record.values(name).next().unwrap_or_default();
        let number = tag("Number").parse().ok().filter(|&number| number > 0);
        let number: usize = number.ok_or(MatchRecordError::NoNumber)?;
        if number > MOST_GAMES {
            return Err(MatchRecordError::LargeNumber { number });
        }
        record.verify_checksum().map_err(|error| MatchRecordError::Checksum { number, error })?;
        let place = self.conditions.schedule.place(number);
        for (name, engine) in ["P1", "P2"].into_iter().zip(place.players) {
            if tag(name) != escaped(&self.conditions.engines[engine].name) {
                return Err(MatchRecordError::OtherEngines { number });
            }
        }
        let opening = openings.get(place.opening)?;
        if record.values("Fen").next() != opening.fen.as_deref()
            || !record.begins_with(&opening.moves)
        {
            return Err(MatchRecordError::OtherOpening { number });
        }
        Ok((number, game_in(record)))
    }

    /// Appends the game with this number. What was appended stays when the program ends at any later moment.
    ///
    /// # Errors
    /// If the game cannot be written; the error names the file.
    pub fn append(
        &mut self,
        number: usize,
        opening: &Opening,
        game: &PlayedGame,
    ) -> Result<(), FileError> {
        let record = record_of(self.conditions, number, opening, game);
        self.file.append(&record, game.first_turn)
    }
}

/// The record of the game with this number, with the tags of the match.
pub fn record_of(
    conditions: &Conditions,
    number: usize,
    opening: &Opening,
    game: &PlayedGame,
) -> Record {
    let PlayedGame { finished, record, .. } = game;
    let mut record = record.clone();
    let mut tag = |name: &str, value: String| record.tags.push((name.into(), value));
    tag("Match", escaped(&conditions.to_string()));
    tag("Number", number.to_string());
    for (at, engine) in (1..).zip(conditions.schedule.place(number).players) {
        tag(&format!("P{at}"), escaped(&conditions.engines[engine].name));
    }
    tag("Opening", opening.moves.len().to_string());
    tag("End", escaped(&finished.end));
    if let Some(fault) = finished.fault {
        tag("Fault", fault.name().into());
    }
    for (at, effort) in (1..).zip(finished.effort) {
        tag(&format!("Effort{at}"), effort_text(effort));
    }
    record.result = record::result_for_winner(finished.winner).into();
    record
}

/// The game in a record of a match.
pub fn game_in(record: &Record) -> FinishedGame {
    let tag = |name| record.values(name).next().unwrap_or_default();
    let winner = record::winner_from_result(&record.result).flatten();
    let effort = ["Effort1", "Effort2"].map(|name| read_effort(tag(name)));
    let (end, fault) = (tag("End").into(), FaultKind::named(tag("Fault")));
    FinishedGame { winner, end, fault, plies: record.moves.len(), effort }
}

/// The value of a tag `Effort1` or `Effort2`.
fn effort_text(effort: Effort) -> String {
    let Effort { moves, depths, nodes, micros } = effort;
    format!("{moves} moves, {depths} plies, {nodes} nodes, {micros} us")
}

/// The effort that [`effort_text`] has written; numbers that are missing are 0.
fn read_effort(text: &str) -> Effort {
    let mut numbers =
        text.split(", ").map(|amount| amount.split(' ').next().and_then(|word| word.parse().ok()));
    let mut next = || numbers.next().flatten().unwrap_or(0);
    Effort { moves: next(), depths: next(), nodes: next(), micros: next() }
}

//! The file that keeps the games of a match as records, each written as it ends. A match that was broken off goes on
//! from it.
//!
//! Beside the tags that every record has stand `Match` (its conditions), `Number` (of the game in the match), `P1` and
//! `P2` (the names of the engines that played the first and the second side), `Opening` (its plies), `End` (how the
//! game ended), `Effort1` and `Effort2` (what the searches of these engines took).

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;

use crate::core::Side;
use crate::protocol::record::{self, Record};

use super::Conditions;
use super::opening::{Opening, Openings};
use super::referee::{Effort, Finished, Played};
use super::standing::{Standing, opening_of, side_of};

/// What ends each record of the file.
const END: &str = "\n\n";

/// Why a file is left alone.
const NOT_OURS: &str = "it exists, and does not hold games of a match";

/// A file of games, open at its end.
pub struct Archive {
    file: File,
    /// The conditions of the match, as its tag says them.
    conditions: String,
    /// The names of the engines.
    names: [String; 2],
    fixed_sides: bool,
}

impl Archive {
    /// Opens the file of a match, or begins it, and adds the games that it holds to the standing.
    ///
    /// # Errors
    /// If it cannot be read and written, or holds anything but games of this match; it is not touched then.
    pub fn open(
        path: &Path,
        conditions: &Conditions,
        openings: &mut Openings,
        standing: &mut Standing,
    ) -> Result<Archive, String> {
        let named = |error: String| format!("{}: {error}", path.display());
        let failed = |error: std::io::Error| named(error.to_string());
        // Others may never end.
        if path.exists() && !path.is_file() {
            return Err(named("it is no plain file".into()));
        }
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failed)?;
        // Only the last record can be unfinished: if the machine failed, or the disk was full.
        let whole = text.rfind(END).map_or(0, |at| at + END.len());
        let archive = Archive {
            file,
            conditions: escaped(&conditions.to_string()),
            names: conditions.engines.each_ref().map(|spec| escaped(&spec.name)),
            fixed_sides: conditions.fixed_sides,
        };
        let records = Record::parse_all(&text[..whole]).ok().filter(|records| text.is_empty() == records.is_empty());
        let records = records.ok_or_else(|| named(NOT_OURS.into()))?;
        for record in records {
            let (number, game) = archive.read(&record, openings).map_err(named)?;
            standing.add(number, game);
        }
        if whole < text.len() {
            archive.file.set_len(whole as u64).map_err(failed)?;
        }
        Ok(archive)
    }

    /// Reads a game of this match, and its number.
    fn read(&self, record: &Record, openings: &mut Openings) -> Result<(usize, Finished), String> {
        let tag = |name| record.values(name).next().unwrap_or_default();
        let (theirs, ours) = (record.values("Match").next().ok_or(NOT_OURS)?, &self.conditions);
        if theirs != ours {
            let theirs = theirs.replace(char::is_control, " ");
            return Err(format!("it holds games of another match:\n  there: {theirs}\n  here:  {ours}"));
        }
        let number = tag("Number").parse().ok().filter(|&number| number > 0);
        let number: usize = number.ok_or("it holds a game without a number")?;
        let opening = openings.get(opening_of(number, self.fixed_sides))?;
        if record.values("Fen").next() != opening.fen.as_deref() || !record.moves.starts_with(&opening.moves) {
            return Err(format!("game {number} has another opening than in this match"));
        }
        let winner = match record.result.as_str() {
            "1-0" => Some(Side::First),
            "0-1" => Some(Side::Second),
            _ => None,
        };
        let effort = ["Effort1", "Effort2"].map(|name| read_effort(tag(name)));
        Ok((number, Finished { winner, end: tag("End").into(), plies: record.moves.len(), effort }))
    }

    /// Adds a game. What is written here outlives the program.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, number: usize, opening: &Opening, game: &Played) -> std::io::Result<()> {
        let Played { finished, record, first_turn } = game;
        let mut record = record.clone();
        let mut tag = |name: &str, value: String| record.tags.push((name.into(), value));
        tag("Match", self.conditions.clone());
        tag("Number", number.to_string());
        for (at, side) in (1..).zip(Side::BOTH) {
            let engine = usize::from(side_of(0, number, self.fixed_sides) != side);
            tag(&format!("P{at}"), self.names[engine].clone());
        }
        tag("Opening", opening.moves.len().to_string());
        tag("End", escaped(&finished.end));
        for (at, effort) in (1..).zip(finished.effort) {
            tag(&format!("Effort{at}"), effort_text(effort));
        }
        record.result = record::result_of(finished.winner).into();
        self.file.write_all((record.text(*first_turn) + END).as_bytes())
    }
}

/// A text as it may stand between the quotes of a tag.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace(char::is_control, " ")
}

fn effort_text(effort: Effort) -> String {
    let Effort { moves, depths, nodes, micros } = effort;
    format!("{moves} moves, {depths} plies, {nodes} nodes, {micros} us")
}

/// What [`effort_text`] has written.
fn read_effort(text: &str) -> Effort {
    let mut numbers = text.split(", ").map(|part| part.split(' ').next().and_then(|word| word.parse().ok()));
    let mut next = || numbers.next().flatten().unwrap_or(0);
    Effort { moves: next(), depths: next(), nodes: next(), micros: next() }
}

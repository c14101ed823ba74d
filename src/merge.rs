//! Shards as what the command on one machine would have written.
//!
//! The shards are read beside each other, number after number, so that little of them is in the memory at any time: of
//! shards that do not overlap one is open.

use std::cmp::Reverse;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, IntoInnerError, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use thiserror::Error;

use crate::arena::match_file::game_in;
use crate::arena::results::MatchResults;
use crate::arena::sprt::Sprt;
use crate::io::host::System;
use crate::io::interrupt::InterruptError;
use crate::shards::Reader;
use crate::shards::error::ShardFileError;
use crate::shards::header::{Differences, Header};
use pentarch_core::Options;
use pentarch_core::notation::record::Record;
use pentarch_engine::error::EngineError;
use pentarch_engine::host::Host;
use pentarch_engine::record::{RecordError, Replayed};
use pentarch_system::context::path_on_one_line;
use pentarch_system::new_file::NewFile;
use pentarch_system::{ErrorContext, FileError, Located};

/// An error of merging shards.
#[derive(Debug, Error)]
pub enum MergeError {
    /// There is no shard to merge.
    #[error("there are no shards")]
    NoShards,
    /// A shard cannot be read.
    #[error(transparent)]
    Shard(#[from] Located<ShardFileError>),
    /// A shard does not belong to the others, or the merged file is another one.
    #[error(transparent)]
    Contents(#[from] Located<MergeFileError>),
    /// The shards are of a command that this version does not merge.
    #[error("shards of '{command}' are not known to this version")]
    UnknownCommand {
        /// The command.
        command: String,
    },
    /// Two shards have different texts for a number.
    #[error(
        "number {number} has come out differently in {} and in {}",
        path_on_one_line(&.files[0]), path_on_one_line(&.files[1])
    )]
    Ambiguous {
        /// The number.
        number: u64,
        /// The files of both shards.
        files: [PathBuf; 2],
    },
    /// The text of a number holds something else than games by their rules.
    #[error("{}: number {number}: {error}", path_on_one_line(.file))]
    Games {
        /// The file of the shard.
        file: PathBuf,
        /// The number.
        number: u64,
        /// The error of a game.
        error: EngineError,
    },
    /// Numbers are in no shard.
    #[error("{}", missing_text(.ranges, .so_far.as_ref()))]
    Missing {
        /// The numbers.
        ranges: Vec<Range<u64>>,
        /// The state of a sequential test that is not over.
        so_far: Option<TestState>,
    },
    /// The merged file cannot be created, read or put in its place.
    #[error(transparent)]
    File(#[from] FileError),
    /// The merged file cannot be written.
    #[error("the merged file cannot be written: {0}")]
    Write(io::Error),
    /// Nothing can remove the temporary file when the program is interrupted.
    #[error(transparent)]
    Interrupt(#[from] InterruptError),
}

/// An error of what a file of a merge holds.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MergeFileError {
    /// A shard is of another work than the first one.
    #[error("it is of another work than {} here:\n{differences}", path_on_one_line(.other))]
    OtherWork {
        /// The first shard.
        other: PathBuf,
        /// The differences of the headers.
        differences: Differences,
    },
    /// The merged file exists, and the shards make another one.
    #[error("it is there already, with other contents")]
    OtherContents,
}

/// The state of a sequential test after the first games of a match.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TestState {
    /// The number of these games.
    pub games: usize,
    /// The log-likelihood ratio.
    pub llr: f64,
}

/// Writes to `out` what these shards of one work are together. A file that is there already with the same contents
/// stays. Calls `begin` with the path of the partial file.
///
/// # Errors
/// If `begin` fails, or if the shards are of different works, a number is missing or has come out differently in two
/// shards, a shard cannot be read, or `out` cannot be written or holds something else; nothing is written then.
pub fn merge(
    out: &Path,
    shards: &[PathBuf],
    begin: impl FnOnce(&Path) -> Result<(), InterruptError>,
) -> Result<(), MergeError> {
    let (header, mut waiting) = headers(shards)?;
    let file = NewFile::create(out).in_file(out)?;
    begin(file.partial_path())?;
    let mut file = BufWriter::new(file);
    write_all(&header, &mut waiting, &mut file)?;
    let file = file.into_inner().map_err(IntoInnerError::into_error).in_file(out)?;
    keep(out, file)
}

/// Puts a complete file in its place, unless one with the same contents is there.
fn keep(out: &Path, file: NewFile) -> Result<(), MergeError> {
    if !out.exists() {
        return Ok(file.commit().in_file(out)?);
    }
    match equal(out, file.partial_path()).in_file(out)? {
        true => Ok(()),
        false => Ok(Err(MergeFileError::OtherContents).in_file(out)?),
    }
}

/// Whether two files have the same contents.
fn equal(one: &Path, other: &Path) -> io::Result<bool> {
    if !one.is_file() || one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    let (mut one, mut other) =
        (BufReader::new(File::open(one)?), BufReader::new(File::open(other)?));
    let mut blocks = [[0; 1 << 16]; 2];
    loop {
        let [a, b] = &mut blocks;
        let count = one.read(a)?;
        other.read_exact(&mut b[..count])?;
        if count == 0 || a[..count] != b[..count] {
            return Ok(count == 0);
        }
    }
}

/// A shard that is not yet read.
struct Waiting {
    range: Range<u64>,
    path: PathBuf,
}

/// The header of these shards, in which they must not differ, and the shards, those with the lowest numbers last.
fn headers(paths: &[PathBuf]) -> Result<(Header, Vec<Waiting>), MergeError> {
    let mut first: Option<(Header, &PathBuf)> = None;
    let mut waiting = Vec::new();
    for path in paths {
        let header = Reader::open(path)?.header;
        let (range, (known, other)) =
            (header.range.clone(), first.get_or_insert_with(|| (header.clone(), path)));
        header
            .check_same(known, false)
            .map_err(|differences| MergeFileError::OtherWork {
                other: other.to_path_buf(),
                differences,
            })
            .in_file(path)?;
        waiting.push(Waiting { range, path: path.clone() });
    }
    waiting.sort_by_key(|shard| Reverse(shard.range.start));
    first.map(|(header, _)| (header, waiting)).ok_or(MergeError::NoShards)
}

/// Writes the texts of all numbers, as far as they count.
fn write_all(
    header: &Header,
    waiting: &mut Vec<Waiting>,
    out: &mut dyn Write,
) -> Result<(), MergeError> {
    let mut judge = Judge::new(header)?;
    let mut open: Vec<(Reader, u64, String)> = Vec::new();
    let (mut next, mut missing) = (0, Vec::new());
    loop {
        let lowest = open.iter().map(|(_, number, _)| *number).min();
        // Nothing is known of a shard before it is read but where it begins.
        if let Some(shard) =
            waiting.pop_if(|shard| lowest.is_none_or(|lowest| shard.range.start <= lowest))
        {
            let mut reader = Reader::open(&shard.path)?;
            if let Some((number, text)) = reader.read()? {
                open.push((reader, number, text));
            }
            continue;
        }
        let Some(number) = lowest else { break };
        let (text, file) = take(header, &mut open, number)?;
        if number > next {
            missing.push(next..number);
        }
        next = number + 1;
        if missing.is_empty() {
            judge.add(&text).map_err(|error| MergeError::Games { file, number, error })?;
            out.write_all(text.as_bytes()).map_err(MergeError::Write)?;
            if judge.is_over {
                return Ok(());
            }
        }
    }
    if next < header.count {
        missing.push(next..header.count);
    }
    match missing.is_empty() {
        true => Ok(()),
        false => Err(MergeError::Missing { ranges: missing, so_far: judge.so_far() }),
    }
}

/// Takes the text of this number from all shards that have it, and reads on in these. It must be the same in all of
/// them but for measured times. Returns it with the file of one of them.
fn take(
    header: &Header,
    open: &mut Vec<(Reader, u64, String)>,
    number: u64,
) -> Result<(String, PathBuf), MergeError> {
    let mut taken: Option<(String, PathBuf)> = None;
    for at in (0..open.len()).rev() {
        if open[at].1 != number {
            continue;
        }
        let (mut reader, _, text) = open.swap_remove(at);
        let path = reader.path().to_path_buf();
        match &taken {
            Some((other, first))
                if untimed(&header.command, other) != untimed(&header.command, &text) =>
            {
                return Err(MergeError::Ambiguous { number, files: [first.clone(), path] });
            }
            Some(_) => {}
            None => taken = Some((text, path.clone())),
        }
        if let Some((next, text)) = reader.read()? {
            open.push((reader, next, text));
        }
    }
    Ok(taken.unwrap_or_default())
}

/// The text without the times that were measured.
fn untimed(command: &str, text: &str) -> String {
    match command {
        "arena" => {
            let untimed = |line: &str| match line
                .strip_suffix(" us\"]")
                .and_then(|line| line.rsplit_once(", "))
            {
                Some((effort, _)) if effort.starts_with("[Effort") => effort.to_string(),
                _ => line.to_string(),
            };
            // The checksum is that of a record with its times.
            let lines = text.lines().filter(|line| !line.starts_with("[Checksum"));
            lines.map(untimed).collect::<Vec<_>>().join("\n")
        }
        "analyse" => serde_json::from_str(text).map_or_else(
            |_| text.into(),
            |mut value: Value| {
                remove_times(&mut value);
                value.to_string()
            },
        ),
        _ => text.into(),
    }
}

/// Removes the times of searches from a response.
fn remove_times(value: &mut Value) {
    let searches = ["analysis", "play", "drawoffer", "review", "prove"];
    for name in searches {
        let Some(search) = value.get_mut(name) else { continue };
        search.as_object_mut().map(|fields| fields.remove("time"));
        remove_times(search);
    }
}

/// Which numbers are missing, in words.
fn missing_text(missing: &[Range<u64>], so_far: Option<&TestState>) -> String {
    const MOST: usize = 20;
    let words = missing.iter().take(MOST).map(|range| format!("{}..{}", range.start, range.end));
    let more = missing.len().saturating_sub(MOST);
    let more = if more > 0 { format!(" and {more} more ranges") } else { String::new() };
    let so_far = so_far.map_or_else(String::new, |TestState { games, llr }| {
        format!("; the first {games} games have LLR {llr:.2}")
    });
    format!("numbers are missing: {}{more}{so_far}", words.collect::<Vec<_>>().join(", "))
}

/// Reads on as long as numbers count.
struct Judge {
    /// Whether the texts are games.
    has_games: bool,
    host: Arc<dyn Host>,
    /// A sequential test, whose decision ends the match, and the games up to here. A match is judged by its contiguous
    /// beginning, because short games, which differ in their results from others, end first.
    test: Option<(Sprt, MatchResults)>,
    /// Whether no more numbers count.
    is_over: bool,
}

impl Judge {
    fn new(header: &Header) -> Result<Judge, MergeError> {
        if !["analyse", "arena", "tune"].contains(&header.command.as_str()) {
            return Err(MergeError::UnknownCommand { command: header.command.clone() });
        }
        let numbers =
            header.setting("sprt").split(' ').map(str::parse).collect::<Result<Vec<f64>, _>>();
        let test = match numbers.as_deref() {
            Ok(&[elo0, elo1]) => {
                Some((Sprt { elo0, elo1 }, MatchResults::new(header.setting("sides") == "fixed")))
            }
            _ => None,
        };
        Ok(Judge {
            has_games: header.command != "analyse",
            host: System::shared(),
            test,
            is_over: false,
        })
    }

    /// Adds the text of the next number. Games are replayed, so that none that the rules forbid is merged.
    ///
    /// # Errors
    /// If the text of games is none.
    fn add(&mut self, text: &str) -> Result<(), EngineError> {
        if !self.has_games {
            return Ok(());
        }
        for record in Record::parse_all(text).map_err(|error| EngineError::in_lines(text, error))? {
            record.verify_checksum().map_err(RecordError::from)?;
            if let Some((_, results)) = &mut self.test {
                results.games.insert(results.games.len() + 1, game_in(&record));
            }
            Replayed::of(record, &Options::default(), self.host.as_ref())?;
        }
        if let Some((sprt, results)) = &self.test {
            self.is_over = sprt.decision(results.sample_in_order()).is_some();
        }
        Ok(())
    }

    /// The state of a test that is not over; none if there is no test.
    fn so_far(&self) -> Option<TestState> {
        let (sprt, results) = self.test.as_ref()?;
        let llr = sprt.llr(results.sample_in_order());
        Some(TestState { games: results.games.len(), llr })
    }
}

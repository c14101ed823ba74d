//! The subcommand `merge`: joins shards into the result of the same command on one machine.
//!
//! The shards are read in parallel, number by number, so that only a small part of each shard is in
//! memory. If no shards overlap, only one shard is open at a time.

use std::cmp::Reverse;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, IntoInnerError, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use thiserror::Error;

use crate::arena::match_file::parse_match_game;
use crate::arena::results::MatchResults;
use crate::arena::sprt::Sprt;
use crate::io::host::SystemHost;
use crate::io::interrupt::InterruptError;
use crate::shard::ShardReader;
use crate::shard::error::ShardFileError;
use crate::shard::header::{ShardHeader, ShardHeaderDifferences};
use pentarch_core::Options;
use pentarch_core::notation::record::GameRecord;
use pentarch_core::notation::record::unread_elements::UnreadElements;
use pentarch_engine::error::EngineError;
use pentarch_engine::host::Host;
use pentarch_engine::record::{RecordError, ReplayedGame};
use pentarch_system::error_location::path_on_one_line;
use pentarch_system::new_file::NewFile;
use pentarch_system::{FileError, LocatedError, WithErrorLocation};

/// An error while shards are merged.
#[derive(Debug, Error)]
pub enum MergeError {
    /// There is no shard to merge.
    #[error("there are no shards")]
    NoShards,
    /// A shard cannot be read.
    #[error(transparent)]
    Shard(#[from] LocatedError<ShardFileError>),
    /// A shard does not belong to the others, or the merged file has other contents.
    #[error(transparent)]
    Contents(#[from] LocatedError<MergeContentsError>),
    /// The shards are of a command that this version does not merge.
    #[error("shards of '{command}' are not known to this version")]
    UnknownCommand {
        /// The command of the shards.
        command: String,
    },
    /// Two shards have different results for a number.
    #[error(
        "number {number} differs in {} and in {}",
        path_on_one_line(&.files[0]), path_on_one_line(&.files[1])
    )]
    Ambiguous {
        /// The number with different results.
        number: u64,
        /// The files of both shards.
        files: [PathBuf; 2],
    },
    /// The result of a number is not a list of legal games.
    #[error("{}: number {number}: {error}", path_on_one_line(.file))]
    Games {
        /// The file of the shard.
        file: PathBuf,
        /// The number of the result.
        number: u64,
        /// The error of a game.
        error: EngineError,
    },
    /// Some numbers are in no shard.
    #[error("{}", missing_numbers_message(.ranges, .so_far.as_ref()))]
    Missing {
        /// The ranges of the missing numbers.
        ranges: Vec<Range<u64>>,
        /// The state of a sequential test that is undecided.
        so_far: Option<UndecidedSprt>,
    },
    /// The merged file cannot be created, read or moved to its path.
    #[error(transparent)]
    File(#[from] FileError),
    /// The merged file cannot be written.
    #[error("the merged file cannot be written: {0}")]
    Write(io::Error),
    /// The handler that removes the temporary file on an interrupt cannot be installed.
    #[error(transparent)]
    Interrupt(#[from] InterruptError),
}

/// An error in the contents of a shard or of the merged file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MergeContentsError {
    /// A shard belongs to another job than the first one.
    #[error("it belongs to another job than {} here:\n{differences}", path_on_one_line(.other))]
    OtherJob {
        /// The path of the first shard.
        other: PathBuf,
        /// The differences of the headers.
        differences: ShardHeaderDifferences,
    },
    /// The merged file exists, and the shards yield other contents.
    #[error("it is there already, with other contents")]
    OtherContents,
}

/// The state of a sequential test after the first games of a match.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UndecidedSprt {
    /// The number of games so far.
    pub games: usize,
    /// The log-likelihood ratio after these games.
    pub log_likelihood_ratio: f64,
}

/// A warning about a merged result.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("result {number}: {unread}")]
pub struct MergeWarning {
    /// The number of the result.
    pub number: u64,
    /// The elements of its records that were not read. The merged file contains them.
    pub unread: UnreadElements,
}

/// Merges the shards of one job, and writes the result to `out`. An existing file with the same
/// contents stays. Calls `begin` with the path of the partial file. Returns warnings about the
/// results.
///
/// # Errors
/// The function fails, and does not write `out`, in these cases:
/// - `begin` fails.
/// - The shards belong to different jobs.
/// - A number is missing, or has different results in two shards.
/// - A shard cannot be read.
/// - `out` cannot be written, or exists with other contents.
pub fn merge_shards(
    out: &Path,
    shards: &[PathBuf],
    begin: impl FnOnce(&Path) -> Result<(), InterruptError>,
) -> Result<Vec<MergeWarning>, MergeError> {
    let (header, mut unopened) = read_shard_headers(shards)?;
    let file = NewFile::create(out).with_file_path(out)?;
    begin(file.partial_path())?;
    let mut file = BufWriter::new(file);
    let warnings = write_merged_results(&header, &mut unopened, &mut file)?;
    let file = file.into_inner().map_err(IntoInnerError::into_error).with_file_path(out)?;
    commit_unless_same_contents(out, file)?;
    Ok(warnings)
}

/// Moves a complete file to its path, unless a file with the same contents exists there.
///
/// # Errors
/// If a file with other contents exists there, or the files cannot be read or moved.
fn commit_unless_same_contents(out: &Path, file: NewFile) -> Result<(), MergeError> {
    if !out.exists() {
        return Ok(file.commit_as_new_target().with_file_path(out)?);
    }
    match have_same_contents(out, file.partial_path()).with_file_path(out)? {
        true => Ok(()),
        false => Ok(Err(MergeContentsError::OtherContents).with_file_path(out)?),
    }
}

/// Returns whether two files have the same contents.
fn have_same_contents(one: &Path, other: &Path) -> io::Result<bool> {
    if !one.is_file() || one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    let mut one = BufReader::new(File::open(one)?);
    let mut other = BufReader::new(File::open(other)?);
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

/// A shard whose results are not read yet.
struct UnreadShard {
    range: Range<u64>,
    path: PathBuf,
}

/// A shard that is being read, with its next number and the result for that number.
struct ShardWithNextResult {
    reader: ShardReader,
    number: u64,
    result: String,
}

impl ShardWithNextResult {
    /// Reads the next number and its result; `None` at the end of the shard.
    fn read_next(
        mut reader: ShardReader,
    ) -> Result<Option<ShardWithNextResult>, LocatedError<ShardFileError>> {
        let next = reader.read_next_result()?;
        Ok(next.map(|(number, result)| ShardWithNextResult { reader, number, result }))
    }
}

/// Reads the headers of these shards, which must belong to one job. Returns the header of the first
/// shard, and all shards. The shard with the lowest numbers is last.
fn read_shard_headers(paths: &[PathBuf]) -> Result<(ShardHeader, Vec<UnreadShard>), MergeError> {
    let mut first: Option<(ShardHeader, &PathBuf)> = None;
    let mut shards = Vec::new();
    for path in paths {
        let header = ShardReader::open(path)?.header;
        let range = header.range.clone();
        let (first_header, other) = first.get_or_insert_with(|| (header.clone(), path));
        header
            .check_same_job(first_header)
            .map_err(|differences| MergeContentsError::OtherJob {
                other: other.to_path_buf(),
                differences,
            })
            .with_file_path(path)?;
        shards.push(UnreadShard { range, path: path.clone() });
    }
    shards.sort_by_key(|shard| Reverse(shard.range.start));
    first.map(|(header, _)| (header, shards)).ok_or(MergeError::NoShards)
}

/// Writes the merged results in the order of their numbers. If a sequential test is decided, the
/// last result is the one that decides it.
fn write_merged_results(
    header: &ShardHeader,
    unopened: &mut Vec<UnreadShard>,
    out: &mut dyn Write,
) -> Result<Vec<MergeWarning>, MergeError> {
    let mut warnings = Vec::new();
    let mut checker = MergedResultChecker::new(header)?;
    let mut open: Vec<ShardWithNextResult> = Vec::new();
    let mut next = 0;
    let mut missing = Vec::new();
    loop {
        let lowest = open.iter().map(|shard| shard.number).min();
        // Before a shard is read, only its first number is known.
        if let Some(shard) =
            unopened.pop_if(|shard| lowest.is_none_or(|lowest| shard.range.start <= lowest))
        {
            open.extend(ShardWithNextResult::read_next(ShardReader::open(&shard.path)?)?);
            continue;
        }
        let Some(number) = lowest else { break };
        let (result, file) = read_equal_results_of_number(header, &mut open, number)?;
        if number > next {
            missing.push(next..number);
        }
        next = number + 1;
        if missing.is_empty() {
            let unread = checker.add_result(&result);
            let unread = unread.map_err(|error| MergeError::Games { file, number, error })?;
            if !unread.is_empty() {
                warnings.push(MergeWarning { number, unread });
            }
            out.write_all(result.as_bytes()).map_err(MergeError::Write)?;
            if checker.is_decided {
                return Ok(warnings);
            }
        }
    }
    if next < header.count {
        missing.push(next..header.count);
    }
    match missing.is_empty() {
        true => Ok(warnings),
        false => Err(MergeError::Missing { ranges: missing, so_far: checker.undecided_sprt() }),
    }
}

/// Returns the result of this number, and the file of one shard that has the number. Advances every
/// shard that has the number.
///
/// # Errors
/// If the results differ in more than measured times, or a shard cannot be read.
fn read_equal_results_of_number(
    header: &ShardHeader,
    open: &mut Vec<ShardWithNextResult>,
    number: u64,
) -> Result<(String, PathBuf), MergeError> {
    let command = &header.command;
    let mut found: Option<(String, PathBuf)> = None;
    for index in (0..open.len()).rev() {
        if open[index].number != number {
            continue;
        }
        let ShardWithNextResult { reader, result, .. } = open.swap_remove(index);
        let path = reader.path().to_path_buf();
        match &found {
            Some((other, first))
                if result_without_measured_times(command, other)
                    != result_without_measured_times(command, &result) =>
            {
                return Err(MergeError::Ambiguous { number, files: [first.clone(), path] });
            }
            Some(_) => {}
            None => found = Some((result, path)),
        }
        open.extend(ShardWithNextResult::read_next(reader)?);
    }
    Ok(found.unwrap_or_default())
}

/// Returns the result without measured times.
fn result_without_measured_times(command: &str, result: &str) -> String {
    match command {
        "arena" => {
            let without_time = |line: &str| match line
                .strip_suffix(" us\"]")
                .and_then(|line| line.rsplit_once(", "))
            {
                Some((stats, _)) if stats.starts_with("[Effort") => stats.to_string(),
                _ => line.to_string(),
            };
            // The checksum also differs, because it covers the times.
            let lines = result.lines().filter(|line| !line.starts_with("[Checksum"));
            lines.map(without_time).collect::<Vec<_>>().join("\n")
        }
        "analyse" => serde_json::from_str(result).map_or_else(
            |_| result.into(),
            |mut value: Value| {
                remove_search_times(&mut value);
                value.to_string()
            },
        ),
        _ => result.into(),
    }
}

/// Removes the times of searches from a response in JSON.
fn remove_search_times(value: &mut Value) {
    let searches = ["analysis", "play", "drawoffer", "review", "prove"];
    for name in searches {
        let Some(search) = value.get_mut(name) else { continue };
        search.as_object_mut().map(|fields| fields.remove("time"));
        remove_search_times(search);
    }
}

/// Returns the message for missing numbers.
fn missing_numbers_message(missing: &[Range<u64>], so_far: Option<&UndecidedSprt>) -> String {
    const MAX_LISTED_MISSING_RANGES: usize = 20;
    let ranges: Vec<String> = missing
        .iter()
        .take(MAX_LISTED_MISSING_RANGES)
        .map(|range| format!("{}..{}", range.start, range.end))
        .collect();
    let more = missing.len().saturating_sub(MAX_LISTED_MISSING_RANGES);
    let more = if more > 0 { format!(" and {more} more ranges") } else { String::new() };
    let so_far =
        so_far.map_or_else(String::new, |UndecidedSprt { games, log_likelihood_ratio }| {
            format!("; the first {games} games have LLR {log_likelihood_ratio:.2}")
        });
    format!("numbers are missing: {}{more}{so_far}", ranges.join(", "))
}

/// A checker of merged results, which also runs the sequential test of a match.
struct MergedResultChecker {
    /// Whether the results are games.
    has_games: bool,
    host: Arc<dyn Host>,
    /// A sequential test and the games so far. The decision of the test ends the match. The test
    /// uses the games from the first one up to the first gap. Otherwise short games would be used
    /// first, because they end first. The results of short games differ from those of long games.
    sprt: Option<(Sprt, MatchResults)>,
    /// Whether the test has decided, so that the following numbers are ignored.
    is_decided: bool,
}

impl MergedResultChecker {
    fn new(header: &ShardHeader) -> Result<MergedResultChecker, MergeError> {
        if !["analyse", "arena", "tune"].contains(&header.command.as_str()) {
            return Err(MergeError::UnknownCommand { command: header.command.clone() });
        }
        let bounds: Result<Vec<f64>, _> =
            header.setting_value("sprt").split(' ').map(str::parse).collect();
        let sprt = match bounds.as_deref() {
            Ok(&[elo0, elo1]) => Some((
                Sprt { elo0, elo1 },
                MatchResults::new(header.setting_value("sides") == "fixed"),
            )),
            _ => None,
        };
        Ok(MergedResultChecker {
            has_games: header.command != "analyse",
            host: SystemHost::shared_host(),
            sprt,
            is_decided: false,
        })
    }

    /// Adds the result of the next number. Replays games, so that no illegal game is merged.
    /// Returns the elements of their records that were not read.
    ///
    /// # Errors
    /// If the result should be games but is something else.
    fn add_result(&mut self, result: &str) -> Result<UnreadElements, EngineError> {
        let mut unread = UnreadElements::default();
        if !self.has_games {
            return Ok(unread);
        }
        let records = GameRecord::parse_all(result)
            .map_err(|error| EngineError::syntax_error_in_text(result, error))?;
        for mut record in records {
            unread.append(std::mem::take(&mut record.unread));
            record.verify_checksum().map_err(RecordError::from)?;
            if let Some((_, results)) = &mut self.sprt {
                results.games.insert(results.games.len() + 1, parse_match_game(&record));
            }
            ReplayedGame::replay(record, &Options::default(), self.host.as_ref())?;
        }
        if let Some((sprt, results)) = &self.sprt {
            self.is_decided =
                sprt.is_h1_accepted(results.scores_before_first_unfinished_unit()).is_some();
        }
        Ok(unread)
    }

    /// Returns the state of an undecided test; `None` if there is no test.
    fn undecided_sprt(&self) -> Option<UndecidedSprt> {
        let (sprt, results) = self.sprt.as_ref()?;
        let log_likelihood_ratio =
            sprt.log_likelihood_ratio(results.scores_before_first_unfinished_unit());
        Some(UndecidedSprt { games: results.games.len(), log_likelihood_ratio })
    }
}

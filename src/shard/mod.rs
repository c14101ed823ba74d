//! Shards: parts of a job that is distributed over several machines.
//!
//! The items of a job have numbers from 0. For example, an item is a pair of games in a match, a
//! game of self-play, or a line in a file of requests. A shard is a range of items. Without time
//! limits, the result of an item depends only on its number and the settings. Therefore any machine
//! can compute any shard, and computing a shard twice does no harm.
//!
//! The file of a shard is text. The first line is a [`ShardHeader`] as an object in JSON. Each
//! other line is `[NUMBER,TEXT,CHECKSUM]`, in the order of the numbers. The file appears under its
//! name only when it is complete.
//!
//! | module | contents |
//! |---|---|
//! | [`error`] | the errors of shards |
//! | [`header`] | the description of a shard, and the differences between two shards |

pub mod error;
pub mod header;

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread::Builder;

use serde_json::json;

use crate::io::interrupt::INTERRUPTED_EXIT_CODE;
use crate::io::output::print_to_stderr;
use crate::io::whole_files::open_regular_file;
use pentarch_system::error_location::path_on_one_line;
use pentarch_system::memory::{self, ThreadError};
use pentarch_system::new_file::{NewFile, replace_file};
use pentarch_system::{FileError, LocatedError, WithErrorLocation};

use error::{ShardError, ShardFileError};
use header::{ShardHeader, crc32_of_json};

/// The range and the file of a shard to compute.
#[derive(Debug, Clone)]
pub struct ShardOptions {
    /// The numbers of the shard.
    pub range: Range<u64>,
    /// The file of the shard. If the file exists and belongs to the same shard, it stays unchanged.
    pub output: PathBuf,
    /// A function that is called with an exit code when the standard input ends. The function must
    /// end the program and all processes of the program. `None` if the standard input does not
    /// matter.
    pub end_with_input: Option<fn(i32)>,
}

impl ShardOptions {
    /// Returns whether the file of the shard exists.
    pub fn file_exists(&self) -> bool {
        self.output.exists()
    }

    /// Returns the header of the existing file.
    ///
    /// # Errors
    /// If the file is not a shard.
    pub fn read_existing_header(&self) -> Result<ShardHeader, ShardError> {
        Ok(ShardReader::open(&self.output)?.header)
    }

    /// Checks, before the shard is computed, that the file can be written. Watches the standard
    /// input if `end_with_input` is set.
    ///
    /// # Errors
    /// If no thread can be started, or the file cannot be written.
    pub fn check_file_and_watch_input(&self) -> Result<(), ShardError> {
        if let Some(end) = self.end_with_input {
            let watch_input = move || {
                wait_for_end_of_input();
                end(INTERRUPTED_EXIT_CODE);
            };
            memory::spawn_detached_thread(Builder::new().name("end of input".into()), watch_input)
                .map_err(|error| ThreadError { purpose: "read on", error })?;
        }
        let path = &self.output;
        if path.exists() {
            return Ok(());
        }
        let created = NewFile::create(path).map(drop);
        Ok(created.map_err(ShardFileError::Io).with_file_path(path)?)
    }

    /// Creates the writer of this shard of the command's job. The whole job has `count` items, and
    /// its results depend on `settings`. A range that extends beyond the last item ends at the last
    /// item. Returns `None` if the shard exists already.
    ///
    /// # Errors
    /// If the range begins after the last number, or another file exists at the path.
    pub fn create_writer(
        self,
        command: &str,
        count: u64,
        settings: Vec<(&str, String)>,
    ) -> Result<Option<ShardWriter>, ShardError> {
        let ShardOptions { range, output: path, .. } = self;
        if range.start > count {
            return Err(ShardError::Range { from: range.start, count });
        }
        let range = range.start..range.end.min(count);
        let header = ShardHeader::new(command, count, range, settings);
        if path.exists() {
            let existing = ShardReader::open(&path)?.header;
            existing
                .check_same_shard(&header)
                .map_err(ShardFileError::from)
                .with_file_path(&path)?;
            print_to_stderr(&format!("{}: it is there already", path_on_one_line(&path)));
            return Ok(None);
        }
        Ok(Some(ShardWriter { header, path }))
    }
}

fn wait_for_end_of_input() {
    let mut input = crate::io::standard_streams::standard_input();
    while input.read(&mut [0; 64]).is_ok_and(|count| count > 0) {}
}

/// A shard that is being computed.
#[derive(Debug)]
pub struct ShardWriter {
    header: ShardHeader,
    path: PathBuf,
}

impl ShardWriter {
    /// Returns the numbers of the shard.
    pub fn number_range(&self) -> Range<u64> {
        self.header.range.clone()
    }

    /// Writes the result of each number. The file appears under its name when it is complete and on
    /// the disk.
    ///
    /// # Errors
    /// If the file cannot be written; the error names the file.
    pub fn write(self, results: &BTreeMap<u64, String>) -> Result<(), FileError> {
        let mut lines = self.header.to_json() + "\n";
        for (number, result) in results {
            let checksum = crc32_of_json(&json!([number, result]));
            lines += &format!("{}\n", json!([number, result, checksum]));
        }
        replace_file(&self.path, lines.as_bytes()).with_file_path(&self.path)
    }
}

/// A reader of a shard's file, one number at a time.
pub struct ShardReader {
    /// The header of the shard.
    pub header: ShardHeader,
    path: PathBuf,
    lines: io::Lines<BufReader<fs::File>>,
    /// The minimum number of the next line.
    next: u64,
}

impl ShardReader {
    /// Opens the file of a shard.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a shard. The error names the file.
    pub fn open(path: &Path) -> Result<ShardReader, LocatedError<ShardFileError>> {
        let open = || {
            let mut lines =
                BufReader::new(open_regular_file(OpenOptions::new().read(true), path)?).lines();
            let first = match lines.next().transpose() {
                Err(error) if error.kind() == ErrorKind::InvalidData => None,
                first => first?,
            };
            let header = ShardHeader::parse(&first.unwrap_or_default())?;
            let next = header.range.start;
            Ok(ShardReader { header, path: path.into(), lines, next })
        };
        open().with_file_path(path)
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the next number and its result; `None` at the end.
    ///
    /// # Errors
    /// If the file cannot be read, has another format, or lacks a number of its range. Numbers
    /// outside the range or out of order are also errors. The error names the file.
    pub fn read_next_result(
        &mut self,
    ) -> Result<Option<(u64, String)>, LocatedError<ShardFileError>> {
        self.read_line().with_file_path(&self.path)
    }

    fn read_line(&mut self) -> Result<Option<(u64, String)>, ShardFileError> {
        let line = self.lines.next().transpose()?;
        let read = line.map(|line| parse_result_line(&line)).transpose()?;
        let ShardHeader { range, count, .. } = &self.header;
        let next = self.next;
        match &read {
            &Some((number, _)) if number < next && next > range.start => {
                return Err(ShardFileError::Order { number, last: next - 1 });
            }
            &Some((number, _)) if !range.contains(&number) || number >= *count => {
                return Err(ShardFileError::OutOfRange { number, range: range.clone() });
            }
            &Some((number, _)) if number > next => {
                return Err(ShardFileError::Missing { number: next });
            }
            None if next < range.end => return Err(ShardFileError::Missing { number: next }),
            _ => {}
        }
        self.next += u64::from(read.is_some());
        Ok(read)
    }
}

/// Parses the number and the result in a line, and checks their checksum.
fn parse_result_line(line: &str) -> Result<(u64, String), ShardFileError> {
    let (number, result, stated) = serde_json::from_str::<(u64, String, String)>(line)?;
    if stated != crc32_of_json(&json!([number, result])) {
        return Err(ShardFileError::Checksum { number });
    }
    Ok((number, result))
}

//! Shards: parts of a work that several machines share out.
//!
//! A work has numbers, counted from 0: the pairs of games of a match, the games of self-play, the lines of a file of
//! requests. A shard is a range of them. The result of a number depends on the number and on the settings alone, as
//! long as no limit is one of time, so that it does not matter which machine does which shard, nor how often.
//!
//! The file of a shard is a text. Its first line is a [`Header`] as an object in JSON, each other line
//! `[NUMBER,TEXT,CHECKSUM]`, in the order of the numbers. It appears under its name when it is complete.
//!
//! | module | what it holds |
//! |---|---|
//! | [`error`] | the errors of shards |
//! | [`header`] | what a shard says of itself, and how two shards differ |

pub mod error;
pub mod header;

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread::Builder;

use serde_json::json;

use crate::io::files::open_plain;
use crate::io::interrupt::INTERRUPTED;
use crate::io::output::tell;
use pentarch_system::context::path_on_one_line;
use pentarch_system::memory::{self, ThreadError};
use pentarch_system::new_file::{NewFile, replace_file};
use pentarch_system::{ErrorContext, FileError, Located};

use error::{ShardError, ShardFileError};
use header::{Header, checksum};

/// Which shard of a work to do.
#[derive(Debug, Clone)]
pub struct ShardPlan {
    /// The numbers of the shard.
    pub range: Range<u64>,
    /// The file of the shard. One that is there already, of the same work, stays.
    pub output: PathBuf,
    /// Ends the program, and all that it has started, with this exit code when the standard input ends. None if the
    /// standard input does not matter.
    pub end_with_input: Option<fn(i32)>,
}

impl ShardPlan {
    /// Whether the file of the shard is there already.
    pub fn is_there(&self) -> bool {
        self.output.exists()
    }

    /// The header of the file that is there.
    ///
    /// # Errors
    /// If it is no shard.
    pub fn there(&self) -> Result<Header, ShardError> {
        Ok(Reader::open(&self.output)?.header)
    }

    /// Checks that the file can be written, before any work is done for it, and watches the standard input if the plan
    /// says so.
    ///
    /// # Errors
    /// If there is no thread, or the file cannot be written.
    pub fn watch(&self) -> Result<(), ShardError> {
        if let Some(end) = self.end_with_input {
            let read = move || {
                end_of_input();
                end(INTERRUPTED);
            };
            memory::spawn_detached(Builder::new().name("end of input".into()), read)
                .map_err(|error| ThreadError { purpose: "read on", error })?;
        }
        let path = &self.output;
        if path.exists() {
            return Ok(());
        }
        let created = NewFile::create(path).map(drop);
        Ok(created.map_err(ShardFileError::Io).in_file(path)?)
    }

    /// Begins a shard of the work of this command with `count` numbers and with these settings, on which what comes of
    /// a number depends. A range that goes on behind the last number ends with it. Returns none if the shard is there
    /// already.
    ///
    /// # Errors
    /// If the range begins behind the last number, or another file is in the way.
    pub fn begin(
        self,
        command: &str,
        count: u64,
        settings: Vec<(&str, String)>,
    ) -> Result<Option<Shard>, ShardError> {
        let ShardPlan { range, output: path, .. } = self;
        if range.start > count {
            return Err(ShardError::Range { from: range.start, count });
        }
        let header = Header::new(command, count, range.start..range.end.min(count), settings);
        if path.exists() {
            let there = Reader::open(&path)?.header;
            there.check_same(&header, true).map_err(ShardFileError::from).in_file(&path)?;
            tell(&format!("{}: it is there already", path_on_one_line(&path)));
            return Ok(None);
        }
        Ok(Some(Shard { header, path }))
    }
}

/// Waits for the end of the standard input.
fn end_of_input() {
    let mut input = crate::io::standard::input();
    while input.read(&mut [0; 64]).is_ok_and(|count| count > 0) {}
}

/// A shard whose work is being done.
#[derive(Debug)]
pub struct Shard {
    header: Header,
    path: PathBuf,
}

impl Shard {
    /// The numbers of the shard.
    pub fn range(&self) -> Range<u64> {
        self.header.range.clone()
    }

    /// Writes what has come of each number. The file appears under its name when it is complete and on the disk.
    ///
    /// # Errors
    /// If the file cannot be written; the error names it.
    pub fn write(self, texts: &BTreeMap<u64, String>) -> Result<(), FileError> {
        let mut lines = self.header.text() + "\n";
        for (number, text) in texts {
            let checksum = checksum(&json!([number, text]));
            lines += &format!("{}\n", json!([number, text, checksum]));
        }
        replace_file(&self.path, lines.as_bytes()).in_file(&self.path)
    }
}

/// Reads the file of a shard, number after number.
pub struct Reader {
    /// What the shard says of itself.
    pub header: Header,
    path: PathBuf,
    lines: io::Lines<BufReader<fs::File>>,
    /// The number that the next line should not be below.
    next: u64,
}

impl Reader {
    /// Opens the file of a shard.
    ///
    /// # Errors
    /// If the file cannot be read, or is no shard; the error names it.
    pub fn open(path: &Path) -> Result<Reader, Located<ShardFileError>> {
        let open = || {
            let mut lines =
                BufReader::new(open_plain(OpenOptions::new().read(true), path)?).lines();
            let first = match lines.next().transpose() {
                Err(error) if error.kind() == ErrorKind::InvalidData => None,
                first => first?,
            };
            let header = Header::parse(&first.unwrap_or_default())?;
            let next = header.range.start;
            Ok(Reader { header, path: path.into(), lines, next })
        };
        open().in_file(path)
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The next number and what has come of it; none at the end.
    ///
    /// # Errors
    /// If the file cannot be read, has another form, or lacks a number of its range or has another one; the error names
    /// it.
    pub fn read(&mut self) -> Result<Option<(u64, String)>, Located<ShardFileError>> {
        self.read_line().in_file(&self.path)
    }

    fn read_line(&mut self) -> Result<Option<(u64, String)>, ShardFileError> {
        let line = self.lines.next().transpose()?;
        let read = line.map(|line| read_text(&line)).transpose()?;
        let Header { range, count, .. } = &self.header;
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

/// Reads the number and the text of a line, and checks their checksum.
fn read_text(line: &str) -> Result<(u64, String), ShardFileError> {
    let (number, text, stated) = serde_json::from_str::<(u64, String, String)>(line)?;
    if stated != checksum(&json!([number, text])) {
        return Err(ShardFileError::Checksum { number });
    }
    Ok((number, text))
}

//! Shards: parts of a work that several machines share out.
//!
//! A work has numbers, counted from 0: the pairs of games of a match, the games of self-play, the lines of a file of
//! requests. A shard is a range of them. The result of a number depends on the number and on the settings alone, as
//! long as no limit is one of time, so that it does not matter which machine does which shard, nor how often.
//!
//! The file of a shard is a text. Its first line is a [`Header`] as an object in JSON, each other line
//! `[NUMBER,TEXT]`, in the order of the numbers. It appears under its name when it is complete.
//!
//! | module | what it holds |
//! |---|---|
//! | [`header`] | what a shard says of itself, and how two shards differ |
//! | [`transition`] | errors for the arena, until shards have their own |

pub mod header;
pub mod transition;

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread::Builder;

use serde_json::json;

use crate::cli::Failure;
use crate::io::files::{new_file, open_plain, replace};
use crate::io::interrupt::INTERRUPTED;
use crate::io::output::tell;
use pentarch_system::files::at;
use pentarch_system::memory;

use header::Header;

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
    pub fn there(&self) -> Result<Header, Failure> {
        Reader::open(&self.output).map(|reader| reader.header).map_err(Failure::failed)
    }

    /// Checks that the file can be written, before any work is done for it, and watches the standard input if the plan
    /// says so.
    ///
    /// # Errors
    /// If there is no thread, or the file cannot be written.
    pub fn watch(&self) -> Result<(), Failure> {
        if let Some(end) = self.end_with_input {
            let read = move || {
                end_of_input();
                end(INTERRUPTED);
            };
            memory::start(Builder::new().name("end of input".into()), read).map_err(|error| {
                Failure::Failed(format!("there is no thread to read on: {error}"))
            })?;
        }
        let path = &self.output;
        if path.exists() {
            return Ok(());
        }
        let part = part_of(path);
        let _ = fs::remove_file(&part);
        let created = fs::File::create_new(&part).and_then(|_| fs::remove_file(&part));
        created.map_err(at(path)).map_err(Failure::failed)
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
    ) -> Result<Option<Shard>, Failure> {
        let ShardPlan { range, output: path, .. } = self;
        if range.start > count {
            let numbers = match count {
                0 => "there are no numbers".into(),
                _ => format!("the numbers are those from 0 to {}", count - 1),
            };
            let fault = format!("--shard begins with {}, and {numbers}", range.start);
            return Err(Failure::BadArguments(fault));
        }
        let header = Header::new(command, count, range.start..range.end.min(count), settings);
        if path.exists() {
            let differences =
                Reader::open(&path).map_err(Failure::failed)?.header.differences(&header, true);
            return match differences {
                None => {
                    tell(&at(&path)("it is there already"));
                    Ok(None)
                }
                Some(text) => Err(Failure::Failed(at(&path)(format!(
                    "it is there, and another shard:\n{text}"
                )))),
            };
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

    /// Writes what has come of each number. The file appears under its name when it is complete and on the disk; until
    /// then it has another one, which no other process uses.
    ///
    /// # Errors
    /// If the file cannot be written; the error names it.
    pub fn write(self, texts: &BTreeMap<u64, String>) -> Result<(), String> {
        let mut lines = self.header.text() + "\n";
        for (number, text) in texts {
            lines += &format!("{}\n", json!([number, text]));
        }
        let part = part_of(&self.path);
        // A process with the same number may have been killed here.
        let _ = fs::remove_file(&part);
        let written = new_file(&part, lines.as_bytes()).and_then(|()| replace(&self.path, &part));
        written.map_err(at(&self.path))
    }
}

/// The name that a file has until it is complete. No other process uses it.
pub fn part_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    name.into()
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
    pub fn open(path: &Path) -> Result<Reader, String> {
        let file = open_plain(OpenOptions::new().read(true), path).map_err(at(path))?;
        let mut lines = BufReader::new(file).lines();
        let first = lines.next().transpose().or_else(|error| match error.kind() {
            ErrorKind::InvalidData => Ok(None),
            _ => Err(at(path)(error)),
        })?;
        let header = Header::parse(&first.unwrap_or_default()).map_err(at(path))?;
        let next = header.range.start;
        Ok(Reader { header, path: path.into(), lines, next })
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
    pub fn read(&mut self) -> Result<Option<(u64, String)>, String> {
        let damaged = |fault: String| at(&self.path)(format!("it is damaged: {fault}"));
        let line = self.lines.next().transpose().map_err(at(&self.path))?;
        let read = line.map(|line| serde_json::from_str::<(u64, String)>(&line)).transpose();
        let read = read.map_err(|error| damaged(error.to_string()))?;
        let Header { range, count, .. } = &self.header;
        match &read {
            Some((number, _)) if *number < self.next && self.next > range.start => {
                return Err(damaged(format!("number {number} follows {}", self.next - 1)));
            }
            Some((number, _)) if !range.contains(number) || number >= count => {
                return Err(damaged(format!(
                    "number {number} is not in its range {}..{}",
                    range.start, range.end
                )));
            }
            Some((number, _)) if *number > self.next => {
                return Err(damaged(format!("it lacks {}", self.next)));
            }
            None if self.next < range.end => {
                return Err(damaged(format!("it lacks {}", self.next)));
            }
            _ => {}
        }
        self.next += u64::from(read.is_some());
        Ok(read)
    }
}

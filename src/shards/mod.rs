//! Shards: parts of a work that several machines share out.
//!
//! A work has numbers, counted from 0: the pairs of games of a match, the games of self-play, the openings that are
//! looked at, the lines of a file of requests. A shard is a range of them. What comes of a number depends on the
//! number and on the settings alone, as long as no limit is one of time, so that it does not matter which machine does
//! which shard, nor how often.
//!
//! The file of a shard is a text. Its first line is a [`Header`] as an object in JSON, each other line
//! `[NUMBER,TEXT]`, in the order of the numbers. It appears under its name when it is complete.
//!
//! | module | what it holds |
//! |---|---|
//! | [`header`] | what a shard says of itself, and how two shards differ |

pub mod header;

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread::Builder;

use clap::Args;
use serde_json::json;

use crate::core::{Failure, memory};
use crate::files::at;
use crate::io::files::{new_file, open_plain, replace};
use crate::io::interrupt::INTERRUPTED;
use crate::io::output::tell;

use header::Header;

/// The flags by which a command does a shard of its work.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Shards")]
pub struct ShardArguments {
    /// Do only the numbers from FROM, counted from 0, up to the one before TO, for 'pentarch merge'
    #[arg(long, value_name = "FROM..TO", requires = "output", value_parser = range)]
    shard: Option<Range<u64>>,
    /// The file for what comes of them; one that is there already, of the same command, is kept
    #[arg(long, value_name = "SHARD", requires = "shard")]
    output: Option<PathBuf>,
    /// End when the standard input ends, as it does with the program that started this one
    #[arg(long, requires = "shard")]
    until_eof: bool,
}

fn range(text: &str) -> Result<Range<u64>, String> {
    let ends = text.split_once("..").and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    let range = ends.map(|(from, to)| from..to).filter(|range| range.start <= range.end);
    range.ok_or_else(|| "two whole numbers expected, the smaller one first: 0..100".into())
}

impl ShardArguments {
    /// Whether a shard is asked for.
    pub fn is_set(&self) -> bool {
        self.shard.is_some()
    }

    /// The numbers that are asked for.
    pub fn range(&self) -> Range<u64> {
        self.shard.clone().unwrap_or_default()
    }

    /// Begins a shard of the work of this command with so many numbers, `None` if their number is not known, and with
    /// these settings, on which what comes of a number depends. A range that goes on behind the last number ends with
    /// it. Returns none if the shard is there already. `end` ends the program with an exit code, and all that it has started.
    ///
    /// # Errors
    /// If the range begins behind the last number, or another file is in the way.
    pub fn begin(
        self,
        command: &str,
        count: Option<u64>,
        settings: Vec<(&str, String)>,
        end: fn(i32),
    ) -> Result<Option<Shard>, Failure> {
        let (range, path) = (self.range(), self.output.unwrap_or_default());
        let last = count.unwrap_or(u64::MAX);
        if range.start > last {
            let fault = format!("--shard begins with {}, and the numbers are those from 0 to {last}", range.start);
            return Err(Failure::BadArguments(fault));
        }
        let header = Header::new(command, count, range.start..range.end.min(last), settings);
        if path.exists() {
            let differences = Reader::open(&path).map_err(Failure::Failed)?.header.differences(&header, true);
            return match differences {
                None => {
                    tell(&at(&path)("it is there already"));
                    Ok(None)
                }
                Some(text) => Err(Failure::Failed(at(&path)(format!("it is there, and another shard:\n{text}")))),
            };
        }
        if self.until_eof {
            let read = move || {
                end_of_input();
                end(INTERRUPTED);
            };
            memory::start_with_little(Builder::new().name("end of input".into()), read)
                .map_err(|error| Failure::Failed(format!("there is no thread to read on: {error}")))?;
        }
        Ok(Some(Shard { header, path }))
    }
}

/// Ends the program where it has started nothing that would go on.
pub fn exit(code: i32) {
    std::process::exit(code)
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
        let mut name = self.path.clone().into_os_string();
        name.push(format!(".{}.part", std::process::id()));
        let part = PathBuf::from(name);
        // A process with the same number may have been killed here.
        let _ = fs::remove_file(&part);
        let written = new_file(&part, lines.as_bytes()).and_then(|()| replace(&self.path, &part));
        written.map_err(at(&self.path))
    }
}

/// Reads the file of a shard, number after number.
pub struct Reader {
    /// What the shard says of itself.
    pub header: Header,
    path: PathBuf,
    lines: io::Lines<BufReader<fs::File>>,
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
        Ok(Reader { header, path: path.into(), lines })
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The next number and what has come of it; none at the end.
    ///
    /// # Errors
    /// If the file cannot be read, or has another form; the error names it.
    pub fn read(&mut self) -> Result<Option<(u64, String)>, String> {
        let line = self.lines.next().transpose().map_err(at(&self.path))?;
        let read = line.map(|line| serde_json::from_str(&line)).transpose();
        read.map_err(|error| at(&self.path)(format!("it is damaged: {error}")))
    }
}

//! A shard of a file of requests: some of its lines, with the answers to them.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use thiserror::Error;

use crate::io::files::open_plain;
use crate::io::input::{MAX_WAITING, next_line};
use crate::io::output::{Errors, Output, StreamError};
use crate::shards::ShardPlan;
use crate::shards::error::ShardError;
use pentarch_core::Options;
use pentarch_engine::host::HostFault;
use pentarch_engine::options;
use pentarch_engine::proof::Unsettled;
use pentarch_engine::requests::fields::Message;
use pentarch_engine::requests::request::Effort;
use pentarch_engine::requests::responder::Responder;
use pentarch_system::{ErrorContext, FileError, Located, Location};

use super::Plan;
use super::json_lines::answer_all;

/// An error of a shard of requests.
#[derive(Debug, Error)]
pub enum RequestShardError {
    /// The file of requests cannot be read, or the shard cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A request is one that no shard can answer.
    #[error(transparent)]
    Line(#[from] Located<Located<RequestLineError>>),
    /// The file of requests has changed in the meantime.
    #[error(transparent)]
    Changed(#[from] Located<ChangedFile>),
    /// The shard cannot be begun.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// The requests cannot be answered.
    #[error(transparent)]
    Host(#[from] HostFault),
    /// The requests cannot be read to the end.
    #[error(transparent)]
    Stream(#[from] StreamError),
}

impl RequestShardError {
    /// Whether the arguments of the command are at fault.
    pub fn is_usage(&self) -> bool {
        matches!(self, RequestShardError::Shard(error) if error.is_usage())
    }
}

/// A fault of a line of requests.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RequestLineError {
    /// The line has a field for requests that run.
    #[error("it has '{field}', which only requests that run take")]
    LiveField {
        /// The name of the field.
        field: &'static str,
    },
    /// This machine has not enough memory for a proof. The answer would not depend on the request alone.
    #[error("{}", Unsettled::NoMemory)]
    NoMemory,
}

/// The error that the number of answers is not that of the requests.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{requests} requests have got {answers} answers: the file has changed")]
pub struct ChangedFile {
    /// The number of requests in the file at first.
    pub requests: usize,
    /// The number of answers.
    pub answers: usize,
}

/// Responds to the requests of a shard, and writes it.
///
/// # Errors
/// If the file of requests cannot be read, a request is one that no shard can answer, there is not enough memory, or
/// the shard cannot be written.
pub fn run(
    requests: &Path,
    shard: ShardPlan,
    (options, effort): (&Options, Effort),
    responder: Responder,
    plan: Plan,
) -> Result<(), RequestShardError> {
    let mut file = open_plain(OpenOptions::new().read(true), requests).in_file(requests)?;
    let wanted = shard.range.clone();
    let Survey { count, digest, bytes } =
        survey(&mut BufReader::new(&file), &wanted).in_file(requests)?;
    let settings = settings(options, effort, digest);
    shard.watch()?;
    let Some(shard) = shard.begin("analyse", count, settings)? else { return Ok(()) };
    file.seek(SeekFrom::Start(bytes.start)).in_file(requests)?;
    let mut lines = BufReader::new((&file).take(bytes.end - bytes.start));
    let mut asked = Vec::new();
    for number in shard.range() {
        let line = next_line(&mut lines).in_file(requests)?;
        let text = line.as_ref().and_then(|line| line.as_ref().ok());
        let live_field = text.and_then(|text| match Message::parse(text) {
            Ok(Message::Stop { .. }) => Some("stop"),
            Ok(Message::Request(fields)) if fields.every.is_some() => Some("every"),
            _ => None,
        });
        if let Some(field) = live_field {
            return Err(line_error(requests, number, RequestLineError::LiveField { field }));
        }
        // An empty line gets no answer.
        asked.extend(text.is_none_or(|text| !text.trim().is_empty()).then_some(number));
    }
    file.seek(SeekFrom::Start(bytes.start)).in_file(requests)?;
    let kept = Kept::default();
    let out = Output::new(kept.clone(), Errors::Apart);
    let input: Box<dyn BufRead + Send> =
        Box::new(BufReader::new(file.take(bytes.end - bytes.start)));
    let without_memory = answer_all(input, MAX_WAITING, &out, responder, plan, None)?;
    out.result()?;
    let written = kept.0.lock().unwrap_or_else(PoisonError::into_inner);
    let mut texts: BTreeMap<u64, String> =
        shard.range().map(|number| (number, String::new())).collect();
    let written = String::from_utf8_lossy(&written);
    let lines: Vec<&str> = written.split_inclusive('\n').collect();
    if lines.len() != asked.len() {
        let changed = ChangedFile { requests: asked.len(), answers: lines.len() };
        return Ok(Err(changed).in_file(requests)?);
    }
    if let Some(&number) = without_memory.and_then(|index| asked.get(index as usize)) {
        return Err(line_error(requests, number, RequestLineError::NoMemory));
    }
    texts.extend(asked.into_iter().zip(lines.into_iter().map(String::from)));
    Ok(shard.write(&texts)?)
}

/// Returns the error of the line with this number, from 0, of a file.
fn line_error(requests: &Path, number: u64, error: RequestLineError) -> RequestShardError {
    let at_line = Located { location: Location::Line(number as usize + 1), error };
    Located { location: Location::File(requests.into()), error: at_line }.into()
}

/// What the answers depend on.
fn settings(options: &Options, effort: Effort, digest: u64) -> Vec<(&'static str, String)> {
    let changed = options::all()
        .filter(|spec| options.is_set(spec) && options.value(spec) != spec.default_value());
    let changed: Vec<String> =
        changed.map(|spec| format!("{}={}", spec.name, options.value(spec))).collect();
    let Effort { depth, nodes, movetime, multipv } = effort;
    let limit = |limit: Option<u64>| limit.map_or_else(String::new, |limit| limit.to_string());
    vec![
        ("options", changed.join(" ")),
        ("depth", limit(depth.map(u64::from))),
        ("nodes", limit(nodes)),
        ("movetime", limit(movetime)),
        ("multipv", multipv.to_string()),
        ("requests", format!("{digest:016x}")),
    ]
}

/// What is known of a file of lines.
struct Survey {
    /// How many lines it has.
    count: u64,
    /// A digest of all of it.
    digest: u64,
    /// Where the wanted lines stand.
    bytes: Range<u64>,
}

/// Looks through a file for these lines. The digest is the hash FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo).
fn survey(input: &mut BufReader<&File>, wanted: &Range<u64>) -> io::Result<Survey> {
    let (mut count, mut offset, mut digest, mut is_at_start) = (0, 0, 0xcbf2_9ce4_8422_2325, true);
    let (mut start, mut end) = (None, None);
    loop {
        let buffer = input.fill_buf()?;
        for &byte in buffer {
            if is_at_start {
                start = start.or((count == wanted.start).then_some(offset));
                end = end.or((count == wanted.end).then_some(offset));
                count += 1;
            }
            is_at_start = byte == b'\n';
            digest = (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            offset += 1;
        }
        let read = buffer.len();
        if read == 0 {
            return Ok(Survey {
                count,
                digest,
                bytes: start.unwrap_or(offset)..end.unwrap_or(offset),
            });
        }
        input.consume(read);
    }
}

/// A writer into memory that its clones share.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

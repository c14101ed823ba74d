//! Computes a shard of a file of requests: the responses to some of its lines.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use thiserror::Error;

use crate::io::input::{MAX_WAITING_LINES_BYTES, read_next_line};
use crate::io::output::{ErrorTarget, InputOutputError, Output};
use crate::io::whole_files::open_regular_file;
use crate::shard::ShardOptions;
use crate::shard::error::ShardError;
use pentarch_core::Options;
use pentarch_engine::engine_options;
use pentarch_engine::host::HostFault;
use pentarch_engine::proof::ProofFailure;
use pentarch_engine::requests::fields::InputMessage;
use pentarch_engine::requests::request::SearchLimits;
use pentarch_engine::requests::responder::Responder;
use pentarch_system::{ErrorLocation, FileError, LocatedError, WithErrorLocation};

use super::BatchThreadOptions;
use super::json_lines::respond_to_request_lines;

/// An error that prevents a shard of requests from being computed or written.
#[derive(Debug, Error)]
pub enum AnalysisShardError {
    /// The file of requests cannot be read, or the shard cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A shard cannot contain a request of this kind.
    #[error(transparent)]
    Line(#[from] LocatedError<LocatedError<ShardRequestLineError>>),
    /// The file of requests has changed during the run.
    #[error(transparent)]
    Changed(#[from] LocatedError<ChangedRequestFileError>),
    /// The shard cannot be started.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// The system lacks the memory or the threads for the responses.
    #[error(transparent)]
    Host(#[from] HostFault),
    /// The requests cannot be read to the end.
    #[error(transparent)]
    Stream(#[from] InputOutputError),
}

impl AnalysisShardError {
    /// Returns whether the error is a fault of the command line's arguments.
    pub fn is_usage_error(&self) -> bool {
        matches!(self, AnalysisShardError::Shard(error) if error.is_usage_error())
    }
}

/// The reason why a line of requests cannot be a part of a shard.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ShardRequestLineError {
    /// The line has a field that only applies to requests in progress.
    #[error("it has '{field}', which is not allowed in a shard")]
    LiveField {
        /// The name of the field.
        field: &'static str,
    },
    /// This machine does not have enough memory for a proof. The response would therefore depend on
    /// the machine.
    #[error("{}", ProofFailure::NoMemory)]
    NoMemory,
}

/// The error if the number of responses differs from the number of requests.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{requests} requests have {responses} responses: the file has changed")]
pub struct ChangedRequestFileError {
    /// The number of requests in the file when it was first read.
    pub requests: usize,
    /// The number of responses.
    pub responses: usize,
}

/// Responds to the requests of a shard, and writes the shard.
///
/// # Errors
/// Returns an error in these cases:
/// - The file of requests cannot be read.
/// - A shard cannot contain one of the requests.
/// - There is not enough memory.
/// - The shard cannot be written.
pub(crate) fn respond_to_request_shard(
    requests: &Path,
    shard: ShardOptions,
    (options, limits): (&Options, SearchLimits),
    responder: Responder,
    batch: BatchThreadOptions,
) -> Result<(), AnalysisShardError> {
    let mut file =
        open_regular_file(OpenOptions::new().read(true), requests).with_file_path(requests)?;
    let LineRangeScan { count, digest, bytes } =
        scan_input_line_range(&mut BufReader::new(&file), &shard.range).with_file_path(requests)?;
    let settings = settings_that_affect_responses(options, limits, digest);
    shard.check_file_and_watch_input()?;
    let Some(shard) = shard.create_writer("analyse", count, settings)? else { return Ok(()) };
    file.seek(SeekFrom::Start(bytes.start)).with_file_path(requests)?;
    let mut lines = BufReader::new((&file).take(bytes.end - bytes.start));
    let request_numbers = find_request_line_numbers(&mut lines, requests, shard.number_range())?;
    file.seek(SeekFrom::Start(bytes.start)).with_file_path(requests)?;
    let buffer = SharedBuffer::default();
    let out = Output::new(buffer.clone(), ErrorTarget::Stderr);
    let input: Box<dyn BufRead + Send> =
        Box::new(BufReader::new(file.take(bytes.end - bytes.start)));
    let without_memory =
        respond_to_request_lines(input, MAX_WAITING_LINES_BYTES, &out, responder, batch, None)?;
    out.take_first_failure()?;
    let written = buffer.0.lock().unwrap_or_else(PoisonError::into_inner);
    let written = String::from_utf8_lossy(&written);
    let responses: Vec<&str> = written.split_inclusive('\n').collect();
    if responses.len() != request_numbers.len() {
        let changed =
            ChangedRequestFileError { requests: request_numbers.len(), responses: responses.len() };
        return Ok(Err(changed).with_file_path(requests)?);
    }
    if let Some(&number) = without_memory.and_then(|index| request_numbers.get(index as usize)) {
        return Err(request_line_error(requests, number, ShardRequestLineError::NoMemory));
    }
    let mut results: BTreeMap<u64, String> =
        shard.number_range().map(|number| (number, String::new())).collect();
    results.extend(request_numbers.into_iter().zip(responses.into_iter().map(String::from)));
    Ok(shard.write(&results)?)
}

/// Returns the numbers of the lines that get a response. An empty line gets no response. `numbers`
/// are the numbers of all lines that are read.
fn find_request_line_numbers(
    lines: &mut impl BufRead,
    requests: &Path,
    numbers: Range<u64>,
) -> Result<Vec<u64>, AnalysisShardError> {
    let mut found = Vec::new();
    for number in numbers {
        let line = read_next_line(lines).with_file_path(requests)?;
        let text = line.as_ref().and_then(|line| line.as_ref().ok());
        let live_field = text.and_then(|text| match InputMessage::parse(text) {
            Ok(InputMessage::Stop { .. }) => Some("stop"),
            Ok(InputMessage::Request(fields)) if fields.every.is_some() => Some("every"),
            _ => None,
        });
        if let Some(field) = live_field {
            let error = ShardRequestLineError::LiveField { field };
            return Err(request_line_error(requests, number, error));
        }
        if text.is_none_or(|text| !text.trim().is_empty()) {
            found.push(number);
        }
    }
    Ok(found)
}

/// Returns the error for a line of the file `requests`. The lines have numbers from 0.
fn request_line_error(
    requests: &Path,
    number: u64,
    error: ShardRequestLineError,
) -> AnalysisShardError {
    let at_line = LocatedError { location: ErrorLocation::Line(number as usize + 1), error };
    LocatedError { location: ErrorLocation::File(requests.into()), error: at_line }.into()
}

fn settings_that_affect_responses(
    options: &Options,
    limits: SearchLimits,
    digest: u64,
) -> Vec<(&'static str, String)> {
    let changed = engine_options::all_options()
        .filter(|spec| options.is_set(spec) && options.value(spec) != spec.default_value());
    let changed: Vec<String> =
        changed.map(|spec| format!("{}={}", spec.name, options.value(spec))).collect();
    let SearchLimits { depth, nodes, movetime, multipv } = limits;
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

struct LineRangeScan {
    /// The number of lines of the file.
    count: u64,
    /// The digest of the whole file.
    digest: u64,
    /// The range of bytes that the wanted lines take in the file.
    bytes: Range<u64>,
}

/// Scans a file for the range of bytes of the wanted lines. The digest is the hash FNV-1a (G.
/// Fowler, L. C. Noll, K.-P. Vo).
fn scan_input_line_range(
    input: &mut BufReader<&File>,
    wanted: &Range<u64>,
) -> io::Result<LineRangeScan> {
    let mut count = 0;
    let mut offset = 0;
    let mut digest = 0xcbf2_9ce4_8422_2325;
    let mut is_at_start = true;
    let mut start = None;
    let mut end = None;
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
            return Ok(LineRangeScan {
                count,
                digest,
                bytes: start.unwrap_or(offset)..end.unwrap_or(offset),
            });
        }
        input.consume(read);
    }
}

/// A buffer that its clones share.
#[derive(Clone, Default)]
struct SharedBuffer(Arc<Mutex<Vec<u8>>>);

impl Write for SharedBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

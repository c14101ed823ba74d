//! A shard of a file of requests: some of its lines, with the answers to them.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use crate::cli::Failure;
use crate::io::files::open_plain;
use crate::io::input::{MAX_WAITING, next_line};
use crate::io::output::{Errors, Output};
use crate::shards::ShardPlan;
use pentarch_core::Options;
use pentarch_engine::options;
use pentarch_engine::proof::NO_MEMORY;
use pentarch_engine::requests::fields::Message;
use pentarch_engine::requests::request::Effort;
use pentarch_engine::requests::responder::Responder;
use pentarch_system::files::at;

use super::Plan;
use super::json_lines::answer_all;

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
) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::Failed(at(requests)(error));
    let mut file = open_plain(OpenOptions::new().read(true), requests).map_err(failed)?;
    let wanted = shard.range.clone();
    let Survey { count, digest, bytes } =
        survey(&mut BufReader::new(&file), &wanted).map_err(failed)?;
    let settings = settings(options, effort, digest);
    shard.watch()?;
    let Some(shard) = shard.begin("analyse", count, settings)? else { return Ok(()) };
    file.seek(SeekFrom::Start(bytes.start)).map_err(failed)?;
    let mut lines = BufReader::new((&file).take(bytes.end - bytes.start));
    let mut asked = Vec::new();
    for number in shard.range() {
        let line = next_line(&mut lines).map_err(failed)?;
        let text = line.as_ref().and_then(|line| line.as_ref().ok());
        let live_field = text.and_then(|text| match Message::parse(text) {
            Ok(Message::Stop { .. }) => Some("stop"),
            Ok(Message::Request(fields)) if fields.every.is_some() => Some("every"),
            _ => None,
        });
        if let Some(field) = live_field {
            let fault =
                format!("line {} has '{field}', which only requests that run take", number + 1);
            return Err(Failure::Failed(at(requests)(fault)));
        }
        // An empty line gets no answer.
        asked.extend(text.is_none_or(|text| !text.trim().is_empty()).then_some(number));
    }
    file.seek(SeekFrom::Start(bytes.start)).map_err(failed)?;
    let kept = Kept::default();
    let out = Output::new(kept.clone(), Errors::Apart);
    let input: Box<dyn BufRead + Send> =
        Box::new(BufReader::new(file.take(bytes.end - bytes.start)));
    answer_all(input, MAX_WAITING, &out, responder, plan, None)
        .and_then(|()| Ok(out.result()?))
        .map_err(Failure::failed)?;
    let written = kept.0.lock().unwrap_or_else(PoisonError::into_inner);
    let mut texts: BTreeMap<u64, String> =
        shard.range().map(|number| (number, String::new())).collect();
    let written = String::from_utf8_lossy(&written);
    let lines: Vec<&str> = written.split_inclusive('\n').collect();
    if lines.len() != asked.len() {
        let fault = format!(
            "{} requests have got {} answers: the file has changed",
            asked.len(),
            lines.len()
        );
        return Err(Failure::Failed(at(requests)(fault)));
    }
    // What only this machine lacks is no answer that depends on the request alone.
    if let Some((number, _)) = asked.iter().zip(&lines).find(|(_, line)| lacks_memory(line)) {
        return Err(Failure::Failed(at(requests)(format!("line {}: {NO_MEMORY}", number + 1))));
    }
    texts.extend(asked.into_iter().zip(lines.into_iter().map(String::from)));
    shard.write(&texts).map_err(Failure::failed)
}

/// Whether an answer says that there was no memory for a proof.
fn lacks_memory(answer: &str) -> bool {
    answer.contains(NO_MEMORY)
        && serde_json::from_str::<Value>(answer)
            .is_ok_and(|answer| answer["prove"]["why"] == NO_MEMORY)
}

/// What the answers depend on.
fn settings(options: &Options, effort: Effort, digest: u64) -> Vec<(&'static str, String)> {
    let changed = options::all()
        .filter(|spec| options.is_set(spec) && options.text(spec) != spec.default_value());
    let changed: Vec<String> =
        changed.map(|spec| format!("{}={}", spec.name, options.text(spec))).collect();
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

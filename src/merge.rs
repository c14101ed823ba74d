//! Shards as what the command on one machine would have written.
//!
//! The shards are read beside each other, number after number, so that little of them is in the memory at any time: of
//! shards that do not overlap one is open.

use std::cmp::Reverse;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::exit;

use serde_json::Value;

use crate::arena::match_file::game_in;
use crate::arena::results::MatchResults;
use crate::arena::sprt::Sprt;
use crate::core::record::Record;
use crate::files::at;
use crate::io::files::replace;
use crate::io::interrupt::on_interrupt;
use crate::shards::header::Header;
use crate::shards::{Reader, part_of};
use crate::tune::openings::{DRAWS, NO_MORE, ONE_SIDED, shortage};

/// Writes to `out` what these shards of one work are together. A file that is there already with the same contents
/// stays.
///
/// # Errors
/// If the shards are of different works, a number is missing or has come out differently in two shards, a shard cannot
/// be read, or `out` cannot be written or holds something else; nothing is written then. Also, once it is written, if
/// a list of openings is too short.
pub fn merge(out: &Path, shards: &[PathBuf]) -> Result<(), String> {
    let (header, mut waiting) = headers(shards)?;
    let part = part_of(out);
    let removed = part.clone();
    on_interrupt(move |code| {
        let _ = fs::remove_file(&removed);
        exit(code)
    })?;
    let mut file = BufWriter::new(File::create(&part).map_err(at(out))?);
    let merged = write_all(&header, &mut waiting, &mut file);
    let kept = merged.and_then(|shortage| {
        file.flush().and_then(|()| file.get_ref().sync_all()).map_err(at(&part))?;
        keep(out, &part).map(|()| shortage)
    });
    let _ = fs::remove_file(&part);
    kept?.map_or(Ok(()), Err)
}

/// Puts a complete file in its place, unless one with the same contents is there.
fn keep(out: &Path, part: &Path) -> Result<(), String> {
    if !out.exists() {
        return replace(out, part).map_err(at(out));
    }
    match equal(out, part).map_err(at(out))? {
        true => Ok(()),
        false => Err(at(out)("it is there already, with other contents")),
    }
}

/// Whether two files have the same contents.
fn equal(one: &Path, other: &Path) -> io::Result<bool> {
    if !one.is_file() || one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    let (mut one, mut other) = (BufReader::new(File::open(one)?), BufReader::new(File::open(other)?));
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
fn headers(paths: &[PathBuf]) -> Result<(Header, Vec<Waiting>), String> {
    let mut first: Option<(Header, &PathBuf)> = None;
    let mut waiting = Vec::new();
    for path in paths {
        let header = Reader::open(path)?.header;
        let (range, (known, other)) = (header.range.clone(), first.get_or_insert_with(|| (header.clone(), path)));
        if let Some(differences) = header.differences(known, false) {
            let fault = format!("it is of another work than {} here:\n{differences}", other.display());
            return Err(at(path)(fault));
        }
        waiting.push(Waiting { range, path: path.clone() });
    }
    waiting.sort_by_key(|shard| Reverse(shard.range.start));
    first.map(|(header, _)| (header, waiting)).ok_or_else(|| "there are no shards".into())
}

/// Writes what comes of all numbers, as far as they count. Returns what is to be said of a result that is less than was
/// asked for.
fn write_all(header: &Header, waiting: &mut Vec<Waiting>, file: &mut dyn Write) -> Result<Option<String>, String> {
    let mut judge = Judge::new(header)?;
    let failed = |error: io::Error| format!("the merged file cannot be written: {error}");
    file.write_all(judge.begin(header).as_bytes()).map_err(failed)?;
    let mut open: Vec<(Reader, u64, String)> = Vec::new();
    let (mut next, mut missing) = (0, Vec::new());
    loop {
        let lowest = open.iter().map(|(_, number, _)| *number).min();
        // Nothing is known of a shard before it is read but where it begins.
        if let Some(shard) = waiting.pop_if(|shard| lowest.is_none_or(|lowest| shard.range.start <= lowest)) {
            let mut reader = Reader::open(&shard.path)?;
            if let Some((number, text)) = reader.read()? {
                open.push((reader, number, text));
            }
            continue;
        }
        let Some(number) = lowest else { break };
        let text = take(header, &mut open, number)?;
        if number > next {
            missing.push(next..number);
        }
        next = number + 1;
        if missing.is_empty() {
            let text = judge.written(&text).map_err(|fault| format!("number {number} is damaged: {fault}"))?;
            file.write_all(text.as_bytes()).map_err(failed)?;
            if judge.is_over {
                return Ok(judge.shortage());
            }
        }
    }
    match header.count {
        None => missing.push(next..u64::MAX),
        Some(count) if next < count => missing.push(next..count),
        Some(_) => {}
    }
    if missing.is_empty() { Ok(None) } else { Err(missing_text(&missing, judge.so_far())) }
}

/// Takes the text of this number from all shards that have it, and reads on in these. It must be the same in all of
/// them but for measured times.
fn take(header: &Header, open: &mut Vec<(Reader, u64, String)>, number: u64) -> Result<String, String> {
    let mut taken: Option<(String, PathBuf)> = None;
    for at in (0..open.len()).rev() {
        if open[at].1 != number {
            continue;
        }
        let (mut reader, _, text) = open.swap_remove(at);
        let path = reader.path().to_path_buf();
        match &taken {
            Some((other, first)) if untimed(&header.command, other) != untimed(&header.command, &text) => {
                let [one, other] = [first, &path].map(|path| path.display());
                return Err(format!("number {number} has come out differently in {one} and in {other}"));
            }
            Some(_) => {}
            None => taken = Some((text, path.clone())),
        }
        if let Some((next, text)) = reader.read()? {
            open.push((reader, next, text));
        }
    }
    Ok(taken.map_or_else(String::new, |(text, _)| text))
}

/// The text without the times that were measured.
fn untimed(command: &str, text: &str) -> String {
    match command {
        "arena" => {
            let untimed = |line: &str| match line.strip_suffix(" us\"]").and_then(|line| line.rsplit_once(", ")) {
                Some((effort, _)) if effort.starts_with("[Effort") => effort.to_string(),
                _ => line.to_string(),
            };
            text.lines().map(untimed).collect::<Vec<_>>().join("\n")
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

/// Removes the members of an answer that tell the time of its searches.
fn remove_times(value: &mut Value) {
    let searches = ["analysis", "play", "drawoffer", "review", "prove"];
    for name in searches {
        let Some(search) = value.get_mut(name) else { continue };
        search.as_object_mut().map(|members| members.remove("time"));
        remove_times(search);
    }
}

/// Which numbers are missing, in words.
fn missing_text(missing: &[Range<u64>], so_far: String) -> String {
    const MOST: usize = 20;
    let words = missing.iter().take(MOST).map(|range| match range {
        range if range.end == u64::MAX => format!("those from {} on", range.start),
        range => format!("{}..{}", range.start, range.end),
    });
    let more = missing.len().saturating_sub(MOST);
    let more = if more > 0 { format!(" and {more} more ranges") } else { String::new() };
    format!("numbers are missing: {}{more}{so_far}", words.collect::<Vec<_>>().join(", "))
}

/// What decides how many numbers count.
enum Kind {
    /// All do.
    All,
    /// Those up to the decision of a sequential test, if there is one. A match is judged by its contiguous beginning,
    /// because short games, which differ in their results from others, end first.
    Match(Option<Sprt>, Box<MatchResults>),
    /// Those up to the last opening that is needed.
    Openings { count: usize, kept: usize, failed: u32, is_drawn_out: bool },
}

/// Reads on as long as numbers count.
struct Judge {
    kind: Kind,
    /// Whether no more numbers count.
    is_over: bool,
}

impl Judge {
    fn new(header: &Header) -> Result<Judge, String> {
        let kind = match header.command.as_str() {
            "arena" => {
                let numbers = header.setting("sprt").split(' ').map(str::parse).collect::<Result<Vec<f64>, _>>();
                let sprt = match numbers.as_deref() {
                    Ok(&[elo0, elo1, alpha, beta]) => Some(Sprt { elo0, elo1, alpha, beta }),
                    _ => None,
                };
                Kind::Match(sprt, Box::new(MatchResults::new(header.setting("sides") == "fixed")))
            }
            "tune" | "analyse" => Kind::All,
            "openings" => {
                let count = header.setting("count").parse().unwrap_or_default();
                Kind::Openings { count, kept: 0, failed: 0, is_drawn_out: false }
            }
            other => return Err(format!("shards of '{other}' are not known to this version")),
        };
        Ok(Judge { kind, is_over: false })
    }

    /// What stands before the first number.
    fn begin(&self, header: &Header) -> String {
        if matches!(self.kind, Kind::Openings { .. }) { header.setting("heading").into() } else { String::new() }
    }

    /// What is written of the text of the next number.
    ///
    /// # Errors
    /// If the text of games is none.
    fn written(&mut self, text: &str) -> Result<String, String> {
        match &mut self.kind {
            Kind::All => {}
            Kind::Match(None, _) => {}
            Kind::Match(Some(sprt), results) => {
                for record in Record::parse_all(text).map_err(|error| error.to_string())? {
                    results.games.insert(results.games.len() + 1, game_in(&record));
                }
                self.is_over = sprt.decision(results.sample_in_order()).is_some();
            }
            Kind::Openings { count, kept, failed, is_drawn_out } => {
                *failed += 1;
                *is_drawn_out = text == NO_MORE;
                let is_kept = text != ONE_SIDED && !*is_drawn_out;
                if is_kept {
                    (*kept, *failed) = (*kept + 1, 0);
                }
                self.is_over = *is_drawn_out || *kept == *count || *failed == DRAWS;
                return Ok(if is_kept { text.into() } else { String::new() });
            }
        }
        Ok(text.into())
    }

    /// What is to be said if the result is less than was asked for.
    fn shortage(&self) -> Option<String> {
        match self.kind {
            Kind::Openings { count, kept, failed, .. } if kept < count => Some(shortage(kept, count, failed)),
            _ => None,
        }
    }

    /// How a test stands that is not over.
    fn so_far(&self) -> String {
        match &self.kind {
            Kind::Match(Some(sprt), results) => {
                let games = results.games.len();
                format!("; the first {games} games have LLR {:.2}", sprt.llr(results.sample_in_order()))
            }
            _ => String::new(),
        }
    }
}

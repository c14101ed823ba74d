//! Shards as what the command on one machine would have written.
//!
//! The shards are read beside each other, number after number, so that little of them is in the memory at any time: of
//! shards that do not overlap one is open.

use std::cmp::Reverse;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::arena::match_file::game_in;
use crate::arena::results::MatchResults;
use crate::arena::sprt::Sprt;
use crate::io::files::replace;
use crate::shards::header::Header;
use crate::shards::{Reader, part_of};
use pentarch_core::notation::record::Record;
use pentarch_system::files::at;

/// Writes to `out` what these shards of one work are together. A file that is there already with the same contents
/// stays. Calls `begin` with the path of the temporary file before creating it.
///
/// # Errors
/// If `begin` fails, or if the shards are of different works, a number is missing or has come out differently in two shards, a shard cannot
/// be read, or `out` cannot be written or holds something else; nothing is written then.
pub fn merge(
    out: &Path,
    shards: &[PathBuf],
    begin: impl FnOnce(&Path) -> Result<(), String>,
) -> Result<(), String> {
    let (header, mut waiting) = headers(shards)?;
    let part = part_of(out);
    begin(&part)?;
    let mut file = BufWriter::new(File::create(&part).map_err(at(out))?);
    let merged = write_all(&header, &mut waiting, &mut file);
    let kept = merged.and_then(|()| {
        file.flush().and_then(|()| file.get_ref().sync_all()).map_err(at(&part))?;
        keep(out, &part)
    });
    let _ = fs::remove_file(&part);
    kept
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
fn headers(paths: &[PathBuf]) -> Result<(Header, Vec<Waiting>), String> {
    let mut first: Option<(Header, &PathBuf)> = None;
    let mut waiting = Vec::new();
    for path in paths {
        let header = Reader::open(path)?.header;
        let (range, (known, other)) =
            (header.range.clone(), first.get_or_insert_with(|| (header.clone(), path)));
        if let Some(differences) = header.differences(known, false) {
            let fault =
                format!("it is of another work than {} here:\n{differences}", other.display());
            return Err(at(path)(fault));
        }
        waiting.push(Waiting { range, path: path.clone() });
    }
    waiting.sort_by_key(|shard| Reverse(shard.range.start));
    first.map(|(header, _)| (header, waiting)).ok_or_else(|| "there are no shards".into())
}

/// Writes the texts of all numbers, as far as they count.
fn write_all(
    header: &Header,
    waiting: &mut Vec<Waiting>,
    file: &mut dyn Write,
) -> Result<(), String> {
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
        let text = take(header, &mut open, number)?;
        if number > next {
            missing.push(next..number);
        }
        next = number + 1;
        if missing.is_empty() {
            judge.add(&text).map_err(|fault| format!("number {number} is damaged: {fault}"))?;
            file.write_all(text.as_bytes())
                .map_err(|error| format!("the merged file cannot be written: {error}"))?;
            if judge.is_over {
                return Ok(());
            }
        }
    }
    if next < header.count {
        missing.push(next..header.count);
    }
    if missing.is_empty() { Ok(()) } else { Err(missing_text(&missing, judge.so_far())) }
}

/// Takes the text of this number from all shards that have it, and reads on in these. It must be the same in all of
/// them but for measured times.
fn take(
    header: &Header,
    open: &mut Vec<(Reader, u64, String)>,
    number: u64,
) -> Result<String, String> {
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
                let [one, other] = [first, &path].map(|path| path.display());
                return Err(format!(
                    "number {number} has come out differently in {one} and in {other}"
                ));
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
            let untimed = |line: &str| match line
                .strip_suffix(" us\"]")
                .and_then(|line| line.rsplit_once(", "))
            {
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
fn missing_text(missing: &[Range<u64>], so_far: String) -> String {
    const MOST: usize = 20;
    let words = missing.iter().take(MOST).map(|range| format!("{}..{}", range.start, range.end));
    let more = missing.len().saturating_sub(MOST);
    let more = if more > 0 { format!(" and {more} more ranges") } else { String::new() };
    format!("numbers are missing: {}{more}{so_far}", words.collect::<Vec<_>>().join(", "))
}

/// Reads on as long as numbers count.
struct Judge {
    /// A sequential test, whose decision ends the match, and the games up to here. A match is judged by its contiguous
    /// beginning, because short games, which differ in their results from others, end first.
    test: Option<(Sprt, MatchResults)>,
    /// Whether no more numbers count.
    is_over: bool,
}

impl Judge {
    fn new(header: &Header) -> Result<Judge, String> {
        if !["analyse", "arena", "tune"].contains(&header.command.as_str()) {
            return Err(format!("shards of '{}' are not known to this version", header.command));
        }
        let numbers =
            header.setting("sprt").split(' ').map(str::parse).collect::<Result<Vec<f64>, _>>();
        let test = match numbers.as_deref() {
            Ok(&[elo0, elo1]) => {
                Some((Sprt { elo0, elo1 }, MatchResults::new(header.setting("sides") == "fixed")))
            }
            _ => None,
        };
        Ok(Judge { test, is_over: false })
    }

    /// Adds the text of the next number.
    ///
    /// # Errors
    /// If the text of games is none.
    fn add(&mut self, text: &str) -> Result<(), String> {
        if let Some((sprt, results)) = &mut self.test {
            for record in Record::parse_all(text).map_err(|error| error.to_string())? {
                results.games.insert(results.games.len() + 1, game_in(&record));
            }
            self.is_over = sprt.decision(results.sample_in_order()).is_some();
        }
        Ok(())
    }

    /// How a test stands that is not over.
    fn so_far(&self) -> String {
        let Some((sprt, results)) = &self.test else { return String::new() };
        let games = results.games.len();
        format!("; the first {games} games have LLR {:.2}", sprt.llr(results.sample_in_order()))
    }
}

//! The subcommand `convert`: its flags.

use std::fmt::Display;
use std::io::Read;
use std::path::PathBuf;

use clap::Args;

use crate::cli::Failure;
use crate::convert::format::{Format, Kind};
use crate::convert::{read, write};
use crate::io::files::{check_output, write_output};
use crate::io::output::{Output, tell};
use crate::io::record_file::{MAX_RECORD_FILE, read_game};
use crate::io::standard;
use pentarch_core::Options;
use pentarch_core::notation::text::quoted;
use pentarch_system::ErrorContext;

/// Converts games from one format to another: records, lines of JSON, lists of moves, the notation of Alcaxar's rules,
/// and SGF of Go front ends.
///
/// What is read is checked by the rules: a move that is not legal is refused with its place and the reason. What a
/// format cannot hold is refused where the game needs it, and else left out and told.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ConvertArguments {
    /// The file to read, of a file with several games FILE:NUMBER for one of them [default: standard input]
    file: Option<String>,
    /// The format that is read: record, json, moves, source or sgf; with ':' and a notation of its moves
    #[arg(long, value_name = "FORMAT", default_value = "record")]
    from: Format,
    /// The format that is written, in the same way
    #[arg(long, value_name = "FORMAT", default_value = "record")]
    to: Format,
    /// Write the games to this new file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  A list of moves of another program for Quoridor, with walls like he3, as a record:
    echo 'e2 e8 he3' | pentarch --game quoridor convert --from moves:prefix
  The third game of a match for a Go front end:
    pentarch convert match.games:3 --to sgf --output game.sgf
  And back:
    pentarch convert game.sgf --from sgf
  All games of a match as lines of JSON:
    pentarch convert match.games --to json > games.jsonl

Notations of moves for Quoridor:
  prefix      the direction of a wall before its square: he3 for e3h
  prefix-top  the same with rows that are counted from the top
  suffix-top  moves as here with rows that are counted from the top

Where a text does not name game and rules, as lists of moves do not, they are those of --game and --set.";

impl ConvertArguments {
    /// Converts games.
    ///
    /// # Errors
    /// If the text cannot be read, a game has a fault, a format cannot hold a game, or the file is there already or
    /// cannot be written.
    pub fn run(&self, options: &Options, out: &Output) -> Result<(), Failure> {
        let name = self.file.as_deref().unwrap_or("standard input");
        let failed = |error: &dyn Display| Failure::Failed(format!("{name}: {error}"));
        if let Some(path) = &self.output {
            check_output(path).map_err(Failure::failed)?;
        }
        let (text, number) = match &self.file {
            Some(file) => read_game(file).map_err(|error| failed(&error))?,
            None => (read_input().map_err(|error| failed(&error))?, None),
        };
        let mut games = read(&text, &self.from, options).map_err(|error| failed(&error))?;
        if let Some(number) = number {
            let count = games.len();
            let wanted = number.checked_sub(1).filter(|&at| at < count);
            let at = wanted
                .ok_or_else(|| failed(&format!("it holds {count} games, and no game {number}")))?;
            games = games.drain(at..=at).collect();
        }
        if games.is_empty() {
            return Err(failed(&"it holds no game"));
        }
        // Only a record has a result to lack.
        let warnings = games.iter().filter_map(|game| game.warning.as_ref());
        if matches!(self.from.kind, Kind::Record) {
            warnings.for_each(|warning| tell(&warning.to_string()));
        }
        let (text, left_out) = write(&games, &self.to).map_err(|error| failed(&error))?;
        match &self.output {
            Some(path) => {
                write_output(path, text.as_bytes()).in_file(path).map_err(Failure::failed)?
            }
            None => out.raw(&text),
        }
        if let Some(left_out) = left_out.text() {
            tell(&format!("left out, as this format cannot hold it: {left_out}"));
        }
        Ok(())
    }
}

/// The text of standard input.
fn read_input() -> Result<String, String> {
    let mut bytes = Vec::new();
    standard::input()
        .take(MAX_RECORD_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MAX_RECORD_FILE {
        return Err(format!("it has more than {MAX_RECORD_FILE} bytes"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let after = quoted(&String::from_utf8_lossy(
            &error.as_bytes()[..error.utf8_error().valid_up_to().min(40)],
        ));
        format!("it is not UTF-8 behind {after}")
    })
}

//! The subcommand `convert`: parses its flags.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::CliError;
use crate::convert::format::{GameFileFormat, GameFormatKind};
use crate::convert::{format_games, read_game_with_number, read_games};
use crate::io::charset::{DecodedText, decode_game_file};
use crate::io::output::{Output, print_to_stderr};
use crate::io::record_file::{
    GameFileText, MAX_RECORD_FILE_BYTES, ReadRecordFileError, read_record_file_text,
};
use crate::io::standard_streams;
use crate::io::whole_files::{check_output_path, write_output_file};
use pentarch_core::Options;
use pentarch_core::notation::record::unread_elements::UnreadElements;
use pentarch_engine::record::ReplayedGame;
use pentarch_system::WithErrorLocation;

/// Converts games from one format to another: records, lines of JSON, lists of moves, the notations
/// of Alcaxar's rules and of Bushka's published games, SGF of Go front ends, and openings of
/// matches.
///
/// The games are checked by their rules: an illegal move is an error with its place and the reason.
/// If a format cannot hold something that the game needs, the command fails; other information is
/// omitted and reported, and so are elements of the input that are not read.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES_HELP)]
pub(super) struct ConvertArguments {
    /// The file to read; FILE:NUMBER for one game of several [default: standard input]
    file: Option<PathBuf>,
    /// The format of the input: record, json, moves, source, sgf, openings or oblique; the first
    /// three may have ':' and a notation of their moves
    #[arg(long, value_name = "FORMAT", default_value = "record")]
    from: GameFileFormat,
    /// The format of the output, in the same way
    #[arg(long, value_name = "FORMAT", default_value = "record")]
    to: GameFileFormat,
    /// Write the games to this new file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

const EXAMPLES_HELP: &str = "\
Examples:
  A list of moves of another program for Quoridor, with walls like he3, as a record:
    echo 'e2 e8 he3' | pentarch --game quoridor convert --from moves:prefix
  The third game of a match for a Go front end:
    pentarch convert match.games:3 --to sgf --output game.sgf
  And back:
    pentarch convert game.sgf --from sgf
  All games of a match as lines of JSON:
    pentarch convert match.games --to json > games.jsonl
  A published game of Bushka, with moves like f25:
    pentarch convert bushka.txt --from oblique

Notations of moves for Quoridor:
  prefix      the direction of a wall before its square: he3 for e3h
  prefix-top  the same with rows counted from the top
  suffix-top  moves as here with rows counted from the top

Notation of moves for Bushka:
  oblique     MindSports's, with the diagonals of a square: f25 for c1f4

If a text does not name game and rules, like a list of moves, --game and --set do.";

impl ConvertArguments {
    /// Converts games.
    ///
    /// # Errors
    /// Returns an error in these cases:
    /// - The text cannot be read.
    /// - A game is invalid.
    /// - The output format cannot express a game.
    /// - The output file exists or cannot be written.
    pub(super) fn run(&self, options: &Options, out: &Output) -> Result<(), CliError> {
        let name = self.file.as_deref().unwrap_or(Path::new("standard input")).display();
        let failed = |error: &dyn Display| CliError::Failed(format!("{name}: {error}"));
        if let Some(path) = &self.output {
            check_output_path(path).map_err(CliError::command_failed)?;
        }
        let GameFileText { text, number, notes } = match &self.file {
            Some(file) => read_record_file_text(file).map_err(|error| failed(&error))?,
            None => read_standard_input_text().map_err(|error| failed(&error))?,
        };
        notes.iter().for_each(|note| print_to_stderr(&note.to_string()));
        let games = match number {
            Some(number) => {
                read_game_with_number(&text, &self.from, options, number).map(|game| vec![game])
            }
            None => read_games(&text, &self.from, options),
        };
        let mut games = games.map_err(|error| failed(&error))?;
        if games.is_empty() {
            return Err(failed(&"it holds no game"));
        }
        let mut unread = UnreadElements::default();
        for game in &mut games {
            // Only a record can lack a result.
            let truncation = game.warnings.truncation.as_ref();
            if let Some(warning) = truncation.filter(|_| self.from.kind == GameFormatKind::Record) {
                print_to_stderr(&warning.to_string());
            }
            unread.append(std::mem::take(&mut game.warnings.unread));
        }
        if !unread.is_empty() {
            print_to_stderr(&unread.to_string());
        }
        for note in assumed_rules_notes(&games) {
            print_to_stderr(&note);
        }
        let (text, omissions) = format_games(&games, &self.to).map_err(|error| failed(&error))?;
        match &self.output {
            Some(path) => write_output_file(path, text.as_bytes())
                .with_file_path(path)
                .map_err(CliError::command_failed)?,
            None => out.write_unchanged(&text),
        }
        if let Some(omissions) = omissions.omissions_summary() {
            print_to_stderr(&format!("left out, as this format cannot hold it: {omissions}"));
        }
        Ok(())
    }
}

/// Returns a note for each rule set that the reader found by trying several rule sets.
fn assumed_rules_notes(games: &[ReplayedGame]) -> Vec<String> {
    let mut numbers: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (number, game) in (1..).zip(games) {
        if let Some(rules) = game.warnings.assumed_rules {
            numbers.entry(rules).or_default().push(number);
        }
    }
    let mut notes = Vec::new();
    for (rules, numbers) in numbers {
        let which = match numbers.as_slice() {
            _ if games.len() == 1 => String::new(),
            [number] => format!("game {number}: "),
            [first, ..] => format!("{} games, the first is game {first}: ", numbers.len()),
            [] => continue,
        };
        notes.push(format!("{which}no tag names the rules: read with {rules}"));
    }
    notes
}

/// Reads the text of standard input.
fn read_standard_input_text() -> Result<GameFileText, ReadRecordFileError> {
    let mut bytes = Vec::new();
    standard_streams::standard_input().take(MAX_RECORD_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_RECORD_FILE_BYTES {
        return Err(ReadRecordFileError::TooLarge);
    }
    let DecodedText { text, notes } = decode_game_file(bytes)?;
    Ok(GameFileText { text, number: None, notes })
}

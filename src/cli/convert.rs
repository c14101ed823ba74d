//! The subcommand `convert`: its flags.

use std::fmt::Display;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::CliError;
use crate::convert::format::{FormatKind, GameFormat};
use crate::convert::{read_games, write_games};
use crate::io::files::{check_output, write_output};
use crate::io::output::{Output, print_message};
use crate::io::record_file::{MAX_RECORD_FILE, read_game};
use crate::io::standard;
use pentarch_core::Options;
use pentarch_core::notation::text::quoted;
use pentarch_system::ErrorContext;

/// Converts games from one format to another: records, lines of JSON, lists of moves, the notations
/// of Alcaxar's rules and of Bushka's published games, and SGF of Go front ends.
///
/// The games are checked by their rules: an illegal move is an error with its place and the reason.
/// If a format cannot hold something that the game needs, the command fails; other information is
/// omitted and reported.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ConvertArguments {
    /// The file to read, in a file with several games FILE:NUMBER for one of them [default:
    /// standard input]
    file: Option<PathBuf>,
    /// The format of the input: record, json, moves, source, sgf or oblique; after record, json and
    /// moves, with ':' and a notation of its moves
    #[arg(long, value_name = "FORMAT", default_value = "record")]
    from: GameFormat,
    /// The format of the output, in the same way
    #[arg(long, value_name = "FORMAT", default_value = "record")]
    to: GameFormat,
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
    /// If the text cannot be read, a game is invalid, a format cannot hold a game, or the output
    /// file exists or cannot be written.
    pub(super) fn run(&self, options: &Options, out: &Output) -> Result<(), CliError> {
        let name = self.file.as_deref().unwrap_or(Path::new("standard input")).display();
        let failed = |error: &dyn Display| CliError::Failed(format!("{name}: {error}"));
        if let Some(path) = &self.output {
            check_output(path).map_err(CliError::failed)?;
        }
        let (text, number) = match &self.file {
            Some(file) => read_game(file).map_err(|error| failed(&error))?,
            None => (read_input().map_err(|error| failed(&error))?, None),
        };
        let mut games = read_games(&text, &self.from, options).map_err(|error| failed(&error))?;
        if let Some(number) = number {
            let count = games.len();
            let index = number.checked_sub(1).filter(|&index| index < count);
            let index = index
                .ok_or_else(|| failed(&format!("it holds {count} games, and no game {number}")))?;
            games = games.drain(index..=index).collect();
        }
        if games.is_empty() {
            return Err(failed(&"it holds no game"));
        }
        // Only a record can lack a result.
        let warnings = games.iter().filter_map(|game| game.warning.as_ref());
        if matches!(self.from.kind, FormatKind::Record) {
            warnings.for_each(|warning| print_message(&warning.to_string()));
        }
        for (number, game) in (1..).zip(&games) {
            if let Some(rules) = game.assumed_rules {
                let which =
                    if games.len() == 1 { String::new() } else { format!("game {number}: ") };
                print_message(&format!("{which}no tag names the rules: it is read with {rules}"));
            }
        }
        let (text, omissions) = write_games(&games, &self.to).map_err(|error| failed(&error))?;
        match &self.output {
            Some(path) => {
                write_output(path, text.as_bytes()).in_file(path).map_err(CliError::failed)?
            }
            None => out.raw(&text),
        }
        if let Some(omissions) = omissions.summary() {
            print_message(&format!("left out, as this format cannot hold it: {omissions}"));
        }
        Ok(())
    }
}

/// Reads the text of standard input.
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
        format!("it is not UTF-8 after {after}")
    })
}

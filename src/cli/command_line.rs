//! Parses the arguments. Fits the help to each subcommand, and adds hints to the error of an
//! unknown flag.

use std::ffi::OsString;
use std::io::{self, IsTerminal};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, CommandFactory, FromArgMatches};

use pentarch_engine::options as engine_options;

use super::Arguments;

/// The subcommands with a level, because they play games.
const SUBCOMMANDS_WITH_LEVEL: [&str; 3] = ["arena", "play", "serve"];

/// Parses the arguments.
///
/// # Errors
/// A text to print instead of running a command: the help, the version, or an error message.
pub(super) fn parse_arguments(
    words: impl IntoIterator<Item = OsString>,
) -> Result<Arguments, clap::Error> {
    let words: Vec<OsString> = words.into_iter().collect();
    let matches = command_line_definition()
        .try_get_matches_from(&words)
        .map_err(|error| add_option_hints(error, &words))?;
    Arguments::from_arg_matches(&matches)
}

/// Returns the parser of the command line. The help of each subcommand describes the common flags
/// in words that fit the subcommand. The help is wrapped only on a terminal, at its width.
fn command_line_definition() -> clap::Command {
    let program = Arguments::command();
    let flags: Vec<Arg> =
        program.get_arguments().filter(|flag| flag.is_global_set()).cloned().collect();
    let program = program.mut_subcommands(|subcommand| {
        let name = subcommand.get_name().to_owned();
        let adapt = |flag: &Arg| match (name.as_str(), flag.get_id().as_str()) {
            ("arena", "settings") => flag
                .clone()
                .help("Set an option of both engines ('pentarch help setoption' describes them); may be given more than once"),
            ("arena", "level") => {
                flag.clone().help("Playing strength of both engines: the option Level")
            }
            (name, "level") => flag.clone().hide(!SUBCOMMANDS_WITH_LEVEL.contains(&name)),
            _ => flag.clone(),
        };
        subcommand.args(flags.iter().map(adapt))
    });
    if io::stdout().is_terminal() { program } else { program.term_width(0) }
}

/// Adds hints to the error of an unknown flag: the options that it may mean. For example, the hint
/// for `--walls 5` is `--set Quoridor_Walls=5`.
fn add_option_hints(mut error: clap::Error, words: &[OsString]) -> clap::Error {
    let flag = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(flag)) if error.kind() == ErrorKind::UnknownArgument => {
            flag.clone()
        }
        _ => return error,
    };
    let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let normalise = |name: &str| name.replace(['-', '_', ' '], "").to_ascii_lowercase();
    let is_meant = |name: &&str| {
        let rule = name.split_once('_').map_or("", |(_, rule)| rule);
        [rule, name].map(normalise).contains(&normalise(&flag))
    };
    let mut names: Vec<&str> =
        engine_options::all_options().map(|spec| spec.name).filter(is_meant).collect();
    // If the arguments name a game, the unknown flag more likely means an option of this game.
    let starts_with_word = |name: &&str| {
        let name = normalise(name);
        words.iter().any(|word| name.starts_with(&word.to_ascii_lowercase()))
    };
    let of_game: Vec<&str> = names.iter().copied().filter(starts_with_word).collect();
    if !of_game.is_empty() {
        names = of_game;
    }
    let mut from_flag = words.iter().skip_while(|word| **word != flag);
    let next_word = from_flag.nth(1).filter(|word| !word.starts_with('-'));
    let joined = words.iter().find_map(|word| word.strip_prefix(&flag)?.strip_prefix('='));
    let value = joined.or(next_word.map(String::as_str)).unwrap_or("VALUE");
    let hints: Vec<_> = names
        .iter()
        .map(|name| format!("to set the option of this name, use --set '{name}={value}'").into())
        .collect();
    if !hints.is_empty() {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(hints));
    }
    error
}

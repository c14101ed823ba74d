//! Reading the arguments: their help for each subcommand, and what is told of an unknown flag.

use std::ffi::OsString;
use std::io::{self, IsTerminal};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, CommandFactory, FromArgMatches};

use pentarch_engine::options as engine_options;

use super::Arguments;

/// The subcommands that play games, and so take a level.
const PLAYING: [&str; 3] = ["arena", "play", "serve"];

/// Reads the arguments.
///
/// # Errors
/// What is to be printed instead: the help, the version, or what is wrong.
pub(super) fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Arguments, clap::Error> {
    let words: Vec<OsString> = words.into_iter().collect();
    let matches =
        command_line().try_get_matches_from(&words).map_err(|error| with_options(error, &words))?;
    Arguments::from_arg_matches(&matches)
}

/// The command line, whose help lists for each subcommand the flags that it takes, with words that fit it. The help is
/// wrapped at the width of a terminal, and only there.
fn command_line() -> clap::Command {
    let program = Arguments::command();
    let flags: Vec<Arg> =
        program.get_arguments().filter(|flag| flag.is_global_set()).cloned().collect();
    let program = program.mut_subcommands(|subcommand| {
        let name = subcommand.get_name().to_owned();
        let own = |flag: &Arg| match (name.as_str(), flag.get_id().as_str()) {
            ("arena", "settings") => flag
                .clone()
                .help("Set an option of both engines ('pentarch ugi' lists them); may be given more than once"),
            ("arena", "level") => flag.clone().help("How well both engines play: the option Level"),
            (name, "level") => flag.clone().hide(!PLAYING.contains(&name)),
            _ => flag.clone(),
        };
        subcommand.args(flags.iter().map(own))
    });
    if io::stdout().is_terminal() { program } else { program.term_width(0) }
}

/// This error, which names the options that an unknown flag may mean: `--set Quoridor_Walls=5` for `--walls 5`.
fn with_options(mut error: clap::Error, words: &[OsString]) -> clap::Error {
    let flag = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(flag)) if error.kind() == ErrorKind::UnknownArgument => {
            flag.clone()
        }
        _ => return error,
    };
    let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let plain = |name: &str| name.replace(['-', '_', ' '], "").to_ascii_lowercase();
    let is_meant = |name: &&str| {
        [name.split_once('_').map_or("", |(_, rule)| rule), name].map(plain).contains(&plain(&flag))
    };
    let names: Vec<&str> = engine_options::all().map(|spec| spec.name).filter(is_meant).collect();
    let is_of_game =
        |name: &&str| words.iter().any(|word| plain(name).starts_with(&word.to_ascii_lowercase()));
    let of_game: Vec<&str> = names.iter().copied().filter(is_of_game).collect();
    let behind =
        words.iter().skip_while(|word| **word != flag).nth(1).filter(|word| !word.starts_with('-'));
    let within = words.iter().find_map(|word| word.strip_prefix(&flag)?.strip_prefix('='));
    let value = within.or(behind.map(String::as_str)).unwrap_or("VALUE");
    let names = if of_game.is_empty() { names } else { of_game };
    let tips: Vec<_> = names
        .iter()
        .map(|name| format!("the option of this name is set by --set '{name}={value}'").into())
        .collect();
    if !tips.is_empty() {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    }
    error
}

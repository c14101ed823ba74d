//! Parses the arguments. Adapts the help to each subcommand, and adds hints to the error of an
//! unknown flag.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, CommandFactory, FromArgMatches};

use crate::play::terminal::Screen;
use pentarch_engine::engine_options;

use super::wrapped_lines::{join_paragraph_lines, wrap_lines};
use super::{Arguments, level};

/// The subcommands with a level, because they play games.
const SUBCOMMANDS_WITH_LEVEL: [&str; 3] = ["arena", "play", "serve"];

/// The id of the flag `--set`.
const SETTINGS_FLAG: &str = "settings";

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
    let mut arguments = Arguments::from_arg_matches(&matches)?;
    if let Some((_, matches)) = matches.subcommand()
        && let Ok(Some(settings)) = matches.try_get_many::<String>(SETTINGS_FLAG)
    {
        arguments.settings.extend(settings.cloned());
    }
    Ok(arguments)
}

/// Returns the parser of the command line. The help of each subcommand describes the common flags
/// in words that fit the subcommand. The help is wrapped at the [width of the page](help_width).
fn command_line_definition() -> clap::Command {
    let program = Arguments::command();
    let mut flags: Vec<Arg> =
        program.get_arguments().filter(|flag| flag.is_global_set()).cloned().collect();
    // If a global flag appears before and after a subcommand, `clap` drops the values before it.
    let program = program.mut_arg(SETTINGS_FLAG, |flag| flag.global(false));
    let settings = flags.iter_mut().filter(|flag| flag.get_id() == SETTINGS_FLAG);
    settings.for_each(|flag| *flag = flag.clone().global(false));
    let program = program.mut_subcommands(|subcommand| {
        let name = subcommand.get_name().to_owned();
        let adapt = |flag: &Arg| match (name.as_str(), flag.get_id().as_str()) {
            ("arena", SETTINGS_FLAG) => flag
                .clone()
                .help("Set an option of both engines ('pentarch help setoption' describes them); may be given more than once"),
            ("arena", "level") => {
                flag.clone().help("Playing strength of both engines: the option Level")
            }
            ("play", "level") => flag.clone().value_parser(level::level_parser_with_auto()),
            // The cases choose the rules.
            ("conform", "settings") => flag.clone().hide(true),
            (name, "level") => flag.clone().hide(!SUBCOMMANDS_WITH_LEVEL.contains(&name)),
            _ => flag.clone(),
        };
        subcommand.args(flags.iter().map(adapt))
    });
    let width = help_width();
    let wrap_examples = |command: clap::Command| match command.get_after_help() {
        Some(text) => {
            let text = wrap_lines(&join_paragraph_lines(&text.to_string()), width);
            command.after_help(text)
        }
        None => command,
    };
    wrap_examples(program.term_width(width)).mut_subcommands(wrap_examples)
}

/// The maximum width of help on a wide terminal.
const MAX_HELP_WIDTH: usize = 100;

/// Returns the width of help: the width of the terminal, or else the variable `COLUMNS`, or else
/// 80.
fn help_width() -> usize {
    let columns = Screen::of_standard_output().columns;
    let wanted = columns_variable().filter(|_| !io::stdout().is_terminal());
    wanted.unwrap_or(columns).min(MAX_HELP_WIDTH)
}

/// Returns the width in the variable `COLUMNS`, if it is a number other than 0.
fn columns_variable() -> Option<usize> {
    std::env::var("COLUMNS").ok()?.parse().ok().filter(|&width| width > 0)
}

/// Wraps an error to the width of the terminal, if the error output is a terminal.
pub(super) fn wrap_error_to_terminal_width(error: &str) -> String {
    const PREFIX_WIDTH: usize = "pentarch: ".len();
    match stderr_width() {
        Some(width) => wrap_lines(error, width.saturating_sub(PREFIX_WIDTH)),
        None => error.into(),
    }
}

/// Returns the width of errors: the width of the terminal, if the error output is a terminal.
fn stderr_width() -> Option<usize> {
    io::stderr().is_terminal().then(|| Screen::of_standard_output().columns)
}

/// Prints an error of the arguments and ends the program. On a terminal, or if the variable
/// `COLUMNS` contains a width, the error is wrapped.
pub(super) fn exit_with_argument_error(error: &clap::Error) -> ! {
    let Some(width) = stderr_width().or_else(columns_variable) else { error.exit() };
    let has_colour = stderr_width().is_some() && Screen::of_standard_output().has_colour;
    let text = match has_colour {
        true => error.render().ansi().to_string(),
        false => error.render().to_string(),
    };
    // If the error cannot be written, the exit code still reports it.
    let _ = io::stderr().write_all(wrap_lines(&text, width).as_bytes());
    std::process::exit(error.exit_code())
}

/// Adds hints to the error of an unknown flag: the options that the flag may mean. For example, the
/// hint for `--walls 5` is `--set Quoridor_Walls=5`.
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

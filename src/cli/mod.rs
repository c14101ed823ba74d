//! The command line. The flags are followed by a command as words, by a subcommand, or by nothing.
//! If nothing follows the flags, a session runs on the standard input.
//!
//! | module | contents |
//! |---|---|
//! | `analyse` | the subcommand `analyse`: positions and games as data |
//! | `arena` | the subcommand `arena`: a match between two engines |
//! | `arguments` | parsers of the values of flags |
//! | `command_line` | the parser of the arguments; their help, and the hints for an unknown flag |
//! | `completions` | the scripts with which shells complete the command line |
//! | `conform` | the subcommand `conform`: whether an engine plays by the rules |
//! | `convert` | the subcommand `convert`: games from one format to another |
//! | `diagram` | the subcommand `diagram`: a position as an image |
//! | `error` | the error of a command, and its exit code |
//! | `level` | the flag `--level` |
//! | `logging` | the log of the program |
//! | `man` | the manual page |
//! | `merge` | the subcommand `merge`: the shards of a job as one file |
//! | `openings` | the subcommand `openings`: openings for matches |
//! | `play` | the subcommand `play`: a game at the terminal |
//! | `problems` | the subcommand `problems`: positions in which one move wins |
//! | `prove` | the subcommand `prove`: who can force a win |
//! | `rules` | the subcommand `rules`: the rules of a game for people |
//! | `settings` | the options that the flags set |
//! | `serve` | the subcommand `serve`: a page for a browser |
//! | `shard_arguments` | the flags `--shard` and `--output` |
//! | `tables` | the subcommand `tables`: files of tablebases |
//! | `wrapped_lines` | lines with a hanging indent |
//! | `tune` | the subcommand `tune`: weights of an evaluation |

use std::env;
use std::ffi::OsString;
use std::io::{self, BufReader, Cursor, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

use crate::arena::process_group;
use crate::arena::report::MatchReporter;
use crate::games::RunOperation;
use crate::io::host::SystemHost;
use crate::io::interrupt::set_interrupt_handler;
use crate::io::output::{ErrorTarget, InputOutputError, Output, print_to_stderr};
use crate::io::standard_streams::{self, ignore_file_size_signal};
use crate::protocol::gtp;
use crate::protocol::ugi::{command_table, event_loop};
use pentarch_core::Options;
use pentarch_core::notation::parsing::{did_you_mean_hint, quote_for_message};
use pentarch_engine::engine_options;
use pentarch_engine::engine_state::two_player_rules;
use pentarch_engine::error::EngineError;
use pentarch_engine::games::{all_game_words, all_games};

mod analyse;
mod arena;
mod arguments;
mod command_line;
mod completions;
mod conform;
mod convert;
mod diagram;
mod error;
mod level;
mod logging;
mod man;
mod merge;
mod openings;
mod play;
pub(crate) mod problems;
pub(crate) mod prove;
mod rules;
#[cfg(feature = "serve")]
mod serve;
mod settings;
mod shard_arguments;
pub(crate) mod tables;
mod tune;
mod wrapped_lines;

use analyse::AnalyseArguments;
use arena::ArenaArguments;
use command_line::parse_arguments;
use conform::ConformArguments;
use convert::ConvertArguments;
use diagram::DiagramArguments;
pub use error::CliError;
use merge::MergeArguments;
use openings::OpeningsArguments;
use play::PlayArguments;
use problems::ProblemsArguments;
use prove::ProveArguments;
use rules::RulesCommandArguments;
#[cfg(feature = "serve")]
use serve::ServeArguments;
use settings::{
    options_from_arguments, options_of_chosen_game, options_with_existing_table_directory,
    parse_setting, select_game_by_word, set_options,
};
use tables::TablesArguments;
use tune::TuneArguments;

/// The exit code for rejected input and for invalid arguments.
const EXIT_INVALID_ARGUMENTS: u8 = 2;

/// The heading of the flags shared with subcommands.
const COMMON_OPTIONS_HEADING: &str = "Common options";

/// The flags, then a session or one command.
#[derive(Debug, Parser)]
#[command(about = program_summary(), long_about = format!("{}\n\n{SESSION_MODES_HELP}", program_summary()))]
#[command(override_usage = USAGE_LINES, after_help = format!("Examples:\n{SERVE_HELP_EXAMPLE}{EXAMPLES_HELP}"))]
#[command(version, disable_help_subcommand = true, subcommand_help_heading = "Subcommands")]
#[command(subcommand_precedence_over_arg = true)]
struct Arguments {
    /// The game ('pentarch games' lists them)
    #[arg(short, long, value_name = "GAME", global = true, help_heading = COMMON_OPTIONS_HEADING)]
    game: Option<String>,

    /// Set an option ('pentarch help setoption' describes them); may be given more than once
    #[arg(short, long = "set", value_name = "NAME=VALUE", global = true, help_heading = COMMON_OPTIONS_HEADING)]
    settings: Vec<String>,

    /// Playing strength: the option Level, by a name or its number from 1
    #[arg(long, value_name = "NAME", global = true, ignore_case = true, help_heading = COMMON_OPTIONS_HEADING)]
    #[arg(value_parser = level::level_parser())]
    level: Option<String>,

    /// Speak the Go Text Protocol (GTP) instead, for Go front ends
    #[arg(long)]
    gtp: bool,

    /// Append a log of all input and output to this file
    #[arg(long, value_name = "FILE", global = true, help_heading = COMMON_OPTIONS_HEADING)]
    log_file: Option<PathBuf>,

    /// Print a completion script for this shell and exit
    #[arg(long, value_name = "SHELL")]
    completions: Option<Shell>,

    /// Print the manual page as roff and exit
    #[arg(long)]
    man: bool,

    /// A command and its arguments ('pentarch help' lists them)
    #[arg(value_name = "COMMAND", trailing_var_arg = true)]
    command: Vec<String>,

    #[command(subcommand)]
    subcommand: Option<Subcommands>,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
enum Subcommands {
    Analyse(AnalyseArguments),
    Arena(Box<ArenaArguments>),
    Conform(Box<ConformArguments>),
    Convert(ConvertArguments),
    Diagram(DiagramArguments),
    Merge(MergeArguments),
    Openings(OpeningsArguments),
    Problems(ProblemsArguments),
    Prove(ProveArguments),
    Play(PlayArguments),
    Rules(RulesCommandArguments),
    #[cfg(feature = "serve")]
    Serve(ServeArguments),
    Tune(TuneArguments),
    Tables(TablesArguments),
}

fn program_summary() -> String {
    let names: Vec<&str> = all_games().iter().map(|entry| entry.name).collect();
    match &names[..] {
        [only] => format!("Plays {only}"),
        [others @ .., last] => format!("Plays {} and {last}", others.join(", ")),
        [] => String::new(),
    }
}

const SESSION_MODES_HELP: &str = "\
Without COMMAND the program reads commands from standard input, one per line, in the Universal Game Interface (UGI) or \
UCI, as front ends use it. With COMMAND it executes that one command and exits.";

/// The usage of the program.
const USAGE_LINES: &str =
    "pentarch [OPTIONS] [COMMAND]...\n       pentarch [OPTIONS] SUBCOMMAND [FLAGS]";

/// The example of `serve`.
const SERVE_HELP_EXAMPLE: &str = match cfg!(feature = "serve") {
    true => "  pentarch serve                             a page for your browser\n",
    false => "",
};

/// The other examples, and the environment.
const EXAMPLES_HELP: &str = "  \
  pentarch play                              a game with you, at the terminal
  pentarch play --problems                   positions in which one move wins or draws
  pentarch play --drills                     won and drawn positions, to be played out
  pentarch games                             the games
  pentarch rules roses                       the rules of one of them
  pentarch --game quoridor d                 the start position of Quoridor
  pentarch --game quoridor go movetime 1000  a move for it, after a second
  pentarch --level casual                    a session at this strength
  pentarch perft 4                           a count of positions of Alcaxar
  pentarch bench                             a measure of speed
  pentarch analyse game.txt                  the worth of each move of a game
  pentarch --game roses diagram > start.svg  an image of a position
  pentarch convert game.txt --to sgf         a game for a Go front end
  pentarch arena --nodes 1000 --second ./old a match with an older version
  pentarch prove fen f2h4 b5c6d7e2e8f3g4h5 r - 9  who can win from here
  printf 'play Kb6\\nlegal e8d9\\n' | pentarch  a session
  pentarch --man | man -l -                  the manual page, with all flags

Environment:
  RUST_LOG        what to log: 'debug' for all input and output; the log goes to standard error, or to the file of --log-file
  PENTARCH_STATE  'off': 'play' neither reads nor stores games and solved problems
  PAGER           the program that shows long output on a terminal; empty for none
  NO_COLOR        if it is set and not empty, boards have no colours
  COLUMNS         the width of help that is not printed on a terminal";

/// Runs the program.
pub fn main() -> ExitCode {
    if env::args_os().skip(1).eq([process_group::GUARD_PROCESS_ARGUMENT]) {
        process_group::run_guard_process();
        return ExitCode::SUCCESS;
    }
    ignore_file_size_signal();
    let arguments = match parse_arguments(env::args_os()) {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() => command_line::exit_with_argument_error(&error),
        // The help or the version.
        Err(text) => return exit_code_after_printing_error(print_help_or_version(&text)),
    };
    exit_code_after_printing_error(execute_arguments(arguments))
}

/// Prints the help or the version.
fn print_help_or_version(text: &clap::Error) -> Result<ExitCode, CliError> {
    exit_code_of_write_result(text.print().and_then(|()| io::stdout().flush()))
}

/// Prints a script or a page.
fn print_script_or_manual(bytes: &[u8]) -> Result<ExitCode, CliError> {
    exit_code_of_write_result(
        standard_streams::standard_output()
            .write_all(bytes)
            .and_then(|()| standard_streams::standard_output().flush()),
    )
}

/// Returns the exit code of this result. Reports an error on the error output.
fn exit_code_after_printing_error(result: Result<ExitCode, CliError>) -> ExitCode {
    result.unwrap_or_else(|error| {
        print_to_stderr(&command_line::wrap_error_to_terminal_width(&error.to_string()));
        match error {
            CliError::InvalidArguments(_) => ExitCode::from(EXIT_INVALID_ARGUMENTS),
            CliError::Failed(_) => ExitCode::FAILURE,
        }
    })
}

/// Converts the result of writing the output into the result of the program. If the reader has
/// closed the output, this is not an error.
fn exit_code_of_write_result(result: io::Result<()>) -> Result<ExitCode, CliError> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(CliError::command_failed(InputOutputError::Write(error)))
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}

/// Executes the arguments.
fn execute_arguments(mut arguments: Arguments) -> Result<ExitCode, CliError> {
    if let Some(shell) = arguments.completions {
        return print_script_or_manual(&completions::completion_script(shell));
    }
    if arguments.man {
        let page = man::manual_page(&Arguments::command()).map_err(CliError::command_failed)?;
        return print_script_or_manual(page.as_bytes());
    }
    check_command_words(&arguments).map_err(CliError::invalid_arguments)?;
    if let Some(name) = requested_help_topic(&arguments) {
        match parse_arguments(["pentarch", &name, "--help"].map(OsString::from)) {
            Err(text) if !text.use_stderr() => return print_help_or_version(&text),
            // The name is not that of a subcommand. It may be that of a session command, whose help
            // `help NAME` prints.
            _ => arguments.command = vec!["help".into(), name],
        }
    }
    logging::start_logging(arguments.log_file.as_deref()).map_err(CliError::invalid_arguments)?;
    // The level comes before the other settings, so that a setting can choose another level.
    if let Some(level) = arguments.level.as_ref().filter(|level| !level::is_auto(level)) {
        let setting = format!("{}={}", engine_options::LEVEL_OPTION.name, level::level_name(level));
        arguments.settings.insert(0, setting);
    }
    let out = Output::new(standard_streams::standard_output(), ErrorTarget::Stderr);
    match arguments.subcommand.take() {
        None => return run_session(&arguments, options_with_existing_table_directory(&arguments)?),
        Some(Subcommands::Analyse(flags)) => {
            flags.run(&options_with_existing_table_directory(&arguments)?, &out)?
        }
        Some(Subcommands::Arena(flags)) => run_arena(*flags, &arguments, &out)?,
        Some(Subcommands::Conform(_)) if !arguments.settings.is_empty() => {
            let error = "'conform' takes no --set: the cases choose the rules";
            return Err(CliError::InvalidArguments(error.into()));
        }
        Some(Subcommands::Conform(flags)) => {
            flags.run(arguments.game.as_deref(), &options_of_chosen_game(&arguments)?, &out)?
        }
        Some(Subcommands::Convert(flags)) => {
            flags.run(&options_from_arguments(&arguments)?, &out)?
        }
        Some(Subcommands::Diagram(flags)) => {
            run_position_subcommand(
                &arguments,
                &flags.position,
                options_from_arguments(&arguments)?,
                |options| flags.run(&options, &out),
            )?;
        }
        Some(Subcommands::Merge(flags)) => flags.run()?,
        Some(Subcommands::Openings(flags)) => {
            openings::run_openings(&flags, &options_from_arguments(&arguments)?, &out)?
        }
        Some(Subcommands::Problems(flags)) => {
            flags.run(arguments.game.as_deref(), options_from_arguments(&arguments)?, &out)?
        }
        // The file of a proof names its game.
        Some(Subcommands::Prove(flags)) if flags.check.is_some() => {
            prove::run_prove(&flags, options_with_existing_table_directory(&arguments)?, &out)?
        }
        Some(Subcommands::Prove(flags)) => {
            let options = options_with_existing_table_directory(&arguments)?;
            run_position_subcommand(&arguments, &flags.position, options, |options| {
                prove::run_prove(&flags, options, &out)
            })?;
        }
        Some(Subcommands::Play(flags)) => run_play(&flags, &arguments, &out)?,
        Some(Subcommands::Rules(flags)) => {
            flags.run(arguments.game.as_deref(), options_from_arguments(&arguments)?, &out)?
        }
        #[cfg(feature = "serve")]
        Some(Subcommands::Serve(flags)) => {
            crate::serve::serve_page(
                &flags.serve_options(),
                options_with_existing_table_directory(&arguments)?,
                &out,
            )
            .map_err(CliError::command_failed)?;
        }
        Some(Subcommands::Tune(flags)) => {
            let options = options_with_existing_table_directory(&arguments)?;
            if let Some(report) = tune::run_tune(&flags, &options)? {
                out.write_unchanged(&format!("{report}\n"));
            }
        }
        Some(Subcommands::Tables(flags)) => {
            let options = options_from_arguments(&arguments)?;
            let game = two_player_rules(&options, "tables are of games")
                .map_err(invalid_arguments_error)?;
            game.run_operation(flags.create_writer(&options, &out)?)?;
        }
    }
    out.take_first_failure().map_err(CliError::command_failed)?;
    Ok(ExitCode::SUCCESS)
}

/// Checks that the command is not a misspelt subcommand, that `--gtp` starts a session, and that a
/// level belongs to a subcommand that plays.
///
/// # Errors
/// If the arguments are meaningless, or probably do not mean what the user intended.
fn check_command_words(arguments: &Arguments) -> Result<(), String> {
    if arguments.gtp && arguments.subcommand.is_some() {
        return Err("--gtp chooses the protocol of a session, and a subcommand begins none".into());
    }
    let plays_games = |subcommand: &Subcommands| match subcommand {
        Subcommands::Arena(_) | Subcommands::Play(_) => true,
        #[cfg(feature = "serve")]
        Subcommands::Serve(_) => true,
        _ => false,
    };
    if arguments.level.is_some()
        && arguments.subcommand.as_ref().is_some_and(|subcommand| !plays_games(subcommand))
    {
        return Err("--level says how well to play, and this subcommand plays no game".into());
    }
    let Some(word) = arguments.command.first() else { return Ok(()) };
    if cfg!(not(feature = "serve")) && word == "serve" {
        let text = "this program was built without 'serve', the page for a browser: the feature 'serve' adds it";
        return Err(text.into());
    }
    if command_table::UGI_COMMANDS
        .iter()
        .flat_map(command_table::CommandSpec::command_names)
        .any(|name| name == word)
    {
        return Ok(());
    }
    let command = Arguments::command();
    match did_you_mean_hint(word, command.get_subcommands().map(clap::Command::get_name)) {
        hint if hint.is_empty() || arguments.gtp => Ok(()),
        hint => Err(format!(
            "there is no subcommand {}{hint}; --help lists them all",
            quote_for_message(word)
        )),
    }
}

/// Returns the command or subcommand of a request for help: `arena` in `help arena`, `perft` in
/// `perft --help`.
fn requested_help_topic(arguments: &Arguments) -> Option<String> {
    match &arguments.command[..] {
        _ if arguments.gtp => None,
        [help, name] if help == "help" => Some(name.clone()),
        [name, .., flag] if ["-h", "--help"].contains(&flag.as_str()) => Some(name.clone()),
        _ => None,
    }
}

/// Runs the subcommand `play`.
fn run_play(flags: &PlayArguments, arguments: &Arguments, out: &Output) -> Result<(), CliError> {
    let choices = [
        (arguments.game.is_some(), "by --game"),
        (flags.word.is_some(), "as a word"),
        (is_game_chosen_by_setting(arguments), "by --set"),
    ];
    let mut used = choices.iter().filter(|(is_used, _)| *is_used).map(|(_, name)| name);
    if let (Some(one), Some(other)) = (used.next(), used.next()) {
        return Err(CliError::InvalidArguments(format!(
            "the game is named twice: {one}, and {other}"
        )));
    }
    let mut options = Options::default();
    if let Some(word) = arguments.game.as_ref().or(flags.word.as_ref()) {
        options = select_game_by_word(options, word).map_err(|error| {
            CliError::InvalidArguments(format!(
                "{error}; 'play' takes a game, and you type moves once it has begun"
            ))
        })?;
    }
    set_options(&mut options, &arguments.settings)?;
    engine_options::open_configured_tablebases(&options, &SystemHost)
        .map_err(invalid_arguments_error)?;
    flags.run(options, arguments.level.as_deref().is_some_and(level::is_auto), out)
}

/// Returns whether --set sets the game.
fn is_game_chosen_by_setting(arguments: &Arguments) -> bool {
    let set_name = |text: &String| {
        text.split_once('=').and_then(|(name, _)| engine_options::find_option(name).ok())
    };
    arguments
        .settings
        .iter()
        .any(|text| set_name(text) == Some(&pentarch_engine::games::GAME_OPTION))
}

/// Runs a subcommand about a position. If the arguments choose no game, reports the default game
/// and how to choose another. On a terminal the report comes immediately, elsewhere only together
/// with an error.
fn run_position_subcommand(
    arguments: &Arguments,
    position: &[String],
    options: Options,
    run: impl FnOnce(Options) -> Result<(), CliError>,
) -> Result<(), CliError> {
    if arguments.game.is_some() || is_game_chosen_by_setting(arguments) {
        return run(options);
    }
    if let Some(word) = all_game_words()
        .iter()
        .find(|word| position.first().is_some_and(|first| first.eq_ignore_ascii_case(word)))
    {
        let error = format!(
            "{} is a game, and a position is expected here: --game {word} chooses the game",
            quote_for_message(word)
        );
        return Err(CliError::InvalidArguments(error));
    }
    let name = all_games()[options.combo_value(&pentarch_engine::games::GAME_OPTION)].name;
    let hint = format!(
        "the game is {name} by default; --game chooses another ('pentarch games' lists them)"
    );
    if io::stderr().is_terminal() {
        print_to_stderr(&hint);
        return run(options);
    }
    run(options).map_err(|error| match error {
        CliError::InvalidArguments(error) => CliError::InvalidArguments(format!("{error}; {hint}")),
        CliError::Failed(_) => error,
    })
}

/// Runs the subcommand `arena`.
fn run_arena(flags: ArenaArguments, arguments: &Arguments, out: &Output) -> Result<(), CliError> {
    let shard = flags.shard.shard_options(kill_engines_and_exit);
    let config = flags
        .match_config(options_of_chosen_game(arguments)?, &arguments.settings)
        .map_err(CliError::invalid_arguments)?;
    if let Some(warning) = config.repeated_games_warning() {
        print_to_stderr(warning);
    }
    process_group::start_guard_process();
    set_interrupt_handler(kill_engines_and_exit).map_err(CliError::command_failed)?;
    if let Some(shard) = shard {
        return Ok(crate::arena::shard::play_match_shard(&config, shard)?);
    }
    Ok(crate::arena::play_match(&config, &mut MatchReporter::new(out.clone()))?)
}

/// Ends the program with this exit code. The program must not have started another program.
fn exit_process(code: i32) {
    std::process::exit(code)
}

fn kill_engines_and_exit(code: i32) {
    let _no_more_engines = process_group::kill_all_process_groups();
    exit_process(code);
}

/// Runs a session: executes the command of the command line, or else the commands on the standard
/// input.
fn run_session(arguments: &Arguments, options: Options) -> Result<ExitCode, CliError> {
    if arguments.gtp {
        two_player_rules(&options, "GTP plays games").map_err(invalid_arguments_error)?;
    }
    let words = &arguments.command;
    let line = words.join(" ");
    if line.contains('\n') {
        return Err(CliError::InvalidArguments("a command is one line".into()));
    }
    let succeeded = match (arguments.gtp, words.is_empty()) {
        (true, true) => gtp::run_gtp(
            BufReader::new(standard_streams::standard_input()),
            standard_streams::standard_output(),
            options,
        )
        .map(|_| true),
        (true, false) => {
            gtp::run_gtp(Cursor::new(line), standard_streams::standard_output(), options)
        }
        (false, true) => {
            if io::stdin().is_terminal() {
                let hint = concat!(
                    "pentarch ",
                    env!("CARGO_PKG_VERSION"),
                    ": 'pentarch play' plays with you; here 'help' lists the commands, 'quit' ends"
                );
                // If the hint cannot be written, the program continues without it.
                let _ = writeln!(io::stderr(), "{hint}");
            }
            // A session writes an error for each rejected line, but the exit code stays 0.
            let input = BufReader::new(standard_streams::standard_input());
            event_loop::run_ugi(
                input,
                standard_streams::standard_output(),
                ErrorTarget::InBand,
                options,
            )
            .map(|_| true)
        }
        (false, false) => event_loop::run_ugi(
            Cursor::new(line),
            standard_streams::standard_output(),
            ErrorTarget::Stderr,
            options,
        ),
    };
    // Errors of rejected lines have been written already.
    let succeeded = succeeded.map_err(CliError::command_failed)?;
    Ok(if succeeded { ExitCode::SUCCESS } else { ExitCode::from(EXIT_INVALID_ARGUMENTS) })
}

/// Returns the error of the program for a command whose arguments the engine rejects.
fn invalid_arguments_error(error: EngineError) -> CliError {
    CliError::invalid_arguments(error)
}

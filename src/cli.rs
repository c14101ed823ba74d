//! The command line: flags, then either a session on standard input or one command given as words.

use std::fs::File;
use std::io::{self, BufReader, Cursor, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

use crate::arena::report::Report;
use crate::core::text::{did_you_mean, quoted};
use crate::core::{Options, TableFailure};
use crate::games::GameId;
use crate::protocol::out::{Errors, Out, new_file};
use crate::protocol::settings;
use crate::protocol::{engine, gtp};
use crate::tune::Failure;

mod arena;
mod prove;
mod tables;
mod tune;

use arena::ArenaArguments;
use prove::ProveArguments;
use tables::{Make, TablesArguments};
use tune::TuneArguments;

/// The exit code for input that was refused, and for bad arguments.
const REFUSED: u8 = 2;

/// Plays Alcaxar, Alquerque, Guerre des Deux Roses, Quoridor and Bushka.
///
/// Without COMMAND it reads commands from standard input, one a line, in the Universal Game Interface (UGI) or UCI:
/// this is how front ends run it. With COMMAND it carries out that one command and exits.
#[derive(Debug, Parser)]
#[command(version, override_usage = USAGE, after_help = EXAMPLES, disable_help_subcommand = true)]
#[command(subcommand_precedence_over_arg = true)]
struct Arguments {
    /// The game to play ('pentarch games' lists them)
    #[arg(short, long, value_name = "GAME", global = true)]
    game: Option<String>,

    /// Set an option ('pentarch ugi' lists them), in a match for both engines; may be given more than once
    #[arg(short, long = "set", value_name = "NAME=VALUE", global = true)]
    settings: Vec<String>,

    /// Speak the Go Text Protocol (GTP) instead, for Go front ends
    #[arg(long)]
    gtp: bool,

    /// Write a log of all input and output to this file
    #[arg(long, value_name = "FILE", global = true)]
    log_file: Option<PathBuf>,

    /// Print a completion script for this shell and exit
    #[arg(long, value_name = "SHELL")]
    completions: Option<Shell>,

    /// A command and its arguments ('pentarch help' lists them)
    #[arg(value_name = "COMMAND", trailing_var_arg = true)]
    command: Vec<String>,

    #[command(subcommand)]
    work: Option<Work>,
}

/// What the program does beside playing.
#[derive(Debug, Subcommand)]
enum Work {
    Arena(Box<ArenaArguments>),
    Prove(ProveArguments),
    Tune(TuneArguments),
    Tables(TablesArguments),
}

const USAGE: &str = "\
pentarch [OPTIONS] [COMMAND]...
       pentarch [OPTIONS] arena [ARENA OPTIONS]
       pentarch [OPTIONS] prove [PROVE OPTIONS] [POSITION]...
       pentarch [OPTIONS] tune --data <FILE> [TUNE OPTIONS]
       pentarch [OPTIONS] tables <MEN> [--check]";

const EXAMPLES: &str = "\
Examples:
  pentarch games                             the games
  pentarch --game quoridor d                 the start position of Quoridor
  pentarch --game quoridor go movetime 1000  a move for it, after a second
  pentarch perft 4                           a count of positions of Alcaxar
  pentarch bench                             a measure of speed
  pentarch arena --nodes 1000 --second ./old a match against an older version ('pentarch arena --help' says more)
  pentarch prove fen f2h4 b5c6d7e2e8f3g4h5 r - 9  who wins from here ('pentarch prove --help' says more)
  printf 'play Kb6\\nlegal e8d9\\n' | pentarch  a session

Environment:
  RUST_LOG   what is logged, to standard error unless --log-file says otherwise: 'debug' for all input and output";

/// Runs the program.
pub fn main() -> ExitCode {
    let mut arguments = Arguments::parse();
    if let Some(shell) = arguments.completions {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut Arguments::command(), "pentarch", &mut script);
        let written = io::stdout().write_all(&script);
        return if written.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let done = start_log(&arguments).and_then(|()| match arguments.work.take() {
        None => {
            let options = options(&arguments)?;
            settings::check_table_path(&options)?;
            Ok(run(&arguments, options))
        }
        Some(Work::Arena(flags)) => Ok(run_arena(&flags.conditions(game(&arguments)?, &arguments.settings)?)),
        Some(Work::Prove(prove)) => Ok(run_prove(&prove, options(&arguments)?)),
        Some(Work::Tune(tune)) => Ok(run_tune(&tune, &options(&arguments)?)),
        Some(Work::Tables(flags)) => {
            let options = options(&arguments)?;
            Ok(run_tables(flags.make(&options)?, &options))
        }
    });
    done.unwrap_or_else(|message| fail(&message, ExitCode::from(REFUSED)))
}

fn run_arena(conditions: &crate::arena::Conditions) -> ExitCode {
    if let Some(warning) = conditions.warning() {
        eprintln!("pentarch: {warning}");
    }
    let out = Out::new(io::stdout(), Errors::Apart);
    match crate::arena::run(conditions, &mut Report::new(out.clone())) {
        Ok(()) => out.result().map_or_else(failed, |()| ExitCode::SUCCESS),
        Err(message) => fail(&message, ExitCode::FAILURE),
    }
}

fn run_prove(arguments: &ProveArguments, options: Options) -> ExitCode {
    match prove::run(arguments, options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(prove::Failure::Failed(message)) => fail(&message, ExitCode::FAILURE),
        Err(prove::Failure::Refused(message)) => fail(&message, ExitCode::from(REFUSED)),
    }
}

fn run(arguments: &Arguments, options: Options) -> ExitCode {
    if arguments.gtp {
        return run_gtp(&arguments.command, options);
    }
    if arguments.command.is_empty() {
        if io::stdin().is_terminal() {
            eprintln!("pentarch {}: 'help' lists the commands, 'quit' ends", env!("CARGO_PKG_VERSION"));
        }
        let served = engine::run(BufReader::new(io::stdin()), io::stdout(), Errors::InBand, options);
        return served.map_or_else(failed, |_| ExitCode::SUCCESS);
    }
    let line = arguments.command.join(" ");
    if line.contains('\n') {
        eprintln!("pentarch: a command is one line");
        return ExitCode::from(REFUSED);
    }
    let accepted = engine::run(Cursor::new(line), io::stdout(), Errors::Apart, options);
    accepted.map_or_else(failed, |accepted| if accepted { ExitCode::SUCCESS } else { ExitCode::from(REFUSED) })
}

fn run_gtp(command: &[String], options: Options) -> ExitCode {
    let served = match command {
        [] => gtp::run(BufReader::new(io::stdin()), io::stdout(), options),
        words => gtp::run(Cursor::new(words.join(" ")), io::stdout(), options),
    };
    served.map_or_else(failed, |()| ExitCode::SUCCESS)
}

/// Says that the session could not go on.
fn failed(error: io::Error) -> ExitCode {
    fail(&format!("the input cannot be read, or the output not be written: {error}"), ExitCode::FAILURE)
}

fn run_tune(arguments: &TuneArguments, options: &Options) -> ExitCode {
    match tune::run(arguments, options) {
        Ok(report) => {
            let written = writeln!(io::stdout(), "{report}");
            if written.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(failure @ Failure::BadArguments(_)) => fail(&failure.to_string(), ExitCode::from(REFUSED)),
        Err(failure @ Failure::Failed(_)) => fail(&failure.to_string(), ExitCode::FAILURE),
    }
}

fn run_tables(make: Make, options: &Options) -> ExitCode {
    match GameId::ALL[options.choice(&settings::GAME)].visit(make) {
        Ok(()) => ExitCode::SUCCESS,
        Err(TableFailure::Refused(message)) => fail(&message, ExitCode::from(REFUSED)),
        Err(TableFailure::Failed(message)) => fail(&message, ExitCode::FAILURE),
    }
}

/// Whether this can become a new file, as far as can be told before there is anything to write.
fn check_new(path: &Path) -> Result<(), String> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let fault = match parent {
        _ if path.exists() => "it is there already",
        Some(parent) if !parent.is_dir() => "there is no such directory",
        _ => return Ok(()),
    };
    Err(format!("{}: {fault}", path.display()))
}

/// Writes a new file, whole or not at all.
fn write_new(path: &Path, bytes: &[u8]) -> Result<(), String> {
    new_file(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}

/// Says what is wrong, for this exit code.
fn fail(message: &str, code: ExitCode) -> ExitCode {
    eprintln!("pentarch: {message}");
    code
}

/// The options that the arguments set.
fn options(arguments: &Arguments) -> Result<Options, String> {
    let mut options = game(arguments)?;
    for text in &arguments.settings {
        let (name, value) = setting(text).map_err(|error| format!("--set {error}"))?;
        options.set(settings::find(&name)?, &value).map_err(|error| error.to_string())?;
    }
    settings::check_memory(&options, 0)?;
    Ok(options)
}

/// Reads an argument that is a whole number from `least` to `most`, which the type must hold.
fn number<T: TryFrom<u64>>(least: u64, most: u64) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| (least..=most).contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| format!("a whole number from {least} to {most} expected"))
    }
}

/// The most of what is counted in `i64` elsewhere.
const MOST: u64 = i64::MAX as u64;

/// The two parts of `NAME=VALUE`.
fn setting(text: &str) -> Result<(String, String), String> {
    let parts = text.split_once('=').ok_or_else(|| format!("takes NAME=VALUE, not {}", quoted(text)))?;
    Ok((parts.0.into(), parts.1.into()))
}

/// The option that chooses the game.
fn game(arguments: &Arguments) -> Result<Options, String> {
    let mut options = Options::default();
    if let Some(game) = &arguments.game {
        options.set(&settings::GAME, game).map_err(|_| {
            let hint = did_you_mean(game, GameId::WORDS.iter().copied());
            format!("there is no game {}{hint}; 'pentarch games' lists them all", quoted(game))
        })?;
    }
    Ok(options)
}

/// Starts logging: silent unless the environment or a log file asks for it.
fn start_log(arguments: &Arguments) -> Result<(), String> {
    let level = if arguments.log_file.is_some() { "debug" } else { "off" };
    let mut builder = env_logger::Builder::from_env(env_logger::Env::default().default_filter_or(level));
    let begun = std::time::Instant::now();
    builder.format(move |line, record| {
        writeln!(line, "{:10.3} {:5} {}", begun.elapsed().as_secs_f64(), record.level(), record.args())
    });
    if let Some(path) = &arguments.log_file {
        let file = File::create(path).map_err(|error| format!("{}: {error}", path.display()))?;
        builder.target(env_logger::Target::Pipe(Box::new(file)));
    }
    builder.init();
    Ok(())
}

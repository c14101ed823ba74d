//! The command line: flags, then either a session on standard input or one command given as words.

use std::fs::File;
use std::io::{self, BufReader, Cursor, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

use crate::arena::report::Report;
use crate::core::files::new_file;
use crate::core::text::{did_you_mean, quoted};
use crate::core::{Options, TableFailure};
use crate::games::GameId;
use crate::protocol::out::{self, Errors, Out};
use crate::protocol::settings;
use crate::protocol::{engine, gtp};

mod arena;
mod prove;
mod tables;
mod tune;

use arena::ArenaArguments;
use prove::ProveArguments;
use tables::TablesArguments;
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

/// Why the program does not end well.
#[derive(Debug)]
enum Failure {
    /// The arguments are bad.
    Refused(String),
    /// Something failed at work.
    Failed(String),
    /// A command was refused, and that was said.
    Told,
}

/// What is said of arguments is that they are bad.
impl From<String> for Failure {
    fn from(message: String) -> Failure {
        Failure::Refused(message)
    }
}

impl From<TableFailure> for Failure {
    fn from(failure: TableFailure) -> Failure {
        match failure {
            TableFailure::Refused(message) => Failure::Refused(message),
            TableFailure::Failed(message) => Failure::Failed(message),
        }
    }
}

impl From<crate::tune::Failure> for Failure {
    fn from(failure: crate::tune::Failure) -> Failure {
        match failure {
            crate::tune::Failure::BadArguments(message) => Failure::Refused(message),
            crate::tune::Failure::Failed(message) => Failure::Failed(message),
        }
    }
}

/// Runs the program.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() => error.exit(),
        // The help or the version was asked for.
        Err(text) => return ended(written(text.print().and_then(|()| io::stdout().flush()))),
    };
    ended(carry_out(arguments))
}

/// The exit code, after what is wrong has been said.
fn ended(done: Result<(), Failure>) -> ExitCode {
    let (code, message) = match done {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Refused(message)) => (ExitCode::from(REFUSED), message),
        Err(Failure::Failed(message)) => (ExitCode::FAILURE, message),
        Err(Failure::Told) => return ExitCode::from(REFUSED),
    };
    tell(&message);
    code
}

/// Says something on the error output.
fn tell(message: &str) {
    // Nothing is left to be done if even this cannot be written.
    let _ = writeln!(io::stderr(), "pentarch: {message}");
}

/// What comes of an output; that nobody reads it is no failure.
fn written(result: io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::Failed(out::unwritten(&error))),
        _ => Ok(()),
    }
}

/// Does what the arguments say.
fn carry_out(mut arguments: Arguments) -> Result<(), Failure> {
    if let Some(shell) = arguments.completions {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut Arguments::command(), "pentarch", &mut script);
        return written(io::stdout().write_all(&script).and_then(|()| io::stdout().flush()));
    }
    start_log(&arguments)?;
    let out = Out::new(io::stdout(), Errors::Apart);
    match arguments.work.take() {
        None => return run(&arguments, playing_options(&arguments)?),
        Some(Work::Arena(flags)) => run_arena(&flags.conditions(game(&arguments)?, &arguments.settings)?, &out)?,
        Some(Work::Prove(prove)) => prove::run(&prove, playing_options(&arguments)?, &out)?,
        Some(Work::Tune(tune)) => {
            let options = playing_options(&arguments)?;
            out.raw(&format!("{}\n", tune::run(&tune, &options)?));
        }
        Some(Work::Tables(flags)) => {
            let options = options(&arguments)?;
            chosen_game(&options).visit(flags.make(&options, &out)?)?;
        }
    }
    out.result().map_err(Failure::Failed)
}

fn chosen_game(options: &Options) -> GameId {
    GameId::ALL[options.choice(&settings::GAME)]
}

fn run_arena(conditions: &crate::arena::Conditions, out: &Out) -> Result<(), Failure> {
    if let Some(warning) = conditions.warning() {
        tell(warning);
    }
    crate::arena::run(conditions, &mut Report::new(out.clone())).map_err(Failure::Failed)
}

/// Plays: carries out the command that is given, or those that come in.
fn run(arguments: &Arguments, options: Options) -> Result<(), Failure> {
    let words = &arguments.command;
    let line = words.join(" ");
    if line.contains('\n') {
        return Err(Failure::Refused("a command is one line".into()));
    }
    let served = match (arguments.gtp, words.is_empty()) {
        (true, true) => gtp::run(BufReader::new(io::stdin()), io::stdout(), options).map(|()| true),
        (true, false) => gtp::run(Cursor::new(line), io::stdout(), options).map(|()| true),
        (false, true) => {
            if io::stdin().is_terminal() {
                let hint = concat!("pentarch ", env!("CARGO_PKG_VERSION"), ": 'help' lists the commands, 'quit' ends");
                // Nobody has to see it.
                let _ = writeln!(io::stderr(), "{hint}");
            }
            // Each line has been answered by itself.
            engine::run(BufReader::new(io::stdin()), io::stdout(), Errors::InBand, options).map(|_| true)
        }
        (false, false) => engine::run(Cursor::new(line), io::stdout(), Errors::Apart, options),
    };
    if served.map_err(Failure::Failed)? { Ok(()) } else { Err(Failure::Told) }
}

/// Writes a new file.
///
/// # Errors
/// If it is there already, or cannot be written.
fn write_new(path: &Path, bytes: &[u8]) -> Result<(), String> {
    new_file(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}

/// The options that the arguments set, for what uses tables that there are.
fn playing_options(arguments: &Arguments) -> Result<Options, String> {
    let options = options(arguments)?;
    settings::check_table_path(&options)?;
    Ok(options)
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

/// The file of the log. Once it cannot be written, that is said, and the work goes on.
struct LogFile {
    file: Option<File>,
    name: String,
}

impl Write for LogFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(Err(error)) = self.file.as_mut().map(|file| file.write_all(bytes)) {
            self.file = None;
            // Nothing is left to be done if even this cannot be written.
            let _ = writeln!(io::stderr(), "pentarch: the log {} ends here: {error}", self.name);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
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
        let file = Some(File::create(path).map_err(|error| format!("{}: {error}", path.display()))?);
        builder.target(env_logger::Target::Pipe(Box::new(LogFile { file, name: path.display().to_string() })));
    }
    builder.init();
    Ok(())
}

//! The command line: flags, then a session on standard input, one command given as words, or a subcommand.
//!
//! | module | what it holds |
//! |---|---|
//! | `analyse` | the subcommand `analyse`: positions and games as data |
//! | `arena` | the subcommand `arena`: a match between two engines |
//! | `arguments` | parsers of the values of flags |
//! | `command_line` | reading the arguments; their help, and what is told of an unknown flag |
//! | `completions` | the scripts by which shells complete the command line |
//! | `convert` | the subcommand `convert`: games from one format to another |
//! | `diagram` | the subcommand `diagram`: a position as a picture |
//! | `failure` | why a command did not succeed, and with which exit code |
//! | `level` | the flag `--level` |
//! | `log` | the log of the program |
//! | `man` | the manual page |
//! | `merge` | the subcommand `merge`: the shards of a work as one file |
//! | `openings` | the subcommand `openings`: openings for matches |
//! | `play` | the subcommand `play`: a game at the terminal |
//! | `problems` | the subcommand `problems`: positions in which one move wins |
//! | `prove` | the subcommand `prove`: who can force a win |
//! | `rules` | the subcommand `rules`: the rules of a game for people |
//! | `settings` | the options that the flags set |
//! | `serve` | the subcommand `serve`: a page for a browser |
//! | `shard_arguments` | the flags `--shard` and `--output` |
//! | `tables` | the subcommand `tables`: files of tablebases |
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
use crate::io::host::System;
use crate::io::interrupt::on_interrupt;
use crate::io::output::{Errors, Output, StreamError, tell};
use crate::io::standard::{self, ignore_file_size_signal};
use crate::protocol::gtp;
use crate::protocol::ugi::{event_loop, help};
use pentarch_core::Options;
use pentarch_core::notation::text::{did_you_mean, quoted};
use pentarch_engine::engine_state::game_for_two;
use pentarch_engine::error::EngineError;
use pentarch_engine::options as engine_options;
use pentarch_games::GameId;

mod analyse;
mod arena;
mod arguments;
mod command_line;
mod completions;
mod convert;
mod diagram;
mod failure;
mod level;
mod log;
mod man;
mod merge;
mod openings;
mod play;
mod problems;
mod prove;
mod rules;
#[cfg(feature = "serve")]
mod serve;
mod settings;
mod shard_arguments;
mod tables;
mod tune;

use analyse::AnalyseArguments;
use arena::ArenaArguments;
use command_line::parse;
use convert::ConvertArguments;
use diagram::DiagramArguments;
pub use failure::Failure;
use merge::MergeArguments;
use openings::OpeningsArguments;
use play::PlayArguments;
use problems::ProblemsArguments;
use prove::ProveArguments;
use rules::RulesArguments;
#[cfg(feature = "serve")]
use serve::ServeArguments;
use settings::{game, options, playing_options, set_all, setting, with_game};
use tables::TablesArguments;
use tune::TuneArguments;

/// The exit code for refused input and for bad arguments.
const REFUSED: u8 = 2;

/// The heading of the flags that subcommands take, too.
const COMMON: &str = "Common options";

/// The flags, then a session or one command.
#[derive(Debug, Parser)]
#[command(about = about(), long_about = format!("{}\n\n{MODES}", about()))]
#[command(override_usage = USAGE, after_help = format!("Examples:\n{SERVE}{EXAMPLES}"))]
#[command(version, disable_help_subcommand = true, subcommand_help_heading = "Subcommands")]
#[command(subcommand_precedence_over_arg = true)]
struct Arguments {
    /// The game ('pentarch games' lists them)
    #[arg(short, long, value_name = "GAME", global = true, help_heading = COMMON)]
    game: Option<String>,

    /// Set an option ('pentarch ugi' lists them); may be given more than once
    #[arg(short, long = "set", value_name = "NAME=VALUE", global = true, help_heading = COMMON)]
    settings: Vec<String>,

    /// How well to play: the option Level, by a name or its number from 1
    #[arg(long, value_name = "NAME", global = true, ignore_case = true, help_heading = COMMON)]
    #[arg(value_parser = level::parser())]
    level: Option<String>,

    /// Speak the Go Text Protocol (GTP) instead, for Go front ends
    #[arg(long)]
    gtp: bool,

    /// Append a log of all input and output to this file
    #[arg(long, value_name = "FILE", global = true, help_heading = COMMON)]
    log_file: Option<PathBuf>,

    /// Print a completion script for this shell and exit
    #[arg(long, value_name = "SHELL")]
    completions: Option<Shell>,

    /// Print the manual page, for 'man', and exit
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
    Convert(ConvertArguments),
    Diagram(DiagramArguments),
    Merge(MergeArguments),
    Openings(OpeningsArguments),
    Problems(ProblemsArguments),
    Prove(ProveArguments),
    Play(PlayArguments),
    Rules(RulesArguments),
    #[cfg(feature = "serve")]
    Serve(ServeArguments),
    Tune(TuneArguments),
    Tables(TablesArguments),
}

/// What the program does, in one line.
fn about() -> String {
    let names: Vec<&str> = GameId::ENTRIES.iter().map(|entry| entry.name).collect();
    let (last, others) = names.split_last().unwrap_or((&"nothing", &[]));
    format!("Plays {} and {last}", others.join(", "))
}

const MODES: &str = "\
Without COMMAND it reads commands from standard input, one a line, in the Universal Game Interface (UGI) or UCI: this \
is how front ends run it. With COMMAND it carries out that one command and exits.";

/// How the program is called.
const USAGE: &str = "pentarch [OPTIONS] [COMMAND]...\n       pentarch [OPTIONS] SUBCOMMAND [FLAGS]";

/// An example of `serve`.
const SERVE: &str = match cfg!(feature = "serve") {
    true => "  pentarch serve                             a page for your browser\n",
    false => "",
};

/// The other examples, and the environment.
const EXAMPLES: &str = "  \
  pentarch play                              a game with you, at the terminal
  pentarch play --problems                   positions in which one move wins or draws
  pentarch play --drills                     won and drawn positions, to be played out
  pentarch games                             the games
  pentarch rules roses                       how one of them is played
  pentarch --game quoridor d                 the start position of Quoridor
  pentarch --game quoridor go movetime 1000  a move for it, after a second
  pentarch --level casual                    a session at this strength
  pentarch perft 4                           a count of positions of Alcaxar
  pentarch bench                             a measure of speed
  pentarch analyse game.txt                  what each move of a game was worth
  pentarch --game roses diagram > start.svg  a picture of a position
  pentarch convert game.txt --to sgf         a game for a Go front end
  pentarch arena --nodes 1000 --second ./old a match with an older version
  pentarch prove fen f2h4 b5c6d7e2e8f3g4h5 r - 9  who wins from here
  printf 'play Kb6\\nlegal e8d9\\n' | pentarch  a session
  pentarch --man | man -l -                  the manual page, with all flags

Environment:
  RUST_LOG   what is logged, to standard error unless --log-file says otherwise:
             'debug' for all input and output";

/// Runs the program.
pub fn main() -> ExitCode {
    if env::args_os().skip(1).eq([process_group::GUARD_ARGUMENT]) {
        process_group::run_guard();
        return ExitCode::SUCCESS;
    }
    ignore_file_size_signal();
    let arguments = match parse(env::args_os()) {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() => error.exit(),
        // The help or the version was asked for.
        Err(text) => return exit_code(print(&text)),
    };
    exit_code(carry_out(arguments))
}

/// Prints the help or the version.
fn print(text: &clap::Error) -> Result<ExitCode, Failure> {
    written(text.print().and_then(|()| io::stdout().flush()))
}

/// Prints a script or a page.
fn print_bytes(bytes: &[u8]) -> Result<ExitCode, Failure> {
    written(standard::output().write_all(bytes).and_then(|()| standard::output().flush()))
}

/// The exit code for this result. A failure is reported on the error output.
fn exit_code(result: Result<ExitCode, Failure>) -> ExitCode {
    result.unwrap_or_else(|failure| {
        tell(&failure.to_string());
        match failure {
            Failure::BadArguments(_) => ExitCode::from(REFUSED),
            Failure::Failed(_) => ExitCode::FAILURE,
        }
    })
}

/// The result of the program after this result of writing. That the reader of the output has closed it is no failure.
fn written(result: io::Result<()>) -> Result<ExitCode, Failure> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::failed(StreamError::Write(error)))
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}

/// Carries out what the arguments ask for.
fn carry_out(mut arguments: Arguments) -> Result<ExitCode, Failure> {
    if let Some(shell) = arguments.completions {
        return print_bytes(&completions::script(shell));
    }
    if arguments.man {
        let page = man::page(&Arguments::command()).map_err(Failure::failed)?;
        return print_bytes(page.as_bytes());
    }
    check_words(&arguments).map_err(Failure::bad_arguments)?;
    if let Some(name) = helped(&arguments) {
        match parse(["pentarch", &name, "--help"].map(OsString::from)) {
            Err(text) if !text.use_stderr() => return print(&text),
            // It is no subcommand.
            _ => arguments.command = vec!["help".into(), name],
        }
    }
    log::start(arguments.log_file.as_deref()).map_err(Failure::bad_arguments)?;
    // Before the other settings, so that one of them can still set another level.
    let named = |level: &String| format!("{}={}", engine_options::LEVEL.name, level::name(level));
    let level = arguments.level.iter().map(named);
    arguments.settings.splice(0..0, level.collect::<Vec<_>>());
    let out = Output::new(standard::output(), Errors::Apart);
    match arguments.subcommand.take() {
        None => return run(&arguments, playing_options(&arguments)?),
        Some(Subcommands::Analyse(flags)) => flags.run(&playing_options(&arguments)?, &out)?,
        Some(Subcommands::Arena(flags)) => run_arena(*flags, &arguments, &out)?,
        Some(Subcommands::Convert(flags)) => flags.run(&options(&arguments)?, &out)?,
        Some(Subcommands::Diagram(flags)) => {
            of_game(&arguments, &flags.position, options(&arguments)?, |options| {
                flags.run(&options, &out)
            })?;
        }
        Some(Subcommands::Merge(flags)) => flags.run()?,
        Some(Subcommands::Openings(flags)) => openings::run(&flags, &options(&arguments)?, &out)?,
        Some(Subcommands::Problems(flags)) => {
            flags.run(arguments.game.as_deref(), options(&arguments)?, &out)?
        }
        // The file of a proof names its game.
        Some(Subcommands::Prove(flags)) if flags.check.is_some() => {
            prove::run(&flags, playing_options(&arguments)?, &out)?
        }
        Some(Subcommands::Prove(flags)) => {
            of_game(&arguments, &flags.position, playing_options(&arguments)?, |options| {
                prove::run(&flags, options, &out)
            })?;
        }
        Some(Subcommands::Play(flags)) => play(&flags, &arguments, &out)?,
        Some(Subcommands::Rules(flags)) => {
            flags.run(arguments.game.as_deref(), options(&arguments)?, &out)?
        }
        #[cfg(feature = "serve")]
        Some(Subcommands::Serve(flags)) => {
            crate::serve::run(&flags.plan(), playing_options(&arguments)?, &out)
                .map_err(Failure::failed)?;
        }
        Some(Subcommands::Tune(flags)) => {
            let options = playing_options(&arguments)?;
            if let Some(report) = tune::run(&flags, &options)? {
                out.raw(&format!("{report}\n"));
            }
        }
        Some(Subcommands::Tables(flags)) => {
            let options = options(&arguments)?;
            let game = game_for_two(&options, "tables are of games").map_err(bad_arguments)?;
            game.visit(flags.make(&options, &out)?)?;
        }
    }
    out.result().map_err(Failure::failed)?;
    Ok(ExitCode::SUCCESS)
}

/// Checks that a command is no misspelt subcommand, that GTP is asked for only where a session begins, and a level only
/// where a game is played.
///
/// # Errors
/// If the arguments mean something else than they say.
fn check_words(arguments: &Arguments) -> Result<(), String> {
    if arguments.gtp && arguments.subcommand.is_some() {
        return Err("--gtp chooses the protocol of a session, and a subcommand begins none".into());
    }
    let plays = |subcommand: &Subcommands| match subcommand {
        Subcommands::Arena(_) | Subcommands::Play(_) => true,
        #[cfg(feature = "serve")]
        Subcommands::Serve(_) => true,
        _ => false,
    };
    if arguments.level.is_some()
        && arguments.subcommand.as_ref().is_some_and(|subcommand| !plays(subcommand))
    {
        return Err("--level says how well to play, and this subcommand plays no game".into());
    }
    let Some(word) = arguments.command.first() else { return Ok(()) };
    if cfg!(not(feature = "serve")) && word == "serve" {
        let text = "this program was built without 'serve', the page for a browser: the feature 'serve' adds it";
        return Err(text.into());
    }
    if help::COMMANDS.iter().flat_map(help::Help::names).any(|name| name == word) {
        return Ok(());
    }
    let command = Arguments::command();
    match did_you_mean(word, command.get_subcommands().map(clap::Command::get_name)) {
        hint if hint.is_empty() || arguments.gtp => Ok(()),
        hint => {
            Err(format!("there is no subcommand {}{hint}; --help lists them all", quoted(word)))
        }
    }
}

/// What the words of the command ask for help about: `arena` in `help arena`, `perft` in `perft --help`.
fn helped(arguments: &Arguments) -> Option<String> {
    match &arguments.command[..] {
        _ if arguments.gtp => None,
        [help, name] if help == "help" => Some(name.clone()),
        [name, .., flag] if ["-h", "--help"].contains(&flag.as_str()) => Some(name.clone()),
        _ => None,
    }
}

/// Runs the subcommand `play`.
fn play(flags: &PlayArguments, arguments: &Arguments, out: &Output) -> Result<(), Failure> {
    let by_set = sets_game(arguments);
    let ways = [
        (arguments.game.is_some(), "by --game"),
        (flags.word.is_some(), "as a word"),
        (by_set, "by --set"),
        (flags.setup.load.is_some(), "by --load"),
    ];
    let used: Vec<&str> =
        ways.into_iter().filter_map(|(is_used, way)| is_used.then_some(way)).collect();
    if let [one, other, ..] = used[..] {
        return Err(Failure::BadArguments(format!("the game is named twice: {one}, and {other}")));
    }
    let mut options = Options::default();
    if let Some(word) = arguments.game.as_ref().or(flags.word.as_ref()) {
        options = with_game(options, word).map_err(|error| {
            Failure::BadArguments(format!(
                "{error}; 'play' takes a game, and moves are typed when it has begun"
            ))
        })?;
    }
    set_all(&mut options, &arguments.settings)?;
    engine_options::table_files(&options, &System).map_err(bad_arguments)?;
    flags.run(options, out)
}

/// Whether --set names the game.
fn sets_game(arguments: &Arguments) -> bool {
    let set_name =
        |text: &String| text.split_once('=').and_then(|(name, _)| engine_options::find(name).ok());
    arguments.settings.iter().any(|text| set_name(text) == Some(&pentarch_games::GAME))
}

/// Runs a subcommand about a position. If the arguments choose no game, it says which one is taken and how to choose:
/// at once on a terminal, elsewhere with an error.
fn of_game(
    arguments: &Arguments,
    position: &[String],
    options: Options,
    run: impl FnOnce(Options) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if arguments.game.is_some() || sets_game(arguments) {
        return run(options);
    }
    if let Some(word) = GameId::WORDS
        .iter()
        .find(|word| position.first().is_some_and(|first| first.eq_ignore_ascii_case(word)))
    {
        let fault = format!(
            "{} is a game, and a position is expected here: --game {word} chooses the game",
            quoted(word)
        );
        return Err(Failure::BadArguments(fault));
    }
    let name = GameId::ENTRIES[options.choice(&pentarch_games::GAME)].name;
    let taken = format!(
        "no game is chosen, so that it is {name}; --game chooses another ('pentarch games' lists them)"
    );
    if io::stderr().is_terminal() {
        tell(&taken);
        return run(options);
    }
    run(options).map_err(|failure| match failure {
        Failure::BadArguments(error) => Failure::BadArguments(format!("{error}; {taken}")),
        Failure::Failed(_) => failure,
    })
}

/// Runs the subcommand `arena`.
fn run_arena(flags: ArenaArguments, arguments: &Arguments, out: &Output) -> Result<(), Failure> {
    let shard = flags.shard.options(end_with_engines);
    let config = flags
        .match_config(game(arguments)?, &arguments.settings)
        .map_err(Failure::bad_arguments)?;
    if let Some(warning) = config.repetition_warning() {
        tell(warning);
    }
    process_group::start_guard();
    on_interrupt(end_with_engines).map_err(Failure::failed)?;
    if let Some(shard) = shard {
        return Ok(crate::arena::shard::play_shard(&config, shard)?);
    }
    Ok(crate::arena::play_match(&config, &mut MatchReporter::new(out.clone()))?)
}

/// Ends the program with this exit code, where it has started no other program.
fn exit(code: i32) {
    std::process::exit(code)
}

/// Ends all engines, and then the program with this exit code.
fn end_with_engines(code: i32) {
    let _no_more_engines = process_group::kill_all();
    exit(code);
}

/// Runs a session: carries out the command on the command line, or without one those on standard input.
fn run(arguments: &Arguments, options: Options) -> Result<ExitCode, Failure> {
    if arguments.gtp {
        game_for_two(&options, "GTP plays games").map_err(bad_arguments)?;
    }
    let words = &arguments.command;
    let line = words.join(" ");
    if line.contains('\n') {
        return Err(Failure::BadArguments("a command is one line".into()));
    }
    let served = match (arguments.gtp, words.is_empty()) {
        (true, true) => {
            gtp::run(BufReader::new(standard::input()), standard::output(), options).map(|_| true)
        }
        (true, false) => gtp::run(Cursor::new(line), standard::output(), options),
        (false, true) => {
            if io::stdin().is_terminal() {
                let hint = concat!(
                    "pentarch ",
                    env!("CARGO_PKG_VERSION"),
                    ": 'pentarch play' plays with you; here 'help' lists the commands, 'quit' ends"
                );
                // If the hint cannot be written, only the hint is missing.
                let _ = writeln!(io::stderr(), "{hint}");
            }
            // In a session each refused line has been answered with an error, and the exit code is 0.
            let input = BufReader::new(standard::input());
            event_loop::run(input, standard::output(), Errors::InBand, options).map(|_| true)
        }
        (false, false) => {
            event_loop::run(Cursor::new(line), standard::output(), Errors::Apart, options)
        }
    };
    // Errors of refused lines have been written already.
    Ok(if served.map_err(Failure::failed)? { ExitCode::SUCCESS } else { ExitCode::from(REFUSED) })
}

/// The failure of a command whose arguments the engine refuses.
fn bad_arguments(refused: EngineError) -> Failure {
    Failure::bad_arguments(refused)
}

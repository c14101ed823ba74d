//! The subcommand `arena`: its flags, and the match that they specify.
//!
//! | module | what it holds |
//! |---|---|
//! | `engines_file` | the file of the engines of a tournament |
//! | `error` | the errors of the arguments |
//! | `help` | what the help has behind the flags |
//! | `values` | the values of the flags |

mod engines_file;
mod error;
mod help;
mod values;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::arena::Conditions;
use crate::arena::adjudication::Adjudication;
use crate::arena::limit::Limit;
use crate::arena::opening::{self, Source};
use crate::arena::process::Spec;
use crate::arena::rows::Form;
use crate::arena::schedule::Schedule;
use crate::arena::sprt::Sprt;
use crate::arena::standings::Tournament;
use crate::cli::arguments::number;
use crate::cli::shard_arguments::ShardArguments;
use crate::io::files::read_plain;
use pentarch_core::notation::text::quoted;
use pentarch_core::rules::options::REPETITION_DRAW;
use pentarch_core::{OptionSpec, Options};
use pentarch_engine::engine_state::{game_for_two, rule_options};
use pentarch_engine::options::UCI_VARIANT;
use pentarch_engine::session::MAX_PLIES;
use pentarch_games::GAME;
use pentarch_system::ErrorContext;

use super::setting;
use engines_file::Line;
use error::{ArgumentsError, MissingLimit};
use help::EXAMPLES;
use values::{MAX_COUNT, Words, clock, depth, elo, milliseconds, move_time, nodes, retries, words};

/// Plays a match between two engines, or a tournament of more, and says what it tells about their strength.
///
/// An engine without a command is this very program. Each engine is a process that speaks UGI or UCI. The arena keeps
/// the games by its own rules: who makes an illegal move, exceeds the time, crashes, hangs or answers nonsense loses
/// the game.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ArenaArguments {
    #[command(flatten)]
    engines: EngineArguments,
    #[command(flatten)]
    limits: LimitArguments,
    #[command(flatten)]
    games: GameArguments,
    /// Which of its pairs of games to play, on one of several machines.
    #[command(flatten)]
    pub shard: ShardArguments,
}

/// What the flags that are about the two engines of a match are called, which a tournament does not have.
const OF_TWO: [&str; 15] = [
    "first",
    "second",
    "first_name",
    "second_name",
    "first_set",
    "second_set",
    "first_movetime",
    "first_time",
    "first_nodes",
    "first_depth",
    "second_movetime",
    "second_time",
    "second_nodes",
    "second_depth",
    "sprt",
];

/// The engines.
#[derive(Debug, Args)]
#[command(next_help_heading = "Engines")]
struct EngineArguments {
    /// Play a tournament of the engines in this file, each against each other one
    #[arg(long, value_name = "FILE", conflicts_with_all = OF_TWO)]
    engines: Option<PathBuf>,
    /// Let this engine of the file play against each of the others, and these not against each other
    #[arg(long, value_name = "NAME", requires = "engines")]
    gauntlet: Option<String>,
    /// The first engine: a program with its arguments
    #[arg(long, value_name = "COMMAND", value_parser = words, default_value = "", hide_default_value = true)]
    first: Words,
    /// The second engine
    #[arg(long, value_name = "COMMAND", value_parser = words, default_value = "", hide_default_value = true)]
    second: Words,
    /// What to call the first engine
    #[arg(long, value_name = "NAME", default_value = "first")]
    first_name: String,
    /// What to call the second engine
    #[arg(long, value_name = "NAME", default_value = "second")]
    second_name: String,
    /// Set an option of the first engine only; may be given more than once
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    first_set: Vec<Setting>,
    /// Set an option of the second engine only; may be given more than once
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    second_set: Vec<Setting>,
}

/// What limits the moves of both engines, or of one of them.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
struct LimitArguments {
    /// Milliseconds for each move
    #[arg(long, value_name = "MS", group = "both", value_parser = move_time)]
    movetime: Option<Limit>,
    /// Milliseconds on the clock, and those that each move adds
    #[arg(long, value_name = "MS[+INC]", group = "both", value_parser = clock)]
    time: Option<Limit>,
    /// Positions for each move
    #[arg(long, value_name = "N", group = "both", value_parser = nodes)]
    nodes: Option<Limit>,
    /// Plies for each move
    #[arg(long, value_name = "N", group = "both", value_parser = depth)]
    depth: Option<Limit>,
    /// The same for the first engine only
    #[arg(long, value_name = "MS", group = "limit of the first", value_parser = move_time)]
    first_movetime: Option<Limit>,
    /// The same for the first engine only
    #[arg(long, value_name = "MS[+INC]", group = "limit of the first", value_parser = clock)]
    first_time: Option<Limit>,
    /// The same for the first engine only
    #[arg(long, value_name = "N", group = "limit of the first", value_parser = nodes)]
    first_nodes: Option<Limit>,
    /// The same for the first engine only
    #[arg(long, value_name = "N", group = "limit of the first", value_parser = depth)]
    first_depth: Option<Limit>,
    /// The same for the second engine only
    #[arg(long, value_name = "MS", group = "limit of the second", value_parser = move_time)]
    second_movetime: Option<Limit>,
    /// The same for the second engine only
    #[arg(long, value_name = "MS[+INC]", group = "limit of the second", value_parser = clock)]
    second_time: Option<Limit>,
    /// The same for the second engine only
    #[arg(long, value_name = "N", group = "limit of the second", value_parser = nodes)]
    second_nodes: Option<Limit>,
    /// The same for the second engine only
    #[arg(long, value_name = "N", group = "limit of the second", value_parser = depth)]
    second_depth: Option<Limit>,
}

/// The games.
#[derive(Debug, Args)]
#[command(next_help_heading = "Games")]
struct GameArguments {
    /// How many games; of a tournament: of each pairing
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number::<usize>(1, MAX_COUNT))]
    games: usize,
    /// How many games to play at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u16>(1, 256))]
    concurrency: u16,
    /// Call a game a draw after this many plies
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = number::<usize>(1, MAX_PLIES as u64))]
    plies: usize,
    /// Begin with this many random moves, the same for both games of a pair; 0 for the start position
    #[arg(long, value_name = "N", conflicts_with = "openings")]
    #[arg(value_parser = number::<usize>(0, MAX_PLIES as u64))]
    random_plies: Option<usize>,
    /// Choose the random moves by this number
    #[arg(long, value_name = "N", default_value_t = 1, requires = "random_plies")]
    #[arg(value_parser = number::<u64>(0, u64::MAX))]
    seed: u64,
    /// Begin with the positions of this file: position texts or 'startpos', each with 'moves M...' if need be
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Let the first engine always play the side that moves first in the start position
    #[arg(long)]
    fixed_sides: bool,
    /// Stop as soon as a sequential test decides between these two Elo differences
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true, value_parser = elo)]
    sprt: Option<Vec<f64>>,
    /// Keep the games in this file; if it holds games of this match already, go on from there
    #[arg(long, value_name = "FILE", conflicts_with = "shard")]
    record: Option<PathBuf>,
    /// When the match ends, write a graph of the score or of the ratings to this new file, in SVG
    #[arg(long, value_name = "FILE", conflicts_with = "shard")]
    plot: Option<PathBuf>,
    /// Print each game as it ends as comma-separated values, and nothing else
    #[arg(long, conflicts_with = "shard")]
    csv: bool,
    /// Print each game as it ends as an object in JSON, and at the end one for the match, and nothing else
    #[arg(long, conflicts_with_all = ["csv", "shard"])]
    json: bool,
    /// How much more time than its limit an engine may take for a move
    #[arg(long, value_name = "MS", default_value = "50", value_parser = milliseconds)]
    margin: Duration,
    /// What happens after an illegal move: the engine loses, or it is asked again up to three times on its running
    /// clock
    #[arg(long, value_name = "WHAT", default_value = "lose", value_parser = retries())]
    illegal: u32,
    /// End a game that both engines see won for the same side, by CP centipawns at least, for PLIES plies in a row
    #[arg(long, num_args = 2, value_names = ["CP", "PLIES"], value_parser = number::<u32>(1, MAX_SCORE))]
    adjudicate_score: Option<Vec<u32>>,
    /// End a game as soon as this program knows its result by tables or without a search
    #[arg(long)]
    adjudicate_tables: bool,
    /// End with the exit code 1 if an engine has lost a game by a crash
    #[arg(long)]
    fail_on_crash: bool,
    /// How long an engine may take for an answer that no clock limits
    #[arg(long, value_name = "MS", default_value = "60000", value_parser = milliseconds)]
    patience: Duration,
}

impl ArenaArguments {
    /// The conditions of the match. `options` choose the game; `settings` are texts `NAME=VALUE` that set rules and
    /// options of both engines.
    ///
    /// # Errors
    /// If the arguments contradict each other or lack a limit, a setting is bad, or the file of openings cannot be
    /// used.
    pub fn conditions(
        self,
        mut options: Options,
        settings: &[String],
    ) -> Result<Conditions, ArgumentsError> {
        let ArenaArguments { engines, limits, games, .. } = self;
        let common = set_rules(&mut options, settings)?;
        game_for_two(&options, "a match is").map_err(Box::new)?;
        let (gauntlet, fixed_sides) = (engines.gauntlet.clone(), games.fixed_sides);
        let (specs, anchors) = match &engines.engines {
            None => (engines.of_two(&limits, &common, &options)?, None),
            Some(path) => {
                let text = read_plain(path).in_file(path)?;
                let lines = engines_file::read(&text, &options).map_err(|error| {
                    ArgumentsError::EnginesFile { path: path.clone(), error: error.into() }
                })?;
                let anchors = lines.iter().map(|line| line.rating).collect();
                let spec = |line| of_line(line, &limits, &common).in_file(path);
                (lines.into_iter().map(spec).collect::<Result<Vec<_>, _>>()?, Some(anchors))
            }
        };
        let gauntlet = gauntlet.map(|name| named(&specs, &name)).transpose()?;
        let tournament = anchors.map(|anchors| Tournament { gauntlet, anchors });
        let schedule = match gauntlet {
            None => Schedule::round_robin(specs.len(), fixed_sides),
            Some(engine) => Schedule::gauntlet(engine, specs.len(), fixed_sides),
        };
        let openings = games.source(&options)?;
        if games.plot.is_some() && games.plot == games.record {
            return Err(ArgumentsError::SameFile);
        }
        let sprt = games.sprt()?;
        Ok(Conditions {
            options,
            engines: specs,
            openings,
            games: games.of_all(&schedule, tournament.is_some())?,
            schedule,
            tournament,
            most_plies: games.plies,
            margin: games.margin,
            patience: games.patience,
            adjudication: games.adjudication(),
            retries: games.illegal,
            fail_on_crash: games.fail_on_crash,
            concurrency: games.concurrency.into(),
            sprt,
            form: match (games.csv, games.json) {
                (true, _) => Form::Csv,
                (_, true) => Form::Json,
                _ => Form::Text,
            },
            record: games.record,
            plot: games.plot,
        })
    }
}

impl EngineArguments {
    /// The two engines of a match.
    fn of_two(
        self,
        limits: &LimitArguments,
        common: &[Setting],
        options: &Options,
    ) -> Result<Vec<Spec>, ArgumentsError> {
        let [first_limit, second_limit] = limits.limits()?;
        let first_settings = with_engine_settings(common, self.first_set, options)?;
        let second_settings = with_engine_settings(common, self.second_set, options)?;
        Ok(vec![
            Spec {
                name: self.first_name,
                command: self.first,
                settings: first_settings,
                limit: first_limit,
            },
            Spec {
                name: self.second_name,
                command: self.second,
                settings: second_settings,
                limit: second_limit,
            },
        ])
    }
}

/// The engine of a line of a file, with what is the same for all.
fn of_line(line: Line, limits: &LimitArguments, common: &[Setting]) -> Result<Spec, MissingLimit> {
    let Line { name, command, settings, limit, .. } = line;
    let missing = || MissingLimit { engine: quoted(&name) };
    let limit = limit.or(limits.both()).ok_or_else(missing)?;
    Ok(Spec { name, command, settings: common.iter().cloned().chain(settings).collect(), limit })
}

/// The index of the engine with this name.
fn named(engines: &[Spec], name: &str) -> Result<usize, ArgumentsError> {
    let found = engines.iter().position(|spec| spec.name == name);
    found.ok_or_else(|| ArgumentsError::Gauntlet {
        name: name.into(),
        known: engines.iter().map(|spec| spec.name.clone()).collect(),
    })
}

/// The greatest score by which a game can be adjudicated. A mate is beyond it.
const MAX_SCORE: u64 = 30_000;

/// A name and a value.
type Setting = (String, String);

/// Whether this is a name of the option that chooses the game.
fn is_game(name: &str) -> bool {
    [GAME.name, UCI_VARIANT].iter().any(|game| game.eq_ignore_ascii_case(name))
}

/// The option with this name, in any case, if it is one of the rules of the game.
fn rule(options: &Options, name: &str) -> Option<&'static OptionSpec> {
    rule_options(options).find(|spec| spec.name.eq_ignore_ascii_case(name))
}

/// Sets those of these settings that are rules of the game, and returns the others, which are options of the engines.
fn set_rules(options: &mut Options, settings: &[String]) -> Result<Vec<Setting>, ArgumentsError> {
    let mut others = Vec::new();
    // Without this rule some games would never end.
    options.turn_on(&REPETITION_DRAW);
    for text in settings {
        let (name, value) = setting(text).map_err(ArgumentsError::Setting)?;
        if is_game(&name) {
            return Err(ArgumentsError::Game);
        }
        match rule(options, &name) {
            Some(spec) => options.set(spec, &value)?,
            None => others.push((name, value)),
        }
    }
    Ok(others)
}

/// The settings of both engines, then those of one engine, which must not be rules of the game.
fn with_engine_settings(
    common: &[Setting],
    own: Vec<Setting>,
    options: &Options,
) -> Result<Vec<Setting>, ArgumentsError> {
    match own.iter().find(|(name, _)| is_game(name) || rule(options, name).is_some()) {
        Some((name, _)) => Err(ArgumentsError::CommonSetting { name: name.clone() }),
        None => Ok(common.iter().cloned().chain(own).collect()),
    }
}

impl GameArguments {
    /// When games are adjudicated.
    fn adjudication(&self) -> Adjudication {
        let score = match self.adjudicate_score.as_deref() {
            Some(&[centipawns, plies]) => {
                i32::try_from(centipawns).ok().map(|centipawns| (centipawns, plies))
            }
            _ => None,
        };
        Adjudication { score, by_tables: self.adjudicate_tables }
    }

    /// The number of games of all pairings together.
    fn of_all(&self, schedule: &Schedule, is_tournament: bool) -> Result<usize, ArgumentsError> {
        if is_tournament && !schedule.fixed_sides && !self.games.is_multiple_of(2) {
            return Err(ArgumentsError::OddGames);
        }
        let pairings = schedule.pairings.len();
        let games = self.games.saturating_mul(pairings);
        match games as u64 <= MAX_COUNT {
            true => Ok(games),
            false => Err(ArgumentsError::ManyGames { pairings, games }),
        }
    }

    /// The sequential test, if one is asked for.
    fn sprt(&self) -> Result<Option<Sprt>, ArgumentsError> {
        match self.sprt.as_deref() {
            None => Ok(None),
            Some(&[elo0, elo1]) if elo0 < elo1 => Ok(Some(Sprt { elo0, elo1 })),
            Some(_) => Err(ArgumentsError::Sprt),
        }
    }

    /// The source of the openings.
    fn source(&self, options: &Options) -> Result<Source, ArgumentsError> {
        let source = match (&self.openings, self.random_plies) {
            (Some(path), _) => {
                let text = read_plain(path).in_file(path)?;
                Source::list(path.display().to_string(), &text, options)?
            }
            (None, Some(0)) => Source::Start,
            (None, Some(plies)) => Source::Random { plies, seed: self.seed },
            (None, None) => opening::of_the_game(options)?,
        };
        match source.plies() {
            plies if plies >= self.plies => Err(ArgumentsError::LongOpening { plies }),
            _ => Ok(source),
        }
    }
}

impl LimitArguments {
    /// The limit of all engines that have none of their own.
    fn both(&self) -> Option<Limit> {
        self.movetime.or(self.time).or(self.nodes).or(self.depth)
    }

    /// The limits of the two engines: their own, or the common one.
    fn limits(&self) -> Result<[Limit; 2], MissingLimit> {
        let first =
            self.first_movetime.or(self.first_time).or(self.first_nodes).or(self.first_depth);
        let second =
            self.second_movetime.or(self.second_time).or(self.second_nodes).or(self.second_depth);
        let limit = |which: &str, own: Option<Limit>| {
            let missing = || MissingLimit { engine: format!("the {which} engine") };
            own.or(self.both()).ok_or_else(missing)
        };
        Ok([limit("first", first)?, limit("second", second)?])
    }
}

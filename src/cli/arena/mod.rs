//! The subcommand `arena`: parses its flags, and plays the match that they specify.
//!
//! | module | contents |
//! |---|---|
//! | `engines_file` | the file of the engines of a tournament |
//! | `error` | the errors of the arguments |
//! | `help` | the help text after the flags |
//! | `flag_value_parsers` | the values of the flags |

mod engines_file;
mod error;
mod flag_value_parsers;
mod help;

use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use crate::arena::MatchConfig;
use crate::arena::adjudication::{AdjudicationConditions, ScoreAdjudicationThreshold};
use crate::arena::export::OutputFormat;
use crate::arena::move_limit::MoveLimit;
use crate::arena::opening::{self, OpeningSource};
use crate::arena::process::EngineSpec;
use crate::arena::schedule::Schedule;
use crate::arena::sprt::Sprt;
use crate::arena::standings::TournamentSettings;
use crate::cli::arguments::number_parser;
use crate::cli::shard_arguments::ShardArguments;
use crate::convert::openings::read_openings;
use crate::io::charset::{DecodedText, GuessedCharsetWarning, decode_game_file};
use crate::io::output::print_to_stderr;
use crate::io::whole_files::{open_regular_file, read_open_file_bytes, read_regular_file};
use pentarch_core::notation::parsing::quote_for_message;
use pentarch_core::rules::options::REPETITION_DRAW_OPTION;
use pentarch_core::{OptionSpec, Options};
use pentarch_engine::engine_options::UCI_VARIANT_OPTION_NAME;
use pentarch_engine::engine_state::{rule_options, two_player_rules};
use pentarch_engine::games::GAME_OPTION;
use pentarch_engine::session::MAX_GAME_PLIES;
use pentarch_system::WithErrorLocation;

use super::arguments::{EngineCommandWords, parse_milliseconds, split_command_words};
use super::parse_setting;
use engines_file::EngineSettingsLine;
use error::{ArenaArgumentsError, MissingMoveLimit};
use flag_value_parsers::{
    MAX_COUNT_ARGUMENT, illegal_move_retries_parser, parse_clock_limit, parse_depth_limit,
    parse_elo, parse_move_time_limit, parse_node_limit,
};
use help::EXAMPLES_HELP;

/// Plays a match between two engines, or a tournament of more, to compare their strength.
///
/// An engine without a command is this program. Each engine is a process that speaks UGI or UCI.
/// The arena checks the games by its own rules. An engine loses the game if it makes an illegal
/// move, exceeds the time, crashes, hangs or sends garbage.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES_HELP)]
pub(super) struct ArenaArguments {
    #[command(flatten)]
    engines: EngineArguments,
    #[command(flatten)]
    limits: LimitArguments,
    #[command(flatten)]
    games: MatchArguments,
    /// The shard of the match to play, on one of several machines.
    #[command(flatten)]
    pub shard: ShardArguments,
}

/// The flags for the two engines of a match. A tournament does not have these flags.
const TWO_ENGINE_FLAGS: [&str; 15] = [
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
    /// Play a tournament of the engines in this file, each engine against every other engine
    #[arg(long, value_name = "FILE", conflicts_with_all = TWO_ENGINE_FLAGS)]
    engines: Option<PathBuf>,
    /// Let this engine of the file play against each of the others, which do not play against each
    /// other
    #[arg(long, value_name = "NAME", requires = "engines")]
    gauntlet: Option<String>,
    /// The first engine: a program with its arguments
    #[arg(long, value_name = "COMMAND", value_parser = split_command_words, default_value = "", hide_default_value = true)]
    first: EngineCommandWords,
    /// The second engine
    #[arg(long, value_name = "COMMAND", value_parser = split_command_words, default_value = "", hide_default_value = true)]
    second: EngineCommandWords,
    /// The name of the first engine
    #[arg(long, value_name = "NAME", default_value = "first")]
    first_name: String,
    /// The name of the second engine
    #[arg(long, value_name = "NAME", default_value = "second")]
    second_name: String,
    /// Set an option of the first engine only; may be given more than once
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_setting)]
    first_set: Vec<OptionNameAndValue>,
    /// Set an option of the second engine only; may be given more than once
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_setting)]
    second_set: Vec<OptionNameAndValue>,
}

/// The limits of the moves, for both engines or for one engine.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
struct LimitArguments {
    /// Milliseconds for each move
    #[arg(long, value_name = "MS", group = "both", value_parser = parse_move_time_limit)]
    movetime: Option<MoveLimit>,
    /// Milliseconds on the clock, and milliseconds that each move adds
    #[arg(long, value_name = "MS[+INC]", group = "both", value_parser = parse_clock_limit)]
    time: Option<MoveLimit>,
    /// Positions for each move
    #[arg(long, value_name = "N", group = "both", value_parser = parse_node_limit)]
    nodes: Option<MoveLimit>,
    /// Plies for each move
    #[arg(long, value_name = "N", group = "both", value_parser = parse_depth_limit)]
    depth: Option<MoveLimit>,
    /// The same for the first engine only
    #[arg(long, value_name = "MS", group = "limit of the first", value_parser = parse_move_time_limit)]
    first_movetime: Option<MoveLimit>,
    /// The same for the first engine only
    #[arg(long, value_name = "MS[+INC]", group = "limit of the first", value_parser = parse_clock_limit)]
    first_time: Option<MoveLimit>,
    /// The same for the first engine only
    #[arg(long, value_name = "N", group = "limit of the first", value_parser = parse_node_limit)]
    first_nodes: Option<MoveLimit>,
    /// The same for the first engine only
    #[arg(long, value_name = "N", group = "limit of the first", value_parser = parse_depth_limit)]
    first_depth: Option<MoveLimit>,
    /// The same for the second engine only
    #[arg(long, value_name = "MS", group = "limit of the second", value_parser = parse_move_time_limit)]
    second_movetime: Option<MoveLimit>,
    /// The same for the second engine only
    #[arg(long, value_name = "MS[+INC]", group = "limit of the second", value_parser = parse_clock_limit)]
    second_time: Option<MoveLimit>,
    /// The same for the second engine only
    #[arg(long, value_name = "N", group = "limit of the second", value_parser = parse_node_limit)]
    second_nodes: Option<MoveLimit>,
    /// The same for the second engine only
    #[arg(long, value_name = "N", group = "limit of the second", value_parser = parse_depth_limit)]
    second_depth: Option<MoveLimit>,
}

/// The games.
#[derive(Debug, Args)]
#[command(next_help_heading = "Games")]
struct MatchArguments {
    /// Number of games; in a tournament the number for each pairing
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number_parser::<usize>(1, MAX_COUNT_ARGUMENT))]
    games: usize,
    /// Number of games to play at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number_parser::<u16>(1, 256))]
    concurrency: u16,
    /// End a game as a draw after this many plies
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = number_parser::<usize>(1, MAX_GAME_PLIES as u64))]
    plies: usize,
    /// Begin with this number of random moves, the same for both games of a pair; 0 for the start
    /// position
    #[arg(long, value_name = "N", conflicts_with = "openings")]
    #[arg(value_parser = number_parser::<usize>(0, MAX_GAME_PLIES as u64))]
    random_plies: Option<usize>,
    /// Seed of the random moves
    #[arg(long, value_name = "N", default_value_t = 1, requires = "random_plies")]
    #[arg(value_parser = number_parser::<u64>(0, u64::MAX))]
    seed: u64,
    /// Begin with the positions of this file: FENs or 'startpos', each with 'moves M...' if
    /// necessary, or records, SGF or lists of moves
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Let the first engine always play the side that moves first in the start position
    #[arg(long)]
    fixed_sides: bool,
    /// Stop as soon as a sequential test decides between these two Elo differences
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true, value_parser = parse_elo)]
    sprt: Option<Vec<f64>>,
    /// Write the games to this file; if it has games of this match already, continue from there
    #[arg(long, value_name = "FILE", conflicts_with = "shard")]
    record: Option<PathBuf>,
    /// When the match ends, write a graph of the score or of the ratings to this new file, in SVG
    #[arg(long, value_name = "FILE", conflicts_with = "shard")]
    plot: Option<PathBuf>,
    /// Print each game as it ends as comma-separated values, and nothing else
    #[arg(long, conflicts_with = "shard")]
    csv: bool,
    /// Print each game as it ends as an object in JSON, at the end an object for the match, and
    /// nothing else
    #[arg(long, conflicts_with_all = ["csv", "shard"])]
    json: bool,
    /// Time by which an engine may exceed its limit for a move
    #[arg(long, value_name = "MS", default_value = "50", value_parser = parse_milliseconds)]
    margin: Duration,
    /// Result of an illegal move: the engine loses, or it may try again up to three times while its
    /// clock runs
    #[arg(long, value_name = "WHAT", default_value = "lose", value_parser = illegal_move_retries_parser())]
    illegal: u32,
    /// End a game if both engines see the same side ahead by at least CP centipawns for PLIES plies
    /// in a row
    #[arg(long, num_args = 2, value_names = ["CP", "PLIES"], value_parser = number_parser::<u32>(1, MAX_ADJUDICATION_SCORE_CENTIPAWNS))]
    adjudicate_score: Option<Vec<u32>>,
    /// End a game as soon as this program knows its result from tables or by other means without a
    /// search
    #[arg(long)]
    adjudicate_tables: bool,
    /// End with the exit code 1 if an engine has lost a game by a crash
    #[arg(long)]
    fail_on_crash: bool,
    /// Time that an engine has for a response that no clock limits
    #[arg(long, value_name = "MS", default_value = "60000", value_parser = parse_milliseconds)]
    patience: Duration,
}

impl ArenaArguments {
    /// Returns the configuration of the match. `options` choose the game. `settings` are strings
    /// `NAME=VALUE` that set rules and options of both engines.
    ///
    /// # Errors
    /// Returns an error in these cases:
    /// - The arguments contradict each other.
    /// - The arguments lack a limit.
    /// - A setting is invalid.
    /// - The file of openings is not usable.
    pub(super) fn match_config(
        self,
        mut options: Options,
        settings: &[String],
    ) -> Result<MatchConfig, ArenaArgumentsError> {
        let ArenaArguments { engines, limits, games, .. } = self;
        let common = apply_rule_settings(&mut options, settings)?;
        two_player_rules(&options, "a match is").map_err(Box::new)?;
        let fixed_sides = games.fixed_sides;
        let gauntlet = engines.gauntlet.clone();
        let (specs, anchors) = match &engines.engines {
            None => (engines.two_engines(&limits, &common, &options)?, None),
            Some(path) => {
                let text = read_regular_file(path).with_file_path(path)?;
                let lines = engines_file::parse_engines(&text, &options).map_err(|error| {
                    ArenaArgumentsError::EnginesFile { path: path.clone(), error: error.into() }
                })?;
                let anchors = lines.iter().map(|line| line.rating).collect();
                let mut specs = Vec::new();
                for line in lines {
                    specs.push(engine_spec(line, &limits, &common).with_file_path(path)?);
                }
                (specs, Some(anchors))
            }
        };
        let gauntlet = gauntlet.map(|name| engine_index(&specs, &name)).transpose()?;
        let tournament = anchors.map(|anchors| TournamentSettings { gauntlet, anchors });
        let schedule = match gauntlet {
            None => Schedule::round_robin(specs.len(), fixed_sides),
            Some(engine) => Schedule::gauntlet(engine, specs.len(), fixed_sides),
        };
        let openings = games.opening_source(&options)?;
        if games.plot.is_some() && games.plot == games.record {
            return Err(ArenaArgumentsError::SameFile);
        }
        let sprt = games.sprt()?;
        Ok(MatchConfig {
            options,
            engines: specs,
            openings,
            games: games.total_game_count(&schedule, tournament.is_some())?,
            schedule,
            tournament,
            max_plies: games.plies,
            margin: games.margin,
            patience: games.patience,
            adjudication: games.adjudication_conditions(),
            retries: games.illegal,
            fail_on_crash: games.fail_on_crash,
            concurrency: games.concurrency.into(),
            sprt,
            format: match (games.csv, games.json) {
                (true, _) => OutputFormat::Csv,
                (_, true) => OutputFormat::Json,
                _ => OutputFormat::Text,
            },
            games_file: games.record,
            plot: games.plot,
        })
    }
}

impl EngineArguments {
    /// Returns the two engines of a match.
    fn two_engines(
        self,
        limits: &LimitArguments,
        common: &[OptionNameAndValue],
        options: &Options,
    ) -> Result<Vec<EngineSpec>, ArenaArgumentsError> {
        let [first_limit, second_limit] = limits.move_limits()?;
        let first_settings = merge_engine_settings(common, self.first_set, options)?;
        let second_settings = merge_engine_settings(common, self.second_set, options)?;
        Ok(vec![
            EngineSpec {
                name: self.first_name,
                command: self.first,
                settings: first_settings,
                limit: first_limit,
            },
            EngineSpec {
                name: self.second_name,
                command: self.second,
                settings: second_settings,
                limit: second_limit,
            },
        ])
    }
}

/// Returns the engine that a line of the engines' file specifies. The engine also has the common
/// settings, and the common limit if the line has no limit.
fn engine_spec(
    line: EngineSettingsLine,
    limits: &LimitArguments,
    common: &[OptionNameAndValue],
) -> Result<EngineSpec, MissingMoveLimit> {
    let EngineSettingsLine { name, command, settings, limit, .. } = line;
    let Some(limit) = limit.or(limits.common_move_limit()) else {
        return Err(MissingMoveLimit { engine: quote_for_message(&name) });
    };
    let settings = common.iter().cloned().chain(settings).collect();
    Ok(EngineSpec { name, command, settings, limit })
}

fn engine_index(engines: &[EngineSpec], name: &str) -> Result<usize, ArenaArgumentsError> {
    let found = engines.iter().position(|spec| spec.name == name);
    found.ok_or_else(|| ArenaArgumentsError::Gauntlet {
        name: name.into(),
        known: engines.iter().map(|spec| spec.name.clone()).collect(),
    })
}

/// The maximum score for adjudication. The score of a mate is higher.
const MAX_ADJUDICATION_SCORE_CENTIPAWNS: u64 = 30_000;

/// A name and a value.
type OptionNameAndValue = (String, String);

/// Returns whether this is a name of the option that chooses the game.
fn is_game_option(name: &str) -> bool {
    [GAME_OPTION.name, UCI_VARIANT_OPTION_NAME].iter().any(|game| game.eq_ignore_ascii_case(name))
}

/// Returns the rule option of the game with this name. Ignores the case of the name.
fn find_rule_option(options: &Options, name: &str) -> Option<&'static OptionSpec> {
    rule_options(options).find(|spec| spec.name.eq_ignore_ascii_case(name))
}

/// Applies the settings that are rules of the game. Returns the others, which are options of the
/// engines.
fn apply_rule_settings(
    options: &mut Options,
    settings: &[String],
) -> Result<Vec<OptionNameAndValue>, ArenaArgumentsError> {
    let mut others = Vec::new();
    // Without this rule some games would never end.
    options.turn_on(&REPETITION_DRAW_OPTION);
    for text in settings {
        let (name, value) = parse_setting(text).map_err(ArenaArgumentsError::Setting)?;
        if is_game_option(&name) {
            return Err(ArenaArgumentsError::Game);
        }
        match find_rule_option(options, &name) {
            Some(spec) => options.set(spec, &value)?,
            None => others.push((name, value)),
        }
    }
    Ok(others)
}

/// Returns the settings for both engines, followed by the settings for one engine.
///
/// # Errors
/// If a setting of one engine is a rule of the game.
fn merge_engine_settings(
    common: &[OptionNameAndValue],
    own: Vec<OptionNameAndValue>,
    options: &Options,
) -> Result<Vec<OptionNameAndValue>, ArenaArgumentsError> {
    match own
        .iter()
        .find(|(name, _)| is_game_option(name) || find_rule_option(options, name).is_some())
    {
        Some((name, _)) => Err(ArenaArgumentsError::CommonSetting { name: name.clone() }),
        None => Ok(common.iter().cloned().chain(own).collect()),
    }
}

impl MatchArguments {
    /// Returns the conditions of adjudication.
    fn adjudication_conditions(&self) -> AdjudicationConditions {
        let score = match self.adjudicate_score.as_deref() {
            Some(&[centipawns, plies]) => i32::try_from(centipawns)
                .ok()
                .map(|centipawns| ScoreAdjudicationThreshold { centipawns, plies }),
            _ => None,
        };
        AdjudicationConditions { score, by_tables: self.adjudicate_tables }
    }

    /// Returns the number of games of all pairings together.
    fn total_game_count(
        &self,
        schedule: &Schedule,
        is_tournament: bool,
    ) -> Result<usize, ArenaArgumentsError> {
        if is_tournament && !schedule.fixed_sides && !self.games.is_multiple_of(2) {
            return Err(ArenaArgumentsError::OddGames);
        }
        let pairings = schedule.pairings.len();
        let games = self.games.saturating_mul(pairings);
        match games as u64 <= MAX_COUNT_ARGUMENT {
            true => Ok(games),
            false => Err(ArenaArgumentsError::ManyGames { pairings, games }),
        }
    }

    /// Returns the sequential test, if one is requested.
    fn sprt(&self) -> Result<Option<Sprt>, ArenaArgumentsError> {
        match self.sprt.as_deref() {
            None => Ok(None),
            Some(&[elo0, elo1]) if elo0 < elo1 => Ok(Some(Sprt { elo0, elo1 })),
            Some(_) => Err(ArenaArgumentsError::Sprt),
        }
    }

    /// Returns the source of the openings.
    fn opening_source(&self, options: &Options) -> Result<OpeningSource, ArenaArgumentsError> {
        let source = match (&self.openings, self.random_plies) {
            (Some(path), _) => {
                let openings = read_opening_file(path).with_file_path(path)?;
                let DecodedText { text, notes } = openings;
                let openings = read_openings(&text, options).map_err(|error| {
                    ArenaArgumentsError::Openings { path: path.clone(), error: Box::new(error) }
                })?;
                let notes = notes.iter().map(GuessedCharsetWarning::to_string);
                notes
                    .chain(openings.warnings)
                    .for_each(|warning| print_to_stderr(&format!("{}: {warning}", path.display())));
                let name = path.display().to_string();
                OpeningSource::List { name, openings: openings.openings }
            }
            (None, Some(0)) => OpeningSource::Start,
            (None, Some(plies)) => OpeningSource::Random { plies, seed: self.seed },
            (None, None) => opening::builtin_openings(options)?,
        };
        match source.max_plies() {
            plies if plies >= self.plies => Err(ArenaArgumentsError::LongOpening { plies }),
            _ => Ok(source),
        }
    }
}

fn read_opening_file(path: &Path) -> io::Result<DecodedText> {
    let bytes = read_open_file_bytes(&mut open_regular_file(OpenOptions::new().read(true), path)?)?;
    decode_game_file(bytes).map_err(io::Error::other)
}

impl LimitArguments {
    /// Returns the limit of all engines that have no separate limit.
    fn common_move_limit(&self) -> Option<MoveLimit> {
        self.movetime.or(self.time).or(self.nodes).or(self.depth)
    }

    /// Returns the limits of the two engines: their separate limits, or the common limit.
    fn move_limits(&self) -> Result<[MoveLimit; 2], MissingMoveLimit> {
        let first =
            self.first_movetime.or(self.first_time).or(self.first_nodes).or(self.first_depth);
        let second =
            self.second_movetime.or(self.second_time).or(self.second_nodes).or(self.second_depth);
        let limit = |which: &str, separate: Option<MoveLimit>| {
            let limit = separate.or(self.common_move_limit());
            limit.ok_or_else(|| MissingMoveLimit { engine: format!("the {which} engine") })
        };
        Ok([limit("first", first)?, limit("second", second)?])
    }
}

//! Matches between two engines, and tournaments between more engines. Matches measure differences
//! in strength, for example between two sets of options of this program.
//!
//! | module | contents |
//! |---|---|
//! | [`process`] | an engine as a child process that speaks UGI or UCI |
//! | [`engine_protocol`] | the protocols of engines, UGI and UCI |
//! | [`search_info`] | the output of an engine during a search |
//! | [`process_group`] | a process and the processes that it starts |
//! | [`fault`] | the faults by which an engine loses a game |
//! | [`error`] | the errors that end a match |
//! | [`adjudication`] | games that end before the rules end them |
//! | [`move_limit`] | the limits of an engine's moves, and the clocks of a game |
//! | [`opening`] | the start positions of games |
//! | [`schedule`] | the pairings and their order |
//! | [`referee`] | one game, whose moves the arena checks by its own rules |
//! | [`results`] | the results of the games so far |
//! | [`statistics`] | the strength that the results of two engines indicate: Elo, LOS |
//! | [`sprt`] | the sequential test of a match |
//! | [`rating`] | ratings of more than two engines |
//! | [`standings`] | the results of a tournament by engine |
//! | [`match_file`] | the file of the games, from which an interrupted match continues |
//! | [`report`] | progress and results for people |
//! | [`standings_report`] | progress and results of a tournament |
//! | [`export`] | games and results as CSV and JSON for programs |
//! | [`shard`] | a shard of a match |

pub mod adjudication;
pub mod engine_protocol;
pub mod error;
pub mod export;
pub mod fault;
pub mod match_file;
pub mod move_limit;
pub mod opening;
pub mod process;
pub mod process_group;
pub mod rating;
pub mod referee;
pub mod report;
pub mod results;
pub mod schedule;
pub mod search_info;
pub mod shard;
pub mod sprt;
pub mod standings;
pub mod standings_report;
pub mod statistics;

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::io::whole_files::{check_output_path, write_output_file};
use crate::io::workers::run_tasks_on_threads;
use pentarch_core::rules::options::REPETITION_DRAW_OPTION;
use pentarch_core::{OptionSpec, Options};
use pentarch_engine::engine_state::{non_default_rules, rule_options};
use pentarch_engine::games::GAME_OPTION;
use pentarch_system::{FileError, WithErrorLocation};

use crate::convert::opening_list::Opening;
use adjudication::AdjudicationConditions;
use error::ArenaError;
use export::OutputFormat;
use fault::FaultKind;
use match_file::MatchFile;
use move_limit::MoveLimit;
use opening::{NumberedOpenings, OpeningSource};
use process::{EngineSpec, RuleOption};
use referee::{FinishedGameWithRecord, MatchEngine, Referee};
use report::MatchReporter;
use results::MatchResults;
use schedule::Schedule;
use sprt::Sprt;
use standings::TournamentSettings;

/// The settings of a match or a tournament.
#[derive(Debug, Clone)]
pub struct MatchConfig {
    /// The game and its rules.
    pub options: Options,
    /// The engines: two in a match, or more in a tournament.
    pub engines: Vec<EngineSpec>,
    /// The pairings of the engines.
    pub schedule: Schedule,
    /// The additional settings of a tournament; `None` for a match of two engines.
    pub tournament: Option<TournamentSettings>,
    /// The source of the openings. Each pairing plays each opening twice in a row, or once if the
    /// sides are fixed.
    pub openings: OpeningSource,
    /// The maximum number of games, of all pairings together.
    pub games: usize,
    /// The maximum length of a game in plies, including the opening. A game of this length is a
    /// draw.
    pub max_plies: usize,
    /// The time by which an engine may exceed its limit for a move.
    pub margin: Duration,
    /// The time for an engine's response outside its own clock, for example to `isready`.
    pub patience: Duration,
    /// Whether a game lost by a crash makes the match fail.
    pub fail_on_crash: bool,
    /// The conditions under which a game ends before the rules end it.
    pub adjudication: AdjudicationConditions,
    /// The number of times that an engine may try again after an illegal move. After the next
    /// illegal move the engine loses the game.
    pub retries: u32,
    /// The number of games that are played at once.
    pub concurrency: usize,
    /// The sequential test that can end the match early.
    pub sprt: Option<Sprt>,
    /// The format of the output.
    pub format: OutputFormat,
    /// The file of the games.
    pub games_file: Option<PathBuf>,
    /// The file for a graph of the results.
    pub plot: Option<PathBuf>,
}

impl MatchConfig {
    /// Returns the options that set the game and its rules in an engine.
    pub fn rule_options(&self) -> Vec<RuleOption> {
        let rule = |spec: &'static OptionSpec| {
            let value = self.options.value(spec);
            let is_required = value != spec.default_value()
                && ![GAME_OPTION.spec, REPETITION_DRAW_OPTION.spec].contains(spec);
            RuleOption { name: spec.name, value: value.to_string(), is_required }
        };
        std::iter::once(&GAME_OPTION.spec).chain(rule_options(&self.options)).map(rule).collect()
    }

    /// Returns a warning if some games of the match will repeat others. The results then mean less
    /// than the number of games suggests.
    pub fn repeated_games_warning(&self) -> Option<&'static str> {
        let is_deterministic = self
            .engines
            .iter()
            .all(|spec| matches!(spec.limit, MoveLimit::Nodes(_) | MoveLimit::Depth(_)));
        let openings = match &self.openings {
            OpeningSource::Start => 1,
            OpeningSource::Random { .. } => usize::MAX,
            OpeningSource::List { openings, .. } => openings.len(),
        };
        let repeats_openings = self.schedule.scheduled_game(self.games).opening >= openings;
        (is_deterministic && repeats_openings).then_some(
            "there are too few openings: games by nodes or depth repeat each other (--random-plies makes them differ)",
        )
    }

    /// Returns the settings without the engines, in one line: the game, its rules, the openings and
    /// the length of games.
    pub fn settings_line(&self) -> String {
        let mut text = self.options.value(&GAME_OPTION).to_string();
        for (spec, value) in non_default_rules(&self.options) {
            text += &format!(" {}={value}", spec.name);
        }
        match &self.openings {
            OpeningSource::Start => {}
            OpeningSource::Random { plies, seed } => {
                text += &format!(", {plies} random plies by seed {seed}")
            }
            OpeningSource::List { name, openings } => {
                let plural = if openings.len() == 1 { "" } else { "s" };
                text += &format!(", {} opening{plural} of {name}", openings.len());
            }
        }
        text += &format!(", at most {} plies", self.max_plies);
        if self.retries > 0 {
            text += &format!(", {} retries after illegal moves", self.retries);
        }
        if self.schedule.fixed_sides {
            text += ", sides fixed";
        }
        text += &self.adjudication.to_string();
        match &self.tournament {
            None => {}
            Some(TournamentSettings { gauntlet: Some(engine), .. }) => {
                text += &format!(", gauntlet of {}", self.engines[*engine].name);
            }
            Some(_) => text += ", round robin",
        }
        text
    }

    /// Returns the role of an engine: `first`, `second`, or `engine NAME` of a tournament.
    fn engine_role_text(&self, engine: usize) -> String {
        match self.tournament {
            None => ["first", "second"][engine].into(),
            Some(_) => format!("engine {}", self.engines[engine].name),
        }
    }
}

/// Writes a string with all settings that influence the games. Matches with equal strings are
/// treated as the same match.
impl fmt::Display for MatchConfig {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.settings_line())?;
        let mut engines = self.engines.iter().enumerate();
        engines
            .try_for_each(|(engine, spec)| write!(f, "; {}: {spec}", self.engine_role_text(engine)))
    }
}

/// Plays a match, shows its progress, and reports its results.
///
/// # Errors
/// If an engine does not start, or the file of the match is not usable. If `fail_on_crash` is set,
/// a crash is also an error. The file keeps the games that have ended.
pub fn play_match(config: &MatchConfig, reporter: &mut MatchReporter) -> Result<(), ArenaError> {
    let mut openings = NumberedOpenings::new(&config.openings, &config.options);
    let mut results = MatchResults::new(config.schedule.fixed_sides);
    config.plot.as_deref().map_or(Ok(()), check_output_path)?;
    let open = |path: &PathBuf| MatchFile::open(path, config, &mut openings, &mut results);
    let mut match_file = config.games_file.as_ref().map(open).transpose()?;
    reporter.report_start(config, &results);
    let missing: Vec<usize> =
        (1..=config.games).filter(|&number| !results.games.contains_key(&number)).collect();
    let is_decided = |results: &MatchResults| {
        config.sprt.is_some_and(|sprt| {
            sprt.is_h1_accepted(results.scores_before_first_unfinished_unit()).is_some()
        })
    };
    // Becomes `true` when no more games should be played.
    let stopped = AtomicBool::new(is_decided(&results));
    let shared = Mutex::new((&mut match_file, &mut results, &mut *reporter));
    let played = play_games(config, missing, openings, &stopped, &|number, opening, game| {
        let (match_file, results, reporter) =
            &mut *shared.lock().unwrap_or_else(PoisonError::into_inner);
        let written =
            match_file.as_mut().map_or(Ok(()), |file| file.append_game(number, opening, &game));
        results.games.insert(number, game.finished);
        reporter.show_progress(config, results, number);
        stopped.fetch_or(is_decided(results) || reporter.out.is_closed(), Relaxed);
        written
    });
    // The games are on the disk before any result is reported.
    drop(match_file);
    reporter.report_results(config, &results);
    played?;
    if let Some(path) = &config.plot {
        let svg = report::match_chart_svg(config, &results);
        write_output_file(path, svg.as_bytes()).with_file_path(path)?;
    }
    let faults = results.games.values().map(|game| game.fault);
    let games = faults.filter(|fault| *fault == Some(FaultKind::Crash)).count();
    if config.fail_on_crash && games > 0 {
        return Err(ArenaError::Crashes { games });
    }
    Ok(())
}

/// Plays the games with these numbers, `concurrency` at once, and calls `on_end` with each finished
/// game. Stops when no game is left, when a game has failed, or when `stopped` is set.
///
/// # Errors
/// If an engine does not start, an opening is not legal, or `on_end` fails.
fn play_games(
    config: &MatchConfig,
    numbers: Vec<usize>,
    openings: NumberedOpenings,
    stopped: &AtomicBool,
    on_end: &(dyn Fn(usize, &Opening, FinishedGameWithRecord) -> Result<(), FileError> + Sync),
) -> Result<(), ArenaError> {
    let concurrency = config.concurrency.min(numbers.len());
    let pending = Mutex::new((numbers.into_iter(), openings));
    let next = || {
        let (numbers, openings) = &mut *pending.lock().unwrap_or_else(PoisonError::into_inner);
        let number = numbers.next().filter(|_| !stopped.load(Relaxed))?;
        Some((number, openings.opening_of_number(config.schedule.scheduled_game(number).opening)))
    };
    type RefereeWithEngines<'a> = (Referee<'a>, Vec<MatchEngine<'a>>);
    let play = |(referee, engines): &mut RefereeWithEngines, number, opening: Result<_, _>| {
        let opening = opening?;
        let players = engines.get_disjoint_mut(config.schedule.scheduled_game(number).players)?;
        let Some(game) = referee.play_game(players, &opening, stopped)? else { return Ok(()) };
        on_end(number, &opening, game).map_err(ArenaError::Unrecorded)
    };
    run_tasks_on_threads(
        concurrency,
        || Ok((Referee::new(config)?, config.engines.iter().map(MatchEngine::new).collect())),
        next,
        |state, (number, opening)| {
            play(state, number, opening).inspect_err(|_| stopped.store(true, Relaxed))
        },
    )
}

#[cfg(test)]
impl MatchConfig {
    /// Returns a round robin between `engines` copies of this program.
    fn test_round_robin(engines: usize) -> MatchConfig {
        let spec = |number: usize| EngineSpec {
            name: format!("engine {number}"),
            command: Vec::new(),
            settings: Vec::new(),
            limit: MoveLimit::Depth(1),
        };
        MatchConfig {
            options: Options::default(),
            engines: (0..engines).map(spec).collect(),
            schedule: Schedule::round_robin(engines, false),
            tournament: Some(TournamentSettings { gauntlet: None, anchors: vec![None; engines] }),
            openings: OpeningSource::Start,
            games: engines * (engines - 1),
            max_plies: 100,
            margin: Duration::ZERO,
            patience: Duration::ZERO,
            fail_on_crash: false,
            adjudication: AdjudicationConditions::default(),
            retries: 0,
            concurrency: 1,
            sprt: None,
            format: OutputFormat::Text,
            games_file: None,
            plot: None,
        }
    }
}

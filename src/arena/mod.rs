//! Matches between two engines, or between two sets of options of this program, which measure changes of strength, and
//! tournaments between more.
//!
//! | module | what it holds |
//! |---|---|
//! | [`process`] | an engine as a child process that speaks UGI or UCI |
//! | [`dialect`] | the protocols of engines, UGI and UCI |
//! | [`search_info`] | what an engine writes while it searches |
//! | [`group`] | a process with those that it starts |
//! | [`fault`] | the faults by which an engine loses a game |
//! | [`error`] | the errors that end a match |
//! | [`adjudication`] | games that end before the rules end them |
//! | [`limit`] | the limits of an engine's moves, and the clocks of a game |
//! | [`opening`] | the positions that games begin at |
//! | [`schedule`] | who plays whom, and in which order |
//! | [`referee`] | one game, whose moves the arena checks by its own rules |
//! | [`results`] | the results of the games so far |
//! | [`statistics`] | what the results of two engines say about strength: Elo, LOS |
//! | [`sprt`] | the sequential test of a match |
//! | [`rating`] | ratings of more than two engines |
//! | [`standings`] | how the engines of a tournament stand |
//! | [`match_file`] | the file that keeps the games, from which a match can go on |
//! | [`report`] | progress and results for people |
//! | [`standings_report`] | progress and results of a tournament |
//! | [`rows`] | the games as rows for programs |
//! | [`share`] | a shard of a match |

pub mod adjudication;
pub mod dialect;
pub mod error;
pub mod fault;
pub mod group;
pub mod limit;
pub mod match_file;
pub mod opening;
pub mod process;
pub mod rating;
pub mod referee;
pub mod report;
pub mod results;
pub mod rows;
pub mod schedule;
pub mod search_info;
pub mod share;
pub mod sprt;
pub mod standings;
pub mod standings_report;
pub mod statistics;

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::io::files::{check_output, write_output};
use crate::io::workers::on_threads;
use pentarch_core::rules::options::REPETITION_DRAW;
use pentarch_core::{OptionSpec, Options};
use pentarch_engine::engine_state::{changed_rules, rule_options};
use pentarch_games::GAME;
use pentarch_system::{ErrorContext, FileError};

use adjudication::Adjudication;
use error::ArenaError;
use fault::FaultKind;
use limit::Limit;
use match_file::MatchFile;
use opening::{Opening, Openings, RandomOpeningError, Source};
use process::{Rule, Spec};
use referee::{PlayedGame, Player, Referee};
use report::Report;
use results::MatchResults;
use rows::Form;
use schedule::Schedule;
use sprt::Sprt;
use standings::Tournament;

/// The conditions of a match.
#[derive(Debug, Clone)]
pub struct Conditions {
    /// The game and its rules.
    pub options: Options,
    /// The engines: two, or those of a tournament.
    pub engines: Vec<Spec>,
    /// Who plays whom.
    pub schedule: Schedule,
    /// What there is besides if the match is a tournament.
    pub tournament: Option<Tournament>,
    /// The source of the openings. Each pairing plays each opening twice in a row, or once if the sides are fixed.
    pub openings: Source,
    /// The greatest number of games, of all pairings together.
    pub games: usize,
    /// The greatest length of a game in plies, its opening included. A game that reaches it is a draw.
    pub most_plies: usize,
    /// How much more time than its limit an engine may take for a move.
    pub margin: Duration,
    /// How long an engine may take for an answer that no clock limits.
    pub patience: Duration,
    /// Whether a game that was lost by a crash makes the match fail.
    pub fail_on_crash: bool,
    /// When a game ends before the rules end it.
    pub adjudication: Adjudication,
    /// How often an engine is asked again for a move after an illegal one, before it loses the game.
    pub retries: u32,
    /// How many games are played at once.
    pub concurrency: usize,
    /// The sequential test that can end the match early.
    pub sprt: Option<Sprt>,
    /// In which form the match is printed.
    pub form: Form,
    /// The file that keeps the games.
    pub record: Option<PathBuf>,
    /// The file for a graph of the results.
    pub plot: Option<PathBuf>,
}

impl Conditions {
    /// The options that tell the engines the game and its rules.
    pub fn rules(&self) -> Vec<Rule> {
        let rule = |spec: &'static OptionSpec| {
            let value = self.options.value(spec);
            let is_required =
                value != spec.default_value() && ![GAME.spec, REPETITION_DRAW.spec].contains(spec);
            Rule { name: spec.name, value: value.to_string(), is_required }
        };
        std::iter::once(&GAME.spec).chain(rule_options(&self.options)).map(rule).collect()
    }

    /// A warning if some games of the match will be the same as others, so that the results say less than their number
    /// suggests.
    pub fn warning(&self) -> Option<&'static str> {
        let is_deterministic =
            self.engines.iter().all(|spec| matches!(spec.limit, Limit::Nodes(_) | Limit::Depth(_)));
        let openings = match &self.openings {
            Source::Start => 1,
            Source::Random { .. } => usize::MAX,
            Source::List { openings, .. } => openings.len(),
        };
        let repeats_openings = self.schedule.place(self.games).opening >= openings;
        (is_deterministic && repeats_openings).then_some(
            "there are too few openings: games by nodes or depth repeat each other (--random-plies makes them differ)",
        )
    }

    /// The game, its rules, the openings and the length of games in one line: the conditions without the engines.
    pub fn heading(&self) -> String {
        let mut text = self.options.value(&GAME).to_string();
        for (spec, value) in changed_rules(&self.options) {
            text += &format!(" {}={value}", spec.name);
        }
        match &self.openings {
            Source::Start => {}
            Source::Random { plies, seed } => {
                text += &format!(", {plies} random plies by seed {seed}")
            }
            Source::List { name, openings } => {
                let plural = if openings.len() == 1 { "" } else { "s" };
                text += &format!(", {} opening{plural} of {name}", openings.len());
            }
        }
        text += &format!(", at most {} plies", self.most_plies);
        if self.retries > 0 {
            text += &format!(", {} retries after illegal moves", self.retries);
        }
        if self.schedule.fixed_sides {
            text += ", sides fixed";
        }
        text += &self.adjudication.to_string();
        match &self.tournament {
            None => {}
            Some(Tournament { gauntlet: Some(engine), .. }) => {
                text += &format!(", gauntlet of {}", self.engines[*engine].name);
            }
            Some(_) => text += ", round robin",
        }
        text
    }

    /// What an engine is in the match: `first`, `second`, or `engine NAME` of a tournament.
    fn role(&self, engine: usize) -> String {
        match self.tournament {
            None => ["first", "second"][engine].into(),
            Some(_) => format!("engine {}", self.engines[engine].name),
        }
    }
}

/// All conditions that have an influence on the games. Matches with the same text are the same match.
impl fmt::Display for Conditions {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.heading())?;
        let mut engines = self.engines.iter().enumerate();
        engines.try_for_each(|(engine, spec)| write!(f, "; {}: {spec}", self.role(engine)))
    }
}

/// Plays a match, shows its progress, and reports its results.
///
/// # Errors
/// If an engine does not start, or the file of the match cannot be used, or if crashes count and an engine has crashed.
/// Games that have ended are kept.
pub fn run(conditions: &Conditions, report: &mut Report) -> Result<(), ArenaError> {
    let mut openings = Openings::new(&conditions.openings, &conditions.options);
    let mut results = MatchResults::new(conditions.schedule.fixed_sides);
    conditions.plot.as_deref().map_or(Ok(()), check_output)?;
    let open = |path: &PathBuf| MatchFile::open(path, conditions, &mut openings, &mut results);
    let mut match_file = conditions.record.as_ref().map(open).transpose()?;
    report.begin(conditions, &results);
    let missing: Vec<usize> =
        (1..=conditions.games).filter(|&number| !results.games.contains_key(&number)).collect();
    let is_decided = |results: &MatchResults| {
        conditions.sprt.is_some_and(|sprt| sprt.decision(results.sample_in_order()).is_some())
    };
    // Set when no more games are to be played.
    let stopped = AtomicBool::new(is_decided(&results));
    let ended = Mutex::new((&mut match_file, &mut results, &mut *report));
    let played = play_games(conditions, missing, openings, &stopped, &|number, opening, game| {
        let (match_file, results, report) =
            &mut *ended.lock().unwrap_or_else(PoisonError::into_inner);
        let written =
            match_file.as_mut().map_or(Ok(()), |file| file.append(number, opening, &game));
        results.games.insert(number, game.finished);
        report.progress(conditions, results, number);
        stopped.fetch_or(is_decided(results) || report.out.is_closed(), Relaxed);
        written
    });
    // The games are on the disk before anything is reported of them.
    drop(match_file);
    report.end(conditions, &results);
    played?;
    if let Some(path) = &conditions.plot {
        let svg = report::svg(conditions, &results);
        write_output(path, svg.as_bytes()).in_file(path)?;
    }
    let faults = results.games.values().map(|game| game.fault);
    let games = faults.filter(|fault| *fault == Some(FaultKind::Crash)).count();
    if conditions.fail_on_crash && games > 0 {
        return Err(ArenaError::Crashes { games });
    }
    Ok(())
}

/// Plays the games with these numbers, as many at once as the conditions say, and calls `ended` with each that has
/// ended, until there are no more, one has failed, or `stopped` is set.
///
/// # Errors
/// If an engine does not start, an opening is not legal, or `ended` fails.
fn play_games(
    conditions: &Conditions,
    numbers: Vec<usize>,
    openings: Openings,
    stopped: &AtomicBool,
    ended: &(dyn Fn(usize, &Opening, PlayedGame) -> Result<(), FileError> + Sync),
) -> Result<(), ArenaError> {
    let concurrency = conditions.concurrency.min(numbers.len());
    let pending = Mutex::new((numbers.into_iter(), openings));
    let next = || {
        let (numbers, openings) = &mut *pending.lock().unwrap_or_else(PoisonError::into_inner);
        let number = numbers.next().filter(|_| !stopped.load(Relaxed))?;
        Some((number, openings.get(conditions.schedule.place(number).opening)))
    };
    let begin =
        || Ok((Referee::new(conditions)?, conditions.engines.iter().map(Player::new).collect()));
    let play = |(referee, engines): &mut (Referee, Vec<Player>),
                number,
                opening: Result<_, RandomOpeningError>| {
        let opening = opening?;
        let players = engines.get_disjoint_mut(conditions.schedule.place(number).players)?;
        let Some(game) = referee.play(players, &opening, stopped)? else { return Ok(()) };
        ended(number, &opening, game).map_err(ArenaError::Unrecorded)
    };
    on_threads(concurrency, begin, next, |players, (number, opening)| {
        play(players, number, opening).inspect_err(|_| stopped.store(true, Relaxed))
    })
}

#[cfg(test)]
impl Conditions {
    /// A round robin of so many engines, which are this program.
    fn for_tests(engines: usize) -> Conditions {
        let spec = |number: usize| Spec {
            name: format!("engine {number}"),
            command: Vec::new(),
            settings: Vec::new(),
            limit: Limit::Depth(1),
        };
        Conditions {
            options: Options::default(),
            engines: (0..engines).map(spec).collect(),
            schedule: Schedule::round_robin(engines, false),
            tournament: Some(Tournament { gauntlet: None, anchors: vec![None; engines] }),
            openings: Source::Start,
            games: engines * (engines - 1),
            most_plies: 100,
            margin: Duration::ZERO,
            patience: Duration::ZERO,
            fail_on_crash: false,
            adjudication: Adjudication::default(),
            retries: 0,
            concurrency: 1,
            sprt: None,
            form: Form::Text,
            record: None,
            plot: None,
        }
    }
}

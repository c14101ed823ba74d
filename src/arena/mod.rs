//! Matches between two engines, or between two sets of options of this program, which measure changes of strength.
//!
//! | module | what it holds |
//! |---|---|
//! | [`process`] | an engine as a child process that speaks UGI or UCI |
//! | [`group`] | a process with those that it starts |
//! | [`fault`] | the faults by which an engine loses a game |
//! | [`limit`] | the limits of an engine's moves, and the clocks of a game |
//! | [`opening`] | the positions that games begin at |
//! | [`referee`] | one game, whose moves the arena checks by its own rules |
//! | [`results`] | the results of the games so far |
//! | [`statistics`] | what results say about strength: Elo, LOS, SPRT |
//! | [`match_file`] | the file that keeps the games, from which a match can go on |
//! | [`report`] | progress and results for people |

pub mod fault;
pub mod group;
pub mod limit;
pub mod match_file;
pub mod opening;
pub mod process;
pub mod referee;
pub mod report;
pub mod results;
pub mod statistics;

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::core::options::REPETITION_DRAW;
use crate::core::{OptionSpec, Options, Side};
use crate::engine::engine_state::{changed_rules, rule_options};
use crate::engine::options::GAME;
use crate::io::files::{check_new, new_file};

use limit::Limit;
use match_file::MatchFile;
use opening::{Opening, Openings, Source};
use process::{Rule, Spec};
use referee::{PlayedGame, Player, Referee};
use report::Report;
use results::{MatchResults, opening_of, side_of};
use statistics::Sprt;

/// The conditions of a match.
#[derive(Debug, Clone)]
pub struct Conditions {
    /// The game and its rules.
    pub options: Options,
    /// The two engines.
    pub engines: [Spec; 2],
    /// The source of the openings. Each opening is played twice in a row, or once if the sides are fixed.
    pub openings: Source,
    /// The greatest number of games.
    pub games: usize,
    /// Whether the first engine always plays the first side. Otherwise the engines swap sides after each game.
    pub fixed_sides: bool,
    /// The greatest length of a game in plies, its opening included. A game that reaches it is a draw.
    pub most_plies: usize,
    /// How much more time than its limit an engine may take for a move.
    pub margin: Duration,
    /// How long an engine may take for an answer that no clock limits.
    pub patience: Duration,
    /// How often an engine is asked again for a move after an illegal one, before it loses the game.
    pub retries: u32,
    /// How many games are played at once.
    pub concurrency: usize,
    /// The sequential test that can end the match early.
    pub sprt: Option<Sprt>,
    /// The file that keeps the games.
    pub record: Option<PathBuf>,
    /// The file for a graph of the results.
    pub plot: Option<PathBuf>,
}

impl Conditions {
    /// The options that tell the engines the game and its rules.
    pub fn rules(&self) -> Vec<Rule> {
        let rule = |spec: &'static OptionSpec| {
            let value = self.options.text(spec);
            let is_required = value != spec.default_value() && ![GAME, REPETITION_DRAW].contains(spec);
            Rule { name: spec.name, value, is_required }
        };
        std::iter::once(&GAME).chain(rule_options(&self.options)).map(rule).collect()
    }

    /// A warning if some games of the match will be the same as others, so that the results say less than their number
    /// suggests.
    pub fn warning(&self) -> Option<&'static str> {
        let is_deterministic = self.engines.iter().all(|spec| matches!(spec.limit, Limit::Nodes(_) | Limit::Depth(_)));
        let openings = match &self.openings {
            Source::Start => 1,
            Source::Random { .. } => usize::MAX,
            Source::List { openings, .. } => openings.len(),
        };
        let repeats_openings = opening_of(self.games, self.fixed_sides) >= openings;
        (is_deterministic && repeats_openings).then_some(
            "there are too few openings: games by nodes or depth repeat each other (--random-plies makes them differ)",
        )
    }

    /// The game, its rules, the openings and the length of games in one line: the conditions without the engines.
    pub fn heading(&self) -> String {
        let mut text = self.options.text(&GAME);
        for (spec, value) in changed_rules(&self.options) {
            text += &format!(" {}={value}", spec.name);
        }
        match &self.openings {
            Source::Start => {}
            Source::Random { plies, seed } => text += &format!(", {plies} random plies by seed {seed}"),
            Source::List { name, openings } => {
                let plural = if openings.len() == 1 { "" } else { "s" };
                text += &format!(", {} opening{plural} of {name}", openings.len());
            }
        }
        text += &format!(", at most {} plies", self.most_plies);
        if self.retries > 0 {
            text += &format!(", {} retries after illegal moves", self.retries);
        }
        text + if self.fixed_sides { ", sides fixed" } else { "" }
    }
}

/// All conditions that have an influence on the games. Matches with the same text are the same match.
impl fmt::Display for Conditions {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [first, second] = &self.engines;
        write!(f, "{}; first: {first}; second: {second}", self.heading())
    }
}

/// Plays a match, shows its progress, and reports its results.
///
/// # Errors
/// If an engine does not start, or the file of the match cannot be used. Games that have ended are kept.
pub fn run(conditions: &Conditions, report: &mut Report) -> Result<(), String> {
    let mut openings = Openings::new(&conditions.openings, &conditions.options);
    let mut results = MatchResults::new(conditions.fixed_sides);
    conditions.plot.as_deref().map_or(Ok(()), check_new)?;
    let open = |path: &PathBuf| MatchFile::open(path, conditions, &mut openings, &mut results);
    let mut match_file = conditions.record.as_ref().map(open).transpose()?;
    report.begin(conditions, &results);
    let missing: Vec<usize> = (1..=conditions.games).filter(|&number| !results.has(number)).collect();
    let games = missing.len();
    let pending = Mutex::new((missing.into_iter(), openings));
    let scheduler = Scheduler { conditions, pending, stopped: AtomicBool::new(false) };
    let is_decided =
        |results: &MatchResults| conditions.sprt.is_some_and(|sprt| sprt.decision(results.sample_in_order()).is_some());
    scheduler.stopped.store(is_decided(&results), Relaxed);
    let failure = thread::scope(|scope| {
        let (sender, games_played) = channel();
        for _ in 0..conditions.concurrency.min(games) {
            let (scheduler, sender_of_thread) = (&scheduler, sender.clone());
            let play = move || scheduler.play_games(&sender_of_thread);
            if let Err(error) = thread::Builder::new().spawn_scoped(scope, play) {
                // The receiver outlives all senders.
                let _ = sender.send(Err(format!("there is no thread to play on: {error}")));
                break;
            }
        }
        drop(sender);
        let mut failure = None;
        for game in games_played {
            let added = game.and_then(|game| {
                let written = match_file.as_mut().map(|file| file.append(game.number, &game.opening, &game.played));
                results.add(game.number, game.played.finished);
                report.progress(conditions, &results);
                written.transpose().map_err(|error| format!("a game cannot be recorded: {error}"))
            });
            failure = failure.or(added.err());
            if failure.is_some() || is_decided(&results) || report.is_closed() {
                scheduler.stopped.store(true, Relaxed);
            }
        }
        failure
    });
    report.end(conditions, &results);
    if let Some(path) = &conditions.plot {
        let svg = report::graph(conditions, &results).svg();
        new_file(path, svg.as_bytes()).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    failure.map_or(Ok(()), Err)
}

/// Gives the games of a match to the threads that play them.
struct Scheduler<'a> {
    conditions: &'a Conditions,
    /// The numbers of the games that no thread has begun yet, and the openings of all games.
    pending: Mutex<(std::vec::IntoIter<usize>, Openings)>,
    /// Set when no more games are to be played.
    stopped: AtomicBool,
}

/// A game that was just played.
struct Game {
    number: usize,
    opening: Opening,
    played: PlayedGame,
}

impl Scheduler<'_> {
    /// Plays games with one pair of processes until none is left or the match is stopped, and sends each.
    fn play_games(&self, sender: &Sender<Result<Game, String>>) {
        let mut referee = Referee::new(self.conditions);
        let [first, second] = &self.conditions.engines;
        let (mut first, mut second) = (Player::new(first), Player::new(second));
        while let Some((number, opening)) = self.next() {
            let players = match side_of(0, number, self.conditions.fixed_sides) {
                Side::First => [&mut first, &mut second],
                Side::Second => [&mut second, &mut first],
            };
            let played = opening.and_then(|opening| {
                let played = referee.play(players, &opening, &self.stopped)?;
                Ok(played.map(|played| Game { number, opening, played }))
            });
            let failed = played.is_err();
            // The receiver outlives all senders.
            if let Some(game) = played.transpose() {
                let _ = sender.send(game);
            }
            if failed {
                return;
            }
        }
    }

    /// The number and the opening of the next game; `None` if none is left or the match is stopped.
    fn next(&self) -> Option<(usize, Result<Opening, String>)> {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        let (numbers, openings) = &mut *pending;
        if self.stopped.load(Relaxed) {
            return None;
        }
        let number = numbers.next()?;
        Some((number, openings.get(opening_of(number, self.conditions.fixed_sides))))
    }
}

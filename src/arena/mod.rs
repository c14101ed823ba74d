//! Matches between two engines, or two sets of options of this program: how changes of strength are measured.
//!
//! | room | what it holds |
//! |---|---|
//! | [`engine`] | a child process spoken to in UGI or UCI |
//! | [`fault`] | what it can do wrong |
//! | [`limit`] | how long it may think; clocks |
//! | [`opening`] | where games begin |
//! | [`referee`] | one game, kept and judged by the arena's own rules |
//! | [`standing`] | the results so far |
//! | [`score`] | what they say about strength: Elo, likelihoods, the sequential test |
//! | [`archive`] | the file that keeps the games, from which a match goes on |
//! | [`report`] | progress and results for people |

pub mod archive;
pub mod engine;
pub mod fault;
pub mod limit;
pub mod opening;
pub mod referee;
pub mod report;
pub mod score;
pub mod standing;

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::core::options::REPETITION_DRAW;
use crate::core::{OptionSpec, Options, Side};
use crate::protocol::host::rule_options;
use crate::protocol::settings::GAME;

use archive::Archive;
use engine::{Rule, Spec};
use limit::Limit;
use opening::{Opening, Openings, Source};
use referee::{Played, Player, Referee};
use report::Report;
use score::Sprt;
use standing::{Standing, opening_of, side_of};

/// What a match is played under.
#[derive(Debug, Clone)]
pub struct Conditions {
    /// The game and its rules.
    pub options: Options,
    /// The engines.
    pub engines: [Spec; 2],
    /// Where games begin; each opening is played twice in a row, unless sides are fixed.
    pub openings: Source,
    /// How many games at most.
    pub games: usize,
    /// Whether the first engine always plays the first side; else the engines swap sides after each game.
    pub fixed_sides: bool,
    /// How many plies a game has at most, those of its opening included; then it is a draw.
    pub most_plies: usize,
    /// How much more time than its limit an engine may take for a move.
    pub margin: Duration,
    /// How long an engine may take for an answer that no clock limits.
    pub patience: Duration,
    /// How many games are played at once.
    pub concurrency: usize,
    /// The test that may end the match early.
    pub sprt: Option<Sprt>,
    /// The file that keeps the games.
    pub record: Option<PathBuf>,
}

impl Conditions {
    /// The game and its rules as options: what engines are told.
    pub fn rules(&self) -> Vec<Rule> {
        let rule = |spec: &'static OptionSpec| {
            let value = self.options.text(spec);
            let is_needed = value != spec.default_value() && ![GAME, REPETITION_DRAW].contains(spec);
            Rule { name: spec.name, value, is_needed }
        };
        std::iter::once(&GAME).chain(rule_options(&self.options)).map(rule).collect()
    }

    /// What makes the results worth less than they seem, if anything does.
    pub fn warning(&self) -> Option<&'static str> {
        let same_every_time = self.engines.iter().all(|spec| matches!(spec.limit, Limit::Nodes(_) | Limit::Depth(_)));
        let different = match &self.openings {
            Source::Start => 1,
            Source::Random { .. } => usize::MAX,
            Source::List { openings, .. } => openings.len(),
        };
        let is_short = opening_of(self.games, self.fixed_sides) >= different;
        (same_every_time && is_short).then_some(
            "there are too few openings: games by nodes or depth repeat each other (--random-plies makes them differ)",
        )
    }

    /// What is played, the engines left out.
    pub fn heading(&self) -> String {
        let mut text = self.options.text(&GAME);
        for spec in rule_options(&self.options) {
            let value = self.options.text(spec);
            if value != spec.default_value() {
                text += &format!(" {}={value}", spec.name);
            }
        }
        match &self.openings {
            Source::Start => {}
            Source::Random { plies, seed } => text += &format!(", {plies} random plies by seed {seed}"),
            Source::List { name, openings } => text += &format!(", {} openings of {name}", openings.len()),
        }
        text + &format!(", at most {} plies{}", self.most_plies, if self.fixed_sides { ", sides fixed" } else { "" })
    }
}

/// All that has a part in how games go: matches with the same text are the same match.
impl fmt::Display for Conditions {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [first, second] = &self.engines;
        write!(f, "{}; first: {first}; second: {second}", self.heading())
    }
}

/// Plays a match, shows how it goes, and reports its results.
///
/// # Errors
/// If an engine does not start, or the file of games cannot be used. Games that have ended are kept.
pub fn run(conditions: &Conditions, report: &mut Report) -> Result<(), String> {
    let mut openings = Openings::new(&conditions.openings, &conditions.options);
    let mut standing = Standing::new(conditions.fixed_sides);
    let open = |path: &PathBuf| Archive::open(path, conditions, &mut openings, &mut standing);
    let mut archive = conditions.record.as_ref().map(open).transpose()?;
    report.begin(conditions, &standing);
    let missing: Vec<usize> = (1..=conditions.games).filter(|&number| !standing.has(number)).collect();
    let games = missing.len();
    let hall = Hall { conditions, waiting: Mutex::new((missing.into_iter(), openings)), over: AtomicBool::new(false) };
    let is_decided =
        |standing: &Standing| conditions.sprt.is_some_and(|sprt| sprt.decision(standing.sample_in_order()).is_some());
    hall.over.store(is_decided(&standing), Relaxed);
    let failure = thread::scope(|scope| {
        let (sender, results) = channel();
        for _ in 0..conditions.concurrency.min(games) {
            let (hall, results) = (&hall, sender.clone());
            if let Err(error) = thread::Builder::new().spawn_scoped(scope, move || hall.play_games(&results)) {
                // The receiver outlives all who send.
                let _ = sender.send(Err(format!("there is no thread to play on: {error}")));
                break;
            }
        }
        drop(sender);
        let mut failure = None;
        for result in results {
            let taken = result.and_then(|game| {
                let written = archive.as_mut().map(|file| file.append(game.number, &game.opening, &game.played));
                standing.add(game.number, game.played.finished);
                report.progress(conditions, &standing);
                written.transpose().map_err(|error| format!("a game cannot be recorded: {error}"))
            });
            failure = failure.or(taken.err());
            if failure.is_some() || is_decided(&standing) || report.is_closed() {
                hall.over.store(true, Relaxed);
            }
        }
        failure
    });
    report.end(conditions, &standing);
    failure.map_or(Ok(()), Err)
}

/// Where games are played at once.
struct Hall<'a> {
    conditions: &'a Conditions,
    /// The numbers of the games that no one plays yet, and the openings of all.
    waiting: Mutex<(std::vec::IntoIter<usize>, Openings)>,
    /// Whether no more games are wanted.
    over: AtomicBool,
}

/// A game that was just played.
struct Game {
    number: usize,
    opening: Opening,
    played: Played,
}

impl Hall<'_> {
    /// Plays games with a pair of processes until none is left or wanted.
    fn play_games(&self, results: &Sender<Result<Game, String>>) {
        let mut referee = Referee::new(self.conditions);
        let [first, second] = &self.conditions.engines;
        let (mut first, mut second) = (Player::new(first), Player::new(second));
        while let Some((number, opening)) = self.next() {
            let players = match side_of(0, number, self.conditions.fixed_sides) {
                Side::First => [&mut first, &mut second],
                Side::Second => [&mut second, &mut first],
            };
            let played = opening.and_then(|opening| {
                let played = referee.play(players, &opening, &self.over)?;
                Ok(played.map(|played| Game { number, opening, played }))
            });
            let failed = played.is_err();
            // The receiver outlives all who send.
            if let Some(result) = played.transpose() {
                let _ = results.send(result);
            }
            if failed {
                return;
            }
        }
    }

    /// The next game and its opening.
    fn next(&self) -> Option<(usize, Result<Opening, String>)> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let (numbers, openings) = &mut *waiting;
        if self.over.load(Relaxed) {
            return None;
        }
        let number = numbers.next()?;
        Some((number, openings.get(opening_of(number, self.conditions.fixed_sides))))
    }
}

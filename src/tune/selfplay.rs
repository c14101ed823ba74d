//! Games of the engine with itself.
//!
//! A game is decided by the rules, the settings and its number alone, whichever thread plays it: it has a random
//! generator and a cleared transposition table of its own.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, ScopedJoinHandle};
use std::time::Instant;

use crate::core::key::hash;
use crate::core::{Complete, Line, Side};
use crate::search::control::Control;
use crate::search::table::Table;
use crate::search::{self, FULL_SKILL, Limits, score};

use super::file::{GamesFile, Record};

/// How games are played.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Nodes searched for each move.
    pub nodes: u64,
    /// Random moves that a game begins with at the most; at the least they are half as many.
    pub random_plies: u32,
    /// A game that is this long is a draw.
    pub plies: u32,
    /// Chooses the random moves, with the number of the game.
    pub seed: u64,
    /// How many games are played at once.
    pub concurrency: u16,
}

/// The memory of one game's transposition table, in MiB.
const TABLE: usize = 4;
/// Until so many times the longest random opening, a move is random now and then.
const STRAYING: u32 = 3;
/// How seldom: one move of so many.
const STRAY: u32 = 16;

/// Plays those of the first `games` games that the file lacks. On a terminal it shows how far it is.
///
/// # Errors
/// If a game cannot be written or there is no memory for a table; the games finished before are kept.
pub fn fill<G: Complete>(file: &mut GamesFile<G>, games: u32, settings: &Settings) -> Result<(), String> {
    let missing: Vec<u32> = (0..games).filter(|&number| !file.holds(number)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let progress = Progress { begun: Instant::now(), missing: missing.len(), games };
    let rules = file.rules().clone();
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let file = Mutex::new(file);
    let work = || -> Result<(), String> {
        let table = Table::new(TABLE).ok_or_else(|| format!("there are no {TABLE} MiB of memory for a game"))?;
        while let Some(&number) = missing.get(next.fetch_add(1, Relaxed))
            && !failed.load(Relaxed)
        {
            let record = play(&rules, settings, number, &table);
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            file.add(record)?;
            progress.show(file.len(), file.path());
        }
        Ok(())
    };
    let worker = || {
        let result = work();
        failed.fetch_or(result.is_err(), Relaxed);
        result
    };
    let results: Vec<_> = thread::scope(|scope| {
        let start = |_| thread::Builder::new().spawn_scoped(scope, worker);
        let threads: Vec<_> = (0..settings.concurrency).map(start).collect();
        let end = |thread: io::Result<ScopedJoinHandle<_>>| match thread.map(ScopedJoinHandle::join) {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err("a game failed inside; this is a fault of the program".into()),
            Err(error) => Err(format!("there is no thread to play on: {error}")),
        };
        threads.into_iter().map(end).collect()
    });
    progress.end();
    results.into_iter().collect()
}

/// A line for people that says how far the games are, written over the last one.
struct Progress {
    begun: Instant,
    missing: usize,
    games: u32,
}

impl Progress {
    /// Shows it when the file holds so many games.
    fn show(&self, held: usize, path: &Path) {
        let mut stderr = io::stderr();
        if stderr.is_terminal() {
            let left = (self.games as usize).saturating_sub(held);
            let played = self.missing.saturating_sub(left).max(1);
            let seconds = self.begun.elapsed().as_secs() * left as u64 / played as u64;
            let (minutes, seconds, path) = (seconds / 60, seconds % 60, path.display());
            // Nobody has to see it.
            let _ = write!(stderr, "\r\x1b[K{path} holds {held} of {} games, {minutes}:{seconds:02} to go", self.games);
        }
    }

    fn end(&self) {
        if io::stderr().is_terminal() {
            // Nobody has to see it.
            let _ = writeln!(io::stderr());
        }
    }
}

/// Plays one game: up to its end, to a proven result, or to the limit of its length.
fn play<G: Complete>(rules: &Arc<G>, settings: &Settings, number: u32, table: &Table) -> Record<G::Move> {
    let mut rng = fastrand::Rng::with_seed(hash(&[settings.seed, u64::from(number)]));
    let opening = rng.u32(settings.random_plies / 2..=settings.random_plies);
    table.clear();
    let mut line = Line::new(rules.clone(), rules.start());
    let mut moves = Vec::new();
    let mut played = Vec::new();
    let winner = loop {
        let ply = line.len() as u32;
        if let Some(outcome) = line.outcome() {
            break outcome.winner();
        }
        if ply >= settings.plies {
            break None;
        }
        moves.clear();
        line.legal_moves(&mut moves);
        let is_random = ply < opening || ply < STRAYING * settings.random_plies && rng.u32(..STRAY) == 0;
        let choice = if is_random { None } else { think(&line, &moves, settings, table) };
        let (mv, score) = match choice {
            Some((_, score)) if score::is_proven(score) => break Some(better(&line, score)),
            Some((mv, score)) => (mv, Some(score)),
            None => (moves[rng.usize(..moves.len())], None),
        };
        line.push(mv);
        played.push((mv, score));
    };
    Record { number, winner, moves: played }
}

/// The side that a score for the side to move speaks for.
fn better<G: Complete>(line: &Line<G>, score: i32) -> Side {
    let side = line.game().side_to_move(line.position());
    if score > 0 { side } else { !side }
}

/// The move that the search chooses, and its score; none if the nodes were too few for a score.
fn think<G: Complete>(line: &Line<G>, moves: &[G::Move], settings: &Settings, table: &Table) -> Option<(G::Move, i32)> {
    let limits = Limits {
        depth: None,
        nodes: Some(settings.nodes),
        mate: None,
        moves: moves.to_vec(),
        multi_pv: 1,
        solved: false,
        threads: 1,
        skill: FULL_SKILL,
    };
    table.begin_search();
    let answer = search::search(line, &limits, table, &Control::new(None, false, false), |_| {})?;
    Some((answer.best, answer.score?))
}

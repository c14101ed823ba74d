//! Games of the engine with itself.
//!
//! A game depends on nothing but the rules, the settings and its number, whichever thread plays it: it has a random
//! generator of its own and begins with a cleared transposition table.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::core::key::hash;
use crate::core::record::Evaluation;
use crate::core::{Game, GameHistory, Side};
use crate::io::progress::Progress;
use crate::search::control::Control;
use crate::search::transposition::TranspositionTable;
use crate::search::{self, Limits, score};

use super::exact;
use super::on_threads;
use super::openings::{self, Balance};
use super::selfplay_file::{SelfPlayFile, SelfPlayGame};

/// How games are played.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The number of nodes searched for each move.
    pub nodes: u64,
    /// The greatest number of random moves at the beginning of a game. All numbers from 0 on are equally likely, so
    /// that positions from the first move on come up.
    pub random_plies: u32,
    /// The greatest length of a game in plies. A game that reaches it is a draw.
    pub plies: u32,
    /// The seed of the random moves. The generator of each game depends on it and on the number of the game.
    pub seed: u64,
    /// How many games are played at once.
    pub concurrency: u16,
}

/// How far from even an opening may be, and how many times the nodes of a move the search has that says so.
const MOST_SCORE: i32 = 200;
/// See [`MOST_SCORE`].
const OPENING_NODES: u64 = 4;
/// The size of a game's transposition table, in MiB.
const HASH_MIB: usize = 4;
/// After the random opening, single moves are random up to this multiple of [`Settings::random_plies`], so that the
/// games differ in more than their openings.
const RANDOM_MOVE_SPAN: u32 = 3;
/// One move in this many is random there.
const RANDOM_MOVE_INTERVAL: u32 = 16;

/// Plays those of the first `games` games that the file lacks, and adds them to the file. On a terminal it shows its
/// progress. With a directory, they are [games of exact values](exact) by the tables there.
///
/// # Errors
/// If a game cannot be written or tables cannot be used, or there is no memory for a transposition table or no thread;
/// the games that were finished before are kept.
pub fn fill<G: Game>(
    file: &mut SelfPlayFile<G>,
    games: u32,
    settings: &Settings,
    directory: Option<&Path>,
) -> Result<(), String> {
    let missing: Vec<u32> = (0..games).filter(|&number| !file.games().holds(number)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let progress = Mutex::new(Progress::begin(file.path().display().to_string()));
    let begun = Instant::now();
    let rules = file.games().rules().clone();
    let tables = match directory {
        Some(directory) => exact::tables(rules.as_ref(), directory)?,
        None => rules.new_tables(None),
    };
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let file = Mutex::new(file);
    let work = || -> Result<(), String> {
        let table = TranspositionTable::new(HASH_MIB)
            .ok_or_else(|| format!("there are no {HASH_MIB} MiB of memory for a game"))?;
        while let Some(&number) = missing.get(next.fetch_add(1, Relaxed))
            && !failed.load(Relaxed)
        {
            let game = match directory {
                Some(_) => exact::play(GameHistory::new(rules.clone(), rules.start()), &tables, settings, number)?,
                None => play(&rules, &tables, settings, number, &table),
            };
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            file.add(game)?;
            let held = file.games().len();
            let left = (games as usize).saturating_sub(held);
            let played = missing.len().saturating_sub(left).max(1);
            let seconds = begun.elapsed().as_secs() * left as u64 / played as u64;
            let state = format!("{held} of {games} games, {}:{:02} to go", seconds / 60, seconds % 60);
            progress.lock().unwrap_or_else(PoisonError::into_inner).show(&state);
        }
        Ok(())
    };
    let worker = || {
        let result = work();
        failed.fetch_or(result.is_err(), Relaxed);
        result
    };
    on_threads(settings.concurrency, worker)
}

/// Plays the game with this number: to its end, to a proven result, or to the greatest length.
fn play<G: Game>(
    rules: &Arc<G>,
    tables: &Arc<G::Tables>,
    settings: &Settings,
    number: u32,
    table: &TranspositionTable,
) -> SelfPlayGame<G::Move> {
    let mut rng = fastrand::Rng::with_seed(hash(&[settings.seed, u64::from(number)]));
    let opening = rng.u32(..=settings.random_plies);
    table.clear();
    let balance = Balance { most: MOST_SCORE, nodes: settings.nodes.saturating_mul(OPENING_NODES) };
    let mut history = openings::balanced(rules, tables, opening, balance, &mut rng, table);
    let mut played: Vec<_> = history.moves().map(|mv| (mv, None)).collect();
    let winner = loop {
        let ply = history.len() as u32;
        if let Some(outcome) = history.outcome() {
            break outcome.winner();
        }
        if ply >= settings.plies {
            break None;
        }
        let is_random = ply < RANDOM_MOVE_SPAN * settings.random_plies && rng.u32(..RANDOM_MOVE_INTERVAL) == 0;
        let choice = if is_random { None } else { search_move(&history, tables, settings, table) };
        let (mv, evaluation) = match choice {
            Some((_, Evaluation { centipawns, .. })) if score::is_proven(centipawns) => {
                break Some(favoured_side(&history, centipawns));
            }
            Some((mv, evaluation)) => (mv, Some(evaluation)),
            None => (openings::likely_move(&history, &mut rng), None),
        };
        history.push(mv);
        played.push((mv, evaluation));
    };
    SelfPlayGame { number, winner, moves: played }
}

/// The side that a score for the side to move favours.
fn favoured_side<G: Game>(history: &GameHistory<G>, score: i32) -> Side {
    let side = history.side_to_move();
    if score > 0 { side } else { !side }
}

/// The move that the search chooses, with its score and depth; `None` if the nodes were too few for a score.
fn search_move<G: Game>(
    history: &GameHistory<G>,
    tables: &Arc<G::Tables>,
    settings: &Settings,
    table: &TranspositionTable,
) -> Option<(G::Move, Evaluation)> {
    let limits = Limits { nodes: Some(settings.nodes), use_tablebases: false, ..Limits::default() };
    table.begin_search();
    let mut depth = 0;
    let report = |info: search::Info<G::Move>| depth = info.depth;
    let answer = search::search(history, tables, &limits, table, &Control::default(), report)?;
    Some((answer.best, Evaluation { centipawns: answer.score?, depth: depth as u32 }))
}

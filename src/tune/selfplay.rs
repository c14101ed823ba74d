//! Games of the engine with itself.
//!
//! A game depends on nothing but the rules, the settings and its number, whichever thread plays it: it has a random
//! generator of its own and begins with a cleared transposition table.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use thiserror::Error;

use crate::io::progress::Progress;
use crate::io::workers::{WorkerError, on_threads};
use pentarch_core::GameHistory;
use pentarch_core::notation::record::SearchEvaluation;
use pentarch_core::rules::key::hash;
use pentarch_games::Game;
use pentarch_search::control::Control;
use pentarch_search::{SearchReport, SearchResult, Searcher};
use pentarch_system::FileError;

use super::exact::{self, ExactGameError};
use super::game_settings::GameSettings;
use super::openings::{self, Balance};
use super::selfplay_file::{SelfPlayFile, SelfPlayFileError, SelfPlayGame};
use super::{NoSearchMemory, found, nodes_alone, play_on, searcher};

/// An error of playing games of the engine with itself.
#[derive(Debug, Error)]
pub enum SelfPlayError {
    /// A file of games cannot be used.
    #[error(transparent)]
    File(#[from] SelfPlayFileError),
    /// A game that has ended cannot be added to its file.
    #[error(transparent)]
    Write(#[from] FileError),
    /// Games of exact values cannot be made.
    #[error(transparent)]
    Exact(#[from] ExactGameError),
    /// There is no memory for a search.
    #[error(transparent)]
    Memory(#[from] NoSearchMemory),
    /// A thread does not start, or panics.
    #[error(transparent)]
    Worker(#[from] WorkerError),
}

/// How far from even an opening may be, and how many times the nodes of a move the search has that says so.
const MOST_SCORE: i32 = 200;
/// See [`MOST_SCORE`].
const OPENING_NODES: u64 = 4;
/// The size of a game's transposition table, in MiB.
const HASH_MIB: usize = 4;
/// After the random opening, single moves are random up to this multiple of [`GameSettings::random_plies`], so that the
/// games differ in more than their openings.
const RANDOM_MOVE_SPAN: u32 = 3;
/// One move in this many is random there.
const RANDOM_MOVE_INTERVAL: u32 = 16;

/// Plays those of the first `games` games that the file lacks, adds them to the file, and shows its progress. With a
/// directory, they are [games of exact values](exact) by the tables there.
///
/// # Errors
/// If a game cannot be written or tables cannot be used, or there is no memory for a transposition table or no thread;
/// the games that were finished before are kept.
pub fn fill<G: Game>(
    file: &mut SelfPlayFile<G>,
    games: u32,
    settings: &GameSettings,
    directory: Option<&Path>,
    mut progress: Progress,
) -> Result<(), SelfPlayError> {
    let missing: Vec<u32> =
        (0..games).filter(|number| !file.games.games.contains_key(number)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let begun = Instant::now();
    let (rules, all) = (file.games.rules.clone(), missing.len());
    let keep = Mutex::new(|game| -> Result<(), FileError> {
        file.add(game)?;
        let held = file.games.games.len();
        let left = (games as usize).saturating_sub(held);
        let played = all.saturating_sub(left).max(1);
        let seconds = begun.elapsed().as_secs() * left as u64 / played as u64;
        progress.show(&format!(
            "{held} of {games} games, {}:{:02} to go",
            seconds / 60,
            seconds % 60
        ));
        Ok(())
    });
    let keep = |game| keep.lock().unwrap_or_else(PoisonError::into_inner)(game);
    play_each(&rules, missing, settings, directory, &keep)
}

/// Plays the games with these numbers, and calls `keep` with each, as they end.
///
/// # Errors
/// If `keep` fails or tables cannot be used, or there is no memory for a transposition table or no thread.
pub fn play_each<G: Game>(
    rules: &Arc<G>,
    numbers: Vec<u32>,
    settings: &GameSettings,
    directory: Option<&Path>,
    keep: &(dyn Fn(SelfPlayGame<G::Move>) -> Result<(), FileError> + Sync),
) -> Result<(), SelfPlayError> {
    let tables = match directory {
        Some(directory) => exact::tables(rules.as_ref(), directory)?,
        None => rules.shared_tables(None),
    };
    let waiting = Mutex::new(numbers.into_iter());
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = |searcher: &mut Searcher<G>, number| {
        let start = || GameHistory::new(rules.clone(), rules.start());
        let game = match directory {
            Some(_) => exact::play(start(), &tables, settings, number)?,
            None => play(rules, searcher, settings, number),
        };
        Ok(keep(game)?)
    };
    on_threads(settings.concurrency.into(), || Ok(searcher(&tables, HASH_MIB)?), next, work)
}

/// Plays the game with this number: to its end, to a proven result, or to the greatest length.
fn play<G: Game>(
    rules: &Arc<G>,
    searcher: &Searcher<G>,
    settings: &GameSettings,
    number: u32,
) -> SelfPlayGame<G::Move> {
    let mut rng = fastrand::Rng::with_seed(hash(&[settings.seed, u64::from(number)]));
    let opening = rng.u32(..=settings.random_plies);
    searcher.clear();
    let balance = Balance { most: MOST_SCORE, nodes: settings.nodes.saturating_mul(OPENING_NODES) };
    let mut history = openings::balanced(rules, searcher, opening, balance, &mut rng);
    let mut moves: Vec<_> = history.moves().map(|mv| (mv, None)).collect();
    let varied = (RANDOM_MOVE_SPAN * settings.random_plies) as usize;
    let proven = play_on(&mut history, settings.plies as usize, |history| {
        let is_random = history.len() < varied && rng.u32(..RANDOM_MOVE_INTERVAL) == 0;
        let answer = if is_random { None } else { search_move(history, searcher, settings.nodes) };
        let (mv, evaluation) = match answer {
            Some((answer, evaluation)) => (found(history, &answer)?, Some(evaluation)),
            None => (openings::likely_move(history, &mut rng), None),
        };
        moves.push((mv, evaluation));
        ControlFlow::Continue(mv)
    });
    let winner = proven.or_else(|| history.outcome()?.winner());
    SelfPlayGame { number, winner, moves }
}

/// The answer of the search, with its score and depth; `None` if the nodes were too few for a score.
fn search_move<G: Game>(
    history: &GameHistory<G>,
    searcher: &Searcher<G>,
    nodes: u64,
) -> Option<(SearchResult<G::Move>, SearchEvaluation)> {
    let mut depth = 0;
    let mut report = |info: SearchReport<G::Move>| depth = info.depth;
    let answer =
        searcher.search_with(history, &nodes_alone(nodes), &Control::default(), &mut report)?;
    let evaluation = SearchEvaluation { centipawns: answer.score?, depth: depth as u32 };
    Some((answer, evaluation))
}

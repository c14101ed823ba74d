//! Plays games of the engine with itself.
//!
//! A game depends only on the rules, the settings and its number. The game does not depend on its
//! thread, because each game has its own random generator and begins with a cleared transposition
//! table.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use thiserror::Error;

use crate::io::progress::ProgressLine;
use crate::io::workers::{WorkerError, run_tasks_on_threads};
use pentarch_core::GameHistory;
use pentarch_core::notation::record::SearchEvaluation;
use pentarch_core::rules::key::hash_words;
use pentarch_games::Game;
use pentarch_search::control::SearchControl;
use pentarch_search::{Limits, SearchReport, SearchResult, Searcher};
use pentarch_system::FileError;

use super::exact_position_games::{self, ExactPositionGameError};
use super::openings::{self, OpeningBalanceCriterion};
use super::selfplay_file::{SelfPlayFile, SelfPlayFileError, SelfPlayGame};
use super::selfplay_settings::SelfPlaySettings;
use super::{SearchMemoryError, best_move_or_proven_winner, create_searcher, play_until_proven};

/// An error of self-play.
#[derive(Debug, Error)]
pub enum SelfPlayError {
    /// A file of games is not usable.
    #[error(transparent)]
    File(#[from] SelfPlayFileError),
    /// A finished game cannot be added to its file.
    #[error(transparent)]
    Write(#[from] FileError),
    /// Games with exact values cannot be played.
    #[error(transparent)]
    Exact(#[from] ExactPositionGameError),
    /// There is no memory for a search.
    #[error(transparent)]
    Memory(#[from] SearchMemoryError),
    /// A thread does not start, or panics.
    #[error(transparent)]
    Worker(#[from] WorkerError),
}

const MAX_OPENING_SCORE_CENTIPAWNS: i32 = 200;
/// The nodes of the search that scores an opening, as a multiple of the nodes for a move.
const OPENING_SEARCH_NODES_FACTOR: u64 = 4;
/// The size of a game's transposition table, in MiB.
const HASH_TABLE_MIB: usize = 4;
/// The number of plies after the random opening in which some moves are random, as a multiple of
/// [`SelfPlaySettings::random_plies`]. The random moves make the games differ in more than their
/// openings.
const RANDOM_PHASE_LENGTH_FACTOR: u32 = 3;
/// The mean interval in plies between the random moves after the opening.
const MEAN_RANDOM_MOVE_INTERVAL_PLIES: u32 = 16;

/// Plays the games below number `games` that the file lacks, adds them to the file, and shows the
/// progress. With a directory, plays [games with exact values](exact_position_games) from the
/// tables in this directory.
///
/// # Errors
/// In these cases, finished games stay in the file:
/// - A game cannot be written.
/// - Tables are not usable.
/// - There is no memory for a transposition table.
/// - A thread does not start.
pub fn play_missing_games<G: Game>(
    file: &mut SelfPlayFile<G>,
    games: u32,
    settings: &SelfPlaySettings,
    directory: Option<&Path>,
    mut progress: ProgressLine,
) -> Result<(), SelfPlayError> {
    let missing: Vec<u32> =
        (0..games).filter(|number| !file.games.games.contains_key(number)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let begun = Instant::now();
    let rules = file.games.rules.clone();
    let missing_count = missing.len();
    let add = Mutex::new(|game| -> Result<(), FileError> {
        file.append_game(game)?;
        let present = file.games.games.len();
        let left = (games as usize).saturating_sub(present);
        let played = missing_count.saturating_sub(left).max(1);
        let seconds = begun.elapsed().as_secs() * left as u64 / played as u64;
        progress.show(&format!(
            "{present} of {games} games, {}:{:02} to go",
            seconds / 60,
            seconds % 60
        ));
        Ok(())
    });
    play_selfplay_games(&rules, missing, settings, directory, &|game| {
        add.lock().unwrap_or_else(PoisonError::into_inner)(game)
    })
}

/// Plays the games with these numbers, and calls `on_end` with each finished game.
///
/// # Errors
/// If `on_end` fails, tables are not usable, there is no memory for a transposition table, or a
/// thread does not start.
pub fn play_selfplay_games<G: Game>(
    rules: &Arc<G>,
    numbers: Vec<u32>,
    settings: &SelfPlaySettings,
    directory: Option<&Path>,
    on_end: &(dyn Fn(SelfPlayGame<G::Move>) -> Result<(), FileError> + Sync),
) -> Result<(), SelfPlayError> {
    let tables = match directory {
        Some(directory) => {
            exact_position_games::load_tablebases_from_directory(rules.as_ref(), directory)?
        }
        None => rules.create_or_share_tables(None),
    };
    let pending = Mutex::new(numbers.into_iter());
    let next = || pending.lock().unwrap_or_else(PoisonError::into_inner).next();
    let play = |searcher: &mut Searcher<G>, number| {
        let game = match directory {
            Some(_) => {
                let start = GameHistory::new(rules.clone(), rules.start_position());
                exact_position_games::play_game_through_exact_positions(
                    start, &tables, settings, number,
                )?
            }
            None => play_selfplay_game(rules, searcher, settings, number),
        };
        Ok(on_end(game)?)
    };
    run_tasks_on_threads(
        settings.concurrency.into(),
        || Ok(create_searcher(&tables, HASH_TABLE_MIB)?),
        next,
        play,
    )
}

/// Plays the game with this number: to its end, to a proven result, or to the maximum length.
fn play_selfplay_game<G: Game>(
    rules: &Arc<G>,
    searcher: &Searcher<G>,
    settings: &SelfPlaySettings,
    number: u32,
) -> SelfPlayGame<G::Move> {
    let mut rng = fastrand::Rng::with_seed(hash_words(&[settings.seed, u64::from(number)]));
    let opening = rng.u32(..=settings.random_plies);
    searcher.clear();
    let criterion = OpeningBalanceCriterion {
        max_score: MAX_OPENING_SCORE_CENTIPAWNS,
        nodes: settings.nodes.saturating_mul(OPENING_SEARCH_NODES_FACTOR),
    };
    let mut history =
        openings::random_balanced_opening(rules, searcher, opening, criterion, &mut rng);
    let mut moves: Vec<_> = history.moves().map(|mv| (mv, None)).collect();
    let random_end = (RANDOM_PHASE_LENGTH_FACTOR * settings.random_plies) as usize;
    let proven = play_until_proven(&mut history, settings.plies as usize, |history| {
        let is_random =
            history.len() < random_end && rng.u32(..MEAN_RANDOM_MOVE_INTERVAL_PLIES) == 0;
        let answer = if is_random {
            None
        } else {
            search_result_of_position(history, searcher, settings.nodes)
        };
        let (mv, evaluation) = match answer {
            Some((answer, evaluation)) => {
                (best_move_or_proven_winner(history, &answer)?, Some(evaluation))
            }
            None => (openings::random_likely_move(history, &mut rng), None),
        };
        moves.push((mv, evaluation));
        ControlFlow::Continue(mv)
    });
    let winner = proven.or_else(|| history.outcome()?.winner());
    SelfPlayGame { number, winner, moves }
}

/// Returns the result of a search, with its score and depth; `None` if the node limit was too low
/// for a score.
fn search_result_of_position<G: Game>(
    history: &GameHistory<G>,
    searcher: &Searcher<G>,
    nodes: u64,
) -> Option<(SearchResult<G::Move>, SearchEvaluation)> {
    let mut depth = 0;
    let answer = searcher.search_with_control(
        history,
        &Limits::nodes_without_tablebases(nodes),
        &SearchControl::default(),
        &mut |info: SearchReport<G::Move>| depth = info.depth,
    )?;
    let evaluation = SearchEvaluation { centipawns: answer.score?, depth: depth as u32 };
    Some((answer, evaluation))
}

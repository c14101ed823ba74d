//! Plays games for training through positions with exact values. Tables without distances contain
//! the winner of these positions.

use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

use pentarch_core::notation::record::SearchEvaluation;
use pentarch_core::rules::key::hash_words;
use pentarch_core::tables::directory::TableDirectory;
use pentarch_core::{GameHistory, GameTables, ProbeResult, ProbeWorkLimit, Warning};
use pentarch_games::Game;

use super::openings::random_likely_move;
use super::selfplay_file::SelfPlayGame;
use super::selfplay_settings::SelfPlaySettings;

/// The maximum number of positions with an exact value in a game.
const MAX_SCORED_POSITIONS_PER_GAME: usize = 32;
/// The score of a win in the written games, in centipawns: the maximum score in training.
const TRAINING_WIN_CENTIPAWNS: i32 = 9999;

/// The reason why no game through positions with exact values can be played.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ExactPositionGameError {
    /// Files of tables are not usable.
    #[error("{}", faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Tables {
        /// The [faults](pentarch_core::GameTables::take_faults) of the tables.
        faults: Vec<Warning>,
    },
    /// A game has the maximum length, but has reached no position that is lost according to the
    /// tables.
    #[error("game {number} has {moves} moves, and reaches no position in the tables")]
    NoKnownPosition {
        /// The number of the game.
        number: u32,
        /// The number of moves of the game.
        moves: usize,
    },
}

/// Loads the tables in a directory, for these rules.
///
/// # Errors
/// If a file is not usable.
pub fn load_tablebases_from_directory<G: Game>(
    rules: &G,
    directory: &Path,
) -> Result<Arc<G::Tables>, ExactPositionGameError> {
    let tables =
        rules.create_uncomputed_tables(Some(Arc::new(TableDirectory(directory.to_path_buf()))));
    tables.begin_computing_tables();
    tables.wait_until_computed(&|| false);
    let faults = tables.take_faults();
    if faults.is_empty() { Ok(tables) } else { Err(ExactPositionGameError::Tables { faults }) }
}

/// Plays the game with this number from an undecided position. The game begins with a random number
/// of random moves, at most [`SelfPlaySettings::random_plies`]. Then random moves follow until the
/// side to move has lost according to the tables. From that position on, the winner makes random
/// moves that keep its win.
///
/// The game ends 32 positions later or by its rules. If the game began in any of these positions,
/// its winner could force a win. Only the moves in these positions have a score.
///
/// # Errors
/// If the game reaches no lost position within its maximum length.
pub fn play_game_through_exact_positions<G: Game>(
    mut history: GameHistory<G>,
    tables: &G::Tables,
    settings: &SelfPlaySettings,
    number: u32,
) -> Result<SelfPlayGame<G::Move>, ExactPositionGameError> {
    let mut rng = fastrand::Rng::with_seed(hash_words(&[settings.seed, u64::from(number)]));
    let opening = rng.u32(..=settings.random_plies) as usize;
    let mut moves = Vec::new();
    let mut winner = None;
    let mut scored = 0;
    while history.outcome().is_none() && scored < MAX_SCORED_POSITIONS_PER_GAME {
        let side = history.side_to_move();
        if history.len() >= opening && winner.is_none() {
            winner = is_tablebase_loss(history.rules().as_ref(), tables, history.position())
                .then_some(!side);
        }
        let mv = match winner {
            None if history.len() >= settings.plies as usize => {
                return Err(ExactPositionGameError::NoKnownPosition {
                    number,
                    moves: history.len(),
                });
            }
            None => random_likely_move(&history, &mut rng),
            Some(winner) => {
                let mut choice = Vec::new();
                history.legal_moves(&mut choice);
                choice.retain(|&mv| winner != side || move_keeps_win(&history, tables, mv));
                let Some(mv) = rng.choice(choice) else { break };
                mv
            }
        };
        let evaluation = winner.map(|winner| SearchEvaluation {
            centipawns: if winner == side {
                TRAINING_WIN_CENTIPAWNS
            } else {
                -TRAINING_WIN_CENTIPAWNS
            },
            depth: 1,
        });
        moves.push((mv, evaluation));
        scored += usize::from(winner.is_some());
        history.push(mv);
    }
    let winner = winner.or_else(|| history.outcome()?.winner());
    Ok(SelfPlayGame { number, winner, moves })
}

/// Returns whether, according to the tables, the side to move loses a game that begins in this
/// position.
fn is_tablebase_loss<G: Game>(rules: &G, tables: &G::Tables, position: &G::Position) -> bool {
    rules
        .probe_tables(tables, position, ProbeWorkLimit::Thorough)
        .and_then(ProbeResult::win_rank_of_lost_position)
        .is_some()
}

/// Returns whether this move wins at once, or leads to a position that the opponent loses according
/// to the tables. The result for that position ignores the earlier positions of the game, which
/// could be repeated.
fn move_keeps_win<G: Game>(history: &GameHistory<G>, tables: &G::Tables, mv: G::Move) -> bool {
    let rules = history.rules();
    let next = rules.play(history.position(), mv);
    match rules.outcome(&next) {
        Some(outcome) => outcome.winner() == Some(history.side_to_move()),
        None => is_tablebase_loss(rules.as_ref(), tables, &next),
    }
}

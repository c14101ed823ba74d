//! The only implementation of [`Session`], generic over the game.
//!
//! | module | contents |
//! |---|---|
//! | `play` | changes and describes the current game |
//! | `indexed_moves` | makes legal moves by their indices |
//! | `position_info` | the current position: notation, legal moves, evaluation |
//! | `board` | the board, positions, clicks and moves as data |
//! | `go_board` | the current game on the board of a Go front end |
//! | `search` | searches and the building of tablebases; needs the feature `search` |
//! | `game_search` | a search of the current game that returns moves as strings; needs `search` |
//! | `rules_only` | replaces `search` without the feature |

mod board;
#[cfg(feature = "search")]
mod game_search;
mod go_board;
mod indexed_moves;
mod play;
mod position_info;
#[cfg(not(feature = "search"))]
mod rules_only;
#[cfg(feature = "search")]
mod search;

use std::sync::Arc;

use pentarch_core::sorting::sort_indices;
use pentarch_core::{GameHistory, TableFiles};
use pentarch_games::Game;

use crate::error::{EngineError, EngineFault};
use crate::input_word::InputWord;
use crate::session::{MAX_GAME_PLIES, PerftJob, Session};

/// Creates a session in the start position of these rules, with these tablebase files.
pub fn new_session_with_rules<G: Game>(
    rules: G,
    files: Option<Arc<dyn TableFiles>>,
) -> Box<dyn Session> {
    Box::new(GameSession::new(Arc::new(rules), files))
}

/// A session with one game.
struct GameSession<G: Game> {
    history: GameHistory<G>,
    /// The typed FEN of the first position; `None` for the start position.
    start: Option<String>,
    /// The tablebases of the game, which are read from `files`.
    tables: Arc<G::Tables>,
    files: Option<Arc<dyn TableFiles>>,
    /// The typed moves, with marks such as `!`. Any later moves of the game were made by their
    /// indices, and were not typed.
    typed: Vec<String>,
    /// The legal moves of the current position, if these moves were generated; otherwise empty.
    generated: Vec<G::Move>,
}

/// Returns the history of a game with these moves. The game begins at `fen`, or at the start
/// position if `fen` is `None`.
///
/// # Errors
/// If `fen` is not a position of these rules, or if a move is not legal.
pub fn build_game_history<G: Game>(
    rules: &Arc<G>,
    fen: Option<&[InputWord]>,
    moves: &[InputWord],
) -> Result<GameHistory<G>, EngineError> {
    let position = match fen {
        None => rules.start_position(),
        Some(words) => rules
            .parse_position(&join_input_words(words))
            .map_err(|error| EngineError::invalid_position(words, error))?,
    };
    let mut history = GameHistory::new(rules.clone(), position);
    push_moves_to_history(&mut history, moves, 0)?;
    Ok(history)
}

/// Makes the moves of a list, beginning at the index `first`. Makes no move if one of the moves is
/// not legal or if the game would become too long.
fn push_moves_to_history<G: Game>(
    history: &mut GameHistory<G>,
    moves: &[InputWord],
    first: usize,
) -> Result<(), EngineError> {
    let before = history.len();
    if before + moves.len() - first > MAX_GAME_PLIES {
        return Err(EngineFault::TooManyMoves { most: MAX_GAME_PLIES }.into());
    }
    for (number, word) in (1..).zip(moves).skip(first) {
        match history.resolve_move(&word.text) {
            Ok(mv) => history.push(mv),
            Err(error) => {
                while history.len() > before {
                    history.pop();
                }
                return Err(EngineError::invalid_move(number, word, error));
            }
        }
    }
    Ok(())
}

/// A function that counts the leaf positions at a depth in plies; `None` if the function was
/// stopped.
type PerftFn<G> = fn(&mut GameHistory<G>, u32, &dyn Fn() -> bool) -> Option<u64>;

/// Joins words with single spaces.
fn join_input_words(words: &[InputWord]) -> String {
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// Returns the legal moves with their canonical notation, sorted by notation.
pub fn sorted_legal_moves<G: Game>(history: &GameHistory<G>) -> Vec<(String, G::Move)> {
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    let mut texts: Vec<String> = moves.iter().map(|&mv| history.rules().move_text(mv)).collect();
    let sorted = sort_indices(texts.len(), &|one, other| texts[one].cmp(&texts[other]));
    sorted.into_iter().map(|at| (std::mem::take(&mut texts[at]), moves[at])).collect()
}

impl<G: Game> GameSession<G> {
    /// Creates a session in the start position of these rules. The tables of the session are not
    /// built yet.
    fn new(rules: Arc<G>, files: Option<Arc<dyn TableFiles>>) -> GameSession<G> {
        let tables = rules.create_or_share_tables(files.clone());
        let start = rules.start_position();
        let history = GameHistory::new(rules, start);
        GameSession {
            history,
            start: None,
            tables,
            files,
            typed: Vec::new(),
            generated: Vec::new(),
        }
    }

    /// Returns the job that counts the leaf positions below each legal move with the function
    /// `perft`.
    fn new_perft_job(&self, depth: u32, perft: PerftFn<G>) -> PerftJob {
        let mut history = GameHistory::new(self.history.rules().clone(), *self.history.position());
        Box::new(move |control, report| {
            let Some(remaining_depth) = depth.checked_sub(1) else { return Some(1) };
            let mut sum = 0;
            for (text, mv) in sorted_legal_moves(&history) {
                history.push(mv);
                let leaves = perft(&mut history, remaining_depth, &|| control.is_over());
                history.pop();
                report(&text, leaves?);
                sum += leaves?;
            }
            Some(sum)
        })
    }
}

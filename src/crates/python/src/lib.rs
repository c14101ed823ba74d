//! The rules of all games as a Python extension, the module `pentarch._rules`. The package
//! `pentarch` exports its classes.
//!
//! | module | contents |
//! |---|---|
//! | `game` | a game with its moves |
//! | `legal_moves` | the legal moves of a position as a sequence |
//! | `outcome` | the outcome of a game |
//! | `error` | errors of the engine as exceptions |
//!
//! The extension translates between Python and [`Session`](pentarch_engine::session::Session). It
//! contains no rules. The documentation of its items is that of the Python classes.

mod error;
mod game;
mod legal_moves;
mod outcome;

/// The rules of all games, in process.
#[pyo3::pymodule]
mod _rules {
    #[pymodule_export]
    use super::game::Game;
    #[pymodule_export]
    use super::legal_moves::LegalMoves;
    #[pymodule_export]
    use super::outcome::GameOutcome;

    /// Returns the words that name the games.
    #[pyo3::pyfunction]
    fn games() -> Vec<&'static str> {
        pentarch_engine::games::all_game_words().to_vec()
    }
}

//! The class `Outcome`: the outcome of a game.

use pyo3::prelude::*;

/// The outcome of a game. As a string it has the words of the protocol.
///
///     >>> from pentarch import Game
///     >>> game = Game("quoridor", fen="e8d5 - w 10/10 9", moves=["e9"])
///     >>> str(game.outcome), game.outcome.winner, game.outcome.reason
///     ('win white goal', 'white', 'goal')
#[pyclass(frozen, eq, hash, module = "pentarch", name = "Outcome")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct GameOutcome {
    /// The word that names the winner; None in a draw.
    #[pyo3(get)]
    pub(crate) winner: Option<&'static str>,
    /// The reason in the words of the rules.
    #[pyo3(get)]
    pub(crate) reason: &'static str,
    /// The outcome as a sentence for people.
    #[pyo3(get)]
    pub(crate) sentence: String,
    /// The outcome in the words of the protocol.
    pub(crate) words: String,
}

#[pymethods]
impl GameOutcome {
    fn __str__(&self) -> &str {
        &self.words
    }

    fn __repr__(&self) -> String {
        format!("<pentarch.Outcome {}>", self.words)
    }
}

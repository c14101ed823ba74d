//! What both protocols ask for, as their grammars read it: words with their places, and searches.

use crate::search::Limits;
use crate::search::time_management::TimeControl;

/// A word of a line of input, with its column for error messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The text of the word.
    pub text: String,
    /// The column of the word in its line, in characters from 1; 0 if the word is not from a line of input.
    pub column: usize,
}

impl Word {
    /// A word that is not from a line of input.
    pub fn alone(text: &str) -> Word {
        Word { text: text.into(), column: 0 }
    }

    /// The column as the beginning of a message: `column 5: `. Empty if the word is not from a line of input.
    pub fn place(&self) -> String {
        if self.column == 0 { String::new() } else { format!("column {}: ", self.column) }
    }
}

/// The arguments of `go`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Go {
    /// The limits that `go` can set: depth, nodes, moves to a mate, and the moves to choose from. Options set the
    /// others.
    pub limits: Limits<Word>,
    /// The clocks and the time for the move.
    pub time: TimeControl,
    /// Whether the search goes on until `stop`.
    pub infinite: bool,
    /// Whether the search begins on the opponent's time and goes on until `ponderhit` or `stop`.
    pub ponder: bool,
}

//! The formats of games and the notations of moves, by their words.

use std::str::FromStr;

use thiserror::Error;

use pentarch_core::notation::text::{did_you_mean, or_list, quoted};

/// A format of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Game records, as the engine has them.
    Record,
    /// A game in a line of JSON.
    Json,
    /// The moves and nothing else.
    Moves,
    /// Position and moves as the source of the rules writes them.
    Source,
    /// The Smart Game Format of Go programs, for the clicks on a Go front end.
    Sgf,
}

impl Kind {
    /// All formats with their words.
    pub const ALL: [(&'static str, Kind); 5] = [
        ("record", Kind::Record),
        ("json", Kind::Json),
        ("moves", Kind::Moves),
        ("source", Kind::Source),
        ("sgf", Kind::Sgf),
    ];
}

/// A format, and the notation of the moves in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Format {
    /// The format.
    pub kind: Kind,
    /// The word for the notation; none for the one of the engine.
    pub style: Option<String>,
}

/// An error of the words for a format.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FormatError {
    /// There is no such format.
    #[error(
        "a format is {}, not {}{}",
        or_list(&Kind::ALL.map(|(word, _)| word)),
        quoted(.word),
        did_you_mean(.word, Kind::ALL.map(|(word, _)| word))
    )]
    Unknown {
        /// The word.
        word: String,
    },
    /// A notation is named behind a format that has only one.
    #[error("the format {word} has a notation of its own; none is named behind it")]
    OwnNotation {
        /// The word for the format.
        word: String,
    },
}

impl FromStr for Format {
    type Err = FormatError;

    /// Reads `FORMAT` or `FORMAT:NOTATION`.
    fn from_str(text: &str) -> Result<Format, FormatError> {
        let (word, style) = match text.split_once(':') {
            Some((word, style)) => (word, Some(style.to_string())),
            None => (text, None),
        };
        let found = Kind::ALL.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(word));
        let (_, kind) = found.ok_or_else(|| FormatError::Unknown { word: word.into() })?;
        if style.is_some() && matches!(kind, Kind::Source | Kind::Sgf) {
            return Err(FormatError::OwnNotation { word: word.into() });
        }
        Ok(Format { kind, style })
    }
}

//! The formats of games and the notations of moves. Each format and each notation has a word that
//! selects it.

use std::str::FromStr;

use thiserror::Error;

use pentarch_core::notation::parsing::{did_you_mean_hint, join_with_or, quote_for_message};

/// A format of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameFormatKind {
    /// Game records of this program.
    Record,
    /// A game in a line of JSON.
    Json,
    /// Bare lists of moves.
    Moves,
    /// The notation in the source of the rules: a position, and moves.
    Source,
    /// The Smart Game Format of Go programs. A game in this format contains clicks on the board of
    /// a Go front end.
    Sgf,
    /// Lists of openings for matches.
    Openings,
    /// Records with the moves in the notation of Bushka's published games.
    Oblique,
}

impl GameFormatKind {
    /// All formats with their words.
    pub const ALL: [(&'static str, GameFormatKind); 7] = [
        ("record", GameFormatKind::Record),
        ("json", GameFormatKind::Json),
        ("moves", GameFormatKind::Moves),
        ("source", GameFormatKind::Source),
        ("sgf", GameFormatKind::Sgf),
        ("openings", GameFormatKind::Openings),
        ("oblique", GameFormatKind::Oblique),
    ];
}

/// A format, and the notation of the moves in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameFileFormat {
    /// The format.
    pub kind: GameFormatKind,
    /// The word for the notation; `None` for the canonical notation.
    pub style: Option<String>,
}

/// An error in the words for a format.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GameFileFormatError {
    /// There is no such format.
    #[error(
        "a format is {}, not {}{}",
        join_with_or(&GameFormatKind::ALL.map(|(word, _)| word)),
        quote_for_message(.word),
        did_you_mean_hint(.word, GameFormatKind::ALL.map(|(word, _)| word))
    )]
    Unknown {
        /// The word that is not a format.
        word: String,
    },
    /// A notation is given, but the format has only one.
    #[error("the format {word} has only one notation; name none after it")]
    OnlyNotation {
        /// The word for the format.
        word: String,
    },
}

impl FromStr for GameFileFormat {
    type Err = GameFileFormatError;

    /// Parses `FORMAT` or `FORMAT:NOTATION`.
    fn from_str(text: &str) -> Result<GameFileFormat, GameFileFormatError> {
        let (word, style) = match text.split_once(':') {
            Some((word, style)) => (word, Some(style.to_string())),
            None => (text, None),
        };
        let found =
            GameFormatKind::ALL.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(word));
        let (word, kind) =
            found.ok_or_else(|| GameFileFormatError::Unknown { word: word.into() })?;
        let has_styles = !matches!(
            kind,
            GameFormatKind::Source
                | GameFormatKind::Sgf
                | GameFormatKind::Openings
                | GameFormatKind::Oblique
        );
        if style.is_some() && !has_styles {
            return Err(GameFileFormatError::OnlyNotation { word: word.into() });
        }
        let style = if kind == GameFormatKind::Oblique { Some(word.into()) } else { style };
        Ok(GameFileFormat { kind, style })
    }
}

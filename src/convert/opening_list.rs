//! Openings of games, and lists of openings. Each line of a list contains a start position and
//! moves.

use std::fmt::{self, Display};

use thiserror::Error;

use pentarch_core::Options;
use pentarch_engine::engine_state::new_game_session;
use pentarch_engine::error::EngineError;
use pentarch_engine::input_word::InputWord;
use pentarch_engine::session::Session;
use pentarch_system::{LocatedError, WithErrorLocation};

/// The reason why an opening is invalid.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OpeningError {
    /// The position or a move is not legal.
    #[error(transparent)]
    Engine(#[from] Box<EngineError>),
    /// The game is over after the opening.
    #[error("the game is over there: {outcome}")]
    GameOver {
        /// The outcome in the game's words: `red has won (fortress)`.
        outcome: String,
    },
}

/// An error in a list of openings.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OpeningListError {
    /// A line is not an opening.
    #[error(transparent)]
    Line(#[from] LocatedError<OpeningError>),
    /// The list has no opening.
    #[error("it holds no opening")]
    Empty,
}

/// An opening: a position, and moves from there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Opening {
    /// The FEN of the position; `None` for the start position.
    pub fen: Option<String>,
    /// The moves in notation.
    pub moves: Vec<String>,
}

impl Opening {
    /// Parses `[position] startpos|[fen] TEXT [moves MOVE...]`.
    pub fn parse(line: &str) -> Opening {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        if words.first() == Some(&"position") {
            words.remove(0);
        }
        let split = words.iter().position(|&word| word == "moves");
        let (start, moves) = words.split_at(split.unwrap_or(words.len()));
        let fen = match start {
            ["startpos"] => None,
            ["fen", fen @ ..] | fen => Some(fen.join(" ")),
        };
        Opening { fen, moves: moves.iter().skip(1).map(ToString::to_string).collect() }
    }

    /// Sets up this opening in a session.
    ///
    /// # Errors
    /// If the FEN is not a position of the session's rules, or a move is not legal.
    pub fn set_up_session(&self, session: &mut dyn Session) -> Result<(), EngineError> {
        let moves: Vec<InputWord> = self.moves.iter().map(|mv| InputWord::from_text(mv)).collect();
        let fen: Option<Vec<InputWord>> =
            self.fen.as_ref().map(|fen| fen.split_whitespace().map(InputWord::from_text).collect());
        session.set_position(fen.as_deref(), &moves)
    }

    /// Checks that the opening is legal and does not end the game.
    ///
    /// # Errors
    /// If the opening is not legal, or if the game is over after the opening.
    pub fn check_playable(&self, session: &mut dyn Session) -> Result<(), OpeningError> {
        self.set_up_session(session).map_err(Box::new)?;
        match session.game_state().outcome {
            None => Ok(()),
            Some(_) => Err(OpeningError::GameOver { outcome: session.outcome_sentence() }),
        }
    }

    /// Returns the `position` command for this opening, followed by these moves.
    pub fn position_command(&self, moves: &[String]) -> String {
        let moves = [&self.moves, moves].concat();
        format!("position {}", Opening { fen: self.fen.clone(), moves })
    }
}

impl Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.fen {
            Some(fen) => write!(f, "fen {fen}")?,
            None => f.write_str("startpos")?,
        }
        match self.moves.as_slice() {
            [] => Ok(()),
            moves => write!(f, " moves {}", moves.join(" ")),
        }
    }
}

/// Returns the lines of a list of openings with their numbers. Empty lines and lines that begin
/// with `#` are skipped.
pub fn numbered_opening_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = (1..).zip(text.lines().map(str::trim));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// Parses a list of openings, one per line. Empty lines and lines that begin with `#` are skipped.
///
/// # Errors
/// If a line is not an opening under the rules in `options`, if the game is over after an opening,
/// or if the list has no opening.
pub fn parse_openings(text: &str, options: &Options) -> Result<Vec<Opening>, OpeningListError> {
    let mut session = new_game_session(options);
    let mut openings = Vec::new();
    for (number, line) in numbered_opening_lines(text) {
        let opening = Opening::parse(line);
        opening.check_playable(session.as_mut()).with_line_number(number)?;
        openings.push(opening);
    }
    if openings.is_empty() { Err(OpeningListError::Empty) } else { Ok(openings) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_parsed_and_checked() {
        let options = Options::default();
        let start = new_game_session(&options).position_fen();
        let text = format!("# two\n\nstartpos\n{start}\nposition fen {start} moves\n");
        let openings = parse_openings(&text, &options).unwrap();
        let from_text = Opening { fen: Some(start.clone()), moves: vec![] };
        assert_eq!(openings, [Opening::default(), from_text.clone(), from_text]);
        assert_eq!(
            openings[1].position_command(&["x".into()]),
            format!("position fen {start} moves x")
        );
        assert_eq!(openings[0].position_command(&[]), "position startpos");
        let error = |text: &str| parse_openings(text, &options).unwrap_err().to_string();
        assert_eq!(error("# none"), "it holds no opening");
        assert!(error("startpos\nstartpos moves zz").starts_with("line 2: move 1, zz: "));
        assert!(error("what").starts_with("line 1: position string: "));
    }
}

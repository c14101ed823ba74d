//! Error locations: the file, the line or the game in which an error occurred.

use std::fmt::{self, Display};
use std::path::Path;

use thiserror::Error;

/// A location in the input or the output of a command.
///
/// Its string is always a single line, even if the name of the file has line ends:
/// `games/final.txt: line 3`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ErrorLocation {
    /// A file or a directory.
    File(Box<Path>),
    /// A line, counted from 1.
    Line(usize),
    /// A column of a line. The column and the line are counted from 1.
    Column {
        /// The number of the line.
        line: usize,
        /// The number of the column, in characters.
        column: usize,
    },
    /// The number of a game in a list, counted from 1.
    Game(usize),
}

impl Display for ErrorLocation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ErrorLocation::File(path) => f.write_str(&path_on_one_line(path)),
            ErrorLocation::Line(line) => write!(f, "line {line}"),
            ErrorLocation::Column { line, column } => write!(f, "line {line}, column {column}"),
            ErrorLocation::Game(game) => write!(f, "game {game}"),
        }
    }
}

/// Returns the path as a string of one line, with line ends escaped.
pub fn path_on_one_line(path: &Path) -> String {
    path.display().to_string().replace('\n', "\\n").replace('\r', "\\r")
}

/// An error with its location in front: `games/final.txt: line 3: expected a move`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{location}: {error}")]
pub struct LocatedError<E> {
    /// The location of the error.
    pub location: ErrorLocation,
    /// The error, without its location.
    pub error: E,
}

/// Adds locations to the error of a result. Calls can be chained. The innermost location comes
/// first: `read(text).with_line_number(3).with_file_path(path)`.
pub trait WithErrorLocation<T, E>: Sized {
    /// Adds a location to the error.
    ///
    /// # Errors
    /// The error of the result, with the location.
    fn with_error_location(self, location: ErrorLocation) -> Result<T, LocatedError<E>>;

    /// Adds the path of a file or a directory to the error.
    ///
    /// # Errors
    /// The error of the result, with the path.
    fn with_file_path(self, path: &Path) -> Result<T, LocatedError<E>> {
        self.with_error_location(ErrorLocation::File(path.into()))
    }

    /// Adds the number of a line, counted from 1, to the error.
    ///
    /// # Errors
    /// The error of the result, with the number of the line.
    fn with_line_number(self, line: usize) -> Result<T, LocatedError<E>> {
        self.with_error_location(ErrorLocation::Line(line))
    }

    /// Adds the number of a game, counted from 1, to the error.
    ///
    /// # Errors
    /// The error of the result, with the number of the game.
    fn with_game_number(self, game: usize) -> Result<T, LocatedError<E>> {
        self.with_error_location(ErrorLocation::Game(game))
    }
}

impl<T, E> WithErrorLocation<T, E> for Result<T, E> {
    fn with_error_location(self, location: ErrorLocation) -> Result<T, LocatedError<E>> {
        self.map_err(|error| LocatedError { location, error })
    }
}

/// A system error with the path of the file.
pub type FileError = LocatedError<std::io::Error>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_precede_the_error_on_one_line() {
        let error = Err::<(), _>("no move")
            .with_line_number(3)
            .with_game_number(2)
            .with_file_path(Path::new("a\nb"));
        assert_eq!(error.unwrap_err().to_string(), "a\\nb: game 2: line 3: no move");
    }
}

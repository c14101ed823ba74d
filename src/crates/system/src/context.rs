//! Error locations: the file, the line or the game in which an error occurred.

use std::fmt::{self, Display};
use std::path::Path;

use thiserror::Error;

/// A location in the input or the output of a command.
///
/// Its string is always a single line, even if the name of the file has line ends:
/// `games/final.txt: line 3`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
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
    /// A game of a list, counted from 1.
    Game(usize),
}

impl Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Location::File(path) => f.write_str(&path_on_one_line(path)),
            Location::Line(line) => write!(f, "line {line}"),
            Location::Column { line, column } => write!(f, "line {line}, column {column}"),
            Location::Game(game) => write!(f, "game {game}"),
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
pub struct Located<E> {
    /// The location of the error.
    pub location: Location,
    /// The error, without its location.
    pub error: E,
}

/// Adds a location to the error of a result. Calls can be chained, the innermost location first:
/// `read(text).at_line(3).in_file(path)`.
pub trait ErrorContext<T, E>: Sized {
    /// Adds a location.
    ///
    /// # Errors
    /// The error of the result, with the location.
    fn at_location(self, location: Location) -> Result<T, Located<E>>;

    /// Adds the path of a file or a directory.
    ///
    /// # Errors
    /// The error of the result, with the path.
    fn in_file(self, path: &Path) -> Result<T, Located<E>> {
        self.at_location(Location::File(path.into()))
    }

    /// Adds the number of a line, from 1.
    ///
    /// # Errors
    /// The error of the result, with the line.
    fn at_line(self, line: usize) -> Result<T, Located<E>> {
        self.at_location(Location::Line(line))
    }

    /// Adds the number of a game, from 1.
    ///
    /// # Errors
    /// The error of the result, with the game.
    fn in_game(self, game: usize) -> Result<T, Located<E>> {
        self.at_location(Location::Game(game))
    }
}

impl<T, E> ErrorContext<T, E> for Result<T, E> {
    fn at_location(self, location: Location) -> Result<T, Located<E>> {
        self.map_err(|error| Located { location, error })
    }
}

/// A system error with the path of the file.
pub type FileError = Located<std::io::Error>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_precede_the_error_on_one_line() {
        let error = Err::<(), _>("no move").at_line(3).in_game(2).in_file(Path::new("a\nb"));
        assert_eq!(error.unwrap_err().to_string(), "a\\nb: game 2: line 3: no move");
    }
}

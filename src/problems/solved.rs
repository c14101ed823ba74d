//! Which problems this user has solved: the file `problems` in the [folder](crate::io::state) of the program's own.
//!
//! Each line is the word of a game and the text of the position of a problem. A line is added when a problem is solved.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use crate::io::files::open_plain;
use crate::io::state;
use pentarch_core::notation::text::quoted;
use pentarch_games::GameId;
use pentarch_system::{ErrorContext, FileError, Located};
use thiserror::Error;

/// The most bytes that the file may have.
const MOST_BYTES: u64 = 1 << 20;

/// What was solved, and where it is kept.
#[derive(Debug, Default)]
pub struct Solved {
    lines: BTreeSet<String>,
    /// The file; none if nothing can be kept.
    path: Option<PathBuf>,
    /// Whether the last line there does not end with a newline, which is missing where somebody has edited the file.
    is_cut_off: bool,
}

/// The reason why solved problems are not stored.
#[derive(Debug, Error)]
pub enum SolvedError {
    /// The system has no folder for the file.
    #[error("what you solve is not kept: the system names no folder for it")]
    NoFolder,
    /// The file cannot be used.
    #[error("what you solve is not kept: {0}")]
    File(#[from] Located<SolvedFileError>),
}

/// An error of the file of solved problems.
#[derive(Debug, Error)]
pub enum SolvedFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file has more bytes than are read.
    #[error("it has more than {MOST_BYTES} bytes; remove it to begin anew")]
    TooLarge,
    /// A line is not a game and a position.
    #[error(transparent)]
    Line(#[from] Located<UnknownLine>),
}

/// The error that a line is not a game and a position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "a game and a position expected, not {}; remove the file to begin anew",
    quoted(.found)
)]
pub struct UnknownLine {
    /// The line.
    pub found: String,
}

/// The line of a problem.
fn line(game: &str, position: &str) -> String {
    format!("{game} {position}")
}

impl Solved {
    /// What is kept for this user. If it cannot be read, there is nothing, nothing will be kept, and the fault is told.
    pub fn of_user() -> (Solved, Option<SolvedError>) {
        let folder = state::folder().ok_or(SolvedError::NoFolder);
        match folder.and_then(|folder| Ok(Solved::read(&folder)?)) {
            Ok(solved) => (solved, None),
            Err(error) => (Solved::default(), Some(error)),
        }
    }

    /// What is kept in a folder.
    ///
    /// # Errors
    /// If there is a file that cannot be read, or is another one.
    fn read(folder: &Path) -> Result<Solved, Located<SolvedFileError>> {
        let path = folder.join("problems");
        Solved::read_file(&path).in_file(&path)
    }

    fn read_file(path: &Path) -> Result<Solved, SolvedFileError> {
        let mut text = String::new();
        match open_plain(OpenOptions::new().read(true), path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            file => {
                let read = file?.take(MOST_BYTES + 1).read_to_string(&mut text)?;
                if read as u64 > MOST_BYTES {
                    return Err(SolvedFileError::TooLarge);
                }
            }
        }
        let mut lines = BTreeSet::new();
        for (number, text) in (1..).zip(text.lines()) {
            let is_known =
                text.split_once(' ').is_some_and(|(game, _)| GameId::WORDS.contains(&game));
            if !is_known {
                return Ok(Err(UnknownLine { found: text.into() }).at_line(number)?);
            }
            lines.insert(text.to_string());
        }
        Ok(Solved {
            lines,
            path: Some(path.into()),
            is_cut_off: !text.is_empty() && !text.ends_with('\n'),
        })
    }

    /// Whether the problem with this position was solved.
    pub fn has(&self, game: &str, position: &str) -> bool {
        self.lines.contains(&line(game, position))
    }

    /// Keeps that the problem with this position was solved.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, game: &str, position: &str) -> Result<(), FileError> {
        let line = line(game, position);
        let Some(path) = self.path.as_ref().filter(|_| self.lines.insert(line.clone())) else {
            return Ok(());
        };
        if let Some(folder) = path.parent() {
            state::create_folder(folder).in_file(folder)?;
        }
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let begin = if std::mem::take(&mut self.is_cut_off) { "\n" } else { "" };
        // One call, so that lines of two runs are not mixed.
        let text = format!("{begin}{line}\n");
        open_plain(&options, path)
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .in_file(path)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_is_solved_is_kept_and_what_is_something_else_is_refused() {
        let name = format!("pentarch-solved-{}-{:016x}", std::process::id(), fastrand::u64(..));
        let folder = std::env::temp_dir().join(name).join("pentarch");
        let mut solved = Solved::read(&folder).unwrap();
        assert!(!solved.has("roses", "a b"));
        solved.add("roses", "a b").unwrap();
        solved.add("roses", "a b").unwrap();
        solved.add("bushka", "c").unwrap();
        let path = folder.join("problems");
        assert_eq!(fs::read_to_string(&path).unwrap(), "roses a b\nbushka c\n");
        let again = Solved::read(&folder).unwrap();
        assert!(
            again.has("roses", "a b") && again.has("bushka", "c") && !again.has("bushka", "a b")
        );
        fs::write(&path, "roses a b").unwrap();
        let mut solved = Solved::read(&folder).unwrap();
        solved.add("bushka", "c").unwrap();
        solved.add("bushka", "d").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "roses a b\nbushka c\nbushka d\n");
        let hostile = [
            "x".repeat(MOST_BYTES as usize + 1),
            "chess e4\n".into(),
            "roses a\n\n".into(),
            "\u{1b}[2J".into(),
        ];
        for text in hostile {
            fs::write(&path, &text).unwrap();
            let refused = Solved::read(&folder).unwrap_err().to_string();
            assert!(
                refused.contains("anew") && refused.len() < 500 && !refused.contains('\u{1b}'),
                "{refused}"
            );
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        fs::write(&path, [0xff, 0xfe]).unwrap();
        assert!(Solved::read(&folder).is_err());
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert!(Solved::read(&folder).unwrap_err().to_string().contains("it is no plain file"));
        fs::remove_dir_all(folder.parent().unwrap()).unwrap();
    }
}

//! Stores the problems that this user has solved, in the file `problems` in the program's
//! [folder](crate::io::state_folder).
//!
//! Each line is the ID of a game and the FEN of a problem. A line is added when a problem is
//! solved.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use crate::io::state_folder::{create_private_folder, user_state_folder};
use crate::io::whole_files::open_regular_file;
use pentarch_core::notation::parsing::quote_for_message;
use pentarch_engine::games::all_game_words;
use pentarch_system::{FileError, LocatedError, WithErrorLocation};
use thiserror::Error;

/// The maximum size of the file in bytes.
const MAX_SOLVED_PROBLEMS_FILE_BYTES: u64 = 1 << 20;

/// The solved problems and their file.
#[derive(Debug, Default)]
pub struct SolvedProblems {
    lines: BTreeSet<String>,
    /// The path of the file; `None` if nothing can be saved.
    path: Option<PathBuf>,
    /// Whether the last line of the file lacks a newline. This happens if somebody has edited the
    /// file.
    is_cut_off: bool,
}

/// The reason why solved problems are not saved.
#[derive(Debug, Error)]
pub enum SolvedProblemsError {
    /// The system does not provide a folder in which the file can be stored.
    #[error("solved problems are not saved: the system names no folder for them")]
    NoFolder,
    /// The file is not usable.
    #[error("solved problems are not saved: {0}")]
    File(#[from] LocatedError<SolvedProblemsFileError>),
}

/// The reason why the file of solved problems cannot be used.
#[derive(Debug, Error)]
pub enum SolvedProblemsFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file exceeds the maximum size.
    #[error(
        "it has more than {MAX_SOLVED_PROBLEMS_FILE_BYTES} bytes; remove it to start from scratch"
    )]
    TooLarge,
    /// A line is not a game and a position.
    #[error(transparent)]
    Line(#[from] LocatedError<UnreadableSolvedProblemLineError>),
}

/// The error for a line that is not a game and a position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "expected a game and a position, not {}; remove the file to start from scratch",
    quote_for_message(.found)
)]
pub struct UnreadableSolvedProblemLineError {
    /// The invalid line.
    pub found: String,
}

fn solved_problem_line(game: &str, position: &str) -> String {
    format!("{game} {position}")
}

impl SolvedProblems {
    /// Loads the solved problems of this user. If the file cannot be read, returns an empty set and
    /// the error. The empty set never saves problems.
    pub fn load() -> (SolvedProblems, Option<SolvedProblemsError>) {
        let folder = user_state_folder().ok_or(SolvedProblemsError::NoFolder);
        match folder.and_then(|folder| Ok(SolvedProblems::read(&folder)?)) {
            Ok(solved) => (solved, None),
            Err(error) => (SolvedProblems::default(), Some(error)),
        }
    }

    /// Reads the solved problems in a folder.
    ///
    /// # Errors
    /// If the file cannot be read, or has other contents.
    fn read(folder: &Path) -> Result<SolvedProblems, LocatedError<SolvedProblemsFileError>> {
        let path = folder.join("problems");
        SolvedProblems::read_solved_file(&path).with_file_path(&path)
    }

    fn read_solved_file(path: &Path) -> Result<SolvedProblems, SolvedProblemsFileError> {
        let mut text = String::new();
        match open_regular_file(OpenOptions::new().read(true), path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            file => {
                let read =
                    file?.take(MAX_SOLVED_PROBLEMS_FILE_BYTES + 1).read_to_string(&mut text)?;
                if read as u64 > MAX_SOLVED_PROBLEMS_FILE_BYTES {
                    return Err(SolvedProblemsFileError::TooLarge);
                }
            }
        }
        let mut lines = BTreeSet::new();
        for (number, text) in (1..).zip(text.lines()) {
            let is_known =
                text.split_once(' ').is_some_and(|(game, _)| all_game_words().contains(&game));
            if !is_known {
                return Ok(Err(UnreadableSolvedProblemLineError { found: text.into() })
                    .with_line_number(number)?);
            }
            lines.insert(text.to_string());
        }
        Ok(SolvedProblems {
            lines,
            path: Some(path.into()),
            is_cut_off: !text.is_empty() && !text.ends_with('\n'),
        })
    }

    /// Returns whether the problem with this position is solved.
    pub fn contains(&self, game: &str, position: &str) -> bool {
        self.lines.contains(&solved_problem_line(game, position))
    }

    /// Adds the problem with this position.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add_problem(&mut self, game: &str, position: &str) -> Result<(), FileError> {
        let line = solved_problem_line(game, position);
        let Some(path) = self.path.as_ref().filter(|_| self.lines.insert(line.clone())) else {
            return Ok(());
        };
        if let Some(folder) = path.parent() {
            create_private_folder(folder).with_file_path(folder)?;
        }
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let begin = if std::mem::take(&mut self.is_cut_off) { "\n" } else { "" };
        // A single write keeps the lines of two runs apart.
        let text = format!("{begin}{line}\n");
        open_regular_file(&options, path)
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .with_file_path(path)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn saves_solved_problems_and_rejects_other_files() {
        let name = format!("pentarch-solved-{}-{:016x}", std::process::id(), fastrand::u64(..));
        let folder = std::env::temp_dir().join(name).join("pentarch");
        let mut solved = SolvedProblems::read(&folder).unwrap();
        assert!(!solved.contains("roses", "a b"));
        solved.add_problem("roses", "a b").unwrap();
        solved.add_problem("roses", "a b").unwrap();
        solved.add_problem("bushka", "c").unwrap();
        let path = folder.join("problems");
        assert_eq!(fs::read_to_string(&path).unwrap(), "roses a b\nbushka c\n");
        let again = SolvedProblems::read(&folder).unwrap();
        assert!(again.contains("roses", "a b"));
        assert!(again.contains("bushka", "c"));
        assert!(!again.contains("bushka", "a b"));
        fs::write(&path, "roses a b").unwrap();
        let mut solved = SolvedProblems::read(&folder).unwrap();
        solved.add_problem("bushka", "c").unwrap();
        solved.add_problem("bushka", "d").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "roses a b\nbushka c\nbushka d\n");
        let invalid = [
            "x".repeat(MAX_SOLVED_PROBLEMS_FILE_BYTES as usize + 1),
            "chess e4\n".into(),
            "roses a\n\n".into(),
            "\u{1b}[2J".into(),
        ];
        for text in invalid {
            fs::write(&path, &text).unwrap();
            let error = SolvedProblems::read(&folder).unwrap_err().to_string();
            assert!(error.contains("start from scratch"), "{error}");
            assert!(error.len() < 500 && !error.contains('\u{1b}'), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        fs::write(&path, [0xff, 0xfe]).unwrap();
        assert!(SolvedProblems::read(&folder).is_err());
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        let error = SolvedProblems::read(&folder).unwrap_err().to_string();
        assert!(error.contains("it is not a regular file"), "{error}");
        fs::remove_dir_all(folder.parent().unwrap()).unwrap();
    }
}

//! The file next to a table that says how it was checked.
//!
//! It has lines of text: the format with its version; the name, the number of values and the checksum of each table that
//! was checked together; the result; and the version of the program. It is valid for tables with these checksums only. A
//! stage that stores nothing but counts also has such a file, with the counts instead of the tables.

use std::fs;
use std::path::{Path, PathBuf};

use pentarch_system::new_file::replace_file;
use pentarch_system::{ErrorContext, FileError};

use super::super::file_names::file_name;
use super::super::stages::{Counts, Stage};
use super::files::WinFiles;

/// The first line.
const MAGIC: &str = "pentarch check 1";

/// The result of the check of a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Certificate {
    stage: Stage,
    code: Code,
    states: u64,
}

/// The data that a check is valid for.
pub enum Subject {
    /// The tables of the stage.
    Tables(Box<WinFiles>),
    /// The counts of the stage, if it has no tables.
    Counts([Counts; 2]),
}

/// The module that has checked all states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// [`local`](super::local), which looks at all states.
    Local,
    /// [`ranks`](super::ranks), which looks at the wins with the other side to move.
    Ranks,
}

impl Certificate {
    /// So many states of a stage, all that there are, pass a check.
    pub fn new(stage: Stage, code: Code, states: u64) -> Certificate {
        Certificate { stage, code, states }
    }

    /// The result in words, with the module that has checked the stage.
    pub fn text(&self) -> String {
        let (extent, what) = match self.stage {
            Stage::Safe(_) => ("in full", "the winner owns each win and can stay"),
            Stage::Certain(_) => ("in full", "the ranks decrease"),
            Stage::Plain | Stage::Repetition(_) | Stage::Start(_) => {
                ("locally", "each follows from its moves")
            }
        };
        let (states, code) = match self.code {
            Code::Local => ("states", "checker::local"),
            Code::Ranks => ("wins", "checker::ranks"),
        };
        format!("checked {extent}: {} {states}, {what} ({code})", self.states)
    }

    /// Writes the file, which is bound to its subject.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(
        &self,
        directory: &Path,
        walls: usize,
        subject: &Subject,
    ) -> Result<(), FileError> {
        let path = path(directory, walls, self.stage);
        let (head, text) = (head(subject), self.text());
        let by = format!("by {} {}", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        replace_file(&path, format!("{head}{text}\n{by}\n").as_bytes()).in_file(&path)
    }
}

/// The result in the file of a stage; none if there is no file, or it is valid for another subject.
pub fn read(directory: &Path, walls: usize, stage: Stage, subject: &Subject) -> Option<String> {
    let text = fs::read_to_string(path(directory, walls, stage)).ok()?;
    let line = text.strip_prefix(&head(subject))?.lines().next()?;
    line.chars().all(|letter| !letter.is_control()).then(|| line.to_owned())
}

/// The name of a check and its file: that of the table, or of the stage if it has no table.
pub fn name(walls: usize, stage: Stage) -> String {
    file_name(walls, stage).unwrap_or_else(|| match stage {
        Stage::Plain => format!("alcaxar-{walls}-plain"),
        _ => {
            format!("alcaxar-{walls}-{}-{}", ["red", "green"][stage.winner().index()], stage.name())
        }
    })
}

/// The first lines of the file.
fn head(subject: &Subject) -> String {
    match subject {
        Subject::Tables(tables) => {
            let lines = tables.names.iter().zip(tables.checksums());
            lines.fold(format!("{MAGIC}\n"), |head, (name, checksum)| {
                format!("{head}{name} {checksum}\n")
            })
        }
        Subject::Counts(counts) => format!("{MAGIC}\ncounts {counts:?}\n"),
    }
}

/// Removes the file, if there is one, of a stage that is found wrong.
pub fn remove(directory: &Path, walls: usize, stage: Stage) {
    // A file that stays is not valid for the new tables.
    let _ = fs::remove_file(path(directory, walls, stage));
}

/// The path of the file.
fn path(directory: &Path, walls: usize, stage: Stage) -> PathBuf {
    directory.join(format!("{}.check", name(walls, stage)))
}

//! The file next to a table that says how it was checked.
//!
//! It has lines of text: the format with its version; the name, the number of values and the checksum of each table that
//! was checked together; what was checked; and by which version of the program. It counts for tables with these checksums
//! only. A stage of which nothing but counts are kept has such a file, too, with the counts instead of the tables.

use std::fs;
use std::path::{Path, PathBuf};

use pentarch_core::files::{at, sync_directory_of};

use super::super::solver::kept_work::file_name;
use super::super::solver::stages::{Counts, Stage};
use super::files::WinFiles;

/// The first line.
const MAGIC: &str = "pentarch check 1";

/// What a check of a stage has proved, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Certificate {
    stage: Stage,
    code: Code,
    states: u64,
}

/// What a check is bound to.
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

    /// What is known of the stage, and which module has checked it.
    pub fn text(&self) -> String {
        let (extent, what) = match self.stage {
            Stage::Safe(_) => ("in full", "the winner owns each and can stay"),
            Stage::Certain(_) => ("in full", "the ranks decrease"),
            Stage::Plain | Stage::Repetition(_) | Stage::Start(_) => ("locally", "each follows from its moves"),
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
    /// If it cannot be written; the error names it.
    pub fn write(&self, directory: &Path, walls: usize, subject: &Subject) -> Result<(), String> {
        let path = path(directory, walls, self.stage);
        let (head, text) = (head(subject), self.text());
        let by = format!("by {} {}", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        let part = path.with_extension("check.part");
        let written = fs::write(&part, format!("{head}{text}\n{by}\n")).and_then(|()| fs::rename(&part, &path));
        written.map_err(at(&path))?;
        sync_directory_of(&path);
        Ok(())
    }
}

/// What the file says was checked of a stage with this subject; none if there is no file, or it is of another one.
pub fn read(directory: &Path, walls: usize, stage: Stage, subject: &Subject) -> Option<String> {
    let text = fs::read_to_string(path(directory, walls, stage)).ok()?;
    let line = text.strip_prefix(&head(subject))?.lines().next()?;
    line.chars().all(|letter| !letter.is_control()).then(|| line.to_owned())
}

/// What a check tells and its file are named by: the name of the table, or what the stage is called if it has none.
pub fn name(walls: usize, stage: Stage) -> String {
    file_name(walls, stage).unwrap_or_else(|| match stage {
        Stage::Plain => format!("alcaxar-{walls}-plain"),
        _ => format!("alcaxar-{walls}-{}-{}", ["red", "green"][stage.winner().index()], stage.name()),
    })
}

/// What the file begins with.
fn head(subject: &Subject) -> String {
    match subject {
        Subject::Tables(tables) => {
            let lines = tables.names.iter().zip(tables.checksums());
            lines.fold(format!("{MAGIC}\n"), |head, (name, checksum)| format!("{head}{name} {checksum}\n"))
        }
        Subject::Counts(counts) => format!("{MAGIC}\ncounts {counts:?}\n"),
    }
}

/// Removes the file, if there is one, of a stage that is found wrong.
pub fn remove(directory: &Path, walls: usize, stage: Stage) {
    // What cannot be removed is bound to tables that are made anew.
    let _ = fs::remove_file(path(directory, walls, stage));
}

/// The path of the file.
fn path(directory: &Path, walls: usize, stage: Stage) -> PathBuf {
    directory.join(format!("{}.check", name(walls, stage)))
}

//! The certificate of a checked table. It is a file with the result of the check, in the directory
//! of the table.
//!
//! The file has these lines of text:
//!
//! - the format with its version
//! - for each checked table, its name, its number of values and its checksum
//! - the result
//! - the version of the program
//!
//! The certificate is not valid for a table with a different checksum. A stage that stores only
//! counts of states also has a certificate. It lists these counts instead of the tables.

use std::fs;
use std::path::{Path, PathBuf};

use pentarch_system::new_file::replace_file;
use pentarch_system::{FileError, WithErrorLocation};

use super::super::file_names::stage_file_name;
use super::super::stages::{Stage, StateCounts};
use super::win_files::WinFiles;

const CERTIFICATE_FORMAT_LINE: &str = "pentarch check 1";

/// A statement that a stage has passed its check: the method and the number of checked states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageCheckCertificate {
    stage: Stage,
    method: CheckMethod,
    states: u64,
}

/// The checked results of a stage. A certificate is valid only for these.
pub enum CertificateSubject {
    /// The tables of the stage.
    Tables(Box<WinFiles>),
    /// The numbers of states in the stage, if the stage stores no tables.
    Counts([StateCounts; 2]),
}

/// The module that has checked the states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckMethod {
    /// The module [`successor_check`](super::successor_check), which checks all states.
    Successors,
    /// The module [`win_rank_check`](super::win_rank_check), which checks the ranks of the wins
    /// with the other side to move.
    Ranks,
}

impl StageCheckCertificate {
    /// Creates the certificate for a stage that has passed the check. `states` is the number of
    /// checked states.
    pub fn new(stage: Stage, method: CheckMethod, states: u64) -> StageCheckCertificate {
        StageCheckCertificate { stage, method, states }
    }

    /// Returns the result of the check as a line of text, which also names the checking module.
    pub fn result_line(&self) -> String {
        let (extent, what) = match self.stage {
            Stage::Safe(_) => ("in full", "the winner owns each win and can stay"),
            Stage::Certain(_) => ("in full", "the ranks decrease"),
            Stage::Plain | Stage::Repetition(_) | Stage::Start(_) => {
                ("locally", "each follows from its moves")
            }
        };
        let (states, module) = match self.method {
            CheckMethod::Successors => ("states", "checker::local"),
            CheckMethod::Ranks => ("wins", "checker::ranks"),
        };
        format!("checked {extent}: {} {states}, {what} ({module})", self.states)
    }

    /// Writes the certificate to its file. `subject` is the data that has been checked.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(
        &self,
        directory: &Path,
        walls: usize,
        subject: &CertificateSubject,
    ) -> Result<(), FileError> {
        let path = certificate_path(directory, walls, self.stage);
        let head = certificate_header(subject);
        let line = self.result_line();
        let by = format!("by {} {}", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        replace_file(&path, format!("{head}{line}\n{by}\n").as_bytes()).with_file_path(&path)
    }
}

/// Returns the line with the result from the certificate of a stage. Returns `None` if there is no
/// certificate, or if it is not valid for `subject`.
pub fn read_certificate(
    directory: &Path,
    walls: usize,
    stage: Stage,
    subject: &CertificateSubject,
) -> Option<String> {
    let text = fs::read_to_string(certificate_path(directory, walls, stage)).ok()?;
    let line = text.strip_prefix(&certificate_header(subject))?.lines().next()?;
    line.chars().all(|letter| !letter.is_control()).then(|| line.to_owned())
}

/// Returns the name of a stage's certificate without the extension: the name of the checked table,
/// or a name with the stage if there is no table.
pub fn certificate_name(walls: usize, stage: Stage) -> String {
    stage_file_name(walls, stage).unwrap_or_else(|| match stage {
        Stage::Plain => format!("alcaxar-{walls}-plain"),
        _ => {
            format!("alcaxar-{walls}-{}-{}", ["red", "green"][stage.winner().index()], stage.name())
        }
    })
}

/// Returns the first lines of the file.
fn certificate_header(subject: &CertificateSubject) -> String {
    match subject {
        CertificateSubject::Tables(tables) => {
            let lines = tables.names.iter().zip(tables.file_checksum_lines());
            lines.fold(format!("{CERTIFICATE_FORMAT_LINE}\n"), |head, (name, checksum)| {
                format!("{head}{name} {checksum}\n")
            })
        }
        CertificateSubject::Counts(counts) => {
            format!("{CERTIFICATE_FORMAT_LINE}\ncounts {counts:?}\n")
        }
    }
}

/// Removes the certificate, if any, of a stage whose results are wrong.
pub fn remove_certificate(directory: &Path, walls: usize, stage: Stage) {
    // If removing fails, the old certificate does no harm, because it is not valid for the new
    // tables.
    let _ = fs::remove_file(certificate_path(directory, walls, stage));
}

fn certificate_path(directory: &Path, walls: usize, stage: Stage) -> PathBuf {
    directory.join(format!("{}.check", certificate_name(walls, stage)))
}

//! The names of the solver's files.

use std::path::{Path, PathBuf};

use pentarch_core::{Side, TableFiles};

use super::error::SolverError;
use super::stages::Stage;

/// The names of the files of the positions with so many walls.
pub(super) fn name(walls: usize, what: &str) -> String {
    format!("alcaxar-{walls}-{what}")
}

/// The name of the file in which the results of a stage are kept; none if only its counts are.
pub fn file_name(walls: usize, stage: Stage) -> Option<String> {
    match stage {
        Stage::Safe(winner) => Some(name(walls, ["red-safe", "green-safe"][winner.index()])),
        Stage::Certain(winner) => Some(name(walls, ["red", "green"][winner.index()])),
        Stage::Plain | Stage::Repetition(_) | Stage::Start(_) => None,
    }
}

/// The name of the file of the ranks of a side's certain wins.
pub fn ranks_name(walls: usize, winner: Side) -> String {
    name(walls, if winner == Side::First { "red-ranks" } else { "green-ranks" })
}

/// The path of the log of the ranks.
pub(super) fn log_path(directory: &Path, walls: usize) -> PathBuf {
    directory.join(name(walls, "ranks.log"))
}

/// The error that there is no file of this name.
pub fn missing(files: &dyn TableFiles, name: &str) -> SolverError {
    SolverError::Missing { file: files.location(name) }
}

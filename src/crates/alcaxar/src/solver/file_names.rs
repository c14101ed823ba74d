//! The names of the solver's files.

use std::path::{Path, PathBuf};

use pentarch_core::Side;

use super::stages::Stage;

/// Returns the name of a file for the positions with `walls` walls. `what` is the word for its
/// contents.
pub(super) fn table_file_name(walls: usize, what: &str) -> String {
    format!("alcaxar-{walls}-{what}")
}

/// Returns the name of the file with the results of a stage, or `None` if the stage stores no
/// states.
pub(super) fn stage_file_name(walls: usize, stage: Stage) -> Option<String> {
    match stage {
        Stage::Safe(winner) => {
            Some(table_file_name(walls, ["red-safe", "green-safe"][winner.index()]))
        }
        Stage::Certain(winner) => Some(table_file_name(walls, ["red", "green"][winner.index()])),
        Stage::Plain | Stage::Repetition(_) | Stage::Start(_) => None,
    }
}

/// Returns the name of the file with the ranks of a side's certain wins.
pub(super) fn win_ranks_file_name(walls: usize, winner: Side) -> String {
    table_file_name(walls, if winner == Side::First { "red-ranks" } else { "green-ranks" })
}

pub(super) fn win_rank_log_path(directory: &Path, walls: usize) -> PathBuf {
    directory.join(table_file_name(walls, "ranks.log"))
}

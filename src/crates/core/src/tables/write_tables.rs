//! Writing table files, for the command `tables`.

use std::error::Error;
use std::ops::RangeInclusive;
use std::path::Path;

use thiserror::Error;

use crate::Rules;
use crate::notation::text::quoted;

/// Table files, which the command `tables` writes. A game without them writes `type TableError =
/// Infallible;` and keeps the defaults.
pub trait WriteTables: Rules {
    /// The error of writing the files or of extracting parts of them.
    type TableError: Error + 'static;

    /// The names of the stages that can be solved one after the other for files, if there is a
    /// choice.
    const STAGES: &'static [&'static str] = &[];

    /// Whether something can be [extracted](WriteTables::extract) from the files.
    const CAN_EXTRACT: bool = false;

    /// Computes and writes the files that `plan` requests, one after the other, and reports the
    /// progress. Existing files are unchanged.
    ///
    /// # Errors
    /// If the game has no such files, if one cannot be computed or written, or if its values are
    /// found wrong.
    fn write_files(
        &self,
        plan: &TableWritePlan,
        report: &(dyn Fn(TableReport) + Sync),
    ) -> Result<(), WriteTablesError<Self::TableError>> {
        let _ = (plan, report);
        Err(WriteTablesError::Plan(TableWritePlanError::NoTables { game: Self::NAME }))
    }

    /// Writes the parts of the plan's files that people need to an existing folder, because the
    /// whole files are too large to share. Returns whether the files include the start position, so
    /// that games can be generated from them.
    ///
    /// # Errors
    /// If the game has [nothing to extract](WriteTables::CAN_EXTRACT), if a file of the plan is
    /// missing, cannot be read or is found wrong, or if a file cannot be written.
    fn extract(
        &self,
        plan: &TableWritePlan,
        folder: &Path,
        report: &(dyn Fn(TableReport) + Sync),
    ) -> Result<bool, WriteTablesError<Self::TableError>> {
        let _ = (plan, folder, report);
        Err(WriteTablesError::Plan(TableWritePlanError::NoExtract { game: Self::ID }))
    }
}

/// An error of writing table files. `E` is the [error of the game](WriteTables::TableError).
#[derive(Debug, Clone, PartialEq, Error)]
pub enum WriteTablesError<E: Error + 'static> {
    /// The game has no tables as in the plan. Nothing was written.
    #[error(transparent)]
    Plan(TableWritePlanError),
    /// The work on the files has failed.
    #[error(transparent)]
    Failed(#[from] E),
}

/// The reason why a game does not have the tables of a plan. Games are named by their ids.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TableWritePlanError {
    /// The game has no table files.
    #[error("{game} has no table files")]
    NoTables {
        /// The name of the game for people.
        game: &'static str,
    },
    /// The game has nothing to [extract](WriteTables::extract).
    #[error("there is nothing to extract from tables of {game}")]
    NoExtract {
        /// The game.
        game: &'static str,
    },
    /// The game has no tables with this number of pieces or walls.
    #[error("tables of {game} are for {} {unit}, not {}", format_range(range), quoted(found))]
    Count {
        /// The game.
        game: &'static str,
        /// The numbers of pieces or walls for which it has tables.
        range: RangeInclusive<usize>,
        /// The noun for the pieces or walls.
        unit: &'static str,
        /// The [count in the plan](TableWritePlan::count).
        found: Box<str>,
    },
    /// The game has no stage with this name.
    #[error("the stages of {game} are {}, not {}", names.join(", "), quoted(found))]
    Stage {
        /// The game.
        game: &'static str,
        /// The names of its [stages](WriteTables::STAGES).
        names: &'static [&'static str],
        /// The name in the plan.
        found: Box<str>,
    },
    /// The tables would need more memory than the game's limit.
    #[error(
        "tables of {game} on {size}x{size} squares with {walls} walls in all would take more than {gigabytes} GB of \
         memory: {most} walls in all fit, as in {}/{}", most - most / 2, most / 2
    )]
    TooLarge {
        /// The game.
        game: &'static str,
        /// The number of squares in a row of the board.
        size: u8,
        /// The number of walls of both sides.
        walls: usize,
        /// The game's limit.
        gigabytes: f64,
        /// The maximum number of walls of both sides whose tables fit.
        most: usize,
    },
}

/// Returns the range for people: `2 to 12`, or `8` for a single number.
fn format_range(range: &RangeInclusive<usize>) -> String {
    let (least, most) = (range.start(), range.end());
    if least == most { most.to_string() } else { format!("{least} to {most}") }
}

/// A plan of the table files to write.
#[derive(Debug, Clone, Copy)]
pub struct TableWritePlan<'a> {
    /// The directory of the files.
    pub directory: &'a Path,
    /// The maximum number of pieces of a position, both sides together, or the number of walls, as
    /// it was entered: each game decides which numbers are valid.
    pub count: &'a str,
    /// Whether to verify positions against those that their moves lead to.
    pub check: bool,
    /// The number of threads.
    pub threads: usize,
    /// The number of free bytes of memory, if known.
    pub free_memory: Option<u64>,
    /// The number of free bytes on the directory's disk, if known.
    pub free_disk: Option<u64>,
    /// The [stages](WriteTables::STAGES) to solve, separated by commas; `None` for the game's
    /// default stages.
    pub stages: Option<&'a str>,
}

/// A report on the progress of writing table files.
#[derive(Debug, Clone, Copy)]
pub enum TableReport<'a> {
    /// The current task for the file of this name, and the share of the expected work that is done.
    Working(&'a str, f64),
    /// A note to show before the work begins.
    Note(&'a str),
    /// A result, as one line.
    Result(&'a str),
    /// An existing file cannot be used because of this error; it is discarded, and recomputed where
    /// needed.
    Unusable(&'a dyn Error),
    /// The positions of the file of this name are being verified, with the share that is done, if
    /// known.
    Checking(&'a str, Option<f64>),
    /// The file of this name was written; with the number of bytes of its values.
    Written(&'a str, usize),
    /// The file of this name already existed; with the number of bytes of its values.
    Existing(&'a str, usize),
}

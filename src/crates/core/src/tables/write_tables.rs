//! Making files of tables, for the command `tables`.

use std::error::Error;
use std::ops::RangeInclusive;
use std::path::Path;

use thiserror::Error;

use crate::Rules;
use crate::notation::text::quoted;

/// Tables in files, which the command `tables` makes. A game without them writes `type TableError = Infallible;` and
/// keeps the defaults.
pub trait WriteTables: Rules {
    /// The error of making the files or of extracting parts of them.
    type TableError: Error + 'static;

    /// The names of what can be solved one after the other for files, if it can be chosen.
    const STAGES: &'static [&'static str] = &[];

    /// Whether something can be [extracted](WriteTables::extract) from the files.
    const HAS_EXTRACT: bool = false;

    /// Makes the files that `plan` requests, one after the other, and reports the progress to `tell`. Existing files stay.
    ///
    /// # Errors
    /// If the game makes no such files, if one cannot be made or written, or if its values turn out wrong.
    fn write_files(
        &self,
        plan: &TablePlan,
        tell: &(dyn Fn(TableReport) + Sync),
    ) -> Result<(), WriteTablesError<Self::TableError>> {
        let _ = (plan, tell);
        Err(WriteTablesError::Plan(TablePlanError::NoTables { game: Self::NAME }))
    }

    /// Writes to an existing folder the parts of the files of `plan` that people need, because the whole files are too
    /// large to share. Returns whether the files cover the start position, so that games can be made from them.
    ///
    /// # Errors
    /// If the game has [nothing of the kind](WriteTables::HAS_EXTRACT), if a file of the plan is missing, cannot be
    /// read or turns out wrong, or if a file cannot be written.
    fn extract(
        &self,
        plan: &TablePlan,
        folder: &Path,
        tell: &(dyn Fn(TableReport) + Sync),
    ) -> Result<bool, WriteTablesError<Self::TableError>> {
        let _ = (plan, folder, tell);
        Err(WriteTablesError::Plan(TablePlanError::NoExtract { game: Self::ID }))
    }
}

/// An error of making files of tables, where `E` is that of the [game](WriteTables::TableError).
#[derive(Debug, Clone, PartialEq, Error)]
pub enum WriteTablesError<E: Error + 'static> {
    /// The game does not make the tables of the plan. Nothing has been done.
    #[error(transparent)]
    Plan(TablePlanError),
    /// The work on the files has failed.
    #[error(transparent)]
    Failed(#[from] E),
}

/// The reason why a game does not make the tables of a plan. Games are named by their ids.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TablePlanError {
    /// The game has no tables in files.
    #[error("{game} has no tables in files")]
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
    /// The game has no tables of this number of pieces or walls.
    #[error("tables of {game} are for {} {unit}, not {}", range_text(range), quoted(found))]
    Count {
        /// The game.
        game: &'static str,
        /// The numbers of pieces or walls that it has tables of.
        range: RangeInclusive<usize>,
        /// The noun for the pieces or walls.
        unit: &'static str,
        /// The [text of the plan](TablePlan::count).
        found: Box<str>,
    },
    /// The game has no stage of this name.
    #[error("the stages of {game} are {}, not {}", names.join(", "), quoted(found))]
    Stage {
        /// The game.
        game: &'static str,
        /// The names of its [stages](WriteTables::STAGES).
        names: &'static [&'static str],
        /// The name in the plan.
        found: Box<str>,
    },
    /// The tables would need more memory than the game uses for them.
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
        /// The most memory that the game uses.
        gigabytes: f64,
        /// The greatest number of walls of both sides whose tables fit.
        most: usize,
    },
}

/// Returns the range for people: `2 to 12`, or `8` if that is all.
fn range_text(range: &RangeInclusive<usize>) -> String {
    let (least, most) = (range.start(), range.end());
    if least == most { most.to_string() } else { format!("{least} to {most}") }
}

/// Which tablebase files to make.
#[derive(Debug, Clone, Copy)]
pub struct TablePlan<'a> {
    /// The directory of the files.
    pub directory: &'a Path,
    /// The most men of a position, both sides together, or the number of walls, as it was entered: only the game knows
    /// which numbers it takes.
    pub count: &'a str,
    /// Whether to verify positions against those that their moves lead to.
    pub check: bool,
    /// On how many threads to work.
    pub threads: usize,
    /// How many bytes of memory are free, if that is known.
    pub free_memory: Option<u64>,
    /// How many bytes of the disk with the directory are free, if that is known.
    pub free_disk: Option<u64>,
    /// Which of the [stages](WriteTables::STAGES) to solve, parted by commas; none for those that a game is played by.
    pub stages: Option<&'a str>,
}

/// A report on the making of a tablebase file.
#[derive(Debug, Clone, Copy)]
pub enum TableReport<'a> {
    /// The current job for the file of this name, and the share of the expected work that is done.
    Working(&'a str, f64),
    /// Something to know before the work begins.
    Note(&'a str),
    /// A result, as one line.
    Result(&'a str),
    /// A file that exists cannot be used because of this error; it is discarded, and recomputed where needed.
    Unusable(&'a dyn Error),
    /// The positions of the file of this name are being checked, of which this share is done, if that is known.
    Checking(&'a str, Option<f64>),
    /// The file of this name has been made; with its number of bytes of values.
    Written(&'a str, usize),
    /// The file of this name existed already; with its number of bytes of values.
    Existing(&'a str, usize),
}

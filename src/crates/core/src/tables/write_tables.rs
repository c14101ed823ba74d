//! Writing table files, for the command `tables`.

use std::error::Error;
use std::ops::RangeInclusive;
use std::path::Path;

use thiserror::Error;

use crate::Rules;
use crate::notation::parsing::quote_for_message;

/// Methods that write table files, for the command `tables`. A game without table files writes
/// `type TableError = Infallible;` and uses the defaults.
pub trait WriteTables: Rules {
    /// The error type for writing table files and for extracting parts of them.
    type TableError: Error + 'static;

    /// The names of the stages: parts of the tables that are solved one after the other and stored
    /// in separate files. Empty if the user cannot choose the stages to solve.
    const TABLE_STAGE_NAMES: &'static [&'static str] = &[];

    /// Whether parts of the files can be [extracted](WriteTables::extract_shareable_table_parts).
    const CAN_EXTRACT_SHAREABLE_TABLE_PARTS: bool = false;

    /// Computes and writes the files that `plan` requests, one after the other, and reports the
    /// progress. Existing files stay unchanged.
    ///
    /// # Errors
    /// - If the game has no such files.
    /// - If a file cannot be computed or written.
    /// - If the check finds wrong values.
    fn write_table_files(
        &self,
        plan: &TableWriteRequest,
        report: &(dyn Fn(TableWriteProgress) + Sync),
    ) -> Result<(), WriteTablesError<Self::TableError>> {
        let _ = (plan, report);
        Err(WriteTablesError::Request(TableWriteRequestError::NoTables { game: Self::GAME_NAME }))
    }

    /// Extracts the parts that people need from the files of the plan, and writes the parts to an
    /// existing folder. The files themselves are too large to share. Returns whether the files
    /// include the start position, so that games can be generated from them.
    ///
    /// # Errors
    /// - If the game has [nothing to extract](WriteTables::CAN_EXTRACT_SHAREABLE_TABLE_PARTS).
    /// - If a file of the plan is missing, cannot be read or has wrong values.
    /// - If a file cannot be written.
    fn extract_shareable_table_parts(
        &self,
        plan: &TableWriteRequest,
        folder: &Path,
        report: &(dyn Fn(TableWriteProgress) + Sync),
    ) -> Result<bool, WriteTablesError<Self::TableError>> {
        let _ = (plan, folder, report);
        Err(WriteTablesError::Request(TableWriteRequestError::NoExtract { game: Self::GAME_ID }))
    }
}

/// The reason why table files were not written. `E` is the [error of the
/// game](WriteTables::TableError).
#[derive(Debug, Clone, PartialEq, Error)]
pub enum WriteTablesError<E: Error + 'static> {
    /// The game does not have the requested tables. No file was written.
    #[error(transparent)]
    Request(TableWriteRequestError),
    /// The work on the files has failed.
    #[error(transparent)]
    Failed(#[from] E),
}

/// The reason why a game does not have the tables that a plan requests.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TableWriteRequestError {
    /// The game has no table files.
    #[error("{game} has no table files")]
    NoTables {
        /// The name of the game for people.
        game: &'static str,
    },
    /// The game has nothing to [extract](WriteTables::extract_shareable_table_parts).
    #[error("there is nothing to extract from tables of {game}")]
    NoExtract {
        /// The name of the game.
        game: &'static str,
    },
    /// The game has no tables with this number of pieces or walls.
    #[error(
        "tables of {game} are for {} {unit}, not {}",
        format_number_range(range),
        quote_for_message(found)
    )]
    Count {
        /// The name of the game.
        game: &'static str,
        /// The numbers of pieces or walls for which the game has tables.
        range: RangeInclusive<usize>,
        /// The noun for the pieces or walls.
        unit: &'static str,
        /// The [count in the plan](TableWriteRequest::count).
        found: Box<str>,
    },
    /// The tables of the game have no stage with this name.
    #[error("the stages of {game} are {}, not {}", names.join(", "), quote_for_message(found))]
    Stage {
        /// The name of the game.
        game: &'static str,
        /// The names of the game's [stages](WriteTables::TABLE_STAGE_NAMES).
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
        /// The name of the game.
        game: &'static str,
        /// The number of squares in a row of the board.
        size: u8,
        /// The number of walls of both sides.
        walls: usize,
        /// The game's memory limit, in GB.
        gigabytes: f64,
        /// The maximum number of walls, both sides together, for which the tables fit into the
        /// game's memory limit.
        most: usize,
    },
}

/// Formats a range of numbers for people: `2 to 12`, or `8` if the range is a single number.
fn format_number_range(range: &RangeInclusive<usize>) -> String {
    let (least, most) = (range.start(), range.end());
    if least == most { most.to_string() } else { format!("{least} to {most}") }
}

/// The user's request for table files.
#[derive(Debug, Clone, Copy)]
pub struct TableWriteRequest<'a> {
    /// The directory of the files.
    pub directory: &'a Path,
    /// The requested size, as the user entered it. The size is the maximum number of pieces of both
    /// sides together in some games, and the number of walls in others. Each game decides which
    /// numbers are valid.
    pub count: &'a str,
    /// Whether to check at the end that the value of each position follows from the values of the
    /// positions after its moves.
    pub check: bool,
    /// The number of threads that compute the tables.
    pub threads: usize,
    /// The number of free bytes of memory, if known.
    pub free_memory: Option<u64>,
    /// The number of free bytes on the disk of the directory, if known.
    pub free_disk: Option<u64>,
    /// The [stages](WriteTables::TABLE_STAGE_NAMES) to solve, separated by commas; `None` for the
    /// game's default stages.
    pub stages: Option<&'a str>,
}

/// A report on the progress of writing table files.
#[derive(Debug, Clone, Copy)]
pub enum TableWriteProgress<'a> {
    /// A task is in progress. The first field describes the task and its file; the second is the
    /// finished share of the expected work, from 0 to 1.
    Working(&'a str, f64),
    /// A note for the user, shown before the work begins.
    Note(&'a str),
    /// A result, as one line.
    Result(&'a str),
    /// An existing file cannot be used because of this error. The file is ignored, and computed
    /// again if it is needed.
    Unusable(&'a dyn Error),
    /// The values of a file are being verified. The fields are the name of the file, and the
    /// finished share from 0 to 1, if it is known.
    Checking(&'a str, Option<f64>),
    /// A file was written. The fields are the name of the file, and the size of its values in
    /// bytes.
    Written(&'a str, usize),
    /// A file already existed. The fields are the name of the file, and the size of its values in
    /// bytes.
    Existing(&'a str, usize),
}

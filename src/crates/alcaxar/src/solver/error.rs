//! The errors of the solver's files, and of the command that creates the files.

use std::fmt::{self, Display};
use std::io;

use lz4_flex::block::DecompressError;
use pentarch_core::{Rules, Side, TableFiles, Warning};
use pentarch_system::{ErrorLocation, FileError, LocatedError};
use pentarch_tables::error::TableFileError;
use thiserror::Error;

use super::checker::StateFlaw;
use crate::Alcaxar;

/// The reason why a file of the solver cannot be used. The type does not contain the path of the
/// file; `LocatedError<SolverFileError>` adds the path.
#[derive(Debug, Error)]
pub enum SolverFileError {
    /// The system cannot read the file.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file cannot be used as a tablebase file.
    #[error(transparent)]
    Table(#[from] TableFileError),
    /// Another version of the program wrote the file.
    #[error("another version of the program made it")]
    Version,
    /// The rank file is shorter than its index must be.
    #[error("it does not belong to this table")]
    NoIndex {
        /// The size of the index in bytes.
        least: u64,
        /// The size of the file's contents in bytes.
        found: u64,
    },
    /// When a single position was read, the index of the rank file did not match that file.
    #[error("its index is damaged")]
    Index {
        /// The number of the entry.
        entry: usize,
    },
    /// A check found that the index of the rank file does not match the files of the wins.
    #[error("the index of the ranks is damaged")]
    IndexOfRanks {
        /// The number of the entry.
        entry: usize,
    },
    /// A rank does not fit into the 16 bits of a file.
    #[error("a rank is too large")]
    Rank {
        /// The rank that is too large.
        rank: u64,
    },
    /// A record of the log of the ranks cannot be decompressed.
    #[error(transparent)]
    Compression(#[from] DecompressError),
    /// A record of the log of the ranks is damaged: its checksum does not match its contents, or
    /// its length is too large.
    #[error("it is damaged at byte {at}")]
    Damaged {
        /// The offset in bytes at which the record begins.
        at: u64,
    },
    /// A record of the log of the ranks lists entries or states that its chunk does not have.
    #[error("{}", io::ErrorKind::InvalidData)]
    Record,
}

impl SolverFileError {
    /// Returns whether the file is readable, but a check has found its contents damaged.
    pub(super) fn is_damage(&self) -> bool {
        match self {
            SolverFileError::Table(error) => error.is_damage(),
            SolverFileError::IndexOfRanks { .. } => true,
            _ => false,
        }
    }
}

/// An error of the solver when it reads, writes or checks its files.
#[derive(Debug, Error)]
pub enum SolverError {
    /// The system cannot read or write a file.
    #[error(transparent)]
    Io(#[from] FileError),
    /// A tablebase file cannot be used.
    #[error(transparent)]
    Table(#[from] LocatedError<TableFileError>),
    /// A file that is not a tablebase file, or a tablebase file with wrong contents.
    #[error(transparent)]
    File(#[from] LocatedError<SolverFileError>),
    /// One of the files of a stage cannot be read. They are read together, so the error names all
    /// of them.
    #[error("{}: {error}", names.join(", "))]
    Stage {
        /// The names of the tables.
        names: Vec<String>,
        /// The error of the file that cannot be read.
        error: SolverFileError,
    },
    /// A file is missing.
    #[error("{file} is missing")]
    Missing {
        /// The location of the missing file.
        file: ErrorLocation,
    },
    /// The log of the ranks is missing at the end of the search for certain wins.
    #[error("there is no log of the ranks")]
    NoLog,
    /// After a check, there is not enough memory to allocate the entries again.
    #[error("there is not enough memory to continue")]
    MemoryOfEntries,
    /// There is not enough memory to load ranks for their check.
    #[error("there is not enough memory to check the ranks")]
    MemoryOfCheck,
    /// There is not enough memory for the numbering of the positions, without which the files
    /// cannot be read.
    #[error("there is not enough memory to use the tables with {walls} walls")]
    MemoryOfNumbering {
        /// The number of walls.
        walls: usize,
    },
    /// The result of a stage is wrong.
    #[error("{name} is wrong at {position}: {flaw}")]
    WrongState {
        /// The name of the checked table, or of the stage if it has no table.
        name: String,
        /// The position string (FEN) of the position with the wrong result.
        position: String,
        /// The flaw of the position.
        flaw: StateFlaw,
    },
}

impl SolverError {
    /// Returns the error for a missing file with this name.
    pub(super) fn missing_file_error(files: &dyn TableFiles, name: &str) -> SolverError {
        SolverError::Missing { file: files.table_file_location(name) }
    }
}

/// The memory and the disk space that the solver needs for a number of walls, in bytes.
#[derive(Debug, Clone, Copy)]
pub struct ResourceNeeds {
    /// The number of walls of the tables.
    pub walls: usize,
    /// The bytes of memory that the solver needs.
    pub memory: u64,
    /// The bytes on the disk.
    pub disk: u64,
}

impl Display for ResourceNeeds {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let ResourceNeeds { walls, memory, disk } = *self;
        let [memory, disk] = [memory, disk].map(format_bytes);
        write!(f, "{walls} walls take {memory} of memory and about {disk} on the disk")
    }
}

/// Formats a number of bytes in gigabytes. Below one gigabyte, the unit is megabytes.
fn format_bytes(bytes: u64) -> String {
    match bytes {
        0..1_000_000_000 => format!("{} MB", bytes.div_ceil(1_000_000)),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// An error of the command that creates the solver's files, or that extracts openings and books
/// from them.
#[derive(Debug, Error)]
pub enum AlcaxarTablesError {
    /// The solver cannot use its files, or a check has found wrong results.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// The system cannot write a file.
    #[error(transparent)]
    Io(#[from] FileError),
    /// The system does not have enough memory for the entries.
    #[error("there is not enough memory for {walls} walls")]
    MemoryOfEntries {
        /// The number of walls.
        walls: usize,
    },
    /// Less memory is free than the solver needs.
    #[error("{needs}; only {} are free in memory", format_bytes(*free))]
    Memory {
        /// The needs of the solver.
        needs: ResourceNeeds,
        /// The bytes of memory that are free.
        free: u64,
    },
    /// Less space is free on the disk than the solver needs.
    #[error("{needs}; only {} are free in {directory}", format_bytes(*free))]
    Disk {
        /// The needs of the solver.
        needs: ResourceNeeds,
        /// The bytes that are free.
        free: u64,
        /// The directory of the files.
        directory: ErrorLocation,
    },
    /// Less memory is free than a check of the files needs.
    #[error(
        "checking the files takes {} of memory; only {} are free",
        format_bytes(*needed), format_bytes(*free)
    )]
    CheckMemory {
        /// The bytes of memory that the check needs.
        needed: u64,
        /// The bytes of memory that are free.
        free: u64,
    },
    /// The files of the wins of at least one side are missing.
    #[error("{red} and {green} are needed, and the files that belong to them")]
    Needed {
        /// The file of red's wins.
        red: ErrorLocation,
        /// The file of green's wins.
        green: ErrorLocation,
    },
    /// Some files cannot be used.
    #[error("{}", faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Unusable {
        /// The [faults](pentarch_core::GameTables::take_faults) of the tables.
        faults: Vec<Warning>,
    },
    /// The value of a position in the files contradicts the values of the positions after its
    /// moves.
    #[error("the value of {position} is wrong")]
    Value {
        /// The FEN of the position with the wrong value.
        position: String,
    },
    /// The moves of a side's book cannot be stored in a filter.
    #[error("the book of {} cannot be packed", Alcaxar::SIDE_NAMES[side.index()])]
    Book {
        /// The side of the book.
        side: Side,
    },
}

//! The errors of tablebase files.

use std::io;

use pentarch_core::notation::text::quoted;
use pentarch_system::FileError;
use thiserror::Error;

use super::TableIndex;
use super::budget::SolveError;

/// The reason why a tablebase file cannot be read. `Located<TableFileError>` has the place of the file as well.
#[derive(Debug, Error)]
pub enum TableFileError {
    /// The system cannot read it.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It does not begin as tablebase files do.
    #[error("it is no table of pentarch")]
    Foreign,
    /// It has another version of the format.
    #[error("another version of the program made it; it must be made anew")]
    Version {
        /// The version that the program reads.
        expected: &'static str,
        /// The version of the file.
        found: Box<str>,
    },
    /// It is the file of another table.
    #[error("it does not hold what its name says")]
    Name {
        /// The name of the file.
        expected: Box<str>,
        /// The name of the table in it.
        found: Box<str>,
    },
    /// It has another number of values than the table.
    #[error("it has {found} bytes of values, not {expected}: it is not of this table")]
    Len {
        /// The number of bytes of the values of the table.
        expected: u64,
        /// The number in the file.
        found: u64,
    },
    /// Its length is not the one that it says.
    #[error("it is truncated, or something follows it")]
    Truncated,
    /// The values of a block do not have their checksum.
    #[error("it is damaged")]
    Block {
        /// The number of the block.
        number: usize,
    },
    /// The values do not have their checksum.
    #[error("its values are damaged: they do not have the checksum {}", quoted(sum))]
    Checksum {
        /// The number of values and their checksum, as the file has them.
        sum: Box<str>,
    },
    /// There is not enough memory for its values.
    #[error("there is not enough memory for it")]
    Memory,
}

impl TableFileError {
    /// Returns whether the values are damaged: the file can be read, but its checksums are those of other values.
    pub fn is_damage(&self) -> bool {
        matches!(self, TableFileError::Block { .. } | TableFileError::Checksum { .. })
    }
}

/// An error of making the files of a game.
#[derive(Debug, Error)]
pub enum MakeTablesError {
    /// A file or the directory cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The positions of a file cannot be solved.
    #[error("{name}: {why}")]
    SolveError {
        /// The name of the table.
        name: Box<str>,
        /// The reason.
        why: SolveError,
    },
    /// A value does not follow from those that the moves of its position lead to.
    #[error("{name} is wrong: place {} of class {} does not hold what its moves lead to", index.number, index.class)]
    Value {
        /// The name of the table.
        name: Box<str>,
        /// The position.
        index: TableIndex,
    },
    /// The same in a file with only one class.
    #[error("{name} is wrong: place {number} does not hold what its moves lead to")]
    ValueOfClass {
        /// The name of the table.
        name: Box<str>,
        /// The number of the position.
        number: usize,
    },
}

//! Errors of tablebase files.

use std::io;

use pentarch_core::notation::parsing::quote_for_message;
use pentarch_system::FileError;
use thiserror::Error;

use super::TableIndex;
use super::retrograde_control::GroupSolveError;

/// The reason why a tablebase file cannot be read. `LocatedError<TableFileError>` also names the
/// file.
#[derive(Debug, Error)]
pub enum TableFileError {
    /// The system cannot read the file.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file does not begin as a tablebase file must.
    #[error("it is not a table of pentarch")]
    Foreign,
    /// The file has another version of the format.
    #[error("another version of the program made it; it must be computed again")]
    Version {
        /// The version that the program reads.
        expected: &'static str,
        /// The version of the file.
        found: Box<str>,
    },
    /// The file contains a different table than its name says.
    #[error("it contains another table than its name says")]
    Name {
        /// The name of the file.
        expected: Box<str>,
        /// The name of the table in the file.
        found: Box<str>,
    },
    /// The number of values in the file differs from the number of values in the table.
    #[error("it has {found} bytes of values, not {expected}: it belongs to another table")]
    Len {
        /// The number of bytes of the table's values.
        expected: u64,
        /// The number of bytes in the file.
        found: u64,
    },
    /// The length of the file differs from the length that the file itself states.
    #[error("it is truncated or has extra bytes")]
    Truncated,
    /// The values of a block do not match their checksum.
    #[error("it is damaged")]
    Block {
        /// The number of the block.
        number: usize,
    },
    /// The values do not match their checksum.
    #[error("its values are damaged: they do not match the checksum {}", quote_for_message(sum))]
    Checksum {
        /// The number of values and their checksum, as stated in the file.
        sum: Box<str>,
    },
    /// There is not enough memory for the values.
    #[error("there is not enough memory for it")]
    Memory,
}

impl TableFileError {
    /// Returns whether the values in the file are damaged: the file is readable, but some values do
    /// not match their checksum.
    pub fn is_damage(&self) -> bool {
        matches!(self, TableFileError::Block { .. } | TableFileError::Checksum { .. })
    }
}

/// The reason why a game's table files could not be created.
#[derive(Debug, Error)]
pub enum MakeTablesError {
    /// A file or the directory cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The values of a file could not be computed.
    #[error("{name}: {why}")]
    Unsolved {
        /// The name of the table.
        name: Box<str>,
        /// The reason why the values could not be computed.
        why: GroupSolveError,
    },
    /// The value of a position does not follow from the values of the positions after its moves.
    #[error("{name} is wrong: the value at index {} of class {} does not follow from its moves", index.number, index.class)]
    Value {
        /// The name of the table.
        name: Box<str>,
        /// The index of the position.
        index: TableIndex,
    },
    /// The same error as [`Value`](MakeTablesError::Value), in a file with a single class.
    #[error("{name} is wrong: the value at index {number} does not follow from its moves")]
    ValueOfClass {
        /// The name of the table.
        name: Box<str>,
        /// The number of the position.
        number: usize,
    },
}

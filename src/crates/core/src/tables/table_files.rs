//! The table files that are read during play. The files have names and can come from any source.

use std::io::{self, ErrorKind};

use pentarch_system::ErrorLocation;

/// A collection of table files, such as a directory.
pub trait TableFiles: Send + Sync {
    /// Opens the file of a table. Returns `None` if the file does not exist.
    ///
    /// # Errors
    /// If the file exists but cannot be opened.
    fn open_table_file(&self, name: &str) -> io::Result<Option<Box<dyn TableFile>>>;

    /// Returns the location of a table's file, for messages. The file need not exist.
    fn table_file_location(&self, name: &str) -> ErrorLocation;
}

/// The file of a table. Several threads can read parts of the file at once.
pub trait TableFile: Send + Sync {
    /// Returns the number of bytes.
    fn byte_count(&self) -> u64;

    /// Fills `bytes` with bytes of the file, beginning at offset `at`.
    ///
    /// # Errors
    /// If the file ends too early, or if the bytes cannot be read.
    fn read_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()>;
}

/// A file in memory.
impl TableFile for Vec<u8> {
    fn byte_count(&self) -> u64 {
        self.len() as u64
    }

    fn read_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        let rest = usize::try_from(at).ok().and_then(|at| self.get(at..));
        let source =
            rest.and_then(|rest| rest.get(..bytes.len())).ok_or(ErrorKind::UnexpectedEof)?;
        bytes.copy_from_slice(source);
        Ok(())
    }
}

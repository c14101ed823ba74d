//! Where tables are read from during play: files by name, wherever they lie.

use std::io::{self, ErrorKind};

use pentarch_system::Location;

/// A collection of files of tables, such as a directory.
pub trait TableFiles: Send + Sync {
    /// The file of the table with this name; none if there is none.
    ///
    /// # Errors
    /// If there is one that cannot be opened.
    fn open(&self, name: &str) -> io::Result<Option<Box<dyn TableFile>>>;

    /// The place of the file of the table with this name, whether it exists or not, for messages.
    fn location(&self, name: &str) -> Location;
}

/// A file of a table, of which parts are read, by several threads at once.
pub trait TableFile: Send + Sync {
    /// The number of bytes.
    fn size(&self) -> u64;

    /// Fills `bytes` with those that begin at this one.
    ///
    /// # Errors
    /// If the file does not have them, or they cannot be read.
    fn read_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()>;
}

/// A file that is in memory as a whole.
impl TableFile for Vec<u8> {
    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn read_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        let rest = usize::try_from(at).ok().and_then(|at| self.get(at..));
        let found =
            rest.and_then(|rest| rest.get(..bytes.len())).ok_or(ErrorKind::UnexpectedEof)?;
        bytes.copy_from_slice(found);
        Ok(())
    }
}

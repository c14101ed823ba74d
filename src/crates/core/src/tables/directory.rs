//! A directory of tables.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use pentarch_system::ErrorLocation;

use crate::{TableFile, TableFiles};

/// Returns the path of a table's file.
pub fn table_file_path(directory: &Path, name: &str) -> PathBuf {
    directory.join(format!("{name}.table"))
}

/// The table files in the directory at this path.
#[derive(Debug, Clone, Copy)]
pub struct TableDirectory<P>(pub P);

impl<P: AsRef<Path> + Send + Sync> TableFiles for TableDirectory<P> {
    fn open_table_file(&self, name: &str) -> io::Result<Option<Box<dyn TableFile>>> {
        let path = table_file_path(self.0.as_ref(), name);
        let Ok(metadata) = fs::metadata(&path) else { return Ok(None) };
        // Reading from a device or a pipe may never end, so only regular files are read.
        if !metadata.is_file() {
            return Ok(Some(Box::new(Vec::new())));
        }
        let file = File::open(path)?;
        let len = file.metadata()?.len();
        let opened = OpenTableFile {
            file,
            len,
            #[cfg(not(unix))]
            position: std::sync::Mutex::default(),
        };
        Ok(Some(Box::new(opened)))
    }

    fn table_file_location(&self, name: &str) -> ErrorLocation {
        ErrorLocation::File(table_file_path(self.0.as_ref(), name).into())
    }
}

struct OpenTableFile {
    file: File,
    /// The size of the file in bytes when it was opened.
    len: u64,
    /// The lock that protects each read, on a system that cannot read a file at a given offset.
    #[cfg(not(unix))]
    position: std::sync::Mutex<()>,
}

impl TableFile for OpenTableFile {
    fn byte_count(&self) -> u64 {
        self.len
    }

    #[cfg(unix)]
    fn read_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, bytes, at)
    }

    #[cfg(not(unix))]
    fn read_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        use std::io::{Read, Seek, SeekFrom};

        let _position = self.position.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut file = &self.file;
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(bytes)
    }
}

//! Files of the system, for what reads and writes tables and for what stands above it: locks, names that outlive a
//! power failure, and a directory of tables.

use std::fmt::Display;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use crate::{TableFile, TableFiles};

/// The message for an error at a path, which it names first. Whatever is in the name, it takes one line.
pub fn at<E: Display>(path: &Path) -> impl Fn(E) -> String {
    move |error| {
        format!("{}: {error}", path.display().to_string().replace('\n', "\\n").replace('\r', "\\r"))
    }
}

/// The path of the file of the table with this name.
pub fn table_path(directory: &Path, name: &str) -> PathBuf {
    directory.join(format!("{name}.table"))
}

/// The files of tables in the directory at this path.
#[derive(Debug, Clone, Copy)]
pub struct Directory<P>(pub P);

impl<P: AsRef<Path> + Send + Sync> TableFiles for Directory<P> {
    fn open(&self, name: &str) -> io::Result<Option<Box<dyn TableFile>>> {
        let path = table_path(self.0.as_ref(), name);
        let Ok(metadata) = fs::metadata(&path) else { return Ok(None) };
        // Reading from a device or a pipe may never end, so nothing is read from what is no plain file.
        if !metadata.is_file() {
            return Ok(Some(Box::new(Vec::new())));
        }
        let file = File::open(path)?;
        let len = file.metadata()?.len();
        let opened = OpenFile {
            file,
            len,
            #[cfg(not(unix))]
            position: std::sync::Mutex::default(),
        };
        Ok(Some(Box::new(opened)))
    }

    fn place(&self, name: &str) -> String {
        table_path(self.0.as_ref(), name).display().to_string()
    }
}

/// A file that is open.
struct OpenFile {
    file: File,
    /// The number of bytes when it was opened.
    len: u64,
    /// Held while the file is read where the system has no positioned reads.
    #[cfg(not(unix))]
    position: std::sync::Mutex<()>,
}

impl TableFile for OpenFile {
    fn size(&self) -> u64 {
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

/// Locks a file as long as it stays open, so that no other run of the program writes to it. A file system that knows no
/// locks leaves it unlocked.
///
/// A file that was just closed is tried again for a second: a program that is being started at that moment has it open
/// until it has begun.
///
/// # Errors
/// If another run has locked it.
pub fn lock(file: &File) -> io::Result<()> {
    for _ in 0..100 {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => sleep(Duration::from_millis(10)),
            Err(TryLockError::Error(_)) | Ok(()) => return Ok(()),
        }
    }
    Err(io::Error::other("another run of the program writes to it"))
}

/// Locks a directory, which is made if it does not exist, as long as the result is kept, so that no other run of the
/// program writes files of tables there. Where directories cannot be opened, they stay unlocked.
///
/// # Errors
/// If the directory cannot be made, or another run has locked it; the error names it.
pub fn lock_directory(directory: &Path) -> Result<Option<File>, String> {
    let locked = fs::create_dir_all(directory).and_then(|()| {
        let opened = File::open(directory).ok();
        opened.as_ref().map_or(Ok(()), lock).map(|()| opened)
    });
    locked.map_err(at(directory))
}

/// Has the name of a file outlive a power failure, as far as the system can do that. The file itself does if it was
/// synced before.
pub fn sync_directory_of(path: &Path) {
    let parent =
        path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Not all systems open directories, nor do all file systems sync them.
    let _ = File::open(parent).and_then(|directory| directory.sync_all());
}

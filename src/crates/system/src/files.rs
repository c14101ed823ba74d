//! Files: errors that name them, locks, and names that outlive a power failure.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use thiserror::Error;

use super::context::{ErrorContext, FileError};

/// Locks a file as long as it stays open, so that no other run of the program writes to it. A file system that knows no
/// locks leaves it unlocked.
///
/// A file that was just closed is tried again for a second: a program that is being started at that moment has it open
/// until it has begun.
///
/// # Errors
/// If another run has locked it: the error holds an [`OtherRun`].
pub fn lock(file: &File) -> io::Result<()> {
    for _ in 0..100 {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => sleep(Duration::from_millis(10)),
            Err(TryLockError::Error(_)) | Ok(()) => return Ok(()),
        }
    }
    Err(io::Error::other(OtherRun))
}

/// The error that another run of the program has locked a file.
#[derive(Debug, Error)]
#[error("another run of the program writes to it")]
pub struct OtherRun;

/// Locks a directory, which is made if it does not exist, as long as the result is kept, so that no other run of the
/// program writes files of tables there. Where directories cannot be opened, they stay unlocked.
///
/// # Errors
/// If the directory cannot be made, or another run has locked it.
pub fn lock_directory(directory: &Path) -> Result<Option<File>, FileError> {
    let locked = fs::create_dir_all(directory).and_then(|()| {
        let opened = File::open(directory).ok();
        opened.as_ref().map_or(Ok(()), lock).map(|()| opened)
    });
    locked.in_file(directory)
}

/// Has the name of a file outlive a power failure, as far as the system can do that. The file itself does if it was
/// synced before.
pub fn sync_directory_of(path: &Path) {
    let parent =
        path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Not all systems open directories, nor do all file systems sync them.
    let _ = File::open(parent).and_then(|directory| directory.sync_all());
}

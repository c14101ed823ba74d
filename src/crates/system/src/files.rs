//! File locks, and directory entries that survive a power failure.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use thiserror::Error;

use super::context::{ErrorContext, FileError};

/// Locks a file while it is open, so that no other run of the program writes to the file. On a file
/// system without locks, the file stays unlocked.
///
/// If the file is locked, the function retries for a second. While a program starts, it can hold
/// open files of its parent: it inherits them, and closes them only when it has started.
///
/// # Errors
/// If another run has locked the file. The error contains a [`LockedByOtherRun`].
pub fn lock_file(file: &File) -> io::Result<()> {
    for _ in 0..100 {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => sleep(Duration::from_millis(10)),
            Err(TryLockError::Error(_)) | Ok(()) => return Ok(()),
        }
    }
    Err(io::Error::other(LockedByOtherRun))
}

/// The error if another run of the program has locked a file.
#[derive(Debug, Error)]
#[error("another run of the program writes to it")]
pub struct LockedByOtherRun;

/// Locks a directory, so that no other run of the program writes tables there. The lock ends when
/// the result is dropped. Creates the directory if it does not exist. On a system that cannot open
/// directories, the directory stays unlocked.
///
/// # Errors
/// If the directory cannot be created, or another run has locked it.
pub fn lock_directory(directory: &Path) -> Result<Option<File>, FileError> {
    let locked = fs::create_dir_all(directory).and_then(|()| {
        let opened = File::open(directory).ok();
        opened.as_ref().map_or(Ok(()), lock_file).map(|()| opened)
    });
    locked.in_file(directory)
}

/// Makes the name of a file survive a power failure, if the system supports this. The contents
/// survive if the file was synced before.
pub fn sync_directory_of(path: &Path) {
    let parent =
        path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Not all systems can open directories, and not all file systems can sync them.
    let _ = File::open(parent).and_then(|directory| directory.sync_all());
}

//! File locks, file names with a suffix, and directory entries that survive a power failure.

use std::fs::{self, File, Metadata, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use thiserror::Error;

use super::error_location::{FileError, WithErrorLocation};

/// Locks a file while it is open, so that no other run of the program writes to the file. On a file
/// system without locks, the file stays unlocked.
///
/// If the file is locked, the function retries for a second. A program that is starting can hold
/// the lock for a moment: it inherits the open files of its parent, and closes them only when it
/// has started.
///
/// # Errors
/// If another run has locked the file. The error contains a [`LockedByOtherRunError`].
pub fn lock_file(file: &File) -> io::Result<()> {
    for _ in 0..100 {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => sleep(Duration::from_millis(10)),
            Err(TryLockError::Error(_)) | Ok(()) => return Ok(()),
        }
    }
    Err(io::Error::other(LockedByOtherRunError))
}

/// The error if another run of the program has locked a file.
#[derive(Debug, Error)]
#[error("another run of the program writes to it")]
pub struct LockedByOtherRunError;

/// The error if a path leads to something other than a regular file, such as a link, a pipe or a
/// device.
#[derive(Debug, Error)]
#[error("it is not a regular file")]
pub struct NotRegularFileError;

/// Opens a file for reading and writing, or creates it if it does not exist. If the path is a link,
/// the function does not follow it: the program uses this function for names that it chooses
/// itself.
///
/// # Errors
/// If the path leads to something other than a regular file, or if the file cannot be opened.
pub fn open_without_link(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true);
    match options.clone().create_new(true).open(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        created => return created,
    }
    if path.symlink_metadata()?.is_file() {
        let file = options.open(path)?;
        // Between the check and the opening, something else may have taken this name.
        if is_open_file_at_path(&file, path) {
            return Ok(file);
        }
    }
    Err(io::Error::other(NotRegularFileError))
}

/// Returns whether `path` is still the name of the open file.
pub fn is_open_file_at_path(file: &File, path: &Path) -> bool {
    let named = path.symlink_metadata();
    file.metadata().and_then(|open| Ok(is_same_file(&open, &named?))).unwrap_or(false)
}

#[cfg(unix)]
pub(crate) fn is_same_file(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;

    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Returns whether `other` is a regular file. On this system the standard library cannot tell
/// whether two files are the same. So this function assumes that two regular files are the same.
#[cfg(not(unix))]
pub(crate) fn is_same_file(_: &Metadata, other: &Metadata) -> bool {
    other.is_file()
}

/// The maximum number of bytes of a file name on most file systems.
const MAX_FILE_NAME_BYTES: usize = 255;

/// Returns `path` with `suffix` added to the name of the file. If this name would be too long, a
/// checksum of the name replaces its end before the suffix.
pub fn path_with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let name = path.file_name().unwrap_or_default();
    let mut whole = name.to_owned();
    whole.push(suffix);
    // If the name is too long even without the suffix, it is not shortened. The system should
    // reject the result, as it rejects the name itself.
    if whole.len() > MAX_FILE_NAME_BYTES && name.len() <= MAX_FILE_NAME_BYTES {
        let checksum = crc32fast::hash(name.as_encoded_bytes());
        let end = format!("~{checksum:08x}{suffix}");
        let mut start = name.to_string_lossy().into_owned();
        let cut =
            (0..=MAX_FILE_NAME_BYTES - end.len()).rev().find(|&at| start.is_char_boundary(at));
        start.truncate(cut.unwrap_or(0));
        whole = (start + &end).into();
    }
    path.with_file_name(whole)
}

/// Locks a directory, so that no other run of the program writes tables there. The lock lasts until
/// the result is dropped. Creates the directory if it does not exist. On a system that cannot open
/// directories, the directory stays unlocked.
///
/// # Errors
/// If the directory cannot be created, or if another run has locked it.
pub fn lock_directory(directory: &Path) -> Result<Option<File>, FileError> {
    let locked = fs::create_dir_all(directory).and_then(|()| {
        let opened = File::open(directory).ok();
        opened.as_ref().map_or(Ok(()), lock_file).map(|()| opened)
    });
    locked.with_file_path(directory)
}

/// Syncs the directory of a file, so that the file's name survives a power failure. Does nothing if
/// the system does not support this. The contents of the file survive if the file was synced
/// before.
pub fn sync_parent_directory(path: &Path) {
    let parent =
        path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Not all systems can open directories, and not all file systems can sync them.
    let _ = File::open(parent).and_then(|directory| directory.sync_all());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_stay_within_the_limit_and_distinct() {
        let name = |len: usize, last: &str| "é".repeat(len / 2 - 1) + last;
        let short = path_with_suffix(Path::new("a/b.net"), ".checkpoint");
        assert_eq!(short, Path::new("a/b.net.checkpoint"));
        let [one, other] =
            ["xy", "xz"].map(|last| path_with_suffix(Path::new(&name(250, last)), ".checkpoint"));
        assert_ne!(one, other);
        for path in [&one, &other] {
            let name = path.to_str().unwrap();
            assert!((250..=MAX_FILE_NAME_BYTES).contains(&name.len()), "{name}");
            assert!(name.starts_with('é') && name.ends_with(".checkpoint"), "{name}");
        }
        let too_long = path_with_suffix(Path::new(&name(300, "xy")), ".lock");
        assert_eq!(too_long.as_os_str().len(), 305);
    }
}

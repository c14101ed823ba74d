//! Files that are read or written as a whole.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Refuses what is no plain file: it may never end.
///
/// # Errors
/// If it is none, or nothing can be said of it.
pub fn check_plain(path: &Path) -> io::Result<()> {
    if fs::metadata(path)?.is_file() { Ok(()) } else { Err(io::Error::other("it is no plain file")) }
}

/// The text in a plain file.
///
/// # Errors
/// If it is none, cannot be read, or holds no text.
pub fn read_plain(path: &Path) -> io::Result<String> {
    check_plain(path)?;
    fs::read_to_string(path)
}

/// Sees whether this can become a new file, as far as can be told before there is anything to write.
///
/// # Errors
/// If it cannot, with the path.
pub fn check_new(path: &Path) -> Result<(), String> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let fault = match parent {
        _ if path.symlink_metadata().is_ok() => "it is there already",
        Some(parent) if !parent.is_dir() => "there is no such directory",
        _ => return Ok(()),
    };
    Err(format!("{}: {fault}", path.display()))
}

/// Writes a new file: whole, or not at all.
///
/// # Errors
/// If it is there already, or cannot be written.
pub fn new_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(bytes).and_then(|()| file.sync_all()).inspect_err(|_| {
        // What cannot be removed either stays as it is.
        let _ = fs::remove_file(path);
    })
}

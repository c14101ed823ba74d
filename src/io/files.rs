//! Files that are read or written as a whole.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Checks that a path names a plain file. Anything else (a pipe, a device) may never come to an end when it is read.
///
/// # Errors
/// If the path names something else, or the system does not say what it names.
pub fn check_plain(path: &Path) -> io::Result<()> {
    if fs::metadata(path)?.is_file() { Ok(()) } else { Err(io::Error::other("it is no plain file")) }
}

/// The text in a plain file.
///
/// # Errors
/// If the path names no plain file, or the file cannot be read or is not UTF-8.
pub fn read_plain(path: &Path) -> io::Result<String> {
    check_plain(path)?;
    fs::read_to_string(path)
}

/// Checks that a new file can be created at a path, as far as that can be told without creating it.
///
/// # Errors
/// If something exists at the path already, or its directory does not exist; the error names the path.
pub fn check_new(path: &Path) -> Result<(), String> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let fault = match parent {
        _ if path.symlink_metadata().is_ok() => "it is there already",
        Some(parent) if !parent.is_dir() => "there is no such directory",
        _ => return Ok(()),
    };
    Err(format!("{}: {fault}", path.display()))
}

/// Creates a file with these bytes. If writing fails, the file is removed again.
///
/// # Errors
/// If something exists at the path already, or the file cannot be written.
pub fn new_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(bytes).and_then(|()| file.sync_all()).inspect_err(|_| {
        // If the file cannot be removed either, it stays; the first error is the one that is reported.
        let _ = fs::remove_file(path);
    })
}

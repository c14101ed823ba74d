//! Files that are read or written as a whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;

use pentarch_system::files::NotRegular;
use pentarch_system::new_file::NewFile;
#[cfg(unix)]
use pentarch_system::new_file::remove_second_name;
use pentarch_system::{ErrorContext, Located};
use thiserror::Error;

use super::free_memory::free_mib;

/// Checks that a path leads to a regular file. Reading anything else, such as a pipe or a device,
/// may never end.
///
/// # Errors
/// If the path leads to anything else, or the system cannot inspect it.
pub fn check_regular(path: &Path) -> io::Result<()> {
    if fs::metadata(path)?.is_file() { Ok(()) } else { Err(io::Error::other(NotRegular)) }
}

/// Opens a regular file with these options, which may create it.
///
/// # Errors
/// If the path leads to anything else, or the file cannot be opened.
pub fn open_regular(options: &OpenOptions, path: &Path) -> io::Result<File> {
    match check_regular(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => options.open(path),
    }
}

/// Reads the text of a regular file.
///
/// # Errors
/// If the path does not lead to a regular file, or the file cannot be read, does not fit into
/// memory or is not UTF-8.
pub fn read_regular(path: &Path) -> io::Result<String> {
    read_text(&mut open_regular(OpenOptions::new().read(true), path)?)
}

/// Bytes of memory needed per byte of a file: for its text and for the values parsed from it.
const MEMORY_PER_BYTE: u64 = 8;

/// Reads the text of an open regular file, up to the length that the system reports. Files that the
/// kernel generates on reading have the length 0 and may never end.
///
/// # Errors
/// If the file cannot be read, does not fit into memory or is not UTF-8.
pub fn read_text(file: &mut File) -> io::Result<String> {
    let length = file.metadata()?.len();
    let needed = length.saturating_mul(MEMORY_PER_BYTE) / (1024 * 1024);
    if let Some(free) = free_mib().filter(|&free| free < needed) {
        let fault = format!(
            "it has {length} bytes, which take {needed} MiB of memory, and {free} MiB are free"
        );
        return Err(io::Error::other(fault));
    }
    let mut text = String::new();
    file.take(length).read_to_string(&mut text)?;
    Ok(text)
}

/// An error of a path for a new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NewFileError {
    /// A directory is there.
    #[error("it is not a regular file")]
    NotRegular,
    /// A file is there.
    #[error("it is there already")]
    Exists,
    /// The directory does not exist.
    #[error("there is no such directory")]
    NoDirectory,
}

/// Checks that [`write_output`] can write to a path, as far as that is known without creating a
/// file. If a killed run has left a second name, the partial one, of the file at the path, removes
/// that name.
///
/// # Errors
/// If a file or a directory exists at the path already, or its directory does not exist; the error
/// names the path.
pub fn check_output(path: &Path) -> Result<(), Located<NewFileError>> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let error = match parent {
        _ if is_stream(path) => return Ok(()),
        _ if path.is_dir() => NewFileError::NotRegular,
        _ if path.symlink_metadata().is_ok() => {
            // If the name cannot be removed, the result is the same.
            #[cfg(unix)]
            let _ = remove_second_name(path);
            NewFileError::Exists
        }
        Some(parent) if !parent.is_dir() => NewFileError::NoDirectory,
        _ => return Ok(()),
    };
    Err(error).in_file(path)
}

/// Creates a file with these bytes. The file appears under its name only when it is complete.
fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    file.write_all(bytes)?;
    file.commit().map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => io::Error::new(error.kind(), NewFileError::Exists),
        _ => error,
    })
}

/// Writes the output of a command: to a new file, which appears under its name only when it is
/// complete, or to an existing pipe or device.
///
/// # Errors
/// If a file or a directory exists at the path already, or the output cannot be written.
pub fn write_output(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if is_stream(path) {
        File::options().write(true).open(path)?.write_all(bytes)
    } else {
        write_new(path, bytes)
    }
}

/// Returns whether a path leads to something other than a file or a directory, such as a pipe or a
/// device.
fn is_stream(path: &Path) -> bool {
    path.exists() && !path.is_file() && !path.is_dir()
}

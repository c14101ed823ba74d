//! Files that are read or written as a whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;

use pentarch_system::new_file::NewFile;
#[cfg(unix)]
use pentarch_system::new_file::remove_second_name;
use pentarch_system::{ErrorContext, Located};
use thiserror::Error;

use super::free_memory::free_mib;

/// The error that a path names something else than a plain file, such as a pipe or a device.
#[derive(Debug, Error)]
#[error("it is no plain file")]
struct NotPlain;

/// Checks that a path names a plain file. Anything else (a pipe, a device) may never come to an end when it is read.
///
/// # Errors
/// If the path names something else, or the system does not say what it names.
pub fn check_plain(path: &Path) -> io::Result<()> {
    if fs::metadata(path)?.is_file() { Ok(()) } else { Err(io::Error::other(NotPlain)) }
}

/// Opens a plain file so, or creates one where nothing is and the options say so.
///
/// # Errors
/// If the path names something else, or the file cannot be opened.
pub fn open_plain(options: &OpenOptions, path: &Path) -> io::Result<File> {
    match check_plain(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => options.open(path),
    }
}

/// The text in a plain file.
///
/// # Errors
/// If the path names no plain file, or the file cannot be read, does not fit into memory or is not UTF-8.
pub fn read_plain(path: &Path) -> io::Result<String> {
    read_text(&mut open_plain(OpenOptions::new().read(true), path)?)
}

/// How many bytes of memory a byte of a file may take: the text, and what is made of it.
const MEMORY_PER_BYTE: u64 = 8;

/// The text in a plain file that is open at its beginning, as far as the system says that the file goes. The system
/// calls some files empty that are not, and reading them may never end: they are made as they are read.
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

/// An error of a path at which no output can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NewFileError {
    /// A directory is there.
    #[error("it is no plain file")]
    NotPlain,
    /// A file is there.
    #[error("it is there already")]
    Exists,
    /// The directory does not exist.
    #[error("there is no such directory")]
    NoDirectory,
}

/// Checks that [`write_output`] can write to a path, as far as that is known without creating a file. Of a file that has
/// its partial name still, because a run was ended, it removes that name.
///
/// # Errors
/// If a file or a directory exists at the path already, or its directory does not exist; the error names the path.
pub fn check_output(path: &Path) -> Result<(), Located<NewFileError>> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let error = match parent {
        _ if is_stream(path) => return Ok(()),
        _ if path.is_dir() => NewFileError::NotPlain,
        _ if path.symlink_metadata().is_ok() => {
            // A name that cannot be removed changes nothing.
            #[cfg(unix)]
            let _ = remove_second_name(path);
            NewFileError::Exists
        }
        Some(parent) if !parent.is_dir() => NewFileError::NoDirectory,
        _ => return Ok(()),
    };
    Err(error).in_file(path)
}

/// Creates a file with these bytes, which appears when it is complete.
///
/// # Errors
/// If something exists at the path already, or the file cannot be written.
pub fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    file.write_all(bytes)?;
    file.commit().map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => io::Error::new(error.kind(), NewFileError::Exists),
        _ => error,
    })
}

/// Writes the output of a command: to a new file as [`write_new`] does, or to a pipe or a device that is there.
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

/// Whether a path names something else than a file or a directory, such as a pipe or a device.
fn is_stream(path: &Path) -> bool {
    path.exists() && !path.is_file() && !path.is_dir()
}

//! Tables in files, one for each group.
//!
//! A file begins with three lines of text: the form and its version, what the tables hold, and the number of bytes that
//! follow with their checksum. Then come the [codes](super::code) of the group's classes, one class after the other.
//! The name of a file says what it holds; what was written only in part never has that name.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::core::text::quoted;
use crate::core::{key, room};

use super::{Numbering, Tables};

/// What every file begins with.
const FORM: &str = "pentarch table ";
/// The version of the form, and of what the values mean.
const VERSION: &str = "1";
/// More than any first lines are long, in bytes.
const LONGEST_LINE: u64 = 256;

/// A numbering whose tables files can keep.
pub trait Filed: Numbering {
    /// The name of a group, the rules included: letters, digits, hyphens.
    fn name(&self, group: &[usize]) -> String;
}

/// Why a file is of no use.
#[derive(Debug, Error)]
pub enum BadFile {
    /// The system says so.
    #[error("{0}")]
    Unreadable(#[from] io::Error),
    /// It is something else.
    #[error("it is no table of pentarch")]
    Foreign,
    /// The program or the form has changed.
    #[error("another version of the program made it; it must be made anew")]
    Outdated,
    /// It is a table of something else.
    #[error("it does not hold what its name says")]
    Misnamed,
    /// Bytes are missing, or there are too many.
    #[error("it has {found} bytes of values, not {expected}: it is truncated, or not of this table")]
    WrongSize {
        /// After the first lines.
        found: u64,
        /// For the classes of the group.
        expected: u64,
    },
    /// Bytes are not what they were.
    #[error("its values are damaged: they do not have the checksum {}", quoted(.0))]
    Damaged(String),
    /// It is too large.
    #[error("there is not enough memory for it")]
    Memory,
}

/// The path of the file of this name.
pub fn path(directory: &Path, name: &str) -> PathBuf {
    directory.join(format!("{name}.table"))
}

/// Adds a group to the tables if there is a file of it, and returns whether there is.
///
/// # Errors
/// If there is one, but it is of no use; the error names the file.
pub fn load<N: Filed>(numbering: &N, tables: &mut Tables, group: &[usize], directory: &Path) -> Result<bool, String> {
    let name = numbering.name(group);
    let path = path(directory, &name);
    if !path.exists() {
        return Ok(false);
    }
    let sizes: Vec<usize> = group.iter().map(|&class| numbering.size(class)).collect();
    let classes = read(&path, &name, &sizes).map_err(|error| format!("{}: {error}", path.display()))?;
    for (&class, codes) in group.iter().zip(classes) {
        tables.put(class, codes);
    }
    Ok(true)
}

/// Writes a group that the tables hold, to a directory that is made if need be.
///
/// # Errors
/// If it cannot be written; there is no file then, or the old one. The error names the file.
pub fn save<N: Filed>(numbering: &N, tables: &Tables, group: &[usize], directory: &Path) -> Result<(), String> {
    let name = numbering.name(group);
    let path = path(directory, &name);
    let part = path.with_extension("part");
    let classes: Vec<&[u8]> = group.iter().map(|&class| tables.codes(class)).collect();
    let written = fs::create_dir_all(directory).and_then(|()| write(&part, &name, &classes));
    written.and_then(|()| fs::rename(&part, &path)).map_err(|error| {
        // What could not be written may be no file at all.
        let _ = fs::remove_file(&part);
        format!("{}: {error}", path.display())
    })
}

fn write(path: &Path, name: &str, classes: &[&[u8]]) -> io::Result<()> {
    let mut file = File::create(path)?;
    let bytes: usize = classes.iter().map(|codes| codes.len()).sum();
    writeln!(file, "{FORM}{VERSION}\n{name}\n{bytes} {}", checksum(classes))?;
    classes.iter().try_for_each(|codes| file.write_all(codes))?;
    file.sync_all()
}

/// A file whose first lines have been read.
struct Opened {
    file: BufReader<File>,
    /// How many bytes follow.
    found: u64,
    /// How many should, and their checksum.
    sum: String,
}

fn open(path: &Path, name: &str) -> Result<Opened, BadFile> {
    // What is no plain file may never end.
    if !fs::metadata(path)?.is_file() {
        return Err(BadFile::Foreign);
    }
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut file = BufReader::new(file);
    let mut lines = 0;
    let mut line = || -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        lines += (&mut file).take(LONGEST_LINE).read_until(b'\n', &mut line)? as u64;
        line.pop();
        Ok(line)
    };
    let form = line()?;
    let version = form.strip_prefix(FORM.as_bytes()).ok_or(BadFile::Foreign)?;
    if version != VERSION.as_bytes() {
        return Err(BadFile::Outdated);
    }
    if line()? != name.as_bytes() {
        return Err(BadFile::Misnamed);
    }
    let sum = String::from_utf8_lossy(&line()?).into_owned();
    Ok(Opened { file, found: length.saturating_sub(lines), sum })
}

/// Whether there is a file of this name in the directory; only its first lines and its length are looked at.
///
/// # Errors
/// If there is one, but it is of no use; the error names the file.
pub fn exists(name: &str, directory: &Path) -> Result<bool, String> {
    let path = path(directory, name);
    if !path.exists() {
        return Ok(false);
    }
    let checked = open(&path, name).and_then(|Opened { found, sum, .. }| {
        let expected = sum.split(' ').next().and_then(|bytes| bytes.parse().ok()).ok_or(BadFile::Foreign)?;
        if found == expected { Ok(()) } else { Err(BadFile::WrongSize { found, expected }) }
    });
    checked.map(|()| true).map_err(|error| format!("{}: {error}", path.display()))
}

fn read(path: &Path, name: &str, sizes: &[usize]) -> Result<Vec<Box<[u8]>>, BadFile> {
    let Opened { mut file, found, sum } = open(path, name)?;
    let expected = sizes.iter().map(|&size| size as u64).sum();
    if found != expected {
        return Err(BadFile::WrongSize { found, expected });
    }
    let mut classes = Vec::new();
    for &size in sizes {
        let mut codes = room::zeroed::<u8>(size).ok_or(BadFile::Memory)?;
        file.read_exact(&mut codes)?;
        classes.push(codes);
    }
    let read: Vec<&[u8]> = classes.iter().map(|codes| &**codes).collect();
    if sum != format!("{expected} {}", checksum(&read)) {
        return Err(BadFile::Damaged(sum));
    }
    Ok(classes)
}

/// Sixteen digits that hardly any change of the values leaves as they are.
fn checksum(classes: &[&[u8]]) -> String {
    let blocks = classes.iter().flat_map(|codes| codes.chunks(BLOCK * size_of::<u64>()));
    let sum = blocks.fold(0, |sum, block| {
        let mut words = [0; BLOCK + 1];
        words[BLOCK] = sum;
        for (word, bytes) in words.iter_mut().zip(block.chunks(size_of::<u64>())) {
            *word = bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        }
        key::hash(&words)
    });
    format!("{sum:016x}")
}

/// How many words are hashed at once.
const BLOCK: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_written_is_read() {
        let path = std::env::temp_dir().join(format!("pentarch-{}.table", std::process::id()));
        let classes: [&[u8]; 2] = [&[1, 2, 3], &[7; 1000]];
        write(&path, "some-1-2", &classes).unwrap();
        let whole = fs::read(&path).unwrap();
        let read_as = |bytes: &[u8], name: &str, sizes: &[usize]| {
            fs::write(&path, bytes).unwrap();
            read(&path, name, sizes)
        };
        let fault = |bytes: &[u8]| {
            let fault = read_as(bytes, "some-1-2", &[3, 1000]).unwrap_err().to_string();
            assert!(!fault.contains(char::is_control), "{fault:?}");
            fault
        };
        assert_eq!(read_as(&whole, "some-1-2", &[3, 1000]).unwrap().concat(), classes.concat());
        assert!(matches!(read_as(&whole, "some-1-3", &[3, 1000]), Err(BadFile::Misnamed)));
        assert!(matches!(read_as(&whole, "some-1-2", &[3, 999]), Err(BadFile::WrongSize { found: 1003, .. })));
        for at in (0..whole.len()).step_by(7) {
            fault(&whole[..at]);
        }
        for at in 0..100 {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x20;
            fault(&damaged);
        }
        assert_eq!(fault(b""), "it is no table of pentarch");
        assert_eq!(fault(b"pentarch table 0\n"), "another version of the program made it; it must be made anew");
        assert!(fault(&whole[..900]).ends_with("not 1003: it is truncated, or not of this table"));
        assert!(fault(&[&whole, &whole[..]].concat()).contains("truncated, or not of this table"));
        let last = [&whole[..whole.len() - 1], b"x"].concat();
        assert!(fault(&last).starts_with("its values are damaged"));
        fs::remove_file(&path).unwrap();
        assert!(matches!(read(&path, "some-1-2", &[]), Err(BadFile::Unreadable(_))));
        assert!(matches!(read(&std::env::temp_dir(), "some-1-2", &[]), Err(BadFile::Foreign)));
    }
}

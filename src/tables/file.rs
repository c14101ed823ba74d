//! Tablebase files, one for each group of classes.
//!
//! A file begins with three lines of text: the file format with its version; the name of the group; and the number of
//! values, with their checksum. Then come the [values](super::dtm) of the group's classes, one byte each, one class
//! after the other, [compressed](super::blocks). A file is written under another name and renamed when it is complete,
//! so that a file with the name of a group is never a part of one.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::core::text::quoted;
use crate::core::{TableFile, TableFiles, key, memory};
use crate::files::{sync_directory_of, table_path};

use super::blocks::{BlockIndex, BlockReader, BlockWriter};
use super::{Numbering, Tablebase};

/// What every file begins with.
const MAGIC: &str = "pentarch table ";
/// The version of the file format, and of what the values mean.
const VERSION: &str = "2";
/// At most so many bytes of each of the first lines are read, more than any of them has.
const LONGEST_LINE: u64 = 256;

/// A numbering whose tables can be kept in files.
pub trait Filed: Numbering {
    /// The name of a group, which says under which rules its values hold: letters, digits and hyphens.
    fn name(&self, group: &[usize]) -> String;
}

/// Why a file cannot be used.
#[derive(Debug, Error)]
pub enum BadFile {
    /// The system cannot read the file.
    #[error("{0}")]
    Unreadable(#[from] io::Error),
    /// The file is no tablebase file.
    #[error("it is no table of pentarch")]
    Foreign,
    /// The file has another version of the format.
    #[error("another version of the program made it; it must be made anew")]
    Outdated,
    /// The file holds another group than its name says.
    #[error("it does not hold what its name says")]
    Misnamed,
    /// The file has too few or too many values.
    #[error("it has {found} bytes of values, not {expected}: it is not of this table")]
    WrongSize {
        /// The number of values in the file.
        found: u64,
        /// The number of values in the classes of the group.
        expected: u64,
    },
    /// The file has fewer or more bytes than it says.
    #[error("it is truncated, or something follows it")]
    Truncated,
    /// The values do not have the checksum in the file, which this is, with the number of bytes before it.
    #[error("its values are damaged: they do not have the checksum {}", quoted(.0))]
    Damaged(String),
    /// There is not enough memory for the values.
    #[error("there is not enough memory for it")]
    Memory,
}

/// Adds a group to the tables if there is a file of it, and returns whether there is one.
///
/// # Errors
/// If there is a file, but it cannot be used; the error names the file.
pub fn load<N: Filed>(
    numbering: &N,
    tables: &mut Tablebase,
    group: &[usize],
    files: &dyn TableFiles,
) -> Result<bool, String> {
    let name = numbering.name(group);
    let zeroed = |&class: &usize| memory::zeroed::<u8>(numbering.size(class)).ok_or(BadFile::Memory);
    let read = |file: Box<dyn TableFile>| -> Result<_, BadFile> {
        let mut classes = group.iter().map(zeroed).collect::<Result<Vec<_>, _>>()?;
        let len = classes.iter().map(|values| values.len() as u64).sum();
        read(&*file, &name, len, |read| classes.iter_mut().try_for_each(|values| read(values)))?;
        Ok(classes)
    };
    let Some(classes) = with_file(files, &name, read)? else { return Ok(false) };
    for (&class, values) in group.iter().zip(classes) {
        tables.put(class, values);
    }
    Ok(true)
}

/// Fills these parts with what the file of this name holds, one after the other, if there is one, and returns whether
/// there is.
///
/// # Errors
/// If there is a file, but it cannot be used; the error names the file. The parts may have changed then.
pub fn load_parts(files: &dyn TableFiles, name: &str, parts: &mut [&mut [u8]]) -> Result<bool, String> {
    load_with(files, name, len_of(parts), |read| parts.iter_mut().try_for_each(|part| read(part)))
}

/// Loads the file of this name, if there is one, and returns whether there is. It must have so many bytes of values.
/// `fill` gets a function that fills one part after the other, which must be the parts that were written.
///
/// # Errors
/// If there is a file, but it cannot be used; the error names the file. The parts may have been filled then.
pub fn load_with(
    files: &dyn TableFiles,
    name: &str,
    len: u64,
    fill: impl FnOnce(&mut ReadPart) -> Result<(), BadFile>,
) -> Result<bool, String> {
    with_file(files, name, |file| read(&*file, name, len, fill)).map(|read| read.is_some())
}

/// What `read` makes of the file of this name; none if there is no such file.
///
/// # Errors
/// If there is a file, but it cannot be used; the error names the file.
fn with_file<T>(
    files: &dyn TableFiles,
    name: &str,
    read: impl FnOnce(Box<dyn TableFile>) -> Result<T, BadFile>,
) -> Result<Option<T>, String> {
    let opened = files.open(name).map_err(BadFile::Unreadable);
    let read = opened.and_then(|file| file.map(read).transpose());
    read.map_err(|error| format!("{}: {error}", files.place(name)))
}

/// Fills a part with the next values of a file.
pub type ReadPart<'a> = dyn FnMut(&mut [u8]) -> Result<(), BadFile> + 'a;

/// The number of bytes of all parts.
fn len_of(parts: &[&mut [u8]]) -> u64 {
    parts.iter().map(|part| part.len() as u64).sum()
}

/// Writes the file of a group that the tables hold.
///
/// # Errors
/// If the file cannot be written; an older file of the group is left as it was. The error names the file.
pub fn save<N: Filed>(numbering: &N, tables: &Tablebase, group: &[usize], directory: &Path) -> Result<(), String> {
    let classes: Vec<&[u8]> = group.iter().map(|&class| tables.values(class)).collect();
    save_parts(directory, &numbering.name(group), &classes)
}

/// Writes the file of this name with these parts, one after the other.
///
/// # Errors
/// If the file cannot be written; an older file of this name is left as it was. The error names the file.
pub fn save_parts(directory: &Path, name: &str, parts: &[&[u8]]) -> Result<(), String> {
    let mut writer = PartWriter::new(directory, name, parts.iter().map(|part| part.len() as u64).sum())?;
    parts.iter().try_for_each(|part| writer.write(part))?;
    writer.finish()
}

/// Removes the file of this name, if there is one.
///
/// # Errors
/// If it cannot be removed; the error names the file.
pub fn remove(directory: &Path, name: &str) -> Result<(), String> {
    let path = table_path(directory, name);
    match fs::remove_file(&path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(format!("{}: {error}", path.display())),
        _ => Ok(()),
    }
}

/// Writes a file whose values do not fit into memory at once.
#[derive(Debug)]
pub struct PartWriter {
    path: PathBuf,
    /// The values; none when they have all been written.
    values: Option<BlockWriter<BufWriter<File>>>,
    /// Where the checksum stands in the file.
    checksum_at: u64,
    checksum: u64,
}

impl PartWriter {
    /// Begins the file of this name, which gets so many bytes of values.
    ///
    /// # Errors
    /// If it cannot be written; the error names the file. This holds for the other methods, too.
    pub fn new(directory: &Path, name: &str, bytes: u64) -> Result<PartWriter, String> {
        let path = table_path(directory, name);
        let head = format!("{MAGIC}{VERSION}\n{name}\n{bytes} ");
        let created = File::create(path.with_extension("part")).and_then(|file| {
            let mut file = BufWriter::new(file);
            writeln!(file, "{head}{:016x}", 0)?;
            Ok(BlockWriter::new(file))
        });
        let values = created.map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(PartWriter { path, values: Some(values), checksum_at: head.len() as u64, checksum: 0 })
    }

    /// Writes the next values, as one part.
    pub fn write(&mut self, values: &[u8]) -> Result<(), String> {
        self.checksum = add_to_checksum(self.checksum, values);
        let written = self.values.as_mut().map_or(Ok(()), |writer| writer.write(values));
        written.map_err(|error| format!("{}: {error}", self.path.display()))
    }

    /// Ends the file, and gives it its name.
    pub fn finish(mut self) -> Result<(), String> {
        let end = |values: BlockWriter<BufWriter<File>>| {
            let mut file = values.finish()?;
            file.seek(SeekFrom::Start(self.checksum_at))?;
            write!(file, "{:016x}", self.checksum)?;
            file.flush()?;
            file.get_ref().sync_all()?;
            fs::rename(self.path.with_extension("part"), &self.path)
        };
        let ended = self.values.take().map_or(Ok(()), end);
        ended.map_err(|error| format!("{}: {error}", self.path.display()))?;
        sync_directory_of(&self.path);
        Ok(())
    }
}

/// Removes what was not finished.
impl Drop for PartWriter {
    fn drop(&mut self) {
        // There is nothing to remove once the file has its name.
        let _ = fs::remove_file(self.path.with_extension("part"));
    }
}

/// The values of a file, which are read where they are asked for instead of being kept in memory.
pub struct StoredValues {
    file: Box<dyn TableFile>,
    index: BlockIndex,
}

impl StoredValues {
    /// Opens the file of this name, if there is one, which must have so many bytes of values. Only its first lines and
    /// its length are checked, not its checksum.
    ///
    /// # Errors
    /// If there is a file, but it cannot be used; the error names the file.
    pub fn open(files: &dyn TableFiles, name: &str, len: usize) -> Result<Option<StoredValues>, String> {
        StoredValues::open_any(files, name, Some(len as u64))
    }

    /// The same for as many bytes of values as the first lines say.
    ///
    /// # Errors
    /// If there is a file, but it cannot be used; the error names the file.
    pub fn open_whole(files: &dyn TableFiles, name: &str) -> Result<Option<StoredValues>, String> {
        StoredValues::open_any(files, name, None)
    }

    /// The number of bytes of values.
    pub fn len(&self) -> u64 {
        self.index.len()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    fn open_any(files: &dyn TableFiles, name: &str, len: Option<u64>) -> Result<Option<StoredValues>, String> {
        with_file(files, name, |file| {
            let index = open(&*file, name, len)?.index()?;
            Ok(StoredValues { file, index })
        })
    }

    /// Fills `values` with those that begin at this one, without changing what other threads read.
    ///
    /// # Errors
    /// If the file does not have them, or they cannot be read.
    pub fn read(&self, at: u64, values: &mut [u8]) -> io::Result<()> {
        self.index.read_values(at, values, |at, bytes| self.file.read_at(at, bytes))
    }
}

/// Reads a file from one byte on.
struct Reader<'a> {
    file: &'a dyn TableFile,
    at: u64,
}

impl Read for Reader<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.file.len().saturating_sub(self.at)).unwrap_or(usize::MAX);
        let len = left.min(bytes.len());
        self.file.read_at(self.at, &mut bytes[..len])?;
        self.at += len as u64;
        Ok(len)
    }
}

/// A file whose first lines have been read.
struct Opened<'a> {
    file: &'a dyn TableFile,
    /// Where the first lines end, and where the file does.
    blocks: Range<u64>,
    /// The third line: the number of values, and their checksum.
    sum: String,
    /// The number of values.
    len: u64,
}

impl Opened<'_> {
    /// Reads the index.
    fn index(&self) -> Result<BlockIndex, BadFile> {
        let read_at = |at, bytes: &mut [u8]| self.file.read_at(at, bytes);
        BlockIndex::read(read_at, self.blocks.clone(), self.len)?.ok_or(BadFile::Truncated)
    }
}

/// Reads the first lines of a file that must have so many values, if any number is given.
fn open<'a>(file: &'a dyn TableFile, name: &str, expected: Option<u64>) -> Result<Opened<'a>, BadFile> {
    let mut reader = BufReader::with_capacity(3 * LONGEST_LINE as usize, Reader { file, at: 0 });
    let mut lines = 0;
    let mut line = || -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        lines += (&mut reader).take(LONGEST_LINE).read_until(b'\n', &mut line)? as u64;
        line.pop();
        Ok(line)
    };
    let format = line()?;
    let version = format.strip_prefix(MAGIC.as_bytes()).ok_or(BadFile::Foreign)?;
    if version != VERSION.as_bytes() {
        return Err(BadFile::Outdated);
    }
    if line()? != name.as_bytes() {
        return Err(BadFile::Misnamed);
    }
    let sum = String::from_utf8_lossy(&line()?).into_owned();
    let found = sum.split(' ').next().and_then(|values| values.parse().ok()).ok_or(BadFile::Foreign)?;
    match expected.filter(|&expected| expected != found) {
        Some(expected) => Err(BadFile::WrongSize { found, expected }),
        None => Ok(Opened { file, blocks: lines..file.len(), sum, len: found }),
    }
}

/// Whether there is a file of the group with this name. Only its first lines and its length are checked.
///
/// # Errors
/// If there is a file, but it cannot be used; the error names the file.
pub fn exists(name: &str, files: &dyn TableFiles) -> Result<bool, String> {
    with_file(files, name, |file| open(&*file, name, None)?.index()).map(|index| index.is_some())
}

/// Reads the file with this name and so many bytes of values, as [`load_with`] says.
fn read(
    file: &dyn TableFile,
    name: &str,
    len: u64,
    fill: impl FnOnce(&mut ReadPart) -> Result<(), BadFile>,
) -> Result<(), BadFile> {
    let opened = open(file, name, Some(len))?;
    let index = opened.index()?;
    let Opened { blocks, sum, .. } = opened;
    let blocks = BufReader::new(Reader { file, at: blocks.start });
    let (mut reader, mut checksum) = (BlockReader::new(index, blocks), 0);
    fill(&mut |part| {
        reader.read(part).map_err(|error| match error.kind() {
            ErrorKind::InvalidData => BadFile::Damaged(sum.clone()),
            _ => error.into(),
        })?;
        checksum = add_to_checksum(checksum, part);
        Ok(())
    })?;
    if sum != format!("{len} {checksum:016x}") {
        return Err(BadFile::Damaged(sum));
    }
    Ok(())
}

/// The checksum of the values before, and of these.
fn add_to_checksum(sum: u64, values: &[u8]) -> u64 {
    values.chunks(BLOCK * size_of::<u64>()).fold(sum, |sum, block| {
        let mut words = [0; BLOCK + 1];
        words[BLOCK] = sum;
        for (word, bytes) in words.iter_mut().zip(block.chunks(size_of::<u64>())) {
            *word = bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        }
        key::hash(&words)
    })
}

/// The number of words that are hashed at once.
const BLOCK: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Directory;

    #[test]
    fn only_what_was_written_is_read() {
        let directory = std::env::temp_dir().join(format!("pentarch-{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        let path = table_path(&directory, "some-1-2");
        let files = Directory(&directory);
        let values: Vec<u8> = (0..40_000_u32).map(|at| (at.wrapping_mul(at) >> 7) as u8).collect();
        let classes: [&[u8]; 2] = [&[1, 2, 3], &values];
        save_parts(&directory, "some-1-2", &classes).unwrap();
        let whole = fs::read(&path).unwrap();
        let read_as = |bytes: &[u8], name: &str, sizes: &[usize]| {
            let mut parts: Vec<Vec<u8>> = sizes.iter().map(|&size| vec![0; size]).collect();
            let len = sizes.iter().sum::<usize>() as u64;
            read(&bytes.to_vec(), name, len, |read| parts.iter_mut().try_for_each(|part| read(part))).map(|()| parts)
        };
        let fault = |bytes: &[u8]| {
            let fault = read_as(bytes, "some-1-2", &[3, 40_000]).unwrap_err().to_string();
            assert!(!fault.contains(char::is_control), "{fault:?}");
            fault
        };
        assert_eq!(read_as(&whole, "some-1-2", &[3, 40_000]).unwrap().concat(), classes.concat());
        assert!(matches!(read_as(&whole, "some-1-3", &[3, 40_000]), Err(BadFile::Misnamed)));
        let wrong = read_as(&whole, "some-1-2", &[3, 39_999]).unwrap_err();
        assert_eq!(wrong.to_string(), "it has 40003 bytes of values, not 40002: it is not of this table");
        for at in (0..whole.len()).step_by(7).chain(whole.len() - 20..whole.len()) {
            fault(&whole[..at]);
        }
        for at in (0..200).chain((0..whole.len()).step_by(97)).chain(whole.len() - 12..whole.len()) {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x20;
            fault(&damaged);
        }
        assert_eq!(fault(b""), "it is no table of pentarch");
        assert_eq!(fault(b"pentarch table 1\n"), "another version of the program made it; it must be made anew");
        assert_eq!(fault(&whole[..whole.len() - 1]), "it is truncated, or something follows it");
        assert_eq!(fault(&[&whole, &whole[..]].concat()), "it is truncated, or something follows it");
        let mut other = whole.clone();
        other[500] ^= 1;
        assert!(fault(&other).starts_with("its values are damaged"));
        fs::write(&path, &whole).unwrap();
        assert_eq!(exists("some-1-2", &files), Ok(true));
        let stored = StoredValues::open(&files, "some-1-2", 40_003).unwrap().unwrap();
        let mut found = vec![0; 30_000];
        stored.read(5_000, &mut found).unwrap();
        assert_eq!(found, values[4_997..34_997]);
        assert!(stored.read(10_004, &mut found).is_err());
        fs::write(&path, &whole[..whole.len() - 1]).unwrap();
        assert!(exists("some-1-2", &files).unwrap_err().ends_with("it is truncated, or something follows it"));
        fs::remove_file(&path).unwrap();
        assert_eq!(exists("some-1-2", &files), Ok(false));
        fs::create_dir(&path).unwrap();
        assert!(exists("some-1-2", &files).unwrap_err().ends_with(".table: it is no table of pentarch"));
        fs::remove_dir(&path).unwrap();
        fs::remove_dir(&directory).unwrap();
    }
}

//! Tablebase files, one for each group of classes.
//!
//! A file begins with three lines of text:
//! 1. the file format and its version
//! 2. the name of the group
//! 3. the number of values and their checksum
//!
//! Then come the [values](super::dtm) of the group's classes, one byte each, one class after the
//! other. The values are [compressed](super::compressed_blocks) in blocks, and each block has its
//! own checksum. A file gets its name only when it is [complete](pentarch_system::new_file). So a
//! file with the name of a group is always a whole file.

use std::fs;
use std::io::{BufWriter, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use pentarch_core::tables::directory::{TableDirectory, table_file_path};
use pentarch_core::{TableFile, TableFiles, TableWriteProgress, TableWriteRequest};
use pentarch_system::memory;
use pentarch_system::new_file::NewFile;
use pentarch_system::{FileError, LocatedError, WithErrorLocation};

use super::compressed_blocks::{BlockReader, BlockWriter, Checksum};
use super::error::{MakeTablesError, TableFileError};
use super::retrograde_control::GroupSolveError;
use super::verify::find_wrong_table_value;
use super::{PositionNumbering, Tablebase};

/// The beginning of every file.
const TABLE_FILE_MAGIC: &str = "pentarch table ";
/// The version of the file format, and of the meaning of the values.
const TABLE_FILE_VERSION: &str = "3";
/// The number of bytes of a file that are searched for its first three lines, which are always
/// shorter.
const MAX_TABLE_FILE_HEADER_BYTES: u64 = 768;

/// Loads the values of a group of classes from the file `name` and adds them to the tables. Returns
/// whether the file exists.
///
/// # Errors
/// If the file exists but cannot be used.
pub fn load_group_file(
    files: &dyn TableFiles,
    name: &str,
    numbering: &impl PositionNumbering,
    group: &[usize],
    tables: &mut Tablebase,
) -> Result<bool, LocatedError<TableFileError>> {
    let len = group.iter().map(|&class| numbering.class_size(class) as u64).sum();
    let mut classes = Vec::new();
    let is_loaded = load_table_file(files, name, len, |read| {
        for &class in group {
            let mut values = memory::allocate_zeros(numbering.class_size(class))
                .ok_or(TableFileError::Memory)?;
            read(&mut values)?;
            classes.push(values);
        }
        Ok(())
    })?;
    group.iter().zip(classes).for_each(|(&class, values)| tables.put_class_values(class, values));
    Ok(is_loaded)
}

/// Loads a file of `len` values, one byte each. Returns whether the file exists. If it does, calls
/// `fill` with a function that reads the next values of the file into a slice.
///
/// # Errors
/// If the file exists but cannot be used. Then `fill` may already have read some values.
pub fn load_table_file(
    files: &dyn TableFiles,
    name: &str,
    len: u64,
    fill: impl FnOnce(&mut ReadPartFn) -> Result<(), TableFileError>,
) -> Result<bool, LocatedError<TableFileError>> {
    let Some(stored) = StoredTableValues::open(files, name, Some(len))? else { return Ok(false) };
    stored.read_all(fill).with_error_location(files.table_file_location(name))?;
    Ok(true)
}

/// Reads all values of a file, block by block, and verifies their checksums. Returns whether the
/// file exists.
///
/// # Errors
/// If the file cannot be used, or if the checksum of a block or of all values does not match.
pub fn verify_file_checksums(
    files: &dyn TableFiles,
    name: &str,
) -> Result<bool, LocatedError<TableFileError>> {
    let Some(stored) = StoredTableValues::open(files, name, None)? else { return Ok(false) };
    let mut part = vec![0; VALUES_VERIFIED_AT_ONCE];
    let len = stored.byte_count();
    let fill = |read: &mut ReadPartFn| {
        let mut parts = (0..len)
            .step_by(VALUES_VERIFIED_AT_ONCE)
            .map(|at| (len - at).min(VALUES_VERIFIED_AT_ONCE as u64) as usize);
        parts.try_for_each(|len| read(&mut part[..len]))
    };
    stored.read_all(fill).with_error_location(files.table_file_location(name))?;
    Ok(true)
}

/// The number of values that are verified at once: a multiple of the number of values in a block.
const VALUES_VERIFIED_AT_ONCE: usize = 1 << 20;

/// A function that fills a slice with the next values of a file.
pub type ReadPartFn<'a> = dyn FnMut(&mut [u8]) -> Result<(), TableFileError> + 'a;

/// Writes a file whose values are these slices, one after the other.
///
/// # Errors
/// If the file cannot be written. Then an older file of this name stays unchanged.
pub fn save_table_file(directory: &Path, name: &str, parts: &[&[u8]]) -> Result<(), FileError> {
    let mut writer =
        TableFileWriter::new(directory, name, parts.iter().map(|part| part.len() as u64).sum())?;
    parts.iter().try_for_each(|part| writer.write(part))?;
    writer.finish()
}

/// Loads the values of a group of classes from the file `name` and adds them to the tables. If
/// there is no usable file, calls `solve` to compute the values, and saves the values in this file.
/// If `plan.check` is set, all values are verified.
///
/// # Errors
/// If the values cannot be computed or written, or if a value is wrong.
pub fn load_or_solve_group<N: PositionNumbering>(
    name: &str,
    numbering: &N,
    group: &[usize],
    tables: &mut Tablebase,
    plan: &TableWriteRequest,
    report: &(dyn Fn(TableWriteProgress) + Sync),
    solve: impl FnOnce(&mut Tablebase) -> Result<(), GroupSolveError>,
) -> Result<(), MakeTablesError> {
    let is_loaded =
        load_group_file(&TableDirectory(plan.directory), name, numbering, group, tables)
            .unwrap_or_else(|fault| {
                report(TableWriteProgress::Unusable(&fault));
                false
            });
    if !is_loaded {
        solve(tables).map_err(|why| MakeTablesError::Unsolved { name: name.into(), why })?;
        let classes: Vec<&[u8]> = group.iter().map(|&class| tables.class_values(class)).collect();
        save_table_file(plan.directory, name, &classes)?;
    }
    if plan.check {
        let share = |share| report(TableWriteProgress::Checking(name, Some(share)));
        let fault = group.iter().find_map(|&class| {
            find_wrong_table_value(numbering, tables, class, 1, plan.threads, &share)
        });
        if let Some(index) = fault {
            return Err(MakeTablesError::Value { name: name.into(), index });
        }
    }
    let bytes = group.iter().map(|&class| tables.class_values(class).len()).sum();
    report(if is_loaded {
        TableWriteProgress::Existing(name, bytes)
    } else {
        TableWriteProgress::Written(name, bytes)
    });
    Ok(())
}

/// Removes a file, if it exists.
///
/// # Errors
/// If the file cannot be removed.
pub fn remove_table_file(directory: &Path, name: &str) -> Result<(), FileError> {
    let path = table_file_path(directory, name);
    match fs::remove_file(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        removed => removed.with_file_path(&path),
    }
}

/// A writer for a table file whose values do not fit into memory all at once.
#[derive(Debug)]
pub struct TableFileWriter {
    path: PathBuf,
    values: BlockWriter<BufWriter<NewFile>>,
    /// The offset of the checksum in the file.
    checksum_at: u64,
    checksum: Checksum,
}

impl TableFileWriter {
    /// Creates a file that will have `bytes` bytes of values.
    ///
    /// # Errors
    /// If the file cannot be written. The other methods return the same errors.
    pub fn new(directory: &Path, name: &str, bytes: u64) -> Result<TableFileWriter, FileError> {
        let path = table_file_path(directory, name);
        let head = format!("{TABLE_FILE_MAGIC}{TABLE_FILE_VERSION}\n{name}\n{bytes} ");
        let created = NewFile::create(&path).and_then(|file| {
            let mut file = BufWriter::new(file);
            writeln!(file, "{head}{:016x}", 0)?;
            Ok(BlockWriter::new(file))
        });
        let values = created.with_file_path(&path)?;
        Ok(TableFileWriter {
            path,
            values,
            checksum_at: head.len() as u64,
            checksum: Checksum::default(),
        })
    }

    /// Writes the next values, as one part.
    pub fn write(&mut self, values: &[u8]) -> Result<(), FileError> {
        self.checksum.add(values);
        self.values.write(values).with_file_path(&self.path)
    }

    /// Completes the file and gives the file its name.
    pub fn finish(self) -> Result<(), FileError> {
        let TableFileWriter { path, values, checksum_at, checksum } = self;
        let end = || {
            let mut file = values.finish()?;
            file.seek(SeekFrom::Start(checksum_at))?;
            write!(file, "{:016x}", checksum.sum())?;
            file.into_inner()?.commit_replacing_target()
        };
        end().with_file_path(&path)
    }
}

/// The values of a table file, read from the file when they are needed.
pub struct StoredTableValues {
    file: Box<dyn TableFile>,
    blocks: BlockReader,
    /// The third line of the file: the number of values, and the checksum of all values.
    sum: String,
}

impl StoredTableValues {
    /// Opens a table file. Returns `None` if the file does not exist. If `len` is given, the file
    /// must contain this number of values. The function checks the first lines, the length and the
    /// index. The checksum of a block is verified only when the block is read from the file.
    ///
    /// # Errors
    /// If the file exists but cannot be used.
    pub fn open(
        files: &dyn TableFiles,
        name: &str,
        len: Option<u64>,
    ) -> Result<Option<StoredTableValues>, LocatedError<TableFileError>> {
        let opened = files
            .open_table_file(name)
            .map_err(TableFileError::Io)
            .and_then(|file| file.map(|file| StoredTableValues::new(file, name, len)).transpose());
        opened.with_error_location(files.table_file_location(name))
    }

    fn new(
        file: Box<dyn TableFile>,
        name: &str,
        expected: Option<u64>,
    ) -> Result<StoredTableValues, TableFileError> {
        let mut head = vec![0; file.byte_count().min(MAX_TABLE_FILE_HEADER_BYTES) as usize];
        file.read_at(0, &mut head)?;
        let lines: Vec<&[u8]> = head.splitn(4, |&byte| byte == b'\n').collect();
        let line = |at: usize| lines.get(at).copied().unwrap_or_default();
        let version =
            line(0).strip_prefix(TABLE_FILE_MAGIC.as_bytes()).ok_or(TableFileError::Foreign)?;
        let text = |bytes| String::from_utf8_lossy(bytes).into();
        if version != TABLE_FILE_VERSION.as_bytes() {
            return Err(TableFileError::Version {
                expected: TABLE_FILE_VERSION,
                found: text(version),
            });
        }
        if line(1) != name.as_bytes() {
            return Err(TableFileError::Name { expected: name.into(), found: text(line(1)) });
        }
        let sum = String::from_utf8_lossy(line(2)).into_owned();
        let found = sum.split(' ').next().and_then(|values| values.parse().ok());
        let found = found.ok_or(TableFileError::Foreign)?;
        if let Some(expected) = expected.filter(|&expected| expected != found) {
            return Err(TableFileError::Len { expected, found });
        }
        let blocks = (head.len() - line(3).len()) as u64..file.byte_count();
        let blocks = BlockReader::new(|at, bytes| file.read_at(at, bytes), blocks, found)?;
        Ok(StoredTableValues { blocks: blocks.ok_or(TableFileError::Truncated)?, file, sum })
    }

    /// Returns the number of bytes of values.
    pub fn byte_count(&self) -> u64 {
        self.blocks.values
    }

    /// Returns the third line of the file: the number of values and their checksum.
    pub fn checksum_line(&self) -> &str {
        &self.sum
    }

    /// Fills `values` with values of the file, beginning with the value at index `at`. Several
    /// threads can read at once.
    ///
    /// # Errors
    /// If the file ends too early, if the values cannot be read, or if a block is damaged.
    pub fn read(&self, at: u64, values: &mut [u8]) -> Result<(), TableFileError> {
        self.blocks.read(at, values, |at, bytes| self.file.read_at(at, bytes))
    }

    /// Calls `fill` as described in [`load_table_file`], and verifies the checksum of all values.
    fn read_all(
        &self,
        fill: impl FnOnce(&mut ReadPartFn) -> Result<(), TableFileError>,
    ) -> Result<(), TableFileError> {
        let damaged = || TableFileError::Checksum { sum: (&*self.sum).into() };
        let mut at = 0;
        let mut checksum = Checksum::default();
        fill(&mut |part| {
            self.read(at, part)
                .map_err(|error| if error.is_damage() { damaged() } else { error })?;
            at += part.len() as u64;
            checksum.add(part);
            Ok(())
        })?;
        if self.sum == format!("{at} {:016x}", checksum.sum()) { Ok(()) } else { Err(damaged()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_core::tables::directory::TableDirectory;

    #[test]
    fn only_complete_and_undamaged_files_are_read() {
        let directory = std::env::temp_dir().join(format!("pentarch-{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        let path = table_file_path(&directory, "some-1-2");
        let files = TableDirectory(&directory);
        let values: Vec<u8> = (0..40_000_u32).map(|at| (at.wrapping_mul(at) >> 7) as u8).collect();
        let classes: [&[u8]; 2] = [&[1, 2, 3], &values];
        save_table_file(&directory, "some-1-2", &classes).unwrap();
        let whole = fs::read(&path).unwrap();
        let read_as = |bytes: &[u8], name: &str, sizes: &[usize]| {
            let mut parts: Vec<Vec<u8>> = sizes.iter().map(|&size| vec![0; size]).collect();
            let len = sizes.iter().sum::<usize>() as u64;
            let stored = StoredTableValues::new(Box::new(bytes.to_vec()), name, Some(len))?;
            stored.read_all(|read| parts.iter_mut().try_for_each(|part| read(part))).map(|()| parts)
        };
        let fault = |bytes: &[u8]| {
            let fault = read_as(bytes, "some-1-2", &[3, 40_000]).unwrap_err().to_string();
            assert!(!fault.contains(char::is_control), "{fault:?}");
            fault
        };
        assert_eq!(read_as(&whole, "some-1-2", &[3, 40_000]).unwrap().concat(), classes.concat());
        let misnamed = read_as(&whole, "some-1-3", &[3, 40_000]).unwrap_err();
        assert_eq!(misnamed.to_string(), "it contains another table than its name says");
        let wrong = read_as(&whole, "some-1-2", &[3, 39_999]).unwrap_err();
        assert_eq!(
            wrong.to_string(),
            "it has 40003 bytes of values, not 40002: it belongs to another table"
        );
        for at in (0..whole.len()).step_by(7).chain(whole.len() - 20..whole.len()) {
            fault(&whole[..at]);
        }
        for at in (0..200).chain((0..whole.len()).step_by(97)).chain(whole.len() - 12..whole.len())
        {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x20;
            fault(&damaged);
        }
        assert_eq!(fault(b""), "it is not a table of pentarch");
        assert_eq!(
            fault(b"pentarch table 1\n"),
            "another version of the program made it; it must be computed again"
        );
        assert_eq!(fault(&whole[..whole.len() - 1]), "it is truncated or has extra bytes");
        assert_eq!(fault(&[&whole, &whole[..]].concat()), "it is truncated or has extra bytes");
        let mut other = whole.clone();
        other[500] ^= 1;
        assert!(fault(&other).starts_with("its values are damaged"));
        fs::write(&path, &whole).unwrap();
        let open = || {
            StoredTableValues::open(&files, "some-1-2", None)
                .map(|stored| stored.map(|stored| stored.byte_count()))
        };
        assert_eq!(open().unwrap(), Some(40_003));
        let stored = StoredTableValues::open(&files, "some-1-2", Some(40_003)).unwrap().unwrap();
        let mut found = vec![0; 30_000];
        stored.read(5_000, &mut found).unwrap();
        assert_eq!(found, values[4_997..34_997]);
        assert!(stored.read(10_004, &mut found).is_err());
        fs::write(&path, &whole[..whole.len() - 1]).unwrap();
        assert!(matches!(open().unwrap_err().error, TableFileError::Truncated));
        fs::remove_file(&path).unwrap();
        assert_eq!(open().unwrap(), None);
        fs::create_dir(&path).unwrap();
        let foreign = open().unwrap_err().to_string();
        assert!(foreign.ends_with(".table: it is not a table of pentarch"));
        fs::remove_dir(&path).unwrap();
        fs::remove_dir(&directory).unwrap();
    }
}

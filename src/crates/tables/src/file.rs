//! Tablebase files, one for each group of classes.
//!
//! A file begins with three lines of text: the file format with its version; the name of the group; and the number of
//! values, with their checksum. Then come the [values](super::dtm) of the group's classes, one byte each, one class
//! after the other, [compressed](super::blocks) in blocks with a checksum each. A file appears
//! when it is [complete](pentarch_system::new_file), so that a file with the name of a group is never a part of one.

use std::fs;
use std::io::{BufWriter, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use pentarch_core::tables::directory::{Directory, table_path};
use pentarch_core::{TableFile, TableFiles, TablePlan, TableReport};
use pentarch_system::memory;
use pentarch_system::new_file::NewFile;
use pentarch_system::{ErrorContext, FileError, Located};

use super::blocks::{BlockReader, BlockWriter, Checksum};
use super::budget::SolveError;
use super::error::{MakeTablesError, TableFileError};
use super::verify::find_wrong_value;
use super::{Numbering, Tablebase};

/// What every file begins with.
const MAGIC: &str = "pentarch table ";
/// The version of the file format, and of what the values mean.
const VERSION: &str = "3";
/// The first lines are looked for in so many bytes, more than they have.
const MOST_HEAD: u64 = 768;

/// Adds a group to the tables if there is a file of this name, and returns whether there is one.
///
/// # Errors
/// If there is a file, but it cannot be used.
pub fn load_group(
    files: &dyn TableFiles,
    name: &str,
    numbering: &impl Numbering,
    group: &[usize],
    tables: &mut Tablebase,
) -> Result<bool, Located<TableFileError>> {
    let len = group.iter().map(|&class| numbering.size(class) as u64).sum();
    let mut classes = Vec::new();
    let is_loaded = load(files, name, len, |read| {
        for &class in group {
            let mut values = memory::zeroed(numbering.size(class)).ok_or(TableFileError::Memory)?;
            read(&mut values)?;
            classes.push(values);
        }
        Ok(())
    })?;
    group.iter().zip(classes).for_each(|(&class, values)| tables.put(class, values));
    Ok(is_loaded)
}

/// Loads the file of this name, if there is one, and returns whether there is. It must have so many bytes of values.
/// `fill` gets a function that fills one part after the other.
///
/// # Errors
/// If there is a file, but it cannot be used. The parts may have been filled then.
pub fn load(
    files: &dyn TableFiles,
    name: &str,
    len: u64,
    fill: impl FnOnce(&mut ReadPart) -> Result<(), TableFileError>,
) -> Result<bool, Located<TableFileError>> {
    let Some(stored) = StoredValues::open(files, name, Some(len))? else { return Ok(false) };
    stored.read_all(fill).at_location(files.place(name))?;
    Ok(true)
}

/// Looks through all values of the file of this name, block by block, whatever they are. Returns whether there is such
/// a file.
///
/// # Errors
/// If it cannot be used, or a block or all values together do not have their checksum.
pub fn verify_checksums(
    files: &dyn TableFiles,
    name: &str,
) -> Result<bool, Located<TableFileError>> {
    let Some(stored) = StoredValues::open(files, name, None)? else { return Ok(false) };
    let (mut part, len) = (vec![0; LOOKED_AT], stored.size());
    let fill = |read: &mut ReadPart| {
        let mut parts =
            (0..len).step_by(LOOKED_AT).map(|at| (len - at).min(LOOKED_AT as u64) as usize);
        parts.try_for_each(|len| read(&mut part[..len]))
    };
    stored.read_all(fill).at_location(files.place(name))?;
    Ok(true)
}

/// How many values are looked at at once, a multiple of those of a block.
const LOOKED_AT: usize = 1 << 20;

/// Fills a part with the next values of a file.
pub type ReadPart<'a> = dyn FnMut(&mut [u8]) -> Result<(), TableFileError> + 'a;

/// Writes the file of this name with these parts, one after the other.
///
/// # Errors
/// If the file cannot be written; an older file of this name is left as it was.
pub fn save(directory: &Path, name: &str, parts: &[&[u8]]) -> Result<(), FileError> {
    let mut writer =
        PartWriter::new(directory, name, parts.iter().map(|part| part.len() as u64).sum())?;
    parts.iter().try_for_each(|part| writer.write(part))?;
    writer.finish()
}

/// Makes the table file of a group that `solve` adds to the tables, or reads it if it exists. A file that cannot be
/// used is computed again.
///
/// # Errors
/// If the file cannot be made or written, or is found wrong.
pub fn make<N: Numbering>(
    name: &str,
    (numbering, group): (&N, &[usize]),
    tables: &mut Tablebase,
    plan: &TablePlan,
    tell: &(dyn Fn(TableReport) + Sync),
    solve: impl FnOnce(&mut Tablebase) -> Result<(), SolveError>,
) -> Result<(), MakeTablesError> {
    let kept = load_group(&Directory(plan.directory), name, numbering, group, tables)
        .unwrap_or_else(|fault| {
            tell(TableReport::Unusable(&fault));
            false
        });
    if !kept {
        solve(tables).map_err(|why| MakeTablesError::SolveError { name: name.into(), why })?;
        let classes: Vec<&[u8]> = group.iter().map(|&class| tables.values(class)).collect();
        save(plan.directory, name, &classes)?;
    }
    if plan.check {
        let share = |share| tell(TableReport::Checking(name, Some(share)));
        let fault = group
            .iter()
            .find_map(|&class| find_wrong_value(numbering, tables, class, 1, plan.threads, &share));
        if let Some(index) = fault {
            return Err(MakeTablesError::Value { name: name.into(), index });
        }
    }
    let bytes = group.iter().map(|&class| tables.values(class).len()).sum();
    tell(if kept { TableReport::Existing(name, bytes) } else { TableReport::Written(name, bytes) });
    Ok(())
}

/// Removes the file of this name, if there is one.
///
/// # Errors
/// If it cannot be removed.
pub fn remove(directory: &Path, name: &str) -> Result<(), FileError> {
    let path = table_path(directory, name);
    match fs::remove_file(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        removed => removed.in_file(&path),
    }
}

/// Writes a file whose values do not fit into memory at once.
#[derive(Debug)]
pub struct PartWriter {
    path: PathBuf,
    /// The values.
    values: BlockWriter<BufWriter<NewFile>>,
    /// Where the checksum stands in the file.
    checksum_at: u64,
    checksum: Checksum,
}

impl PartWriter {
    /// Begins the file of this name, which gets so many bytes of values.
    ///
    /// # Errors
    /// If it cannot be written. This holds for the other methods, too.
    pub fn new(directory: &Path, name: &str, bytes: u64) -> Result<PartWriter, FileError> {
        let path = table_path(directory, name);
        let head = format!("{MAGIC}{VERSION}\n{name}\n{bytes} ");
        let created = NewFile::create(&path).and_then(|file| {
            let mut file = BufWriter::new(file);
            writeln!(file, "{head}{:016x}", 0)?;
            Ok(BlockWriter::new(file))
        });
        let values = created.in_file(&path)?;
        Ok(PartWriter {
            path,
            values,
            checksum_at: head.len() as u64,
            checksum: Checksum::default(),
        })
    }

    /// Writes the next values, as one part.
    pub fn write(&mut self, values: &[u8]) -> Result<(), FileError> {
        self.checksum.add(values);
        self.values.write(values).in_file(&self.path)
    }

    /// Ends the file, and gives it its name.
    pub fn finish(self) -> Result<(), FileError> {
        let PartWriter { path, values, checksum_at, checksum } = self;
        let end = || {
            let mut file = values.finish()?;
            file.seek(SeekFrom::Start(checksum_at))?;
            write!(file, "{:016x}", checksum.sum())?;
            file.into_inner()?.replace()
        };
        end().in_file(&path)
    }
}

/// The values of a file, which are read where they are asked for instead of being kept in memory.
pub struct StoredValues {
    file: Box<dyn TableFile>,
    blocks: BlockReader,
    /// The third line: the number of values, and their checksum.
    sum: String,
}

impl StoredValues {
    /// Opens the file of this name, if there is one. It must have so many bytes of values, if any number is given. Its
    /// first lines, its length and its index are checked; a block is held against its checksum when it is read from
    /// the file.
    ///
    /// # Errors
    /// If there is a file, but it cannot be used.
    pub fn open(
        files: &dyn TableFiles,
        name: &str,
        len: Option<u64>,
    ) -> Result<Option<StoredValues>, Located<TableFileError>> {
        let opened = files
            .open(name)
            .map_err(TableFileError::Io)
            .and_then(|file| file.map(|file| StoredValues::new(file, name, len)).transpose());
        opened.at_location(files.place(name))
    }

    fn new(
        file: Box<dyn TableFile>,
        name: &str,
        expected: Option<u64>,
    ) -> Result<StoredValues, TableFileError> {
        let mut head = vec![0; file.size().min(MOST_HEAD) as usize];
        file.read_at(0, &mut head)?;
        let lines: Vec<&[u8]> = head.splitn(4, |&byte| byte == b'\n').collect();
        let line = |at: usize| lines.get(at).copied().unwrap_or_default();
        let version = line(0).strip_prefix(MAGIC.as_bytes()).ok_or(TableFileError::Foreign)?;
        let text = |bytes| String::from_utf8_lossy(bytes).into();
        if version != VERSION.as_bytes() {
            return Err(TableFileError::Version { expected: VERSION, found: text(version) });
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
        let blocks = (head.len() - line(3).len()) as u64..file.size();
        let blocks = BlockReader::new(|at, bytes| file.read_at(at, bytes), blocks, found)?;
        Ok(StoredValues { blocks: blocks.ok_or(TableFileError::Truncated)?, file, sum })
    }

    /// The number of bytes of values.
    pub fn size(&self) -> u64 {
        self.blocks.values
    }

    /// The number of values and their checksum, as the file has them in its third line.
    pub fn checksum(&self) -> &str {
        &self.sum
    }

    /// Fills `values` with those that begin at this one, without changing what other threads read.
    ///
    /// # Errors
    /// If the file does not have them, they cannot be read, or their block is damaged.
    pub fn read(&self, at: u64, values: &mut [u8]) -> Result<(), TableFileError> {
        self.blocks.read(at, values, |at, bytes| self.file.read_at(at, bytes))
    }

    /// Reads all values, as [`load`] says, and checks their checksum.
    fn read_all(
        &self,
        fill: impl FnOnce(&mut ReadPart) -> Result<(), TableFileError>,
    ) -> Result<(), TableFileError> {
        let damaged = || TableFileError::Checksum { sum: (&*self.sum).into() };
        let (mut at, mut checksum) = (0, Checksum::default());
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
    use pentarch_core::tables::directory::Directory;

    #[test]
    fn only_what_was_written_is_read() {
        let directory = std::env::temp_dir().join(format!("pentarch-{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        let path = table_path(&directory, "some-1-2");
        let files = Directory(&directory);
        let values: Vec<u8> = (0..40_000_u32).map(|at| (at.wrapping_mul(at) >> 7) as u8).collect();
        let classes: [&[u8]; 2] = [&[1, 2, 3], &values];
        save(&directory, "some-1-2", &classes).unwrap();
        let whole = fs::read(&path).unwrap();
        let read_as = |bytes: &[u8], name: &str, sizes: &[usize]| {
            let mut parts: Vec<Vec<u8>> = sizes.iter().map(|&size| vec![0; size]).collect();
            let len = sizes.iter().sum::<usize>() as u64;
            let stored = StoredValues::new(Box::new(bytes.to_vec()), name, Some(len))?;
            stored.read_all(|read| parts.iter_mut().try_for_each(|part| read(part))).map(|()| parts)
        };
        let fault = |bytes: &[u8]| {
            let fault = read_as(bytes, "some-1-2", &[3, 40_000]).unwrap_err().to_string();
            assert!(!fault.contains(char::is_control), "{fault:?}");
            fault
        };
        assert_eq!(read_as(&whole, "some-1-2", &[3, 40_000]).unwrap().concat(), classes.concat());
        let misnamed = read_as(&whole, "some-1-3", &[3, 40_000]).unwrap_err();
        assert_eq!(misnamed.to_string(), "it does not hold what its name says");
        let wrong = read_as(&whole, "some-1-2", &[3, 39_999]).unwrap_err();
        assert_eq!(
            wrong.to_string(),
            "it has 40003 bytes of values, not 40002: it is not of this table"
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
        assert_eq!(fault(b""), "it is no table of pentarch");
        assert_eq!(
            fault(b"pentarch table 1\n"),
            "another version of the program made it; it must be made anew"
        );
        assert_eq!(fault(&whole[..whole.len() - 1]), "it is truncated, or something follows it");
        assert_eq!(
            fault(&[&whole, &whole[..]].concat()),
            "it is truncated, or something follows it"
        );
        let mut other = whole.clone();
        other[500] ^= 1;
        assert!(fault(&other).starts_with("its values are damaged"));
        fs::write(&path, &whole).unwrap();
        let open = || {
            StoredValues::open(&files, "some-1-2", None)
                .map(|stored| stored.map(|stored| stored.size()))
        };
        assert_eq!(open().unwrap(), Some(40_003));
        let stored = StoredValues::open(&files, "some-1-2", Some(40_003)).unwrap().unwrap();
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
        assert!(foreign.ends_with(".table: it is no table of pentarch"));
        fs::remove_dir(&path).unwrap();
        fs::remove_dir(&directory).unwrap();
    }
}

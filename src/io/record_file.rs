//! Files of game records that grow: each record is written when its game ends, so that an interrupted run can go on
//! from the games in its file.

use std::fs::{File, OpenOptions, metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pentarch_core::Side;
use pentarch_core::notation::record::{Record, turns};
use pentarch_system::files::{lock_file, sync_directory_of};
use pentarch_system::{ErrorContext, FileError};
use thiserror::Error;

use super::files::{open_plain, read_plain, read_text};

/// The empty line that ends each record of the file.
const END: &str = "\n\n";

/// The beginning of each record that is written here.
const START: &str = "[Game \"";

/// A file of records, open for appending. While it is open, no other run of the program can open it so.
#[derive(Debug)]
pub struct RecordFile {
    path: PathBuf,
    file: File,
    /// How many records were written since the file was last synchronised with the disk.
    unsynced: u32,
}

/// How many records a power cut can lose at most.
const SYNC: u32 = 8;

/// The contents of a file of records.
#[derive(Debug)]
pub struct Contents {
    /// The text of the file.
    pub text: String,
    /// The complete records; `None` if the text is something else than records.
    pub records: Option<Vec<Record>>,
    /// The tags of a record whose writing was interrupted after the first of its moves, if there is no record before
    /// it. They say whether it may be cut off.
    pub unfinished: Option<Record>,
    /// How many bytes the complete records take. The rest is a record whose writing was interrupted.
    complete: usize,
}

impl RecordFile {
    /// Opens a file, or creates it if it does not exist, and reads its contents, which stay as they are.
    ///
    /// # Errors
    /// If the file cannot be read and written, or another run has opened it; the error names it.
    pub fn open(path: &Path) -> Result<(RecordFile, Contents), FileError> {
        let mut file = open_plain(OpenOptions::new().read(true).append(true).create(true), path)
            .in_file(path)?;
        let text = lock_file(&file).and_then(|()| read_text(&mut file)).in_file(path)?;
        if text.is_empty() {
            sync_directory_of(path);
        }
        Ok((RecordFile { path: path.into(), file, unsynced: 0 }, Contents::of(text)))
    }

    /// Reads the contents of a file.
    ///
    /// # Errors
    /// If the file cannot be read; the error names it.
    pub fn read(path: &Path) -> Result<Contents, FileError> {
        read_plain(path).map(Contents::of).in_file(path)
    }

    /// Removes a record at the end of the file whose writing was interrupted, as by a power failure or a full disk,
    /// and ends the file so that another record can follow.
    ///
    /// # Errors
    /// If the file cannot be shortened or written; the error names it.
    pub fn remove_unfinished(&mut self, contents: &Contents) -> Result<(), FileError> {
        let cut = match contents.complete < contents.text.len() {
            true => self.file.set_len(contents.complete as u64),
            false => Ok(()),
        };
        let ended = cut.and_then(|()| self.file.write_all(contents.missing_end().as_bytes()));
        ended.in_file(&self.path)
    }

    /// Appends a record. `first_turn` is the full-move number and the side of its first move. What was appended stays
    /// when the program ends at any later moment, and every few records when the power is cut. If it cannot be written
    /// in full, nothing of it stays.
    ///
    /// # Errors
    /// If the record cannot be written; the error names the file.
    pub fn append(&mut self, record: &Record, first_turn: (u32, Side)) -> Result<(), FileError> {
        let length = self.file.metadata().map(|metadata| metadata.len());
        let written = self.file.write_all(entry(record, first_turn).as_bytes()).inspect_err(|_| {
            // What cannot be cut off either is an unfinished record, as after a power failure.
            let _ = length.and_then(|length| self.file.set_len(length));
        });
        self.unsynced = (self.unsynced + 1) % SYNC;
        let synced =
            written.and_then(|()| if self.unsynced == 0 { self.file.sync_data() } else { Ok(()) });
        synced.in_file(&self.path)
    }
}

/// Has the last records outlive a power failure.
impl Drop for RecordFile {
    fn drop(&mut self) {
        if self.unsynced > 0 {
            // There is nobody to report to; the records are in the file.
            let _ = self.file.sync_data();
        }
    }
}

/// A record as it stands in a file of records, with its checksum. `first_turn` is the full-move number and the side of
/// its first move.
pub fn entry(record: &Record, first_turn: (u32, Side)) -> String {
    record.clone().with_checksum().text(turns(first_turn)) + END
}

impl Contents {
    fn of(text: String) -> Contents {
        let ended = text.rfind(END).map_or(0, |at| at + END.len());
        // A record with a result is complete, even if an editor has removed the empty line behind it.
        let has_result = |record: Record| record.result != "*";
        let complete =
            if Record::parse(&text[ended..]).is_ok_and(has_result) { text.len() } else { ended };
        let records = Record::parse_all(&text[..complete]).ok();
        let tags_end =
            text.split_inclusive('\n').take_while(|line| line.starts_with('[')).map(str::len).sum();
        let (tags, moves) = text.split_at(if complete == 0 { tags_end } else { 0 });
        let unfinished =
            if tags.is_empty() || moves.is_empty() { None } else { Record::parse(tags).ok() };
        // Whatever else has no complete record is something that must not be cut off.
        let is_start = START.starts_with(&text)
            || text.starts_with(START) && (moves.is_empty() || unfinished.is_some());
        let records = records.filter(|records| is_start || !records.is_empty());
        Contents { text, records, unfinished, complete }
    }

    /// What is missing at the end of the file before another record can follow.
    fn missing_end(&self) -> &'static str {
        match &self.text[..self.complete] {
            "" => "",
            text if text.ends_with(END) => "",
            text if text.ends_with('\n') => &END[1..],
            _ => END,
        }
    }
}

/// Splits `FILE:NUMBER`, unless there is a file with that whole name.
fn split_number(name: &str) -> (&str, Option<usize>) {
    let parts = name.rsplit_once(':').filter(|_| !Path::new(name).exists());
    let number = |(file, number): (_, &str)| Some((file, Some(number.parse().ok()?)));
    parts.and_then(number).unwrap_or((name, None))
}

/// The greatest size of a file of records, in bytes.
pub const MAX_RECORD_FILE: u64 = 16 * 1024 * 1024;

/// An error of a file of records that is read as a whole.
#[derive(Debug, Error)]
pub enum ReadGameError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file has more than [`MAX_RECORD_FILE`] bytes.
    #[error("it has more than {MAX_RECORD_FILE} bytes")]
    TooLarge,
}

/// The text of a file of records, and the number of one of them if the name, `FILE` or `FILE:NUMBER`, has one.
///
/// # Errors
/// If the file cannot be read, or is too large.
pub fn read_game(name: &str) -> Result<(String, Option<usize>), ReadGameError> {
    let (name, number) = split_number(name);
    let length = metadata(name)?.len();
    if length > MAX_RECORD_FILE {
        return Err(ReadGameError::TooLarge);
    }
    let text = read_plain(Path::new(name))?;
    Ok((text, number))
}

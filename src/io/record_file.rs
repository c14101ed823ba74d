//! Files of game records that grow: each record is written when its game ends, so that an interrupted run can go on
//! from the games in its file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::core::Side;

use super::files::check_plain;
use super::record::Record;

/// The empty line that ends each record of the file.
const END: &str = "\n\n";

/// A file of records, open for appending.
#[derive(Debug)]
pub struct RecordFile {
    path: PathBuf,
    file: File,
}

/// The contents of a file of records.
#[derive(Debug)]
pub struct Contents {
    /// The text of the file.
    pub text: String,
    /// The complete records; `None` if the text is something else than records.
    pub records: Option<Vec<Record>>,
    /// How many bytes the complete records take. The rest is a record whose writing was interrupted.
    complete: usize,
}

impl RecordFile {
    /// Opens a file, or creates it if it does not exist, and reads its contents, which stay as they are.
    ///
    /// # Errors
    /// If the file cannot be read and written; the error names it.
    pub fn open(path: &Path) -> Result<(RecordFile, Contents), String> {
        let failed = |error: io::Error| format!("{}: {error}", path.display());
        if path.exists() {
            check_plain(path).map_err(failed)?;
        }
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failed)?;
        Ok((RecordFile { path: path.into(), file }, Contents::of(text)))
    }

    /// Reads the contents of a file.
    ///
    /// # Errors
    /// If the file cannot be read; the error names it.
    pub fn read(path: &Path) -> Result<Contents, String> {
        let failed = |error: io::Error| format!("{}: {error}", path.display());
        check_plain(path).map_err(failed)?;
        Ok(Contents::of(fs::read_to_string(path).map_err(failed)?))
    }

    /// Removes a record at the end of the file whose writing was interrupted, as by a power failure or a full disk,
    /// and ends the file so that another record can follow.
    ///
    /// # Errors
    /// If the file cannot be shortened or written; the error names it.
    pub fn remove_unfinished(&mut self, contents: &Contents) -> Result<(), String> {
        let cut = match contents.complete < contents.text.len() {
            true => self.file.set_len(contents.complete as u64),
            false => Ok(()),
        };
        let ended = cut.and_then(|()| self.file.write_all(contents.missing_end().as_bytes()));
        ended.map_err(|error| format!("{}: {error}", self.path.display()))
    }

    /// Appends a record. `first_turn` is the full-move number and the side of its first move. What was appended stays
    /// when the program ends at any later moment.
    ///
    /// # Errors
    /// If the record cannot be written; the error names the file.
    pub fn append(&mut self, record: &Record, first_turn: (u32, Side)) -> Result<(), String> {
        let written = self.file.write_all((record.text(first_turn) + END).as_bytes());
        written.map_err(|error| format!("{}: {error}", self.path.display()))
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Contents {
    fn of(text: String) -> Contents {
        let ended = text.rfind(END).map_or(0, |at| at + END.len());
        // A record with a result is complete, even if an editor has removed the empty line behind it.
        let has_result = |record: Record| record.result != "*";
        let complete = if Record::parse(&text[ended..]).is_ok_and(has_result) { text.len() } else { ended };
        let records = Record::parse_all(&text[..complete]).ok();
        let records = records.filter(|records| text.is_empty() == records.is_empty());
        Contents { text, records, complete }
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

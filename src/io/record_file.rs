//! Reads files of game records, and appends records to them. Each record is written when its game
//! ends, so that an interrupted run can continue after the games in its file.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{File, OpenOptions, metadata};
use std::io::{self, Write};
use std::mem;
#[cfg(unix)]
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use pentarch_core::Side;
use pentarch_core::notation::record::unread_elements::UnreadElements;
use pentarch_core::notation::record::{GameRecord, two_player_turns_from};
use pentarch_system::file_system::{lock_file, sync_parent_directory};
use pentarch_system::{FileError, WithErrorLocation};
use thiserror::Error;

use super::charset::{CharsetError, DecodedText, GuessedCharsetWarning, decode_game_file};
use super::output::print_to_stderr;
use super::whole_files::{
    open_regular_file, read_open_file_bytes, read_open_file_text, read_regular_file,
};

/// The empty line that ends each record of the file.
const RECORD_SEPARATOR: &str = "\n\n";

/// The beginning of each record.
const RECORD_START: &str = "[Game \"";

/// A file of records. The file is open for appending and locked against other runs of the program.
#[derive(Debug)]
pub struct RecordFile {
    path: PathBuf,
    file: File,
    /// The number of records written since the file was last synchronised with the disk.
    unsynced: u32,
}

/// The number of records between two synchronisations. A power failure loses fewer records than
/// this number.
const SYNC_INTERVAL_RECORDS: u32 = 8;

/// The contents of a file of records.
#[derive(Debug)]
pub struct RecordFileContents {
    /// The text of the file.
    pub text: String,
    /// The complete records; `None` if the text is not a list of records.
    pub records: Option<Vec<GameRecord>>,
    /// The tags of the first record, if this record was interrupted after its first move and no
    /// record is complete. The caller uses these tags to decide whether the interrupted record may
    /// be cut off.
    pub unfinished: Option<GameRecord>,
    /// The length of the complete records in bytes. An interrupted record may follow these records.
    complete: usize,
}

impl RecordFile {
    /// Opens a file, or creates it if it does not exist, and reads its contents. Does not change
    /// the contents.
    ///
    /// # Errors
    /// If the file cannot be read and written, or if another run has locked it. The error names the
    /// file.
    pub fn open(path: &Path) -> Result<(RecordFile, RecordFileContents), FileError> {
        let mut file =
            open_regular_file(OpenOptions::new().read(true).append(true).create(true), path)
                .with_file_path(path)?;
        let text =
            lock_file(&file).and_then(|()| read_open_file_text(&mut file)).with_file_path(path)?;
        if text.is_empty() {
            sync_parent_directory(path);
        }
        let record_file = RecordFile { path: path.into(), file, unsynced: 0 };
        let mut contents = RecordFileContents::parse(text);
        warn_of_unread_elements(path, contents.records.iter_mut().flatten());
        Ok((record_file, contents))
    }

    /// Reads the contents of a file.
    ///
    /// # Errors
    /// If the file cannot be read. The error names the file.
    pub fn read(path: &Path) -> Result<RecordFileContents, FileError> {
        let text = read_regular_file(path).with_file_path(path)?;
        let mut contents = RecordFileContents::parse(text);
        warn_of_unread_elements(path, contents.records.iter_mut().flatten());
        Ok(contents)
    }

    /// Removes an incomplete record at the end of the file. A power failure or a full disk leaves
    /// such a record. Also adds missing line ends, so that another record can follow.
    ///
    /// # Errors
    /// If the file cannot be shortened or written. The error names the file.
    pub fn remove_unfinished_record(
        &mut self,
        contents: &RecordFileContents,
    ) -> Result<(), FileError> {
        if contents.complete < contents.text.len() {
            self.file.set_len(contents.complete as u64).with_file_path(&self.path)?;
        }
        self.file
            .write_all(contents.missing_record_separator().as_bytes())
            .with_file_path(&self.path)
    }

    /// Appends a record. `first_turn` contains the full-move number and the side of its first move.
    /// From then on the record survives even if the program crashes. A power failure loses fewer
    /// than eight records. If the record cannot be written completely, the written part is removed.
    ///
    /// # Errors
    /// If the record cannot be written. The error names the file.
    pub fn append(
        &mut self,
        record: &GameRecord,
        first_turn: (u32, Side),
    ) -> Result<(), FileError> {
        let length = self.file.metadata().map(|metadata| metadata.len());
        let written = self
            .file
            .write_all(format_record_entry(record, first_turn).as_bytes())
            .inspect_err(|_| {
                // If the written part cannot be removed, it remains as an incomplete record, as
                // after a power failure.
                let _ = length.and_then(|length| self.file.set_len(length));
            });
        written.with_file_path(&self.path)?;
        self.unsynced = (self.unsynced + 1) % SYNC_INTERVAL_RECORDS;
        if self.unsynced == 0 {
            self.file.sync_data().with_file_path(&self.path)?;
        }
        Ok(())
    }
}

/// Synchronises the last records with the disk.
impl Drop for RecordFile {
    fn drop(&mut self) {
        if self.unsynced > 0 {
            // An error is ignored here, because the records are already in the file.
            let _ = self.file.sync_data();
        }
    }
}

/// Prints a warning about the elements of a file that its records list as unread. Empties these
/// lists.
pub fn warn_of_unread_elements<'a>(
    path: &Path,
    records: impl IntoIterator<Item = &'a mut GameRecord>,
) {
    let mut unread = UnreadElements::default();
    for record in records {
        unread.append(mem::take(&mut record.unread));
    }
    if !unread.is_empty() {
        print_to_stderr(&format!("{}: {unread}", path.display()));
    }
}

/// Returns a record as it appears in a file of records, with its checksum. `first_turn` contains
/// the full-move number and the side of its first move.
pub fn format_record_entry(record: &GameRecord, first_turn: (u32, Side)) -> String {
    record.clone().with_checksum().text(two_player_turns_from(first_turn)) + RECORD_SEPARATOR
}

impl RecordFileContents {
    fn parse(text: String) -> RecordFileContents {
        let ended = text.rfind(RECORD_SEPARATOR).map_or(0, |at| at + RECORD_SEPARATOR.len());
        // A record with a result is complete, even if an editor has removed the empty line after
        // it.
        let last = GameRecord::parse(&text[ended..]);
        let complete =
            if last.is_ok_and(|record| record.result != "*") { text.len() } else { ended };
        let records = GameRecord::parse_all(&text[..complete]).ok();
        let tags_end =
            text.split_inclusive('\n').take_while(|line| line.starts_with('[')).map(str::len).sum();
        let (tags, moves) = text.split_at(if complete == 0 { tags_end } else { 0 });
        let unfinished =
            if tags.is_empty() || moves.is_empty() { None } else { GameRecord::parse(tags).ok() };
        // Any other text without a complete record must not be cut off.
        let is_start = RECORD_START.starts_with(&text)
            || text.starts_with(RECORD_START) && (moves.is_empty() || unfinished.is_some());
        let records = records.filter(|records| is_start || !records.is_empty());
        RecordFileContents { text, records, unfinished, complete }
    }

    /// Returns the line ends that must be added before another record can follow.
    fn missing_record_separator(&self) -> &'static str {
        match &self.text[..self.complete] {
            "" => "",
            text if text.ends_with(RECORD_SEPARATOR) => "",
            text if text.ends_with('\n') => &RECORD_SEPARATOR[1..],
            _ => RECORD_SEPARATOR,
        }
    }
}

/// Splits `FILE:NUMBER` into its parts. If a file has this whole name, the name is not split.
fn split_game_number(name: &Path) -> (&Path, Option<usize>) {
    if !name.exists()
        && let Some((file, number)) = split_at_colon(name.as_os_str())
        && let Ok(number) = number.parse()
    {
        return (Path::new(file), Some(number));
    }
    (name, None)
}

/// Splits a name, which need not be UTF-8, at its last colon.
#[cfg(unix)]
fn split_at_colon(name: &OsStr) -> Option<(&OsStr, &str)> {
    let bytes = name.as_bytes();
    let at = bytes.iter().rposition(|&byte| byte == b':')?;
    Some((OsStr::from_bytes(&bytes[..at]), str::from_utf8(&bytes[at + 1..]).ok()?))
}

/// Splits a name in UTF-8 at its last colon.
#[cfg(not(unix))]
fn split_at_colon(name: &OsStr) -> Option<(&OsStr, &str)> {
    let (file, number) = name.to_str()?.rsplit_once(':')?;
    Some((OsStr::new(file), number))
}

/// The maximum size in bytes of a file of records that is read as a whole.
pub const MAX_RECORD_FILE_BYTES: u64 = 16 * 1024 * 1024;

/// An error while a file of records is read as a whole.
#[derive(Debug, Error)]
pub enum ReadRecordFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file has more than [`MAX_RECORD_FILE_BYTES`] bytes.
    #[error("it has more than {MAX_RECORD_FILE_BYTES} bytes")]
    TooLarge,
    /// The bytes of the file are not valid in the character set of the text.
    #[error(transparent)]
    Charset(#[from] CharsetError),
}

/// The text of a file of games, not parsed yet.
pub struct GameFileText {
    /// The text.
    pub text: String,
    /// The number of a game, if the name ends in `:NUMBER`.
    pub number: Option<usize>,
    /// Warnings about the character sets.
    pub notes: BTreeSet<GuessedCharsetWarning>,
}

/// Reads a file of games. The name is `FILE`, or `FILE:NUMBER` for one of its games.
///
/// # Errors
/// If the file cannot be read, or if it is too large.
pub fn read_record_file_text(name: &Path) -> Result<GameFileText, ReadRecordFileError> {
    let (name, number) = split_game_number(name);
    let path = Path::new(name);
    let length = metadata(path)?.len();
    if length > MAX_RECORD_FILE_BYTES {
        return Err(ReadRecordFileError::TooLarge);
    }
    let bytes = read_open_file_bytes(&mut open_regular_file(OpenOptions::new().read(true), path)?)?;
    let DecodedText { text, notes } = decode_game_file(bytes)?;
    Ok(GameFileText { text, number, notes })
}

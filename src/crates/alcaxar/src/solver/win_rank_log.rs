//! The ranks of certain wins. Some positions are a win for the other side if they are repeated. The
//! ranks limit the number of times that such a position can still occur.
//!
//! During a stage, a log records the states with green to move that have entered, and their ranks.
//! The log has a record for each step and each chunk of the sets of walls. When the stage has
//! ended, [`write_win_rank_file`] writes the ranks to a file in the order of the states.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use lz4_flex::block::{compress, decompress};

use pentarch_core::Side;
use pentarch_core::tables::directory::{TableDirectory, table_file_path};
use pentarch_system::file_system::open_without_link;
use pentarch_system::{LocatedError, WithErrorLocation};
use pentarch_tables::error::TableFileError;
use pentarch_tables::table_file::{self, StoredTableValues};

use super::error::{SolverError, SolverFileError};
use super::pair_set::PairSet;
use super::wall_sets::count_wall_sets;
use super::{RetrogradeSolver, WALL_SETS_PER_CHUNK};

/// The log of the ranks.
#[derive(Debug)]
pub struct WinRankLog {
    file: Mutex<WinRankLogWriter>,
    /// The rank of the states that enter.
    pub rank: u64,
    /// The rank of the states that have entered by staying. The log does not list these states.
    pub stay_rank: u64,
}

/// A file to which records are appended.
#[derive(Debug)]
struct WinRankLogWriter {
    file: File,
    /// The first error of a write.
    error: Option<io::Error>,
}

/// The first words of each record of the log:
///
/// - the rank
/// - the number of the chunk
/// - the number of bytes that follow
/// - the number of bytes when decompressed
/// - the number of entries
/// - the [checksum](log_record_checksum)
type LogRecordHeader = [u32; 6];

const WIN_RANK_LOG_FORMAT_LINE: &[u8] = b"pentarch ranks log 2\n";

/// Returns the checksum of a record that begins at offset `at`. It covers the offset, the other
/// words of the header, and the bytes of the record.
fn log_record_checksum(
    at: u64,
    [rank, chunk, len, decompressed, entries, _]: LogRecordHeader,
    bytes: &[u8],
) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&at.to_le_bytes());
    hasher.update(bytemuck::bytes_of(&[rank, chunk, len, decompressed, entries]));
    hasher.update(bytes);
    hasher.finalize()
}

/// The number of entries per index element of a rank file. The element is the number of ranks in
/// the file before those of its entries.
pub const ENTRIES_PER_RANK_INDEX_NUMBER: usize = 64;

/// The states of one chunk that enter the set of won states in one step.
///
/// Numbers of one kind are stored together, so that they compress well.
#[derive(Debug, Default)]
pub struct NewWonStates {
    /// For each entry with new states, the difference between its number and the number of the
    /// previous entry with new states.
    entries: Vec<u16>,
    /// For each entry with new states, the number of its new states minus one.
    lens: Vec<u8>,
    /// The new states of all entries, as the numbers of their pairs of knights.
    pairs: Vec<u8>,
    /// The last entry with new states, counted from the first entry of the chunk.
    last: usize,
}

impl NewWonStates {
    /// Collects the states that enter. An element of `entered` is an entry and the pairs of its new
    /// states; an entry may occur more than once. `first` is the first entry of the chunk.
    pub fn new(first: usize, entered: &mut [(usize, PairSet)]) -> NewWonStates {
        entered.sort_unstable_by_key(|&(entry, _)| entry);
        let mut states = NewWonStates::default();
        for same in entered.chunk_by(|one, other| one.0 == other.0) {
            let pairs = same.iter().fold(PairSet::EMPTY, |all, &(_, pairs)| all | pairs);
            let entry = same[0].0 - first;
            states.entries.push((entry - states.last) as u16);
            states.lens.push((pairs.len() - 1) as u8);
            states.pairs.extend(pairs.iter_numbers());
            states.last = entry;
        }
        states
    }

    /// Returns the bytes of a record.
    fn to_bytes(&self) -> Vec<u8> {
        let [low, high] =
            [0, 8].map(|shift| self.entries.iter().map(|entry| (entry >> shift) as u8).collect());
        [low, high, self.lens.clone(), self.pairs.clone()].concat()
    }
}

impl WinRankLog {
    /// Opens the log at a path to append records after its first `len` bytes. Removes all later
    /// bytes.
    ///
    /// # Errors
    /// If the log cannot be written, is too short, has another version or has a damaged record.
    pub fn open(path: &Path, len: u64) -> Result<WinRankLog, LocatedError<SolverFileError>> {
        let open = || {
            let mut file = open_without_link(path)?;
            if file.metadata()?.len() < len {
                return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
            }
            file.set_len(len)?;
            match len {
                0 => file.write_all(WIN_RANK_LOG_FORMAT_LINE)?,
                _ => check_win_rank_log(&mut file)?,
            }
            file.seek(SeekFrom::End(0))?;
            Ok(WinRankLogWriter { file, error: None })
        };
        Ok(WinRankLog { file: Mutex::new(open().with_file_path(path)?), rank: 0, stay_rank: 0 })
    }

    /// Appends a record with these states. Does nothing if there are none. If writing fails,
    /// [`sync`](WinRankLog::sync) returns the error later.
    pub fn append(&self, chunk: usize, states: &NewWonStates) {
        if states.entries.is_empty() {
            return;
        }
        let bytes = states.to_bytes();
        let compressed = compress(&bytes);
        let mut log = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let lens = [compressed.len(), bytes.len(), states.entries.len()].map(|len| len as u32);
        let mut head: LogRecordHeader =
            [self.rank as u32, chunk as u32, lens[0], lens[1], lens[2], 0];
        let written = log.file.stream_position().and_then(|at| {
            head[5] = log_record_checksum(at, head, &compressed);
            log.file.write_all(bytemuck::bytes_of(&head))?;
            log.file.write_all(&compressed)
        });
        log.error = log.error.take().or(written.err());
    }

    /// Flushes the log to the disk, so that the log survives a power failure. Returns the length of
    /// the log in bytes.
    ///
    /// # Errors
    /// If a record could not be written.
    pub fn sync(&self) -> io::Result<u64> {
        let mut log = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        match log.error.take() {
            Some(error) => Err(error),
            None => log.file.sync_all().and_then(|()| log.file.stream_position()),
        }
    }

    /// Finds the records of each chunk. `chunks` is the number of chunks. No other thread can
    /// append until the result is dropped.
    ///
    /// # Errors
    /// If the log cannot be read, or if it has a record of a chunk that does not exist.
    pub fn records(&self, chunks: usize) -> Result<WinRankLogRecords<'_>, SolverFileError> {
        let mut log = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let records = find_log_records(&mut log.file, chunks)?;
        Ok(WinRankLogRecords { log, records })
    }
}

/// The records of a log by chunk.
#[derive(Debug)]
pub struct WinRankLogRecords<'a> {
    log: MutexGuard<'a, WinRankLogWriter>,
    records: Vec<Vec<WinRankLogRecord>>,
}

impl WinRankLogRecords<'_> {
    /// Reads the records of a chunk, and writes the rank of each listed state to `ranks`. `ranks`
    /// has 256 elements for each entry of the chunk, one for each pair of knights.
    ///
    /// # Errors
    /// If a record cannot be read, is damaged, or does not fit the entries.
    pub fn read_chunk(&mut self, chunk: usize, ranks: &mut [u16]) -> Result<(), SolverFileError> {
        self.records[chunk]
            .iter()
            .try_for_each(|record| record.read_win_ranks(&mut self.log.file, ranks))
    }
}

/// Writes the rank file: the ranks of the certain wins with green to move that are not safe. The
/// solver must have the certain wins and their log. `safe` is the name of the file of the safe
/// wins.
///
/// The file begins with an [index](ENTRIES_PER_RANK_INDEX_NUMBER). The last number of the index is
/// the number of all ranks. Then come the ranks, in groups of [`ENTRIES_PER_RANK_INDEX_NUMBER`]
/// entries. Each group has first the low bytes of all its ranks and then the high bytes. The high
/// bytes compress to nearly nothing.
///
/// # Errors
/// If a file cannot be read or written.
pub fn write_win_rank_file(
    solver: &RetrogradeSolver,
    directory: &Path,
    name: &str,
    safe: &str,
) -> Result<(), SolverError> {
    let files = TableDirectory(directory);
    let safe_wins = StoredTableValues::open(&files, safe, Some(solver.side_entries_size() as u64))?;
    let safe_wins = safe_wins.ok_or_else(|| SolverError::missing_file_error(&files, safe))?;
    let path = table_file_path(directory, name);
    let chunks = count_wall_sets(solver.numbering.walls).div_ceil(WALL_SETS_PER_CHUNK);
    let index = build_win_rank_index(solver, &safe_wins, chunks).with_file_path(&path)?;
    let total = index[index.len() - 1];
    let log = solver.log.as_ref().ok_or(SolverError::NoLog)?;
    let stay_rank = to_stored_win_rank(log.stay_rank).with_file_path(&path)?;
    let mut records = log.records(chunks).with_file_path(&path)?;
    let mut writer = table_file::TableFileWriter::new(
        directory,
        name,
        size_of_val(&index[..]) as u64 + 2 * total,
    )?;
    writer.write(bytemuck::cast_slice(&index))?;
    let mut ranks = Vec::new();
    let mut bytes = [Vec::new(), Vec::new()];
    let mut entry = 0;
    let mut write = |bytes: &mut [Vec<u8>; 2]| {
        bytes.iter_mut().try_for_each(|bytes| writer.write(&std::mem::take(bytes)))
    };
    for chunk in 0..chunks {
        let sets = non_safe_wins(solver, &safe_wins, chunk).with_file_path(&path)?;
        ranks.clear();
        ranks.resize(sets.len() * 256, stay_rank);
        records.read_chunk(chunk, &mut ranks).with_file_path(&path)?;
        for (set, ranks) in sets.iter().zip(ranks.chunks(256)) {
            for pair in set.iter_numbers() {
                let rank = ranks[usize::from(pair)].to_le_bytes();
                bytes.iter_mut().zip(rank).for_each(|(bytes, byte)| bytes.push(byte));
            }
            entry += 1;
            if entry % ENTRIES_PER_RANK_INDEX_NUMBER == 0 {
                write(&mut bytes)?;
            }
        }
    }
    write(&mut bytes)?;
    Ok(writer.finish()?)
}

fn non_safe_wins(
    solver: &RetrogradeSolver,
    safe_wins: &StoredTableValues,
    chunk: usize,
) -> Result<Vec<PairSet>, TableFileError> {
    let end = (chunk + 1) * WALL_SETS_PER_CHUNK;
    let range = solver.numbering.first_entry(chunk * WALL_SETS_PER_CHUNK)
        ..solver.numbering.first_entry(end.min(count_wall_sets(solver.numbering.walls)));
    let mut safe = vec![PairSet::EMPTY.0; range.len()];
    let start = (range.start * size_of::<PairSet>()) as u64;
    safe_wins.read(start, bytemuck::cast_slice_mut(&mut safe))?;
    let mut sets = Vec::with_capacity(safe.len());
    for (entry, safe) in range.zip(safe) {
        sets.push(solver.entries.get(Side::Second, entry) & !PairSet(safe));
    }
    Ok(sets)
}

fn build_win_rank_index(
    solver: &RetrogradeSolver,
    safe_wins: &StoredTableValues,
    chunks: usize,
) -> Result<Vec<u64>, TableFileError> {
    let mut index = Vec::new();
    let mut total = 0;
    let mut entry = 0;
    for chunk in 0..chunks {
        for set in non_safe_wins(solver, safe_wins, chunk)? {
            if entry % ENTRIES_PER_RANK_INDEX_NUMBER == 0 {
                index.push(total);
            }
            total += set.len();
            entry += 1;
        }
    }
    index.push(total);
    Ok(index)
}

fn to_stored_win_rank(rank: u64) -> Result<u16, SolverFileError> {
    rank.try_into().map_err(|_| SolverFileError::Rank { rank })
}

/// Checks the format of a log and the checksums of its records.
fn check_win_rank_log(log: &mut File) -> Result<(), SolverFileError> {
    log.rewind()?;
    let end = log.metadata()?.len();
    let mut log = BufReader::new(log);
    let mut format = [0; WIN_RANK_LOG_FORMAT_LINE.len()];
    log.read_exact(&mut format)?;
    if format != WIN_RANK_LOG_FORMAT_LINE {
        return Err(SolverFileError::Version);
    }
    let mut at = WIN_RANK_LOG_FORMAT_LINE.len() as u64;
    while at < end {
        let mut head = LogRecordHeader::default();
        log.read_exact(bytemuck::bytes_of_mut(&mut head))?;
        let next = at + size_of::<LogRecordHeader>() as u64 + u64::from(head[2]);
        // A damaged length might be larger than the memory.
        if next > end {
            return Err(SolverFileError::Damaged { at });
        }
        let mut bytes = vec![0; head[2] as usize];
        log.read_exact(&mut bytes)?;
        if log_record_checksum(at, head, &bytes) != head[5] {
            return Err(SolverFileError::Damaged { at });
        }
        at = next;
    }
    Ok(())
}

#[derive(Debug)]
struct WinRankLogRecord {
    head: LogRecordHeader,
    /// The offset in the log of the bytes after the header.
    at: u64,
}

/// Returns the records of each chunk.
fn find_log_records(
    log: &mut File,
    chunks: usize,
) -> Result<Vec<Vec<WinRankLogRecord>>, SolverFileError> {
    let mut records: Vec<Vec<WinRankLogRecord>> = (0..chunks).map(|_| Vec::new()).collect();
    let end = log.seek(SeekFrom::End(0))?;
    let mut at = WIN_RANK_LOG_FORMAT_LINE.len() as u64;
    log.seek(SeekFrom::Start(at))?;
    let mut log = BufReader::new(log);
    while at < end {
        let mut head = LogRecordHeader::default();
        log.read_exact(bytemuck::bytes_of_mut(&mut head))?;
        let [_, chunk, len, ..] = head;
        at += size_of::<LogRecordHeader>() as u64;
        let records = records.get_mut(chunk as usize).ok_or(SolverFileError::Record)?;
        records.push(WinRankLogRecord { head, at });
        at += u64::from(len);
        log.seek_relative(len.into())?;
    }
    Ok(records)
}

impl WinRankLogRecord {
    /// Reads the record, and writes its rank to `ranks` for each listed state. `ranks` has 256
    /// elements for each entry of the chunk, one for each pair of knights.
    fn read_win_ranks(&self, log: &mut File, ranks: &mut [u16]) -> Result<(), SolverFileError> {
        // A record has at most two bytes for each element of `ranks`, because it lists each state
        // and each entry at most once.
        let rank = to_stored_win_rank(self.head[0].into())?;
        let [_, _, len, decompressed, entries, _] = self.head.map(|number| number as usize);
        if len.max(decompressed) > 2 * ranks.len() {
            return Err(SolverFileError::Record);
        }
        let mut compressed = vec![0; len];
        log.seek(SeekFrom::Start(self.at))?;
        log.read_exact(&mut compressed)?;
        let at = self.at - size_of::<LogRecordHeader>() as u64;
        if log_record_checksum(at, self.head, &compressed) != self.head[5] {
            return Err(SolverFileError::Damaged { at });
        }
        let record = decompress(&compressed, decompressed)?;
        let (heads, mut pairs) =
            record.split_at_checked(3 * entries).ok_or(SolverFileError::Record)?;
        let mut entry = 0;
        for number in 0..entries {
            let [low, high, len] = [0, 1, 2].map(|part| heads[part * entries + number]);
            entry += usize::from(u16::from_le_bytes([low, high]));
            let (of_entry, others) =
                pairs.split_at_checked(usize::from(len) + 1).ok_or(SolverFileError::Record)?;
            for pair in of_entry {
                *ranks
                    .get_mut(entry * 256 + usize::from(*pair))
                    .ok_or(SolverFileError::Record)? = rank;
            }
            pairs = others;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn the_log_follows_no_link() {
        let folder = std::env::temp_dir().join(format!("pentarch-log-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let [victim, path] = ["victim", "alcaxar-1-ranks.log"].map(|name| folder.join(name));
        std::fs::write(&victim, "victim").unwrap();
        std::os::unix::fs::symlink("victim", &path).unwrap();
        let error = WinRankLog::open(&path, 0).unwrap_err().to_string();
        assert!(error.ends_with("alcaxar-1-ranks.log: it is not a regular file"), "{error}");
        assert_eq!(std::fs::read_to_string(&victim).unwrap(), "victim");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn damaged_logs_are_rejected() {
        let folder = std::env::temp_dir().join(format!("pentarch-ranks-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("alcaxar-1-ranks.log");
        let mut log = WinRankLog::open(&path, 0).unwrap();
        for rank in 1..6 {
            log.rank = rank;
            let mut entered: Vec<(usize, PairSet)> = (0..50)
                .map(|entry| (entry * 3, PairSet([rank << entry, 1, 0, entry as u64])))
                .collect();
            log.append(rank as usize % 2, &NewWonStates::new(0, &mut entered));
        }
        let len = log.sync().unwrap();
        let whole = std::fs::read(&path).unwrap();
        assert_eq!(len, whole.len() as u64);
        let read = || {
            let log = WinRankLog::open(&path, len)?;
            let mut records = log.records(2).with_file_path(&path)?;
            let mut ranks = vec![0; 256 * 256];
            (0..2).try_for_each(|chunk| records.read_chunk(chunk, &mut ranks)).with_file_path(&path)
        };
        read().unwrap();
        let mut rng = fastrand::Rng::with_seed(83);
        for _ in 0..200 {
            let mut damaged = whole.clone();
            let at = rng.usize(..whole.len());
            match rng.u8(..5) {
                0 => damaged[at] ^= 1 << rng.u8(..8),
                1 => damaged[at] = damaged[at].wrapping_add(rng.u8(1..)),
                2 => damaged.truncate(at),
                3 => damaged[at..].rotate_left(1),
                _ => damaged.insert(at, rng.u8(..)),
            }
            if damaged[..] != whole {
                std::fs::write(&path, &damaged).unwrap();
                // A damaged log may begin with the whole log, if bytes were only added. The reader
                // cuts off the bytes after the known length.
                assert!(read().is_err() || damaged.starts_with(&whole));
            }
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

//! Reads the files of the certain or safe wins of one side, entry by entry.

use pentarch_core::TableFiles;
use pentarch_tables::table_file::StoredTableValues;

use super::super::error::{SolverError, SolverFileError};
use super::super::file_names::{stage_file_name, win_ranks_file_name};
use super::super::stages::Stage;
use super::super::win_rank_log::ENTRIES_PER_RANK_INDEX_NUMBER;
use super::CheckFailure;
use super::knight_pair_moves::{
    KnightPairsByRedSquare, count_knight_pairs, knight_pairs_from_words, subtract_knight_pairs,
};

const WIN_ENTRY_BYTES: usize = 32;
/// The number of entries that are read at once, a multiple of [`ENTRIES_PER_RANK_INDEX_NUMBER`].
const ENTRIES_PER_READ: usize = ENTRIES_PER_RANK_INDEX_NUMBER << 8;

/// The wins of an entry.
pub struct WinEntry<'a> {
    /// The number of the entry.
    pub entry: usize,
    /// All wins.
    pub wins: KnightPairsByRedSquare,
    /// The safe wins of the entry.
    pub safe: KnightPairsByRedSquare,
    /// The wins that are not safe.
    pub ranked: KnightPairsByRedSquare,
    /// The ranks of the states in `ranked`, in ascending order of the pairs.
    pub ranks: &'a [u16],
}

/// The opened files of one side's wins. They contain only states with the other side to move.
pub struct WinFiles {
    /// The names of the files.
    pub names: Vec<String>,
    /// The file of the certain wins, or of the safe wins if only these are checked.
    wins: StoredTableValues,
    /// The file of the safe wins, and the file with the ranks of the other wins; `None` if only the
    /// safe wins are checked.
    ranked: Option<[StoredTableValues; 2]>,
    entries: usize,
}

impl WinFiles {
    /// Opens the files of a stage, which must be the safe wins or the certain wins of a side.
    ///
    /// # Errors
    /// If a file is missing or cannot be used.
    pub fn open(
        files: &dyn TableFiles,
        walls: usize,
        entries: usize,
        stage: Stage,
    ) -> Result<WinFiles, SolverError> {
        let open = |name: &str, len: Option<usize>| {
            let opened = StoredTableValues::open(files, name, len.map(|len| len as u64))?;
            opened.ok_or_else(|| SolverError::missing_file_error(files, name))
        };
        let name = |stage| stage_file_name(walls, stage).unwrap_or_default();
        let winner = stage.winner();
        let len = Some(WIN_ENTRY_BYTES * entries);
        let mut names = vec![name(stage)];
        let wins = open(&names[0], len)?;
        let mut ranked = None;
        if let Stage::Certain(_) = stage {
            names.extend([name(Stage::Safe(winner)), win_ranks_file_name(walls, winner)]);
            ranked = Some([open(&names[1], len)?, open(&names[2], None)?]);
        }
        Ok(WinFiles { names, wins, ranked, entries })
    }

    /// Returns a line for each file, with the number of its values and its checksum.
    pub fn file_checksum_lines(&self) -> Vec<&str> {
        std::iter::once(&self.wins)
            .chain(self.ranked.iter().flatten())
            .map(StoredTableValues::checksum_line)
            .collect()
    }

    /// Calls `act` with each entry.
    ///
    /// # Errors
    /// If a file cannot be read or is damaged, or if `act` returns an error.
    pub fn for_each_entry(
        &self,
        act: impl FnMut(&WinEntry) -> Result<(), CheckFailure>,
    ) -> Result<(), CheckFailure> {
        let mut result = Ok(());
        let read = self.read_entries(act, &mut result);
        result.and(read.map_err(|error| {
            let is_damage = error.is_damage();
            let error = SolverError::Stage { names: self.names.clone(), error };
            if is_damage { CheckFailure::Damaged(error) } else { CheckFailure::Impossible(error) }
        }))
    }

    /// Calls `act` with each entry until `act` returns an error. Writes the last result of `act` to
    /// `result`.
    fn read_entries(
        &self,
        mut act: impl FnMut(&WinEntry) -> Result<(), CheckFailure>,
        result: &mut Result<(), CheckFailure>,
    ) -> Result<(), SolverFileError> {
        let mut index = vec![0_u64; self.entries.div_ceil(ENTRIES_PER_RANK_INDEX_NUMBER) + 1];
        if let Some([_, ranks]) = &self.ranked {
            ranks.read(0, bytemuck::cast_slice_mut(&mut index))?;
        }
        let mut ranks = Vec::new();
        for start in (0..self.entries).step_by(ENTRIES_PER_READ) {
            let len_here = ENTRIES_PER_READ.min(self.entries - start);
            let read = |values: &StoredTableValues| {
                let mut sets = vec![[0_u64; 4]; len_here];
                values
                    .read((start * WIN_ENTRY_BYTES) as u64, bytemuck::cast_slice_mut(&mut sets))?;
                Ok::<_, SolverFileError>(sets)
            };
            let wins = read(&self.wins)?;
            let safe = self.ranked.as_ref().map(|[safe, _]| read(safe)).transpose()?;
            let mut at = 0;
            for (number, &wins) in wins.iter().enumerate() {
                let entry = start + number;
                let damaged = || SolverFileError::IndexOfRanks { entry };
                if entry % ENTRIES_PER_RANK_INDEX_NUMBER == 0 {
                    self.read_win_ranks(&index, entry, &mut ranks)?;
                    at = 0;
                }
                let wins = knight_pairs_from_words(wins);
                let safe = safe.as_ref().map_or(wins, |safe| knight_pairs_from_words(safe[number]));
                let ranked = subtract_knight_pairs(wins, safe);
                let end = at + count_knight_pairs(ranked) as usize;
                let ranks_here = ranks.get(at..end).ok_or_else(damaged)?;
                *result = act(&WinEntry { entry, wins, safe, ranked, ranks: ranks_here });
                if result.is_err() {
                    return Ok(());
                }
                at = end;
                let is_last =
                    entry + 1 == self.entries || (entry + 1) % ENTRIES_PER_RANK_INDEX_NUMBER == 0;
                if is_last && at != ranks.len() {
                    return Err(damaged());
                }
            }
        }
        Ok(())
    }

    /// Reads the ranks of the group of [`ENTRIES_PER_RANK_INDEX_NUMBER`] entries that begins with
    /// `entry`. `index` says where the ranks of each group begin in the file.
    fn read_win_ranks(
        &self,
        index: &[u64],
        entry: usize,
        ranks: &mut Vec<u16>,
    ) -> Result<(), SolverFileError> {
        ranks.clear();
        let Some([_, stored]) = &self.ranked else { return Ok(()) };
        let first = index[entry / ENTRIES_PER_RANK_INDEX_NUMBER];
        let end = index[entry / ENTRIES_PER_RANK_INDEX_NUMBER + 1];
        let count = end.checked_sub(first).filter(|&count| {
            end <= stored.byte_count() / 2 && count <= (256 * ENTRIES_PER_RANK_INDEX_NUMBER) as u64
        });
        let count = count.ok_or(SolverFileError::IndexOfRanks { entry })? as usize;
        let mut bytes = vec![0; 2 * count];
        stored.read(size_of_val(index) as u64 + 2 * first, &mut bytes)?;
        let (low, high) = bytes.split_at(count);
        for (&low, &high) in low.iter().zip(high) {
            ranks.push(u16::from_le_bytes([low, high]));
        }
        Ok(())
    }
}

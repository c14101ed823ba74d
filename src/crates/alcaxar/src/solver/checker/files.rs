//! The files of the certain wins of one side, read entry by entry.

use pentarch_core::{Side, TableFiles};
use pentarch_tables::file::StoredValues;

use super::super::error::{SolverError, SolverFileError};
use super::super::file_names::{file_name, missing, ranks_name};
use super::super::ranks::INDEXED;
use super::super::stages::Stage;
use super::Fault;
use super::walls::{Pairs, from_words, len, without};

/// The size of an entry in bytes.
const ENTRY: usize = 32;
/// How many entries are read at once, a multiple of [`INDEXED`].
const PART: usize = INDEXED << 8;

/// The wins of an entry.
pub struct WinEntry<'a> {
    /// The number of the entry.
    pub entry: usize,
    /// All wins.
    pub wins: Pairs,
    /// Those that are safe.
    pub safe: Pairs,
    /// The wins that are not safe.
    pub ranked: Pairs,
    /// The ranks of these, in the order of the pairs.
    pub ranks: &'a [u16],
}

/// The files of the wins of one side with the other side to move.
pub struct WinFiles {
    /// The names of the files.
    pub names: Vec<String>,
    /// The wins; the safe ones, if only these have been found.
    wins: StoredValues,
    /// The safe wins, and the ranks of the others; none if all wins are safe.
    ranked: Option<[StoredValues; 2]>,
    entries: usize,
}

impl WinFiles {
    /// Opens the files of a stage, which is that of the safe or that of the certain wins of a side.
    ///
    /// # Errors
    /// If one is missing or cannot be used.
    pub fn open(
        files: &dyn TableFiles,
        walls: usize,
        entries: usize,
        stage: Stage,
    ) -> Result<WinFiles, SolverError> {
        let open = |name: &str, len: Option<usize>| {
            let opened = StoredValues::open(files, name, len.map(|len| len as u64))?;
            opened.ok_or_else(|| missing(files, name))
        };
        let name = |stage| file_name(walls, stage).unwrap_or_default();
        let (winner, len): (Side, _) = (stage.winner(), Some(ENTRY * entries));
        let mut names = vec![name(stage)];
        let wins = open(&names[0], len)?;
        let mut ranked = None;
        if let Stage::Certain(_) = stage {
            names.extend([name(Stage::Safe(winner)), ranks_name(walls, winner)]);
            ranked = Some([open(&names[1], len)?, open(&names[2], None)?]);
        }
        Ok(WinFiles { names, wins, ranked, entries })
    }

    /// The number of values and the checksum of each file.
    pub fn checksums(&self) -> Vec<&str> {
        std::iter::once(&self.wins)
            .chain(self.ranked.iter().flatten())
            .map(StoredValues::checksum)
            .collect()
    }

    /// Calls `take` with each entry.
    ///
    /// # Errors
    /// If a file cannot be read, or is damaged; what `take` finds.
    pub fn for_each(&self, take: impl FnMut(&WinEntry) -> Result<(), Fault>) -> Result<(), Fault> {
        let mut found = Ok(());
        let read = self.read(take, &mut found);
        found.and(read.map_err(|error| {
            let is_damage = error.is_damage();
            let error = SolverError::Stage { names: self.names.clone(), error };
            if is_damage { Fault::Damaged(error) } else { Fault::Unable(error) }
        }))
    }

    /// Does what [`for_each`](WinFiles::for_each) says, and puts what `take` finds into `found`.
    fn read(
        &self,
        mut take: impl FnMut(&WinEntry) -> Result<(), Fault>,
        found: &mut Result<(), Fault>,
    ) -> Result<(), SolverFileError> {
        let mut index = vec![0_u64; self.entries.div_ceil(INDEXED) + 1];
        if let Some([_, ranks]) = &self.ranked {
            ranks.read(0, bytemuck::cast_slice_mut(&mut index))?;
        }
        let mut ranks = Vec::new();
        for start in (0..self.entries).step_by(PART) {
            let len_here = PART.min(self.entries - start);
            let read = |values: &StoredValues| {
                let mut sets = vec![[0_u64; 4]; len_here];
                values.read((start * ENTRY) as u64, bytemuck::cast_slice_mut(&mut sets))?;
                Ok::<_, SolverFileError>(sets)
            };
            let wins = read(&self.wins)?;
            let safe = self.ranked.as_ref().map(|[safe, _]| read(safe)).transpose()?;
            let mut at = 0;
            for (number, &wins) in wins.iter().enumerate() {
                let entry = start + number;
                let damaged = || SolverFileError::IndexOfRanks { entry };
                if entry % INDEXED == 0 {
                    ranks.clear();
                    at = 0;
                    if let Some([_, stored]) = &self.ranked {
                        let [first, end] = [0, 1].map(|more| index[entry / INDEXED + more]);
                        let is_there = end <= stored.size() / 2;
                        let count = end
                            .checked_sub(first)
                            .filter(|&count| is_there && count <= (256 * INDEXED) as u64);
                        let count = count.ok_or_else(damaged)? as usize;
                        let mut bytes = vec![0; 2 * count];
                        stored.read(size_of_val(&index[..]) as u64 + 2 * first, &mut bytes)?;
                        let (low, high) = bytes.split_at(count);
                        ranks.extend(
                            low.iter()
                                .zip(high)
                                .map(|(&low, &high)| u16::from_le_bytes([low, high])),
                        );
                    }
                }
                let wins = from_words(wins);
                let safe = safe.as_ref().map_or(wins, |safe| from_words(safe[number]));
                let ranked = without(wins, safe);
                let end = at + len(ranked) as usize;
                *found = take(&WinEntry {
                    entry,
                    wins,
                    safe,
                    ranked,
                    ranks: ranks.get(at..end).ok_or_else(damaged)?,
                });
                if found.is_err() {
                    return Ok(());
                }
                at = end;
                let is_last = entry + 1 == self.entries || (entry + 1) % INDEXED == 0;
                if is_last && at != ranks.len() {
                    return Err(damaged());
                }
            }
        }
        Ok(())
    }
}

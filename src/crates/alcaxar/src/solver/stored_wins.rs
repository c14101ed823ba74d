//! Reads single states of the solver's wins from the files.

use pentarch_core::{Side, TableFiles};
use pentarch_system::WithErrorLocation;
use pentarch_tables::table_file::StoredTableValues;

use super::super::board::{self, Board};
use super::super::position::Position;
use super::entry_numbering::{EntryIndex, EntryNumbering};
use super::error::{SolverError, SolverFileError};
use super::file_names::{stage_file_name, win_ranks_file_name};
use super::pair_set::PairSet;
use super::stages::Stage;
use super::win_rank_log::ENTRIES_PER_RANK_INDEX_NUMBER;

/// The files of both sides' certain wins for one number of walls.
pub struct StoredWins {
    numbering: EntryNumbering,
    /// The files of red's and of green's wins; `None` if a file of the side is missing or unusable.
    files: [Option<WinFilesOfSide>; 2],
}

/// The opened files of one side's wins. They contain only states with the other side to move.
struct WinFilesOfSide {
    certain: StoredTableValues,
    safe: StoredTableValues,
    /// The rank file: first the index, and then the ranks of the certain wins that are not safe.
    ranks: StoredTableValues,
}

const WIN_ENTRY_BYTES: usize = size_of::<PairSet>();
/// The size in bytes of an element of the index in the rank file.
const INDEX_NUMBER_BYTES: usize = size_of::<u64>();

impl StoredWins {
    /// Opens the files, and numbers the sets of walls. Calls `report_error` for each side whose
    /// files cannot be used. Returns `None` if there is no file, or if there is not enough memory
    /// to number the sets.
    pub fn open(
        files: &dyn TableFiles,
        board: &Board,
        walls: usize,
        mut report_error: impl FnMut(SolverError),
    ) -> Option<StoredWins> {
        let mut names = Side::BOTH_SIDES
            .into_iter()
            .filter_map(|side| stage_file_name(walls, Stage::Certain(side)));
        if names.all(|name| matches!(files.open_table_file(&name), Ok(None))) {
            return None;
        }
        let Some(numbering) = EntryNumbering::new(board, walls) else {
            report_error(SolverError::MemoryOfNumbering { walls });
            return None;
        };
        let files = Side::BOTH_SIDES.map(|winner| {
            WinFilesOfSide::open(files, &numbering, winner).unwrap_or_else(|error| {
                report_error(error);
                None
            })
        });
        files.iter().any(Option::is_some).then_some(StoredWins { numbering, files })
    }

    /// Returns whether the files of both sides' wins are open.
    pub fn has_both_sides(&self) -> bool {
        self.files.iter().all(Option::is_some)
    }

    /// Returns the rank of this position if `winner` certainly wins a game that begins with it. The
    /// other side must be to move, and the game must not be over.
    ///
    /// Some positions are a win for the other side if they are repeated. The rank grows with the
    /// number of times that such positions can still occur. If no such position can occur, the rank
    /// is 0, and the win is safe.
    ///
    /// Returns `None` if the win is not certain, if there is no file, or if the files are for
    /// another number of walls than the position has.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn win_rank(
        &self,
        winner: Side,
        position: &Position,
    ) -> Result<Option<u32>, SolverFileError> {
        let is_numbered =
            position.walls.count_ones() as usize == self.numbering.walls && position.side != winner;
        let files = self.files[winner.index()].as_ref().filter(|_| is_numbered);
        let Some(WinFilesOfSide { certain, safe, ranks }) = files else { return Ok(None) };
        // In the files, the winner is always red.
        let position = if winner == Side::First {
            *position
        } else {
            position.apply_symmetry(true, board::half_turn_point)
        };
        let EntryIndex { entry, is_mirrored } =
            self.numbering.entry_index(position.walls, position.last_wall);
        let pair = PairSet::with_property(|red, green| [red, green] == position.knights);
        let pair = if is_mirrored { pair.mirror() } else { pair };
        let [mut won, mut safe_won] = [[PairSet::EMPTY.0; ENTRIES_PER_RANK_INDEX_NUMBER]; 2];
        // The group of entries that shares a number in the index. Its entries up to this one are
        // read to determine the number of ranks before this entry.
        let block = entry / ENTRIES_PER_RANK_INDEX_NUMBER;
        let len = entry % ENTRIES_PER_RANK_INDEX_NUMBER + 1;
        let at = (block * ENTRIES_PER_RANK_INDEX_NUMBER * WIN_ENTRY_BYTES) as u64;
        certain.read(at, bytemuck::cast_slice_mut(&mut won[..len]))?;
        if (PairSet(won[len - 1]) & pair).is_empty() {
            return Ok(None);
        }
        safe.read(at, bytemuck::cast_slice_mut(&mut safe_won[..len]))?;
        if !(PairSet(safe_won[len - 1]) & pair).is_empty() {
            return Ok(Some(0));
        }
        let ranked = |number: usize| PairSet(won[number]) & !PairSet(safe_won[number]);
        let before: u64 = (0..len - 1).map(|number| ranked(number).len()).sum();
        // The numbers of ranks in the file before this group and before the next group.
        let mut index = [0_u64; 2];
        ranks.read((block * INDEX_NUMBER_BYTES) as u64, bytemuck::cast_slice_mut(&mut index))?;
        let number = before + (ranked(len - 1) & pair.all_pairs_before_first()).len();
        let all = index[1]
            .checked_sub(index[0])
            .filter(|&all| number < all && index[1] <= ranks.byte_count() / 2);
        let all = all.ok_or(SolverFileError::Index { entry })?;
        // For each block, the file has first the low bytes of all ranks and then the high bytes.
        let low = win_rank_index_size(&self.numbering) + 2 * index[0] + number;
        let mut bytes = [0; 2];
        ranks.read(low, &mut bytes[..1])?;
        ranks.read(low + all, &mut bytes[1..])?;
        // Only a safe win has rank 0.
        Ok(Some(u16::from_le_bytes(bytes).max(1).into()))
    }
}

fn win_rank_index_size(numbering: &EntryNumbering) -> u64 {
    ((numbering.entries.div_ceil(ENTRIES_PER_RANK_INDEX_NUMBER) + 1) * INDEX_NUMBER_BYTES) as u64
}

impl WinFilesOfSide {
    /// Opens the files of a side's wins. Returns `None` if there is no file of the certain wins.
    ///
    /// # Errors
    /// If another file is missing, or if a file cannot be used.
    fn open(
        files: &dyn TableFiles,
        numbering: &EntryNumbering,
        winner: Side,
    ) -> Result<Option<WinFilesOfSide>, SolverError> {
        let len = Some((WIN_ENTRY_BYTES * numbering.entries) as u64);
        let [certain, safe] = [Stage::Certain(winner), Stage::Safe(winner)]
            .map(|stage| stage_file_name(numbering.walls, stage).unwrap_or_default());
        let Some(certain) = StoredTableValues::open(files, &certain, len)? else { return Ok(None) };
        let safe = StoredTableValues::open(files, &safe, len)?
            .ok_or_else(|| SolverError::missing_file_error(files, &safe))?;
        let name = win_ranks_file_name(numbering.walls, winner);
        let ranks = StoredTableValues::open(files, &name, None)?
            .ok_or_else(|| SolverError::missing_file_error(files, &name))?;
        let least = win_rank_index_size(numbering);
        let found = ranks.byte_count();
        if found < least {
            let no_index = Err(SolverFileError::NoIndex { least, found });
            return Ok(no_index.with_error_location(files.table_file_location(&name))?);
        }
        Ok(Some(WinFilesOfSide { certain, safe, ranks }))
    }
}

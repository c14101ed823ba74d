//! The wins that the solver has found, read from its files state by state.

use pentarch_core::{Side, TableFiles};
use pentarch_system::ErrorContext;
use pentarch_tables::file::StoredValues;

use super::super::board::{self, Board};
use super::super::position::Position;
use super::entry_numbering::{EntryIndex, EntryNumbering};
use super::error::{SolverError, SolverFileError};
use super::file_names::{file_name, missing, ranks_name};
use super::pair_set::PairSet;
use super::ranks::INDEXED;
use super::stages::Stage;

/// The certain wins of each side in the positions with one number of walls.
pub struct StoredWins {
    numbering: EntryNumbering,
    /// The files of red's and of green's wins; none if one of a side's files is missing or cannot be used.
    files: [Option<Files>; 2],
}

/// The files of the wins of one side with the other side to move.
struct Files {
    certain: StoredValues,
    safe: StoredValues,
    /// An index, then the ranks of the wins that are certain and not safe.
    ranks: StoredValues,
}

/// The size of an entry in bytes.
const ENTRY: usize = size_of::<PairSet>();
/// The size of a number of the index in bytes.
const NUMBER: usize = size_of::<u64>();

impl StoredWins {
    /// Opens the files, and numbers the sets of walls. Calls `refuse` with what is wrong with a file that cannot be
    /// used. None if there is no file, or not enough memory to number the sets.
    pub fn open(
        files: &dyn TableFiles,
        board: &Board,
        walls: usize,
        mut refuse: impl FnMut(SolverError),
    ) -> Option<StoredWins> {
        let certain = |winner| file_name(walls, Stage::Certain(winner));
        if Side::BOTH
            .into_iter()
            .filter_map(certain)
            .all(|name| matches!(files.open(&name), Ok(None)))
        {
            return None;
        }
        let Some(numbering) = EntryNumbering::new(board, walls) else {
            refuse(SolverError::MemoryOfNumbering { walls });
            return None;
        };
        let files = Side::BOTH.map(|winner| {
            Files::open(files, &numbering, winner).unwrap_or_else(|fault| {
                refuse(fault);
                None
            })
        });
        files.iter().any(Option::is_some).then_some(StoredWins { numbering, files })
    }

    /// Whether the files of both sides' wins are open.
    pub fn are_of_both_sides(&self) -> bool {
        self.files.iter().all(Option::is_some)
    }

    /// The rank of this position if a side wins for certain that begins the game with it: how often at most, up to a
    /// monotone map, a position still stands whose repetition the other side wins; 0 if there is none, so that the win
    /// is safe. None, too, if there is no file, or it is one of another number of walls. The other side must be to
    /// move, and the game must not be over.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn rank(&self, winner: Side, position: &Position) -> Result<Option<u32>, SolverFileError> {
        let is_numbered =
            position.walls.count_ones() as usize == self.numbering.walls && position.side != winner;
        let files = self.files[winner.index()].as_ref().filter(|_| is_numbered);
        let Some(Files { certain, safe, ranks }) = files else { return Ok(None) };
        // The files have the winner on the side of red.
        let position =
            if winner == Side::First { *position } else { position.map(true, board::half_turn) };
        let EntryIndex { entry, is_mirrored } =
            self.numbering.index(position.walls, position.last_wall);
        let pair = PairSet::of(|red, green| [red, green] == position.knights);
        let pair = if is_mirrored { pair.mirror() } else { pair };
        let [mut won, mut harmless] = [[PairSet::EMPTY.0; INDEXED]; 2];
        // The entries from the last one with an index on.
        let (block, len) = (entry / INDEXED, entry % INDEXED + 1);
        let at = (block * INDEXED * ENTRY) as u64;
        certain.read(at, bytemuck::cast_slice_mut(&mut won[..len]))?;
        if (PairSet(won[len - 1]) & pair).is_empty() {
            return Ok(None);
        }
        safe.read(at, bytemuck::cast_slice_mut(&mut harmless[..len]))?;
        if !(PairSet(harmless[len - 1]) & pair).is_empty() {
            return Ok(Some(0));
        }
        let ranked = |number: usize| PairSet(won[number]) & !PairSet(harmless[number]);
        let before: u64 = (0..len - 1).map(|number| ranked(number).len()).sum();
        let mut index = [0_u64; 2];
        ranks.read((block * NUMBER) as u64, bytemuck::cast_slice_mut(&mut index))?;
        let number = before + (ranked(len - 1) & pair.lower()).len();
        let all = index[1]
            .checked_sub(index[0])
            .filter(|&all| number < all && index[1] <= ranks.size() / 2);
        let all = all.ok_or(SolverFileError::Index { entry })?;
        // First the low bytes of all ranks of the block, then the high ones.
        let low = index_len(&self.numbering) + 2 * index[0] + number;
        let mut bytes = [0; 2];
        ranks.read(low, &mut bytes[..1])?;
        ranks.read(low + all, &mut bytes[1..])?;
        // A rank of 0 would be that of a safe win.
        Ok(Some(u16::from_le_bytes(bytes).max(1).into()))
    }
}

/// The size of the index of the ranks in bytes.
fn index_len(numbering: &EntryNumbering) -> u64 {
    ((numbering.entries.div_ceil(INDEXED) + 1) * NUMBER) as u64
}

impl Files {
    /// Opens the files of a side's wins; none if there are none.
    ///
    /// # Errors
    /// If one is missing or cannot be used.
    fn open(
        files: &dyn TableFiles,
        numbering: &EntryNumbering,
        winner: Side,
    ) -> Result<Option<Files>, SolverError> {
        let len = Some((ENTRY * numbering.entries) as u64);
        let [certain, safe] = [Stage::Certain(winner), Stage::Safe(winner)]
            .map(|stage| file_name(numbering.walls, stage).unwrap_or_default());
        let Some(certain) = StoredValues::open(files, &certain, len)? else { return Ok(None) };
        let safe = StoredValues::open(files, &safe, len)?.ok_or_else(|| missing(files, &safe))?;
        let name = ranks_name(numbering.walls, winner);
        let ranks = StoredValues::open(files, &name, None)?.ok_or_else(|| missing(files, &name))?;
        let (least, found) = (index_len(numbering), ranks.size());
        if found < least {
            let no_index = Err(SolverFileError::NoIndex { least, found });
            return Ok(no_index.at_location(files.location(&name))?);
        }
        Ok(Some(Files { certain, safe, ranks }))
    }
}

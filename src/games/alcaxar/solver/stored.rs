//! The wins that the solver has found, read from its files state by state.

use crate::core::{Side, TableFiles};
use crate::tables::file::StoredValues;

use super::super::board::{self, Board};
use super::super::position::Position;
use super::pair_set::PairSet;
use super::places::{Place, Places};
use super::ranks::INDEXED;
use super::stages::{Stage, file_name, ranks_name};

/// The certain wins of each side in the positions with one number of walls.
pub struct StoredWins {
    places: Places,
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

/// Why it is not known who wins a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unknown {
    /// No file is for it.
    Missing,
    /// The file cannot be read, for this reason.
    Unreadable(String),
}

impl From<std::io::Error> for Unknown {
    fn from(error: std::io::Error) -> Unknown {
        Unknown::Unreadable(error.to_string())
    }
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
        mut refuse: impl FnMut(String),
    ) -> Option<StoredWins> {
        let certain = |winner| file_name(walls, Stage::Certain(winner));
        if Side::BOTH.into_iter().filter_map(certain).all(|name| matches!(files.open(&name), Ok(None))) {
            return None;
        }
        let Some(places) = Places::new(board, walls) else {
            refuse(format!("there is not enough memory to use the tables with {walls} walls"));
            return None;
        };
        let mut files = Side::BOTH.map(|winner| {
            Files::open(files, &places, winner).unwrap_or_else(|fault| {
                refuse(fault);
                None
            })
        });
        files.iter().any(Option::is_some).then(|| StoredWins { places, files: files.each_mut().map(Option::take) })
    }

    /// The rank of this position if a side wins for certain that begins the game with it: how often at most, up to a
    /// monotone map, a position still stands whose repetition the other side wins; 0 if there is none, so that the win
    /// is safe. The other side must be to move, and the game must not be over.
    ///
    /// # Errors
    /// If that is not known: there is no file, it cannot be read, or it is one of another number of walls.
    pub fn rank(&self, winner: Side, position: &Position) -> Result<Option<u32>, Unknown> {
        let Files { certain, safe, ranks } = self.files[winner.index()].as_ref().ok_or(Unknown::Missing)?;
        if position.walls.count_ones() as usize != self.places.walls || position.side == winner {
            return Err(Unknown::Missing);
        }
        // The files have the winner on the side of red.
        let position = if winner == Side::First { *position } else { position.map(true, board::half_turn) };
        let Place { entry, is_mirrored } = self.places.place(position.walls, position.last_wall);
        let pair = PairSet::of(|red, green| [red, green] == position.knights);
        let pair = if is_mirrored { pair.mirror() } else { pair };
        let [mut won, mut harmless] = [[PairSet::EMPTY.0; INDEXED]; 2];
        // The entries from the last one with an index on.
        let (block, len) = (entry / INDEXED, entry % INDEXED + 1);
        let at = (block * INDEXED * ENTRY) as u64;
        let last = at + ((len - 1) * ENTRY) as u64;
        let read = |file: &StoredValues, at, entries: &mut [[u64; 4]]| file.read(at, bytemuck::cast_slice_mut(entries));
        read(certain, last, &mut won[len - 1..len])?;
        if (PairSet(won[len - 1]) & pair).is_empty() {
            return Ok(None);
        }
        read(safe, last, &mut harmless[len - 1..len])?;
        if !(PairSet(harmless[len - 1]) & pair).is_empty() {
            return Ok(Some(0));
        }
        read(certain, at, &mut won[..len])?;
        read(safe, at, &mut harmless[..len])?;
        let ranked = |number: usize| PairSet(won[number]) & !PairSet(harmless[number]);
        let before: u64 = (0..len - 1).map(|number| ranked(number).len()).sum();
        let mut index = [0_u64; 2];
        ranks.read((block * NUMBER) as u64, bytemuck::cast_slice_mut(&mut index))?;
        let number = before + (ranked(len - 1) & pair.lower()).len();
        let all = index[1].checked_sub(index[0]).filter(|&all| number < all && index[1] <= ranks.len() / 2);
        let all = all.ok_or_else(|| Unknown::Unreadable("its index is damaged".into()))?;
        // First the low bytes of all ranks of the block, then the high ones.
        let low = index_len(&self.places) + 2 * index[0] + number;
        let mut bytes = [0; 2];
        ranks.read(low, &mut bytes[..1])?;
        ranks.read(low + all, &mut bytes[1..])?;
        // A rank of 0 would be that of a safe win.
        Ok(Some(u16::from_le_bytes(bytes).max(1).into()))
    }
}

/// The size of the index of the ranks in bytes.
fn index_len(places: &Places) -> u64 {
    ((places.entries().div_ceil(INDEXED) + 1) * NUMBER) as u64
}

impl Files {
    /// Opens the files of a side's wins; none if there are none.
    ///
    /// # Errors
    /// If one is missing or cannot be used; the error names it.
    fn open(files: &dyn TableFiles, places: &Places, winner: Side) -> Result<Option<Files>, String> {
        let missing = |name: &str| format!("{} is missing", files.place(name));
        let bits = |stage| {
            let name = file_name(places.walls, stage).unwrap_or_default();
            let opened = StoredValues::open(files, &name, ENTRY * places.entries())?;
            Ok::<_, String>((opened, name))
        };
        let (Some(certain), _) = bits(Stage::Certain(winner))? else { return Ok(None) };
        let (safe, name) = bits(Stage::Safe(winner))?;
        let safe = safe.ok_or_else(|| missing(&name))?;
        let name = ranks_name(places.walls, winner);
        let ranks = StoredValues::open_whole(files, &name)?.ok_or_else(|| missing(&name))?;
        if ranks.len() < index_len(places) {
            return Err(format!("{}: it is not of this table", files.place(&name)));
        }
        Ok(Some(Files { certain, safe, ranks }))
    }
}

//! Checks the ranks of all certain wins against the rules.
//!
//! The files store the ranks of the states with green to move. If green owns such a state, its rank
//! is even. The rank of a state with red to move is the least rank to which a move of red leads, or
//! 0 if red wins at once. But if green owns the state, its rank is the next odd number after that.
//! The states of a class differ only in the blocked walls. In a class that green owns, with red to
//! move, only the states with the two lowest ranks *count*. The check verifies that
//!
//! 1. with green to move, every move leads to a state with red to move that counts, and green has
//!    no winning move;
//! 2. the rank of a state with green to move is the greatest rank to which a move leads, or the
//!    next even number if green owns the state;
//! 3. red owns all states of rank 0, and the states of a class that green owns have at most two
//!    ranks.
//!
//! So if red always moves to a state of the least rank, the rank never grows, and it decreases
//! after each state that green owns. Then red wins, by the proof in the documentation of the
//! [solver](super::super).
//!
//! The check visits each state with red to move, and computes its rank from the moves of red. Then
//! the check compares this rank with the ranks of the states from which a move of green leads to
//! the visited state.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

use bytemuck::{cast_slice, cast_slice_mut};

use pentarch_core::Side;
use pentarch_core::notation::points::bit_indices;
use pentarch_core::tables::directory::TableDirectory;
use pentarch_tables::{run_in_parallel, table_file};

use super::super::entry_numbering::{EntryIndex, EntryNumbering};
use super::super::error::SolverError;
use super::super::wall_sets::{count_wall_sets, unrank_wall_set};
use super::band_levels::{
    BandLevels, NOT_WON_LEVEL, PairLevels, WinRankBand, knight_pair_numbers,
    knight_pairs_above_level, map_pair_levels, select_pair_levels_by_mask, zip_pair_levels,
};
use super::knight_pair_moves::{
    BoardTables, ConditionalWallTurn, KnightPairsByRedSquare, KnightStepsPastWalls,
    NO_KNIGHT_PAIRS, SetsOfBlockedWalls, combine_knight_pair_sets, count_knight_pairs,
    first_knight_pair, intersect_knight_pairs, knight_pairs_from_words, knight_pairs_to_words,
    subtract_knight_pairs, unite_knight_pairs,
};
use super::win_files::{WinEntry, WinFiles};
use super::{CheckFailure, StateFlaw, WALL_SETS_PER_CHUNK};
use crate::board::{Board, Square, iter_slots};
use crate::position::Position;

/// The level of a state to which no move leads. ([`band_levels`](super::band_levels) explains
/// levels.)
const UNREACHABLE_LEVEL: i16 = -1;
/// The levels if no pair is won.
const ALL_PAIRS_NOT_WON: PairLevels = [NOT_WON_LEVEL; 256];

/// The check of the ranks of a stage.
pub struct WinRankCheck<'a> {
    /// The board of the game.
    pub board: &'a Board,
    /// The numbering of the entries in the files.
    pub numbering: &'a EntryNumbering,
    /// The wins and their ranks.
    pub files: &'a WinFiles,
    /// Whether red wins by repetition if both knights are equally near to their targets and have
    /// equally many open steps.
    pub wins_ties: bool,
    /// The number of threads.
    pub threads: usize,
    /// The maximum number of states whose ranks are in memory at once.
    pub max_states: u64,
    /// The directory of the progress file.
    pub directory: &'a Path,
}

/// The closed classes, by chunk, and then by canonical set of walls in the chunk. A class consists
/// of the states that differ only in the blocked walls. It is closed if red is to move, green owns
/// it, and two ranks of its states are below the current band.
type ClosedClassSets = Vec<Mutex<Vec<[u64; 4]>>>;

impl WinRankCheck<'_> {
    /// Checks all states. Calls `report` with the completed fraction of the work from time to time.
    /// Returns the number of certain wins with green to move. A set of walls and its mirror image
    /// count only once.
    ///
    /// # Errors
    /// The first failure.
    pub fn run(&self, report: &(dyn Fn(f64) + Sync)) -> Result<u64, CheckFailure> {
        let tables = BoardTables::new(self.board);
        let StoredStateCounts { states, by_rank } = self.check_classes(&tables)?;
        let bands = WinRankBand::split_ranks(&by_rank, self.max_states);
        let mut closed = self.allocate_closed_class_sets(bands.len() > 1);
        let checked_top = self.load_progress(&bands, &mut closed)?;
        for (at, &band) in bands.iter().enumerate() {
            if checked_top.is_some_and(|top| band.top <= top) {
                continue;
            }
            let listed =
                (band.floor..band.top).map(|below| by_rank[usize::from(below) + 1]).sum::<u64>();
            let levels = self.load_band_levels(&tables, band, listed as usize)?;
            let images = [
                std::array::from_fn(|pair| pair as u8),
                std::array::from_fn(|pair| tables.mirror_pair(pair as u8)),
            ];
            let pass =
                BandCheckPass { check: self, tables: &tables, levels: &levels, band, images };
            pass.run(&closed, &|share| report((at as f64 + share) / bands.len() as f64))?;
            if band != bands[bands.len() - 1] {
                self.save_progress(band.top, &closed)?;
            }
        }
        table_file::remove_table_file(self.directory, &self.progress_file_name())
            .map_err(|error| CheckFailure::Impossible(error.into()))?;
        Ok(states)
    }

    /// Checks the conditions that concern a single class, for example that it has at most two
    /// ranks. Returns the number of states, in total and for each rank.
    fn check_classes(&self, tables: &BoardTables) -> Result<StoredStateCounts, CheckFailure> {
        let mut states = 0;
        let mut by_rank = vec![0; 1 << 16];
        // For each pair of knights, the ranks that have been found in the class with this pair; 0
        // if not yet found.
        let mut class_ranks = [[0_u16; 2]; 256];
        self.for_each_entry(tables, |set, &WinEntry { entry, wins, safe, ranked, ranks }| {
            if entry == set.entries.start {
                class_ranks = [[0; 2]; 256];
            }
            let check_empty = |pairs: KnightPairsByRedSquare, flaw| {
                first_knight_pair(pairs)
                    .map_or(Ok(()), |knights| Err(set.failure_at_state(entry, knights, flaw)))
            };
            // If the game is over for a pair, the file must list the pair as won if and only if red
            // has won.
            let decided = combine_knight_pair_sets(
                subtract_knight_pairs(wins, set.undecided),
                set.knights.pairs_won_by_red(),
                |one, other| one ^ other,
            );
            check_empty(decided, StateFlaw::Decided)?;
            check_empty(subtract_knight_pairs(safe, wins), StateFlaw::NotCertain)?;
            let safe = intersect_knight_pairs(safe, set.undecided);
            check_empty(subtract_knight_pairs(safe, set.owned), StateFlaw::NotOwned)?;
            states += count_knight_pairs(safe) + count_knight_pairs(ranked);
            by_rank[0] += count_knight_pairs(safe);
            for (pair, &rank) in knight_pair_numbers(ranked).zip(ranks) {
                by_rank[usize::from(rank)] += 1;
                let knights = [pair / 16, pair % 16].map(Square);
                if rank == 0 || rank > WinRankBand::MAX_CHECKABLE_WIN_RANK {
                    let flaw =
                        if rank == 0 { StateFlaw::RankTooLow } else { StateFlaw::RankTooHigh };
                    return Err(set.failure_at_state(entry, knights, flaw));
                }
                let is_owned = set.owned[usize::from(pair / 16)] >> (pair % 16) & 1 != 0;
                let class = &mut class_ranks[usize::from(pair)];
                if !is_owned && !class.contains(&rank) {
                    let free = class.iter_mut().find(|known| **known == 0);
                    *free.ok_or_else(|| {
                        set.failure_at_state(entry, knights, StateFlaw::ThirdRank)
                    })? = rank;
                }
            }
            Ok(())
        })?;
        Ok(StoredStateCounts { states, by_rank })
    }

    /// Calls `act` with each entry of the files and its set of walls.
    fn for_each_entry(
        &self,
        tables: &BoardTables,
        mut act: impl FnMut(&CanonicalWallSet, &WinEntry) -> Result<(), CheckFailure>,
    ) -> Result<(), CheckFailure> {
        let mut sets = self.numbering.canonical_sets();
        let mut set: Option<CanonicalWallSet> = None;
        self.files.for_each_entry(|entry| {
            if set.as_ref().is_none_or(|set| entry.entry == set.entries.end) {
                set = sets.next().map(|(rank, walls)| {
                    let knights = tables.knight_steps(walls);
                    CanonicalWallSet {
                        walls,
                        entries: self.numbering.entry_range(rank),
                        knights,
                        undecided: knights.undecided_pairs(),
                        owned: tables.pairs_with_repetition_won_by_red(&knights, self.wins_ties),
                        blocked: tables.blocked_sets(walls),
                    }
                });
            }
            set.as_ref().map_or(Ok(()), |set| act(set, entry))
        })
    }

    /// Reads the ranks in the files, and converts them to levels in a band. `listed` is the number
    /// of states in the band.
    fn load_band_levels(
        &self,
        tables: &BoardTables,
        band: WinRankBand,
        listed: usize,
    ) -> Result<BandLevels, CheckFailure> {
        let mut levels = BandLevels::new(self.numbering.entries, listed)
            .ok_or(CheckFailure::Impossible(SolverError::MemoryOfCheck))?;
        self.for_each_entry(tables, |set, &WinEntry { entry, safe, ranked, ranks, .. }| {
            let mut low = unite_knight_pairs(
                intersect_knight_pairs(safe, set.undecided),
                set.knights.pairs_won_by_red(),
            );
            let mut in_band = NO_KNIGHT_PAIRS;
            for (pair, &rank) in knight_pair_numbers(ranked).zip(ranks) {
                let bit = 1 << (pair % 16);
                if rank <= band.floor {
                    low[usize::from(pair / 16)] |= bit;
                } else if rank <= band.top {
                    in_band[usize::from(pair / 16)] |= bit;
                }
            }
            let in_band_ranks = ranks.iter().filter(|&&rank| rank > band.floor && rank <= band.top);
            levels.add_entry(entry, low, in_band, in_band_ranks.map(|rank| rank - band.floor));
            Ok(())
        })?;
        Ok(levels)
    }

    /// Allocates the sets of closed classes, which are empty before the first band. If there is
    /// only one band, the sets are not needed, and the result contains none.
    fn allocate_closed_class_sets(&self, are_needed: bool) -> ClosedClassSets {
        let chunks = count_wall_sets(self.numbering.walls).div_ceil(WALL_SETS_PER_CHUNK);
        let mut closed = Vec::new();
        for chunk in 0..chunks {
            let sets = if are_needed { self.canonical_set_ranks(chunk).count() } else { 0 };
            closed.push(Mutex::new(vec![[0; 4]; sets]));
        }
        closed
    }

    fn canonical_set_ranks(&self, chunk: usize) -> impl Iterator<Item = usize> {
        let ranks = chunk * WALL_SETS_PER_CHUNK
            ..count_wall_sets(self.numbering.walls).min((chunk + 1) * WALL_SETS_PER_CHUNK);
        ranks.filter(|&rank| !self.numbering.entry_range(rank).is_empty())
    }

    fn progress_file_name(&self) -> String {
        format!("{}-check", self.files.names[0])
    }

    /// Loads into `closed` the progress that an earlier check of the same files has saved. Returns
    /// the top of the last checked band, or `None` if no progress is saved.
    fn load_progress(
        &self,
        bands: &[WinRankBand],
        closed: &mut ClosedClassSets,
    ) -> Result<Option<u16>, CheckFailure> {
        let mut head = [0; PROGRESS_HEADER_WORDS];
        let sets: usize = closed
            .iter_mut()
            .map(|chunk| chunk.get_mut().unwrap_or_else(PoisonError::into_inner).len())
            .sum();
        if sets == 0 {
            return Ok(None);
        }
        let bytes = size_of_val(&head) + 32 * sets;
        let mut saved: Vec<Vec<[u64; 4]>> = Vec::new();
        let loaded = table_file::load_table_file(
            &TableDirectory(self.directory),
            &self.progress_file_name(),
            bytes as u64,
            |read| {
                read(cast_slice_mut(&mut head))?;
                for chunk in closed.iter_mut() {
                    let mut sets =
                        vec![[0; 4]; chunk.get_mut().unwrap_or_else(PoisonError::into_inner).len()];
                    read(cast_slice_mut(&mut sets))?;
                    saved.push(sets);
                }
                Ok(())
            },
        );
        // If the saved progress cannot be used, the check starts from the first band.
        let is_top = bands.iter().any(|band| u64::from(band.top) == head[0]);
        if !matches!(loaded, Ok(true)) || head[1..] != self.progress_header(0)[1..] || !is_top {
            return Ok(None);
        }
        *closed = saved.into_iter().map(Mutex::new).collect();
        Ok(Some(head[0] as u16))
    }

    fn save_progress(&self, top: u16, closed: &ClosedClassSets) -> Result<(), CheckFailure> {
        let chunks: Vec<_> = closed
            .iter()
            .map(|chunk| chunk.lock().unwrap_or_else(PoisonError::into_inner))
            .collect();
        let head = self.progress_header(top);
        let parts = std::iter::once(cast_slice(&head))
            .chain(chunks.iter().map(|chunk| cast_slice(&chunk[..])));
        table_file::save_table_file(
            self.directory,
            &self.progress_file_name(),
            &parts.collect::<Vec<&[u8]>>(),
        )
        .map_err(|error| CheckFailure::Impossible(error.into()))
    }

    /// Returns the first words of the progress file: the top of the last checked band, and the
    /// checksums of the checked files.
    fn progress_header(&self, top: u16) -> [u64; PROGRESS_HEADER_WORDS] {
        let mut head = [u64::from(top); PROGRESS_HEADER_WORDS];
        for (word, line) in head[1..].iter_mut().zip(self.files.file_checksum_lines()) {
            let checksum = line.split(' ').nth(1);
            *word = checksum.and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or(0);
        }
        head
    }
}

const PROGRESS_HEADER_WORDS: usize = 4;

/// The number of states in the files, in total and for each rank.
struct StoredStateCounts {
    states: u64,
    by_rank: Vec<u64>,
}

struct CanonicalWallSet {
    walls: u64,
    entries: std::ops::Range<usize>,
    knights: KnightStepsPastWalls,
    undecided: KnightPairsByRedSquare,
    owned: KnightPairsByRedSquare,
    blocked: SetsOfBlockedWalls,
}

impl CanonicalWallSet {
    /// Returns the failure for the state with this entry and these knights. `entry` must belong to
    /// this set of walls.
    fn failure_at_state(
        &self,
        entry: usize,
        knights: [Square; 2],
        flaw: StateFlaw,
    ) -> CheckFailure {
        let last_wall = self.blocked.last_moved_slot(entry - self.entries.start);
        let position =
            Position { knights, walls: self.walls, side: Side::Second, last_wall, full_move: 1 };
        CheckFailure::WrongState(Box::new(position), flaw)
    }
}

/// The pass of the check that compares the ranks in one band.
struct BandCheckPass<'a> {
    check: &'a WinRankCheck<'a>,
    tables: &'a BoardTables,
    levels: &'a BandLevels,
    band: WinRankBand,
    /// Two maps of pair numbers: the identity, and the map to the mirror image.
    images: [[u8; 256]; 2],
}

impl BandCheckPass<'_> {
    /// Checks all states whose rank is in the band. Calls `report` with the completed fraction of
    /// the work.
    fn run(
        &self,
        closed: &ClosedClassSets,
        report: &(dyn Fn(f64) + Sync),
    ) -> Result<(), CheckFailure> {
        let done = AtomicUsize::new(0);
        let wrong = OnceLock::new();
        let WinRankCheck { numbering, .. } = self.check;
        run_in_parallel(self.check.threads, 0..closed.len(), |chunk, _: &mut Vec<()>| {
            let mut closed_here = closed[chunk].lock().unwrap_or_else(PoisonError::into_inner);
            for (at, rank) in self.check.canonical_set_ranks(chunk).enumerate() {
                if let Err(failure) = self
                    .check_wall_set(unrank_wall_set(numbering.walls, rank), closed_here.get_mut(at))
                {
                    let _ = wrong.set(failure);
                    return false;
                }
            }
            report((done.fetch_add(1, Relaxed) + 1) as f64 / closed.len() as f64);
            wrong.get().is_none()
        });
        wrong.into_inner().map_or(Ok(()), Err)?;
        let Some((entry, pair)) = self.levels.find_unrequired_level(self.band) else {
            return Ok(());
        };
        let found = numbering
            .canonical_sets()
            .find(|&(rank, _)| numbering.entry_range(rank).contains(&entry));
        let (rank, walls) = found.unwrap_or_default();
        Err(self.green_state_failure(
            walls,
            entry - numbering.first_entry(rank),
            pair,
            StateFlaw::RankTooHigh,
        ))
    }

    /// Checks the states with green to move from which a move leads to a state with these walls.
    /// The set of walls must be canonical.
    fn check_wall_set(
        &self,
        walls: u64,
        closed: Option<&mut [u64; 4]>,
    ) -> Result<(), CheckFailure> {
        let BandCheckPass { check, tables, .. } = self;
        let knights = tables.knight_steps(walls);
        let blocked = tables.blocked_sets(walls);
        let owned = tables.pairs_with_repetition_won_by_red(&knights, check.wins_ties);
        let levels = self.levels_of_red(walls, &knights, &blocked, owned, closed);
        // Green moves its knight.
        let first_entry = check.numbering.entry_index(walls, None).entry;
        let after_step = greatest_levels_after_green_step(&knights, &levels[0]);
        let least = least_levels_of_green(&after_step, owned);
        let above_zero = knight_pairs_above_level(&least, 0);
        let undecided = knights.undecided_pairs();
        let required = PredecessorLevelBounds { least, above_zero, undecided, is_mirrored: false };
        for number in 0..blocked.sets_by_index().len() {
            self.check_levels_of_entry(walls, first_entry + number, number, &required)?;
        }
        // Green turns a wall.
        for to in iter_slots(walls) {
            let Some(number) = blocked.find_number(tables.blocked_walls_after(walls, to)) else {
                continue;
            };
            let reachable = knight_pairs_above_level(&levels[number], UNREACHABLE_LEVEL);
            for turn in &tables.turns_to[usize::from(to.0)] {
                if walls & turn.from.bit() == 0 {
                    self.check_green_wall_turn(walls, turn, &knights, &levels[number], reachable)?;
                }
            }
        }
        Ok(())
    }

    /// Computes the levels of the states with red to move and with these walls. The result is
    /// indexed by the number of the blocked set.
    fn levels_of_red(
        &self,
        walls: u64,
        knights: &KnightStepsPastWalls,
        blocked: &SetsOfBlockedWalls,
        owned: KnightPairsByRedSquare,
        closed: Option<&mut [u64; 4]>,
    ) -> Vec<PairLevels> {
        let undecided = knights.undecided_pairs();
        let mut least = self.least_levels_after_red_move(walls, knights, blocked);
        // In this check, the states with red to move that green owns have odd ranks. In each class
        // that green owns, the states with the two lowest ranks count.
        let [mut lowest, mut second] = [ALL_PAIRS_NOT_WON; 2];
        for least in &mut least {
            let odd = map_pair_levels(least, |level| level.saturating_add(1) | 1);
            *least = select_pair_levels_by_mask(owned, least, &odd);
            let other = zip_pair_levels(&odd, &lowest, |level, lowest| {
                if level == lowest { NOT_WON_LEVEL } else { level.max(lowest) }
            });
            lowest = zip_pair_levels(&lowest, &odd, i16::min);
            second = zip_pair_levels(&second, &other, i16::min);
        }
        // The highest level that counts in each class. In a closed class, both ranks that count are
        // below the band, so this level is one that the pass does not check.
        let mut last = second;
        if let Some(closed) = closed {
            let below = [self.band.first_checked_level() - 1; 256];
            let last_of_closed = zip_pair_levels(&last, &below, i16::min);
            last = select_pair_levels_by_mask(
                knight_pairs_from_words(*closed),
                &last_of_closed,
                &last,
            );
            let are_later = unite_knight_pairs(
                knight_pairs_above_level(&second, self.band.last_level()),
                owned,
            );
            *closed = knight_pairs_to_words(unite_knight_pairs(
                knight_pairs_from_words(*closed),
                subtract_knight_pairs([u16::MAX; 16], are_later),
            ));
        }
        // If green can have reached this pair by a winning move, no state with the pair counts.
        let lost = subtract_knight_pairs(knights.pairs_after_green_step(), undecided);
        let others =
            select_pair_levels_by_mask(lost, &ALL_PAIRS_NOT_WON, &[UNREACHABLE_LEVEL; 256]);
        for least in &mut least {
            let counting =
                zip_pair_levels(
                    least,
                    &last,
                    |level, last| {
                        if level > last { NOT_WON_LEVEL } else { level }
                    },
                );
            let counted = select_pair_levels_by_mask(owned, least, &counting);
            *least = select_pair_levels_by_mask(undecided, &counted, &others);
        }
        least
    }

    /// Returns, for each blocked set and each pair, the lowest level that red can reach with one
    /// move.
    fn least_levels_after_red_move(
        &self,
        walls: u64,
        knights: &KnightStepsPastWalls,
        blocked: &SetsOfBlockedWalls,
    ) -> Vec<PairLevels> {
        let BandCheckPass { check: WinRankCheck { numbering, .. }, tables, .. } = self;
        let undecided = knights.undecided_pairs();
        let here = self.levels_of_entry(numbering.entry_index(walls, None));
        let mut least =
            vec![least_levels_after_red_step(knights, &here); blocked.sets_by_index().len()];
        for from in iter_slots(walls) {
            let mut by_wall = ALL_PAIRS_NOT_WON;
            for turn in &tables.turns_from[usize::from(from.0)] {
                let clear =
                    intersect_knight_pairs(turn.knight_pairs_allowing_turn(walls), undecided);
                if clear != NO_KNIGHT_PAIRS {
                    let index = numbering.entry_index(turn.wall_set_after(walls), Some(turn.to));
                    let after = select_pair_levels_by_mask(
                        clear,
                        &self.levels_of_entry(index),
                        &ALL_PAIRS_NOT_WON,
                    );
                    by_wall = zip_pair_levels(&by_wall, &after, i16::min);
                }
            }
            for (least, set) in least.iter_mut().zip(blocked.sets_by_index()) {
                if set & from.bit() == 0 {
                    *least = zip_pair_levels(least, &by_wall, i16::min);
                }
            }
        }
        least
    }

    fn pairs_at_level_zero(&self, entry: usize, is_mirrored: bool) -> KnightPairsByRedSquare {
        let low = self.levels.pairs_at_level_zero(entry);
        if is_mirrored { self.tables.mirror_pairs(low) } else { low }
    }

    fn levels_of_entry(&self, index: EntryIndex) -> PairLevels {
        let EntryIndex { entry, is_mirrored } = index;
        let low = self.pairs_at_level_zero(entry, is_mirrored);
        self.levels.levels_of_entry(entry, low, &self.images[usize::from(is_mirrored)])
    }

    /// Checks the states before green turns a wall. `walls` are the walls after the turn. `after`
    /// are the levels of the states after the turn. `reachable` are the pairs in `after` to which a
    /// move of green can lead.
    fn check_green_wall_turn(
        &self,
        walls: u64,
        turn: &ConditionalWallTurn,
        knights: &KnightStepsPastWalls,
        after: &PairLevels,
        reachable: KnightPairsByRedSquare,
    ) -> Result<(), CheckFailure> {
        let BandCheckPass { check: WinRankCheck { numbering, wins_ties, .. }, tables, .. } = self;
        let before = turn.walls_before(walls);
        let clear = intersect_knight_pairs(turn.knight_pairs_allowing_turn(before), reachable);
        if clear == NO_KNIGHT_PAIRS {
            return Ok(());
        }
        let knights = tables.knight_steps_after(knights, turn.to, turn.from);
        let least = least_levels_of_green(
            &select_pair_levels_by_mask(clear, after, &[UNREACHABLE_LEVEL; 256]),
            tables.pairs_with_repetition_won_by_red(&knights, *wins_ties),
        );
        let above_zero = knight_pairs_above_level(&least, 0);
        if above_zero == NO_KNIGHT_PAIRS {
            return Ok(());
        }
        let index = numbering.entry_index(before, None);
        let image = tables.mirror_walls(before);
        let canonical = if index.is_mirrored { image } else { before };
        // If the set is its own mirror image, its entries also contain the states from which the
        // mirror image of this turn leads to the same states.
        let both = if image == before { &[false, true][..] } else { &[index.is_mirrored] };
        let undecided = knights.undecided_pairs();
        for &is_mirrored in both {
            let required = PredecessorLevelBounds { least, above_zero, undecided, is_mirrored };
            let from = if is_mirrored { tables.mirror_slot(turn.from) } else { turn.from };
            for (number, set) in tables.blocked_sets(canonical).sets_by_index().iter().enumerate() {
                if set & from.bit() == 0 {
                    let entry = index.entry + number;
                    self.check_levels_of_entry(canonical, entry, number, &required)?;
                }
            }
        }
        Ok(())
    }

    /// Checks that no state of an entry has a lower level than required. The entry must belong to a
    /// canonical set of walls.
    fn check_levels_of_entry(
        &self,
        walls: u64,
        entry: usize,
        number: usize,
        required: &PredecessorLevelBounds,
    ) -> Result<(), CheckFailure> {
        let PredecessorLevelBounds { least, above_zero, undecided, is_mirrored } = *required;
        let image = &self.images[usize::from(is_mirrored)];
        let mut wrong = self.levels.find_pair_below_required_level(
            entry,
            &least,
            self.band.first_checked_level(),
            image,
        );
        if self.band.is_first() {
            let low = self.pairs_at_level_zero(entry, is_mirrored);
            let too_low = first_knight_pair(intersect_knight_pairs(
                intersect_knight_pairs(low, undecided),
                above_zero,
            ));
            wrong = wrong.or(too_low.map(|[red, green]| 16 * red.0 + green.0));
        }
        wrong.map_or(Ok(()), |pair| {
            let pair = image[usize::from(pair)];
            Err(self.green_state_failure(walls, number, pair, StateFlaw::RankTooLow))
        })
    }

    /// Returns the failure for a wrong state with green to move. `number` is the number of the
    /// state's blocked set.
    fn green_state_failure(
        &self,
        walls: u64,
        number: usize,
        pair: u8,
        flaw: StateFlaw,
    ) -> CheckFailure {
        let knights = [pair / 16, pair % 16].map(Square);
        let last_wall = self.tables.blocked_sets(walls).last_moved_slot(number);
        let position = Position { knights, walls, side: Side::Second, last_wall, full_move: 1 };
        CheckFailure::WrongState(Box::new(position), flaw)
    }
}

/// The minimum levels that a move of green requires for the states before this move.
struct PredecessorLevelBounds {
    least: PairLevels,
    /// The pairs for which the required level is greater than 0.
    above_zero: KnightPairsByRedSquare,
    undecided: KnightPairsByRedSquare,
    /// Whether the pairs are those of the entry's mirror image.
    is_mirrored: bool,
}

/// Returns, for each pair, the lowest level that red can reach with a step of its knight. `after`
/// are the levels of the pairs after the step.
fn least_levels_after_red_step(knights: &KnightStepsPastWalls, after: &PairLevels) -> PairLevels {
    let mut best = ALL_PAIRS_NOT_WON;
    for (red, best) in best.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        for to in bit_indices(u64::from(knights.steps[red])) {
            let row = &after[16 * usize::from(to)..][..16];
            best.iter_mut().zip(row).for_each(|(best, &level)| *best = level.min(*best));
        }
    }
    best
}

/// Returns, for each pair, the highest level to which a step of green's knight can lead. `after`
/// are the levels of the pairs after the step.
fn greatest_levels_after_green_step(
    knights: &KnightStepsPastWalls,
    after: &PairLevels,
) -> PairLevels {
    let mut worst = [UNREACHABLE_LEVEL; 256];
    for (worst, after) in worst.as_chunks_mut::<16>().0.iter_mut().zip(after.as_chunks::<16>().0) {
        for (worst, &to) in worst.iter_mut().zip(&knights.steps) {
            *worst = bit_indices(u64::from(to))
                .fold(UNREACHABLE_LEVEL, |worst, to| worst.max(after[usize::from(to)]));
        }
    }
    worst
}

/// Returns the minimum levels of states with green to move. `after` is the highest level to which
/// green can move from each state. This level is the minimum if green does not own the state.
/// Otherwise the minimum is the next even level above it.
fn least_levels_of_green(after: &PairLevels, owned: KnightPairsByRedSquare) -> PairLevels {
    select_pair_levels_by_mask(
        owned,
        after,
        &map_pair_levels(after, |level| (level | 1).saturating_add(1)),
    )
}

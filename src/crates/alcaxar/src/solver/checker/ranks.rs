//! Checks the ranks of all certain wins against the rules.
//!
//! The files have the ranks of the states with green to move. They are even where green owns the
//! state. A state with red to move has the least rank that a move of red leads to, 0 if it wins at
//! once. But where green owns the state, it has the next odd rank. Of the states of a class, which
//! differ only in the blocked walls, only those *count* that have the two lowest ranks. The check
//! is that
//!
//! 1. with green to move, every move leads to a state with red to move that counts, and no move
//!    wins;
//! 2. a state with green to move has the greatest rank that a move leads to, or where green owns
//!    it, the next even rank after that;
//! 3. red owns all states of rank 0, and the states of a class that green owns have at most two
//!    ranks.
//!
//! So if red always moves to a state of the least rank, the rank never grows, and after each state
//! that green owns it is smaller. Then red wins, by the proof in the documentation of the
//! [solver](super::super).
//!
//! The check visits the states with red to move. The moves of red determine their ranks. The check
//! compares these with the ranks of the states from which a move of green leads there.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

use bytemuck::{cast_slice, cast_slice_mut};

use pentarch_core::Side;
use pentarch_core::notation::points::bit_indices;
use pentarch_core::tables::directory::TableDirectory;
use pentarch_tables::{file, in_parallel};

use super::super::entry_numbering::{EntryIndex, EntryNumbering};
use super::super::error::SolverError;
use super::super::wall_sets::{count_wall_sets, unrank_wall_set};
use super::levels::{
    BandLevels, NOT_WON, PairLevels, RankBand, map_levels, pair_numbers, pairs_above,
    select_levels, zip_levels,
};
use super::pair_moves::{
    BlockedSets, BoardTables, KnightSteps, NO_PAIRS, Pairs, TurnPairs, combine_sets, count_pairs,
    first_pair, from_words, intersect_pairs, subtract_pairs, to_words, unite_pairs,
};
use super::win_files::{WinEntry, WinFiles};
use super::{CHUNK_LEN, CheckFailure, StateFlaw};
use crate::board::{Board, Square, slots};
use crate::position::Position;

/// The level of a state that no move leads to.
const UNREACHABLE_LEVEL: i16 = -1;
/// Levels without a win.
const NONE_WON: PairLevels = [NOT_WON; 256];

/// The check of the ranks of a stage.
pub struct RankCheck<'a> {
    /// The board of the game.
    pub board: &'a Board,
    /// The numbering of the entries in the files.
    pub numbering: &'a EntryNumbering,
    /// The wins and their ranks.
    pub files: &'a WinFiles,
    /// Whether red wins a repetition if both knights are equally near and equally free.
    pub wins_ties: bool,
    /// The number of threads.
    pub threads: usize,
    /// The maximum number of states whose ranks are in memory at once.
    pub max_states: u64,
    /// The directory of the file with the progress.
    pub directory: &'a Path,
}

/// The closed classes of each chunk, by its canonical sets of walls: the classes with red to move
/// that green owns and that have states of two ranks below the band.
type ClosedClasses = Vec<Mutex<Vec<[u64; 4]>>>;

impl RankCheck<'_> {
    /// Checks all states. `report` gets the share that is done. Returns the number of wins with the
    /// other side to move; a set of walls and its mirror image count once.
    ///
    /// # Errors
    /// The first failure.
    pub fn run(&self, report: &(dyn Fn(f64) + Sync)) -> Result<u64, CheckFailure> {
        let tables = BoardTables::new(self.board);
        let RankCounts { states, by_rank } = self.check_classes(&tables)?;
        let bands = RankBand::split(&by_rank, self.max_states);
        let mut closed = self.no_closed_classes(bands.len() > 1);
        let checked_top = self.load_progress(&bands, &mut closed)?;
        for (at, &band) in bands.iter().enumerate() {
            if checked_top.is_some_and(|top| band.top <= top) {
                continue;
            }
            let listed =
                (band.floor..band.top).map(|below| by_rank[usize::from(below) + 1]).sum::<u64>();
            let levels = self.load_levels(&tables, band, listed as usize)?;
            let images = [
                std::array::from_fn(|pair| pair as u8),
                std::array::from_fn(|pair| tables.mirror_pair(pair as u8)),
            ];
            let pass = BandPass { check: self, tables: &tables, levels: &levels, band, images };
            pass.run(&closed, &|share| report((at as f64 + share) / bands.len() as f64))?;
            if band != bands[bands.len() - 1] {
                self.save_progress(band.top, &closed)?;
            }
        }
        file::remove_table_file(self.directory, &self.progress_name())
            .map_err(|error| CheckFailure::Impossible(error.into()))?;
        Ok(states)
    }

    /// Checks the ranks of each class by itself. Returns the numbers of states.
    fn check_classes(&self, tables: &BoardTables) -> Result<RankCounts, CheckFailure> {
        let mut states = 0;
        let mut by_rank = vec![0; 1 << 16];
        // For each pair, the ranks of the states of its class.
        let mut class_ranks = [[0_u16; 2]; 256];
        self.for_each(tables, |set, &WinEntry { entry, wins, safe, ranked, ranks }| {
            if entry == set.entries.start {
                class_ranks = [[0; 2]; 256];
            }
            let check_empty = |pairs: Pairs, flaw| {
                first_pair(pairs).map_or(Ok(()), |knights| Err(set.failure(entry, knights, flaw)))
            };
            // Where the game is over, the solver stores the wins of red.
            let decided = combine_sets(
                subtract_pairs(wins, set.undecided),
                set.knights.won_by_red(),
                |one, other| one ^ other,
            );
            check_empty(decided, StateFlaw::Decided)?;
            check_empty(subtract_pairs(safe, wins), StateFlaw::NotCertain)?;
            let safe = intersect_pairs(safe, set.undecided);
            check_empty(subtract_pairs(safe, set.owned), StateFlaw::NotOwned)?;
            states += count_pairs(safe) + count_pairs(ranked);
            by_rank[0] += count_pairs(safe);
            for (pair, &rank) in pair_numbers(ranked).zip(ranks) {
                by_rank[usize::from(rank)] += 1;
                let knights = [pair / 16, pair % 16].map(Square);
                if rank == 0 || rank > RankBand::MAX_CHECKED_RANK {
                    let flaw =
                        if rank == 0 { StateFlaw::RankTooLow } else { StateFlaw::RankTooHigh };
                    return Err(set.failure(entry, knights, flaw));
                }
                let is_owned = set.owned[usize::from(pair / 16)] >> (pair % 16) & 1 != 0;
                let class = &mut class_ranks[usize::from(pair)];
                if !is_owned && !class.contains(&rank) {
                    let free = class.iter_mut().find(|known| **known == 0);
                    *free.ok_or_else(|| set.failure(entry, knights, StateFlaw::ThirdRank))? = rank;
                }
            }
            Ok(())
        })?;
        Ok(RankCounts { states, by_rank })
    }

    /// Calls `act` with each entry of the files and its set of walls.
    fn for_each(
        &self,
        tables: &BoardTables,
        mut act: impl FnMut(&CanonicalSet, &WinEntry) -> Result<(), CheckFailure>,
    ) -> Result<(), CheckFailure> {
        let mut sets = self.numbering.canonical_sets();
        let mut set: Option<CanonicalSet> = None;
        self.files.for_each(|entry| {
            if set.as_ref().is_none_or(|set| entry.entry == set.entries.end) {
                set = sets.next().map(|(rank, walls)| {
                    let knights = tables.knights(walls);
                    CanonicalSet {
                        walls,
                        entries: self.numbering.entries_of(rank),
                        knights,
                        undecided: knights.undecided(),
                        owned: tables.owned(&knights, self.wins_ties),
                        blocked: tables.blocked_sets(walls),
                    }
                });
            }
            set.as_ref().map_or(Ok(()), |set| act(set, entry))
        })
    }

    /// Loads the levels of a band with `listed` states.
    fn load_levels(
        &self,
        tables: &BoardTables,
        band: RankBand,
        listed: usize,
    ) -> Result<BandLevels, CheckFailure> {
        let mut levels = BandLevels::new(self.numbering.entries, listed)
            .ok_or(CheckFailure::Impossible(SolverError::MemoryOfCheck))?;
        self.for_each(tables, |set, &WinEntry { entry, safe, ranked, ranks, .. }| {
            let mut low =
                unite_pairs(intersect_pairs(safe, set.undecided), set.knights.won_by_red());
            let mut in_band = NO_PAIRS;
            for (pair, &rank) in pair_numbers(ranked).zip(ranks) {
                let bit = 1 << (pair % 16);
                if rank <= band.floor {
                    low[usize::from(pair / 16)] |= bit;
                } else if rank <= band.top {
                    in_band[usize::from(pair / 16)] |= bit;
                }
            }
            let in_band_ranks = ranks.iter().filter(|&&rank| rank > band.floor && rank <= band.top);
            levels.add(entry, low, in_band, in_band_ranks.map(|rank| rank - band.floor));
            Ok(())
        })?;
        Ok(levels)
    }

    /// Returns no closed classes. With one band none are needed.
    fn no_closed_classes(&self, are_needed: bool) -> ClosedClasses {
        let chunks = count_wall_sets(self.numbering.walls).div_ceil(CHUNK_LEN);
        let mut closed = Vec::new();
        for chunk in 0..chunks {
            let sets = if are_needed { self.canonical_ranks(chunk).count() } else { 0 };
            closed.push(Mutex::new(vec![[0; 4]; sets]));
        }
        closed
    }

    /// Iterates over the ranks of the canonical sets of walls of a chunk.
    fn canonical_ranks(&self, chunk: usize) -> impl Iterator<Item = usize> {
        let ranks =
            chunk * CHUNK_LEN..count_wall_sets(self.numbering.walls).min((chunk + 1) * CHUNK_LEN);
        ranks.filter(|&rank| !self.numbering.entries_of(rank).is_empty())
    }

    fn progress_name(&self) -> String {
        format!("{}-check", self.files.names[0])
    }

    /// Loads the progress, if it belongs to the same files. Returns the top of the last band that
    /// has been checked.
    fn load_progress(
        &self,
        bands: &[RankBand],
        closed: &mut ClosedClasses,
    ) -> Result<Option<u16>, CheckFailure> {
        let mut head = [0; HEAD_LEN];
        let sets: usize = closed
            .iter_mut()
            .map(|chunk| chunk.get_mut().unwrap_or_else(PoisonError::into_inner).len())
            .sum();
        if sets == 0 {
            return Ok(None);
        }
        let bytes = size_of_val(&head) + 32 * sets;
        let mut saved: Vec<Vec<[u64; 4]>> = Vec::new();
        let loaded = file::load_table_file(
            &TableDirectory(self.directory),
            &self.progress_name(),
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
        // Otherwise the check starts from the first band.
        let is_top = bands.iter().any(|band| u64::from(band.top) == head[0]);
        if !matches!(loaded, Ok(true)) || head[1..] != self.progress_head(0)[1..] || !is_top {
            return Ok(None);
        }
        *closed = saved.into_iter().map(Mutex::new).collect();
        Ok(Some(head[0] as u16))
    }

    fn save_progress(&self, top: u16, closed: &ClosedClasses) -> Result<(), CheckFailure> {
        let chunks: Vec<_> = closed
            .iter()
            .map(|chunk| chunk.lock().unwrap_or_else(PoisonError::into_inner))
            .collect();
        let head = self.progress_head(top);
        let parts = std::iter::once(cast_slice(&head))
            .chain(chunks.iter().map(|chunk| cast_slice(&chunk[..])));
        file::save_table_file(self.directory, &self.progress_name(), &parts.collect::<Vec<&[u8]>>())
            .map_err(|error| CheckFailure::Impossible(error.into()))
    }

    /// Returns the first words of the file with the progress: the top of the last band, and the
    /// checksums of the tables.
    fn progress_head(&self, top: u16) -> [u64; HEAD_LEN] {
        let mut head = [u64::from(top); HEAD_LEN];
        for (word, line) in head[1..].iter_mut().zip(self.files.checksums()) {
            let checksum = line.split(' ').nth(1);
            *word = checksum.and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or(0);
        }
        head
    }
}

/// The number of the first words of the file with the progress.
const HEAD_LEN: usize = 4;

/// The numbers of the states in the files.
struct RankCounts {
    states: u64,
    by_rank: Vec<u64>,
}

struct CanonicalSet {
    walls: u64,
    entries: std::ops::Range<usize>,
    knights: KnightSteps,
    undecided: Pairs,
    owned: Pairs,
    blocked: BlockedSets,
}

impl CanonicalSet {
    /// Returns the failure for a state in an entry of this set.
    fn failure(&self, entry: usize, knights: [Square; 2], flaw: StateFlaw) -> CheckFailure {
        let last_wall = self.blocked.last(entry - self.entries.start);
        let position =
            Position { knights, walls: self.walls, side: Side::Second, last_wall, full_move: 1 };
        CheckFailure::WrongState(Box::new(position), flaw)
    }
}

/// The check of the states whose ranks are in a band.
struct BandPass<'a> {
    check: &'a RankCheck<'a>,
    tables: &'a BoardTables,
    levels: &'a BandLevels,
    band: RankBand,
    /// The numbers of the pairs, and of their mirror images.
    images: [[u8; 256]; 2],
}

impl BandPass<'_> {
    /// Checks all states of the band. `report` gets the share that is done.
    fn run(
        &self,
        closed: &ClosedClasses,
        report: &(dyn Fn(f64) + Sync),
    ) -> Result<(), CheckFailure> {
        let done = AtomicUsize::new(0);
        let wrong = OnceLock::new();
        let RankCheck { numbering, .. } = self.check;
        in_parallel(self.check.threads, 0..closed.len(), |chunk, _: &mut Vec<()>| {
            let mut closed_here = closed[chunk].lock().unwrap_or_else(PoisonError::into_inner);
            for (at, rank) in self.check.canonical_ranks(chunk).enumerate() {
                if let Err(failure) =
                    self.check_set(unrank_wall_set(numbering.walls, rank), closed_here.get_mut(at))
                {
                    let _ = wrong.set(failure);
                    return false;
                }
            }
            report((done.fetch_add(1, Relaxed) + 1) as f64 / closed.len() as f64);
            wrong.get().is_none()
        });
        wrong.into_inner().map_or(Ok(()), Err)?;
        let Some((entry, pair)) = self.levels.unreached(self.band) else { return Ok(()) };
        let found = numbering
            .canonical_sets()
            .find(|&(rank, _)| numbering.entries_of(rank).contains(&entry));
        let (rank, walls) = found.unwrap_or_default();
        Err(self.failure(walls, entry - numbering.first_entry(rank), pair, StateFlaw::RankTooHigh))
    }

    /// Checks the states before the states with red to move of a canonical set of walls.
    fn check_set(&self, walls: u64, closed: Option<&mut [u64; 4]>) -> Result<(), CheckFailure> {
        let BandPass { check, tables, .. } = self;
        let knights = tables.knights(walls);
        let blocked = tables.blocked_sets(walls);
        let owned = tables.owned(&knights, check.wins_ties);
        let levels = self.levels_of_red(walls, &knights, &blocked, owned, closed);
        // Green moves its knight.
        let first_entry = check.numbering.index(walls, None).entry;
        let after_step = max_levels_after_green(&knights, &levels[0]);
        let least = least_of_green(&after_step, owned);
        let above_zero = pairs_above(&least, 0);
        let undecided = knights.undecided();
        let required = RequiredLevels { least, above_zero, undecided, is_mirrored: false };
        for number in 0..blocked.sets().len() {
            self.compare(walls, first_entry + number, number, &required)?;
        }
        // Green turns a wall.
        for to in slots(walls) {
            let Some(number) = blocked.number(tables.blocked_after(walls, to)) else { continue };
            let reachable = pairs_above(&levels[number], UNREACHABLE_LEVEL);
            for turn in &tables.turns_to[usize::from(to.0)] {
                if walls & turn.from.bit() == 0 {
                    self.check_turn(walls, turn, &knights, &levels[number], reachable)?;
                }
            }
        }
        Ok(())
    }

    /// Returns, for each blocked set, the levels of the states with red to move.
    fn levels_of_red(
        &self,
        walls: u64,
        knights: &KnightSteps,
        blocked: &BlockedSets,
        owned: Pairs,
        closed: Option<&mut [u64; 4]>,
    ) -> Vec<PairLevels> {
        let undecided = knights.undecided();
        let mut least = self.least_levels_of_red(walls, knights, blocked);
        // The states of green have odd ranks. The two lowest ranks count in each class.
        let [mut lowest, mut second] = [NONE_WON; 2];
        for least in &mut least {
            let odd = map_levels(least, |level| level.saturating_add(1) | 1);
            *least = select_levels(owned, least, &odd);
            let other = zip_levels(&odd, &lowest, |level, lowest| {
                if level == lowest { NOT_WON } else { level.max(lowest) }
            });
            lowest = zip_levels(&lowest, &odd, i16::min);
            second = zip_levels(&second, &other, i16::min);
        }
        let mut last = second;
        if let Some(closed) = closed {
            let below = [self.band.first_checked() - 1; 256];
            let last_of_closed = zip_levels(&last, &below, i16::min);
            last = select_levels(from_words(*closed), &last_of_closed, &last);
            let are_later = unite_pairs(pairs_above(&second, self.band.last_level()), owned);
            *closed = to_words(unite_pairs(
                from_words(*closed),
                subtract_pairs([u16::MAX; 16], are_later),
            ));
        }
        // No state counts after a winning move of green.
        let lost = subtract_pairs(knights.after_green(), undecided);
        let others = select_levels(lost, &NONE_WON, &[UNREACHABLE_LEVEL; 256]);
        for least in &mut least {
            let counting =
                zip_levels(least, &last, |level, last| if level > last { NOT_WON } else { level });
            let counted = select_levels(owned, least, &counting);
            *least = select_levels(undecided, &counted, &others);
        }
        least
    }

    /// Returns, for each blocked set, the least levels that a move of red leads to.
    fn least_levels_of_red(
        &self,
        walls: u64,
        knights: &KnightSteps,
        blocked: &BlockedSets,
    ) -> Vec<PairLevels> {
        let BandPass { check: RankCheck { numbering, .. }, tables, .. } = self;
        let undecided = knights.undecided();
        let here = self.entry_levels(numbering.index(walls, None));
        let mut least = vec![best_step_of_red(knights, &here); blocked.sets().len()];
        for from in slots(walls) {
            let mut by_wall = NONE_WON;
            for turn in &tables.turn_numbers_from[usize::from(from.0)] {
                let clear = intersect_pairs(turn.clear(walls), undecided);
                if clear != NO_PAIRS {
                    let index = numbering.index(turn.after(walls), Some(turn.to));
                    let after = select_levels(clear, &self.entry_levels(index), &NONE_WON);
                    by_wall = zip_levels(&by_wall, &after, i16::min);
                }
            }
            for (least, set) in least.iter_mut().zip(blocked.sets()) {
                if set & from.bit() == 0 {
                    *least = zip_levels(least, &by_wall, i16::min);
                }
            }
        }
        least
    }

    /// Returns the pairs with level 0 of an entry, or their mirror images.
    fn low_pairs(&self, entry: usize, is_mirrored: bool) -> Pairs {
        let low = self.levels.low(entry);
        if is_mirrored { self.tables.mirror(low) } else { low }
    }

    /// Returns the levels of an entry, or of its mirror image.
    fn entry_levels(&self, index: EntryIndex) -> PairLevels {
        let EntryIndex { entry, is_mirrored } = index;
        let low = self.low_pairs(entry, is_mirrored);
        self.levels.get(entry, low, &self.images[usize::from(is_mirrored)])
    }

    /// Checks the states before a turn of green that leads to these walls. `after` has the levels
    /// of the states after the turn, `reachable` their pairs.
    fn check_turn(
        &self,
        walls: u64,
        turn: &TurnPairs,
        knights: &KnightSteps,
        after: &PairLevels,
        reachable: Pairs,
    ) -> Result<(), CheckFailure> {
        let BandPass { check: RankCheck { numbering, wins_ties, .. }, tables, .. } = self;
        let before = turn.before(walls);
        let clear = intersect_pairs(turn.clear(before), reachable);
        if clear == NO_PAIRS {
            return Ok(());
        }
        let knights = tables.knights_after(knights, turn.to, turn.from);
        let least = least_of_green(
            &select_levels(clear, after, &[UNREACHABLE_LEVEL; 256]),
            tables.owned(&knights, *wins_ties),
        );
        let above_zero = pairs_above(&least, 0);
        if above_zero == NO_PAIRS {
            return Ok(());
        }
        let index = numbering.index(before, None);
        let image = tables.mirror_walls(before);
        let canonical = if index.is_mirrored { image } else { before };
        // A set that is its own mirror image also has the states before the image of the turn.
        let both = if image == before { &[false, true][..] } else { &[index.is_mirrored] };
        let undecided = knights.undecided();
        for &is_mirrored in both {
            let required = RequiredLevels { least, above_zero, undecided, is_mirrored };
            let from = if is_mirrored { tables.mirror_slot(turn.from) } else { turn.from };
            for (number, set) in tables.blocked_sets(canonical).sets().iter().enumerate() {
                if set & from.bit() == 0 {
                    let entry = index.entry + number;
                    self.compare(canonical, entry, number, &required)?;
                }
            }
        }
        Ok(())
    }

    /// Compares the states of an entry of a canonical set of walls with the levels that they must
    /// have.
    fn compare(
        &self,
        walls: u64,
        entry: usize,
        number: usize,
        required: &RequiredLevels,
    ) -> Result<(), CheckFailure> {
        let RequiredLevels { least, above_zero, undecided, is_mirrored } = *required;
        let image = &self.images[usize::from(is_mirrored)];
        let mut wrong = self.levels.compare(entry, &least, self.band.first_checked(), image);
        if self.band.is_first() {
            let low = self.low_pairs(entry, is_mirrored);
            let too_low = first_pair(intersect_pairs(intersect_pairs(low, undecided), above_zero));
            wrong = wrong.or(too_low.map(|[red, green]| 16 * red.0 + green.0));
        }
        wrong.map_or(Ok(()), |pair| {
            let pair = image[usize::from(pair)];
            Err(self.failure(walls, number, pair, StateFlaw::RankTooLow))
        })
    }

    /// Returns the failure for a state with green to move.
    fn failure(&self, walls: u64, number: usize, pair: u8, flaw: StateFlaw) -> CheckFailure {
        let knights = [pair / 16, pair % 16].map(Square);
        let last_wall = self.tables.blocked_sets(walls).last(number);
        let position = Position { knights, walls, side: Side::Second, last_wall, full_move: 1 };
        CheckFailure::WrongState(Box::new(position), flaw)
    }
}

/// The levels that a move of green requires of the states before it.
struct RequiredLevels {
    least: PairLevels,
    /// The pairs whose level must be more than 0.
    above_zero: Pairs,
    /// The pairs in which the game is not over.
    undecided: Pairs,
    /// Whether all sets and levels are of the mirror image.
    is_mirrored: bool,
}

/// Returns the least levels after a step of red.
fn best_step_of_red(knights: &KnightSteps, after: &PairLevels) -> PairLevels {
    let mut best = NONE_WON;
    for (red, best) in best.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        for to in bit_indices(u64::from(knights.steps[red])) {
            let row = &after[16 * usize::from(to)..][..16];
            best.iter_mut().zip(row).for_each(|(best, &level)| *best = level.min(*best));
        }
    }
    best
}

/// Returns the greatest levels after a step of green.
fn max_levels_after_green(knights: &KnightSteps, after: &PairLevels) -> PairLevels {
    let mut worst = [UNREACHABLE_LEVEL; 256];
    for (worst, after) in worst.as_chunks_mut::<16>().0.iter_mut().zip(after.as_chunks::<16>().0) {
        for (worst, &to) in worst.iter_mut().zip(&knights.steps) {
            *worst = bit_indices(u64::from(to))
                .fold(UNREACHABLE_LEVEL, |worst, to| worst.max(after[usize::from(to)]));
        }
    }
    worst
}

/// Returns the least levels with green to move, if a move leads to the levels `after` with red to
/// move. Those of the states that green owns are even and greater.
fn least_of_green(after: &PairLevels, owned: Pairs) -> PairLevels {
    select_levels(owned, after, &map_levels(after, |level| (level | 1).saturating_add(1)))
}

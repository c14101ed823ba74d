//! Checks the ranks of all certain wins against the rules.
//!
//! The files have the ranks of the states with green to move, which are even where green owns the state. A state with
//! red to move has the least rank that a move of red leads to, 0 if it wins at once; but where green owns the state, it
//! has the next odd rank, and of the states of a class, which differ in nothing but the blocked walls, only those count
//! that have the two lowest ranks. The check is that
//!
//! 1. with green to move, every move leads to a state with red to move that counts, and none wins;
//! 2. a state with green to move has the greatest rank that a move leads to, or where green owns it, the next even rank
//!    after that;
//! 3. red owns all states of rank 0, and the states of a class that green owns have two ranks at most.
//!
//! So if red always moves to a state of the least rank, the rank never grows, and after each state that green owns it is
//! smaller. Then red wins, as the documentation of the [solver](super::super) says.
//!
//! The work visits the states with red to move. The moves of red determine their ranks, and these are compared with the
//! ranks of the states before, from which a move of green leads there.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

use bytemuck::{cast_slice, cast_slice_mut};

use pentarch_core::Side;
use pentarch_core::notation::points::bits;
use pentarch_core::tables::directory::TableDirectory;
use pentarch_tables::{file, in_parallel};

use super::super::entry_numbering::EntryNumbering;
use super::super::error::SolverError;
use super::super::wall_sets::{count, unrank};
use super::files::{WinEntry, WinFiles};
use super::levels::{Band, BandLevels, Levels, NEVER, above, bits_of, map, select, zip};
use super::walls::{
    BlockedSets, BoardTables, Knights, NONE, Pairs, Turn, and, first, from_words, len, or,
    to_words, without, zip as zip_pairs,
};
use super::{CHUNK, Fault, Flaw};
use crate::board::{Board, Square, slots};
use crate::position::Position;

/// The level of a state that no move leads to.
const UNREACHABLE: i16 = -1;
/// The level of no state.
const ALL_NEVER: Levels = [NEVER; 256];

/// The data of a check.
pub struct RankCheck<'a> {
    /// The board of the game.
    pub board: &'a Board,
    /// Where the entries are in the files.
    pub numbering: &'a EntryNumbering,
    /// The wins and their ranks.
    pub files: &'a WinFiles,
    /// Whether red wins if nothing differs at a repetition.
    pub ties: bool,
    /// On how many threads to work.
    pub threads: usize,
    /// The number of states whose ranks are in memory at once.
    pub most_states: u64,
    /// The directory of the file with the progress.
    pub directory: &'a Path,
}

/// For each chunk of the sets of walls: by its canonical sets, the classes with red to move that green owns and that
/// have states of two ranks below the band.
type Closed = Vec<Mutex<Vec<[u64; 4]>>>;

impl RankCheck<'_> {
    /// Checks all states. `tell` gets the share that is done. Returns the number of wins with the other side to move; a
    /// set of walls and its mirror image count once.
    ///
    /// # Errors
    /// The first fault.
    pub fn run(&self, tell: &(dyn Fn(f64) + Sync)) -> Result<u64, Fault> {
        let tables = BoardTables::new(self.board);
        let (states, by_rank) = self.inspect_classes(&tables)?;
        let bands = Band::all(&by_rank, self.most_states);
        let mut closed = self.none_closed(bands.len() > 1);
        let ended = self.resume(&bands, &mut closed)?;
        for (at, &band) in
            bands.iter().enumerate().filter(|(_, band)| ended.is_none_or(|top| band.top > top))
        {
            let listed =
                (band.floor..band.top).map(|below| by_rank[usize::from(below) + 1]).sum::<u64>();
            let levels = self.load(&tables, band, listed as usize)?;
            let images = [
                std::array::from_fn(|pair| pair as u8),
                std::array::from_fn(|pair| tables.mirror_pair(pair as u8)),
            ];
            let pass = Pass { check: self, tables: &tables, levels: &levels, band, images };
            pass.run(&closed, &|share| tell((at as f64 + share) / bands.len() as f64))?;
            if band != bands[bands.len() - 1] {
                self.keep(band.top, &closed)?;
            }
        }
        file::remove(self.directory, &self.kept_name())
            .map_err(|error| Fault::Unable(error.into()))?;
        Ok(states)
    }

    /// Checks the ranks of each class by itself. Returns the number of states, in all and by rank.
    fn inspect_classes(&self, tables: &BoardTables) -> Result<(u64, Vec<u64>), Fault> {
        let (mut states, mut by_rank) = (0, vec![0; 1 << 16]);
        // For each pair, the ranks of the states of its class.
        let mut of_class = [[0_u16; 2]; 256];
        self.for_each(tables, |set, &WinEntry { entry, wins, safe, ranked, ranks }| {
            if entry == set.entries.start {
                of_class = [[0; 2]; 256];
            }
            let fault = |pairs: Pairs, flaw| {
                first(pairs).map_or(Ok(()), |knights| Err(set.fault(entry, knights, flaw)))
            };
            // Where the game is over, the solver stores the wins of red.
            let decided =
                zip_pairs(without(wins, set.undecided), set.knights.won_by_red(), |one, other| {
                    one ^ other
                });
            fault(decided, Flaw::Decided)?;
            fault(without(safe, wins), Flaw::NotCertain)?;
            let safe = and(safe, set.undecided);
            fault(without(safe, set.owned), Flaw::NotOwned)?;
            states += len(safe) + len(ranked);
            by_rank[0] += len(safe);
            for (pair, &rank) in bits_of(ranked).zip(ranks) {
                by_rank[usize::from(rank)] += 1;
                let knights = [pair / 16, pair % 16].map(Square);
                if rank == 0 || rank > Band::MOST {
                    let flaw = if rank == 0 { Flaw::RankTooLow } else { Flaw::RankTooHigh };
                    return Err(set.fault(entry, knights, flaw));
                }
                let is_owned = set.owned[usize::from(pair / 16)] >> (pair % 16) & 1 != 0;
                let class = &mut of_class[usize::from(pair)];
                if !is_owned && !class.contains(&rank) {
                    let free = class.iter_mut().find(|known| **known == 0);
                    *free.ok_or_else(|| set.fault(entry, knights, Flaw::ThirdRank))? = rank;
                }
            }
            Ok(())
        })?;
        Ok((states, by_rank))
    }

    /// Calls `take` with each entry of the files, with its set of walls.
    fn for_each(
        &self,
        tables: &BoardTables,
        mut take: impl FnMut(&SetOfWalls, &WinEntry) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut sets = self.numbering.canonical_sets();
        let mut set: Option<SetOfWalls> = None;
        self.files.for_each(|entry| {
            if set.as_ref().is_none_or(|set| entry.entry == set.entries.end) {
                let next = sets.next().map(|(rank, walls)| {
                    let knights = tables.knights(walls);
                    let (undecided, owned) =
                        (knights.undecided(), tables.owned(&knights, self.ties));
                    let (entries, blocked) =
                        (self.numbering.entries_of(rank), tables.blocked_sets(walls));
                    SetOfWalls { walls, entries, knights, undecided, owned, blocked }
                });
                set = next;
            }
            set.as_ref().map_or(Ok(()), |set| take(set, entry))
        })
    }

    /// Loads the levels of a band with `listed` states.
    fn load(&self, tables: &BoardTables, band: Band, listed: usize) -> Result<BandLevels, Fault> {
        let mut levels = BandLevels::new(self.numbering.entries, listed)
            .ok_or(Fault::Unable(SolverError::MemoryOfCheck))?;
        self.for_each(tables, |set, &WinEntry { entry, safe, ranked, ranks, .. }| {
            let mut low = or(and(safe, set.undecided), set.knights.won_by_red());
            let mut in_band = NONE;
            for (pair, &rank) in bits_of(ranked).zip(ranks) {
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

    /// The closed classes at the beginning. With one band none of them is needed.
    fn none_closed(&self, is_needed: bool) -> Closed {
        let chunks = count(self.numbering.walls).div_ceil(CHUNK);
        let sets = |chunk| if is_needed { self.sets_of(chunk).count() } else { 0 };
        (0..chunks).map(|chunk| Mutex::new(vec![[0; 4]; sets(chunk)])).collect()
    }

    /// The ranks of the canonical sets of a chunk.
    fn sets_of(&self, chunk: usize) -> impl Iterator<Item = usize> {
        let ranks = chunk * CHUNK..count(self.numbering.walls).min((chunk + 1) * CHUNK);
        ranks.filter(|&rank| !self.numbering.entries_of(rank).is_empty())
    }

    /// The name of the file with the progress.
    fn kept_name(&self) -> String {
        format!("{}-check", self.files.names[0])
    }

    /// Loads the progress, if it is that of the same files. Returns the top of the last band that has been checked.
    fn resume(&self, bands: &[Band], closed: &mut Closed) -> Result<Option<u16>, Fault> {
        let mut head = [0; HEAD];
        let sets: usize = closed
            .iter_mut()
            .map(|chunk| chunk.get_mut().unwrap_or_else(PoisonError::into_inner).len())
            .sum();
        if sets == 0 {
            return Ok(None);
        }
        let bytes = size_of_val(&head) + 32 * sets;
        let mut kept: Vec<Vec<[u64; 4]>> = Vec::new();
        let loaded =
            file::load(&TableDirectory(self.directory), &self.kept_name(), bytes as u64, |read| {
                read(cast_slice_mut(&mut head))?;
                for chunk in closed.iter_mut() {
                    let mut sets =
                        vec![[0; 4]; chunk.get_mut().unwrap_or_else(PoisonError::into_inner).len()];
                    read(cast_slice_mut(&mut sets))?;
                    kept.push(sets);
                }
                Ok(())
            });
        // Otherwise the check starts from the first band.
        let is_top = bands.iter().any(|band| u64::from(band.top) == head[0]);
        if !matches!(loaded, Ok(true)) || head[1..] != self.head(0)[1..] || !is_top {
            return Ok(None);
        }
        *closed = kept.into_iter().map(Mutex::new).collect();
        Ok(Some(head[0] as u16))
    }

    /// Writes the progress.
    fn keep(&self, top: u16, closed: &Closed) -> Result<(), Fault> {
        let chunks: Vec<_> = closed
            .iter()
            .map(|chunk| chunk.lock().unwrap_or_else(PoisonError::into_inner))
            .collect();
        let head = self.head(top);
        let parts = std::iter::once(cast_slice(&head))
            .chain(chunks.iter().map(|chunk| cast_slice(&chunk[..])));
        file::save(self.directory, &self.kept_name(), &parts.collect::<Vec<&[u8]>>())
            .map_err(|error| Fault::Unable(error.into()))
    }

    /// The first words of the file with the progress: the top of the last band, and the checksums of the tables.
    fn head(&self, top: u16) -> [u64; HEAD] {
        let mut head = [u64::from(top); HEAD];
        let sums = self
            .files
            .checksums()
            .into_iter()
            .map(|sum| u64::from_str_radix(sum.split(' ').nth(1)?, 16).ok());
        head[1..].iter_mut().zip(sums).for_each(|(word, sum)| *word = sum.unwrap_or(0));
        head
    }
}

/// The number of the first words of the file with the progress.
const HEAD: usize = 4;

/// A canonical set of walls.
struct SetOfWalls {
    walls: u64,
    entries: std::ops::Range<usize>,
    knights: Knights,
    undecided: Pairs,
    owned: Pairs,
    blocked: BlockedSets,
}

impl SetOfWalls {
    /// A fault in an entry of this set.
    fn fault(&self, entry: usize, knights: [Square; 2], flaw: Flaw) -> Fault {
        let last_wall = self.blocked.last(entry - self.entries.start);
        let position =
            Position { knights, walls: self.walls, side: Side::Second, last_wall, full_move: 1 };
        Fault::State(Box::new(position), flaw)
    }
}

/// The check of the states whose ranks are in a band.
struct Pass<'a> {
    check: &'a RankCheck<'a>,
    tables: &'a BoardTables,
    levels: &'a BandLevels,
    band: Band,
    /// The pairs by their numbers, and their mirror images.
    images: [[u8; 256]; 2],
}

impl Pass<'_> {
    /// Checks all states of the band.
    fn run(&self, closed: &Closed, tell: &(dyn Fn(f64) + Sync)) -> Result<(), Fault> {
        let (done, wrong) = (AtomicUsize::new(0), OnceLock::new());
        let RankCheck { numbering, .. } = self.check;
        in_parallel(self.check.threads, 0..closed.len(), |chunk, _: &mut Vec<()>| {
            let mut closed_here = closed[chunk].lock().unwrap_or_else(PoisonError::into_inner);
            for (at, rank) in self.check.sets_of(chunk).enumerate() {
                if let Err(fault) =
                    self.check_set(unrank(numbering.walls, rank), closed_here.get_mut(at))
                {
                    let _ = wrong.set(fault);
                    return false;
                }
            }
            tell((done.fetch_add(1, Relaxed) + 1) as f64 / closed.len() as f64);
            wrong.get().is_none()
        });
        wrong.into_inner().map_or(Ok(()), Err)?;
        let Some((entry, pair)) = self.levels.unreached(self.band) else { return Ok(()) };
        let found = numbering
            .canonical_sets()
            .find(|&(rank, _)| numbering.entries_of(rank).contains(&entry));
        let (rank, walls) = found.unwrap_or_default();
        Err(self.fault(walls, entry - numbering.first_entry(rank), pair, Flaw::RankTooHigh))
    }

    /// Checks what leads to the states with red to move of a canonical set of walls.
    fn check_set(&self, walls: u64, closed: Option<&mut [u64; 4]>) -> Result<(), Fault> {
        let Pass { check, tables, .. } = self;
        let knights = tables.knights(walls);
        let blocked = tables.blocked_sets(walls);
        let owned = tables.owned(&knights, check.ties);
        let levels = self.levels_of_red(walls, &knights, &blocked, owned, closed);
        // Green moves its knight.
        let first_entry = check.numbering.index(walls, None).entry;
        let after_step = worst_step_of_green(&knights, &levels[0]);
        let least = least_of_green(&after_step, owned);
        let above_zero = above(&least, 0);
        let required =
            Required { least, above_zero, undecided: knights.undecided(), is_mirrored: false };
        for number in 0..blocked.sets().len() {
            self.compare(walls, first_entry + number, number, &required)?;
        }
        // Green turns a wall.
        for to in slots(walls) {
            let Some(number) = blocked.number(tables.blocked_after(walls, to)) else { continue };
            let reachable = above(&levels[number], UNREACHABLE);
            for turn in &tables.turns_to[usize::from(to.0)] {
                if walls & turn.from.bit() == 0 {
                    self.check_turn(walls, turn, &knights, &levels[number], reachable)?;
                }
            }
        }
        Ok(())
    }

    /// By the number of the blocked set: the levels of the states with red to move.
    fn levels_of_red(
        &self,
        walls: u64,
        knights: &Knights,
        blocked: &BlockedSets,
        owned: Pairs,
        closed: Option<&mut [u64; 4]>,
    ) -> Vec<Levels> {
        let Pass { check: RankCheck { numbering, .. }, tables, .. } = self;
        let undecided = knights.undecided();
        let here = self.level(numbering.index(walls, None).entry, false);
        let mut least = vec![best_step_of_red(knights, &here); blocked.sets().len()];
        for from in slots(walls) {
            let mut by_wall = ALL_NEVER;
            for turn in &tables.turns_from[usize::from(from.0)] {
                let clear = and(turn.clear(walls), undecided);
                if clear != NONE {
                    let place = numbering.index(turn.after(walls), Some(turn.to));
                    let after =
                        select(clear, &self.level(place.entry, place.is_mirrored), &ALL_NEVER);
                    by_wall = zip(&by_wall, &after, i16::min);
                }
            }
            for (least, set) in least.iter_mut().zip(blocked.sets()) {
                if set & from.bit() == 0 {
                    *least = zip(least, &by_wall, i16::min);
                }
            }
        }
        // The states of green have odd ranks, of which the two lowest count in each class.
        let [mut lowest, mut second] = [ALL_NEVER; 2];
        for least in &mut least {
            let odd = map(least, |level| level.saturating_add(1) | 1);
            *least = select(owned, least, &odd);
            let other = zip(
                &odd,
                &lowest,
                |level, lowest| if level == lowest { NEVER } else { level.max(lowest) },
            );
            (lowest, second) = (zip(&lowest, &odd, i16::min), zip(&second, &other, i16::min));
        }
        let mut last = second;
        if let Some(closed) = closed {
            let below = [self.band.first_checked() - 1; 256];
            last = select(from_words(*closed), &zip(&last, &below, i16::min), &last);
            let are_later = or(above(&second, self.band.last_level()), owned);
            *closed = to_words(or(from_words(*closed), without([u16::MAX; 16], are_later)));
        }
        // Nothing counts after a winning move of green.
        let lost = without(knights.after_green(), undecided);
        let others = select(lost, &ALL_NEVER, &[UNREACHABLE; 256]);
        for least in &mut least {
            let counting =
                zip(least, &last, |level, last| if level > last { NEVER } else { level });
            *least = select(undecided, &select(owned, least, &counting), &others);
        }
        least
    }

    /// The levels of an entry, or of its mirror image.
    fn level(&self, entry: usize, is_mirrored: bool) -> Levels {
        let low = self.levels.low(entry);
        let low = if is_mirrored { self.tables.mirror(low) } else { low };
        self.levels.get(entry, low, &self.images[usize::from(is_mirrored)])
    }

    /// Checks the states before a turn of green that has led to these walls, after which these are the levels.
    fn check_turn(
        &self,
        walls: u64,
        turn: &Turn,
        knights: &Knights,
        after: &Levels,
        reachable: Pairs,
    ) -> Result<(), Fault> {
        let Pass { check: RankCheck { numbering, ties, .. }, tables, .. } = self;
        let before = turn.before(walls);
        let clear = and(turn.clear(before), reachable);
        if clear == NONE {
            return Ok(());
        }
        let knights = tables.knights_after(knights, turn.to, turn.from);
        let least = least_of_green(
            &select(clear, after, &[UNREACHABLE; 256]),
            tables.owned(&knights, *ties),
        );
        let above_zero = above(&least, 0);
        if above_zero == NONE {
            return Ok(());
        }
        let place = numbering.index(before, None);
        let image = tables.mirror_walls(before);
        let canonical = if place.is_mirrored { image } else { before };
        // A set that is its own mirror image also has the states before the image of the turn.
        let both = if image == before { &[false, true][..] } else { &[place.is_mirrored] };
        let undecided = knights.undecided();
        for &is_mirrored in both {
            let required = Required { least, above_zero, undecided, is_mirrored };
            let from = if is_mirrored { tables.mirror_slot(turn.from) } else { turn.from };
            for (number, set) in tables.blocked_sets(canonical).sets().iter().enumerate() {
                if set & from.bit() == 0 {
                    let entry = place.entry + number;
                    self.compare(canonical, entry, number, &required)?;
                }
            }
        }
        Ok(())
    }

    /// Compares the states of an entry of a canonical set of walls with the levels that they must have.
    fn compare(
        &self,
        walls: u64,
        entry: usize,
        number: usize,
        required: &Required,
    ) -> Result<(), Fault> {
        let Required { least, above_zero, undecided, is_mirrored } = *required;
        let image = &self.images[usize::from(is_mirrored)];
        let mut wrong = self.levels.compare(entry, &least, self.band.first_checked(), image);
        if self.band.is_first() {
            let low = self.levels.low(entry);
            let low = if is_mirrored { self.tables.mirror(low) } else { low };
            let risen = first(and(and(low, undecided), above_zero));
            wrong = wrong.or(risen.map(|[red, green]| 16 * red.0 + green.0));
        }
        wrong.map_or(Ok(()), |pair| {
            Err(self.fault(walls, number, image[usize::from(pair)], Flaw::RankTooLow))
        })
    }

    /// A fault of a state with green to move.
    fn fault(&self, walls: u64, number: usize, pair: u8, flaw: Flaw) -> Fault {
        let (knights, last_wall) =
            ([pair / 16, pair % 16].map(Square), self.tables.blocked_sets(walls).last(number));
        Fault::State(
            Box::new(Position { knights, walls, side: Side::Second, last_wall, full_move: 1 }),
            flaw,
        )
    }
}

/// The levels that a move of green requires of the states before it.
struct Required {
    least: Levels,
    /// The pairs whose level must be more than 0.
    above_zero: Pairs,
    /// The pairs in which the game is not over.
    undecided: Pairs,
    /// Whether all of this is of the mirror image.
    is_mirrored: bool,
}

/// The least levels after a step of red.
fn best_step_of_red(knights: &Knights, after: &Levels) -> Levels {
    let mut best = ALL_NEVER;
    for (red, best) in best.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        for to in bits(u64::from(knights.steps[red])) {
            let row = &after[16 * usize::from(to)..][..16];
            best.iter_mut().zip(row).for_each(|(best, &level)| *best = level.min(*best));
        }
    }
    best
}

/// The greatest levels after a step of green.
fn worst_step_of_green(knights: &Knights, after: &Levels) -> Levels {
    let mut worst = [UNREACHABLE; 256];
    for (worst, after) in worst.as_chunks_mut::<16>().0.iter_mut().zip(after.as_chunks::<16>().0) {
        for (worst, &to) in worst.iter_mut().zip(&knights.steps) {
            *worst = bits(u64::from(to))
                .fold(UNREACHABLE, |worst, to| worst.max(after[usize::from(to)]));
        }
    }
    worst
}

/// The least levels with green to move, if a move leads to these with red to move: those of the states that green owns
/// are even and greater.
fn least_of_green(after: &Levels, owned: Pairs) -> Levels {
    select(owned, after, &map(after, |level| (level | 1).saturating_add(1)))
}

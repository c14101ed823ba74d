//! A pass through a chunk: consecutive sets of walls whose entries fit into the processor's caches.

use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{MutexGuard, PoisonError};

use pentarch_core::Side;
use pentarch_tables::combinations::next_combination;

use super::compressed_sets::{ChunkPairSets, CompressedPairSets};
use super::pair_set::PairSet;
use super::wall_set_pass::{WallSetPass, WallTurnCache};
use super::wall_sets::{count_wall_sets, unrank_wall_set};
use super::win_rank_log::NewWonStates;
use super::{
    ALL_DUE_MOVE_BITS, DueMoveBits, FixpointStepKind, KNIGHT_SQUARE_DUE_SHIFT, RetrogradeSolver,
    SolverPassOptions, WALL_SETS_PER_CHUNK, due_sets,
};

/// The number of sets of walls in a block. A pass enumerates the sets of a block before it
/// processes them.
const WALL_SETS_PER_BLOCK: usize = 64;

/// Memory that a thread reuses for each chunk.
pub(super) struct ChunkScratch {
    turns: WallTurnCache,
    /// The closed classes of the chunk, by the side to move.
    closed: [Box<ChunkPairSets>; 2],
}

impl Default for ChunkScratch {
    fn default() -> ChunkScratch {
        ChunkScratch {
            turns: WallTurnCache::default(),
            closed: [(); 2].map(|()| Box::new([[0; 4]; WALL_SETS_PER_CHUNK])),
        }
    }
}

/// A pass through the due sets of walls in a chunk.
pub(super) struct ChunkPass<'a> {
    solver: &'a RetrogradeSolver,
    chunk: usize,
    options: SolverPassOptions,
    /// The ranks of the sets of walls in the chunk.
    ranks: Range<usize>,
    scratch: &'a mut ChunkScratch,
    /// The closed classes of the chunk as the solver stores them, by side to move, locked for this
    /// pass; `None` if the pass cannot close classes with this side to move.
    stored_closed: [Option<MutexGuard<'a, CompressedPairSets>>; 2],
    /// Whether the pass has closed a class, for each side to move.
    has_closed: [bool; 2],
    /// The states with green to move that have entered in this pass, as entries and pairs; `None`
    /// if they are not logged.
    entered: Option<Vec<(usize, PairSet)>>,
    changes: usize,
    updates: usize,
}

impl<'a> ChunkPass<'a> {
    /// Prepares a pass, and locks the closed classes that it may change.
    pub(super) fn new(
        solver: &'a RetrogradeSolver,
        chunk: usize,
        options: SolverPassOptions,
        scratch: &'a mut ChunkScratch,
    ) -> ChunkPass<'a> {
        let may_close = |side: Side| match options.step {
            FixpointStepKind::AttractCapped => true,
            FixpointStepKind::AttractUnowned => options.only_side == Some(side),
            FixpointStepKind::Attract | FixpointStepKind::AttractOwned | FixpointStepKind::Stay => {
                false
            }
        };
        let lock = |side: Side| {
            solver.closed[side.index()][chunk].lock().unwrap_or_else(PoisonError::into_inner)
        };
        let stored_closed = Side::BOTH_SIDES.map(|side| may_close(side).then(|| lock(side)));
        for (stored, closed) in stored_closed.iter().zip(&mut scratch.closed) {
            if let Some(stored) = stored {
                stored.decompress(closed);
            }
        }
        let is_logged = solver.log.is_some()
            && options.step != FixpointStepKind::Stay
            && options.only_side != Some(Side::First);
        ChunkPass {
            solver,
            chunk,
            options,
            ranks: chunk * WALL_SETS_PER_CHUNK
                ..((chunk + 1) * WALL_SETS_PER_CHUNK).min(count_wall_sets(solver.numbering.walls)),
            scratch,
            stored_closed,
            has_closed: [false; 2],
            entered: is_logged.then(Vec::new),
            changes: 0,
            updates: 0,
        }
    }

    /// Runs the pass. Returns how often processing a set of walls changed an entry.
    pub(super) fn run(mut self) -> usize {
        let blocks = self.ranks.len().div_ceil(WALL_SETS_PER_BLOCK);
        let mut backwards = self.options.backwards;
        loop {
            let before = self.updates;
            for block in 0..blocks {
                self.process_block(if backwards { blocks - 1 - block } else { block }, backwards);
            }
            if self.updates == before || self.options.only_side.is_some() {
                break;
            }
            backwards = !backwards;
        }
        self.finish()
    }

    fn process_block(&mut self, block: usize, backwards: bool) {
        let first = self.ranks.start + block * WALL_SETS_PER_BLOCK;
        let block = first..self.ranks.end.min(first + WALL_SETS_PER_BLOCK);
        if block.clone().all(|rank| self.due_bits_of_wall_set(rank) == [0, 0]) {
            return;
        }
        let mut set = unrank_wall_set(self.solver.numbering.walls, first);
        let mut sets = [0; WALL_SETS_PER_BLOCK];
        for walls in &mut sets[..block.len()] {
            *walls = set;
            set = next_combination(set);
        }
        for at in 0..block.len() {
            let at = if backwards { block.len() - 1 - at } else { at };
            let due = self.due_bits_of_wall_set(first + at);
            if due != [0, 0] {
                self.process_wall_set(first + at, sets[at], due);
            }
        }
    }

    fn due_bits_of_wall_set(&self, rank: usize) -> [DueMoveBits; 2] {
        [Side::First, Side::Second].map(|side| {
            if self.options.only_side.is_none_or(|only| only == side) {
                self.solver.due.get(side.index(), rank) >> self.options.shift & ALL_DUE_MOVE_BITS
            } else {
                0
            }
        })
    }

    /// Takes the due bits of a set of walls for a side. Returns these bits and the states that are
    /// due.
    fn take_due_bits(&self, side: usize, rank: usize) -> (DueMoveBits, PairSet) {
        let shift = self.options.shift;
        if shift != 0 {
            let taken = self.solver.due.take_bits(side, rank, ALL_DUE_MOVE_BITS << shift);
            return (taken >> shift & ALL_DUE_MOVE_BITS, PairSet::ALL);
        }
        let taken = self.solver.due.take_bits(
            side,
            rank,
            ALL_DUE_MOVE_BITS | u64::MAX << KNIGHT_SQUARE_DUE_SHIFT,
        );
        let red = (taken >> KNIGHT_SQUARE_DUE_SHIFT) as u16;
        let green = (taken >> (KNIGHT_SQUARE_DUE_SHIFT + 16)) as u16;
        (taken & ALL_DUE_MOVE_BITS, PairSet::from_square_sets(red, green))
    }

    fn process_wall_set(&mut self, rank: usize, set: u64, mut due: [DueMoveBits; 2]) {
        let mut states = [PairSet::EMPTY; 2];
        for side in 0..2 {
            if due[side] != 0 {
                (due[side], states[side]) = self.take_due_bits(side, rank);
                self.updates += 1;
            }
        }
        due_sets::fence_before_entry_reads();
        let index = rank - self.ranks.start;
        let closed_before = [0, 1].map(|side| match self.stored_closed[side] {
            Some(_) => PairSet(self.scratch.closed[side][index]),
            None => PairSet::EMPTY,
        });
        let mut closed = closed_before;
        let pass = WallSetPass {
            solver: self.solver,
            rank,
            set,
            options: self.options,
            first_entry: self.solver.numbering.first_entry(rank),
        };
        let turns = &mut self.scratch.turns;
        let has_changed = pass.propagate(due, states, &mut closed, turns, &mut self.entered);
        self.changes += usize::from(has_changed);
        for side in [0, 1] {
            if closed[side] != closed_before[side] {
                self.scratch.closed[side][index] = closed[side].0;
                self.has_closed[side] = true;
            }
        }
    }

    /// Stores the closed classes, the number of updates and the newly logged states in the solver.
    /// Returns how often processing a set of walls changed an entry.
    fn finish(self) -> usize {
        let ChunkPass { solver, mut stored_closed, .. } = self;
        for side in [0, 1] {
            if self.has_closed[side]
                && let Some(stored) = &mut stored_closed[side]
            {
                stored.compress(&self.scratch.closed[side]);
            }
        }
        solver.updates.fetch_add(self.updates, Relaxed);
        if let Some(log) = &solver.log
            && let Some(mut entered) = self.entered
        {
            let first_entry = solver.numbering.first_entry(self.ranks.start);
            log.append(self.chunk, &NewWonStates::new(first_entry, &mut entered));
        }
        self.changes
    }
}

//! Solves Alcaxar: determines the positions from which a side can force a win. The number of walls
//! is a parameter, 1 to 8. Positions with fewer than eight walls exist in the solver only.
//!
//! | module | contents |
//! |---|---|
//! | `knight_pairs` | the pairs of knights that a set of walls allows |
//! | [`pair_set`] | sets of pairs of knights as 256 bits, and steps on all of them at once |
//! | [`wall_sets`] | the numbering of the sets of walls |
//! | `entries` | the entries in memory, which all threads read and write |
//! | `due_sets` | the sets of walls that are due |
//! | [`entry_numbering`] | the number of the entry of each set of walls and each blocked set |
//! | [`compressed_sets`] | sets of pairs for many sets of walls, compressed |
//! | [`ranks`] | the ranks of the certain wins, their log and their file |
//! | `chunk_pass` | a pass through the sets of walls of a chunk |
//! | `wall_set_pass` | a pass through one set of walls |
//! | [`stages`] | the stages that the solver solves one after the other |
//! | `progress` | the progress within the stages |
//! | [`stage_runner`] | runs the stages, and counts their wins |
//! | `file_names` | the names of the files |
//! | `error` | the errors of the solver and its commands |
//! | [`checkpoint`] | saves and resumes the progress |
//! | [`stored_wins`] | single states, read from the files |
//! | [`tables`] | the files as tablebases of the game |
//! | [`write_tables`] | the command that makes the files |
//! | `check_tables` | the checks after each stage, and of existing files |
//! | [`checker`] | the checks themselves: every state against the rules |
//! | [`extraction`] | extracts the parts of the files that people need |
//! | [`undecided`] | the undecided positions of a set of walls, one by one |
//!
//! # States
//!
//! A *state* is what determines how the game can continue if the past does not matter: the walls,
//! the knights, the side to move and the blocked walls. Only *undecided* states are of interest, in
//! which the game is not over. For each set of walls, side and blocked set, an *entry* has one bit
//! for each pair of knights: whether red can force a win. The solver stores nothing else. Green's
//! wins are red's wins on the board turned by 180 degrees, so the same search finds them. The sides
//! differ only at a repetition with both knights equally near and equally free.
//!
//! A wall turns without moving a knight, so one operation on 256 bits handles all pairs of knights.
//! The solver always searches for the least set of states that contains some given states and all
//! states from which a side can force the next state into the set. Sometimes only states of one
//! owner may enter. The least set does not depend on the order in which the states enter. So a
//! *sweep* processes one set of walls after the other, on the entries of both sides, until nothing
//! is new there. It repeats this in a chunk of the sets, whose entries the caches hold, before it
//! continues with the next chunk. It reads entries that other threads may be writing: states that
//! enter in the meantime make the set of walls due once more.
//!
//! For each set of walls and side, the solver stores which walls have turns that lead to changed
//! entries. The side that needs a move into the set of states inspects only these turns. The other
//! side needs that all its moves lead into the set. For it the pass inspects these turns for the
//! states that may enter now, and then the other turns, until a move leads out of the set for each
//! of these states.
//!
//! Where the order matters in which states enter, a *step* computes all entries of one side from
//! those of the other side.
//!
//! # Wins without repetition
//!
//! The *plain* wins are the least set that contains the states from which red ends the game at
//! once, those with red to move from which some move leads into the set, and those with green to
//! move from which every move does. Steps of the two sides in turn find them, so that a state
//! enters at the step whose number is its distance to mate. This is retrograde analysis. It holds
//! for a game in which a repetition has no consequence.
//!
//! # Wins by repetition
//!
//! A *class* is what the rule of repetition compares: the walls, the knights and the side to move,
//! but not the blocked walls. At its third occurrence the game ends, and its *owner*, whom the rule
//! names, wins. So an endless game does not exist, and red also wins if it can force that from some
//! time on only classes occur that it owns. This is a nested fixpoint, as for a co-Büchi game
//! (Grädel, Thomas and Wilke, "Automata, Logics, and Infinite Games", 2002):
//!
//! 1. Red *stays*: the greatest set of states that red has already won, or that red owns and from
//!    which it can force the next state into the set. All of them are now won.
//! 2. Red *attracts*: the states from which red can force the play into the won states are won, as
//!    above.
//! 3. The solver repeats both until nothing is new.
//!
//! # Safe wins
//!
//! The wins of red by the first step alone, starting with nothing but the ends of the game, are
//! *safe*: from such a state red can force that it wins at once or that the next state is safe as
//! well, and red owns all safe states. So no repetition makes green win, whatever has occurred
//! before, and an endless game does not exist.
//!
//! # Certain wins and their ranks
//!
//! In the second step the game may end too early. A class can occur again with other blocked walls
//! while red makes progress. At its third occurrence its owner wins, who may be green. This affects
//! plain wins as well. So the solver finds the *certain* wins in *rounds*, beginning with the safe
//! wins:
//!
//! 1. States that green owns and that the won states attract enter in one step: in the rounds with
//!    odd numbers those with red to move, in the others those with green to move. But the states of
//!    a class may enter in two rounds at most. States that are attracted later stay out.
//! 2. States that red owns and that are attracted enter, until nothing is new. Then the next round
//!    begins.
//! 3. When two rounds have added nothing, red stays, as above, but only once. Then the rounds
//!    continue.
//!
//! The *rank* of a state is the number of the round in which it entered, 0 if it is safe.
//!
//! *Red wins from each such state that begins a game, if it always moves to a state of the least
//! rank.* If red owns a state with red to move, some move leads to a state whose rank is not
//! greater. If green owns it, some move leads to a state whose rank is smaller. With green to move,
//! this is true of every move. Therefore the rank never grows, and after each state that green owns
//! it is smaller. So the states of a class that green owns occur at different ranks. There are at
//! most two such ranks, and so the class occurs at most twice. Therefore green does not win by
//! repetition. Green does not win otherwise, because no won state is followed by a win of green. An
//! endless game does not exist. So red wins.
//!
//! *If other positions have occurred before*, red still wins if no class that green owns can occur
//! for the third time. From now on, a class occurs at most as often as its states have different
//! ranks that are not greater than the present one. If a state with red to move that green owns
//! entered, it entered in the first odd round after the rank that its best move leads to. So the
//! ranks of states with green to move suffice to play and to tell whether a win is certain, and
//! only these are stored.
//!
//! The rank is like the progress measures of parity games (Jurdziński, "Small Progress Measures for
//! Solving Parity Games", 2000). It is for certain wins what a distance is for plain wins. Bits
//! alone would not suffice: a winner that only stays in won states may return to states of a class
//! that green owns until it loses.
//!
//! The wins by repetition are the states that are attracted and stayed in without the limit of two
//! rounds, beginning with the certain wins. The states that are certain for neither side are
//! *open*: their value may depend on the past.
//!
//! # The winner of the start
//!
//! The rounds are many, and only the ranks need them. To determine only whether red wins the start,
//! sweeps find wins in any order, beginning with the safe wins. All attracted states enter, but the
//! states of a class that green owns enter at two times at most. States enter at one time if one
//! operation on their set of walls finds them. When nothing is new, red stays and attracts again,
//! as long as that adds something. The search ends as soon as the start has entered.
//!
//! *Red wins from each such state that begins a game, if it always moves to a state that entered as
//! early as possible.* The safe states count as the first that entered. A state that was attracted
//! entered later than the states into which red can force the next state. A state that stayed
//! entered together with such states or later than them, and belongs to red. So red never reaches a
//! state that entered later than the present one, and after each state that green owns it reaches
//! one that entered earlier. A class that green owns has states of two times at most and occurs at
//! most twice, so that red wins, as above.
//!
//! Which wins these are depends on the order of the passes, and so on the threads. If the start is
//! not among them, nearly all certain wins are: with three to five walls, at most 0.4 % fewer were
//! counted than with rounds.

mod check_tables;
pub mod checker;
pub mod checkpoint;
mod chunk_pass;
pub mod compressed_sets;
mod due_sets;
mod entries;
pub mod entry_numbering;
pub mod error;
pub mod extraction;
mod file_names;
mod knight_pairs;
pub mod pair_set;
mod progress;
pub mod ranks;
pub mod stage_runner;
pub mod stages;
pub mod stored_wins;
pub mod tables;
pub mod undecided;
mod wall_set_pass;
pub mod wall_sets;
pub mod write_tables;

use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, fence};

use pentarch_core::Side;
use pentarch_system::memory;
use pentarch_tables::in_parallel;

use super::board::Board;
use super::position::Position;
use chunk_pass::{ChunkPass, Scratch};
use compressed_sets::CompressedSets;
use due_sets::DueSets;
use entries::Entries;
use entry_numbering::EntryNumbering;
use knight_pairs::KnightPairs;
use pair_set::PairSet;
use ranks::RankLog;
use wall_sets::{MAX_WALLS, count_wall_sets};

/// The number of sets of walls that a thread processes as one piece, a multiple of 64.
const CHUNK_LEN: usize = 1 << 12;

/// The way in which a pass changes the entries of a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FixpointStep {
    /// States from which the winner can force the next state into the set enter it.
    Attract,
    /// As [`Attract`](FixpointStep::Attract), but only states that the winner owns enter.
    AttractOwned,
    /// As [`Attract`](FixpointStep::Attract), but only states that the other side owns enter, those
    /// of each class in at most two such steps.
    AttractUnowned,
    /// As [`Attract`](FixpointStep::Attract), but the states of a class that the other side owns
    /// enter at two times at most.
    AttractCapped,
    /// States from which the winner cannot force the next state into the set leave it.
    Stay,
}

impl FixpointStep {
    /// Returns the shift of this step's bits in the words of [`Solver::due`].
    fn due_shift(self) -> u32 {
        if self == FixpointStep::AttractUnowned { UNOWNED_SHIFT } else { 0 }
    }

    /// Returns whether the owner of a state matters.
    fn depends_on_owner(self) -> bool {
        use FixpointStep::{AttractCapped, AttractOwned, AttractUnowned};
        matches!(self, AttractOwned | AttractUnowned | AttractCapped)
    }
}

/// The changes since the last pass through a set of walls for a side: a bit for each of its walls
/// that has a turn to a changed entry, and [`OWN_ENTRY`] if a step of the knight leads to one.
type DueBits = u64;
/// The bit for the entry of the set itself with no wall blocked.
const OWN_ENTRY: DueBits = 1 << MAX_WALLS;
/// All bits of one step.
const ALL_DUE: DueBits = 2 * OWN_ENTRY - 1;
/// The shift of the bits for [`FixpointStep::AttractUnowned`]. The lowest bits are for all other
/// steps.
const UNOWNED_SHIFT: u32 = 16;
/// The shift of a bit for each square, first for the red knight and then for the green knight. For
/// the steps other than [`FixpointStep::AttractUnowned`], they are the squares of the knights in
/// the states from which a move leads to a change.
const SQUARES_SHIFT: u32 = 32;

/// The entries that a pass through all sets of walls computes.
#[derive(Debug, Clone, Copy)]
struct PassOptions {
    step: FixpointStep,
    /// The only side whose entries change, from the entries before the pass; the pass processes
    /// each set of walls once. With `None`, the entries of both sides change, until nothing is new
    /// in a chunk.
    only_side: Option<Side>,
    /// The [shift](FixpointStep::due_shift) of the step.
    shift: u32,
    /// Whether the sets with the greatest ranks come first.
    backwards: bool,
}

/// The entries of all sets of one number of walls, and the passes that compute them.
#[derive(Debug)]
pub struct Solver {
    /// The numbering of the entries.
    pub numbering: EntryNumbering,
    /// The entries by side to move, as [`PairSet`]s.
    ///
    /// They have more than the undecided states, so that a pass need not inspect the walls of the
    /// next position: with green to move, they have the pairs after a move of red that ends the
    /// game; with red to move, the pairs that green cannot move to.
    pub(super) entries: Entries,
    /// By the side to move and by the chunk of the sets of walls: the *closed* classes, those of
    /// the other side that have entered in two rounds, or at two times.
    pub(super) closed: [Box<[Mutex<CompressedSets>]>; 2],
    /// For each set of walls and side to move: its [`DueBits`] with the [squares](SQUARES_SHIFT) of
    /// the knights, and the bits for [`FixpointStep::AttractUnowned`].
    pub(super) due: DueSets,
    /// Whether red wins where both knights are equally near and equally free.
    pub wins_ties: bool,
    /// The number of updates: passes through one set of walls for one side.
    pub updates: AtomicUsize,
    /// The log of the ranks at which states with green to move enter, if the stage needs ranks.
    pub(super) log: Option<RankLog>,
}

impl Solver {
    /// Creates entries without wins. Returns `None` if there is not enough memory.
    pub fn new(board: &Board, walls: usize) -> Option<Solver> {
        let mut solver = Solver {
            entries: Entries::default(),
            closed: no_closed_classes(walls),
            due: DueSets::new(Box::default(), Box::default()),
            numbering: EntryNumbering::new(board, walls)?,
            wins_ties: false,
            updates: AtomicUsize::new(0),
            log: None,
        };
        solver.allocate_entries().then_some(solver)
    }

    /// Frees the memory of the entries. Afterwards there are none.
    pub(super) fn release_entries(&mut self) {
        self.clear_closed_classes();
        self.due = DueSets::new(Box::default(), Box::default());
        self.entries = Entries::default();
    }

    /// Allocates the memory of the entries again. Returns whether there is enough.
    pub(super) fn allocate_entries(&mut self) -> bool {
        let EntryNumbering { entries, walls, .. } = self.numbering;
        let allocate = || {
            let due = DueSets::new(
                memory::zeroed(count_wall_sets(walls))?,
                memory::zeroed(count_wall_sets(walls).div_ceil(CHUNK_LEN))?,
            );
            Some((Entries::new(entries)?, due))
        };
        let Some((entries, due)) = allocate() else { return false };
        self.entries = entries;
        self.due = due;
        true
    }

    /// Returns the memory of a solver with these entries in bytes.
    pub fn memory_size(numbering: &EntryNumbering) -> usize {
        // For each set of walls: 12 bits of its place, a word for each side, and its closed
        // classes, which took up to 31 bytes with seven walls, both sides together.
        Solver::entries_size(numbering) + count_wall_sets(numbering.walls) * 49
    }

    /// Returns the size of all entries in bytes.
    pub fn entries_size(numbering: &EntryNumbering) -> usize {
        2 * size_of::<PairSet>() * numbering.entries
    }

    /// Returns the size of the entries of one side in bytes.
    pub(super) fn side_size(&self) -> usize {
        size_of::<PairSet>() * self.entries.len
    }

    /// Starts from scratch: only the moves that end the game at once are won.
    pub fn reset(&mut self) {
        self.clear_closed_classes();
        for (rank, set) in self.numbering.canonical_sets() {
            let knights = KnightPairs::for_walls(set);
            for entry in self.numbering.entries_of(rank) {
                self.entries.set(Side::First, entry, knights.never_after_green());
                self.entries.set(Side::Second, entry, knights.won_by_red());
            }
        }
    }

    /// Allows the states of all classes to enter again.
    pub(super) fn clear_closed_classes(&mut self) {
        self.closed = no_closed_classes(self.numbering.walls);
    }

    /// Adds all states that red owns.
    pub fn add_owned_states(&mut self) {
        for (rank, set) in self.numbering.canonical_sets() {
            let knights = KnightPairs::for_walls(set);
            let owned = knights.owned_by_red(self.wins_ties) & knights.undecided;
            for entry in self.numbering.entries_of(rank) {
                for side in Side::BOTH {
                    self.entries.set(side, entry, self.entries.get(side, entry) | owned);
                }
            }
        }
    }

    /// Makes all sets of walls due, for both sides and all steps.
    pub fn make_all_due(&mut self) {
        for (rank, _) in self.numbering.canonical_sets() {
            for side in 0..2 {
                let due = ALL_DUE | ALL_DUE << UNOWNED_SHIFT | u64::MAX << SQUARES_SHIFT;
                self.due.set(side, rank, due);
            }
        }
        self.due.mark_chunks();
    }

    /// Returns whether a set of walls is due for a step, on either side. A stage ends when none is.
    /// If no chunk is marked, the sets themselves are inspected, because the marks do not suffice.
    pub fn is_any_due(&mut self, step: FixpointStep) -> bool {
        let kinds = 3 << mark_shift(step.due_shift());
        let is_marked =
            |due: &DueSets| (0..due.chunk_count()).any(|chunk| due.is_marked(chunk, kinds));
        if is_marked(&self.due) {
            return true;
        }
        self.due.mark_chunks();
        is_marked(&self.due)
    }

    /// Makes a step of a side on `threads` threads, which processes each set of walls once. Returns
    /// the number of sets with a changed entry.
    pub fn step(&mut self, side: Side, step: FixpointStep, threads: usize) -> usize {
        let shift = step.due_shift();
        let options = PassOptions { step, only_side: Some(side), shift, backwards: false };
        self.run_pass(options, threads)
    }

    /// Makes steps of both sides on `threads` threads, chunk by chunk, in each chunk until nothing
    /// changes there any more. The fixpoint is reached if no set [is due](Solver::is_any_due)
    /// afterwards.
    pub fn sweep(&mut self, step: FixpointStep, backwards: bool, threads: usize) {
        self.run_pass(PassOptions { step, only_side: None, shift: 0, backwards }, threads);
    }

    /// Makes a pass through all sets of walls. Returns how often it processed a set with a change.
    fn run_pass(&self, options: PassOptions, threads: usize) -> usize {
        let changes = AtomicUsize::new(0);
        let kinds = options.only_side.map_or(3, |side| 1 << side.index());
        let kinds = kinds << mark_shift(options.shift);
        let chunks = self.due.chunk_count();
        in_parallel(threads, 0..chunks, |at, scratch: &mut Vec<Scratch>| {
            let chunk = if options.backwards { chunks - 1 - at } else { at };
            if self.due.is_marked(chunk, kinds) {
                if scratch.is_empty() {
                    scratch.push(Scratch::default());
                }
                self.due.take_mark(chunk, kinds);
                let pass = ChunkPass::new(self, chunk, options, &mut scratch[0]);
                changes.fetch_add(pass.run(), Relaxed);
            }
            true
        });
        changes.into_inner()
    }

    /// Returns the pairs of an entry that are won for red with this side to move, as in the files.
    pub fn entry(&self, side: Side, entry: usize) -> [u64; 4] {
        self.entries.get(side, entry).0
    }

    /// Returns whether red can force a win from this undecided position. Red is the winner here.
    pub fn is_won(&self, position: &Position) -> bool {
        let index = self.numbering.index(position.walls, position.last_wall);
        let entry = self.entries.get(position.side, index.entry);
        let entry = if index.is_mirrored { entry.mirror() } else { entry };
        entry.contains(position.knights)
    }
}

/// Returns the bits of a chunk's mark for the [due bits](Solver::due) of a set, for the first side.
/// Those for [`FixpointStep::AttractUnowned`] are two bits higher.
fn mark_bits(due: DueBits) -> u8 {
    u8::from(due & ALL_DUE != 0)
        | u8::from(due >> UNOWNED_SHIFT & ALL_DUE != 0) << mark_shift(UNOWNED_SHIFT)
}

/// Returns the shift of the bits of a chunk's mark for a step with this shift of its due bits.
fn mark_shift(due_shift: u32) -> u32 {
    due_shift / UNOWNED_SHIFT * 2
}

/// Returns no closed classes for each side and each chunk of the sets of `walls` walls.
fn no_closed_classes(walls: usize) -> [Box<[Mutex<CompressedSets>]>; 2] {
    [(); 2].map(|()| {
        (0..count_wall_sets(walls).div_ceil(CHUNK_LEN)).map(|_| Mutex::default()).collect()
    })
}

//! The solver of Alcaxar. It determines the positions from which a side can force a win. The number
//! of walls is a parameter from 1 to 8. Positions with fewer than eight walls exist only in the
//! solver.
//!
//! | module | contents |
//! |---|---|
//! | `knight_pairs` | the pairs of knights that a set of walls allows |
//! | [`pair_set`] | sets of pairs of knights as 256 bits, and steps from all pairs at once |
//! | [`wall_sets`] | the numbering of the sets of walls |
//! | `entries` | the entries in memory, which all threads read and write |
//! | `due_sets` | the sets of walls that are due |
//! | [`entry_numbering`] | the numbering of the entries: one for each set of walls and each blocked set |
//! | [`compressed_sets`] | compressed sets of pairs, for many sets of walls |
//! | [`win_rank_log`] | the ranks of the certain wins, the log of the ranks, and the rank file |
//! | `chunk_pass` | a pass through the sets of walls of a chunk |
//! | `wall_set_pass` | a pass through one set of walls |
//! | [`stages`] | the stages that the solver solves one after the other |
//! | `progress` | the progress within the stages |
//! | [`stage_runner`] | runs the stages, and counts the wins |
//! | `file_names` | the names of the files |
//! | `error` | the errors of the solver and its commands |
//! | [`checkpoint`] | saves and resumes the progress |
//! | [`stored_wins`] | single states, read from the files |
//! | [`tables`] | the files as tablebases of the game |
//! | [`write_tables`] | the command that creates the files |
//! | `check_tables` | the checks after each stage, and of existing files |
//! | [`checker`] | the checks themselves: every state against the rules |
//! | [`solved_game`] | extracts the parts of the files that people need |
//! | [`non_terminal_positions`] | the undecided positions of a set of walls, one by one |
//!
//! # States
//!
//! A *state* is a position without its past: the walls, the knights, the side to move and the
//! blocked walls. Apart from repetition, the state determines how the game can continue. Only
//! *undecided* states, in which the game is not over, are of interest. There is an *entry* for each
//! set of walls, each side to move and each set of blocked walls. An entry has one bit for each
//! pair of knight squares. The bit says whether red can force a win. The solver stores nothing else
//! about a state.
//!
//! Green's wins are red's wins on the board turned by 180 degrees, so the same search finds them.
//! The sides differ in only one case: a repetition in which both knights are equally near to their
//! targets and can step to equally many squares.
//!
//! A turn of a wall moves no knight, so one operation on 256 bits handles all pairs of knights.
//!
//! The solver always searches for the least set of states with two properties: the set contains
//! some given states, and it contains each state from which a side can force the next state into
//! the set. In some searches, only states of one owner (see below) may enter the set.
//!
//! The least set does not depend on the order in which the states enter. So a *sweep* processes one
//! set of walls after another: it updates the entries of both sides until no new states enter for
//! this set. The sweep repeats this within a chunk of sets before it continues with the next chunk,
//! because the entries of a chunk fit into the caches. The sweep may read entries while other
//! threads write them. If states enter in the meantime, the set of walls becomes *due* again: a
//! pass must process it once more.
//!
//! For each set of walls and each side, the solver stores the walls whose turns lead to changed
//! entries. A state of one side enters if at least one move leads into the set of states. For this
//! side, a pass inspects only the turns of the stored walls. A state of the other side enters only
//! if all its moves lead into the set. For this side, the pass first inspects the turns of the
//! stored walls, and then all other turns. It stops when each state that might enter has a move out
//! of the set.
//!
//! If the order in which the states enter matters, the solver uses *steps* instead. A step computes
//! all entries of one side from the entries of the other side.
//!
//! # Wins without repetition
//!
//! The *plain* wins are the least set that contains
//!
//! - the states in which red can end the game with the next move,
//! - the states with red to move in which at least one move leads into the set, and
//! - the states with green to move in which every move leads into the set.
//!
//! Alternating steps of the two sides find these states. The number of the step at which a state
//! enters is the state's distance to mate. This method is retrograde analysis. Its results are
//! correct for a game in which repetition has no consequence.
//!
//! # Wins by repetition
//!
//! A *class* is a state without its blocked walls: the walls, the knights and the side to move. The
//! rule of repetition compares classes. When a class occurs for the third time, the game ends, and
//! the *owner* of the class wins. The rule says which side owns a class. So there are no endless
//! games. Red also wins if it can force the game into classes that red owns and keep the game
//! there. These wins are a nested fixpoint, as for a co-Büchi game (Grädel, Thomas and Wilke,
//! "Automata, Logics, and Infinite Games", 2002):
//!
//! 1. Red *stays*: the solver finds the greatest set of states that satisfy one of two conditions.
//!    Either the state was already won, or red owns it and can force the next state into the set.
//!    All states of the set are now won.
//! 2. Red *attracts*: the states from which red can force the play into the won states are also
//!    won, as above.
//! 3. The solver repeats both steps until there are no new states.
//!
//! # Safe wins
//!
//! The *safe* wins of red are the wins that staying finds if, before it, only the ends of the game
//! are won. From a safe state, red can force an immediate win or a next state that is also safe.
//! Red owns all safe states. So green never wins by repetition, even if other positions have
//! occurred before. There are no endless games, so red wins.
//!
//! # Certain wins and their ranks
//!
//! While red attracts, the game may end too early. Although red makes progress, a class can occur
//! again with other blocked walls. At the third occurrence, the owner of the class wins, and the
//! owner may be green. Plain wins have the same flaw. So the solver finds the *certain* wins in
//! *rounds*, beginning with the safe wins. A state is *attracted* if red can force the next state
//! into the won states.
//!
//! 1. Attracted states that green owns enter in one step. In odd rounds, the states with red to
//!    move enter; in even rounds, the states with green to move enter. But the states of a class
//!    may enter in at most two rounds. After that, no attracted state of this class enters.
//! 2. Attracted states that red owns enter, until there are no new states. Then the next round
//!    begins.
//! 3. When two rounds have added no states, red stays, as above. This happens only once. Then the
//!    rounds continue.
//!
//! The *rank* of a state is the number of the round in which it entered. The rank of a safe state
//! is 0.
//!
//! *If a game begins with a certain win, red wins if it always moves to a state of the least rank.*
//! With red to move, some move leads to a state whose rank is not greater or, if green owns the
//! present state, smaller. With green to move, the same is true of every move. Therefore the rank
//! never grows, and it decreases after each state that green owns.
//!
//! So if a class that green owns occurs several times, its states have different ranks. The states
//! of the class have at most two ranks, so the class occurs at most twice. Therefore green does not
//! win by repetition. Green does not win in another way either, because green has no winning move
//! in a won state. There are no endless games. So red wins.
//!
//! *If other positions have occurred before*, red still wins if no class that green owns can occur
//! for the third time. To find a limit for a class, count the different ranks of its states, up to
//! the present rank. From now on, the class occurs at most this number of times.
//!
//! Only the ranks of states with green to move are stored. They are enough to play and to decide
//! whether a win is certain, because the other ranks follow from them. For example, if a state with
//! red to move that green owns has entered, then it entered in the first odd round after the rank
//! to which its best move leads.
//!
//! The rank is similar to the progress measures of parity games (Jurdziński, "Small Progress
//! Measures for Solving Parity Games", 2000). The rank of a certain win corresponds to the distance
//! to mate of a plain win. Bits alone would not be enough: if red only chose moves to won states,
//! it might return to a class that green owns until red loses.
//!
//! The wins by repetition are found from the certain wins: red attracts and stays, as above,
//! without the limit of two rounds. A state that is a certain win for neither side is *open*: its
//! value may depend on the past.
//!
//! # The winner of the start
//!
//! The many rounds are needed only for the ranks. To determine only whether red wins the start
//! position, sweeps find wins in any order, beginning with the safe wins. All attracted states
//! enter, with one limit: the states of a class that green owns may enter at no more than two
//! different times. States enter at the same time if one operation on their set of walls finds
//! them. When there are no new states, red stays and attracts again, as long as this adds states.
//! The search ends as soon as the start position has entered.
//!
//! *Red wins a game that begins with such a state. To win, red always moves to a state that entered
//! as early as possible.* The safe states count as the first states that entered. From each state
//! that entered, red can force the next state to be one of its *targets*, which also entered. If
//! the state was attracted, it entered later than its targets. If it entered by staying, it entered
//! at the same time as its targets or later, and red owns it. So red never reaches a state that
//! entered later than the present state. After each state that green owns, red reaches a state that
//! entered earlier. The states of a class that green owns entered at no more than two different
//! times, so the class occurs at most twice. So red wins, as above.
//!
//! The wins that this search finds depend on the order of the passes, and therefore also on the
//! timing of the threads. If the start position does not enter, the search finds nearly all certain
//! wins. With three to five walls, it found at most 0.4 % fewer wins than the rounds.

mod check_tables;
pub mod checker;
pub mod checkpoint;
mod chunk_pass;
pub mod compressed_sets;
mod due_sets;
mod entries;
pub mod entry_numbering;
pub mod error;
mod file_names;
mod knight_pairs;
pub mod non_terminal_positions;
pub mod pair_set;
mod progress;
pub mod solved_game;
pub mod stage_runner;
pub mod stages;
pub mod stored_wins;
pub mod tables;
mod wall_set_pass;
pub mod wall_sets;
pub mod win_rank_log;
pub mod write_tables;

use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, fence};

use pentarch_core::Side;
use pentarch_system::memory;
use pentarch_tables::run_in_parallel;

use super::board::Board;
use super::position::Position;
use chunk_pass::{ChunkPass, ChunkScratch};
use compressed_sets::CompressedPairSets;
use due_sets::DueWallSets;
use entries::SolverEntries;
use entry_numbering::EntryNumbering;
use knight_pairs::KnightPairSets;
use pair_set::PairSet;
use wall_sets::{MAX_WALLS, count_wall_sets};
use win_rank_log::WinRankLog;

/// The number of sets of walls that a thread processes as one piece. It is a multiple of 64.
const WALL_SETS_PER_CHUNK: usize = 1 << 12;

/// A rule by which a pass changes the set of won states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FixpointStepKind {
    /// A state enters the set of won states if the winner can force the next state into the set.
    Attract,
    /// Like [`Attract`](FixpointStepKind::Attract), but only states that the winner owns enter.
    AttractOwned,
    /// Like [`Attract`](FixpointStepKind::Attract), but only states that the other side owns enter.
    /// The states of a class enter in at most two such steps.
    AttractUnowned,
    /// Like [`Attract`](FixpointStepKind::Attract), but the states of a class that the other side
    /// owns enter at no more than two different times. States enter at the same time if one
    /// operation on their set of walls finds them.
    AttractCapped,
    /// A state leaves the set of won states if the winner cannot force the next state into the set.
    Stay,
}

impl FixpointStepKind {
    /// Returns the number of bits by which the [`DueMoveBits`] for this step are shifted in a word
    /// of [`RetrogradeSolver::due`].
    fn due_bits_shift(self) -> u32 {
        if self == FixpointStepKind::AttractUnowned { ATTRACT_UNOWNED_DUE_SHIFT } else { 0 }
    }

    /// Returns whether the step treats a state differently depending on the side that owns it.
    fn depends_on_repetition_winner(self) -> bool {
        use FixpointStepKind::{AttractCapped, AttractOwned, AttractUnowned};
        matches!(self, AttractOwned | AttractUnowned | AttractCapped)
    }
}

/// For a set of walls and a side to move, the moves to entries that have changed since the last
/// pass through the set. The bit of a wall says whether a turn of this wall leads to a changed
/// entry. The bit [`UNBLOCKED_ENTRY_DUE_BIT`] says whether a step of the knight leads to a changed
/// entry.
type DueMoveBits = u64;
/// The bit for knight steps. They lead to the entry of the same set of walls without blocked walls.
const UNBLOCKED_ENTRY_DUE_BIT: DueMoveBits = 1 << MAX_WALLS;
/// All bits of one step.
const ALL_DUE_MOVE_BITS: DueMoveBits = 2 * UNBLOCKED_ENTRY_DUE_BIT - 1;
/// The shift of the [`DueMoveBits`] for [`FixpointStepKind::AttractUnowned`] in a due word. All
/// other steps share the lowest bits of the word.
const ATTRACT_UNOWNED_DUE_SHIFT: u32 = 16;
/// The shift of two sets of squares in a due word: 16 bits for the red knight, then 16 bits for the
/// green knight. If a state has a move to a changed state, the squares of its knights are in these
/// sets. The step [`FixpointStepKind::AttractUnowned`] does not use them.
const KNIGHT_SQUARE_DUE_SHIFT: u32 = 32;

/// The options of a pass through all sets of walls.
#[derive(Debug, Clone, Copy)]
struct SolverPassOptions {
    step: FixpointStepKind,
    /// The only side whose entries change, or `None` for both sides. With one side, the pass
    /// processes each set of walls once, and computes the new entries from the entries before the
    /// pass. With both sides, it processes each chunk of sets repeatedly until no new states enter.
    only_side: Option<Side>,
    /// The [shift](FixpointStepKind::due_bits_shift) of the step.
    shift: u32,
    /// Whether the pass processes the sets of walls in descending order.
    backwards: bool,
}

/// The solver for one number of walls: the won states, as the entries of all sets of walls, and the
/// passes that compute them.
#[derive(Debug)]
pub struct RetrogradeSolver {
    /// The numbering of the entries.
    pub numbering: EntryNumbering,
    /// The entries of both sides to move. An entry is a [`PairSet`]: the pairs of squares of the
    /// knights from which red can force a win.
    ///
    /// An entry also contains pairs for which the game is over. So a pass need not check whether a
    /// move ends the game. With green to move, these are the pairs after a winning move of red.
    /// With red to move, they are the pairs to which no legal move of green leads. So an illegal
    /// move of green never counts as a way out of the won states.
    pub(super) entries: SolverEntries,
    /// The *closed* classes, by side to move and then by chunk of the sets of walls. No more states
    /// of a closed class may enter: the side other than the winner owns the class, and its states
    /// have already entered in two rounds, or at two times.
    pub(super) closed: [Box<[Mutex<CompressedPairSets>]>; 2],
    /// The sets of walls that a pass must process. Each set has a due word for each side to move.
    /// The word contains the [`DueMoveBits`] and the [squares of the
    /// knights](KNIGHT_SQUARE_DUE_SHIFT), and then separate `DueMoveBits` for
    /// [`FixpointStepKind::AttractUnowned`].
    pub(super) due: DueWallSets,
    /// Whether red wins by repetition if both knights are equally near to the enemy fortress and
    /// can step to equally many squares.
    pub wins_ties: bool,
    /// The number of updates so far. An update is a pass through one set of walls for one side.
    pub updates: AtomicUsize,
    /// The log of the states with green to move that enter, with their ranks; `None` if the stage
    /// needs no ranks.
    pub(super) log: Option<WinRankLog>,
}

impl RetrogradeSolver {
    /// Creates a solver whose entries contain no wins. Returns `None` if there is not enough
    /// memory.
    pub fn new(board: &Board, walls: usize) -> Option<RetrogradeSolver> {
        let mut solver = RetrogradeSolver {
            entries: SolverEntries::default(),
            closed: allocate_closed_class_sets(walls),
            due: DueWallSets::new(Box::default(), Box::default()),
            numbering: EntryNumbering::new(board, walls)?,
            wins_ties: false,
            updates: AtomicUsize::new(0),
            log: None,
        };
        solver.allocate_entries().then_some(solver)
    }

    /// Frees the memory of the entries. Afterwards there are no entries.
    pub(super) fn release_entries(&mut self) {
        self.clear_closed_classes();
        self.due = DueWallSets::new(Box::default(), Box::default());
        self.entries = SolverEntries::default();
    }

    /// Allocates the memory of the entries and of the due words. Returns whether there is enough
    /// memory.
    pub(super) fn allocate_entries(&mut self) -> bool {
        let EntryNumbering { entries, walls, .. } = self.numbering;
        let allocate = || {
            let due = DueWallSets::new(
                memory::allocate_zeros(count_wall_sets(walls))?,
                memory::allocate_zeros(count_wall_sets(walls).div_ceil(WALL_SETS_PER_CHUNK))?,
            );
            Some((SolverEntries::new(entries)?, due))
        };
        let Some((entries, due)) = allocate() else { return false };
        self.entries = entries;
        self.due = due;
        true
    }

    /// Returns the memory in bytes that a solver with this numbering of entries needs.
    pub fn memory_size(numbering: &EntryNumbering) -> usize {
        // Each set of walls needs 12 bits for its entry numbers, a due word for each side, and
        // memory for its closed classes. With seven walls, the closed classes of both sides
        // together took up to 31 bytes per set.
        RetrogradeSolver::entries_size(numbering) + count_wall_sets(numbering.walls) * 49
    }

    /// Returns the size of the entries of both sides in bytes.
    pub fn entries_size(numbering: &EntryNumbering) -> usize {
        2 * size_of::<PairSet>() * numbering.entries
    }

    /// Returns the size of the entries of one side in bytes.
    pub(super) fn side_entries_size(&self) -> usize {
        size_of::<PairSet>() * self.entries.len
    }

    /// Resets the entries, so that a state is won only if a move ends the game at once.
    pub fn reset(&mut self) {
        self.clear_closed_classes();
        for (rank, set) in self.numbering.canonical_sets() {
            let knights = KnightPairSets::for_walls(set);
            for entry in self.numbering.entry_range(rank) {
                self.entries.set(Side::First, entry, knights.pairs_unreachable_by_green());
                self.entries.set(Side::Second, entry, knights.pairs_won_by_red());
            }
        }
    }

    /// Opens all closed classes, so that their states may enter again.
    pub(super) fn clear_closed_classes(&mut self) {
        self.closed = allocate_closed_class_sets(self.numbering.walls);
    }

    /// Adds all states that red owns to the won states.
    pub fn add_states_owned_by_red(&mut self) {
        for (rank, set) in self.numbering.canonical_sets() {
            let knights = KnightPairSets::for_walls(set);
            let owned =
                knights.pairs_with_repetition_won_by_red(self.wins_ties) & knights.undecided;
            for entry in self.numbering.entry_range(rank) {
                for side in Side::BOTH_SIDES {
                    self.entries.set(side, entry, self.entries.get(side, entry) | owned);
                }
            }
        }
    }

    /// Makes all sets of walls due, for both sides and all steps.
    pub fn make_all_due(&mut self) {
        for (rank, _) in self.numbering.canonical_sets() {
            for side in 0..2 {
                let due = ALL_DUE_MOVE_BITS
                    | ALL_DUE_MOVE_BITS << ATTRACT_UNOWNED_DUE_SHIFT
                    | u64::MAX << KNIGHT_SQUARE_DUE_SHIFT;
                self.due.set_due_word(side, rank, due);
            }
        }
        self.due.mark_chunks();
    }

    /// Returns whether a set of walls is due for a step, on either side. A stage ends when no set
    /// is due. If no chunk is marked, the method inspects the sets themselves, because the marks
    /// alone do not prove that no set is due.
    pub fn is_any_wall_set_due(&mut self, step: FixpointStepKind) -> bool {
        let mark_bits = 3 << chunk_mark_shift(step.due_bits_shift());
        let is_chunk_marked = |due: &DueWallSets| {
            (0..due.chunk_count()).any(|chunk| due.is_chunk_marked(chunk, mark_bits))
        };
        if is_chunk_marked(&self.due) {
            return true;
        }
        self.due.mark_chunks();
        is_chunk_marked(&self.due)
    }

    /// Runs a step on `threads` threads. The step changes only entries with this side to move, and
    /// processes each set of walls once. Returns the number of sets with a changed entry.
    pub fn run_step(&mut self, side: Side, step: FixpointStepKind, threads: usize) -> usize {
        let shift = step.due_bits_shift();
        let options = SolverPassOptions { step, only_side: Some(side), shift, backwards: false };
        self.run_pass(options, threads)
    }

    /// Runs a sweep on `threads` threads: a pass through all sets of walls that changes the entries
    /// of both sides. The sweep processes each chunk of the sets repeatedly until nothing changes
    /// there. The fixpoint is reached if no set [is due](RetrogradeSolver::is_any_wall_set_due)
    /// afterwards.
    pub fn run_sweep(&mut self, step: FixpointStepKind, backwards: bool, threads: usize) {
        self.run_pass(SolverPassOptions { step, only_side: None, shift: 0, backwards }, threads);
    }

    /// Runs a pass through all due sets of walls. Returns how often processing a set of walls
    /// changed an entry.
    fn run_pass(&self, options: SolverPassOptions, threads: usize) -> usize {
        let changes = AtomicUsize::new(0);
        let mark_bits = options.only_side.map_or(3, |side| 1 << side.index());
        let mark_bits = mark_bits << chunk_mark_shift(options.shift);
        let chunks = self.due.chunk_count();
        run_in_parallel(threads, 0..chunks, |at, scratch: &mut Vec<ChunkScratch>| {
            let chunk = if options.backwards { chunks - 1 - at } else { at };
            if self.due.is_chunk_marked(chunk, mark_bits) {
                if scratch.is_empty() {
                    scratch.push(ChunkScratch::default());
                }
                self.due.clear_chunk_mark(chunk, mark_bits);
                let pass = ChunkPass::new(self, chunk, options, &mut scratch[0]);
                changes.fetch_add(pass.run(), Relaxed);
            }
            true
        });
        changes.into_inner()
    }

    /// Returns the pairs of an entry that red wins with this side to move, in the format of the
    /// files.
    pub fn entry_words(&self, side: Side, entry: usize) -> [u64; 4] {
        self.entries.get(side, entry).0
    }

    /// Returns whether red can force a win from this undecided position, according to the entries.
    /// If the entries are green's wins, turn the board by 180 degrees first.
    pub fn is_won_by_red(&self, position: &Position) -> bool {
        let index = self.numbering.entry_index(position.walls, position.last_wall);
        let entry = self.entries.get(position.side, index.entry);
        let entry = if index.is_mirrored { entry.mirror() } else { entry };
        entry.contains(position.knights)
    }
}

/// Returns the bits for the first side in the mark of a chunk that has a set with these [due
/// bits](RetrogradeSolver::due). The bits for [`FixpointStepKind::AttractUnowned`] are two
/// positions above those for other steps.
fn chunk_mark_from_due_bits(due: DueMoveBits) -> u8 {
    u8::from(due & ALL_DUE_MOVE_BITS != 0)
        | u8::from(due >> ATTRACT_UNOWNED_DUE_SHIFT & ALL_DUE_MOVE_BITS != 0)
            << chunk_mark_shift(ATTRACT_UNOWNED_DUE_SHIFT)
}

/// Returns the number of bits by which the bits for a step are shifted in the mark of a chunk.
/// `due_bits_shift` is the shift of the step's due bits.
fn chunk_mark_shift(due_bits_shift: u32) -> u32 {
    due_bits_shift / ATTRACT_UNOWNED_DUE_SHIFT * 2
}

/// Returns empty sets of closed classes, for each side and each chunk of the sets of `walls` walls.
fn allocate_closed_class_sets(walls: usize) -> [Box<[Mutex<CompressedPairSets>]>; 2] {
    [(); 2].map(|()| {
        (0..count_wall_sets(walls).div_ceil(WALL_SETS_PER_CHUNK))
            .map(|_| Mutex::default())
            .collect()
    })
}

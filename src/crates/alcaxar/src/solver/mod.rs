//! Solves Alcaxar: from which positions a side can force a win. The number of walls is a parameter, 1 to 8; positions
//! with fewer than eight exist inside the solver only.
//!
//! | module | what it holds |
//! |---|---|
//! | `knights` | what a set of walls leaves to the knights |
//! | [`pair_set`] | sets of pairs of knights as 256 bits, and steps on all of them at once |
//! | [`wall_sets`] | the numbering of the sets of walls |
//! | `entries` | the entries in memory, which all threads read and write |
//! | `due_sets` | the sets of walls that are due |
//! | [`entry_numbering`] | the number of the entry of each set of walls and each blocked set |
//! | [`compressed_sets`] | sets of pairs for many sets of walls, compressed |
//! | [`ranks`] | how far the winner has got |
//! | `visit` | the work on one set of walls |
//! | [`stages`] | what is solved one after the other |
//! | `progress` | how far the work is |
//! | [`work`] | the stages one after the other, and their counts |
//! | `file_names` | the names of the files |
//! | `error` | the errors of the solver and its commands |
//! | [`kept_work`] | going on after an interruption |
//! | [`stored`] | single states, read from the files |
//! | [`tables`] | the files as tablebases of the game |
//! | [`make_tables`] | the command that makes the files |
//! | `check_tables` | the checks after each stage, and of the files that are there |
//! | [`checker`] | the checks themselves: every state against the rules |
//! | [`extraction`] | what people need of the files |
//! | [`undecided`] | the undecided positions of a set of walls, one by one |
//!
//! # States
//!
//! A *state* is what decides how the game can go on, if the past does not matter: the walls, the knights, the side to
//! move and the walls that are blocked. Only undecided states are of interest, those in which the game is not over. For
//! each set of walls, side and blocked set, an *entry* has one bit for each pair of knights: whether red can force a
//! win. Nothing else is kept. Green's wins are red's on the board turned by 180 degrees, so that the same search finds
//! them; only at a repetition with both knights equally near and free do the sides differ.
//!
//! A wall turns without moving a knight, so one operation on 256 bits treats all pairs of knights. What is looked for
//! is always the least set of states that contains some states and those from which a side can force the next state
//! into the set, perhaps among the states of one owner only. It does not depend on the order in which the states enter.
//! So a *sweep* works on one set of walls after the other, on the entries of both sides, until nothing is new there,
//! and repeats this in a chunk of the sets, whose entries the caches hold, before it goes on to the next chunk. It
//! reads what other threads may be writing: what enters meanwhile makes the set due once more.
//!
//! For each set of walls and side it is kept by which walls its turns lead to entries that have changed. A side that
//! needs a move into the set of states looks only at these turns. The other side needs that all its moves lead there:
//! it looks at these turns for the states that may enter now, and then at the other turns until a move leads out of the
//! set for each of them.
//!
//! Where it counts in which order states enter, a *step* works out all entries of one side from those of the other
//! side.
//!
//! # Wins without repetition
//!
//! The *plain* wins are the least set that contains the states from which red ends the game at once, those with red to
//! move from which some move leads into the set, and those with green to move from which every move does. They are
//! found by steps of the two sides in turns, so that states enter at the step that is their distance to mate. This is
//! retrograde analysis, and counts for a game in which a repetition has no consequence.
//!
//! # Wins by repetition
//!
//! A *class* is what the rule of repetition compares: the walls, the knights and the side to move, but not the blocked
//! walls. At its third occurrence the game ends, and its *owner*, whom the rule names, wins. So a game without end does
//! not exist, and red also wins if it can force that only classes that it owns stand from some time on. This is a
//! nested fixpoint, as for a co-Büchi game (Grädel, Thomas and Wilke, "Automata, Logics, and Infinite Games", 2002):
//!
//! 1. Red *stays*: the greatest set of states that red has won already, or that red owns and from which it can make the
//!    next state one of the set, too. All of them are won now.
//! 2. Red *attracts*: what red can force into the won states is won, as above.
//! 3. Both are repeated until nothing is new.
//!
//! # Wins that are safe
//!
//! What red wins by the first step alone, begun with nothing but the ends of the game, is *safe*: from such a state red
//! can force that it wins at once or that the next state is one of them, and all of them belong to red. So whatever has
//! occurred before, no repetition makes green win, and a game without end does not exist.
//!
//! # Wins that are certain, and their ranks
//!
//! In the second step the game may end too early. A class can stand again with other blocked walls while red makes
//! progress, and at its third occurrence its owner wins, who may be green. Plain wins are affected, too. So the wins
//! that are certain are found in *rounds*, beginning with those that are safe:
//!
//! 1. States that green owns and that are attracted by the won states enter in one step: in the rounds with odd numbers
//!    those with red to move, in the others those with green to move. But the states of a class may enter in two rounds
//!    at most; what is attracted later stays out.
//! 2. States that red owns and that are attracted enter, until nothing is new. Then the next round begins.
//! 3. When two rounds have brought nothing new, red stays, as above, but only once; then the rounds go on.
//!
//! The *rank* of a state is the number of the round in which it entered, 0 if it is safe.
//!
//! *Red wins from each such state that begins a game, if it always moves to a state of the least rank.* If red owns a
//! state with red to move, some move leads to a state whose rank is not greater; if green owns it, to one whose rank is
//! smaller. With green to move, this is so of every move. Therefore the rank never grows, and after each state that
//! green owns it is smaller. So the states of a class that green owns come at different ranks, of which there are two
//! at most, and the class occurs at most twice. Therefore green does not win by repetition; it does not win otherwise,
//! because no won state is followed by a win of green; and a game without end does not exist. So red wins.
//!
//! *If other positions have occurred before*, red wins all the same if no class that green owns can occur for the third
//! time. From now on it occurs at most so often as its states have different ranks that are not greater than the
//! present one. A state with red to move that green owns entered in the first odd round after the rank that its best
//! move leads to, if it entered. So the ranks of states with green to move are enough to play and to tell whether a win
//! is certain, and only these are kept.
//!
//! The rank is like the progress measures of parity games (Jurdziński, "Small Progress Measures for Solving Parity
//! Games", 2000), and it is what a distance is to plain wins. Bits alone would not do: a winner that only keeps to won
//! states may come back to states of a class that green owns until it loses.
//!
//! The wins by repetition are what is attracted and stayed in without the limit of two rounds, beginning with the wins
//! that are certain. The states that are certain for neither side are *open*: their value may depend on the past.
//!
//! # Who wins the start
//!
//! The rounds are many, and only the ranks need them. If it is only asked whether red wins the start, wins are found in
//! any order, by sweeps that begin with the safe wins: whatever is attracted enters, but the states of a class that
//! green owns enter at two times at most, where those that enter at one time are found by one operation on their set of
//! walls. When nothing is new, red stays, and attracts again, as long as that brings something new. The work ends as
//! soon as the start has entered.
//!
//! *Red wins from each such state that begins a game, if it always moves to a state that entered as early as possible.*
//! The safe states count as those that entered first. A state that was attracted entered later than those into which
//! red can force the next state. One that stayed entered together with others or later than them, and belongs to red.
//! So red never comes to a state that entered later than the present one, and after each state that green owns to one
//! that entered earlier. A class that green owns has states of two times at most and occurs at most twice, so that red
//! wins, as above.
//!
//! Which wins these are depends on the order of the work, and so on the threads. Nearly all certain wins are among them
//! if the start is not: with three to five walls, 0.4 % fewer at most were counted than with rounds.

mod check_tables;
pub mod checker;
pub mod compressed_sets;
mod due_sets;
mod entries;
pub mod entry_numbering;
pub mod error;
pub mod extraction;
mod file_names;
pub mod kept_work;
mod knights;
pub mod make_tables;
pub mod pair_set;
mod progress;
pub mod ranks;
pub mod stages;
pub mod stored;
pub mod tables;
pub mod undecided;
mod visit;
pub mod wall_sets;
pub mod work;

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, fence};
use std::sync::{Mutex, PoisonError};

use pentarch_core::Side;
use pentarch_system::memory;
use pentarch_tables::combinations::next_combination;
use pentarch_tables::in_parallel;

use super::board::Board;
use super::position::Position;
use compressed_sets::{ChunkSets, CompressedSets};
use due_sets::DueSets;
use entries::Entries;
use entry_numbering::EntryNumbering;
use knights::Knights;
use pair_set::PairSet;
use ranks::{Entered, RankLog};
use visit::{Turns, Visit};
use wall_sets::{MAX_WALLS, count, unrank};

/// How many sets of walls one piece of a thread's work has, a multiple of 64.
const CHUNK: usize = 1 << 12;

/// How a step changes the entries of a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// States from which the winner can force the next state into the set enter it.
    Attract,
    /// The same, but only states that the winner owns enter.
    AttractOwned,
    /// The same, but only states that the other side owns enter, those of each class in at most two such steps.
    AttractOther,
    /// As for [`Step::Attract`], but the states of a class that the other side owns enter at two times at most.
    AttractTwice,
    /// States from which the winner cannot force the next state into the set leave it.
    Stay,
}

impl Step {
    /// How far to shift [`Solver::due`].
    fn due_shift(self) -> u32 {
        if self == Step::AttractOther { OTHER } else { 0 }
    }

    /// Whether it matters who owns a state.
    fn is_by_owner(self) -> bool {
        matches!(self, Step::AttractOwned | Step::AttractOther | Step::AttractTwice)
    }
}

/// What has changed since a set of walls was last worked out for a side: a bit for each of its walls, if a turn of the
/// wall leads to an entry that has changed, and [`OWN`], if a step of the knight does.
type Changes = u64;
/// The bit for the entry of the set itself with no wall blocked.
const OWN: Changes = 1 << MAX_WALLS;
/// The bits for everything.
const ALL: Changes = 2 * OWN - 1;
/// Where the bits stand for [`Step::AttractOther`]; for the other steps they are the lowest ones.
const OTHER: u32 = 16;
/// Where it stands, for the other steps, on which squares the knights are in the states from which a move leads to a
/// change: a bit for each square, first for the red knight and then for the green one.
const SQUARES: u32 = 32;

/// What a thread works with.
struct Scratch {
    turns: Turns,
    /// By the side to move: the closed classes of a chunk.
    closed: [Box<ChunkSets>; 2],
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch { turns: Turns::default(), closed: [(); 2].map(|()| Box::new([[0; 4]; CHUNK])) }
    }
}

/// Which entries a step works out.
#[derive(Debug, Clone, Copy)]
struct Plan {
    step: Step,
    /// The only side whose entries change, each set of walls being worked out once, from what stood before; none if
    /// both sides' entries change until nothing is new in a chunk.
    side: Option<Side>,
    /// How far to shift [`Solver::due`].
    shift: u32,
    /// Whether the sets with the greatest ranks come first.
    backwards: bool,
}

/// The entries of all sets of so many walls.
#[derive(Debug)]
pub struct Solver {
    /// Where the entries are.
    pub numbering: EntryNumbering,
    /// By the side to move: the entries, as [`PairSet`]s.
    ///
    /// Besides the undecided states they hold what saves looking at the walls of the next position: with green to move,
    /// the pairs after a move of red that ends the game; with red to move, those that green cannot move to.
    pub(super) entries: Entries,
    /// By the side to move and for each chunk of the sets of walls: the classes of the other side that have entered in
    /// two rounds, or at two times.
    pub(super) closed: [Box<[Mutex<CompressedSets>]>; 2],
    /// For each set of walls and side to move: its [`Changes`], with the [squares](SQUARES) of the knights, and the
    /// changes since the last [step of the other kind](Step::AttractOther) of the side.
    pub(super) due: DueSets,
    /// Whether red wins where both knights are equally near and equally free.
    pub ties: bool,
    /// How many sets of walls have been worked out, each for one side.
    pub evaluations: AtomicUsize,
    /// Where it is written at which rank states with green to move enter, if it is.
    pub(super) log: Option<RankLog>,
}

impl Solver {
    /// Entries in which nothing is won yet; none if there is not enough memory.
    pub fn new(board: &Board, walls: usize) -> Option<Solver> {
        let mut solver = Solver {
            entries: Entries::default(),
            closed: none_closed(walls),
            due: DueSets::new(Box::default(), Box::default()),
            numbering: EntryNumbering::new(board, walls)?,
            ties: false,
            evaluations: AtomicUsize::new(0),
            log: None,
        };
        solver.allocate().then_some(solver)
    }

    /// Gives the memory of the entries back, which hold nothing then.
    pub(super) fn release(&mut self) {
        self.forget_closed();
        self.due = DueSets::new(Box::default(), Box::default());
        self.entries = Entries::default();
    }

    /// Takes memory for the entries again. Returns whether there is enough.
    pub(super) fn allocate(&mut self) -> bool {
        let EntryNumbering { entries, walls, .. } = self.numbering;
        let allocated = || {
            let due = DueSets::new(
                memory::zeroed(count(walls))?,
                memory::zeroed(count(walls).div_ceil(CHUNK))?,
            );
            Some((Entries::new(entries)?, due))
        };
        let found = allocated();
        let is_enough = found.is_some();
        if let Some((entries, due)) = found {
            (self.entries, self.due) = (entries, due);
        }
        is_enough
    }

    /// The memory that a solver with these entries takes, and the size of a file with all its entries, in bytes.
    pub fn sizes(numbering: &EntryNumbering) -> (usize, usize) {
        let entries = 2 * size_of::<PairSet>() * numbering.entries;
        // For each set of walls, 12 bits of its place and a word for each side; and its closed classes, which took
        // up to 31 bytes with seven walls, both sides together.
        (entries + count(numbering.walls) * 49, entries)
    }

    /// The size of the entries of one side, in bytes.
    pub(super) fn side_size(&self) -> usize {
        size_of::<PairSet>() * self.entries.len
    }

    /// Begins anew: nothing is won but what ends the game at once.
    pub fn clear(&mut self) {
        self.forget_closed();
        for (rank, set) in self.numbering.canonical_sets() {
            let knights = Knights::between(set);
            for entry in self.numbering.entries_of(rank) {
                self.entries.set(Side::First, entry, knights.never_after_green());
                self.entries.set(Side::Second, entry, knights.won_by_red());
            }
        }
    }

    /// Allows all classes to enter again.
    pub(super) fn forget_closed(&mut self) {
        self.closed = none_closed(self.numbering.walls);
    }

    /// Adds all states that red owns.
    pub fn add_owned(&mut self) {
        for (rank, set) in self.numbering.canonical_sets() {
            let knights = Knights::between(set);
            let owned = knights.owned_by_red(self.ties) & knights.undecided;
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
                self.due.set(side, rank, ALL | ALL << OTHER | u64::MAX << SQUARES);
            }
        }
        self.due.mark_chunks();
    }

    /// Whether a set of walls is due for a step, on either side. A stage ends where none is, so the marks of the chunks
    /// do not suffice for that: then the sets themselves are inspected.
    pub fn is_due(&mut self, step: Step) -> bool {
        let kinds = 3 << kind_shift(step.due_shift());
        let is_marked = |due: &DueSets| (0..due.chunks()).any(|chunk| due.is_marked(chunk, kinds));
        if is_marked(&self.due) {
            return true;
        }
        self.due.mark_chunks();
        is_marked(&self.due)
    }

    /// Makes a step of a side on so many threads: each set of walls is worked out once. Returns for how many of them an
    /// entry has changed.
    pub fn step(&mut self, side: Side, step: Step, threads: usize) -> usize {
        self.run(
            Plan { step, side: Some(side), shift: step.due_shift(), backwards: false },
            threads,
        )
    }

    /// Makes steps of both sides, chunk by chunk, in each until it changes nothing there any more, on so many threads.
    /// The fixpoint is reached when no set [is due](Solver::is_due) afterwards.
    pub fn sweep(&mut self, step: Step, backwards: bool, threads: usize) {
        self.run(Plan { step, side: None, shift: 0, backwards }, threads);
    }

    /// Carries out a plan, and returns how often a set of walls was worked out with a change.
    fn run(&self, plan: Plan, threads: usize) -> usize {
        let changes = AtomicUsize::new(0);
        let kinds = plan.side.map_or(3, |side| 1 << side.index()) << kind_shift(plan.shift);
        let chunks = self.due.chunks();
        in_parallel(threads, 0..chunks, |at, scratch: &mut Vec<Scratch>| {
            let chunk = if plan.backwards { chunks - 1 - at } else { at };
            if self.due.is_marked(chunk, kinds) {
                if scratch.is_empty() {
                    scratch.push(Scratch::default());
                }
                self.due.take_mark(chunk, kinds);
                changes.fetch_add(self.run_chunk(chunk, plan, &mut scratch[0]), Relaxed);
            }
            true
        });
        changes.into_inner()
    }

    /// Carries out a plan for the sets of walls of a chunk.
    fn run_chunk(&self, chunk: usize, plan: Plan, scratch: &mut Scratch) -> usize {
        let (mut changes, mut evaluations) = (0, 0);
        let ranks = chunk * CHUNK..((chunk + 1) * CHUNK).min(count(self.numbering.walls));
        let Scratch { turns, closed } = scratch;
        let is_closing = |side: Side| match plan.step {
            Step::AttractTwice => true,
            Step::AttractOther => plan.side == Some(side),
            Step::Attract | Step::AttractOwned | Step::Stay => false,
        };
        let lock = |side: Side| {
            self.closed[side.index()][chunk].lock().unwrap_or_else(PoisonError::into_inner)
        };
        let mut kept = Side::BOTH.map(|side| is_closing(side).then(|| lock(side)));
        for (kept, closed) in kept.iter().zip(&mut *closed) {
            if let Some(kept) = kept {
                kept.get(closed);
            }
        }
        let mut has_closed = [false; 2];
        let is_logged =
            self.log.is_some() && plan.step != Step::Stay && plan.side != Some(Side::First);
        let mut entered = is_logged.then(Vec::new);
        let mut backwards = plan.backwards;
        loop {
            let before = evaluations;
            for block in 0..ranks.len().div_ceil(64) {
                let block = if backwards { ranks.len().div_ceil(64) - 1 - block } else { block };
                let first = ranks.start + block * 64;
                let block = first..ranks.end.min(first + 64);
                let sides = [Side::First, Side::Second]
                    .map(|side| plan.side.is_none_or(|only| only == side));
                let due = |rank: usize| {
                    [0, 1].map(|at| {
                        if sides[at] { self.due.get(at, rank) >> plan.shift & ALL } else { 0 }
                    })
                };
                // What is due, and in which states.
                let take = |at: usize, rank: usize| {
                    let squares = if plan.shift == 0 { u64::MAX << SQUARES } else { 0 };
                    let taken = self.due.take(at, rank, ALL << plan.shift | squares);
                    let states = PairSet::product(
                        (taken >> SQUARES) as u16,
                        (taken >> (SQUARES + 16)) as u16,
                    );
                    (taken >> plan.shift & ALL, if plan.shift == 0 { states } else { PairSet::ALL })
                };
                if block.clone().all(|rank| due(rank) == [0, 0]) {
                    continue;
                }
                let mut set = unrank(self.numbering.walls, first);
                let mut walls = [0; 64];
                for walls in &mut walls[..block.len()] {
                    *walls = set;
                    set = next_combination(set);
                }
                for at in 0..block.len() {
                    let at = if backwards { block.len() - 1 - at } else { at };
                    let rank = first + at;
                    let mut due = due(rank);
                    if due == [0, 0] {
                        continue;
                    }
                    let mut states = [PairSet::EMPTY; 2];
                    for side in 0..2 {
                        if due[side] != 0 {
                            (due[side], states[side]) = take(side, rank);
                            evaluations += 1;
                        }
                    }
                    due_sets::fence_before_reading();
                    let closed_before = [0, 1].map(|side| {
                        kept[side]
                            .as_ref()
                            .map_or(PairSet::EMPTY, |_| PairSet(closed[side][rank - ranks.start]))
                    });
                    let mut closed_now = closed_before;
                    let visit = Visit {
                        solver: self,
                        rank,
                        set: walls[at],
                        plan,
                        first: self.numbering.first_entry(rank),
                    };
                    changes += usize::from(visit.work_out(
                        due,
                        states,
                        &mut closed_now,
                        turns,
                        &mut entered,
                    ));
                    for side in [0, 1] {
                        if closed_now[side] != closed_before[side] {
                            closed[side][rank - ranks.start] = closed_now[side].0;
                            has_closed[side] = true;
                        }
                    }
                }
            }
            if evaluations == before || plan.side.is_some() {
                break;
            }
            backwards = !backwards;
        }
        for side in [0, 1] {
            if let (Some(kept), true) = (&mut kept[side], has_closed[side]) {
                kept.set(&closed[side]);
            }
        }
        self.evaluations.fetch_add(evaluations, Relaxed);
        if let (Some(log), Some(mut entered)) = (&self.log, entered) {
            log.append(chunk, &Entered::new(self.numbering.first_entry(ranks.start), &mut entered));
        }
        changes
    }

    /// The pairs of an entry that are won for red with this side to move, as the files have them.
    pub fn entry(&self, side: Side, entry: usize) -> [u64; 4] {
        self.entries.get(side, entry).0
    }

    /// Whether red, as which the winner plays here, can force a win from this undecided position.
    pub fn is_won(&self, position: &Position) -> bool {
        let place = self.numbering.index(position.walls, position.last_wall);
        let entry = self.entries.get(position.side, place.entry);
        let entry = if place.is_mirrored { entry.mirror() } else { entry };
        entry.contains(position.knights)
    }
}

/// The bits of the mark of a chunk in which these are the [changes](Solver::due) of a set for the first side. Those for
/// [`Step::AttractOther`] are two bits higher.
fn kinds_of(changes: Changes) -> u8 {
    u8::from(changes & ALL != 0) | u8::from(changes >> OTHER & ALL != 0) << kind_shift(OTHER)
}

/// How far to shift the bits of the mark of a chunk for a step that shifts the changes by this.
fn kind_shift(due_shift: u32) -> u32 {
    due_shift / OTHER * 2
}

/// For each side and each chunk of the sets of so many walls, no closed classes.
fn none_closed(walls: usize) -> [Box<[Mutex<CompressedSets>]>; 2] {
    [(); 2].map(|()| (0..count(walls).div_ceil(CHUNK)).map(|_| Mutex::default()).collect())
}

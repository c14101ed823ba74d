//! Solves Alcaxar: from which positions a side can force a win. The number of walls is a parameter, 1 to 8; positions
//! with fewer than eight exist inside the solver only.
//!
//! | module | what it holds |
//! |---|---|
//! | [`pair_set`] | sets of pairs of knights as 256 bits, and steps on all of them at once |
//! | [`wall_sets`] | the numbering of the sets of walls |
//! | [`entry_numbering`] | the number of the entry of each set of walls and each blocked set |
//! | [`compressed_sets`] | sets of pairs for many sets of walls, compressed |
//! | [`ranks`] | how far the winner has got |
//! | [`stages`] | what is solved one after the other, its counts, and going on after an interruption |
//! | [`stored`] | single states, read from the files |
//! | [`verify`] | holds entries against the rules |
//!
//! # States
//!
//! A *state* is what decides how the game can go on, if the past does not matter: the walls, the knights, the side to
//! move and the walls that are blocked. Only undecided states are of interest, those in which the game is not over. For
//! each set of walls, side and blocked set, an *entry* has one bit for each pair of knights: whether red can force a
//! win. Nothing else is kept. Green's wins are red's on the board turned by 180 degrees, so that the same search finds
//! them; only at a repetition with both knights equally near and free do the sides differ.
//!
//! A wall turns without moving a knight, so one operation on 256 bits treats all pairs of knights. A *step* works out
//! all entries of one side from those of the other side. Steps of the two sides take turns; a step only looks at sets
//! of walls from which a move leads to an entry that has changed. A step reads entries of the other side and writes
//! those of its own, so the result is the same for any number of threads.
//!
//! # Wins without repetition
//!
//! The *plain* wins are the least set that contains the states from which red ends the game at once, those with red to
//! move from which some move leads into the set, and those with green to move from which every move does. States enter
//! at the step that is their distance to mate. This is retrograde analysis, and counts for a game in which a repetition
//! has no consequence.
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

pub mod compressed_sets;
pub mod entry_numbering;
pub mod pair_set;
pub mod ranks;
pub mod stages;
pub mod stored;
pub mod verify;
pub mod wall_sets;

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{LazyLock, Mutex, PoisonError};

use pentarch_core::{Side, memory};
use pentarch_tables::combinations::next_combination;
use pentarch_tables::in_parallel;

use super::board::Board;
use super::position::{FORTRESSES, Position};
use compressed_sets::CompressedSets;
use entry_numbering::{EntryNumbering, MAX_TURNS, Neighbours, Turned, Walls};
use pair_set::{OpenSteps, PairSet};
use ranks::{Entered, RankLog};
use wall_sets::{MAX_WALLS, count, unrank};

/// How many sets of walls one piece of a thread's work has, a multiple of 64.
const CHUNK: usize = 1 << 12;

/// What depends on the walls and not on the side to move, for all pairs of knights at once.
#[derive(Debug, Clone, Copy)]
pub struct Knights {
    /// The steps that are open.
    steps: OpenSteps,
    /// For each side, where its knight has an accessible square.
    accessible: [PairSet; 2],
    /// Where the game is not over, and could come about.
    pub undecided: PairSet,
}

impl Knights {
    /// All pairs of knights between these walls.
    pub fn between(walls: u64) -> Knights {
        let steps = OpenSteps::between(walls);
        let different = PairSet::different();
        let accessible = [steps.before_red(&different), steps.before_green(&different)];
        let [red_fortress, green_fortress] = FORTRESSES.map(|square| square.bit());
        let nobody_arrived = PairSet::product(!green_fortress, !red_fortress);
        Knights { steps, accessible, undecided: nobody_arrived & different & accessible[0] & accessible[1] }
    }

    /// The pairs after a legal move of red that ends the game.
    fn won_by_red(&self) -> PairSet {
        let arrived = PairSet::product(Position::target(Side::First).bit(), u16::MAX);
        self.accessible[0] & PairSet::different() & (arrived | !self.accessible[1])
    }

    /// The pairs that no legal move of green leads to.
    fn never_after_green(&self) -> PairSet {
        !(self.accessible[1] & PairSet::different())
    }

    /// The pairs in which the position belongs to red, so that red wins if it stands for the third time. With `ties`,
    /// these are also those in which both knights are equally near and equally free.
    pub fn owned_by_red(&self, ties: bool) -> PairSet {
        let [more, equal] = self.steps.compare_accessible();
        let freer = if ties { more | equal } else { more };
        let [nearer, as_near] = *NEARER;
        nearer | as_near & freer
    }
}

/// The pairs in which the red knight is nearer to the enemy fortress than the green one, and those in which both are
/// equally near.
static NEARER: LazyLock<[PairSet; 2]> = LazyLock::new(|| {
    [Ordering::Less, Ordering::Equal].map(|wanted| {
        PairSet::of(|red, green| red.distance(FORTRESSES[1]).cmp(&green.distance(FORTRESSES[0])) == wanted)
    })
});

/// How a step changes the entries of a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// States from which the winner can force the next state into the set enter it.
    Attract,
    /// The same, but only states that the winner owns enter.
    AttractOwned,
    /// The same, but only states that the other side owns enter, those of each class in at most two such steps.
    AttractOther,
    /// States from which the winner cannot force the next state into the set leave it.
    Stay,
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
    pub(super) entries: [Box<[[u64; 4]]>; 2],
    /// By the side to move and for each chunk of the sets of walls: the classes of the other side that have entered in
    /// two rounds.
    pub(super) closed: [Box<[CompressedSets]>; 2],
    /// By the side to move, one bit for each set of walls: whether a move leads to an entry that has changed.
    pub(super) due: [Box<[AtomicU64]>; 2],
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
        let numbering = EntryNumbering::new(board, walls)?;
        let entries = || memory::zeroed(numbering.entries);
        let due = || memory::zeroed(count(walls).div_ceil(64));
        let solver = Solver {
            entries: [entries()?, entries()?],
            closed: none_closed(walls),
            due: [due()?, due()?],
            numbering,
            ties: false,
            evaluations: AtomicUsize::new(0),
            log: None,
        };
        Some(solver)
    }

    /// The memory that a solver with these entries takes, and the size of a file with all its entries, in bytes.
    pub fn sizes(numbering: &EntryNumbering) -> (usize, usize) {
        let entries = 2 * size_of::<PairSet>() * numbering.entries;
        // For each set of walls, 12 bits of its place and a bit for each side; and its closed classes, which took 7
        // bytes with three and four walls, both sides together.
        (entries + count(numbering.walls) * 35 / 4, entries)
    }

    /// Begins anew: nothing is won but what ends the game at once.
    pub fn clear(&mut self) {
        self.forget_closed();
        let Solver { numbering, entries: [red, green], .. } = self;
        for (rank, set) in numbering.canonical_sets() {
            let (range, knights) = (numbering.entries_of(rank), Knights::between(set));
            red[range.clone()].fill(knights.never_after_green().0);
            green[range].fill(knights.won_by_red().0);
        }
    }

    /// Allows all classes to enter again.
    pub(super) fn forget_closed(&mut self) {
        self.closed = none_closed(self.numbering.walls);
    }

    /// Adds all states that red owns.
    pub fn add_owned(&mut self) {
        let Solver { numbering, entries, ties, .. } = self;
        for (rank, set) in numbering.canonical_sets() {
            let knights = Knights::between(set);
            let owned = knights.owned_by_red(*ties) & knights.undecided;
            for entries in &mut *entries {
                for entry in &mut entries[numbering.entries_of(rank)] {
                    *entry = (PairSet(*entry) | owned).0;
                }
            }
        }
    }

    /// Makes all sets of walls due, for both sides.
    pub fn make_all_due(&self) {
        Side::BOTH.into_iter().for_each(|side| self.make_all_due_for(side));
    }

    /// Makes all sets of walls due for one side.
    pub fn make_all_due_for(&self, side: Side) {
        let due = &self.due[side.index()];
        for (rank, _) in self.numbering.canonical_sets() {
            due[rank / 64].fetch_or(1 << (rank % 64), Relaxed);
        }
    }

    /// Makes a step of a side on so many threads. Returns for how many sets of walls an entry has changed.
    pub fn step(&mut self, side: Side, step: Step, threads: usize) -> usize {
        let at = side.index();
        let mut own = std::mem::take(&mut self.entries[at]);
        let mut own_closed = std::mem::take(&mut self.closed[at]);
        let (mut rest, mut chunks) = (&mut own[..], Vec::new());
        let total = count(self.numbering.walls);
        let is_logged = self.log.is_some() && side == Side::Second && step != Step::Stay;
        for (start, closed) in (0..total).step_by(CHUNK).zip(&mut own_closed) {
            let end = (start + CHUNK).min(total);
            let first_entry = self.numbering.first_entry(start);
            let entries;
            (entries, rest) = rest.split_at_mut(self.numbering.first_entry(end) - first_entry);
            let entered = is_logged.then(Entered::default);
            chunks.push(Mutex::new(Chunk { ranks: start..end, first_entry, entries, closed, entered }));
        }
        let (changes, this) = (AtomicUsize::new(0), &*self);
        in_parallel(threads, 0..chunks.len(), |at, _: &mut Vec<()>| {
            let mut chunk = chunks[at].lock().unwrap_or_else(PoisonError::into_inner);
            changes.fetch_add(this.step_chunk(&mut chunk, side, step), Relaxed);
            true
        });
        self.entries[at] = own;
        self.closed[at] = own_closed;
        changes.into_inner()
    }

    /// Makes the step for the sets of walls of a chunk. Returns for how many an entry has changed.
    fn step_chunk(&self, chunk: &mut Chunk, side: Side, step: Step) -> usize {
        let (mut changes, mut evaluations, ranks) = (0, 0, chunk.ranks.clone());
        let mut closed = (step == Step::AttractOther).then(|| chunk.closed.get());
        for word in ranks.start / 64..ranks.end.div_ceil(64) {
            let due = self.due[side.index()][word].swap(0, Relaxed);
            if due == 0 {
                continue;
            }
            let mut set = unrank(self.numbering.walls, word * 64);
            for rank in word * 64..ranks.end.min(word * 64 + 64) {
                if due >> (rank % 64) & 1 != 0 {
                    evaluations += 1;
                    let closed = closed.as_mut().map(|closed| &mut closed[rank - ranks.start]);
                    changes += usize::from(self.step_set((rank, set), chunk, closed, side, step));
                }
                set = next_combination(set);
            }
        }
        if let Some(closed) = closed {
            chunk.closed.set(&closed);
        }
        self.evaluations.fetch_add(evaluations, Relaxed);
        if let (Some(log), Some(entered)) = (&self.log, &chunk.entered) {
            log.append(ranks.start / CHUNK, entered);
        }
        changes
    }

    /// Makes the step for one set of walls, with its closed classes if the step looks at them. Returns whether an entry
    /// has changed.
    fn step_set(
        &self,
        (rank, set): (usize, u64),
        chunk: &mut Chunk,
        closed: Option<&mut [u64; 4]>,
        side: Side,
        step: Step,
    ) -> bool {
        let first = self.numbering.first_entry(rank) - chunk.first_entry;
        let entries = &mut chunk.entries[first..self.numbering.first_entry(rank + 1) - chunk.first_entry];
        let knights = Knights::between(set);
        let undecided = knights.undecided;
        let won = entries.iter().map(|&entry| PairSet(entry) & undecided);
        let all = won.clone().fold(PairSet::ALL, |all, entry| all & entry);
        if step != Step::Stay && (undecided & !all).is_empty() {
            return false;
        }
        let any = won.fold(PairSet::EMPTY, |any, entry| any | entry);
        let may_enter = match step {
            Step::AttractOwned => knights.owned_by_red(self.ties),
            Step::AttractOther => {
                !(knights.owned_by_red(self.ties) | closed.as_deref().copied().map_or(PairSet::EMPTY, PairSet))
            }
            Step::Attract | Step::Stay => PairSet::ALL,
        };
        let walls = Walls::new(&self.numbering.geometry, set);
        let neighbours = Neighbours::new(&self.numbering, set);
        let result = self.evaluate(rank, &walls, &knights, &neighbours, side);
        let (mut all_entered, mut has_changed) = (PairSet::EMPTY, [false; MAX_WALLS + 1]);
        for (number, (entry, result)) in entries.iter_mut().zip(result).enumerate() {
            let before = PairSet(*entry);
            let after = match step {
                Step::Stay => before & (result | !undecided),
                Step::Attract | Step::AttractOwned | Step::AttractOther => before | result & may_enter,
            };
            let entered = after & !before;
            if let Some(log) = &mut chunk.entered {
                log.add(first + number, entered);
            }
            all_entered = all_entered | entered;
            has_changed[number] = after != before;
            *entry = after.0;
        }
        if let Some(closed) = closed {
            *closed = (PairSet(*closed) | all_entered & any).0;
        }
        self.make_due(rank, &walls, &neighbours, &has_changed, !side);
        has_changed.contains(&true)
    }

    /// For each blocked set of a set of walls, works out the undecided pairs from which red can force that the next
    /// state is in the set of states that the entries of the other side hold.
    fn evaluate(
        &self,
        rank: usize,
        walls: &Walls,
        knights: &Knights,
        neighbours: &Neighbours,
        side: Side,
    ) -> [PairSet; MAX_WALLS + 1] {
        let theirs = &self.entries[(!side).index()];
        // Red looks for a move into the set, green for one out of it.
        let is_red = side == Side::First;
        let inverted = if is_red { 0 } else { u64::MAX };
        let wanted = |entry: PairSet| PairSet(entry.0.map(|word| word ^ inverted));
        let none_blocked = wanted(PairSet(theirs[self.numbering.first_entry(rank)]));
        let by_knight =
            if is_red { knights.steps.before_red(&none_blocked) } else { knights.steps.before_green(&none_blocked) };
        // First all addresses, then all entries: the processor waits for memory only once.
        let mut turned = [Turned::default(); MAX_TURNS];
        let count = neighbours.turned(walls, &mut turned);
        let mut by_wall = [[PairSet::EMPTY; 2]; MAX_WALLS];
        for turned in &turned[..count] {
            let by = &mut by_wall[turned.wall()][usize::from(turned.is_mirrored)];
            *by = *by | wanted(PairSet(theirs[turned.entry])) & turned.clear;
        }
        let by_wall = by_wall.map(|[here, mirrored]| here | mirrored.mirror());
        let mut result = [PairSet::EMPTY; MAX_WALLS + 1];
        for (result, blocked) in result.iter_mut().zip(&walls.blocked[..walls.blocked_sets]) {
            let free = walls.slots().iter().zip(&by_wall).filter(|(slot, _)| slot.bit() & blocked == 0);
            let reached = free.fold(by_knight, |reached, (_, &by_wall)| reached | by_wall);
            *result = knights.undecided & wanted(reached);
        }
        result
    }

    /// Makes the sets of walls due from which a move of `side` leads to an entry of this set that has changed.
    fn make_due(&self, rank: usize, walls: &Walls, neighbours: &Neighbours, has_changed: &[bool], side: Side) {
        let make_due = |rank: usize| {
            let (word, bit) = (&self.due[side.index()][rank / 64], 1 << (rank % 64));
            // Most are due already, and reading does not take the cache line away from another thread.
            if word.load(Relaxed) & bit == 0 {
                word.fetch_or(bit, Relaxed);
            }
        };
        if has_changed[0] {
            make_due(rank);
        }
        for (place, &slot) in walls.slots().iter().enumerate() {
            if has_changed[usize::from(walls.numbers[place])] {
                // A wall turns back over the way by which it came.
                let turns = self.numbering.geometry.turns[usize::from(slot.0)].iter();
                let possible = turns.filter(|turn| turn.is_possible(walls.set));
                possible.for_each(|turn| make_due(neighbours.after(place, slot, turn.to).rank));
            }
        }
    }

    /// Whether red, as which the winner plays here, can force a win from this undecided position.
    pub fn is_won(&self, position: &Position) -> bool {
        let place = self.numbering.index(position.walls, position.last_wall);
        let entry = PairSet(self.entries[position.side.index()][place.entry]);
        let entry = if place.is_mirrored { entry.mirror() } else { entry };
        entry.contains(position.knights)
    }
}

/// Some consecutive sets of walls, with what one side's step changes.
struct Chunk<'a> {
    /// The ranks of the sets.
    ranks: Range<usize>,
    /// The number of the first entry.
    first_entry: usize,
    entries: &'a mut [[u64; 4]],
    closed: &'a mut CompressedSets,
    /// The states that enter, if the log tells of them.
    entered: Option<Entered>,
}

/// For each side and each chunk of the sets of so many walls, no closed classes.
fn none_closed(walls: usize) -> [Box<[CompressedSets]>; 2] {
    [(); 2].map(|()| vec![CompressedSets::default(); count(walls).div_ceil(CHUNK)].into())
}

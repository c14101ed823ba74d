//! Tablebases: tables of solved positions by retrograde analysis, for any game that can number its positions.
//!
//! | module | what it holds |
//! |---|---|
//! | [`dtm`] | distance to mate: the value of a position in one byte |
//! | [`combinations`] | perfect hashing of sets of points |
//! | [`lookahead`] | looking one move ahead |
//! | [`budget`] | the means of an analysis, and why it ends without a result |
//! | [`error`] | the errors of tablebase files |
//! | [`retrograde`] | retrograde analysis: from the ends of the games backwards |
//! | [`worklist`] | the worklist of the analysis, and its passes |
//! | [`verify`] | verifying tables against the rules |
//! | [`file`](mod@file) | tablebase files |
//! | [`blocks`] | values compressed in blocks |
//! | [`background`] | values that are made on a thread of their own, or in parts |
//! | [`xor_filter`] | small numbers by key, without storing the keys |

pub mod background;
pub mod blocks;
pub mod budget;
pub mod combinations;
pub mod dtm;
pub mod error;
pub mod file;
pub mod lookahead;
pub mod retrograde;
pub mod verify;
pub mod worklist;
pub mod xor_filter;

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use pentarch_core::Rules;
use pentarch_system::memory::ThreadTask;

use dtm::Dtm;

/// The place of a position in the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableIndex {
    /// The class of the position: the material of the side to move and that of the other side.
    pub class: usize,
    /// The number of the position in its class.
    pub number: usize,
}

/// The numbering of a game's positions.
///
/// Positions that a symmetry of the rules maps on each other share a place. This includes symmetries that exchange the
/// sides, because a place tells the side to move from the other side, but not the first side from the second. Places
/// belong to classes. After each move it is the other side's turn, and the side that makes the last move of a game
/// never loses.
pub trait Numbering: Sync {
    /// The game whose positions are numbered.
    type Rules: Rules;

    /// The rules under which the tables hold.
    fn rules(&self) -> &Self::Rules;

    /// How many numbers a class has. Some of them may belong to no position.
    fn size(&self, class: usize) -> usize;

    /// The place of a position; none if the numbering leaves it out, as it may if the game is over.
    fn index(&self, position: &Position<Self>) -> Option<TableIndex>;

    /// The position at a place, or one of the positions symmetric to it; none if no position has this place.
    fn position(&self, place: TableIndex) -> Option<Position<Self>>;
}

/// A numbering with what [retrograde analysis](retrograde) needs besides. Classes belong to groups: a move leads to a
/// position of its own group or of an earlier one, or ends the game.
pub trait Retromoves: Numbering {
    /// The groups of classes, in the order in which they can be solved.
    fn groups(&self) -> Vec<Vec<usize>>;

    /// How many different positions share the place of this one, itself included.
    fn images(&self, position: &Position<Self>) -> u16;

    /// Whether a move leads out of the group of its position (a conversion), or ends the game.
    fn leaves_group(&self, position: &Position<Self>, mv: Move<Self>) -> bool;

    /// Calls `visit` with the place of each position of the same group from which one move leads to this one, once for
    /// each such position (retromoves).
    fn predecessors(&self, position: &Position<Self>, visit: impl FnMut(TableIndex));
}

/// A position of the game that is numbered.
pub type Position<N> = <<N as Numbering>::Rules as Rules>::Position;
/// A move of the game that is numbered.
pub type Move<N> = <<N as Numbering>::Rules as Rules>::Move;

/// How many threads make tables: as many as the machine has, up to four.
pub fn thread_count() -> usize {
    thread::available_parallelism().map_or(1, |threads| threads.get().min(4))
}

/// Calls `act` for each of these numbers, in their order, on so many threads at most, until it returns false. It gets
/// the number and a scratch buffer of its thread. Returns the number before which all are done.
pub fn in_parallel<T>(
    threads: usize,
    numbers: Range<usize>,
    act: impl Fn(usize, &mut Vec<T>) -> bool + Sync,
) -> usize {
    let (next, end) = (AtomicUsize::new(numbers.start), numbers.end);
    let run = || {
        let mut buffer = Vec::new();
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= end || !act(number, &mut buffer) {
                return;
            }
        }
    };
    let threads = threads.min(numbers.len()).max(1);
    thread::scope(|scope| {
        for _ in 1..threads {
            // With fewer threads it only takes longer.
            if thread::Builder::new().spawn_scoped(scope, Box::new(run) as ThreadTask).is_err() {
                break;
            }
        }
        run();
    });
    // Each number that a thread has taken is done when the thread ends.
    next.into_inner().min(end)
}

/// The values of the positions of the classes that are solved.
#[derive(Debug, Default)]
pub struct Tablebase {
    /// The values as bytes, by class and number; a class that is not solved has none.
    classes: Vec<Box<[u8]>>,
}

impl Tablebase {
    /// The value at a place; none if its class is not solved.
    #[inline]
    pub fn get(&self, place: TableIndex) -> Option<Dtm> {
        self.classes.get(place.class)?.get(place.number).map(|&value| Dtm(value))
    }

    /// The values of a class as bytes; an empty slice if it is not solved.
    pub fn values(&self, class: usize) -> &[u8] {
        self.classes.get(class).map_or(&[], |values| values)
    }

    /// Keeps the values of a class that is solved.
    pub fn put(&mut self, class: usize, values: Box<[u8]>) {
        if self.classes.len() <= class {
            self.classes.resize_with(class + 1, Default::default);
        }
        self.classes[class] = values;
    }
}

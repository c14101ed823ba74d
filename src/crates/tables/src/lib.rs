//! Tablebases: tables of solved positions, computed by retrograde analysis, for any game that can
//! number its positions.
//!
//! | module | contents |
//! |---|---|
//! | [`dtm`] | distance to mate: the value of a position in one byte |
//! | [`combinations`] | perfect hashing of sets of points |
//! | [`lookahead`] | looking one move ahead |
//! | [`budget`] | the budget of an analysis, and why it ends without a result |
//! | [`error`] | errors of tablebase files |
//! | [`retrograde`] | retrograde analysis: from the ends of the games backwards |
//! | [`worklist`] | the worklist of the analysis, and its passes |
//! | [`verify`] | verification of tables against the rules |
//! | [`file`](mod@file) | tablebase files |
//! | [`blocks`] | values compressed in blocks |
//! | [`background`] | values computed on a separate thread, or in parts |
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

/// The index of a position in the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableIndex {
    /// The class of the position: the material of the side to move and that of the other side.
    pub class: usize,
    /// The number of the position within its class.
    pub number: usize,
}

/// A numbering of a game's positions.
///
/// Positions that a symmetry of the rules maps onto each other share an index. This includes
/// symmetries that exchange the sides: an index distinguishes the side to move from the other side,
/// but not the first side from the second. Indices belong to classes. After each move it is the
/// other side's turn, and the side that makes the last move of a game never loses.
pub trait Numbering: Sync {
    /// The game whose positions are numbered.
    type Rules: Rules;

    /// Returns the rules under which the tables hold.
    fn rules(&self) -> &Self::Rules;

    /// Returns the number of indices of a class. Some of them may belong to no position.
    fn size(&self, class: usize) -> usize;

    /// Returns the index of a position; `None` if it is omitted, as it may be if the game is over.
    fn index(&self, position: &Position<Self>) -> Option<TableIndex>;

    /// Returns the position with an index, or a symmetric one; `None` if the index is unused.
    fn position(&self, index: TableIndex) -> Option<Position<Self>>;
}

/// A numbering with the additional functions that [retrograde analysis](retrograde) needs. Classes
/// belong to groups: a move leads to a position of its own group or of an earlier one, or ends the
/// game.
pub trait Retromoves: Numbering {
    /// Returns the groups of classes, in an order in which they can be solved.
    fn class_groups(&self) -> Vec<Vec<usize>>;

    /// Returns how many different positions share the index of this one, itself included.
    fn orbit_size(&self, position: &Position<Self>) -> u16;

    /// Returns whether a move leaves the group of its position (a conversion), or ends the game.
    fn leaves_group(&self, position: &Position<Self>, mv: Move<Self>) -> bool;

    /// Calls `visit` with the index of each position of the same group from which one move leads to
    /// this position: once for each such position (retromoves).
    fn predecessors(&self, position: &Position<Self>, visit: impl FnMut(TableIndex));
}

/// A position of the numbered game.
pub type Position<N> = <<N as Numbering>::Rules as Rules>::Position;
/// A move of the numbered game.
pub type Move<N> = <<N as Numbering>::Rules as Rules>::Move;

/// Returns the number of threads that compute tables: as many as the machine has, up to four.
pub fn thread_count() -> usize {
    thread::available_parallelism().map_or(1, |threads| threads.get().min(4))
}

/// Calls `act` for each of these numbers, in order, on at most `threads` threads, until it returns
/// `false`. The arguments are the number and a scratch buffer of the thread. Returns the number
/// before which all are done.
pub fn in_parallel<T>(
    threads: usize,
    numbers: Range<usize>,
    act: impl Fn(usize, &mut Vec<T>) -> bool + Sync,
) -> usize {
    let next = AtomicUsize::new(numbers.start);
    let end = numbers.end;
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
    // A thread finishes each number that it has taken before it ends.
    next.into_inner().min(end)
}

/// The values of the solved classes.
#[derive(Debug, Default)]
pub struct Tablebase {
    /// The values as bytes, by class and number; empty for a class that is not solved.
    classes: Vec<Box<[u8]>>,
}

impl Tablebase {
    /// Returns the value at an index, or `None` if the class is not solved.
    #[inline]
    pub fn get(&self, index: TableIndex) -> Option<Dtm> {
        self.classes.get(index.class)?.get(index.number).map(|&value| Dtm(value))
    }

    /// Returns the values of a class as bytes, or an empty slice if it is not solved.
    pub fn values(&self, class: usize) -> &[u8] {
        self.classes.get(class).map_or(&[], |values| values)
    }

    /// Stores the values of a solved class.
    pub fn put(&mut self, class: usize, values: Box<[u8]>) {
        if self.classes.len() <= class {
            self.classes.resize_with(class + 1, Default::default);
        }
        self.classes[class] = values;
    }
}

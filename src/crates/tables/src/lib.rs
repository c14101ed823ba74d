//! Tablebases: tables of solved positions, computed by retrograde analysis. Such tables can be
//! computed for any game whose positions can be numbered.
//!
//! | module | contents |
//! |---|---|
//! | [`dtm`] | distance to mate: the value of a position in one byte |
//! | [`combinations`] | perfect hashing of sets of points |
//! | [`lookahead`] | the value of a position, by looking one move ahead |
//! | [`retrograde_control`] | the budget of an analysis, and the reasons why an analysis ends without a result |
//! | [`error`] | errors of tablebase files |
//! | [`lost_positions`] | the lost positions, packed into a few bytes |
//! | [`retrograde`] | retrograde analysis: from the ends of the games backwards |
//! | [`worklist`] | the worklist and the passes of the analysis |
//! | [`endgame_tables`] | the tables of positions with few pieces |
//! | [`verify`] | verification of tables against the rules |
//! | [`table_file`](mod@table_file) | tablebase files |
//! | [`compressed_blocks`] | values compressed in blocks |
//! | [`background`] | values computed on a separate thread, or in parts |
//! | [`xor_filter`] | a table from keys to small numbers that does not store the keys |

pub mod background;
pub mod combinations;
pub mod compressed_blocks;
pub mod dtm;
pub mod endgame_tables;
pub mod error;
pub mod lookahead;
pub mod lost_positions;
pub mod retrograde;
pub mod retrograde_control;
pub mod table_file;
pub mod verify;
pub mod worklist;
pub mod xor_filter;

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use pentarch_core::Rules;
use pentarch_system::memory::ThreadTask;

use dtm::Dtm;

/// The index of a position in the tables: a class of positions, and a number within this class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableIndex {
    /// The class of the position: the material of the side to move and the material of the other
    /// side.
    pub class: usize,
    /// The number of the position within its class.
    pub number: usize,
}

/// A numbering of a game's positions. The positions are divided into classes by their material, and
/// each class is numbered from 0.
///
/// If a symmetry of the rules maps two positions onto each other, both positions have the same
/// index. The symmetry may also exchange the sides. So an index distinguishes the side to move from
/// the other side, but not the first side from the second side.
///
/// The game must have two properties. After each move, it is the other side's turn. The side that
/// makes the last move of a game never loses.
pub trait PositionNumbering: Sync {
    /// The game whose positions are numbered.
    type Rules: Rules;

    /// Returns the rules for which the tables are correct.
    fn rules(&self) -> &Self::Rules;

    /// Returns the number of indices of a class. Some indices may be unused: no position has them.
    fn class_size(&self, class: usize) -> usize;

    /// Returns the index of a position. Returns `None` if the numbering omits the position; a
    /// numbering may omit positions in which the game is over.
    fn index_of_position(&self, position: &Position<Self>) -> Option<TableIndex>;

    /// Returns a position that has this index. Symmetric positions share an index, so this need not
    /// be the position from which the index was computed. Returns `None` if no position has the
    /// index.
    fn position_at_index(&self, index: TableIndex) -> Option<Position<Self>>;
}

/// A numbering with the additional functions that [retrograde analysis](retrograde) needs. Each
/// class belongs to a group, and the classes of a group are solved together. A move leads to a
/// position of the same group or of an earlier group, or it ends the game.
pub trait RetrogradeNumbering: PositionNumbering {
    /// Returns the groups of classes in an order in which they can be solved: each group comes
    /// after the groups to which its moves lead.
    fn class_groups(&self) -> Vec<Vec<usize>>;

    /// Returns the number of different positions with the index of this position, including this
    /// position.
    fn orbit_size(&self, position: &Position<Self>) -> u16;

    /// Returns whether a move leaves the group of its position (a conversion), or ends the game.
    fn move_leaves_group(&self, position: &Position<Self>, mv: Move<Self>) -> bool;

    /// Calls `visit` with the index of each predecessor of this position. A predecessor is a
    /// position of the same group from which one move leads to this position (the move backwards is
    /// called a retromove). `visit` is called once for each predecessor.
    fn visit_predecessors(&self, position: &Position<Self>, visit: impl FnMut(TableIndex));
}

/// A position of the numbered game.
pub type Position<N> = <<N as PositionNumbering>::Rules as Rules>::Position;
/// A move of the numbered game.
pub type Move<N> = <<N as PositionNumbering>::Rules as Rules>::Move;

/// Returns the number of threads that compute tables: the number of threads of the machine, but at
/// most four.
pub fn table_thread_count() -> usize {
    thread::available_parallelism().map_or(1, |threads| threads.get().min(4))
}

/// Calls `act` for each number of the range, in order, on at most `threads` threads. The arguments
/// of `act` are the number and a scratch buffer of the thread. When `act` returns `false`, its
/// thread stops. Returns the first number for which `act` was not called.
pub fn run_in_parallel<T>(
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
            // If the system cannot start another thread, the other threads do all the work.
            if thread::Builder::new().spawn_scoped(scope, Box::new(run) as ThreadTask).is_err() {
                break;
            }
        }
        run();
    });
    // A thread never stops before it has called `act` for a number that it has taken. So all
    // numbers below `next` are done.
    next.into_inner().min(end)
}

/// The values of the solved classes.
#[derive(Debug, Default)]
pub struct Tablebase {
    /// The values of each class as bytes, in the order of the positions' numbers; empty for a class
    /// that is not solved.
    classes: Vec<Box<[u8]>>,
}

impl Tablebase {
    /// Returns the value at an index, or `None` if the class is not solved.
    #[inline]
    pub fn get(&self, index: TableIndex) -> Option<Dtm> {
        self.classes.get(index.class)?.get(index.number).map(|&value| Dtm(value))
    }

    /// Returns the values of a class as bytes, or an empty slice if the class is not solved.
    pub fn class_values(&self, class: usize) -> &[u8] {
        self.classes.get(class).map_or(&[], |values| values)
    }

    /// Stores the values of a solved class.
    pub fn put_class_values(&mut self, class: usize, values: Box<[u8]>) {
        if self.classes.len() <= class {
            self.classes.resize_with(class + 1, Default::default);
        }
        self.classes[class] = values;
    }
}

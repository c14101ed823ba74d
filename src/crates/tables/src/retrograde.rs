//! Retrograde analysis (Thompson, 1986): solves the positions of a
//! [group](super::RetrogradeNumbering) backwards from the ends of the games, one ply further from
//! the end in each pass.
//!
//! First, the analysis looks one move ahead from each position of the group. Moves out of the group
//! lead to positions that are already solved. Moves inside the group are only counted; such moves
//! are called open. Then come the passes:
//! - If a position is lost in `n` plies, each of its predecessors is won in `n + 1` plies.
//! - If a position is won, the move to this position is refuted: the count of open moves of each
//!   predecessor decreases by one. When all moves of a predecessor are refuted, the predecessor is
//!   lost.
//!
//! Positions that no pass reaches are draws.
//!
//! Symmetric positions share an index in the tables. The count of an index includes the open moves
//! of all positions with this index. When an index is won, the count of each predecessor decreases
//! by the number of positions with the won index.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, Ordering::Relaxed};

use pentarch_system::memory;

use super::dtm::Dtm;
use super::lookahead::{OutOfGroupMoveSummary, summarise_out_of_group_moves};
use super::retrograde_control::{GroupSolveError, RetrogradeControl};
use super::worklist::{PassProgress, Worklist};
use super::{Move, RetrogradeNumbering, TableIndex, Tablebase};

/// Solves a group of classes and adds their values to the tables. The tables must already contain
/// all earlier groups.
///
/// # Errors
/// If the analysis was stopped, or if the group cannot be solved. Then the tables stay unchanged.
pub fn solve_group<N: RetrogradeNumbering>(
    numbering: &N,
    group: &[usize],
    tables: &mut Tablebase,
    budget: &RetrogradeControl,
) -> Result<(), GroupSolveError> {
    let mut group = GroupSolver::new(numbering, group)?;
    group.solve(numbering, tables, budget)?;
    group.store_in(tables);
    Ok(())
}

/// Returns a slice of `size` zeros.
///
/// # Errors
/// If there is not enough memory.
pub fn allocate_zeros<T: bytemuck::Zeroable>(size: usize) -> Result<Box<[T]>, GroupSolveError> {
    memory::allocate_zeros(size).ok_or(GroupSolveError::Memory)
}

/// The count of open moves that marks a position as not lost. The count is so large that it never
/// reaches 0.
const NEVER_LOST_POSITION_MOVE_COUNT: u16 = u16::MAX;

/// A group while it is being solved.
pub struct GroupSolver {
    classes: Vec<ClassState>,
    passes: PassProgress,
    /// Whether the distance to mate of some position did not fit into a byte.
    too_long: AtomicBool,
}

/// The data that the threads need to solve a group.
struct GroupAnalysis<'a, N> {
    numbering: &'a N,
    /// The values of all earlier groups.
    tables: &'a Tablebase,
    classes: &'a [ClassState],
    too_long: &'a AtomicBool,
}

/// A class while it is being solved.
struct ClassState {
    id: usize,
    /// The value of each position, as far as it is known. A loss is certain only when the position
    /// has no open moves.
    values: Box<[AtomicU8]>,
    /// The number of open moves of each index: moves inside the group that are not refuted.
    /// Symmetric positions share an index, and the number includes the moves of all positions with
    /// the index.
    open_moves: Box<[AtomicU16]>,
    /// The positions whose values have not yet been propagated to their predecessors.
    worklist: Worklist,
}

impl GroupSolver {
    /// Prepares to solve a group of classes.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new<N: RetrogradeNumbering>(
        numbering: &N,
        group: &[usize],
    ) -> Result<GroupSolver, GroupSolveError> {
        let class = |&id: &usize| {
            let size = numbering.class_size(id);
            Ok(ClassState {
                id,
                values: allocate_zeros(size)?,
                open_moves: allocate_zeros(size)?,
                worklist: Worklist::new(size),
            })
        };
        let classes = group.iter().map(class).collect::<Result<_, _>>()?;
        Ok(GroupSolver {
            classes,
            passes: PassProgress::default(),
            too_long: AtomicBool::new(false),
        })
    }

    /// Solves the group. `tables` must already contain all earlier groups.
    ///
    /// # Errors
    /// If the group cannot be solved, or if the analysis is interrupted. After an interruption, the
    /// next call continues the analysis.
    pub fn solve<N: RetrogradeNumbering>(
        &mut self,
        numbering: &N,
        tables: &Tablebase,
        budget: &RetrogradeControl,
    ) -> Result<(), GroupSolveError> {
        let GroupSolver { classes, passes, too_long } = self;
        let analysis = GroupAnalysis { numbering, tables, classes, too_long };
        let chunks = classes.iter().map(|class| class.worklist.chunk_count()).sum();
        passes.run_pass(0, budget, 0, chunks, |chunk, moves| {
            let found = analysis.find_chunk_in_classes(chunk);
            found
                .map(|(class, chunk)| {
                    analysis.initialise(class, class.worklist.positions_of_chunk(chunk), moves)
                })
                .is_some()
        })?;
        for value in (1..=u8::MAX).map(Dtm) {
            if classes.iter().any(|class| class.worklist.was_value_ever_due(value)) {
                passes.run_pass(
                    value.0.into(),
                    budget,
                    value.0.into(),
                    chunks,
                    |chunk, _: &mut Vec<()>| {
                        let found = analysis.find_chunk_in_classes(chunk);
                        let due = found.and_then(|(class, chunk)| {
                            Some((class, class.worklist.take_due_positions(chunk, value)?))
                        });
                        due.map(|(class, numbers)| analysis.propagate(class, numbers, value))
                            .is_some()
                    },
                )?;
            }
        }
        if too_long.load(Relaxed) { Err(GroupSolveError::TooLong) } else { Ok(()) }
    }

    /// Adds the values of the solved group to the tables. A loss with open moves is not certain, so
    /// it is stored as a draw.
    pub fn store_in(self, tables: &mut Tablebase) {
        for class in self.classes {
            let certain = |(value, open_moves): (AtomicU8, &AtomicU16)| {
                let value = Dtm(value.into_inner());
                if value.is_loss() && open_moves.load(Relaxed) != 0 {
                    Dtm::DRAW_VALUE.0
                } else {
                    value.0
                }
            };
            tables.put_class_values(
                class.id,
                class.values.into_iter().zip(&class.open_moves).map(certain).collect(),
            );
        }
    }
}

impl<'a, N: RetrogradeNumbering> GroupAnalysis<'a, N> {
    /// Finds the chunk with this number among the chunks of all classes. Returns the class of the
    /// chunk, and the number of the chunk within this class.
    fn find_chunk_in_classes(&self, mut number: usize) -> Option<(&'a ClassState, usize)> {
        for class in self.classes {
            if number < class.worklist.chunk_count() {
                return Some((class, number));
            }
            number -= class.worklist.chunk_count();
        }
        None
    }

    /// Sets the values decided by a move out of the group, and stores the number of open moves of
    /// each position.
    fn initialise(&self, class: &ClassState, numbers: Range<usize>, moves: &mut Vec<Move<N>>) {
        for number in numbers {
            let Some(position) =
                self.numbering.position_at_index(TableIndex { class: class.id, number })
            else {
                continue;
            };
            let OutOfGroupMoveSummary { best, can_lose, moves_inside } =
                summarise_out_of_group_moves(self.numbering, self.tables, &position, moves);
            let open_moves = if can_lose {
                moves_inside * self.numbering.orbit_size(&position)
            } else {
                NEVER_LOST_POSITION_MOVE_COUNT
            };
            class.open_moves[number].store(open_moves, Relaxed);
            if let Some(value) = best {
                class.set_value(number, value);
            }
        }
    }

    /// Propagates a value to the predecessors of all positions that are certain to have this value.
    fn propagate(&self, class: &ClassState, numbers: Range<usize>, value: Dtm) {
        for number in numbers {
            let known = class.values[number].load(Relaxed);
            if known != value.0 || value.is_loss() && class.open_moves[number].load(Relaxed) != 0 {
                continue;
            }
            let Some(position) =
                self.numbering.position_at_index(TableIndex { class: class.id, number })
            else {
                continue;
            };
            let Some(before) = value.one_ply_earlier() else {
                self.too_long.store(true, Relaxed);
                break;
            };
            let orbit_size = if value.is_win() { self.numbering.orbit_size(&position) } else { 0 };
            self.numbering.visit_predecessors(&position, |index| {
                let Some(class) = self.classes.iter().find(|class| class.id == index.class) else {
                    return;
                };
                let known = Dtm(class.values[index.number].load(Relaxed));
                if value.is_loss() {
                    if !known.is_win() || known.0 > before.0 {
                        class.set_value(index.number, before);
                    }
                } else if !known.is_win()
                    && class.open_moves[index.number].fetch_sub(orbit_size, Relaxed) == orbit_size
                {
                    class.set_value(index.number, Dtm(known.0.max(before.0)));
                }
            });
        }
    }
}

impl ClassState {
    fn set_value(&self, number: usize, value: Dtm) {
        self.values[number].store(value.0, Relaxed);
        self.worklist.add(number, value);
    }
}

//! Verification of tables against the rules, by looking one move ahead from each position.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::lookahead::expected_table_value;
use super::{PositionNumbering, TableIndex, Tablebase, run_in_parallel};

/// The number of indices that a thread verifies before it takes the next ones.
const INDICES_PER_CHUNK: usize = 256;
/// The number of verified chunks between two reports of the progress.
const CHUNKS_PER_REPORT: usize = 1 << 10;

/// Verifies every `step`-th index of a class on `threads` threads. Returns the first index with a
/// wrong value, or `None` if all values are correct. From time to time, `report` is called with the
/// completed fraction of the work.
///
/// An index is correct under two conditions. Its value must follow from the values of the positions
/// after the moves, and the numbering must map the position of the index back to this index.
///
/// If all indices of all classes are correct, all values are correct. For wins and losses, the
/// proof is by induction on the distance, because the distance decreases with each move. A draw is
/// correct because the position cannot be a win or a loss with any distance.
pub fn find_wrong_table_value<N: PositionNumbering>(
    numbering: &N,
    tables: &Tablebase,
    class: usize,
    step: usize,
    threads: usize,
    report: &(dyn Fn(f64) + Sync),
) -> Option<TableIndex> {
    let count = numbering.class_size(class).div_ceil(step);
    let first_wrong = AtomicUsize::new(usize::MAX);
    run_in_parallel(threads, 0..count.div_ceil(INDICES_PER_CHUNK), |chunk, moves| {
        if chunk.is_multiple_of(CHUNKS_PER_REPORT) {
            report((chunk * INDICES_PER_CHUNK) as f64 / count as f64);
        }
        let mut numbers = (chunk * INDICES_PER_CHUNK..count.min((chunk + 1) * INDICES_PER_CHUNK))
            .map(|at| at * step);
        let wrong = numbers.find(|&number| {
            let index = TableIndex { class, number };
            numbering.position_at_index(index).is_some_and(|position| {
                let expected = expected_table_value(numbering, tables, &position, moves);
                numbering.index_of_position(&position) != Some(index)
                    || expected.is_none()
                    || tables.get(index) != expected
            })
        });
        first_wrong.fetch_min(wrong.unwrap_or(usize::MAX), Relaxed);
        wrong.is_none()
    });
    let number = first_wrong.into_inner();
    (number != usize::MAX).then_some(TableIndex { class, number })
}

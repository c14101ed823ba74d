//! Verification of tables against the rules, by looking one move ahead from each position.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::lookahead::expected_value;
use super::{Numbering, TableIndex, Tablebase, in_parallel};

/// The number of indices that a thread takes at once.
const CHUNK_LEN: usize = 256;
/// The number of chunks after which the progress is reported.
const CHUNKS_PER_REPORT: usize = 1 << 10;

/// Verifies every `step`-th index of a class on `threads` threads. Returns the first index with a
/// wrong value, or `None` if all values are correct. From time to time, `report` is called with the
/// finished share.
///
/// An index is correct under two conditions. Its value must follow from the values of the positions
/// after the moves, and the numbering must map the position of the index back to this index.
///
/// If all indices of all classes are correct, all values are correct. For wins and losses, the
/// proof is by induction on the distance, because the distance decreases with each move. A draw is
/// correct because the position cannot be a win or a loss with any distance.
pub fn find_wrong_value<N: Numbering>(
    numbering: &N,
    tables: &Tablebase,
    class: usize,
    step: usize,
    threads: usize,
    report: &(dyn Fn(f64) + Sync),
) -> Option<TableIndex> {
    let count = numbering.size(class).div_ceil(step);
    let first_wrong = AtomicUsize::new(usize::MAX);
    in_parallel(threads, 0..count.div_ceil(CHUNK_LEN), |chunk, moves| {
        if chunk.is_multiple_of(CHUNKS_PER_REPORT) {
            report((chunk * CHUNK_LEN) as f64 / count as f64);
        }
        let mut numbers =
            (chunk * CHUNK_LEN..count.min((chunk + 1) * CHUNK_LEN)).map(|at| at * step);
        let wrong = numbers.find(|&number| {
            let index = TableIndex { class, number };
            numbering.position(index).is_some_and(|position| {
                let expected = expected_value(numbering, tables, &position, moves);
                numbering.index(&position) != Some(index)
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

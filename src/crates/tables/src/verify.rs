//! Verifying tables against the rules, by looking one move ahead from each position.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::lookahead::expected;
use super::{Numbering, TableIndex, Tablebase, in_parallel};

/// The number of places that a thread takes at once.
const CHUNK: usize = 256;
/// The number of them after which the share is reported.
const CHUNKS_TOLD: usize = 1 << 10;

/// Verifies every `step`-th place of a class on so many `threads`, and gives the first one that is wrong; none if all
/// are right. `tell` gets the share that is done now and then.
///
/// A place is right if its value follows from the values of the positions that the moves of its position lead to, and
/// if the numbering gives this place for that position. If all places of all classes are right, all values are: that of
/// a win or a loss by its distance, which each move brings nearer to the end, and so that of a draw, which cannot be a
/// win or a loss of any distance.
pub fn find_wrong_value<N: Numbering>(
    numbering: &N,
    tables: &Tablebase,
    class: usize,
    step: usize,
    threads: usize,
    tell: &(dyn Fn(f64) + Sync),
) -> Option<TableIndex> {
    let count = numbering.size(class).div_ceil(step);
    let first_wrong = AtomicUsize::new(usize::MAX);
    in_parallel(threads, 0..count.div_ceil(CHUNK), |chunk, moves| {
        if chunk.is_multiple_of(CHUNKS_TOLD) {
            tell((chunk * CHUNK) as f64 / count as f64);
        }
        let mut numbers = (chunk * CHUNK..count.min((chunk + 1) * CHUNK)).map(|at| at * step);
        let wrong = numbers.find(|&number| {
            let place = TableIndex { class, number };
            numbering.position(place).is_some_and(|position| {
                let expected = expected(numbering, tables, &position, moves);
                numbering.index(&position) != Some(place)
                    || expected.is_none()
                    || tables.get(place) != expected
            })
        });
        first_wrong.fetch_min(wrong.unwrap_or(usize::MAX), Relaxed);
        wrong.is_none()
    });
    let number = first_wrong.into_inner();
    (number != usize::MAX).then_some(TableIndex { class, number })
}

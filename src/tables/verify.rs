//! Verifying tables against the rules, by looking one move ahead from each position.

use std::panic::resume_unwind;
use std::thread::{self, ScopedJoinHandle};

use crate::core::memory;

use super::lookahead::expected;
use super::{Numbering, TableIndex, Tablebase};

/// Verifies every `step`-th place of a class on so many `threads`, and gives the first one that is wrong; none if all
/// are right.
///
/// A place is right if its value follows from the values of the positions that the moves of its position lead to, and
/// if the numbering gives this place for that position.
pub fn first_fault<N: Numbering>(
    numbering: &N,
    tables: &Tablebase,
    class: usize,
    step: usize,
    threads: usize,
) -> Option<TableIndex> {
    let threads = if memory::is_plenty_for(threads - 1) { threads } else { 1 };
    let verify = |thread: usize| {
        let mut moves = Vec::new();
        let numbers = (thread * step..numbering.size(class)).step_by(threads * step);
        numbers.map(|number| TableIndex { class, number }).find(|&place| {
            numbering.position(place).is_some_and(|position| {
                let expected = expected(numbering, tables, &position, &mut moves);
                numbering.index(&position) != Some(place) || expected.is_none() || tables.get(place) != expected
            })
        })
    };
    thread::scope(|scope| {
        let start = |number| thread::Builder::new().spawn_scoped(scope, move || verify(number)).map_err(|_| number);
        let others: Vec<_> = (1..threads).map(start).collect();
        let mut wrong: Vec<_> = verify(0).into_iter().collect();
        // The share of a thread that could not be started is verified here.
        let end = |other: Result<ScopedJoinHandle<_>, usize>| {
            other.map_or_else(verify, |thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
        };
        wrong.extend(others.into_iter().filter_map(end));
        wrong.into_iter().min_by_key(|place| place.number)
    })
}

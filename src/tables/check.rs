//! Holding tables against the rules, one move ahead.

use std::panic::resume_unwind;
use std::thread::{self, ScopedJoinHandle};

use crate::core::room;

use super::ahead::expected;
use super::{Numbering, Place, Tables};

/// The first place of a class, or of each `step`-th one, that does not hold what the moves of its position lead to, or
/// whose position has another place; first among those that one of the `threads` looks at.
pub fn first_fault<N: Numbering>(
    numbering: &N,
    tables: &Tables,
    class: usize,
    step: usize,
    threads: usize,
) -> Option<Place> {
    let threads = if room::is_plenty_for(threads - 1) { threads } else { 1 };
    let look = |thread: usize| {
        let mut moves = Vec::new();
        let numbers = (thread * step..numbering.size(class)).step_by(threads * step);
        numbers.map(|number| Place { class, number }).find(|&place| {
            numbering.position(place).is_some_and(|position| {
                let expected = expected(numbering, tables, &position, &mut moves);
                numbering.place(&position) != Some(place) || expected.is_none() || tables.get(place) != expected
            })
        })
    };
    thread::scope(|scope| {
        let start = |number| thread::Builder::new().spawn_scoped(scope, move || look(number)).map_err(|_| number);
        let others: Vec<_> = (1..threads).map(start).collect();
        let mut found: Vec<_> = look(0).into_iter().collect();
        // What no other thread could be had for is done here.
        let end = |other: Result<ScopedJoinHandle<_>, usize>| {
            other.map_or_else(look, |thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
        };
        found.extend(others.into_iter().filter_map(end));
        found.into_iter().min_by_key(|place| place.number)
    })
}

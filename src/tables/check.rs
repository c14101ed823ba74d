//! Holding tables against the rules, one move ahead.

use super::ahead::expected;
use super::{Numbering, Place, Tables};

/// The first place of a class, or of each `step`-th one, that does not hold what the moves of its position lead to, or
/// whose position has another place.
pub fn first_fault<N: Numbering>(numbering: &N, tables: &Tables, class: usize, step: usize) -> Option<Place> {
    let mut moves = Vec::new();
    let places = (0..numbering.size(class)).step_by(step).map(|number| Place { class, number });
    places.into_iter().find(|&place| {
        numbering.position(place).is_some_and(|position| {
            let expected = expected(numbering, tables, &position, &mut moves);
            numbering.place(&position) != Some(place) || expected.is_none() || tables.get(place) != expected
        })
    })
}

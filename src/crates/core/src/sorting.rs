//! Sorting with little code. The code of a standard sort is large, and the compiler creates it for
//! each type of the items and for each key. The functions here share one sort of indices, so that
//! the program for a browser is smaller. They are for lists that are sorted rarely.

use std::cmp::Ordering;

/// Returns the numbers below `count` in the order that `compare` defines. Equal numbers stay in
/// ascending order.
pub fn sort_indices(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut indices: Vec<usize> = (0..count).collect();
    indices.sort_by(|&one, &other| compare(one, other));
    indices
}

/// Sorts items by a key. Items with equal keys keep their order.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl FnMut(&T) -> K) {
    let keys: Vec<K> = items.iter().map(key).collect();
    let mut indices = sort_indices(keys.len(), &|one, other| keys[one].cmp(&keys[other]));
    for at in 0..items.len() {
        // The item that belongs here may have been swapped to another index before.
        let mut from = indices[at];
        while from < at {
            from = indices[from];
        }
        indices[at] = from;
        items.swap(at, from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_keep_their_order() {
        for count in (0..40).chain([1000]) {
            let mut items: Vec<(usize, usize)> = (0..count).map(|at| (at * at % 11, at)).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|&(key, _)| key);
            sort_by_key(&mut items, |&(key, _)| key);
            assert_eq!(items, expected);
        }
    }
}

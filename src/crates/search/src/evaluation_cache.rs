//! The evaluation cache of a thread. The cache maps the keys of quiet positions to the static
//! evaluations of these positions.
//!
//! A search meets the same position often. A leaf of one iteration is an inner node of the next
//! deeper iteration, and different orders of moves lead to the same position. If the evaluation of
//! a game is costly, the cache saves most of the time for evaluations. A new evaluation replaces
//! the old one at its index. Such caches are common in chess engines ("evaluation hash table").

/// The number of entries, a power of two. A thread's cache takes 1 MiB, which fits into the cache
/// of most processors.
const EVALUATION_CACHE_ENTRIES: usize = 1 << 16;

/// The cached evaluations of a thread.
#[derive(Debug)]
pub(crate) struct EvaluationCache(Vec<EvaluationCacheEntry>);

/// A position's key and its evaluation for the side to move. An empty entry has a key that belongs
/// to another index.
#[derive(Debug, Clone, Copy)]
struct EvaluationCacheEntry {
    key: u64,
    evaluation: i32,
}

impl EvaluationCache {
    /// Creates an empty cache. If `is_used` is `false`, the cache never stores anything. `is_used`
    /// is `true` for games that [cache evaluations](pentarch_core::Evaluate::CACHES_EVALUATIONS).
    pub(crate) fn new(is_used: bool) -> EvaluationCache {
        let mut entries = vec![
            EvaluationCacheEntry { key: 0, evaluation: 0 };
            if is_used { EVALUATION_CACHE_ENTRIES } else { 0 }
        ];
        if let Some(first) = entries.first_mut() {
            first.key = 1;
        }
        EvaluationCache(entries)
    }

    /// Returns the cached evaluation of this key.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<i32> {
        let entry = self.0.get(key as usize % EVALUATION_CACHE_ENTRIES)?;
        (entry.key == key).then_some(entry.evaluation)
    }

    /// Caches an evaluation.
    #[inline]
    pub(crate) fn put(&mut self, key: u64, evaluation: i32) {
        if let Some(entry) = self.0.get_mut(key as usize % EVALUATION_CACHE_ENTRIES) {
            *entry = EvaluationCacheEntry { key, evaluation };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_returns_the_latest_entry_of_an_index() {
        let mut cache = EvaluationCache::new(true);
        let keys = [0, 1, EVALUATION_CACHE_ENTRIES as u64, u64::MAX];
        assert!(keys.iter().all(|&key| cache.get(key).is_none()), "it is empty");
        keys.iter().zip(10..).for_each(|(&key, evaluation)| cache.put(key, evaluation));
        assert_eq!(
            keys.map(|key| cache.get(key)),
            [None, Some(11), Some(12), Some(13)],
            "0 gave way"
        );
        let mut none = EvaluationCache::new(false);
        none.put(5, 7);
        assert_eq!(none.get(5), None);
    }
}

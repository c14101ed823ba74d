//! A cache of values that the whole process shares.

use std::any::Any;
use std::sync::{Mutex, PoisonError};

const PROCESS_WIDE_CACHE_CAPACITY: usize = 32;

/// Key-value pairs in the order of their last use. The most recently used pair is at the end.
static PROCESS_WIDE_CACHE: Mutex<Vec<Box<dyn Any + Send>>> = Mutex::new(Vec::new());

/// Returns the value of this key, which the whole process shares. Calls `make` to create the value
/// if the key is not in the cache, or if `has_failed` returns `true` for the cached value. The
/// cache contains only the most recently used keys. Both functions must be quick and must not use
/// the cache themselves.
pub fn get_or_insert_cached<K, V>(
    key: K,
    make: impl FnOnce() -> V,
    has_failed: impl FnOnce(&V) -> bool,
) -> V
where
    K: PartialEq + Send + 'static,
    V: Clone + Send + 'static,
{
    let mut cache = PROCESS_WIDE_CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    let at = cache
        .iter()
        .position(|pair| pair.downcast_ref::<(K, V)>().is_some_and(|(known, _)| *known == key));
    let known = at.and_then(|at| cache.remove(at).downcast::<(K, V)>().ok()).map(|pair| pair.1);
    let value = known.filter(|value| !has_failed(value)).unwrap_or_else(make);
    if cache.len() >= PROCESS_WIDE_CACHE_CAPACITY {
        cache.remove(0);
    }
    cache.push(Box::new((key, value.clone())));
    value
}

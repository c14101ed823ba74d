//! Runs batches of checks on several threads. Each batch is determined by its number. If a batch
//! fails or hangs, its number is reported.

use std::collections::HashMap;
use std::panic::{RefUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// The time limit for a batch. A batch takes milliseconds. If it takes longer than this limit, it
/// will never end, even on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(900);

/// The progress of a batch.
enum BatchEvent {
    /// The batch with this number has started.
    Started(u64),
    Passed,
    Failed,
}

/// Runs batches until their total size reaches `min_size`. The first batch has the number `first`.
/// The function `batch` returns the size of its batch. Returns the number of batches.
pub(crate) fn run(
    first: u64,
    min_size: usize,
    batch: impl Fn(u64) -> usize + Send + Sync + RefUnwindSafe + 'static,
) -> u64 {
    let batch = Arc::new(batch);
    let next = Arc::new(AtomicU64::new(first));
    let done = Arc::new(AtomicUsize::new(0));
    let (events, received) = channel();
    for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
        let batch = batch.clone();
        let next = next.clone();
        let done = done.clone();
        let events = events.clone();
        thread::spawn(move || {
            while done.load(Relaxed) < min_size {
                let number = next.fetch_add(1, Relaxed);
                let send = |what| events.send((thread::current().id(), what));
                // After the first failed batch there is no receiver, so sending may fail.
                let _ = send(BatchEvent::Started(number));
                let size = catch_unwind(|| batch(number));
                done.fetch_add(size.as_ref().map_or(0, |&size| size), Relaxed);
                let _ = send(if size.is_ok() { BatchEvent::Passed } else { BatchEvent::Failed });
            }
        });
    }
    drop(events);
    let mut running = HashMap::new();
    loop {
        match received.recv_timeout(TIMEOUT) {
            Ok((thread, BatchEvent::Started(number))) => {
                running.insert(thread, number);
            }
            Ok((_, BatchEvent::Passed)) => {}
            Ok((thread, BatchEvent::Failed)) => panic!("a finding in batch {}", running[&thread]),
            Err(RecvTimeoutError::Timeout) => {
                panic!("one of the batches {:?} hangs", running.values())
            }
            Err(RecvTimeoutError::Disconnected) => return next.load(Relaxed) - first,
        }
    }
}

/// Returns a number from an environment variable, or `default`.
pub(crate) fn number_from_env(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} takes a number")))
}

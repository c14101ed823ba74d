//! Work that is shared out among threads.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, ScopedJoinHandle};

/// Does the works that `next` gives, until it gives none, on so many threads at once. Each thread begins with a state
/// of its own. No more works are begun after one has failed.
///
/// # Errors
/// The first error of a thread; also if one cannot be started or panics.
pub fn on_threads<S, T>(
    concurrency: usize,
    begin: impl Fn() -> Result<S, String> + Sync,
    next: impl Fn() -> Option<T> + Sync,
    work: impl Fn(&mut S, T) -> Result<(), String> + Sync,
) -> Result<(), String> {
    let failed = AtomicBool::new(false);
    let run = || {
        let mut state = begin()?;
        while !failed.load(Relaxed)
            && let Some(item) = next()
        {
            work(&mut state, item)?;
        }
        Ok(())
    };
    let inside = || Err("a game or a search failed inside; this is a fault of the program".into());
    let run = || {
        let result = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| inside());
        failed.fetch_or(result.is_err(), Relaxed);
        result
    };
    thread::scope(|scope| {
        let start = |_| {
            // In a box, so that what starts a thread is compiled once.
            let run: Box<dyn FnOnce() -> Result<(), String> + Send> = Box::new(run);
            let thread = thread::Builder::new().spawn_scoped(scope, run);
            thread.inspect_err(|_| failed.store(true, Relaxed))
        };
        let threads: Vec<_> = (0..concurrency).map(start).collect();
        let end = |thread: io::Result<ScopedJoinHandle<_>>| match thread {
            Ok(thread) => thread.join().unwrap_or_else(|_| inside()),
            Err(error) => Err(format!("there is no thread to play on: {error}")),
        };
        threads.into_iter().try_for_each(end)
    })
}

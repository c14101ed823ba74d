//! Work that is shared out among threads.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, ScopedJoinHandle};

use thiserror::Error;

use pentarch_system::memory::ThreadError;

/// An error of a worker thread itself.
#[derive(Debug, Error)]
pub enum WorkerError {
    /// The system starts no thread.
    #[error(transparent)]
    Thread(#[from] ThreadError),
    /// The code of a worker has panicked.
    #[error("a game or a search failed inside; this is a fault of the program")]
    Panic,
}

/// Does the works that `next` gives, until it gives none, on so many threads at once. Each thread begins with a state
/// of its own. No more works are begun after one has failed.
///
/// # Errors
/// The first error of a thread; also if one cannot be started or panics.
pub fn on_threads<S, T, E: From<WorkerError> + Send>(
    concurrency: usize,
    begin: impl Fn() -> Result<S, E> + Sync,
    next: impl Fn() -> Option<T> + Sync,
    work: impl Fn(&mut S, T) -> Result<(), E> + Sync,
) -> Result<(), E> {
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
    let inside = || Err(WorkerError::Panic.into());
    let run = || {
        let result = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| inside());
        failed.fetch_or(result.is_err(), Relaxed);
        result
    };
    thread::scope(|scope| {
        let start = |_| {
            // In a box, so that what starts a thread is compiled once.
            let run: Box<dyn FnOnce() -> Result<(), E> + Send> = Box::new(run);
            let thread = thread::Builder::new().spawn_scoped(scope, run);
            thread.inspect_err(|_| failed.store(true, Relaxed))
        };
        let threads: Vec<_> = (0..concurrency).map(start).collect();
        let end = |thread: io::Result<ScopedJoinHandle<_>>| match thread {
            Ok(thread) => thread.join().unwrap_or_else(|_| inside()),
            Err(error) => Err(WorkerError::from(ThreadError { purpose: "play on", error }).into()),
        };
        threads.into_iter().try_for_each(end)
    })
}

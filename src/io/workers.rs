//! Tasks that are distributed over threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

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

/// Runs the tasks that `next` returns, until it returns `None`, on `concurrency` threads. Each
/// thread has its own state, which `begin` creates. After a failure no thread starts another task.
///
/// # Errors
/// The first error of a thread; also if one cannot be started or panics.
pub fn run_on_threads<S, T, E: From<WorkerError> + Send>(
    concurrency: usize,
    begin: impl Fn() -> Result<S, E> + Sync,
    next: impl Fn() -> Option<T> + Sync,
    run: impl Fn(&mut S, T) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let has_failed = AtomicBool::new(false);
    let run_tasks = || {
        let mut state = begin()?;
        while !has_failed.load(Relaxed)
            && let Some(task) = next()
        {
            run(&mut state, task)?;
        }
        Ok(())
    };
    let run_thread = || {
        let result = catch_unwind(AssertUnwindSafe(run_tasks))
            .unwrap_or_else(|_| Err(WorkerError::Panic.into()));
        has_failed.fetch_or(result.is_err(), Relaxed);
        result
    };
    thread::scope(|scope| {
        let mut threads = Vec::with_capacity(concurrency);
        for _ in 0..concurrency {
            // In a box, so that the code that starts a thread is compiled once.
            let run: Box<dyn FnOnce() -> Result<(), E> + Send> = Box::new(run_thread);
            let thread = thread::Builder::new().spawn_scoped(scope, run);
            threads.push(thread.inspect_err(|_| has_failed.store(true, Relaxed)));
        }
        for thread in threads {
            let thread = thread
                .map_err(|error| WorkerError::from(ThreadError { purpose: "play on", error }))?;
            thread.join().unwrap_or_else(|_| Err(WorkerError::Panic.into()))?;
        }
        Ok(())
    })
}

//! Runs tasks on several threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use thiserror::Error;

use pentarch_system::memory::ThreadError;

/// An error of a worker thread itself, in contrast to an error of one of its tasks.
#[derive(Debug, Error)]
pub enum WorkerError {
    /// The system cannot start a thread.
    #[error(transparent)]
    Thread(#[from] ThreadError),
    /// The code of a worker has panicked.
    #[error("a game or a search failed inside; this is a fault of the program")]
    Panic,
}

/// Runs tasks on `concurrency` threads. `next` returns the tasks, and `None` after the last one.
/// Each thread has a separate state, created by `begin`. After a failure no thread starts another
/// task.
///
/// # Errors
/// The first error of a thread. It is also an error if a thread cannot be started or panics.
pub fn run_tasks_on_threads<S, T, E: From<WorkerError> + Send>(
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
            // The closure is boxed, so that the code for starting a thread is compiled only once.
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

//! Memory for large tables, and detached threads.

use std::io;
use std::thread::Builder;

use bytemuck::Zeroable;
use thiserror::Error;

/// Returns a slice of `len` zeros, or `None` if the system does not grant the memory. This takes no time, because the
/// system hands out the pages when they are first used.
pub fn zeroed<T: Zeroable>(len: usize) -> Option<Box<[T]>> {
    bytemuck::try_zeroed_slice_box(len).ok()
}

/// An error of the system that starts no thread.
#[derive(Debug, Error)]
#[error("there is no thread to {purpose}: {error}")]
pub struct ThreadError {
    /// The use of the thread, as the rest of the sentence: `read the input on`.
    pub purpose: &'static str,
    /// The error of the system.
    pub error: io::Error,
}

/// The task of a thread. It is boxed so that the code that starts a thread is compiled once, and not for each task.
pub type ThreadTask<'scope> = Box<dyn FnOnce() + Send + 'scope>;

/// Starts a thread that nobody joins.
///
/// # Errors
/// If the system has no thread to give. Where there are no threads at all, the error is an
/// [`Unsupported`](io::ErrorKind::Unsupported).
pub fn spawn_detached(thread: Builder, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread.spawn(Box::new(work) as ThreadTask).map(drop)
}

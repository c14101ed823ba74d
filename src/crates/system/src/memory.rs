//! Memory for large tables, and detached threads.

use std::io;
use std::thread::Builder;

use bytemuck::Zeroable;
use thiserror::Error;

/// Returns a slice of `len` zeros, or `None` if the system cannot provide the memory. The call
/// itself is quick, because the system provides a page of memory only when it is first used.
pub fn allocate_zeros<T: Zeroable>(len: usize) -> Option<Box<[T]>> {
    bytemuck::try_zeroed_slice_box(len).ok()
}

/// The error if the system did not start a thread.
#[derive(Debug, Error)]
#[error("there is no thread to {purpose}: {error}")]
pub struct ThreadError {
    /// The purpose of the thread: the words after "there is no thread to" in the message, such as
    /// `read the input on`.
    pub purpose: &'static str,
    /// The error that the system returned.
    pub error: io::Error,
}

/// The task of a thread. It is boxed, so that the code that starts a thread is compiled only once.
pub type ThreadTask<'scope> = Box<dyn FnOnce() + Send + 'scope>;

/// Starts a thread without waiting for its end.
///
/// # Errors
/// If the system cannot start a thread. On a system without threads the error is
/// [`Unsupported`](io::ErrorKind::Unsupported).
pub fn spawn_detached_thread(
    thread: Builder,
    work: impl FnOnce() + Send + 'static,
) -> io::Result<()> {
    thread.spawn(Box::new(work) as ThreadTask).map(drop)
}

//! Handles Ctrl-C, and on Unix also the other signals that ask programs to end.

#[cfg(unix)]
use std::io;
#[cfg(unix)]
use std::sync::Arc;
#[cfg(unix)]
use std::thread::Builder;

use thiserror::Error;

#[cfg(unix)]
use pentarch_system::memory;
use pentarch_system::memory::ThreadError;

/// The exit code after Ctrl-C. Shells also report this code.
pub const INTERRUPTED_EXIT_CODE: i32 = 130;

/// An error while a handler of signals is installed.
#[derive(Debug, Error)]
pub enum InterruptError {
    /// No thread can be started to wait for signals.
    #[error(transparent)]
    Thread(#[from] ThreadError),
    /// The handler of Ctrl-C cannot be set.
    #[error(transparent)]
    Handler(#[from] ctrlc::Error),
}

/// Sets a handler for Ctrl-C. The handler is called with the exit code [`INTERRUPTED_EXIT_CODE`].
/// On Unix the handler is also called for SIGTERM and for SIGHUP (the terminal was closed), each
/// with a separate exit code. If the process ignores SIGHUP, as under `nohup`, there is no handler
/// for this signal. Call this once, before other threads are started.
///
/// # Errors
/// If the handler cannot be set.
#[cfg(unix)]
pub fn set_interrupt_handler(
    call: impl Fn(i32) + Send + Sync + 'static,
) -> Result<(), InterruptError> {
    let call: Arc<dyn Fn(i32) + Send + Sync> = Arc::new(call);
    let on_signal = call.clone();
    start_signal_thread(on_signal)
        .map_err(|error| ThreadError { purpose: "wait for signals", error })?;
    Ok(ctrlc::set_handler(move || call(INTERRUPTED_EXIT_CODE))?)
}

/// Sets a handler for Ctrl-C. The handler is called with the exit code [`INTERRUPTED_EXIT_CODE`].
///
/// # Errors
/// If the handler cannot be set.
#[cfg(not(unix))]
pub fn set_interrupt_handler(
    call: impl Fn(i32) + Send + Sync + 'static,
) -> Result<(), InterruptError> {
    Ok(ctrlc::set_handler(move || call(INTERRUPTED_EXIT_CODE))?)
}

/// Starts a thread that waits for signals to end the program. Blocks these signals in all other
/// threads.
#[cfg(unix)]
fn start_signal_thread(call: Arc<dyn Fn(i32) + Send + Sync>) -> io::Result<()> {
    use nix::sys::signal::{SigSet, Signal};
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGTERM);
    if !is_signal_ignored(Signal::SIGHUP) {
        signals.add(Signal::SIGHUP);
    }
    // Threads that start later inherit the blocked signals. Child processes do not inherit them.
    signals.thread_block()?;
    let wait = move || {
        if let Ok(signal) = signals.wait() {
            // Shells report this exit code.
            call(128 + signal as i32);
        }
    };
    memory::spawn_detached_thread(Builder::new().name("signals".into()), wait)
}

/// Returns whether this process ignores a signal. Returns `false` if the system does not report
/// whether the signal is ignored.
#[cfg(unix)]
fn is_signal_ignored(signal: nix::sys::signal::Signal) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status
        .lines()
        .find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    ignored.is_some_and(|ignored| (ignored >> (signal as u32 - 1)) & 1 == 1)
}

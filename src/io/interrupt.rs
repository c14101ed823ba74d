//! What ends the program from outside: Ctrl-C, and on Unix the signals that ask programs to end.

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

/// The exit code of a program that Ctrl-C has ended, as shells give it.
pub const INTERRUPTED: i32 = 130;

/// An error of a system that does not pass signals on.
#[derive(Debug, Error)]
pub enum InterruptError {
    /// There is no thread that waits for signals.
    #[error(transparent)]
    Thread(#[from] ThreadError),
    /// The handler of Ctrl-C cannot be set.
    #[error(transparent)]
    Handler(#[from] ctrlc::Error),
}

/// From now on Ctrl-C calls this with the exit code [`INTERRUPTED`]; on Unix so do SIGTERM, and SIGHUP of a terminal
/// that is closed, unless it is ignored, as under `nohup`, each with its own code. To be called once, before other
/// threads are started.
///
/// # Errors
/// If the system does not pass the signals on.
#[cfg(unix)]
pub fn on_interrupt(call: impl Fn(i32) + Send + Sync + 'static) -> Result<(), InterruptError> {
    let call: Arc<dyn Fn(i32) + Send + Sync> = Arc::new(call);
    let on_signal = call.clone();
    on_signals(on_signal).map_err(|error| ThreadError { purpose: "wait for signals", error })?;
    Ok(ctrlc::set_handler(move || call(INTERRUPTED))?)
}

/// See above.
#[cfg(not(unix))]
pub fn on_interrupt(call: impl Fn(i32) + Send + Sync + 'static) -> Result<(), InterruptError> {
    Ok(ctrlc::set_handler(move || call(INTERRUPTED))?)
}

/// Has a thread wait for the signals that end programs, which no other thread gets.
#[cfg(unix)]
fn on_signals(call: Arc<dyn Fn(i32) + Send + Sync>) -> io::Result<()> {
    use nix::sys::signal::{SigSet, Signal};
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGTERM);
    if !is_ignored(Signal::SIGHUP) {
        signals.add(Signal::SIGHUP);
    }
    // Threads that are started later inherit this. Processes do not.
    signals.thread_block()?;
    let wait = move || {
        if let Ok(signal) = signals.wait() {
            // As shells give it.
            call(128 + signal as i32);
        }
    };
    memory::spawn_detached(Builder::new().name("signals".into()), wait)
}

/// Whether this process ignores a signal, where the system tells.
#[cfg(unix)]
fn is_ignored(signal: nix::sys::signal::Signal) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status
        .lines()
        .find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    ignored.is_some_and(|ignored| (ignored >> (signal as u32 - 1)) & 1 == 1)
}

//! A process with all processes that it starts: on Unix a process group, which is ended as a whole.
//!
//! A process group of its own does not get the signal of Ctrl-C at the terminal, so that [`end_all_on_interrupt`]
//! passes it on.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};
#[cfg(unix)]
use std::thread::Builder;

#[cfg(unix)]
use crate::core::memory;

/// A process and those that it starts. All of them are ended when the value is dropped.
pub struct ProcessGroup {
    /// The process that was started.
    pub child: Child,
    /// How this process has ended, once that is known. The others were ended then.
    status: Option<ExitStatus>,
}

/// The groups that run, by the numbers of their first processes.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn running() -> MutexGuard<'static, Vec<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ProcessGroup {
    /// Starts a process.
    ///
    /// # Errors
    /// If the system does not start it.
    pub fn start(command: &mut Command) -> io::Result<ProcessGroup> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut groups = running();
        let child = command.spawn()?;
        groups.push(child.id());
        Ok(ProcessGroup { child, status: None })
    }

    /// How the process has ended; `None` while it runs. What it has left running is ended with it.
    pub fn status(&mut self) -> Option<ExitStatus> {
        // Nobody is to learn of a process that an interrupt has ended.
        let mut groups = running();
        if self.status.is_none()
            && let Ok(Some(status)) = self.child.try_wait()
        {
            self.status = Some(status);
            groups.retain(|&group| group != self.child.id());
            kill(self.child.id());
        }
        self.status
    }

    /// Ends the process and those that it has started.
    pub fn kill(&mut self) {
        if self.status().is_none() {
            kill(self.child.id());
            // Killing fails if the process has ended already.
            let _ = self.child.kill();
            self.status = self.child.wait().ok();
            running().retain(|&group| group != self.child.id());
        }
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Ends all processes of a group. This fails if there is none any more.
#[cfg_attr(not(unix), expect(unused_variables, reason = "there are no groups"))]
fn kill(group: u32) {
    #[cfg(unix)]
    if let Ok(group) = i32::try_from(group) {
        use nix::sys::signal::{Signal, killpg};
        let _ = killpg(nix::unistd::Pid::from_raw(group), Signal::SIGKILL);
    }
}

/// The exit code of a program that Ctrl-C has ended, as shells give it.
const INTERRUPTED: i32 = 130;

/// Ends all groups and then this process.
fn end_all(code: i32) {
    let groups = running();
    groups.iter().copied().for_each(kill);
    std::process::exit(code);
}

/// From now on Ctrl-C ends all groups and then this process; on Unix so does SIGTERM, and SIGHUP of a terminal that is
/// closed, unless it is ignored, as under `nohup`. To be called before other threads are started.
///
/// # Errors
/// If the system does not pass the signals on.
pub fn end_all_on_interrupt() -> Result<(), String> {
    #[cfg(unix)]
    end_all_on_signals().map_err(|error| error.to_string())?;
    ctrlc::set_handler(|| end_all(INTERRUPTED)).map_err(|error| error.to_string())
}

/// Has a thread wait for the signals that end programs, which no other thread gets.
#[cfg(unix)]
fn end_all_on_signals() -> io::Result<()> {
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
            end_all(128 + signal as i32);
        }
    };
    memory::start(Builder::new().name("signals".into()), wait)
}

/// Whether this process ignores a signal, where the system tells.
#[cfg(unix)]
fn is_ignored(signal: nix::sys::signal::Signal) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    ignored.is_some_and(|ignored| (ignored >> (signal as u32 - 1)) & 1 == 1)
}

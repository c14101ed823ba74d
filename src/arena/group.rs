//! A process with all processes that it starts: on Unix a process group, which is ended as a whole.
//!
//! A process group of its own does not get the signal of Ctrl-C at the terminal, so that [`end_all_on_interrupt`]
//! passes it on. No process can pass SIGKILL on: on Linux [`start_guard`] starts another process of this program, which
//! learns of each group and ends those that are left when this process has ended.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
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

/// The groups that run, by the numbers of their first processes, and the input of the guard that learns of them.
struct Running {
    groups: Vec<u32>,
    guard: Option<ChildStdin>,
}

static RUNNING: Mutex<Running> = Mutex::new(Running { groups: Vec::new(), guard: None });

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Running {
    fn add(&mut self, group: u32) {
        self.groups.push(group);
        self.tell_guard("+", group);
    }

    fn remove(&mut self, group: u32) {
        self.groups.retain(|&other| other != group);
        self.tell_guard("-", group);
    }

    fn tell_guard(&mut self, sign: &str, group: u32) {
        // A guard that has ended is done without.
        self.guard.iter_mut().for_each(|guard| drop(writeln!(guard, "{sign}{group}")));
    }
}

/// The only argument of the process that is the guard.
pub const GUARD: &str = "--guard-of-engines";

/// Starts the guard, where there can be one.
pub fn start_guard() {
    #[cfg(target_os = "linux")]
    if let Ok(program) = this_program() {
        let mut guard = Command::new(program);
        guard.arg(GUARD).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        std::os::unix::process::CommandExt::process_group(&mut guard, 0);
        running().guard = guard.spawn().ok().and_then(|mut guard| guard.stdin.take());
    }
}

/// What the guard does: it keeps a list of the groups that run, and ends them when its input has ended.
pub fn guard() {
    let mut groups: Vec<u32> = Vec::new();
    for line in io::stdin().lines().map_while(Result::ok) {
        let number = |text: &str| text.parse::<u32>().ok();
        groups.extend(line.strip_prefix('+').and_then(number));
        let ended = line.strip_prefix('-').and_then(number);
        groups.retain(|&group| Some(group) != ended);
    }
    groups.into_iter().for_each(kill);
}

/// The file of this program, even if another file has taken its name since it was started.
pub fn this_program() -> io::Result<PathBuf> {
    const LINUX: &str = "/proc/self/exe";
    if Path::new(LINUX).exists() { Ok(LINUX.into()) } else { std::env::current_exe() }
}

impl ProcessGroup {
    /// Starts a process.
    ///
    /// # Errors
    /// If the system does not start it.
    pub fn start(command: &mut Command) -> io::Result<ProcessGroup> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut running = running();
        let child = command.spawn()?;
        running.add(child.id());
        Ok(ProcessGroup { child, status: None })
    }

    /// How the process has ended; `None` while it runs. What it has left running is ended with it.
    pub fn status(&mut self) -> Option<ExitStatus> {
        // Nobody is to learn of a process that an interrupt has ended.
        let mut running = running();
        if self.status.is_none()
            && let Ok(Some(status)) = self.child.try_wait()
        {
            self.status = Some(status);
            running.remove(self.child.id());
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
            running().remove(self.child.id());
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
    let running = running();
    running.groups.iter().copied().for_each(kill);
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

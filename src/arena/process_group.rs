//! Runs a process, and ends it with all processes that it starts. On Unix these processes form a
//! process group, which can be ended as a whole.
//!
//! A separate process group does not receive the signal of Ctrl-C at the terminal. Therefore, after
//! Ctrl-C, this program ends the groups with [`kill_all_process_groups`]. No process can react to
//! SIGKILL. Therefore, on Linux, [`start_guard_process`] starts another process of this program,
//! the guard. The guard is notified of each group, and ends the remaining groups when this process
//! has ended.

use std::io::{self, BufRead, Write};
#[cfg(unix)]
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
#[cfg(target_os = "linux")]
use std::process::Stdio;
use std::process::{Child, ChildStdin, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A process and the processes that it has started. Dropping the value ends all these processes.
pub struct ProcessGroup {
    /// The process that was started.
    pub child: Child,
    /// The exit status of the first process, once it is known. The other processes of the group
    /// have then been ended.
    status: Option<ExitStatus>,
}

/// The running groups, by the process IDs of their first processes.
static RUNNING_PROCESS_GROUPS: Mutex<Vec<u32>> = Mutex::new(Vec::new());
/// The input of the guard. Its lock is separate from that of the list of groups, so that groups can
/// be ended while the pipe is full.
static GUARD_PROCESS_INPUT: Mutex<Option<ChildStdin>> = Mutex::new(None);

fn lock_even_if_poisoned<T>(mutex: &'static Mutex<T>) -> MutexGuard<'static, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notifies the guard that a group has begun, `+`, or ended, `-`.
fn send_group_to_guard_process(sign: char, group: u32) {
    // Without a guard nothing is written. A single call writes the whole line, so that the guard
    // never receives a part of a line.
    let line = format!("{sign}{group}\n");
    if let Some(guard) = lock_even_if_poisoned(&GUARD_PROCESS_INPUT).as_mut() {
        let _ = guard.write_all(line.as_bytes());
    }
}

/// The only argument of the guard process.
pub const GUARD_PROCESS_ARGUMENT: &str = "--guard-of-engines";

/// Starts the guard, on systems that support it.
pub fn start_guard_process() {
    #[cfg(target_os = "linux")]
    if let Ok(program) = own_executable_path() {
        let mut guard = Command::new(program);
        guard.arg0("pentarch").arg(GUARD_PROCESS_ARGUMENT).process_group(0);
        guard.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        *lock_even_if_poisoned(&GUARD_PROCESS_INPUT) =
            guard.spawn().ok().and_then(|mut guard| guard.stdin.take());
    }
}

/// Runs the guard: records the running groups, and ends them when its input has ended.
pub fn run_guard_process() {
    let mut groups: Vec<u32> = Vec::new();
    for line in io::stdin().lock().split(b'\n').map_while(Result::ok) {
        match parse_guard_message(&line) {
            Some((b'+', group)) => groups.push(group),
            Some((_, ended)) => groups.retain(|&group| group != ended),
            None => {}
        }
    }
    groups.into_iter().for_each(kill_process_group);
}

/// Returns the sign (`+` or `-`) and the number of a group from a line for the guard; `None` for an
/// invalid line. Rejects the numbers 0 and 1, which no started group has. `kill` would interpret 0
/// as the guard's own group, and 1 as all processes of the user.
fn parse_guard_message(line: &[u8]) -> Option<(u8, u32)> {
    let (&sign, digits) = line.split_first()?;
    let is_valid = [b'+', b'-'].contains(&sign) && digits.iter().all(u8::is_ascii_digit);
    let number = std::str::from_utf8(digits).ok()?.parse().ok()?;
    (is_valid && (2..=i32::MAX as u32).contains(&number)).then_some((sign, number))
}

/// Returns the file of this program, even if another file has taken its name since the start.
pub fn own_executable_path() -> io::Result<PathBuf> {
    const LINUX_EXECUTABLE_LINK: &str = "/proc/self/exe";
    if Path::new(LINUX_EXECUTABLE_LINK).exists() {
        Ok(LINUX_EXECUTABLE_LINK.into())
    } else {
        std::env::current_exe()
    }
}

impl ProcessGroup {
    /// Starts a process.
    ///
    /// # Errors
    /// If the system does not start the process.
    pub fn start(command: &mut Command) -> io::Result<ProcessGroup> {
        #[cfg(unix)]
        command.process_group(0);
        let mut running = lock_even_if_poisoned(&RUNNING_PROCESS_GROUPS);
        let child = command.spawn()?;
        running.push(child.id());
        drop(running);
        send_group_to_guard_process('+', child.id());
        Ok(ProcessGroup { child, status: None })
    }

    /// Returns the exit status of the process; `None` while it runs. Once the process has ended,
    /// this function also ends the rest of the group.
    pub fn try_wait(&mut self) -> Option<ExitStatus> {
        // After an interrupt, the lock is never released. Therefore callers do not see processes
        // that the interrupt has ended.
        let running = lock_even_if_poisoned(&RUNNING_PROCESS_GROUPS);
        if self.status.is_none() {
            match self.has_main_process_ended() {
                Ok(false) => {}
                Ok(true) => {
                    kill_process_group(self.child.id());
                    self.unregister_and_reap(running);
                }
                // The process is gone. Another user's group may have its number now, so no group is
                // killed.
                Err(_) => self.unregister_and_reap(running),
            }
        }
        self.status
    }

    /// Ends the process and the processes that it has started.
    pub fn kill(&mut self) {
        // If the process has ended, its group has been ended already.
        if self.try_wait().is_none() {
            let running = lock_even_if_poisoned(&RUNNING_PROCESS_GROUPS);
            kill_process_group(self.child.id());
            // On systems without groups this kills the process. It fails if the process has already
            // ended.
            let _ = self.child.kill();
            self.unregister_and_reap(running);
        }
    }

    /// Returns whether the process has ended. On Unix the process is not reaped, so that no other
    /// group can get its number.
    ///
    /// # Errors
    /// If the process no longer exists. This happens if SIGCHLD is ignored, because the system then
    /// reaps the process.
    fn has_main_process_ended(&mut self) -> io::Result<bool> {
        #[cfg(unix)]
        {
            use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            Ok(waitid(WaitId::Pid(Pid::from_child(&self.child)), options)?.is_some())
        }
        #[cfg(not(unix))]
        {
            Ok(self.child.try_wait()?.is_some())
        }
    }

    /// Removes the killed group from the running groups, and then reaps the process. Reaping comes
    /// last, because another user's group may get the number afterwards.
    fn unregister_and_reap(&mut self, mut running: MutexGuard<Vec<u32>>) {
        let group = self.child.id();
        running.retain(|&other| other != group);
        drop(running);
        send_group_to_guard_process('-', group);
        // The status is lost if the system has reaped the process.
        self.status = Some(self.child.wait().unwrap_or_default());
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Ends all processes of a group. Does nothing if the group has no processes.
#[cfg_attr(not(unix), expect(unused_variables, reason = "there are no groups"))]
fn kill_process_group(group: u32) {
    #[cfg(unix)]
    if let Ok(group) = i32::try_from(group) {
        use nix::sys::signal::{Signal, killpg};
        let _ = killpg(nix::unistd::Pid::from_raw(group), Signal::SIGKILL);
    }
}

/// Ends all process groups that this program has started. No group can start until the result is
/// dropped.
pub fn kill_all_process_groups() -> impl Drop {
    let running = lock_even_if_poisoned(&RUNNING_PROCESS_GROUPS);
    running.iter().copied().for_each(kill_process_group);
    running
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If the process were reaped earlier, another user's group could have its number when the
    /// group is killed.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_is_reaped_after_its_group_has_ended() {
        let mut group = ProcessGroup::start(Command::new("sh").args(["-c", "sleep 60 &"])).unwrap();
        while !group.has_main_process_ended().unwrap() {
            std::thread::yield_now();
        }
        let process = PathBuf::from(format!("/proc/{}", group.child.id()));
        assert!(process.exists());
        assert!(group.try_wait().is_some_and(|status| status.success()));
        assert!(!process.exists());
    }

    #[test]
    fn guard_lines_have_valid_group_numbers() {
        assert_eq!(parse_guard_message(b"+2"), Some((b'+', 2)));
        assert_eq!(parse_guard_message(b"-2147483647"), Some((b'-', i32::MAX as u32)));
        let invalid: [&[u8]; 11] = [
            b"",
            b"+",
            b"5",
            b"+0",
            b"+1",
            b"-1",
            b"+2147483648",
            b"++5",
            b"+-5",
            b"+\xff",
            b"+5 ",
        ];
        for line in invalid {
            assert_eq!(parse_guard_message(line), None, "{}", line.escape_ascii());
        }
    }
}

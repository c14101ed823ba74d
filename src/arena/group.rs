//! A process with all processes that it starts: on Unix a process group, which is ended as a whole.
//!
//! A process group of its own does not get the signal of Ctrl-C at the terminal, so that [`kill_all`] passes it on. No
//! process can pass SIGKILL on: on Linux [`start_guard`] starts another process of this program, which learns of each
//! group and ends those that are left when this process has ended.

use std::io::{self, BufRead, Write};
#[cfg(unix)]
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
#[cfg(target_os = "linux")]
use std::process::Stdio;
use std::process::{Child, ChildStdin, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A process and those that it starts. All of them are ended when the value is dropped.
pub struct ProcessGroup {
    /// The process that was started.
    pub child: Child,
    /// How this process has ended, once that is known. The others were ended then.
    status: Option<ExitStatus>,
}

/// The groups that run, by the numbers of their first processes.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());
/// The input of the guard. It is not locked together with the groups, so that they can be ended while it is full.
static GUARD_INPUT: Mutex<Option<ChildStdin>> = Mutex::new(None);

fn lock<T>(mutex: &'static Mutex<T>) -> MutexGuard<'static, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tells the guard that a group has begun, `+`, or ended, `-`.
fn tell_guard(sign: char, group: u32) {
    // A guard that has ended is done without. The line is written at once, so that the guard gets no part of it.
    let line = format!("{sign}{group}\n");
    lock(&GUARD_INPUT).iter_mut().for_each(|guard| drop(guard.write_all(line.as_bytes())));
}

/// The only argument of the process that is the guard.
pub const GUARD: &str = "--guard-of-engines";

/// Starts the guard, where there can be one.
pub fn start_guard() {
    #[cfg(target_os = "linux")]
    if let Ok(program) = this_program() {
        let mut guard = Command::new(program);
        guard.arg0("pentarch").arg(GUARD).process_group(0);
        guard.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        *lock(&GUARD_INPUT) = guard.spawn().ok().and_then(|mut guard| guard.stdin.take());
    }
}

/// What the guard does: it keeps a list of the groups that run, and ends them when its input has ended.
pub fn guard() {
    let mut groups: Vec<u32> = Vec::new();
    for line in io::stdin().lock().split(b'\n').map_while(Result::ok) {
        match told(&line) {
            Some((b'+', group)) => groups.push(group),
            Some((_, ended)) => groups.retain(|&group| group != ended),
            None => {}
        }
    }
    groups.into_iter().for_each(kill);
}

/// What a line tells the guard: `+` or `-`, and the number of a group; none if it tells nothing. No group that was
/// started has one of the numbers 0 and 1, by which `kill` means the own group and all processes of the user.
fn told(line: &[u8]) -> Option<(u8, u32)> {
    let (&sign, digits) = line.split_first()?;
    let is_told = [b'+', b'-'].contains(&sign) && digits.iter().all(u8::is_ascii_digit);
    let number = std::str::from_utf8(digits).ok()?.parse().ok()?;
    (is_told && (2..=i32::MAX as u32).contains(&number)).then_some((sign, number))
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
        command.process_group(0);
        let mut running = lock(&RUNNING);
        let child = command.spawn()?;
        running.push(child.id());
        drop(running);
        tell_guard('+', child.id());
        Ok(ProcessGroup { child, status: None })
    }

    /// How the process has ended; `None` while it runs. What it has left running is ended with it.
    pub fn status(&mut self) -> Option<ExitStatus> {
        // Nobody is to learn of a process that an interrupt has ended.
        let running = lock(&RUNNING);
        if self.status.is_none() {
            match self.has_ended() {
                Ok(false) => {}
                Ok(true) => {
                    kill(self.child.id());
                    self.forget(running);
                }
                // The process is gone, and its number may be that of a group of somebody else.
                Err(_) => self.forget(running),
            }
        }
        self.status
    }

    /// Ends the process and those that it has started.
    pub fn kill(&mut self) {
        // A process that is gone has no group to kill.
        if self.status().is_none() {
            let running = lock(&RUNNING);
            kill(self.child.id());
            // Where there are no groups. Killing fails if the process has ended already.
            let _ = self.child.kill();
            self.forget(running);
        }
    }

    /// Whether the process has ended. On Unix it is not reaped, so that its number stays that of the group.
    ///
    /// # Errors
    /// If there is no such process any more: the system reaps it where SIGCHLD is ignored.
    fn has_ended(&mut self) -> io::Result<bool> {
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

    /// Takes the group, which was killed, from those that run, and reaps the process. That comes last: then its number
    /// may be that of a group of somebody else.
    fn forget(&mut self, mut running: MutexGuard<Vec<u32>>) {
        let group = self.child.id();
        running.retain(|&other| other != group);
        drop(running);
        tell_guard('-', group);
        // The status is lost if the system has reaped the process.
        self.status = Some(self.child.wait().unwrap_or_default());
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

/// Ends all groups. No other one starts until the result is dropped.
pub fn kill_all() -> impl Drop {
    let running = lock(&RUNNING);
    running.iter().copied().for_each(kill);
    running
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Else its number could be that of a group of somebody else when the group is killed.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_is_reaped_after_its_group_has_ended() {
        let mut group = ProcessGroup::start(Command::new("sh").args(["-c", "sleep 60 &"])).unwrap();
        while !group.has_ended().unwrap() {
            std::thread::yield_now();
        }
        let process = PathBuf::from(format!("/proc/{}", group.child.id()));
        assert!(process.exists());
        assert!(group.status().is_some_and(|status| status.success()));
        assert!(!process.exists());
    }

    #[test]
    fn the_guard_is_told_numbers_of_groups_only() {
        assert_eq!(told(b"+2"), Some((b'+', 2)));
        assert_eq!(told(b"-2147483647"), Some((b'-', i32::MAX as u32)));
        let bad: [&[u8]; 11] = [
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
        for line in bad {
            assert_eq!(told(line), None, "{}", line.escape_ascii());
        }
    }
}

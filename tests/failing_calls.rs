//! What the program does when a call of the system fails: one call after the other, in a session, in a match, in a
//! proof, and when tables are made.
//!
//! The program runs under ptrace, as under a debugger. One of its calls is not carried out but answered with an error,
//! or carried out in part. Calls of the system's loader, before the program itself begins, are left alone, and so are
//! the processes that it starts.

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;

use nix::libc;
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use pentarch_core::notation::record::Record;
use pentarch_core::tables::directory::Directory;
use pentarch_tables::file::StoredValues;

use crate::client::{PATIENCE, PENTARCH, piped};
use crate::common::temporary::Folder;

/// What happens to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// It fails with this error.
    Error(i32),
    /// It reads or writes half of the bytes.
    Short,
    /// The system starts no thread and no process, whichever call is chosen.
    NoThread,
}

/// What each call meets in turn.
const FAULTS: [Fault; 5] = [
    Fault::Error(libc::EINTR),
    Fault::Error(libc::EIO),
    Fault::Short,
    Fault::Error(libc::ENOSPC),
    Fault::Error(libc::EAGAIN),
];

/// The calls that fail.
const CALLS: [i64; 14] = [
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_openat,
    libc::SYS_statx,
    libc::SYS_rename,
    libc::SYS_linkat,
    libc::SYS_unlink,
    libc::SYS_mkdir,
    libc::SYS_ftruncate,
    libc::SYS_fsync,
    libc::SYS_flock,
    libc::SYS_poll,
    libc::SYS_clone,
    libc::SYS_clone3,
];

/// The calls that a signal can interrupt, so that they are to be made again.
const INTERRUPTIBLE: [i64; 7] = [
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_openat,
    libc::SYS_ftruncate,
    libc::SYS_fsync,
    libc::SYS_flock,
    libc::SYS_poll,
];

/// A run of the program.
#[derive(Debug)]
struct Run {
    out: String,
    err: String,
    /// The exit code; `None` if a signal ended it.
    code: Option<i32>,
    /// How many calls it has made that could fail.
    calls: usize,
    /// The call that was chosen, and whether the program must be able to go on as if it had succeeded.
    failed: Option<(i64, bool)>,
    /// The files and directories that were to be synced.
    synced: Vec<PathBuf>,
}

/// Runs the program with these arguments and this input, its call with this number, from 0, having a fault.
fn run(folder: &Path, arguments: &[&str], input: &str, fault: Option<(usize, Fault)>) -> Run {
    let [input_file, out, err] = ["input", "out", "err"].map(|name| folder.join(name));
    fs::write(&input_file, input).unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", "kill -STOP $$; exec \"$0\" \"$@\"", PENTARCH]);
    let mut command = piped(shell, arguments);
    command.current_dir(folder).stdin(File::open(input_file).unwrap());
    command.stdout(File::create(&out).unwrap()).stderr(File::create(&err).unwrap());
    let child = Pid::from_raw(command.spawn().unwrap().id() as i32);
    assert!(matches!(
        waitpid(child, Some(WaitPidFlag::WUNTRACED)).unwrap(),
        WaitStatus::Stopped(..)
    ));
    let options =
        Options::PTRACE_O_TRACESYSGOOD | Options::PTRACE_O_TRACECLONE | Options::PTRACE_O_EXITKILL;
    ptrace::seize(child, options).unwrap();
    kill(child, Signal::SIGCONT).unwrap();
    ptrace::interrupt(child).unwrap();

    // What hangs is ended.
    let (ended, end) = channel::<()>();
    let watch = thread::spawn(move || {
        if end.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            let _ = kill(child, Signal::SIGKILL);
        }
    });
    let mut tracer = Tracer {
        fault,
        has_begun: false,
        calls: 0,
        failed: None,
        synced: Vec::new(),
        errors: HashMap::new(),
    };
    let code = loop {
        // Not the children of other tests.
        let flags = WaitPidFlag::__WALL | WaitPidFlag::__WNOTHREAD;
        let (stopped, signal) = match waitpid(None, Some(flags)).unwrap() {
            WaitStatus::Exited(pid, code) if pid == child => break Some(code),
            WaitStatus::Signaled(pid, ..) if pid == child => break None,
            WaitStatus::PtraceSyscall(pid) => {
                tracer.at_call(pid);
                (pid, None)
            }
            WaitStatus::Stopped(pid, signal) => (pid, Some(signal)),
            WaitStatus::PtraceEvent(pid, ..) => (pid, None),
            _ => continue,
        };
        // A thread may have been ended with the others.
        let _ = ptrace::syscall(stopped, signal);
    };
    drop(ended);
    watch.join().unwrap();
    let [out, err] = [out, err].map(|file| fs::read_to_string(file).unwrap());
    Run { out, err, code, calls: tracer.calls, failed: tracer.failed, synced: tracer.synced }
}

struct Tracer {
    fault: Option<(usize, Fault)>,
    /// Whether the program itself has begun.
    has_begun: bool,
    calls: usize,
    failed: Option<(i64, bool)>,
    synced: Vec<PathBuf>,
    /// The errors that calls of these threads are to be answered with.
    errors: HashMap<Pid, i32>,
}

impl Tracer {
    /// A thread is at the entry of a call, or at its exit.
    fn at_call(&mut self, thread: Pid) {
        let (Ok(info), Ok(mut registers)) = (ptrace::syscall_info(thread), ptrace::getregs(thread))
        else {
            return;
        };
        if info.op == libc::PTRACE_SYSCALL_INFO_EXIT {
            if let Some(error) = self.errors.remove(&thread) {
                registers.rax = i64::from(-error) as u64;
                ptrace::setregs(thread, registers).unwrap();
            }
            return;
        }
        let call = registers.orig_rax as i64;
        // The first thing that the program does is to block a signal.
        self.has_begun |= call == libc::SYS_rt_sigprocmask;
        if !self.has_begun || !CALLS.contains(&call) {
            return;
        }
        self.calls += 1;
        if call == libc::SYS_fsync {
            self.synced.extend(fs::read_link(format!("/proc/{thread}/fd/{}", registers.rdi)));
        }
        let is_start = [libc::SYS_clone, libc::SYS_clone3].contains(&call);
        let is_chosen = |number, fault| match fault {
            Fault::NoThread => is_start,
            Fault::Error(_) | Fault::Short => number + 1 == self.calls,
        };
        match self.fault {
            Some((number, fault)) if is_chosen(number, fault) => {
                let is_standard = (call, registers.rdi) == (libc::SYS_read, 0)
                    || (call, registers.rdi) == (libc::SYS_write, 1);
                let goes_on = match fault {
                    Fault::Short => true,
                    Fault::Error(libc::EINTR) => INTERRUPTIBLE.contains(&call),
                    Fault::Error(libc::EAGAIN) => is_standard,
                    Fault::Error(_) | Fault::NoThread => false,
                };
                self.failed = Some((call, goes_on));
                match fault {
                    // No such call is made.
                    Fault::Error(error) => {
                        registers.orig_rax = u64::MAX;
                        self.errors.insert(thread, error);
                    }
                    Fault::NoThread => {
                        registers.orig_rax = u64::MAX;
                        self.errors.insert(thread, libc::EAGAIN);
                    }
                    Fault::Short
                        if [libc::SYS_read, libc::SYS_write].contains(&call)
                            && registers.rdx > 1 =>
                    {
                        registers.rdx /= 2;
                    }
                    Fault::Short => {}
                }
                ptrace::setregs(thread, registers).unwrap();
            }
            _ => {}
        }
    }
}

/// Which calls fail: from the fault with this number on one fault after the other, of every so manieth call.
#[derive(Clone, Copy)]
struct Choice {
    begin: usize,
    every: usize,
}

/// Has these calls of the program fail, each in a run of its own, and checks what it does. `is_sound` says whether what
/// it has left in its folder, where it began with nothing, may stay there. Returns a run in which nothing has failed.
fn fail_each(
    choice: Choice,
    arguments: &[&str],
    input: &str,
    is_sound: impl Fn(&Path, &Run),
) -> Run {
    let folder = || Folder::new("failing");
    let (first, place) = (folder(), arguments.join(" "));
    let good = run(first.path(), arguments, input, None);
    assert_eq!((good.code, good.err.as_str()), (Some(0), ""), "{place}: {good:?}");
    is_sound(first.path(), &good);
    let mut failed = 0;
    for number in (0..).step_by(choice.every) {
        let (folder, fault) = (folder(), FAULTS[(choice.begin + number) % FAULTS.len()]);
        let found = run(folder.path(), arguments, input, Some((number, fault)));
        let Some((call, goes_on)) = found.failed else { break };
        failed += 1;
        let place = format!("{place}: {fault:?} of call {call}, the {number}th: {found:#?}");
        assert!(found.code.is_some_and(|code| code <= 2), "{place}");
        for text in [&found.out, &found.err] {
            assert!(
                !text.contains("panicked") && !text.contains("fault of the program"),
                "{place}"
            );
        }
        if goes_on {
            assert_eq!((found.code, found.err.as_str()), (Some(0), ""), "{place}");
            assert_eq!(found.out.lines().count(), good.out.lines().count(), "{place}");
        }
        // What is not done is told.
        assert!(
            found.code == Some(0) || !found.err.is_empty() || call == libc::SYS_write,
            "{place}"
        );
        is_sound(folder.path(), &found);
    }
    println!("{place}: {failed} calls failed");
    let all = failed * choice.every;
    assert!(failed > 5 && all + 20 > good.calls, "{place}: {failed} of {}", good.calls);
    good
}

/// Checks that a file with this end of its name was synced, and its directory after it.
fn synced(run: &Run, end: &str) {
    let named = |(file, directory): (&PathBuf, &PathBuf)| {
        file.to_string_lossy().ends_with(end) && file.parent() == Some(directory.as_path())
    };
    assert!(run.synced.iter().zip(run.synced.iter().skip(1)).any(named), "{end}: {run:#?}");
}

/// Checks that a file is whole, or not there.
fn whole(folder: &Path, name: &str, start: &str, end: &str) {
    if let Ok(text) = fs::read_to_string(folder.join(name)) {
        assert!(text.starts_with(start) && text.ends_with(end), "{name}: {text:?}");
    }
}

fn session(choice: Choice) {
    let input = "isready\nplay e8d9\nrecord game\nload game\ngo depth 2\nquery game\n";
    let good = fail_each(choice, &[], input, |folder, run| {
        whole(folder, "game", "[Game \"alcaxar\"]\n", "1. e8d9 *\n");
        // If the input cannot be read, what was read before is answered.
        let lacks_something = [
            "the output cannot be written",
            "the input cannot be read",
            "no thread to read the input",
        ];
        if !lacks_something.iter().any(|what| run.err.contains(what)) {
            assert_eq!(
                run.out.lines().filter(|line| line.starts_with("bestmove ")).count(),
                1,
                "{run:#?}"
            );
            assert!(run.out.contains("response alcaxar\n"), "{run:#?}");
        }
    });
    synced(&good, "/game.part");
}

fn proof(choice: Choice) {
    let arguments = [
        "prove",
        "--memory",
        "1",
        "--output",
        "proof",
        "fen",
        "f2h4",
        "b5c6d7e2e8f3g4h5",
        "r",
        "-",
        "9",
    ];
    let good = fail_each(choice, &arguments, "", |folder, _| {
        whole(folder, "proof", "pentarch proof 2\n", "Kh2\n")
    });
    synced(&good, "/proof.part");
}

fn tables(choice: Choice) {
    let arguments = ["--game", "alquerque", "--set", "TablePath=tables", "tables", "2"];
    let good = fail_each(choice, &arguments, "", |folder, run| {
        let names: Vec<String> = fs::read_dir(folder.join("tables"))
            .map(|entries| {
                entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
            })
            .unwrap_or_default();
        assert!(names.iter().all(|name| name.ends_with(".table")), "{names:?} {run:#?}");
        for name in &names {
            let name = name.trim_end_matches(".table");
            let opened = StoredValues::open(&Directory(folder.join("tables")), name, None);
            assert!(matches!(opened, Ok(Some(_))), "{name}");
        }
    });
    synced(&good, ".part");
}

fn short_match(choice: Choice) {
    let patience = PATIENCE.as_millis().to_string();
    let arguments = "arena --game quoridor --nodes 9 --games 2 --plies 9 --random-plies 0 --record games --patience";
    let arguments: Vec<&str> = arguments.split(' ').chain([patience.as_str()]).collect();
    fail_each(choice, &arguments, "", |folder, run| {
        let text = fs::read_to_string(folder.join("games")).unwrap_or_default();
        assert!(text.is_empty() || text.ends_with("\n\n"), "{text} {run:#?}");
        assert!(Record::parse_all(&text).is_ok_and(|games| games.len() <= 2), "{text} {run:#?}");
    });
}

#[test]
fn sessions_go_on_or_say_what_they_lack() {
    session(Choice { begin: 0, every: 3 });
}

#[test]
fn proofs_are_written_whole_or_not_at_all() {
    proof(Choice { begin: 0, every: 1 });
}

#[test]
fn tables_are_written_whole_or_not_at_all() {
    tables(Choice { begin: 0, every: 3 });
}

/// The search that waits for tables makes them if the system has no thread for that.
#[test]
fn a_review_without_a_thread_finds_the_same() {
    let record = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/roses/castle.record");
    let arguments = ["play", "--load", record, "--side", "both"];
    let folder = Folder::new("failing");
    let good = run(folder.path(), &arguments, "review\n", None);
    assert!(good.out.contains("accuracy"), "{good:#?}");
    let found = run(folder.path(), &arguments, "review\n", Some((0, Fault::NoThread)));
    assert!(found.failed.is_some(), "{found:#?}");
    assert_eq!(found.out, good.out);
}

/// Thirteen calls on, the fault is another one, too.
#[test]
fn matches_keep_whole_games() {
    short_match(Choice { begin: 0, every: 13 });
}

/// `cargo test --test all failing_calls::every -- --ignored --nocapture`
#[test]
#[ignore = "a thousand runs and more: minutes"]
fn every_fault_of_every_call() {
    for begin in 0..FAULTS.len() {
        [session, proof, tables, short_match]
            .iter()
            .for_each(|each| each(Choice { begin, every: 1 }));
    }
}

//! The program when system calls fail, one after the other. Also tests a power failure between two
//! calls.
//!
//! The program runs under ptrace, as under a debugger. One of its calls either fails with an error
//! or is executed only in part. Some calls never fail: calls of the dynamic loader before the start
//! of the program, and calls of processes that the program starts.

mod changes;

use std::collections::{BTreeSet, HashMap};
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
use pentarch_core::notation::record::GameRecord;
use pentarch_core::tables::directory::TableDirectory;
use pentarch_tables::table_file::StoredTableValues;

use crate::client::{ANSWER_TIMEOUT, PENTARCH, piped};
use crate::common::temporary::Folder;

use changes::{Change, Disk, SurvivingData, contents};

/// The effect of a fault on a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// The call fails with this error.
    Error(i32),
    /// The call reads or writes half of the bytes.
    Short,
    /// The system starts no thread and no process, regardless of the chosen call.
    NoThread,
}

/// The faults. Each chosen call meets the next one in turn.
const FAULTS: [Fault; 5] = [
    Fault::Error(libc::EINTR),
    Fault::Error(libc::EIO),
    Fault::Short,
    Fault::Error(libc::ENOSPC),
    Fault::Error(libc::EAGAIN),
];

/// The calls that may fail.
const CALLS: [i64; 15] = [
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
    libc::SYS_fdatasync,
    libc::SYS_flock,
    libc::SYS_poll,
    libc::SYS_clone,
    libc::SYS_clone3,
];

/// Calls that a signal can interrupt. The program must repeat them.
const INTERRUPTIBLE: [i64; 8] = [
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_openat,
    libc::SYS_ftruncate,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_flock,
    libc::SYS_poll,
];

/// A run of the program.
#[derive(Debug)]
struct Run {
    out: String,
    err: String,
    /// The exit code; `None` if a signal ended the program.
    code: Option<i32>,
    /// The number of calls that could fail.
    calls: usize,
    /// The chosen call. The flag states whether the program must continue as if the call had
    /// succeeded.
    failed: Option<(i64, bool)>,
    /// The changes of files in the folder of the run.
    changes: Vec<Change>,
}

/// Runs the program with these arguments and this input. With `fault`, the call with this number
/// has this fault. Calls are counted from 0.
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

    // A run that hangs is killed.
    let (ended, end) = channel::<()>();
    let watch = thread::spawn(move || {
        if end.recv_timeout(ANSWER_TIMEOUT) == Err(RecvTimeoutError::Timeout) {
            let _ = kill(child, Signal::SIGKILL);
        }
    });
    let mut tracer = Tracer {
        fault,
        has_started: false,
        calls: 0,
        failed: None,
        folder: folder.into(),
        changes: Vec::new(),
        pending: HashMap::new(),
        errors: HashMap::new(),
    };
    let code = loop {
        // The flags exclude the child processes of other tests.
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
        // The thread may have ended together with the others.
        let _ = ptrace::syscall(stopped, signal);
    };
    drop(ended);
    watch.join().unwrap();
    let [out, err] = [out, err].map(|file| fs::read_to_string(file).unwrap());
    Run { out, err, code, calls: tracer.calls, failed: tracer.failed, changes: tracer.changes }
}

struct Tracer {
    fault: Option<(usize, Fault)>,
    /// Whether the program itself has started.
    has_started: bool,
    calls: usize,
    failed: Option<(i64, bool)>,
    folder: PathBuf,
    changes: Vec<Change>,
    /// The changes that the current calls of these threads make.
    pending: HashMap<Pid, Change>,
    /// The errors that the current calls of these threads return.
    errors: HashMap<Pid, i32>,
}

impl Tracer {
    /// Handles the entry or the exit of a call of this thread.
    fn at_call(&mut self, thread: Pid) {
        let Ok(info) = ptrace::syscall_info(thread) else { return };
        let Ok(mut registers) = ptrace::getregs(thread) else { return };
        if info.op == libc::PTRACE_SYSCALL_INFO_EXIT {
            if let Some(change) = self.pending.remove(&thread)
                && let Ok(result) = usize::try_from(registers.rax as i64)
            {
                self.changes.push(change.with_result(result));
            }
            if let Some(error) = self.errors.remove(&thread) {
                registers.rax = i64::from(-error) as u64;
                ptrace::setregs(thread, registers).unwrap();
            }
            return;
        }
        let call = registers.orig_rax as i64;
        // The first action of the program is to block a signal.
        self.has_started |= call == libc::SYS_rt_sigprocmask;
        if !self.has_started || !CALLS.contains(&call) {
            return;
        }
        self.calls += 1;
        let change = Change::from_call(&self.folder, thread, call, &registers);
        self.pending.extend(change.map(|change| (thread, change)));
        let is_start = [libc::SYS_clone, libc::SYS_clone3].contains(&call);
        let is_chosen = |number, fault| match fault {
            Fault::NoThread => is_start,
            Fault::Error(_) | Fault::Short => number + 1 == self.calls,
        };
        if let Some((number, fault)) = self.fault
            && is_chosen(number, fault)
        {
            self.apply(fault, thread, &mut registers);
            ptrace::setregs(thread, registers).unwrap();
        }
    }

    /// Applies a fault to a call. The thread is at the entry of the call.
    fn apply(&mut self, fault: Fault, thread: Pid, registers: &mut libc::user_regs_struct) {
        let call = registers.orig_rax as i64;
        let is_standard = (call, registers.rdi) == (libc::SYS_read, 0)
            || (call, registers.rdi) == (libc::SYS_write, 1);
        let must_continue = match fault {
            Fault::Short => true,
            Fault::Error(libc::EINTR) => INTERRUPTIBLE.contains(&call),
            Fault::Error(libc::EAGAIN) => is_standard,
            Fault::Error(_) | Fault::NoThread => false,
        };
        self.failed = Some((call, must_continue));
        match fault {
            // An invalid call number prevents the call.
            Fault::Error(error) => {
                registers.orig_rax = u64::MAX;
                self.pending.remove(&thread);
                self.errors.insert(thread, error);
            }
            Fault::NoThread => {
                registers.orig_rax = u64::MAX;
                self.errors.insert(thread, libc::EAGAIN);
            }
            Fault::Short
                if [libc::SYS_read, libc::SYS_write].contains(&call) && registers.rdx > 1 =>
            {
                registers.rdx /= 2;
            }
            Fault::Short => {}
        }
    }
}

/// The selection of the calls that fail. It is every call whose number is a multiple of `every`.
/// The faults follow each other in turn, from the fault with number `begin` on.
#[derive(Clone, Copy)]
struct CallSelection {
    begin: usize,
    every: usize,
}

/// Runs the program once for each selected call. The call fails, and the behaviour of the program
/// is checked. `is_sound` checks the content of the folder. The folder was empty at the start.
/// Returns a run without a fault.
fn fail_each(
    choice: CallSelection,
    arguments: &[&str],
    input: &str,
    is_sound: impl Fn(&Path, &Run),
) -> Run {
    let folder = || Folder::new("failing");
    let first = folder();
    let place = arguments.join(" ");
    let good = run(first.path(), arguments, input, None);
    assert_eq!((good.code, good.err.as_str()), (Some(0), ""), "{place}: {good:?}");
    is_sound(first.path(), &good);
    let mut failed = 0;
    for number in (0..).step_by(choice.every) {
        let folder = folder();
        let fault = FAULTS[(choice.begin + number) % FAULTS.len()];
        let found = run(folder.path(), arguments, input, Some((number, fault)));
        let Some((call, must_continue)) = found.failed else { break };
        failed += 1;
        let place = format!("{place}: {fault:?} of call {call}, the {number}th: {found:#?}");
        assert!(found.code.is_some_and(|code| code <= 2), "{place}");
        for text in [&found.out, &found.err] {
            assert!(
                !text.contains("panicked") && !text.contains("fault of the program"),
                "{place}"
            );
        }
        if must_continue {
            assert_eq!((found.code, found.err.as_str()), (Some(0), ""), "{place}");
            assert_eq!(found.out.lines().count(), good.out.lines().count(), "{place}");
        }
        // If the program did not finish its task, it must report that.
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

/// Checks that a file was synced, and then its directory. The name of the file ends in `end`.
fn check_synced(run: &Run, end: &str) {
    let path = |change: &Change| match change {
        Change::Sync(path) => Some(path.clone()),
        _ => None,
    };
    let check_synced: Vec<PathBuf> = run.changes.iter().filter_map(path).collect();
    let named = |pair: &[PathBuf]| {
        pair[0].to_string_lossy().ends_with(end) && pair[0].parent() == Some(&pair[1])
    };
    assert!(check_synced.windows(2).any(named), "{end}: {run:#?}");
}

/// Checks that a file is either complete or missing.
fn check_complete_or_missing(folder: &Path, name: &str, start: &str, end: &str) {
    if let Ok(text) = fs::read_to_string(folder.join(name)) {
        assert!(text.starts_with(start) && text.ends_with(end), "{name}: {text:?}");
    }
}

fn check_session(choice: CallSelection) {
    let input = "isready\nplay e8d9\nrecord game\nload game\ngo depth 2\nquery game\n";
    let good = fail_each(choice, &[], input, |folder, run| {
        check_complete_or_missing(folder, "game", "[Game \"alcaxar\"]\n", "1. e8d9 *\n");
        // If the input cannot be read any more, the requests that were read before are answered.
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
    check_synced(&good, "game.pentarch.part");
}

fn check_proof(choice: CallSelection) {
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
        check_complete_or_missing(
            folder,
            "proof",
            "pentarch proof 3\n",
            "Checksum: crc32:29cda072\n",
        )
    });
    check_synced(&good, "proof.pentarch.part");
}

fn check_tables(choice: CallSelection) {
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
            let opened =
                StoredTableValues::open(&TableDirectory(folder.join("tables")), name, None);
            assert!(matches!(opened, Ok(Some(_))), "{name}");
        }
    });
    check_synced(&good, ".pentarch.part");
}

fn check_match(choice: CallSelection) {
    let patience = ANSWER_TIMEOUT.as_millis().to_string();
    let arguments = "arena --game quoridor --nodes 9 --games 2 --plies 9 --random-plies 0 --record games --patience";
    let arguments: Vec<&str> = arguments.split(' ').chain([patience.as_str()]).collect();
    fail_each(choice, &arguments, "", |folder, run| {
        let text = fs::read_to_string(folder.join("games")).unwrap_or_default();
        assert!(text.is_empty() || text.ends_with("\n\n"), "{text} {run:#?}");
        assert!(
            GameRecord::parse_all(&text).is_ok_and(|games| games.len() <= 2),
            "{text} {run:#?}"
        );
    });
}

#[test]
fn sessions_continue_or_report_the_error() {
    check_session(CallSelection { begin: 0, every: 3 });
}

#[test]
fn proofs_are_complete_or_missing() {
    check_proof(CallSelection { begin: 0, every: 1 });
}

#[test]
fn tables_are_complete_or_missing() {
    check_tables(CallSelection { begin: 0, every: 3 });
}

/// A search that waits for tables reads them itself if the system has no thread for that.
#[test]
fn review_without_threads_has_the_same_result() {
    let folder = Folder::new("failing");
    let arguments = "--game quoridor --set Quoridor_BoardSize=3 --set TablePath=tables";
    let run = |command: &str, typed, failing| {
        let arguments: Vec<&str> = arguments.split(' ').chain(command.split(' ')).collect();
        run(folder.path(), &arguments, typed, failing)
    };
    run("tables 1", "", None);
    let play = "play --side both";
    let typed = "a1\na3\nb1\nreview\n";
    let good = run(play, typed, None);
    assert!(good.out.contains("accuracy"), "{good:#?}");
    let found = run(play, typed, Some((0, Fault::NoThread)));
    assert!(found.failed.is_some(), "{found:#?}");
    assert_eq!(found.out, good.out);
}

/// Every thirteenth call fails. The next failing call then has a different fault.
#[test]
fn matches_keep_complete_games() {
    check_match(CallSelection { begin: 0, every: 13 });
}

/// To run this test: `cargo test --test all failing_calls::every -- --ignored --nocapture`
#[test]
#[ignore = "a thousand runs and more: minutes"]
fn every_fault_of_every_call() {
    for begin in 0..FAULTS.len() {
        [check_session, check_proof, check_tables, check_match]
            .iter()
            .for_each(|each| each(CallSelection { begin, every: 1 }));
    }
}

/// A command that writes files.
struct WritingCommand {
    /// The arguments, separated by blanks.
    arguments: &'static str,
    input: &'static str,
    /// The arguments of the commands that write the input files of this command.
    before: &'static [&'static str],
}

/// Returns a command without input files.
const fn without_inputs(arguments: &'static str) -> WritingCommand {
    WritingCommand { arguments, input: "", before: &[] }
}

const DIAGRAM: WritingCommand = without_inputs("--game roses diagram --output start.svg");

/// All commands that write files.
const WRITING_COMMANDS: [WritingCommand; 14] = [
    DIAGRAM,
    WritingCommand { input: "play e8d9\nrecord game\n", ..without_inputs("--game alcaxar") },
    WritingCommand {
        input: "e2\nsave game\nquit\n",
        ..without_inputs("play --game quoridor --side both")
    },
    WritingCommand {
        input: "[Game \"quoridor\"] 1. e2 e8 *",
        ..without_inputs("convert --output game")
    },
    without_inputs("-g alquerque prove --output proof --book book fen x4/2o2/4o/5/5 l - - - 19"),
    without_inputs(
        "arena --game quoridor --nodes 9 --games 4 --plies 9 --record games --plot plot.svg",
    ),
    without_inputs("arena --game bushka --nodes 9 --games 4 --plies 9 --shard 0..2 --output shard"),
    WritingCommand {
        before: &[
            "arena --game bushka --nodes 9 --games 4 --plies 9 --shard 0..1 --output a.shard",
            "arena --game bushka --nodes 9 --games 4 --plies 9 --shard 1..2 --output b.shard",
        ],
        ..without_inputs("merge games a.shard b.shard")
    },
    without_inputs("tune --game quoridor --nodes 9 --games 9 --plies 40 --data games"),
    WritingCommand {
        before: &["tune --game bushka --nodes 50 --games 9 --plies 40 --data games"],
        ..without_inputs(
            "tune --game bushka --nodes 50 --games 9 --plies 40 --data games --net net --epochs 3",
        )
    },
    without_inputs("tune --game bushka --nodes 20 --plies 20 --spsa state --iterations 3"),
    without_inputs("--game alquerque --set TablePath=tables tables 2"),
    without_inputs("--game quoridor --set Quoridor_BoardSize=3 --set TablePath=tables tables 1"),
    without_inputs("--game alcaxar --set TablePath=tables tables 1"),
];

/// Returns the files in the folder of a run, except those of the test. Parts that depend on time
/// are removed. A certificate states which of two checks a table has passed. That also depends on
/// time, so it is removed.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<String>)> {
    let mut files = contents(folder);
    for (name, bytes) in &mut files {
        if name.extension().is_some_and(|extension| extension == "check") {
            bytes.clear();
        }
    }
    files.retain(|name, _| !["input", "out", "err"].iter().any(|own| name == Path::new(own)));
    let files = files.into_iter();
    files.map(|(name, bytes)| (name, untimed(&String::from_utf8_lossy(&bytes)))).collect()
}

/// Returns the sorted paragraphs of a text. Microseconds are removed, and so are the checksums that
/// depend on them.
fn untimed(text: &str) -> Vec<String> {
    let mut parts = text.split("crc32:");
    let mut remaining = parts.next().unwrap_or_default().to_string();
    parts.for_each(|part| remaining += part.get(8..).unwrap_or_default());
    let times: Vec<&str> = remaining.split(" us").collect();
    let times =
        times.iter().map(|part| part.trim_end_matches(|digit: char| digit.is_ascii_digit()));
    let text = times.collect::<Vec<_>>().join(" us");
    let mut games: Vec<String> = text.split("\n\n").map(String::from).collect();
    games.sort();
    games
}

impl WritingCommand {
    /// Returns a folder with the input files of the command.
    fn folder(&self) -> Folder {
        let folder = Folder::new("writing");
        for arguments in self.before {
            assert_eq!(self.run_as(folder.path(), arguments, None).code, Some(0), "{arguments}");
        }
        folder
    }

    fn run(&self, folder: &Path, fault: Option<(usize, Fault)>) -> Run {
        self.run_as(folder, self.arguments, fault)
    }

    fn run_as(&self, folder: &Path, arguments: &str, fault: Option<(usize, Fault)>) -> Run {
        run(folder, &arguments.split(' ').collect::<Vec<_>>(), self.input, fault)
    }

    /// Checks the command after an interruption in this folder. When it runs again, it must write
    /// the expected files.
    fn finishes(&self, folder: &Path, expected: &[(PathBuf, Vec<String>)], place: &str) {
        if files(folder) == expected {
            return;
        }
        let again = self.run(folder, None);
        let found = files(folder);
        let names = |files: &[(PathBuf, Vec<String>)]| {
            files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(names(&found), names(expected), "{place}: {}", again.err);
        let other = found.iter().zip(expected).find(|(found, expected)| found.1 != expected.1);
        assert!(other.is_none(), "{place}: {:?}: {}", other.unwrap().0.0, again.err);
    }

    /// Lets at most `most` calls fail. Each has one of the faults. Returns the number of faults.
    fn faults(&self, begin: usize, most: usize) -> usize {
        let good = self.folder();
        let first = self.folder();
        let calls = self.run(good.path(), None).calls;
        let expected = files(good.path());
        let before = files(first.path());
        for (faults, number) in (0..).step_by(calls.div_ceil(most)).enumerate() {
            let folder = self.folder();
            let fault = FAULTS[(begin + number) % FAULTS.len()];
            let found = self.run(folder.path(), Some((number, fault)));
            let Some((call, _)) = found.failed else { return faults };
            let place = format!("{}: {fault:?} of call {call}, the {number}th", self.arguments);
            // If a call between the arena and an engine fails, this engine loses its game.
            let texts = files(folder.path());
            if texts.iter().any(|(_, text)| text.iter().any(|part| part.contains("[Fault "))) {
                continue;
            }
            assert!(before.iter().all(|file| files(folder.path()).contains(file)), "{place}");
            self.finishes(folder.path(), &expected, &place);
        }
        unreachable!("a run has an end");
    }

    /// Simulates a power failure after each change of a file. Returns the number of different
    /// contents of the disk.
    fn power_cuts(&self) -> usize {
        let good = self.folder();
        let mut disk = Disk::from_folder(good.path());
        let changes = self.run(good.path(), None).changes;
        let expected = files(good.path());
        let mut seen = BTreeSet::new();
        for at in 0..=changes.len() {
            for survivors in SurvivingData::ALL {
                let folder = Folder::new("power-cut");
                disk.write(folder.path(), survivors);
                if !seen.insert(contents(folder.path())) {
                    continue;
                }
                let place =
                    format!("{}: {survivors:?} after {:?}", self.arguments, changes[..at].last());
                if at == changes.len() {
                    // The disk contains everything that the command has reported as done.
                    let found = files(folder.path());
                    assert!(expected.iter().all(|file| found.contains(file)), "{place}");
                }
                self.finishes(folder.path(), &expected, &place);
            }
            changes.get(at).into_iter().for_each(|change| disk.apply(change));
        }
        seen.len()
    }
}

#[test]
fn power_cut_leaves_a_complete_file_or_none() {
    assert!(DIAGRAM.power_cuts() > 3);
}

/// To run this test: `cargo test --test all failing_calls::all_commands -- --ignored --nocapture`
#[test]
#[ignore = "thousands of runs: minutes"]
fn all_commands_finish_after_each_fault() {
    for without_inputs in &WRITING_COMMANDS {
        println!("{}: {} faults", without_inputs.arguments, without_inputs.faults(0, 50));
    }
}

/// To run this test: `cargo test --test all failing_calls::all_commands -- --ignored --nocapture`
#[test]
#[ignore = "thousands of runs: minutes"]
fn all_commands_finish_after_each_power_cut() {
    for without_inputs in &WRITING_COMMANDS {
        println!("{}: {} disks", without_inputs.arguments, without_inputs.power_cuts());
    }
}

//! Failures in the environment of the program. They concern output, input, memory, threads and
//! table files. `docs/what-can-go-wrong.md` lists them.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use crate::client::{self, Client, Dialect, PENTARCH, piped, run};
use crate::common::temporary::Folder;

/// Returns the program with these arguments and with pipes for all its streams. The arguments are
/// separated by blanks.
fn program(arguments: &str) -> Command {
    client::program(arguments.split_whitespace())
}

/// Returns the program as a shell starts it after these commands.
fn program_after(commands: &str, arguments: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{commands}; exec \"$0\" \"$@\""), PENTARCH]);
    piped(shell, arguments.split_whitespace())
}

/// Returns the program with this limit on its address space in KiB. All its threads share one
/// malloc arena. Otherwise glibc would reserve 64 MiB of the limit for each thread.
fn with_memory_limit(kib: usize, arguments: &str) -> Command {
    program_after(&format!("export MALLOC_ARENA_MAX=1; ulimit -v {kib}"), arguments)
}

/// Returns the number of lines that begin with `start`.
fn count(text: &str, start: &str) -> usize {
    text.lines().filter(|line| line.starts_with(start)).count()
}

/// Returns the peak memory of a running program in MiB; `None` if the system does not report it.
fn peak_memory(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(peak.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024)
}

#[test]
fn full_disk_is_reported_with_exit_code_1() {
    let Ok(full) = File::options().write(true).open("/dev/full") else { return };
    let told = "the output cannot be written: No space left on device (os error 28)";
    let folder = Folder::new("full-disk");
    let tables = format!("--game alquerque --set TablePath={} tables 2", folder.path().display());
    let tune = format!("tune --data {}/games --games 9 --nodes 50", folder.path().display());
    for (arguments, input) in [
        ("", "isready\n"),
        ("", "go infinite\n"),
        ("perft 2", ""),
        ("games", ""),
        ("--gtp", "name\n"),
        ("--game quoridor prove --nodes 1", ""),
        ("--completions bash", ""),
        ("--man", ""),
        ("--help", ""),
        ("-h", ""),
        ("--version", ""),
        ("arena --help", ""),
        ("prove --help", ""),
        ("tune --help", ""),
        ("tables --help", ""),
        (&tables, ""),
        (&tune, ""),
    ] {
        let mut command = program(arguments);
        command.stdout(full.try_clone().unwrap());
        let (_, err, code) = run(command, input);
        assert_eq!(code, Some(1), "{arguments}: {err}");
        assert_eq!(err, format!("pentarch: {told}\n"), "{arguments}");
    }
    assert!(folder.path().join("alquerque-complete-instant-free-block-1-1.table").exists());
}

#[test]
fn rejects_endless_files() {
    for (arguments, code) in [
        ("tune --games 1 --data /dev/zero", 1),
        ("arena --depth 1 --openings /dev/zero", 2),
        ("arena --depth 1 --record /dev/zero", 1),
        ("prove --check /dev/zero", 1),
        ("load /dev/zero", 2),
    ] {
        // Reading the whole input would soon use up the memory.
        let (out, err, found) = run(with_memory_limit(500_000, arguments), "");
        assert!(
            err.contains("/dev/zero") && err.ends_with(": it is not a regular file\n"),
            "{arguments}: {out}{err}"
        );
        assert_eq!(found, Some(code), "{arguments}");
    }
    // This kernel file never ends: it continues with each event.
    assert_eq!(run(program("load /proc/kmsg"), "").2, Some(2));
}

/// The files are sparse and take no space on the disk.
#[cfg(target_os = "linux")]
#[test]
fn rejects_files_larger_than_memory() {
    let folder = Folder::new("huge");
    let huge = folder.file("huge");
    File::create(&huge).unwrap().set_len(1 << 42).unwrap();
    for (arguments, code) in [
        (format!("tune --games 0 --data {huge}"), 1),
        (format!("tune --games 0 --data {} --with {huge}", folder.file("games")), 1),
        (format!("arena --depth 1 --openings {huge}"), 2),
        (format!("arena --depth 1 --record {huge}"), 1),
        (format!("prove --check {huge}"), 1),
        (format!("load {huge}"), 2),
    ] {
        let (_, err, found) = run(program(&arguments), "");
        assert!(count(&err, "pentarch: ") == 1 && err.contains(": it has "), "{arguments}: {err}");
        assert_eq!(found, Some(code), "{arguments}");
    }
}

/// A run does not touch the files to which another run writes.
#[test]
fn rejects_files_of_another_run() {
    let folder = Folder::new("locks");
    let [games, state, net] = ["games", "state", "net"].map(|name| folder.file(name));
    let tune = format!("tune --game quoridor --nodes 20 --games 2 --data {games}");
    assert_eq!(run(program(&tune), "").2, Some(0));
    let mut locks = BTreeSet::new();
    let mut files = Vec::new();
    let mut runs = Vec::new();
    for (locked, arguments, named) in [
        (games.clone(), tune.clone(), &games),
        (games.clone(), format!("arena --game quoridor --depth 1 --record {games}"), &games),
        (format!("{state}.lock"), format!("tune --game quoridor --spsa {state}"), &state),
        (
            format!("{net}.checkpoint.lock"),
            format!("{tune}.other --net {net}"),
            &format!("{net}.checkpoint"),
        ),
        (
            folder.file("."),
            format!("--game alquerque --set TablePath={} tables 2", folder.file("")),
            &folder.file(""),
        ),
    ] {
        let held = File::open(&locked).or_else(|_| File::create(&locked)).unwrap();
        if locks.insert(locked.clone()) {
            held.lock().unwrap();
        }
        files.push(held);
        runs.push((named.clone(), program(&arguments).spawn().unwrap()));
    }
    // Each run tries to lock its file for a second.
    for (named, child) in runs {
        let Output { status, stderr, .. } = child.wait_with_output().unwrap();
        let expected = format!("pentarch: {named}: another run of the program writes to it\n");
        assert_eq!((String::from_utf8(stderr).unwrap(), status.code()), (expected, Some(1)));
    }
    // A process that another test starts inherits the open files until its program begins.
    files.iter().for_each(|held| held.unlock().unwrap());
    assert_eq!(run(program(&tune), "").2, Some(0));
}

/// Several engines may write to one log. A file that is not a log remains unchanged.
#[test]
fn appends_logs_to_regular_files() {
    let folder = Folder::new("log");
    let [log, pipe] = ["log", "pipe"].map(|name| folder.file(name));
    fs::write(&log, "kept\n").unwrap();
    symlink(&log, folder.path().join("link")).unwrap();
    let (out, ..) =
        run(program(&format!("--log-file {}", folder.file("link"))), "isready\n\u{1b}[2J\n");
    assert_eq!(count(&out, "readyok"), 1);
    let text = fs::read_to_string(&log).unwrap();
    assert!(
        text.starts_with("kept\n") && text.contains(" > isready\n") && text.contains("\\u{1b}[2J"),
        "{text}"
    );
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for file in [pipe.as_str(), "/dev/full"] {
        let (out, err, code) = run(program(&format!("--log-file {file}")), "isready\n");
        assert_eq!((out.as_str(), code), ("", Some(2)));
        assert_eq!(err, format!("pentarch: {file}: it is not a regular file\n"));
    }
}

#[test]
fn rejects_an_inaccessible_table_path() {
    let folder = Folder::new("locked");
    let mut command =
        program(&format!("--game alquerque --set TablePath={} games", folder.path().display()));
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o000)).unwrap();
    // Root has access to all files.
    if fs::metadata(folder.path()).unwrap().uid() == 0 {
        command.uid(65534).gid(65534);
    }
    // Other users may have no access to the program.
    if let Ok(output) = command.output() {
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(err.contains("' cannot be used: ") && output.status.code() == Some(2), "{err}");
    }
}

/// This is true of every command.
#[test]
fn closed_output_is_not_an_error() {
    let folder = Folder::new("closed-output");
    let tune = format!("tune --data {}/games --games 9 --nodes 50", folder.path().display());
    for arguments in [
        "--help",
        "prove --help",
        "--version",
        "--completions zsh",
        "games",
        "prove --nodes 1",
        &tune,
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let Output { status, stderr, .. } = program(arguments).stdout(writer).output().unwrap();
        assert_eq!(
            (status.code(), String::from_utf8(stderr).unwrap()),
            (Some(0), String::new()),
            "{arguments}"
        );
    }
}

#[test]
fn unreadable_input_is_reported_with_exit_code_1() {
    for arguments in ["", "--gtp"] {
        let mut command = program(arguments);
        let output = command.stdin(File::open("/").unwrap()).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(
            err.starts_with("pentarch: the input cannot be read: ") && count(&err, "") == 1,
            "{err}"
        );
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    }
}

#[test]
fn unwritable_log_is_reported_once_and_harmless() {
    let folder = Folder::new("full-log");
    let log = folder.file("log");
    let (out, err, code) =
        run(program_after("ulimit -f 0", &format!("--log-file {log}")), "isready\nquery game\n");
    assert_eq!((out.as_str(), code), ("readyok\nresponse alcaxar\n", Some(0)));
    assert!(
        err.starts_with(&format!("pentarch: the log {log} ends here: ")) && count(&err, "") == 1,
        "{err}"
    );
}

#[test]
fn closed_output_ends_gtp_quietly() {
    let mut child = program("--gtp").spawn().unwrap();
    drop(child.stdout.take());
    // The input stays open. So the program ends only because it cannot write the answer.
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"time_settings 0 0.01 1\n").unwrap();
    let _ = input.write_all(b"genmove b\n");
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[test]
fn ends_without_input() {
    for arguments in ["", "--gtp"] {
        let mut command = program(arguments);
        assert!(command.stdin(Stdio::null()).stdout(Stdio::null()).status().unwrap().success());
        assert_eq!(
            run(program_after("exec <&-", arguments), ""),
            (String::new(), String::new(), Some(0))
        );
    }
}

#[test]
fn accepts_byte_order_marks_and_all_line_ends() {
    let (out, _, code) = run(program(""), "\u{feff}isready\r\nquery game\r\n\u{feff}query p1turn");
    assert_eq!((out.as_str(), code), ("readyok\nresponse alcaxar\nresponse true\n", Some(0)));
    assert_eq!(run(program("--gtp"), "\u{feff}name\r\n").0, "= pentarch Alcaxar\n\n");
}

/// Threads whose stacks have a petabyte cannot start. Only the thread that reads the input has a
/// fixed stack size.
#[test]
fn answers_every_go_without_threads() {
    for game in ["alcaxar", "roses", "alquerque"] {
        let mut command = program(&format!("--game {game} --set Threads=3"));
        command.env("RUST_MIN_STACK", (1_u64 << 50).to_string());
        let lines = "query moves\ngo depth 3\ngo infinite\ngo mate 2\ngo p1time 1000 p2time 1000\nperft 3\ndrawoffer\n";
        let (out, err, code) = run(command, lines);
        let legal = out.lines().next().unwrap();
        let moves: Vec<&str> =
            out.lines().filter_map(|line| line.strip_prefix("bestmove ")).collect();
        assert_eq!((moves.len(), code), (4, Some(0)), "{out}{err}");
        assert!(moves.iter().all(|mv| legal.contains(mv)), "{out}");
        assert_eq!(count(&out, "info string error: there is no thread to search on"), 5, "{out}");
        assert_eq!(
            count(&out, "info string stopped") + count(&out, "response decline"),
            2,
            "{out}"
        );
        let mut command = program(&format!("--gtp --game {game} --set Threads=3"));
        command.env("RUST_MIN_STACK", (1_u64 << 50).to_string());
        let (out, err, code) = run(command, "time_settings 0 0.05 1\ngenmove b\nname\n");
        assert!(
            out.contains("\n\n= pentarch ") && count(&out, "= ") == 3 && code == Some(0),
            "{out}"
        );
        // Alquerque plays from its book.
        assert!(
            game == "alquerque" || err.contains("pentarch: only 1 of 3 threads search: "),
            "{err}"
        );
    }
}

/// If memory is limited, a table that does not fit is rejected, and the old table remains. Such a
/// limit is `ulimit -v` in KiB.
#[cfg(target_os = "linux")]
#[test]
fn rejects_a_table_larger_than_memory() {
    let lines = "go depth 3\nsetoption name Hash value 6000\nisready\ngo depth 3\nsetoption name Hash value 20\nisready\n";
    let (out, err, code) = run(with_memory_limit(3_000_000, ""), lines);
    assert_eq!(count(&out, "info string error: "), 1, "{out}{err}");
    assert!(out.contains(" a Hash of 6000 MiB") && out.contains("; nothing is changed\n"), "{out}");
    assert_eq!(
        (count(&out, "bestmove "), count(&out, "readyok"), code),
        (2, 2, Some(0)),
        "{out}{err}"
    );
    let (out, err, code) = run(with_memory_limit(3_000_000, "--set Hash=6000 ugi"), "");
    assert_eq!((out.as_str(), code), ("", Some(2)));
    assert!(err.contains("a Hash of 6000 MiB"), "{err}");
}

/// A proof may fail because there is not enough memory. A shard does not store this result, because
/// another machine may have enough.
#[cfg(target_os = "linux")]
#[test]
fn shard_does_not_store_a_lack_of_memory() {
    let folder = Folder::new("shard-memory");
    let [requests, shard] = ["requests", "shard"].map(|name| folder.file(name));
    fs::write(&requests, "{\"ask\": \"prove\", \"nodes\": 1, \"memory\": 8000}\n").unwrap();
    let arguments = format!("analyse --requests {requests} --shard 0..1 --output {shard}");
    let (out, err, code) = run(with_memory_limit(2_000_000, &arguments), "");
    let expected = format!("pentarch: {requests}: line 1: there is not enough memory\n");
    assert_eq!((out.as_str(), err, code), ("", expected, Some(1)));
    assert!(!fs::exists(&shard).unwrap());
}

/// Lines of 1 MiB are queued after a search. The program stores a limited amount of them as text,
/// and then reads no more. It notices a `stop` among these lines at once.
#[test]
fn queued_input_is_bounded() {
    let line = format!("setoption name Hash value {}\n", "x".repeat(1_048_000));
    for (go, lines, last) in
        [("go depth 200", 40, "stop\nquery game\n"), ("go movetime 700", 72, "query game\n")]
    {
        let mut child = program("--game quoridor").spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut output = child.stdout.take().unwrap();
        let reading = std::thread::spawn(move || {
            let mut text = String::new();
            output.read_to_string(&mut text).unwrap();
            text
        });
        input.write_all(format!("{go}\n").as_bytes()).unwrap();
        (0..lines).for_each(|_| input.write_all(line.as_bytes()).unwrap());
        // Three amounts of memory are queued after the search: 64 MiB, a line that is being read,
        // and a line that is being executed.
        let most = peak_memory(&child);
        assert!(most.is_none_or(|most| most < 250), "{most:?} MiB");
        input.write_all(last.as_bytes()).unwrap();
        drop(input);
        let text = reading.join().unwrap();
        assert_eq!(
            (count(&text, "bestmove "), count(&text, "info string error: ")),
            (1, lines),
            "{go}"
        );
        assert!(text.ends_with("\nresponse quoridor\n") && child.wait().unwrap().success(), "{go}");
    }
}

/// If a file does not fit on the disk, no part of it remains. `ulimit -f` simulates a full disk.
#[test]
fn files_are_complete_or_missing() {
    let folder = Folder::new("whole");
    let file = folder.path().join("file");
    let full = "ulimit -f 0";
    let (out, _, code) = run(
        program_after(full, ""),
        format!("play e8d9\nrecord {}\nquery p1turn\n", file.display()),
    );
    assert_eq!(
        (count(&out, "info string error: '"), count(&out, "response false"), code),
        (1, 1, Some(0)),
        "{out}"
    );
    assert!(!file.exists());
    let output = format!("prove --output {} fen f2h4 b5c6d7e2e8f3g4h5 r - 9", file.display());
    let (_, err, code) = run(program_after(full, &output), "");
    assert!(
        count(&err, &format!("pentarch: {}: ", file.display())) == 1 && code == Some(1),
        "{err}"
    );
    assert!(!file.exists());
    let tables = format!("--game alquerque --set TablePath={} tables 2", folder.path().display());
    let (_, err, code) = run(program_after(full, &tables), "");
    assert!(count(&err, "pentarch: ") == 1 && code == Some(1), "{err}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// If a match can no longer be recorded, the complete games remain.
#[test]
fn only_complete_games_are_recorded() {
    let folder = Folder::new("whole-games");
    let file = folder.file("games");
    let games = |count| {
        format!("arena --game quoridor --nodes 20 --plies 40 --games {count} --record {file}")
    };
    assert_eq!(run(program(&games(1)), "").2, Some(0));
    let kept = fs::read(&file).unwrap();
    let (_, err, code) =
        run(program_after(&format!("ulimit -f {}", kept.len() / 512 + 1), &games(40)), "");
    assert!(
        err.starts_with(&format!("pentarch: a game cannot be recorded: {file}: "))
            && code == Some(1),
        "{err}"
    );
    let left = fs::read_to_string(&file).unwrap();
    assert!(left.as_bytes().starts_with(&kept) && left.ends_with("\n\n"), "{left}");
}

/// Another process that shares the terminal with the program makes the streams non-blocking. In
/// this test the two processes share a socket.
#[test]
fn waits_for_nonblocking_streams() {
    for (arguments, line, answers) in
        [("", "ugi\n", "ugiok\n"), ("--gtp", "list_commands\n", "known_command\n")]
    {
        let (mut ours, theirs) = UnixStream::pair().unwrap();
        theirs.set_nonblocking(true).unwrap();
        let [input, output] =
            [theirs.try_clone().unwrap(), theirs].map(|stream| Stdio::from(OwnedFd::from(stream)));
        let mut child = program(arguments).stdin(input).stdout(output).spawn().unwrap();
        let mut writing = ours.try_clone().unwrap();
        let sent = std::thread::spawn(move || {
            writing.write_all(line.repeat(2000).as_bytes()).unwrap();
            writing.shutdown(Shutdown::Write).unwrap();
        });
        // The pause gives the program time to fill the socket.
        std::thread::sleep(Duration::from_millis(300));
        let mut text = String::new();
        ours.read_to_string(&mut text).unwrap();
        sent.join().unwrap();
        assert_eq!(text.matches(answers).count(), 2000, "{arguments}");
        assert_eq!(child.wait().unwrap().code(), Some(0), "{arguments}");
    }
}

/// Returns the path of the table file of Alquerque's default rules for this number of checkers.
fn table_file(folder: &Path, checkers: &str) -> PathBuf {
    folder.join(format!("alquerque-complete-instant-free-block-{checkers}.table"))
}

/// Replaces table files in this folder by nine files that cannot be used.
fn damage_tables(folder: &Path) {
    let good = fs::read(table_file(folder, "1-2")).unwrap();
    fs::write(table_file(folder, "1-1"), "").unwrap();
    fs::write(table_file(folder, "1-2"), &good[..good.len() / 2]).unwrap();
    fs::write(table_file(folder, "1-3"), "pentarch table 1\nof another version\n").unwrap();
    let damaged = good.iter().map(|&byte| if byte == 1 { 2 } else { byte });
    fs::write(table_file(folder, "1-4"), damaged.collect::<Vec<_>>()).unwrap();
    fs::remove_file(table_file(folder, "2-2")).unwrap();
    fs::create_dir(table_file(folder, "2-2")).unwrap();
    symlink("/dev/zero", table_file(folder, "2-3")).unwrap();
    fs::write(table_file(folder, "3-3"), &good).unwrap();
    fs::set_permissions(table_file(folder, "3-3"), fs::Permissions::from_mode(0o000)).unwrap();
    // Tables for many checkers are not even prepared.
    fs::write(table_file(folder, "6-6"), "").unwrap();
    fs::write(
        table_file(folder, "5-7"),
        "pentarch table 3\nalquerque-complete-instant-free-block-5-7\n9 0\n",
    )
    .unwrap();
}

#[test]
fn reports_and_ignores_useless_table_files() {
    let folder = Folder::new("bad-tables");
    let made = format!("--game alquerque --set TablePath={} tables 4", folder.path().display());
    assert_eq!(run(program(&made), "").2, Some(0));
    damage_tables(folder.path());
    let mut child =
        program(&format!("--game alquerque --set TablePath={}", folder.path().display()))
            .spawn()
            .unwrap();
    let mut input = child.stdin.take().unwrap();
    let lines = "position fen x4/1x3/5/5/o3o l - - - 1\ngo depth 1\ngo depth 1\n";
    input.write_all(lines.as_bytes()).unwrap();
    let mut out = String::new();
    let mut output = child.stdout.take().unwrap();
    while count(&out, "bestmove ") < 2 {
        let mut bytes = [0; 4096];
        let read = output.read(&mut bytes).unwrap();
        assert!(read > 0, "{out}");
        out += std::str::from_utf8(&bytes[..read]).unwrap();
    }
    let most = peak_memory(&child);
    assert!(most.is_none_or(|most| most < 100), "{most:?} MiB");
    // The files are deleted in the middle of the game.
    fs::remove_dir_all(folder.path()).unwrap();
    let lines = format!(
        "go depth 1\nsetoption name TablePath value {}\ngo depth 1\n",
        folder.path().display()
    );
    input.write_all(lines.as_bytes()).unwrap();
    drop(input);
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    for (name, fault) in [
        ("1-1", "it is not a table of pentarch"),
        ("1-2", "it is truncated or has extra bytes"),
        ("1-3", "another version of the program made it"),
        ("1-4", "it contains another table than its name says"),
        ("2-2", "it is not a table of pentarch"),
        ("2-3", "it is not a table of pentarch"),
        ("3-3", ""),
        ("5-7", "it is truncated or has extra bytes"),
        ("6-6", "it is not a table of pentarch"),
    ] {
        let start = format!("info string error: {}: ", table_file(folder.path(), name).display());
        let told: Vec<&str> = out.lines().filter(|line| line.starts_with(&start)).collect();
        assert!(told.len() == 1 && told[0].contains(fault), "{name}: {out}");
    }
    assert_eq!(count(&out, "info string error: "), 9, "{out}");
    // The values exist anyway, because they were computed in memory.
    assert!(out.contains(" tbhits "), "{out}");
    assert_eq!((count(&rest, "bestmove "), count(&rest, "info string error: ")), (2, 1), "{rest}");
    assert!(rest.contains("TablePath takes a directory"), "{rest}");
    assert!(child.wait().unwrap().success());
}

/// Tests no time, little time, and more time than can exist.
#[test]
fn answers_with_times_of_any_size() {
    let mut client = Client::in_process_with(Dialect::Ugi, &[]);
    let most = i64::MAX;
    for go in [
        "movetime 0",
        "movetime 1",
        "movetime -1",
        "p1time 0",
        "p1time 1",
        "p1time 5 p1inc 1000",
        "p1time -5000 p1inc 1000000",
        "p1inc 0",
        &format!("p1time 1 p1inc {most} movestogo 1"),
        &format!("p1time -{most} p2time {most} p1inc -{most} movestogo 1000000"),
        &format!("movetime {most} p1time {most} p1inc {most} movestogo 1 depth 1"),
        &format!("movetime {most} p1time {most} p1inc {most} depth 1"),
    ] {
        client.send(&format!("go {go}"));
        let answer = client.receive_until("bestmove ").pop().unwrap();
        assert_eq!(client.ask(&format!("query islegal {}", &answer[9..])), "response true", "{go}");
    }
    assert_eq!(client.finish().0, [""; 0]);
}

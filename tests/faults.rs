//! What happens when something around the program fails: its output, its input, memory, threads, files of tables.
//! `docs/what-can-go-wrong.md` lists it.

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

/// The program with these arguments, parted by blanks, all its streams being pipes.
fn program(arguments: &str) -> Command {
    client::program(arguments.split_whitespace())
}

/// The program started by the shell after these commands of its.
fn after(commands: &str, arguments: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{commands}; exec \"$0\" \"$@\""), PENTARCH]);
    piped(shell, arguments.split_whitespace())
}

/// The program with this limit on its address space, in KiB. One arena serves all its threads, because glibc would set
/// 64 MiB of the limit apart for each.
fn limited(kib: usize, arguments: &str) -> Command {
    after(&format!("export MALLOC_ARENA_MAX=1; ulimit -v {kib}"), arguments)
}

/// How many lines begin like this.
fn count(text: &str, start: &str) -> usize {
    text.lines().filter(|line| line.starts_with(start)).count()
}

/// The most memory that a running program has had at once, in MiB, where the system tells.
fn most_memory(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(peak.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024)
}

#[test]
fn a_full_disk_is_told_and_exits_with_1() {
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
fn files_that_never_end_are_not_read() {
    for (arguments, code) in [
        ("tune --games 1 --data /dev/zero", 1),
        ("arena --depth 1 --openings /dev/zero", 2),
        ("arena --depth 1 --record /dev/zero", 1),
        ("prove --check /dev/zero", 1),
        ("load /dev/zero", 2),
    ] {
        // Should they be read, the memory is soon used up.
        let (out, err, found) = run(limited(500_000, arguments), "");
        assert!(
            err.contains("/dev/zero") && err.ends_with(": it is not a regular file\n"),
            "{arguments}: {out}{err}"
        );
        assert_eq!(found, Some(code), "{arguments}");
    }
    // A file of the kernel that goes on whenever it has something to tell.
    assert_eq!(run(program("load /proc/kmsg"), "").2, Some(2));
}

/// The files take no room on the disk.
#[cfg(target_os = "linux")]
#[test]
fn files_that_do_not_fit_into_memory_are_not_read() {
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

/// What one run writes to, another one leaves alone.
#[test]
fn files_of_another_run_are_refused() {
    let folder = Folder::new("locks");
    let [games, state, net] = ["games", "state", "net"].map(|name| folder.file(name));
    let tune = format!("tune --game quoridor --nodes 20 --games 2 --data {games}");
    assert_eq!(run(program(&tune), "").2, Some(0));
    let (mut locks, mut files, mut runs) = (BTreeSet::new(), Vec::new(), Vec::new());
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
    // Each of them tries for a second.
    for (named, child) in runs {
        let Output { status, stderr, .. } = child.wait_with_output().unwrap();
        let expected = format!("pentarch: {named}: another run of the program writes to it\n");
        assert_eq!((String::from_utf8(stderr).unwrap(), status.code()), (expected, Some(1)));
    }
    // Another test may be starting a process, which has the files, too, until its program begins.
    files.iter().for_each(|held| held.unlock().unwrap());
    assert_eq!(run(program(&tune), "").2, Some(0));
}

/// A front end may start several engines with one log, and what is no log is left alone.
#[test]
fn logs_are_appended_to_plain_files() {
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
fn a_table_path_that_may_not_be_entered_is_refused() {
    let folder = Folder::new("locked");
    let mut command =
        program(&format!("--game alquerque --set TablePath={} games", folder.path().display()));
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o000)).unwrap();
    // Nothing is locked for root.
    if fs::metadata(folder.path()).unwrap().uid() == 0 {
        command.uid(65534).gid(65534);
    }
    // Others may have no access to the program either.
    if let Ok(output) = command.output() {
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(err.contains("' cannot be used: ") && output.status.code() == Some(2), "{err}");
    }
}

/// Whatever is asked for.
#[test]
fn a_closed_output_is_no_failure() {
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
fn an_input_that_cannot_be_read_is_told_and_exits_with_1() {
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
fn a_log_that_cannot_be_written_is_told_once_and_no_hindrance() {
    let folder = Folder::new("full-log");
    let log = folder.file("log");
    let (out, err, code) =
        run(after("ulimit -f 0", &format!("--log-file {log}")), "isready\nquery game\n");
    assert_eq!((out.as_str(), code), ("readyok\nresponse alcaxar\n", Some(0)));
    assert!(
        err.starts_with(&format!("pentarch: the log {log} ends here: ")) && count(&err, "") == 1,
        "{err}"
    );
}

#[test]
fn a_closed_output_ends_go_front_ends_quietly_too() {
    let mut child = program("--gtp").spawn().unwrap();
    drop(child.stdout.take());
    // The input stays open: it is the answer that cannot be written.
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"time_settings 0 0.01 1\n").unwrap();
    let _ = input.write_all(b"genmove b\n");
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[test]
fn without_input_it_ends() {
    for arguments in ["", "--gtp"] {
        let mut command = program(arguments);
        assert!(command.stdin(Stdio::null()).stdout(Stdio::null()).status().unwrap().success());
        assert_eq!(run(after("exec <&-", arguments), ""), (String::new(), String::new(), Some(0)));
    }
}

#[test]
fn byte_order_marks_and_ends_of_lines_of_all_kinds_are_read() {
    let (out, _, code) = run(program(""), "\u{feff}isready\r\nquery game\r\n\u{feff}query p1turn");
    assert_eq!((out.as_str(), code), ("readyok\nresponse alcaxar\nresponse true\n", Some(0)));
    assert_eq!(run(program("--gtp"), "\u{feff}name\r\n").0, "= pentarch Alcaxar\n\n");
}

/// Threads with stacks of a petabyte cannot be had; only the one that reads has a stack of its own size.
#[test]
fn without_threads_every_go_is_answered() {
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

/// Where memory is limited, as by `ulimit -v` in KiB, a table that does not fit is refused, and the old one serves.
#[cfg(target_os = "linux")]
#[test]
fn a_table_larger_than_memory_is_refused() {
    let lines = "go depth 3\nsetoption name Hash value 6000\nisready\ngo depth 3\nsetoption name Hash value 20\nisready\n";
    let (out, err, code) = run(limited(3_000_000, ""), lines);
    assert_eq!(count(&out, "info string error: "), 1, "{out}{err}");
    assert!(out.contains(" a Hash of 6000 MiB") && out.contains("; nothing is changed\n"), "{out}");
    assert_eq!(
        (count(&out, "bestmove "), count(&out, "readyok"), code),
        (2, 2, Some(0)),
        "{out}{err}"
    );
    let (out, err, code) = run(limited(3_000_000, "--set Hash=6000 ugi"), "");
    assert_eq!((out.as_str(), code), ("", Some(2)));
    assert!(err.contains("a Hash of 6000 MiB"), "{err}");
}

/// A proof for which one machine has no memory is no answer that a shard keeps: another machine may have it.
#[cfg(target_os = "linux")]
#[test]
fn a_shard_does_not_keep_that_memory_is_missing() {
    let folder = Folder::new("shard-memory");
    let [requests, shard] = ["requests", "shard"].map(|name| folder.file(name));
    fs::write(&requests, "{\"ask\": \"prove\", \"nodes\": 1, \"memory\": 8000}\n").unwrap();
    let arguments = format!("analyse --requests {requests} --shard 0..1 --output {shard}");
    let (out, err, code) = run(limited(2_000_000, &arguments), "");
    let expected = format!("pentarch: {requests}: line 1: there is not enough memory\n");
    assert_eq!((out.as_str(), err, code), ("", expected, Some(1)));
    assert!(!fs::exists(&shard).unwrap());
}

/// Lines of 1 MiB that wait behind a search: as many as may wait are kept as they came, and no more are read; `stop`
/// among them is seen at once.
#[test]
fn what_waits_is_bounded() {
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
        // Behind the search stands everything; 64 MiB, a line that is read, and one that is carried out.
        let most = most_memory(&child);
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

/// What is written to a disk that fills up is not left behind in part. `ulimit -f` stands for such a disk.
#[test]
fn files_are_written_whole_or_not_at_all() {
    let folder = Folder::new("whole");
    let file = folder.path().join("file");
    let full = "ulimit -f 0";
    let (out, _, code) =
        run(after(full, ""), format!("play e8d9\nrecord {}\nquery p1turn\n", file.display()));
    assert_eq!(
        (count(&out, "info string error: '"), count(&out, "response false"), code),
        (1, 1, Some(0)),
        "{out}"
    );
    assert!(!file.exists());
    let output = format!("prove --output {} fen f2h4 b5c6d7e2e8f3g4h5 r - 9", file.display());
    let (_, err, code) = run(after(full, &output), "");
    assert!(
        count(&err, &format!("pentarch: {}: ", file.display())) == 1 && code == Some(1),
        "{err}"
    );
    assert!(!file.exists());
    let tables = format!("--game alquerque --set TablePath={} tables 2", folder.path().display());
    let (_, err, code) = run(after(full, &tables), "");
    assert!(count(&err, "pentarch: ") == 1 && code == Some(1), "{err}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Of a match that cannot be kept any more the whole games stay.
#[test]
fn games_are_recorded_whole_or_not_at_all() {
    let folder = Folder::new("whole-games");
    let file = folder.file("games");
    let games = |count| {
        format!("arena --game quoridor --nodes 20 --plies 40 --games {count} --record {file}")
    };
    assert_eq!(run(program(&games(1)), "").2, Some(0));
    let kept = fs::read(&file).unwrap();
    let (_, err, code) = run(after(&format!("ulimit -f {}", kept.len() / 512 + 1), &games(40)), "");
    assert!(
        err.starts_with(&format!("pentarch: a game cannot be recorded: {file}: "))
            && code == Some(1),
        "{err}"
    );
    let left = fs::read_to_string(&file).unwrap();
    assert!(left.as_bytes().starts_with(&kept) && left.ends_with("\n\n"), "{left}");
}

/// As another process makes them that shares a terminal, here a socket for both.
#[test]
fn streams_that_do_not_block_are_waited_for() {
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
        // Time for the program to fill the socket.
        std::thread::sleep(Duration::from_millis(300));
        let mut text = String::new();
        ours.read_to_string(&mut text).unwrap();
        sent.join().unwrap();
        assert_eq!(text.matches(answers).count(), 2000, "{arguments}");
        assert_eq!(child.wait().unwrap().code(), Some(0), "{arguments}");
    }
}

/// The names of table files of Alquerque's default rules, for so many checkers.
fn table(folder: &Path, checkers: &str) -> PathBuf {
    folder.join(format!("alquerque-complete-instant-free-block-{checkers}.table"))
}

#[test]
fn table_files_of_no_use_are_told_and_not_used() {
    let folder = Folder::new("bad-tables");
    let made = format!("--game alquerque --set TablePath={} tables 4", folder.path().display());
    assert_eq!(run(program(&made), "").2, Some(0));
    let good = fs::read(table(folder.path(), "1-2")).unwrap();
    fs::write(table(folder.path(), "1-1"), "").unwrap();
    fs::write(table(folder.path(), "1-2"), &good[..good.len() / 2]).unwrap();
    fs::write(table(folder.path(), "1-3"), "pentarch table 1\nof another version\n").unwrap();
    let damaged = good.iter().map(|&byte| if byte == 1 { 2 } else { byte });
    fs::write(table(folder.path(), "1-4"), damaged.collect::<Vec<_>>()).unwrap();
    fs::remove_file(table(folder.path(), "2-2")).unwrap();
    fs::create_dir(table(folder.path(), "2-2")).unwrap();
    symlink("/dev/zero", table(folder.path(), "2-3")).unwrap();
    fs::write(table(folder.path(), "3-3"), &good).unwrap();
    fs::set_permissions(table(folder.path(), "3-3"), fs::Permissions::from_mode(0o000)).unwrap();
    // Those of many checkers are not even prepared for.
    fs::write(table(folder.path(), "6-6"), "").unwrap();
    fs::write(
        table(folder.path(), "5-7"),
        "pentarch table 3\nalquerque-complete-instant-free-block-5-7\n9 0\n",
    )
    .unwrap();
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
    let most = most_memory(&child);
    assert!(most.is_none_or(|most| most < 100), "{most:?} MiB");
    // Deleted in the midst of the game.
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
        let start = format!("info string error: {}: ", table(folder.path(), name).display());
        let told: Vec<&str> = out.lines().filter(|line| line.starts_with(&start)).collect();
        assert!(told.len() == 1 && told[0].contains(fault), "{name}: {out}");
    }
    assert_eq!(count(&out, "info string error: "), 9, "{out}");
    // The values are there all the same: they were made in memory.
    assert!(out.contains(" tbhits "), "{out}");
    assert_eq!((count(&rest, "bestmove "), count(&rest, "info string error: ")), (2, 1), "{rest}");
    assert!(rest.contains("TablePath takes a directory"), "{rest}");
    assert!(child.wait().unwrap().success());
}

/// With no time, little time, and more time than there is.
#[test]
fn times_of_any_size_are_answered() {
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

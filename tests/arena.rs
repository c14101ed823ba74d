//! Matches as a person runs them. The engines are this program, or engines that fail in every way.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use pentarch_core::notation::record::{GameRecord, two_player_turns_from};
use pentarch_core::{MatchOpenings, Side};
use pentarch_engine::games::all_game_words;

use crate::client::{ANSWER_TIMEOUT, Client, PENTARCH, program, run};
use crate::common::temporary::Folder;

/// Returns modified games with recomputed checksums.
pub(crate) fn with_checksums(text: &str) -> String {
    let games = GameRecord::parse_all(text).unwrap().into_iter();
    games
        .map(|game| game.with_checksum().text(two_player_turns_from((1, Side::First))) + "\n\n")
        .collect()
}

/// Returns the command of an engine that executes `at_go` after a `go`. The engine knows the game
/// of the match.
fn engine_command(folder: &Folder, at_go: &str) -> String {
    script_command(
        folder,
        &format!(
            "ugi) echo 'option name Game type combo'; echo 'option name Style type string'; echo ugiok;;\n\
             isready) echo readyok;;\n\
             go) {at_go};;\n\
             quit) exit;;"
        ),
    )
}

/// Returns the command of an engine that is a shell script. `cases` are the cases of the script
/// that handle a command. The command is in the variables `$word` and `$rest`. The engine logs
/// commands in the file `log` of the folder.
fn script_command(folder: &Folder, cases: &str) -> String {
    let file = folder.file(&format!("engine-{}.sh", fs::read_dir(folder.path()).unwrap().count()));
    let log = folder.file("log");
    let text = format!(
        "while read -r word rest; do\necho \"$word $rest\" >> '{log}'\ncase $word in\n{cases}\nesac\ndone\n"
    );
    fs::write(&file, text).unwrap();
    format!("sh '{file}'")
}

/// Returns the output, the error output and the exit code of a match. `arguments` are separated by
/// blanks and followed by the arguments `more`. Engines that search by nodes or depth have as much
/// time as any answer in the tests, if the arguments do not set a time.
pub(crate) fn run_arena(arguments: &str, more: &[&str]) -> (String, String, Option<i32>) {
    let mut command = program(["arena"]);
    command.args(arguments.split(' ')).args(more);
    if !arguments.contains("--patience") {
        command.args(["--patience", &ANSWER_TIMEOUT.as_millis().to_string()]);
    }
    run(command, "")
}

/// Returns the output of a match that must succeed.
pub(crate) fn run_match(arguments: &str, more: &[&str]) -> String {
    let (out, err, code) = run_arena(arguments, more);
    assert_eq!((err.as_str(), code), ("", Some(0)), "{arguments} {more:?}: {out}");
    out
}

/// Returns the columns after a label in the table of results.
pub(crate) fn row<'a>(out: &'a str, label: &str) -> Vec<&'a str> {
    let line = out.lines().find_map(|line| line.trim_start().strip_prefix(label));
    line.unwrap_or_else(|| panic!("no {label} in {out}")).split_whitespace().collect()
}

pub(crate) fn records(file: &str) -> Vec<GameRecord> {
    GameRecord::parse_all(&fs::read_to_string(file).unwrap()).unwrap()
}

pub(crate) fn tag<'a>(record: &'a GameRecord, name: &str) -> &'a str {
    record.tag_values(name).next().unwrap_or_else(|| panic!("no {name}"))
}

/// Returns the moves of all games, ordered by their numbers.
pub(crate) fn games(file: &str) -> Vec<Vec<String>> {
    let mut records = records(file);
    records.sort_by_key(|record| tag(record, "Number").parse::<u32>().unwrap());
    records.into_iter().map(|record| record.moves.into_iter().map(|mv| mv.text).collect()).collect()
}

#[test]
fn plays_every_game_and_records_load() {
    let folder = Folder::new("arena-games");
    for game in all_game_words() {
        let file = folder.file(game);
        let arguments = format!("--game {game} --nodes 40 --random-plies 4 --games 4 --plies 60");
        // Weaker play needs no tables of solved positions. So an engine that plays weaker shows
        // whether the arena waits for the tables.
        let out = run_match(&arguments, &["--record", &file, "--second-set", "Level=master"]);
        let wins =
            |cell: &str| cell.split('-').map(|number| number.parse::<u32>().unwrap()).sum::<u32>();
        assert_eq!(
            row(&out, "wins-draws-losses").iter().map(|cell| wins(cell)).collect::<Vec<_>>(),
            [4, 4],
            "{out}"
        );
        for kind in ["illegal move", "time", "crash", "hang", "garbage"] {
            assert_eq!(row(&out, &format!("lost by {kind}")), ["0", "0"], "{out}");
        }
        let records = records(&file);
        assert_eq!(records.len(), 4, "{game}");
        let mut client = Client::in_process();
        for (number, record) in (1..).zip(&records) {
            assert!(client.ask(&format!("load {file}:{number}")).contains(": not read: the tag "));
            assert_eq!(client.ask("query outcome"), format!("response {}", tag(record, "Outcome")));
            let is_cut = tag(record, "End") == "ply limit";
            assert_eq!(
                is_cut,
                record.moves.len() == 60 && tag(record, "Outcome") == "ongoing",
                "{record:?}"
            );
            assert!(!is_cut || record.result == "1/2-1/2", "{record:?}");
        }
        assert!(
            client
                .ask(&format!("load {file}"))
                .ends_with("it holds 4 games: FILE:NUMBER names one of them")
        );
        assert!(client.ask(&format!("load {file}:5")).ends_with("it holds games 1 to 4"));
    }
}

#[test]
fn plays_openings_twice_and_games_do_not_depend_on_threads() {
    let folder = Folder::new("arena-threads");
    let arguments =
        "--game quoridor --nodes 60 --random-plies 3 --seed 5 --games 8 --plies 40 --concurrency";
    let [one, three] = ["1", "3"].map(|threads| {
        let file = folder.file(threads);
        run_match(&format!("{arguments} {threads}"), &["--record", &file]);
        games(&file)
    });
    assert_eq!(one, three);
    for pair in one.chunks(2) {
        assert_eq!(pair[0][..3], pair[1][..3]);
    }
    assert_ne!(one[0][..3], one[2][..3]);
}

#[test]
fn swaps_sides_unless_they_are_fixed() {
    let folder = Folder::new("arena-sides");
    let [swapped, fixed] = ["swapped", "fixed"].map(|name| folder.file(name));
    let arguments = "--nodes 20 --games 2 --plies 10 --random-plies 2";
    let names = ["--first-name", "ann \"a\"", "--second-name", "bob"];
    let with = |more: &[&'static str]| {
        names.iter().copied().chain(more.iter().copied()).collect::<Vec<_>>()
    };
    let players = |file: &str| {
        records(file)
            .iter()
            .map(|r| format!("{} {}", tag(r, "P1"), tag(r, "P2")))
            .collect::<Vec<_>>()
    };
    run_match(arguments, &[&with(&[])[..], &["--record", &swapped]].concat());
    assert_eq!(players(&swapped), ["ann \\\"a\\\" bob", "bob ann \\\"a\\\""]);
    let out =
        run_match(arguments, &[&with(&["--fixed-sides"])[..], &["--record", &fixed]].concat());
    assert_eq!(players(&fixed), ["ann \\\"a\\\" bob"; 2]);
    assert!(!out.contains("pairs"), "{out}");
}

/// Plays two games of this program against another engine. That engine executes `at_go` after a
/// `go` and has `movetime` milliseconds for it. Checks that the other engine loses both games, and
/// how the games ended.
fn check_loses(name: &str, at_go: &str, movetime: u32, end: &str) {
    let folder = Folder::new("arena-fault");
    let file = folder.file("games");
    let engine_command = engine_command(&folder, at_go);
    let arguments = format!(
        "--game quoridor --random-plies 0 --first-nodes 20 --second-movetime {movetime} --margin 20 --games 2"
    );
    let out = run_match(&arguments, &["--second", &engine_command, "--record", &file]);
    assert_eq!(row(&out, "wins-draws-losses"), ["2-0-0", "0-0-2"], "{name}: {out}");
    let kind = end.split(": ").next().unwrap();
    assert_eq!(row(&out, &format!("lost by {kind}")), ["0", "2"], "{name}: {out}");
    let records = records(&file);
    for record in &records {
        assert!(tag(record, "End").starts_with(end), "{name}: {record:?}");
        assert_eq!(tag(record, "Outcome"), "ongoing");
    }
    assert_eq!([&records[0].result, &records[1].result], ["1-0", "0-1"]);
    // The engine also loses the second game, because the arena starts it again.
    let log = fs::read_to_string(folder.file("log")).unwrap();
    assert_eq!(log.matches("ugi \n").count(), 2, "{name}: {log}");
    let mut client = Client::in_process();
    assert!(client.ask(&format!("load {file}:1")).contains(": not read: the tag Match"));
    assert_eq!(client.ask("query outcome"), "response ongoing");
}

/// A time in milliseconds that is longer than any answer takes.
const AMPLE_MOVETIME: u32 = ANSWER_TIMEOUT.as_millis() as u32;

#[test]
fn crashing_engine_loses() {
    check_loses("crash", "exit 3", AMPLE_MOVETIME, "crash: the process has ended (exit status: 3)");
    let folder = Folder::new("arena-fail-on-crash");
    let crashing = engine_command(&folder, "exit 3");
    let arguments = "--game quoridor --random-plies 0 --nodes 20 --games 2 --fail-on-crash";
    let (out, err, code) = run_arena(arguments, &["--second", &crashing]);
    assert_eq!(row(&out, "lost by crash"), ["0", "2"], "{out}");
    assert_eq!((err.as_str(), code), ("pentarch: games lost by a crash: 2\n", Some(1)));
}

/// Processes that an engine has started keep its output open. They end together with the engine.
#[cfg(unix)]
#[test]
fn engine_that_leaves_processes_behind_has_crashed() {
    let folder = Folder::new("arena-orphans");
    let orphans = folder.file("orphans");
    check_loses(
        "orphans",
        &format!("sleep 100000 & echo $! >> '{orphans}'; exit 3"),
        AMPLE_MOVETIME,
        "crash: the process has ended",
    );
    let orphans = fs::read_to_string(orphans).unwrap();
    assert_eq!(orphans.lines().count(), 2);
    for orphan in orphans.lines() {
        // The name of a process is empty if the process has ended but no parent has waited for it.
        let ended =
            || fs::read(format!("/proc/{orphan}/cmdline")).map_or(true, |name| name.is_empty());
        while !ended() {
            std::thread::yield_now();
        }
    }
}

/// A power failure loses at most the games since the last sync of the file. Only the system calls
/// show when a file is synced.
#[cfg(target_os = "linux")]
#[test]
fn syncs_every_eighth_game_and_the_last() {
    let folder = Folder::new("arena-sync");
    let calls = folder.file("calls");
    let games = folder.file("games");
    let mut traced = std::process::Command::new("strace");
    traced.args([
        "-f",
        "-e",
        "trace=fdatasync",
        "-o",
        &calls,
        crate::client::PENTARCH,
        "arena",
        "--game",
        "quoridor",
    ]);
    let more = [
        "--nodes",
        "1",
        "--plies",
        "2",
        "--random-plies",
        "0",
        "--games",
        "17",
        "--record",
        &games,
    ];
    let Ok(output) = traced.args(more).output() else {
        return eprintln!("skipped: there is no strace here");
    };
    assert!(output.status.success(), "{output:?}");
    assert_eq!(fs::read_to_string(&calls).unwrap().matches(" fdatasync(").count(), 3);
}

/// An engine that does not know `quit` ends when its input ends. The arena gives the engine time to
/// end before it kills the engine.
#[cfg(unix)]
#[test]
fn engines_may_end_with_their_input() {
    let folder = Folder::new("arena-input");
    let ended = folder.file("ended");
    let patient = script_command(
        &folder,
        &format!(
            "ugi) echo 'option name Game type combo'; echo ugiok;;\n\
             isready) echo readyok;;\n\
             go) echo bestmove e2;;\n\
             quit) while read -r word; do :; done; echo ended > '{ended}'; exit;;"
        ),
    );
    let more = ["--first", &patient];
    // On a busy machine this time may not be enough at the first attempt.
    let mut tries = (0..50).map(|_| {
        run_match("--game quoridor --nodes 20 --games 1 --plies 1 --random-plies 0", &more)
    });
    assert!(tries.any(|_| fs::metadata(&ended).is_ok()));
}

/// Unreadable lines do not prevent the guard from ending the process groups in the other lines. The
/// program is a guard only if no other command is given.
#[cfg(target_os = "linux")]
#[test]
fn guard_skips_unreadable_lines() {
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    let mut sleeping =
        std::process::Command::new("sleep").arg("100000").process_group(0).spawn().unwrap();
    let mut guard = program(["--guard-of-engines"]).spawn().unwrap();
    let input = [b"\xff\nx\n+".as_slice(), sleeping.id().to_string().as_bytes(), b"\n"].concat();
    std::io::Write::write_all(&mut guard.stdin.take().unwrap(), &input).unwrap();
    assert!(guard.wait().unwrap().success());
    // If the guard has not ended the process, this call ends it with another signal.
    let id = nix::unistd::Pid::from_raw(sleeping.id() as i32);
    nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGTERM).unwrap();
    assert_eq!(sleeping.wait().unwrap().signal(), Some(9));
    assert_eq!(run(program(["--guard-of-engines", "games"]), "").2, Some(2));
}

/// A signal that ends the arena also ends its engines and the processes that they have started.
#[cfg(target_os = "linux")]
#[test]
fn signals_end_the_engines() {
    use nix::sys::signal::{Signal, kill};
    // Under `nohup` the arena also ignores the end of the terminal.
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status
        .lines()
        .find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    let is_ignored =
        |signal: Signal| ignored.is_some_and(|ignored| ignored >> (signal as u32 - 1) & 1 == 1);
    let codes = [Some(130), Some(143), Some(129), None];
    for (signal, code) in
        [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGKILL].into_iter().zip(codes)
    {
        if is_ignored(signal) {
            continue;
        }
        let folder = Folder::new(&format!("arena-{signal}"));
        let thinking = folder.file("thinking");
        let engine_command = engine_command(
            &folder,
            &format!("echo $$ > '{thinking}.new'; mv '{thinking}.new' '{thinking}'; sleep 100000"),
        );
        let arguments = [
            "arena",
            "--game",
            "quoridor",
            "--nodes",
            "20",
            "--games",
            "1",
            "--first",
            &engine_command,
        ];
        let mut arena = program(arguments).spawn().unwrap();
        while fs::metadata(&thinking).is_err() {
            std::thread::yield_now();
        }
        kill(nix::unistd::Pid::from_raw(arena.id() as i32), signal).unwrap();
        assert_eq!(arena.wait().unwrap().code(), code, "{signal}");
        let id = fs::read_to_string(&thinking).unwrap();
        while fs::read(format!("/proc/{}/cmdline", id.trim())).is_ok_and(|name| !name.is_empty()) {
            std::thread::yield_now();
        }
    }
}

/// Under `nohup` the end of the terminal does not end a match.
#[cfg(target_os = "linux")]
#[test]
fn match_under_nohup_survives_the_terminal() {
    use nix::sys::signal::{Signal, kill};
    let folder = Folder::new("arena-nohup");
    let thinking = folder.file("thinking");
    let answer = folder.file("answer");
    let at_go =
        format!("> '{thinking}'; until [ -e '{answer}' ]; do sleep 0.01; done; echo bestmove e2");
    let engine_command = engine_command(&folder, &at_go);
    let mut ignoring = std::process::Command::new("sh");
    ignoring.args(["-c", "trap '' HUP; exec \"$0\" \"$@\"", crate::client::PENTARCH]);
    let patience = ANSWER_TIMEOUT.as_millis().to_string();
    let arguments =
        ["arena", "--game", "quoridor", "--nodes", "20", "--games", "1", "--plies", "1"];
    let more = ["--random-plies", "0", "--patience", &patience, "--first", &engine_command];
    let mut arena =
        crate::client::piped(ignoring, arguments.into_iter().chain(more)).spawn().unwrap();
    while fs::metadata(&thinking).is_err() {
        std::thread::yield_now();
    }
    kill(nix::unistd::Pid::from_raw(arena.id() as i32), Signal::SIGHUP).unwrap();
    fs::write(&answer, "").unwrap();
    assert_eq!(arena.wait().unwrap().code(), Some(0));
}

/// If the arena stored the lines of the engine, they would soon use up the memory.
#[cfg(target_os = "linux")]
#[test]
fn rejects_an_engine_with_endless_options() {
    let folder = Folder::new("arena-options");
    let endless = "line=$(head -c 1000000 /dev/zero | tr '\\0' x); while :; do echo \"option name $line\"; done";
    let engine_command = script_command(&folder, &format!("ugi) {endless};;"));
    let mut limited = std::process::Command::new("sh");
    limited.args([
        "-c",
        "export MALLOC_ARENA_MAX=1; ulimit -v 400000; exec \"$0\" \"$@\"",
        crate::client::PENTARCH,
    ]);
    let arguments = [
        "arena",
        "--game",
        "quoridor",
        "--nodes",
        "9",
        "--patience",
        "1000",
        "--second",
        &engine_command,
    ];
    let (_, err, code) = run(crate::client::piped(limited, arguments), "");
    assert!(
        err.contains("the engine 'second' does not start: hang: no 'ugiok'") && code == Some(1),
        "{err}"
    );
}

/// The output of engines and the content of files may contain control characters that a terminal
/// would obey. They are shown without these characters.
#[test]
fn escapes_output_of_engines_and_files() {
    let folder = Folder::new("arena-escapes");
    let red = "\\033[31m\\342\\200\\256red";
    let shown = "\\u{1b}[31m\\u{202e}red";
    let error = format!(
        "ugi) echo ugiok;;\nisready) printf '{red}\\n' >&2; printf 'info string error: {red}\\nreadyok\\n';;"
    );
    let (_, err, code) =
        run_arena("--game quoridor --nodes 9", &["--second", &script_command(&folder, &error)]);
    assert!(err.contains(&format!("second: {shown}\n")) && code == Some(1), "{err}");
    assert!(
        err.ends_with(&format!("pentarch: the engine 'second' does not start: {shown}\n")),
        "{err}"
    );
    let file = folder.file("games");
    let arguments = "--game quoridor --nodes 20 --plies 10 --games 2";
    run_match(arguments, &["--record", &file]);
    let text = fs::read_to_string(&file).unwrap();
    // Records contain no control characters. But they can contain other characters that a terminal
    // obeys.
    fs::write(&file, with_checksums(&text.replace("\"ply limit\"", "\"\u{202e}red\""))).unwrap();
    assert_eq!(
        row(&run_match(arguments, &["--record", &file]), "ends of games")[0],
        "\\u{202e}red"
    );
}

/// In a finished game the example engine in Python has no move. It reports a line that is not UTF-8
/// as an unknown command. If there is no `python3`, prints a reason and returns.
#[test]
fn the_python_engine_survives_finished_games_and_invalid_bytes() {
    let mut command = Command::new("python3");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/engine.py");
    command.arg("-B").arg(path).env("PENTARCH", PENTARCH);
    let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut engine) = spawned else {
        eprintln!("skipped: python3 cannot be started");
        return;
    };
    let lines = b"setoption name Game value roses\n\xff\xfe\n\
        position fen 1/4/4S/1sSSs/s1S1/C b 0/0 1\ngo\nquit\n";
    engine.stdin.take().unwrap().write_all(lines).unwrap();
    let output = engine.wait_with_output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && out.contains("there is no command"), "{out}");
    assert!(out.ends_with("\nbestmove (none)\n"), "{out}");
}

/// The examples of engines in Python play legal moves. Needs `python3`:
///
/// `cargo test --test all arena::the_python_examples -- --ignored`
#[test]
#[ignore = "needs python3"]
fn the_python_examples_play_a_game() {
    let example = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name);
        format!("env PENTARCH='{PENTARCH}' python3 -B '{}'", path.display())
    };
    let first = example("engine.py");
    let second =
        example("wrap_program.py") + " sh -c 'read -r fen; read -r move others; echo $move'";
    let out = run_match(
        "--game roses --fixed-sides --games 1 --movetime 900000",
        &["--first", &first, "--second", &second],
    );
    let faults = ["illegal move", "time", "crash", "hang", "garbage"];
    for fault in faults {
        assert_eq!(row(&out, &format!("lost by {fault}")), ["0", "0"], "{out}");
    }
    assert!(!out.contains("; 0.0 plies"), "{out}");
}

#[test]
fn engine_with_an_illegal_move_loses() {
    check_loses("illegal", "echo bestmove e5", AMPLE_MOVETIME, "illegal move: 'e5', ");
}

/// With `--illegal retry` the arena requests a move up to three more times. Meanwhile the clock of
/// the engine runs.
#[test]
fn retries_after_an_illegal_move() {
    for (legal_at, fault, other) in [(4, 0, "e5"), (5, 1, "e5"), (4, 0, "pass"), (5, 1, "Resign")] {
        let folder = Folder::new(&format!("arena-retry-{legal_at}-{other}"));
        let answer = format!(
            "n=$((n+1)); if [ $n -eq {legal_at} ]; then echo bestmove e2; else echo bestmove {other}; fi"
        );
        let arguments = "--game quoridor --random-plies 0 --plies 1 --games 1 --illegal retry --second-nodes 20";
        let out = run_match(
            arguments,
            &["--first", &engine_command(&folder, &answer), "--first-time", "60000+30000"],
        );
        assert_eq!(row(&out, "lost by illegal move"), [fault.to_string(), "0".into()], "{out}");
        assert!(out.contains("3 retries after illegal moves"), "{out}");
        let log = fs::read_to_string(folder.file("log")).unwrap();
        let clocks: Vec<u32> = log
            .lines()
            .filter_map(|line| line.strip_prefix("go p1time ")?.split(' ').next()?.parse().ok())
            .collect();
        assert!(
            clocks.len() == 4 && clocks[0] == 60000 && clocks.is_sorted_by(|a, b| a >= b),
            "no increment: {log}"
        );
    }
}

#[test]
fn engine_that_answers_garbage_loses() {
    check_loses(
        "garbage",
        "echo bestmove '!?'",
        AMPLE_MOVETIME,
        "garbage: '!?', column 1: expected ",
    );
    check_loses("nothing", "echo bestmove", AMPLE_MOVETIME, "garbage: 'bestmove' without a move");
}

/// The arena waits for these engines, so the games run in parallel.
#[test]
fn silent_engines_lose() {
    std::thread::scope(|scope| {
        scope.spawn(|| check_loses("hang", ":", 30, "hang: no answer in 1.05 s"));
        scope.spawn(|| {
            check_loses(
                "closed",
                "exec >&-",
                AMPLE_MOVETIME,
                "crash: the process has closed its output",
            )
        });
        // The engine has two seconds to report the loss. After that the arena ends it.
        scope.spawn(|| {
            check_loses("banana", "echo banana", 300, "garbage: 'banana' and no answer in ")
        });
        // The first engine has as little time to start as the second one. So the message may name
        // either of them.
        let (_, err, code) = run_arena(
            "--nodes 9 --patience 1000",
            &["--first", "sleep 1000", "--second", "sleep 1000"],
        );
        assert!(err.contains("' does not start: hang: no ") && code == Some(1), "{err}");
    });
}

#[test]
fn late_engine_loses() {
    // The engine answers only when its time is up, because `stop` then tells it to answer.
    let folder = Folder::new("arena-late");
    let engine_command = script_command(
        &folder,
        "ugi) echo ugiok;;\nisready) echo readyok;;\nstop) echo bestmove e2;;\nquit) exit;;",
    );
    let arguments = "--game quoridor --random-plies 0 --fixed-sides --first-movetime 30 --margin 0 --second-nodes 20 --games 2";
    let record = folder.file("games");
    let out = run_match(arguments, &["--first", &engine_command, "--record", &record]);
    assert_eq!(row(&out, "lost by time"), ["2", "0"], "{out}");
    let record = fs::read_to_string(record).unwrap();
    assert_eq!(record.matches("[Outcome \"win black time\"]").count(), 2, "{record}");
    let log = fs::read_to_string(folder.file("log")).unwrap();
    let count =
        |word: &str| log.lines().filter(|line| line.split(' ').next() == Some(word)).count();
    assert_eq!(
        ["ugi", "uginewgame", "go"].map(count),
        [1, 2, 2],
        "one process plays both games: {log}"
    );
}

#[test]
fn flooding_engine_loses() {
    let folder = Folder::new("arena-flood");
    let engine_command = engine_command(&folder, "while :; do echo info string x; done");
    let arguments = "--game quoridor --first-nodes 20 --second-movetime 30 --games 1";
    let out = run_match(arguments, &["--second", &engine_command]);
    assert_eq!(row(&out, "lost by hang"), ["0", "1"], "{out}");
}

#[test]
fn sends_game_rules_and_clocks_to_engines() {
    let folder = Folder::new("arena-told");
    let script_command = |name: &str, ok: &str, at_go: &str| {
        let option = "option name Quoridor_BoardSize type spin default 9 min 3 max 11";
        script_command(
            &folder,
            &format!(
                "{ok}) echo 'option name {name} type combo'; echo '{option}'; echo {ok}ok;;\n\
             isready) echo readyok;;\ngo) {at_go};;\nquit) exit;;"
            ),
        )
    };
    let ugi = script_command("Game", "ugi", "echo bestmove C2 ponder c4");
    let uci = script_command("UCI_Variant", "uci", "exit");
    let arguments =
        "--game quoridor --set Quoridor_BoardSize=5 --time 60000+500 --second-time 70000 --games 1";
    let out = run_match(arguments, &["--first", &ugi, "--second", &uci]);
    assert_eq!(row(&out, "lost by crash"), ["0", "1"], "{out}");
    let log = fs::read_to_string(folder.file("log")).unwrap();
    let lines: Vec<&str> = log.lines().map(str::trim_end).collect();
    for line in [
        "setoption name Game value quoridor",
        "setoption name UCI_Variant value quoridor",
        "setoption name Quoridor_BoardSize value 5",
        "uginewgame",
        "ucinewgame",
        "position startpos",
        "go p1time 60000 p1inc 500 p2time 70000 p2inc 0",
        "position startpos moves c2",
    ] {
        assert!(lines.contains(&line), "{line}: {log}");
    }
    assert!(lines.iter().any(
        |line| line.starts_with("go wtime ") && line.ends_with(" winc 500 btime 70000 binc 0")
    ));
    assert!(
        !log.contains("RepetitionDraw"),
        "an option that an engine does not have is not set: {log}"
    );
    let (_, err, code) =
        run_arena("--game quoridor --set Quoridor_Walls=5 --nodes 9", &["--second", &uci]);
    assert!(err.contains("it has no option 'Quoridor_Walls'") && code == Some(1), "{err}");
}

#[test]
fn resumes_a_match_from_its_file() {
    let folder = Folder::new("arena-resume");
    let file = folder.file("games");
    let whole = folder.file("whole");
    let arguments = "--game bushka --nodes 30 --random-plies 3 --plies 30 --games";
    run_match(&format!("{arguments} 3"), &["--record", &file]);
    let before = fs::read_to_string(&file).unwrap();
    // The program died while it wrote.
    fs::write(&file, format!("{before}[Game \"bushka\"]\n1. d4")).unwrap();
    let out = run_match(&format!("{arguments} 6"), &["--record", &file]);
    assert!(out.contains("3 games are in ") && out.contains("games: 6 of 6"), "{out}");
    assert!(fs::read_to_string(&file).unwrap().starts_with(&format!("{before}[Game")));
    let at_once = run_match(&format!("{arguments} 6"), &["--record", &whole]);
    assert_eq!(games(&file), games(&whole));
    let results =
        |out: &str| row(out, "wins-draws-losses").join(" ") + &row(out, "mean nodes").join(" ");
    assert_eq!(results(&out), results(&at_once));
    let again = run_match(&format!("{arguments} 6"), &["--record", &file]);
    assert_eq!(results(&again), results(&out));

    // An editor has removed the empty line or the line end after the last game. The game still
    // counts.
    for removed in ["\n", "\n\n"] {
        let text = fs::read_to_string(&whole).unwrap();
        fs::write(&file, text.strip_suffix(removed).unwrap()).unwrap();
        let out = run_match(&format!("{arguments} 8"), &["--record", &file]);
        assert!(
            out.contains("6 games are in ") && out.contains("games: 8 of 8"),
            "{removed:?} {out}"
        );
        assert_eq!(games(&file)[..6], games(&whole), "{removed:?}");
        assert_eq!(games(&file).len(), 8, "{removed:?}");
    }

    // The program died while it wrote the first game. So the match begins from scratch.
    let first = fs::read_to_string(&whole).unwrap();
    let cuts = [5, 30, first.find("[Match").unwrap() - 1, first.find("\n1. ").unwrap() + 30];
    for cut in cuts {
        fs::write(&file, &first[..cut]).unwrap();
        run_match(&format!("{arguments} 6"), &["--record", &file]);
        assert_eq!(games(&file), games(&whole), "{cut}");
    }

    let check_rejected = |arguments: &str, file: &str, why: &str| {
        let kept = fs::read(file).unwrap();
        let (out, err, code) = run_arena(arguments, &["--record", file]);
        assert!(err.contains(why) && code == Some(1), "{out}{err}");
        assert_eq!(fs::read(file).unwrap(), kept);
    };
    check_rejected(&format!("{arguments} 6 --seed 2"), &file, "it holds games of another match");
    check_rejected(
        &format!("{arguments} 6 --second-nodes 31"),
        &file,
        "it holds games of another match",
    );
    fs::write(&file, &first[..cuts[3]]).unwrap();
    check_rejected(&format!("{arguments} 6 --seed 2"), &file, "it holds games of another match");
    // The game was recorded by a session or by a person.
    for game in
        ["[Game \"bushka\"]\n[Outcome \"ongoing\"]\n1. b4a5 *\n", "[Game \"bushka\"]\n1. b4a5"]
    {
        fs::write(&file, game).unwrap();
        check_rejected(
            &format!("{arguments} 6"),
            &file,
            "it exists, and does not hold games of a match",
        );
    }
    fs::write(&whole, "a letter\n\nto somebody\n").unwrap();
    check_rejected(
        &format!("{arguments} 6"),
        &whole,
        "it exists, and does not hold games of a match",
    );
    fs::write(&whole, "a letter").unwrap();
    check_rejected(
        &format!("{arguments} 6"),
        &whole,
        "it exists, and does not hold games of a match",
    );
    let (_, err, code) = run_arena(&format!("{arguments} 6"), &["--record", &folder.file(".")]);
    assert!(err.contains("it is not a regular file") && code == Some(1), "{err}");
}

#[test]
fn sequential_test_ends_the_match() {
    let folder = Folder::new("arena-sprt");
    let engine_command = engine_command(&folder, "exit");
    let arguments =
        "--game quoridor --nodes 20 --games 1000 --random-plies 2 --sprt -10 90 --concurrency 2";
    let out = run_match(arguments, &["--second", &engine_command]);
    assert!(
        out.contains("SPRT -10 to 90          LLR ") && out.contains("H1 taken, Elo 90"),
        "{out}"
    );
    let wins: u32 = row(&out, "wins-draws-losses")[0].split('-').next().unwrap().parse().unwrap();
    // Games that are in progress at the decision are played to their end.
    assert!((20..30).contains(&wins), "{out}");
}

/// The match in docs/matches.md ends as documented, except for its times.
#[test]
fn documented_match_has_the_documented_result() {
    let folder = Folder::new("arena-example");
    let (_, text) =
        include_str!("../docs/matches.md").split_once("```sh\npentarch arena ").unwrap();
    let mut blocks = text.split("```");
    let words: Vec<&str> =
        blocks.next().unwrap().split_whitespace().filter(|&word| word != "\\").collect();
    let command = words.join(" ").replace("match.games", &folder.file("match.games"));
    let expected = blocks.nth(1).unwrap().trim_start_matches("text\n");
    let without_times = |text: &str| {
        let lines = text
            .lines()
            .filter(|line| !line.starts_with("mean time") && !line.starts_with("nodes per second"));
        lines.map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(without_times(&run_match(&command, &[])), without_times(expected));
}

#[test]
fn reads_openings_from_a_file() {
    let folder = Folder::new("arena-openings");
    let list = folder.file("list");
    let file = folder.file("games");
    fs::write(&list, "# two\nstartpos moves e2 e8\ne2e8 - b 10/10 2\n").unwrap();
    let arguments = "--game quoridor --nodes 20 --games 6 --plies 8";
    let (_, err, code) = run_arena(arguments, &["--openings", &list, "--record", &file]);
    assert!(err.starts_with("pentarch: there are too few openings: ") && code == Some(0), "{err}");
    let records = records(&file);
    let starts: Vec<_> = records
        .iter()
        .map(|record| (record.tag_values("Fen").next(), tag(record, "Opening")))
        .collect();
    let moves = (None, "2");
    let fen = (Some("e2e8 - b 10/10 2"), "0");
    assert_eq!(starts, [moves, moves, fen, fen, moves, moves]);
    assert!(records[0].begins_with(&["e2".into(), "e8".into()]));
    fs::write(&list, "startpos\nstartpos moves e2 e9\n").unwrap();
    let (_, err, code) = run_arena(arguments, &["--openings", &list]);
    assert!(err.contains("list, line 2: move 2, e9, is illegal: ") && code == Some(2), "{err}");
}

#[test]
fn plays_builtin_openings_in_order() {
    let folder = Folder::new("arena-own-openings");
    let lengths = |file: &str| {
        records(file).iter().map(|record| tag(record, "Opening").to_string()).collect::<Vec<_>>()
    };
    let arguments = "--game roses --nodes 20 --games 6 --plies 12";
    let file = folder.file("own");
    let out = run_match(arguments, &["--record", &file, "--set", "Level=novice"]);
    assert!(
        out.starts_with("roses RepetitionDraw=true, 200 openings of the game, at most 12 plies\n"),
        "{out}"
    );
    let list = pentarch_roses::Roses::default().match_openings().unwrap();
    let openings: Vec<&str> =
        list.lines().filter_map(|line| line.strip_prefix("startpos moves ")).collect();
    for (at, moves) in games(&file).iter().enumerate() {
        assert_eq!(moves[..8].join(" "), openings[at / 2], "game {at}");
    }
    assert_eq!(lengths(&file), ["8"; 6]);

    // These games begin at the start position. In one match this was requested, and in the other
    // the rules have no openings.
    for (name, more) in
        [("asked", ["--random-plies", "0"]), ("other", ["--set", "Quoridor_BoardSize=5"])]
    {
        let file = folder.file(name);
        let arguments = "--game quoridor --nodes 20 --games 2 --plies 6";
        let (out, err, code) = run_arena(arguments, &[&more[..], &["--record", &file]].concat());
        assert_eq!((err.as_str(), code), ("", Some(0)), "{name}");
        assert!(!out.lines().next().unwrap().contains("openings"), "{out}");
        assert_eq!(lengths(&file), ["0"; 2], "{name}");
    }
}

#[test]
fn reports_invalid_arguments() {
    let check_rejected = |arguments: &str, code: i32, why: &str| {
        let (out, err, found) = run_arena(arguments, &[]);
        assert!(err.contains(why) && found == Some(code), "{arguments}: {out}{err}");
    };
    check_rejected(
        "--nodes 9 --game quorridor",
        2,
        "there is no game 'quorridor' (did you mean 'quoridor'?)",
    );
    check_rejected(
        "--nodes 9 --first-set Hsh=3",
        1,
        "'first' does not start: it has no option 'Hsh' (did you mean 'Hash'?)",
    );
    check_rejected(
        "--nodes 9 --second-set Hash=x",
        1,
        "Hash takes a whole number from 1 to 65536, not 'x'",
    );
    check_rejected("--nodes 9 --set Hash", 2, "--set takes NAME=VALUE, not 'Hash'");
    check_rejected("--nodes 9 --set Game=roses", 2, "--game chooses the game, not --set");
    check_rejected(
        "--nodes 9 --first-set RepetitionDraw=true",
        2,
        "RepetitionDraw applies to both engines",
    );
    check_rejected("--first-nodes 9", 2, "the moves of the second engine have no limit");
    check_rejected("--nodes 9 --depth 3", 2, "cannot be used with");
    check_rejected("--nodes 0", 2, "expected a whole number from 1 to 9223372036854775807");
    check_rejected(
        "--nodes 9 --random-plies 400",
        2,
        "--plies leaves no move after the 400 plies of an opening",
    );
    check_rejected(
        "--nodes 9 --plies 8",
        2,
        "--plies leaves no move after the 8 plies of an opening",
    );
    check_rejected("--nodes 9 --sprt 10 0", 2, "the smaller one first");
    check_rejected(
        "--nodes 9 --second /no/such/engine",
        1,
        "the engine 'second' does not start: /no/such/engine: ",
    );
    check_rejected(
        "--nodes 9 --second false",
        1,
        "the engine 'second' does not start: crash: the process has ended",
    );
    check_rejected("--nodes 9 --second sleep", 1, "the engine 'second' does not start: crash: ");
    check_rejected("--gmae roses", 2, "--game");
    let (help, _, code) = run_arena("--help", &[]);
    assert!(
        help.contains("Examples:") && help.contains("--sprt <ELO0> <ELO1>") && code == Some(0),
        "{help}"
    );
}

/// The output for programs has one row for each game. The columns contain nodes, depth and time. A
/// resumed match also prints the games of the earlier run.
#[test]
fn prints_games_as_rows() {
    let folder = Folder::new("arena-rows");
    let record = folder.file("match.games");
    let flags = "--game bushka --depth 1 --plies 30 --first-name a,b";
    let csv = run_match(&format!("{flags} --games 2 --csv"), &["--record", &record]);
    let lines: Vec<&str> = csv.lines().collect();
    let header = "game,opening,p1,p2,result,points,end,plies,p1_moves,p1_plies,p1_nodes,p1_us,p2_moves,p2_plies,p2_nodes,p2_us";
    assert_eq!((lines[0], lines.len()), (header, 3), "{csv}");
    assert!(lines[1].starts_with("1,1,\"a,b\",second,1/2-1/2,0.5,"), "{csv}");
    assert!(lines[2].starts_with("2,1,second,\"a,b\",1/2-1/2,0.5,"), "{csv}");
    let json = run_match(&format!("{flags} --games 4 --json"), &["--record", &record]);
    let rows: Vec<serde_json::Value> =
        json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 5);
    assert_eq!(
        (&rows[0]["p1"], &rows[3]["p2"], &rows[3]["opening"]),
        (&"a,b".into(), &"a,b".into(), &2.into())
    );
    assert!(
        rows[..4].iter().all(|row| row["p1_nodes"].as_u64() > Some(0) && row["p2_us"].is_u64()),
        "{json}"
    );
    assert_eq!((&rows[4]["games"], &rows[4]["llr"]), (&4.into(), &serde_json::Value::Null));
    assert!(rows[4]["elo_low"].as_f64() < rows[4]["elo_high"].as_f64(), "{json}");
}

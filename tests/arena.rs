//! Matches as a person runs them: with this program as both engines, and with engines that fail in every way.

#[path = "common/client.rs"]
mod client;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use client::Client;
use pentarch::games::GameId;
use pentarch::protocol::record::Record;

/// A folder of a test's own.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("pentarch-arena-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().into()
    }

    /// The command of an engine that does this at `go`, and knows the game of the match.
    fn engine(&self, at_go: &str) -> String {
        self.script(&format!(
            "ugi) echo 'option name Game type combo'; echo 'option name Style type string'; echo ugiok;;\n\
             isready) echo readyok;;\n\
             go) {at_go};;\n\
             quit) exit;;"
        ))
    }

    /// The command of an engine that deals with commands, each in `$word $rest`, in these cases of the shell.
    fn script(&self, cases: &str) -> String {
        let file = self.file(&format!("engine-{}.sh", fs::read_dir(&self.0).unwrap().count()));
        let log = self.file("log");
        let text = format!(
            "while read -r word rest; do\necho \"$word $rest\" >> '{log}'\ncase $word in\n{cases}\nesac\ndone\n"
        );
        fs::write(&file, text).unwrap();
        format!("sh '{file}'")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

/// Standard output, error output and exit code of a match with these arguments, parted by blanks, and
/// these more.
fn arena(arguments: &str, more: &[&str]) -> (String, String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_pentarch"))
        .arg("arena")
        .args(arguments.split(' '))
        .args(more)
        .env_remove("RUST_LOG")
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

/// The same, when all is well.
fn played(arguments: &str, more: &[&str]) -> String {
    let (out, err, code) = arena(arguments, more);
    assert_eq!((err.as_str(), code), ("", Some(0)), "{arguments} {more:?}: {out}");
    out
}

/// What stands behind a label in the table of results.
fn row<'a>(out: &'a str, label: &str) -> Vec<&'a str> {
    let line = out.lines().find_map(|line| line.trim_start().strip_prefix(label));
    line.unwrap_or_else(|| panic!("no {label} in {out}")).split_whitespace().collect()
}

fn records(file: &str) -> Vec<Record> {
    Record::parse_all(&fs::read_to_string(file).unwrap()).unwrap()
}

fn tag<'a>(record: &'a Record, name: &str) -> &'a str {
    record.values(name).next().unwrap_or_else(|| panic!("no {name}"))
}

/// The moves of all games, in the order of their numbers.
fn games(file: &str) -> Vec<Vec<String>> {
    let mut records = records(file);
    records.sort_by_key(|record| tag(record, "Number").parse::<u32>().unwrap());
    records.into_iter().map(|record| record.moves).collect()
}

#[test]
fn every_game_is_played_and_its_records_load() {
    let folder = Folder::new("games");
    for game in GameId::WORDS {
        let file = folder.file(game);
        let arguments = format!("--game {game} --nodes 40 --random-plies 4 --games 4 --plies 60 --concurrency 2");
        let out = played(&arguments, &["--record", &file]);
        let wins = |cell: &str| cell.split('-').map(|number| number.parse::<u32>().unwrap()).sum::<u32>();
        assert_eq!(row(&out, "wins-draws-losses").iter().map(|cell| wins(cell)).collect::<Vec<_>>(), [4, 4], "{out}");
        for kind in ["illegal move", "time", "crash", "hang", "garbage"] {
            assert_eq!(row(&out, &format!("lost by {kind}")), ["0", "0"], "{out}");
        }
        let records = records(&file);
        assert_eq!(records.len(), 4, "{game}");
        let mut client = Client::in_process();
        for (number, record) in (1..).zip(&records) {
            client.send(&format!("load {file}:{number}"));
            assert_eq!(client.ask("query outcome"), format!("response {}", tag(record, "Outcome")));
            let is_cut = tag(record, "End") == "ply limit";
            assert_eq!(is_cut, record.moves.len() == 60 && tag(record, "Outcome") == "ongoing", "{record:?}");
            assert!(!is_cut || record.result == "1/2-1/2", "{record:?}");
        }
        assert!(
            client.ask(&format!("load {file}")).ends_with("it holds 4 games: 'load FILE:NUMBER' takes up one of them")
        );
        assert!(client.ask(&format!("load {file}:5")).ends_with("it holds games 1 to 4"));
    }
}

#[test]
fn openings_are_played_twice_and_games_do_not_depend_on_threads() {
    let folder = Folder::new("threads");
    let arguments = "--game roses --nodes 60 --random-plies 3 --seed 5 --games 8 --plies 40 --concurrency";
    let [one, three] = ["1", "3"].map(|threads| {
        let file = folder.file(threads);
        played(&format!("{arguments} {threads}"), &["--record", &file]);
        games(&file)
    });
    assert_eq!(one, three);
    for pair in one.chunks(2) {
        assert_eq!(pair[0][..3], pair[1][..3]);
    }
    assert_ne!(one[0][..3], one[2][..3]);
}

#[test]
fn sides_are_swapped_unless_they_are_fixed() {
    let folder = Folder::new("sides");
    let [swapped, fixed] = ["swapped", "fixed"].map(|name| folder.file(name));
    let arguments = "--nodes 20 --games 2 --plies 10 --random-plies 2";
    let names = ["--first-name", "ann \"a\"", "--second-name", "bob"];
    let with = |more: &[&'static str]| names.iter().copied().chain(more.iter().copied()).collect::<Vec<_>>();
    let players =
        |file: &str| records(file).iter().map(|r| format!("{} {}", tag(r, "P1"), tag(r, "P2"))).collect::<Vec<_>>();
    played(arguments, &[&with(&[])[..], &["--record", &swapped]].concat());
    assert_eq!(players(&swapped), ["ann \\\"a\\\" bob", "bob ann \\\"a\\\""]);
    let out = played(arguments, &[&with(&["--fixed-sides"])[..], &["--record", &fixed]].concat());
    assert_eq!(players(&fixed), ["ann \\\"a\\\" bob"; 2]);
    assert!(!out.contains("pairs"), "{out}");
}

/// Plays two games of this program against an engine that does this at `go`, and returns how they ended.
fn against(name: &str, at_go: &str, end: &str) {
    let folder = Folder::new(name);
    let (file, engine) = (folder.file("games"), folder.engine(at_go));
    let arguments = "--game quoridor --first-nodes 20 --second-movetime 30 --margin 20 --games 2";
    let out = played(arguments, &["--second", &engine, "--record", &file]);
    assert_eq!(row(&out, "wins-draws-losses"), ["2-0-0", "0-0-2"], "{name}: {out}");
    let kind = end.split(": ").next().unwrap();
    assert_eq!(row(&out, &format!("lost by {kind}")), ["0", "2"], "{name}: {out}");
    let records = records(&file);
    for record in &records {
        assert!(tag(record, "End").starts_with(end), "{name}: {record:?}");
        assert_eq!(tag(record, "Outcome"), "ongoing");
    }
    assert_eq!([&records[0].result, &records[1].result], ["1-0", "0-1"]);
    // It loses the second game too: it was started again.
    let log = fs::read_to_string(folder.file("log")).unwrap();
    assert_eq!(log.matches("ugi \n").count(), 2, "{name}: {log}");
    let mut client = Client::in_process();
    client.send(&format!("load {file}:1"));
    assert_eq!(client.ask("query outcome"), "response ongoing");
}

#[test]
fn an_engine_that_crashes_loses() {
    against("crash", "exit 3", "crash: the process has ended (exit status: 3)");
}

#[test]
fn an_engine_that_closes_its_output_loses() {
    against("closed", "exec >&-", "crash: the process has closed its output");
}

#[test]
fn an_engine_that_hangs_loses() {
    against("hang", ":", "hang: no answer in 1.05 s");
}

#[test]
fn an_engine_that_plays_an_illegal_move_loses() {
    against("illegal", "echo bestmove e5", "illegal move: 'e5', ");
}

#[test]
fn an_engine_that_answers_garbage_loses() {
    against("garbage", "echo bestmove '!?'", "garbage: '!?', column 1: expected ");
    against("nothing", "echo bestmove", "garbage: 'bestmove' without a move");
    against("banana", "echo banana", "garbage: 'banana' and no answer in ");
}

#[test]
fn an_engine_that_answers_late_loses() {
    // It answers only when its time is up, which it learns from `stop`.
    let folder = Folder::new("late");
    let engine = folder.script("ugi) echo ugiok;;\nisready) echo readyok;;\nstop) echo bestmove e2;;\nquit) exit;;");
    let arguments = "--game quoridor --fixed-sides --first-movetime 30 --margin 0 --second-nodes 20 --games 2";
    let out = played(arguments, &["--first", &engine]);
    assert_eq!(row(&out, "lost by time"), ["2", "0"], "{out}");
}

#[test]
fn an_engine_that_never_falls_silent_loses() {
    let folder = Folder::new("flood");
    let engine = folder.engine("while :; do echo info string x; done");
    let arguments = "--game quoridor --first-nodes 20 --second-movetime 30 --games 1";
    let out = played(arguments, &["--second", &engine]);
    assert_eq!(row(&out, "lost by hang"), ["0", "1"], "{out}");
}

#[test]
fn engines_are_told_the_game_its_rules_and_the_clocks() {
    let folder = Folder::new("told");
    let script = |name: &str, ok: &str, at_go: &str| {
        let option = "option name Quoridor_BoardSize type spin default 9 min 3 max 11";
        folder.script(&format!(
            "{ok}) echo 'option name {name} type combo'; echo '{option}'; echo {ok}ok;;\n\
             isready) echo readyok;;\ngo) {at_go};;\nquit) exit;;"
        ))
    };
    let ugi = script("Game", "ugi", "echo bestmove C2 ponder c4");
    let uci = script("UCI_Variant", "uci", "exit");
    let arguments = "--game quoridor --set Quoridor_BoardSize=5 --time 60000+500 --second-time 70000 --games 1";
    let out = played(arguments, &["--first", &ugi, "--second", &uci]);
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
    assert!(lines.iter().any(|line| line.starts_with("go wtime ") && line.ends_with(" winc 500 btime 70000 binc 0")));
    assert!(!log.contains("RepetitionDraw"), "an option that an engine does not have is not set: {log}");
    let (_, err, code) = arena("--game quoridor --set Quoridor_Walls=5 --nodes 9", &["--second", &uci]);
    assert!(err.contains("it has no option 'Quoridor_Walls'") && code == Some(1), "{err}");
}

#[test]
fn a_match_goes_on_from_its_file() {
    let folder = Folder::new("resume");
    let (file, whole) = (folder.file("games"), folder.file("whole"));
    let arguments = "--game alquerque --nodes 30 --random-plies 3 --plies 30 --games";
    played(&format!("{arguments} 3"), &["--record", &file]);
    let before = fs::read_to_string(&file).unwrap();
    // The program died while it wrote.
    fs::write(&file, format!("{before}[Game \"alquerque\"]\n1. d3")).unwrap();
    let out = played(&format!("{arguments} 6"), &["--record", &file]);
    assert!(out.contains("3 games are in ") && out.contains("games: 6 of 6"), "{out}");
    assert!(fs::read_to_string(&file).unwrap().starts_with(&format!("{before}[Game")));
    let at_once = played(&format!("{arguments} 6"), &["--record", &whole]);
    assert_eq!(games(&file), games(&whole));
    let results = |out: &str| row(out, "wins-draws-losses").join(" ") + &row(out, "mean nodes").join(" ");
    assert_eq!(results(&out), results(&at_once));
    let again = played(&format!("{arguments} 6"), &["--record", &file]);
    assert_eq!(results(&again), results(&out));

    let refused = |arguments: &str, file: &str, why: &str| {
        let kept = fs::read(file).unwrap();
        let (out, err, code) = arena(arguments, &["--record", file]);
        assert!(err.contains(why) && code == Some(1), "{out}{err}");
        assert_eq!(fs::read(file).unwrap(), kept);
    };
    refused(&format!("{arguments} 6 --seed 2"), &file, "it holds games of another match");
    refused(&format!("{arguments} 6 --second-nodes 31"), &file, "it holds games of another match");
    fs::write(&whole, "a letter\n\nto somebody\n").unwrap();
    refused(&format!("{arguments} 6"), &whole, "it exists, and does not hold games of a match");
    fs::write(&whole, "a letter").unwrap();
    refused(&format!("{arguments} 6"), &whole, "it exists, and does not hold games of a match");
    let (_, err, code) = arena(&format!("{arguments} 6"), &["--record", &folder.file(".")]);
    assert!(err.contains("it is no plain file") && code == Some(1), "{err}");
}

#[test]
fn a_sequential_test_ends_the_match() {
    let folder = Folder::new("sprt");
    let engine = folder.engine("exit");
    let arguments = "--game quoridor --nodes 20 --games 1000 --random-plies 2 --sprt -10 90 --concurrency 2";
    let out = played(arguments, &["--second", &engine]);
    assert!(out.contains("SPRT -10 to 90          LLR ") && out.contains("H1 taken, Elo 90"), "{out}");
    let wins: u32 = row(&out, "wins-draws-losses")[0].split('-').next().unwrap().parse().unwrap();
    // Games that are being played when it is decided are played to their end.
    assert!((20..30).contains(&wins), "{out}");
}

/// The match in README.md ends as it says there, but for its times.
#[test]
fn the_example_of_the_documentation_is_true() {
    let folder = Folder::new("example");
    let (_, text) = include_str!("../README.md").split_once("```sh\npentarch arena ").unwrap();
    let mut blocks = text.split("```");
    let words: Vec<&str> = blocks.next().unwrap().split_whitespace().filter(|&word| word != "\\").collect();
    let command = words.join(" ").replace("match.games", &folder.file("match.games"));
    let expected = blocks.nth(1).unwrap().trim_start_matches("text\n");
    let without_times = |text: &str| {
        let lines = text.lines().filter(|line| !line.starts_with("mean time") && !line.starts_with("nodes per second"));
        lines.map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(without_times(&played(&command, &[])), without_times(expected));
}

#[test]
fn openings_come_from_a_file() {
    let folder = Folder::new("openings");
    let (list, file) = (folder.file("list"), folder.file("games"));
    fs::write(&list, "# two\nstartpos moves e2 e8\ne2e8 - b 10/10 2\n").unwrap();
    let arguments = "--game quoridor --nodes 20 --games 6 --plies 8";
    let (_, err, code) = arena(arguments, &["--openings", &list, "--record", &file]);
    assert!(err.starts_with("pentarch: there are too few openings: ") && code == Some(0), "{err}");
    let records = records(&file);
    let starts: Vec<_> = records.iter().map(|record| (record.values("Fen").next(), tag(record, "Opening"))).collect();
    let (moves, fen) = ((None, "2"), (Some("e2e8 - b 10/10 2"), "0"));
    assert_eq!(starts, [moves, moves, fen, fen, moves, moves]);
    assert!(records[0].moves.starts_with(&["e2".into(), "e8".into()]));
    fs::write(&list, "startpos\nstartpos moves e2 e9\n").unwrap();
    let (_, err, code) = arena(arguments, &["--openings", &list]);
    assert!(err.contains("list, line 2: move 2, e9, is illegal: ") && code == Some(2), "{err}");
}

#[test]
fn what_is_wrong_with_the_arguments_is_said() {
    let refused = |arguments: &str, code: i32, why: &str| {
        let (out, err, found) = arena(arguments, &[]);
        assert!(err.contains(why) && found == Some(code), "{arguments}: {out}{err}");
    };
    refused("--nodes 9 --game quorridor", 2, "there is no game 'quorridor' (did you mean 'quoridor'?)");
    refused("--nodes 9 --first-set Hsh=3", 1, "'first' does not start: it has no option 'Hsh' (did you mean 'Hash'?)");
    refused("--nodes 9 --second-set Hash=x", 1, "Hash takes a whole number from 1 to 65536, not 'x'");
    refused("--nodes 9 --set Hash", 2, "--set takes NAME=VALUE, not 'Hash'");
    refused("--nodes 9 --set Game=roses", 2, "the game is chosen by --game");
    refused("--nodes 9 --first-set RepetitionDraw=true", 2, "RepetitionDraw is a matter of both engines");
    refused("--first-nodes 9", 2, "nothing limits the moves of the second engine");
    refused("--nodes 9 --depth 3", 2, "cannot be used with");
    refused("--nodes 0", 2, "a whole number from 1 to 9223372036854775807 expected");
    refused("--nodes 9 --random-plies 400", 2, "no game goes on after 400 random plies");
    refused("--nodes 9 --sprt 10 0", 2, "the smaller one first");
    refused("--nodes 9 --second /no/such/engine", 1, "the engine 'second' does not start: /no/such/engine: ");
    refused("--nodes 9 --second false", 1, "the engine 'second' does not start: crash: the process has ended");
    refused("--nodes 9 --patience 200 --second sleep", 1, "the engine 'second' does not start: ");
    refused("--gmae roses", 2, "--game");
    let (help, _, code) = arena("--help", &[]);
    assert!(help.contains("Examples:") && help.contains("--sprt <ELO0> <ELO1>") && code == Some(0), "{help}");
}

//! The program as a person or a script runs it. The tests check arguments, exit codes, output and
//! error output.

#[cfg(unix)]
use std::ffi::OsStr;
use std::io::Write;
#[cfg(unix)]
use std::os::unix::ffi::OsStrExt;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::client::{Client, piped, program, run};
use crate::common::temporary::Folder;
use pentarch_engine::games::all_game_words;

/// Runs the program with these arguments and no input. Returns its output, error output and exit
/// code.
fn outputs(arguments: &[&str]) -> (String, String, Option<i32>) {
    run(program(arguments), "")
}

#[test]
fn executes_a_command_in_the_arguments() {
    assert_eq!(outputs(&["perft", "2"]), ("Nodes: 758\n".into(), String::new(), Some(0)));
    assert_eq!(
        outputs(&[
            "--game",
            "QUORIDOR",
            "--set",
            "Quoridor_Walls=3",
            "--set=quoridor_boardsize=5",
            "query",
            "fen"
        ]),
        ("response c1c5 - w 3/3 1\n".into(), String::new(), Some(0))
    );
    let (out, err, code) = outputs(&["go", "depth", "2"]);
    assert!(out.ends_with("bestmove f3g2\n") && err.is_empty() && code == Some(0), "{out}{err}");
}

#[test]
fn command_line_sets_the_listed_defaults() {
    let (out, ..) = outputs(&["-g", "quoridor", "-s", "Hash=8", "ugi"]);
    assert!(out.contains("option name Game type combo default quoridor var alcaxar"), "{out}");
    assert!(out.contains("option name Hash type spin default 8 min 1 max 65536\n"), "{out}");
    assert!(out.ends_with("\nugiok\n"));
}

#[test]
fn lists_both_game_options_with_the_chosen_game() {
    for arguments in [["-g", "roses", "uci"], ["-s", "UCI_Variant=roses", "uci"]] {
        let (out, ..) = outputs(&arguments);
        assert!(
            out.contains("option name UCI_Variant type combo default roses var alcaxar"),
            "{out}"
        );
    }
    assert!(
        outputs(&["-s", "uci_variant=roses", "ugi"])
            .0
            .contains("option name Game type combo default roses ")
    );
}

#[test]
fn errors_go_to_the_error_output_with_exit_code_2() {
    let rejection = |arguments: &[&str]| {
        let (out, err, code) = outputs(arguments);
        assert_eq!((out.as_str(), code), ("", Some(2)), "{arguments:?} {err}");
        err
    };
    assert_eq!(
        rejection(&["prft", "2"]),
        "pentarch: column 1: there is no command 'prft' (did you mean 'perft'?); 'help' lists them all\n"
    );
    assert_eq!(
        rejection(&["opening", "--count", "3"]),
        "pentarch: there is no subcommand 'opening' (did you mean 'openings'?); --help lists them all\n"
    );
    assert_eq!(
        rejection(&["--gtp", "tables", "2"]),
        "pentarch: --gtp chooses the protocol of a session, and a subcommand begins none\n"
    );
    for subcommand in ["analyse", "openings", "rules"] {
        assert_eq!(
            rejection(&["--level", "casual", subcommand]),
            "pentarch: --level says how well to play, and this subcommand plays no game\n"
        );
    }
    assert_eq!(
        rejection(&["--game", "quorridor", "d"]),
        "pentarch: there is no game 'quorridor' (did you mean 'quoridor'?); 'pentarch games' lists them all\n"
    );
    assert_eq!(
        rejection(&["--set", "Hsh=3", "d"]),
        "pentarch: there is no option 'Hsh' (did you mean 'Hash'?); 'ugi' lists them all\n"
    );
    assert_eq!(
        rejection(&["--set", "Hash", "d"]),
        "pentarch: --set takes NAME=VALUE, not 'Hash'\n"
    );
    assert_eq!(
        rejection(&["--set", "Hash=x", "d"]),
        "pentarch: Hash takes a whole number from 1 to 65536, not 'x'\n"
    );
    assert!(rejection(&["--gmae", "roses"]).contains("--game"));
    assert!(rejection(&["--log-file", "/nowhere/at/all", "d"]).contains("/nowhere/at/all"));
}

#[cfg(not(feature = "serve"))]
#[test]
fn program_without_the_page_says_so() {
    let (out, err, code) = outputs(&["serve", "--open"]);
    let expected = "pentarch: this program was built without 'serve', the page for a browser: ";
    assert!(out.is_empty() && err.starts_with(expected) && code == Some(2), "{out}{err}");
}

#[test]
fn help_version_and_completions() {
    let (out, _, code) = outputs(&["--help"]);
    assert!(out.contains("Examples:") && out.contains("--game") && code == Some(0), "{out}");
    let (out, _, code) = outputs(&["--version"]);
    assert_eq!((out, code), (format!("pentarch {}\n", env!("CARGO_PKG_VERSION")), Some(0)));
    for shell in ["bash", "zsh", "fish"] {
        let (out, _, code) = outputs(&["--completions", shell]);
        assert!(out.contains("pentarch") && code == Some(0));
        let missing = all_game_words().iter().find(|word| !out.contains(**word));
        assert_eq!(missing, None, "{shell}");
    }
}

/// If `groff` is installed, it formats the manual page without a warning.
#[test]
fn manual_page_is_well_formed() {
    let (page, _, code) = outputs(&["--man"]);
    assert!(
        page.contains(".SH NAME\n") && page.contains(".SH EXAMPLES\n") && code == Some(0),
        "{page}"
    );
    for name in SUBCOMMANDS {
        assert!(
            page.contains(&format!(".SH \"PENTARCH {}\"\n", name.to_uppercase())),
            "{name}: {page}"
        );
    }
    let markup =
        page.lines().find(|line| ["`", "**", "](", "EXTRA"].iter().any(|mark| line.contains(mark)));
    assert_eq!(markup, None);
    if Command::new("groff").arg("--version").output().is_ok() {
        let (text, warnings, code) =
            run(piped(Command::new("groff"), ["-man", "-Tutf8", "-ww", "-P-cbou"]), &page);
        assert_eq!((warnings.as_str(), code), ("", Some(0)));
        assert!(text.contains("--first-nodes") && text.contains("pentarch perft 4"), "{text}");
    }
}

/// The subcommands whose help is the same in all forms.
const SUBCOMMANDS: [&str; 9] =
    ["arena", "convert", "openings", "play", "problems", "prove", "rules", "tables", "tune"];

/// There are two forms of help. Both exist for commands of a session and for subcommands.
#[test]
fn help_about_one_command_has_two_forms() {
    let help = |arguments: &str| {
        let (out, err, code) = outputs(&arguments.split(' ').collect::<Vec<_>>());
        assert_eq!((err.as_str(), code), ("", Some(0)), "{arguments}");
        out
    };
    for name in ["games", "bench", "perft"] {
        let text = help(&format!("help {name}"));
        assert!(text.starts_with(&format!("usage: {name}")), "{text}");
        assert_eq!(help(&format!("{name} -h")), text);
        assert_eq!(help(&format!("--game roses {name} 3 --help")), text);
    }
    for name in SUBCOMMANDS {
        let text = help(&format!("{name} --help"));
        assert!(text.contains(&format!("Usage: pentarch {name}")), "{text}");
        assert_eq!(help(&format!("help {name}")), text);
    }
}

/// The help of a subcommand lists only flags that the subcommand accepts. Their descriptions fit
/// the subcommand. Help is wrapped only at a terminal.
#[test]
fn help_of_a_subcommand_fits_it() {
    let help = |name: &str| outputs(&[name, "--help"]).0;
    for name in [
        "analyse", "convert", "diagram", "openings", "problems", "prove", "rules", "tables", "tune",
    ] {
        assert!(!help(name).contains("--level"), "{name}");
    }
    for name in ["arena", "play"] {
        assert!(help(name).contains("--level <NAME>"), "{name}");
        assert_eq!(help(name).contains("both engines ('pentarch help setoption'"), name == "arena");
    }
    assert!(outputs(&["--help"]).0.contains("Common options:"));
    let (out, err, code) =
        outputs(&["--level", "casual", "arena", "--games", "2", "--nodes", "10", "--fixed-sides"]);
    assert!(out.contains("Elo") && code == Some(0), "{out}{err}");
    // Without a terminal the variable COLUMNS sets the width, and otherwise it is 80.
    for (columns, width) in [("", 80), ("60", 60)] {
        let mut command = program(["play", "--help"]);
        command.env("COLUMNS", columns);
        let (out, ..) = run(command, "");
        let widest = out.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        assert!((width - 10..=width).contains(&widest), "{widest}: {out}");
        assert!(out.contains("\n  pentarch play quoridor --set"), "{out}");
    }
}

/// If a flag has the name of an option, the error says how to set the option.
#[test]
fn explains_an_option_used_as_a_flag() {
    let suggested_option = |arguments: &[&str]| {
        let (_, err, code) = outputs(arguments);
        assert_eq!(code, Some(2), "{err}");
        err.lines()
            .find_map(|line| Some(line.split_once("--set '")?.1.trim_end_matches('\'').to_owned()))
    };
    let is = |arguments: &[&str], expected: &str| {
        assert_eq!(suggested_option(arguments).as_deref(), Some(expected), "{arguments:?}")
    };
    is(&["play", "quoridor", "--walls", "5"], "Quoridor_Walls=5");
    is(&["play", "quoridor", "--board-size=5"], "Quoridor_BoardSize=5");
    is(&["--game", "alquerque", "openings", "--ruleset", "bell"], "Alquerque_Ruleset=bell");
    is(&["arena", "--threads"], "Threads=VALUE");
    assert_eq!(suggested_option(&["play", "quoridor", "--nonsense", "5"]), None);
}

/// If no game was chosen, a message about a position names the default game.
#[test]
fn names_the_default_game() {
    let rejection = |arguments: &[&str]| {
        let (out, err, code) = outputs(arguments);
        assert!(out.is_empty() && code == Some(2), "{out}{err}");
        err
    };
    for subcommand in ["diagram", "prove"] {
        assert_eq!(
            rejection(&[subcommand, "Roses"]),
            "pentarch: 'roses' is a game, and a position is expected here: --game roses chooses the game\n"
        );
        let taken = "; the game is Alcaxar by default; --game chooses another ('pentarch games' lists them)\n";
        let without_signs = rejection(&[subcommand, "fen", "nothing"]);
        assert!(without_signs.ends_with(taken), "{without_signs}");
        assert!(
            !rejection(&["--game", "alcaxar", subcommand, "fen", "nothing"]).contains("by default")
        );
        assert!(
            !rejection(&["--set", "Game=alcaxar", subcommand, "fen", "nothing"])
                .contains("no game")
        );
    }
    let (out, err, code) = outputs(&["diagram"]);
    assert!(
        out.starts_with("<svg") && err.is_empty() && code == Some(0),
        "a pipe gets the picture alone: {err}"
    );
}

#[test]
fn lists_every_game_in_one_line() {
    let (out, _, _) = outputs(&["games"]);
    let first: Vec<&str> = out.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(first, all_game_words());
}

#[test]
fn bounded_search_finishes_after_the_end_of_the_input() {
    let (out, _, code) = run(program([""; 0]), "go depth 4\nquery fen");
    assert!(out.contains("info depth 4 ") && out.contains("\nbestmove "), "{out}");
    assert_eq!(code, Some(0));
    let (out, err, code) = run(program([""; 0]), "go infinite");
    assert!(out.lines().last().unwrap().starts_with("bestmove "), "{out}");
    assert_eq!((err.as_str(), code), ("", Some(0)));
}

#[test]
fn quit_stops_at_once_and_answers() {
    let mut client = Client::program(&[]);
    client.send("go infinite");
    client.send("quit");
    let (lines, code) = client.finish();
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), 1, "{lines:#?}");
    assert_eq!(code, Some(0));
}

#[test]
fn closed_output_ends_the_program_quietly() {
    let mut child = program([""; 0]).spawn().unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    // The pipe breaks as soon as the program has ended.
    while input.write_all(b"isready\n").is_ok() {}
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[test]
fn closed_output_ends_a_running_search() {
    let mut child = program([""; 0]).spawn().unwrap();
    drop(child.stdout.take());
    // The input stays open. So only the search can notice that the output is closed.
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"go infinite\n").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn log_contains_input_and_output() {
    let folder = Folder::new("log");
    let file = folder.file("log");
    let (out, err, _) = run(program(["--log-file", &file]), "isready\n");
    let log = std::fs::read_to_string(&file).unwrap();
    assert!(log.contains("> isready") && log.contains("< readyok"), "{log}");
    assert_eq!((out.as_str(), err.as_str()), ("readyok\n", ""));
}

/// The signature of the search. It consists of the number of nodes that the search visits in the
/// benchmark of each game. If a commit changes the search on purpose, these numbers change. The
/// message of the commit contains their sum. An unintended change is a fault. In most cases the
/// results are still right, but the speed is lower.
const SIGNATURE: [(&str, u64); 5] = [
    ("alcaxar", 17_307),
    ("alquerque", 558_509),
    ("roses", 62),
    ("quoridor", 13_810),
    ("bushka", 250_346),
];

#[test]
fn benchmark_matches_the_signature() {
    let (out, err, code) = outputs(&["bench"]);
    assert_eq!((err.as_str(), code), ("", Some(0)));
    let counted = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        Some((words[0].to_owned(), words.get(3)?.parse().unwrap()))
    };
    let counted: Vec<(String, u64)> = out.lines().map_while(counted).collect();
    let signature = SIGNATURE.map(|(game, nodes)| (game.to_owned(), nodes));
    assert_eq!(counted, signature, "SIGNATURE in tests/program.rs");
    let all: u64 = SIGNATURE.iter().map(|(_, nodes)| nodes).sum();
    assert!(out.contains(&format!("\nNodes: {all}\nNPS: ")), "{out}");
    // A lower depth visits fewer nodes.
    let mut client = Client::in_process();
    client.send("bench 1");
    let lines = client.receive_until("Nodes: ");
    let nodes = lines.last().unwrap().strip_prefix("Nodes: ").unwrap().parse::<u64>().unwrap();
    assert!(0 < nodes && nodes < all, "{nodes}");
}

/// Prints the times from `stop` to `bestmove`, which depend on the machine:
/// `cargo test --release --test all time_to_stop -- --ignored --nocapture`.
#[test]
#[ignore = "prints figures"]
fn time_to_stop() {
    for threads in [1, 64, 256] {
        for game in ["quoridor", "alcaxar"] {
            let mut client = Client::program(&[]);
            client.send(&format!("setoption name Game value {game}"));
            client.send(&format!("setoption name Threads value {threads}"));
            let mut times = Vec::new();
            for _ in 0..10 {
                client.send("go infinite");
                thread::sleep(Duration::from_millis(500));
                let begun = Instant::now();
                client.send("stop");
                client.receive_until("bestmove");
                times.push(begun.elapsed());
            }
            times.sort();
            println!("{game}, {threads} threads: {:?} (median), {:?} at most", times[5], times[9]);
        }
    }
}

/// File names on Unix are bytes.
#[test]
#[cfg(unix)]
fn reads_files_with_names_that_are_not_utf8() {
    let folder = Folder::new("names");
    let path = |name: &[u8]| folder.path().join(OsStr::from_bytes(name));
    let games = "[Game \"quoridor\"] 1. e2 e8 *\n\n[Game \"quoridor\"] 1. e2 *\n";
    std::fs::write(path(b"g\xff.txt"), games).unwrap();
    let second = path(b"g\xff.txt:2");
    let read = |arguments: &[&str], input: &str| {
        let mut command = program(arguments);
        command.arg(&second);
        run(command, input)
    };
    let (out, err, code) = read(&["convert"], "");
    assert_eq!((out.lines().last(), code), (Some("1. e2 *"), Some(0)), "{err}");
    let (out, err, code) = read(&["analyse", "--nodes=50"], "");
    assert!(out.contains("1.   e2") && code == Some(0), "{err}");
    let (out, err, code) = read(&["play", "--side=both", "--load"], "quit\n");
    assert!(out.contains("Last move: e2") && code == Some(0), "{out}{err}");
}

//! The program as a person or a script runs it: arguments, exit codes, output and error output.

use std::io::Write;
use std::process::Command;

use crate::client::{Client, piped, program, run};
use crate::common::temporary::Folder;

/// Output, error output and exit code of the program with these arguments and no input.
fn texts(arguments: &[&str]) -> (String, String, Option<i32>) {
    run(program(arguments), "")
}

#[test]
fn a_command_as_words_is_carried_out() {
    assert_eq!(texts(&["perft", "2"]), ("Nodes: 758\n".into(), String::new(), Some(0)));
    assert_eq!(
        texts(&[
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
    let (out, err, code) = texts(&["go", "depth", "2"]);
    assert!(out.ends_with("bestmove f3g2\n") && err.is_empty() && code == Some(0), "{out}{err}");
}

#[test]
fn the_command_line_chooses_the_defaults_that_are_listed() {
    let (out, ..) = texts(&["-g", "quoridor", "-s", "Hash=8", "ugi"]);
    assert!(out.contains("option name Game type combo default quoridor var alcaxar"), "{out}");
    assert!(out.contains("option name Hash type spin default 8 min 1 max 65536\n"), "{out}");
    assert!(out.ends_with("\nugiok\n"));
}

#[test]
fn both_names_of_the_game_are_listed_with_the_one_chosen() {
    for arguments in [["-g", "roses", "uci"], ["-s", "UCI_Variant=roses", "uci"]] {
        let (out, ..) = texts(&arguments);
        assert!(
            out.contains("option name UCI_Variant type combo default roses var alcaxar"),
            "{out}"
        );
    }
    assert!(
        texts(&["-s", "uci_variant=roses", "ugi"])
            .0
            .contains("option name Game type combo default roses ")
    );
}

#[test]
fn what_is_refused_goes_to_the_error_output_with_exit_code_2() {
    let refused = |arguments: &[&str]| {
        let (out, err, code) = texts(arguments);
        assert_eq!((out.as_str(), code), ("", Some(2)), "{arguments:?} {err}");
        err
    };
    assert_eq!(
        refused(&["prft", "2"]),
        "pentarch: column 1: there is no command 'prft' (did you mean 'perft'?); 'help' lists them all\n"
    );
    assert_eq!(
        refused(&["opening", "--count", "3"]),
        "pentarch: there is no subcommand 'opening' (did you mean 'openings'?); --help lists them all\n"
    );
    assert_eq!(
        refused(&["--gtp", "tables", "2"]),
        "pentarch: --gtp chooses the protocol of a session, and a subcommand begins none\n"
    );
    for subcommand in ["analyse", "openings", "rules"] {
        assert_eq!(
            refused(&["--level", "casual", subcommand]),
            "pentarch: --level says how well to play, and this subcommand plays no game\n"
        );
    }
    assert_eq!(
        refused(&["--game", "quorridor", "d"]),
        "pentarch: there is no game 'quorridor' (did you mean 'quoridor'?); 'pentarch games' lists them all\n"
    );
    assert_eq!(
        refused(&["--set", "Hsh=3", "d"]),
        "pentarch: there is no option 'Hsh' (did you mean 'Hash'?); 'ugi' lists them all\n"
    );
    assert_eq!(refused(&["--set", "Hash", "d"]), "pentarch: --set takes NAME=VALUE, not 'Hash'\n");
    assert_eq!(
        refused(&["--set", "Hash=x", "d"]),
        "pentarch: Hash takes a whole number from 1 to 65536, not 'x'\n"
    );
    assert!(refused(&["--gmae", "roses"]).contains("--game"));
    assert!(refused(&["--log-file", "/nowhere/at/all", "d"]).contains("/nowhere/at/all"));
}

#[cfg(not(feature = "serve"))]
#[test]
fn a_program_without_the_page_says_so() {
    let (out, err, code) = texts(&["serve", "--open"]);
    let expected = "pentarch: this program was built without 'serve', the page for a browser: ";
    assert!(out.is_empty() && err.starts_with(expected) && code == Some(2), "{out}{err}");
}

#[test]
fn help_version_and_completions() {
    let (out, _, code) = texts(&["--help"]);
    assert!(out.contains("Examples:") && out.contains("--game") && code == Some(0), "{out}");
    let (out, _, code) = texts(&["--version"]);
    assert_eq!((out, code), (format!("pentarch {}\n", env!("CARGO_PKG_VERSION")), Some(0)));
    for shell in ["bash", "zsh", "fish"] {
        let (out, _, code) = texts(&["--completions", shell]);
        assert!(out.contains("pentarch") && code == Some(0));
        let missing = pentarch_games::GameId::WORDS.iter().find(|word| !out.contains(**word));
        assert_eq!(missing, None, "{shell}");
    }
}

/// The page is formatted without a warning where there is a `groff` to do so.
#[test]
fn the_manual_page() {
    let (page, _, code) = texts(&["--man"]);
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

/// Commands of a session and subcommands are helped with in both forms.
#[test]
fn help_about_one_command() {
    let help = |arguments: &str| {
        let (out, err, code) = texts(&arguments.split(' ').collect::<Vec<_>>());
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

/// Flags that a subcommand refuses are not in its help, and the words fit it. Where there is no terminal nothing is
/// wrapped.
#[test]
fn the_help_of_a_subcommand_fits_it() {
    let help = |name: &str| texts(&[name, "--help"]).0;
    for name in [
        "analyse", "convert", "diagram", "openings", "problems", "prove", "rules", "tables", "tune",
    ] {
        assert!(!help(name).contains("--level"), "{name}");
    }
    for name in ["arena", "play"] {
        assert!(help(name).contains("--level <NAME>"), "{name}");
        assert_eq!(help(name).contains("both engines ('pentarch ugi'"), name == "arena");
    }
    assert!(texts(&["--help"]).0.contains("Common options:"));
    let (out, err, code) =
        texts(&["--level", "casual", "arena", "--games", "2", "--nodes", "10", "--fixed-sides"]);
    assert!(out.contains("Elo") && code == Some(0), "{out}{err}");
    // A long paragraph is one line.
    assert!(help("play").lines().any(|line| line.len() > 100));
}

/// A flag that is the name of an option says how that is set.
#[test]
fn an_option_given_as_a_flag_is_named() {
    let tip = |arguments: &[&str]| {
        let (_, err, code) = texts(arguments);
        assert_eq!(code, Some(2), "{err}");
        err.lines()
            .find_map(|line| Some(line.split_once("--set '")?.1.trim_end_matches('\'').to_owned()))
    };
    let is = |arguments: &[&str], expected: &str| {
        assert_eq!(tip(arguments).as_deref(), Some(expected), "{arguments:?}")
    };
    is(&["play", "quoridor", "--walls", "5"], "Quoridor_Walls=5");
    is(&["play", "quoridor", "--board-size=5"], "Quoridor_BoardSize=5");
    is(&["--game", "alquerque", "openings", "--ruleset", "bell"], "Alquerque_Ruleset=bell");
    is(&["arena", "--threads"], "Threads=VALUE");
    assert_eq!(tip(&["play", "quoridor", "--nonsense", "5"]), None);
}

/// What is said about a position names the game that was taken where none was chosen.
#[test]
fn a_game_that_nobody_has_chosen_is_named() {
    let refused = |arguments: &[&str]| {
        let (out, err, code) = texts(arguments);
        assert!(out.is_empty() && code == Some(2), "{out}{err}");
        err
    };
    for subcommand in ["diagram", "prove"] {
        assert_eq!(
            refused(&[subcommand, "Roses"]),
            "pentarch: 'roses' is a game, and a position is expected here: --game roses chooses the game\n"
        );
        let taken = "; the game is Alcaxar by default; --game chooses another ('pentarch games' lists them)\n";
        let bare = refused(&[subcommand, "fen", "nothing"]);
        assert!(bare.ends_with(taken), "{bare}");
        assert!(!refused(&["--game", "alcaxar", subcommand, "fen", "nothing"]).contains("no game"));
        assert!(
            !refused(&["--set", "Game=alcaxar", subcommand, "fen", "nothing"]).contains("no game")
        );
    }
    let (out, err, code) = texts(&["diagram"]);
    assert!(
        out.starts_with("<svg") && err.is_empty() && code == Some(0),
        "a pipe gets the picture alone: {err}"
    );
}

#[test]
fn every_game_is_listed_in_one_line() {
    let (out, _, _) = texts(&["games"]);
    let first: Vec<&str> = out.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(first, pentarch_games::GameId::WORDS);
}

#[test]
fn the_end_of_the_input_lets_a_bounded_search_finish() {
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
fn a_closed_output_ends_the_program_quietly() {
    let mut child = program([""; 0]).spawn().unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    // The pipe breaks as soon as the program has ended.
    while input.write_all(b"isready\n").is_ok() {}
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[test]
fn a_closed_output_ends_a_search_that_still_writes() {
    let mut child = program([""; 0]).spawn().unwrap();
    drop(child.stdout.take());
    // The input stays open: only the search can notice.
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"go infinite\n").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn the_log_holds_input_and_output() {
    let folder = Folder::new("log");
    let file = folder.file("log");
    let (out, err, _) = run(program(["--log-file", &file]), "isready\n");
    let log = std::fs::read_to_string(&file).unwrap();
    assert!(log.contains("> isready") && log.contains("< readyok"), "{log}");
    assert_eq!((out.as_str(), err.as_str()), ("readyok\n", ""));
}

/// The signature of the search: how many nodes it visits in the benchmark of each game. Whoever changes the search on
/// purpose changes these numbers, and names their sum in the commit message. Without such a purpose a difference is a
/// fault, mostly one that answers right and only more slowly.
const SIGNATURE: [(&str, u64); 5] = [
    ("alcaxar", 25_393),
    ("alquerque", 786_904),
    ("roses", 62),
    ("quoridor", 13_826),
    ("bushka", 172_869),
];

#[test]
fn the_benchmark_counts_the_nodes_of_the_signature() {
    let (out, err, code) = texts(&["bench"]);
    assert_eq!((err.as_str(), code), ("", Some(0)));
    let counted = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        Some((words[0].to_owned(), words.get(3)?.parse().unwrap()))
    };
    let counted: Vec<(String, u64)> = out.lines().map_while(counted).collect();
    assert_eq!(counted, SIGNATURE.map(|(game, nodes)| (game.to_owned(), nodes)));
    let all: u64 = SIGNATURE.iter().map(|(_, nodes)| nodes).sum();
    assert!(out.contains(&format!("\nNodes: {all}\nNPS: ")), "{out}");
    // Less deep, there are fewer.
    let mut client = Client::in_process();
    client.send("bench 1");
    let lines = client.receive_until("Nodes: ");
    let nodes = lines.last().unwrap().strip_prefix("Nodes: ").unwrap().parse::<u64>().unwrap();
    assert!(0 < nodes && nodes < all, "{nodes}");
}

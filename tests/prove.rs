//! The subcommand `prove` as people run it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use svg::parser::Event;

use crate::check_proof::run_script;
use crate::client::{program, run};
use crate::common::temporary::Folder;
use crate::proof_files::with_new_checksum;

/// Runs the subcommand. Returns the standard output together with the error output, and the exit
/// code.
fn prove(arguments: &[&str]) -> (String, i32) {
    let (out, err, code) = run(program(arguments), "");
    (out + &err, code.unwrap())
}

const WON_POSITION: [&str; 7] = ["fen", "x4/2o2/4o/5/5", "l", "-", "-", "-", "19"];

#[test]
fn names_the_winner_or_reports_that_there_is_none() {
    let (text, code) = prove(&["prove", "fen", "f2h4", "b5c6d7e2e8f3g4h5", "r", "-", "9"]);
    assert!(
        text.starts_with("red wins in at most 1 plies: 1 replies, 2 positions checked\nNodes: 1\n"),
        "{text}"
    );
    assert_eq!(code, 0);
    let (text, code) = prove(&["prove", "startpos", "moves", "e8d9", "c6b7", "b5a6", "d7c8"]);
    assert_eq!((text.as_str(), code), ("the game is over: green has won (trapped)\n", 0));
    let lost = ["-g", "alquerque", "prove", "fen", "5/5/2x2/5/o4", "d", "-", "-", "-", "1"];
    let (text, code) = prove(&[&lost[..], &["moves", "c3c2"]].concat());
    assert!(
        text.contains("light does not win: ") && text.contains("dark does not win: ") && code == 0,
        "{text}"
    );
}

#[test]
fn values_each_move() {
    let (text, code) =
        prove(&[&["--game", "alquerque", "prove", "--moves"], &WON_POSITION[..]].concat());
    let worth =
        |mv: &str| text.lines().find(|line| line.starts_with(mv)).unwrap_or_default().to_string();
    assert!(
        worth("c4b4: ").starts_with("c4b4: loses in at most ")
            && worth("e3d2: ").contains(" wins "),
        "{text}"
    );
    assert_eq!(
        (text.lines().filter(|line| line.ends_with(" positions checked")).count(), code),
        (9, 0)
    );
}

#[test]
fn writes_a_proof_and_rejects_a_changed_one() {
    let folder = Folder::new("proof");
    let name = &folder.file("win.proof");
    let arguments = [
        &["--game", "alquerque", "--set", "Alquerque_Retreat=free", "prove", "--output", name],
        &WON_POSITION[..],
    ];
    let (text, code) = prove(&arguments.concat());
    assert!(text.starts_with("light wins in at most ") && code == 0, "{text}");
    let claim = text.lines().next().unwrap();
    // An error of the output file is reported before the search begins.
    let (text, code) = prove(&["prove", "--output", name, "--nodes", "1"]);
    assert_eq!((text, code), (format!("pentarch: {name}: it is there already\n"), 1));
    let (text, code) = prove(&["prove", "--book", "no such directory/book", "--nodes", "1"]);
    assert_eq!(
        (text, code),
        ("pentarch: no such directory/book: there is no such directory\n".into(), 1)
    );
    let (text, code) = prove(&["prove", "--check", name]);
    let confirmed =
        "\nRules: alquerque Alquerque_Retreat=free\nPosition: x4/2o2/4o/5/5 l - - - 19\nTime: ";
    assert!(text.starts_with(&format!("{claim}{confirmed}")) && code == 0, "{text}");
    // An existing file is not overwritten.
    assert_eq!(prove(&arguments.concat()).1, 1);
    let written = fs::read_to_string(name).unwrap();
    let replies =
        written.lines().filter(|line| !line.contains(':') && !line.starts_with("pentarch")).count();
    assert!(replies > 20);
    for (from, to) in [
        ("Claim: light", "Claim: dark"),
        ("Claim: light wins", "Claim: light does not win"),
        ("Claim: light wins", "Claim: \u{1b}light wins"),
        ("Option: Alquerque_Retreat=free\n", ""),
        ("x4/2o2/4o/5/5 l", "x4/2o2/4o/5/5 d"),
        ("pentarch proof 3", "pentarch proof 2"),
        ("Game: alquerque", "Game: chess"),
        ("\nClaim: light wins", "\nMoves: c4c6\nClaim: light wins"),
        ("\nPosition: ", "\nOption: TablePath=.\nPosition: "),
        ("\nClaim: light wins", "\nClaim: light wins\nRelaxed: dark"),
        ("\nClaim: light wins", "\nClaim: light wins\nRelaxed: light"),
    ] {
        assert!(written.contains(from), "{from}");
        fs::write(name, with_new_checksum(&written.replace(from, to))).unwrap();
        let (text, code) = prove(&["prove", "--check", name]);
        assert!(text.starts_with(&format!("pentarch: {name}: ")) && code == 1, "{to}: {text}");
        assert!(text.lines().all(|line| !line.contains(char::is_control)), "{text:?}");
    }
    // The number of a move does not matter, but the file is not the one that was written.
    fs::write(name, written.replacen("- - 20 ", "- - 21 ", 1)).unwrap();
    let (text, code) = prove(&["prove", "--check", name]);
    assert!(text.ends_with("': the file is damaged or was changed\n") && code == 1, "{text}");
    // A side without a move has not lost by these rules. But nothing can be claimed for it, because
    // the game is over.
    let drawn = "pentarch proof 3\nGame: alquerque\nOption: Alquerque_Win=capture\n\
                 Position: 2xxo/3xx/2x1x/5/5 l - - - 9\nClaim: dark wins\n";
    fs::write(name, with_new_checksum(drawn)).unwrap();
    assert_eq!(
        prove(&["prove", "--check", name]),
        (
            format!(
                "pentarch: {name}: the game is over in the position 2xxo/3xx/2x1x/5/5 l - - - 9\n"
            ),
            1
        )
    );
    fs::remove_file(name).unwrap();
    assert_eq!(prove(&["prove", "--check", name]).1, 1);
    assert_eq!(
        prove(&["prove", "--check", "."]),
        ("pentarch: .: it is not a regular file\n".into(), 1)
    );
}

/// Checks that both checkers reject files that break the format, although their checksum is right.
/// They accept lines in another order, and lines for positions that do not occur.
#[test]
fn checkers_reject_a_second_line_of_the_same_kind() {
    let start = "pentarch proof 3\nGame: alquerque\nOption: Alquerque_Retreat=player\n\
                 Position: 5/2x2/2o2/5/5 l c3c4c4b4 - - 1\n";
    let reply = "5/2x2/2o2/5/5 l c3c4 - - 1 c3c5\n";
    let end = format!("Claim: light wins\nRelaxed: light\n{reply}");
    let folder = Folder::new("proof-format");
    let mut cases = Vec::new();
    for (line, error) in [
        ("", None),
        ("foo bar baz\n", None),
        ("Game: alquerque\n", Some("line 5: a second tag Game")),
        ("Position: 5/2x2/2o2/5/5 l - - - 1\n", Some("line 5: a second tag Position")),
        ("Claim: light wins\n", Some("line 6: a second tag Claim")),
        ("Relaxed: light\n", Some("line 7: a second tag Relaxed")),
        (
            "Option: Alquerque_Retreat=player\n",
            Some("line 5: the option 'Alquerque_Retreat' is set twice"),
        ),
        ("Moves: \n", Some("line 5: the tag Moves is empty")),
        ("Author: me\n", Some("line 5: unknown tag 'Author'")),
        ("5/2x2/2o2/5/5 l c3c4 - - 7 c3d3\n", Some("line 8: a second reply to the same position")),
        ("a b \u{e9}\n", Some("the file has other characters than ASCII")),
        ("Author: me\r\n", Some("line 5: unknown tag 'Author'")),
        ("a b\n", Some("line 5: expected a tag, or a FEN and a move")),
        (" a b\n", Some("line 5: expected a tag, or a FEN and a move")),
        ("a b c \n", Some("line 5: expected a tag, or a FEN and a move")),
    ] {
        cases.push((folder.file(&format!("{}.proof", cases.len())), error));
        fs::write(&cases[cases.len() - 1].0, with_new_checksum(&format!("{start}{line}{end}")))
            .unwrap();
    }
    for (name, error) in &cases {
        let (text, code) = prove(&["prove", "--check", name]);
        match error {
            Some(error) => assert_eq!((text, code), (format!("pentarch: {name}: {error}\n"), 1)),
            None => assert!(text.starts_with("light wins in ") && code == 0, "{text}"),
        }
    }
    let names: Vec<String> = cases.iter().map(|(name, _)| name.clone()).collect();
    let Some(output) = run_script("examples/check_proof.py", &names) else { return };
    assert_eq!(output.lines.len(), cases.len(), "{}", output.errors);
    for ((name, error), line) in cases.iter().zip(&output.lines) {
        let is_rejected = line.starts_with(&format!("{name}: the proof does not hold: "));
        assert_eq!(is_rejected, error.is_some(), "{error:?}: {line}");
    }
}

/// A proof may rest on tables. Then its check also needs the tables. A book from such a proof leads
/// to positions in smaller tables.
#[test]
fn proofs_use_tables_and_become_books() {
    let folder = Folder::new("tables-proof");
    let [name, free_name, book] =
        &["tables.proof", "free.proof", "light.book"].map(|name| folder.file(name));
    let position = ["fen", "2x1x/x3x/1o3/1oo2/oo1o1", "l", "-", "-", "-", "1"];
    let options =
        ["-g", "alquerque", "prove", "--tables", "5", "--side", "light", "--output", name];
    let (text, code) = prove(&[&options[..], &position].concat());
    assert!(text.starts_with("light wins in at most ") && code == 0, "{text}");
    let claim = text.lines().next().unwrap();
    let (text, code) = prove(&["prove", "--check", name]);
    assert!(text.contains(": there is no reply to the position ") && code == 1, "{text}");
    let (text, code) = prove(&["prove", "--check", name, "--tables", "5"]);
    assert!(text.starts_with(claim) && code == 0, "{text}");

    let free = [
        "-g",
        "alquerque",
        "--set",
        "Alquerque_Retreat=free",
        "prove",
        "--tables",
        "5",
        "--side",
        "light",
    ];
    assert_eq!(prove(&[&free[..], &["--output", free_name], &position].concat()).1, 0);
    let (text, code) = prove(&["prove", "--check", free_name, "--tables", "5", "--book", book]);
    assert!(text.starts_with("light wins in at most ") && code == 0, "{text}");
    let bytes = fs::read(book).unwrap().len();
    assert!((100..5000).contains(&bytes), "{bytes}");
}

/// Under the rules `bell`, a proof contains moves that the history may forbid. The winner's book
/// also contains them.
#[test]
fn proofs_and_books_contain_moves_forbidden_by_history() {
    let folder = Folder::new("bell-proof");
    let [name, book] = &["bell.proof", "bell.book"].map(|name| folder.file(name));
    let bell = [
        "-g",
        "alquerque",
        "--set",
        "Alquerque_Ruleset=bell",
        "prove",
        "--output",
        name,
        "--book",
        book,
    ];
    let (text, code) =
        prove(&[&bell[..], &["fen", "2x1x/x3x/1o3/1oo2/oo1o1", "l", "-", "-", "-", "1"]].concat());
    assert!(text.starts_with("light wins in at most ") && code == 0, "{text}");
    let (checked, code) = prove(&["prove", "--check", name]);
    assert!(checked.starts_with(text.lines().next().unwrap()) && code == 0, "{checked}");
    let bytes = fs::read(book).unwrap().len();
    assert!((500..5000).contains(&bytes), "{bytes}");
}

/// The commands in docs/proofs.md print the documented output, except for times.
#[test]
fn documented_examples_match_the_output() {
    let folder = Folder::new("proof-example");
    let file = folder.file("win.proof");
    let text = include_str!("../docs/proofs.md");
    let examples = text
        .split_once("```console")
        .unwrap()
        .1
        .split("```")
        .next()
        .unwrap()
        .split("\n$ pentarch ")
        .skip(1);
    let mut count = 0;
    for (command, expected) in examples.map(|example| example.split_once('\n').unwrap()) {
        let arguments =
            command.split(' ').map(|word| if word == "win.proof" { &file } else { word });
        let (found, code) = prove(&arguments.collect::<Vec<_>>());
        let without_time = |text: &str| {
            text.lines().filter(|line| !line.starts_with("Time: ")).collect::<Vec<_>>().join("\n")
        };
        assert!(
            expected.starts_with("...") || without_time(&found) == without_time(expected),
            "{command}: {found}"
        );
        assert_eq!(code, 0, "{command}");
        count += 1;
    }
    assert_eq!(count, 4);
}

#[test]
fn invalid_arguments_and_unsettled_questions_have_exit_codes() {
    for arguments in
        [&["prove", "here"][..], &["prove", "--side", "blue"], &["prove", "--memory", "0"]]
    {
        let (text, code) = prove(arguments);
        assert!(code == 2 && !text.is_empty(), "{arguments:?}: {text}");
    }
    let (text, code) = prove(&["prove", "--nodes", "100", "--side", "GREEN"]);
    assert!(
        text.ends_with("pentarch: not settled: more memory or more nodes may help\n") && code == 1,
        "{text}"
    );
}

/// Runs an example script with these arguments. Returns its output. If there is no `python3`,
/// prints a reason and returns `None`.
fn example(script: &str, arguments: &[&str]) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(script);
    let Ok(output) = Command::new("python3").arg("-B").arg(path).args(arguments).output() else {
        eprintln!("skipped: python3 cannot be started");
        return None;
    };
    assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

/// The questions about the start of Alquerque concern different rule sets. The map has a field for
/// each answer.
#[test]
fn scripts_query_and_draw_the_starts_of_alquerque() {
    let folder = Folder::new("starts");
    let Some(questions) = example("alquerque_rule_sets.py", &[]) else { return };
    let questions: Vec<Value> =
        questions.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let different: BTreeSet<String> =
        questions.iter().map(|question| question["options"].to_string()).collect();
    assert_eq!((questions.len(), different.len()), (336, 336));
    let mut few: Vec<Value> = questions.into_iter().step_by(130).collect();
    for question in &mut few {
        question["nodes"] = 1.into();
        question["tables"] = 2.into();
        question["memory"] = 1.into();
    }
    // The first node already answers one of the questions.
    few[1]["fen"] = "5/5/2x2/2o2/o4 l - - - 1".into();
    let lines: String = few.iter().map(|question| format!("{question}\n")).collect();
    let requests = folder.file("few.jsonl");
    let file = folder.file("answers.jsonl");
    fs::write(&requests, lines).unwrap();
    let arguments = ["analyse", "--requests", &requests];
    let (answers, err, code) = run(program(arguments), String::new());
    assert_eq!((err.as_str(), code), ("", Some(0)), "{answers}");
    fs::write(&file, answers).unwrap();
    let picture = example("alquerque_map.py", &[&file]).unwrap();
    let events: Vec<Event> = svg::read(&picture).unwrap().collect();
    assert!(!events.iter().any(|event| matches!(event, Event::Error(_))), "{picture}");
    let count_results = |result: &str| picture.matches(&format!(": {result}")).count();
    assert_eq!(
        (count_results("open; 1 positions, "), count_results("Light wins in at most 1 plies; ")),
        (2, 1),
        "{picture}"
    );
    let table = example("alquerque_map.py", &["--table", &file]).unwrap();
    let row = |cells: &str| table.lines().filter(|line| line.contains(cells)).count();
    assert_eq!(
        (row("` | open | 1 | "), row("` | Light wins in at most 1 plies | 1 | ")),
        (2, 1),
        "{table}"
    );
    // The shards of an unfinished run can also be used.
    let shard = folder.file("a.shard");
    let (said, _, code) = run(
        program([&arguments[..], &["--shard", "1..3", "--output", &shard]].concat()),
        String::new(),
    );
    assert_eq!((said.as_str(), code), ("", Some(0)));
    let part = example("alquerque_map.py", &["--table", &shard]).unwrap();
    let is_known = |line: &str| {
        line.rsplit_once(" | ").is_none_or(|(but_for_the_time, _)| table.contains(but_for_the_time))
    };
    assert!(part.lines().count() == 4 && part.lines().all(is_known), "{part}");
}

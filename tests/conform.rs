//! The subcommand `conform`, and the cases that it generates.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use boon::{Compiler, Schemas};
use pentarch::conform::case::{CaseQuestion, ConformanceCase, PositionReply};
use pentarch::conform::checked_rule_sets::{RuleSet, rule_sets_of_game};
use pentarch::conform::consistency::{RulesMethodCheck, check_consistency};
use pentarch::conform::generator::{CaseCounts, generate_cases, generate_conformance_cases};
use pentarch::conform::rule_cases::parse_rule_cases;
use pentarch_core::Options;
use pentarch_core::view::rules_page::parse_rules_text;
use pentarch_engine::engine_state::new_game_session;
use pentarch_engine::game_session::new_session_with_rules;
use pentarch_engine::games::{RulesId, all_game_words};
use pentarch_games::{Game, GameOperation};
use pentarch_nim::{CONTRADICTION_OPTION, Nim};
use pentarch_roses::Roses;

use crate::client::{PENTARCH, program, run};
use crate::common::temporary::Folder;
use crate::common::{default_options, for_each_rules};
use crate::requirements::sentence_names;
use mutations::{MUTATIONS, Mutation};

mod mutations;

/// The cases of a rule set in the usual tests.
const FEW: CaseCounts = CaseCounts { positions: 4, illegal: 8, invalid: 6, games: 2, perfts: 1 };

/// Checks that the rule cases of a game name exactly the sentences of its rules text.
#[derive(Clone)]
struct CheckSentences;

impl GameOperation for CheckSentences {
    type Output = ();

    fn run_for_game_type<G: Game>(self) {
        let options = default_options::<G>();
        let cases = parse_rule_cases(G::RULE_CASES, &options, G::RULE_OPTIONS).unwrap();
        let shown: BTreeSet<String> = cases.into_iter().flat_map(|case| case.rules).collect();
        let text = parse_rules_text::<G>()
            .unwrap_or_else(|error| panic!("{error}: give it Notation::RULES_TEXT"));
        let names = sentence_names(&text);
        assert_eq!(shown, names.into_iter().collect(), "{}", G::GAME_NAME);
    }
}

#[test]
fn every_sentence_of_the_rules_has_a_case() {
    for_each_rules(CheckSentences);
}

/// Writes cases to a file, and returns its path.
fn write_cases(folder: &Folder, cases: &[ConformanceCase]) -> String {
    let path = folder.file("cases.jsonl");
    let lines: Vec<String> = cases.iter().map(|case| case.to_line() + "\n").collect();
    fs::write(&path, lines.concat()).unwrap();
    path
}

/// Runs `conform` with these arguments.
fn conform(arguments: &[&str]) -> (String, String, Option<i32>) {
    run(program([&["conform"], arguments].concat()), "")
}

/// Returns the place of Guerre des Deux Roses in the list of games.
fn roses_rules() -> RulesId {
    RulesId::all().find(|id| id.game_definition().word == "roses").unwrap()
}

/// Returns the cases of the default rules of Guerre des Deux Roses: a few random ones, and those
/// that show its sentences.
fn roses_cases() -> Vec<ConformanceCase> {
    let set = &rule_sets_of_game(roses_rules())[0];
    let mut cases = generate_conformance_cases(&set.options).unwrap();
    cases.retain(|case| case.options.is_empty());
    cases.extend(generate_cases(set, FEW, 1));
    cases
}

#[test]
fn the_program_passes_its_own_cases() {
    let folder = Folder::new("conform");
    let cases = roses_cases();
    let path = write_cases(&folder, &cases);
    let (out, err, code) = conform(&["--engine", PENTARCH, "--cases", &path]);
    assert_eq!(out, format!("all {} cases agree\n", cases.len()));
    assert_eq!((err.as_str(), code), ("", Some(0)));
}

#[test]
fn cases_fit_their_schema() {
    let text = include_str!("../fixtures/protocol/cases.schema.json");
    let address = "https://pentarch.invalid/cases.schema.json";
    let mut schemas = Schemas::new();
    let mut compiler = Compiler::new();
    compiler.add_resource(address, serde_json::from_str(text).unwrap()).unwrap();
    let schema = compiler.compile(address, &mut schemas).unwrap();
    for case in roses_cases() {
        let mut value = serde_json::to_value(&case).unwrap();
        assert!(schemas.validate(&value, schema).is_ok(), "{value}");
        assert_eq!(serde_json::from_value::<ConformanceCase>(value.clone()).unwrap(), case);
        value["unknown"] = 1.into();
        assert!(schemas.validate(&value, schema).is_err(), "{value}");
    }
}

#[test]
fn differences_name_the_rule_with_both_replies() {
    let folder = Folder::new("conform");
    let mut cases = roses_cases();
    cases.retain(|case| case.rules.first().is_some_and(|rule| rule == "1.3" || rule == "3.3"));
    for case in &mut cases {
        match &mut case.question {
            CaseQuestion::Position(PositionReply { legal, outcome, p1turn, .. }) => {
                *legal = "c2 d3".into();
                *outcome = "win white castle".into();
                *p1turn = false;
            }
            CaseQuestion::Move { legal, .. } => *legal = !*legal,
            _ => {}
        }
    }
    let path = write_cases(&folder, &cases);
    let (out, err, code) = conform(&["--engine", PENTARCH, "--cases", &path]);
    for part in [
        "roses: legal moves are missing\n  position: position fen c/4/5/5/4/C w 4/4 1\n",
        "  missing:  c2\n  illegal:  e4\n  expected: c2 d3\n  reply:    d3 e4\n  rule:     3.3 That ",
        "roses: another outcome\n",
        "  expected: win white castle\n  reply:    ongoing\n  rule:     6.1 The player who captures ",
        "roses: another side to move\n",
        "  command:  query islegal c2\n  expected: true\n  reply:    false\n  rule:     3.3 ",
        "roses: illegal moves are listed, rule 3.3: ",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    assert_eq!(code, Some(1));
    assert!(err.starts_with("pentarch: ") && err.ends_with(" cases differ\n"), "{err}");
}

#[test]
fn contradictions_in_the_rules_name_the_methods() {
    let nim = || new_session_with_rules(Nim::default(), None);
    let error = check_consistency("nim".into(), &nim).unwrap_err();
    let message =
        "nim: position fen 21: `parse_move` and `resolve_move` must find each legal move: 2";
    assert_eq!(error.to_string(), message);
    let roses = || new_game_session(&rule_sets_of_game(roses_rules())[0].options);
    check_consistency("roses".into(), &roses).unwrap();
    RulesMethodCheck(&rule_sets_of_game(roses_rules())[0].options)
        .run_for_game_type::<Roses>()
        .unwrap();
    for (value, message) in [
        (
            "end",
            "position fen 0: `legal_moves` must be empty exactly if `outcome` ends the game: [1]",
        ),
        ("index", "position fen 21: `history_table_index` must be below HISTORY_TABLE_SIZE: 3"),
        ("symmetry", "position fen 21: `symmetries` must preserve `legal_moves`: one more"),
        ("none", "position fen 21: BENCH_POSITIONS must have valid FENs: 21"),
    ] {
        let mut options = Options::default();
        options.set(&CONTRADICTION_OPTION, value).unwrap();
        let error = RulesMethodCheck(&options).run_for_game_type::<Nim>().unwrap_err().to_string();
        assert!(error.ends_with(message), "{error}");
    }
}

#[test]
fn reports_engines_and_files_that_cannot_be_checked() {
    let folder = Folder::new("conform");
    let path = write_cases(&folder, &roses_cases()[..1]);
    let (_, err, code) = conform(&[]);
    assert!(err.contains("<--engine <COMMAND>|--write <FILE>>") && code == Some(2), "{err}");
    let (_, err, code) = conform(&["--engine", "no-such-engine", "--cases", &path]);
    assert!(err.contains("no-such-engine") && code == Some(1), "{err}");
    let invalid = folder.file("invalid.jsonl");
    for (line, part) in [
        ("{\"game\":\"roses\"}", "line 2: missing field `fen`"),
        (
            r#"{"game":"roses","fen":"C","case":"invalid","option":{}}"#,
            "line 2: unknown field 'option'",
        ),
        ("{\"game\":\"chess\",\"fen\":\"\",\"case\":\"invalid\"}", "line 2: Game takes alcaxar, "),
    ] {
        fs::write(&invalid, format!("\n{line}\n")).unwrap();
        let (_, err, code) = conform(&["--engine", PENTARCH, "--cases", &invalid]);
        assert!(err.contains(part) && code == Some(1), "{err}");
    }
    assert_eq!(conform(&[]).2, Some(2));
    for engine in ["", "  ", "''"] {
        assert_eq!(conform(&["--engine", engine, "--cases", &path]).2, Some(2), "{engine:?}");
    }
    assert_eq!(conform(&["--engine", PENTARCH, "--set", "Hash=1"]).2, Some(2));
    assert_eq!(conform(&["--write", &path]).2, Some(2));
}

/// Writes an engine as a shell script, which knows only the start position of Guerre des Deux
/// Roses.
/// `arms` are its responses to other lines. Returns its command.
#[cfg(unix)]
fn write_engine(folder: &Folder, arms: &str) -> String {
    let script = format!(
        "while read -r line; do case $line in {arms} \
        ugi) echo ugiok ;; isready) echo readyok ;; quit) exit ;; \
        'query fen') echo response c/4/5/5/4/C w 4/4 1 ;; \
        'query moves') echo response d3 e4 ;; esac; done"
    );
    let engine = folder.file("engine.sh");
    fs::write(&engine, script).unwrap();
    format!("sh {engine}")
}

/// Checks such an engine with the cases of these lines, which are about Guerre des Deux Roses.
#[cfg(unix)]
fn conform_engine(arms: &str, lines: &[&str]) -> (String, String, Option<i32>) {
    let folder = Folder::new("conform");
    let path = folder.file("cases.jsonl");
    fs::write(&path, lines.join("\n")).unwrap();
    let engine = write_engine(&folder, arms);
    conform(&["--engine", &engine, "--cases", &path, "--game", "roses"])
}

/// The case of the start position.
#[cfg(unix)]
const START_CASE: &str = r#"{"game":"roses","fen":"c/4/5/5/4/C w 4/4 1","case":"position","legal":"d3 e4","outcome":"ongoing","p1turn":true}"#;

#[cfg(unix)]
#[test]
fn asks_whether_legal_moves_are_legal() {
    let arms = "'query islegal e4') echo response false ;; 'query islegal'*) echo response true ;;";
    let (out, _, code) = conform_engine(arms, &[START_CASE]);
    let part = "  command:  query islegal e4\n  expected: true\n  reply:    false\n";
    assert!(out.contains(part) && !out.contains("query islegal d3"), "{out}");
    assert_eq!(code, Some(1));
}

/// An engine accepts each FEN and each move, resets the position, or writes no errors.
#[cfg(unix)]
#[test]
fn checks_that_rejected_positions_change_nothing() {
    let lines = [
        r#"{"game":"roses","fen":"C/4/5/5/4/c w 4/4 1","case":"invalid"}"#,
        r#"{"game":"roses","fen":"c/4/5/5/4/C w 4/4 1","case":"move","move":"c4","legal":false}"#,
    ];
    let earlier = "'position startpos moves d3') f='c/4/5/5/1S2/C b 3/4 1' ;; \
        'query fen') echo response $f ;; 'position startpos') f='c/4/5/5/4/C w 4/4 1' ;; ";
    let (out, err, code) = conform_engine(earlier, &lines);
    assert!(out.contains("the engine has no 'info string error': not checked\n"), "{out}");
    assert_eq!((err.as_str(), code), ("", Some(0)));
    for (arms, parts) in [
        ("position*) f=other ;;", ["  reply:    other\n", "accepts an invalid position"]),
        (
            "position*) f=other; echo info string error: no ;;",
            [
                "  expected: c/4/5/5/1S2/C b 3/4 1\n  reply:    other\n",
                "roses: another position, rule 2.2: 1",
            ],
        ),
        (
            "*moves\\ c4) echo info string error: no ;;",
            ["  command:  position fen C/4/5/5/4/c w 4/4 1\n", "  reply:    (nothing)\n"],
        ),
    ] {
        let (out, _, code) = conform_engine(&format!("{earlier}{arms}"), &lines);
        assert!(parts.iter().all(|part| out.contains(part)), "{arms}\n{out}");
        assert_eq!(code, Some(1));
    }
}

#[cfg(unix)]
#[test]
fn checks_the_start_position_and_unknown_option_values() {
    let lines = [
        r#"{"game":"roses","options":{"Roses_ContiguousSupport":"true"},"fen":"C","case":"invalid"}"#,
    ];
    let arms = "ugi) echo option name Roses_ContiguousSupport; echo ugiok ;; \
        'position fen C') echo info string error: no ;; 'query fen') echo response other ;;";
    let (out, _, code) = conform_engine(arms, &lines);
    for part in [
        "another position\n  position: position startpos\n  command:  query fen\n",
        "accepts an unknown value of an option\n  position: position startpos\n  \
            command:  setoption name Roses_ContiguousSupport value ?\n",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    assert_eq!(code, Some(1));
}

/// Returns the case in which this side resigns in the start position.
#[cfg(unix)]
fn resign_case(side: &str, winner: &str) -> String {
    START_CASE
        .replace(r#""legal""#, &format!(r#""end":"resign {side}","legal""#))
        .replace("ongoing", &format!("win {winner} resignation"))
}

#[cfg(unix)]
#[test]
fn an_engine_has_resign_for_all_sides_or_for_none() {
    let white = resign_case("white", "black");
    let black = resign_case("black", "white");
    let arms = "position*) o=ongoing ;; 'query outcome') echo response $o ;; ";
    let white_resigns = format!("{arms} 'resign white') o='win black resignation' ;;");
    let rejected = format!("{arms} resign*) echo info string error: no such command ;;");
    for lines in [[white.as_str(), &black], [&black, &white]] {
        let (out, _, code) = conform_engine(&white_resigns, &lines);
        assert!(out.contains("  command:  resign black, query outcome\n"), "{out}");
        assert_eq!(code, Some(1));
        let (out, _, code) = conform_engine(&rejected, &lines);
        let part = "the engine has no 'resign' (error: no such command): not checked\n";
        assert!(out.starts_with(part), "{out}");
        assert_eq!(code, Some(0));
    }
}

#[cfg(unix)]
#[test]
fn reports_missing_commands_and_rules_once() {
    let folder = Folder::new("conform");
    let engine = write_engine(&folder, "");
    let mut cases = roses_cases();
    cases.retain(|case| case.fen == "c/4/5/5/4/C w 4/4 1" && !case.rules.is_empty());
    cases.retain(|case| match &case.question {
        CaseQuestion::Position(reply) => reply.moves.is_empty() && reply.end.is_none(),
        CaseQuestion::Move { .. } => false,
        _ => true,
    });
    let mut other = cases[0].clone();
    other.options.insert("Roses_ContiguousSupport".into(), "true".into());
    let path = write_cases(&folder, &[&cases[..], &[other]].concat());
    let arguments = ["--engine", &engine, "--cases", &path, "--game", "roses"];
    let (out, err, code) = conform(&arguments);
    let expected = "roses: it has no option 'Roses_ContiguousSupport'; cases not checked: 1\n\
                    the engine has no 'query islegal': not checked\n\
                    the engine has no 'query outcome': not checked\n\
                    the engine has no 'query p1turn': not checked\n\
                    all ";
    assert!(out.starts_with(expected) && out.ends_with(" cases agree\n"), "{out}");
    assert_eq!((err.as_str(), code), ("", Some(0)));
}

/// Returns a file of the examples.
fn example(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name).display().to_string()
}

/// Checks the engine in Python with cases, by the script without pentarch. If there is no
/// `python3`, prints a reason and returns.
fn check_cases_in_python(path: &str, cases: usize) {
    let mut command = Command::new("python3");
    command.args(["-B", &example("check_cases.py"), path, "roses", "roses_engine"]);
    let Ok(output) = command.output() else {
        eprintln!("skipped: python3 cannot be started");
        return;
    };
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(out.trim_start(), format!("{cases} of {cases} cases agree\n"));
    assert!(output.status.success());
}

#[test]
fn the_python_engine_agrees_without_pentarch() {
    let folder = Folder::new("conform");
    let cases: Vec<ConformanceCase> = roses_cases().into_iter().step_by(4).collect();
    check_cases_in_python(&write_cases(&folder, &cases), cases.len());
}

#[test]
fn the_python_check_requires_cases() {
    let folder = Folder::new("conform");
    let path = folder.file("cases.jsonl");
    fs::write(&path, "").unwrap();
    let run_check = |arguments: &[&str]| {
        Command::new("python3").args(["-B", &example("check_cases.py")]).args(arguments).output()
    };
    let Ok(usage) = run_check(&[]) else {
        eprintln!("skipped: python3 cannot be started");
        return;
    };
    let stderr = String::from_utf8_lossy(&usage.stderr);
    assert_eq!(stderr.trim_end(), "usage: python3 check_cases.py cases.jsonl GAME MODULE");
    let empty = run_check(&[&path, "roses", "roses_engine"]).unwrap();
    assert_eq!(empty.status.code(), Some(1));
}

#[test]
fn the_python_engine_rejects_other_games() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("skipped: python3 cannot be started");
        return;
    }
    let folder = Folder::new("conform");
    let path = folder.file("cases.jsonl");
    fs::write(&path, r#"{"game":"bushka","fen":"w","case":"invalid"}"#).unwrap();
    let engine = format!("python3 -B '{}'", example("roses_engine.py"));
    let (out, _, code) = conform(&["--engine", &engine, "--cases", &path]);
    assert_eq!(out, "bushka: Game has no value bushka; cases not checked: 1\n");
    assert_eq!(code, Some(1));
}

/// To run this test: `cargo test --test all conform::the_python_engine -- --ignored`
#[test]
#[ignore = "all cases of a game in Python: 20 s"]
fn the_python_engine_passes_all_cases_of_its_game() {
    let folder = Folder::new("conform");
    let path = folder.file("cases.jsonl");
    assert_eq!(conform(&["--game", "roses", "--write", &path]).2, Some(0));
    let cases = fs::read_to_string(&path).unwrap().lines().count();
    check_cases_in_python(&path, cases);
    let engine = format!("python3 -B '{}'", example("roses_engine.py"));
    let (out, err, code) = conform(&["--engine", &engine, "--cases", &path, "--game", "roses"]);
    assert!(out.ends_with(&format!("all {cases} cases agree\n")), "{out}");
    assert_eq!((err.as_str(), code), ("", Some(0)));
}

/// To run this test: `cargo test --test all conform::passes_the_whole_kit -- --ignored`
#[test]
#[ignore = "all cases of all games: 10 s"]
fn passes_the_whole_kit() {
    let folder = Folder::new("conform");
    let path = folder.file("cases.jsonl");
    let (_, err, code) = conform(&["--write", &path]);
    let cases = fs::read_to_string(&path).unwrap().lines().count();
    let expected = format!("pentarch: {cases} cases are written\n");
    assert_eq!((err, code), (expected, Some(0)));
    assert!(fs::metadata(&path).unwrap().len() < 5_000_000);
    let (out, err, code) = conform(&["--engine", PENTARCH, "--cases", &path]);
    assert_eq!((err.as_str(), code), ("", Some(0)), "{out}");
}

/// Compiles the slow rules as an engine, with all mutations. The environment variable `MUTATION`
/// chooses one of them. Returns the path of the engine.
fn compile_mutated_engine(folder: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slow_rules/src");
    for entry in fs::read_dir(&source).unwrap() {
        let path = entry.unwrap().path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if !path.is_file() {
            continue;
        }
        let mut text = fs::read_to_string(&path).unwrap();
        for (number, Mutation { from, to, .. }) in
            (1..).zip(MUTATIONS).filter(|(_, mutation)| mutation.file == name)
        {
            assert_eq!(text.matches(from).count(), 1, "{name}: {from}");
            let switch = format!("(if crate::is_mutated({number}) {{ {to} }} else {{ {from} }})");
            text = text.replace(from, &switch);
        }
        if name == "lib.rs" {
            text += "\npub(crate) fn is_mutated(number: u32) -> bool {\n\
                static CHOSEN: std::sync::LazyLock<u32> = std::sync::LazyLock::new(|| \
                std::env::var(\"MUTATION\").map_or(0, |text| text.parse().unwrap()));\n\
                *CHOSEN == number\n}\n";
        }
        fs::write(folder.join(name), text).unwrap();
    }
    fs::copy(source.join("bin/slow_engine.rs"), folder.join("slow_engine.rs")).unwrap();
    compile(folder, &["--crate-type", "rlib", "--crate-name", "pentarch_slow_rules", "lib.rs"]);
    compile(
        folder,
        &["--extern", "pentarch_slow_rules=libpentarch_slow_rules.rlib", "slow_engine.rs"],
    );
    folder.join("slow_engine")
}

fn compile(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new("rustc");
    command
        .current_dir(folder)
        .args(["--edition", "2024", "-C", "opt-level=1", "-A", "unused_parens"])
        .args(arguments);
    assert!(command.status().unwrap().success());
}

/// The slow rules check neither FENs nor other notations, and know no end by players.
fn is_for_slow_rules(case: &ConformanceCase) -> bool {
    match &case.question {
        CaseQuestion::Position(reply) => {
            reply.end.is_none() && (reply.after.is_none() || !reply.moves.is_empty())
        }
        CaseQuestion::Move { legal, .. } => !legal,
        CaseQuestion::Invalid => false,
        CaseQuestion::Perft { .. } => true,
    }
}

/// Returns the cases of a game that the slow rules can answer. `counts` returns their numbers.
fn cases_for_slow_rules(
    game: &str,
    counts: impl Fn(&RuleSet) -> CaseCounts,
) -> Vec<ConformanceCase> {
    let mut cases = Vec::new();
    for id in RulesId::all() {
        let sets = rule_sets_of_game(id);
        let rule_cases = generate_conformance_cases(&sets[0].options).unwrap();
        if rule_cases[0].game != game {
            continue;
        }
        cases.extend(rule_cases);
        for set in sets {
            cases.extend(generate_cases(&set, counts(&set), 1));
        }
    }
    cases.retain(is_for_slow_rules);
    cases
}

/// To run this test: `cargo test --test all conform::the_slow_rules -- --ignored`
#[test]
#[ignore = "all cases of all games with the slow rules: 5 minutes"]
fn the_slow_rules_agree_with_all_cases() {
    let folder = Folder::new("conform-slow-rules");
    let engine = compile_mutated_engine(folder.path());
    for game in all_game_words() {
        let cases = cases_for_slow_rules(game, CaseCounts::of_rule_set);
        let path = write_cases(&folder, &cases);
        let (out, err, code) = conform(&["--engine", engine.to_str().unwrap(), "--cases", &path]);
        assert_eq!(out, format!("all {} cases agree\n", cases.len()), "{game}");
        assert_eq!((err.as_str(), code), ("", Some(0)), "{game}");
    }
}

/// To run this test: `cargo test --test all conform::finds_mutations -- --ignored`
#[test]
#[ignore = "compiles the slow rules and checks each mutation of them: 2 minutes"]
fn finds_mutations_of_the_rules_and_names_the_rule() {
    let folder = Folder::new("conform-mutations");
    let engine = compile_mutated_engine(folder.path());
    let counts = |set: &RuleSet| match set.is_major {
        true => CaseCounts { positions: 10, illegal: 10, invalid: 0, games: 1, perfts: 0 },
        false => CaseCounts { positions: 4, illegal: 4, invalid: 0, games: 0, perfts: 0 },
    };
    let mut missed = Vec::new();
    for game in all_game_words() {
        let path = write_cases(&folder, &cases_for_slow_rules(game, counts));
        let check = |number: usize| {
            let arguments = ["conform", "--engine", engine.to_str().unwrap(), "--cases", &path];
            let mut command = program(arguments);
            command.env("MUTATION", number.to_string());
            run(command, "")
        };
        let (out, err, code) = check(0);
        assert_eq!((err.as_str(), code), ("", Some(0)), "{game}: {out}");
        for (number, mutation) in (1..).zip(MUTATIONS).filter(|(_, own)| own.game == *game) {
            let (out, err, code) = check(number);
            let is_named = |rule: &&str| out.contains(&format!("  rule:     {rule} "));
            if code != Some(1) || !mutation.rules.iter().any(is_named) {
                missed.push(format!("{}: {}\n{out}{err}", mutation.file, mutation.from));
            }
        }
    }
    assert!(MUTATIONS.len() >= 40 && missed.is_empty(), "{}", missed.join("\n"));
}

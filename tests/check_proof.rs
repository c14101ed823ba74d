//! The checker of proofs in Python, `examples/check_proof.py`. It has its own rules of three games.
//! If there is no `python3`, the tests are skipped.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use fastrand::Rng;
use serde_json::{Value, json};

use crate::client::{PENTARCH, program, run};
use crate::common::temporary::Folder;
use crate::proof_files::{check, with_new_checksum};

/// The output of a script.
pub(crate) struct ScriptOutput {
    pub(crate) lines: Vec<String>,
    pub(crate) errors: String,
    pub(crate) code: Option<i32>,
}

/// Runs a script of the project with these arguments. If there is no `python3`, prints a reason and
/// returns `None`.
pub(crate) fn run_script(script: &str, arguments: &[String]) -> Option<ScriptOutput> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(script);
    let mut command = Command::new("python3");
    command.arg("-B").arg(path).args(arguments).env("PENTARCH", PENTARCH);
    let Ok(output) = command.output() else {
        eprintln!("skipped: python3 cannot be started");
        return None;
    };
    Some(ScriptOutput {
        lines: String::from_utf8(output.stdout).unwrap().lines().map(Into::into).collect(),
        errors: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code(),
    })
}

/// Checks files with these contents. Returns a line for each file, without its name, and the exit
/// code; `None` if there is no `python3`.
fn check_in_python(files: &[String]) -> Option<(Vec<String>, Option<i32>)> {
    let folder = Folder::new("check-proof");
    let names: Vec<String> =
        (0..files.len()).map(|number| folder.file(&format!("{number}.proof"))).collect();
    for (name, text) in names.iter().zip(files) {
        fs::write(name, text).unwrap();
    }
    let output = run_script("examples/check_proof.py", &names)?;
    assert_eq!((output.errors.as_str(), output.lines.len()), ("", files.len()), "{names:?}");
    let verdicts = output.lines.iter().zip(&names).map(|(line, name)| {
        line.strip_prefix(&format!("{name}: ")).unwrap_or_else(|| panic!("{line}")).into()
    });
    Some((verdicts.collect(), output.code))
}

/// Returns the proofs in the responses to these requests. The requests are objects with the game,
/// its options and the position. Questions that remain open have no proof.
fn proofs(requests: impl IntoIterator<Item = Value>) -> Vec<String> {
    let mut lines = String::new();
    for (id, mut request) in requests.into_iter().enumerate() {
        request["id"] = id.into();
        request["ask"] = "prove".into();
        request["nodes"] = 20_000.into();
        request["memory"] = 16.into();
        lines += &format!("{request}\n");
    }
    let (answers, errors, code) = run(program(["analyse"]), lines);
    assert_eq!((errors.as_str(), code), ("", Some(0)), "{answers}");
    let mut found = Vec::new();
    for answer in answers.lines() {
        let answer: Value = serde_json::from_str(answer).unwrap();
        let texts = answer["prove"]["proofs"].as_array().unwrap_or_else(|| panic!("{answer}"));
        found.extend(texts.iter().map(|text| text.as_str().unwrap().to_string()));
    }
    found
}

/// Returns proofs with few replies: wins, and claims that a side does not win.
fn small_proofs() -> Vec<String> {
    let spent = json!({
        "Alquerque_MultiCapture": "maximum", "Alquerque_Removal": "after", "Alquerque_Movement": "bell",
        "Alquerque_BaseRow": "spent", "Alquerque_Retreat": "checker", "Alquerque_Win": "block",
    });
    let requests = [
        json!({ "game": "alquerque", "fen": "x4/2o2/4o/5/5 l - - - 19" }),
        json!({ "game": "alquerque", "fen": "5/2x2/2o2/5/5 l c3c4c4b4 - - 1" }),
        json!({ "game": "alquerque", "fen": "5/2x2/5/1o3/5 l - - - 1",
                "options": { "Alquerque_Ruleset": "bell", "Alquerque_Win": "capture" } }),
        json!({ "game": "alquerque", "fen": "5/x3x/1o3/1o3/o4 l - - - 1",
                "options": { "Alquerque_Ruleset": "bell" } }),
        json!({ "game": "alquerque", "fen": "5/2x2/1o3/5/4x d - - b3 1",
                "options": { "Alquerque_Ruleset": "alfonso" } }),
        json!({ "game": "alquerque", "fen": "5/x3x/1o3/1o3/o4 l - - - 1", "options": spent }),
        json!({ "game": "roses", "fen": "c/1sS1/3sS/1ss2/2SS/C b 0/0 17" }),
        json!({ "game": "alcaxar", "fen": "f2h4 b5c6d7e2e8f3g4h5 r - 9" }),
        json!({ "game": "alcaxar", "fen": "f2h4 b5c6d7e2e8f3g4h5 g - 9" }),
    ];
    proofs(requests)
}

/// Returns one of these proof files after a random change. The change can also leave the proof
/// valid.
fn changed(rng: &mut Rng, files: &[String]) -> String {
    let file = &files[rng.usize(..files.len())];
    loop {
        let mut lines: Vec<&str> = file.split_inclusive('\n').collect();
        let at = rng.usize(..lines.len());
        let mut bytes = file.as_bytes().to_vec();
        let byte = rng.usize(..bytes.len());
        let text = match rng.u8(..8) {
            0 => {
                bytes[byte] = rng.u8(b' '..=b'~');
                String::from_utf8(bytes).unwrap()
            }
            1 => [&file[..byte], &file[byte + 1..]].concat(),
            2 => [&file[..byte], &rng.u8(b' '..=b'~').to_string(), &file[byte..]].concat(),
            3 => file[..byte].into(),
            4 => {
                lines.remove(at);
                lines.concat()
            }
            5 => {
                lines.insert(at, lines[rng.usize(..lines.len())]);
                lines.concat()
            }
            6 => {
                let other = rng.usize(..lines.len());
                lines.swap(at, other);
                lines.concat()
            }
            _ => file.replacen(['\n', ' '], "\r\n", 1 + byte % 9),
        };
        if text != *file {
            return text;
        }
    }
}

/// Returns one of these proof files with other contents and their checksum. The contents have the
/// form of a proof: another claim, or a missing or different reply.
fn with_other_contents(rng: &mut Rng, files: &[String]) -> String {
    let file = &files[rng.usize(..files.len())];
    let mut lines: Vec<String> = file.lines().map(Into::into).collect();
    let replies: Vec<usize> = (1..lines.len()).filter(|&at| !lines[at].contains(": ")).collect();
    let at = replies[rng.usize(..replies.len())];
    match rng.u8(..5) {
        0 => drop(lines.remove(at)),
        1 => {
            let claim = lines.iter_mut().find(|line| line.starts_with("Claim: ")).unwrap();
            *claim = match claim.strip_suffix(" does not win") {
                Some(side) => format!("{side} wins"),
                None => claim.replace(" wins", " does not win"),
            };
        }
        _ => {
            let (_, reply) = lines[replies[rng.usize(..replies.len())]].rsplit_once(' ').unwrap();
            let (position, _) = lines[at].rsplit_once(' ').unwrap();
            lines[at] = format!("{position} {reply}");
        }
    }
    with_new_checksum(&(lines.join("\n") + "\n"))
}

/// Checks that the script accepts these proofs, and rejects `count` changed files. Checks further
/// that it agrees with the checker of the tests about `count` files with other contents.
fn compare_changed_files(files: &[String], count: usize) {
    let mut rng = Rng::with_seed(88);
    let changed: Vec<String> = (0..count).map(|_| changed(&mut rng, files)).collect();
    let others: Vec<String> = (0..count).map(|_| with_other_contents(&mut rng, files)).collect();
    let all = [files, &changed, &others].concat();
    let Some((verdicts, code)) = check_in_python(&all) else { return };
    assert_eq!(code, Some(1));
    let is_rejected = |verdict: &str| verdict.starts_with("the proof does not hold: ");
    let mut rejected = 0;
    for (number, (verdict, text)) in verdicts.iter().zip(&all).enumerate() {
        if number < files.len() {
            let claim = text.lines().find_map(|line| line.strip_prefix("Claim: ")).unwrap();
            assert!(verdict.starts_with(&format!("{claim}: ")), "{verdict}: {text}");
            assert!(verdict.ends_with(" positions checked"), "{verdict}: {text}");
        } else if number < files.len() + count {
            assert!(is_rejected(verdict), "{verdict}: {text}");
        } else {
            assert_eq!(is_rejected(verdict), check(text).is_err(), "{verdict}: {text}");
            rejected += usize::from(is_rejected(verdict));
        }
    }
    assert!(rejected > count / 2, "{rejected}");
}

#[test]
fn script_accepts_proofs_and_rejects_changed_ones() {
    let files = small_proofs();
    assert!(files.len() >= 8, "{files:?}");
    compare_changed_files(&files, 20);
}

/// The errors of the files that the script cannot check have another exit code.
#[test]
fn script_reports_files_that_it_cannot_check() {
    let folder = Folder::new("check-proof-errors");
    let file = folder.file("quoridor.proof");
    let lines = "pentarch proof 3\nGame: quoridor\nPosition: e1e9 - w 10/10 1\nClaim: white wins\n";
    fs::write(&file, with_new_checksum(lines)).unwrap();
    for (arguments, error) in [
        (vec![], "check_proof.py: no proof was named\n".to_string()),
        (vec![file.clone()], format!("{file}: not checked: no rules for the game 'quoridor'\n")),
    ] {
        let Some(output) = run_script("examples/check_proof.py", &arguments) else { return };
        assert_eq!((output.lines.len(), output.errors, output.code), (0, error, Some(2)));
    }
}

/// Returns an error that names the difference if the rules of the script and of the program differ
/// in random games.
fn compare_rules(seed: u32, games: Option<u32>) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/check_proof.py");
    let mut arguments = vec![script.to_str().unwrap().to_string(), seed.to_string()];
    arguments.extend(games.map(|games| games.to_string()));
    let Some(output) = run_script("tests/clients/check_proof_rules.py", &arguments) else { return };
    assert_eq!((output.errors.as_str(), output.code), ("", Some(0)), "{:?}", output.lines);
    assert!(output.lines[0].starts_with("agreed: "), "{:?}", output.lines);
}

#[test]
fn script_has_the_rules_of_the_program() {
    compare_rules(88, Some(3));
}

/// Plays several games under each rule set, in half a minute of processor time:
/// `cargo test --test all check_proof::script_has_all_rules -- --ignored`
#[test]
#[ignore = "takes half a minute"]
fn script_has_all_rules_of_the_program() {
    compare_rules(1, None);
}

/// Changes proofs 1,000 times, in about five seconds of processor time:
/// `cargo test --test all check_proof::script_rejects -- --ignored`
#[test]
#[ignore = "takes five seconds"]
fn script_rejects_a_thousand_changed_files() {
    compare_changed_files(&small_proofs(), 1_000);
}

/// Proves random positions under each rule set of Alquerque, in half a minute of processor time:
/// `cargo test --test all check_proof::script_accepts_proofs_under -- --ignored`
#[test]
#[ignore = "takes half a minute"]
fn script_accepts_proofs_under_all_rule_sets() {
    let mut rng = Rng::with_seed(4);
    let mut requests = Vec::new();
    for options in alquerque_rule_sets() {
        for _ in 0..3 {
            let options: BTreeMap<_, _> = options.iter().copied().collect();
            let fen = few_checkers(&mut rng, options["Alquerque_Retreat"]);
            requests.push(json!({ "game": "alquerque", "options": options, "fen": fen }));
        }
    }
    let files = proofs(requests);
    assert!(files.len() > 1_000, "{}", files.len());
    let Some((verdicts, _)) = check_in_python(&files) else { return };
    for (verdict, file) in verdicts.iter().zip(&files) {
        assert!(verdict.ends_with(" positions checked"), "{verdict}: {file}");
        assert_eq!(check(file), Ok(()), "{file}");
    }
}

/// Returns all combinations of values of the seven options of Alquerque.
fn alquerque_rule_sets() -> Vec<Vec<(&'static str, &'static str)>> {
    const VALUES: [(&str, &[&str]); 7] = [
        ("Alquerque_MultiCapture", &["off", "stop", "complete", "maximum"]),
        ("Alquerque_Removal", &["instant", "after"]),
        ("Alquerque_Movement", &["free", "bell"]),
        ("Alquerque_BaseRow", &["free", "spent", "horizontal"]),
        ("Alquerque_Retreat", &["free", "checker", "player"]),
        ("Alquerque_MissedCapture", &["illegal", "huff"]),
        ("Alquerque_Win", &["capture", "block", "repetition"]),
    ];
    let mut rule_sets = vec![Vec::new()];
    for (name, values) in VALUES {
        rule_sets = rule_sets
            .iter()
            .flat_map(|chosen: &Vec<_>| values.iter().map(move |&value| (chosen, value)))
            .map(|(chosen, value)| [&chosen[..], &[(name, value)]].concat())
            .collect();
    }
    rule_sets
}

/// Returns the FEN of a random position with two to five checkers. If this value of `Retreat`
/// allows it, checkers of both sides must not step back.
fn few_checkers(rng: &mut Rng, retreat: &str) -> String {
    let mut points = [['.'; 5]; 5];
    for number in 0..rng.usize(2..=5) {
        let letter = match number {
            0 => 'o',
            1 => 'x',
            _ => rng.choice(['o', 'x']).unwrap(),
        };
        let (row, file) = (rng.usize(..5), rng.usize(..5));
        points[row][file] = letter;
    }
    let mut rows: Vec<String> = points.iter().map(|row| row.iter().collect()).collect();
    for row in &mut rows {
        for length in (1..=5).rev() {
            *row = row.replace(&".".repeat(length), &length.to_string());
        }
    }
    let side = rng.choice(["l", "d"]).unwrap();
    format!("{} {side} {} - - 1", rows.join("/"), forbidden_steps_back(rng, &points, retreat))
}

/// Returns a random field `retreat` for these checkers. The rows of `points` begin with rank 5.
fn forbidden_steps_back(rng: &mut Rng, points: &[[char; 5]; 5], retreat: &str) -> String {
    let mut field = String::new();
    let mut bound = Vec::new();
    for (file, name) in ('a'..='e').enumerate() {
        for rank in 1..=5 {
            let letter = points[5 - rank][file];
            let is_free = retreat == "free" || (retreat == "player" && bound.contains(&letter));
            if letter == '.' || is_free || rng.bool() {
                continue;
            }
            bound.push(letter);
            // Lines along the files and ranks join all neighbours.
            let other = if rank == 5 { 4 } else { rank + 1 };
            field += &format!("{name}{rank}{name}{other}");
        }
    }
    if field.is_empty() { "-".into() } else { field }
}

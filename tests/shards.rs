//! Shards of jobs on several machines. The tests check the result of merging them.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::check_proof::run_script;
use crate::client::{ANSWER_TIMEOUT, PENTARCH, piped, program, run};
use crate::common::temporary::Folder;

/// Runs the program with these arguments. They are separated by blanks. Returns its output, error
/// output and exit code.
fn pentarch(arguments: &str) -> (String, String, Option<i32>) {
    run(program(arguments.split(' ')), "")
}

/// Returns the output of the program. The program must succeed.
fn succeed(arguments: &str) -> String {
    let (out, err, code) = pentarch(arguments);
    assert_eq!((err.as_str(), code), ("", Some(0)), "{arguments}: {out}");
    out
}

/// Returns the error message of the program. The program must fail with exit code 1.
fn rejection(arguments: &str) -> String {
    let (out, err, code) = pentarch(arguments);
    assert_eq!((out.as_str(), code), ("", Some(1)), "{arguments}: {err}");
    err
}

/// Returns a text without the times of the engines of a match in microseconds. The checksums of
/// records that depend on these times are also removed.
pub(crate) fn untimed(text: &str) -> String {
    let untimed = |line: &str| match line.split_once(" nodes, ") {
        Some((effort, _)) if line.starts_with("[Effort") => effort.to_string(),
        _ => line.to_string(),
    };
    let lines = text.lines().filter(|line| !line.starts_with("[Checksum"));
    lines.map(|line| untimed(line) + "\n").collect()
}

/// Returns the responses to requests without the times of the searches.
fn untimed_responses(text: &str) -> String {
    let parts = text.split("\"time\":");
    parts.map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit())).collect()
}

/// Returns a modified shard. The checksums of its lines are computed again.
fn with_checksums(text: &str) -> String {
    let line = |line: &str| {
        let Ok(mut value) = serde_json::from_str::<Value>(line) else { return format!("{line}\n") };
        let checksum =
            |value: &Value| format!("crc32:{:08x}", crc32fast::hash(value.to_string().as_bytes()));
        if let Some(header) = value.as_object_mut() {
            header.remove("checksum");
            let checksum = checksum(&Value::from(header.clone()));
            header.insert("checksum".into(), checksum.into());
        } else if let Some(parts) = value.as_array_mut() {
            parts.truncate(2);
            let checksum = checksum(&Value::from(parts.clone()));
            parts.push(checksum.into());
        }
        format!("{value}\n")
    };
    text.lines().map(line).collect()
}

/// Runs the command for these shards. Each shard has a separate file. Returns the names of the
/// files.
fn run_shards(folder: &Folder, command: &str, ranges: &[&str]) -> String {
    let name = |range: &&str| folder.file(&format!("{range}.shard"));
    for range in ranges {
        succeed(&format!("{command} --shard {range} --output {}", name(range)));
    }
    ranges.iter().map(name).collect::<Vec<_>>().join(" ")
}

/// Checks that the merged shards of a command equal the result of the same command on one machine.
fn check_merged(owner: &str, command: &str, ranges: &[&str], expected: &str) {
    let folder = Folder::new(owner);
    let out = folder.file("merged");
    let files = run_shards(&folder, command, ranges);
    succeed(&format!("merge {out} {files}"));
    assert_eq!(untimed(&fs::read_to_string(&out).unwrap()), untimed(expected), "{command}");
    // This merges once more by the folder. A file may occur twice.
    succeed(&format!("merge {out} {}", folder.path().display()));
    let part = |entry: Result<fs::DirEntry, _>| {
        entry.unwrap().file_name().to_string_lossy().ends_with(".pentarch.part")
    };
    assert!(!fs::read_dir(folder.path()).unwrap().any(part));
}

/// Returns a short match without the number of its games.
fn small_match() -> String {
    format!(
        "arena --game bushka --first-nodes 60 --second-nodes 20 --plies 20 --patience {}",
        ANSWER_TIMEOUT.as_millis()
    )
}

#[test]
fn merges_shards_of_a_match() {
    let folder = Folder::new("shards-match");
    for (games, ranges) in [
        ("--games 5", ["2..9", "0..1", "0..2"]),
        ("--fixed-sides --games 3", ["1..3", "0..2", "0..0"]),
    ] {
        let command = format!("{} {games}", small_match());
        let file = folder.file(games);
        let arguments = command.split(' ').chain(["--record", &file]);
        assert_eq!(run(program(arguments), "").2, Some(0));
        check_merged("shards-of-match", &command, &ranges, &fs::read_to_string(&file).unwrap());
    }
}

/// A tournament is divided by the numbers of its pairs of games, in the order in which they are
/// played.
#[test]
fn merges_shards_of_a_tournament() {
    let folder = Folder::new("shards-tournament");
    let engines = folder.file("engines");
    let file = folder.file("games");
    fs::write(&engines, "a --nodes 60\nb --nodes 20\nc --nodes 40\n").unwrap();
    let patience = ANSWER_TIMEOUT.as_millis();
    let command = format!(
        "arena --game bushka --engines {engines} --plies 16 --games 4 --patience {patience}"
    );
    succeed(&format!("{command} --record {file}"));
    let text = fs::read_to_string(&file).unwrap();
    check_merged("shards-of-tournament", &command, &["4..9", "0..1", "1..4"], &text);
    // With another engine, it is another tournament.
    let one = run_shards(&folder, &command, &["0..3"]);
    fs::write(&engines, "a --nodes 60\nb --nodes 20\nc --nodes 41\n").unwrap();
    let other = run_shards(&folder, &command, &["3..6"]);
    let err = rejection(&format!("merge {} {one} {other}", folder.file("out")));
    assert!(
        err.contains(
            "  engine c: 'c: this program, nodes 41' there, 'c: this program, nodes 40' here\n"
        ),
        "{err}"
    );
}

#[test]
fn merges_shards_of_self_play() {
    let folder = Folder::new("shards-self-play");
    let command = "tune --game bushka --nodes 40 --plies 16 --games 6";
    let data = folder.file("data");
    // There are too few games to learn from. The program reports this after it has played the
    // games.
    pentarch(&format!("{command} --data {data}"));
    check_merged(
        "shards-of-self-play",
        command,
        &["4..6", "0..4"],
        &fs::read_to_string(&data).unwrap(),
    );
    let (_, err, code) = pentarch(&format!("{command} --shard 0..1 --output x --data {data}"));
    assert!(err.contains("cannot be used with") && code == Some(2), "{err}");
    // Lines for other programs are merged and reported.
    let command = "tune --game bushka --nodes 40 --plies 16 --games 1";
    let one = run_shards(&folder, command, &["0..1"]);
    let text = fs::read_to_string(&one).unwrap().replacen("\\n\\n\",", "\\n%x\\n\\n\",", 1);
    fs::write(&one, with_checksums(&text)).unwrap();
    let merged = folder.file("merged");
    let (_, err, code) = pentarch(&format!("merge {merged} {one}"));
    let warning = "result 0: not read: a line that begins with % (line ";
    assert!(err.contains(warning) && code == Some(0), "{err}");
    assert!(fs::read_to_string(&merged).unwrap().ends_with("\n%x\n\n"));
}

const REQUESTS: &str = "{\"id\": 1, \"game\": \"alcaxar\", \"depth\": 1}\n\n\
    {\"id\": 2, \"game\": \"bushka\", \"moves\": [\"zz\"], \"depth\": 1}\nnonsense\n\
    {\"id\": 3, \"game\": \"quoridor\", \"nodes\": 50, \"ask\": [\"moves\", \"analysis\"]}\n\
    {\"id\": 4, \"game\": \"quoridor\", \"fen\": \"e8d5 - w 0/0 20\"}";

#[test]
fn merges_shards_of_requests() {
    let folder = Folder::new("shards-requests");
    let requests = folder.file("requests");
    fs::write(&requests, REQUESTS).unwrap();
    let command = format!("analyse --nodes 40 --requests {requests}");
    let out = folder.file("answers");
    let files = run_shards(&folder, &command, &["3..99", "0..3", "4..5"]);
    succeed(&format!("merge {out} {files}"));
    let answers = succeed(&command);
    assert_eq!(
        (answers.lines().count(), untimed_responses(&fs::read_to_string(&out).unwrap())),
        (5, untimed_responses(&answers))
    );
    for member in ["\"stop\": 1", "\"every\": 5, \"nodes\": 1"] {
        fs::write(&requests, format!("\n{{\"id\": 1, {member}}}\n")).unwrap();
        let err = rejection(&format!("{command} --shard 0..2 --output {}", folder.file("x")));
        assert!(err.contains("requests: line 2: it has '"), "{err}");
    }
    for arguments in ["--shard 0..1 --output x", "FILE --shard 0..1 --output x"] {
        let (_, err, code) = pentarch(&format!("analyse {arguments}"));
        assert!(err.contains("--requests") && code == Some(2), "{err}");
    }
    let (_, err, code) = pentarch("analyse --shard 0..1 --output x");
    assert!(err.contains("--requests") && code == Some(2), "{err}");
}

/// Returns the command for a shard of a short self-play.
fn shard(settings: &str, range: &str, name: &str) -> String {
    format!(
        "tune --game bushka --nodes 20 --plies 9 --games 4 {settings} --shard {range} --output {name}"
    )
}

#[test]
fn rejects_shards_that_do_not_belong_together() {
    let folder = Folder::new("shards-refused");
    let file = |name: &str| folder.file(name);
    let out = file("out");
    let a = file("a.shard");
    let b = file("b.shard");
    succeed(&shard("--seed 1", "0..2", &a));
    let merge = |names: &[&str]| rejection(&format!("merge {out} {}", names.join(" ")));
    // These shards have other settings. The error names the difference.
    succeed(&shard("--seed 2", "2..4", &b));
    let err = merge(&[&a, &b]);
    assert!(
        err.contains("game and seed: '") && !err.contains("nodes:") && err.contains("b.shard: "),
        "{err}"
    );
    // A shard of another program.
    let text = fs::read_to_string(&a).unwrap();
    let program = text.split_once("\"program\":\"").unwrap().1.split_once('"').unwrap().0;
    assert_eq!(with_checksums(&text), text);
    let c = text.replace(program, "0.0.1 0123");
    fs::write(file("c.shard"), &c).unwrap();
    let err = merge(&[&a, &file("c.shard")]);
    assert!(
        err.ends_with("c.shard: it is damaged: its first line has another checksum\n"),
        "{err}"
    );
    fs::write(file("c.shard"), with_checksums(&c)).unwrap();
    let err = merge(&[&a, &file("c.shard")]);
    assert!(err.contains(&format!("  program: '0.0.1 0123' there, '{program}' here\n")), "{err}");
    assert!(!fs::exists(&out).unwrap(), "nothing is written");
}

#[test]
fn rejects_damaged_shards() {
    let folder = Folder::new("shards-damaged");
    let file = |name: &str| folder.file(name);
    let out = file("out");
    let a = file("a.shard");
    succeed(&shard("--seed 1", "0..2", &a));
    let text = fs::read_to_string(&a).unwrap();
    let merge = |names: &[&str]| rejection(&format!("merge {out} {}", names.join(" ")));
    // Numbers are missing, a number has different results, a file is not a shard, or a shard is
    // damaged.
    assert_eq!(merge(&[&a]), "pentarch: numbers are missing: 2..4\n");
    let other = text.replacen("\\n\\n\",", " ; other\\n\\n\",", 1);
    assert_ne!(text, other);
    fs::write(file("d.shard"), &other).unwrap();
    let err = merge(&[&file("d.shard")]);
    assert!(
        err.ends_with("d.shard: it is damaged: the line of number 0 has another checksum\n"),
        "{err}"
    );
    fs::write(file("d.shard"), with_checksums(&other)).unwrap();
    let err = merge(&[&a, &file("d.shard")]);
    assert!(err.contains("number 0 differs in ") && err.contains("d.shard"), "{err}");
    // A game violates the rules, or it was changed.
    for (one, wrong, why) in [
        ("[Number \\\"0\\\"]", "[Number \\\"5\\\"]", "its tag Checksum is "),
        ("[Game \\\"bushka\\\"]", "[Game \\\"quoridor\\\"]", "its tag Checksum is "),
    ] {
        fs::write(file("d.shard"), with_checksums(&text.replacen(one, wrong, 1))).unwrap();
        let err = merge(&[&file("d.shard")]);
        assert!(err.contains("d.shard: number 0: ") && err.contains(why), "{err}");
    }
    fs::write(file("e.shard"), text.replacen("shard 2", "shard 1", 1)).unwrap();
    let err = merge(&[&file("e.shard")]);
    assert!(
        err.ends_with("it is a shard of version 1, and this program reads version 2\n"),
        "{err}"
    );
    fs::write(file("e.shard"), "[Game \"bushka\"]").unwrap();
    assert!(
        merge(&[&file("e.shard")])
            .ends_with("e.shard: it is not a shard: its first line is not a header\n")
    );
    fs::write(file("f.shard"), text.replacen("[0,", "[0;", 1)).unwrap();
    assert!(merge(&[&file("f.shard")]).contains("f.shard: it is damaged: "));
    fs::write(file("f.shard"), with_checksums(&text.replacen("[1,", "[0,", 1))).unwrap();
    assert!(merge(&[&file("f.shard")]).contains("f.shard: it is damaged: number 0 follows 0"));
    // The shard lacks the numbers of its range.
    let lines: Vec<&str> = text.lines().collect();
    fs::write(file("f.shard"), format!("{}\n{}\n", lines[0], lines[1])).unwrap();
    assert!(merge(&[&a, &file("f.shard")]).ends_with("f.shard: it is damaged: it lacks 1\n"));
    fs::write(file("f.shard"), with_checksums(&text.replacen("[1,", "[2,", 1))).unwrap();
    assert!(
        merge(&[&file("f.shard")])
            .ends_with("f.shard: it is damaged: number 2 is not in its range 0..2\n")
    );
    assert!(!fs::exists(&out).unwrap(), "nothing is written");
}

#[test]
fn replaces_no_existing_files() {
    let folder = Folder::new("shards-existing");
    let file = |name: &str| folder.file(name);
    let out = file("out");
    let a = file("a.shard");
    succeed(&shard("--seed 1", "0..2", &a));
    let text = fs::read_to_string(&a).unwrap();
    // If a file cannot be written, this is reported before the job starts.
    let err = rejection(&shard("--seed 1", "0..2", &file("none/x.shard")));
    assert!(err.contains("x.shard: No such file"), "{err}");
    // An existing shard remains unchanged. No other file is replaced either.
    let (_, err, code) = pentarch(&shard("--seed 1", "0..2", &a));
    assert!(err.ends_with("a.shard: it is there already\n") && code == Some(0), "{err}");
    let err = rejection(&shard("--seed 1", "0..1", &a));
    assert!(err.contains("another shard:\n  range: '0..2' there, '0..1' here\n"), "{err}");
    assert_eq!(fs::read_to_string(&a).unwrap(), text);
    succeed(&shard("--seed 1", "2..4", &file("g.shard")));
    fs::write(&out, "something else").unwrap();
    let err = rejection(&format!("merge {out} {a} {}", file("g.shard")));
    assert!(err.ends_with("out: it is there already, with other contents\n"), "{err}");
    assert_eq!(fs::read_to_string(&out).unwrap(), "something else");
    // These ranges are invalid.
    for (range, code, fault) in [
        ("2..1", 2, "the smaller one first"),
        ("x", 2, "0..100"),
        ("5..6", 2, "begins with 5, and the numbers are those from 0 to 3"),
    ] {
        let (_, err, found) = pentarch(&shard("--seed 1", range, &file("h.shard")));
        assert!(err.contains(fault) && found == Some(code), "{range}: {err}");
    }
}

/// A match with a sequential test ends where it would end on one machine. This requires that all
/// earlier pairs exist. Pairs after a gap decide nothing.
#[test]
fn sequential_test_uses_the_contiguous_beginning() {
    let folder = Folder::new("shards-sprt");
    let out = folder.file("merged");
    let file = folder.file("games");
    let command = format!(
        "arena --game bushka --first-nodes 300 --second-nodes 1 --plies 60 --games 40 --sprt 0 200 --patience {}",
        ANSWER_TIMEOUT.as_millis()
    );
    let report = succeed(&format!("{command} --record {file}"));
    let decided = report.lines().last().unwrap();
    assert!(decided.contains("H1 taken"), "{report}");
    let files = run_shards(&folder, &command, &["0..8", "12..14", "9..12", "8..9"]);
    let files: Vec<&str> = files.split(' ').collect();
    let err = rejection(&format!("merge {out} {} {} {}", files[0], files[1], files[2]));
    assert!(
        err.contains("numbers are missing: 8..9, 14..20; the first 16 games have LLR "),
        "{err}"
    );
    succeed(&format!("merge {out} {}", files.join(" ")));
    assert_eq!(
        untimed(&fs::read_to_string(&out).unwrap()),
        untimed(&fs::read_to_string(&file).unwrap())
    );
    assert_eq!(succeed(&format!("{command} --record {out}")).lines().last().unwrap(), decided);
}

/// An error is a single line, whatever the name of the file is.
#[test]
fn file_name_with_line_feed_is_reported_on_one_line() {
    let (_, err, code) = run(program(["merge", "merged", "one\nshard\r"]), "");
    assert!(
        err.starts_with("pentarch: one\\nshard\\r: ")
            && err.lines().count() == 1
            && code == Some(1),
        "{err:?}"
    );
}

/// A shard and its engines end when the program that started the shard ends. SIGTERM ends the shard
/// in the same way.
#[cfg(target_os = "linux")]
#[test]
fn shard_ends_with_its_input_or_by_a_signal() {
    use nix::sys::signal::{Signal, kill};
    for by_signal in [false, true] {
        let folder = Folder::new("shards-end");
        let thinking = folder.file("thinking");
        let script = folder.file("engine");
        let shard = folder.file("a.shard");
        let at_go =
            format!("echo $$ > '{thinking}.new'; mv '{thinking}.new' '{thinking}'; sleep 100000");
        let words = format!(
            "ugi) echo id name Sleeper; echo ugiok;; isready) echo readyok;; go) {at_go};; quit) exit;;"
        );
        fs::write(&script, format!("while read -r word rest; do case $word in {words} esac; done"))
            .unwrap();
        let arguments = format!(
            "arena --game quoridor --nodes 9 --games 2 --shard 0..1 --output {shard} --first"
        );
        let engine = format!("sh {script}");
        let more = if by_signal { None } else { Some("--until-eof") };
        let mut arena =
            program(arguments.split(' ').chain([engine.as_str()]).chain(more)).spawn().unwrap();
        while fs::metadata(&thinking).is_err() {
            std::thread::yield_now();
        }
        match by_signal {
            true => kill(nix::unistd::Pid::from_raw(arena.id() as i32), Signal::SIGTERM).unwrap(),
            false => drop(arena.stdin.take()),
        }
        assert_eq!(arena.wait().unwrap().code(), Some(if by_signal { 143 } else { 130 }));
        let id = fs::read_to_string(&thinking).unwrap();
        while fs::read(format!("/proc/{}/cmdline", id.trim())).is_ok_and(|name| !name.is_empty()) {
            std::thread::yield_now();
        }
        assert!(fs::metadata(&shard).is_err());
    }
}

/// A foreign engine reports its name. The name belongs to the settings.
#[cfg(unix)]
#[test]
fn another_engine_version_is_another_job() {
    let folder = Folder::new("shards-engine");
    let script = folder.file("engine");
    let part = |name: &str, range: &str| {
        let words = format!(
            "ugi) echo id name {name}; echo ugiok;; isready) echo readyok;; go) exit;; quit) exit;;"
        );
        fs::write(&script, format!("while read -r word rest; do case $word in {words} esac; done"))
            .unwrap();
        let output = folder.file(&format!("{range}.shard"));
        let arguments = format!(
            "arena --game quoridor --nodes 9 --games 4 --shard {range} --output {output} --first"
        );
        let engine = format!("sh {script}");
        let (_, err, code) = run(program(arguments.split(' ').chain([engine.as_str()])), "");
        assert_eq!((err.as_str(), code), ("", Some(0)));
    };
    part("Old", "0..1");
    part("New", "1..2");
    let err = rejection(&format!("merge {} {}", folder.file("out"), folder.path().display()));
    assert!(err.contains("  id of first: 'New' there, 'Old' here\n"), "{err}");
}

/// The sizes of shards, and the message without Dask.
#[test]
fn driver_plans_shards_and_names_the_missing_package() {
    let Some(output) = run_script("tests/cluster/without_dask.py", &[]) else { return };
    assert_eq!(
        (output.errors.as_str(), output.code),
        (
            "pentarch.cluster: there is no module distributed; pip install 'pentarch[cluster]'\n",
            Some(1)
        )
    );
}

/// Runs the recipes of docs/cluster.md. Each recipe has a separate folder. The recipes for GNU
/// parallel are run if it is installed. The script for Slurm is run task after task.
#[cfg(unix)]
#[test]
fn documented_recipes_run() {
    let pages = crate::pages::pages();
    let mut count = 0;
    let page = pages.iter().find(|page| page.name == "docs/cluster.md").unwrap();
    let path = format!(
        "{}:{}",
        Path::new(PENTARCH).parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    for block in page.blocks().iter().filter(|block| block.mark.starts_with("sh recipe")) {
        let folder = Folder::new("recipe");
        let tool = block.mark.trim_start_matches("sh recipe").trim();
        let bash = |arguments: &[&str], task: usize| {
            let mut command = piped(std::process::Command::new("bash"), arguments);
            command
                .current_dir(folder.path())
                .env("PATH", &path)
                .env("SLURM_ARRAY_TASK_ID", task.to_string());
            run(command, "")
        };
        if tool.starts_with("parallel") && bash(&["-c", "parallel --version"], 0).2 != Some(0) {
            eprintln!(
                "skipped: the recipe in line {}, because GNU parallel is not installed",
                block.line
            );
            continue;
        }
        let script = folder.file("script");
        fs::write(&script, &block.text).unwrap();
        assert_eq!(bash(&["-n", &script], 0), (String::new(), String::new(), Some(0)));
        for task in 0..if tool == "slurm" { 3 } else { 1 } {
            let (out, err, code) = bash(&["-e", &script], task);
            assert_eq!(code, Some(0), "line {}: {out}{err}", block.line);
        }
        match tool {
            "slurm" => {
                assert_eq!(bash(&["-c", "pentarch merge match.games *.shard"], 0).2, Some(0))
            }
            "parallel" => {
                let answers = bash(&["-c", "pentarch analyse < requests.jsonl"], 0).0;
                let shared = fs::read_to_string(folder.file("answers.jsonl")).unwrap();
                assert_eq!(untimed_responses(&shared), untimed_responses(&answers));
            }
            "parallel tables" => {
                let made = fs::read_dir(folder.path().join("tables")).unwrap().count();
                assert_eq!(made, 8, "two files for each of four rule sets");
            }
            _ => {}
        }
        count += 1;
    }
    assert!(count >= 2);
}

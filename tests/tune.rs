//! The tuner in every game. The tests check its games, its files, and the weights that it prints.

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use pentarch::tune::selfplay_settings::SelfPlaySettings;
use pentarch::tune::{TuneConfig, WeightTuner};
use pentarch_bushka::Bushka;
use pentarch_core::evaluation::data_format::NET_FILE_FORMAT;
use pentarch_core::{Evaluate, NetInputs, Options};
use pentarch_games::{BuiltinRules, Game, GameOperation};

use crate::client::{program, run};
use crate::common::temporary::Folder;

/// Returns the settings of a tiny run. A few games change the weights only a little.
fn tiny_options(data: PathBuf, games: u32, concurrency: u16) -> TuneConfig {
    let play = SelfPlaySettings { nodes: 300, random_plies: 4, plies: 60, seed: 5, concurrency };
    TuneConfig {
        data: Some(data),
        games,
        others: Vec::new(),
        play,
        exact: false,
        prior: 1_000_000,
        unit: None,
    }
}

/// Returns the sorted records of a file.
fn records(config: &TuneConfig) -> Vec<String> {
    let text = fs::read_to_string(config.data.as_ref().unwrap()).unwrap();
    let mut records: Vec<String> = text.split_terminator("\n\n").map(String::from).collect();
    records.sort();
    records
}

struct TinyRun;

impl GameOperation for TinyRun {
    type Output = ();

    fn run_for_game_type<G: Game>(self) {
        let folder = Folder::new("tune");
        let options = Options::default();
        let file_path = |name: &str| folder.path().join(name);
        let run = |config: &TuneConfig| {
            WeightTuner { config, options: &options }.run_for_game_type::<G>().unwrap()
        };
        let once = tiny_options(file_path("once.games"), 12, 1);
        let report = run(&once);
        assert_eq!(records(&once).len(), 12, "{}", G::GAME_ID);
        assert!(report.sets[0].samples > 50, "{} {report}", G::GAME_ID);

        // These two runs use two threads, and the file of the first run is cut short. They must
        // result in the same games.
        let twice = tiny_options(file_path("twice.games"), 5, 2);
        run(&twice);
        let file = twice.data.clone().unwrap();
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, &text[..text.len() - 10]).unwrap();
        let twice = TuneConfig { games: 12, ..twice };
        assert_eq!(run(&twice), report, "{}", G::GAME_ID);
        assert_eq!(records(&twice), records(&once), "{}", G::GAME_ID);

        // The second time, it learns without playing games. The same games change the weights only
        // a little.
        let again = TuneConfig { games: 0, others: vec![file], ..once };
        assert_eq!(run(&again).sets[0].samples, 2 * report.sets[0].samples, "{}", G::GAME_ID);

        // The lines of source contain the names of the features and whole numbers.
        let text = report.to_string();
        let (_, source) = text
            .split_once("const FEATURE_WEIGHTS: &'static [(&'static str, i32)] = &[\n")
            .unwrap();
        let weights: Vec<(String, i32)> = source.lines().map_while(weight).collect();
        let expected = report.weights.iter().map(|weight| (weight.feature.to_string(), weight.new));
        assert_eq!(weights, expected.collect::<Vec<_>>(), "{source}");
        assert_eq!(weights.len(), G::FEATURE_WEIGHTS.len());
        assert!(text.ends_with("\n    ];"), "{text}");
    }
}

/// Parses `("name", 12),`.
fn weight(line: &str) -> Option<(String, i32)> {
    let (name, number) = line.trim().strip_prefix("(\"")?.strip_suffix("),")?.split_once("\", ")?;
    Some((name.into(), number.parse().ok()?))
}

#[test]
fn plays_stores_and_learns_from_every_game() {
    BuiltinRules::TWO_PLAYER_GAMES.iter().for_each(|id| id.run_operation(TinyRun));
}

/// The flags for the training of nets in the tests.
const FLAGS: [&str; 8] = ["--nodes", "200", "--plies", "80", "--games", "20", "--epochs", "40"];

/// Checks the lines about the use of a trained net. Returns the report before them.
fn report_before_usage(out: &str, net: &str) -> String {
    let (report, rest) = out.split_once("To use it, put ").unwrap();
    assert!(report.contains("\nThe new net predicts the games held out "), "{report}");
    let rest = rest.strip_prefix(net).unwrap();
    assert!(
        rest.starts_with("\nin place of the net in src/crates/bushka, and build.\nOnly "),
        "{rest}"
    );
    assert!(rest.lines().all(|line| line.len() < 100), "{rest}");
    report.to_string()
}

#[test]
fn same_games_train_the_same_net() {
    let folder = Folder::new("tune-net");
    let [data, once, twice] = ["net.games", "once.net", "twice.net"].map(|name| folder.file(name));
    let run = |game: &str, net: &str| {
        run_tuner(&[&["tune", "--game", game, "--data", &data, "--net", net], &FLAGS[..]].concat())
    };
    let (out, err, code) = run("bushka", &once);
    assert!(out.starts_with("Games: ") && err.is_empty() && code == Some(0), "{err}");
    let losses = out
        .lines()
        .find_map(|line| line.strip_prefix("learnt"))
        .unwrap()
        .split_whitespace()
        .skip(2);
    let losses: Vec<f64> = losses.map(|loss| loss.parse().unwrap()).collect();
    assert!(losses[1] < 0.65, "a coin has 0.69: {out}");
    let (again, err, code) = run("bushka", &twice);
    assert_eq!(
        (report_before_usage(&again, &twice), err, code),
        (report_before_usage(&out, &once), String::new(), Some(0))
    );
    let [first, second] = [&once, &twice].map(|net| fs::read(net).unwrap());
    let contents = NET_FILE_FORMAT.verified_contents(&first).unwrap();
    assert_eq!(contents.len(), Bushka::NET_SHAPE.unwrap().parameter_byte_count());
    assert!(first == second && contents.iter().any(|&byte| byte != 0));

    let (out, err, code) = run("bushka", &once);
    assert_eq!((out.as_str(), code), ("", Some(1)));
    assert!(
        err.contains("once.net: it is there already, and no worse: ")
            && err.ends_with("--force replaces it\n"),
        "{err}"
    );
    // The report and the error state the same losses for the same net.
    let loss = again.split_once("the present one: ").unwrap().1.split_once(" against ").unwrap().0;
    assert!(
        err.contains(&format!(" a loss of {loss}, the new net with {loss}; ")),
        "{loss}: {err}"
    );
    assert!(fs::read(&once).unwrap() == first);
    // A trained net is stored. A worse net is replaced. A file that is not a net of the game
    // remains.
    let (_, err, code) = run_tuner(
        &[&["tune", "--game", "bushka", "--data", &data, "--net", &once, "--force"], &FLAGS[..]]
            .concat(),
    );
    assert_eq!((err.as_str(), code), ("", Some(0)));
    // The last high byte belongs to the bias of positions with many pieces.
    let mut worse = vec![0; contents.len()];
    *worse.last_mut().unwrap() = 0x7f;
    fs::write(&twice, NET_FILE_FORMAT.file_with_contents(&worse)).unwrap();
    assert_eq!(run("bushka", &twice).2, Some(0));
    assert!(fs::read(&twice).unwrap() == first && fs::read(&once).unwrap() == first);
    let mut damaged = first.clone();
    damaged[100] ^= 1;
    for (bytes, why) in [
        // The format of the version before.
        (contents.to_vec(), "cannot be read: its first line is not \"pentarch net 1\""),
        (damaged, "cannot be read: it is damaged: it has another checksum"),
        (NET_FILE_FORMAT.file_with_contents(&contents[2..]), "is not a net of Bushka"),
    ] {
        fs::write(&twice, &bytes).unwrap();
        let (_, err, code) = run("bushka", &twice);
        let end = format!("it is there already, and {why}\n");
        assert!(err.ends_with(&end) && code == Some(1), "{err}");
        assert!(fs::read(&twice).unwrap() == bytes);
    }
    let no_net = "pentarch: the evaluation of Guerre des Deux Roses has no net\n";
    assert_eq!(run("roses", &folder.file("no.net")), (String::new(), no_net.into(), Some(2)));
}

#[test]
fn resumes_an_interrupted_training() {
    let folder = Folder::new("tune-interrupted");
    let [data, whole, interrupted] =
        ["net.games", "whole.net", "interrupted.net"].map(|name| folder.file(name));
    let part = format!("{interrupted}.checkpoint");
    let flags = |net: &str, games: &str| {
        let fixed = ["--nodes", "200", "--plies", "80", "--epochs", "100", "--games", games];
        [&["tune", "--game", "bushka", "--data", &data, "--net", net], &fixed[..]]
            .concat()
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    let run = |net: &str, games: &str| {
        run_tuner(&flags(net, games).iter().map(String::as_str).collect::<Vec<_>>())
    };
    let expected = run(&whole, "20");
    assert_eq!(expected.2, Some(0), "{}", expected.1);
    let mut training = program(flags(&interrupted, "20"));
    let mut training = training.stdout(Stdio::null()).spawn().unwrap();
    while !fs::exists(&part).unwrap() && training.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(1));
    }
    training.kill().unwrap();
    training.wait().unwrap();
    if fs::exists(&part).unwrap() {
        let (_, err, code) = run(&interrupted, "21");
        assert!(err.ends_with("remove it to start from scratch\n") && code == Some(1), "{err}");
        // The file of games now contains one game too many.
        fs::remove_file(&data).unwrap();
        let report = |out: &str| out.split("To use it").next().unwrap().to_string();
        let (out, err, code) = run(&interrupted, "20");
        assert_eq!((report(&out), err, code), (report(&expected.0), expected.1, expected.2));
    }
    assert!(fs::read(&whole).unwrap() == fs::read(&interrupted).unwrap());
    assert!(!fs::exists(&part).unwrap());
}

#[test]
fn tunes_the_search_and_resumes_an_interrupted_tuning() {
    let folder = Folder::new("tune-spsa");
    let [whole, interrupted] = ["whole.spsa", "interrupted.spsa"].map(|name| folder.file(name));
    let flags = |state: &str, more: [&str; 4]| -> Vec<String> {
        let fixed = ["--nodes", "150", "--plies", "200", "--random-plies", "3"];
        let all = [&["tune", "--game", "bushka", "--spsa", state], &fixed[..], &more[..]].concat();
        all.iter().map(ToString::to_string).collect()
    };
    let run = |state: &str, more| {
        run_tuner(&flags(state, more).iter().map(String::as_str).collect::<Vec<_>>())
    };
    let expected = run(&whole, ["--iterations", "6", "--concurrency", "1"]);
    let (out, err, code) = &expected;
    assert_eq!((err.as_str(), *code), ("", Some(0)));
    let numbers = |line: &str| -> Option<(i32, i32)> {
        let mut words = line.split_whitespace().skip(1);
        Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
    };
    let table: Vec<(i32, i32)> = out.lines().skip(1).map_while(numbers).collect();
    assert_eq!(
        table.iter().map(|row| row.0).collect::<Vec<_>>(),
        Bushka::SEARCH_PARAMETERS.parameter_values(),
        "{out}"
    );
    assert!(table.iter().any(|(present, new)| present != new), "{out}");
    let (_, source) =
        out.split_once("const SEARCH_PARAMETERS: SearchParameters = SearchParameters {\n").unwrap();
    assert_eq!(source.lines().count(), table.len() + 1, "{out}");

    // With two threads and an interruption, the numbers are the same.
    let mut tuning = program(flags(&interrupted, ["--iterations", "6", "--concurrency", "2"]));
    let mut tuning = tuning.stdout(Stdio::null()).spawn().unwrap();
    while !fs::exists(&interrupted).unwrap() && tuning.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(1));
    }
    tuning.kill().unwrap();
    tuning.wait().unwrap();
    let (_, err, code) = run(&interrupted, ["--iterations", "7", "--concurrency", "2"]);
    assert!(err.ends_with("remove it to start from scratch\n") && code == Some(1), "{err}");
    assert_eq!(run(&interrupted, ["--iterations", "6", "--concurrency", "2"]), expected);
    // If a tuning is finished, another run prints its result again.
    assert_eq!(run(&interrupted, ["--iterations", "6", "--concurrency", "1"]), expected);

    let data = folder.file("none.games");
    let both = ["tune", "--game", "bushka", "--spsa", &whole, "--data", &data];
    assert_eq!(run_tuner(&both).2, Some(2));
    assert_eq!(run_tuner(&["tune", "--data", &data, "--iterations", "3"]).2, Some(2));
}

/// Runs the program with these arguments. Returns its output, error output and exit code.
fn run_tuner(arguments: &[&str]) -> (String, String, Option<i32>) {
    run(program(arguments), "")
}

/// Returns the tags of self-play games of Roses with this seed, in the form of the errors.
fn tags(seed: u32) -> String {
    format!("Game 'roses', Option 'RepetitionDraw=true', Seed '{seed}'")
}

/// Checks that the tuner rejects games that cannot be used together. `text` is a valid file of
/// games. The function `rejection_of_file` returns the error for a file with this name and text.
fn check_unrelated_games(text: &str, rejection_of_file: impl Fn(&str, &str) -> String) {
    let (first, _) = text.split_once("\n\n").unwrap();
    let twice = rejection_of_file("twice", &format!("{text}%x\n{first}\n\n"));
    assert!(
        twice.starts_with("not read: a line that begins with % (line ")
            && twice.ends_with(" twice\n"),
        "{twice}"
    );
    let number = first.replace(" 2. ", " 65. ").replace("\n2. ", "\n65. ");
    let number = rejection_of_file("number", &format!("{number}\n\n"));
    assert!(number.ends_with("the move number 65 is in the place of 2\n"), "{number}");
    let other = first.replace("Seed \"1\"", "Seed \"2\"");
    let kinds =
        format!("it holds games of two kinds\n  one:   {}\n  other: {}\n", tags(1), tags(2));
    assert_eq!(rejection_of_file("kinds", &format!("{text}{other}\n\n")), kinds);
    let placed = first.replace("[Outcome ", "[Fen \"startpos\"]\n[Outcome ");
    let alone = "it holds other games than those of roses with itself\n";
    assert_eq!(rejection_of_file("placed", &format!("{placed}\n\n")), alone);
    let other_rule = first.replace("[Seed ", "[Option \"Size=9\"]\n[Seed ");
    assert_eq!(
        rejection_of_file("rule", &format!("{other_rule}\n\n")),
        "the game has no rule 'Size'\n"
    );
}

#[test]
fn program_tunes_and_rejects_invalid_files() {
    let folder = Folder::new("tune-program");
    let path = &folder.file("program.games");
    let tune = ["tune", "--game", "roses", "--data", path, "--nodes", "200", "--prior", "1000000"];
    let run = |more: &[&str]| run_tuner(&[&tune[..], more].concat());
    let (out, err, code) = run(&["--games", "4"]);
    assert!(
        out.starts_with("Games: ")
            && out.ends_with("\n    ];\n")
            && err.is_empty()
            && code == Some(0),
        "{err}"
    );
    let rejection = |more: &[&str], code| {
        let (out, err, found) = run(more);
        assert_eq!((out.as_str(), found), ("", Some(code)), "{more:?} {err}");
        err
    };
    let head = format!("pentarch: {path}: ");
    let other = format!("it holds other games\n  there: {}\n  here:  {}\n", tags(1), tags(2));
    assert_eq!(rejection(&["--seed", "2"], 1), format!("{head}{other}"));

    // The games are records, so a session can load them.
    let (out, err, code) = run_tuner(&["load", &format!("{path}:2")]);
    let warning = "info string warning: not read: the tag Seed, the tag Number\n";
    assert_eq!((out.as_str(), err.as_str(), code), (warning, "", Some(0)));

    let hint = "has no part 'a soldir' (did you mean 'a soldier'?)\n";
    assert_eq!(
        rejection(&["--unit", "a soldir"], 2),
        format!("pentarch: the evaluation of Guerre des Deux Roses {hint}")
    );
    assert!(rejection(&["--games", "-1"], 2).starts_with("error: "));
    assert!(rejection(&["--nodes", "0"], 2).starts_with("error: "));
    assert!(rejection(&["--with", "there/is/none"], 1).starts_with("pentarch: there/is/none: "));
    let (_, err, code) = run_tuner(&["tune"]);
    assert!(
        err.contains("<--data <FILE>|--spsa <STATE>|--shard <FROM..TO>>") && code == Some(2),
        "{err}"
    );

    let text = fs::read_to_string(path).unwrap();
    check_unrelated_games(&text, |name, text| {
        let file = folder.file(name);
        fs::write(&file, text).unwrap();
        rejection(&["--with", &file], 1).replace(&format!("pentarch: {file}: "), "")
    });

    // A file that is not a file of games remains unchanged.
    fs::write(path, "dear diary").unwrap();
    assert_eq!(rejection(&[], 1), format!("{head}it holds something else than game records\n"));
    assert_eq!(fs::read_to_string(path).unwrap(), "dear diary");

    let record = "[Game \"roses\"]\n[Option \"RepetitionDraw=true\"]\n[Seed \"1\"]\n[Number \"0\"]\nz9 1-0\n\n";
    fs::write(path, record).unwrap();
    let error = rejection(&[], 1);
    assert!(error.starts_with(&format!("{head}game 0: 'z9': the board has no cell z9")), "{error}");
}

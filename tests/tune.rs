//! The tuner on every game: what it plays, what it keeps, and the weights that it prints.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use pentarch::core::{Complete, Evaluate, Options};
use pentarch::games::bushka::Bushka;
use pentarch::games::{GameId, Visitor};
use pentarch::tune::selfplay::Settings;
use pentarch::tune::{Plan, Tune};

/// A path for this test alone, where nothing is yet.
fn fresh(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

/// A tiny run. Weights are hardly moved by so few games.
fn tiny(data: PathBuf, games: u32, concurrency: u16) -> Plan {
    let play = Settings { nodes: 300, random_plies: 4, plies: 60, seed: 5, concurrency };
    Plan { data, games, others: Vec::new(), play, prior: 1_000_000, unit: None }
}

/// The lines of a file, sorted.
fn lines(plan: &Plan) -> Vec<String> {
    let mut lines: Vec<String> = fs::read_to_string(&plan.data).unwrap().lines().map(String::from).collect();
    lines.sort();
    lines
}

struct TinyRun;

impl Visitor for TinyRun {
    type Output = ();

    fn visit<G: Complete>(self) {
        let options = Options::default();
        let run = |plan: &Plan| Tune { plan, options: &options }.visit::<G>().unwrap();
        let once = tiny(fresh(&format!("{}-once.games", G::ID)), 12, 1);
        let report = run(&once);
        assert_eq!(lines(&once).len(), 13, "{}", G::ID);
        assert!(report.sets[0].samples > 50, "{} {report}", G::ID);

        // In two runs, the first of them cut short while writing, and on two threads: the same games.
        let twice = tiny(fresh(&format!("{}-twice.games", G::ID)), 5, 2);
        run(&twice);
        let text = fs::read_to_string(&twice.data).unwrap();
        fs::write(&twice.data, &text[..text.len() - 10]).unwrap();
        let twice = Plan { games: 12, ..twice };
        assert_eq!(run(&twice), report, "{}", G::ID);
        assert_eq!(lines(&twice), lines(&once), "{}", G::ID);

        // Learning again plays nothing; the same games once more change hardly anything.
        let again = Plan { games: 0, others: vec![twice.data], ..once };
        assert_eq!(run(&again).sets[0].samples, 2 * report.sets[0].samples, "{}", G::ID);

        // The lines of source are the names of the parts with whole numbers.
        let text = report.to_string();
        let (_, source) = text.split_once("const WEIGHTS: &'static [(&'static str, i32)] = &[\n").unwrap();
        let weights: Vec<(String, i32)> = source.lines().map_while(weight).collect();
        let expected = report.weights.iter().map(|weight| (weight.part.to_string(), weight.new));
        assert_eq!(weights, expected.collect::<Vec<_>>(), "{source}");
        assert_eq!(weights.len(), G::WEIGHTS.len());
        assert!(text.ends_with("\n    ];"), "{text}");
    }
}

/// Reads `("name", 12),`.
fn weight(line: &str) -> Option<(String, i32)> {
    let (name, number) = line.trim().strip_prefix("(\"")?.strip_suffix("),")?.split_once("\", ")?;
    Some((name.into(), number.parse().ok()?))
}

#[test]
fn every_game_is_played_kept_and_learnt_from() {
    GameId::ALL.iter().for_each(|id| id.visit(TinyRun));
}

#[test]
fn a_net_is_trained_and_the_same_games_give_the_same() {
    let data = fresh("net.games");
    let [once, twice] = ["once.net", "twice.net"].map(fresh);
    let run = |game: &str, net: &PathBuf| {
        let [data, net] = [&data, net].map(|path| path.to_str().unwrap());
        let flags = ["--nodes", "200", "--plies", "80", "--games", "20", "--epochs", "40"];
        program(&[&["tune", "--game", game, "--data", data, "--net", net], &flags[..]].concat())
    };
    let (out, err, code) = run("bushka", &once);
    assert!(out.starts_with("Games: ") && err.is_empty() && code == Some(0), "{err}");
    let losses = out.lines().find_map(|line| line.strip_prefix("learnt")).unwrap().split_whitespace().skip(2);
    let losses: Vec<f64> = losses.map(|loss| loss.parse().unwrap()).collect();
    assert!(losses[1] < 0.65, "a coin has 0.69: {out}");
    assert_eq!(run("bushka", &twice), (out, String::new(), Some(0)));
    let [first, second] = [&once, &twice].map(|net| fs::read(net).unwrap());
    assert_eq!(first.len(), 2 * pentarch::core::net::numbers(Bushka::INPUTS));
    assert!(first == second && first.iter().any(|&byte| byte != 0));

    let (out, err, code) = run("bushka", &once);
    assert_eq!((out.as_str(), code), ("", Some(1)));
    assert!(err.starts_with("pentarch: ") && err.ends_with("once.net: it is there already\n"), "{err}");
    assert!(fs::read(&once).unwrap() == first);
    let no_net = "pentarch: the evaluation of Guerre des Deux Roses has no net\n";
    assert_eq!(run("roses", &fresh("no.net")), (String::new(), no_net.into(), Some(2)));
}

/// Standard output, error output and exit code of the program with these arguments.
fn program(arguments: &[&str]) -> (String, String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_pentarch")).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn the_program_tunes_and_refuses() {
    let data = fresh("program.games");
    let path = data.to_str().unwrap();
    let tune = ["tune", "--game", "roses", "--data", path, "--nodes", "200", "--prior", "1000000"];
    let run = |more: &[&str]| program(&[&tune[..], more].concat());
    let (out, err, code) = run(&["--games", "4"]);
    assert!(out.starts_with("Games: ") && out.ends_with("\n    ];\n") && err.is_empty() && code == Some(0), "{err}");
    let refused = |more: &[&str], code| {
        let (out, err, found) = run(more);
        assert_eq!((out.as_str(), found), ("", Some(code)), "{more:?} {err}");
        err
    };
    let head = format!("pentarch: {path}: ");
    let other = "holds something else\n  its first line: roses seed=1 RepetitionDraw=true\n  it should be:   ";
    assert_eq!(refused(&["--seed", "2"], 1), format!("{head}{other}roses seed=2 RepetitionDraw=true\n"));
    let hint = "has no part 'a soldir' (did you mean 'a soldier'?)\n";
    assert_eq!(
        refused(&["--unit", "a soldir"], 2),
        format!("pentarch: the evaluation of Guerre des Deux Roses {hint}")
    );
    assert!(refused(&["--games", "-1"], 2).starts_with("error: "));
    assert!(refused(&["--nodes", "0"], 2).starts_with("error: "));
    assert!(refused(&["--with", "there/is/none"], 1).starts_with("pentarch: there/is/none: "));
    let (_, err, code) = program(&["tune"]);
    assert!(err.contains("--data <FILE>") && code == Some(2), "{err}");

    // What is no file of games stays as it is.
    fs::write(&data, "dear diary").unwrap();
    assert!(refused(&[], 1).starts_with(&format!("{head}holds something else\n  its first line: dear diary\n")));
    assert_eq!(fs::read_to_string(&data).unwrap(), "dear diary");

    fs::write(&data, "roses seed=1 RepetitionDraw=true\n0 1-0 z9\n").unwrap();
    let error = refused(&[], 1);
    assert!(error.starts_with(&format!("{head}line 2: 'z9': the board has no cell z9")), "{error}");
}

//! Real clients from the package registries, installed in the same way as by their users.

use std::fs;
use std::path::Path;
use std::process::Command;

use pentarch_engine::games::all_game_words;

use crate::client::PENTARCH;
use crate::common::games_with_go_board;
use crate::common::temporary::Folder;

/// Runs a command in this folder. The command must succeed.
fn run(folder: &Path, program: &str, arguments: &[&str]) {
    succeed(Command::new(program).args(arguments).current_dir(folder));
}

fn succeed(command: &mut Command) {
    let status = command.env_remove("RUST_LOG").status();
    let status = status.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(status.success(), "{command:?}: {status}");
}

/// Creates a virtual environment in this folder, and installs the package `installed` with `pip`.
/// Returns the path of its Python.
fn python_with(folder: &Path, installed: &str) -> String {
    run(folder, "python3", &["-m", "venv", "python"]);
    let python =
        folder.join(if cfg!(windows) { "python/Scripts/python" } else { "python/bin/python" });
    let python = python.to_str().unwrap();
    run(
        folder,
        python,
        &["-m", "pip", "install", "--quiet", "--disable-pip-version-check", installed],
    );
    python.into()
}

/// Needs `python3`. Also lets 100 threads and 40 tasks use one engine:
/// `cargo test --test all registry_clients::the_python -- --ignored`
#[test]
#[ignore = "needs python3"]
fn the_python_module_plays_all_games_as_a_single_file() {
    let folder = Folder::new("python");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::copy(root.join("src/python/pentarch/__init__.py"), folder.path().join("pentarch.py"))
        .unwrap();
    for (script, arguments) in [("python_module.py", all_game_words()), ("python_engine.py", &[])] {
        let copy = folder.path().join(script);
        fs::copy(root.join("tests/clients").join(script), copy).unwrap();
        let mut command = Command::new("python3");
        command.arg(script).args(arguments).env("PENTARCH", PENTARCH);
        succeed(command.current_dir(folder.path()));
    }
}

/// Needs `python3` with `pip`, and the network. Builds the program for release, and installs it
/// with its rules and its module into a new environment. Then uses them from another folder, and
/// runs the script of a notebook in `docs/python.md`: `cargo test --test all registry_clients::the_python -- --ignored`
#[test]
#[ignore = "builds the program for release, with a package from PyPI"]
fn the_python_package_brings_the_program_and_its_module() {
    let folder = Folder::new("python-package");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = python_with(folder.path(), root.to_str().unwrap());
    let page = fs::read_to_string(root.join("docs/python.md")).unwrap();
    let (_, rest) = page.split_once("```python notebook\n").expect("the script of a notebook");
    let (notebook, _) = rest.split_once("```").expect("the end of the script");
    fs::write(folder.path().join("notebook.py"), notebook).unwrap();
    for script in ["python_module.py", "python_rules.py", "python_engine.py"] {
        let copy = folder.path().join(script);
        fs::copy(root.join("tests/clients").join(script), copy).unwrap();
    }
    let run_script = |script: &str, arguments: &[&str]| {
        let mut command = Command::new(&python);
        command.arg(script).args(arguments).env_remove("PENTARCH");
        succeed(command.current_dir(folder.path()));
    };
    run_script("python_module.py", all_game_words());
    run_script("python_rules.py", &["500"]);
    run_script("python_engine.py", &[]);
    run_script("notebook.py", &[]);
    let games = Command::new(&python)
        .args(["-m", "pentarch", "games"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let games = String::from_utf8(games.stdout).unwrap();
    assert!(all_game_words().iter().all(|word| games.contains(word)), "{games}");
    let refused = Command::new(&python).args(["-m", "pentarch", "no-command"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
}

/// Needs `python3`:
/// `cargo test --test all registry_clients::the_python -- --ignored`
#[test]
#[ignore = "needs python3"]
fn the_python_client_of_the_requests_plays_and_reviews_a_game() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let client = Command::new("python3")
        .arg(root.join("examples/json_client.py"))
        .arg("quoridor")
        .env("PENTARCH", PENTARCH)
        .env("PYTHONPATH", root.join("src/python"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    let out = String::from_utf8(client.stdout).unwrap();
    assert!(
        client.status.success()
            && out.contains("[Game \"quoridor\"]\n")
            && out.contains(" accurate, "),
        "{out}"
    );
}

/// Needs `python3` with `pip`, and the network. Without `pip` the test is skipped. Installs Dask
/// into a new environment, and runs the trials of the driver: workers, schedulers and drivers hang,
/// end or are set up wrongly.
///
/// `cargo test --test all registry_clients::a_cluster -- --ignored --nocapture`
#[cfg(target_os = "linux")]
#[test]
#[ignore = "installs packages from PyPI, and takes 10 minutes"]
fn a_cluster_has_the_result_of_one_machine_despite_faults() {
    let pip = Command::new("python3").args(["-m", "pip", "--version"]).output();
    if !pip.as_ref().is_ok_and(|pip| pip.status.success()) {
        eprintln!("skipped: python3 has no pip: {pip:?}");
        return;
    }
    let folder = Folder::new("cluster");
    // This package depends on Dask.
    let python = python_with(folder.path(), "dask-jobqueue");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(python);
    command.arg(root.join("tests/cluster/trials.py")).arg(PENTARCH).arg(folder.path());
    succeed(command.env("PYTHONPATH", root.join("src/python")).env("PYTHONDONTWRITEBYTECODE", "1"));
}

/// Needs `node` with `npm`, `python3` with `pip`, and the network. Installs the clients into a
/// temporary folder, and drives the program with each of the scripts in `tests/clients`:
///
/// `cargo test --test all registry_clients:: -- --ignored --nocapture`
#[test]
#[ignore = "installs packages from npm and PyPI"]
fn clients_from_the_registries_play_all_games() {
    let folder = Folder::new("clients");
    let folder = folder.path();
    for script in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients")).unwrap()
    {
        let script = script.unwrap();
        fs::copy(script.path(), folder.join(script.file_name())).unwrap();
    }
    let npm =
        ["install", "--prefix", ".", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
    run(folder, "npm", &[&npm[..], &["@sabaki/gtp@3", "node-uci@1"]].concat());
    run(folder, "node", &[&["sabaki.mjs", PENTARCH], &games_with_go_board()[..]].concat());
    run(folder, "node", &[&["node-uci.mjs", PENTARCH], all_game_words()].concat());
    let python = python_with(folder, "chess");
    run(folder, &python, &[&["python_chess.py", PENTARCH], all_game_words()].concat());
}

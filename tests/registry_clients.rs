//! Real clients from the package registries, as their users get them.

use std::fs;
use std::path::Path;
use std::process::Command;

use pentarch::games::GameId;

use crate::client::PENTARCH;
use crate::common::temporary::Folder;
use crate::common::words_with_a_board;

fn run(folder: &Path, program: &str, arguments: &[&str]) {
    let status = Command::new(program).args(arguments).current_dir(folder).env_remove("RUST_LOG").status();
    let status = status.unwrap_or_else(|error| panic!("{program}: {error}"));
    assert!(status.success(), "{program} {}: {status}", arguments.join(" "));
}

/// Needs `python3`: `cargo test --test all registry_clients::the_python -- --ignored`
#[test]
#[ignore = "needs python3"]
fn the_python_module_plays_all_games() {
    let folder = Folder::new("python");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::copy(root.join("examples/pentarch.py"), folder.path().join("pentarch.py")).unwrap();
    fs::copy(root.join("tests/clients/python_module.py"), folder.path().join("python_module.py")).unwrap();
    run(folder.path(), "python3", &[&["python_module.py", PENTARCH], GameId::WORDS].concat());
}

/// Needs `python3`: `cargo test --test all registry_clients::the_python -- --ignored`
#[test]
#[ignore = "needs python3"]
fn the_python_client_of_the_requests_plays_and_reviews_a_game() {
    let client = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/json_client.py");
    let client = Command::new("python3").arg(client).arg("quoridor").env("PENTARCH", PENTARCH).output().unwrap();
    let out = String::from_utf8(client.stdout).unwrap();
    assert!(client.status.success() && out.contains("[Game \"quoridor\"]\n") && out.contains(" accurate, "), "{out}");
}

/// Needs `node` with `npm`, `python3` with `pip`, and the network. Installs the clients into a temporary folder, and
/// drives the program with each of the scripts in `tests/clients`:
///
/// `cargo test --test all registry_clients:: -- --ignored --nocapture`
#[test]
#[ignore = "installs packages from npm and PyPI"]
fn clients_from_the_registries_play_all_games() {
    let folder = Folder::new("clients");
    let folder = folder.path();
    for script in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients")).unwrap() {
        let script = script.unwrap();
        fs::copy(script.path(), folder.join(script.file_name())).unwrap();
    }
    let npm = ["install", "--prefix", ".", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
    run(folder, "npm", &[&npm[..], &["@sabaki/gtp@3", "node-uci@1"]].concat());
    run(folder, "node", &[&["sabaki.mjs", PENTARCH], &words_with_a_board()[..]].concat());
    run(folder, "node", &[&["node-uci.mjs", PENTARCH], GameId::WORDS].concat());
    run(folder, "python3", &["-m", "venv", "python"]);
    let python = if cfg!(windows) { "python/Scripts/python" } else { "python/bin/python" };
    let python = folder.join(python);
    let python = python.to_str().unwrap();
    run(folder, python, &["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "chess"]);
    run(folder, python, &[&["python_chess.py", PENTARCH], GameId::WORDS].concat());
}

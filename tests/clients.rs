//! Real clients from the package registries, as their users get them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder that is removed in the end, however that comes.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed stays among the temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn run(folder: &Path, program: &str, arguments: &[&str]) {
    let status = Command::new(program).args(arguments).current_dir(folder).env_remove("RUST_LOG").status();
    let status = status.unwrap_or_else(|error| panic!("{program}: {error}"));
    assert!(status.success(), "{program} {}: {status}", arguments.join(" "));
}

/// Needs `node` with `npm`, `python3` with `pip`, and the network. Installs the clients into a temporary folder, and
/// drives the program with each of the scripts in `tests/clients`:
///
/// `cargo test --test clients -- --ignored --nocapture`
#[test]
#[ignore = "installs packages from npm and PyPI"]
fn clients_from_the_registries_play_all_games() {
    let folder = Folder(std::env::temp_dir().join(format!("pentarch-clients-{}", std::process::id())));
    fs::create_dir_all(&folder.0).unwrap();
    for script in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients")).unwrap() {
        let script = script.unwrap();
        fs::copy(script.path(), folder.0.join(script.file_name())).unwrap();
    }
    let pentarch = env!("CARGO_BIN_EXE_pentarch");
    let npm = ["install", "--prefix", ".", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
    run(&folder.0, "npm", &[&npm[..], &["@sabaki/gtp@3", "node-uci@1"]].concat());
    run(&folder.0, "node", &["sabaki.mjs", pentarch]);
    run(&folder.0, "node", &["node-uci.mjs", pentarch]);
    run(&folder.0, "python3", &["-m", "venv", "python"]);
    let python = if cfg!(windows) { "python/Scripts/python" } else { "python/bin/python" };
    let python = folder.0.join(python);
    let python = python.to_str().unwrap();
    run(&folder.0, python, &["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "chess"]);
    run(&folder.0, python, &["python_chess.py", pentarch]);
}

//! The page in a real browser: scripts for node in `tests/browser`, which start the program.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::client::PENTARCH;

/// Needs `node` and `chromium`, and what `npm ci` installs in `tests/browser`; `.ci/browser` installs what is missing:
///
/// `cargo test --test all browser:: -- --ignored --nocapture`
#[test]
#[ignore = "drives a browser: 10 minutes"]
fn the_page_works_in_a_browser() {
    run(None);
}

/// The same page with the engine in a worker, from the folder that `PENTARCH_WEB` names, or else from `target/web`,
/// where `web/build` writes it.
#[test]
#[ignore = "drives a browser: 10 minutes"]
fn the_page_works_in_a_browser_without_a_server() {
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("target/web");
    let folder = env::var_os("PENTARCH_WEB").map_or_else(usual, PathBuf::from);
    match folder.join("index.html").is_file() {
        true => run(Some(&folder)),
        false => println!("skipped: web/build has not written {}", folder.display()),
    }
}

/// Runs the tests of the page of a server, or of the page in a folder.
fn run(files: Option<&Path>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser");
    let mut command = Command::new("npm");
    command.args(["run", "--silent", "test"]).current_dir(folder).env("PENTARCH", PENTARCH).env_remove("RUST_LOG");
    match files {
        Some(files) => command.env("PENTARCH_WEB", files),
        None => command.env_remove("PENTARCH_WEB"),
    };
    let output = command.output().unwrap_or_else(|error| panic!("npm: {error}"));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}:\n{text}{}", output.status, String::from_utf8_lossy(&output.stderr));
    println!("{text}");
}

//! The page in a real browser: scripts for node in `tests/browser`, which start the program.

use std::path::Path;
use std::process::Command;

use crate::client::PENTARCH;

/// Needs `node` and `chromium`, and what `npm ci` installs in `tests/browser`; `.ci/browser` installs what is missing:
///
/// `cargo test --test all browser:: -- --ignored --nocapture`
#[test]
#[ignore = "drives a browser: 10 minutes"]
fn the_page_works_in_a_browser() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser");
    let mut command = Command::new("npm");
    command.args(["run", "--silent", "test"]).current_dir(folder).env("PENTARCH", PENTARCH).env_remove("RUST_LOG");
    let output = command.output().unwrap_or_else(|error| panic!("npm: {error}"));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}:\n{text}{}", output.status, String::from_utf8_lossy(&output.stderr));
    println!("{text}");
}

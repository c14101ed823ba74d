//! Sessions as front ends see them: the transcripts in `fixtures`, and every example in the documentation.

#[path = "common/client.rs"]
mod client;

use std::fs;
use std::path::{Path, PathBuf};

use client::{Client, play_transcript};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files below a folder whose names end like this.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.to_string_lossy().ends_with(ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn transcripts_in_process() {
    let files = files(&root().join("fixtures"), ".ugi");
    assert!(!files.is_empty());
    for file in files {
        play_transcript(Client::in_process(), &file.display().to_string(), &fs::read_to_string(&file).unwrap());
    }
}

#[test]
fn transcripts_with_the_program() {
    for file in files(&root().join("fixtures/protocol"), ".ugi") {
        play_transcript(Client::program(&[]), &file.display().to_string(), &fs::read_to_string(&file).unwrap());
    }
}

/// The fenced blocks of a document that are marked `ugi`, each with the line it begins in.
fn examples(document: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut inside = false;
    for (number, line) in (1..).zip(document.lines()) {
        if line.starts_with("```") {
            inside = line == "```ugi";
            if inside {
                found.push((number, String::new()));
            }
        } else if inside && let Some((_, block)) = found.last_mut() {
            *block += line;
            block.push('\n');
        }
    }
    found
}

#[test]
fn examples_of_the_documentation() {
    for (document, least) in [("protocol.md", 20), ("README.md", 1)] {
        let examples = examples(&fs::read_to_string(root().join(document)).unwrap());
        assert!(examples.len() >= least, "{document}");
        for (line, block) in examples {
            assert!(block.lines().all(|line| line.starts_with('>') || line.starts_with("< ")), "{document}:{line}");
            play_transcript(Client::in_process(), &format!("{document}, example at line {line}"), &block);
        }
    }
}

//! Sessions as front ends see them: the transcripts in `fixtures`, and every example in the documentation.

use std::fs;
use std::path::{Path, PathBuf};

use crate::client::{Client, Dialect, play_transcript, settings_of};

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

/// Plays every transcript of this dialect in a folder with what begins an engine.
fn play_all(folder: &str, dialect: Dialect, engine: fn(Dialect, &[&str]) -> Client) {
    let ending = if dialect == Dialect::Gtp { ".gtp" } else { ".ugi" };
    let files = files(&root().join(folder), ending);
    assert!(!files.is_empty());
    for file in files {
        let transcript = fs::read_to_string(&file).unwrap();
        play_transcript(engine(dialect, &settings_of(&transcript)), &file.display().to_string(), &transcript);
    }
}

#[test]
fn transcripts_in_process() {
    play_all("fixtures", Dialect::Ugi, Client::in_process_with);
    play_all("fixtures", Dialect::Gtp, Client::in_process_with);
}

#[test]
fn transcripts_with_the_program() {
    play_all("fixtures/protocol", Dialect::Ugi, Client::program_with);
    play_all("fixtures", Dialect::Gtp, Client::program_with);
}

/// The fenced blocks of a document that are marked `ugi` or `gtp`, each with the line it begins in.
fn examples(document: &str) -> Vec<(usize, Dialect, String)> {
    let mut found: Vec<(usize, Dialect, String)> = Vec::new();
    let mut inside = false;
    for (number, line) in (1..).zip(document.lines()) {
        if line.starts_with("```") {
            let dialect = match line {
                "```ugi" => Some(Dialect::Ugi),
                "```gtp" => Some(Dialect::Gtp),
                _ => None,
            };
            inside = dialect.is_some();
            found.extend(dialect.map(|dialect| (number, dialect, String::new())));
        } else if inside && let Some((.., block)) = found.last_mut() {
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
        for (line, dialect, block) in examples {
            assert!(block.lines().all(|line| line.starts_with('>') || line.starts_with("< ")), "{document}:{line}");
            play_transcript(
                Client::in_process_with(dialect, &[]),
                &format!("{document}, example at line {line}"),
                &block,
            );
        }
    }
}

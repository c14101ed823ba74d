//! Sessions as front ends see them. They are the transcripts in `fixtures` and all examples in the
//! documentation.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::client::{Client, Dialect, play_transcript, settings_of};
use crate::pages::{Block, pages};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns all files below a folder whose names end in `ending`.
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

/// Plays every transcript of this dialect in a folder, except the files `excluded`. Each transcript
/// has a new engine.
fn play_all(
    folder: &str,
    excluded: &[&str],
    dialect: Dialect,
    engine: fn(Dialect, &[&str]) -> Client,
) {
    let ending = if dialect == Dialect::Gtp { ".gtp" } else { ".ugi" };
    let mut files = files(&root().join(folder), ending);
    files.retain(|file| !excluded.iter().any(|name| file.ends_with(name)));
    assert!(!files.is_empty());
    for file in files {
        let transcript = fs::read_to_string(&file).unwrap();
        play_transcript(
            engine(dialect, &settings_of(&transcript)),
            &file.display().to_string(),
            &transcript,
        );
    }
}

#[test]
fn transcripts_match_in_process() {
    play_all("fixtures", &[], Dialect::Ugi, Client::in_process_with);
    play_all("fixtures", &[], Dialect::Gtp, Client::in_process_with);
}

/// The excluded transcripts search positions for which the program would have to compute tables of
/// solved positions. This process already has them.
#[test]
fn transcripts_match_with_the_program() {
    let excluded = ["new-game.ugi", "search.ugi", "uci-host.ugi"];
    play_all("fixtures/protocol", &excluded, Dialect::Ugi, Client::program_with);
    play_all("fixtures/protocol", &[], Dialect::Gtp, Client::program_with);
}

/// If a message changes, only one fixture should change. So if another transcript, or a file of
/// invalid moves or positions, contains an error, it has `...` in place of the words.
#[test]
fn each_message_is_asserted_once() {
    let fixtures = root().join("fixtures");
    let read = |path| fs::read_to_string(path).unwrap();
    let invalid: Vec<String> = files(&fixtures, ".bad").into_iter().map(read).collect();
    let mut wordings: BTreeSet<&str> = invalid
        .iter()
        .flat_map(|file| file.lines())
        .filter_map(|line| line.rsplit_once(" => "))
        .map(|(_, wording)| wording)
        .collect();
    let transcripts: Vec<(PathBuf, String)> = [".ugi", ".gtp"]
        .iter()
        .flat_map(|ending| files(&fixtures, ending))
        .map(|path| (path.clone(), read(path)))
        .collect();
    let mut repeated = Vec::new();
    for (path, transcript) in &transcripts {
        for line in transcript.lines() {
            let error = ["< ? ", "< info string error: ", "< illegal "]
                .iter()
                .find_map(|start| line.strip_prefix(start));
            let wording = error.map(|error| error.rsplit(": ").next().unwrap_or(error));
            // A row of a board begins like an error in GTP.
            let sentence =
                wording.filter(|text| text.len() > 10 && text.contains(char::is_lowercase));
            let Some(wording) = sentence else { continue };
            if !wording.contains("...") && !wordings.insert(wording) {
                repeated.push(format!("{}: {line}", path.display()));
            }
        }
    }
    assert!(repeated.is_empty(), "asserted elsewhere:\n{}", repeated.join("\n"));
}

/// The examples marked `ugi` or `gtp` on every page.
#[test]
fn documented_examples_match() {
    let mut played = 0;
    for page in pages() {
        let mut on_page = 0;
        for Block { line, mark, text } in page.blocks() {
            let dialect = match mark {
                "ugi" => Dialect::Ugi,
                "gtp" => Dialect::Gtp,
                _ => continue,
            };
            let place = format!("{}, example at line {line}", page.name);
            assert!(
                text.lines().all(|line| line.starts_with('>') || line.starts_with("< ")),
                "{place}"
            );
            play_transcript(Client::in_process_with(dialect, &[]), &place, &text);
            on_page += 1;
        }
        assert!(on_page > 0 || page.name != "README.md", "README.md has no session");
        played += on_page;
    }
    assert!(played > 50, "{played}");
}

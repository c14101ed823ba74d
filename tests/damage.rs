//! Damaged files that the program has written and reads again. The program must reject a damaged
//! file, or produce the same result from it.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use fastrand::Rng;
use pentarch_core::evaluation::data_format::{BOOK_FILE_FORMAT, NET_FILE_FORMAT};
use pentarch_core::notation::record::GameRecord;

use crate::client::{ANSWER_TIMEOUT, program, run};
use crate::common::temporary::Folder;

/// The number of damages for each file in the ignored tests.
const MANY_DAMAGES: usize = 200;

/// Returns damaged bytes. A bit is flipped, a byte is changed or added, the end is cut off, or two
/// bytes are swapped.
fn damage(rng: &mut Rng, bytes: &[u8]) -> Vec<u8> {
    let mut damaged = bytes.to_vec();
    let at = rng.usize(..bytes.len());
    match rng.u8(..5) {
        0 => damaged[at] ^= 1 << rng.u8(..8),
        1 => damaged[at] = rng.u8(..),
        2 => damaged.truncate(at),
        3 => damaged.swap(at, rng.usize(..bytes.len())),
        _ => damaged.insert(at, rng.u8(..)),
    }
    damaged
}

/// Runs the program with these arguments, separated by blanks. Returns whether it succeeds.
fn succeeds(arguments: &str) -> bool {
    let (out, err, code) = run(program(arguments.split(' ')), "");
    assert!(matches!(code, Some(0 | 1)), "{arguments}: {out}{err}");
    // An error message states a reason.
    assert!(code == Some(0) || err.starts_with("pentarch: "), "{arguments}: {out}{err}");
    code == Some(0)
}

/// Returns the games of a text without the tags that depend on time. They are ordered by their
/// numbers.
fn games(text: &str) -> Vec<GameRecord> {
    let mut games = GameRecord::parse_all(text).unwrap();
    for game in &mut games {
        game.tags.retain(|(name, _)| !["Effort1", "Effort2", "Checksum"].contains(&name.as_str()));
    }
    games.sort_by_key(|game| game.tag_values("Number").next().unwrap().parse::<u32>().unwrap());
    games
}

/// Damages the file of games of an unfinished `command`, and runs the command again. The command
/// must reject the file, or finish with the same games.
fn resumes_or_rejects(command: &str, damages: usize) {
    let folder = Folder::new("damage-games");
    let [begun, whole, damaged] = ["begun", "whole", "damaged"].map(|name| folder.file(name));
    let command = |file: &str, games: usize| command.replace("FILE", file) + &games.to_string();
    assert!(succeeds(&command(&begun, 3)) && succeeds(&command(&whole, 4)));
    let [begun, whole] = [begun, whole].map(|file| fs::read_to_string(file).unwrap());
    let mut rng = Rng::with_seed(83);
    let mut rejected = 0;
    for number in 0..damages {
        let bytes = damage(&mut rng, begun.as_bytes());
        fs::write(&damaged, &bytes).unwrap();
        if succeeds(&command(&damaged, 4)) {
            let text = fs::read_to_string(&damaged).unwrap();
            assert_eq!(games(&text), games(&whole), "damage {number}");
        } else {
            assert_eq!(fs::read(&damaged).unwrap(), bytes, "damage {number}");
            rejected += 1;
        }
    }
    println!("{}: {rejected} of {damages} damages rejected", command("FILE", 4));
}

fn damage_match_files(damages: usize) {
    let patience = ANSWER_TIMEOUT.as_millis();
    let command = format!(
        "arena --game bushka --nodes 20 --plies 12 --patience {patience} --record FILE --games "
    );
    resumes_or_rejects(&command, damages);
}

fn damage_selfplay_files(damages: usize) {
    resumes_or_rejects("tune --game quoridor --nodes 20 --plies 30 --data FILE --games ", damages);
}

/// Damages one of two shards of a command, and merges the shards.
fn merges_or_rejects(command: &str, damages: usize) {
    let folder = Folder::new("damage-shards");
    let [one, other, merged] = ["one", "other", "merged"].map(|name| folder.file(name));
    for (range, file) in [("0..2", &one), ("2..4", &other)] {
        assert!(succeeds(&format!("{command} --shard {range} --output {file}")));
    }
    let merge = format!("merge {merged} {one} {other}");
    assert!(succeeds(&merge));
    let whole = fs::read(&merged).unwrap();
    let shard = fs::read(&one).unwrap();
    let mut rng = Rng::with_seed(83);
    let mut rejected = 0;
    for number in 0..damages {
        fs::write(&one, damage(&mut rng, &shard)).unwrap();
        fs::remove_file(&merged).unwrap();
        match succeeds(&merge) {
            true => assert!(fs::read(&merged).unwrap() == whole, "damage {number}"),
            false => {
                assert!(!fs::exists(&merged).unwrap(), "damage {number}");
                fs::write(&merged, "").unwrap();
                rejected += 1;
            }
        }
    }
    println!("{command}: {rejected} of {damages} damages rejected");
}

fn damage_match_shards(damages: usize) {
    let patience = ANSWER_TIMEOUT.as_millis();
    let command = "arena --game bushka --nodes 20 --plies 12 --games 8 --patience";
    merges_or_rejects(&format!("{command} {patience}"), damages);
}

fn damage_selfplay_shards(damages: usize) {
    merges_or_rejects("tune --game quoridor --nodes 20 --plies 30 --games 4", damages);
}

fn damage_request_shards(damages: usize) {
    let folder = Folder::new("damage-requests");
    let file = folder.file("requests");
    let request = "{\"game\": \"quoridor\", \"ask\": \"board\"}\n";
    fs::write(&file, request.repeat(4)).unwrap();
    merges_or_rejects(&format!("analyse --requests {file}"), damages);
}

/// Damages a table, and computes the tables again. Damaged tables must be recomputed with the same
/// content.
fn damage_tables(damages: usize) {
    let folder = Folder::new("damage-tables");
    let make = format!("--game alquerque --set TablePath={} tables 2", folder.path().display());
    assert!(succeeds(&make));
    let entries = fs::read_dir(folder.path()).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let whole: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).unwrap()).collect();
    let mut rng = Rng::with_seed(83);
    for number in 0..damages {
        let at = rng.usize(..files.len());
        fs::write(&files[at], damage(&mut rng, &whole[at])).unwrap();
        assert!(succeeds(&make));
        for (file, whole) in files.iter().zip(&whole) {
            assert!(fs::read(file).unwrap() == *whole, "damage {number}: {}", file.display());
        }
    }
}

#[test]
fn rejects_damaged_shards() {
    damage_request_shards(3);
}

#[test]
fn rejects_damaged_games() {
    damage_selfplay_files(3);
}

#[test]
fn the_nets_and_books_of_the_program_have_their_checksums() {
    let mut count = 0;
    for game in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/crates")).unwrap() {
        for entry in fs::read_dir(game.unwrap().path()).unwrap() {
            let path = entry.unwrap().path();
            let format = match path.extension().and_then(OsStr::to_str) {
                Some("net") => NET_FILE_FORMAT,
                Some("book") => BOOK_FILE_FORMAT,
                _ => continue,
            };
            let verified = format.verified_contents(&fs::read(&path).unwrap()).map(drop);
            assert_eq!(verified, Ok(()), "{}", path.display());
            count += 1;
        }
    }
    assert!(count >= 6, "{count} files");
}

/// To run this test: `cargo test --test all damage:: -- --ignored --nocapture`
#[test]
#[ignore = "over a thousand runs"]
fn trusts_no_damaged_byte() {
    damage_match_files(MANY_DAMAGES);
    damage_selfplay_files(MANY_DAMAGES);
    damage_match_shards(MANY_DAMAGES);
    damage_selfplay_shards(MANY_DAMAGES);
    damage_request_shards(MANY_DAMAGES);
    damage_tables(MANY_DAMAGES);
}

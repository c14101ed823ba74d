//! Checks of files with checksums. The input has no checksums. The checks add them, because without
//! correct checksums a file would be rejected before anything else in it is read.

use std::fs;
use std::sync::Arc;

use pentarch::merge_shards::merge_shards;
use pentarch::shard::header::crc32_of_json;
use pentarch::tune::checkpoint::CheckpointFile;
use pentarch::tune::selfplay_file::SelfPlayFile;
use pentarch_alcaxar::solver::win_rank_log::WinRankLog;
use pentarch_core::notation::record::{GameRecord, two_player_turns_from};
use pentarch_core::{Options, Side};
use pentarch_games::Game;
use serde_json::{Map, Value, json};

use super::super::temporary::Folder;
use super::files;
use super::notation::check_reason;

/// Adds the checksums of the games to a text. Then checks the text as a match file and as a file of
/// self-play games.
pub(crate) fn check_games<G: Game>(options: &Options, text: &str) {
    let text = with_game_checksums(text);
    files::check_match_file(options, &text);
    files::check_selfplay_games::<G>(&text);
    let folder = Folder::new("fuzz-games");
    let path = folder.path().join("games");
    fs::write(&path, &text).unwrap();
    let opened = SelfPlayFile::open(&path, Arc::new(G::from_options(options)), options, 1);
    if let Err(error) = opened {
        error.to_string().lines().for_each(|line| drop(check_reason(&text, &line)));
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}

/// Returns a text in which each game has its checksum. If the text is not a list of games, returns
/// it unchanged.
fn with_game_checksums(text: &str) -> String {
    let Ok(records) = GameRecord::parse_all(text) else { return text.into() };
    let entry = |record: GameRecord| {
        record.with_checksum().text(two_player_turns_from((1, Side::First))) + "\n\n"
    };
    records.into_iter().map(entry).collect()
}

/// Adds the checksums of lines and games to two shards, which a zero byte separates. Then checks
/// the shards and merges them.
pub(crate) fn check_shards(text: &str) {
    let folder = Folder::new("fuzz-shards");
    let shards: Vec<_> = text
        .splitn(2, '\0')
        .enumerate()
        .map(|(number, text)| {
            let shard = sealed_shard(text);
            files::check_shard(shard.as_bytes());
            let path = folder.path().join(format!("{number}.shard"));
            fs::write(&path, shard).unwrap();
            path
        })
        .collect();
    let merged = ["one", "other"].map(|name| folder.path().join(name));
    let reversed: Vec<_> = shards.iter().rev().cloned().collect();
    let results = [(&merged[0], &shards), (&merged[1], &reversed)]
        .map(|(out, shards)| merge_shards(out, shards, |_| Ok(())));
    // The order of the shards decides only two things: which of two errors is reported, and which
    // of two results is merged if they differ only in measured times.
    assert_eq!(results[0].is_ok(), results[1].is_ok(), "{text:?}: {results:?}");
    for (result, out) in results.iter().zip(&merged) {
        assert_eq!(out.exists(), result.is_ok(), "{text:?}");
        if let Err(error) = result {
            error.to_string().lines().for_each(|line| drop(check_reason(text, &line)));
        }
    }
}

/// Returns a shard with the checksum of each line.
fn sealed_shard(text: &str) -> String {
    let lines = text.lines().map(|line| {
        if let Ok(mut header) = serde_json::from_str::<Map<String, Value>>(line) {
            header.remove("checksum");
            let checksum = crc32_of_json(&Value::from(header.clone()));
            header.insert("checksum".into(), checksum.into());
            return Value::from(header).to_string() + "\n";
        }
        match serde_json::from_str::<(u64, String)>(line) {
            Ok((number, result)) => {
                let result = with_game_checksums(&result);
                let checksum = crc32_of_json(&json!([number, result]));
                json!([number, result, checksum]).to_string() + "\n"
            }
            Err(_) => format!("{line}\n"),
        }
    });
    lines.collect()
}

/// Checks the state of an unfinished tuning. The first byte is the length of the state. The second
/// byte is the number of numbers that each step adds. The other bytes are the content of the file.
pub(crate) fn check_checkpoint(bytes: &[u8]) {
    let [length, more, words @ ..] = bytes else { return };
    let folder = Folder::new("fuzz-checkpoint");
    let path = folder.path().join("state");
    let mut sealed = [b"pentarch checkpoint 2\n", words].concat();
    sealed.extend(crc32fast::hash(&sealed).to_le_bytes());
    fs::write(&path, &sealed).unwrap();
    let key = words.first_chunk().map_or(0, |&key| u64::from_le_bytes(key));
    let checkpoint = CheckpointFile::new(path.clone(), key).unwrap();
    match checkpoint.read(usize::from(*length), usize::from(*more)) {
        Err(error) => drop(check_reason("a state", &error)),
        Ok(state) => {
            let (steps, numbers) = state.expect("the file exists");
            checkpoint.write(steps, numbers.into_iter()).unwrap();
            assert!(fs::read(&path).unwrap() == sealed, "{words:?}");
        }
    }
}

/// Number of chunks of the logs.
const CHUNKS: u8 = 2;
/// Number of entries in each chunk.
const ENTRIES: usize = 20;

/// Checks the log of the ranks of Alcaxar's wins with these records. The first bytes of each record
/// are the numbers in its head: its rank, chunk, length, decompressed length, and entries.
pub(crate) fn check_win_rank_log(bytes: &[u8]) {
    let folder = Folder::new("fuzz-ranks");
    let path = folder.path().join("ranks.log");
    let log = sealed_log(bytes);
    fs::write(&path, &log).unwrap();
    let read = || {
        let log = WinRankLog::open(&path, log.len() as u64).map_err(|error| error.error)?;
        let mut records = log.records(usize::from(CHUNKS))?;
        let mut ranks = vec![0; ENTRIES * 256];
        (0..usize::from(CHUNKS)).try_for_each(|chunk| records.read_chunk(chunk, &mut ranks))
    };
    if let Err(error) = read() {
        check_reason("a log", &error);
    }
}

/// Returns a log with the checksum of each record.
fn sealed_log(mut bytes: &[u8]) -> Vec<u8> {
    let mut log = b"pentarch ranks log 2\n".to_vec();
    while let Some((&[rank, chunk, len, decompressed, entries], rest)) = bytes.split_first_chunk() {
        let (record, rest) = rest.split_at(usize::from(len).min(rest.len()));
        bytes = rest;
        let decompressed = u32::from(decompressed) << (len >> 5);
        let head = [rank, chunk % (CHUNKS + 1), record.len() as u8].map(u32::from);
        let [rank, chunk, len] = head;
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&(log.len() as u64).to_le_bytes());
        let head = [rank, chunk, len, decompressed, u32::from(entries)];
        head.iter().for_each(|number| hasher.update(&number.to_le_bytes()));
        hasher.update(record);
        let checksum = hasher.finalize();
        log.extend(head.iter().chain(&[checksum]).flat_map(|number| number.to_le_bytes()));
        log.extend(record);
    }
    log
}

//! Checks of the lines of a foreign engine in a match.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use pentarch::arena::match_file::{MatchFile, match_game_record};
use pentarch::arena::opening::NumberedOpenings;
use pentarch::arena::referee::{MatchEngine, Referee};
use pentarch::arena::results::MatchResults;
use pentarch::convert::opening_list::Opening;
use pentarch::io::record_file::format_record_entry;
use pentarch_core::Options;

use super::super::temporary::Folder;
use super::files::conditions;
use super::notation::check_reason;

/// The time limit of an engine. The engines here never reach it, because they end as soon as they
/// have written their output.
const PATIENCE: Duration = Duration::from_secs(600);

/// Plays a game between two engines with this output, which they write whatever they receive. A
/// zero byte separates the output of the first engine from that of the second. Checks that the
/// match file with the game can be read again.
pub(crate) fn check_engine_lines(options: &Options, bytes: &[u8]) {
    let folder = Folder::new("fuzz-engines");
    let mut config = conditions(options);
    config.patience = PATIENCE;
    let mut parts = bytes.splitn(2, |&byte| byte == 0);
    for engine in &mut config.engines {
        let path = folder.file(&engine.name);
        std::fs::write(&path, parts.next().unwrap_or_default()).unwrap();
        engine.command = vec!["cat".into(), path];
    }
    let mut engines = config.engines.iter().map(MatchEngine::new);
    let [mut first, mut second] = [engines.next().unwrap(), engines.next().unwrap()];
    let opening = Opening::default();
    let mut referee = Referee::new(&config).unwrap();
    let played = referee.play_game([&mut first, &mut second], &opening, &AtomicBool::new(false));
    match played {
        Err(error) => drop(check_reason("the lines of an engine", &error)),
        Ok(game) => {
            let game = game.expect("nothing stops the game");
            check_reason("a game", &game.finished.end);
            let record = match_game_record(&config, 1, &opening, &game);
            let path = folder.path().join("games");
            std::fs::write(&path, format_record_entry(&record, game.first_turn)).unwrap();
            let mut openings = NumberedOpenings::new(&config.openings, options);
            let mut results = MatchResults::new(false);
            let opened = MatchFile::open(&path, &config, &mut openings, &mut results);
            assert!(opened.is_ok(), "{:?}", opened.err());
            assert_eq!(results.games[&1].winner, game.finished.winner);
        }
    }
}

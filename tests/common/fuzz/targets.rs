//! The fuzz targets. The first two bytes of an input choose the game and its rules.

use std::sync::Arc;

use pentarch_core::{GameHistory, Options};
use pentarch_engine::engine_state::two_player_rules;
use pentarch_games::{Game, GameOperation};

#[cfg(feature = "serve")]
use super::frames;
use super::{choose_rules, engine_lines, files, gtp, notation, requests, sealed, ugi};

/// The name and the function of a target.
pub(crate) type Target = (&'static str, fn(&[u8]));

/// All targets.
pub(crate) const ALL: &[Target] = &[
    ("commands", commands),
    ("texts", positions_and_moves),
    ("gtp", gtp_commands),
    ("requests", json_requests),
    #[cfg(feature = "serve")]
    ("frames", socket_frames),
    ("engines", engine_output),
    ("records", records),
    ("formats", formats),
    ("files", other_files),
    ("sealed", sealed_files),
];

/// Checks sessions in UGI.
pub(crate) fn commands(bytes: &[u8]) {
    if let Some((_, options, rest)) = choose_rules(bytes) {
        ugi::check_session(&options, rest.split(|&byte| byte == b'\n').map(<[u8]>::to_vec));
    }
}

/// Checks sessions in GTP. GTP is for two players.
pub(crate) fn gtp_commands(bytes: &[u8]) {
    if let Some((_, options, rest)) = choose_rules(bytes)
        && two_player_rules(&options, "").is_ok()
    {
        gtp::check_session(&options, rest.split(|&byte| byte == b'\n').map(<[u8]>::to_vec));
    }
}

/// Chooses a game with its default rules by the first byte, so that the tables of solved positions
/// are built only once for each game. Returns the options, and the bytes after the second byte.
fn choose_game(bytes: &[u8]) -> Option<(Options, &[u8])> {
    let [game, _, rest @ ..] = bytes else { return None };
    let (_, options, _) = choose_rules(&[*game, 0])?;
    Some((options, rest))
}

/// Checks requests in JSON to one engine.
pub(crate) fn json_requests(bytes: &[u8]) {
    if let Some((options, rest)) = choose_game(bytes)
        && let Ok(text) = str::from_utf8(rest)
    {
        requests::check_requests(&options, text.split('\n'));
    }
}

/// Checks the frames that a page sends to the server.
#[cfg(feature = "serve")]
pub(crate) fn socket_frames(bytes: &[u8]) {
    if let Some((options, rest)) = choose_game(bytes) {
        frames::check_frames(&options, rest);
    }
}

/// Checks the output of the engines in a game for two players.
pub(crate) fn engine_output(bytes: &[u8]) {
    if let Some((_, options, rest)) = choose_rules(bytes)
        && two_player_rules(&options, "").is_ok()
    {
        engine_lines::check_engine_lines(&options, rest);
    }
}

/// Checks a position on the first line, and moves in it on the other lines. If the first line is
/// not a position, the moves are those of the start position.
pub(crate) fn positions_and_moves(bytes: &[u8]) {
    struct CheckText<'a>(Options, &'a str);
    impl GameOperation for CheckText<'_> {
        type Output = ();
        fn run_for_game_type<G: Game>(self) {
            let rules = Arc::new(G::from_options(&self.0));
            let mut lines = self.1.lines();
            let position = notation::check_position(&rules, lines.next().unwrap_or_default());
            let history =
                GameHistory::new(rules.clone(), position.unwrap_or(rules.start_position()));
            lines.for_each(|text| notation::check_move(&history, text));
        }
    }
    if let Some((id, options, rest)) = choose_rules(bytes)
        && let Ok(text) = str::from_utf8(rest)
    {
        id.run_operation(CheckText(options, text));
    }
}

/// Checks game records and lists of openings.
pub(crate) fn records(bytes: &[u8]) {
    if let Some((_, options, rest)) = choose_rules(bytes)
        && let Ok(text) = str::from_utf8(rest)
    {
        files::check_record(&options, text);
        files::check_openings(&options, text);
    }
}

/// Checks games in the formats that can be converted, and shards.
pub(crate) fn formats(bytes: &[u8]) {
    let Some((_, options, rest)) = choose_rules(bytes) else { return };
    files::check_shard(rest);
    if let Ok(text) = str::from_utf8(rest) {
        files::check_formats(&options, text);
    }
}

/// Checks games of the tuner and of matches, proofs, books and tables.
pub(crate) fn other_files(bytes: &[u8]) {
    struct CheckText<'a>(Options, &'a str);
    impl GameOperation for CheckText<'_> {
        type Output = ();
        fn run_for_game_type<G: Game>(self) {
            files::check_selfplay_games::<G>(self.1);
            files::check_match_file(&self.0, self.1);
            files::check_proof(&Arc::new(G::from_options(&self.0)), self.1, false);
        }
    }
    let Some((id, options, rest)) = choose_rules(bytes) else { return };
    files::check_book(rest);
    files::check_table(rest);
    if let Ok(text) = str::from_utf8(rest) {
        id.run_operation(CheckText(options, text));
    }
}

/// Checks files with correct checksums. The first byte after the rules chooses the kind of file.
pub(crate) fn sealed_files(bytes: &[u8]) {
    struct CheckText<'a>(Options, &'a str);
    impl GameOperation for CheckText<'_> {
        type Output = ();
        fn run_for_game_type<G: Game>(self) {
            sealed::check_games::<G>(&self.0, self.1);
        }
    }
    let Some((id, options, [kind, rest @ ..])) = choose_rules(bytes) else { return };
    match (kind % 4, str::from_utf8(rest)) {
        (0, Ok(text)) => id.run_operation(CheckText(options, text)),
        (1, Ok(text)) => sealed::check_shards(text),
        (2, _) => sealed::check_checkpoint(rest),
        (3, _) => sealed::check_win_rank_log(rest),
        _ => {}
    }
}

//! The fuzz targets. The first two bytes of an input choose the game and its rules.

use std::sync::Arc;

use pentarch_core::{GameHistory, Options};
use pentarch_engine::engine_state::two_player_game;
use pentarch_games::{Game, GameVisitor};

use super::{choose_rules, files, gtp, notation, ugi};

/// The name and the function of a target.
pub(crate) type Target = (&'static str, fn(&[u8]));

/// All targets.
pub(crate) const ALL: [Target; 6] = [
    ("commands", commands),
    ("texts", positions_and_moves),
    ("gtp", gtp_commands),
    ("records", records),
    ("formats", formats),
    ("files", other_files),
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
        && two_player_game(&options, "").is_ok()
    {
        gtp::check_session(&options, rest.split(|&byte| byte == b'\n').map(<[u8]>::to_vec));
    }
}

/// Checks positions and moves. The first line is a position, and the other lines are moves in it.
/// If the first line is not a position, the moves are those of the start position.
pub(crate) fn positions_and_moves(bytes: &[u8]) {
    struct CheckText<'a>(Options, &'a str);
    impl GameVisitor for CheckText<'_> {
        type Output = ();
        fn visit<G: Game>(self) {
            let rules = Arc::new(G::from_options(&self.0));
            let mut lines = self.1.lines();
            let position = notation::check_position(&rules, lines.next().unwrap_or_default());
            let history = GameHistory::new(rules.clone(), position.unwrap_or(rules.start()));
            lines.for_each(|text| notation::check_move(&history, text));
        }
    }
    if let Some((id, options, rest)) = choose_rules(bytes)
        && let Ok(text) = str::from_utf8(rest)
    {
        id.visit(CheckText(options, text));
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
    impl GameVisitor for CheckText<'_> {
        type Output = ();
        fn visit<G: Game>(self) {
            files::check_selfplay_games::<G>(self.1);
            files::check_match_file(&self.0, self.1);
            files::check_proof(&Arc::new(G::from_options(&self.0)), self.1, false);
        }
    }
    let Some((id, options, rest)) = choose_rules(bytes) else { return };
    files::check_book(rest);
    files::check_table(rest);
    if let Ok(text) = str::from_utf8(rest) {
        id.visit(CheckText(options, text));
    }
}

//! What each fuzz target does with an input. The first two bytes choose the game and its rules.

use std::sync::Arc;

use pentarch_core::{GameHistory, Options};
use pentarch_engine::engine_state::two_player_game;
use pentarch_games::{Game, GameVisitor};

use super::{chosen, files, gtp, texts, ugi};

/// The name of a target, and what it does with an input.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const ALL: [Target; 6] = [
    ("commands", commands),
    ("texts", positions_and_moves),
    ("gtp", gtp_commands),
    ("records", records),
    ("formats", formats),
    ("files", others),
];

/// Sessions in UGI.
pub fn commands(bytes: &[u8]) {
    if let Some((_, options, rest)) = chosen(bytes) {
        ugi::session(&options, rest.split(|&byte| byte == b'\n').map(<[u8]>::to_vec));
    }
}

/// Sessions in GTP, which is for two players.
pub fn gtp_commands(bytes: &[u8]) {
    if let Some((_, options, rest)) = chosen(bytes)
        && two_player_game(&options, "").is_ok()
    {
        gtp::session(&options, rest.split(|&byte| byte == b'\n').map(<[u8]>::to_vec));
    }
}

/// A position, and moves in it: a line each. If the first line is no position, the moves are those of the start.
pub fn positions_and_moves(bytes: &[u8]) {
    struct Texts<'a>(Options, &'a str);
    impl GameVisitor for Texts<'_> {
        type Output = ();
        fn visit<G: Game>(self) {
            let rules = Arc::new(G::from_options(&self.0));
            let mut lines = self.1.lines();
            let position = texts::position(&rules, lines.next().unwrap_or_default());
            let history = GameHistory::new(rules.clone(), position.unwrap_or(rules.start()));
            lines.for_each(|text| texts::a_move(&history, text));
        }
    }
    if let Some((id, options, rest)) = chosen(bytes)
        && let Ok(text) = str::from_utf8(rest)
    {
        id.visit(Texts(options, text));
    }
}

/// Game records and lists of openings.
pub fn records(bytes: &[u8]) {
    if let Some((_, options, rest)) = chosen(bytes)
        && let Ok(text) = str::from_utf8(rest)
    {
        files::record(&options, text);
        files::openings(&options, text);
    }
}

/// Games in the formats that are converted, and shards.
pub fn formats(bytes: &[u8]) {
    let Some((_, options, rest)) = chosen(bytes) else { return };
    files::shard(rest);
    if let Ok(text) = str::from_utf8(rest) {
        files::formats(&options, text);
    }
}

/// Games of the tuner and of matches, proofs, books and tables.
pub fn others(bytes: &[u8]) {
    struct Texts<'a>(Options, &'a str);
    impl GameVisitor for Texts<'_> {
        type Output = ();
        fn visit<G: Game>(self) {
            files::tuner::<G>(self.1);
            files::archive(&self.0, self.1);
            files::proof(&Arc::new(G::from_options(&self.0)), self.1, false);
        }
    }
    let Some((id, options, rest)) = chosen(bytes) else { return };
    files::read_book(rest);
    files::table(rest);
    if let Ok(text) = str::from_utf8(rest) {
        id.visit(Texts(options, text));
    }
}

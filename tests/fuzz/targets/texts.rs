//! A position, and moves in it: a line each. If the first line is no position, the moves are those of the start.
#![no_main]

#[allow(dead_code, unused_imports, unused_macros, reason = "each target uses its own part")]
#[path = "../../common/mod.rs"]
mod common;

use std::sync::Arc;

use pentarch::core::{Game, GameHistory, Options};
use pentarch::games::Visitor;

use common::fuzz;

struct Texts<'a>(Options, &'a str);

impl Visitor for Texts<'_> {
    type Output = ();

    fn visit<G: Game>(self) {
        let rules = Arc::new(G::from_options(&self.0));
        let mut lines = self.1.lines();
        let position = fuzz::texts::position(&rules, lines.next().unwrap_or_default());
        let history = GameHistory::new(rules.clone(), position.unwrap_or(rules.start()));
        lines.for_each(|text| fuzz::texts::a_move(&history, text));
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some((id, options, rest)) = fuzz::chosen(bytes)
        && let Ok(text) = str::from_utf8(rest)
    {
        id.visit_rules(&options.clone(), Texts(options, text));
    }
});

//! Games of the tuner and of matches, proofs, books and tables.
#![no_main]

#[allow(dead_code, unused_imports, unused_macros, reason = "each target uses its own part")]
#[path = "../../common/mod.rs"]
mod common;

use std::sync::Arc;

use pentarch::core::{Game, Options};
use pentarch::games::Visitor;

use common::fuzz;

struct Texts<'a>(Options, &'a str);

impl Visitor for Texts<'_> {
    type Output = ();

    fn visit<G: Game>(self) {
        fuzz::files::tuner::<G>(self.1);
        fuzz::files::archive(&self.0, self.1);
        fuzz::files::proof(&Arc::new(G::from_options(&self.0)), self.1, false);
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((id, options, rest)) = fuzz::chosen(bytes) else { return };
    fuzz::files::read_book(rest);
    fuzz::files::table(rest);
    if let Ok(text) = str::from_utf8(rest) {
        id.visit_rules(&options.clone(), Texts(options, text));
    }
});

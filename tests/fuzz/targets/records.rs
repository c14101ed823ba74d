//! Game records and lists of openings.
#![no_main]

#[allow(dead_code, unused_imports, unused_macros, reason = "each target uses its own part")]
#[path = "../../common/mod.rs"]
mod common;

use common::fuzz;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some((_, options, rest)) = fuzz::chosen(bytes)
        && let Ok(text) = str::from_utf8(rest)
    {
        fuzz::files::record(&options, text);
        fuzz::files::openings(&options, text);
    }
});

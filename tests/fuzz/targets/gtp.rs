//! Sessions in GTP.
#![no_main]

#[path = "../../common/mod.rs"]
mod common;
#[path = "../../common/fuzz/mod.rs"]
mod fuzz;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some((_, options, rest)) = fuzz::chosen(bytes) {
        fuzz::gtp::session(&options, fuzz::lines(rest));
    }
});

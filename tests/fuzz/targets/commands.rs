//! Sessions in UGI.
#![no_main]

#[allow(dead_code, unused_imports, unused_macros, reason = "each target uses its own part")]
#[path = "../../common/mod.rs"]
mod common;

use common::fuzz;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some((_, options, rest)) = fuzz::chosen(bytes) {
        fuzz::ugi::session(&options, rest.split(|&byte| byte == b'\n').map(<[u8]>::to_vec));
    }
});

//! Frames of a WebSocket.
#![no_main]

#[allow(dead_code, unused_imports, unused_macros, reason = "each target uses its own part")]
#[path = "../../common/mod.rs"]
mod common;

libfuzzer_sys::fuzz_target!(
    init: common::fuzz::requests::build_tables(),
    |bytes: &[u8]| common::fuzz::targets::socket_frames(bytes)
);

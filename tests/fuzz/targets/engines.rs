//! Output of the engines in a game of a match.
#![no_main]

use nix::sys::signal::{SigSet, Signal};

#[allow(dead_code, unused_imports, unused_macros, reason = "each target uses its own part")]
#[path = "../../common/mod.rs"]
mod common;

// An engine may have ended before it has read a command. A program with libFuzzer's `main` would
// end then, since only that of Rust ignores this signal.
libfuzzer_sys::fuzz_target!(
    init: SigSet::from(Signal::SIGPIPE).thread_block().expect("the signal can be blocked"),
    |bytes: &[u8]| common::fuzz::targets::engine_output(bytes)
);

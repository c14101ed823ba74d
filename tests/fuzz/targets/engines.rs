//! Output of the engines in a game of a match.
#![no_main]

use nix::sys::signal::{SigSet, Signal};

#[allow(dead_code, unused_imports, unused_macros, reason = "each target uses its own part")]
#[path = "../../common/mod.rs"]
mod common;

// If an engine ends before it has read a command, the program gets the signal SIGPIPE. Without this
// line the signal would end the program, because libFuzzer's `main` does not ignore it as Rust's
// `main` does.
libfuzzer_sys::fuzz_target!(
    init: SigSet::from(Signal::SIGPIPE).thread_block().expect("the signal can be blocked"),
    |bytes: &[u8]| common::fuzz::targets::engine_output(bytes)
);

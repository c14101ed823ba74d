//! The line protocol: UGI, which is UCI for any two-player game, and `query`.
//!
//! | room | what it holds |
//! |---|---|
//! | [`input`] | lines from bytes |
//! | [`command`] | the grammar: a line becomes a typed command |
//! | [`help`] | the commands for people |
//! | [`engine`] | the loop: what is done when |
//! | [`ugi`] | what each command does, and the state between commands |
//! | [`jobs`] | work on threads of its own: searches, counts, benchmarks |
//! | [`session`] | a game in play behind one boxed trait |
//! | [`settings`] | the options |
//! | [`out`] | the output |

pub mod command;
pub mod engine;
pub mod help;
pub mod input;
pub mod jobs;
pub mod out;
pub mod session;
pub mod settings;
pub mod ugi;

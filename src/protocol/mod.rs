//! The line protocols: UGI, which is UCI for any two-player game, with `query`; and GTP.
//!
//! | room | what it holds |
//! |---|---|
//! | [`input`] | lines from bytes |
//! | [`command`] | the grammar: a line becomes a typed command |
//! | [`help`] | the commands for people |
//! | [`engine`] | the loop: what is done when |
//! | [`ugi`] | what each command does |
//! | [`gtp`], [`gtp_text`], [`gtp_clock`] | the other dialect: the Go Text Protocol, for Go front ends |
//! | [`host`] | the state between commands: options, game, table |
//! | [`clicks`] | moves put together from single points |
//! | [`jobs`] | work on threads of its own: searches, counts, benchmarks |
//! | [`session`], [`game_session`] | a game in play behind one boxed trait, and what stands behind it |
//! | [`settings`] | the options |
//! | [`record`] | games as texts |
//! | [`out`] | the output |

pub mod clicks;
pub mod command;
pub mod engine;
pub mod game_session;
pub mod gtp;
pub mod gtp_clock;
pub mod gtp_text;
pub mod help;
pub mod host;
pub mod input;
pub mod jobs;
pub mod out;
pub mod record;
pub mod session;
pub mod settings;
pub mod ugi;

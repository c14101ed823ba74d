//! UGI and UCI: lines are parsed into commands, which the event loop has carried out.
//!
//! | module | what it holds |
//! |---|---|
//! | [`parse`] | the grammar: a line becomes a typed command |
//! | `go_arguments` | the arguments of `go` |
//! | [`help`] | the names, usage and descriptions of the commands |
//! | [`event_loop`] | which command is carried out when |
//! | [`page_limits`] | what a session may reach beside its games |
//! | [`commands`] | what each command does and answers |
//! | [`jobs`] | commands that run on threads of their own: searches, perfts, benchmarks |

pub mod commands;
pub mod event_loop;
mod go_arguments;
pub mod help;
pub mod jobs;
pub mod page_limits;
pub mod parse;

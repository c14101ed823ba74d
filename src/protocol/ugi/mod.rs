//! UGI and UCI: lines are parsed into commands, and the event loop executes them.
//!
//! | module | contents |
//! |---|---|
//! | [`command`] | the commands as data |
//! | `words` | the lexer: words and numbers of a line |
//! | `arguments` | the grammar of the arguments of each command |
//! | `go_arguments` | the grammar of the arguments of `go` |
//! | [`parse`] | the grammar: a line becomes a typed command |
//! | [`help`] | the names, usage and descriptions of the commands |
//! | [`error`] | errors of commands |
//! | [`event_loop`] | the threads that read commands, execute them and run jobs |
//! | [`session_access`] | the restrictions of a session |
//! | [`commands`] | the effects and responses of the commands |
//! | `job_event_writer` | the lines for the events of a search, a perft, or the benchmark |

mod arguments;
pub mod command;
pub mod commands;
pub mod error;
pub mod event_loop;
mod go_arguments;
pub mod help;
mod job_event_writer;
pub mod parse;
pub mod session_access;
pub(crate) mod words;

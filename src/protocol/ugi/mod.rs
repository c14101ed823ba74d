//! UGI and UCI: lines are parsed into commands, and the event loop executes them.
//!
//! | module | contents |
//! |---|---|
//! | [`command`] | the commands as data |
//! | `word_parsers` | the lexer: words and numbers of a line |
//! | `command_arguments` | the grammar of the arguments of each command |
//! | `go_arguments` | the grammar of the arguments of `go` |
//! | [`parse`] | the grammar: a line becomes a typed command |
//! | [`command_table`] | the names, usage and descriptions of the commands |
//! | [`error`] | errors of commands |
//! | [`event_loop`] | the threads that read commands, execute them and run jobs |
//! | [`session_permissions`] | the restrictions of a session |
//! | [`commands`] | the effects and responses of the commands |
//! | `job_event_writer` | the lines for the events of a search, a perft, or the benchmark |

pub mod command;
mod command_arguments;
pub mod command_table;
pub mod commands;
pub mod error;
pub mod event_loop;
mod go_arguments;
mod job_event_writer;
pub mod parse;
pub mod session_permissions;
pub(crate) mod word_parsers;

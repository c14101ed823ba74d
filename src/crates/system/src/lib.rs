//! Memory, files and exit codes: what a program needs and no game has to do with.
//!
//! | module | what it holds |
//! |---|---|
//! | [`context`] | the place of an error: file, line, game |
//! | [`memory`] | memory for large tables, and detached threads |
//! | [`files`] | errors that name a file, and locks |
//! | [`process_cache`] | a cache of values for the whole process |
//! | `failure` | why a command of the program did not succeed |

pub mod context;
mod failure;
pub mod files;
pub mod memory;
pub mod process_cache;

pub use context::{At, Context, FileError, Place};
pub use failure::Failure;

//! Memory, files and exit codes: what a program needs and no game has to do with.
//!
//! | module | what it holds |
//! |---|---|
//! | [`memory`] | memory for large tables, and detached threads |
//! | [`files`] | errors that name a file, and locks |
//! | [`process_cache`] | a cache of values for the whole process |
//! | `failure` | why a command of the program did not succeed |

mod failure;
pub mod files;
pub mod memory;
pub mod process_cache;

pub use failure::Failure;

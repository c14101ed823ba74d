//! Memory, files and the places of errors: what a program needs and no game has to do with.
//!
//! | module | what it holds |
//! |---|---|
//! | [`context`] | the place of an error: file, line, game |
//! | [`memory`] | memory for large tables, and detached threads |
//! | [`files`] | errors that name a file, and locks |
//! | [`new_file`] | files that appear under their name when they are complete |
//! | [`process_cache`] | a cache of values for the whole process |

pub mod context;
pub mod files;
pub mod memory;
pub mod new_file;
pub mod process_cache;

pub use context::{ErrorContext, FileError, Located, Location};

//! Memory, files and error locations: system services that know nothing about games.
//!
//! | module | contents |
//! |---|---|
//! | [`context`] | error locations: file, line, game |
//! | [`memory`] | memory for large tables, and detached threads |
//! | [`files`] | file locks, and syncing of directories |
//! | [`new_file`] | files that get their name when they are complete |
//! | [`process_cache`] | a cache for the whole process |

pub mod context;
pub mod files;
pub mod memory;
pub mod new_file;
pub mod process_cache;

pub use context::{ErrorLocation, FileError, LocatedError, WithErrorLocation};

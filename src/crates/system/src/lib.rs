//! Memory, files and error locations: system services that are independent of games.
//!
//! | module | contents |
//! |---|---|
//! | [`error_location`] | error locations: file, line, game |
//! | [`memory`] | memory for large tables, and detached threads |
//! | [`file_system`] | file locks, and syncing of directories |
//! | [`new_file`] | files that get their name when they are complete |
//! | [`process_wide_cache`] | a cache for the whole process |

pub mod error_location;
pub mod file_system;
pub mod memory;
pub mod new_file;
pub mod process_wide_cache;

pub use error_location::{ErrorLocation, FileError, LocatedError, WithErrorLocation};

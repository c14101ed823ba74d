//! Input and output that the protocols, the command line, matches and the tuner share.
//!
//! | module | what it holds |
//! |---|---|
//! | [`input`] | lines of bytes, of any length and content |
//! | [`output`] | whole lines, flushed at once |
//! | [`progress`] | how far a long job is, on a terminal |
//! | [`files`] | files that are read or written as a whole |
//! | [`record`] | game records |
//! | [`record_file`] | files of game records that grow |
//! | [`proof_file`] | proofs as files |

pub mod files;
pub mod input;
pub mod output;
pub mod progress;
pub mod proof_file;
pub mod record;
pub mod record_file;

//! Input and output that the protocols, the command line, matches and the tuner share.
//!
//! | module | contents |
//! |---|---|
//! | [`charset`] | the character sets of files of games |
//! | [`input`] | lines of bytes, of any length and content |
//! | [`interrupt`] | Ctrl-C and the signals that end the program |
//! | [`output`] | whole lines, flushed at once |
//! | [`pager`] | long output on a terminal, through a pager or in pages |
//! | [`standard_streams`] | standard input and output that block, and signals to ignore |
//! | [`progress`] | the progress of a long job on a terminal |
//! | [`whole_files`] | files that are read or written as a whole |
//! | [`free_disk`] | the free space of a disk |
//! | [`free_memory`] | the memory that the system and its limits leave |
//! | [`host`] | the system as the engine's host |
//! | [`record_file`] | files of game records that grow |
//! | [`proof_file`] | proofs as files |
//! | [`shared_scheduler`] | the order of commands, for several threads |
//! | [`state_folder`] | the folder for data that outlives a run |
//! | [`workers`] | tasks distributed over threads |

pub mod charset;
pub mod free_disk;
pub mod free_memory;
pub mod host;
pub mod input;
pub mod interrupt;
pub mod output;
pub mod pager;
pub mod progress;
pub mod proof_file;
pub mod record_file;
pub mod shared_scheduler;
pub mod standard_streams;
pub mod state_folder;
pub mod whole_files;
pub mod workers;

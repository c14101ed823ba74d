//! Input and output that the protocols, the command line, matches and the tuner share.
//!
//! | module | what it holds |
//! |---|---|
//! | [`input`] | lines of bytes, of any length and content |
//! | [`interrupt`] | what ends the program from outside |
//! | [`output`] | whole lines, flushed at once |
//! | [`pager`] | long texts on a terminal, through a pager or in pages |
//! | [`standard`] | standard input and output that wait, and signals that end nothing |
//! | [`progress`] | how far a long job is, on a terminal |
//! | [`files`] | files that are read or written as a whole |
//! | [`free_disk`] | how much room a disk has |
//! | [`free_memory`] | how much memory the system and its limits leave |
//! | [`host`] | the system as the engine's host |
//! | [`record_file`] | files of game records that grow |
//! | [`proof_file`] | proofs as files |
//! | [`shared_scheduler`] | the order of commands, for several threads |
//! | [`state`] | the folder of what is kept from one run to the next |
//! | [`workers`] | work that is shared out among threads |

pub mod files;
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
pub mod standard;
pub mod state;
pub mod workers;

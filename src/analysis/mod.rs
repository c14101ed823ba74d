//! Analysis as data: single positions that are asked for as lines of JSON, and whole games.
//!
//! | module | what it holds |
//! |---|---|
//! | `graph` | the chances of winning over the moves of a game |
//! | `lines` | what a search has found of a position: its best moves, each with its score and principal variation |
//! | `pool` | searches of many positions on several threads, whose results come in order |
//! | `request` | a request, as a line of JSON gives it |
//! | `requests` | requests and answers as lines of JSON |
//! | `review` | a whole game: what each move was worth |
//!
//! Each position is searched by one thread, with a transposition table that is cleared before. So a result does not
//! depend on the number of threads, nor on what was searched before, unless the search has a limit of time.

use std::time::Duration;

use crate::engine::word::Word;
use crate::search::Limits;
use crate::search::time_management::{Budget, for_analysis};

pub mod graph;
pub mod pool;
pub mod request;
pub mod requests;
pub mod review;

/// How far a position is searched, and how many of its best moves are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// The greatest depth in plies.
    pub depth: Option<u32>,
    /// The greatest number of nodes.
    pub nodes: Option<u64>,
    /// The time in milliseconds.
    pub movetime: Option<u64>,
    /// The number of moves to report.
    pub multipv: usize,
}

/// The greatest number of moves to report.
pub const MOST_LINES: usize = 256;

impl Effort {
    /// Whether there is a limit that ends the search.
    pub fn is_bounded(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.movetime.is_some()
    }

    /// The limits of the search but for that of time.
    fn limits(&self) -> Limits<Word> {
        Limits { depth: self.depth, nodes: self.nodes, multi_pv: self.multipv, ..Limits::default() }
    }

    /// The limit of time.
    fn budget(&self) -> Option<Budget> {
        self.movetime.map(|time| for_analysis(Duration::from_millis(time)))
    }
}

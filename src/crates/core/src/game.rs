//! Small traits that only some games have something for, and the traits of a game that the search asks for, combined.
//!
//! A game that has nothing of a kind implements the trait without a body, as in `impl OpeningBook for Bushka {}`.

use crate::{Evaluate, HistoryBans, LoadableFile, Players, Probe, Rules};

/// Opening books for play.
pub trait OpeningBook: Rules {
    /// The bytes of a book of the moves by which the side that moves first wins from the start position. The module
    /// `opening_book` of the search describes them.
    ///
    /// None if the game has no such book, or if the position is beyond its end, where tables of solved positions take
    /// over.
    fn opening_book(&self, position: &Self::Position) -> Option<&'static [u8]> {
        let _ = position;
        None
    }
}

/// The files that searches take.
pub trait SearchFiles {
    /// The nets and opening books of searches under these rules.
    fn files(&self) -> Vec<&'static dyn LoadableFile> {
        Vec::new()
    }
}

/// Openings for matches.
pub trait MatchOpenings {
    /// The text of a list of openings under these rules from which either side can win, as `pentarch openings` writes
    /// it; none if there is no such list. Matches begin with them by default.
    fn openings(&self) -> Option<&'static str> {
        None
    }
}

/// Positions for people to solve and to play to the end.
pub trait Exercises {
    /// Problems of the game in which exactly one move wins, as records that name their rules, as `pentarch problems`
    /// writes them; empty if there are none.
    const PROBLEMS: &'static str = "";

    /// Drills: positions to play to the end, won or drawn according to tables that the engine computes by itself. Each is
    /// a line: `win` or `draw`, the grade, and the position string under the default rules. Empty if there are none.
    const DRILLS: &'static str = "";
}

/// The traits that the search needs: rules, evaluation, tablebases, bans from the past of a position, opening books and
/// files. It needs no notation and no board.
pub trait Searchable: Evaluate + Players + Probe + HistoryBans + OpeningBook + SearchFiles {}

impl<G: Evaluate + Players + Probe + HistoryBans + OpeningBook + SearchFiles> Searchable for G {}

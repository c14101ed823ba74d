//! Optional traits of a game, for data such as opening books, and [`Searchable`], which combines
//! the traits for a search.
//!
//! If a game does not have the data of a trait, it implements the trait with an empty body, as in
//! `impl OpeningBook for Bushka {}`.

use crate::{Evaluate, HistoryBans, LoadableFile, Players, ProbeTables, Rules};

/// Opening books for play.
pub trait OpeningBook: Rules {
    /// Returns the bytes of an opening book. The book contains the moves with which the first side
    /// wins from the start position. The search's module `opening_book` describes the format.
    ///
    /// Returns `None` if the game has no such book, or if the position is beyond the end of the
    /// book, where tables of solved positions take over.
    fn opening_book(&self, position: &Self::Position) -> Option<&'static [u8]> {
        let _ = position;
        None
    }
}

/// The files that a search needs.
pub trait SearchDataFiles {
    /// Returns the nets, opening books and [packed losses](crate::evaluation::data_format) for
    /// these rules.
    fn search_data_files(&self) -> Vec<&'static dyn LoadableFile> {
        Vec::new()
    }
}

/// Openings for matches.
pub trait MatchOpenings {
    /// Returns a list of openings under these rules, in the format of `pentarch openings`. In each
    /// opening, both sides have a chance to win. Returns `None` if there is no such list. Matches
    /// use the list by default.
    fn match_openings(&self) -> Option<&'static str> {
        None
    }
}

/// Positions for people to solve, or to play to the end.
pub trait Exercises {
    /// Problems in which exactly one move wins. Each problem is a record that names its rules, in
    /// the format of `pentarch problems`. Empty if there are none.
    const PROBLEM_RECORDS: &'static str = "";

    /// Drills: positions for people to play to the end. Each position is won or drawn according to
    /// tables that the engine computes itself. Each line of the string is one drill: `win` or
    /// `draw`, the grade, and the position string under the default rules. Empty if there are none.
    const DRILL_POSITIONS: &'static str = "";
}

/// The traits that a search needs: rules, evaluation, tablebases, bans from the history of a
/// position, opening books and files. A search needs no notation and no board layout.
pub trait Searchable:
    Evaluate + Players + ProbeTables + HistoryBans + OpeningBook + SearchDataFiles
{
}

impl<G: Evaluate + Players + ProbeTables + HistoryBans + OpeningBook + SearchDataFiles> Searchable
    for G
{
}

//! Opening books, openings and problems, the files of searches, and the traits of a game that the search asks for,
//! combined.

use crate::{Evaluate, GivenFile, Past, Players, Probe};

/// Opening books, openings for matches, problems for people, and the files that searches take.
pub trait OpeningBook: Players {
    /// Problems of the game in which exactly one move wins, as records that name their rules, as `pentarch problems`
    /// writes them; empty if there are none.
    const PROBLEMS: &'static str = "";

    /// Drills: positions that are to be played to the end, won or drawn as tables know that the engine makes by itself.
    /// Each is a line: `win` or `draw`, the grade, and the text of the position by the usual rules. Empty if there are
    /// none.
    const DRILLS: &'static str = "";

    /// The bytes of a book of the moves by which the side that moves first wins from the start position. The module
    /// `opening_book` of the search describes them.
    ///
    /// None if the game has no such book, or if the position is beyond its end, where tables of solved positions take
    /// over.
    fn opening_book(&self, position: &Self::Position) -> Option<&'static [u8]> {
        let _ = position;
        None
    }

    /// The text of a list of openings under these rules from which either side can win, as `pentarch openings` writes
    /// it; none if there is no such list. Matches begin with them unless they are told otherwise.
    fn openings(&self) -> Option<&'static str> {
        None
    }

    /// The files that searches under these rules take: nets and opening books.
    fn files(&self) -> Vec<&'static dyn GivenFile> {
        Vec::new()
    }
}

/// What the search asks of a game: rules, evaluation, tablebases, what the past of a position forbids, and opening
/// books. It asks for no notation and no board.
pub trait Searchable: Evaluate + Probe + Past + OpeningBook {}

impl<G: Evaluate + Probe + Past + OpeningBook> Searchable for G {}

/// Implements traits of this module, named after the game's type, that keep all their defaults.
#[macro_export]
macro_rules! keep_defaults {
    ($game:ty: $($part:ident),+ $(,)?) => {
        $(impl $crate::$part for $game {})+
    };
}

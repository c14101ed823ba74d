//! Optional traits for the data of a game, such as opening books, and [`Searchable`], which
//! combines the traits that a search needs.
//!
//! If a game does not have the data of a trait, it implements the trait with an empty body, as in
//! `impl OpeningBook for Bushka {}`.

use crate::{Evaluate, HasPlayers, HistoryBans, LoadableFile, Notation, ProbeTables, Rules, Side};

/// Opening books for play.
pub trait OpeningBook: Rules {
    /// Returns the bytes of an opening book. The book contains the moves with which the first side
    /// wins from the start position. The module `opening_book` of the search crate describes the
    /// format.
    ///
    /// Returns `None` if the game has no such book, or if the position comes after the end of the
    /// book. Tables of solved positions cover these later positions.
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

/// A start for players of different strength: one side has fewer walls or pieces than the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handicap {
    /// The number of walls or pieces of the side with the handicap.
    pub less: usize,
    /// The number of walls or pieces of the other side.
    pub more: usize,
    /// The name of the walls or pieces, in the plural.
    pub kind: &'static str,
    /// The start in which the first side has fewer walls or pieces, and the start in which the
    /// second side has fewer.
    pub starts: [HandicapStart; 2],
}

/// The start of a game with a handicap.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HandicapStart {
    /// The rule options that differ from the current options, with their values.
    pub options: Vec<(&'static str, String)>,
    /// The first position; `None` for the start position of the rules.
    pub fen: Option<String>,
}

impl Handicap {
    /// Returns a handicap that removes `count` pieces from the rank nearest to their player. The
    /// game's position strings must begin with a board field. `pieces` contains the letters of the
    /// sides' pieces, and `kind` is the plural name of the pieces.
    pub fn without_pieces<G: Notation>(
        rules: &G,
        pieces: [char; 2],
        count: usize,
        kind: &'static str,
    ) -> Handicap {
        let fen = rules.position_text(&rules.start_position());
        let board = fen.split(' ').next().unwrap_or_default();
        let total = board.chars().filter(|&letter| letter == pieces[0]).count();
        Handicap {
            less: total - count,
            more: total,
            kind,
            starts: [Side::First, Side::Second].map(|side| HandicapStart {
                options: Vec::new(),
                fen: Some(remove_pieces_from_fen(&fen, side, pieces[side.index()], count)),
            }),
        }
    }
}

/// Returns a position string without the middle `count` pieces of the rank nearest to a side.
fn remove_pieces_from_fen(fen: &str, side: Side, piece: char, count: usize) -> String {
    let (board, rest) = fen.split_once(' ').unwrap_or((fen, ""));
    let mut ranks: Vec<&str> = board.split('/').collect();
    let last = if side == Side::First { ranks.len() - 1 } else { 0 };
    let total = ranks[last].matches(piece).count();
    let first_removed = total.saturating_sub(count) / 2;
    let mut number = 0;
    let mut free = 0;
    let mut rank = String::new();
    for token in ranks[last].chars() {
        let is_removed = token == piece && {
            number += 1;
            (first_removed..first_removed + count).contains(&(number - 1))
        };
        // In the start positions, a rank with pieces has no run of ten or more free points.
        match token.to_digit(10) {
            Some(run) => free += run,
            None if is_removed => free += 1,
            None => {
                if free > 0 {
                    rank += &std::mem::take(&mut free).to_string();
                }
                rank.push(token);
            }
        }
    }
    if free > 0 {
        rank += &free.to_string();
    }
    ranks[last] = &rank;
    format!("{} {rest}", ranks.join("/"))
}

/// Openings for matches, and starts with a handicap.
pub trait MatchOpenings {
    /// Returns a list of openings under these rules, in the format of `pentarch openings`. In each
    /// opening, both sides have a chance to win. Returns `None` if there is no such list. Matches
    /// use the list by default.
    fn match_openings(&self) -> Option<&'static str> {
        None
    }

    /// Returns the handicaps that people use in this game, the smallest first.
    fn handicaps(&self) -> Vec<Handicap> {
        Vec::new()
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
    Evaluate + HasPlayers + ProbeTables + HistoryBans + OpeningBook + SearchDataFiles
{
}

impl<G: Evaluate + HasPlayers + ProbeTables + HistoryBans + OpeningBook + SearchDataFiles>
    Searchable for G
{
}

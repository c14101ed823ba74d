//! The problems that the program has: those in `problems.txt` of each game's folder.

use crate::core::record::Record;
use crate::games::GameId;

use super::Problem;

/// The problems of the game with this number in [`GameId::WORDS`], the easiest first, and of those of one grade the
/// shortest; empty if it has none.
///
/// # Panics
/// If the text in the program is no list of problems, which the tests rule out.
pub fn of_game(game: usize) -> Vec<Problem> {
    let text = GameId::PROBLEMS.get(game).copied().unwrap_or_default();
    let records = Record::parse_all(text).expect("the list is one of records");
    let mut problems: Vec<Problem> =
        records.iter().map(|record| Problem::of(record).expect("each record is a problem")).collect();
    problems.sort_by_key(|problem| (problem.grade, problem.length()));
    problems
}

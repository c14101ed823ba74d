//! The problems that the program has: those in `problems.txt` of each game's folder, and what a request is told of
//! them.

use std::collections::BTreeMap;

use serde::Serialize;

use pentarch_core::notation::record::Record;
use pentarch_games::GameId;

use super::problem::{Problem, Theme};

/// The problems of the game with this number in [`GameId::WORDS`], the easiest first, and of those of one grade the
/// shortest; empty if it has none.
///
/// # Panics
/// If the text in the program is no list of problems, which the tests rule out.
pub fn of_game(game: usize) -> Vec<Problem> {
    let text = GameId::PROBLEMS.get(game).copied().unwrap_or_default();
    let records = Record::parse_all(text).expect("the list is one of records");
    let mut problems: Vec<Problem> = records
        .iter()
        .map(|record| Problem::of(record).expect("each record is a problem"))
        .collect();
    problems.sort_by_key(|problem| (problem.grade, problem.length()));
    problems
}

/// A problem of [`of_game`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Its number, from 1.
    pub number: usize,
    /// The problem.
    pub problem: Problem,
}

/// What the list of problems says of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// The options of its rules that are not at their defaults.
    options: BTreeMap<String, String>,
    fen: String,
    grade: u32,
    length: usize,
    themes: Vec<Theme>,
}

impl From<Problem> for Listed {
    fn from(problem: Problem) -> Listed {
        let (length, Problem { rules: (_, options), position, grade, themes, .. }) =
            (problem.length(), problem);
        let pair = |option: &String| {
            option.split_once('=').map(|(name, value)| (name.into(), value.into()))
        };
        Listed {
            options: options.iter().filter_map(pair).collect(),
            fen: position,
            grade,
            length,
            themes,
        }
    }
}

/// All that is said of a problem.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Whole {
    #[serde(flatten)]
    listed: Listed,
    /// Its number in [`of_game`].
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<usize>,
    /// The word of the side that solves it.
    side: &'static str,
    solution: Vec<String>,
    temptation: Option<Temptation>,
}

/// A wrong move that tempts, and what refutes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Temptation {
    #[serde(rename = "move")]
    mv: String,
    reply: String,
}

impl Whole {
    /// What is said of a problem that this side solves, with its number if it is one of the program's.
    pub fn of(problem: Problem, number: Option<usize>, side: &'static str) -> Whole {
        let temptation = problem.temptation.clone().map(|[mv, reply]| Temptation { mv, reply });
        let solution = problem.solution.clone();
        Whole { listed: problem.into(), number, side, solution, temptation }
    }
}

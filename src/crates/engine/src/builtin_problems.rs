//! The built-in problems: those in `problems.txt` of each game's folder, and how responses show them.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Serialize;

use pentarch_core::notation::record::Record;
use pentarch_games::GameId;

use super::problem::{Problem, Theme};

/// The number of games.
const GAMES: usize = GameId::WORDS.len();

/// Returns the problems of the game with this index in [`GameId::WORDS`], ordered by grade and then by length; empty if
/// it has none. They are parsed once.
///
/// # Panics
/// If the text in the program is not a list of problems, which the tests rule out.
pub fn of_game(game: usize) -> &'static [Problem] {
    static PROBLEMS: [OnceLock<Vec<Problem>>; GAMES] = [const { OnceLock::new() }; GAMES];
    let Some(problems) = PROBLEMS.get(game) else { return &[] };
    problems.get_or_init(|| {
        let records =
            Record::parse_all(GameId::PROBLEMS[game]).expect("the list is one of records");
        let mut problems: Vec<Problem> = records
            .iter()
            .map(|record| Problem::of(record).expect("each record is a problem"))
            .collect();
        problems.sort_by_key(|problem| (problem.grade, problem.length()));
        problems
    })
}

/// A problem of [`of_game`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuiltinProblem {
    /// The number of the problem, from 1.
    pub number: usize,
    /// The problem.
    pub problem: &'static Problem,
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

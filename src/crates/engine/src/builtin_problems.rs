//! Parses the built-in problems in `problems.txt` of each game's folder, and converts them to the
//! form that responses contain.

use std::collections::BTreeMap;

use serde::Serialize;

use super::problem::{Problem, ProblemTheme};

/// A built-in problem with its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuiltinProblem {
    /// The number of the problem, from 1.
    pub number: usize,
    /// The problem.
    pub problem: &'static Problem,
}

/// A problem in the list of problems.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ListedProblem {
    /// The options of the rules that differ from their defaults.
    options: BTreeMap<String, String>,
    /// The FEN of the position.
    fen: String,
    /// The grade from 1, easy, to 5.
    #[cfg_attr(test, schemars(range(min = 1, max = 5)))]
    grade: u32,
    /// The number of moves of the solver.
    #[cfg_attr(test, schemars(range(min = 1)))]
    length: usize,
    /// The themes of the key.
    themes: Vec<ProblemTheme>,
}

impl From<Problem> for ListedProblem {
    fn from(problem: Problem) -> ListedProblem {
        let (_, settings) = &problem.rules;
        let options = settings.iter().filter_map(|setting| {
            let (name, value) = setting.split_once('=')?;
            Some((name.into(), value.into()))
        });
        ListedProblem {
            options: options.collect(),
            length: problem.solver_move_count(),
            fen: problem.position,
            grade: problem.grade,
            themes: problem.themes,
        }
    }
}

/// A problem with its solution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Problem"))]
pub struct ProblemWithSolution {
    #[serde(flatten)]
    listed: ListedProblem,
    /// The number in the list of problems, from 1; missing if the problem is not built in.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(range(min = 1)))]
    number: Option<usize>,
    /// The word that names the side to solve the problem.
    side: &'static str,
    /// The moves of both sides.
    solution: Vec<String>,
    /// A tempting wrong move; `null` if there is none.
    temptation: Option<Temptation>,
}

/// A tempting wrong move and its refutation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Temptation {
    /// The wrong first move.
    #[serde(rename = "move")]
    mv: String,
    /// The reply that refutes the wrong move.
    reply: String,
}

impl ProblemWithSolution {
    /// Converts a problem to the form that responses contain. `number` is the number of the problem
    /// if the problem is built in. `side` is the word that names the side that solves the problem.
    pub fn new(problem: Problem, number: Option<usize>, side: &'static str) -> ProblemWithSolution {
        let temptation = problem.temptation.clone().map(|[mv, reply]| Temptation { mv, reply });
        let solution = problem.solution.clone();
        ProblemWithSolution { listed: problem.into(), number, side, solution, temptation }
    }
}

//! A problem: a position in which exactly one move wins, or holds a draw, to be solved by people, as it is written and
//! read.

use std::sync::Arc;

use serde::Serialize;
use thiserror::Error;

use pentarch_core::notation::record::{Record, RecordedMove, result_for_winner, turns};
use pentarch_core::notation::text::{did_you_mean, quoted};
use pentarch_core::{Options, PositionError, Side};
use pentarch_search::control::Control;

use super::requests::task::{OVER, STOPPED};

/// Makes a problem of the position of a text under the rules that these options choose; each proof may take so many
/// nodes, and the control stops all.
pub type MakeProblem = fn(&Options, &str, u64, &Arc<Control>) -> Result<Problem, NotAProblem>;

/// A reason why a position is not a problem. As a text it is half a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NotAProblem {
    /// The game has more than two players.
    #[error("it has more than two players")]
    TooManyPlayers,
    /// There is not enough memory to search the position.
    #[error("there is not enough memory for a search")]
    NoMemory,
    /// The proofs were stopped.
    #[error("{STOPPED}")]
    Stopped,
    /// The text is not a position of these rules.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The game is over in the position.
    #[error("{OVER}")]
    Over,
    /// No move was found that wins soon enough, and not one move alone that holds a draw.
    #[error(
        "neither a win of {solver} within {} was found nor one move that holds a draw",
        moves(*.most)
    )]
    NoKey {
        /// The side to move.
        solver: &'static str,
        /// The greatest length of a problem, in moves of the solver.
        most: u32,
    },
    /// The solver wins sooner than the problem may.
    #[error("{solver} wins in {}, and not in {least} or more", moves(*.length))]
    TooShort {
        /// The side to move.
        solver: &'static str,
        /// The number of moves within which it wins.
        length: u32,
        /// The least length of a problem.
        least: u32,
    },
    /// The key is the only legal move.
    #[error("{key} is the only legal move")]
    Forced {
        /// The key.
        key: String,
    },
    /// Two moves win.
    #[error("{key} and {other} both win")]
    AlsoWins {
        /// A move that wins.
        key: String,
        /// Another one.
        other: String,
    },
    /// Whether another move wins is not known.
    #[error("{key} wins, but no proof was found that no other move does")]
    Unproven {
        /// The move that wins.
        key: String,
    },
    /// A later move of the solver is not the only one that wins.
    #[error("after {key} no line was found in which only one move wins each time")]
    SeveralLater {
        /// The only first move that wins.
        key: String,
    },
}

/// Returns a number of moves in words.
fn moves(count: u32) -> String {
    format!("{count} move{}", if count == 1 { "" } else { "s" })
}

/// A fault of a record that is to be a problem.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ProblemError {
    /// A tag is missing.
    #[error("a problem has a tag {tag}")]
    MissingTag {
        /// The name of the tag.
        tag: &'static str,
    },
    /// The grade is not a number in its range.
    #[error("Grade is a number from 1 to {MOST_GRADE}, not {}", quoted(.found))]
    Grade {
        /// The value of the tag.
        found: String,
    },
    /// There is no such theme.
    #[error(
        "Theme is of {}, not {}{}",
        Theme::ALL.map(Theme::word).join(", "),
        quoted(.found),
        did_you_mean(.found, Theme::ALL.map(Theme::word))
    )]
    UnknownTheme {
        /// The word in the tag.
        found: String,
    },
    /// The number of moves is even.
    #[error("the solution of a problem ends with a move of the solver")]
    LastMove,
}

/// The highest grade.
pub const MOST_GRADE: u32 = 5;

/// A theme: a property of the first move of a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    /// It captures.
    Capture,
    /// It brings something onto the board.
    Placement,
    /// It captures nothing and threatens no win at the next move.
    Quiet,
    /// It lets the opponent capture more than it captures, and the reply does so.
    Sacrifice,
    /// Most players miss it.
    Surprise,
    /// It holds a draw: after every other move the opponent wins.
    Draw,
}

impl Theme {
    /// All themes.
    pub const ALL: [Theme; 6] = [
        Theme::Capture,
        Theme::Placement,
        Theme::Quiet,
        Theme::Sacrifice,
        Theme::Surprise,
        Theme::Draw,
    ];

    /// The word for it, and what the key does, as half a sentence.
    pub fn words(self) -> [&'static str; 2] {
        match self {
            Theme::Capture => ["capture", "it captures"],
            Theme::Placement => ["placement", "it brings something onto the board"],
            Theme::Quiet => ["quiet", "it captures nothing and threatens no win at the next move"],
            Theme::Sacrifice => {
                ["sacrifice", "it lets the opponent capture more, and the reply does so"]
            }
            Theme::Surprise => ["surprise", "most players miss it"],
            Theme::Draw => ["draw", "it holds a draw: after every other move the opponent wins"],
        }
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        self.words()[0]
    }

    /// The theme with this word.
    pub fn named(word: &str) -> Option<Theme> {
        Theme::ALL.into_iter().find(|theme| theme.word() == word)
    }
}

/// A problem as it is written and read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The word that selects the game, and the options of its rules that are not at their defaults, as `NAME=VALUE`.
    pub rules: (String, Vec<String>),
    /// The text of the position.
    pub position: String,
    /// The moves of the solution, from the key to the solver's last one, which ends the game if the solver wins.
    pub solution: Vec<String>,
    /// A wrong move that tempts, and the reply that refutes it.
    pub temptation: Option<[String; 2]>,
    /// From 1, easy, to [`MOST_GRADE`].
    pub grade: u32,
    /// What is special about the key.
    pub themes: Vec<Theme>,
}

impl Problem {
    /// How many moves the solver makes.
    pub fn length(&self) -> usize {
        self.solution.len().div_ceil(2)
    }

    /// Whether the solver is to hold a draw; else it is to win.
    pub fn is_draw(&self) -> bool {
        self.themes.contains(&Theme::Draw)
    }

    /// The record of the problem. `first_turn` is the full-move number and the side to move of the position.
    pub fn text(&self, first_turn: (u32, Side)) -> String {
        let (game, options) = &self.rules;
        let tag = |name: &str, value: String| (name.to_string(), value);
        let mut tags = vec![tag("Game", game.clone())];
        tags.extend(options.iter().map(|option| tag("Option", option.clone())));
        tags.push(tag("Fen", self.position.clone()));
        tags.push(tag("Grade", self.grade.to_string()));
        tags.push(tag("Length", self.length().to_string()));
        if !self.themes.is_empty() {
            let words: Vec<&str> = self.themes.iter().map(|theme| theme.word()).collect();
            tags.push(tag("Theme", words.join(" ")));
        }
        let mut record = Record::new(tags);
        record.moves = self.solution.iter().cloned().map(RecordedMove::from).collect();
        record.result = result_for_winner((!self.is_draw()).then_some(first_turn.1)).into();
        if let Some(key) = record.moves.first_mut() {
            key.notes_mut().add_glyph(1);
            if let Some([wrong, reply]) = &self.temptation {
                let mut wrong = RecordedMove::from(wrong.clone());
                wrong.notes_mut().add_glyph(2);
                key.notes_mut().variations.push(vec![wrong, RecordedMove::from(reply.clone())]);
            }
        }
        record.text(turns(first_turn))
    }

    /// The problem of a record.
    ///
    /// # Errors
    /// If the record is none of a problem; nothing is checked against the rules.
    pub fn of(record: &Record) -> Result<Problem, ProblemError> {
        let value = |name: &str| record.values(name).next().map(str::to_string);
        let needed = |tag| value(tag).ok_or(ProblemError::MissingTag { tag });
        let grade = needed("Grade")?;
        let in_range = |grade: &u32| (1..=MOST_GRADE).contains(grade);
        let number = grade.parse().ok().filter(in_range);
        let grade = number.ok_or(ProblemError::Grade { found: grade })?;
        let words = value("Theme").unwrap_or_default();
        let theme = |word: &str| {
            Theme::named(word).ok_or_else(|| ProblemError::UnknownTheme { found: word.into() })
        };
        let solution: Vec<String> = record.moves.iter().map(|mv| mv.bare().to_string()).collect();
        if solution.len().is_multiple_of(2) {
            return Err(ProblemError::LastMove);
        }
        let wrong = record.moves[0].notes().variations.first();
        Ok(Problem {
            rules: (needed("Game")?, record.values("Option").map(str::to_string).collect()),
            position: needed("Fen")?,
            solution,
            temptation: wrong.and_then(|line| match &line[..] {
                [wrong, reply, ..] => Some([wrong.bare().to_string(), reply.bare().to_string()]),
                _ => None,
            }),
            grade,
            themes: words.split_whitespace().map(theme).collect::<Result<_, _>>()?,
        })
    }
}

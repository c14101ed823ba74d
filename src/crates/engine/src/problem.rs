//! A problem: a position for people to solve. Exactly one move wins, or exactly one move holds a
//! draw. This move, the first move of the solution, is called the key. The module converts problems
//! from and to records.

use std::sync::Arc;

use serde::Serialize;
use thiserror::Error;

use pentarch_core::notation::parsing::{did_you_mean_hint, quote_for_message};
use pentarch_core::notation::record::{
    GameRecord, RecordedMove, two_player_turns_from, winner_to_record_result,
};
use pentarch_core::{Options, PositionError, Side};
use pentarch_search::control::SearchControl;

use super::requests::response_task::{GAME_IS_OVER_MESSAGE, STOPPED_PROOF_REASON};

/// A function that turns a position string into a problem. Its arguments are the rules as options,
/// the string, the node limit of each proof, and the control that can stop the proofs.
pub type ProblemMakerFn =
    fn(&Options, &str, u64, &Arc<SearchControl>) -> Result<Problem, NotAProblemReason>;

/// The reason why a position is not a problem, as a clause.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NotAProblemReason {
    /// The game has more than two players.
    #[error("it has more than two players")]
    TooManyPlayers,
    /// There is not enough memory to search the position.
    #[error("there is not enough memory for a search")]
    NoMemory,
    /// The proofs were stopped.
    #[error("{STOPPED_PROOF_REASON}")]
    Stopped,
    /// The string is not a position of these rules.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The game is over in the position.
    #[error("{GAME_IS_OVER_MESSAGE}")]
    Over,
    /// No move was found that wins soon enough, and no single move holds a draw.
    #[error(
        "neither a win of {solver} within {} was found nor one move that holds a draw",
        format_move_count(*.most)
    )]
    NoKey {
        /// The side to move.
        solver: &'static str,
        /// The maximum length of a problem, in moves of the solver.
        most: u32,
    },
    /// The solver wins in fewer moves than the minimum length of a problem.
    #[error("{solver} wins in {}, and not in {least} or more", format_move_count(*.length))]
    TooShort {
        /// The side to move.
        solver: &'static str,
        /// The number of moves in which the solver wins.
        length: u32,
        /// The minimum length of a problem.
        least: u32,
    },
    /// The key is the only legal move.
    #[error("{key} is the only legal move")]
    Forced {
        /// The first move of the solution.
        key: String,
    },
    /// Two moves win.
    #[error("{key} and {other} both win")]
    AlsoWins {
        /// The first move that wins.
        key: String,
        /// Another move that wins.
        other: String,
    },
    /// Another move may also win, because no proof excludes it.
    #[error("{key} wins, but no proof was found that no other move does")]
    Unproven {
        /// The move that wins.
        key: String,
    },
    /// Only one first move wins, but at a later turn of the solver several moves win.
    #[error("after {key} no line was found in which only one move wins each time")]
    SeveralLater {
        /// The only winning first move.
        key: String,
    },
}

/// Returns a number of moves in words.
fn format_move_count(count: u32) -> String {
    format!("{count} move{}", if count == 1 { "" } else { "s" })
}

/// The reason why a record does not describe a problem.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ProblemError {
    /// A tag is missing.
    #[error("a problem needs the tag {tag}")]
    MissingTag {
        /// The name of the tag.
        tag: &'static str,
    },
    /// The grade is not a number in the valid range.
    #[error("Grade must be a number from 1 to {MAX_PROBLEM_GRADE}, not {}", quote_for_message(.found))]
    Grade {
        /// The value of the tag.
        found: String,
    },
    /// There is no such theme.
    #[error(
        "Theme must be one of {}, not {}{}",
        ProblemTheme::ALL.map(ProblemTheme::word).join(", "),
        quote_for_message(.found),
        did_you_mean_hint(.found, ProblemTheme::ALL.map(ProblemTheme::word))
    )]
    UnknownTheme {
        /// The word in the tag.
        found: String,
    },
    /// The number of moves is even.
    #[error("the solution of a problem ends with a move of the solver")]
    LastMove,
}

/// The grade of the hardest problems.
pub const MAX_PROBLEM_GRADE: u32 = 5;

/// A theme: a property of the key. The key is the first move of the solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Theme"))]
#[serde(rename_all = "lowercase")]
pub enum ProblemTheme {
    /// The key captures.
    Capture,
    /// The key places a piece or a wall on the board.
    Placement,
    /// The key does not capture, and does not threaten to win at the next move.
    Quiet,
    /// The key lets the opponent capture more than the key captures, and the reply makes this
    /// capture.
    Sacrifice,
    /// Most players miss the key.
    Surprise,
    /// The key holds a draw, and after every other move the opponent wins.
    Draw,
}

impl ProblemTheme {
    /// All themes.
    pub const ALL: [ProblemTheme; 6] = [
        ProblemTheme::Capture,
        ProblemTheme::Placement,
        ProblemTheme::Quiet,
        ProblemTheme::Sacrifice,
        ProblemTheme::Surprise,
        ProblemTheme::Draw,
    ];

    /// Returns the word for the theme, and a phrase about the effect of the key, the solution's
    /// first move.
    pub fn word_and_description(self) -> [&'static str; 2] {
        match self {
            ProblemTheme::Capture => ["capture", "it captures"],
            ProblemTheme::Placement => ["placement", "it brings something onto the board"],
            ProblemTheme::Quiet => {
                ["quiet", "it captures nothing and threatens no win at the next move"]
            }
            ProblemTheme::Sacrifice => {
                ["sacrifice", "it lets the opponent capture more, and the reply does so"]
            }
            ProblemTheme::Surprise => ["surprise", "most players miss it"],
            ProblemTheme::Draw => {
                ["draw", "it holds a draw: after every other move the opponent wins"]
            }
        }
    }

    /// Returns the word for the theme.
    pub fn word(self) -> &'static str {
        self.word_and_description()[0]
    }

    /// Returns the theme with this word.
    pub fn from_word(word: &str) -> Option<ProblemTheme> {
        ProblemTheme::ALL.into_iter().find(|theme| theme.word() == word)
    }
}

/// A problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The word that selects the game, and the options of its rules. Only options that differ from
    /// their defaults are listed, as `NAME=VALUE`.
    pub rules: (String, Vec<String>),
    /// The FEN of the position.
    pub position: String,
    /// The moves of both sides in the solution, from the key to the solver's last move. If the
    /// solver wins, the last move ends the game.
    pub solution: Vec<String>,
    /// A tempting wrong move, and the reply that refutes it.
    pub temptation: Option<[String; 2]>,
    /// The grade from 1, easy, to [`MAX_PROBLEM_GRADE`].
    pub grade: u32,
    /// The themes of the key.
    pub themes: Vec<ProblemTheme>,
}

impl Problem {
    /// Returns the number of moves of the solver.
    pub fn solver_move_count(&self) -> usize {
        self.solution.len().div_ceil(2)
    }

    /// Returns whether the solver must hold a draw instead of winning.
    pub fn is_draw(&self) -> bool {
        self.themes.contains(&ProblemTheme::Draw)
    }

    /// Returns the record of the problem as a string. `first_turn` contains the full-move number
    /// and the side to move of the position.
    pub fn to_record_text(&self, first_turn: (u32, Side)) -> String {
        let (game, options) = &self.rules;
        let tag = |name: &str, value: String| (name.to_string(), value);
        let mut tags = vec![tag("Game", game.clone())];
        tags.extend(options.iter().map(|option| tag("Option", option.clone())));
        tags.push(tag("Fen", self.position.clone()));
        tags.push(tag("Grade", self.grade.to_string()));
        tags.push(tag("Length", self.solver_move_count().to_string()));
        if !self.themes.is_empty() {
            let words: Vec<&str> = self.themes.iter().map(|theme| theme.word()).collect();
            tags.push(tag("Theme", words.join(" ")));
        }
        let mut record = GameRecord::new(tags);
        record.moves = self.solution.iter().cloned().map(RecordedMove::from).collect();
        record.result = winner_to_record_result((!self.is_draw()).then_some(first_turn.1)).into();
        if let Some(key) = record.moves.first_mut() {
            key.notes_mut().add_glyph(1);
            if let Some([wrong, reply]) = &self.temptation {
                let mut wrong = RecordedMove::from(wrong.clone());
                wrong.notes_mut().add_glyph(2);
                key.notes_mut().variations.push(vec![wrong, RecordedMove::from(reply.clone())]);
            }
        }
        record.text(two_player_turns_from(first_turn))
    }

    /// Converts the record of a problem. Does not check the record against the rules.
    ///
    /// # Errors
    /// If the record does not describe a problem.
    pub fn from_record(record: &GameRecord) -> Result<Problem, ProblemError> {
        let value = |name: &str| record.tag_values(name).next().map(str::to_string);
        let required = |tag| value(tag).ok_or(ProblemError::MissingTag { tag });
        let grade = required("Grade")?;
        let number = grade.parse().ok().filter(|number| (1..=MAX_PROBLEM_GRADE).contains(number));
        let grade = number.ok_or(ProblemError::Grade { found: grade })?;
        let words = value("Theme").unwrap_or_default();
        let theme = |word: &str| {
            ProblemTheme::from_word(word)
                .ok_or_else(|| ProblemError::UnknownTheme { found: word.into() })
        };
        let solution: Vec<String> = record.moves.iter().map(|mv| mv.text.clone()).collect();
        if solution.len().is_multiple_of(2) {
            return Err(ProblemError::LastMove);
        }
        let wrong = record.moves[0].notes().variations.first();
        Ok(Problem {
            rules: (required("Game")?, record.tag_values("Option").map(str::to_string).collect()),
            position: required("Fen")?,
            solution,
            temptation: wrong.and_then(|line| match &line[..] {
                [wrong, reply, ..] => Some([wrong.text.clone(), reply.text.clone()]),
                _ => None,
            }),
            grade,
            themes: words.split_whitespace().map(theme).collect::<Result<_, _>>()?,
        })
    }
}

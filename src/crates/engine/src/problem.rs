//! A problem: a position in which exactly one move wins, or holds a draw, to be solved by people, as it is written and
//! read.

use std::sync::Arc;

use serde::Serialize;

use pentarch_core::notation::record::{Record, RecordedMove, result_of, turns};
use pentarch_core::notation::text::{did_you_mean, quoted};
use pentarch_core::{Options, Side};
use pentarch_search::control::Control;

/// Makes a problem of the position of a text under the rules that these options choose; each proof may take so many
/// nodes, and the control stops all. The error says why it is none, as half a sentence.
pub type MakeProblem = fn(&Options, &str, u64, &Arc<Control>) -> Result<Problem, String>;

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
        record.result = result_of((!self.is_draw()).then_some(first_turn.1)).into();
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
    pub fn of(record: &Record) -> Result<Problem, String> {
        let value = |name: &str| record.values(name).next().map(str::to_string);
        let needed = |name: &str| value(name).ok_or_else(|| format!("a problem has a tag {name}"));
        let grade = needed("Grade")?;
        let in_range = |grade: &u32| (1..=MOST_GRADE).contains(grade);
        let grade = grade.parse().ok().filter(in_range).ok_or_else(|| {
            format!("Grade is a number from 1 to {MOST_GRADE}, not {}", quoted(&grade))
        })?;
        let words = value("Theme").unwrap_or_default();
        let names = || Theme::ALL.map(Theme::word);
        let theme = |word: &str| {
            let expected = || {
                format!(
                    "Theme is of {}, not {}{}",
                    names().join(", "),
                    quoted(word),
                    did_you_mean(word, names())
                )
            };
            Theme::named(word).ok_or_else(expected)
        };
        let solution: Vec<String> = record.moves.iter().map(|mv| mv.bare().to_string()).collect();
        if solution.len().is_multiple_of(2) {
            return Err("the solution of a problem ends with a move of the solver".into());
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

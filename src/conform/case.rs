//! Cases, and their form as lines of JSON.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use pentarch_core::Options;
use pentarch_core::notation::parsing::quote_for_message;
use pentarch_core::rules::options::RuleSettingError;
use pentarch_engine::engine_state::{game_specific_options, non_default_rules};
use pentarch_engine::games::{GAME_OPTION, all_game_words};
use pentarch_system::{LocatedError, WithErrorLocation};

/// A question about a game, and the reply that the rules require.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConformanceCase {
    /// The word that selects the game.
    pub game: String,
    /// The options of the rules that differ from their defaults.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// The ids of the sentences of the rules that the case shows. If the case is about an illegal
    /// move or an invalid FEN, the id of the decisive sentence is first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    /// The position in which the case begins.
    pub fen: String,
    /// The question and the reply.
    #[serde(flatten)]
    pub question: CaseQuestion,
}

/// The kind of a case, with the reply that the rules require.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "case", rename_all = "lowercase")]
pub enum CaseQuestion {
    /// The legal moves and the outcome of a position, optionally after some moves.
    Position(PositionReply),
    /// Whether a move string is a legal move.
    Move {
        /// The move string.
        #[serde(rename = "move")]
        mv: String,
        /// Whether the move is legal.
        legal: bool,
        /// The FEN after the move, if the move is legal.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<String>,
    },
    /// The FEN is invalid.
    Invalid,
    /// The number of move sequences of a length.
    Perft {
        /// The length of the sequences.
        depth: u32,
        /// The number of the sequences.
        nodes: u64,
    },
}

/// The facts about a position that the rules determine. A list of moves is a string with single
/// spaces between the moves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionReply {
    /// The moves of the game so far.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub moves: String,
    /// The command with which the players end the game after the moves, such as `resign white`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
    /// The FEN after the moves; `None` if this is the FEN in which the case begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The legal moves, sorted.
    pub legal: String,
    /// The outcome in the words of the protocol.
    pub outcome: String,
    /// Whether it is the turn of the first side.
    pub p1turn: bool,
    /// For some of the legal moves, the FEN after the move.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub next: BTreeMap<String, String>,
}

/// The fields of all cases.
const COMMON_CASE_FIELDS: [&str; 5] = ["case", "game", "options", "rules", "fen"];

impl CaseQuestion {
    /// Returns the names of the fields that only this kind of case has. (serde cannot reject
    /// unknown fields if a structure is flattened.)
    fn fields(&self) -> &'static [&'static str] {
        match self {
            CaseQuestion::Position(_) => {
                &["moves", "end", "after", "legal", "outcome", "p1turn", "next"]
            }
            CaseQuestion::Move { .. } => &["move", "legal", "after"],
            CaseQuestion::Invalid => &[],
            CaseQuestion::Perft { .. } => &["depth", "nodes"],
        }
    }
}

/// An error in a file of cases.
#[derive(Debug, Error)]
pub enum CaseError {
    /// The line is not a case.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// This kind of case has no such field.
    #[error("unknown field {}", quote_for_message(name))]
    UnknownField {
        /// The name of the field.
        name: String,
    },
    /// There is no such game or option, or the option does not have this value.
    #[error(transparent)]
    Setting(#[from] RuleSettingError),
}

impl ConformanceCase {
    /// Parses the lines of a file. Skips empty lines.
    ///
    /// # Errors
    /// If a line is not a case, or if its game or an option is unknown. The error contains the line
    /// number.
    pub fn parse_lines(text: &str) -> Result<Vec<ConformanceCase>, LocatedError<CaseError>> {
        let mut cases = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            if !line.trim().is_empty() {
                cases.push(ConformanceCase::parse(line).with_line_number(number)?);
            }
        }
        Ok(cases)
    }

    fn parse(line: &str) -> Result<ConformanceCase, CaseError> {
        let case: ConformanceCase = serde_json::from_str(line)?;
        let fields: BTreeMap<String, IgnoredAny> = serde_json::from_str(line)?;
        let known = [&COMMON_CASE_FIELDS, case.question.fields()].concat();
        if let Some(name) = fields.into_keys().find(|name| !known.contains(&name.as_str())) {
            return Err(CaseError::UnknownField { name });
        }
        case.rule_set_options()?;
        Ok(case)
    }

    /// Returns the case as a line of JSON, without the line end.
    pub fn to_line(&self) -> String {
        // Serialising cannot fail, because the names of fields are strings.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Returns the options that choose the game and the rules of the case.
    ///
    /// # Errors
    /// If there is no such game or option, or if the option does not have this value.
    pub fn rule_set_options(&self) -> Result<Options, RuleSettingError> {
        let mut options = Options::default();
        options.set(&GAME_OPTION, &self.game)?;
        for (name, value) in &self.options {
            options.set_rule(game_specific_options(&options), name, value)?;
        }
        Ok(options)
    }

    /// Creates a case that shows no particular sentence, under the rules of these options.
    pub fn new(options: &Options, fen: String, question: CaseQuestion) -> ConformanceCase {
        let rules = non_default_rules(options).into_iter();
        ConformanceCase {
            game: all_game_words()[options.combo_value(&GAME_OPTION)].into(),
            options: rules.map(|(spec, value)| (spec.name.into(), value.to_string())).collect(),
            rules: Vec::new(),
            fen,
            question,
        }
    }
}

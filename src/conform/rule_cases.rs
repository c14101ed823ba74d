//! Parses the positions and moves that show the sentences of a game's rules.
//!
//! Each game lists these positions and moves in a file `rule_cases.txt` next to its rules text:
//!
//! ```text
//! set Roses_ContiguousSupport=true
//! fen c/1ss1/5/2SSS/4/C w 0/0 7
//! 5.13: move d4e5
//! 1.2 5.7: moves d3 c5 c2 d5 c3 e5 b3 e4 c3b2 e5e3
//! 2.2: invalid C/4/5/5/4/c w 4/4 1
//! ```
//!
//! - Empty lines and lines that begin with `# ` are ignored.
//! - `set` chooses the rules of the following lines, and their start position. Without settings,
//!   `set` chooses the default rules.
//! - `fen` chooses the position of the following lines; `fen startpos` is the start position.
//! - Each other line begins with the names of the sentences that it shows. A name is the id of the
//!   sentence, or `ID/3` for the third sentence with the same id. One of these follows:
//!   - `moves` and the moves of a game, or no moves: the legal moves and the outcome after these
//!     moves;
//!   - `move` and a move string: whether the move is legal;
//!   - `invalid` and a string that is not a valid FEN;
//!   - `end` and a command with which the players end the game, such as `agree`.

use thiserror::Error;

use pentarch_core::notation::parsing::quote_for_message;
use pentarch_core::rules::options::RuleSettingError;
use pentarch_core::{OptionSpec, Options};
use pentarch_system::{LocatedError, WithErrorLocation};

/// A line of the list: a question that shows sentences of the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleTestCase<'a> {
    /// The options that choose the rules.
    pub options: Options,
    /// The names of the sentences.
    pub rules: Vec<String>,
    /// The FEN of the position; `None` for the start position.
    pub fen: Option<&'a str>,
    /// The question.
    pub question: RuleCaseQuestion<'a>,
}

/// A question about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleCaseQuestion<'a> {
    /// The legal moves and the outcome after these moves.
    Moves(&'a str),
    /// Whether this move is legal.
    Move(&'a str),
    /// This FEN is invalid. The position of the case does not matter.
    Invalid(&'a str),
    /// The outcome after this command of the players.
    End(&'a str),
}

/// An error in the list.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RuleCaseError {
    /// An option cannot be set.
    #[error(transparent)]
    Setting(#[from] RuleSettingError),
    /// The line does not have one of the known forms.
    #[error("expected 'NAMES: QUESTION', found {}", quote_for_message(.found))]
    Form {
        /// The line.
        found: String,
    },
}

/// Parses the list of a game. `default` chooses the game and its default rules, and `own` are the
/// options of the game.
///
/// # Errors
/// If a line is invalid. The error contains the line number.
pub fn parse_rule_cases<'a>(
    list: &'a str,
    default: &Options,
    own: &[OptionSpec],
) -> Result<Vec<RuleTestCase<'a>>, LocatedError<RuleCaseError>> {
    let mut cases = Vec::new();
    let mut options = default.clone();
    let mut fen = None;
    for (number, line) in (1..).zip(list.lines()) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" | "#" => {}
            "set" => {
                fen = None;
                options =
                    options_from_rule_settings(default, own, rest).with_line_number(number)?;
            }
            "fen" => fen = (rest != "startpos").then_some(rest),
            _ => {
                let (rules, question) = parse_rule_question(line).with_line_number(number)?;
                cases.push(RuleTestCase { options: options.clone(), rules, fen, question });
            }
        }
    }
    Ok(cases)
}

fn options_from_rule_settings(
    default: &Options,
    own: &[OptionSpec],
    settings: &str,
) -> Result<Options, RuleCaseError> {
    let mut options = default.clone();
    for setting in settings.split_whitespace() {
        options.set_rule_text(own, setting)?;
    }
    Ok(options)
}

fn parse_rule_question(line: &str) -> Result<(Vec<String>, RuleCaseQuestion<'_>), RuleCaseError> {
    let error = || RuleCaseError::Form { found: line.into() };
    let (names, question) = line.split_once(": ").ok_or_else(error)?;
    let (word, rest) = question.split_once(' ').unwrap_or((question, ""));
    let question = match word {
        "moves" => RuleCaseQuestion::Moves(rest),
        "move" => RuleCaseQuestion::Move(rest),
        "invalid" => RuleCaseQuestion::Invalid(rest),
        "end" => RuleCaseQuestion::End(rest),
        _ => return Err(error()),
    };
    Ok((names.split(' ').map(str::to_string).collect(), question))
}

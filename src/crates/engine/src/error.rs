//! Errors of the engine as values. An error contains the fault with its details, its location, and
//! the invalid field of the request.

use std::fmt;

use pentarch_core::notation::parsing::{
    FoundToken, join_with_or, quote_for_message, spelling_hint, truncate_word,
};
use pentarch_core::rules::options::{InvalidOptionValue, RuleSettingError, TABLE_PATH_OPTION};
use pentarch_core::view::rules_page::RulesPageError;
use pentarch_core::view::rules_text::UnknownTopicError;
use pentarch_core::{EndByPlayersError, MoveError, PositionError, RuleViolation, SyntaxError};
use serde::{Serialize, Serializer};
use thiserror::Error;

use super::host::{HostFault, TablebaseDirectoryError};
use super::input_word::InputWord;
use super::record::RecordError;
use super::requests::field_checks::FieldCheckError;
use super::requests::field_error::FieldError;
use super::sgf_reader::SgfError;

/// A fault of an engine operation, with its details.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EngineFault {
    /// A text does not have the expected form.
    #[error("expected {expected}, found {found}")]
    Syntax {
        /// The text that the parser expected, in words.
        expected: String,
        /// The text that the parser found.
        found: FoundToken,
    },
    /// A line of requests is too long.
    #[error("a line has more than {most} bytes; it is ignored")]
    LineTooLong {
        /// The maximum number of bytes of a line.
        most: usize,
    },
    /// A line is not UTF-8.
    #[error("the line is not UTF-8 text")]
    NotUtf8,
    /// A rule excludes a position.
    #[error("invalid position: {0}")]
    Position(RuleViolation),
    /// A rule forbids a move.
    #[error("{} is illegal: {violation}", format_move_for_error(*.number, text))]
    IllegalMove {
        /// The number of the move in its list, from 1; `None` for a single move.
        number: Option<usize>,
        /// The illegal move.
        text: String,
        /// The rules that the move violates, and the reason.
        violation: RuleViolation,
    },
    /// The players cannot end the game in this way.
    #[error(transparent)]
    EndByPlayers(#[from] EndByPlayersError),
    /// The caller requests to take back more moves than were made.
    #[error(
        "cannot take back {count}: moves made so far: {made}{}",
        if *has_end { ", and the end of the game" } else { "" }
    )]
    TooFewMoves {
        /// The number of moves to take back.
        count: u32,
        /// The number of moves that were made.
        made: usize,
        /// Whether the players have ended the game, for example by resignation. `undo` counts this
        /// end as a move.
        has_end: bool,
    },
    /// A game would become too long.
    #[error("a game has at most {most} moves")]
    TooManyMoves {
        /// The maximum number of moves of a game.
        most: usize,
    },
    /// The board has no such site.
    #[error("the board has no site {}{}", quote_for_message(.site), spelling_hint(.nearest.as_deref()))]
    UnknownSite {
        /// The word that is not a site.
        site: String,
        /// The site that the user probably meant.
        nearest: Option<String>,
    },
    /// The game has no side and no player with this name.
    #[error("expected {}, found {}{}", join_with_or(.names), quote_for_message(.found), spelling_hint(*.nearest))]
    UnknownSide {
        /// The unknown name.
        found: String,
        /// The names of the players and sides.
        names: Vec<&'static str>,
        /// The name that the user probably meant.
        nearest: Option<&'static str>,
    },
    /// There is no option with this name.
    #[error("there is no option {}{}; 'ugi' lists them all", quote_for_message(.name), spelling_hint(*.nearest))]
    UnknownOption {
        /// The unknown name.
        name: String,
        /// The option that the user probably meant.
        nearest: Option<&'static str>,
    },
    /// An option does not accept a value.
    #[error(transparent)]
    OptionValue(#[from] InvalidOptionValue),
    /// A rule setting is invalid.
    #[error(transparent)]
    RuleSetting(#[from] RuleSettingError),
    /// The transposition table does not fit into the system's free memory or memory limits.
    #[error(
        "a Hash of {mib} MiB does not fit into the {free} MiB of free memory; nothing is changed"
    )]
    HashTooLarge {
        /// The size of the table in MiB.
        mib: i64,
        /// The free memory in MiB.
        free: i64,
    },
    /// The system cannot allocate the memory for a transposition table.
    #[error(
        "the system cannot allocate a Hash of {mib} MiB, only one of {fitting} MiB; nothing is changed"
    )]
    HashNotAllocated {
        /// The size of the table in MiB.
        mib: i64,
        /// The size in MiB of a table that fits.
        fitting: usize,
    },
    /// The directory of the tablebase option cannot be used.
    #[error("{} takes a directory, but {} {error}", TABLE_PATH_OPTION.name, quote_for_message(.path))]
    TablePath {
        /// The path that cannot be used.
        path: String,
        /// The error of the host.
        error: TablebaseDirectoryError,
    },
    /// An operation needs a game between two players.
    #[error("{needed_by} between two players, and these rules are for {players}")]
    NotForTwo {
        /// The name of the operation, as the beginning of the message.
        needed_by: &'static str,
        /// The number of players of the game.
        players: usize,
    },
    /// The game has no lesson.
    #[error("{game} has no guided first game")]
    NoLesson {
        /// The name of the game.
        game: &'static str,
    },
    /// The program was built without the search.
    #[error("this program has only the rules, and no search")]
    NoSearch,
    /// A search needs a file that could not be loaded.
    #[error("the search needs the file {name}, which could not be loaded")]
    MissingFile {
        /// The name of the file.
        name: String,
    },
    /// The rules of the game cannot be shown.
    #[error(transparent)]
    Rules(#[from] RulesPageError),
    /// The host or its connection has a fault.
    #[error(transparent)]
    Host(#[from] HostFault),
    /// A record cannot be used.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A node of a game in SGF is invalid.
    #[error(transparent)]
    Sgf(#[from] SgfError),
    /// The fields of a request contradict each other or are incomplete.
    #[error(transparent)]
    Request(#[from] FieldCheckError),
    /// A field of a request does not have the expected form.
    #[error(transparent)]
    Field(#[from] FieldError),
}

/// The kind of an error. Programs that translate or compare messages use this kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum ErrorKind {
    /// A text, such as JSON, a position, a move or a record, does not have the expected form.
    Syntax,
    /// A request lacks a field, has an unexpected field, or has a field twice.
    Field,
    /// A number, a word or a name is not among the allowed values.
    Value,
    /// A rule excludes the position.
    Position,
    /// A rule forbids the move, or the game is already over.
    Illegal,
    /// The operation is impossible in the current state: the game is over, or there are too few
    /// moves.
    State,
    /// Something is too long or too large.
    Limit,
    /// The game or the program does not have the requested feature.
    Unavailable,
    /// A file or a directory cannot be used.
    File,
}

impl EngineFault {
    /// Returns the kind of the fault.
    pub fn kind(&self) -> ErrorKind {
        match self {
            EngineFault::Syntax { .. }
            | EngineFault::NotUtf8
            | EngineFault::RuleSetting(RuleSettingError::Form { .. }) => ErrorKind::Syntax,
            EngineFault::Position(_) => ErrorKind::Position,
            EngineFault::IllegalMove { .. } => ErrorKind::Illegal,
            EngineFault::EndByPlayers(EndByPlayersError::GameOver { .. })
            | EngineFault::TooFewMoves { .. } => ErrorKind::State,
            EngineFault::TooManyMoves { .. }
            | EngineFault::LineTooLong { .. }
            | EngineFault::HashTooLarge { .. }
            | EngineFault::HashNotAllocated { .. } => ErrorKind::Limit,
            EngineFault::UnknownSite { .. }
            | EngineFault::UnknownSide { .. }
            | EngineFault::UnknownOption { .. }
            | EngineFault::OptionValue(_)
            | EngineFault::RuleSetting(_)
            | EngineFault::Rules(RulesPageError::Topic(_)) => ErrorKind::Value,
            EngineFault::EndByPlayers(_)
            | EngineFault::NotForTwo { .. }
            | EngineFault::NoLesson { .. }
            | EngineFault::NoSearch
            | EngineFault::Rules(_) => ErrorKind::Unavailable,
            EngineFault::TablePath { .. } | EngineFault::MissingFile { .. } => ErrorKind::File,
            EngineFault::Host(fault) => fault.kind(),
            EngineFault::Record(error) => error.kind(),
            EngineFault::Sgf(error) => error.kind(),
            EngineFault::Request(error) => error.kind(),
            EngineFault::Field(error) => error.kind(),
        }
    }

    /// Returns the violated rule; `None` if the fault is not a violation of a rule.
    pub fn rule_violation(&self) -> Option<&RuleViolation> {
        match self {
            EngineFault::Position(violation)
            | EngineFault::IllegalMove { violation, .. }
            | EngineFault::Sgf(SgfError::Illegal(violation)) => Some(violation),
            _ => None,
        }
    }

    /// Returns the message without ids of rules.
    fn reason(&self) -> String {
        let without_ids =
            |violation: &RuleViolation| RuleViolation { rules: &[], ..violation.clone() };
        match self {
            EngineFault::Position(violation) => {
                EngineFault::Position(without_ids(violation)).to_string()
            }
            EngineFault::IllegalMove { number, text, violation } => EngineFault::IllegalMove {
                number: *number,
                text: text.clone(),
                violation: without_ids(violation),
            }
            .to_string(),
            EngineFault::Sgf(SgfError::Illegal(violation)) => violation.reason.clone(),
            fault => fault.to_string(),
        }
    }
}

/// Returns the name of a move, with its number if it has one, such as `e9` or `move 2, e9,`.
fn format_move_for_error(number: Option<usize>, text: &str) -> String {
    match number {
        Some(number) => format!("move {number}, {},", truncate_word(text)),
        None => truncate_word(text),
    }
}

/// The context of an error: the part of the input in which the error occurs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ErrorContext {
    /// A position string.
    Position,
    /// A move of a list.
    Move {
        /// The number of the move, from 1.
        number: usize,
        /// The move as it is written in the input.
        text: String,
    },
    /// A variation of a record.
    Variation {
        /// The number of the move that the variation replaces.
        number: usize,
        /// The notation of the replaced move.
        text: String,
    },
    /// The outcome in a record.
    Outcome(String),
    /// A game that states no rules. It is read as the current game or as the default game.
    AssumedGame(String),
    /// A field of a request.
    Field(Box<str>),
}

impl fmt::Display for ErrorContext {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ErrorContext::Position => f.write_str("position string"),
            ErrorContext::Move { number, text } => {
                write!(f, "move {number}, {}", truncate_word(text))
            }
            ErrorContext::Variation { number, text } => {
                write!(f, "variation for move {number}, {}", truncate_word(text))
            }
            ErrorContext::Outcome(outcome) => {
                write!(f, "the record says {}", quote_for_message(outcome))
            }
            ErrorContext::AssumedGame(game) => {
                write!(f, "the text names no game, so it is read as {game}")
            }
            ErrorContext::Field(name) => f.write_str(name),
        }
    }
}

/// An error in an engine operation.
///
/// As a string, the error is one line for people, with the location in its most readable form.
/// Examples are `column 5: the board has no site 'z9'` and `move 2, e9x: column 7: expected ...`.
/// As data, the error consists of the message, and the location as numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineError {
    /// The fault, without its context.
    pub fault: Box<EngineFault>,
    /// The contexts of the error, outermost first. The list is empty if the fault itself names the
    /// context.
    contexts: Vec<ErrorContext>,
    /// The line in a text of several lines, from 1.
    line: Option<usize>,
    /// The column, in characters from 1, in the line of input or in the text. `None` if there is no
    /// column.
    pub column: Option<usize>,
    /// The invalid field of a request; `None` without a request, or if the error is not in a single
    /// field.
    pub field: Option<Box<str>>,
}

impl EngineError {
    /// Creates an error without a location.
    pub fn new(fault: impl Into<EngineFault>) -> EngineError {
        EngineError {
            fault: Box::new(fault.into()),
            contexts: Vec::new(),
            line: None,
            column: None,
            field: None,
        }
    }

    /// Returns the same error, located in this column. Columns are counted from 1, and 0 means no
    /// column.
    #[must_use]
    pub fn at_column(self, column: usize) -> EngineError {
        EngineError { column: Some(column).filter(|&column| column > 0), ..self }
    }

    /// Returns the same error, located in this line (from 1) of a text of several lines.
    #[must_use]
    pub(crate) fn with_line_number(self, line: usize) -> EngineError {
        EngineError { line: Some(line), ..self }
    }

    /// Returns the same error, located at this word. The error gets a column if the word is from a
    /// line of input.
    #[must_use]
    pub fn at_word(self, word: &InputWord) -> EngineError {
        self.at_column(word.column)
    }

    /// Returns the same error with this context before its other contexts.
    #[must_use]
    pub(crate) fn in_context(mut self, context: ErrorContext) -> EngineError {
        self.contexts.insert(0, context);
        self
    }

    /// Returns the same error, located in this field of a request.
    #[must_use]
    pub(crate) fn in_field(self, field: &str) -> EngineError {
        EngineError { field: Some(field.into()), ..self }
    }

    /// Returns the same error, located in this field of a request. The message begins with the name
    /// of the field.
    #[must_use]
    pub fn in_named_field(self, field: &str) -> EngineError {
        self.in_context(ErrorContext::Field(field.into())).in_field(field)
    }

    /// Returns the error for an invalid move. `number` is the number of the move in a list.
    pub(crate) fn invalid_move(number: usize, word: &InputWord, error: MoveError) -> EngineError {
        let text = word.text.clone();
        match error {
            MoveError::Syntax(error) => EngineError::syntax_error_in_word(word, error)
                .in_context(ErrorContext::Move { number, text }),
            MoveError::Illegal(violation) => {
                let number = Some(number);
                EngineError::new(EngineFault::IllegalMove { number, text, violation }).at_word(word)
            }
        }
    }

    /// Returns the error for a single invalid move.
    pub fn invalid_single_move(word: &InputWord, error: MoveError) -> EngineError {
        match error {
            MoveError::Syntax(error) => EngineError::syntax_error_in_word(word, error),
            MoveError::Illegal(violation) => {
                let text = word.text.clone();
                EngineError::new(EngineFault::IllegalMove { number: None, text, violation })
                    .at_word(word)
            }
        }
    }

    /// Returns the error for an invalid position string that consists of these words.
    pub fn invalid_position(words: &[InputWord], error: PositionError) -> EngineError {
        let error = match error {
            PositionError::Syntax(error) => {
                EngineError::from(map_error_column_to_line(words, error))
                    .in_context(ErrorContext::Position)
            }
            PositionError::Invalid(violation) => {
                let column = words.first().map_or(0, |word| word.column);
                EngineError::new(EngineFault::Position(violation)).at_column(column)
            }
        };
        error.in_field("fen")
    }

    /// Returns the error for a syntax error in a text of several lines. The error names the line
    /// and the column.
    pub fn syntax_error_in_text(text: &str, error: SyntaxError) -> EngineError {
        let before: String = text.chars().take(error.column - 1).collect();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        EngineError { line: Some(line), ..SyntaxError { column, ..error }.into() }
    }

    /// Returns the error for a syntax error inside a word.
    pub fn syntax_error_in_word(word: &InputWord, error: SyntaxError) -> EngineError {
        error.shifted_right(word.column.saturating_sub(1)).into()
    }

    /// Returns the id of the violated rule; `None` if the error is not a violation of a rule with
    /// an id.
    pub fn broken_rule_id(&self) -> Option<&'static str> {
        self.fault.rule_violation().and_then(RuleViolation::decisive_rule_id)
    }

    /// Returns the message without the column.
    pub fn message(&self) -> String {
        self.message_with_contexts(self.fault.to_string())
    }

    /// Returns the message without the column and without ids of rules.
    pub fn reason(&self) -> String {
        self.message_with_contexts(self.fault.reason())
    }

    /// Returns the number of the invalid move in the list of moves or in the main line, from 1;
    /// `None` if the error is not in a single move.
    fn move_number(&self) -> Option<usize> {
        let mut number = match &*self.fault {
            EngineFault::IllegalMove { number, .. } => *number,
            _ => None,
        };
        for context in &self.contexts {
            match context {
                ErrorContext::Variation { .. } => return None,
                ErrorContext::Move { number: read, .. } => number = Some(*read),
                _ => {}
            }
        }
        number
    }

    /// Returns a message that begins with the contexts of the error.
    fn message_with_contexts(&self, text: String) -> String {
        let line = self.line.map(|line| format!("line {line}"));
        let contexts = self.contexts.iter().map(ErrorContext::to_string);
        contexts.chain(line).chain([text]).collect::<Vec<_>>().join(": ")
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for context in &self.contexts {
            write!(f, "{context}: ")?;
        }
        if let Some(line) = self.line {
            write!(f, "line {line}, ")?;
        }
        if let Some(column) = self.column {
            write!(f, "column {column}: ")?;
        }
        self.fault.fmt(f)
    }
}

impl std::error::Error for EngineError {}

/// Implements the conversion of these faults to errors. Such errors have no location.
macro_rules! impl_from_fault {
    ($($fault:ty),*) => {
        $(impl From<$fault> for EngineError {
            fn from(fault: $fault) -> EngineError {
                EngineError::new(fault)
            }
        })*
    };
}

impl_from_fault!(
    EngineFault,
    EndByPlayersError,
    InvalidOptionValue,
    RuleSettingError,
    HostFault,
    RulesPageError,
    RecordError,
    SgfError,
    FieldCheckError,
    FieldError
);

impl From<UnknownTopicError> for EngineError {
    fn from(error: UnknownTopicError) -> EngineError {
        RulesPageError::from(error).into()
    }
}

impl From<SyntaxError> for EngineError {
    fn from(SyntaxError { column, expected, found }: SyntaxError) -> EngineError {
        EngineError::new(EngineFault::Syntax { expected, found }).at_column(column)
    }
}

/// The error for a request that the engine rejects.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ErrorFields<'a> {
    /// The message about the fault, for people, without the location.
    message: String,
    /// The text of `message` without the ids of rules.
    reason: String,
    /// The kind of the fault.
    kind: ErrorKind,
    /// The field of the request; `null` if the fault is not in a single field.
    field: Option<&'a str>,
    /// The number of the invalid move in a list or in the main line of a record, from 1; `null` if
    /// the fault is not in a single move.
    #[serde(rename = "move")]
    #[cfg_attr(test, schemars(range(min = 1)))]
    number: Option<usize>,
    /// The invalid line of a record, from 1; `null` if the fault is not in a single line.
    #[cfg_attr(test, schemars(range(min = 1)))]
    line: Option<usize>,
    /// The column, in characters from 1; `null` if there is none. If the request is not JSON, or if
    /// a field has an invalid name or type, this is a column of the request's line. Otherwise it is
    /// a column of the field's string. For a record, it is a column of the invalid line of the
    /// record, and for a list of moves, a column of the invalid move.
    #[cfg_attr(test, schemars(range(min = 1)))]
    column: Option<usize>,
    /// The id of the rule that forbids a move or excludes a position; `null` if no rule does.
    rule: Option<&'static str>,
}

impl Serialize for EngineError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = ErrorFields {
            message: self.message(),
            reason: self.reason(),
            kind: self.fault.kind(),
            field: self.field.as_deref(),
            number: self.move_number(),
            line: self.line,
            column: self.column,
            rule: self.broken_rule_id(),
        };
        fields.serialize(serializer)
    }
}

/// Converts an error in a position string that consists of these words. The column of `error` is a
/// column of the words joined by single spaces. The column of the result is a column of the input
/// line that contains the words.
fn map_error_column_to_line(words: &[InputWord], error: SyntaxError) -> SyntaxError {
    let mut start = 1;
    for (at, word) in words.iter().enumerate() {
        let length = word.text.chars().count();
        if error.column <= start + length || at + 1 == words.len() {
            return error.shifted_right(word.column.saturating_sub(start));
        }
        start += length + 1;
    }
    error
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn messages_name_the_column_and_data_has_it_as_a_number() {
        let word = InputWord { text: "e9x".into(), column: 5 };
        let syntax = SyntaxError {
            column: 3,
            expected: "the end".into(),
            found: FoundToken::Word("x".into()),
        };
        let error = EngineError::invalid_move(2, &word, syntax.into());
        assert_eq!(error.to_string(), "move 2, e9x: column 7: expected the end, found 'x'");
        let data = serde_json::to_value(error.in_field("moves")).unwrap();
        let message = "move 2, e9x: expected the end, found 'x'";
        assert_eq!(
            data,
            json!({
                "message": message, "reason": message, "kind": "syntax", "field": "moves", "move": 2,
                "line": null, "column": 7, "rule": null
            })
        );
        let illegal = RuleViolation { rules: &["REQ.5", "REQ.6"], reason: "no: never".into() };
        let error = EngineError::invalid_move(2, &word, illegal.into());
        assert_eq!(
            (error.to_string().as_str(), error.broken_rule_id()),
            ("column 5: move 2, e9x, is illegal: REQ.5, REQ.6: no: never", Some("REQ.5"))
        );
        assert_eq!(error.reason(), "move 2, e9x, is illegal: no: never");
        let without_place =
            EngineError::new(EngineFault::NotUtf8).at_word(&InputWord::from_text("x"));
        assert_eq!(without_place.to_string(), "the line is not UTF-8 text");
    }
}

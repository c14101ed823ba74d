//! Errors of the engine as values: the fault with its facts, the place, and the field of a request.

use std::fmt;

use pentarch_core::notation::text::{FoundToken, hint, or_list, quoted, shortened};
use pentarch_core::rules::options::{InvalidValue, RuleSettingError, TABLE_PATH};
use pentarch_core::view::rules_page::RulesPageError;
use pentarch_core::view::rules_text::UnknownTopic;
use pentarch_core::{MoveError, PlayerEndError, PositionError, SyntaxError, Violation};
use serde::{Serialize, Serializer};
use thiserror::Error;

use super::host::{HostFault, TableDirectoryError};
use super::input_word::Word;
use super::record::RecordError;
use super::requests::check::RequestError;
use super::requests::field_error::FieldError;

/// A fault of something that the engine is to do, with its facts.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Fault {
    /// A text does not have its form.
    #[error("expected {expected}, found {found}")]
    Syntax {
        /// The text that could stand there, in words.
        expected: String,
        /// The text that stands there.
        found: FoundToken,
    },
    /// A line of requests is too long.
    #[error("a line has more than {most} bytes; it is ignored")]
    LineTooLong {
        /// The most bytes of a line.
        most: usize,
    },
    /// A line is not UTF-8.
    #[error("the line is not UTF-8 text")]
    NotUtf8,
    /// A rule excludes a position.
    #[error("the position cannot be: {0}")]
    Position(Violation),
    /// A rule forbids a move.
    #[error("{} is illegal: {violation}", named_move(*.number, text))]
    IllegalMove {
        /// The number of the move in its list, from 1; `None` for the only move.
        number: Option<usize>,
        /// The move.
        text: String,
        /// The rule.
        violation: Violation,
    },
    /// The players cannot end the game so.
    #[error(transparent)]
    PlayerEnd(#[from] PlayerEndError),
    /// More moves are to be taken back than were made.
    #[error(
        "cannot take back {count}: moves made so far: {made}{}",
        if *has_end { ", and the end of the game" } else { "" }
    )]
    TakeBack {
        /// The moves that are to be taken back.
        count: u32,
        /// The moves that were made.
        made: usize,
        /// Whether the players have ended the game, which counts as a move here.
        has_end: bool,
    },
    /// A game would become too long.
    #[error("a game has at most {most} moves")]
    TooManyMoves {
        /// The most moves of a game.
        most: usize,
    },
    /// The board has no such site.
    #[error("the board has no site {}{}", quoted(.site), hint(.nearest.as_deref()))]
    UnknownSite {
        /// The word.
        site: String,
        /// The site that was probably meant.
        nearest: Option<String>,
    },
    /// The game has no side and no player of this name.
    #[error("expected {}, found {}{}", or_list(.names), quoted(.found), hint(*.nearest))]
    UnknownSide {
        /// The name.
        found: String,
        /// The names of the players and sides.
        names: Vec<&'static str>,
        /// The name that was probably meant.
        nearest: Option<&'static str>,
    },
    /// There is no such option.
    #[error("there is no option {}{}; 'ugi' lists them all", quoted(.name), hint(*.nearest))]
    UnknownOption {
        /// The name.
        name: String,
        /// The option that was probably meant.
        nearest: Option<&'static str>,
    },
    /// An option does not take a value.
    #[error(transparent)]
    OptionValue(#[from] InvalidValue),
    /// A text sets no option of the game's rules.
    #[error(transparent)]
    RuleSetting(#[from] RuleSettingError),
    /// The memory that the system and its limits leave is too small for a transposition table.
    #[error(
        "a Hash of {mib} MiB does not fit into the {free} MiB of free memory; nothing is changed"
    )]
    HashTooLarge {
        /// The size of the table in MiB.
        mib: i64,
        /// The free memory in MiB.
        free: i64,
    },
    /// The system does not allocate the memory for a transposition table.
    #[error(
        "the system does not give the memory for a Hash of {mib} MiB, but for one of {fitting} MiB; nothing is changed"
    )]
    HashNotAllocated {
        /// The size of the table in MiB.
        mib: i64,
        /// The size of a table for which there is memory, in MiB.
        fitting: usize,
    },
    /// The directory of the option for tables cannot be used.
    #[error("{} takes a directory, and {} {error}", TABLE_PATH.name, quoted(.path))]
    TableDirectory {
        /// The path.
        path: String,
        /// The error of the host.
        error: TableDirectoryError,
    },
    /// Something needs a game between two players.
    #[error("{needed_by} between two players, and these rules are for {players}")]
    NotForTwo {
        /// What needs it, as the beginning of the sentence.
        needed_by: &'static str,
        /// The number of players.
        players: usize,
    },
    /// The game has no lesson.
    #[error("{game} has no guided first game")]
    NoLesson {
        /// The name of the game.
        game: &'static str,
    },
    /// A search needs a file that could not be loaded.
    #[error("the search needs the file {name}, which could not be loaded")]
    MissingFile {
        /// The name of the file.
        name: String,
    },
    /// The rules of the game cannot be shown.
    #[error(transparent)]
    Rules(#[from] RulesPageError),
    /// The program that has the engine, or its connection, has a fault.
    #[error(transparent)]
    Host(#[from] HostFault),
    /// A record cannot be used.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A request contradicts itself or lacks something.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// A field of a request does not have its form.
    #[error(transparent)]
    Field(#[from] FieldError),
}

/// The kinds of faults, for programs that translate messages or compare them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum ErrorKind {
    /// A text does not have its form: JSON, a position, a move, a record.
    Syntax,
    /// A request lacks a field, has one that it does not take, or has one twice.
    Field,
    /// A number, a word or a name is not one of those that can stand there.
    Value,
    /// A rule excludes the position.
    Position,
    /// A rule forbids the move, also because the game is over.
    Illegal,
    /// This cannot be done now: the players cannot end a game that is over, or too few moves were made.
    State,
    /// Something is too long or too large.
    Limit,
    /// The game or the program does not have this.
    Unavailable,
    /// A file or a directory cannot be used.
    File,
}

impl Fault {
    /// Returns the kind of the fault.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Fault::Syntax { .. }
            | Fault::NotUtf8
            | Fault::RuleSetting(RuleSettingError::Form { .. }) => ErrorKind::Syntax,
            Fault::Position(_) => ErrorKind::Position,
            Fault::IllegalMove { .. } => ErrorKind::Illegal,
            Fault::PlayerEnd(PlayerEndError::GameOver { .. }) | Fault::TakeBack { .. } => {
                ErrorKind::State
            }
            Fault::TooManyMoves { .. }
            | Fault::LineTooLong { .. }
            | Fault::HashTooLarge { .. }
            | Fault::HashNotAllocated { .. } => ErrorKind::Limit,
            Fault::UnknownSite { .. }
            | Fault::UnknownSide { .. }
            | Fault::UnknownOption { .. }
            | Fault::OptionValue(_)
            | Fault::RuleSetting(_)
            | Fault::Rules(RulesPageError::Topic(_)) => ErrorKind::Value,
            Fault::PlayerEnd(_)
            | Fault::NotForTwo { .. }
            | Fault::NoLesson { .. }
            | Fault::Rules(_) => ErrorKind::Unavailable,
            Fault::TableDirectory { .. } | Fault::MissingFile { .. } => ErrorKind::File,
            Fault::Host(fault) => fault.kind(),
            Fault::Record(error) => error.kind(),
            Fault::Request(error) => error.kind(),
            Fault::Field(error) => error.kind(),
        }
    }

    /// Returns the rule that is broken.
    pub fn violation(&self) -> Option<&Violation> {
        match self {
            Fault::Position(violation) | Fault::IllegalMove { violation, .. } => Some(violation),
            _ => None,
        }
    }

    /// Returns the message without ids of rules.
    fn reason(&self) -> String {
        let without_ids = |violation: &Violation| Violation { rules: &[], ..violation.clone() };
        match self {
            Fault::Position(violation) => Fault::Position(without_ids(violation)).to_string(),
            Fault::IllegalMove { number, text, violation } => {
                let (text, violation) = (text.clone(), without_ids(violation));
                Fault::IllegalMove { number: *number, text, violation }.to_string()
            }
            fault => fault.to_string(),
        }
    }
}

/// Returns the name of a move, with its number in a list: `e9`, or `move 2, e9,`.
fn named_move(number: Option<usize>, text: &str) -> String {
    match number {
        Some(number) => format!("move {number}, {},", shortened(text)),
        None => shortened(text),
    }
}

/// A text in which an error is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// The string of a position.
    Position,
    /// A move of a list.
    Move {
        /// The number of the move, from 1.
        number: usize,
        /// The move.
        text: String,
    },
    /// A variation of a record.
    Variation {
        /// The number of the move in whose place it begins.
        number: usize,
        /// That move.
        text: String,
    },
    /// The outcome in a record.
    Outcome(String),
    /// A field of a request.
    Field(Box<str>),
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Subject::Position => f.write_str("position text"),
            Subject::Move { number, text } => write!(f, "move {number}, {}", shortened(text)),
            Subject::Variation { number, text } => {
                write!(f, "variation for move {number}, {}", shortened(text))
            }
            Subject::Outcome(outcome) => write!(f, "the record says {}", quoted(outcome)),
            Subject::Field(name) => f.write_str(name),
        }
    }
}

/// An error of something that the engine is to do.
///
/// As a text it is one line for people, in which the place stands where it reads best: `column 5: the board has no site
/// 'z9'`, `move 2, e9x: column 7: expected ...`. As data the place is a number beside the message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineError {
    /// The fault.
    pub fault: Box<Fault>,
    /// The texts that were read, the outermost first. Empty where the fault names it.
    subjects: Vec<Subject>,
    /// The line, from 1, of a text of several lines.
    line: Option<usize>,
    /// The column, in characters from 1: in the line of input, or in the text that was read; none if there is none.
    pub column: Option<usize>,
    /// The field of a request that is invalid; none if it is no single one, or there is no request.
    pub field: Option<Box<str>>,
}

impl EngineError {
    /// Returns an error without a place.
    pub fn new(fault: impl Into<Fault>) -> EngineError {
        EngineError {
            fault: Box::new(fault.into()),
            subjects: Vec::new(),
            line: None,
            column: None,
            field: None,
        }
    }

    /// Returns the same error in this column, from 1; 0 stands for no place.
    #[must_use]
    pub fn at_column(self, column: usize) -> EngineError {
        EngineError { column: Some(column).filter(|&column| column > 0), ..self }
    }

    /// Returns the same error at a word. It has a place if the word is from a line of input.
    #[must_use]
    pub fn at(self, word: &Word) -> EngineError {
        self.at_column(word.column)
    }

    /// Returns the same error inside this.
    #[must_use]
    pub fn within(mut self, outer: Subject) -> EngineError {
        self.subjects.insert(0, outer);
        self
    }

    /// Returns the same error, found inside this field of a request.
    #[must_use]
    pub fn inside(self, field: &str) -> EngineError {
        EngineError { field: Some(field.into()), ..self }
    }

    /// Returns the same error of this field of a request, whose name stands before it.
    #[must_use]
    pub fn of_field(self, field: &str) -> EngineError {
        self.within(Subject::Field(field.into())).inside(field)
    }

    /// Returns the error of the move with this number in a list.
    pub fn of_move(number: usize, word: &Word, error: MoveError) -> EngineError {
        let text = word.text.clone();
        match error {
            MoveError::Syntax(error) => {
                EngineError::in_word(word, error).within(Subject::Move { number, text })
            }
            MoveError::Illegal(violation) => {
                let number = Some(number);
                EngineError::new(Fault::IllegalMove { number, text, violation }).at(word)
            }
        }
    }

    /// Returns the error of the only move that was given.
    pub fn of_only_move(word: &Word, error: MoveError) -> EngineError {
        match error {
            MoveError::Syntax(error) => EngineError::in_word(word, error),
            MoveError::Illegal(violation) => {
                let text = word.text.clone();
                EngineError::new(Fault::IllegalMove { number: None, text, violation }).at(word)
            }
        }
    }

    /// Returns the error of a position text, of which these are the words.
    pub fn of_position(words: &[Word], error: PositionError) -> EngineError {
        let error = match error {
            PositionError::Syntax(error) => {
                EngineError::from(in_line(words, error)).within(Subject::Position)
            }
            PositionError::Invalid(violation) => {
                let column = words.first().map_or(0, |word| word.column);
                EngineError::new(Fault::Position(violation)).at_column(column)
            }
        };
        error.inside("fen")
    }

    /// Returns the error of a text of several lines.
    pub fn in_lines(text: &str, error: SyntaxError) -> EngineError {
        let before: String = text.chars().take(error.column - 1).collect();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        EngineError { line: Some(line), ..SyntaxError { column, ..error }.into() }
    }

    /// Returns the error of a word for a fault inside it.
    pub fn in_word(word: &Word, error: SyntaxError) -> EngineError {
        error.shifted(word.column.saturating_sub(1)).into()
    }

    /// Returns the id of the rule that is broken; none if there is none.
    pub fn rule(&self) -> Option<&'static str> {
        self.fault.violation().and_then(Violation::rule)
    }

    /// Returns the message without the column.
    pub fn message(&self) -> String {
        self.with_subject(self.fault.to_string())
    }

    /// Returns the message without the column and without ids of rules.
    pub fn reason(&self) -> String {
        self.with_subject(self.fault.reason())
    }

    /// Returns the number, from 1, of the move that is invalid, in the list or in the main line of the record; none if
    /// that is no single one.
    fn move_number(&self) -> Option<usize> {
        let mut number = match &*self.fault {
            Fault::IllegalMove { number, .. } => *number,
            _ => None,
        };
        for subject in &self.subjects {
            match subject {
                Subject::Variation { .. } => return None,
                Subject::Move { number: read, .. } => number = Some(*read),
                _ => {}
            }
        }
        number
    }

    /// Returns a text after the texts that were read.
    fn with_subject(&self, text: String) -> String {
        let line = self.line.map(|line| format!("line {line}"));
        let subjects = self.subjects.iter().map(Subject::to_string);
        subjects.chain(line).chain([text]).collect::<Vec<_>>().join(": ")
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for subject in &self.subjects {
            write!(f, "{subject}: ")?;
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

/// Converts these faults to errors without a place.
macro_rules! without_place {
    ($($fault:ty),*) => {
        $(impl From<$fault> for EngineError {
            fn from(fault: $fault) -> EngineError {
                EngineError::new(fault)
            }
        })*
    };
}

without_place!(
    Fault,
    PlayerEndError,
    InvalidValue,
    RuleSettingError,
    HostFault,
    RulesPageError,
    RecordError,
    RequestError,
    FieldError
);

impl From<UnknownTopic> for EngineError {
    fn from(error: UnknownTopic) -> EngineError {
        RulesPageError::from(error).into()
    }
}

impl From<SyntaxError> for EngineError {
    fn from(SyntaxError { column, expected, found }: SyntaxError) -> EngineError {
        EngineError::new(Fault::Syntax { expected, found }).at_column(column)
    }
}

/// The error of a request that the engine rejects.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ErrorFields<'a> {
    /// The fault, for people, without its place.
    message: String,
    /// The message without ids of rules.
    reason: String,
    /// The kind of the fault.
    kind: ErrorKind,
    /// The field of the request; `null` if the fault is not in a single one.
    field: Option<&'a str>,
    /// The number of the invalid move, from 1, in a list or in the main line of a record; `null` if the fault is not in
    /// a single one.
    #[serde(rename = "move")]
    #[cfg_attr(test, schemars(range(min = 1)))]
    number: Option<usize>,
    /// The invalid line of a record, from 1; `null` if the fault is not in a single one.
    #[cfg_attr(test, schemars(range(min = 1)))]
    line: Option<usize>,
    /// The column, in characters from 1; `null` if there is none. It counts in the line if that is not JSON, or if a
    /// field has an invalid name or type. Else it counts in the string of the field; if that is a record or a list, in
    /// the line or the move.
    #[cfg_attr(test, schemars(range(min = 1)))]
    column: Option<usize>,
    /// The id of the rule that forbids a move or excludes a position; `null` if there is none.
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
            rule: self.rule(),
        };
        fields.serialize(serializer)
    }
}

/// Converts an error whose column counts in these words joined by single spaces: its column then counts in the line of
/// input that has the words.
fn in_line(words: &[Word], error: SyntaxError) -> SyntaxError {
    let mut start = 1;
    for (at, word) in words.iter().enumerate() {
        let length = word.text.chars().count();
        if error.column <= start + length || at + 1 == words.len() {
            return error.shifted(word.column.saturating_sub(start));
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
    fn the_place_stands_behind_what_is_read_and_is_a_number_beside_it() {
        let word = Word { text: "e9x".into(), column: 5 };
        let syntax = SyntaxError {
            column: 3,
            expected: "the end".into(),
            found: FoundToken::Word("x".into()),
        };
        let error = EngineError::of_move(2, &word, syntax.into());
        assert_eq!(error.to_string(), "move 2, e9x: column 7: expected the end, found 'x'");
        let data = serde_json::to_value(error.inside("moves")).unwrap();
        let message = "move 2, e9x: expected the end, found 'x'";
        assert_eq!(
            data,
            json!({
                "message": message, "reason": message, "kind": "syntax", "field": "moves", "move": 2,
                "line": null, "column": 7, "rule": null
            })
        );
        let illegal = Violation { rules: &["REQ.5", "REQ.6"], reason: "no: never".into() };
        let error = EngineError::of_move(2, &word, illegal.into());
        assert_eq!(
            (error.to_string().as_str(), error.rule()),
            ("column 5: move 2, e9x, is illegal: REQ.5, REQ.6: no: never", Some("REQ.5"))
        );
        assert_eq!(error.reason(), "move 2, e9x, is illegal: no: never");
        let without_place = EngineError::new(Fault::NotUtf8).at(&Word::alone("x"));
        assert_eq!(without_place.to_string(), "the line is not UTF-8 text");
    }
}

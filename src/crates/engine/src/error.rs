//! Why something that was asked of the engine is refused, as a value with its place and its rule.

use std::fmt;

use pentarch_core::notation::text::shortened;
use pentarch_core::rules::options::BadValue;
use pentarch_core::{MoveError, PlayerEndError, PositionError, SyntaxError, Violation};
use serde::{Serialize, Serializer};

use super::input_word::Word;

/// Why something is refused.
///
/// As a text it is one line for people, in which the place stands where it reads best: `column 5: the board has no site
/// 'z9'`, `move 2, e9x: column 7: expected ...`. As data the place is a number beside the message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EngineError {
    /// What was being read, in front of the place: `move 2, e9x`. Empty where the message says it.
    subject: Box<str>,
    /// What is wrong.
    message: Box<str>,
    /// The same without ids of requirements, where the message has some.
    reason: Option<Box<str>>,
    /// The line, from 1, of a text of several lines.
    line: Option<usize>,
    /// The column, in characters from 1: in the line of input, or in the text that was read; none if there is none.
    pub column: Option<usize>,
    /// The id of the requirement that forbids a move; none if the rules of the game have no such ids.
    pub rule: Option<&'static str>,
    /// The field of a request that is refused; none if it is no single one, or there is no request.
    pub field: Option<Box<str>>,
}

impl EngineError {
    /// A refusal without a place.
    pub fn new(message: impl Into<String>) -> EngineError {
        EngineError { message: message.into().into(), ..EngineError::default() }
    }

    /// A refusal of what stands in this column, from 1; 0 stands for no place.
    pub fn at_column(column: usize, message: impl Into<String>) -> EngineError {
        EngineError {
            column: Some(column).filter(|&column| column > 0),
            ..EngineError::new(message)
        }
    }

    /// A refusal of a word. It has a place if the word is from a line of input.
    pub fn at(word: &Word, message: impl Into<String>) -> EngineError {
        EngineError::at_column(word.column, message)
    }

    /// The same refusal, of something that is named in front of its place.
    #[must_use]
    pub fn of(self, subject: impl Into<String>) -> EngineError {
        EngineError { subject: subject.into().into(), ..self }
    }

    /// The same refusal, of something that lies in this.
    #[must_use]
    pub fn within(self, outer: &str) -> EngineError {
        let subject = match &*self.subject {
            "" => outer.into(),
            inner => format!("{outer}: {inner}"),
        };
        self.of(subject)
    }

    /// A refusal of a field of a request because of its form: its name stands before what is expected.
    pub fn of_form(field: &str, expected: impl fmt::Display) -> EngineError {
        EngineError::new(format!("{field}: {expected}")).inside(field)
    }

    /// The same refusal, found inside this field of a request.
    #[must_use]
    pub fn inside(self, field: &str) -> EngineError {
        EngineError { field: Some(field.into()), ..self }
    }

    /// The refusal of the move with this number in a list.
    pub fn of_move(number: usize, word: &Word, error: MoveError) -> EngineError {
        let named = format!("move {number}, {}", shortened(&word.text));
        match error {
            MoveError::Syntax(error) => EngineError::in_word(word, error).of(named),
            MoveError::Illegal(illegal) => {
                EngineError::of_illegal(word, &format!("{named}, is illegal"), &illegal)
            }
        }
    }

    /// The refusal of an illegal move, of which this is said.
    fn of_illegal(word: &Word, said: &str, illegal: &Violation) -> EngineError {
        let reason = illegal.rule().map(|_| format!("{said}: {}", illegal.reason).into());
        EngineError {
            rule: illegal.rule(),
            reason,
            ..EngineError::at(word, format!("{said}: {illegal}"))
        }
    }

    /// The refusal of the only move that was given.
    pub fn of_only_move(word: &Word, error: MoveError) -> EngineError {
        match error {
            MoveError::Syntax(error) => EngineError::in_word(word, error),
            MoveError::Illegal(illegal) => EngineError::of_illegal(
                word,
                &format!("{} is illegal", shortened(&word.text)),
                &illegal,
            ),
        }
    }

    /// The refusal of a position text, of which these are the words.
    pub fn of_position(words: &[Word], error: PositionError) -> EngineError {
        let refused = match error {
            PositionError::Syntax(error) => {
                EngineError::from(in_line(words, error)).of("position text")
            }
            PositionError::Invalid(why) => {
                let column = words.first().map_or(0, |word| word.column);
                EngineError::at_column(column, format!("the position cannot be: {why}"))
            }
        };
        refused.inside("fen")
    }

    /// The refusal of a text of several lines.
    pub fn in_lines(text: &str, error: SyntaxError) -> EngineError {
        let before: String = text.chars().take(error.column - 1).collect();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        EngineError { line: Some(line), ..SyntaxError { column, ..error }.into() }
    }

    /// The refusal of a word for what is wrong inside it.
    pub fn in_word(word: &Word, error: SyntaxError) -> EngineError {
        error.shifted(word.column.saturating_sub(1)).into()
    }

    /// What is wrong, without the column.
    pub fn message(&self) -> String {
        self.with_subject(&self.message)
    }

    /// What is wrong, without the column and without ids of requirements.
    pub fn reason(&self) -> String {
        self.with_subject(self.reason.as_deref().unwrap_or(&self.message))
    }

    /// A text behind what was being read.
    fn with_subject(&self, text: &str) -> String {
        let line = self.line.map(|line| format!("line {line}"));
        let subject = Some(self.subject.to_string()).filter(|subject| !subject.is_empty());
        subject.into_iter().chain(line).chain([text.to_string()]).collect::<Vec<_>>().join(": ")
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if !self.subject.is_empty() {
            write!(f, "{}: ", self.subject)?;
        }
        if let Some(line) = self.line {
            write!(f, "line {line}, ")?;
        }
        if let Some(column) = self.column {
            write!(f, "column {column}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for EngineError {}

/// The error of a request that the engine rejects.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ErrorFields<'a> {
    /// The fault, for people, without its place.
    message: String,
    /// The message without ids of requirements.
    reason: String,
    /// The field of the request; `null` if the fault is not in a single one.
    field: Option<&'a str>,
    /// The column, in characters from 1; `null` if there is none. It counts in the line if that is not JSON, or if a
    /// field has an invalid name or type. Else it counts in the string of the field, or in the move or the line of a
    /// record that the message names.
    #[cfg_attr(test, schemars(range(min = 1)))]
    column: Option<usize>,
    /// The id of the requirement that forbids a move; `null` if there is none.
    rule: Option<&'static str>,
}

impl Serialize for EngineError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = ErrorFields {
            message: self.message(),
            reason: self.reason(),
            field: self.field.as_deref(),
            column: self.column,
            rule: self.rule,
        };
        fields.serialize(serializer)
    }
}

impl From<String> for EngineError {
    fn from(message: String) -> EngineError {
        EngineError::new(message)
    }
}

impl From<&str> for EngineError {
    fn from(message: &str) -> EngineError {
        EngineError::new(message)
    }
}

impl From<EngineError> for String {
    /// The refusal as a text, where nothing but that is of use.
    fn from(refused: EngineError) -> String {
        refused.to_string()
    }
}

impl From<SyntaxError> for EngineError {
    fn from(SyntaxError { column, expected, found }: SyntaxError) -> EngineError {
        EngineError {
            column: Some(column),
            ..EngineError::new(format!("expected {expected}, found {found}"))
        }
    }
}

impl From<PlayerEndError> for EngineError {
    fn from(error: PlayerEndError) -> EngineError {
        EngineError::new(error.to_string())
    }
}

impl From<BadValue> for EngineError {
    fn from(error: BadValue) -> EngineError {
        EngineError::new(error.to_string())
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
        let syntax = SyntaxError { column: 3, expected: "the end".into(), found: "'x'".into() };
        let refused = EngineError::of_move(2, &word, syntax.into());
        assert_eq!(refused.to_string(), "move 2, e9x: column 7: expected the end, found 'x'");
        let data = serde_json::to_value(refused.inside("moves")).unwrap();
        let message = "move 2, e9x: expected the end, found 'x'";
        assert_eq!(
            data,
            json!({ "message": message, "reason": message, "field": "moves", "column": 7, "rule": null })
        );
        let illegal = Violation { rules: &["REQ.5", "REQ.6"], reason: "no: never".into() };
        let refused = EngineError::of_move(2, &word, illegal.into());
        assert_eq!(
            (refused.to_string().as_str(), refused.rule),
            ("column 5: move 2, e9x, is illegal: REQ.5, REQ.6: no: never", Some("REQ.5"))
        );
        assert_eq!(refused.reason(), "move 2, e9x, is illegal: no: never");
        assert_eq!(EngineError::at(&Word::alone("x"), "no").to_string(), "no");
    }
}

//! The faults of a request's JSON, as data.

use std::fmt;

use serde::de::{self, Unexpected};

use pentarch_core::notation::text::{did_you_mean, one_of, quoted};

use crate::error::EngineError;

/// A fault in a request, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// The fields and the items of lists that lead to the fault, outermost first; empty for the whole request.
    pub path: Vec<Box<str>>,
    /// The offset of the fault in the line, in bytes; `None` if it has no place of its own, as a field that is missing.
    pub offset: Option<usize>,
    /// The fault.
    pub fault: Fault,
}

/// The kinds of faults.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The line is not JSON.
    NotJson {
        /// The text that should be there.
        expected: &'static str,
    },
    /// A value has another form than the field takes.
    Form {
        /// The form that the field takes.
        expected: String,
    },
    /// A word is not one of those that the field takes.
    UnknownWord {
        /// The word.
        found: String,
        /// The words that the field takes.
        known: &'static [&'static str],
    },
    /// An object has a field that it does not take.
    UnknownField {
        /// The name of the field.
        name: String,
        /// The names of the fields that it takes.
        known: &'static [&'static str],
    },
    /// An object has a field twice.
    DuplicateField {
        /// The name of the field.
        name: String,
    },
    /// An object does not have a field that it needs.
    MissingField {
        /// The name of the field.
        name: &'static str,
    },
    /// Something else.
    Other(String),
}

impl FieldError {
    /// Returns an error at this offset.
    pub(super) fn at(offset: usize, fault: Fault) -> FieldError {
        FieldError { path: Vec::new(), offset: Some(offset), fault }
    }

    /// Returns an error without a place.
    pub(super) fn new(fault: Fault) -> FieldError {
        FieldError { path: Vec::new(), offset: None, fault }
    }

    /// Returns the same error at this offset, unless it has a place already.
    pub(super) fn or_at(mut self, offset: usize) -> FieldError {
        self.offset.get_or_insert(offset);
        self
    }

    /// Returns the same error inside the field with this name.
    pub(super) fn inside(mut self, name: &str) -> FieldError {
        self.path.insert(0, name.into());
        self
    }

    /// Returns the error of a request, with its column in this line. The fault of a string has no column: a column
    /// would count in the string.
    pub(super) fn in_line(&self, line: &str) -> EngineError {
        use Fault::{DuplicateField, NotJson, UnknownField};
        let has_column = |offset: &usize| {
            line.as_bytes().get(*offset) != Some(&b'"')
                || matches!(
                    self.fault,
                    NotJson { .. } | UnknownField { .. } | DuplicateField { .. }
                )
        };
        let column = self.offset.filter(has_column).map_or(0, |offset| {
            let before = line.as_bytes().get(..offset).unwrap_or(line.as_bytes());
            String::from_utf8_lossy(before).chars().count() + 1
        });
        let refused = EngineError::at_column(column, self.to_string());
        let field = match (self.path.first(), &self.fault) {
            (Some(field), _) => Some(&**field),
            (None, UnknownField { name, .. } | DuplicateField { name }) => Some(name.as_str()),
            _ => None,
        };
        field.into_iter().fold(refused, EngineError::inside)
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let path = self.path.join(": ");
        let owner = if path.is_empty() { "a request" } else { &path };
        match &self.fault {
            Fault::UnknownField { name, known } => {
                let hint = did_you_mean(name, known.iter().copied());
                return write!(f, "{owner} has no field {}{hint}", quoted(name));
            }
            Fault::DuplicateField { name } => {
                return write!(f, "{owner} has the field {} twice", quoted(name));
            }
            Fault::MissingField { name } => {
                return write!(f, "{owner} needs the field {}", quoted(name));
            }
            _ if path.is_empty() => {}
            _ => write!(f, "{path}: ")?,
        }
        match &self.fault {
            Fault::NotJson { expected } => write!(f, "this is not JSON: {expected} expected"),
            Fault::UnknownWord { found, known } => {
                let hint = did_you_mean(found, known.iter().copied());
                write!(f, "{} expected, found {}{hint}", one_of(known), quoted(found))
            }
            Fault::Form { expected } => write!(f, "{expected} expected"),
            Fault::Other(message) => f.write_str(message),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for FieldError {}

impl de::Error for FieldError {
    fn custom<T: fmt::Display>(message: T) -> FieldError {
        FieldError::new(Fault::Other(message.to_string()))
    }

    fn invalid_type(_: Unexpected, expected: &dyn de::Expected) -> FieldError {
        FieldError::new(Fault::Form { expected: expected.to_string() })
    }

    fn invalid_value(_: Unexpected, expected: &dyn de::Expected) -> FieldError {
        FieldError::new(Fault::Form { expected: expected.to_string() })
    }

    fn invalid_length(_: usize, expected: &dyn de::Expected) -> FieldError {
        FieldError::new(Fault::Form { expected: expected.to_string() })
    }

    fn unknown_variant(found: &str, known: &'static [&'static str]) -> FieldError {
        FieldError::new(Fault::UnknownWord { found: found.into(), known })
    }

    fn unknown_field(name: &str, known: &'static [&'static str]) -> FieldError {
        FieldError::new(Fault::UnknownField { name: name.into(), known })
    }

    fn missing_field(name: &'static str) -> FieldError {
        FieldError::new(Fault::MissingField { name })
    }

    fn duplicate_field(name: &'static str) -> FieldError {
        FieldError::new(Fault::DuplicateField { name: name.into() })
    }
}

//! The faults in the JSON of a request, with their locations.

use std::fmt;

use serde::de::{self, Unexpected};

use pentarch_core::notation::parsing::{did_you_mean_hint, join_with_or, quote_for_message};

use crate::error::{EngineError, ErrorKind};

/// A fault in a request, with its location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// The path to the fault: the names of fields and the items of lists, outermost first. The path
    /// is empty if the fault is in the whole request.
    pub path: Vec<Box<str>>,
    /// The offset of the fault in the line, in bytes; `None` if the fault has no location, as for a
    /// missing field.
    pub offset: Option<usize>,
    /// The fault, without its location.
    pub fault: FieldFault,
}

/// A fault in the JSON of a request or of one of its fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldFault {
    /// The line is not JSON.
    NotJson {
        /// A description of the expected text.
        expected: &'static str,
    },
    /// The value does not have the form that the field requires.
    Form {
        /// The form of the field.
        expected: String,
    },
    /// The field does not permit this word.
    UnknownWord {
        /// The unknown word.
        found: String,
        /// The words that the field permits.
        known: &'static [&'static str],
    },
    /// An object contains a field that its type does not have.
    UnknownField {
        /// The name of the field.
        name: String,
        /// The names of the fields of this type.
        known: &'static [&'static str],
    },
    /// An object contains a field twice.
    DuplicateField {
        /// The name of the field.
        name: String,
    },
    /// An object lacks a required field.
    MissingField {
        /// The name of the field.
        name: &'static str,
    },
    /// A value comes before the name of its field. JSON text cannot cause this fault, but the
    /// interface of serde allows it.
    ValueBeforeName,
    /// A fault reported by the type of the field, as a message.
    Type(Box<str>),
}

impl FieldError {
    /// Creates an error at this offset.
    pub(super) fn at_offset(offset: usize, fault: FieldFault) -> FieldError {
        FieldError { path: Vec::new(), offset: Some(offset), fault }
    }

    /// Creates an error without a location.
    pub(super) fn new(fault: FieldFault) -> FieldError {
        FieldError { path: Vec::new(), offset: None, fault }
    }

    /// Returns the same error at this offset. If the error already has a location, it is unchanged.
    pub(super) fn at_offset_if_unlocated(mut self, offset: usize) -> FieldError {
        self.offset.get_or_insert(offset);
        self
    }

    /// Returns the same error inside this field.
    pub(super) fn in_field(mut self, name: &str) -> FieldError {
        self.path.insert(0, name.into());
        self
    }

    /// Returns the kind of the error.
    pub(crate) fn kind(&self) -> ErrorKind {
        use FieldFault::{DuplicateField, MissingField, NotJson, UnknownField};
        match self.fault {
            NotJson { .. } => ErrorKind::Syntax,
            UnknownField { .. } | DuplicateField { .. } | MissingField { .. } => ErrorKind::Field,
            _ => ErrorKind::Value,
        }
    }

    /// Returns the error for a request with this fault. The error has the column of the fault in
    /// this line. A fault inside a string has no column here, because its column would be relative
    /// to the string.
    pub(super) fn to_engine_error(&self, line: &str) -> EngineError {
        use FieldFault::{DuplicateField, NotJson, UnknownField};
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
        let error = EngineError::new(self.clone()).at_column(column);
        let field = match (self.path.first(), &self.fault) {
            (Some(field), _) => Some(&**field),
            (None, UnknownField { name, .. } | DuplicateField { name }) => Some(name.as_str()),
            _ => None,
        };
        field.into_iter().fold(error, EngineError::in_field)
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let path = self.path.join(": ");
        let owner = if path.is_empty() { "a request" } else { &path };
        match &self.fault {
            FieldFault::UnknownField { name, known } => {
                let hint = did_you_mean_hint(name, known.iter().copied());
                return write!(f, "{owner} has no field {}{hint}", quote_for_message(name));
            }
            FieldFault::DuplicateField { name } => {
                return write!(f, "{owner} has the field {} twice", quote_for_message(name));
            }
            FieldFault::MissingField { name } => {
                return write!(f, "{owner} needs the field {}", quote_for_message(name));
            }
            _ if path.is_empty() => {}
            _ => write!(f, "{path}: ")?,
        }
        match &self.fault {
            FieldFault::NotJson { expected } => write!(f, "this is not JSON: expected {expected}"),
            FieldFault::UnknownWord { found, known } => {
                let hint = did_you_mean_hint(found, known.iter().copied());
                write!(
                    f,
                    "expected {}, found {}{hint}",
                    join_with_or(known),
                    quote_for_message(found)
                )
            }
            FieldFault::Form { expected } => write!(f, "expected {expected}"),
            FieldFault::ValueBeforeName => f.write_str("a value was read before its name"),
            FieldFault::Type(message) => f.write_str(message),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for FieldError {}

impl de::Error for FieldError {
    fn custom<T: fmt::Display>(message: T) -> FieldError {
        FieldError::new(FieldFault::Type(message.to_string().into()))
    }

    fn invalid_type(_: Unexpected, expected: &dyn de::Expected) -> FieldError {
        FieldError::new(FieldFault::Form { expected: expected.to_string() })
    }

    fn invalid_value(_: Unexpected, expected: &dyn de::Expected) -> FieldError {
        FieldError::new(FieldFault::Form { expected: expected.to_string() })
    }

    fn invalid_length(_: usize, expected: &dyn de::Expected) -> FieldError {
        FieldError::new(FieldFault::Form { expected: expected.to_string() })
    }

    fn unknown_variant(found: &str, known: &'static [&'static str]) -> FieldError {
        FieldError::new(FieldFault::UnknownWord { found: found.into(), known })
    }

    fn unknown_field(name: &str, known: &'static [&'static str]) -> FieldError {
        FieldError::new(FieldFault::UnknownField { name: name.into(), known })
    }

    fn missing_field(name: &'static str) -> FieldError {
        FieldError::new(FieldFault::MissingField { name })
    }

    fn duplicate_field(name: &'static str) -> FieldError {
        FieldError::new(FieldFault::DuplicateField { name: name.into() })
    }
}

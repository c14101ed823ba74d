//! The `id` of a request.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::deserializer::RAW;
use super::json::{Node, Value};

/// Any value of JSON, as its text: a number comes back with all its digits.
#[derive(Clone)]
pub struct Id(Box<RawValue>);

impl Id {
    /// Returns the id with this text in JSON; `null` if it is none.
    pub(super) fn new(text: &str) -> Id {
        RawValue::from_string(text.into()).map_or_else(|_| Id::default(), Id)
    }

    /// Returns the text in JSON.
    pub fn text(&self) -> &str {
        self.0.get()
    }

    /// Returns whether the id is `null`.
    pub fn is_null(&self) -> bool {
        self.text() == "null"
    }
}

impl Default for Id {
    fn default() -> Id {
        Id(RawValue::NULL.to_owned())
    }
}

impl From<u64> for Id {
    fn from(number: u64) -> Id {
        Id::new(&number.to_string())
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// Two ids are equal if their values are, whatever spaces, escapes and order of fields they are written with. Numbers
/// are equal if they have the same digits.
impl PartialEq for Id {
    fn eq(&self, other: &Id) -> bool {
        let (one, other) = (self.text(), other.text());
        one == other
            || matches!((Node::parse(one), Node::parse(other)), (Ok(one), Ok(other)) if is_same(&one, &other))
    }
}

fn is_same(one: &Node, other: &Node) -> bool {
    match (&one.value, &other.value) {
        (Value::Number, Value::Number) => one.text == other.text,
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len()
                && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let find = |name| other.iter().find(|field| field.name == name);
            one.len() == other.len()
                && one.iter().all(|field| {
                    find(&*field.name).is_some_and(|other| is_same(&field.value, &other.value))
                })
        }
        (one, other) => one == other,
    }
}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Id {
    /// Only the deserializer of requests gives the text of a value.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Id, D::Error> {
        struct Raw;
        impl Visitor<'_> for Raw {
            type Value = Id;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a value")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Id, E> {
                Ok(Id::new(text))
            }
        }
        deserializer.deserialize_newtype_struct(RAW, Raw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compares_values_and_not_texts() {
        let is_same = |one: &str, other: &str| Id::new(one) == Id::new(other);
        assert!(is_same(r#"{"a": [1, "é"], "b": null}"#, r#"{"b":null,"a":[1,"\u00e9"]}"#));
        assert!(!is_same("12345678901234567890123", "12345678901234567890124"));
        assert!(!is_same("1", "1.0") && !is_same("1", "\"1\"") && !is_same("[1]", "[1,1]"));
        assert!(!is_same(r#"{"a":1}"#, r#"{"b":1}"#) && !is_same("null", "false"));
        assert_eq!(Id::default(), Id::new("null"));
    }
}

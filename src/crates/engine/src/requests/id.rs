//! Stores and compares the `id` of a request, which can be any JSON value.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::deserializer::RAW_JSON_TYPE_NAME;
use super::json::{JsonNode, JsonValue};

/// Any JSON value, stored as its text, so that a response repeats all digits of a number.
#[derive(Clone)]
pub struct Id(Box<RawValue>);

impl Id {
    /// Creates the id with this JSON text. If the text is not JSON, the id is `null`.
    pub(super) fn new(text: &str) -> Id {
        RawValue::from_string(text.into()).map_or_else(|_| Id::default(), Id)
    }

    /// Returns the JSON text.
    pub fn json_text(&self) -> &str {
        self.0.get()
    }

    /// Returns whether the id is `null`.
    pub fn is_null(&self) -> bool {
        self.json_text() == "null"
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
        f.write_str(self.json_text())
    }
}

/// Two ids are equal if their values are equal. Spaces, escapes and the order of fields do not
/// matter. Numbers are equal if they have the same digits.
impl PartialEq for Id {
    fn eq(&self, other: &Id) -> bool {
        IdComparer::new(self).is_equal_to(other)
    }
}

/// A comparer of many ids with one id, which is parsed only once.
pub struct IdComparer<'a> {
    text: &'a str,
    canonical: String,
}

impl IdComparer<'_> {
    /// Creates a comparer with this id.
    pub fn new(id: &Id) -> IdComparer<'_> {
        IdComparer { text: id.json_text(), canonical: canonical_json(id.json_text()) }
    }

    /// Returns whether `other` is equal to the id of this comparer.
    pub fn is_equal_to(&self, other: &Id) -> bool {
        let other = other.json_text();
        // Most ids differ in their type, or can only be written in one way. Such ids are compared
        // without parsing them.
        let may_be_equal = self.text.as_bytes()[0] == other.as_bytes()[0]
            && (other.starts_with(['{', '[']) || self.text.contains('\\') || other.contains('\\'));
        self.text == other || may_be_equal && canonical_json(other) == self.canonical
    }
}

/// Returns the canonical form of a value. The canonical form has no spaces, as few escapes as
/// possible, and sorted fields.
fn canonical_json(text: &str) -> String {
    fn write_canonical_json(node: &JsonNode, to: &mut String) {
        match &node.value {
            JsonValue::String(text) => *to += &serde_json::Value::from(&**text).to_string(),
            JsonValue::Array(items) => {
                to.push('[');
                for item in items {
                    write_canonical_json(item, to);
                    to.push(',');
                }
                to.push(']');
            }
            JsonValue::Object(fields) => {
                let mut fields: Vec<_> = fields.iter().collect();
                fields.sort_by(|one, other| one.name.cmp(&other.name));
                to.push('{');
                for field in fields {
                    *to += &serde_json::Value::from(&*field.name).to_string();
                    to.push(':');
                    write_canonical_json(&field.value, to);
                    to.push(',');
                }
                to.push('}');
            }
            _ => *to += node.text,
        }
    }
    let mut canonical = String::new();
    if let Ok(node) = JsonNode::parse(text) {
        write_canonical_json(&node, &mut canonical);
    }
    canonical
}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Id {
    /// Deserialises an id. This works only with the deserializer of requests, which passes the text
    /// of the value.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Id, D::Error> {
        struct IdVisitor;
        impl Visitor<'_> for IdVisitor {
            type Value = Id;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a value")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Id, E> {
                Ok(Id::new(text))
            }
        }
        deserializer.deserialize_newtype_struct(RAW_JSON_TYPE_NAME, IdVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_equal_if_their_values_are() {
        let is_same = |one: &str, other: &str| Id::new(one) == Id::new(other);
        assert!(is_same(r#"{"a": [1, "é"], "b": null}"#, r#"{"b":null,"a":[1,"\u00e9"]}"#));
        assert!(!is_same("12345678901234567890123", "12345678901234567890124"));
        assert!(!is_same("1", "1.0") && !is_same("1", "\"1\"") && !is_same("[1]", "[1,1]"));
        assert!(!is_same(r#"{"a":1}"#, r#"{"b":1}"#) && !is_same("null", "false"));
        assert!(is_same(r#""\u0061""#, "\"a\"") && !is_same("[\"a\"]", "[\"a\",\"\"]"));
        assert_eq!(Id::default(), Id::new("null"));
    }
}

//! The members of a request as its JSON gives them, and what is wrong with them.

use std::collections::HashSet;

use serde_json::{Map, Value};

use pentarch_core::notation::text::{did_you_mean, quoted};

use super::input_word::Word;
use super::refused::Refused;

/// The members of an object, each once. A member that is `null` counts as one that is not there.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Members {
    members: Map<String, Value>,
    /// A member that the object, or one inside it, has twice.
    doubled: Option<Doubled>,
}

/// A member that an object has twice.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Doubled {
    /// Its name.
    name: String,
    /// The member of the whole object that it is, or is inside of.
    member: String,
}

impl Members {
    /// Reads the object in a line of input.
    ///
    /// # Errors
    /// If the line is no JSON or no object.
    pub fn read(line: &str) -> Result<Members, Refused> {
        let refused = |column, message: &str| Err(Refused::at_column(column, message));
        match serde_json::from_str(line) {
            Ok(Value::Object(members)) => Ok(Members { members, doubled: doubled(line) }),
            Ok(_) => refused(
                1,
                "a request is an object: {\"id\": 1, \"game\": \"quoridor\", \"depth\": 6}",
            ),
            Err(error) => {
                // The library counts bytes; behind the end of the line it counts 0 of the next one.
                let column = if error.line() > 1 { line.len() + 1 } else { error.column() };
                let before =
                    line.as_bytes().get(..column.saturating_sub(1)).unwrap_or(line.as_bytes());
                let text = error.to_string();
                let what = text.split_once(" at line ").map_or(text.as_str(), |(what, _)| what);
                let column = String::from_utf8_lossy(before).chars().count() + 1;
                refused(column, &format!("this is not JSON: {what}"))
            }
        }
    }

    /// Checks that every member has one of these names, and none is there twice.
    ///
    /// # Errors
    /// If one is; the refusal suggests the nearest name.
    pub fn check(&self, what: &str, names: &[&str]) -> Result<(), Refused> {
        if let Some(name) = self.members.keys().find(|name| !names.contains(&name.as_str())) {
            let hint = did_you_mean(name, names.iter().copied());
            return Err(
                Refused::new(format!("{what} has no member {}{hint}", quoted(name))).inside(name)
            );
        }
        match &self.doubled {
            Some(Doubled { name, member }) => {
                Err(Refused::new(format!("{what} has the member {} twice", quoted(name)))
                    .inside(member))
            }
            None => Ok(()),
        }
    }

    /// Whether there is a member with this name, be it `null`.
    pub fn has(&self, name: &str) -> bool {
        self.members.contains_key(name)
    }

    /// The member with this name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.members.get(name).filter(|value| !value.is_null())
    }

    /// The member `id`; `null` if there is none.
    pub fn id(&self) -> Value {
        self.members.get("id").cloned().unwrap_or_default()
    }

    /// The member with this name as a text.
    ///
    /// # Errors
    /// If it is something else.
    pub fn text(&self, name: &str) -> Result<Option<&str>, Refused> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Refused::of_form(name, "a text expected")),
        }
    }

    /// The member with this name as a whole number from 1 to `most`.
    ///
    /// # Errors
    /// If it is something else.
    pub fn number(&self, name: &str, most: u64) -> Result<Option<u64>, Refused> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let given = whole(value).and_then(|number| u64::try_from(number).ok());
        let known = given.filter(|number| (1..=most).contains(number));
        known.map(Some).ok_or_else(|| {
            Refused::of_form(name, format!("a whole number from 1 to {most} expected"))
        })
    }

    /// Takes the member with this name as a list of words: a list of texts, or one text with spaces, in which the words
    /// have their columns. `what` names one of them.
    ///
    /// # Errors
    /// If it is something else.
    pub fn take_words(&mut self, name: &str, what: &str) -> Result<Vec<Word>, Refused> {
        match self.members.get_mut(name).map(Value::take) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::String(text)) => Ok(Word::all_of(&text)),
            Some(Value::Array(words)) => {
                let word = |word| match word {
                    Value::String(text) if !text.contains(char::is_whitespace) => {
                        Some(Word { text, column: 0 })
                    }
                    _ => None,
                };
                let words = words.into_iter().map(word).collect::<Option<_>>();
                words.ok_or_else(|| {
                    Refused::of_form(name, format!("a text for each {what} expected"))
                })
            }
            Some(_) => {
                Err(Refused::of_form(name, "a list of texts expected, or one text with spaces"))
            }
        }
    }

    /// The member with this name as an object. `example` shows one.
    ///
    /// # Errors
    /// If it is something else.
    pub fn object(&self, name: &str, example: &str) -> Result<Option<Members>, Refused> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Object(members)) => {
                Ok(Some(Members { members: members.clone(), doubled: None }))
            }
            Some(_) => {
                Err(Refused::of_form(name, format!("an object expected, such as {example}")))
            }
        }
    }

    /// The members with their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.members.iter().map(|(name, value)| (name.as_str(), value))
    }
}

/// A whole number; one that does not fit into 64 bits is the nearest that does, with a sign or without.
pub fn whole(value: &Value) -> Option<i128> {
    let digits = value.as_number()?.to_string();
    let amount = digits.strip_prefix('-').unwrap_or(&digits);
    let is_whole = amount.bytes().all(|byte| byte.is_ascii_digit());
    let nearest = if digits.starts_with('-') { i128::from(i64::MIN) } else { i128::from(u64::MAX) };
    is_whole.then(|| digits.parse().unwrap_or(nearest).clamp(i64::MIN.into(), u64::MAX.into()))
}

/// The first member that an object in a line of JSON has twice. The library keeps the last of the two.
fn doubled(line: &str) -> Option<Doubled> {
    // The names so far in each object that is open, and the last one; no names in a list.
    let mut open: Vec<(Option<HashSet<String>>, String)> = Vec::new();
    let mut at = 0;
    while let Some(byte) = line.as_bytes().get(at) {
        let start = at;
        at += 1;
        match byte {
            b'{' => open.push((Some(HashSet::new()), String::new())),
            b'[' => open.push((None, String::new())),
            b'}' | b']' => drop(open.pop()),
            b'"' => {
                while let Some(byte) = line.as_bytes().get(at).filter(|byte| **byte != b'"') {
                    at += if *byte == b'\\' { 2 } else { 1 };
                }
                at += 1;
                let (text, rest) = line.split_at_checked(at)?;
                if rest.trim_start().starts_with(':')
                    && let Ok(name) = serde_json::from_str::<String>(&text[start..])
                    && let Some((Some(names), last)) = open.last_mut()
                {
                    last.clone_from(&name);
                    let is_new = names.insert(name.clone());
                    // What an id is made of is nobody's business.
                    let is_in_id = open.iter().rev().skip(1).any(|(_, last)| last == "id");
                    if !is_new && !is_in_id {
                        return open.into_iter().next().map(|(_, member)| Doubled { name, member });
                    }
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_that_is_there_twice_is_found_at_any_depth() {
        let doubled = |line| {
            Members::read(line)
                .unwrap()
                .check("it", &["a", "b"])
                .err()
                .and_then(|refused| refused.member)
        };
        assert_eq!(doubled(r#"{"a": 1, "b": {"a": 2}}"#), None);
        assert_eq!(doubled(r#"{"a": 1, "b": 2, "a": 3}"#), Some("a".into()));
        assert_eq!(doubled(r#"{"b": 1, "a": [{"c": 1, "c": null}]}"#), Some("a".into()));
        assert_eq!(doubled(r#"{"a": 1, "d": 2}"#), Some("d".into()));
        assert_eq!(
            doubled(r#"{"a": "{\"b\": 1, \"b\": \\", "b": [{"c": ":", "d": "c"}, "c"]}"#),
            None
        );
        assert_eq!(doubled(r#"{"a": {"b": 1, "\u0062": 2}}"#), Some("a".into()));
        let in_id = Members::read(r#"{"id": {"a": 1, "a": 2}}"#).unwrap();
        assert_eq!(in_id.check("it", &["id"]), Ok(()));
    }
}

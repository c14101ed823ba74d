//! Games as lines of JSON: on each line a list of moves, or an object.
//!
//! | field | value |
//! | --- | --- |
//! | `game` | the word that selects the game |
//! | `options` | an object of names and values: the options of its rules |
//! | `fen` | the position that the game began at, or `null` for the start position |
//! | `moves` | the moves as a list or as a text; or instead of it |
//! | `line` | the moves with what was added to them, as [`record_data`] has it |
//! | `tags` | pairs of a name and a text |
//! | `result`, `outcome` | as in a record |

use serde_json::{Map, Value, json};
use thiserror::Error;

use pentarch_core::notation::record::{Record, RecordedMove, escaped, unescaped};
use pentarch_core::notation::text::{did_you_mean, or_list, quoted};
use pentarch_engine::record::{RecordError, check_tag_name, is_told};
use pentarch_engine::record_data::{self, MainLineError};
use pentarch_system::{ErrorContext, Located};

use super::lists::RESULTS;

/// The fields of a game.
const FIELDS: [&str; 8] = ["game", "options", "fen", "moves", "line", "tags", "result", "outcome"];

/// A fault of a line that is to be a game.
#[derive(Debug, Error)]
pub enum JsonGameError {
    /// The line is not JSON.
    #[error("this is not JSON: {0}")]
    NotJson(#[from] serde_json::Error),
    /// The value is neither a list nor an object.
    #[error("a list of moves or an object expected")]
    NotAGame,
    /// A game has no such field.
    #[error(
        "a game has no field {}{}; there are {}",
        quoted(.name),
        did_you_mean(.name, FIELDS),
        or_list(&FIELDS)
    )]
    UnknownField {
        /// The name of the field.
        name: String,
    },
    /// A field has another form.
    #[error("{field}: {expected} expected")]
    Field {
        /// The name of the field.
        field: &'static str,
        /// The form that it takes.
        expected: &'static str,
    },
    /// A tag cannot have its name.
    #[error("tags: {0}")]
    TagName(RecordError),
    /// There is no such result.
    #[error("result: {} expected, not {}", or_list(&RESULTS), quoted(.found))]
    Result {
        /// The result in the line.
        found: String,
    },
    /// The moves are there twice.
    #[error("moves and line: one of the two expected")]
    MovesTwice,
    /// The moves are missing.
    #[error("moves or line expected")]
    NoMoves,
    /// An entry of the moves is not a move.
    #[error("moves: entry {entry}: the text of a move expected")]
    Move {
        /// The number of the entry, from 1.
        entry: usize,
    },
    /// The main line does not have its form.
    #[error("line: {0}")]
    Line(#[from] MainLineError),
}

/// Reads the games of a text, one a line; empty lines are passed over.
///
/// # Errors
/// If a line is none.
pub fn read(text: &str) -> Result<Vec<Record>, Located<JsonGameError>> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(number, line)| record(line).at_line(number)).collect()
}

/// The record of a line.
fn record(line: &str) -> Result<Record, JsonGameError> {
    let value: Value = serde_json::from_str(line)?;
    let fields = match value {
        Value::Object(fields) => fields,
        Value::Array(_) => Map::from_iter([("moves".to_string(), value)]),
        _ => return Err(JsonGameError::NotAGame),
    };
    if let Some(name) = fields.keys().find(|name| !FIELDS.contains(&name.as_str())) {
        return Err(JsonGameError::UnknownField { name: name.clone() });
    }
    let mut record = Record::new(Vec::new());
    let mut tag = |name: &str, value: &str| record.tags.push((name.into(), escaped(value)));
    let text = |field| match fields.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_str())),
        Some(_) => Err(JsonGameError::Field { field, expected: "a text" }),
    };
    text("game")?.into_iter().for_each(|game| tag("Game", game));
    if let Some(options) = fields.get("options") {
        let expected = r#"{"Quoridor_Walls": 5}"#;
        let bad = JsonGameError::Field { field: "options", expected };
        let options = options.as_object().ok_or(bad)?;
        for (name, value) in options {
            let value = value.as_str().map_or_else(|| value.to_string(), String::from);
            tag("Option", &format!("{name}={value}"));
        }
    }
    text("fen")?.into_iter().for_each(|fen| tag("Fen", fen));
    text("outcome")?.into_iter().for_each(|outcome| tag("Outcome", outcome));
    if let Some(tags) = fields.get("tags") {
        let expected = "pairs of a name and a text";
        let bad = || JsonGameError::Field { field: "tags", expected };
        for pair in tags.as_array().ok_or_else(bad)? {
            let texts: Option<Vec<&str>> =
                pair.as_array().and_then(|pair| pair.iter().map(Value::as_str).collect());
            let [name, value] = texts.as_deref().unwrap_or_default() else { return Err(bad()) };
            check_tag_name(name).map_err(JsonGameError::TagName)?;
            tag(name, value);
        }
    }
    if let Some(result) = text("result")? {
        if !RESULTS.contains(&result) {
            return Err(JsonGameError::Result { found: result.into() });
        }
        record.result = result.into();
    }
    match (fields.get("moves"), fields.get("line")) {
        (Some(_), Some(_)) => return Err(JsonGameError::MovesTwice),
        (Some(moves), None) => record.moves = moves_of(moves)?,
        (None, Some(line)) => (record.comment, record.moves) = record_data::read_line(line)?,
        (None, None) => return Err(JsonGameError::NoMoves),
    }
    Ok(record)
}

/// The moves of a list or a text. A move may be an object with the field `move`, as some programs have it.
fn moves_of(value: &Value) -> Result<Vec<RecordedMove>, JsonGameError> {
    let of_text = |text: &str| RecordedMove::from(text.to_string());
    match value {
        Value::String(text) => Ok(text.split_whitespace().map(of_text).collect()),
        Value::Array(list) => {
            let mv = |(number, entry): (usize, &Value)| {
                let text = entry.as_str().or_else(|| entry.get("move")?.as_str());
                let text =
                    text.filter(|text| !text.is_empty() && !text.contains(char::is_whitespace));
                text.map(of_text).ok_or(JsonGameError::Move { entry: number })
            };
            (1..).zip(list).map(mv).collect()
        }
        _ => Err(JsonGameError::Field { field: "moves", expected: "a list or a text" }),
    }
}

/// The line of a record.
pub fn line(record: &Record) -> String {
    let tag = |name| record.values(name).next().map(unescaped);
    let options = record.values("Option").filter_map(|setting| {
        let setting = unescaped(setting);
        setting.split_once('=').map(|(name, value)| (name.to_string(), Value::from(value)))
    });
    let options: Map<String, Value> = options.collect();
    let tags = record_data::tags(record.tags.iter().filter(|(name, _)| !is_told(name)));
    json!({
        "game": tag("Game"), "options": options, "fen": tag("Fen"), "line": record_data::line(record), "tags": tags,
        "result": record.result, "outcome": tag("Outcome"),
    })
    .to_string()
}

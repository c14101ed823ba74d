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

use pentarch_core::notation::record::{Record, RecordedMove, escaped, unescaped};
use pentarch_core::notation::text::{did_you_mean, one_of, quoted};
use pentarch_engine::record::{check_tag_name, is_told};
use pentarch_engine::record_data;

/// The fields of a game.
const FIELDS: [&str; 8] = ["game", "options", "fen", "moves", "line", "tags", "result", "outcome"];

/// Reads the games of a text, one a line; empty lines are passed over.
///
/// # Errors
/// If a line is none; it is said which, and why.
pub fn read(text: &str) -> Result<Vec<Record>, String> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| record(line).map_err(|error| format!("line {number}: {error}")))
        .collect()
}

/// The record of a line.
fn record(line: &str) -> Result<Record, String> {
    let value: Value =
        serde_json::from_str(line).map_err(|error| format!("this is not JSON: {error}"))?;
    let fields = match value {
        Value::Object(fields) => fields,
        Value::Array(_) => Map::from_iter([("moves".to_string(), value)]),
        _ => return Err("a list of moves or an object expected".into()),
    };
    if let Some(name) = fields.keys().find(|name| !FIELDS.contains(&name.as_str())) {
        let hint = did_you_mean(name, FIELDS);
        return Err(format!(
            "a game has no field {}{hint}; there are {}",
            quoted(name),
            one_of(&FIELDS)
        ));
    }
    let mut record = Record::new(Vec::new());
    let mut tag = |name: &str, value: &str| record.tags.push((name.into(), escaped(value)));
    let text = |name: &str| match fields.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_str())),
        Some(_) => Err(format!("{name}: a text expected")),
    };
    text("game")?.into_iter().for_each(|game| tag("Game", game));
    if let Some(options) = fields.get("options") {
        let options = options.as_object().ok_or("options: {\"Quoridor_Walls\": 5} expected")?;
        for (name, value) in options {
            let value = value.as_str().map_or_else(|| value.to_string(), String::from);
            tag("Option", &format!("{name}={value}"));
        }
    }
    text("fen")?.into_iter().for_each(|fen| tag("Fen", fen));
    text("outcome")?.into_iter().for_each(|outcome| tag("Outcome", outcome));
    if let Some(tags) = fields.get("tags") {
        let bad = || "tags: pairs of a name and a text expected".to_string();
        for pair in tags.as_array().ok_or_else(bad)? {
            let texts: Option<Vec<&str>> =
                pair.as_array().and_then(|pair| pair.iter().map(Value::as_str).collect());
            let [name, value] = texts.as_deref().unwrap_or_default() else { return Err(bad()) };
            check_tag_name(name).map_err(|refused| format!("tags: {}", refused.message()))?;
            tag(name, value);
        }
    }
    if let Some(result) = text("result")? {
        let known = ["1-0", "0-1", "1/2-1/2", "*"];
        if !known.contains(&result) {
            return Err(format!("result: {} expected, not {}", one_of(&known), quoted(result)));
        }
        record.result = result.into();
    }
    match (fields.get("moves"), fields.get("line")) {
        (Some(_), Some(_)) => return Err("moves and line: one of the two expected".into()),
        (Some(moves), None) => record.moves = moves_of(moves)?,
        (None, Some(line)) => {
            (record.comment, record.moves) = record_data::read_line(line)
                .map_err(|refused| format!("line: {}", refused.message()))?;
        }
        (None, None) => return Err("moves or line expected".into()),
    }
    Ok(record)
}

/// The moves of a list or a text. A move may be an object with the field `move`, as some programs have it.
fn moves_of(value: &Value) -> Result<Vec<RecordedMove>, String> {
    let of_text = |text: &str| RecordedMove::from(text.to_string());
    match value {
        Value::String(text) => Ok(text.split_whitespace().map(of_text).collect()),
        Value::Array(list) => {
            let mv = |(number, entry): (usize, &Value)| {
                let text = entry.as_str().or_else(|| entry.get("move")?.as_str());
                let text =
                    text.filter(|text| !text.is_empty() && !text.contains(char::is_whitespace));
                text.map(of_text)
                    .ok_or_else(|| format!("moves: entry {number}: the text of a move expected"))
            };
            (1..).zip(list).map(mv).collect()
        }
        _ => Err("moves: a list or a text expected".into()),
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

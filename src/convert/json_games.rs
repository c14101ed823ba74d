//! Games as lines of JSON. Each line is a list of moves or an object:
//!
//! | field | value |
//! | --- | --- |
//! | `game` | the ID of the game |
//! | `options` | an object of names and values: the options of its rules |
//! | `fen` | the FEN of the start position, or `null` for the start position of the rules |
//! | `moves` | the moves as a list or as a string; excludes `line` |
//! | `line` | the moves with their notes, as in [`record_json`]; excludes `moves` |
//! | `tags` | pairs of a name and a value |
//! | `result`, `outcome` | as in a record |

use serde_json::{Map, Value, json};
use thiserror::Error;

use pentarch_core::notation::parsing::{did_you_mean_hint, join_with_or, quote_for_message};
use pentarch_core::notation::record::{
    GameRecord, RecordedMove, escape_tag_value, unescape_tag_value,
};
use pentarch_engine::record::{RecordError, check_record_tags, check_tag_name, is_derived_tag};
use pentarch_engine::record_json::{self, MainLineJsonError};
use pentarch_engine::requests::fields::find_duplicate_field;
use pentarch_system::{LocatedError, WithErrorLocation};

use super::move_lists::GAME_RESULT_STRINGS;

const JSON_GAME_FIELDS: [&str; 8] =
    ["game", "options", "fen", "moves", "line", "tags", "result", "outcome"];

/// An error in the line of a game.
#[derive(Debug, Error)]
pub enum JsonGameError {
    /// The line is not JSON.
    #[error("this is not JSON: {0}")]
    NotJson(#[from] serde_json::Error),
    /// An object has a field twice.
    #[error("an object has the field {} twice", quote_for_message(.name))]
    DuplicateField {
        /// The name of the field.
        name: String,
    },
    /// The value is neither a list nor an object.
    #[error("expected a list of moves or an object")]
    NotAGame,
    /// A game has no such field.
    #[error(
        "a game has no field {}{}; there are {}",
        quote_for_message(.name),
        did_you_mean_hint(.name, JSON_GAME_FIELDS),
        join_with_or(&JSON_GAME_FIELDS)
    )]
    UnknownField {
        /// The name of the field.
        name: String,
    },
    /// A field has an invalid value.
    #[error("{field}: expected {expected}")]
    Field {
        /// The name of the field.
        field: &'static str,
        /// A description of the valid values.
        expected: &'static str,
    },
    /// A tag has an invalid name.
    #[error("tags: {0}")]
    TagName(RecordError),
    /// There is no such result.
    #[error("result: expected {}, not {}", join_with_or(&GAME_RESULT_STRINGS), quote_for_message(.found))]
    Result {
        /// The result in the line.
        found: String,
    },
    /// A tag or an option occurs twice, or a tag has control characters.
    #[error(transparent)]
    Tags(RecordError),
    /// Both of the fields `moves` and `line` are given.
    #[error("expected one of moves and line")]
    MovesTwice,
    /// The moves are missing.
    #[error("expected moves or line")]
    NoMoves,
    /// An entry of the moves is not a move.
    #[error("moves: entry {entry}: expected a move")]
    Move {
        /// The number of the entry, from 1.
        entry: usize,
    },
    /// The main line has an invalid format.
    #[error("line: {0}")]
    Line(#[from] MainLineJsonError),
}

/// Parses games. Each line contains a game; empty lines are skipped.
///
/// # Errors
/// If a line is not a game.
pub fn parse_json_games(text: &str) -> Result<Vec<GameRecord>, LocatedError<JsonGameError>> {
    let text = text.trim_start_matches('\u{feff}');
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(number, line)| parse_json_record(line, number).with_line_number(number)).collect()
}

fn parse_json_record(line: &str, number: usize) -> Result<GameRecord, JsonGameError> {
    let value: Value = serde_json::from_str(line)?;
    if let Some(name) = find_duplicate_field(line) {
        return Err(JsonGameError::DuplicateField { name });
    }
    let fields = match value {
        Value::Object(fields) => fields,
        Value::Array(_) => Map::from_iter([("moves".to_string(), value)]),
        _ => return Err(JsonGameError::NotAGame),
    };
    if let Some(name) = fields.keys().find(|name| !JSON_GAME_FIELDS.contains(&name.as_str())) {
        return Err(JsonGameError::UnknownField { name: name.clone() });
    }
    let mut record = GameRecord::new(Vec::new());
    let mut tag =
        |name: &str, value: &str| record.tags.push((name.into(), escape_tag_value(value)));
    let text = |field| match fields.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_str())),
        Some(_) => Err(JsonGameError::Field { field, expected: "a text" }),
    };
    text("game")?.into_iter().for_each(|game| tag("Game", game));
    for (name, value) in parse_json_options(&fields)? {
        tag("Option", &format!("{name}={value}"));
    }
    text("fen")?.into_iter().for_each(|fen| tag("Fen", fen));
    text("outcome")?.into_iter().for_each(|outcome| tag("Outcome", outcome));
    if let Some(tags) = fields.get("tags") {
        record.tags.extend(parse_json_tags(tags)?);
    }
    check_record_tags(&record).map_err(JsonGameError::Tags)?;
    if let Some(result) = text("result")? {
        if !GAME_RESULT_STRINGS.contains(&result) {
            return Err(JsonGameError::Result { found: result.into() });
        }
        record.result = result.into();
    }
    match (fields.get("moves"), fields.get("line")) {
        (Some(_), Some(_)) => return Err(JsonGameError::MovesTwice),
        (Some(moves), None) => {
            for entry in moves.as_array().into_iter().flatten().filter_map(Value::as_object) {
                for name in entry.keys().filter(|name| *name != "move") {
                    record.unread.add(
                        &format!("the field {} of a move", quote_for_message(name)),
                        Some(number),
                    );
                }
            }
            record.moves = parse_json_moves(moves)?;
        }
        (None, Some(line)) => {
            (record.comment, record.moves) = record_json::parse_record_main_line_json(line)?
        }
        (None, None) => return Err(JsonGameError::NoMoves),
    }
    Ok(record)
}

/// Returns the rule options of a game: names and values.
fn parse_json_options(fields: &Map<String, Value>) -> Result<Vec<(&str, String)>, JsonGameError> {
    let Some(options) = fields.get("options") else { return Ok(Vec::new()) };
    let expected = r#"{"Quoridor_Walls": 5}"#;
    let invalid = JsonGameError::Field { field: "options", expected };
    let mut pairs = Vec::new();
    for (name, value) in options.as_object().ok_or(invalid)? {
        pairs.push((name.as_str(), value.as_str().map_or_else(|| value.to_string(), String::from)));
    }
    Ok(pairs)
}

/// Returns the moves in a value, which must be a list or a string. A move in a list may also be an
/// object with the field `move`, because some programs write moves in this way.
fn parse_json_moves(value: &Value) -> Result<Vec<RecordedMove>, JsonGameError> {
    match value {
        Value::String(text) => {
            Ok(text.split_whitespace().map(|mv| RecordedMove::from(mv.to_string())).collect())
        }
        Value::Array(list) => {
            let mut moves = Vec::new();
            for (number, entry) in (1..).zip(list) {
                let mv = entry.as_str().or_else(|| entry.get("move")?.as_str());
                match mv.filter(|mv| !mv.is_empty() && !mv.contains(char::is_whitespace)) {
                    Some(mv) => moves.push(RecordedMove::from(mv.to_string())),
                    None => return Err(JsonGameError::Move { entry: number }),
                }
            }
            Ok(moves)
        }
        _ => Err(JsonGameError::Field { field: "moves", expected: "a list or a text" }),
    }
}

/// Returns the tags of a list of pairs, each with a name and a value.
fn parse_json_tags(list: &Value) -> Result<Vec<(String, String)>, JsonGameError> {
    let invalid = || JsonGameError::Field { field: "tags", expected: "pairs of a name and a text" };
    let mut tags = Vec::new();
    for pair in list.as_array().ok_or_else(invalid)? {
        let strings: Option<Vec<&str>> =
            pair.as_array().and_then(|pair| pair.iter().map(Value::as_str).collect());
        let [name, value] = strings.as_deref().unwrap_or_default() else {
            return Err(invalid());
        };
        check_tag_name(name).map_err(JsonGameError::TagName)?;
        // A record has one line for each tag, which may contain tabs.
        if let Some(index) = value.chars().position(|letter| letter.is_control() && letter != '\t')
        {
            return Err(JsonGameError::Tags(RecordError::ControlCharacter { at: index + 1 }));
        }
        tags.push(((*name).into(), escape_tag_value(value)));
    }
    Ok(tags)
}

/// Returns a record as a line of JSON.
pub fn record_to_json(record: &GameRecord) -> String {
    let tag = |name| record.tag_values(name).next().map(unescape_tag_value);
    let options = record.tag_values("Option").filter_map(|setting| {
        let setting = unescape_tag_value(setting);
        setting.split_once('=').map(|(name, value)| (name.to_string(), Value::from(value)))
    });
    let options: Map<String, Value> = options.collect();
    let tags = record_json::tag_pairs(record.tags.iter().filter(|(name, _)| !is_derived_tag(name)));
    json!({
        "game": tag("Game"),
        "options": options,
        "fen": tag("Fen"),
        "line": record_json::main_line_entries(record),
        "tags": tags,
        "result": record.result,
        "outcome": tag("Outcome"),
    })
    .to_string()
}

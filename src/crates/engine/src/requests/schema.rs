//! Generates the JSON Schema of requests and responses from their types.
//!
//! The schema cannot describe all rules of requests. The engine also rejects:
//!
//! - a whole number with a decimal point
//! - a duplicate field
//! - deep nesting
//! - names, limits and combinations that are invalid in the game or on the command line

use std::borrow::Cow;

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema, json_schema};
use serde_json::{Value, json};

use super::field_types::{
    BoundedInteger, ClockTimes, LevelName, Milliseconds, MoveOverhead, OptionValues, Priority,
    RequestQuestions, SingleLineString, SingleWordString, Words,
};
use super::fields::{RequestFields, RequestQuestion};
use super::id::Id;
use super::response::{RESPONSE_FORMAT_VERSION, Response, ResponseFormatVersion};
use pentarch_search::time_management::MAX_PLAYER_CLOCKS;

/// The kinds of pieces.
pub(crate) const PIECE_KINDS: [&str; 8] =
    ["knight", "wall", "checker", "castle", "soldier", "pawn", "king", "piece"];
/// The kinds of marks.
pub(crate) const MARK_KINDS: [&str; 3] = ["blocked", "huff", "spent"];
/// The kinds of arrows.
pub(crate) const ARROW_KINDS: [&str; 1] = ["forbidden"];
/// The directions in which a wall turns.
pub(crate) const WALL_TURN_DIRECTIONS: [Option<&str>; 4] =
    [Some("cw"), Some("ccw"), Some("either"), None];
/// The values of drills.
pub(crate) const DRILL_VALUES: [&str; 2] = ["win", "draw"];
/// The types of options.
pub(crate) const OPTION_TYPES: [&str; 5] = ["check", "spin", "combo", "string", "button"];
/// The phases in which a game is lost.
pub(crate) const LOST_PHASES: [Option<&str>; 4] =
    [Some("opening"), Some("middle"), Some("end"), None];
/// The marks of a review.
pub(crate) const REVIEW_MARKS: [&str; 3] = ["", "?", "??"];
/// The classes of sites.
pub(crate) const SITE_CLASS_PATTERN: &str = "^(square|point|cell|tower|slot|groove)( (dark|light|diagonal|red|home-first|home-second|goal-first|goal-second|goal-third|goal-fourth))*$";
/// The outcomes of games.
pub(crate) const OUTCOME_PATTERN: &str = "^(ongoing|win \\S+ \\S.*|draw \\S.*)$";
/// The characters that separate words.
const WORD_SEPARATORS: &str =
    "\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";

/// Returns the schema.
pub(super) fn protocol_schema() -> Value {
    let mut requests = SchemaSettings::draft2020_12().for_deserialize().into_generator();
    let mut responses = SchemaSettings::draft2020_12().for_serialize().into_generator();
    requests.subschema_for::<RequestFields>();
    responses.subschema_for::<Response>();
    let mut definitions = responses.take_definitions(true);
    definitions.values_mut().for_each(remove_null_from_optional_fields);
    definitions.extend(requests.take_definitions(true));
    for definition in definitions.values_mut() {
        simplify_schema(definition);
        if definition.get("properties").is_some() {
            definition["additionalProperties"] = false.into();
        }
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Requests to pentarch and its responses",
        "description": "A line of `pentarch analyse`, or a message of a socket of `pentarch serve`: a request one way, a response the other. Whole numbers are written in digits only, and no object has a field twice; a schema cannot say either.",
        "oneOf": [{ "$ref": "#/$defs/RequestFields" }, { "$ref": "#/$defs/Response" }],
        "$defs": definitions,
    })
}

/// The mark of a field that may be missing and may also be `null`. The two cases have different
/// meanings.
const NULLABLE_SCHEMA_KEY: &str = "x-nullable";

/// Removes `null` from the types of some fields of a response. These fields may be missing, but are
/// never `null`.
fn remove_null_from_optional_fields(definition: &mut Value) {
    let required = definition["required"].as_array().cloned().unwrap_or_default();
    let Some(fields) = definition.get_mut("properties").and_then(Value::as_object_mut) else {
        return;
    };
    let missing = fields.iter_mut().filter(|(name, _)| !required.contains(&json!(name)));
    for (_, field) in missing {
        let Some(field) = field.as_object_mut() else { continue };
        if field.remove(NULLABLE_SCHEMA_KEY).is_some() {
            continue;
        }
        let remaining = |parts: &Value, null: &Value| -> Vec<Value> {
            parts.as_array().into_iter().flatten().filter(|part| *part != null).cloned().collect()
        };
        if let Some([word]) =
            field.get("type").map(|words| remaining(words, &json!("null"))).as_deref()
        {
            field.insert("type".into(), word.clone());
        }
        let null = json!({ "type": "null" });
        if let Some([part]) = field.get("anyOf").map(|parts| remaining(parts, &null)).as_deref()
            && let Some(part) = part.as_object()
        {
            field.remove("anyOf");
            field.extend(part.clone());
        }
    }
}

/// Removes redundant parts: sizes of numbers, defaults, and the links of comments.
fn simplify_schema(schema: &mut Value) {
    match schema {
        Value::Array(parts) => parts.iter_mut().for_each(simplify_schema),
        Value::Object(fields) => {
            for name in ["format", "default"] {
                // If the value of this field is an object, it is the schema of a property with this
                // name, and must not be removed.
                if fields.get(name).is_some_and(|value| !value.is_object()) {
                    fields.remove(name);
                }
            }
            if let Some(Value::String(text)) = fields.get_mut("description") {
                *text = strip_comment_links(text);
            }
            fields.values_mut().for_each(simplify_schema);
        }
        _ => {}
    }
}

/// Returns a comment as one line. Each link `[text](target)` or `[text]` is replaced by `text`.
fn strip_comment_links(comment: &str) -> String {
    let mut text = String::new();
    let mut rest = comment;
    while let Some((before, link)) = rest.split_once('[') {
        let Some((shown, after)) = link.split_once(']') else { break };
        text += before;
        let target = after.strip_prefix('(').and_then(|after| after.split_once(')'));
        match (target, shown.starts_with('`')) {
            (Some((_, after)), _) => (text += shown, rest = after),
            (None, true) => (text += shown, rest = after),
            (None, false) => (text.push_str(&format!("[{shown}]")), rest = after),
        };
    }
    (text + rest).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the schema condition that the field `end` has exactly one of its fields.
pub(super) fn exactly_one_end_field_conditions() -> Value {
    let has_field =
        |name: &str, value: Value| json!({ "required": [name], "properties": { name: value } });
    let side = json!({ "type": "string" });
    json!([
        has_field("resign", side.clone()),
        has_field("flag", side),
        has_field("agree", json!({ "const": true }))
    ])
}

/// Returns the conditions of the response schema for fields that depend on each other. For example,
/// a response with `error` has no results.
pub(super) fn response_schema_conditions() -> Value {
    let alone = |name: &str| {
        json!({
            "if": { "required": [name] },
            "then": { "propertyNames": { "enum": ["format", "id", name] } },
        })
    };
    json!([
        { "minProperties": 3 },
        { "dependentRequired": { "game": ["fen"], "fen": ["game"], "partial": ["fen"] } },
        alone("error"),
        alone("stopped"),
        alone("ugi"),
        {
            "if": { "required": ["partial"] },
            "then": {
                "minProperties": 6,
                "maxProperties": 6,
                "propertyNames": {
                    "enum": ["format", "id", "game", "fen", "partial", "analysis", "play", "review"],
                },
            },
        },
    ])
}

/// Returns the conditions of the request schema for fields that depend on each other. For example,
/// a request with `record` must not have `fen`.
pub(super) fn request_schema_conditions() -> Value {
    let has_field = |name: &str, kind: &str| json!({ "required": [name], "properties": { name: { "type": kind } } });
    let absent = |names: &[&str]| {
        let fields = names.iter().map(|name| (name.to_string(), json!({ "type": "null" })));
        json!({ "properties": Value::Object(fields.collect()) })
    };
    let asks = |words: &[&str]| {
        let word = json!({ "enum": words });
        let list = json!({ "type": "array", "contains": word.clone() });
        json!({ "required": ["ask"], "properties": { "ask": { "anyOf": [word, list] } } })
    };
    let alone = |name: &str| {
        json!({
            "if": { "required": [name] },
            "then": { "propertyNames": { "enum": ["id", name] } },
        })
    };
    json!([
        {
            "if": has_field("record", "string"),
            "then": absent(&["fen", "moves", "problem"]),
        },
        { "if": has_field("problem", "integer"), "then": absent(&["options", "fen"]) },
        { "if": asks(&["problem"]), "then": has_field("problem", "integer") },
        { "if": asks(&["legal", "details"]), "then": has_field("move", "string") },
        alone("stop"),
        { "if": has_field("ugi", "string"), "then": { "propertyNames": { "enum": ["id", "ugi"] } } },
    ])
}

/// Implements the schema of a simple type. The schema is written inline at each place where the
/// type occurs.
macro_rules! inline_schema {
    ($($type:ty: $schema:expr;)*) => {$(
        impl JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                let schema: fn(&mut SchemaGenerator) -> Schema = $schema;
                schema(generator)
            }
        }
    )*};
}

inline_schema! {
    ResponseFormatVersion: |_| json_schema!({ "const": RESPONSE_FORMAT_VERSION });
    Id: |_| json_schema!(true);
    Priority: |_| json_schema!({ "type": "number" });
    Milliseconds: |_| json_schema!({ "type": "integer" });
    MoveOverhead: |_| json_schema!({ "type": "integer", "minimum": 0 });
    SingleWordString: |_| json_schema!({ "type": "string", "pattern": format!("^[{WORD_SEPARATORS}]*[^{WORD_SEPARATORS}]+[{WORD_SEPARATORS}]*$") });
    SingleLineString: |_| json_schema!({ "type": "string", "pattern": "^[^\\r\\n]*$" });
    LevelName: |_| json_schema!({ "type": "string" });
    ClockTimes: |generator| json_schema!({
        "type": "array",
        "items": generator.subschema_for::<Milliseconds>(),
        "minItems": 1,
        "maxItems": MAX_PLAYER_CLOCKS,
    });
    Words: |generator| json_schema!({
        "anyOf": [
            { "type": "string" },
            { "type": "array", "items": generator.subschema_for::<SingleWordString>() },
        ],
    });
    RequestQuestions: |generator| {
        let question = generator.subschema_for::<RequestQuestion>();
        json_schema!({
            "anyOf": [question, { "type": "array", "items": question, "minItems": 1 }],
        })
    };
    OptionValues: |_| json_schema!({
        "type": "object",
        "additionalProperties": { "type": ["string", "integer", "boolean"] },
    });
}

impl<const MIN: u64, const MAX: u64> JsonSchema for BoundedInteger<MIN, MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "BoundedInteger".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": MIN, "maximum": MAX })
    }
}

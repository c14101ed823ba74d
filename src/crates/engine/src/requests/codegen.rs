//! Generates files from the types of requests and responses: the JSON Schema, and the types for the
//! page and for Python.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use serde_json::{Map, Value, json};

use super::schema::protocol_schema;

fn generated_files() -> [(&'static str, String); 3] {
    let schema = protocol_schema();
    [
        ("fixtures/protocol/requests.schema.json", format!("{schema:#}\n")),
        ("src/page/protocol.d.ts", generate_typescript(&schema)),
        ("src/python/pentarch/protocol.py", generate_python(&schema)),
    ]
}

/// Compares the files with the files that would be generated.
/// `GENERATE=1 cargo test -p pentarch-engine generated` writes the generated files.
#[test]
fn generated_files_are_up_to_date() {
    for (path, text) in generated_files() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").join(path);
        if env::var_os("GENERATE").is_some() {
            fs::write(&file, &text).unwrap();
        }
        let is_new = fs::read_to_string(&file).is_ok_and(|committed| committed == text);
        assert!(
            is_new,
            "{path} is old; write it: GENERATE=1 cargo test -p pentarch-engine generated"
        );
    }
}

/// A type of a schema.
enum SchemaType<'a> {
    Any,
    Null,
    Boolean,
    Number,
    Integer,
    Text,
    Constant(&'a Value),
    Named(&'a str),
    List(Box<SchemaType<'a>>),
    /// A list with this number of items.
    Tuple(Box<SchemaType<'a>>, usize),
    /// An object whose fields can have any names.
    Table(Box<SchemaType<'a>>),
    Union(Vec<SchemaType<'a>>),
    Object(Vec<SchemaField<'a>>),
}

/// A field of an object.
struct SchemaField<'a> {
    name: &'a str,
    description: &'a str,
    is_required: bool,
    of: SchemaType<'a>,
}

fn schema_definitions(schema: &Value) -> Vec<(&str, &str, SchemaType<'_>)> {
    let definitions = schema["$defs"].as_object().unwrap().iter();
    definitions
        .map(|(name, schema)| {
            (name.as_str(), schema_description(schema), SchemaType::from_schema(schema))
        })
        .collect()
}

fn schema_description(schema: &Value) -> &str {
    schema["description"].as_str().unwrap_or_default()
}

impl SchemaType<'_> {
    fn from_schema(schema: &Value) -> SchemaType<'_> {
        if let Some(fields) = schema["properties"].as_object() {
            return SchemaType::Object(SchemaField::fields_of_object(fields, &schema["required"]));
        }
        if let Some(target) = schema["$ref"].as_str() {
            return SchemaType::Named(target.rsplit('/').next().unwrap());
        }
        if let Some(value) = schema.get("const") {
            return SchemaType::Constant(value);
        }
        let parts = |name: &str| schema[name].as_array();
        if let Some(values) = parts("enum") {
            return SchemaType::Union(values.iter().map(SchemaType::Constant).collect());
        }
        if let Some(parts) = parts("anyOf").or(parts("oneOf")) {
            return SchemaType::Union(parts.iter().map(SchemaType::from_schema).collect());
        }
        match &schema["type"] {
            Value::String(word) => SchemaType::from_type_word(word, schema),
            Value::Array(words) => {
                let types = words
                    .iter()
                    .map(|word| SchemaType::from_type_word(word.as_str().unwrap(), schema));
                SchemaType::Union(types.collect())
            }
            _ => SchemaType::Any,
        }
    }

    fn from_type_word<'a>(word: &str, schema: &'a Value) -> SchemaType<'a> {
        let items = || Box::new(SchemaType::from_schema(&schema["items"]));
        match word {
            "null" => SchemaType::Null,
            "boolean" => SchemaType::Boolean,
            "number" => SchemaType::Number,
            "integer" => SchemaType::Integer,
            "string" => SchemaType::Text,
            "array" if schema["minItems"].is_u64() && schema["minItems"] == schema["maxItems"] => {
                SchemaType::Tuple(items(), schema["minItems"].as_u64().unwrap() as usize)
            }
            "array" => SchemaType::List(items()),
            "object" => SchemaType::Table(Box::new(SchemaType::from_schema(
                &schema["additionalProperties"],
            ))),
            _ => panic!("{word}"),
        }
    }
}

impl SchemaField<'_> {
    fn fields_of_object<'a>(
        fields: &'a Map<String, Value>,
        required: &Value,
    ) -> Vec<SchemaField<'a>> {
        let field = |(name, schema): (&'a String, &'a Value)| SchemaField {
            name,
            description: schema_description(schema),
            is_required: required.as_array().is_some_and(|names| names.contains(&json!(name))),
            of: SchemaType::from_schema(schema),
        };
        fields.iter().map(field).collect()
    }
}

/// Splits a text into lines. Each line has space for a prefix of `prefix` characters.
fn wrap_comment_lines(text: &str, prefix: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if prefix + line.len() + 1 + word.len() <= 120 => {
                *line += &format!(" {word}")
            }
            _ => lines.push(word.into()),
        }
    }
    lines
}

fn join_types(types: &[SchemaType], separator: &str, write: fn(&SchemaType) -> String) -> String {
    types.iter().map(write).collect::<Vec<_>>().join(separator)
}

fn generate_typescript(schema: &Value) -> String {
    let mut text =
        "// Requests to pentarch and its responses. Generated from the program; do not edit.\n"
            .to_string();
    let comment = |indent: &str, description: &str| {
        let lines = wrap_comment_lines(description, indent.len() + 7);
        format!("{indent}/** {} */\n", lines.join(&format!("\n{indent} * ")))
    };
    for (name, description, definition) in schema_definitions(schema) {
        text += &format!("\n{}", comment("", description));
        let SchemaType::Object(fields) = definition else {
            let line = format!("export type {name} = {};", typescript_type(&definition));
            writeln!(text, "{}", wrap_comment_lines(&line, 4).join("\n    ")).unwrap();
            continue;
        };
        writeln!(text, "export interface {name} {{").unwrap();
        for SchemaField { name, description, is_required, of } in fields {
            let mark = if is_required { "" } else { "?" };
            text += &comment("    ", description);
            writeln!(text, "    {name}{mark}: {};", typescript_type(&of)).unwrap();
        }
        text += "}\n";
    }
    text
}

fn typescript_type(of: &SchemaType) -> String {
    match of {
        SchemaType::Any => "unknown".into(),
        SchemaType::Null => "null".into(),
        SchemaType::Boolean => "boolean".into(),
        SchemaType::Number | SchemaType::Integer => "number".into(),
        SchemaType::Text => "string".into(),
        SchemaType::Constant(value) => value.to_string(),
        SchemaType::Named(name) => name.to_string(),
        SchemaType::List(item) => format!("Array<{}>", typescript_type(item)),
        SchemaType::Tuple(item, count) => {
            format!("[{}]", vec![typescript_type(item); *count].join(", "))
        }
        SchemaType::Table(item) => format!("Record<string, {}>", typescript_type(item)),
        SchemaType::Union(types) => join_types(types, " | ", typescript_type),
        SchemaType::Object(_) => panic!("an object without a name"),
    }
}

/// Returns the types for Python.
fn generate_python(schema: &Value) -> String {
    let mut text = r#""""Requests to pentarch and its responses, as types. Generated from the program; do not edit."""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Union
"#
    .to_string();
    // Python evaluates an alias at once, so all names in the alias must be defined before it.
    let (objects, aliases): (Vec<_>, Vec<_>) = schema_definitions(schema)
        .into_iter()
        .partition(|(.., of)| matches!(of, SchemaType::Object(_)));
    for (name, description, definition) in objects {
        let SchemaType::Object(fields) = definition else { unreachable!() };
        let docs = wrap_comment_lines(description, 10).join("\n    ");
        // Keywords of Python cannot be names of fields in a class.
        if fields.iter().any(|field| ["class", "from"].contains(&field.name)) {
            let comment = wrap_comment_lines(description, 3).join("\n#: ");
            write!(text, "\n\n#: {comment}\n{name} = TypedDict(\n    \"{name}\",\n    {{\n")
                .unwrap();
            for SchemaField { name, of, .. } in &fields {
                let of = python_type(of).replace('"', "'");
                writeln!(text, "        \"{name}\": \"{of}\",").unwrap();
            }
            text += "    },\n)\n";
            continue;
        }
        let (required, optional): (Vec<_>, Vec<_>) =
            fields.into_iter().partition(|field| field.is_required);
        let base = match (required.is_empty(), optional.is_empty()) {
            (_, true) => "TypedDict".to_string(),
            (true, false) => "TypedDict, total=False".into(),
            (false, false) => {
                write!(text, "\n\nclass _{name}(TypedDict):\n").unwrap();
                write_python_fields(&mut text, &required);
                format!("_{name}, total=False")
            }
        };
        write!(text, "\n\nclass {name}({base}):\n    \"\"\"{docs}\"\"\"\n\n").unwrap();
        write_python_fields(&mut text, if optional.is_empty() { &required } else { &optional });
    }
    let mut is_first = true;
    for (name, description, definition) in aliases {
        let comment = wrap_comment_lines(description, 3).join("\n#: ");
        // A recursive type refers to itself before it is defined, so its name is quoted there.
        let definition =
            python_type(&definition).replace(&format!("[{name}]"), &format!("[\"{name}\"]"));
        let before = if is_first { "\n" } else { "" };
        let line = wrap_comment_lines(&format!("{name} = {definition}"), 4).join("\n    ");
        write!(text, "{before}\n#: {comment}\n{line}\n").unwrap();
        is_first = false;
    }
    text
}

fn write_python_fields(text: &mut String, fields: &[SchemaField]) {
    for SchemaField { name, description, of, .. } in fields {
        let comment = wrap_comment_lines(description, 7).join("\n    #: ");
        writeln!(text, "    #: {comment}\n    {name}: {}", python_type(of)).unwrap();
    }
}

fn python_type(of: &SchemaType) -> String {
    match of {
        SchemaType::Any => "Any".into(),
        SchemaType::Null => "None".into(),
        SchemaType::Boolean => "bool".into(),
        SchemaType::Number => "float".into(),
        SchemaType::Integer => "int".into(),
        SchemaType::Text => "str".into(),
        SchemaType::Constant(value) => format!("Literal[{}]", python_constant(value)),
        SchemaType::Named(name) => name.to_string(),
        SchemaType::List(item) | SchemaType::Tuple(item, _) => {
            format!("list[{}]", python_type(item))
        }
        SchemaType::Table(item) => format!("dict[str, {}]", python_type(item)),
        SchemaType::Union(types)
            if types.iter().all(|of| matches!(of, SchemaType::Constant(_))) =>
        {
            let constants = types.iter().filter_map(|of| match of {
                SchemaType::Constant(value) => Some(python_constant(value)),
                _ => None,
            });
            format!("Literal[{}]", constants.collect::<Vec<_>>().join(", "))
        }
        SchemaType::Union(types) => format!("Union[{}]", join_types(types, ", ", python_type)),
        SchemaType::Object(_) => panic!("an object without a name"),
    }
}

fn python_constant(value: &Value) -> String {
    match value {
        Value::Null => "None".into(),
        Value::Bool(true) => "True".into(),
        Value::Bool(false) => "False".into(),
        value => value.to_string(),
    }
}

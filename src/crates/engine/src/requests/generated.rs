//! Files that are generated from the types of requests and responses. They are the JSON Schema, and
//! the types for the page and for Python.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use serde_json::{Map, Value, json};

use super::schema::protocol_schema;

/// Returns the paths and contents of the files.
fn generated_files() -> [(&'static str, String); 3] {
    let schema = protocol_schema();
    [
        ("fixtures/protocol/requests.schema.json", format!("{schema:#}\n")),
        ("src/page/protocol.d.ts", generate_typescript(&schema)),
        ("src/python/pentarch/protocol.py", generate_python(&schema)),
    ]
}

/// Compares the files with the files that would be generated. `GENERATE=1 cargo test -p
/// pentarch-engine generated` writes them.
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
enum Type<'a> {
    Any,
    Null,
    Boolean,
    Number,
    Integer,
    Text,
    Constant(&'a Value),
    Named(&'a str),
    List(Box<Type<'a>>),
    /// A list with this number of items.
    Tuple(Box<Type<'a>>, usize),
    /// An object whose fields can have any names.
    Table(Box<Type<'a>>),
    Union(Vec<Type<'a>>),
    Object(Vec<Field<'a>>),
}

/// A field of an object.
struct Field<'a> {
    name: &'a str,
    description: &'a str,
    is_required: bool,
    of: Type<'a>,
}

/// Returns the definitions of a schema: names, descriptions and types.
fn schema_definitions(schema: &Value) -> Vec<(&str, &str, Type<'_>)> {
    let definitions = schema["$defs"].as_object().unwrap().iter();
    definitions
        .map(|(name, schema)| (name.as_str(), description(schema), Type::of(schema)))
        .collect()
}

fn description(schema: &Value) -> &str {
    schema["description"].as_str().unwrap_or_default()
}

impl Type<'_> {
    fn of(schema: &Value) -> Type<'_> {
        if let Some(fields) = schema["properties"].as_object() {
            return Type::Object(Field::all_of(fields, &schema["required"]));
        }
        if let Some(target) = schema["$ref"].as_str() {
            return Type::Named(target.rsplit('/').next().unwrap());
        }
        if let Some(value) = schema.get("const") {
            return Type::Constant(value);
        }
        let parts = |name: &str| schema[name].as_array();
        if let Some(values) = parts("enum") {
            return Type::Union(values.iter().map(Type::Constant).collect());
        }
        if let Some(parts) = parts("anyOf").or(parts("oneOf")) {
            return Type::Union(parts.iter().map(Type::of).collect());
        }
        match &schema["type"] {
            Value::String(word) => Type::of_word(word, schema),
            Value::Array(words) => {
                let types = words.iter().map(|word| Type::of_word(word.as_str().unwrap(), schema));
                Type::Union(types.collect())
            }
            _ => Type::Any,
        }
    }

    fn of_word<'a>(word: &str, schema: &'a Value) -> Type<'a> {
        let items = || Box::new(Type::of(&schema["items"]));
        match word {
            "null" => Type::Null,
            "boolean" => Type::Boolean,
            "number" => Type::Number,
            "integer" => Type::Integer,
            "string" => Type::Text,
            "array" if schema["minItems"].is_u64() && schema["minItems"] == schema["maxItems"] => {
                Type::Tuple(items(), schema["minItems"].as_u64().unwrap() as usize)
            }
            "array" => Type::List(items()),
            "object" => Type::Table(Box::new(Type::of(&schema["additionalProperties"]))),
            _ => panic!("{word}"),
        }
    }
}

impl Field<'_> {
    fn all_of<'a>(fields: &'a Map<String, Value>, required: &Value) -> Vec<Field<'a>> {
        let field = |(name, schema): (&'a String, &'a Value)| Field {
            name,
            description: description(schema),
            is_required: required.as_array().is_some_and(|names| names.contains(&json!(name))),
            of: Type::of(schema),
        };
        fields.iter().map(field).collect()
    }
}

/// Splits a text into lines. Each line has space for a prefix of this many characters.
fn wrapped(text: &str, prefix: usize) -> Vec<String> {
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

fn joined(types: &[Type], separator: &str, write: fn(&Type) -> String) -> String {
    types.iter().map(write).collect::<Vec<_>>().join(separator)
}

/// Returns the types for the page, in TypeScript.
fn generate_typescript(schema: &Value) -> String {
    let mut text =
        "// Requests to pentarch and its responses. Generated from the program; do not edit.\n"
            .to_string();
    let comment = |indent: &str, description: &str| {
        let lines = wrapped(description, indent.len() + 7);
        format!("{indent}/** {} */\n", lines.join(&format!("\n{indent} * ")))
    };
    for (name, description, definition) in schema_definitions(schema) {
        text += &format!("\n{}", comment("", description));
        let Type::Object(fields) = definition else {
            let line = format!("export type {name} = {};", typescript_type(&definition));
            writeln!(text, "{}", wrapped(&line, 4).join("\n    ")).unwrap();
            continue;
        };
        writeln!(text, "export interface {name} {{").unwrap();
        for Field { name, description, is_required, of } in fields {
            let mark = if is_required { "" } else { "?" };
            text += &comment("    ", description);
            writeln!(text, "    {name}{mark}: {};", typescript_type(&of)).unwrap();
        }
        text += "}\n";
    }
    text
}

fn typescript_type(of: &Type) -> String {
    match of {
        Type::Any => "unknown".into(),
        Type::Null => "null".into(),
        Type::Boolean => "boolean".into(),
        Type::Number | Type::Integer => "number".into(),
        Type::Text => "string".into(),
        Type::Constant(value) => value.to_string(),
        Type::Named(name) => name.to_string(),
        Type::List(item) => format!("Array<{}>", typescript_type(item)),
        Type::Tuple(item, count) => {
            format!("[{}]", vec![typescript_type(item); *count].join(", "))
        }
        Type::Table(item) => format!("Record<string, {}>", typescript_type(item)),
        Type::Union(types) => joined(types, " | ", typescript_type),
        Type::Object(_) => panic!("an object without a name"),
    }
}

/// Returns the types for Python.
fn generate_python(schema: &Value) -> String {
    let mut text = r#""""Requests to pentarch and its responses, as types. Generated from the program; do not edit."""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Union
"#
    .to_string();
    // Python evaluates an alias at once, so the definitions of all its names must come before it.
    let (objects, aliases): (Vec<_>, Vec<_>) =
        schema_definitions(schema).into_iter().partition(|(.., of)| matches!(of, Type::Object(_)));
    for (name, description, definition) in objects {
        let Type::Object(fields) = definition else { unreachable!() };
        let docs = wrapped(description, 10).join("\n    ");
        // Keywords of Python cannot be names of fields in a class.
        if fields.iter().any(|field| ["class", "from"].contains(&field.name)) {
            let comment = wrapped(description, 3).join("\n#: ");
            write!(text, "\n\n#: {comment}\n{name} = TypedDict(\n    \"{name}\",\n    {{\n")
                .unwrap();
            for Field { name, of, .. } in &fields {
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
        let comment = wrapped(description, 3).join("\n#: ");
        // A recursive type refers to itself before it is defined, so its name is quoted there.
        let definition =
            python_type(&definition).replace(&format!("[{name}]"), &format!("[\"{name}\"]"));
        let before = if is_first { "\n" } else { "" };
        let line = wrapped(&format!("{name} = {definition}"), 4).join("\n    ");
        write!(text, "{before}\n#: {comment}\n{line}\n").unwrap();
        is_first = false;
    }
    text
}

fn write_python_fields(text: &mut String, fields: &[Field]) {
    for Field { name, description, of, .. } in fields {
        let comment = wrapped(description, 7).join("\n    #: ");
        writeln!(text, "    #: {comment}\n    {name}: {}", python_type(of)).unwrap();
    }
}

fn python_type(of: &Type) -> String {
    match of {
        Type::Any => "Any".into(),
        Type::Null => "None".into(),
        Type::Boolean => "bool".into(),
        Type::Number => "float".into(),
        Type::Integer => "int".into(),
        Type::Text => "str".into(),
        Type::Constant(value) => format!("Literal[{}]", python_constant(value)),
        Type::Named(name) => name.to_string(),
        Type::List(item) | Type::Tuple(item, _) => format!("list[{}]", python_type(item)),
        Type::Table(item) => format!("dict[str, {}]", python_type(item)),
        Type::Union(types) if types.iter().all(|of| matches!(of, Type::Constant(_))) => {
            let constants = types.iter().filter_map(|of| match of {
                Type::Constant(value) => Some(python_constant(value)),
                _ => None,
            });
            format!("Literal[{}]", constants.collect::<Vec<_>>().join(", "))
        }
        Type::Union(types) => format!("Union[{}]", joined(types, ", ", python_type)),
        Type::Object(_) => panic!("an object without a name"),
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

//! Parses JSON into a tree. The tree contains the offset of each value in its line, so that an
//! error can name the location of a value.
//!
//! The grammar is that of RFC 8259. A number is stored as its text, because it may have more digits
//! than fit into 64 bits.

use std::borrow::Cow;

use super::field_error::{FieldError, FieldFault};

/// The maximum nesting depth of arrays and objects.
const MAX_JSON_DEPTH: usize = 127;

/// A value of JSON.
#[derive(Debug, Clone, PartialEq)]
pub struct JsonNode<'a> {
    /// The offset of the value in the line, in bytes.
    pub start: usize,
    /// The text of the value in the line.
    pub text: &'a str,
    /// The kind of the value, and its parts.
    pub value: JsonValue<'a>,
}

/// A JSON value by its kind, with its parts.
#[derive(Debug, Clone, PartialEq)]
pub enum JsonValue<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number. Its digits are in the text of its node.
    Number,
    /// A string without its quotes and escapes.
    String(Cow<'a, str>),
    /// An array of values.
    Array(Vec<JsonNode<'a>>),
    /// An object. Its fields are in the order of the line. Names may occur more than once.
    Object(Vec<JsonField<'a>>),
}

/// A field of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct JsonField<'a> {
    /// The offset of the name in the line, in bytes.
    pub start: usize,
    /// The name of the field.
    pub name: Cow<'a, str>,
    /// The value of the field.
    pub value: JsonNode<'a>,
}

impl<'a> JsonNode<'a> {
    /// Parses a line that consists of one value.
    ///
    /// # Errors
    /// If the line is not JSON.
    pub fn parse(line: &'a str) -> Result<JsonNode<'a>, FieldError> {
        let mut parser = JsonParser { line, at: 0 };
        let node = parser.parse_node(0)?;
        parser.skip_space();
        if parser.at < line.len() {
            return Err(parser.expected_error("the end of the line"));
        }
        Ok(node)
    }

    /// Returns the fields of an object. For any other value the list is empty.
    pub fn object_fields(&self) -> &[JsonField<'a>] {
        match &self.value {
            JsonValue::Object(fields) => fields,
            _ => &[],
        }
    }
}

/// Parses a line from left to right.
struct JsonParser<'a> {
    line: &'a str,
    /// The offset of the next byte.
    at: usize,
}

impl<'a> JsonParser<'a> {
    fn expected_error(&self, expected: &'static str) -> FieldError {
        FieldError::at_offset(self.at, FieldFault::NotJson { expected })
    }

    fn peek(&self) -> Option<u8> {
        self.line.as_bytes().get(self.at).copied()
    }

    /// Skips the next byte if it is equal to `byte`. Returns whether the byte was skipped.
    fn skip_if_byte(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Parses a value that is nested in `depth` arrays and objects.
    fn parse_node(&mut self, depth: usize) -> Result<JsonNode<'a>, FieldError> {
        self.skip_space();
        let start = self.at;
        let value = match self.peek() {
            Some(b'{' | b'[') if depth == MAX_JSON_DEPTH => {
                return Err(self.expected_error("at most 127 nested arrays and objects"));
            }
            Some(b'{') => self.parse_object(depth)?,
            Some(b'[') => self.parse_array(depth)?,
            Some(b'"') => JsonValue::String(self.parse_string()?),
            Some(b'-' | b'0'..=b'9') => self.parse_number()?,
            _ => self.parse_literal()?,
        };
        Ok(JsonNode { start, text: &self.line[start..self.at], value })
    }

    fn parse_object(&mut self, depth: usize) -> Result<JsonValue<'a>, FieldError> {
        let mut fields = Vec::new();
        self.at += 1;
        self.skip_space();
        if self.skip_if_byte(b'}') {
            return Ok(JsonValue::Object(fields));
        }
        loop {
            self.skip_space();
            let start = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.expected_error("the name of a field in quotes"));
            }
            let name = self.parse_string()?;
            self.skip_space();
            if !self.skip_if_byte(b':') {
                return Err(self.expected_error("':'"));
            }
            fields.push(JsonField { start, name, value: self.parse_node(depth + 1)? });
            self.skip_space();
            if self.skip_if_byte(b'}') {
                return Ok(JsonValue::Object(fields));
            }
            if !self.skip_if_byte(b',') {
                return Err(self.expected_error("',' or '}'"));
            }
        }
    }

    fn parse_array(&mut self, depth: usize) -> Result<JsonValue<'a>, FieldError> {
        let mut items = Vec::new();
        self.at += 1;
        self.skip_space();
        if self.skip_if_byte(b']') {
            return Ok(JsonValue::Array(items));
        }
        loop {
            items.push(self.parse_node(depth + 1)?);
            self.skip_space();
            if self.skip_if_byte(b']') {
                return Ok(JsonValue::Array(items));
            }
            if !self.skip_if_byte(b',') {
                return Err(self.expected_error("',' or ']'"));
            }
        }
    }

    fn parse_string(&mut self) -> Result<Cow<'a, str>, FieldError> {
        let start = self.at;
        let mut has_escapes = false;
        loop {
            self.at += 1;
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    has_escapes = true;
                    self.at += 1;
                }
                Some(0x20..) => {}
                Some(_) => {
                    return Err(self.expected_error("an escape in place of a control character"));
                }
                None => return Err(self.expected_error("'\"' at the end of the string")),
            }
        }
        self.at += 1;
        let text = &self.line[start..self.at];
        if !has_escapes {
            return Ok(text[1..text.len() - 1].into());
        }
        serde_json::from_str::<String>(text).map(Cow::Owned).map_err(|error| {
            self.at = start + error.column().saturating_sub(1);
            self.expected_error("a valid escape")
        })
    }

    fn parse_number(&mut self) -> Result<JsonValue<'a>, FieldError> {
        self.skip_if_byte(b'-');
        if !self.skip_if_byte(b'0') {
            self.expect_digits()?;
        }
        if self.skip_if_byte(b'.') {
            self.expect_digits()?;
        }
        if self.skip_if_byte(b'e') || self.skip_if_byte(b'E') {
            let _ = self.skip_if_byte(b'-') || self.skip_if_byte(b'+');
            self.expect_digits()?;
        }
        Ok(JsonValue::Number)
    }

    fn expect_digits(&mut self) -> Result<(), FieldError> {
        if !self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return Err(self.expected_error("a digit"));
        }
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        Ok(())
    }

    fn parse_literal(&mut self) -> Result<JsonValue<'a>, FieldError> {
        let words = [
            ("null", JsonValue::Null),
            ("true", JsonValue::Bool(true)),
            ("false", JsonValue::Bool(false)),
        ];
        for (word, value) in words {
            if self.line[self.at..].starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(self.expected_error("a value"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_the_same_lines_as_serde_json() {
        for line in [
            r#"{"a": [1, -0.5e+7, {}], "b":null , "c":[true,false,[]]}"#,
            r#" "\u00e9\n\ud83c\udfb2" "#,
            "-0",
            "01",
            "1.",
            "1e",
            "-",
            "nul",
            "nullx",
            "",
            "[1,]",
            "{\"a\":1,}",
            "{a:1}",
            "{\"a\" 1}",
            "[1 2]",
            r#""\ud800""#,
            r#""\x""#,
            r#""\"#,
            r#""a"#,
            "\"\t\"",
            "\u{a0}1",
            "'x'",
            "1 2",
            "é",
        ] {
            let expected = serde_json::from_str::<serde_json::Value>(line).is_ok();
            assert_eq!(JsonNode::parse(line).is_ok(), expected, "{line}");
        }
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(JsonNode::parse(&nested(127)).is_ok() && JsonNode::parse(&nested(128)).is_err());
    }

    #[test]
    fn keeps_the_offsets_and_texts_of_values() {
        let node = JsonNode::parse(r#" {"é": [ 12345678901234567890123 ], "b": "\"x"}"#).unwrap();
        let [first, second] = node.object_fields() else { panic!("{node:?}") };
        let JsonValue::Array(items) = &first.value.value else { panic!("{first:?}") };
        assert_eq!((node.start, first.start, &*first.name), (1, 2, "é"));
        assert_eq!((items[0].start, items[0].text), (10, "12345678901234567890123"));
        assert_eq!(second.value.value, JsonValue::String("\"x".into()));
    }

    #[test]
    fn names_the_place_of_a_syntax_error() {
        for (line, offset, expected) in [
            ("", 0, "a value"),
            ("{\"é\": x}", 7, "a value"),
            ("{\"a\": 1", 7, "',' or '}'"),
            (r#"{"a": "b\qc"}"#, 9, "a valid escape"),
            ("[1] 2", 4, "the end of the line"),
        ] {
            let error = JsonNode::parse(line).unwrap_err();
            assert_eq!(
                error,
                FieldError::at_offset(offset, FieldFault::NotJson { expected }),
                "{line}"
            );
        }
    }
}

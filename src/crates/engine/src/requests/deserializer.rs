//! Deserialises the types of requests from the JSON tree of a line. This deserializer differs from
//! serde_json in two ways: its errors name the field and its location, and a duplicate field is an
//! error at every depth, except inside an `id`.

use std::iter::Zip;
use std::ops::RangeFrom;
use std::slice;

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Unexpected,
    Visitor,
};
use serde::forward_to_deserialize_any;

use super::field_error::{FieldError, FieldFault};
use super::json::{JsonField, JsonNode, JsonValue};

/// The name of a newtype for any JSON value. The newtype is deserialised from the text of the value
/// in the line.
pub(super) const RAW_JSON_TYPE_NAME: &str = "pentarch raw JSON";

impl<'de> Deserializer<'de> for &'de JsonNode<'de> {
    type Error = FieldError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldError> {
        match &self.value {
            JsonValue::Null => visitor.visit_unit(),
            JsonValue::Bool(bool) => visitor.visit_bool(*bool),
            JsonValue::Number => visit_json_number(self.text, visitor),
            JsonValue::String(text) => visitor.visit_borrowed_str(text),
            JsonValue::Array(items) => visitor.visit_seq(JsonArrayItems((1..).zip(items))),
            JsonValue::Object(fields) => {
                check_unique_field_names(fields)?;
                visitor.visit_map(JsonObjectFields { fields: fields.iter(), current: None })
            }
        }
        .map_err(|error| error.at_offset_if_unlocated(self.start))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldError> {
        if self.value == JsonValue::Null { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, FieldError> {
        if name == RAW_JSON_TYPE_NAME {
            visitor.visit_borrowed_str(self.text)
        } else {
            visitor.visit_newtype_struct(self)
        }
    }

    /// Deserialises a word. The enums of requests have no data.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FieldError> {
        let JsonValue::String(word) = &self.value else { return self.deserialize_any(visitor) };
        let word: StrDeserializer<FieldError> = (&**word).into_deserializer();
        visitor.visit_enum(word).map_err(|error| error.at_offset_if_unlocated(self.start))
    }

    /// Deserialises an object. An array of field values is not accepted.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FieldError> {
        if !matches!(self.value, JsonValue::Object(_)) {
            let error: FieldError = Error::invalid_type(Unexpected::Other("no object"), &visitor);
            return Err(error.at_offset_if_unlocated(self.start));
        }
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map identifier ignored_any
    }
}

/// Visits a number. A number without a decimal point and without an exponent is visited as the
/// nearest 128-bit integer.
fn visit_json_number<'de, V: Visitor<'de>>(text: &str, visitor: V) -> Result<V::Value, FieldError> {
    if text.contains(['.', 'e', 'E']) {
        return visitor.visit_f64(text.parse().unwrap_or(f64::NAN));
    }
    let nearest = if text.starts_with('-') { i128::MIN } else { i128::MAX };
    visitor.visit_i128(text.parse().unwrap_or(nearest))
}

fn check_unique_field_names(fields: &[JsonField]) -> Result<(), FieldError> {
    let mut sorted: Vec<&JsonField> = fields.iter().collect();
    sorted.sort_by(|one, other| one.name.cmp(&other.name));
    // The sort is stable, so fields with the same name are in the order of the line.
    let twice = sorted.windows(2).filter(|pair| pair[0].name == pair[1].name);
    let first = twice.map(|pair| pair[1]).min_by_key(|field| field.start);
    first.map_or(Ok(()), |JsonField { start, name, .. }| {
        Err(FieldError::at_offset(*start, FieldFault::DuplicateField { name: name.to_string() }))
    })
}

/// The items of an array with their numbers, from 1.
struct JsonArrayItems<'de>(Zip<RangeFrom<usize>, slice::Iter<'de, JsonNode<'de>>>);

impl<'de> SeqAccess<'de> for JsonArrayItems<'de> {
    type Error = FieldError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, FieldError> {
        let Some((number, node)) = self.0.next() else { return Ok(None) };
        let item = seed.deserialize(node).map_err(|error| {
            error.at_offset_if_unlocated(node.start).in_field(&format!("item {number}"))
        });
        item.map(Some)
    }
}

/// The fields of an object.
struct JsonObjectFields<'de> {
    fields: slice::Iter<'de, JsonField<'de>>,
    /// The field whose name was read last.
    current: Option<&'de JsonField<'de>>,
}

impl<'de> MapAccess<'de> for JsonObjectFields<'de> {
    type Error = FieldError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, FieldError> {
        self.current = self.fields.next();
        let Some(JsonField { start, name, .. }) = self.current else { return Ok(None) };
        let name: StrDeserializer<FieldError> = (&**name).into_deserializer();
        seed.deserialize(name).map(Some).map_err(|error| error.at_offset_if_unlocated(*start))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<T::Value, FieldError> {
        let Some(JsonField { name, value, .. }) = self.current else {
            return Err(FieldError::new(FieldFault::ValueBeforeName));
        };
        seed.deserialize(value)
            .map_err(|error| error.at_offset_if_unlocated(value.start).in_field(name))
    }
}

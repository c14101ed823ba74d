//! The types of a request's fields. The errors of each type name the accepted form.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};

use pentarch_search::strength_levels::StrengthLevel;
use pentarch_search::time_management::MAX_PLAYER_CLOCKS;

use super::fields::RequestQuestion;
use crate::input_word::InputWord;

/// A whole number from `MIN` to `MAX`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoundedInteger<const MIN: u64, const MAX: u64>(pub u64);

impl<'de, const MIN: u64, const MAX: u64> Deserialize<'de> for BoundedInteger<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BoundedInteger<MIN, MAX>, D::Error> {
        let whole = ScalarValue::deserialize(deserializer)?.into_whole_number();
        let number = whole.and_then(|whole| u64::try_from(whole).ok());
        let number = number.filter(|number| (MIN..=MAX).contains(number));
        number
            .map(BoundedInteger)
            .ok_or_else(|| invalid_form_error(&format!("a whole number from {MIN} to {MAX}")))
    }
}

/// The priority of a request: a finite number. Requests with a higher priority come first.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Priority(pub f64);

impl<'de> Deserialize<'de> for Priority {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Priority, D::Error> {
        let number = match ScalarValue::deserialize(deserializer)? {
            ScalarValue::Whole(whole) => whole as f64,
            ScalarValue::Float(number) => number,
            _ => f64::NAN,
        };
        if !number.is_finite() {
            return Err(invalid_form_error("a number"));
        }
        // The addition turns -0 into 0. Otherwise -0 would come before 0.
        Ok(Priority(number + 0.))
    }
}

/// A whole number of milliseconds. The number is negative if the time has run out. A number out of
/// range becomes the nearest number in range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Milliseconds(pub i64);

impl<'de> Deserialize<'de> for Milliseconds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Milliseconds, D::Error> {
        let whole = ScalarValue::deserialize(deserializer)?.into_whole_number();
        let time = whole.map(|whole| whole.clamp(i64::MIN.into(), i64::MAX.into()) as i64);
        time.map(Milliseconds).ok_or_else(|| invalid_form_error("a whole number of milliseconds"))
    }
}

/// A whole number of milliseconds that is not negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveOverhead(pub u64);

impl<'de> Deserialize<'de> for MoveOverhead {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<MoveOverhead, D::Error> {
        let time = Milliseconds::deserialize(deserializer)?.0;
        u64::try_from(time)
            .map(MoveOverhead)
            .map_err(|_| invalid_form_error("milliseconds from 0 on"))
    }
}

/// Milliseconds for each player in the order of their turns, or one number for all players. The
/// item for a player without a number is `None`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ClockTimes(pub [Option<i64>; MAX_PLAYER_CLOCKS]);

impl<'de> Deserialize<'de> for ClockTimes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ClockTimes, D::Error> {
        struct ClockTimesVisitor;
        impl<'de> Visitor<'de> for ClockTimesVisitor {
            type Value = ClockTimes;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a list of milliseconds, one for each player")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<ClockTimes, A::Error> {
                let mut times = ClockTimes::default();
                let mut count = 0;
                while let Some(Milliseconds(time)) = items.next_element()? {
                    let Some(entry) = times.0.get_mut(count) else {
                        return Err(de::Error::invalid_length(count + 1, &self));
                    };
                    *entry = Some(time);
                    count += 1;
                }
                if count == 0 { Err(de::Error::invalid_length(0, &self)) } else { Ok(times) }
            }
        }
        deserializer.deserialize_any(ClockTimesVisitor)
    }
}

/// A list of questions without duplicates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestQuestions(pub Vec<RequestQuestion>);

impl<'de> Deserialize<'de> for RequestQuestions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RequestQuestions, D::Error> {
        struct QuestionsVisitor;
        impl<'de> Visitor<'de> for QuestionsVisitor {
            type Value = RequestQuestions;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a question or a list of questions")
            }

            fn visit_str<E: de::Error>(self, word: &str) -> Result<RequestQuestions, E> {
                let word: de::value::StrDeserializer<E> = word.into_deserializer();
                Ok(RequestQuestions(vec![RequestQuestion::deserialize(word)?]))
            }

            fn visit_seq<A: SeqAccess<'de>>(
                self,
                mut items: A,
            ) -> Result<RequestQuestions, A::Error> {
                let mut questions = Vec::new();
                while let Some(question) = items.next_element()? {
                    if !questions.contains(&question) {
                        questions.push(question);
                    }
                }
                let is_empty = questions.is_empty();
                if is_empty {
                    Err(invalid_form_error("one question at least"))
                } else {
                    Ok(RequestQuestions(questions))
                }
            }
        }
        deserializer.deserialize_any(QuestionsVisitor)
    }
}

/// Several words, as a list or as one string with spaces between the words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Words {
    /// The words, separated by spaces.
    text: Box<str>,
    /// Whether the words were one string in the request. Only words of such a string have columns.
    is_string: bool,
}

impl Words {
    /// Returns the words. Words from a list have no columns.
    pub fn to_input_words(&self) -> Vec<InputWord> {
        if self.is_string {
            return InputWord::split_into_words(&self.text);
        }
        self.text.split_whitespace().map(InputWord::from_text).collect()
    }
}

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Words, D::Error> {
        struct WordsVisitor;
        impl<'de> Visitor<'de> for WordsVisitor {
            type Value = Words;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a list of strings, or one string with spaces")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Words, E> {
                Ok(Words { text: text.into(), is_string: true })
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Words, A::Error> {
                let mut text = String::new();
                while let Some(SingleWordString(word)) = items.next_element()? {
                    text.push_str(&word.text);
                    text.push(' ');
                }
                Ok(Words { text: text.into(), is_string: false })
            }
        }
        deserializer.deserialize_any(WordsVisitor)
    }
}

/// One word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SingleWordString(pub InputWord);

impl<'de> Deserialize<'de> for SingleWordString {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SingleWordString, D::Error> {
        match ScalarValue::deserialize(deserializer)? {
            ScalarValue::String(text) => {
                match <[InputWord; 1]>::try_from(InputWord::split_into_words(&text)) {
                    Ok([word]) => Ok(SingleWordString(word)),
                    Err(_) => Err(invalid_form_error("one word")),
                }
            }
            _ => Err(invalid_form_error("a string of one word")),
        }
    }
}

/// One line without its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SingleLineString(pub String);

impl<'de> Deserialize<'de> for SingleLineString {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SingleLineString, D::Error> {
        match ScalarValue::deserialize(deserializer)? {
            ScalarValue::String(line) if !line.contains(['\n', '\r']) => Ok(SingleLineString(line)),
            _ => Err(invalid_form_error("one line")),
        }
    }
}

/// The name of a level. Its case does not matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelName(pub StrengthLevel);

impl<'de> Deserialize<'de> for LevelName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<LevelName, D::Error> {
        match ScalarValue::deserialize(deserializer)? {
            ScalarValue::String(name) => {
                StrengthLevel::by_name(&name).map(LevelName).ok_or_else(|| {
                    de::Error::unknown_variant(&name, &StrengthLevel::STRENGTH_LEVEL_NAMES)
                })
            }
            _ => Err(invalid_form_error("the name of a level")),
        }
    }
}

/// The maximum number of options in a request. No game has more options. The limit saves memory,
/// because options take more memory than their text.
const MAX_REQUEST_OPTIONS: usize = 100;

/// Rule options, as pairs of a name and a value in the order of the request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OptionValues(pub Vec<(String, String)>);

impl<'de> Deserialize<'de> for OptionValues {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OptionValues, D::Error> {
        struct OptionsVisitor;
        impl<'de> Visitor<'de> for OptionsVisitor {
            type Value = OptionValues;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object such as {\"Quoridor_Walls\": 5}")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<OptionValues, A::Error> {
                let mut options = Vec::new();
                while let Some((name, OptionValue(value))) = fields.next_entry()? {
                    if options.len() == MAX_REQUEST_OPTIONS {
                        return Err(invalid_form_error("an object with at most 100 options"));
                    }
                    options.push((name, value));
                }
                Ok(OptionValues(options))
            }
        }
        deserializer.deserialize_any(OptionsVisitor)
    }
}

/// The value of an option: a string, a whole number, `true` or `false`.
struct OptionValue(String);

impl<'de> Deserialize<'de> for OptionValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OptionValue, D::Error> {
        match ScalarValue::deserialize(deserializer)? {
            ScalarValue::Bool(value) => Ok(OptionValue(value.to_string())),
            ScalarValue::Whole(value) => Ok(OptionValue(value.to_string())),
            ScalarValue::String(value) => Ok(OptionValue(value)),
            _ => Err(invalid_form_error("a string, a whole number, true or false")),
        }
    }
}

/// A JSON value that is not an array or an object.
enum ScalarValue {
    Bool(bool),
    /// A number without a decimal point and without an exponent, as the nearest 128-bit integer.
    Whole(i128),
    Float(f64),
    String(String),
    /// Any other value.
    Other,
}

impl ScalarValue {
    fn into_whole_number(self) -> Option<i128> {
        if let ScalarValue::Whole(whole) = self { Some(whole) } else { None }
    }
}

impl<'de> Deserialize<'de> for ScalarValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ScalarValue, D::Error> {
        struct ScalarVisitor;
        impl<'de> Visitor<'de> for ScalarVisitor {
            type Value = ScalarValue;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a value")
            }

            fn visit_bool<E>(self, value: bool) -> Result<ScalarValue, E> {
                Ok(ScalarValue::Bool(value))
            }

            fn visit_i128<E>(self, number: i128) -> Result<ScalarValue, E> {
                Ok(ScalarValue::Whole(number))
            }

            fn visit_f64<E>(self, number: f64) -> Result<ScalarValue, E> {
                Ok(ScalarValue::Float(number))
            }

            fn visit_str<E>(self, text: &str) -> Result<ScalarValue, E> {
                Ok(ScalarValue::String(text.into()))
            }

            fn visit_unit<E>(self) -> Result<ScalarValue, E> {
                Ok(ScalarValue::Other)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<ScalarValue, A::Error> {
                Ok(ScalarValue::Other)
            }

            fn visit_map<A: MapAccess<'de>>(self, _: A) -> Result<ScalarValue, A::Error> {
                Ok(ScalarValue::Other)
            }
        }
        deserializer.deserialize_any(ScalarVisitor)
    }
}

/// Returns the error for a value that does not have this form.
fn invalid_form_error<E: de::Error>(expected: &str) -> E {
    E::invalid_value(de::Unexpected::Other("another value"), &expected)
}

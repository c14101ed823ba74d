//! Options of the rules and of the engine: their definitions, the parser of their values, and the values in force.
//!
//! The constant that defines an option has the type of its values. So only a value of that type can be read, and no
//! code but [`OptionSpec::parse`] parses values.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;

use thiserror::Error;

use crate::notation::text::{did_you_mean, or_list, quoted};

/// How front ends write an empty text, as in UCI.
pub const EMPTY_VALUE: &str = "<empty>";

/// What values an option takes. The variants are the option types of UCI; [`OptionKind::Text`] is its `string`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        /// The value before any setting.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The value before any setting.
        default: i64,
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
    /// One of a list of words.
    Combo {
        /// The index of the word before any setting.
        default: usize,
        /// All words that can be chosen.
        values: &'static [&'static str],
    },
    /// Any text. The value before any setting is the empty text.
    Text,
    /// No value: setting the option does something.
    Button,
}

/// An option: its name and the values that it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OptionSpec {
    /// The name, spelt as it is listed; on input its case does not matter.
    pub name: &'static str,
    /// The values that the option takes, and its default.
    pub kind: OptionKind,
    /// The name and the value of another option without which this one makes no difference; none if it always may.
    pub when: Option<(&'static str, &'static str)>,
}

/// The definition of an option with the type of its values, which is that of `default`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TypedOption<D> {
    /// The definition without the type.
    pub spec: OptionSpec,
    default: D,
}

/// An option that is on or off.
pub type CheckOption = TypedOption<bool>;

/// An option that is a whole number within bounds.
pub type SpinOption = TypedOption<i64>;

/// An option that is one of a list of words, each of which stands for a value.
pub type ComboOption<T> = TypedOption<Choices<T>>;

/// An option that is any text; the empty text is the default.
pub type TextOption = TypedOption<&'static str>;

/// The values of the words of an option, in the order of the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choices<T: 'static> {
    values: &'static [T],
    default: usize,
}

/// The value of an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionValue {
    /// That of a check option.
    Check(bool),
    /// That of a spin option.
    Spin(i64),
    /// That of a combo option.
    Combo {
        /// The index of the word in the list.
        index: usize,
        /// The word.
        word: &'static str,
    },
    /// That of a text option.
    Text(String),
    /// That of a button, which has none.
    Button,
}

/// The option that makes a third occurrence a draw also under rules that let repetitions pass.
pub const REPETITION_DRAW: CheckOption = OptionSpec::check("RepetitionDraw", false);

/// The option that names the directory of tablebase files; an empty text stands for no directory.
pub const TABLE_PATH: TextOption = OptionSpec::string("TablePath");

/// A value that an option does not take.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{option} takes {}, not {}", taken(.expected, .found), entered(.found))]
pub struct InvalidValue {
    /// The name of the option.
    pub option: &'static str,
    /// The values that it takes.
    pub expected: OptionKind,
    /// The value, as it was entered.
    pub found: String,
}

/// A setting that sets no option of a game's rules.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RuleSettingError {
    /// The text does not have the form `NAME=VALUE`.
    #[error("NAME=VALUE expected, found {}", quoted(.found))]
    Form {
        /// The text.
        found: String,
    },
    /// The game has no such option.
    #[error("the game has no rule {}", quoted(.name))]
    UnknownRule {
        /// The name in the text.
        name: String,
    },
    /// The option does not take the value.
    #[error(transparent)]
    Value(#[from] InvalidValue),
}

impl OptionSpec {
    const fn new(name: &'static str, kind: OptionKind) -> OptionSpec {
        OptionSpec { name, kind, when: None }
    }

    /// Defines an option that is on or off.
    pub const fn check(name: &'static str, default: bool) -> CheckOption {
        TypedOption { spec: OptionSpec::new(name, OptionKind::Check { default }), default }
    }

    /// Defines an option that takes a whole number from `min` to `max`.
    pub const fn spin(name: &'static str, default: i64, min: i64, max: i64) -> SpinOption {
        assert!(min <= default && default <= max, "the default is within the bounds");
        TypedOption { spec: OptionSpec::new(name, OptionKind::Spin { default, min, max }), default }
    }

    /// Defines an option that takes one of these words, each of which stands for the value at the same index. `default`
    /// is the index of the default.
    pub const fn combo<T>(
        name: &'static str,
        words: &'static [&'static str],
        values: &'static [T],
        default: usize,
    ) -> ComboOption<T> {
        assert!(words.len() == values.len(), "each word has a value");
        assert!(default < words.len(), "the default is one of the words");
        let kind = OptionKind::Combo { default, values: words };
        TypedOption { spec: OptionSpec::new(name, kind), default: Choices { values, default } }
    }

    /// Defines an option that takes any text; the empty text is the default.
    pub const fn string(name: &'static str) -> TextOption {
        TypedOption { spec: OptionSpec::new(name, OptionKind::Text), default: "" }
    }

    /// Defines an option that does something when set.
    pub const fn button(name: &'static str) -> OptionSpec {
        OptionSpec::new(name, OptionKind::Button)
    }

    /// Returns the value before any setting.
    pub fn default_value(&self) -> OptionValue {
        match self.kind {
            OptionKind::Check { default } => OptionValue::Check(default),
            OptionKind::Spin { default, .. } => OptionValue::Spin(default),
            OptionKind::Combo { default, values } => {
                OptionValue::Combo { index: default, word: values[default] }
            }
            OptionKind::Text => OptionValue::Text(String::new()),
            OptionKind::Button => OptionValue::Button,
        }
    }

    /// Parses a value that was entered.
    ///
    /// # Errors
    /// If the option does not take this value.
    pub fn parse(&self, text: &str) -> Result<OptionValue, InvalidValue> {
        let value = match self.kind {
            OptionKind::Check { .. } => {
                text.to_ascii_lowercase().parse().ok().map(OptionValue::Check)
            }
            OptionKind::Spin { min, max, .. } => {
                let number = text.parse().ok().filter(|number| (min..=max).contains(number));
                number.map(OptionValue::Spin)
            }
            OptionKind::Combo { values, .. } => {
                let index = values.iter().position(|word| word.eq_ignore_ascii_case(text));
                index.map(|index| OptionValue::Combo { index, word: values[index] })
            }
            // UCI cannot write an empty value.
            OptionKind::Text => {
                Some(OptionValue::Text(if text == EMPTY_VALUE { "" } else { text }.into()))
            }
            OptionKind::Button => text.is_empty().then_some(OptionValue::Button),
        };
        let (option, expected) = (self.name, self.kind);
        value.ok_or_else(|| InvalidValue { option, expected, found: text.into() })
    }
}

impl<D> TypedOption<D> {
    /// Returns the same option, which makes a difference only where the other one has this value.
    pub const fn when(mut self, other: &OptionSpec, value: &'static str) -> TypedOption<D>
    where
        D: Copy,
    {
        self.spec.when = Some((other.name, value));
        self
    }
}

impl<T> ComboOption<T> {
    /// Returns the values that the words stand for, in the order of the words.
    pub const fn values(&self) -> &'static [T] {
        self.default.values
    }
}

impl<D> Deref for TypedOption<D> {
    type Target = OptionSpec;

    fn deref(&self) -> &OptionSpec {
        &self.spec
    }
}

/// The canonical text, which [`OptionSpec::parse`] reads; empty for a button.
impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValue::Check(value) => write!(f, "{value}"),
            OptionValue::Spin(value) => write!(f, "{value}"),
            OptionValue::Combo { word, .. } => f.write_str(word),
            OptionValue::Text(text) => f.write_str(text),
            OptionValue::Button => Ok(()),
        }
    }
}

/// Returns the values that an option takes, for people, with the one that was perhaps meant.
fn taken(kind: &OptionKind, found: &str) -> String {
    match *kind {
        OptionKind::Check { .. } => {
            "true or false".to_string() + &did_you_mean(found, ["true", "false"])
        }
        OptionKind::Spin { min, max, .. } => format!("a whole number from {min} to {max}"),
        OptionKind::Combo { values, .. } => {
            or_list(values) + &did_you_mean(found, values.iter().copied())
        }
        OptionKind::Text => "any text".into(),
        OptionKind::Button => "no value".into(),
    }
}

/// Returns a value that was entered, for people.
fn entered(text: &str) -> String {
    if text.is_empty() { "nothing".into() } else { quoted(text) }
}

/// The values in force. An option that was not set has its default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// The values by the names of the options. Each has the kind of its option: only these methods add one, and no
    /// two options have the same name.
    set: BTreeMap<&'static str, OptionValue>,
}

impl Options {
    /// Sets an option to a value that was entered.
    ///
    /// # Errors
    /// If the option does not take this value; nothing changes then.
    pub fn set(&mut self, spec: &OptionSpec, text: &str) -> Result<(), InvalidValue> {
        self.set.insert(spec.name, spec.parse(text)?);
        Ok(())
    }

    /// Sets an option to on.
    pub fn turn_on(&mut self, option: &CheckOption) {
        self.set.insert(option.name, OptionValue::Check(true));
    }

    /// Sets one of the options of a game's rules, which are these and [`REPETITION_DRAW`].
    ///
    /// # Errors
    /// If the game has no such option, or the option does not take the value; nothing changes then.
    pub fn set_rule(
        &mut self,
        own: &[OptionSpec],
        name: &str,
        value: &str,
    ) -> Result<(), RuleSettingError> {
        let mut rules = own.iter().chain([&REPETITION_DRAW.spec]);
        let spec = rules.find(|spec| spec.name.eq_ignore_ascii_case(name));
        let spec = spec.ok_or_else(|| RuleSettingError::UnknownRule { name: name.into() })?;
        Ok(self.set(spec, value)?)
    }

    /// Sets an option of a game's rules by a text `NAME=VALUE`.
    ///
    /// # Errors
    /// As [`Options::set_rule`], and if the text has another form.
    pub fn set_rule_text(
        &mut self,
        own: &[OptionSpec],
        text: &str,
    ) -> Result<(), RuleSettingError> {
        let parts = text.split_once('=');
        let (name, value) = parts.ok_or_else(|| RuleSettingError::Form { found: text.into() })?;
        self.set_rule(own, name, value)
    }

    /// Sets an option to its default, as if it had not been set.
    pub fn reset(&mut self, spec: &OptionSpec) {
        self.set.remove(spec.name);
    }

    /// Whether an option was set.
    pub fn is_set(&self, spec: &OptionSpec) -> bool {
        self.set.contains_key(spec.name)
    }

    /// Returns the value of an option of any type.
    pub fn value(&self, spec: &OptionSpec) -> OptionValue {
        self.set.get(spec.name).cloned().unwrap_or_else(|| spec.default_value())
    }

    /// Whether an option is on.
    pub fn is_on(&self, option: &CheckOption) -> bool {
        match self.set.get(option.name) {
            Some(OptionValue::Check(is_on)) => *is_on,
            _ => option.default,
        }
    }

    /// Returns the number that an option has.
    pub fn number(&self, option: &SpinOption) -> i64 {
        match self.set.get(option.name) {
            Some(OptionValue::Spin(number)) => *number,
            _ => option.default,
        }
    }

    /// Returns the value that the word of an option stands for.
    pub fn choice<T: Copy>(&self, option: &ComboOption<T>) -> T {
        let Choices { values, default } = option.default;
        match self.set.get(option.name) {
            Some(OptionValue::Combo { index, .. }) => values[*index],
            _ => values[default],
        }
    }

    /// Returns the text that an option has.
    pub fn text(&self, option: &TextOption) -> &str {
        match self.set.get(option.name) {
            Some(OptionValue::Text(text)) => text,
            _ => option.default,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: SpinOption = OptionSpec::spin("Size", 5, 3, 9);
    const RULES: ComboOption<char> =
        OptionSpec::combo("Rules", &["modern", "Bell"], &['m', 'b'], 0);

    #[test]
    fn values_are_checked_and_kept_in_canonical_form() {
        let mut options = Options::default();
        assert_eq!(
            (options.number(&SIZE), options.choice(&RULES), options.is_on(&REPETITION_DRAW)),
            (5, 'm', false)
        );
        assert_eq!(options.set(&SIZE, "09"), Ok(()));
        assert_eq!(options.set(&RULES, "bELL"), Ok(()));
        assert_eq!(options.set(&REPETITION_DRAW, "TRUE"), Ok(()));
        assert_eq!(
            (options.number(&SIZE), options.choice(&RULES), options.is_on(&REPETITION_DRAW)),
            (9, 'b', true)
        );
        assert_eq!(options.value(&RULES).to_string(), "Bell");
    }

    #[test]
    fn texts_are_taken_as_they_are() {
        let mut options = Options::default();
        for (text, value) in [("A b/ C", "A b/ C"), (EMPTY_VALUE, ""), ("x", "x"), ("", "")] {
            assert_eq!(options.set(&TABLE_PATH, text), Ok(()));
            assert_eq!(options.text(&TABLE_PATH), value);
        }
    }

    #[test]
    fn bad_values_change_nothing_and_say_what_is_taken() {
        let mut options = Options::default();
        let mut refused =
            |spec: &OptionSpec, text| options.set(spec, text).unwrap_err().to_string();
        assert_eq!(refused(&SIZE, "10"), "Size takes a whole number from 3 to 9, not '10'");
        assert_eq!(refused(&SIZE, ""), "Size takes a whole number from 3 to 9, not nothing");
        assert_eq!(
            refused(&RULES, "modem"),
            "Rules takes modern or Bell (did you mean 'modern'?), not 'modem'"
        );
        assert_eq!(
            refused(&REPETITION_DRAW, "yes"),
            "RepetitionDraw takes true or false, not 'yes'"
        );
        assert_eq!(options, Options::default());
    }
}

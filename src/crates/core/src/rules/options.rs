//! Options of the rules and of the engine: their definitions, the parser of their values, and the
//! current values.
//!
//! The constant that defines an option has the type of its values. So an option can only be read as
//! a value of its type, and only [`OptionSpec::parse`] parses values.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;

use thiserror::Error;

use crate::notation::text::{did_you_mean, or_list, quoted};

/// The way front ends write an empty string, as in UCI.
pub const EMPTY_VALUE: &str = "<empty>";

/// The values that an option accepts. The variants are the option types of UCI;
/// [`OptionKind::Text`] is its `string`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        /// The default value.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The default value.
        default: i64,
        /// The minimum value.
        min: i64,
        /// The maximum value.
        max: i64,
    },
    /// One of a list of words.
    Combo {
        /// The index of the default word.
        default: usize,
        /// All words that can be chosen.
        values: &'static [&'static str],
    },
    /// Any string. The default is the empty string.
    Text,
    /// No value: setting the option starts an action.
    Button,
}

/// An option: its name and the values that it accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OptionSpec {
    /// The name as it is listed; in input its case does not matter.
    pub name: &'static str,
    /// The values that the option accepts, and its default.
    pub kind: OptionKind,
    /// The name and the value of another option without which this one has no effect; `None` if it
    /// always has an effect.
    pub when: Option<(&'static str, &'static str)>,
}

/// The definition of an option with the type of its values, the type of `default`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TypedOption<D> {
    /// The untyped definition.
    pub spec: OptionSpec,
    default: D,
}

/// An option that is on or off.
pub type CheckOption = TypedOption<bool>;

/// An option with a whole number within bounds.
pub type SpinOption = TypedOption<i64>;

/// An option with one of a list of words, each of which stands for a value.
pub type ComboOption<T> = TypedOption<Choices<T>>;

/// An option with any string; the default is the empty string.
pub type TextOption = TypedOption<&'static str>;

/// The values of an option's words, in the order of the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choices<T: 'static> {
    values: &'static [T],
    default: usize,
}

/// The value of an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionValue {
    /// The value of a check option.
    Check(bool),
    /// The value of a spin option.
    Spin(i64),
    /// The value of a combo option.
    Combo {
        /// The index of the word in the list.
        index: usize,
        /// The word.
        word: &'static str,
    },
    /// The value of a text option.
    Text(String),
    /// The value of a button option, which has none.
    Button,
}

/// The option that makes a third occurrence a draw even under rules that ignore repetition.
pub const REPETITION_DRAW_OPTION: CheckOption = OptionSpec::check("RepetitionDraw", false);

/// The option that names the directory of tablebase files; an empty string stands for no directory.
pub const TABLE_PATH_OPTION: TextOption = OptionSpec::string("TablePath");

/// A value that an option does not accept.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{option} takes {}, not {}", accepted_values(.expected, .found), format_entered(.found))]
pub struct InvalidValue {
    /// The name of the option.
    pub option: &'static str,
    /// The values that the option accepts.
    pub expected: OptionKind,
    /// The value as it was entered.
    pub found: String,
}

/// A setting that matches no option of a game's rules.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RuleSettingError {
    /// The setting does not have the form `NAME=VALUE`.
    #[error("expected NAME=VALUE, found {}", quoted(.found))]
    Form {
        /// The setting.
        found: String,
    },
    /// The game has no such option.
    #[error("the game has no rule {}", quoted(.name))]
    UnknownRule {
        /// The name in the setting.
        name: String,
    },
    /// The option does not accept the value.
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

    /// Defines an option with a whole number from `min` to `max`.
    pub const fn spin(name: &'static str, default: i64, min: i64, max: i64) -> SpinOption {
        assert!(min <= default && default <= max, "the default is within the bounds");
        TypedOption { spec: OptionSpec::new(name, OptionKind::Spin { default, min, max }), default }
    }

    /// Defines an option with one of these words, each of which stands for the value at the same
    /// index. `default` is the index of the default.
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

    /// Defines an option with any string; the default is the empty string.
    pub const fn string(name: &'static str) -> TextOption {
        TypedOption { spec: OptionSpec::new(name, OptionKind::Text), default: "" }
    }

    /// Defines an option whose setting starts an action.
    pub const fn button(name: &'static str) -> OptionSpec {
        OptionSpec::new(name, OptionKind::Button)
    }

    /// Returns the default value.
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
    /// If the option does not accept this value.
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
        value.ok_or_else(|| InvalidValue {
            option: self.name,
            expected: self.kind,
            found: text.into(),
        })
    }
}

impl<D> TypedOption<D> {
    /// Returns the same option, restricted: it has an effect only where the other option has this
    /// value.
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

/// The canonical string, which [`OptionSpec::parse`] reads; empty for a button.
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

/// Returns the values that an option accepts, for people, with the nearest one as a suggestion.
fn accepted_values(kind: &OptionKind, found: &str) -> String {
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
fn format_entered(text: &str) -> String {
    if text.is_empty() { "nothing".into() } else { quoted(text) }
}

/// The current values. An option that is not set has its default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// The values by the names of the options. Each has the kind of its option: only these methods
    /// add values, and no two options have the same name.
    set: BTreeMap<&'static str, OptionValue>,
}

impl Options {
    /// Sets an option to a value that was entered.
    ///
    /// # Errors
    /// If the option does not accept this value; nothing changes then.
    pub fn set(&mut self, spec: &OptionSpec, text: &str) -> Result<(), InvalidValue> {
        self.set.insert(spec.name, spec.parse(text)?);
        Ok(())
    }

    /// Sets an option to on.
    pub fn turn_on(&mut self, option: &CheckOption) {
        self.set.insert(option.name, OptionValue::Check(true));
    }

    /// Sets one of the options of a game's rules, which are `own` and [`REPETITION_DRAW_OPTION`].
    ///
    /// # Errors
    /// If the game has no such option, or the option does not accept the value; nothing changes
    /// then.
    pub fn set_rule(
        &mut self,
        own: &[OptionSpec],
        name: &str,
        value: &str,
    ) -> Result<(), RuleSettingError> {
        let mut rules = own.iter().chain([&REPETITION_DRAW_OPTION.spec]);
        let spec = rules.find(|spec| spec.name.eq_ignore_ascii_case(name));
        let spec = spec.ok_or_else(|| RuleSettingError::UnknownRule { name: name.into() })?;
        Ok(self.set(spec, value)?)
    }

    /// Sets an option of a game's rules by a string `NAME=VALUE`.
    ///
    /// # Errors
    /// The same as for [`Options::set_rule`], and if the string has another form.
    pub fn set_rule_text(
        &mut self,
        own: &[OptionSpec],
        text: &str,
    ) -> Result<(), RuleSettingError> {
        let parts = text.split_once('=');
        let (name, value) = parts.ok_or_else(|| RuleSettingError::Form { found: text.into() })?;
        self.set_rule(own, name, value)
    }

    /// Resets an option to its default, as if it had never been set.
    pub fn reset(&mut self, spec: &OptionSpec) {
        self.set.remove(spec.name);
    }

    /// Returns whether an option was set.
    pub fn is_set(&self, spec: &OptionSpec) -> bool {
        self.set.contains_key(spec.name)
    }

    /// Returns the value of an option of any type.
    pub fn value(&self, spec: &OptionSpec) -> OptionValue {
        self.set.get(spec.name).cloned().unwrap_or_else(|| spec.default_value())
    }

    /// Returns whether an option is on.
    pub fn is_on(&self, option: &CheckOption) -> bool {
        match self.set.get(option.name) {
            Some(OptionValue::Check(is_on)) => *is_on,
            _ => option.default,
        }
    }

    /// Returns the number of an option.
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

    /// Returns the string of an option.
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
    fn values_are_checked_and_stored_in_canonical_form() {
        let mut options = Options::default();
        assert_eq!(
            (options.number(&SIZE), options.choice(&RULES), options.is_on(&REPETITION_DRAW_OPTION)),
            (5, 'm', false)
        );
        assert_eq!(options.set(&SIZE, "09"), Ok(()));
        assert_eq!(options.set(&RULES, "bELL"), Ok(()));
        assert_eq!(options.set(&REPETITION_DRAW_OPTION, "TRUE"), Ok(()));
        assert_eq!(
            (options.number(&SIZE), options.choice(&RULES), options.is_on(&REPETITION_DRAW_OPTION)),
            (9, 'b', true)
        );
        assert_eq!(options.value(&RULES).to_string(), "Bell");
    }

    #[test]
    fn strings_are_stored_unchanged() {
        let mut options = Options::default();
        for (text, value) in [("A b/ C", "A b/ C"), (EMPTY_VALUE, ""), ("x", "x"), ("", "")] {
            assert_eq!(options.set(&TABLE_PATH_OPTION, text), Ok(()));
            assert_eq!(options.text(&TABLE_PATH_OPTION), value);
        }
    }

    #[test]
    fn invalid_values_change_nothing_and_name_the_accepted_ones() {
        let mut options = Options::default();
        let mut error = |spec: &OptionSpec, text| options.set(spec, text).unwrap_err().to_string();
        assert_eq!(error(&SIZE, "10"), "Size takes a whole number from 3 to 9, not '10'");
        assert_eq!(error(&SIZE, ""), "Size takes a whole number from 3 to 9, not nothing");
        assert_eq!(
            error(&RULES, "modem"),
            "Rules takes modern or Bell (did you mean 'modern'?), not 'modem'"
        );
        assert_eq!(
            error(&REPETITION_DRAW_OPTION, "yes"),
            "RepetitionDraw takes true or false, not 'yes'"
        );
        assert_eq!(options, Options::default());
    }
}

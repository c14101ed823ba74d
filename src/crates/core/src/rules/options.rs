//! Options of the rules and of the engine: their definitions, the parser of their values, and the
//! current values.
//!
//! An option is defined by a constant. The type of the constant determines the type of the option's
//! values. So code can only read an option as a value of this type, and [`OptionSpec::parse_value`]
//! is the only parser of values.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;

use thiserror::Error;

use crate::notation::parsing::{did_you_mean_hint, join_with_or, quote_for_message};

/// The word that front ends write for an empty string, as in UCI.
pub const EMPTY_STRING_PLACEHOLDER: &str = "<empty>";

/// The values that an option accepts. The variants are the option types of UCI;
/// [`OptionKind::String`] is its `string`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        /// The default value of the option.
        default: bool,
    },
    /// A whole number in a range.
    Spin {
        /// The default value of the option.
        default: i64,
        /// The smallest permitted value.
        min: i64,
        /// The greatest permitted value.
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
    String,
    /// A button: the option has no value, and setting it starts an action.
    Button,
}

/// An option: its name and the values that it accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OptionSpec {
    /// The name of the option as it is shown in lists. In input, the case of the letters does not
    /// matter.
    pub name: &'static str,
    /// The meaning of the option and of its values, in one line for people. The string begins with
    /// a capital letter and has no full stop at the end.
    pub help: &'static str,
    /// The values that the option accepts, and its default.
    pub kind: OptionKind,
    /// The name and a value of another option. This option has an effect only if the other option
    /// has this value. `None` if this option always has an effect.
    pub when: Option<(&'static str, &'static str)>,
}

/// The definition of an option, with the Rust type of its values. `D` is the type of the default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TypedOption<D> {
    /// The definition of the option without its Rust type.
    pub spec: OptionSpec,
    default: D,
}

/// An option that is on or off.
pub type CheckOption = TypedOption<bool>;

/// An option with a whole number within bounds.
pub type SpinOption = TypedOption<i64>;

/// An option that accepts the words of a list. Each word stands for a value.
pub type ComboOption<T> = TypedOption<ComboChoices<T>>;

/// An option that accepts any string. The default is the empty string.
pub type StringOption = TypedOption<&'static str>;

/// The values that the words of an option stand for, in the order of the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ComboChoices<T: 'static> {
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
        /// The index of the chosen word in the list of words.
        index: usize,
        /// The word of the value.
        word: &'static str,
    },
    /// The value of a string option.
    String(String),
    /// A button option, which has no value.
    Button,
}

/// The option that makes the third occurrence of a position a draw, even if the rules ignore
/// repetition.
pub const REPETITION_DRAW_OPTION: CheckOption = OptionSpec::define_check(
    "RepetitionDraw",
    "Whether a third occurrence of a position is a draw, under rules that do not say so",
    false,
);

/// The option that names the directory of tablebase files; an empty string stands for no directory.
pub const TABLE_PATH_OPTION: StringOption =
    OptionSpec::define_string("TablePath", "Directory with files of tables of solved positions");

/// The error for a value that an option does not accept.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{option} takes {expected}{}, not {}", suggest_option_value(.expected, .found), format_entered_value(.found))]
pub struct InvalidOptionValue {
    /// The name of the option.
    pub option: &'static str,
    /// The values that the option accepts.
    pub expected: OptionKind,
    /// The value as it was entered.
    pub found: String,
}

/// The error for an invalid rule setting.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RuleSettingError {
    /// The string does not have the form `NAME=VALUE`.
    #[error("expected NAME=VALUE, found {}", quote_for_message(.found))]
    Form {
        /// The invalid setting.
        found: String,
    },
    /// The game has no such option.
    #[error("the game has no rule {}", quote_for_message(.name))]
    UnknownRule {
        /// The name in the setting.
        name: String,
    },
    /// The option does not accept the value.
    #[error(transparent)]
    Value(#[from] InvalidOptionValue),
}

impl OptionSpec {
    const fn new(name: &'static str, help: &'static str, kind: OptionKind) -> OptionSpec {
        OptionSpec { name, help, kind, when: None }
    }

    /// Defines an option that is on or off.
    pub const fn define_check(
        name: &'static str,
        help: &'static str,
        default: bool,
    ) -> CheckOption {
        TypedOption { spec: OptionSpec::new(name, help, OptionKind::Check { default }), default }
    }

    /// Defines an option with a whole number from `min` to `max`.
    pub const fn define_spin(
        name: &'static str,
        help: &'static str,
        default: i64,
        min: i64,
        max: i64,
    ) -> SpinOption {
        assert!(min <= default && default <= max, "the default is within the bounds");
        let kind = OptionKind::Spin { default, min, max };
        TypedOption { spec: OptionSpec::new(name, help, kind), default }
    }

    /// Defines an option that accepts these words. Each word stands for the value at the same
    /// index. `default` is the index of the default.
    pub const fn define_combo<T>(
        name: &'static str,
        help: &'static str,
        words: &'static [&'static str],
        values: &'static [T],
        default: usize,
    ) -> ComboOption<T> {
        assert!(words.len() == values.len(), "each word has a value");
        assert!(default < words.len(), "the default is one of the words");
        let kind = OptionKind::Combo { default, values: words };
        TypedOption {
            spec: OptionSpec::new(name, help, kind),
            default: ComboChoices { values, default },
        }
    }

    /// Defines an option that accepts any string. The default is the empty string.
    pub const fn define_string(name: &'static str, help: &'static str) -> StringOption {
        TypedOption { spec: OptionSpec::new(name, help, OptionKind::String), default: "" }
    }

    /// Defines a button: an option without a value that starts an action when it is set.
    pub const fn define_button(name: &'static str, help: &'static str) -> OptionSpec {
        OptionSpec::new(name, help, OptionKind::Button)
    }

    /// Returns the default value.
    pub fn default_value(&self) -> OptionValue {
        match self.kind {
            OptionKind::Check { default } => OptionValue::Check(default),
            OptionKind::Spin { default, .. } => OptionValue::Spin(default),
            OptionKind::Combo { default, values } => {
                OptionValue::Combo { index: default, word: values[default] }
            }
            OptionKind::String => OptionValue::String(String::new()),
            OptionKind::Button => OptionValue::Button,
        }
    }

    /// Parses a value that a person or a front end entered.
    ///
    /// # Errors
    /// If the option does not accept this value.
    pub fn parse_value(&self, text: &str) -> Result<OptionValue, InvalidOptionValue> {
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
            OptionKind::String => Some(OptionValue::String(
                if text == EMPTY_STRING_PLACEHOLDER { "" } else { text }.into(),
            )),
            OptionKind::Button => text.is_empty().then_some(OptionValue::Button),
        };
        value.ok_or_else(|| InvalidOptionValue {
            option: self.name,
            expected: self.kind,
            found: text.into(),
        })
    }
}

impl<D> TypedOption<D> {
    /// Returns the same option with a condition. The option then has an effect only if the option
    /// `other` has the value `value`.
    pub const fn with_condition(mut self, other: &OptionSpec, value: &'static str) -> TypedOption<D>
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

/// Writes the canonical string of the value, which [`OptionSpec::parse_value`] reads. For a button,
/// the string is empty.
impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValue::Check(value) => write!(f, "{value}"),
            OptionValue::Spin(value) => write!(f, "{value}"),
            OptionValue::Combo { word, .. } => f.write_str(word),
            OptionValue::String(text) => f.write_str(text),
            OptionValue::Button => Ok(()),
        }
    }
}

/// Describes the values that an option of this kind accepts, for people.
impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            OptionKind::Check { .. } => f.write_str("true or false"),
            OptionKind::Spin { min, max, .. } => write!(f, "a whole number from {min} to {max}"),
            OptionKind::Combo { values, .. } => f.write_str(&join_with_or(values)),
            OptionKind::String => f.write_str("any text"),
            OptionKind::Button => f.write_str("no value"),
        }
    }
}

/// Returns a hint for an error message: the accepted value that is most similar to `found`. The
/// hint is empty if no accepted value is similar.
fn suggest_option_value(kind: &OptionKind, found: &str) -> String {
    match *kind {
        OptionKind::Check { .. } => did_you_mean_hint(found, ["true", "false"]),
        OptionKind::Combo { values, .. } => did_you_mean_hint(found, values.iter().copied()),
        _ => String::new(),
    }
}

/// Formats a value that a person entered, for an error message: the value in quotes, or `nothing`
/// if it is empty.
fn format_entered_value(text: &str) -> String {
    if text.is_empty() { "nothing".into() } else { quote_for_message(text) }
}

/// The current values of options. An option that is not set has its default value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// The values that were set, by the names of their options. No two options have the same name.
    /// Only the methods of this type add values, so each value has the kind of its option.
    set: BTreeMap<&'static str, OptionValue>,
}

impl Options {
    /// Sets an option to the value that a person or a front end entered.
    ///
    /// # Errors
    /// If the option does not accept this value. Then nothing changes.
    pub fn set(&mut self, spec: &OptionSpec, text: &str) -> Result<(), InvalidOptionValue> {
        self.set.insert(spec.name, spec.parse_value(text)?);
        Ok(())
    }

    /// Turns an option on.
    pub fn turn_on(&mut self, option: &CheckOption) {
        self.set.insert(option.name, OptionValue::Check(true));
    }

    /// Sets a rule option of a game: one of the options in `own`, or [`REPETITION_DRAW_OPTION`].
    ///
    /// # Errors
    /// If the game has no such option, or if the option does not accept the value. Then nothing
    /// changes.
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

    /// Sets a rule option of a game from a string of the form `NAME=VALUE`.
    ///
    /// # Errors
    /// If the string has another form, or if [`Options::set_rule`] returns an error.
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
    pub fn reset_option(&mut self, spec: &OptionSpec) {
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

    /// Returns the value of a spin option.
    pub fn spin_value(&self, option: &SpinOption) -> i64 {
        match self.set.get(option.name) {
            Some(OptionValue::Spin(number)) => *number,
            _ => option.default,
        }
    }

    /// Returns the value of a combo option, which is the value of the chosen word.
    pub fn combo_value<T: Copy>(&self, option: &ComboOption<T>) -> T {
        let ComboChoices { values, default } = option.default;
        match self.set.get(option.name) {
            Some(OptionValue::Combo { index, .. }) => values[*index],
            _ => values[default],
        }
    }

    /// Returns the value of a string option.
    pub fn string_value(&self, option: &StringOption) -> &str {
        match self.set.get(option.name) {
            Some(OptionValue::String(text)) => text,
            _ => option.default,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: SpinOption = OptionSpec::define_spin("Size", "Number of files", 5, 3, 9);
    const RULES: ComboOption<char> =
        OptionSpec::define_combo("Rules", "Rule set", &["modern", "Bell"], &['m', 'b'], 0);

    #[test]
    fn values_are_checked_and_stored_in_canonical_form() {
        let mut options = Options::default();
        assert_eq!(
            (
                options.spin_value(&SIZE),
                options.combo_value(&RULES),
                options.is_on(&REPETITION_DRAW_OPTION)
            ),
            (5, 'm', false)
        );
        assert_eq!(options.set(&SIZE, "09"), Ok(()));
        assert_eq!(options.set(&RULES, "bELL"), Ok(()));
        assert_eq!(options.set(&REPETITION_DRAW_OPTION, "TRUE"), Ok(()));
        assert_eq!(
            (
                options.spin_value(&SIZE),
                options.combo_value(&RULES),
                options.is_on(&REPETITION_DRAW_OPTION)
            ),
            (9, 'b', true)
        );
        assert_eq!(options.value(&RULES).to_string(), "Bell");
    }

    #[test]
    fn strings_are_stored_unchanged() {
        let mut options = Options::default();
        for (text, value) in
            [("A b/ C", "A b/ C"), (EMPTY_STRING_PLACEHOLDER, ""), ("x", "x"), ("", "")]
        {
            assert_eq!(options.set(&TABLE_PATH_OPTION, text), Ok(()));
            assert_eq!(options.string_value(&TABLE_PATH_OPTION), value);
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

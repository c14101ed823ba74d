//! Options of the rules and of the engine: their kinds, the checks on a new value, and the values in force.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::notation::text::{did_you_mean, one_of, quoted};

/// How front ends write an empty text, as in UCI.
pub const EMPTY: &str = "<empty>";

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
        /// The value before any setting.
        default: &'static str,
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

/// The option that makes a third occurrence a draw also under rules that let repetitions pass.
pub const REPETITION_DRAW: OptionSpec = OptionSpec::check("RepetitionDraw", false);

/// The option that names the directory of tablebase files; an empty text stands for no directory.
pub const TABLE_PATH: OptionSpec = OptionSpec::string("TablePath");

/// A value that an option does not take.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{name} takes {expected}, not {found}")]
pub struct BadValue {
    name: &'static str,
    expected: String,
    found: String,
}

/// A text that sets no option of a game's rules.
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
    Value(#[from] BadValue),
}

impl OptionSpec {
    /// An option that is on or off.
    pub const fn check(name: &'static str, default: bool) -> OptionSpec {
        OptionSpec { name, kind: OptionKind::Check { default }, when: None }
    }

    /// An option that takes a whole number from `min` to `max`.
    pub const fn spin(name: &'static str, default: i64, min: i64, max: i64) -> OptionSpec {
        OptionSpec { name, kind: OptionKind::Spin { default, min, max }, when: None }
    }

    /// An option that takes one of these words; the first one is the default.
    pub const fn combo(name: &'static str, values: &'static [&'static str]) -> OptionSpec {
        OptionSpec { name, kind: OptionKind::Combo { default: values[0], values }, when: None }
    }

    /// An option that takes any text; the empty text is the default.
    pub const fn string(name: &'static str) -> OptionSpec {
        OptionSpec { name, kind: OptionKind::Text, when: None }
    }

    /// An option that does something when set.
    pub const fn button(name: &'static str) -> OptionSpec {
        OptionSpec { name, kind: OptionKind::Button, when: None }
    }

    /// The same option, which makes a difference only where the other one has this value.
    pub const fn when(self, other: &OptionSpec, value: &'static str) -> OptionSpec {
        OptionSpec { when: Some((other.name, value)), ..self }
    }

    /// The value before any setting; empty for a text and for a button.
    pub fn default_value(&self) -> String {
        match self.kind {
            OptionKind::Check { default } => default.to_string(),
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { default, .. } => default.into(),
            OptionKind::Text | OptionKind::Button => String::new(),
        }
    }

    /// The canonical form of a value that was entered.
    ///
    /// # Errors
    /// If the option does not take this value; the error says what it takes.
    pub fn read(&self, text: &str) -> Result<String, BadValue> {
        let (value, expected) = match self.kind {
            OptionKind::Check { .. } => {
                let on = text.to_ascii_lowercase().parse::<bool>().ok();
                (
                    on.map(|on| on.to_string()),
                    "true or false".to_string() + &did_you_mean(text, ["true", "false"]),
                )
            }
            OptionKind::Spin { min, max, .. } => (
                text.parse::<i64>()
                    .ok()
                    .filter(|number| (min..=max).contains(number))
                    .map(|number| number.to_string()),
                format!("a whole number from {min} to {max}"),
            ),
            OptionKind::Combo { values, .. } => (
                values
                    .iter()
                    .find(|value| value.eq_ignore_ascii_case(text))
                    .map(ToString::to_string),
                one_of(values) + &did_you_mean(text, values.iter().copied()),
            ),
            // UCI cannot write an empty value.
            OptionKind::Text => {
                (Some(if text == EMPTY { "" } else { text }.to_string()), String::new())
            }
            OptionKind::Button => (text.is_empty().then(String::new), "no value".into()),
        };
        let found = if text.is_empty() { "nothing".into() } else { quoted(text) };
        value.ok_or(BadValue { name: self.name, expected, found })
    }
}

/// The values in force. An option that was not set has its default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    set: BTreeMap<&'static str, String>,
}

impl Options {
    /// Sets an option to a value that was entered.
    ///
    /// # Errors
    /// If the option does not take this value; nothing changes then.
    pub fn set(&mut self, spec: &OptionSpec, text: &str) -> Result<(), BadValue> {
        self.set.insert(spec.name, spec.read(text)?);
        Ok(())
    }

    /// Sets one of the options of a game's rules, which are these and [`REPETITION_DRAW`], by a text `NAME=VALUE`.
    ///
    /// # Errors
    /// If the text has another form, the game has no such option, or the option does not take the value; nothing
    /// changes then.
    pub fn set_rule(&mut self, own: &[OptionSpec], text: &str) -> Result<(), RuleSettingError> {
        let parts = text.split_once('=');
        let (name, value) = parts.ok_or_else(|| RuleSettingError::Form { found: text.into() })?;
        let spec =
            own.iter().chain([&REPETITION_DRAW]).find(|spec| spec.name.eq_ignore_ascii_case(name));
        let spec = spec.ok_or_else(|| RuleSettingError::UnknownRule { name: name.into() })?;
        Ok(self.set(spec, value)?)
    }

    /// Whether an option was set.
    pub fn is_set(&self, spec: &OptionSpec) -> bool {
        self.set.contains_key(spec.name)
    }

    /// The value of an option as text.
    pub fn text(&self, spec: &OptionSpec) -> String {
        self.set.get(spec.name).cloned().unwrap_or_else(|| spec.default_value())
    }

    /// The value of a check option.
    pub fn is_on(&self, spec: &OptionSpec) -> bool {
        self.text(spec) == "true"
    }

    /// The value of a spin option.
    pub fn number(&self, spec: &OptionSpec) -> i64 {
        self.text(spec).parse().unwrap_or_default()
    }

    /// The index of the chosen word of a combo option in its list of words.
    pub fn choice(&self, spec: &OptionSpec) -> usize {
        let OptionKind::Combo { values, .. } = spec.kind else { return 0 };
        let value = self.text(spec);
        values.iter().position(|&word| word == value).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: OptionSpec = OptionSpec::spin("Size", 5, 3, 9);
    const RULES: OptionSpec = OptionSpec::combo("Rules", &["modern", "Bell"]);

    #[test]
    fn values_are_checked_and_kept_in_canonical_form() {
        let mut options = Options::default();
        assert_eq!(
            (options.number(&SIZE), options.choice(&RULES), options.is_on(&REPETITION_DRAW)),
            (5, 0, false)
        );
        assert_eq!(options.set(&SIZE, "09"), Ok(()));
        assert_eq!(options.set(&RULES, "bELL"), Ok(()));
        assert_eq!(options.set(&REPETITION_DRAW, "TRUE"), Ok(()));
        assert_eq!(
            (options.number(&SIZE), options.choice(&RULES), options.is_on(&REPETITION_DRAW)),
            (9, 1, true)
        );
        assert_eq!(options.text(&RULES), "Bell");
    }

    #[test]
    fn texts_are_taken_as_they_are() {
        let mut options = Options::default();
        for (text, value) in [("A b/ C", "A b/ C"), (EMPTY, ""), ("x", "x"), ("", "")] {
            assert_eq!(options.set(&TABLE_PATH, text), Ok(()));
            assert_eq!(options.text(&TABLE_PATH), value);
        }
    }

    #[test]
    fn bad_values_change_nothing_and_say_what_is_taken() {
        let mut options = Options::default();
        let mut refused = |spec, text| options.set(spec, text).unwrap_err().to_string();
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

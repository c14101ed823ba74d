//! Parses the flag `--level`: the name of a level, or its number.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Command, Error};

use crate::play::auto_level::AUTO_LEVEL_WORD;
use pentarch_search::strength_levels::StrengthLevel;

/// The numbers of the levels.
const LEVEL_NUMBERS: [&str; 10] = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];
/// The number of the level that adapts to the results.
const AUTO_LEVEL_NUMBER: &str = "11";

/// The parser of the flag's value.
#[derive(Clone)]
pub(super) struct StrengthLevelValueParser(PossibleValuesParser);

/// Returns the parser of the flag's value.
pub(super) fn level_parser() -> StrengthLevelValueParser {
    StrengthLevelValueParser(PossibleValuesParser::new(possible_levels()))
}

/// Returns the parser of the flag's value for games with a person. It also accepts `auto`.
pub(super) fn level_parser_with_auto() -> StrengthLevelValueParser {
    let values =
        possible_levels().chain([PossibleValue::new(AUTO_LEVEL_WORD).alias(AUTO_LEVEL_NUMBER)]);
    StrengthLevelValueParser(PossibleValuesParser::new(values))
}

fn possible_levels() -> impl Iterator<Item = PossibleValue> {
    let values = StrengthLevel::STRENGTH_LEVEL_NAMES.into_iter().zip(LEVEL_NUMBERS);
    values.map(|(name, number)| PossibleValue::new(name).alias(number))
}

/// Returns whether the value is the level that adapts to the results.
pub(super) fn is_auto(typed: &str) -> bool {
    typed == AUTO_LEVEL_NUMBER || typed.eq_ignore_ascii_case(AUTO_LEVEL_WORD)
}

impl TypedValueParser for StrengthLevelValueParser {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        typed: &OsStr,
    ) -> Result<String, Error> {
        self.0.parse_ref(command, arg, typed).map_err(|mut error| {
            let count = self.possible_values().map_or(0, Iterator::count);
            let numbers = format!("the numbers 1 to {count} are also valid");
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![numbers.into()]));
            error
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.0.possible_values()
    }
}

/// Returns the name of the level with this name or number.
pub(super) fn level_name(typed: &str) -> &str {
    LEVEL_NUMBERS
        .iter()
        .zip(StrengthLevel::STRENGTH_LEVEL_NAMES)
        .find(|(number, _)| **number == typed)
        .map_or(typed, |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_has_a_number() {
        assert!(StrengthLevel::STRENGTH_LEVEL_NAMES.len() <= LEVEL_NUMBERS.len());
        assert_eq!(
            ["1", "2", "casual", "99"].map(level_name),
            [
                StrengthLevel::STRENGTH_LEVEL_NAMES[0],
                StrengthLevel::STRENGTH_LEVEL_NAMES[1],
                "casual",
                "99"
            ]
        );
        let auto_number = StrengthLevel::STRENGTH_LEVEL_NAMES.len() + 1;
        assert_eq!(auto_number.to_string(), AUTO_LEVEL_NUMBER);
        assert!(is_auto(AUTO_LEVEL_NUMBER));
    }

    #[test]
    fn errors_say_that_numbers_are_valid() {
        for (parser, typed, numbers) in
            [(level_parser(), "11", "1 to 10"), (level_parser_with_auto(), "12", "1 to 11")]
        {
            let error = parser
                .parse_ref(&Command::new("pentarch"), None, typed.as_ref())
                .unwrap_err()
                .to_string();
            let valid = format!("the numbers {numbers} are also valid");
            assert!(error.contains("beginner, ") && error.contains(&valid), "{error}");
        }
    }
}

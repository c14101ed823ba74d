//! The flag `--level`: the name of a level, or its number.

use clap::builder::{PossibleValue, PossibleValuesParser};

use crate::search::levels::NAMES;

/// The numbers of the levels.
const NUMBERS: [&str; 10] = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];

/// What the flag takes.
pub fn parser() -> PossibleValuesParser {
    let named = |(name, number)| PossibleValue::new(name).alias(number);
    PossibleValuesParser::new(NAMES.into_iter().zip(NUMBERS).map(named))
}

/// The name of the level with this name or number.
pub fn name(typed: &str) -> &str {
    NUMBERS.iter().zip(NAMES).find(|(number, _)| **number == typed).map_or(typed, |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_has_a_number() {
        assert!(NAMES.len() <= NUMBERS.len());
        assert_eq!(["1", "2", "casual", "99"].map(name), [NAMES[0], NAMES[1], "casual", "99"]);
    }
}

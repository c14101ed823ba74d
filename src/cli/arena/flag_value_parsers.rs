//! Parses the values of the flags of `arena`.

use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use thiserror::Error;

use crate::arena::move_limit::MoveLimit;
use crate::arena::schedule::MAX_MATCH_GAMES;
use crate::cli::arguments::{MAX_NODES_ARGUMENT, number_parser};

/// A command, split into words. (clap would interpret the name `Vec` as several commands.)
pub(super) type EngineCommandWords = Vec<String>;

/// The error for a command that ends inside a quote.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("a {0} is not closed")]
pub(crate) struct UnclosedQuote(char);

/// Splits a command into words like a shell: at white space outside quotes.
///
/// # Errors
/// If a quote is not closed.
pub(super) fn split_command_words(text: &str) -> Result<EngineCommandWords, UnclosedQuote> {
    let mut words = Vec::new();
    let mut word = None::<String>;
    let mut quote = None;
    for character in text.chars() {
        match quote {
            Some(open) if open == character => quote = None,
            None if character == '"' || character == '\'' => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            None if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    quote.map_or(Ok(words), |open| Err(UnclosedQuote(open)))
}

/// The maximum for flags that count games of a match or plies of a search.
pub(super) const MAX_COUNT_ARGUMENT: u64 = MAX_MATCH_GAMES as u64;

/// Parses an Elo difference or a rating.
///
/// # Errors
/// If the text is not a number in the permitted range.
pub(super) fn parse_elo(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|elo| (-10_000.0..=10_000.0).contains(elo));
    number.ok_or_else(|| "expected a number from -10000 to 10000".into())
}

/// Parses a time in milliseconds.
///
/// # Errors
/// If the text is not such a time.
pub(super) fn parse_milliseconds(text: &str) -> Result<Duration, String> {
    number_parser(0, 1_000_000_000)(text).map(Duration::from_millis)
}

/// Parses a time for each move.
///
/// # Errors
/// If the text is not such a time.
pub(super) fn parse_move_time_limit(text: &str) -> Result<MoveLimit, String> {
    parse_milliseconds(text).map(MoveLimit::MoveTime)
}

/// Parses a time on the clock and an increment for each move.
///
/// # Errors
/// If the text is not such a time.
pub(super) fn parse_clock_limit(text: &str) -> Result<MoveLimit, String> {
    let (time, increment) = text.split_once('+').unwrap_or((text, "0"));
    Ok(MoveLimit::Clock {
        time: parse_milliseconds(time)?,
        increment: parse_milliseconds(increment)?,
    })
}

/// Parses a number of nodes for each move.
///
/// # Errors
/// If the text is not such a number.
pub(super) fn parse_node_limit(text: &str) -> Result<MoveLimit, String> {
    number_parser(1, MAX_NODES_ARGUMENT)(text).map(MoveLimit::Nodes)
}

/// Parses a limit of the search depth for each move, in plies.
///
/// # Errors
/// If the text is not such a number.
pub(super) fn parse_depth_limit(text: &str) -> Result<MoveLimit, String> {
    number_parser(1, MAX_COUNT_ARGUMENT)(text).map(MoveLimit::Depth)
}

/// Returns the parser for the number of retries after an illegal move.
pub(super) fn illegal_move_retries_parser() -> impl TypedValueParser<Value = u32> {
    PossibleValuesParser::new(["lose", "retry"]).map(|word| if word == "retry" { 3 } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_at_blanks_outside_quotes() {
        assert_eq!(split_command_words("a  b\tc").unwrap(), ["a", "b", "c"]);
        assert_eq!(
            split_command_words("sh -c 'echo \"x  y\"' \"\" d\"e f\"g").unwrap(),
            ["sh", "-c", "echo \"x  y\"", "", "de fg"]
        );
        assert_eq!(split_command_words(" ").unwrap(), [""; 0]);
        assert_eq!(split_command_words("a 'b").unwrap_err().to_string(), "a ' is not closed");
    }

    #[test]
    fn limits_are_parsed() {
        let ms = Duration::from_millis;
        assert_eq!(
            parse_clock_limit("10+5"),
            Ok(MoveLimit::Clock { time: ms(10), increment: ms(5) })
        );
        assert_eq!(
            parse_clock_limit("10"),
            Ok(MoveLimit::Clock { time: ms(10), increment: ms(0) })
        );
        assert!(
            parse_clock_limit("10+").is_err()
                && parse_clock_limit("-1").is_err()
                && parse_node_limit("0").is_err()
                && parse_depth_limit("0").is_err()
        );
    }
}

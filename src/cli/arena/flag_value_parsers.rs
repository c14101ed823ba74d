//! Parses the values of the flags of `arena`.

use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::arena::move_limit::MoveLimit;
use crate::arena::schedule::MAX_MATCH_GAMES;
use crate::cli::arguments::{MAX_NODES_ARGUMENT, number_parser, parse_milliseconds};

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
    use std::time::Duration;

    use super::*;

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

//! The parsers of values of command-line arguments.

use std::time::Duration;

use thiserror::Error;

/// Returns a parser of whole numbers from `min` to `max`. These numbers must fit into the type `T`.
pub(super) fn number_parser<T: TryFrom<u64>>(
    min: u64,
    max: u64,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| (min..=max).contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| format!("expected a whole number from {min} to {max}"))
    }
}

/// The maximum number of nodes: the protocols count them in `i64`.
pub(super) const MAX_NODES_ARGUMENT: u64 = i64::MAX as u64;

/// A command, split into words. (clap would interpret the name `Vec` as several commands.)
pub(super) type EngineCommandWords = Vec<String>;

/// The error for a command that ends inside a quote.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("a {0} is not closed")]
pub(crate) struct UnclosedQuote(char);

/// Splits a command into words as a shell does: at white space outside quotes.
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

/// Parses a time in milliseconds.
///
/// # Errors
/// If the text is not such a time.
pub(super) fn parse_milliseconds(text: &str) -> Result<Duration, String> {
    number_parser(0, 1_000_000_000)(text).map(Duration::from_millis)
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
}

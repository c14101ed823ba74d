//! Splits the line of a command into words and numbers, with their columns in the line.

use nom::branch::alt;
use nom::bytes::complete::take_till1;
use nom::character::complete::space0;
use nom::combinator::{eof, verify};
use nom::sequence::preceded;
use nom::{Offset, Parser};

use pentarch_core::notation::parsing::{FurthestParseError, ParseResult, label_expected_input};
use pentarch_engine::input_word::InputWord;

/// The characters that separate words.
pub(super) const BLANK_CHARACTERS: [char; 2] = [' ', '\t'];

/// Parses a word after blanks. At the end of the line the word is empty.
pub(crate) fn take_next_word(input: &str) -> ParseResult<'_, &str> {
    preceded(space0, parse_nonempty_word).parse(input)
}

/// Parses a word.
pub(super) fn parse_nonempty_word(input: &str) -> ParseResult<'_, &str> {
    take_till1(|character| BLANK_CHARACTERS.contains(&character)).parse(input)
}

/// Parses this word after blanks, ignoring case.
pub(super) fn parse_keyword<'a>(
    name: &'static str,
) -> impl Parser<&'a str, Output = &'a str, Error = FurthestParseError<'a>> {
    parse_or_expect_after_blanks(
        name,
        verify(parse_nonempty_word, move |word: &str| word.eq_ignore_ascii_case(name)),
    )
}

/// Skips blanks and applies a parser. The error points to the text after the blanks. The error
/// states that `what` is expected.
pub(super) fn parse_or_expect_after_blanks<'a, O>(
    what: &'static str,
    parser: impl Parser<&'a str, Output = O, Error = FurthestParseError<'a>>,
) -> impl Parser<&'a str, Output = O, Error = FurthestParseError<'a>> {
    preceded(space0, label_expected_input(what, parser))
}

/// Parses a whole number from `min` to `max` after blanks.
pub(super) fn parse_number<'a>(
    what: &'static str,
    min: i64,
    max: i64,
) -> impl Parser<&'a str, Output = i64, Error = FurthestParseError<'a>> {
    let number = parse_nonempty_word
        .map_opt(move |text: &str| text.parse().ok().filter(|number| (min..=max).contains(number)));
    parse_or_expect_after_blanks(what, number)
}

/// Applies a parser unless the line is at its end.
pub(super) fn parse_unless_at_end<'a, O>(
    parser: impl Parser<&'a str, Output = O, Error = FurthestParseError<'a>>,
) -> impl Parser<&'a str, Output = Option<O>, Error = FurthestParseError<'a>> {
    let end = preceded(space0, eof).map(|_| None);
    alt((end, parser.map(Some)))
}

/// Returns the word for this part of a line. The word gets its column in the line.
pub(super) fn input_word_with_column(line: &str, text: &str) -> InputWord {
    InputWord { text: text.into(), column: line[..line.offset(text)].chars().count() + 1 }
}

/// Returns the words for these parts of a line. Each word gets its column in the line. The parts
/// must be in the order of the line.
pub(crate) fn input_words_with_columns(line: &str, texts: Vec<&str>) -> Vec<InputWord> {
    let mut words = Vec::with_capacity(texts.len());
    let mut offset = 0;
    let mut column = 1;
    for text in texts {
        let start = line.offset(text);
        column += line[offset..start].chars().count();
        offset = start;
        words.push(InputWord { text: text.into(), column });
    }
    words
}

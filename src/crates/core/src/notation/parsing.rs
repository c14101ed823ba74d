//! Parsing of strings: the errors for positions and moves, and the nom parsers that all notations
//! share.
//!
//! A string is read in two steps. The first step checks the syntax and needs no position. Its
//! [`SyntaxError`] names the column and the input that was expected in this column. The second step
//! checks the rules. This step returns [`PositionError::Invalid`] if the rules exclude the
//! position, or [`MoveError::Illegal`] if a rule forbids the move. Both errors name the rule.

use std::error::Error;
use std::fmt::{self, Display};
use std::ops::RangeInclusive;
use std::str::FromStr;

use nom::character::complete::digit1;
use nom::error::{ErrorKind, ParseError};
use nom::{IResult, Parser};
use thiserror::Error;

use crate::Side;

/// The result of this crate's nom parsers.
pub type ParseResult<'a, T> = IResult<&'a str, T, FurthestParseError<'a>>;

/// The error of a string that does not have the expected form.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("column {column}: expected {expected}, found {found}")]
pub struct SyntaxError {
    /// The column of the error: the number of the character, counted from 1.
    pub column: usize,
    /// A description of what was expected in this column.
    pub expected: String,
    /// The token found in this column.
    pub found: FoundToken,
}

/// The token that was found at the column of an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FoundToken {
    /// The rest of a word.
    Word(String),
    /// A space.
    Space,
    /// The end of the string.
    End,
}

impl Display for FoundToken {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            FoundToken::Word(word) => f.write_str(&quote_for_message(word)),
            FoundToken::Space => f.write_str("a space"),
            FoundToken::End => f.write_str("the end"),
        }
    }
}

impl SyntaxError {
    /// Adds `characters` to the column of the error: the number of characters before the parsed
    /// part of a string.
    pub fn shifted_right(mut self, characters: usize) -> SyntaxError {
        self.column += characters;
        self
    }
}

/// An error of a position string.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PositionError {
    /// The string does not have the form of a position string.
    #[error("{0}")]
    Syntax(#[from] SyntaxError),
    /// The string is well-formed, but a rule excludes the position.
    #[error("{0}")]
    Invalid(#[from] RuleViolation),
}

impl<E: RuleError> From<E> for PositionError {
    fn from(error: E) -> PositionError {
        PositionError::Invalid(error.into())
    }
}

/// An error for a move or a position that breaks rules. Each game has an enum of these errors,
/// whose variants store the details in fields. The message of a variant is the reason, for people,
/// without ids of rules.
pub trait RuleError: Error {
    /// Returns the ids of the broken rules. A rule is a sentence in the game's [rules
    /// text](crate::Notation::RULES_TEXT). The id of the decisive rule is first. The result is
    /// empty if the game has no rules text.
    fn broken_rule_ids(&self) -> &'static [&'static str];
}

/// The data of a [`RuleError`] of any game: the broken rules, and the reason for people.
///
/// In some games, the ids of the rules are the ids of requirements. The message then begins with
/// the ids, as in `REQ.8, REQ.9: a checker ...`. In other games, the ids are plain numbers, which
/// would mean nothing to the reader of a message. These ids are only in the field `rules`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct RuleViolation {
    /// The ids of the broken rules, as in [`RuleError::broken_rule_ids`].
    pub rules: &'static [&'static str],
    /// The reason, for people.
    pub reason: String,
}

impl RuleViolation {
    /// Returns the id of the decisive rule.
    pub fn decisive_rule_id(&self) -> Option<&'static str> {
        self.rules.first().copied()
    }
}

impl Display for RuleViolation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.rules.first().is_some_and(|id| id.starts_with("REQ.")) {
            write!(f, "{}: ", self.rules.join(", "))?;
        }
        f.write_str(&self.reason)
    }
}

impl<E: RuleError> From<E> for RuleViolation {
    fn from(error: E) -> RuleViolation {
        RuleViolation { rules: error.broken_rule_ids(), reason: error.to_string() }
    }
}

/// An error of a move string.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MoveError {
    /// The string does not have the form of a move string.
    #[error("{0}")]
    Syntax(#[from] SyntaxError),
    /// A rule forbids the move.
    #[error("{0}")]
    Illegal(#[from] RuleViolation),
}

/// The error of a nom parser. The error contains the furthest position that any alternative of the
/// parser has reached, and descriptions of the expected input at this position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FurthestParseError<'a> {
    /// The rest of the input, beginning at the furthest position that was reached.
    rest: &'a str,
    expected: Vec<&'static str>,
}

impl<'a> ParseError<&'a str> for FurthestParseError<'a> {
    fn from_error_kind(rest: &'a str, _: ErrorKind) -> Self {
        FurthestParseError { rest, expected: Vec::new() }
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }

    fn or(mut self, mut other: Self) -> Self {
        match self.rest.len().cmp(&other.rest.len()) {
            std::cmp::Ordering::Less => self,
            std::cmp::Ordering::Greater => other,
            std::cmp::Ordering::Equal => {
                other.expected.retain(|what| !self.expected.contains(what));
                self.expected.extend(other.expected);
                self
            }
        }
    }
}

/// Adds a description of the expected input to a parser. If the parser fails at its first
/// character, the error says that `what` was expected there.
pub fn label_expected_input<'a, O>(
    what: &'static str,
    mut parser: impl Parser<&'a str, Output = O, Error = FurthestParseError<'a>>,
) -> impl FnMut(&'a str) -> ParseResult<'a, O> {
    move |input| {
        parser.parse(input).map_err(|error| {
            error.map(|error: FurthestParseError| {
                if error.rest.len() < input.len() && !error.expected.is_empty() {
                    error
                } else {
                    FurthestParseError { rest: input, expected: vec![what] }
                }
            })
        })
    }
}

/// Parses the whole string with this parser.
///
/// # Errors
/// A [`SyntaxError`]. If the parser fails, the error is at the furthest position that the parser
/// reached. If the parser does not read the whole string, the error is at the first character that
/// it did not read.
pub fn parse_whole_string<'a, O>(
    mut parser: impl Parser<&'a str, Output = O, Error = FurthestParseError<'a>>,
    text: &'a str,
) -> Result<O, SyntaxError> {
    match parser.parse(text) {
        Ok(("", output)) => Ok(output),
        Ok((rest, _)) => Err(syntax_error(text, rest, "the end of the text".into())),
        Err(nom::Err::Error(error) | nom::Err::Failure(error)) => {
            Err(syntax_error(text, error.rest, join_with_or(&error.expected)))
        }
        Err(nom::Err::Incomplete(_)) => Err(syntax_error(text, "", "more".into())),
    }
}

fn syntax_error(text: &str, rest: &str, expected: String) -> SyntaxError {
    let before = &text[..text.len() - rest.len()];
    let word = rest.split([' ', '\t']).next().unwrap_or_default();
    let found = match (rest.is_empty(), word.is_empty()) {
        (true, _) => FoundToken::End,
        (false, true) => FoundToken::Space,
        (false, false) => FoundToken::Word(word.into()),
    };
    SyntaxError { column: before.chars().count() + 1, expected, found }
}

/// A field of a position string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PositionField<'a> {
    /// The number of characters before the field.
    column: usize,
    /// The text of the field.
    pub text: &'a str,
}

impl<'a> PositionField<'a> {
    /// Parses the whole field with this parser.
    ///
    /// # Errors
    /// The same as for [`parse_whole_string`]. The columns of the errors count from the start of
    /// the whole position string.
    pub fn read<O>(
        self,
        parser: impl Parser<&'a str, Output = O, Error = FurthestParseError<'a>>,
    ) -> Result<O, SyntaxError> {
        parse_whole_string(parser, self.text).map_err(|error| error.shifted_right(self.column))
    }
}

/// Splits a position string into its fields, which must have exactly these names. The separators
/// are single spaces.
///
/// # Errors
/// A [`SyntaxError`] that names the first missing field, or shows the text after the last field.
pub fn split_position_fields<'a, const N: usize>(
    text: &'a str,
    names: [&str; N],
) -> Result<[PositionField<'a>; N], SyntaxError> {
    let mut rest = Some(text);
    let mut result = [PositionField::default(); N];
    for (slot, name) in result.iter_mut().zip(names) {
        let from_here = rest.unwrap_or_default();
        let (field, after) = from_here
            .split_once(' ')
            .map_or((from_here, None), |(field, after)| (field, Some(after)));
        if field.is_empty() {
            return Err(syntax_error(text, from_here, format!("the {name}")));
        }
        *slot = PositionField {
            column: text[..text.len() - from_here.len()].chars().count(),
            text: field,
        };
        rest = after;
    }
    let Some(rest) = rest else { return Ok(result) };
    let from_space = &text[text.len() - rest.len() - 1..];
    Err(syntax_error(text, from_space, format!("the end of the text after the {}", names[N - 1])))
}

/// The highest full-move number. The number does not increase beyond this value.
pub const MAX_FULL_MOVE_NUMBER: u32 = 999_999;

/// Parses a number in this range, without leading zeros.
pub fn parse_number_in_range<'a, N: FromStr + PartialOrd>(
    range: RangeInclusive<N>,
) -> impl Parser<&'a str, Output = N, Error = FurthestParseError<'a>> {
    digit1.map_opt(move |digits: &str| {
        let is_plain = digits == "0" || !digits.starts_with('0');
        digits.parse().ok().filter(|number| is_plain && range.contains(number))
    })
}

/// Parses the last field of every position string: the full-move number, 1 to 999999 without
/// leading zeros.
pub fn parse_full_move_number(input: &str) -> ParseResult<'_, u32> {
    label_expected_input(
        "a full-move number from 1 to 999999",
        parse_number_in_range(1..=MAX_FULL_MOVE_NUMBER),
    )
    .parse(input)
}

/// Returns the full-move number after a turn of this side.
pub fn next_full_move_number(number: u32, mover: Side) -> u32 {
    match mover {
        Side::First => number,
        Side::Second => (number + 1).min(MAX_FULL_MOVE_NUMBER),
    }
}

/// Returns the text with an initial capital.
pub fn capitalise(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Returns a word of the input in quotes, [truncated](truncate_word) for an error message.
pub fn quote_for_message(word: &str) -> String {
    format!("'{}'", truncate_word(word))
}

/// Shortens a word of the input to its first 40 characters, so that an error message with this word
/// fits on one line. Control characters are escaped.
pub fn truncate_word(word: &str) -> String {
    const MAX_QUOTED_WORD_CHARACTERS: usize = 40;
    let shown: String =
        word.chars().take(MAX_QUOTED_WORD_CHARACTERS).flat_map(char::escape_debug).collect();
    let dots = if word.chars().nth(MAX_QUOTED_WORD_CHARACTERS).is_some() { "..." } else { "" };
    shown + dots
}

/// Makes a text from an untrusted source safe for a terminal. Escapes control characters, marks
/// that change the direction of writing, and other invisible characters, but not line ends.
pub fn escape_for_terminal(text: &str) -> String {
    let escaped = |letter: char| match letter {
        '\n' | '\'' | '"' | '\\' => letter.to_string(),
        _ => letter.escape_debug().to_string(),
    };
    text.chars().map(escaped).collect()
}

/// The width of a page of text for people, in columns.
pub const PAGE_WIDTH_COLUMNS: usize = 78;

/// Breaks a text like [`wrap_text_to_width`], at [`PAGE_WIDTH_COLUMNS`] columns.
pub fn wrap_text(text: &str, indent: &str) -> String {
    wrap_text_to_width(text, indent, PAGE_WIDTH_COLUMNS)
}

/// Breaks a text at single spaces into lines of at most `width` columns. Only a line that is one
/// longer word may exceed this width. All lines after the first begin with `indent`.
pub fn wrap_text_to_width(text: &str, indent: &str, width: usize) -> String {
    let mut lines = Vec::new();
    let mut line = String::new();
    for (at, word) in text.split(' ').enumerate() {
        if !line.trim().is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(std::mem::replace(&mut line, indent.into()));
        } else if at > 0 {
            line.push(' ');
        }
        line += word;
    }
    lines.push(line);
    lines.join("\n")
}

/// Converts the text to ASCII, for terminals that show only ASCII. The result has `!=` for `≠`,
/// letters without their accents, and `?` for characters without an equivalent.
pub fn to_ascii(text: &str) -> String {
    let equivalent = |character: char| match character {
        '≠' => "!=".into(),
        '≡' => "==".into(),
        'ã' => "a".into(),
        _ if character.is_ascii() => character.to_string(),
        _ => "?".into(),
    };
    text.chars().map(equivalent).collect()
}

/// Joins alternatives as people write them, as in `a`, `a or b` and `a, b or c`. Returns `something
/// else` if the list is empty.
pub fn join_with_or(words: &[impl AsRef<str>]) -> String {
    match words {
        [] => "something else".into(),
        [only] => only.as_ref().into(),
        [most @ .., last] => {
            let most: Vec<&str> = most.iter().map(AsRef::as_ref).collect();
            format!("{} or {}", most.join(", "), last.as_ref())
        }
    }
}

/// Joins the first eight alternatives like [`join_with_or`], and states the number of further
/// alternatives, as in `a, b or 5 more`.
pub fn join_first_with_or(words: &[String]) -> String {
    const MAX_LISTED_ALTERNATIVES: usize = 8;
    match words.get(MAX_LISTED_ALTERNATIVES..) {
        None | Some([]) => join_with_or(words),
        Some(others) => {
            format!("{} or {} more", words[..MAX_LISTED_ALTERNATIVES].join(", "), others.len())
        }
    }
}

/// Returns the known word that was probably meant by the unknown word `word`. The result is the
/// known word with the least Damerau-Levenshtein distance, ignoring case. Returns `None` if no
/// known word is near.
pub fn nearest_known_word<'a>(
    word: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    if word.len() > 100 {
        return None;
    }
    let word = word.to_lowercase();
    known
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&word, &candidate.to_lowercase()), candidate))
        .filter(|&(distance, candidate)| {
            distance <= 1 + candidate.len() / 4 && distance < candidate.len()
        })
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// Returns the end of an error message about an unknown word, as in ` (did you mean 'x'?)`, with
/// the [nearest known word](nearest_known_word). Returns an empty string if there is no such word.
pub fn spelling_hint(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |near| format!(" (did you mean '{near}'?)"))
}

/// Returns a [hint](spelling_hint) that names the [nearest known word](nearest_known_word) to
/// `word`.
pub fn did_you_mean_hint<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    spelling_hint(nearest_known_word(word, known))
}

#[cfg(test)]
mod tests {
    use nom::branch::alt;
    use nom::bytes::complete::tag;

    use super::*;

    fn pair(input: &str) -> ParseResult<'_, (&str, &str)> {
        (
            label_expected_input("an a", tag("a")),
            alt((label_expected_input("a b", tag("b")), label_expected_input("a c", tag("c")))),
        )
            .parse(input)
    }

    #[test]
    fn errors_name_the_furthest_column_and_all_expectations() {
        let error = parse_whole_string(
            alt((
                pair,
                (label_expected_input("an x", tag("x")), label_expected_input("a y", tag("y"))),
            )),
            "az",
        )
        .unwrap_err();
        assert_eq!(error.to_string(), "column 2: expected a b or a c, found 'z'");
        let error = parse_whole_string(pair, "a").unwrap_err();
        assert_eq!(error.to_string(), "column 2: expected a b or a c, found the end");
        let error = parse_whole_string(pair, "abé f").unwrap_err();
        assert_eq!(error.to_string(), "column 3: expected the end of the text, found 'é'");
        assert_eq!(error.shifted_right(10).column, 13);
    }

    #[test]
    fn fields_are_counted_and_named() {
        assert_eq!(
            split_position_fields("ä bc", ["x", "y"]),
            Ok([PositionField { column: 0, text: "ä" }, PositionField { column: 2, text: "bc" }])
        );
        let text = |text| split_position_fields(text, ["board", "side"]).unwrap_err().to_string();
        assert_eq!(text("a"), "column 2: expected the side, found the end");
        assert_eq!(text(""), "column 1: expected the board, found the end");
        assert_eq!(text("a  b"), "column 3: expected the side, found a space");
        assert_eq!(
            text("a b cc"),
            "column 4: expected the end of the text after the side, found a space"
        );
        assert_eq!(
            text("a b "),
            "column 4: expected the end of the text after the side, found a space"
        );
    }

    #[test]
    fn full_moves_stop_at_the_last_number() {
        assert_eq!(parse_whole_string(parse_full_move_number, "1"), Ok(1));
        assert_eq!(parse_whole_string(parse_full_move_number, "999999"), Ok(999_999));
        for text in ["0", "01", "1000000", "99999999999999999999", "-1", "", "x"] {
            assert!(parse_whole_string(parse_full_move_number, text).is_err(), "{text}");
        }
        assert_eq!(next_full_move_number(7, Side::First), 7);
        assert_eq!(next_full_move_number(7, Side::Second), 8);
        assert_eq!(next_full_move_number(999_999, Side::Second), 999_999);
    }

    #[test]
    fn the_nearest_word_is_suggested_only_when_near() {
        let words = ["position", "ponderhit", "perft", "d"];
        assert_eq!(did_you_mean_hint("postion", words), " (did you mean 'position'?)");
        assert_eq!(did_you_mean_hint("PERFD", words), " (did you mean 'perft'?)");
        assert_eq!(["prefect", "x"].map(|word| did_you_mean_hint(word, words)), ["", ""]);
    }

    #[test]
    fn texts_are_wrapped_at_the_page_width() {
        let widths = |text: &str| wrap_text(text, "").lines().map(str::len).collect::<Vec<_>>();
        assert_eq!(wrap_text("", "  "), "");
        assert_eq!(widths("four ".repeat(40).trim_end()), [74, 74, 49]);
        assert_eq!(widths(&format!("a {} b", "x".repeat(90))), [1, 90, 1]);
        let indented = wrap_text(&["word"; 40].join(" "), "  ");
        assert!(indented.lines().all(|line| line.len() <= PAGE_WIDTH_COLUMNS), "{indented}");
        assert!(indented.lines().skip(1).all(|line| line.starts_with("  word")), "{indented}");
    }

    #[test]
    fn control_characters_are_escaped_for_terminals() {
        assert_eq!(
            escape_for_terminal("\u{1b}[2J\u{202e}'ã' \"\\\"\r\u{7}\n"),
            "\\u{1b}[2J\\u{202e}'ã' \"\\\"\\r\\u{7}\n"
        );
    }

    #[test]
    fn quoted_words_fit_on_a_line() {
        assert_eq!(quote_for_message("a\u{0}b"), "'a\\0b'");
        assert_eq!(quote_for_message(&"x".repeat(50)), format!("'{}...'", "x".repeat(40)));
        assert_eq!(join_with_or(&["a", "b", "c"]), "a, b or c");
    }

    #[test]
    fn long_lists_are_shortened() {
        let words = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"].map(String::from);
        assert_eq!(join_first_with_or(&words[..8]), "a, b, c, d, e, f, g or h");
        assert_eq!(join_first_with_or(&words), "a, b, c, d, e, f, g, h or 2 more");
    }
}

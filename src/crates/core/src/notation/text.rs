//! Reading texts: the error types of positions and moves, and the nom parsers that all notations share.
//!
//! A text is read in two steps. The first checks its syntax, without knowing a position, and fails with a
//! [`SyntaxError`] that names the column and what was expected there. The second checks its meaning, and fails for a
//! position that the rules do not have ([`PositionError::Invalid`]) or a move that a rule forbids
//! ([`MoveError::Illegal`]); both name the rule.

use std::error::Error;
use std::fmt::{self, Display};
use std::ops::RangeInclusive;
use std::str::FromStr;

use nom::character::complete::digit1;
use nom::error::{ErrorKind, ParseError};
use nom::{IResult, Parser};
use thiserror::Error;

use crate::Side;

/// What a nom parser of this crate returns.
pub type ParseResult<'a, T> = IResult<&'a str, T, FurthestError<'a>>;

/// A text that does not have the form asked for.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("column {column}: expected {expected}, found {found}")]
pub struct SyntaxError {
    /// The column of the error, in characters counted from 1.
    pub column: usize,
    /// What could have stood in this column, in words.
    pub expected: String,
    /// The text in this column.
    pub found: FoundToken,
}

/// The text at the place of an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FoundToken {
    /// The rest of a word.
    Word(String),
    /// A space.
    Space,
    /// The end of the text.
    End,
}

impl Display for FoundToken {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            FoundToken::Word(word) => f.write_str(&quoted(word)),
            FoundToken::Space => f.write_str("a space"),
            FoundToken::End => f.write_str("the end"),
        }
    }
}

impl SyntaxError {
    /// The same error in a longer text that has so many `characters` before the text that was read.
    pub fn shifted(mut self, characters: usize) -> SyntaxError {
        self.column += characters;
        self
    }
}

/// A position text that gives no position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PositionError {
    /// The text does not have the form of a position text.
    #[error("{0}")]
    Syntax(#[from] SyntaxError),
    /// The text is well formed, but a rule excludes the position.
    #[error("{0}")]
    Invalid(#[from] Violation),
}

impl<E: RuleError> From<E> for PositionError {
    fn from(error: E) -> PositionError {
        PositionError::Invalid(error.into())
    }
}

/// An error that names the rules that a move or a position breaks. Each game has an enum of them, with the facts in its
/// fields; the text of a variant is the reason, for people, without ids of rules.
pub trait RuleError: Error {
    /// Returns the ids of the sentences of the game's [rules text](crate::Notation::RULES_TEXT) that are broken, the
    /// decisive one first; empty if the game has no such text.
    fn rules(&self) -> &'static [&'static str];
}

/// A rule that a move or a position breaks, for callers that know no game: a [`RuleError`] of any game as data.
///
/// If the rules number requirements, the text begins with the ids: `REQ.8, REQ.9: a checker ...`. The plain numbers of
/// other rules mean nothing to a reader of the text, and are only in `rules`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct Violation {
    /// The ids of the sentences that are broken, as those of a [`RuleError`].
    pub rules: &'static [&'static str],
    /// The reason, for people.
    pub reason: String,
}

impl Violation {
    /// Returns the id of the decisive sentence.
    pub fn rule(&self) -> Option<&'static str> {
        self.rules.first().copied()
    }
}

impl Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.rules.first().is_some_and(|id| id.starts_with("REQ.")) {
            write!(f, "{}: ", self.rules.join(", "))?;
        }
        f.write_str(&self.reason)
    }
}

impl<E: RuleError> From<E> for Violation {
    fn from(error: E) -> Violation {
        Violation { rules: error.rules(), reason: error.to_string() }
    }
}

/// A move text that gives no legal move.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MoveError {
    /// The text does not have the form of a move text.
    #[error("{0}")]
    Syntax(#[from] SyntaxError),
    /// A rule forbids the move.
    #[error("{0}")]
    Illegal(#[from] Violation),
}

/// The nom error that keeps the furthest place that any branch reached, and everything that was expected there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FurthestError<'a> {
    /// The text from this place on.
    rest: &'a str,
    expected: Vec<&'static str>,
}

impl<'a> ParseError<&'a str> for FurthestError<'a> {
    fn from_error_kind(rest: &'a str, _: ErrorKind) -> Self {
        FurthestError { rest, expected: Vec::new() }
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

/// Names what a parser reads: if the parser fails where it began, the error says that `what` was expected there.
pub fn expect<'a, O>(
    what: &'static str,
    mut parser: impl Parser<&'a str, Output = O, Error = FurthestError<'a>>,
) -> impl FnMut(&'a str) -> ParseResult<'a, O> {
    move |input| {
        parser.parse(input).map_err(|error| {
            error.map(|error: FurthestError| {
                if error.rest.len() < input.len() && !error.expected.is_empty() {
                    error
                } else {
                    FurthestError { rest: input, expected: vec![what] }
                }
            })
        })
    }
}

/// Reads the whole text with this parser.
///
/// # Errors
/// A [`SyntaxError`] at the furthest place that the parser reached, or at the first character after what it read.
pub fn finish<'a, O>(
    mut parser: impl Parser<&'a str, Output = O, Error = FurthestError<'a>>,
    text: &'a str,
) -> Result<O, SyntaxError> {
    match parser.parse(text) {
        Ok(("", output)) => Ok(output),
        Ok((rest, _)) => Err(syntax_error(text, rest, "the end of the text".into())),
        Err(nom::Err::Error(error) | nom::Err::Failure(error)) => {
            Err(syntax_error(text, error.rest, or_list(&error.expected)))
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

/// A field of a position text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Field<'a> {
    /// The number of characters before it.
    column: usize,
    /// The field itself.
    pub text: &'a str,
}

impl<'a> Field<'a> {
    /// Reads the whole field with this parser.
    ///
    /// # Errors
    /// As those of [`finish`]; columns are those of the whole text.
    pub fn read<O>(
        self,
        parser: impl Parser<&'a str, Output = O, Error = FurthestError<'a>>,
    ) -> Result<O, SyntaxError> {
        finish(parser, self.text).map_err(|error| error.shifted(self.column))
    }
}

/// Splits a position text at its single spaces into exactly the fields with these names.
///
/// # Errors
/// A [`SyntaxError`] that names the first missing field, or what follows the last field.
pub fn fields<'a, const N: usize>(
    text: &'a str,
    names: [&str; N],
) -> Result<[Field<'a>; N], SyntaxError> {
    let mut rest = Some(text);
    let mut result = [Field::default(); N];
    for (slot, name) in result.iter_mut().zip(names) {
        let from_here = rest.unwrap_or_default();
        let (field, after) = from_here
            .split_once(' ')
            .map_or((from_here, None), |(field, after)| (field, Some(after)));
        if field.is_empty() {
            return Err(syntax_error(text, from_here, format!("the {name}")));
        }
        *slot = Field { column: text[..text.len() - from_here.len()].chars().count(), text: field };
        rest = after;
    }
    let Some(rest) = rest else { return Ok(result) };
    let from_space = &text[text.len() - rest.len() - 1..];
    Err(syntax_error(text, from_space, format!("the end of the text after the {}", names[N - 1])))
}

/// The highest full-move number, at which counting stops.
pub const LAST_FULL_MOVE: u32 = 999_999;

/// Reads a number of this range, without leading zeros.
pub fn number<'a, N: FromStr + PartialOrd>(
    range: RangeInclusive<N>,
) -> impl Parser<&'a str, Output = N, Error = FurthestError<'a>> {
    digit1.map_opt(move |digits: &str| {
        let is_plain = digits == "0" || !digits.starts_with('0');
        digits.parse().ok().filter(|number| is_plain && range.contains(number))
    })
}

/// Reads the last field of every position text: the full-move number, 1 to 999999 without leading zeros.
pub fn full_move(input: &str) -> ParseResult<'_, u32> {
    expect("a full-move number from 1 to 999999", number(1..=LAST_FULL_MOVE)).parse(input)
}

/// The full-move number after a turn of this side.
pub fn next_full_move(number: u32, mover: Side) -> u32 {
    match mover {
        Side::First => number,
        Side::Second => (number + 1).min(LAST_FULL_MOVE),
    }
}

/// The text with a capital letter at its beginning.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A word of the input in quotes, [shortened] for an error text.
pub fn quoted(word: &str) -> String {
    format!("'{}'", shortened(word))
}

/// A word of the input fit for one line of an error text: cut to 40 characters, with control characters escaped.
pub fn shortened(word: &str) -> String {
    const MOST: usize = 40;
    let shown: String = word.chars().take(MOST).flat_map(char::escape_debug).collect();
    let dots = if word.chars().nth(MOST).is_some() { "..." } else { "" };
    shown + dots
}

/// A text of others fit for a terminal: control characters, marks that change the direction of writing, and whatever
/// else is not seen are escaped. Ends of lines stay.
pub fn escape_for_terminal(text: &str) -> String {
    let escaped = |letter: char| match letter {
        '\n' | '\'' | '"' | '\\' => letter.to_string(),
        _ => letter.escape_debug().to_string(),
    };
    text.chars().map(escaped).collect()
}

/// The width of a page of text for people, in columns.
pub const PAGE_WIDTH: usize = 78;

/// Breaks a text at single spaces into lines of at most [`PAGE_WIDTH`] columns, if no word is longer. All lines but the
/// first begin with `indent`.
pub fn wrap(text: &str, indent: &str) -> String {
    let mut lines = Vec::new();
    let mut line = String::new();
    for (at, word) in text.split(' ').enumerate() {
        if !line.trim().is_empty() && line.chars().count() + 1 + word.chars().count() > PAGE_WIDTH {
            lines.push(std::mem::replace(&mut line, indent.into()));
        } else if at > 0 {
            line.push(' ');
        }
        line += word;
    }
    lines.push(line);
    lines.join("\n")
}

/// The text in ASCII, for terminals that show nothing else: `!=` for `≠`, letters without their accents, and `?` for
/// what has no such likeness.
pub fn to_ascii(text: &str) -> String {
    let likeness = |character: char| match character {
        '≠' => "!=".into(),
        '≡' => "==".into(),
        'ã' => "a".into(),
        _ if character.is_ascii() => character.to_string(),
        _ => "?".into(),
    };
    text.chars().map(likeness).collect()
}

/// A list of alternatives as people write it: `a`, `a or b`, `a, b or c`; without any, `something else`.
pub fn or_list(words: &[impl AsRef<str>]) -> String {
    match words {
        [] => "something else".into(),
        [only] => only.as_ref().into(),
        [most @ .., last] => {
            let most: Vec<&str> = most.iter().map(AsRef::as_ref).collect();
            format!("{} or {}", most.join(", "), last.as_ref())
        }
    }
}

/// Returns the known word that was most likely meant by an unknown one: the word with the least Damerau-Levenshtein
/// distance, in any case; `None` if no word is near.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
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

/// Returns the end of an error text about an unknown word: ` (did you mean 'x'?)` with the [nearest] word, or nothing
/// without one.
pub fn hint(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |near| format!(" (did you mean '{near}'?)"))
}

/// Returns the [hint] of the known word that is [nearest] to an unknown one.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    hint(nearest(word, known))
}

#[cfg(test)]
mod tests {
    use nom::branch::alt;
    use nom::bytes::complete::tag;

    use super::*;

    fn pair(input: &str) -> ParseResult<'_, (&str, &str)> {
        (expect("an a", tag("a")), alt((expect("a b", tag("b")), expect("a c", tag("c")))))
            .parse(input)
    }

    #[test]
    fn errors_name_the_furthest_column_and_all_that_was_expected_there() {
        let error = finish(alt((pair, (expect("an x", tag("x")), expect("a y", tag("y"))))), "az")
            .unwrap_err();
        assert_eq!(error.to_string(), "column 2: expected a b or a c, found 'z'");
        let error = finish(pair, "a").unwrap_err();
        assert_eq!(error.to_string(), "column 2: expected a b or a c, found the end");
        let error = finish(pair, "abé f").unwrap_err();
        assert_eq!(error.to_string(), "column 3: expected the end of the text, found 'é'");
        assert_eq!(error.shifted(10).column, 13);
    }

    #[test]
    fn fields_are_counted_and_named() {
        assert_eq!(
            fields("ä bc", ["x", "y"]),
            Ok([Field { column: 0, text: "ä" }, Field { column: 2, text: "bc" }])
        );
        let text = |text| fields(text, ["board", "side"]).unwrap_err().to_string();
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
        assert_eq!(finish(full_move, "1"), Ok(1));
        assert_eq!(finish(full_move, "999999"), Ok(999_999));
        for text in ["0", "01", "1000000", "99999999999999999999", "-1", "", "x"] {
            assert!(finish(full_move, text).is_err(), "{text}");
        }
        assert_eq!(next_full_move(7, Side::First), 7);
        assert_eq!(next_full_move(7, Side::Second), 8);
        assert_eq!(next_full_move(999_999, Side::Second), 999_999);
    }

    #[test]
    fn the_nearest_word_is_offered_only_when_near() {
        let words = ["position", "ponderhit", "perft", "d"];
        assert_eq!(did_you_mean("postion", words), " (did you mean 'position'?)");
        assert_eq!(did_you_mean("PERFD", words), " (did you mean 'perft'?)");
        assert_eq!(["prefect", "x"].map(|word| did_you_mean(word, words)), ["", ""]);
    }

    #[test]
    fn texts_are_wrapped_at_the_width_of_a_page() {
        let widths = |text: &str| wrap(text, "").lines().map(str::len).collect::<Vec<_>>();
        assert_eq!(wrap("", "  "), "");
        assert_eq!(widths("four ".repeat(40).trim_end()), [74, 74, 49]);
        assert_eq!(widths(&format!("a {} b", "x".repeat(90))), [1, 90, 1]);
        let indented = wrap(&["word"; 40].join(" "), "  ");
        assert!(indented.lines().all(|line| line.len() <= PAGE_WIDTH), "{indented}");
        assert!(indented.lines().skip(1).all(|line| line.starts_with("  word")), "{indented}");
    }

    #[test]
    fn what_a_terminal_acts_on_is_escaped() {
        assert_eq!(
            escape_for_terminal("\u{1b}[2J\u{202e}'ã' \"\\\"\r\u{7}\n"),
            "\\u{1b}[2J\\u{202e}'ã' \"\\\"\\r\\u{7}\n"
        );
    }

    #[test]
    fn quoted_words_fit_on_a_line() {
        assert_eq!(quoted("a\u{0}b"), "'a\\0b'");
        assert_eq!(quoted(&"x".repeat(50)), format!("'{}...'", "x".repeat(40)));
        assert_eq!(or_list(&["a", "b", "c"]), "a, b or c");
    }
}

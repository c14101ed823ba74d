//! Parses and formats the parts of GTP lines: requests, colours, players, vertices and numbers.

use std::time::Duration;

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::take_till;
use nom::character::complete::{digit1, space0};
use nom::combinator::{eof, opt, peek};
use nom::multi::many0;
use nom::sequence::{preceded, terminated};

use crate::protocol::ugi::word_parsers::{input_words_with_columns, take_next_word};
use pentarch_core::notation::parsing::{ParseResult, parse_whole_string};
use pentarch_core::{Point, Side};
use pentarch_engine::input_word::InputWord;

use super::error::{GtpArgument, GtpError};
use super::partial_move::BoardClick;

/// Returns whether a line stops the searches of all earlier lines: `# interrupt` or `quit`.
pub fn is_interrupt_or_quit_line(line: &str) -> bool {
    let is_interrupt =
        line.trim().strip_prefix('#').is_some_and(|comment| comment.trim() == "interrupt");
    let line = preprocess_line(line);
    let is_quit =
        parse_whole_string(|input| parse_gtp_request(&line, input), &line).is_ok_and(|request| {
            request.name.eq_ignore_ascii_case("quit") && request.arguments.is_empty()
        });
    is_interrupt || is_quit
}

/// Removes comments and control characters from a line, and replaces tabs with spaces.
pub fn preprocess_line(line: &str) -> String {
    let text = line.split('#').next().unwrap_or_default().replace('\t', " ");
    text.chars().filter(|character| !character.is_control()).collect()
}

/// Returns whether a line without comments is empty. GTP treats only spaces as blanks.
pub(super) fn is_blank_line(line: &str) -> bool {
    line.trim_matches(' ').is_empty()
}

/// A command, and the number that the response repeats.
pub(super) struct GtpRequest<'a> {
    /// The digits of the number; empty if there is none.
    pub id: &'a str,
    /// The name of the command; empty if the line has only a number.
    pub name: &'a str,
    /// The words after the name.
    pub arguments: Vec<InputWord>,
}

/// Parses a line without comments.
pub(super) fn parse_gtp_request<'a>(
    line: &'a str,
    input: &'a str,
) -> ParseResult<'a, GtpRequest<'a>> {
    let end = peek(preceded(space0, eof));
    let id = preceded(space0, terminated(digit1, peek(alt((take_next_word, end)))));
    let (rest, id) = opt(id).parse(input)?;
    let first_word = preceded(space0, take_till(|character| character == ' '));
    let (rest, (name, arguments)) =
        terminated((first_word, many0(take_next_word)), space0).parse(rest)?;
    Ok((
        rest,
        GtpRequest {
            id: id.unwrap_or_default(),
            name,
            arguments: input_words_with_columns(line, arguments),
        },
    ))
}

/// Returns the argument with this index. `expected` names the argument in the error.
///
/// # Errors
/// If the command has fewer arguments.
pub(super) fn argument_at<'a>(
    words: &'a [InputWord],
    at: usize,
    expected: &'static str,
) -> Result<&'a str, GtpError> {
    words.get(at).map(|word| word.text.as_str()).ok_or(GtpError::Missing { expected })
}

/// Returns the side with this colour. Black moves first.
///
/// # Errors
/// If the text is not a colour.
pub(super) fn parse_colour(text: &str) -> Result<Side, GtpError> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Side::First),
        "w" | "white" => Ok(Side::Second),
        _ => Err(GtpArgument::Colour.invalid_argument_error(text)),
    }
}

/// Returns the colour of a side.
pub fn side_colour(side: Side) -> &'static str {
    match side {
        Side::First => "black",
        Side::Second => "white",
    }
}

/// Returns the name of a side with its stones: `white (black stones)`. The first side always has
/// the black stones, whatever its name is in the game.
pub(super) fn side_name_with_stone_colour(sides: [&str; 2], side: Side) -> String {
    format!("{} ({} stones)", sides[side.index()], side_colour(side))
}

/// Parses a number of seconds.
///
/// # Errors
/// If the text is not a number, or if the number is out of range.
pub(super) fn parse_seconds(text: &str) -> Result<Duration, GtpError> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.0..=1e9).contains(seconds));
    seconds
        .map(Duration::from_secs_f64)
        .ok_or_else(|| GtpArgument::Seconds.invalid_argument_error(text))
}

/// Parses a number of stones.
///
/// # Errors
/// If the text is not a whole number, or if the number is out of range.
pub(super) fn parse_stone_count(text: &str) -> Result<u32, GtpError> {
    text.parse().map_err(|_| GtpArgument::Stones.invalid_argument_error(text))
}

/// Returns the name of a point. The column letters skip I: file 8 is `J`.
pub fn vertex_name(point: Point) -> String {
    let letter = point.file + u8::from(point.file >= 8);
    format!("{}{}", char::from(b'A' + letter), point.rank + 1)
}

/// Parses a vertex or `pass` on a board of this size.
///
/// # Errors
/// If the text is neither `pass` nor a vertex of the board.
pub(super) fn parse_click(text: &str, size: u8) -> Result<BoardClick, GtpError> {
    if text.eq_ignore_ascii_case("pass") {
        return Ok(BoardClick::Pass);
    }
    let points = (0..size).flat_map(|file| (0..size).map(move |rank| Point::new(file, rank)));
    let found = { points }.find(|&point| vertex_name(point).eq_ignore_ascii_case(text));
    found.map(BoardClick::At).ok_or_else(|| invalid_vertex_error(text, size))
}

/// Returns the reason why a text is not a vertex of a board of this size.
fn invalid_vertex_error(text: &str, size: u8) -> GtpError {
    let last = vertex_name(Point::new(size.saturating_sub(1), size.saturating_sub(1)));
    let last_column = last.chars().next().unwrap_or('A');
    let column = text
        .chars()
        .next()
        .filter(char::is_ascii_alphabetic)
        .map(|column| column.to_ascii_uppercase());
    let row = text
        .get(1..)
        .filter(|row| !row.is_empty() && row.bytes().all(|digit| digit.is_ascii_digit()));
    match column.zip(row) {
        Some(('I', _)) => GtpError::ColumnI,
        Some((column, _)) if column > last_column => GtpError::Column { column, last: last_column },
        Some((_, row)) => GtpError::Row { row: row.into(), last: size },
        None => GtpArgument::Vertex { last }.invalid_argument_error(text),
    }
}

/// Formats an input in GTP notation.
pub(super) fn format_click(click: BoardClick) -> String {
    match click {
        BoardClick::At(point) => vertex_name(point),
        BoardClick::Pass => "PASS".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_skip_the_letter_i() {
        let names = [(0, 0), (7, 8), (8, 1), (9, 9), (20, 20)]
            .map(|(file, rank)| vertex_name(Point::new(file, rank)));
        assert_eq!(names, ["A1", "H9", "J2", "K10", "V21"]);
    }
}

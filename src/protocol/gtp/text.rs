//! The texts of GTP: lines, requests, colours, players, vertices and numbers.

use std::time::Duration;

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::take_till;
use nom::character::complete::{digit1, space0};
use nom::combinator::{eof, opt, peek};
use nom::multi::many0;
use nom::sequence::{preceded, terminated};

use crate::protocol::ugi::words::{word, words_at};
use pentarch_core::notation::text::{ParseResult, finish};
use pentarch_core::{Point, Side};
use pentarch_engine::input_word::Word;

use super::error::{Argument, GtpError};
use super::half_made_move::Click;

/// Whether a line stops the searches of all lines before it: the comment `# interrupt` and the command `quit` do.
pub fn ends_searches(line: &str) -> bool {
    let is_interrupt =
        line.trim().strip_prefix('#').is_some_and(|comment| comment.trim() == "interrupt");
    let is_quit = |line: &str| {
        let parsed = finish(|input| request(line, input), line);
        parsed.is_ok_and(|request| {
            request.name.eq_ignore_ascii_case("quit") && request.arguments.is_empty()
        })
    };
    is_interrupt || is_quit(&cleaned(line))
}

/// A line without its comment and control characters, and with spaces for tabs.
pub fn cleaned(line: &str) -> String {
    let text = line.split('#').next().unwrap_or_default().replace('\t', " ");
    text.chars().filter(|character| !character.is_control()).collect()
}

/// Whether nothing is in a [cleaned] line. Other white space than spaces is no part of GTP.
pub fn is_blank(line: &str) -> bool {
    line.trim_matches(' ').is_empty()
}

/// A command with the number that its answer repeats.
pub struct Request<'a> {
    /// The digits of the number; empty if there is none.
    pub id: &'a str,
    /// The name of the command; empty if there is only a number.
    pub name: &'a str,
    /// The words after the name.
    pub arguments: Vec<Word>,
}

/// Parses a [cleaned] line.
pub fn request<'a>(line: &'a str, input: &'a str) -> ParseResult<'a, Request<'a>> {
    let end = || peek(preceded(space0, eof));
    let id = preceded(space0, terminated(digit1, peek(alt((word, end())))));
    let (rest, id) = opt(id).parse(input)?;
    let first_word = preceded(space0, take_till(|character| character == ' '));
    let (rest, (name, arguments)) = terminated((first_word, many0(word)), space0).parse(rest)?;
    Ok((rest, Request { id: id.unwrap_or_default(), name, arguments: words_at(line, arguments) }))
}

/// The argument of a command at this place, from 0. `expected` names what the command takes, for the error.
///
/// # Errors
/// If the command was given fewer arguments.
pub fn argument<'a>(
    words: &'a [Word],
    at: usize,
    expected: &'static str,
) -> Result<&'a str, GtpError> {
    words.get(at).map(|word| word.text.as_str()).ok_or(GtpError::Missing { expected })
}

/// The side with this colour, of which black moves first.
///
/// # Errors
/// If the text is no colour.
pub fn side_of(text: &str) -> Result<Side, GtpError> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Side::First),
        "w" | "white" => Ok(Side::Second),
        _ => Err(Argument::Colour.not(text)),
    }
}

/// The colour of a side.
pub fn colour(side: Side) -> &'static str {
    match side {
        Side::First => "black",
        Side::Second => "white",
    }
}

/// A side of a game with these sides, by its name and by its stones, since black stones are the first side whatever the
/// game calls it: `white (black stones)`.
pub fn player(sides: [&str; 2], side: Side) -> String {
    format!("{} ({} stones)", sides[side.index()], colour(side))
}

/// A number of seconds.
///
/// # Errors
/// If the text is no number, or the number is out of range.
pub fn time(text: &str) -> Result<Duration, GtpError> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.0..=1e9).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| Argument::Seconds.not(text))
}

/// A number of stones.
///
/// # Errors
/// If the text is no whole number, or the number is out of range.
pub fn count(text: &str) -> Result<u32, GtpError> {
    text.parse().map_err(|_| Argument::Stones.not(text))
}

/// The name of a point, whose column letters leave out I: file 8 is `J`.
pub fn vertex(point: Point) -> String {
    let letter = point.file + u8::from(point.file >= 8);
    format!("{}{}", char::from(b'A' + letter), point.rank + 1)
}

/// The input that a vertex or `pass` stands for, on a board of this size.
///
/// # Errors
/// If the text is neither `pass` nor a vertex of the board.
pub fn click_at(text: &str, size: u8) -> Result<Click, GtpError> {
    if text.eq_ignore_ascii_case("pass") {
        return Ok(Click::Pass);
    }
    let points = (0..size).flat_map(|file| (0..size).map(move |rank| Point::new(file, rank)));
    let found = { points }.find(|&point| vertex(point).eq_ignore_ascii_case(text));
    found.map(Click::At).ok_or_else(|| no_vertex(text, size))
}

/// Why a text is no vertex of a board of this size.
fn no_vertex(text: &str, size: u8) -> GtpError {
    let last = vertex(Point::new(size.saturating_sub(1), size.saturating_sub(1)));
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
        None => Argument::Vertex { last }.not(text),
    }
}

/// An input as GTP writes it.
pub fn click_text(click: Click) -> String {
    match click {
        Click::At(point) => vertex(point),
        Click::Pass => "PASS".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_skip_the_letter_i() {
        let names = [(0, 0), (7, 8), (8, 1), (9, 9), (20, 20)]
            .map(|(file, rank)| vertex(Point::new(file, rank)));
        assert_eq!(names, ["A1", "H9", "J2", "K10", "V21"]);
    }
}

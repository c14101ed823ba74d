//! Parses the strings of moves.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag_no_case;
use nom::combinator::{eof, opt};
use nom::multi::many_till;
use nom::sequence::{pair, preceded, terminated};

use pentarch_core::notation::points::point_any_case;
use pentarch_core::notation::text::{ParseResult, expect, parse_whole};
use pentarch_core::{Point, SyntaxError};

/// A move as written. Its points are not checked yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedMove {
    /// The point that is huffed, which follows `h`.
    pub huffed: Option<Point>,
    /// The points of the path: at least two, or none if the move is only a huff.
    pub path: Vec<Point>,
}

/// Parses the string of a move.
///
/// # Errors
/// If the string does not have the form of a move.
pub(crate) fn parse_move(text: &str) -> Result<ParsedMove, SyntaxError> {
    let to = || expect("a point to go to", point_any_case);
    let path = (expect("a point", point_any_case), to(), many_till(to(), end_of_string));
    let path = path.map(|(from, to, (more, _))| [vec![from, to], more].concat());
    let huff = || preceded(tag_no_case("h"), point_any_case);
    let huff_only = terminated(huff(), end_of_string)
        .map(|huffed| ParsedMove { huffed: Some(huffed), path: Vec::new() });
    let with_path = pair(opt(huff()), path).map(|(huffed, path)| ParsedMove { huffed, path });
    parse_whole(alt((huff_only, with_path)), text)
}

/// Parses the end of the string.
pub(crate) fn end_of_string(input: &str) -> ParseResult<'_, &str> {
    expect("the end", eof).parse(input)
}

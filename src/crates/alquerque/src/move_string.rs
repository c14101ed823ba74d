//! Parses the strings of moves.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag_no_case;
use nom::combinator::{eof, opt};
use nom::sequence::{pair, preceded, terminated};

use pentarch_core::notation::move_path::{
    WrittenMovePath, parse_move_path, parse_move_path_separator,
};
use pentarch_core::notation::parsing::{ParseResult, label_expected_input, parse_whole_string};
use pentarch_core::notation::points::parse_point_ignoring_case;
use pentarch_core::{Point, SyntaxError};

/// A move as written, whose points have not been checked yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedMove {
    /// The huffed point, which follows `h`.
    pub huffed: Option<Point>,
    /// The path; `None` if the move is only a huff.
    pub path: Option<WrittenMovePath>,
}

/// Parses the string of a move.
///
/// # Errors
/// If the string does not have the form of a move.
pub(crate) fn parse_move(text: &str) -> Result<ParsedMove, SyntaxError> {
    let huff = || preceded(tag_no_case("h"), parse_point_ignoring_case);
    let huff_only = terminated(huff(), parse_end_of_string)
        .map(|huffed| ParsedMove { huffed: Some(huffed), path: None });
    let huff_first = terminated(huff(), opt(parse_move_path_separator));
    let with_path = pair(opt(huff_first), label_expected_input("a point", parse_move_path))
        .map(|(huffed, path)| ParsedMove { huffed, path: Some(path) });
    parse_whole_string(alt((huff_only, with_path)), text)
}

pub(crate) fn parse_end_of_string(input: &str) -> ParseResult<'_, &str> {
    label_expected_input("the end", eof).parse(input)
}

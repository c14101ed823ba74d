//! The parser of move strings, for two and for four players.

use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{char, one_of};
use nom::combinator::{eof, value};
use nom::sequence::{delimited, pair, separated_pair};

use pentarch_core::notation::parsing::{
    FurthestParseError, ParseResult, label_expected_input, parse_number_in_range,
    parse_whole_string,
};
use pentarch_core::notation::points::parse_point_ignoring_case;
use pentarch_core::{Point, SyntaxError};

use super::walls::WallDirection;

/// A move as the string names it. Its square or wall need not be on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UncheckedMove {
    /// A pawn move to a point.
    Pawn(Point),
    /// A wall, named by a point and a direction.
    Wall(Point, WallDirection),
}

/// Parses a move string.
///
/// # Errors
/// If the string does not have the form of a move.
pub(crate) fn parse_move(text: &str) -> Result<UncheckedMove, SyntaxError> {
    if text.starts_with('(') {
        return parse_whole_string(parse_numeric_coordinates, text).map(UncheckedMove::Pawn);
    }
    let rest = alt((
        parse_wall_direction("hH", "vV").map(Some),
        value(None, label_expected_input("the end of the text", eof)),
    ));
    let (point, direction) = parse_whole_string(pair(parse_point_ignoring_case, rest), text)?;
    Ok(direction
        .map_or(UncheckedMove::Pawn(point), |direction| UncheckedMove::Wall(point, direction)))
}

/// Parses the direction of a wall: one letter of `horizontal` or of `vertical`.
pub(crate) fn parse_wall_direction<'a>(
    horizontal: &'static str,
    vertical: &'static str,
) -> impl Parser<&'a str, Output = WallDirection, Error = FurthestParseError<'a>> {
    let horizontal =
        value(WallDirection::Horizontal, label_expected_input("h", one_of(horizontal)));
    alt((horizontal, value(WallDirection::Vertical, label_expected_input("v", one_of(vertical)))))
}

/// Parses a square by its column and its row, both counted from 1: `(5,1)` for `e1`.
fn parse_numeric_coordinates(input: &str) -> ParseResult<'_, Point> {
    // Point names end at z99.
    let column = label_expected_input("the number of a column", parse_number_in_range(1..=26));
    let row = label_expected_input("the number of a row", parse_number_in_range(1..=99));
    let pair = separated_pair(column, label_expected_input("a comma", char(',')), row);
    let (rest, (file, rank)) =
        delimited(char('('), pair, label_expected_input(")", char(')'))).parse(input)?;
    Ok((rest, Point::new(file - 1, rank - 1)))
}

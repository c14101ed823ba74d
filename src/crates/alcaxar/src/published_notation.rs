//! Positions in the notation of the rules' source: `Red Knight: b8 / Green Knight: h2 / Walls: b5,
//! c6, d7, e8, e2, f3, g4, h5`.
//!
//! The notation contains neither the wall that was moved last nor the full-move number. So a parsed
//! position has no last moved wall, and its full-move number is 1. Red is to move, unless the
//! string ends with `/ Green to move`.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag_no_case;
use nom::character::complete::{char, multispace0, multispace1};
use nom::combinator::{cut, eof, value};
use nom::multi::many0;
use nom::sequence::{delimited, pair, preceded};

use pentarch_core::notation::parsing::{FurthestParseError, ParseResult, label_expected_input};
use pentarch_core::notation::points::parse_point_ignoring_case;
use pentarch_core::{Point, Side};

use super::board::{Square, iter_slots};
use super::position::Position;

/// The parsed contents of a string in this notation. The points have not been checked yet.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ParsedPublishedPosition {
    /// The points of the knights, red's first.
    pub knights: [Point; 2],
    /// The points of the walls, in the order of the string.
    pub walls: Vec<Point>,
    /// The side to move.
    pub side: Side,
}

/// Returns whether a position string is in this notation: it starts with "red" in any case.
pub(crate) fn is_in_published_notation(text: &str) -> bool {
    text.get(..3).is_some_and(|begin| begin.eq_ignore_ascii_case("red"))
}

/// Parses a whole string in this notation. The case of words and points does not matter. The walls
/// may be in any order, separated by commas or blanks.
pub(crate) fn parse_published_position(input: &str) -> ParseResult<'_, ParsedPublishedPosition> {
    let slash = || delimited(multispace0, label_expected_input("/", char('/')), multispace0);
    let slot = || label_expected_input("a wall slot", parse_point_ignoring_case);
    let after_comma = preceded((multispace0, char(','), multispace0), cut(slot()));
    let walls = pair(slot(), many0(alt((after_comma, preceded(multispace1, slot())))));
    let red = preceded(
        parse_keywords("Red Knight:"),
        label_expected_input("a square", parse_point_ignoring_case),
    );
    let green = preceded(
        (slash(), parse_keywords("Green Knight:")),
        label_expected_input("a square", parse_point_ignoring_case),
    );
    let walls = preceded((slash(), parse_keywords("Walls:")), walls);
    let green_to_move = value(Side::Second, parse_keywords("Green to move"));
    let nobody = value(Side::First, preceded(multispace0, eof));
    let side = alt((nobody, preceded(slash(), green_to_move)));
    (red, green, walls, side)
        .map(|(red, green, (first, others), side)| ParsedPublishedPosition {
            knights: [red, green],
            walls: [vec![first], others].concat(),
            side,
        })
        .parse(input)
}

/// Parses the string `words` and the white space around it, ignoring case.
fn parse_keywords<'a>(
    words: &'static str,
) -> impl Parser<&'a str, Output = &'a str, Error = FurthestParseError<'a>> {
    delimited(multispace0, label_expected_input(words, tag_no_case(words)), multispace0)
}

pub(crate) fn format_published_position(position: &Position) -> String {
    let [red, green] = position.knights.map(Square::point);
    let walls: Vec<String> =
        iter_slots(position.walls).map(|slot| slot.point().to_string()).collect();
    let side = match position.side {
        Side::First => "",
        Side::Second => " / Green to move",
    };
    format!("Red Knight: {red} / Green Knight: {green} / Walls: {}{side}", walls.join(", "))
}

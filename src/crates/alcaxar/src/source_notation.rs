//! Positions as the source of the rules writes them:
//! `Red Knight: b8 / Green Knight: h2 / Walls: b5, c6, d7, e8, e2, f3, g4, h5`.
//!
//! Such a text says nothing of the wall that was moved last and of the full-move number: it stands for a position
//! without the one, and with the number 1. Red is to move unless the text goes on with `/ Green to move`.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag_no_case;
use nom::character::complete::{char, multispace0, multispace1};
use nom::combinator::{cut, eof, value};
use nom::multi::many0;
use nom::sequence::{delimited, pair, preceded};

use pentarch_core::notation::points::point_any_case;
use pentarch_core::notation::text::{FurthestError, ParseResult, expect};
use pentarch_core::{Point, Side};

use super::board::{Square, slots};
use super::position::Position;

/// What such a text says, its points not checked yet.
#[derive(Debug, PartialEq, Eq)]
pub struct SourceText {
    /// The points of the knights, red's first.
    pub knights: [Point; 2],
    /// The points of the walls, in the order of the text.
    pub walls: Vec<Point>,
    /// The side to move.
    pub side: Side,
}

/// Whether a position text is meant to be in this notation.
pub fn is_meant(text: &str) -> bool {
    text.get(..3).is_some_and(|begin| begin.eq_ignore_ascii_case("red"))
}

/// Parses a whole text in this notation. Words and points may have any case; walls may have any order, with commas or
/// blanks between them.
pub fn published_position(input: &str) -> ParseResult<'_, SourceText> {
    let slash = || delimited(multispace0, expect("/", char('/')), multispace0);
    let slot = || expect("a wall slot", point_any_case);
    let after_comma = preceded((multispace0, char(','), multispace0), cut(slot()));
    let walls = pair(slot(), many0(alt((after_comma, preceded(multispace1, slot())))));
    let red = preceded(named("Red Knight:"), expect("a square", point_any_case));
    let green = preceded((slash(), named("Green Knight:")), expect("a square", point_any_case));
    let walls = preceded((slash(), named("Walls:")), walls);
    let green_to_move = value(Side::Second, named("Green to move"));
    let nobody = value(Side::First, preceded(multispace0, eof));
    let side = alt((nobody, preceded(slash(), green_to_move)));
    (red, green, walls, side)
        .map(|(red, green, (first, others), side)| SourceText {
            knights: [red, green],
            walls: [vec![first], others].concat(),
            side,
        })
        .parse(input)
}

/// Parses these words, in any case, and the white space after them.
fn named<'a>(
    words: &'static str,
) -> impl Parser<&'a str, Output = &'a str, Error = FurthestError<'a>> {
    delimited(multispace0, expect(words, tag_no_case(words)), multispace0)
}

/// The text of a position in this notation.
pub fn print(position: &Position) -> String {
    let [red, green] = position.knights.map(Square::point);
    let walls: Vec<String> = slots(position.walls).map(|slot| slot.point().to_string()).collect();
    let side = match position.side {
        Side::First => "",
        Side::Second => " / Green to move",
    };
    format!("Red Knight: {red} / Green Knight: {green} / Walls: {}{side}", walls.join(", "))
}

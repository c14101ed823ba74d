//! Paths in move strings. A path is written as two or more points, with or without separators.
//! Examples are `e3e4`, `e3-e4`, and `c3xe5xg3` in draughts notation.

use nom::Parser;
use nom::branch::alt;
use nom::character::complete::one_of;
use nom::combinator::{cut, eof};
use nom::multi::many_till;
use nom::sequence::preceded;

use crate::Point;
use crate::notation::parsing::{ParseResult, label_expected_input};
use crate::notation::points::parse_point_ignoring_case;

/// A path as it is written in a move string, with at least two points. The path has not been
/// checked against the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenMovePath {
    /// The points of the path, in the order of the string.
    pub points: Vec<Point>,
    /// Whether the string may be a short form of the path, in which `points` contains only the
    /// first and the last point. Draughts notation shortens captures to these two points, with a
    /// separator.
    pub may_be_shortened: bool,
}

/// Parses a path up to the end of the string. One separator may precede each point after the first.
pub fn parse_move_path(input: &str) -> ParseResult<'_, WrittenMovePath> {
    let (rest, first) = parse_point_ignoring_case(input)?;
    let (rest, second) = parse_move_path_point(rest)?;
    let (rest, (others, _)) = many_till(parse_move_path_point, eof).parse(rest)?;
    let may_be_shortened = second.has_separator && others.is_empty();
    let stops = std::iter::once(second).chain(others).map(|stop| stop.point);
    let points = std::iter::once(first).chain(stops).collect();
    Ok((rest, WrittenMovePath { points, may_be_shortened }))
}

/// A point of a path after the first point, and whether a separator precedes it.
struct MovePathPoint {
    point: Point,
    has_separator: bool,
}

fn parse_move_path_point(input: &str) -> ParseResult<'_, MovePathPoint> {
    let with_separator = preceded(parse_move_path_separator, cut(parse_point_ignoring_case))
        .map(|point| MovePathPoint { point, has_separator: true });
    let bare = parse_point_ignoring_case.map(|point| MovePathPoint { point, has_separator: false });
    alt((with_separator, bare)).parse(input)
}

/// Parses a separator between two points: `-`, `x`, `:` or `*`.
pub fn parse_move_path_separator(input: &str) -> ParseResult<'_, char> {
    label_expected_input("-, x, :, *", one_of("-xX:*")).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parsing::parse_whole_string;

    #[test]
    fn separators_are_optional_and_make_two_points_a_shortened_path() {
        let read = |text| {
            parse_whole_string(parse_move_path, text).map(|path| {
                let points: String = path.points.iter().map(Point::to_string).collect();
                (points, path.may_be_shortened)
            })
        };
        for (text, points, may_be_shortened) in [
            ("c4c2", "c4c2", false),
            ("c4-c2", "c4c2", true),
            ("C4Xc2", "c4c2", true),
            ("c4:c2", "c4c2", true),
            ("c4*c2", "c4c2", true),
            ("c4xc2:a2", "c4c2a2", false),
            ("c4c2-a2", "c4c2a2", false),
        ] {
            assert_eq!(read(text), Ok((points.into(), may_be_shortened)), "{text}");
        }
        for text in ["c4", "c4-", "-c4c2", "c4--c2", "c4:*c2", "c4c2-", "c4+c2"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}

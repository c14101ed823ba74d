//! Points of a board: a file letter and a rank number, as in `e4` or `k11`.

use std::fmt;

use nom::Parser;
use nom::character::complete::satisfy;

use crate::Side;
use crate::notation::parsing::{ParseResult, label_expected_input, parse_number_in_range};

/// A point with a file and a rank, both counted from 0. The point `a1` has file 0 and rank 0. A
/// point need not be on a board.
///
/// Points are ordered by file, then by rank. Up to rank 9, this is the alphabetical order of the
/// points' names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// The file, from 0 for `a` to 25 for `z`.
    pub file: u8,
    /// The rank, from 0 for rank 1 to 98 for rank 99.
    pub rank: u8,
}

impl Point {
    /// Creates the point on this file and rank, both counted from 0.
    pub const fn new(file: u8, rank: u8) -> Point {
        Point { file, rank }
    }

    /// Returns the point `files` files to the right and `ranks` ranks up. Returns `None` if the
    /// result would be outside the files `a` to `z` or the ranks 1 to 99.
    #[inline]
    pub fn offset_by(self, files: i8, ranks: i8) -> Option<Point> {
        let file = self.file.checked_add_signed(files).filter(|&file| file < 26)?;
        let rank = self.rank.checked_add_signed(ranks).filter(|&rank| rank < 99)?;
        Some(Point { file, rank })
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", file_letter(self.file), self.rank + 1)
    }
}

/// A reflection of a board. If both fields are `true`, the reflection is a rotation by half a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoardReflection {
    /// Whether the last file becomes the first.
    pub files: bool,
    /// Whether the last rank becomes the first.
    pub ranks: bool,
}

impl BoardReflection {
    /// Returns the point to which the reflection maps a point. The board has `files` files and
    /// `ranks` ranks.
    #[inline]
    pub fn reflect_point(self, Point { file, rank }: Point, [files, ranks]: [u8; 2]) -> Point {
        let file = if self.files { files - 1 - file } else { file };
        Point { file, rank: if self.ranks { ranks - 1 - rank } else { rank } }
    }
}

/// Returns the letter of a file, such as `a` for 0.
pub fn file_letter(file: u8) -> char {
    char::from(b'a' + file)
}

/// Returns the files of a board from the left, as this side sees it.
pub fn files_from_left(files: u8, viewer: Side) -> impl Iterator<Item = u8> {
    (0..files).map(move |at| if viewer == Side::First { at } else { files - 1 - at })
}

/// Returns the ranks of a board from the top, as this side sees it.
pub fn ranks_from_top(ranks: u8, viewer: Side) -> impl Iterator<Item = u8> {
    files_from_left(ranks, !viewer)
}

/// Returns the numbers of the bits that are set in a word, in ascending order.
#[inline]
pub fn bit_indices(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as u8;
        set &= set.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}

/// Parses a point of a position string: a letter `a` to `z` and a number 1 to 99 without leading
/// zeros.
pub fn parse_point(input: &str) -> ParseResult<'_, Point> {
    parse_point_with_letter(|letter| letter.is_ascii_lowercase(), input)
}

/// Parses a point of a move string. The case of the letter does not matter.
pub fn parse_point_ignoring_case(input: &str) -> ParseResult<'_, Point> {
    parse_point_with_letter(|letter| letter.is_ascii_alphabetic(), input)
}

fn parse_point_with_letter(letter: impl Fn(char) -> bool, input: &str) -> ParseResult<'_, Point> {
    let (rest, file) = label_expected_input("a file letter", satisfy(letter)).parse(input)?;
    let (rest, rank) =
        label_expected_input("a rank number", parse_number_in_range(1..=99)).parse(rest)?;
    Ok((rest, Point::new(file.to_ascii_lowercase() as u8 - b'a', rank - 1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parsing::parse_whole_string;

    #[test]
    fn steps_stay_within_the_points_that_have_names() {
        let [first, last] = [Point::new(0, 0), Point::new(25, 98)];
        let steps = [(1, 0), (0, 1), (-1, 0), (0, -1)];
        assert_eq!(
            steps.map(|(files, ranks)| first.offset_by(files, ranks)),
            [Some(Point::new(1, 0)), Some(Point::new(0, 1)), None, None]
        );
        assert_eq!(
            steps.map(|(files, ranks)| last.offset_by(files, ranks)),
            [None, None, Some(Point::new(24, 98)), Some(Point::new(25, 97))]
        );
    }

    #[test]
    fn points_round_trip() {
        for file in 0..26 {
            for rank in 0..99 {
                let expected = Point::new(file, rank);
                assert_eq!(parse_whole_string(parse_point, &expected.to_string()), Ok(expected));
                assert_eq!(
                    parse_whole_string(
                        parse_point_ignoring_case,
                        &expected.to_string().to_uppercase()
                    ),
                    Ok(expected)
                );
            }
        }
    }

    #[test]
    fn other_strings_are_not_points() {
        for text in ["", "a", "1", "a0", "a01", "a100", "A1", "a1 ", "ä1", "a-1", "a999999999999"]
        {
            assert!(parse_whole_string(parse_point, text).is_err(), "{text}");
        }
    }
}

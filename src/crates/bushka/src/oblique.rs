//! The notation in which MindSports, the publisher of Bushka, publishes games.
//!
//! A square is where two diagonals cross: one has a letter, the other a digit. Let `i` be the index
//! of the letter, from 0 for `a`, and let `d` be the digit, with 10 for `0`. Then the square has
//! file `d + i - 4` and rank `d - i + 4`, both counted from 1. The notation is designed for 11x9,
//! which uses all digits and the letters up to `j`.
//!
//! | move | written | example |
//! |---|---|---|
//! | without a capture | the letter or digit that stays the same, and the change of the other one | `f25`, `gf5` |
//! | capture by a phalanx | as without a capture, with `x` within the change | `f0x7`, `hxe5` |
//! | capture by a piece | the first and the last square, shortened if they share a line, and `x` | `e8h6x`, `ef8x`, `f6x` |
//!
//! The two squares of a phalanx move are the same as in the canonical notation: the square of the
//! rearmost moving soldier, and the square that the foremost soldier reaches. Several captures by a
//! piece may begin and end on the same squares. In that case all squares are written, as on the
//! MindSports server: `d4-e4-e5-d5-d4x`. The parser accepts this form for all moves, and ignores
//! the location of an `x`.

use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{anychar, one_of};
use nom::combinator::{eof, opt};
use nom::multi::many1;
use nom::sequence::{pair, preceded, terminated};

use pentarch_core::notation::parsing::{
    FoundToken, ParseResult, label_expected_input, parse_whole_string,
};
use pentarch_core::notation::points::Point;
use pentarch_core::{MoveNotationStyle, MoveSuffixWord, PublishedNotation, SyntaxError};

use super::Bushka;
use super::board::Square;
use super::captures;
use super::moves::{self, Move};
use super::position::Position;

/// The letters of one set of diagonals, in order.
const DIAGONAL_LETTERS: &str = "abcdefghij";
/// The digits of the other set of diagonals, in order.
const DIAGONAL_DIGITS: &str = "1234567890";

impl PublishedNotation for Bushka {
    const MOVE_NOTATION_STYLES: &'static [MoveNotationStyle] = &[MoveNotationStyle {
        word: "oblique",
        about: "MindSports's, with the diagonals of a square: f25 for c1f4",
        rules: &["Bushka_Board=11x9", "Bushka_Board=10x10"],
        remarks: &[
            MoveSuffixWord { word: "king", glyph: None },
            // The PGN glyph for a drawish position.
            MoveSuffixWord { word: "=", glyph: Some(10) },
        ],
    }];

    fn convert_styled_move(
        &self,
        _: &MoveNotationStyle,
        text: &str,
    ) -> Result<String, SyntaxError> {
        let squares = parse_whole_string(parse_squares, text)?;
        let points: Option<Vec<String>> = squares
            .into_iter()
            .map(|square| square.point().map(|point| point.to_string()))
            .collect();
        // If `-` separates the squares, the first and the last square of a move are enough.
        points.map(|points| points.join("-")).ok_or_else(|| SyntaxError {
            column: 1,
            expected: "squares of the board".into(),
            found: FoundToken::Word(text.into()),
        })
    }

    fn format_styled_move(&self, _: &MoveNotationStyle, position: &Position, mv: Move) -> String {
        let [from, to] = [mv.from(), mv.last_square()].map(DiagonalCoordinates::from_board_square);
        let sign = if captures::captured_pieces(position, mv) == 0 { "" } else { "x" };
        if sign.is_empty() || captures::is_phalanx_move(position, mv) {
            return format_shortest_square_pair(from, sign, to);
        }
        let mut legal = Vec::new();
        moves::generate_moves(&self.board, position, &mut legal);
        let same_ends = legal
            .iter()
            .filter(|other| other.from() == mv.from() && other.last_square() == mv.last_square());
        if same_ends.count() > 1 {
            let squares: Vec<String> = mv
                .path_squares()
                .map(|square| DiagonalCoordinates::from_board_square(square).to_string())
                .collect();
            return squares.join("-") + sign;
        }
        format_shortest_square_pair(from, "", to) + sign
    }
}

/// A square, given by the two diagonals that cross on it. The diagonals are counted from 0. The
/// square need not be on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct DiagonalCoordinates {
    letter: u8,
    digit: u8,
}

impl DiagonalCoordinates {
    /// Returns the two diagonals that cross on a square of the board.
    fn from_board_square(square: Square) -> DiagonalCoordinates {
        let [file, rank] = [square.file(), square.rank()];
        DiagonalCoordinates { letter: (file + 8 - rank) / 2, digit: (file + rank) / 2 }
    }

    /// Returns the point of the square; `None` if the file or the rank would be less than 1.
    fn point(self) -> Option<Point> {
        let file = (self.digit + self.letter).checked_sub(4)?;
        let rank = (self.digit + 4).checked_sub(self.letter)?;
        Some(Point::new(file, rank))
    }

    fn diagonal_letter(self) -> char {
        char::from(DIAGONAL_LETTERS.as_bytes()[usize::from(self.letter)])
    }

    fn diagonal_digit(self) -> char {
        char::from(DIAGONAL_DIGITS.as_bytes()[usize::from(self.digit)])
    }
}

impl std::fmt::Display for DiagonalCoordinates {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}{}", self.diagonal_letter(), self.diagonal_digit())
    }
}

/// Returns the shortest form of two squares, with a sign between them.
fn format_shortest_square_pair(
    from: DiagonalCoordinates,
    sign: &str,
    to: DiagonalCoordinates,
) -> String {
    if from == to {
        from.to_string()
    } else if from.letter == to.letter {
        format!("{from}{sign}{}", to.diagonal_digit())
    } else if from.digit == to.digit {
        format!("{}{sign}{to}", from.diagonal_letter())
    } else {
        format!("{from}{sign}{to}")
    }
}

/// Parses the squares of a move: the first and the last square, or all squares of a capture.
fn parse_squares(input: &str) -> ParseResult<'_, Vec<DiagonalCoordinates>> {
    let along_letter =
        (parse_diagonal_letter, parse_diagonal_digit, parse_move_sign, parse_diagonal_digit).map(
            |(letter, from, _, to)| {
                [from, to].map(|digit| DiagonalCoordinates { letter, digit }).to_vec()
            },
        );
    let along_digit =
        (parse_diagonal_letter, parse_move_sign, parse_diagonal_letter, parse_diagonal_digit).map(
            |(from, _, to, digit)| {
                [from, to].map(|letter| DiagonalCoordinates { letter, digit }).to_vec()
            },
        );
    let all = pair(parse_square, many1(preceded(parse_move_sign, parse_square)))
        .map(|(first, others)| [vec![first], others].concat());
    let end = || pair(opt(parse_capture_sign), label_expected_input("the end of the move", eof));
    let same = terminated(parse_square, pair(label_expected_input("x", parse_capture_sign), eof))
        .map(|square| vec![square, square]);
    alt((
        terminated(along_letter, end()),
        terminated(along_digit, end()),
        terminated(all, end()),
        same,
    ))
    .parse(input)
}

fn parse_square(input: &str) -> ParseResult<'_, DiagonalCoordinates> {
    pair(parse_diagonal_letter, parse_diagonal_digit)
        .map(|(letter, digit)| DiagonalCoordinates { letter, digit })
        .parse(input)
}

fn parse_diagonal_letter(input: &str) -> ParseResult<'_, u8> {
    label_expected_input(
        "a letter from a to j",
        anychar.map_opt(character_finder_ignoring_case(DIAGONAL_LETTERS)),
    )
    .parse(input)
}

fn parse_diagonal_digit(input: &str) -> ParseResult<'_, u8> {
    label_expected_input(
        "a digit",
        anychar.map_opt(character_finder_ignoring_case(DIAGONAL_DIGITS)),
    )
    .parse(input)
}

/// Parses an optional sign between two parts of a move.
fn parse_move_sign(input: &str) -> ParseResult<'_, Option<char>> {
    opt(one_of("-xX")).parse(input)
}

fn parse_capture_sign(input: &str) -> ParseResult<'_, char> {
    one_of("xX").parse(input)
}

/// Returns the function that finds the index of a character in a list, ignoring case.
fn character_finder_ignoring_case(list: &'static str) -> impl Fn(char) -> Option<u8> {
    move |name| list.chars().position(|other| other.eq_ignore_ascii_case(&name)).map(|at| at as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, iter_squares};

    #[test]
    fn squares_round_trip_on_both_boards() {
        for board in [Board::new(11, 9), Board::new(10, 10)] {
            for square in iter_squares(board.squares) {
                let oblique = DiagonalCoordinates::from_board_square(square);
                assert_eq!(oblique.point(), Some(square.point()));
                assert_eq!(parse_whole_string(parse_square, &oblique.to_string()), Ok(oblique));
            }
        }
        let name = |file, rank| {
            let board = Board::new(11, 9);
            DiagonalCoordinates::from_board_square(board.square_at(Point::new(file, rank)).unwrap())
                .to_string()
        };
        assert_eq!([name(0, 0), name(10, 0), name(0, 8), name(10, 8)], ["e1", "j6", "a5", "f0"]);
    }
}

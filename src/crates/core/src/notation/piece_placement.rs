//! The board field of a position string. The field lists the ranks of the board, the top rank
//! first. A letter stands for a piece, and a number for a run of free points.

use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{anychar, char};
use nom::combinator::{eof, value};
use nom::multi::many_till;

use thiserror::Error;

use crate::notation::parsing::{label_expected_input, parse_number_in_range, parse_whole_string};
use crate::{PositionError, RuleError, SyntaxError};

/// An error of a board field.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PiecePlacementError {
    /// The field contains a character that is not allowed there.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// The field does not fit the board.
    #[error(transparent)]
    Shape(#[from] PlacementShapeError),
}

impl PiecePlacementError {
    /// Converts this error to an error of the whole position string. `invalid` converts a shape
    /// error to an error that names the broken rule.
    pub fn to_position_error<E: RuleError>(
        self,
        invalid: impl FnOnce(PlacementShapeError) -> E,
    ) -> PositionError {
        match self {
            PiecePlacementError::Syntax(error) => error.into(),
            PiecePlacementError::Shape(error) => invalid(error).into(),
        }
    }
}

/// The reason why the rows of a board field do not fit the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PlacementShapeError {
    /// The number of rows is wrong.
    #[error("the board has {expected} rows, not {found}")]
    Rows {
        /// The number of rows of the board.
        expected: usize,
        /// The number of rows in the field.
        found: usize,
    },
    /// A row of the field does not have as many points as this row of the board.
    #[error("row {row} from the top has {expected} {}, not {found}", if *expected == 1 { "point" } else { "points" })]
    Points {
        /// The row, counted from 1 at the top.
        row: usize,
        /// The number of points in this row of the board.
        expected: usize,
        /// The number of points in this row of the field.
        found: usize,
    },
    /// A run of free points has two digits, but every row of the board has fewer points than that.
    /// So the number looks like two adjacent runs.
    #[error("two adjacent runs of free points in row {row} from the top: {digits}")]
    TwoRuns {
        /// The row, counted from 1 at the top.
        row: usize,
        /// Both digits.
        digits: usize,
    },
}

/// A piece of a board field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlacedPiece<P> {
    /// The row, counted from 0 at the top.
    pub row: usize,
    /// The column, counted from 0 at the left.
    pub column: usize,
    /// The piece that the letter stands for.
    pub piece: P,
}

/// A token of a board field.
#[derive(Clone)]
enum PlacementToken<P> {
    Piece(P),
    Run(usize),
    NextRank,
}

/// Reads a board field and returns its pieces.
///
/// `widths` contains the number of points of each row. `piece` converts a letter to a piece.
/// `expected` names the allowed characters for error messages, as in `o, x, a digit or /`.
///
/// # Errors
/// - If the field contains a character that is not allowed.
/// - If the number of rows or the width of a row is wrong.
/// - If a run of free points is not written as a single number.
pub fn parse_piece_placement<P: Clone>(
    field: &str,
    expected: &'static str,
    piece: impl Fn(char) -> Option<P>,
    widths: &[usize],
) -> Result<Vec<PlacedPiece<P>>, PiecePlacementError> {
    let token = alt((
        parse_number_in_range(1..=99).map(PlacementToken::Run),
        value(PlacementToken::NextRank, char('/')),
        anychar.map_opt(piece).map(PlacementToken::Piece),
    ));
    let (tokens, _) =
        parse_whole_string(many_till(label_expected_input(expected, token), eof), field)?;
    let rows: Vec<&[PlacementToken<P>]> =
        tokens.split(|token| matches!(token, PlacementToken::NextRank)).collect();
    if rows.len() != widths.len() {
        return Err(PlacementShapeError::Rows { expected: widths.len(), found: rows.len() }.into());
    }
    let mut pieces = Vec::new();
    for (row, (tokens, &width)) in rows.into_iter().zip(widths).enumerate() {
        let mut column = 0;
        for token in tokens {
            match token {
                PlacementToken::Piece(piece) => {
                    pieces.push(PlacedPiece { row, column, piece: piece.clone() });
                    column += 1;
                }
                PlacementToken::Run(points) if width < 10 && *points > 9 && points % 10 != 0 => {
                    return Err(
                        PlacementShapeError::TwoRuns { row: row + 1, digits: *points }.into()
                    );
                }
                PlacementToken::Run(points) => column += points,
                PlacementToken::NextRank => {}
            }
        }
        if column != width {
            let row = row + 1;
            return Err(PlacementShapeError::Points { row, expected: width, found: column }.into());
        }
    }
    Ok(pieces)
}

/// Writes a board field. `piece` returns the letter of the piece in a row and column, or `None` if
/// the point is free.
pub fn format_piece_placement(
    widths: &[usize],
    piece: impl Fn(usize, usize) -> Option<char>,
) -> String {
    let rows = widths.iter().enumerate().map(|(row, &width)| {
        let points: Vec<Option<char>> = (0..width).map(|column| piece(row, column)).collect();
        let tokens = points.chunk_by(|one, next| one.is_none() && next.is_none());
        tokens.map(|token| token[0].map_or_else(|| token.len().to_string(), String::from)).collect()
    });
    rows.collect::<Vec<String>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_small(field: &str) -> Result<Vec<PlacedPiece<char>>, PiecePlacementError> {
        let piece = |letter| "ox".contains(letter).then_some(letter);
        parse_piece_placement(field, "o, x, a number or /", piece, &[1, 12, 3])
    }

    #[test]
    fn board_fields_round_trip() {
        for field in ["1/12/3", "x/o11/1x1", "o/10xx/ooo", "1/1o9x/2o"] {
            let pieces = read_small(field).unwrap();
            let piece = |row, column| {
                let mut pieces = pieces.iter();
                Some(pieces.find(|at| (at.row, at.column) == (row, column))?.piece)
            };
            assert_eq!(format_piece_placement(&[1, 12, 3], piece), field);
        }
        let expected = [(0, 0, 'x'), (1, 0, 'o'), (2, 1, 'x')]
            .map(|(row, column, piece)| PlacedPiece { row, column, piece });
        assert_eq!(read_small("x/o11/1x1").unwrap(), expected);
    }

    #[test]
    fn other_shapes_are_rejected_with_a_reason() {
        let error = |field| read_small(field).unwrap_err().to_string();
        assert_eq!(error("1/12"), "the board has 3 rows, not 2");
        assert_eq!(error("1/12/3/1"), "the board has 3 rows, not 4");
        assert_eq!(error("1/x10/3"), "row 2 from the top has 12 points, not 11");
        assert_eq!(error("1/12/4"), "row 3 from the top has 3 points, not 4");
        assert_eq!(error("1/12/"), "row 3 from the top has 3 points, not 0");
        assert_eq!(error("1/12/12"), "two adjacent runs of free points in row 3 from the top: 12");
        assert_eq!(error("1/12/x?x"), "column 7: expected o, x, a number or /, found '?x'");
        assert_eq!(error("01/12/3"), "column 1: expected o, x, a number or /, found '01/12/3'");
        assert_eq!(error("1/999/3"), "column 3: expected o, x, a number or /, found '999/3'");
    }
}

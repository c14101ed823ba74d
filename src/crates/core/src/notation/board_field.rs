//! The board field of a position text: ranks from the top, a letter for each man, a number for each run of free points.

use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{anychar, char};
use nom::combinator::{eof, value};
use nom::multi::many_till;

use thiserror::Error;

use crate::notation::text::{expect, finish, number};
use crate::{PositionError, RuleError, SyntaxError};

/// An error of a board field.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BoardFieldError {
    /// Something stands in the field that cannot stand there.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// The field does not fit the board.
    #[error(transparent)]
    Shape(#[from] BoardShapeError),
}

impl BoardFieldError {
    /// Returns the error of the position text that has this field. A game names the rule that its board breaks.
    pub fn of_position<E: RuleError>(
        self,
        invalid: impl FnOnce(BoardShapeError) -> E,
    ) -> PositionError {
        match self {
            BoardFieldError::Syntax(error) => error.into(),
            BoardFieldError::Shape(error) => invalid(error).into(),
        }
    }
}

/// An error of a board field whose rows are not those of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum BoardShapeError {
    /// The field has another number of rows than the board.
    #[error("the board has {expected} rows, not {found}")]
    Rows {
        /// The rows of the board.
        expected: usize,
        /// The rows of the field.
        found: usize,
    },
    /// A row has another number of points than that row of the board.
    #[error("row {row} from the top has {expected} {}, not {found}", if *expected == 1 { "point" } else { "points" })]
    Points {
        /// The row, counted from 1 at the top.
        row: usize,
        /// The points of the row.
        expected: usize,
        /// The points in the field.
        found: usize,
    },
    /// A run of free points on a narrow board has two digits, as if two runs stood side by side.
    #[error("two runs of free points stand side by side in row {row} from the top: {digits}")]
    TwoRuns {
        /// The row, counted from 1 at the top.
        row: usize,
        /// Both digits.
        digits: usize,
    },
}

/// A token of a board field.
#[derive(Clone)]
enum Token<M> {
    Man(M),
    Run(usize),
    NextRank,
}

/// Reads a board field and gives its men as `(row, column, man)`: rows from the top, columns from the left, both
/// counted from 0.
///
/// `widths` says how many points each row has, `man` gives the man that a letter stands for, and `expected` names, for
/// error texts, what can stand in the field: `o, x, a digit or /`.
///
/// # Errors
/// If anything else stands in the field, if the number of rows or the width of one is wrong, or if a run of free points
/// is not written as a single number.
pub fn read<M: Clone>(
    field: &str,
    expected: &'static str,
    man: impl Fn(char) -> Option<M>,
    widths: &[usize],
) -> Result<Vec<(usize, usize, M)>, BoardFieldError> {
    let token = alt((
        number(1..=99).map(Token::Run),
        value(Token::NextRank, char('/')),
        anychar.map_opt(man).map(Token::Man),
    ));
    let (tokens, _) = finish(many_till(expect(expected, token), eof), field)?;
    let rows: Vec<&[Token<M>]> = tokens.split(|token| matches!(token, Token::NextRank)).collect();
    if rows.len() != widths.len() {
        return Err(BoardShapeError::Rows { expected: widths.len(), found: rows.len() }.into());
    }
    let mut men = Vec::new();
    for (row, (tokens, &width)) in rows.into_iter().zip(widths).enumerate() {
        let mut column = 0;
        for token in tokens {
            match token {
                Token::Man(man) => {
                    men.push((row, column, man.clone()));
                    column += 1;
                }
                Token::Run(points) if width < 10 && *points > 9 && points % 10 != 0 => {
                    return Err(BoardShapeError::TwoRuns { row: row + 1, digits: *points }.into());
                }
                Token::Run(points) => column += points,
                Token::NextRank => {}
            }
        }
        if column != width {
            let (row, expected) = (row + 1, width);
            return Err(BoardShapeError::Points { row, expected, found: column }.into());
        }
    }
    Ok(men)
}

/// Writes a board field. `man` gives the letter of the man in a row and column, if a man stands there.
pub fn write(widths: &[usize], man: impl Fn(usize, usize) -> Option<char>) -> String {
    let rows = widths.iter().enumerate().map(|(row, &width)| {
        let points: Vec<Option<char>> = (0..width).map(|column| man(row, column)).collect();
        let tokens = points.chunk_by(|one, next| one.is_none() && next.is_none());
        tokens.map(|token| token[0].map_or_else(|| token.len().to_string(), String::from)).collect()
    });
    rows.collect::<Vec<String>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_small(field: &str) -> Result<Vec<(usize, usize, char)>, BoardFieldError> {
        let man = |letter| "ox".contains(letter).then_some(letter);
        read(field, "o, x, a number or /", man, &[1, 12, 3])
    }

    #[test]
    fn what_is_read_is_written() {
        for field in ["1/12/3", "x/o11/1x1", "o/10xx/ooo", "1/1o9x/2o"] {
            let men = read_small(field).unwrap();
            let man = |row, column| {
                men.iter().find(|man| (man.0, man.1) == (row, column)).map(|man| man.2)
            };
            assert_eq!(write(&[1, 12, 3], man), field);
        }
        assert_eq!(read_small("x/o11/1x1").unwrap(), [(0, 0, 'x'), (1, 0, 'o'), (2, 1, 'x')]);
    }

    #[test]
    fn other_shapes_are_refused_with_a_reason() {
        let error = |field| read_small(field).unwrap_err().to_string();
        assert_eq!(error("1/12"), "the board has 3 rows, not 2");
        assert_eq!(error("1/12/3/1"), "the board has 3 rows, not 4");
        assert_eq!(error("1/x10/3"), "row 2 from the top has 12 points, not 11");
        assert_eq!(error("1/12/4"), "row 3 from the top has 3 points, not 4");
        assert_eq!(error("1/12/"), "row 3 from the top has 3 points, not 0");
        assert_eq!(
            error("1/12/12"),
            "two runs of free points stand side by side in row 3 from the top: 12"
        );
        assert_eq!(error("1/12/x?x"), "column 7: expected o, x, a number or /, found '?x'");
        assert_eq!(error("01/12/3"), "column 1: expected o, x, a number or /, found '01/12/3'");
        assert_eq!(error("1/999/3"), "column 3: expected o, x, a number or /, found '999/3'");
    }
}

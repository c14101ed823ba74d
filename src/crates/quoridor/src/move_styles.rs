//! Move notations of other programs. In some notations, the direction of a wall precedes its point
//! (`he3`). In others, rows are counted from the top. For example, a1 is the upper left square in
//! L. Glendenning, Mastering Quoridor, 2005.
//!
//! The name of a wall is the name of a square. Of the four squares around the middle of the wall,
//! this is the square nearest to a1. If rows are counted from the top, this is the upper left
//! square.

use nom::Parser;
use nom::branch::alt;
use nom::combinator::eof;
use nom::sequence::{pair, terminated};

use pentarch_core::notation::parsing::{
    FoundToken, ParseResult, label_expected_input, parse_whole_string,
};
use pentarch_core::notation::points::{BoardReflection, parse_point_ignoring_case};
use pentarch_core::{MoveNotationStyle, Notation, Point, PublishedNotation, SyntaxError};

use super::Quoridor;
use super::board::Board;
use super::four_players::QuoridorForFour;
use super::unchecked_move::{UncheckedMove, parse_move, parse_wall_direction};

const MOVE_NOTATION_STYLES: &[MoveNotationStyle] = &[
    move_notation_style("prefix", "the direction of a wall before its square: he3 for e3h"),
    move_notation_style("prefix-top", "the same with rows that are counted from the top"),
    move_notation_style("suffix-top", "moves as here with rows that are counted from the top"),
];

const fn move_notation_style(word: &'static str, about: &'static str) -> MoveNotationStyle {
    MoveNotationStyle { word, about, rules: &[], remarks: &[] }
}

macro_rules! source_notation {
    ($($game:ty),*) => {$(
        impl PublishedNotation for $game {
            const MOVE_NOTATION_STYLES: &'static [MoveNotationStyle] = MOVE_NOTATION_STYLES;

            fn convert_styled_move(&self, style: &MoveNotationStyle, text: &str) -> Result<String, SyntaxError> {
                convert_move_from_style(&self.board, style, text)
            }

            fn format_styled_move(
                &self,
                style: &MoveNotationStyle,
                _: &Self::Position,
                mv: Self::Move,
            ) -> String {
                convert_move_to_style(&self.board, style, &self.move_text(mv))
            }
        }
    )*};
}
source_notation!(Quoridor, QuoridorForFour);

/// The properties of a notation, as its name specifies them.
struct NotationStyleProperties {
    /// Whether the direction of a wall precedes its point.
    direction_first: bool,
    /// Whether rows are counted from the top.
    rows_from_top: bool,
}

impl NotationStyleProperties {
    fn from_style(style: &MoveNotationStyle) -> NotationStyleProperties {
        NotationStyleProperties {
            direction_first: style.word.starts_with("prefix"),
            rows_from_top: style.word.ends_with("top"),
        }
    }
}

/// Converts a move from this notation to the default notation.
fn convert_move_from_style(
    board: &Board,
    style: &MoveNotationStyle,
    text: &str,
) -> Result<String, SyntaxError> {
    let NotationStyleProperties { direction_first, rows_from_top } =
        NotationStyleProperties::from_style(style);
    let mv = if direction_first {
        parse_whole_string(parse_move_with_leading_direction, text)?
    } else {
        parse_move(text)?
    };
    let mv = if rows_from_top { flip_move_rows(board, mv) } else { Some(mv) };
    let mv = mv.ok_or_else(|| SyntaxError {
        column: 1,
        expected: format!("a square or a wall of a board with {} rows", board.size),
        found: FoundToken::Word(text.into()),
    })?;
    Ok(format_unchecked_move(mv, false))
}

/// Parses a pawn move, or a wall whose direction comes before its point.
fn parse_move_with_leading_direction(input: &str) -> ParseResult<'_, UncheckedMove> {
    let wall = pair(parse_wall_direction("hH", "vV"), parse_point_ignoring_case)
        .map(|(direction, point)| UncheckedMove::Wall(point, direction));
    let pawn =
        terminated(parse_point_ignoring_case, label_expected_input("the end of the text", eof))
            .map(UncheckedMove::Pawn);
    // The string `h3` names a square and not a wall. So a pawn move is tried first.
    alt((pawn, wall)).parse(input)
}

/// Converts a move from the default notation to this notation.
fn convert_move_to_style(board: &Board, style: &MoveNotationStyle, text: &str) -> String {
    let NotationStyleProperties { direction_first, rows_from_top } =
        NotationStyleProperties::from_style(style);
    let Ok(mv) = parse_move(text) else { return text.into() };
    let mv = if rows_from_top { flip_move_rows(board, mv).unwrap_or(mv) } else { mv };
    format_unchecked_move(mv, direction_first)
}

/// Formats a move. The direction of a wall comes before its point if `direction_first` is `true`,
/// and otherwise after it.
fn format_unchecked_move(mv: UncheckedMove, direction_first: bool) -> String {
    match mv {
        UncheckedMove::Pawn(point) => point.to_string(),
        UncheckedMove::Wall(point, direction) if direction_first => {
            format!("{}{point}", direction.letter())
        }
        UncheckedMove::Wall(point, direction) => format!("{point}{}", direction.letter()),
    }
}

/// Returns the move with its rows counted from the opposite edge, or `None` if the board has no
/// such row.
fn flip_move_rows(board: &Board, mv: UncheckedMove) -> Option<UncheckedMove> {
    let flip = |point: Point, rows: u8| {
        (point.rank < rows)
            .then(|| BoardReflection { files: false, ranks: true }.reflect_point(point, [0, rows]))
    };
    Some(match mv {
        UncheckedMove::Pawn(point) => UncheckedMove::Pawn(flip(point, board.size)?),
        UncheckedMove::Wall(point, direction) => {
            UncheckedMove::Wall(flip(point, board.size - 1)?, direction)
        }
    })
}

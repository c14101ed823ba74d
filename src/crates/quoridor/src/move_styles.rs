//! Moves as other programs write them: the direction of a wall before its point (`he3`), or rows that are counted from
//! the top (as by L. Glendenning, Mastering Quoridor, 2005, whose a1 is the upper left square).
//!
//! A wall is named after the one of the four squares around its middle that is nearest to a1. Where rows are counted
//! from the top, that is the upper left one.

use nom::Parser;
use nom::branch::alt;
use nom::combinator::eof;
use nom::sequence::{pair, terminated};

use pentarch_core::notation::points::{Mirror, point_any_case};
use pentarch_core::notation::text::{FoundToken, ParseResult, expect, finish};
use pentarch_core::{MoveStyle, Point, PublishedNotation, SyntaxError};

use super::Quoridor;
use super::board::Board;
use super::four::QuoridorForFour;
use super::move_text::{ParsedMove, direction, parse_move};

/// The notations.
const MOVE_STYLES: &[MoveStyle] = &[
    MoveStyle { word: "prefix", about: "the direction of a wall before its square: he3 for e3h" },
    MoveStyle { word: "prefix-top", about: "the same with rows that are counted from the top" },
    MoveStyle {
        word: "suffix-top",
        about: "moves as here with rows that are counted from the top",
    },
];

macro_rules! source_notation {
    ($($game:ty),*) => {$(
        impl PublishedNotation for $game {
            const MOVE_STYLES: &'static [MoveStyle] = MOVE_STYLES;

            fn parse_styled_move(&self, style: &MoveStyle, text: &str) -> Result<String, SyntaxError> {
                read(&self.board, style, text)
            }

            fn styled_move(&self, style: &MoveStyle, text: &str) -> String {
                write(&self.board, style, text)
            }
        }
    )*};
}
source_notation!(Quoridor, QuoridorForFour);

/// Where the direction of a wall stands, and whether rows are counted from the top.
fn features(style: &MoveStyle) -> (bool, bool) {
    (style.word.starts_with("prefix"), style.word.ends_with("top"))
}

/// The text of a move that is written in this notation.
fn read(board: &Board, style: &MoveStyle, text: &str) -> Result<String, SyntaxError> {
    let (is_prefix, from_top) = features(style);
    let mv = if is_prefix { finish(prefixed, text)? } else { parse_move(text)? };
    let turned = if from_top { turned(board, mv) } else { Some(mv) };
    let turned = turned.ok_or_else(|| SyntaxError {
        column: 1,
        expected: format!("a square or a wall of a board with {} rows", board.size),
        found: FoundToken::Word(text.into()),
    })?;
    Ok(text_of(turned, false))
}

/// Parses a pawn move, or a wall with its direction in front.
fn prefixed(input: &str) -> ParseResult<'_, ParsedMove> {
    let wall = pair(direction("hH", "vV"), point_any_case)
        .map(|(direction, point)| ParsedMove::Wall(point, direction));
    let pawn = terminated(point_any_case, expect("the end of the text", eof)).map(ParsedMove::Pawn);
    // A point on the file h is no wall.
    alt((pawn, wall)).parse(input)
}

/// A canonical move text in this notation.
fn write(board: &Board, style: &MoveStyle, text: &str) -> String {
    let (is_prefix, from_top) = features(style);
    let Ok(mv) = parse_move(text) else { return text.into() };
    text_of(if from_top { turned(board, mv).unwrap_or(mv) } else { mv }, is_prefix)
}

/// The text of a move, with the direction of a wall in front or behind.
fn text_of(mv: ParsedMove, is_prefix: bool) -> String {
    match mv {
        ParsedMove::Pawn(point) => point.to_string(),
        ParsedMove::Wall(point, direction) if is_prefix => format!("{}{point}", direction.letter()),
        ParsedMove::Wall(point, direction) => format!("{point}{}", direction.letter()),
    }
}

/// The move with rows counted from the other edge; none if its row is none of the board's.
fn turned(board: &Board, mv: ParsedMove) -> Option<ParsedMove> {
    let image = |point: Point, rows: u8| {
        (point.rank < rows).then(|| Mirror { files: false, ranks: true }.image(point, [0, rows]))
    };
    Some(match mv {
        ParsedMove::Pawn(point) => ParsedMove::Pawn(image(point, board.size)?),
        ParsedMove::Wall(point, direction) => {
            ParsedMove::Wall(image(point, board.size - 1)?, direction)
        }
    })
}

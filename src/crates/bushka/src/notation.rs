//! The notation of Bushka: position texts, move texts in the canonical form and in those of the literature, and the
//! board as a text diagram.

use nom::Parser;
use nom::branch::alt;
use nom::character::complete::one_of;
use nom::combinator::{cut, eof};
use nom::multi::many_till;
use nom::sequence::preceded;

use pentarch_core::notation::board_field::{self, FieldPiece};
use pentarch_core::notation::points::{downwards, point_any_case, rightwards};
use pentarch_core::notation::text::{ParseResult, expect, fields, finish, full_move};
use pentarch_core::notation::{initial, side_initial};
use pentarch_core::view::diagram::{Cell, Diagram, file_labels, rank_label};
use pentarch_core::view::lesson::LessonStep;
use pentarch_core::{Notation, Outcome, Point, PositionError, Rules, Side, SyntaxError, Violation};

use super::Bushka;
use super::board::{Board, Square};
use super::captures;
use super::errors::{IllegalMove, InvalidPosition};
use super::legality;
use super::lesson::LESSON;
use super::moves::{self, Move};
use super::position::Position;

/// A move as written: two points or more, none of them checked yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedMove(Vec<Point>);

/// The letters of pieces in position texts and diagrams: for each the side, and whether the piece is a king.
const LETTERS: [(char, (Side, bool)); 4] = [
    ('w', (Side::First, false)),
    ('W', (Side::First, true)),
    ('b', (Side::Second, false)),
    ('B', (Side::Second, true)),
];

impl Notation for Bushka {
    type ParsedMove = ParsedMove;

    const RULES_TEXT: &'static str = include_str!("../rules.md");
    const GAME_OVER: &'static [&'static str] = &["7.5"];
    const LESSON: &'static [LessonStep] = LESSON;

    fn aim(&self) -> &'static str {
        "capture the enemy pieces, or block them all"
    }

    fn short_rules(&self) -> Option<[&'static str; 2]> {
        Some([
            "A soldier steps one square forward on a diagonal, a king any distance on it; soldiers in a row on a \
             diagonal, a phalanx, step together along it. A piece captures by stopping in front of an enemy piece, a \
             phalanx all soldiers of the row behind that one, too. You must capture if you can, with a phalanx before \
             others, and as many pieces as possible. On the last rank a soldier becomes a king.",
            "A side that is to move and cannot has lost, and so has one without pieces. The third occurrence of a \
             position is a draw.",
        ])
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let [board, side, number] = fields(text, ["board", "side to move", "full-move number"])?;
        let side = side.read(side_initial::<Self>)?;
        let mut position =
            Position { soldiers: [0; 2], kings: [0; 2], side, full_move: number.read(full_move)? };
        let Board { files, ranks, .. } = self.board;
        let piece = |letter| {
            LETTERS.into_iter().find_map(|(other, piece)| (other == letter).then_some(piece))
        };
        let expected = "w, W, b, B, / or a number of squares without a piece";
        let pieces = board_field::read(board.text, expected, piece, &self.board.widths()).map_err(
            |error| error.of_position(|error| InvalidPosition::Shape { files, ranks, error }),
        )?;
        for FieldPiece { row, column, piece: (side, is_king) } in pieces {
            let point = Point::new(column as u8, ranks - 1 - row as u8);
            let square = self.board.square_at(point);
            let square = square.ok_or(InvalidPosition::LightSquare(point))?;
            let sets = if is_king { &mut position.kings } else { &mut position.soldiers };
            sets[side.index()] |= square.bit();
        }
        check(&self.board, &position)?;
        Ok(position)
    }

    fn position_text(&self, position: &Position) -> String {
        let letter = |row: usize, file: usize| {
            self.piece_letter(position, Point::new(file as u8, self.board.ranks - 1 - row as u8))
        };
        let board = board_field::write(&self.board.widths(), letter);
        format!("{board} {} {}", initial::<Self>(position.side), position.full_move)
    }

    fn parse_move(&self, text: &str) -> Result<ParsedMove, SyntaxError> {
        let (from, stop, (stops, _)) = finish((point_any_case, stop, many_till(stop, eof)), text)?;
        Ok(ParsedMove([vec![from, stop], stops].concat()))
    }

    fn find_move(&self, position: &Position, text: &ParsedMove) -> Result<Move, Violation> {
        let path: Vec<Square> =
            text.0.iter().map(|&point| self.square_at(point)).collect::<Result<_, _>>()?;
        let path = without_listed_soldiers(position, path);
        let mut legal = Vec::new();
        moves::generate(&self.board, position, &mut legal);
        let named = Move::along(&path).filter(|mv| legal.contains(mv));
        named.ok_or_else(|| legality::why_illegal(self, position, &path, &legal).into())
    }

    fn move_text(&self, mv: Move) -> String {
        mv.squares().map(|square| square.point().to_string()).collect()
    }

    fn explain_outcome(&self, _: &Position, outcome: Outcome) -> String {
        let loser = outcome.winner().map_or("nobody", |winner| Self::SIDES[(!winner).index()]);
        match outcome.reason() {
            "captured" => format!("{loser} has no piece left"),
            _ => format!("{loser} has no legal move"),
        }
    }

    fn move_kind(&self, position: &Position, mv: Move) -> &'static str {
        match position.own_kings() & mv.from().bit() != 0 {
            true => "king moves",
            false if captures::is_by_phalanx(position, mv) => "phalanx moves",
            false => "soldier moves",
        }
    }

    fn diagram(&self, position: &Position, viewer: Side) -> Diagram {
        let mut diagram = Diagram::default();
        for rank in downwards(self.board.ranks, viewer) {
            let mut row = rank_label(rank, 2);
            row.push(Cell::SPACE);
            for file in rightwards(self.board.files, viewer) {
                row.extend([Cell::SPACE, self.cell(position, Point::new(file, rank))]);
            }
            diagram.rows.push(row);
        }
        diagram.rows.push(file_labels(rightwards(self.board.files, viewer), 3, 1));
        diagram.push_note("w, b: soldiers; W, B: kings");
        diagram
    }
}

impl Bushka {
    /// The letter of the piece at a point of the board, if one stands there.
    fn piece_letter(&self, position: &Position, point: Point) -> Option<char> {
        let bit = self.board.square_at(point)?.bit();
        let side = Side::BOTH.into_iter().find(|&side| position.pieces(side) & bit != 0)?;
        let piece = (side, position.kings[side.index()] & bit != 0);
        LETTERS.into_iter().find_map(|(letter, other)| (other == piece).then_some(letter))
    }

    /// The cell of the diagram for a point of the board.
    fn cell(&self, position: &Position, point: Point) -> Cell {
        let Some(square) = self.board.square_at(point) else { return Cell::SPACE };
        let player = Side::BOTH.iter().position(|&side| position.pieces(side) & square.bit() != 0);
        match self.piece_letter(position, point).zip(player) {
            Some((letter, player)) => Cell::piece(letter, player, point.into()),
            None => Cell::empty('.', point.into()),
        }
    }

    /// The dark square at this point.
    ///
    /// # Errors
    /// If the point is a light square or off the board.
    fn square_at(&self, point: Point) -> Result<Square, IllegalMove> {
        self.board.square_at(point).ok_or_else(|| {
            if self.board.contains(point) {
                IllegalMove::LightSquare(point)
            } else {
                IllegalMove::OffBoard { point, files: self.board.files }
            }
        })
    }
}

/// Parses a square of the path after the first, which may have one `-` or `x` before it.
fn stop(input: &str) -> ParseResult<'_, Point> {
    let separator = expect("-, x", one_of("-xX"));
    alt((preceded(separator, cut(point_any_case)), point_any_case)).parse(input)
}

/// The canonical path of a move that may be written as in the literature.
///
/// The literature lists every square of a phalanx: those of the soldiers that move, from the rearmost on, and then the
/// one that the foremost reaches. The canonical path has the first and the last of these. No other move has three or
/// more neighbouring squares of one line as its path, because after a capture the captured piece blocks the line.
fn without_listed_soldiers(position: &Position, path: Vec<Square>) -> Vec<Square> {
    let steps: Vec<_> =
        path.windows(2).map(|leg| (leg[0].towards(leg[1]), leg[0].distance(leg[1]))).collect();
    match (path.as_slice(), steps.as_slice()) {
        (&[from, .., to], [first, rest @ ..])
            if position.own_soldiers() & from.bit() != 0
                && matches!(first, (Some(_), 1))
                && rest.iter().all(|step| step == first) =>
        {
            vec![from, to]
        }
        _ => path,
    }
}

/// Rejects positions with no piece at all, with more pieces of a side than it starts with, or with a soldier that
/// should be a king.
fn check(board: &Board, position: &Position) -> Result<(), InvalidPosition> {
    if position.occupied() == 0 {
        return Err(InvalidPosition::NoPiece);
    }
    for side in Side::BOTH {
        let index = side.index();
        let name = Bushka::SIDES[index];
        let pieces = position.pieces(side).count_ones();
        let most = board.homes[index].count_ones();
        if pieces > most {
            return Err(InvalidPosition::TooManyPieces { side: name, pieces, most });
        }
        let arrived = position.soldiers[index] & board.last_ranks[index];
        if let Some(square) = super::board::squares(arrived).next() {
            return Err(InvalidPosition::SoldierOnLastRank { side: name, point: square.point() });
        }
    }
    Ok(())
}

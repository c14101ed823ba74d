//! The notation of Bushka: position strings, move strings and the text diagram. Move strings may be
//! in the canonical form or in the forms used in the literature.

use pentarch_core::notation::move_path::{WrittenMovePath, parse_move_path};
use pentarch_core::notation::parsing::{
    parse_full_move_number, parse_whole_string, split_position_fields,
};
use pentarch_core::notation::piece_placement::{self, PlacedPiece};
use pentarch_core::notation::points::{files_from_left, ranks_from_top};
use pentarch_core::notation::{parse_side_initial, side_initial};
use pentarch_core::view::diagram::{Diagram, DiagramCell, file_label_line, rank_label};
use pentarch_core::view::lesson::LessonStep;
use pentarch_core::{
    Notation, Outcome, Point, PositionError, RuleViolation, Rules, Side, SyntaxError,
};

use super::Bushka;
use super::board::{Board, Square};
use super::captures;
use super::legality;
use super::lesson::LESSON_STEPS;
use super::moves::{self, Move};
use super::position::Position;
use super::rule_violations::{IllegalMove, InvalidPosition};

#[derive(Clone, Copy, PartialEq, Eq)]
struct ColouredPiece {
    side: Side,
    is_king: bool,
}

/// The letters of the pieces in position strings and diagrams.
const PIECE_LETTERS: [(char, ColouredPiece); 4] = [
    ('w', ColouredPiece { side: Side::First, is_king: false }),
    ('W', ColouredPiece { side: Side::First, is_king: true }),
    ('b', ColouredPiece { side: Side::Second, is_king: false }),
    ('B', ColouredPiece { side: Side::Second, is_king: true }),
];

impl Notation for Bushka {
    type ParsedMove = WrittenMovePath;

    const RULES_TEXT: &'static str = include_str!("../rules.md");
    const NO_MOVE_AFTER_END_RULE_IDS: &'static [&'static str] = &["7.5"];
    const RULE_CASES: &'static str = include_str!("../rule_cases.txt");
    const TURN_RULE_ID: Option<&'static str> = Some("2.4");
    const FEN_FORMAT_RULE_ID: Option<&'static str> = Some("8.7");
    const LESSON_STEPS: &'static [LessonStep] = LESSON_STEPS;

    fn game_aim(&self) -> &'static str {
        "capture the enemy pieces, or block them all"
    }

    fn short_rules(&self) -> Option<[&'static str; 2]> {
        Some([
            "A soldier steps one square forward on a diagonal, and a king moves any distance. \
                Soldiers in a row on a diagonal are a phalanx and may step together along it. A \
                piece captures by stopping in front of an enemy piece, and a phalanx captures the \
                whole row of soldiers behind that piece as well. You must capture if you can, with \
                a phalanx if possible, and as many pieces as possible. A soldier becomes a king on \
                the last rank.",
            "A side that must move and has no legal move loses, and so does a side without pieces. \
                The third occurrence of a position is a draw.",
        ])
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let [board, side, number] =
            split_position_fields(text, ["board", "side to move", "full-move number"])?;
        let side = side.read(parse_side_initial::<Self>)?;
        let mut position = Position {
            soldiers: [0; 2],
            kings: [0; 2],
            side,
            full_move: number.read(parse_full_move_number)?,
        };
        let Board { files, ranks, .. } = self.board;
        let piece_kind = |letter| {
            PIECE_LETTERS.into_iter().find_map(|(other, kind)| (other == letter).then_some(kind))
        };
        let expected = "w, W, b, B, / or a number of squares without a piece";
        let pieces = piece_placement::parse_piece_placement(
            board.text,
            expected,
            piece_kind,
            &self.board.rank_widths(),
        )
        .map_err(|error| {
            error.to_position_error(|error| InvalidPosition::Shape { files, ranks, error })
        })?;
        for PlacedPiece { row, column: file, piece: ColouredPiece { side, is_king } } in pieces {
            let point = Point::new(file as u8, ranks - 1 - row as u8);
            let square = self.board.square_at(point);
            let square = square.ok_or(InvalidPosition::LightSquare(point))?;
            let sets = if is_king { &mut position.kings } else { &mut position.soldiers };
            sets[side.index()] |= square.bit();
        }
        check_position(&self.board, &position)?;
        Ok(position)
    }

    fn position_text(&self, position: &Position) -> String {
        let letter = |row: usize, file: usize| {
            self.piece_letter(position, Point::new(file as u8, self.board.ranks - 1 - row as u8))
        };
        let board = piece_placement::format_piece_placement(&self.board.rank_widths(), letter);
        format!("{board} {} {}", side_initial::<Self>(position.side), position.full_move)
    }

    fn parse_move(&self, text: &str) -> Result<WrittenMovePath, SyntaxError> {
        parse_whole_string(parse_move_path, text)
    }

    fn resolve_move(
        &self,
        position: &Position,
        written: &WrittenMovePath,
    ) -> Result<Move, RuleViolation> {
        let points = written.points.iter();
        let path: Vec<Square> =
            points.map(|&point| self.require_square(point)).collect::<Result<_, _>>()?;
        let path = canonical_move_path(position, path);
        let mut legal = Vec::new();
        moves::generate_moves(&self.board, position, &mut legal);
        if let Some(mv) = Move::from_path(&path).filter(|mv| legal.contains(mv)) {
            return Ok(mv);
        }
        let mut candidates = Vec::new();
        if let ([from, .., to], true) = (path.as_slice(), written.may_be_shortened) {
            candidates
                .extend(legal.iter().filter(|mv| mv.from() == *from && mv.last_square() == *to));
        }
        match candidates.as_slice() {
            [only] => Ok(*only),
            [] => Err(legality::illegal_move_error(self, position, &path, &legal).into()),
            _ => {
                let mut candidates: Vec<String> =
                    candidates.into_iter().map(|mv| self.move_text(mv)).collect();
                candidates.sort();
                Err(IllegalMove::SeveralCaptures { candidates }.into())
            }
        }
    }

    fn move_text(&self, mv: Move) -> String {
        mv.path_squares().map(|square| square.point().to_string()).collect()
    }

    fn explain_outcome(&self, _: &Position, outcome: Outcome) -> String {
        let loser = outcome.winner().map_or("nobody", |winner| Self::SIDE_NAMES[(!winner).index()]);
        match outcome.reason() {
            "captured" => format!("{loser} has no piece left"),
            _ => format!("{loser} has no legal move"),
        }
    }

    fn move_kind_plural(&self, position: &Position, mv: Move) -> &'static str {
        match position.own_kings() & mv.from().bit() != 0 {
            true => "king moves",
            false if captures::is_phalanx_move(position, mv) => "phalanx moves",
            false => "soldier moves",
        }
    }

    fn rule_id_of_move(&self, position: &Position, mv: Move) -> Option<&'static str> {
        let is_king = position.own_kings() & mv.from().bit() != 0;
        let captures = captures::captured_pieces(position, mv) != 0;
        Some(match captures {
            false if captures::is_phalanx_move(position, mv) => "3.6",
            true if captures::is_phalanx_move(position, mv) => "4.1",
            true if mv.path_squares().count() > 2 => "5.7",
            true if is_king => "5.6",
            true => "5.2",
            false if is_king => "3.3",
            false => "3.2",
        })
    }

    fn rule_id_of_outcome(&self, reason: &str) -> Option<&'static str> {
        match reason {
            "no move" => Some("7.1"),
            "captured" => Some("7.2"),
            "repetition" => Some("7.3"),
            _ => None,
        }
    }

    fn board_diagram(&self, position: &Position, viewer: Side) -> Diagram {
        let mut diagram = Diagram::default();
        for rank in ranks_from_top(self.board.ranks, viewer) {
            let mut row = rank_label(rank, 2);
            row.push(DiagramCell::SPACE_CELL);
            for file in files_from_left(self.board.files, viewer) {
                row.extend([
                    DiagramCell::SPACE_CELL,
                    self.diagram_cell(position, Point::new(file, rank)),
                ]);
            }
            diagram.rows.push(row);
        }
        diagram.rows.push(file_label_line(files_from_left(self.board.files, viewer), 3, 1));
        diagram.push_note("w, b: soldiers; W, B: kings");
        diagram
    }
}

impl Bushka {
    /// Returns the letter of the piece at a point of the board, if there is one.
    fn piece_letter(&self, position: &Position, point: Point) -> Option<char> {
        let bit = self.board.square_at(point)?.bit();
        let side = Side::BOTH_SIDES.into_iter().find(|&side| position.pieces(side) & bit != 0)?;
        let piece = ColouredPiece { side, is_king: position.kings[side.index()] & bit != 0 };
        PIECE_LETTERS.into_iter().find_map(|(letter, other)| (other == piece).then_some(letter))
    }

    fn diagram_cell(&self, position: &Position, point: Point) -> DiagramCell {
        let Some(square) = self.board.square_at(point) else { return DiagramCell::SPACE_CELL };
        let player =
            Side::BOTH_SIDES.iter().position(|&side| position.pieces(side) & square.bit() != 0);
        match self.piece_letter(position, point).zip(player) {
            Some((letter, player)) => DiagramCell::of_piece(letter, player, point.into()),
            None => DiagramCell::of_empty_site('.', point.into()),
        }
    }

    /// Returns the dark square at this point.
    ///
    /// # Errors
    /// If the point is a light square or off the board.
    fn require_square(&self, point: Point) -> Result<Square, IllegalMove> {
        self.board.square_at(point).ok_or_else(|| {
            if self.board.contains_point(point) {
                IllegalMove::LightSquare(point)
            } else {
                IllegalMove::OffBoard { point, files: self.board.files }
            }
        })
    }
}

/// Returns the canonical path of a move that may be written as in the literature.
///
/// The literature lists every square of a phalanx. The list begins with the squares of the moving
/// soldiers, from the rearmost to the foremost. The list ends with the square that the foremost
/// soldier reaches. The canonical path has only the first and the last of these squares. No other
/// path has three or more neighbouring squares on one line, because after a capture the captured
/// piece blocks the line.
fn canonical_move_path(position: &Position, path: Vec<Square>) -> Vec<Square> {
    let steps: Vec<_> =
        path.windows(2).map(|leg| (leg[0].direction_to(leg[1]), leg[0].distance(leg[1]))).collect();
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

/// Rejects a position without pieces, a side with more pieces than at the start, and a soldier on
/// its last rank.
fn check_position(board: &Board, position: &Position) -> Result<(), InvalidPosition> {
    if position.occupied_squares() == 0 {
        return Err(InvalidPosition::NoPiece);
    }
    for side in Side::BOTH_SIDES {
        let index = side.index();
        let name = Bushka::SIDE_NAMES[index];
        let pieces = position.pieces(side).count_ones();
        let most = board.home_squares[index].count_ones();
        if pieces > most {
            return Err(InvalidPosition::TooManyPieces { side: name, pieces, most });
        }
        let unpromoted = position.soldiers[index] & board.last_ranks[index];
        if let Some(square) = super::board::iter_squares(unpromoted).next() {
            return Err(InvalidPosition::SoldierOnLastRank { side: name, point: square.point() });
        }
    }
    Ok(())
}

//! The notation of Guerre des Deux Roses: position strings and move strings.

use nom::branch::alt;
use nom::character::complete::{char, satisfy};
use nom::combinator::{eof, map};
use nom::sequence::{separated_pair, terminated};

use pentarch_core::notation::parsing::{
    label_expected_input, parse_full_move_number, parse_whole_string, split_position_fields,
};
use pentarch_core::notation::piece_placement::{self, PlacedPiece};
use pentarch_core::notation::points::parse_point_ignoring_case;
use pentarch_core::notation::{parse_side_initial, side_initial};
use pentarch_core::view::diagram::Diagram;
use pentarch_core::view::lesson::LessonStep;
use pentarch_core::{Notation, Outcome, Point, PositionError, RuleViolation, Side, SyntaxError};

use super::Roses;
use super::board::{CASTLE_CELLS, CellSet, HexCell, ROW_COUNT, row_cells};
use super::diagram;
use super::legality;
use super::lesson::LESSON_STEPS;
use super::moves::Move;
use super::names::{piece_letter, side_name};
use super::position::{Position, SOLDIERS_PER_SIDE};
use super::rule_violations::InvalidPosition;

/// A move as written: one, two or four cells. The cells need not be on the board.
///
/// A string names at most one legal move, although different rules use strings of the same form:
///
/// - One cell is a drop. In the drop phase, every legal move is a drop.
/// - Two cells, the first and the last, are a line move or an attack. These cells are on one line,
///   which defines the direction. The number n of steps between the cells is the number of soldiers
///   that move. A line move of n soldiers leads n steps from the cell of its rearmost soldier. An
///   attack by support leads one step (n is 1), and an attack by phalanx leads two steps (n is 2).
///   If the last cell is empty, the move is a line move. If the last cell has an enemy piece, the
///   move is an attack. If an attack by support and an attack by phalanx lead to the same cell,
///   they begin on different cells.
/// - Four cells are a translation. A translation never has the effect of a line move, because it is
///   not along the soldiers' line.
///
/// Conversely, every move has exactly one string, except translations. A translation can be written
/// with its soldiers in any order. The cells to which the soldiers go must be in the same order.
/// The canonical order is ascending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParsedMove {
    /// A drop on a cell, as in `d3`.
    Drop(Point),
    /// A line move or an attack: the first cell, then the last cell, as in `f6d4`.
    Forward(Point, Point),
    /// A translation: the two cells that the soldiers leave, then the two that they reach, as in
    /// `d4e5c4d5`.
    Translation([Point; 2], [Point; 2]),
}

impl Notation for Roses {
    type ParsedMove = ParsedMove;

    const RULES_TEXT: &'static str = include_str!("../rules.md");
    const NO_MOVE_AFTER_END_RULE_IDS: &'static [&'static str] = &["6.8"];
    const RULE_CASES: &'static str = include_str!("../rule_cases.txt");
    const TURN_RULE_ID: Option<&'static str> = Some("1.3");
    const LESSON_STEPS: &'static [LessonStep] = LESSON_STEPS;

    fn game_aim(&self) -> &'static str {
        "capture the enemy castle, or leave the enemy no move"
    }

    fn short_rules(&self) -> Option<[&'static str; 2]> {
        Some([
            "At first you drop your four soldiers, one per turn, each beside your castle or one of \
             your soldiers. Then soldiers move: one to a cell beside it, a row of them along its \
             line, two side by side. Two in line push an enemy soldier in front of them one cell \
             back. So does one soldier that a second soldier beside the enemy supports. A soldier \
             that is pushed off the board is captured.",
            "Two soldiers in line with the enemy castle capture it and win. A player who cannot move \
             has lost. The third occurrence of a position is a draw, unless an option says \
             otherwise.",
        ])
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let [board, side, reserves, number] =
            split_position_fields(text, ["board", "side to move", "reserves", "full-move number"])?;
        let mut soldiers = [0; 2];
        let mut castles = 0;
        let piece = |letter| "CcSs".contains(letter).then_some(letter);
        let expected = "C, c, S, s, / or a number of empty cells";
        let pieces =
            piece_placement::parse_piece_placement(board.text, expected, piece, &row_widths())
                .map_err(|error| error.to_position_error(InvalidPosition::Shape))?;
        for PlacedPiece { row: number, column: index, piece: letter } in pieces {
            let Some(cell) = row_cells(number as u8).nth(index) else { continue };
            match letter {
                'S' => soldiers[0] |= cell.bit(),
                's' => soldiers[1] |= cell.bit(),
                'C' => castles |= require_castle_on_home_cell(Side::First, cell)?,
                _ => castles |= require_castle_on_home_cell(Side::Second, cell)?,
            }
        }
        let side = side.read(parse_side_initial::<Self>)?;
        let digit =
            || map(satisfy(|letter| ('0'..='4').contains(&letter)), |digit| digit as u8 - b'0');
        let reserve = || label_expected_input("a number of soldiers from 0 to 4", digit());
        let reserves = reserves
            .read(separated_pair(reserve(), label_expected_input("/", char('/')), reserve()))?
            .into();
        let position = Position {
            soldiers,
            castles,
            reserves,
            side,
            full_move: number.read(parse_full_move_number)?,
        };
        check_position(&position)?;
        Ok(position)
    }

    fn position_text(&self, position: &Position) -> String {
        let piece = |number: usize, index| {
            row_cells(number as u8).nth(index).and_then(|cell| piece_letter(position, cell))
        };
        let side = side_initial::<Self>(position.side);
        let [white, black] = position.reserves;
        format!(
            "{} {side} {white}/{black} {}",
            piece_placement::format_piece_placement(&row_widths(), piece),
            position.full_move
        )
    }

    fn parse_move(&self, text: &str) -> Result<ParsedMove, SyntaxError> {
        let cell = || label_expected_input("a cell", parse_point_ignoring_case);
        let end = || label_expected_input("the end of the text", eof);
        let four = (cell(), cell(), cell(), cell());
        let translation =
            map(four, |(a, b, a_to, b_to)| ParsedMove::Translation([a, b], [a_to, b_to]));
        let forward = map((cell(), cell()), |(from, to)| ParsedMove::Forward(from, to));
        let drop = map(cell(), ParsedMove::Drop);
        parse_whole_string(
            alt((
                terminated(translation, end()),
                terminated(forward, end()),
                terminated(drop, end()),
            )),
            text,
        )
    }

    fn resolve_move(&self, position: &Position, text: &ParsedMove) -> Result<Move, RuleViolation> {
        Ok(match *text {
            ParsedMove::Drop(cell) => legality::resolve_drop(&self.board, position, cell)?,
            ParsedMove::Forward(from, to) => {
                legality::resolve_line_move_or_attack(&self.board, position, from, to)?
            }
            ParsedMove::Translation(from, to) => {
                legality::resolve_translation_move(&self.board, position, from, to)?
            }
        })
    }

    fn move_text(&self, mv: Move) -> String {
        match mv {
            Move::Drop(cell) => cell.point().to_string(),
            Move::Forward { from, to, .. } => format!("{}{}", from.point(), to.point()),
            Move::Translation { from, to } => {
                [from[0], from[1], to[0], to[1]].map(|cell| cell.point().to_string()).concat()
            }
        }
    }

    fn explain_outcome(&self, _: &Position, outcome: Outcome) -> String {
        let loser = outcome.winner().map_or("nobody", |winner| side_name(!winner));
        match outcome.reason() {
            "castle" => format!("{loser}'s castle is captured"),
            _ => format!("{loser} has no legal move"),
        }
    }

    fn move_kind_plural(&self, position: &Position, mv: Move) -> &'static str {
        match mv {
            Move::Drop(_) => "drops",
            Move::Translation { .. } => "translations",
            Move::Forward { to, .. } if position.pieces(!position.side) & to.bit() != 0 => {
                "attacks"
            }
            Move::Forward { .. } => "line moves",
        }
    }

    fn rule_id_of_move(&self, position: &Position, mv: Move) -> Option<&'static str> {
        Some(match mv {
            Move::Drop(_) => "3.3",
            Move::Translation { .. } => "4.8",
            Move::Forward { from, to, .. } => {
                let is_one_cell = from.distance(to) == 1;
                match position.pieces(!position.side) & to.bit() != 0 {
                    true if is_one_cell => "5.8",
                    true => "5.2",
                    false if is_one_cell => "4.4",
                    false => "4.5",
                }
            }
        })
    }

    fn rule_id_of_outcome(&self, reason: &str) -> Option<&'static str> {
        match reason {
            "castle" => Some("6.1"),
            "no move" => Some("6.2"),
            "repetition" => Some("6.4"),
            _ => None,
        }
    }

    fn board_diagram(&self, position: &Position, viewer: Side) -> Diagram {
        diagram::draw_position(position, viewer)
    }
}

fn row_widths() -> Vec<usize> {
    (0..ROW_COUNT).map(|number| row_cells(number).count()).collect()
}

/// Returns the cell of this side's castle, as a set.
///
/// # Errors
/// If the cell is not the home cell of this castle.
fn require_castle_on_home_cell(side: Side, cell: HexCell) -> Result<CellSet, InvalidPosition> {
    let home = CASTLE_CELLS[side.index()];
    if cell != home {
        return Err(InvalidPosition::MisplacedCastle {
            side: side_name(side),
            home: home.point(),
            cell: cell.point(),
        });
    }
    Ok(cell.bit())
}

/// Rejects positions in which the board, the side to move and the reserves contradict each other.
fn check_position(position: &Position) -> Result<(), InvalidPosition> {
    if position.castles == 0 {
        return Err(InvalidPosition::NoCastle);
    }
    for side in Side::BOTH_SIDES {
        let soldiers = position.reserves[side.index()] + count_board_soldiers(position, side);
        if soldiers > SOLDIERS_PER_SIDE {
            return Err(InvalidPosition::TooManySoldiers { side: side_name(side), soldiers });
        }
    }
    check_drop_alternation(position)?;
    for side in Side::BOTH_SIDES {
        let reserve = position.reserves[side.index()];
        let board = count_board_soldiers(position, side);
        if reserve > 0 && reserve + board < SOLDIERS_PER_SIDE {
            let side = side_name(side);
            return Err(InvalidPosition::LossBeforeLastDrop { side, reserve, board });
        }
    }
    match Side::BOTH_SIDES.into_iter().find(|&side| position.castle(side) == 0) {
        Some(loser) => check_position_after_castle_capture(position, loser),
        None => Ok(()),
    }
}

fn count_board_soldiers(position: &Position, side: Side) -> u8 {
    position.soldiers(side).count_ones() as u8
}

/// Rejects reserves that contradict the side to move. The sides drop alternately, White first.
fn check_drop_alternation(position: &Position) -> Result<(), InvalidPosition> {
    let [white, black] = position.reserves;
    match position.side {
        Side::First if white != black => Err(InvalidPosition::UnequalReserves { white, black }),
        Side::Second if black != white + 1 && position.reserves != [0, 0] => {
            Err(InvalidPosition::UnequalDrops { white, black })
        }
        _ => Ok(()),
    }
}

/// Checks a position without the castle of `loser`. Rejects the position if the last move could not
/// have captured the castle. A castle can be captured only in the move phase, and the capture ends
/// the game.
fn check_position_after_castle_capture(
    position: &Position,
    loser: Side,
) -> Result<(), InvalidPosition> {
    let [loser_name, winner] = [loser, !loser].map(side_name);
    if position.reserves != [0, 0] {
        return Err(InvalidPosition::CaptureBeforeLastDrop { loser: loser_name });
    }
    if position.side != loser {
        return Err(InvalidPosition::WinnerToMove { loser: loser_name, winner });
    }
    Ok(())
}

//! The notation of Alquerque: position strings, move strings, and the board as a text diagram.

use nom::Parser;
use nom::branch::alt;
use nom::character::complete::char;
use nom::combinator::eof;
use nom::multi::many_till;
use nom::sequence::{pair, terminated};

use pentarch_core::notation::parsing::{
    FurthestParseError, label_expected_input, parse_full_move_number, split_position_fields,
};
use pentarch_core::notation::piece_placement::{self, PlacedPiece};
use pentarch_core::notation::points::{files_from_left, parse_point, ranks_from_top};
use pentarch_core::notation::{parse_side_initial, side_initial};
use pentarch_core::view::diagram::{
    Diagram, DiagramCell, DiagramCellKind, file_label_line, rank_label,
};
use pentarch_core::view::lesson::LessonStep;
use pentarch_core::{
    Notation, Outcome, Point, PositionError, RuleViolation, Rules, Side, SyntaxError,
};

use super::board::{
    BOARD_SIZE, BoardPoint, Direction, StraightPath, format_point_set, iter_points_of_set,
};
use super::lesson::LESSON_STEPS;
use super::move_string::{ParsedMove, parse_end_of_string, parse_move};
use super::moves::Move;
use super::position::Position;
use super::rule_violations::InvalidPosition;
use super::rules::{
    Alquerque, BaseRowRule, MissedCaptureRule, MovementRule, MultiCaptureRule, OPPONENT_BASE_ROWS,
    RetreatBanRule,
};

pub(crate) const MAX_CHECKERS_PER_SIDE: u32 = 12;
/// The number of points on each rank.
const RANK_WIDTHS: [usize; BOARD_SIZE as usize] = [BOARD_SIZE as usize; BOARD_SIZE as usize];
/// The letters of light and dark checkers.
const CHECKER_LETTERS: [char; 2] = ['o', 'x'];

impl Notation for Alquerque {
    type ParsedMove = ParsedMove;

    const RULES_TEXT: &'static str = include_str!("../rules.md");
    const NO_MOVE_AFTER_END_RULE_IDS: &'static [&'static str] = &["0.4"];
    const RULE_CASES: &'static str = include_str!("../rule_cases.txt");
    const TURN_RULE_ID: Option<&'static str> = Some("0.3");
    const FEN_FORMAT_RULE_ID: Option<&'static str> = Some("0.8");
    const LESSON_STEPS: &'static [LessonStep] = LESSON_STEPS;

    fn game_aim(&self) -> &'static str {
        match self.blocked_loses {
            true => "capture all enemy checkers, or leave them no move",
            false => "capture all enemy checkers",
        }
    }

    fn short_rules(&self) -> Option<[&'static str; 2]> {
        let end = match (self.blocked_loses, self.repetition_draws) {
            (true, true) => {
                "A player without checkers has lost, and so has a player who is to move and cannot. \
                 The third occurrence of a position is a draw."
            }
            (true, false) => {
                "A player without checkers has lost, and so has a player who is to move and cannot."
            }
            (false, _) => {
                "A player without checkers has lost. If the player to move cannot, it is a draw."
            }
        };
        Some([
            "You step with a checker along a line to the next point, or jump over an enemy checker \
             beside it to the free point behind, which captures it; the same checker may jump again \
             in the same turn. The options of the rules say where steps may go, whether you must \
             capture, and when you must jump again.",
            end,
        ])
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let format_points =
            ["board", "side to move", "retreat", "spent checkers", "huff", "full-move number"];
        let [board, side, retreat, spent, huff, number] =
            split_position_fields(text, format_points)?;
        let side_of = |letter| CHECKER_LETTERS.iter().position(|&checker| checker == letter);
        let checkers = piece_placement::parse_piece_placement(
            board.text,
            "o, x, a digit or /",
            side_of,
            &RANK_WIDTHS,
        )
        .map_err(|error| error.to_position_error(InvalidPosition::Shape))?;
        let side = side.read(parse_side_initial::<Self>)?;
        let entry = pair(
            label_expected_input("a checker's point", parse_point),
            label_expected_input("the point it must not step back to", parse_point),
        );
        let retreat = retreat.read(parse_list_or_dash(entry))?;
        let spent = spent.read(parse_list_or_dash(label_expected_input(
            "a spent checker's point",
            parse_point,
        )))?;
        let huff =
            huff.read(parse_list_or_dash(label_expected_input("a point to huff", parse_point)))?;
        let full_move = number.read(parse_full_move_number)?;
        let mut position =
            Position { checkers: [0; 2], banned: [0; 8], spent: 0, huff: 0, full_move, side };
        for PlacedPiece { row, column, piece: side } in checkers {
            let point = Point::new(column as u8, BOARD_SIZE - 1 - row as u8);
            position.checkers[side] |=
                BoardPoint::from_coordinates(point).map_or(0, BoardPoint::bit);
        }
        if position.occupied_points() == 0 {
            return Err(InvalidPosition::NoChecker.into());
        }
        for side in Side::BOTH_SIDES {
            let checkers = position.checkers[side.index()].count_ones();
            if checkers > MAX_CHECKERS_PER_SIDE {
                let side = Self::SIDE_NAMES[side.index()];
                return Err(InvalidPosition::TooManyCheckers { side, checkers }.into());
            }
        }
        position.banned = self.read_forbidden_steps(&position, &retreat)?;
        position.spent = self.read_spent_checkers(&position, &spent)?;
        position.huff = self.read_huffable_checkers(&position, &huff)?;
        Ok(position)
    }

    fn position_text(&self, position: &Position) -> String {
        let board = piece_placement::format_piece_placement(&RANK_WIDTHS, |row, column| {
            side_with_checker_at(position, column as u8, BOARD_SIZE - 1 - row as u8)
                .map(|side| CHECKER_LETTERS[side])
        });
        let side = side_initial::<Self>(position.side);
        let retreat: String = forbidden_steps(position)
            .map(|step| format!("{}{}", step.from.coordinates(), step.to.coordinates()))
            .collect();
        let retreat = format_list_or_dash(retreat);
        let spent = format_list_or_dash(join_point_names(iter_points_of_set(position.spent)));
        let huff = format_list_or_dash(join_point_names(iter_points_of_set(position.huff)));
        format!("{board} {side} {retreat} {spent} {huff} {}", position.full_move)
    }

    fn parse_move(&self, text: &str) -> Result<ParsedMove, SyntaxError> {
        parse_move(text)
    }

    fn resolve_move(&self, position: &Position, text: &ParsedMove) -> Result<Move, RuleViolation> {
        Ok(self.resolve_parsed_move(position, text)?)
    }

    fn move_text(&self, mv: Move) -> String {
        let huff = mv.huffed.map_or_else(String::new, |point| format!("h{}", point.coordinates()));
        huff + &join_point_names(mv.visited_points())
    }

    fn explain_outcome(&self, _: &Position, outcome: Outcome) -> String {
        let loser = outcome.winner().map(|winner| Self::SIDE_NAMES[(!winner).index()]);
        match (outcome.reason(), loser) {
            ("captured", Some(loser)) => format!("{loser} has no checker left"),
            (_, Some(loser)) => format!("{loser} has no legal move"),
            (_, None) => "the side to move has no legal move".into(),
        }
    }

    fn move_kind_plural(&self, _: &Position, mv: Move) -> &'static str {
        match (mv.huffed, mv.is_step()) {
            (Some(_), _) => "huffs",
            (None, true) => "steps",
            (None, false) => "captures",
        }
    }

    fn rule_id_of_move(&self, _: &Position, mv: Move) -> Option<&'static str> {
        Some(match self.multi_capture {
            _ if mv.huffed.is_some() => "REQ.26.ALT.1",
            _ if mv.is_step() => "REQ.8",
            _ if mv.visited_points().count() == 2 => "REQ.9",
            MultiCaptureRule::Off => "REQ.10.ALT.2",
            MultiCaptureRule::Stop => "REQ.10.1.ALT.1",
            MultiCaptureRule::Complete => "REQ.10.1.ALT.2",
            MultiCaptureRule::Maximum => "REQ.10.1.ALT.3",
        })
    }

    fn rule_id_of_outcome(&self, reason: &str) -> Option<&'static str> {
        match (reason, self.agreed_draws, self.blocked_loses) {
            ("repetition", true, _) => Some("0.22"),
            ("captured" | "blocked" | "no move" | "agreement", true, false) => Some("REQ.27.ALT.1"),
            ("captured" | "blocked" | "no move" | "agreement", true, true) => Some("REQ.27.ALT.2"),
            ("captured" | "blocked" | "repetition" | "no move", false, _) => Some("REQ.27.ALT.3"),
            _ => None,
        }
    }

    fn board_diagram(&self, position: &Position, viewer: Side) -> Diagram {
        let mut diagram = Diagram::default();
        for (row, rank) in (0..BOARD_SIZE).zip(ranks_from_top(BOARD_SIZE, viewer)) {
            let mut points = rank_label(rank, 1);
            points.extend([DiagramCell::SPACE_CELL; 2]);
            for (column, file) in (0..BOARD_SIZE).zip(files_from_left(BOARD_SIZE, viewer)) {
                if column > 0 {
                    points.extend(DiagramCellKind::Line.cells_for_characters("---"));
                }
                let site = Point::new(file, rank).into();
                points.push(match side_with_checker_at(position, file, rank) {
                    Some(player) => DiagramCell::of_piece(CHECKER_LETTERS[player], player, site),
                    None => DiagramCell::of_empty_site('.', site),
                });
            }
            diagram.rows.push(points);
            if row + 1 < BOARD_SIZE {
                // A diagonal goes up from a point if its file and rank add up to an even number
                // (REQ.7). The lines are the same from both sides.
                let slants: Vec<&str> = (1..BOARD_SIZE)
                    .map(|file| if (file + row) % 2 == 0 { " / " } else { " \\ " })
                    .collect();
                let mut lines = vec![DiagramCell::SPACE_CELL; 3];
                lines.extend(
                    DiagramCellKind::Line.cells_for_characters(&format!("|{}|", slants.join("|"))),
                );
                diagram.rows.push(lines);
            }
        }
        diagram.rows.push(file_label_line(files_from_left(BOARD_SIZE, viewer), 0, 3));
        let [light, dark] = CHECKER_LETTERS;
        diagram.push_note(&format!("{light}: light's checkers, {dark}: dark's"));
        let steps: Vec<String> = forbidden_steps(position)
            .map(|step| format!("{} to {}", step.from.coordinates(), step.to.coordinates()))
            .collect();
        if !steps.is_empty() {
            diagram.push_note(&format!("no step back: {}", steps.join(", ")));
        }
        if position.spent != 0 {
            diagram.push_note(&format!("spent, jumps only: {}", format_point_set(position.spent)));
        }
        if position.huff != 0 {
            let [own, enemy] =
                [position.side, !position.side].map(|side| Self::SIDE_NAMES[side.index()]);
            diagram.push_note(&format!(
                "{own} must huff one {enemy} checker first: {}",
                format_point_set(position.huff)
            ));
        }
        diagram
    }
}

impl Alquerque {
    /// Returns the steps that the retreat field forbids. The result has, for each direction, the
    /// checkers that may not step in that direction. An entry of the field is a checker and the
    /// point to which the checker must not step.
    fn read_forbidden_steps(
        &self,
        position: &Position,
        entries: &[(Point, Point)],
    ) -> Result<[u32; 8], InvalidPosition> {
        if self.retreat == RetreatBanRule::Free && !entries.is_empty() {
            return Err(InvalidPosition::RetreatNotInRules);
        }
        let checkers: Vec<Point> = entries.iter().map(|&(checker, _)| checker).collect();
        let absent = |point| InvalidPosition::NoCheckerToRetreat { point };
        let set = points_to_set("retreat field", &checkers, position.occupied_points(), absent)?;
        if self.retreat == RetreatBanRule::Player {
            for side in Side::BOTH_SIDES {
                if (set & position.checkers[side.index()]).count_ones() > 1 {
                    return Err(InvalidPosition::TwoRetreats {
                        side: Self::SIDE_NAMES[side.index()],
                    });
                }
            }
        }
        let mut banned = [0; 8];
        for &(checker, back) in entries {
            let from = require_point_on_board(checker)?.bit();
            require_point_on_board(back)?;
            match Direction::direction_and_distance(checker, back) {
                Some(StraightPath { direction, distance: 1 })
                    if direction.line_start_points() & from != 0 =>
                {
                    banned[direction.index()] |= from;
                }
                _ => return Err(InvalidPosition::NoRetreatLine { from: checker, to: back }),
            }
        }
        Ok(banned)
    }

    /// Returns the set of spent checkers.
    fn read_spent_checkers(
        &self,
        position: &Position,
        points: &[Point],
    ) -> Result<u32, InvalidPosition> {
        if self.movement != MovementRule::Bell(BaseRowRule::Spent) && !points.is_empty() {
            return Err(InvalidPosition::SpentNotInRules);
        }
        let absent = |point| InvalidPosition::NoSpentChecker { point };
        let spent =
            points_to_set("field of spent checkers", points, position.occupied_points(), absent)?;
        for side in Side::BOTH_SIDES {
            let on_base =
                spent & position.checkers[side.index()] & OPPONENT_BASE_ROWS[side.index()];
            if let Some(point) = iter_points_of_set(on_base).next() {
                let side = Self::SIDE_NAMES[side.index()];
                return Err(InvalidPosition::SpentOnBaseRow { side, point: point.coordinates() });
            }
        }
        Ok(spent)
    }

    /// Returns the set of enemy checkers that may be huffed; one of these must be huffed.
    fn read_huffable_checkers(
        &self,
        position: &Position,
        points: &[Point],
    ) -> Result<u32, InvalidPosition> {
        if self.missed_capture != MissedCaptureRule::Huff && !points.is_empty() {
            return Err(InvalidPosition::HuffNotInRules);
        }
        let enemy = Self::SIDE_NAMES[(!position.side).index()];
        let absent = |point| InvalidPosition::NoCheckerToHuff { point, enemy };
        points_to_set("huff field", points, position.enemy_checkers(), absent)
    }
}

/// Parses a list of at least one item, or `-` as the empty list.
fn parse_list_or_dash<'a, O>(
    item: impl Parser<&'a str, Output = O, Error = FurthestParseError<'a>>,
) -> impl Parser<&'a str, Output = Vec<O>, Error = FurthestParseError<'a>> {
    alt((
        terminated(label_expected_input("-", char('-')), parse_end_of_string).map(|_| Vec::new()),
        many_till(item, eof).map(|(items, _)| items),
    ))
}

fn require_point_on_board(point: Point) -> Result<BoardPoint, InvalidPosition> {
    BoardPoint::from_coordinates(point).ok_or(InvalidPosition::OffBoard { point })
}

/// Returns the set of the points in a list.
///
/// # Errors
/// If the points are not in ascending order, or a point is not in `allowed`. For the first error,
/// `field` is the name of the list. `absent` creates the second error.
fn points_to_set(
    field: &'static str,
    points: &[Point],
    allowed: u32,
    absent: impl Fn(Point) -> InvalidPosition,
) -> Result<u32, InvalidPosition> {
    for pair in points.windows(2) {
        let [first, second] = [pair[0], pair[1]];
        if first == second {
            return Err(InvalidPosition::DuplicatePoint { field, point: first });
        }
        if first > second {
            return Err(InvalidPosition::UnsortedPoints { field, first, second });
        }
    }
    let mut set = 0;
    for &point in points {
        set |= require_point_on_board(point)?.bit();
    }
    match iter_points_of_set(set & !allowed).next() {
        Some(point) => Err(absent(point.coordinates())),
        None => Ok(set),
    }
}

fn format_list_or_dash(list: String) -> String {
    if list.is_empty() { "-".into() } else { list }
}

fn join_point_names(points: impl Iterator<Item = BoardPoint>) -> String {
    points.map(|point| point.coordinates().to_string()).collect()
}

/// Returns the index of the side that has a checker on this file and rank; `None` if the point is
/// free.
fn side_with_checker_at(position: &Position, file: u8, rank: u8) -> Option<usize> {
    let bit = BoardPoint::from_coordinates(Point::new(file, rank)).map_or(0, BoardPoint::bit);
    position.checkers.iter().position(|checkers| checkers & bit != 0)
}

/// A step that a position forbids, because it would take a move back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ForbiddenStep {
    /// The point of the checker.
    pub from: BoardPoint,
    /// The point to which the checker must not step.
    pub to: BoardPoint,
}

/// Returns the forbidden steps in ascending order of the checkers.
pub(crate) fn forbidden_steps(position: &Position) -> impl Iterator<Item = ForbiddenStep> {
    let banned = position.banned;
    iter_points_of_set(banned.into_iter().fold(0, |all, set| all | set)).flat_map(move |from| {
        let directions = Direction::ALL
            .into_iter()
            .filter(move |direction| banned[direction.index()] & from.bit() != 0);
        directions.map(move |direction| {
            let to = BoardPoint::from_lowest_bit(direction.shift_set(from.bit()));
            ForbiddenStep { from, to }
        })
    })
}

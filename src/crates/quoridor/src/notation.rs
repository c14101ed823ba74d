//! The notation of Quoridor: position strings for two and for four players.

use nom::Parser;
use nom::branch::alt;
use nom::character::complete::char;
use nom::combinator::value;
use nom::multi::{count, many1};
use nom::sequence::{pair, separated_pair};

use pentarch_core::notation::parsing::{
    FurthestParseError, ParseResult, label_expected_input, parse_full_move_number,
    parse_number_in_range, split_position_fields,
};
use pentarch_core::notation::points::parse_point;
use pentarch_core::notation::{parse_side_initial, side_initial};
use pentarch_core::view::diagram::Diagram;
use pentarch_core::view::lesson::LessonStep;
use pentarch_core::{
    HasPlayers, Notation, Outcome, Point, PositionError, RuleViolation, Rules, Side, SyntaxError,
};

use super::board::Board;
use super::legality::{LegalityChecker, require_square, require_wall_post, wall_conflict};
use super::lesson::LESSON_STEPS;
use super::moves::{Move, pawn_targets};
use super::position::{PlayerToMove, Position};
use super::rule_violations::InvalidPosition;
use super::square_sets::Square;
use super::unchecked_move::{UncheckedMove, parse_move, parse_wall_direction};
use super::walls::{Wall, WallDirection, Walls};
use super::{MAX_WALLS_WITH_TWO_PLAYERS, Quoridor, diagram, wall_placement};

impl Notation for Quoridor {
    type ParsedMove = UncheckedMove;

    const RULES_TEXT: &'static str = include_str!("../rules.md");
    const NO_MOVE_AFTER_END_RULE_IDS: &'static [&'static str] = &["9.5"];
    const RULE_CASES: &'static str = include_str!("../rule_cases.txt");
    const TURN_RULE_ID: Option<&'static str> = Some("3.3");
    const FEN_FORMAT_RULE_ID: Option<&'static str> = Some("10.5");
    const LESSON_STEPS: &'static [LessonStep] = LESSON_STEPS;

    fn game_aim(&self) -> &'static str {
        "reach the opposite edge with your pawn"
    }

    fn short_rules(&self) -> Option<[&'static str; 2]> {
        Some([
            "You either step with your pawn to a square beside it, or place one of your walls \
                between the squares, where it stays. If the other pawn is beside yours, you may \
                jump over it. No pawn crosses a wall, walls do not cross or cover each other, and \
                each pawn must always have a path to its goal.",
            "The first pawn on the opposite edge wins. There is no draw, unless the option \
                RepetitionDraw makes the third occurrence of a position one.",
        ])
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let walls_left = separated_pair(
            parse_walls_left,
            label_expected_input("/", char('/')),
            parse_walls_left,
        )
        .map(<[u8; 2]>::from);
        read_position(
            &self.legality_checker(),
            text,
            "side to move",
            parse_side_initial::<Self>,
            walls_left,
        )
    }

    fn position_text(&self, position: &Position) -> String {
        format_position(position, side_initial::<Self>(position.mover))
    }

    fn parse_move(&self, text: &str) -> Result<UncheckedMove, SyntaxError> {
        parse_move(text)
    }

    fn resolve_move(&self, position: &Position, mv: &UncheckedMove) -> Result<Move, RuleViolation> {
        let open = position.open_passages(&self.board);
        let (targets, placeable_walls) = (
            pawn_targets(position, open),
            wall_placement::placeable_walls(&self.board, position, open),
        );
        Ok(self.legality_checker().resolve_move(position, mv, targets, placeable_walls)?)
    }

    fn move_text(&self, mv: Move) -> String {
        mv.to_string()
    }

    fn explain_outcome(&self, _: &Position, outcome: Outcome) -> String {
        let goal = outcome.winner().map_or(0, |winner| self.board.goal_rank(winner) + 1);
        format!("its pawn has reached rank {goal}")
    }

    fn move_kind_plural(&self, _: &Position, mv: Move) -> &'static str {
        mv.kind_name()
    }

    fn rule_id_of_move(&self, position: &Position, mv: Move) -> Option<&'static str> {
        Some(match mv.pawn_distance(position.pawns[position.player_index()]) {
            None => "7.1",
            Some([1, 0] | [0, 1]) => "6.1",
            Some([1, 1]) => "6.8",
            Some(_) => "6.5",
        })
    }

    fn rule_id_of_outcome(&self, reason: &str) -> Option<&'static str> {
        match reason {
            "goal" => Some("9.1"),
            "no move" => Some("9.2"),
            "repetition" => Some("9.4"),
            _ => None,
        }
    }

    /// Draws the board. A note next to each player's first rank shows the number of walls that the
    /// player has left.
    fn board_diagram(&self, position: &Position, viewer: Side) -> Diagram {
        let walls_left_note = |rank| {
            let side =
                Side::BOTH_SIDES.into_iter().find(|&side| self.board.goal_rank(!side) == rank)?;
            Some(format!(
                "   {}, walls left: {}",
                Self::SIDE_NAMES[side.index()],
                position.walls_left[side.index()]
            ))
        };
        let mut diagram =
            diagram::draw_board(&self.board, position, viewer, ['W', 'B'], walls_left_note);
        diagram.push_note("W, B: the pawns");
        diagram
    }
}

impl Quoridor {
    fn legality_checker(&self) -> LegalityChecker<'_, 2> {
        LegalityChecker {
            board: &self.board,
            goals: self.board.goals,
            walls: self.walls,
            names: Self::PLAYER_NAMES,
            has_teams: false,
        }
    }
}

/// Reads a position string. `mover` parses the field of the player to move; error messages call
/// this field `mover_name`. `walls_left` parses the numbers of walls that the players have left.
///
/// # Errors
/// The same errors as for [`Notation::parse_position`].
pub(crate) fn read_position<'a, const PLAYERS: usize, M: PlayerToMove>(
    checker: &LegalityChecker<PLAYERS>,
    text: &'a str,
    mover_name: &str,
    mover: impl Parser<&'a str, Output = M, Error = FurthestParseError<'a>>,
    walls_left: impl Parser<&'a str, Output = [u8; PLAYERS], Error = FurthestParseError<'a>>,
) -> Result<Position<PLAYERS, M>, PositionError> {
    let names = ["pawns", "walls", mover_name, "walls left", "full-move number"];
    let [pawns, walls, mover_field, left, move_number] = split_position_fields(text, names)?;
    let points = pawns.read(count(parse_point, PLAYERS))?;
    let none = value(Vec::new(), label_expected_input("-", char('-')));
    let walls = walls.read(alt((
        none,
        many1(label_expected_input("a wall", pair(parse_point, parse_wall_direction("h", "v")))),
    )))?;
    let mover = mover_field.read(mover)?;
    let walls_left = left.read(walls_left)?;
    let full_move = move_number.read(parse_full_move_number)?;
    let walls = read_wall_set::<PLAYERS>(checker.board, &walls)?;
    let mut pawns = [Square(0); PLAYERS];
    for (pawn, point) in pawns.iter_mut().zip(points) {
        *pawn = require_square(checker.board, point).map_err(InvalidPosition::<PLAYERS>::from)?;
    }
    let position = Position { walls, pawns, walls_left, mover, full_move };
    checker.check_position(&position)?;
    Ok(position)
}

/// Formats a position as a string. `mover` is the field for the player to move.
pub(crate) fn format_position<const PLAYERS: usize, M>(
    position: &Position<PLAYERS, M>,
    mover: &str,
) -> String {
    let pawns = position.pawns.map(|pawn| pawn.point().to_string()).concat();
    let left = position.walls_left.map(|left| left.to_string()).join("/");
    format!("{pawns} {} {mover} {left} {}", format_walls(position.walls), position.full_move)
}

/// Formats the walls field of a position string: the names in ascending order, or `-` if there is
/// no wall.
fn format_walls(walls: Walls) -> String {
    if walls.is_empty() {
        return "-".into();
    }
    let mut walls: Vec<Wall> = walls.iter().collect();
    walls.sort_by_key(|wall| wall.post);
    walls.iter().map(Wall::to_string).collect()
}

/// Parses the number of walls that a player has left.
pub(crate) fn parse_walls_left(input: &str) -> ParseResult<'_, u8> {
    label_expected_input(
        "a number of walls from 0 to 20",
        parse_number_in_range(0..=MAX_WALLS_WITH_TWO_PLAYERS),
    )
    .parse(input)
}

/// Returns the set of the walls in a list.
///
/// # Errors
/// If the walls are not in ascending order, or if they conflict with each other.
fn read_wall_set<const PLAYERS: usize>(
    board: &Board,
    list: &[(Point, WallDirection)],
) -> Result<Walls, InvalidPosition<PLAYERS>> {
    let mut set = Walls::EMPTY;
    let mut previous: Option<Wall> = None;
    for &(point, direction) in list {
        let wall = Wall { post: require_wall_post(board, point)?, direction };
        let order = |wall: Wall| (wall.post, wall.direction as u8);
        match previous {
            Some(previous) if previous == wall => return Err(InvalidPosition::WallTwice(wall)),
            Some(before) if order(before) > order(wall) => {
                return Err(InvalidPosition::WallOrder { wall, before });
            }
            _ => previous = Some(wall),
        }
        if let Some(conflict) = wall_conflict(set, wall) {
            return Err(InvalidPosition::WallConflict { wall, conflict });
        }
        set = set | wall.into();
    }
    Ok(set)
}

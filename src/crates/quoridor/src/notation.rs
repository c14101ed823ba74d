//! The notation of Quoridor: position texts, also those for four players.

use nom::Parser;
use nom::branch::alt;
use nom::character::complete::char;
use nom::combinator::value;
use nom::multi::{count, many1};
use nom::sequence::{pair, separated_pair};

use pentarch_core::notation::points::point;
use pentarch_core::notation::text::{
    FurthestError, ParseResult, expect, fields, full_move, number,
};
use pentarch_core::notation::{initial, side_initial};
use pentarch_core::view::diagram::Diagram;
use pentarch_core::view::lesson::LessonStep;
use pentarch_core::{
    Notation, Outcome, Players, Point, PositionError, Rules, Side, SyntaxError, Violation,
};

use super::board::Board;
use super::errors::InvalidPosition;
use super::legality::{Terms, conflict, post, square};
use super::lesson::LESSON;
use super::move_text::{ParsedMove, direction, parse_move};
use super::moves::{Move, pawn_targets};
use super::position::{Mover, Position};
use super::sets::Square;
use super::walls::{Direction, Wall, Walls};
use super::{MOST_WALLS, Quoridor, diagram, placement};

impl Notation for Quoridor {
    type ParsedMove = ParsedMove;

    const RULES_TEXT: &'static str = include_str!("../rules.md");
    const GAME_OVER: &'static [&'static str] = &["9.5"];
    const LESSON: &'static [LessonStep] = LESSON;

    fn aim(&self) -> &'static str {
        "reach the opposite edge with your pawn"
    }

    fn short_rules(&self) -> Option<[&'static str; 2]> {
        Some([
            "You either step with your pawn to a square beside it, or place one of your walls between the squares, \
             where it stays. If the other pawn is beside yours, you may jump over it. No pawn crosses a wall, walls do \
             not cross or cover each other, and each pawn must always have a path to its aim.",
            "The first pawn on the opposite edge wins. There is no draw, unless the option RepetitionDraw makes the \
             third occurrence of a position one.",
        ])
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let lefts =
            separated_pair(walls_left, expect("/", char('/')), walls_left).map(<[u8; 2]>::from);
        read_position(&self.terms(), text, "side to move", side_initial::<Self>, lefts)
    }

    fn position_text(&self, position: &Position) -> String {
        position_text(position, initial::<Self>(position.mover))
    }

    fn parse_move(&self, text: &str) -> Result<ParsedMove, SyntaxError> {
        parse_move(text)
    }

    fn find_move(&self, position: &Position, text: &ParsedMove) -> Result<Move, Violation> {
        let open = position.open(&self.board);
        let (targets, allowed) =
            (pawn_targets(position, open), placement::allowed(&self.board, position, open));
        Ok(self.terms().find_move(position, text, targets, allowed)?)
    }

    fn move_text(&self, mv: Move) -> String {
        mv.to_string()
    }

    fn explain_outcome(&self, _: &Position, outcome: Outcome) -> String {
        let goal = outcome.winner().map_or(0, |winner| self.board.goal_rank(winner) + 1);
        format!("its pawn has reached rank {goal}")
    }

    fn move_kind(&self, _: &Position, mv: Move) -> &'static str {
        mv.kind()
    }

    /// The walls that each player has left are beside the player's first rank.
    fn diagram(&self, position: &Position, viewer: Side) -> Diagram {
        let beside = |rank| {
            let side = Side::BOTH.into_iter().find(|&side| self.board.goal_rank(!side) == rank)?;
            Some(format!(
                "   {}, walls left: {}",
                Self::SIDES[side.index()],
                position.walls_left[side.index()]
            ))
        };
        let mut diagram = diagram::board(&self.board, position, viewer, ['W', 'B'], beside);
        diagram.push_note("W, B: the pawns");
        diagram
    }
}

impl Quoridor {
    /// What texts tell of these rules.
    fn terms(&self) -> Terms<'_, 2> {
        Terms {
            board: &self.board,
            goals: self.board.goals,
            walls: self.walls,
            names: Self::PLAYERS,
            teams: false,
        }
    }
}

/// Reads a position text. `mover` reads the field of the player to move, which is called `mover_name`, and `lefts` the
/// numbers of walls that the players have left.
///
/// # Errors
/// As those of [`Notation::parse_position`].
pub fn read_position<'a, const PLAYERS: usize, M: Mover>(
    terms: &Terms<PLAYERS>,
    text: &'a str,
    mover_name: &str,
    mover: impl Parser<&'a str, Output = M, Error = FurthestError<'a>>,
    lefts: impl Parser<&'a str, Output = [u8; PLAYERS], Error = FurthestError<'a>>,
) -> Result<Position<PLAYERS, M>, PositionError> {
    let names = ["pawns", "walls", mover_name, "walls left", "full-move number"];
    let [pawns, walls, mover_field, left, move_number] = fields(text, names)?;
    let points = pawns.read(count(point, PLAYERS))?;
    let none = value(Vec::new(), expect("-", char('-')));
    let walls =
        walls.read(alt((none, many1(expect("a wall", pair(point, direction("h", "v")))))))?;
    let mover = mover_field.read(mover)?;
    let walls_left = left.read(lefts)?;
    let full_move = move_number.read(full_move)?;
    let walls = wall_set::<PLAYERS>(terms.board, &walls)?;
    let mut pawns = [Square(0); PLAYERS];
    for (pawn, point) in pawns.iter_mut().zip(points) {
        *pawn = square(terms.board, point).map_err(InvalidPosition::<PLAYERS>::from)?;
    }
    let position = Position { walls, pawns, walls_left, mover, full_move };
    terms.check(&position)?;
    Ok(position)
}

/// The text of a position whose player to move has this word.
pub fn position_text<const PLAYERS: usize, M>(
    position: &Position<PLAYERS, M>,
    mover: &str,
) -> String {
    let pawns = position.pawns.map(|pawn| pawn.point().to_string()).concat();
    let left = position.walls_left.map(|left| left.to_string()).join("/");
    format!("{pawns} {} {mover} {left} {}", walls_text(position.walls), position.full_move)
}

/// The walls field of a position text: their names in order, or `-` for none.
fn walls_text(walls: Walls) -> String {
    if walls.is_empty() {
        return "-".into();
    }
    let mut walls: Vec<Wall> = walls.iter().collect();
    walls.sort_by_key(|wall| wall.post);
    walls.iter().map(Wall::to_string).collect()
}

/// Parses the number of walls that a player has left.
pub fn walls_left(input: &str) -> ParseResult<'_, u8> {
    expect("a number of walls from 0 to 20", number(0..=MOST_WALLS)).parse(input)
}

/// The set of the walls in a list.
///
/// # Errors
/// If they are not in ascending order or cannot stand on the board together.
fn wall_set<const PLAYERS: usize>(
    board: &Board,
    list: &[(Point, Direction)],
) -> Result<Walls, InvalidPosition<PLAYERS>> {
    let mut set = Walls::NONE;
    let mut last: Option<Wall> = None;
    for &(point, direction) in list {
        let wall = Wall { post: post(board, point)?, direction };
        let order = |wall: Wall| (wall.post, wall.direction as u8);
        match last {
            Some(last) if last == wall => return Err(InvalidPosition::WallTwice(wall)),
            Some(before) if order(before) > order(wall) => {
                return Err(InvalidPosition::WallOrder { wall, before });
            }
            _ => last = Some(wall),
        }
        if let Some(conflict) = conflict(set, wall) {
            return Err(InvalidPosition::WallConflict { wall, conflict });
        }
        set = set | wall.into();
    }
    Ok(set)
}

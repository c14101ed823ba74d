//! The notation of Quoridor: position texts and move texts.

use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{char, digit1, one_of};
use nom::combinator::{eof, value};
use nom::multi::many1;
use nom::sequence::{delimited, pair, separated_pair};

use crate::core::points::{point, point_any_case};
use crate::core::text::{Furthest, Parsed, expect, fields, finish, full_move, initial, side_initial};
use crate::core::{Illegal, Notation, Outcome, Point, PositionError, Side, SyntaxError};

use super::board::{Board, Square};
use super::moves::Move;
use super::position::Position;
use super::walls::{Direction, Wall, Walls};
use super::{MOST_WALLS, Quoridor, diagram, legality};

/// A move as written, its point not checked yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveText {
    /// A pawn move: a point.
    Pawn(Point),
    /// A wall: a point and a direction.
    Wall(Point, Direction),
}

impl Notation for Quoridor {
    type MoveText = MoveText;

    const RULES_TEXT: &'static str = include_str!("rules.md");

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let names = ["pawns", "walls", "side to move", "walls left", "full-move number"];
        let [pawns, walls, side, left, number] = fields(text, names)?;
        let at = |column| move |error: SyntaxError| error.shifted(column);
        let (white, black) = finish(pair(point, point), pawns.1).map_err(at(pawns.0))?;
        let walls = finish(wall_list, walls.1).map_err(at(walls.0))?;
        let side = finish(side_initial::<Self>, side.1).map_err(at(side.0))?;
        let left =
            finish(separated_pair(walls_left, expect("/", char('/')), walls_left), left.1).map_err(at(left.0))?;
        let full_move = finish(full_move, number.1).map_err(at(number.0))?;
        let position = || {
            let position = Position {
                walls: wall_set(&self.board, &walls)?,
                pawns: [legality::square(&self.board, white)?, legality::square(&self.board, black)?],
                walls_left: left.into(),
                side,
                full_move,
            };
            self.check(&position)?;
            Ok(position)
        };
        position().map_err(PositionError::Invalid)
    }

    fn position_text(&self, position: &Position) -> String {
        let [white, black] = position.pawns.map(Square::point);
        let list = walls_text(position.walls);
        let side = initial::<Self>(position.side);
        let [white_left, black_left] = position.walls_left;
        format!("{white}{black} {list} {side} {white_left}/{black_left} {}", position.full_move)
    }

    fn parse_move(&self, text: &str) -> Result<MoveText, SyntaxError> {
        parse_move(text)
    }

    fn find_move(&self, position: &Position, text: &MoveText) -> Result<Move, Illegal> {
        match *text {
            MoveText::Pawn(point) => legality::find_pawn_move(&self.board, position, point),
            MoveText::Wall(point, direction) => legality::find_wall(&self.board, position, point, direction),
        }
        .map_err(Illegal::from)
    }

    fn move_text(&self, mv: Move) -> String {
        mv.to_string()
    }

    fn why_over(&self, _: &Position, outcome: Outcome) -> String {
        let goal = outcome.winner().map_or(0, |winner| self.board.goal_rank(winner) + 1);
        format!("its pawn has reached rank {goal}")
    }

    fn move_kind(&self, _: &Position, mv: Move) -> &'static str {
        mv.kind()
    }

    fn diagram(&self, position: &Position, viewer: Side) -> String {
        diagram::draw(&self.board, position, viewer)
    }
}

impl Quoridor {
    /// Refuses positions whose pawns, walls and walls left cannot occur together in a game. That the walls fit together
    /// is checked before.
    fn check(&self, position: &Position) -> Result<(), String> {
        if position.pawns[0] == position.pawns[1] {
            return Err(format!("both pawns stand on {}", position.pawns[0].point()));
        }
        let own = legality::name(position.side);
        if position.has_reached_goal(&self.board, position.side) {
            let goal = self.board.goal_rank(position.side) + 1;
            return Err(format!("{own}'s pawn stands on its goal, rank {goal}, but it is {own}'s turn"));
        }
        if let Some(side) = legality::cut_off(&self.board, position, position.open(&self.board)).first() {
            let (pawn, goal) = (position.pawn(*side).point(), self.board.goal_rank(*side) + 1);
            return Err(format!("{}'s pawn on {pawn} has no path to rank {goal}", legality::name(*side)));
        }
        let has_more = |side: &Side| position.walls_left[side.index()] > self.walls[side.index()];
        if let Some(side) = Side::BOTH.into_iter().find(has_more) {
            let (name, left, own) = (legality::name(side), position.walls_left[side.index()], self.walls[side.index()]);
            let holder = if self.walls == [own; 2] { "each" } else { name };
            return Err(format!("{name} has more walls left, {left}, than {holder} begins with, {own}"));
        }
        let [white, black] = position.walls_left.map(u32::from);
        let (placed, all) = (position.walls.count(), self.walls.map(u32::from).iter().sum::<u32>());
        if placed + white + black != all {
            return Err(format!(
                "walls on the board, {placed}, and walls left, {white}/{black}, do not add up to {all}"
            ));
        }
        Ok(())
    }
}

/// Reads a move text.
///
/// # Errors
/// If the text does not have the form of a move.
pub fn parse_move(text: &str) -> Result<MoveText, SyntaxError> {
    if text.starts_with('(') {
        return finish(coordinates, text).map(MoveText::Pawn);
    }
    let rest = alt((direction("hH", "vV").map(Some), value(None, expect("the end of the text", eof))));
    let parsed = finish(pair(point_any_case, rest), text)?;
    Ok(match parsed {
        (point, Some(direction)) => MoveText::Wall(point, direction),
        (point, None) => MoveText::Pawn(point),
    })
}

/// The walls field of a position text: their names in order, or `-` for none.
pub fn walls_text(walls: Walls) -> String {
    if walls.is_empty() {
        return "-".into();
    }
    let mut walls: Vec<Wall> = walls.iter().collect();
    walls.sort_by_key(|wall| wall.post);
    walls.iter().map(Wall::to_string).collect()
}

/// Parses the direction of a wall: one of the letters in `horizontal`, or one of those in `vertical`.
fn direction<'a>(
    horizontal: &'static str,
    vertical: &'static str,
) -> impl Parser<&'a str, Output = Direction, Error = Furthest<'a>> {
    let horizontal = value(Direction::Horizontal, expect("h", one_of(horizontal)));
    alt((horizontal, value(Direction::Vertical, expect("v", one_of(vertical)))))
}

/// Parses a square by its column and its row, both counted from 1: `(5,1)` for `e1`.
fn coordinates(input: &str) -> Parsed<'_, Point> {
    let number = |most: u8| {
        digit1.map_opt(move |digits: &str| {
            let number =
                digits.parse().ok().filter(|number| (1..=most).contains(number) && !digits.starts_with('0'))?;
            Some(number - 1)
        })
    };
    // Points have names up to z99.
    let column = expect("the number of a column", number(26));
    let row = expect("the number of a row", number(99));
    let pair = separated_pair(column, expect("a comma", char(',')), row);
    let (rest, (file, rank)) = delimited(char('('), pair, expect(")", char(')'))).parse(input)?;
    Ok((rest, Point::new(file, rank)))
}

/// Parses the walls of a position text, or `-` for none.
pub fn wall_list(input: &str) -> Parsed<'_, Vec<(Point, Direction)>> {
    let none = value(Vec::new(), expect("-", char('-')));
    alt((none, many1(expect("a wall", pair(point, direction("h", "v")))))).parse(input)
}

/// Parses the number of walls that a player has left.
pub fn walls_left(input: &str) -> Parsed<'_, u8> {
    let number = |digits: &str| {
        let number = digits.parse().ok().filter(|&number: &u8| number <= MOST_WALLS)?;
        (number.to_string() == digits).then_some(number)
    };
    expect("a number of walls from 0 to 20", digit1.map_opt(number)).parse(input)
}

/// The set of the walls in a list.
///
/// # Errors
/// If they are not in ascending order or cannot stand on the board together.
pub fn wall_set(board: &Board, list: &[(Point, Direction)]) -> Result<Walls, String> {
    let mut set = Walls::NONE;
    let mut last: Option<Wall> = None;
    for &(point, direction) in list {
        let wall = Wall { post: legality::post(board, point)?, direction };
        let order = |wall: Wall| (wall.post, wall.direction as u8);
        match last {
            Some(last) if last == wall => return Err(format!("the wall {wall} is listed twice")),
            Some(last) if order(last) > order(wall) => {
                return Err(format!("the walls are not in ascending order: {wall} after {last}"));
            }
            _ => last = Some(wall),
        }
        if let Some(conflict) = legality::conflict(set, wall) {
            return Err(format!("the wall {wall} {conflict}"));
        }
        set = set | wall.into();
    }
    Ok(set)
}

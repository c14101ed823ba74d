//! Texts of Alcaxar: positions, moves with their marks, reasons, and the drawn board.

use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{char, one_of};
use nom::combinator::{eof, value};
use nom::multi::{many_till, many0_count};
use nom::sequence::{pair, preceded, terminated};

use crate::core::points::{point, point_any_case};
use crate::core::text::{Parsed, expect, fields, finish, full_move, initial, side_initial};
use crate::core::{Game, Illegal, Notation, Outcome, Point, PositionError, SyntaxError};

use super::Alcaxar;
use super::board::{Board, SIZE, Slot, Square, Turn, slots};
use super::moves::{self, Move};
use super::position::{FORTRESSES, Position, STALEMATE};

/// A move as written, its points not looked at yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveText {
    /// `K` and a point.
    Knight(Point),
    /// Two points.
    Wall(Point, Point),
}

/// How many walls there are.
const WALLS: usize = 8;

impl Notation for Alcaxar {
    type MoveText = MoveText;

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let names = ["knights", "walls", "side to move", "wall moved last", "full-move number"];
        let [knights, walls, side, last, number] = fields(text, names)?;
        let at = |column| move |error: SyntaxError| error.shifted(column);
        let (red, green) = finish(pair(point, point), knights.1).map_err(at(knights.0))?;
        let (walls, _) = finish(many_till(expect("a wall slot", point), eof), walls.1).map_err(at(walls.0))?;
        let side = finish(side_initial::<Self>, side.1).map_err(at(side.0))?;
        let last_wall = finish(last_wall, last.1).map_err(at(last.0))?;
        let full_move = finish(full_move, number.1).map_err(at(number.0))?;
        let position = Position {
            knights: [square_at(red)?, square_at(green)?],
            walls: wall_set(&walls)?,
            side,
            last_wall: last_wall.map(slot_at).transpose()?,
            full_move,
        };
        check(&self.board, &position)?;
        Ok(position)
    }

    fn position_text(&self, position: &Position) -> String {
        let [red, green] = position.knights.map(Square::point);
        let walls: String = slots(position.walls).map(|slot| slot.point().to_string()).collect();
        let side = initial::<Self>(position.side);
        let last = position.last_wall.map_or("-".into(), |slot| slot.point().to_string());
        format!("{red}{green} {walls} {side} {last} {}", position.full_move)
    }

    fn parse_move(&self, text: &str) -> Result<MoveText, SyntaxError> {
        let knight = preceded(expect("K and a square", one_of("Kk")), point_any_case).map(MoveText::Knight);
        let wall = pair(expect("two wall slots", point_any_case), point_any_case).map(|(a, b)| MoveText::Wall(a, b));
        let marks = many0_count(one_of("+#≠=≡!?"));
        finish(terminated(alt((knight, wall)), marks), text)
    }

    fn find_move(&self, position: &Position, text: &MoveText) -> Result<Move, Illegal> {
        match *text {
            MoveText::Knight(to) => find_knight_move(&self.board, position, to),
            MoveText::Wall(from, to) => find_wall_move(&self.board, position, from, to),
        }
        .map_err(Illegal)
    }

    fn move_text(&self, mv: Move) -> String {
        match mv {
            Move::Knight(to) => format!("K{}", to.point()),
            Move::Wall { from, to } => format!("{}{}", from.point(), to.point()),
        }
    }

    /// Adds `≠` to a move that wins, `≡` to one that ends in stalemate, `+` to one that threatens to win at once.
    fn annotated_move(&self, position: &Position, mv: Move, after: Option<Outcome>) -> String {
        let mark = match after {
            Some(outcome) if outcome.reason() == STALEMATE => "≡",
            Some(_) => "≠",
            None if self.threatens(&position.play(mv)) => "+",
            None => "",
        };
        self.move_text(mv) + mark
    }

    fn diagram(&self, position: &Position) -> String {
        let mut lines = Vec::new();
        for rank in (0..SIZE).rev() {
            let row: String = (0..SIZE).map(|file| drawn(position, Point::new(file, rank))).collect();
            lines.push(format!("{}  {row}", rank + 1).trim_end().to_string());
        }
        lines.push("   a  b  c  d  e  f  g  h  i".into());
        let [red, green] = FORTRESSES.map(Square::point);
        lines.push(format!("R, G: the knights; [ ]: the fortresses, {red} red's, {green} green's"));
        let blocked = position.last_wall.map_or(String::new(), |slot| {
            let [one, other] = slot.towers();
            format!("; the wall just moved to {} blocks every wall on {one} or {other}", slot.point())
        });
        lines.push(format!("{} to move{blocked}", Self::SIDES[position.side.index()]));
        lines.join("\n")
    }
}

impl Alcaxar {
    /// Whether the side that has just moved could win at once if the other one passed, no wall being blocked.
    fn threatens(&self, after: &Position) -> bool {
        let passed = Position { side: !after.side, last_wall: None, ..*after };
        let mut replies = Vec::new();
        moves::generate(&self.board, &passed, &mut replies);
        replies.into_iter().any(|reply| self.outcome(&passed.play(reply)).is_some())
    }
}

fn last_wall(input: &str) -> Parsed<'_, Option<Point>> {
    alt((value(None, expect("-", char('-'))), expect("a wall slot", point).map(Some))).parse(input)
}

fn invalid(reason: String) -> PositionError {
    PositionError::Invalid(reason)
}

fn square_at(place: Point) -> Result<Square, PositionError> {
    Square::at(place).ok_or_else(|| invalid(not_a("square", place)))
}

fn slot_at(place: Point) -> Result<Slot, PositionError> {
    Slot::at(place).ok_or_else(|| invalid(not_a("wall slot", place)))
}

fn wall_set(places: &[Point]) -> Result<u64, PositionError> {
    let walls = places.iter().map(|&place| slot_at(place)).collect::<Result<Vec<_>, _>>()?;
    if walls.len() != WALLS {
        return Err(invalid(format!("there are {WALLS} walls, not {}", walls.len())));
    }
    for pair in walls.windows(2) {
        let [first, second] = [pair[0], pair[1]].map(Slot::point);
        if pair[0] == pair[1] {
            return Err(invalid(format!("the wall {first} is listed twice")));
        }
        if pair[0] > pair[1] {
            return Err(invalid(format!("the walls are not in ascending order: {second} after {first}")));
        }
    }
    Ok(walls.iter().fold(0, |set, slot| set | slot.bit()))
}

/// Says that a point is not what was wanted, and what it is.
fn not_a(wanted: &str, place: Point) -> String {
    let kind = match (place.file < SIZE && place.rank < SIZE, place.file % 2, place.rank % 2) {
        (false, ..) => return format!("{place} is off the board"),
        (true, 1, 1) => "square",
        (true, 0, 0) => "tower",
        _ => "wall slot",
    };
    format!("{place} is a {kind}, not a {wanted}")
}

fn check(board: &Board, position: &Position) -> Result<(), PositionError> {
    let mover = !position.side;
    let [own, enemy] = [position.side, mover].map(|side| Alcaxar::SIDES[side.index()]);
    if position.knights[0] == position.knights[1] {
        return Err(invalid(format!("both knights stand on {}", position.knights[0].point())));
    }
    if let Some(slot) = position.last_wall.filter(|slot| slot.bit() & position.walls == 0) {
        return Err(invalid(format!("the wall moved last, {}, is not one of the walls", slot.point())));
    }
    if position.accessible(board, mover) == 0 {
        return Err(invalid(format!("the {enemy} knight, which has just moved, has no accessible square")));
    }
    if position.knight(position.side) == Position::target(position.side) {
        return Err(invalid(format!("the {own} knight stands on the enemy fortress, but it is {own}'s turn")));
    }
    Ok(())
}

fn find_knight_move(board: &Board, position: &Position, place: Point) -> Result<Move, String> {
    let (own, enemy) = (position.knight(position.side), position.knight(!position.side));
    let to = Square::at(place).ok_or_else(|| not_a("square", place))?;
    if to == own {
        return Err(format!("the knight stands on {place} already"));
    }
    let Some(step) = board.steps[usize::from(own.0)].iter().find(|step| step.to == to) else {
        return Err(format!("a knight steps to a neighbouring square, and {place} is not next to {}", own.point()));
    };
    if let Some(slot) = slots(step.gate & position.walls).next() {
        return Err(format!("the wall in {} stands between {} and {place}", slot.point(), own.point()));
    }
    if to == enemy {
        return Err(format!("the other knight stands on {place}"));
    }
    Ok(Move::Knight(to))
}

fn find_wall_move(board: &Board, position: &Position, from: Point, to: Point) -> Result<Move, String> {
    let slot_at = |place| Slot::at(place).ok_or_else(|| not_a("wall slot", place));
    let (start, end) = (slot_at(from)?, slot_at(to)?);
    if position.walls & start.bit() == 0 {
        return Err(format!("no wall stands in {from}"));
    }
    if start == end {
        return Err(format!("the wall stands in {to} already"));
    }
    if let Some(reason) = position.last_wall.and_then(|last| blocked_by(last, start)) {
        return Err(reason);
    }
    let Some(turn) = board.turns[usize::from(start.0)].iter().find(|turn| turn.to == end) else {
        return Err(format!("a wall turns about one of its towers, and {from} and {to} share none"));
    };
    if position.walls & end.bit() != 0 {
        return Err(format!("another wall stands in {to}"));
    }
    if !turn.is_clear(position.walls, position.knight_set()) {
        return Err(obstacles(position, turn));
    }
    let after = position.walls ^ start.bit() ^ end.bit();
    let own = position.knight(position.side);
    if board.accessible(own, position.knight(!position.side), after).next().is_none() {
        return Err(format!("it would trap the mover's own knight on {}", own.point()));
    }
    Ok(Move::Wall { from: start, to: end })
}

/// Why a wall may not be moved in reply to the move that put one in `last`: it is that one, or on one of its towers.
fn blocked_by(last: Slot, wall: Slot) -> Option<String> {
    if last == wall {
        return Some(format!("the wall in {} has just been moved there", wall.point()));
    }
    let tower = wall.towers().into_iter().find(|tower| last.towers().contains(tower))?;
    Some(format!("the wall just moved to {} stands on its tower {tower}", last.point()))
}

/// What stands in either way of a turn that is clear in neither.
fn obstacles(position: &Position, turn: &Turn) -> String {
    let [clockwise, counter] = turn.ways.map(|way| {
        let walls = slots(way.slots & position.walls).map(|slot| format!("the wall in {}", slot.point()));
        let knights = position.knights.into_iter().filter(|knight| knight.bit() & way.squares != 0);
        let knights = knights.map(|knight| format!("the knight on {}", knight.point()));
        walls.chain(knights).collect::<Vec<_>>().join(" and ")
    });
    format!("turning about {} meets {clockwise} clockwise, {counter} counter-clockwise", turn.about)
}

/// One point of the drawn board: one character on a tower file, five on a square file.
fn drawn(position: &Position, place: Point) -> String {
    let wall = Slot::at(place).is_some_and(|slot| slot.bit() & position.walls != 0);
    match (place.file % 2, place.rank % 2) {
        (0, 0) => "+".into(),
        (0, _) => if wall { "|" } else { " " }.into(),
        (_, 0) => if wall { "-----" } else { "     " }.into(),
        _ => {
            let here = |square: &Square| square.point() == place;
            let fortress = FORTRESSES.iter().any(here);
            let man = match position.knights.iter().position(here) {
                Some(0) => 'R',
                Some(_) => 'G',
                None if fortress => ' ',
                None => '.',
            };
            if fortress { format!(" [{man}] ") } else { format!("  {man}  ") }
        }
    }
}

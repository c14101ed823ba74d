//! The notation of Quoridor for four: position texts and move texts.

use nom::Parser;
use nom::character::complete::{char, one_of};
use nom::multi::separated_list1;

use crate::core::points::point;
use crate::core::text::{Parsed, expect, fields, finish, full_move};
use crate::core::{Illegal, Notation, Outcome, Point, PositionError, Rules, Side, SyntaxError};

use super::super::legality::square;
use super::super::moves::Move;
use super::super::notation;
use super::super::notation::{MoveText, wall_list, wall_set, walls_left, walls_text};
use super::position::Position;
use super::{NAMES, QuoridorForFour};

impl Notation for QuoridorForFour {
    type MoveText = MoveText;

    const RULES_TEXT: &'static str = include_str!("rules.md");

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let names = ["pawns", "walls", "player to move", "walls left", "full-move number"];
        let [pawns, walls, player, left, number] = fields(text, names)?;
        let at = |column| move |error: SyntaxError| error.shifted(column);
        let points = finish((point, point, point, point), pawns.1).map_err(at(pawns.0))?;
        let walls = finish(wall_list, walls.1).map_err(at(walls.0))?;
        let player = finish(player_number, player.1).map_err(at(player.0))?;
        let lefts = separated_list1(expect("/", char('/')), walls_left);
        let four = lefts.map_opt(|lefts: Vec<u8>| <[u8; 4]>::try_from(lefts).ok());
        let walls_left = finish(expect("the walls left of four players", four), left.1).map_err(at(left.0))?;
        let full_move = finish(full_move, number.1).map_err(at(number.0))?;
        let position = || {
            let pawn = |point: Point| square(&self.board, point);
            let position = Position {
                walls: wall_set(&self.board, &walls)?,
                pawns: [pawn(points.0)?, pawn(points.1)?, pawn(points.2)?, pawn(points.3)?],
                walls_left,
                player,
                first_side: self.start().first_side,
                full_move,
            };
            self.check(&position)?;
            Ok(position)
        };
        position().map_err(PositionError::Invalid)
    }

    fn position_text(&self, position: &Position) -> String {
        let pawns: String = position.pawns.iter().map(|pawn| pawn.point().to_string()).collect();
        let left = position.walls_left.map(|left| left.to_string()).join("/");
        let (walls, player) = (walls_text(position.walls), position.player + 1);
        format!("{pawns} {walls} {player} {left} {}", position.full_move)
    }

    fn parse_move(&self, text: &str) -> Result<MoveText, SyntaxError> {
        notation::parse_move(text)
    }

    fn find_move(&self, position: &Position, text: &MoveText) -> Result<Move, Illegal> {
        match *text {
            MoveText::Pawn(point) => self.find_pawn_move(position, point),
            MoveText::Wall(point, direction) => self.find_wall(position, point, direction),
        }
        .map_err(Illegal::from)
    }

    fn move_text(&self, mv: Move) -> String {
        mv.to_string()
    }

    fn why_over(&self, position: &Position, _: Outcome) -> String {
        match self.arrived(position) {
            Some(player) => format!("{}'s pawn has reached {}", NAMES[player], self.goal_name(player)),
            None => "nobody has a legal move".into(),
        }
    }

    fn move_kind(&self, _: &Position, mv: Move) -> &'static str {
        mv.kind()
    }

    fn diagram(&self, position: &Position, viewer: Side) -> String {
        self.draw(position, viewer)
    }
}

impl QuoridorForFour {
    /// Refuses positions whose pawns, walls and walls left cannot occur together in a game. That the walls fit together
    /// is checked before.
    fn check(&self, position: &Position) -> Result<(), String> {
        let points = position.pawns.map(|pawn| pawn.point());
        for (player, point) in points.iter().enumerate() {
            if let Some(other) = points[..player].iter().position(|earlier| earlier == point) {
                return Err(format!("the pawns of {} and {} stand on {point}", NAMES[other], NAMES[player]));
            }
        }
        let mover = position.player();
        let is_home = |player: &usize| position.pawns[*player].bit() & self.goals[*player] != 0;
        if is_home(&mover) {
            let (own, goal) = (NAMES[mover], self.goal_name(mover));
            return Err(format!("{own}'s pawn stands on its goal, {goal}, but it is {own}'s turn"));
        }
        if let [one, other, ..] = (0..4).filter(is_home).collect::<Vec<_>>()[..] {
            return Err(format!("the pawns of {} and {} both stand on their goals", NAMES[one], NAMES[other]));
        }
        let open = position.open(&self.board);
        if let Some(player) = self.cut_off(position, open).next() {
            let (name, point, goal) = (NAMES[player], points[player], self.goal_name(player));
            return Err(format!("{name}'s pawn on {point} has no path to {goal}"));
        }
        if let Some(player) = (0..4).find(|&player| position.walls_left[player] > self.walls) {
            let (name, left) = (NAMES[player], position.walls_left[player]);
            return Err(format!("{name} has more walls left, {left}, than each begins with, {}", self.walls));
        }
        let (placed, all) = (position.walls.count(), 4 * u32::from(self.walls));
        let left = position.walls_left.map(|left| left.to_string()).join("/");
        if placed + position.walls_left.map(u32::from).iter().sum::<u32>() != all {
            return Err(format!("walls on the board, {placed}, and walls left, {left}, do not add up to {all}"));
        }
        if self.arrived(position).is_none()
            && !self.can_move(position, open, mover)
            && let Some(player) = (0..4).find(|&player| self.can_move(position, open, player))
        {
            let (own, other) = (NAMES[mover], NAMES[player]);
            return Err(format!("{own} has no legal move and is passed over, since {other} has one"));
        }
        Ok(())
    }
}

/// Parses the number of the player to move, as an index.
fn player_number(input: &str) -> Parsed<'_, u8> {
    let index = one_of("1234").map(|digit: char| digit as u8 - b'1');
    expect("the number of a player from 1 to 4", index).parse(input)
}

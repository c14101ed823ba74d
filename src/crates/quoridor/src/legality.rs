//! Finds the legal move that a text names, or says what is wrong with a point, a wall, a move or a position, for two
//! and for four players.
//!
//! The move generator decides what is legal. Only for a move that it does not generate is a reason searched for.

use pentarch_core::Point;
use pentarch_core::notation::points::letter;

use super::board::Board;
use super::move_text::MoveText;
use super::moves::Move;
use super::position::{Mover, Position};
use super::sets::{Passages, Square, squares};
use super::walls::{Wall, Walls};

/// What the rules for so many players say of each of them, and their board.
pub struct Terms<'a, const PLAYERS: usize> {
    /// The board.
    pub board: &'a Board,
    /// The squares on which each player's pawn is at home.
    pub goals: [u128; PLAYERS],
    /// The number of walls that each player has at the start.
    pub walls: [u8; PLAYERS],
    /// The words for the players.
    pub names: &'static [&'static str],
}

impl<const PLAYERS: usize> Terms<'_, PLAYERS> {
    /// Where a player's goal lies, in words.
    pub fn goal_name(&self, player: usize) -> String {
        let mut points = squares(self.goals[player]).map(Square::point);
        match (points.next(), points.last()) {
            (Some(first), Some(last)) if first.rank != last.rank => {
                format!("file {}", letter(first.file))
            }
            (first, _) => format!("rank {}", first.map_or(0, |first| first.rank + 1)),
        }
    }

    /// The legal move that a text names. `targets` are the squares to which the pawn of the player to move can go, and
    /// `allowed` the walls that may be placed if the player has one left.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn find_move<M: Mover>(
        &self,
        position: &Position<PLAYERS, M>,
        text: &MoveText,
        targets: u128,
        allowed: Walls,
    ) -> Result<Move, String> {
        match *text {
            MoveText::Pawn(point) => {
                let to = square(self.board, point)?;
                let is_legal = targets & to.bit() != 0;
                is_legal
                    .then_some(Move::Pawn(to))
                    .ok_or_else(|| self.why_no_pawn_move(position, to))
            }
            MoveText::Wall(point, direction) => {
                let wall = Wall { post: post(self.board, point)?, direction };
                if position.walls_left[position.player()] == 0 {
                    return Err(format!("{} has no wall left", self.names[position.player()]));
                }
                allowed
                    .contains(wall)
                    .then_some(Move::Wall(wall))
                    .ok_or_else(|| self.why_no_wall(position, wall))
            }
        }
    }

    /// Why this wall may not be placed, though the player to move has one left.
    fn why_no_wall<M: Mover>(&self, position: &Position<PLAYERS, M>, wall: Wall) -> String {
        if let Some(conflict) = conflict(position.walls, wall) {
            return format!("it {conflict}");
        }
        let cut_off = self.cut_off(position, position.open(self.board).without(wall.into()));
        let each = cut_off.map(|player| {
            format!("{} without a path to {}", self.names[player], self.goal_name(player))
        });
        format!("it leaves {}", each.collect::<Vec<_>>().join(" and "))
    }

    /// Why the pawn of the player to move cannot go to this square.
    fn why_no_pawn_move<M: Mover>(&self, position: &Position<PLAYERS, M>, to: Square) -> String {
        let own = position.pawns[position.player()];
        let (point, from) = (to.point(), own.point());
        if to == own {
            return format!("the pawn stands on {point} already, and there is no passing");
        }
        let others: Vec<(Square, &str)> = position
            .pawns
            .into_iter()
            .zip(self.names.iter().copied())
            .filter(|&(pawn, _)| pawn != own)
            .collect();
        if let Some((_, name)) = others.iter().find(|(pawn, _)| *pawn == to) {
            return format!("{name}'s pawn stands on {point}");
        }
        let pawn = |(square, name): (Square, &str)| format!("{name}'s pawn on {}", square.point());
        let wall = |a: Square, b: Square| {
            let passage = Passages::between(a.bit(), b.bit());
            let wall =
                position.walls.iter().find(|&wall| Walls::from(wall).edges().shares(passage))?;
            Some(format!("the wall {wall} stands between {} and {}", a.point(), b.point()))
        };
        if is_beside(own, to) {
            // Nothing else can forbid a step to a free square.
            return wall(own, to).unwrap_or_else(|| format!("no step leads to {point}"));
        }
        let between = |&(over, _): &(Square, &str)| is_beside(own, over) && is_beside(over, to);
        let Some(over) = others.iter().copied().find(between) else {
            let no_jump = match others[..] {
                [other] if is_beside(own, other.0) => {
                    format!("no jump over {} ends there", pawn(other))
                }
                [other] => format!("{} is not between them to be jumped", pawn(other)),
                _ => "no pawn stands between them to be jumped".into(),
            };
            return format!("{point} is not a neighbour of {from}, and {no_jump}");
        };
        if let Some(reason) = wall(own, over.0).or_else(|| wall(over.0, to)) {
            return reason;
        }
        // The move is diagonal, and behind the pawn is neither a wall nor the rim.
        let [a, b] = [from, over.0.point()];
        let behind = Point::new(2 * b.file - a.file, 2 * b.rank - a.rank);
        let over = pawn(over);
        match others.into_iter().find(|(pawn, _)| pawn.point() == behind) {
            Some(barring) => {
                let barring = pawn(barring);
                format!(
                    "{barring} stands behind {over}: it bars the straight jump and opens no diagonal one"
                )
            }
            None => format!(
                "neither a wall nor the rim is behind {over}: the jump is straight then, not diagonal"
            ),
        }
    }

    /// Refuses positions whose pawns, walls and walls left cannot occur together in a game. That the walls fit together
    /// is checked before.
    ///
    /// # Errors
    /// What cannot occur.
    pub fn check<M: Mover>(&self, position: &Position<PLAYERS, M>) -> Result<(), String> {
        let points = position.pawns.map(Square::point);
        for (player, point) in points.iter().enumerate() {
            if let Some(other) = points[..player].iter().position(|earlier| earlier == point) {
                return Err(match PLAYERS {
                    2 => format!("both pawns stand on {point}"),
                    _ => format!(
                        "the pawns of {} and {} stand on {point}",
                        self.names[other], self.names[player]
                    ),
                });
            }
        }
        let is_home = |player: &usize| position.pawns[*player].bit() & self.goals[*player] != 0;
        let mover = position.player();
        if is_home(&mover) {
            let (own, goal) = (self.names[mover], self.goal_name(mover));
            return Err(format!("{own}'s pawn stands on its goal, {goal}, but it is {own}'s turn"));
        }
        if let [one, other, ..] = (0..PLAYERS).filter(is_home).collect::<Vec<_>>()[..] {
            return Err(format!(
                "the pawns of {} and {} both stand on their goals",
                self.names[one], self.names[other]
            ));
        }
        if let Some(player) = self.cut_off(position, position.open(self.board)).next() {
            let (name, point, goal) = (self.names[player], points[player], self.goal_name(player));
            return Err(format!("{name}'s pawn on {point} has no path to {goal}"));
        }
        let (left, walls) = (position.walls_left, self.walls);
        if let Some(player) = (0..PLAYERS).find(|&player| left[player] > walls[player]) {
            let (name, left, own) = (self.names[player], left[player], walls[player]);
            let holder = if walls == [own; PLAYERS] { "each" } else { name };
            return Err(format!(
                "{name} has more walls left, {left}, than {holder} begins with, {own}"
            ));
        }
        let sum = |walls: [u8; PLAYERS]| walls.into_iter().map(u32::from).sum::<u32>();
        let (placed, all) = (position.walls.count(), sum(walls));
        if placed + sum(left) != all {
            let left = left.map(|left| left.to_string()).join("/");
            return Err(format!(
                "walls on the board, {placed}, and walls left, {left}, do not add up to {all}"
            ));
        }
        Ok(())
    }

    /// The players whose pawns have no path to their goals through these passages.
    fn cut_off<M>(
        &self,
        position: &Position<PLAYERS, M>,
        open: Passages,
    ) -> impl Iterator<Item = usize> {
        let (pawns, goals) = (position.pawns, self.goals);
        (0..PLAYERS)
            .filter(move |&player| open.flood_to(pawns[player].bit(), goals[player]).is_none())
    }
}

/// The square at this point.
///
/// # Errors
/// If it is off the board.
pub fn square(board: &Board, point: Point) -> Result<Square, String> {
    let corner = Point::new(board.size - 1, board.size - 1);
    board.square(point).ok_or_else(|| format!("{point} is off the board, which ends at {corner}"))
}

/// The post with this name.
///
/// # Errors
/// If the board has no such post.
pub fn post(board: &Board, point: Point) -> Result<Square, String> {
    let last = Point::new(board.size - 2, board.size - 2);
    board
        .post(point)
        .ok_or_else(|| format!("no wall fits at {point}: names of walls run from a1 to {last}"))
}

/// Why a wall cannot stand together with these walls, as the rest of a sentence that begins with the wall; none if it
/// can.
pub fn conflict(walls: Walls, wall: Wall) -> Option<String> {
    let edges = Walls::from(wall).edges();
    walls.iter().find_map(|other| {
        if other == wall {
            Some("stands there already".into())
        } else if edges.shares(Walls::from(other).edges()) {
            Some(format!("shares an edge with the wall {other}"))
        } else if other.post == wall.post {
            Some(format!("crosses the wall {other}"))
        } else {
            None
        }
    })
}

/// Whether two squares are orthogonal neighbours.
fn is_beside(a: Square, b: Square) -> bool {
    let [a, b] = [a.point(), b.point()];
    a.file.abs_diff(b.file) + a.rank.abs_diff(b.rank) == 1
}

//! Finds the legal move that a text names, or says what is wrong with a point, a wall, a move or a position, for two
//! and for four players.
//!
//! The move generator decides what is legal. Only for a move that it does not generate is a reason searched for.

use pentarch_core::Point;

use super::board::Board;
use super::errors::{
    Goal, IllegalMove, InvalidPosition, NoJump, OffBoard, Pawn, Racer, WallConflict, Way,
};
use super::move_text::ParsedMove;
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
    /// Whether a player wins for a team.
    pub teams: bool,
}

impl<const PLAYERS: usize> Terms<'_, PLAYERS> {
    /// The line that is a player's goal.
    pub fn goal(&self, player: usize) -> Goal {
        let mut points = squares(self.goals[player]).map(Square::point);
        match (points.next(), points.last()) {
            (Some(first), Some(last)) if first.rank != last.rank => Goal::File(first.file),
            (first, _) => Goal::Rank(first.map_or(0, |first| first.rank)),
        }
    }

    /// A player with the goal.
    fn racer(&self, player: usize) -> Racer {
        Racer { player: self.names[player], goal: self.goal(player) }
    }

    /// The legal move that a text names. `targets` are the squares to which the pawn of the player to move can go, and
    /// `allowed` the walls that may be placed if the player has one left.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn find_move<M: Mover>(
        &self,
        position: &Position<PLAYERS, M>,
        text: &ParsedMove,
        targets: u128,
        allowed: Walls,
    ) -> Result<Move, IllegalMove<PLAYERS>> {
        match *text {
            ParsedMove::Pawn(point) => {
                let to = square(self.board, point)?;
                let is_legal = targets & to.bit() != 0;
                is_legal
                    .then_some(Move::Pawn(to))
                    .ok_or_else(|| self.why_no_pawn_move(position, to))
            }
            ParsedMove::Wall(point, direction) => {
                let wall = Wall { post: post(self.board, point)?, direction };
                if position.walls_left[position.player()] == 0 {
                    return Err(IllegalMove::NoWallLeft(self.names[position.player()]));
                }
                allowed
                    .contains(wall)
                    .then_some(Move::Wall(wall))
                    .ok_or_else(|| self.why_no_wall(position, wall))
            }
        }
    }

    /// Why this wall may not be placed, though the player to move has one left.
    fn why_no_wall<M: Mover>(
        &self,
        position: &Position<PLAYERS, M>,
        wall: Wall,
    ) -> IllegalMove<PLAYERS> {
        if let Some(conflict) = conflict(position.walls, wall) {
            return IllegalMove::WallConflict(conflict);
        }
        let cut_off = self.cut_off(position, position.open(self.board).without(wall.into()));
        IllegalMove::CutOff(cut_off.map(|player| self.racer(player)).collect())
    }

    /// Why the pawn of the player to move cannot go to this square.
    fn why_no_pawn_move<M: Mover>(
        &self,
        position: &Position<PLAYERS, M>,
        to: Square,
    ) -> IllegalMove<PLAYERS> {
        let own = position.pawns[position.player()];
        let (point, from) = (to.point(), own.point());
        if to == own {
            return IllegalMove::Pass(point);
        }
        let others: Vec<(Square, Pawn)> = position
            .pawns
            .into_iter()
            .zip(self.names)
            .map(|(square, owner)| (square, Pawn { owner, point: square.point() }))
            .filter(|&(square, _)| square != own)
            .collect();
        let between = |&(over, _): &(Square, Pawn)| is_beside(own, over) && is_beside(over, to);
        let over = others.iter().copied().find(between);
        let way = match over {
            None => Way::Step,
            Some(_) if from.file == point.file || from.rank == point.rank => Way::Straight,
            Some(_) => Way::Aside,
        };
        if let Some(&(_, pawn)) = others.iter().find(|(square, _)| *square == to) {
            return IllegalMove::Occupied { pawn, way };
        }
        let wall = |a: Square, b: Square, way: Way| {
            let passage = Passages::between(a.bit(), b.bit());
            let wall =
                position.walls.iter().find(|&wall| Walls::from(wall).edges().shares(passage))?;
            Some(IllegalMove::WallBetween { wall, from: a.point(), to: b.point(), way })
        };
        if is_beside(own, to) {
            // Nothing else can forbid a step to a free square.
            return wall(own, to, Way::Step).unwrap_or(IllegalMove::NoStep(point));
        }
        let Some((over, over_pawn)) = over else {
            let no_jump = match others[..] {
                [(square, pawn)] if is_beside(own, square) => NoJump::EndsElsewhere(pawn),
                [(_, pawn)] => NoJump::PawnElsewhere(pawn),
                _ => NoJump::NoPawn,
            };
            return IllegalMove::NotNeighbour { to: point, from, no_jump };
        };
        if let Some(reason) = wall(own, over, Way::Over).or_else(|| wall(over, to, way)) {
            return reason;
        }
        // The move is diagonal, and behind the pawn is neither a wall nor the rim.
        let b = over.point();
        let behind = Point::new(2 * b.file - from.file, 2 * b.rank - from.rank);
        match others.into_iter().find(|(square, _)| square.point() == behind) {
            Some((_, third)) => IllegalMove::JumpBarred { third, over: over_pawn },
            None => IllegalMove::JumpIsStraight(over_pawn),
        }
    }

    /// Rejects positions whose pawns, walls and walls left cannot occur together in a game. That the walls fit together
    /// is checked before.
    ///
    /// # Errors
    /// What cannot occur.
    pub fn check<M: Mover>(
        &self,
        position: &Position<PLAYERS, M>,
    ) -> Result<(), InvalidPosition<PLAYERS>> {
        let points = position.pawns.map(Square::point);
        for (player, &point) in points.iter().enumerate() {
            if let Some(other) = points[..player].iter().position(|&earlier| earlier == point) {
                let players = [other, player].map(|player| self.names[player]);
                return Err(InvalidPosition::SharedSquare { players, point });
            }
        }
        let is_home = |player: &usize| position.pawns[*player].bit() & self.goals[*player] != 0;
        let mover = position.player();
        if is_home(&mover) {
            return Err(InvalidPosition::MoverOnGoal {
                racer: self.racer(mover),
                teams: self.teams,
            });
        }
        if let [one, other, ..] = (0..PLAYERS).filter(is_home).collect::<Vec<_>>()[..] {
            let players = [one, other].map(|player| self.names[player]);
            return Err(InvalidPosition::TwoOnGoals { players, teams: self.teams });
        }
        if let Some(player) = self.cut_off(position, position.open(self.board)).next() {
            let racer = self.racer(player);
            return Err(InvalidPosition::NoPath { racer, point: points[player] });
        }
        let (left, walls) = (position.walls_left, self.walls);
        if let Some(player) = (0..PLAYERS).find(|&player| left[player] > walls[player]) {
            return Err(InvalidPosition::TooManyWalls {
                player: self.names[player],
                left: left[player],
                most: walls[player],
                is_same: walls == [walls[player]; PLAYERS],
            });
        }
        let sum = |walls: [u8; PLAYERS]| walls.into_iter().map(u32::from).sum::<u32>();
        let (placed, all) = (position.walls.count(), sum(walls));
        if placed + sum(left) != all {
            return Err(InvalidPosition::WallSum { placed, left, all });
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
pub fn square(board: &Board, point: Point) -> Result<Square, OffBoard> {
    let last = Point::new(board.size - 1, board.size - 1);
    board.square(point).ok_or(OffBoard::Square { point, last })
}

/// The post with this name.
///
/// # Errors
/// If the board has no such post.
pub fn post(board: &Board, point: Point) -> Result<Square, OffBoard> {
    let last = Point::new(board.size - 2, board.size - 2);
    board.post(point).ok_or(OffBoard::Wall { point, last })
}

/// Why a wall cannot stand together with these walls; none if it can.
pub fn conflict(walls: Walls, wall: Wall) -> Option<WallConflict> {
    let edges = Walls::from(wall).edges();
    walls.iter().find_map(|other| {
        if other == wall {
            Some(WallConflict::Same)
        } else if edges.shares(Walls::from(other).edges()) {
            Some(WallConflict::Overlap(other))
        } else if other.post == wall.post {
            Some(WallConflict::Crossing(other))
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

//! Checks moves and positions, for two and for four players. Finds the legal move that a string
//! names. If there is no such move, or if a position is invalid, returns the error with the broken
//! rule.
//!
//! The move generator decides whether a move is legal. If the generator does not generate the move,
//! this module looks for the rule that forbids the move.

use pentarch_core::Point;

use super::board::Board;
use super::moves::Move;
use super::position::{PlayerToMove, Position};
use super::rule_violations::{
    GoalLine, IllegalMove, InvalidPosition, NoJumpReason, OffBoardPoint, PawnMovePart,
    PawnOnSquare, PlayerGoal, WallConflict,
};
use super::square_sets::{PassageSet, Square, iter_squares};
use super::unchecked_move::UncheckedMove;
use super::walls::{Wall, Walls};

/// A checker of moves and positions. The checker contains the parts of the rules that the checks
/// need, for a game with `PLAYERS` players.
pub(crate) struct LegalityChecker<'a, const PLAYERS: usize> {
    pub board: &'a Board,
    /// The goal squares of each player's pawn.
    pub goals: [u128; PLAYERS],
    /// The number of walls that each player has at the start.
    pub walls: [u8; PLAYERS],
    /// The names of the players.
    pub names: &'static [&'static str],
    /// Whether the players form two teams.
    pub has_teams: bool,
}

impl<const PLAYERS: usize> LegalityChecker<'_, PLAYERS> {
    /// Returns the line of squares that is a player's goal.
    pub(crate) fn player_goal_line(&self, player: usize) -> GoalLine {
        let mut points = iter_squares(self.goals[player]).map(Square::point);
        match (points.next(), points.last()) {
            (Some(first), Some(last)) if first.rank != last.rank => GoalLine::File(first.file),
            (first, _) => GoalLine::Rank(first.map_or(0, |first| first.rank)),
        }
    }

    fn player_goal(&self, player: usize) -> PlayerGoal {
        PlayerGoal { player: self.names[player], goal: self.player_goal_line(player) }
    }

    /// Returns the legal move that `mv` names. `targets` are the squares to which the pawn of the
    /// player to move can go. `placeable_walls` are the walls that a player with a wall left may
    /// place.
    ///
    /// # Errors
    /// The rule that forbids the move.
    pub(crate) fn resolve_move<M: PlayerToMove>(
        &self,
        position: &Position<PLAYERS, M>,
        mv: &UncheckedMove,
        targets: u128,
        placeable_walls: Walls,
    ) -> Result<Move, IllegalMove<PLAYERS>> {
        match *mv {
            UncheckedMove::Pawn(point) => {
                let to = require_square(self.board, point)?;
                if targets & to.bit() == 0 {
                    return Err(self.pawn_move_error(position, to));
                }
                Ok(Move::Pawn(to))
            }
            UncheckedMove::Wall(point, direction) => {
                let wall = Wall { post: require_wall_post(self.board, point)?, direction };
                if position.walls_left[position.player_index()] == 0 {
                    return Err(IllegalMove::NoWallLeft(self.names[position.player_index()]));
                }
                if !placeable_walls.contains(wall) {
                    return Err(self.wall_error(position, wall));
                }
                Ok(Move::Wall(wall))
            }
        }
    }

    /// Returns the reason why this wall may not be placed. The player to move must have a wall
    /// left.
    fn wall_error<M: PlayerToMove>(
        &self,
        position: &Position<PLAYERS, M>,
        wall: Wall,
    ) -> IllegalMove<PLAYERS> {
        if let Some(conflict) = wall_conflict(position.walls, wall) {
            return IllegalMove::WallConflict(conflict);
        }
        let cut_off_players = self.cut_off_players(
            position,
            position.open_passages(self.board).without_walls(wall.into()),
        );
        IllegalMove::CutOff(cut_off_players.map(|player| self.player_goal(player)).collect())
    }

    /// Returns the reason why the pawn of the player to move cannot go to this square. The caller
    /// must know that the pawn cannot go there.
    fn pawn_move_error<M: PlayerToMove>(
        &self,
        position: &Position<PLAYERS, M>,
        to: Square,
    ) -> IllegalMove<PLAYERS> {
        let own = position.pawns[position.player_index()];
        let point = to.point();
        let from = own.point();
        if to == own {
            return IllegalMove::Pass(point);
        }
        let mut others: Vec<(Square, PawnOnSquare)> = Vec::new();
        for (&square, owner) in position.pawns.iter().zip(self.names) {
            if square != own {
                others.push((square, PawnOnSquare { owner, point: square.point() }));
            }
        }
        let over = others
            .iter()
            .copied()
            .find(|&(over, _)| are_neighbours(own, over) && are_neighbours(over, to));
        let part = match over {
            None => PawnMovePart::Step,
            Some(_) if from.file == point.file || from.rank == point.rank => {
                PawnMovePart::StraightJump
            }
            Some(_) => PawnMovePart::DiagonalJump,
        };
        if let Some(&(_, pawn)) = others.iter().find(|(square, _)| *square == to) {
            return IllegalMove::Occupied { pawn, part };
        }
        if are_neighbours(own, to) {
            // Only a wall can forbid a step to a free square.
            let blocked = blocking_wall_error(position.walls, own, to, PawnMovePart::Step);
            return blocked.unwrap_or(IllegalMove::NoStep(point));
        }
        let Some((over, over_pawn)) = over else {
            let no_jump = match others[..] {
                [(square, pawn)] if are_neighbours(own, square) => {
                    NoJumpReason::EndsElsewhere(pawn)
                }
                [(_, pawn)] => NoJumpReason::PawnElsewhere(pawn),
                _ => NoJumpReason::NoPawn,
            };
            return IllegalMove::NotNeighbour { to: point, from, no_jump };
        };
        if let Some(reason) =
            blocking_wall_error(position.walls, own, over, PawnMovePart::ToJumpedPawn)
                .or_else(|| blocking_wall_error(position.walls, over, to, part))
        {
            return reason;
        }
        // The move is a diagonal jump, and neither a wall nor the rim is behind the jumped pawn.
        let middle = over.point();
        let behind = Point::new(2 * middle.file - from.file, 2 * middle.rank - from.rank);
        match others.into_iter().find(|(square, _)| square.point() == behind) {
            Some((_, third)) => IllegalMove::JumpBarred { third, over: over_pawn },
            None => IllegalMove::JumpIsStraight(over_pawn),
        }
    }

    /// Rejects a position that cannot occur in a game: for example, two pawns are on one square, or
    /// a pawn has no path to its goal. The caller must already have checked that the walls do not
    /// conflict.
    ///
    /// # Errors
    /// The reason why the position cannot occur.
    pub(crate) fn check_position<M: PlayerToMove>(
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
        let is_on_goal = |player: &usize| position.pawns[*player].bit() & self.goals[*player] != 0;
        let mover = position.player_index();
        if is_on_goal(&mover) {
            return Err(InvalidPosition::MoverOnGoal {
                player_goal: self.player_goal(mover),
                has_teams: self.has_teams,
            });
        }
        if let [one, other, ..] = (0..PLAYERS).filter(is_on_goal).collect::<Vec<_>>()[..] {
            let players = [one, other].map(|player| self.names[player]);
            return Err(InvalidPosition::TwoOnGoals { players, has_teams: self.has_teams });
        }
        if let Some(player) =
            self.cut_off_players(position, position.open_passages(self.board)).next()
        {
            let player_goal = self.player_goal(player);
            return Err(InvalidPosition::NoPath { player_goal, point: points[player] });
        }
        let left = position.walls_left;
        let walls = self.walls;
        if let Some(player) = (0..PLAYERS).find(|&player| left[player] > walls[player]) {
            return Err(InvalidPosition::TooManyWalls {
                player: self.names[player],
                left: left[player],
                max: walls[player],
                is_same: walls == [walls[player]; PLAYERS],
            });
        }
        let sum = |walls: [u8; PLAYERS]| walls.into_iter().map(u32::from).sum::<u32>();
        let placed = position.walls.count();
        let all = sum(walls);
        if placed + sum(left) != all {
            return Err(InvalidPosition::WallSum { placed, left, all });
        }
        Ok(())
    }

    /// Returns the players whose pawns cannot reach their goals through these passages.
    fn cut_off_players<M>(
        &self,
        position: &Position<PLAYERS, M>,
        open: PassageSet,
    ) -> impl Iterator<Item = usize> {
        let pawns = position.pawns;
        let goals = self.goals;
        (0..PLAYERS)
            .filter(move |&player| open.distance(pawns[player].bit(), goals[player]).is_none())
    }
}

/// Returns the square at this point.
///
/// # Errors
/// If the point is off the board.
pub(crate) fn require_square(board: &Board, point: Point) -> Result<Square, OffBoardPoint> {
    let last = Point::new(board.size - 1, board.size - 1);
    board.square_at(point).ok_or(OffBoardPoint::Square { point, last })
}

/// Returns the post with this name.
///
/// # Errors
/// If the board has no such post.
pub(crate) fn require_wall_post(board: &Board, point: Point) -> Result<Square, OffBoardPoint> {
    let last = Point::new(board.size - 2, board.size - 2);
    board.post_at(point).ok_or(OffBoardPoint::Wall { point, last })
}

/// Returns the reason why a wall conflicts with one of these walls, or `None` if the wall does not
/// conflict.
pub(crate) fn wall_conflict(walls: Walls, wall: Wall) -> Option<WallConflict> {
    let closed_passages = Walls::from(wall).closed_passages();
    walls.iter().find_map(|other| {
        if other == wall {
            Some(WallConflict::Same)
        } else if closed_passages.intersects(Walls::from(other).closed_passages()) {
            Some(WallConflict::Overlap(other))
        } else if other.post == wall.post {
            Some(WallConflict::Crossing(other))
        } else {
            None
        }
    })
}

/// Returns the error for a pawn move through a wall between two neighbouring squares, or `None` if
/// no wall is between them.
fn blocking_wall_error<const PLAYERS: usize>(
    walls: Walls,
    from: Square,
    to: Square,
    part: PawnMovePart,
) -> Option<IllegalMove<PLAYERS>> {
    let passage = PassageSet::between(from.bit(), to.bit());
    let wall =
        walls.iter().find(|&wall| Walls::from(wall).closed_passages().intersects(passage))?;
    Some(IllegalMove::WallBetween { wall, from: from.point(), to: to.point(), part })
}

/// Returns whether two squares are orthogonal neighbours.
fn are_neighbours(a: Square, b: Square) -> bool {
    let [a, b] = [a.point(), b.point()];
    a.file.abs_diff(b.file) + a.rank.abs_diff(b.rank) == 1
}

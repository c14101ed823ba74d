//! The position of Quoridor, for two or for four players: the state of a game, playing a move, and
//! the outcome.

use std::fmt::Debug;

use pentarch_core::notation::parsing::next_full_move_number;
use pentarch_core::notation::points::BoardReflection;
use pentarch_core::{HasTurn, Outcome, Side};

use super::board::Board;
use super::moves::{self, Move};
use super::square_sets::{PassageSet, Square};
use super::walls::Walls;

/// A position of Quoridor. By default the position is for two players, one on each side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position<const PLAYERS: usize = 2, M = Side> {
    /// The walls on the board.
    pub walls: Walls,
    /// The squares of the players' pawns.
    pub pawns: [Square; PLAYERS],
    /// The numbers of walls that the players have left.
    pub walls_left: [u8; PLAYERS],
    /// The player to move.
    pub mover: M,
    /// The full-move number.
    pub full_move: u32,
}

/// The player to move.
pub trait PlayerToMove: Copy + Eq + Debug + Send + Sync {
    /// Returns the player as an index.
    fn player_index(self) -> usize;

    /// Returns the side of the player.
    fn team_side(self) -> Side;
}

impl PlayerToMove for Side {
    fn player_index(self) -> usize {
        self.index()
    }

    fn team_side(self) -> Side {
        self
    }
}

impl<const PLAYERS: usize, M: PlayerToMove> HasTurn for Position<PLAYERS, M> {
    fn side_to_move(&self) -> Side {
        self.mover.team_side()
    }

    fn full_move_number(&self) -> u32 {
        self.full_move
    }

    fn with_full_move_number(self, full_move: u32) -> Self {
        Position { full_move, ..self }
    }
}

impl<const PLAYERS: usize, M: PlayerToMove> Position<PLAYERS, M> {
    /// Returns the player to move as an index.
    pub fn player_index(&self) -> usize {
        self.mover.player_index()
    }

    /// Returns the passages that the walls leave open.
    pub fn open_passages(&self, board: &Board) -> PassageSet {
        board.passages.without_walls(self.walls)
    }

    /// Returns the position after a legal move, but with the same player to move.
    pub fn with_move_but_no_turn_change(&self, mv: Move) -> Self {
        let mut next = *self;
        match mv {
            Move::Pawn(to) => next.pawns[self.player_index()] = to,
            Move::Wall(wall) => {
                next.walls = self.walls | wall.into();
                next.walls_left[self.player_index()] -= 1;
            }
        }
        next
    }
}

impl Position {
    /// Returns the start position. `walls` are the numbers of walls of the two sides.
    pub fn start(board: &Board, walls: [u8; 2]) -> Position {
        let [white, _, black, _] = board.start_squares();
        Position {
            walls: Walls::EMPTY,
            pawns: [white, black],
            walls_left: walls,
            mover: Side::First,
            full_move: 1,
        }
    }

    /// Returns the square of one side's pawn.
    pub fn pawn(&self, side: Side) -> Square {
        self.pawns[side.index()]
    }

    /// Returns whether this side's pawn is on its goal rank.
    pub fn has_reached_goal(&self, board: &Board, side: Side) -> bool {
        self.pawn(side).bit() & board.goals[side.index()] != 0
    }

    /// Returns whether this side's pawn could step or jump into its goal if this side were to move.
    /// `open` is the result of [`Position::open_passages`].
    pub fn can_move_into_goal(&self, board: &Board, side: Side, open: PassageSet) -> bool {
        moves::pawn_targets_from(self.pawn(side), self.pawn(!side), open)
            & board.goals[side.index()]
            != 0
    }

    /// Returns the position after a legal move.
    pub fn play(&self, mv: Move) -> Position {
        let full_move = next_full_move_number(self.full_move, self.mover);
        Position { mover: !self.mover, full_move, ..self.with_move_but_no_turn_change(mv) }
    }

    /// Returns the outcome if the game is over: the pawn of the side that has just moved is on its
    /// goal rank.
    ///
    /// The rules also define the outcome if the side to move has no legal move, but this cannot
    /// happen. Assume that the side to move cannot move its pawn, which is on the square A. A path
    /// leads from A to the pawn's goal, so there is an open passage from A to a neighbour. The pawn
    /// cannot step there, so the neighbour must be the square B of the other pawn.
    ///
    /// - If there is an open passage from B to a square other than A, a jump leads to such a
    ///   square. The jump is straight, or diagonal if the straight jump is blocked. This
    ///   contradicts the assumption.
    /// - Otherwise the paths of both pawns stay on A and B. No pawn is on its own goal, so each
    ///   pawn is on the goal rank of the other pawn. But the two goal ranks are not neighbours.
    ///   This is also a contradiction.
    pub fn outcome(&self, board: &Board) -> Option<Outcome> {
        let mover = !self.mover;
        self.has_reached_goal(board, mover).then_some(Outcome::Win(mover, "goal"))
    }

    /// Returns the position, without the full-move number, as words for a hash. The sets of walls
    /// do not use bits 112 and above. So these bits contain the pawns, the walls left and the side
    /// to move.
    pub fn words_to_hash(&self) -> [u64; 4] {
        let [white, black] = self.pawns.map(|pawn| u128::from(pawn.0));
        let [white_left, black_left] = self.walls_left.map(u128::from);
        let first =
            self.walls.horizontal | white << 112 | black << 119 | (self.mover as u128) << 126;
        let second = self.walls.vertical | white_left << 112 | black_left << 117;
        [first as u64, (first >> 64) as u64, second as u64, (second >> 64) as u64]
    }

    /// Returns the mirror image of the position.
    pub fn mirrored(&self, board: &Board, mirror: BoardReflection) -> Position {
        let mut image = *self;
        image.pawns = self.pawns.map(|pawn| pawn.mirrored(mirror, board.size));
        image.walls = self.walls.mirrored(board, mirror);
        if mirror.ranks {
            image.pawns.reverse();
            image.walls_left.reverse();
            image.mover = !self.mover;
        }
        image
    }
}

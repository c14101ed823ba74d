//! The state of a Bushka game, playing a move, and how a game ends.

use crate::core::{Outcome, Side, text::next_full_move};

use super::board::{Board, Direction, Square, squares};
use super::captures;
use super::moves::Move;

/// A position of Bushka.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The soldiers of each side, as sets of squares.
    pub soldiers: [u64; 2],
    /// The kings of each side.
    pub kings: [u64; 2],
    /// Whose turn it is.
    pub side: Side,
    /// The full-move number.
    pub full_move: u32,
}

impl Position {
    /// The start position: soldiers on all dark squares of the three nearest ranks.
    pub fn start(board: &Board) -> Position {
        Position { soldiers: board.homes, kings: [0; 2], side: Side::First, full_move: 1 }
    }

    /// The soldiers of the side to move.
    pub fn own_soldiers(&self) -> u64 {
        self.soldiers[self.side.index()]
    }

    /// The kings of the side to move.
    pub fn own_kings(&self) -> u64 {
        self.kings[self.side.index()]
    }

    /// All pieces of one side.
    pub fn men(&self, side: Side) -> u64 {
        self.soldiers[side.index()] | self.kings[side.index()]
    }

    /// The pieces of the side that is not to move.
    pub fn enemies(&self) -> u64 {
        self.men(!self.side)
    }

    /// All pieces.
    pub fn occupied(&self) -> u64 {
        self.men(Side::First) | self.men(Side::Second)
    }

    /// The dark squares without a piece.
    pub fn empty(&self, board: &Board) -> u64 {
        board.squares & !self.occupied()
    }

    /// Everything but the full-move number.
    pub fn words(&self) -> [u64; 5] {
        let ([white, black], [white_kings, black_kings]) = (self.soldiers, self.kings);
        [white, black, white_kings, black_kings, self.side as u64]
    }

    /// The position after a legal move.
    ///
    /// A phalanx that goes one step is its rearmost soldier going to the square in front of the foremost one. So in
    /// every move the piece on the first square of the path ends on the last, which may be the first again.
    pub fn play(&self, board: &Board, mv: Move) -> Position {
        let mut next = *self;
        let captured = captures::captured(self, mv);
        let own = self.side.index();
        let (from, to) = (mv.from().bit(), mv.to().bit());
        next.soldiers[1 - own] &= !captured;
        next.kings[1 - own] &= !captured;
        if self.kings[own] & from != 0 {
            next.kings[own] = self.kings[own] & !from | to;
        } else {
            next.soldiers[own] = self.soldiers[own] & !from | to & !board.last_ranks[own];
            next.kings[own] |= to & board.last_ranks[own];
        }
        next.side = !self.side;
        next.full_move = next_full_move(self.full_move, self.side);
        next
    }

    /// End: a side without a piece has lost, and so has the side to move if it cannot.
    pub fn outcome(&self, board: &Board) -> Option<Outcome> {
        if self.enemies() == 0 {
            Some(Outcome::Win(self.side, "captured"))
        } else if self.men(self.side) == 0 {
            Some(Outcome::Win(!self.side, "captured"))
        } else if !self.can_move(board) {
            Some(Outcome::Win(!self.side, "no move"))
        } else {
            None
        }
    }

    /// Whether the side to move has a legal move: a step onto an empty square for a soldier forward or for a king, or a
    /// soldier's capture. A step that must not be made because a capture comes first shows that there is a capture.
    fn can_move(&self, board: &Board) -> bool {
        let empty = self.empty(board);
        let steps = |men: u64, directions: &[Direction]| directions.iter().any(|way| way.shift(men) & empty != 0);
        steps(self.own_soldiers(), &Direction::forward(self.side))
            || steps(self.own_kings(), &Direction::ALL)
            || captures::soldier_can_capture(self, empty)
    }

    /// The image under a symmetry of the board, which may swap the sides.
    pub fn map(&self, swaps: bool, image: impl Fn(Square) -> Square) -> Position {
        let map = |sets: [u64; 2]| {
            let mut sets = sets.map(|set| squares(set).fold(0, |set, square| set | image(square).bit()));
            if swaps {
                sets.reverse();
            }
            sets
        };
        Position {
            soldiers: map(self.soldiers),
            kings: map(self.kings),
            side: if swaps { !self.side } else { self.side },
            full_move: self.full_move,
        }
    }
}

//! The position of Bushka: the state of a game, and playing a move.

use pentarch_core::Side;
use pentarch_core::notation::parsing::next_full_move_number;

use super::board::{Board, DiagonalDirection, Square, iter_squares};
use super::captures;
use super::moves::Move;

/// A position of Bushka.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The soldiers of White and of Black, as sets of squares.
    pub soldiers: [u64; 2],
    /// The kings of White and of Black, as sets of squares.
    pub kings: [u64; 2],
    /// The side to move.
    pub side: Side,
    /// The full-move number.
    pub full_move: u32,
}

impl Position {
    /// Returns the soldiers of the side to move.
    pub fn own_soldiers(&self) -> u64 {
        self.soldiers[self.side.index()]
    }

    /// Returns the kings of the side to move.
    pub fn own_kings(&self) -> u64 {
        self.kings[self.side.index()]
    }

    /// Returns all pieces of one side.
    pub fn pieces(&self, side: Side) -> u64 {
        self.soldiers[side.index()] | self.kings[side.index()]
    }

    /// Returns the pieces of the side that is not to move.
    pub fn enemy_pieces(&self) -> u64 {
        self.pieces(!self.side)
    }

    /// Returns all pieces.
    pub fn occupied_squares(&self) -> u64 {
        self.pieces(Side::First) | self.pieces(Side::Second)
    }

    /// Returns the dark squares without a piece.
    pub fn empty_squares(&self, board: &Board) -> u64 {
        board.squares & !self.occupied_squares()
    }

    /// Returns the position without the full-move number, as words for a hash. The words are
    /// White's pieces, Black's pieces, and the kings of both sides. If Black is to move, the bits
    /// of the last word are inverted. The inverted word contains bits without a square, which
    /// identify Black as the side to move.
    pub fn words_to_hash(&self) -> [u64; 3] {
        let [white_kings, black_kings] = self.kings;
        let kings = white_kings | black_kings;
        [
            self.pieces(Side::First),
            self.pieces(Side::Second),
            if self.side == Side::First { kings } else { !kings },
        ]
    }

    /// Returns the position after a legal move.
    ///
    /// The step of a phalanx can be played as a single move: the rearmost soldier goes to the
    /// square in front of the foremost soldier. Therefore every move can be played as a move of the
    /// piece on the first square of the path to the last square. The last square may be the first
    /// square again.
    pub fn play(&self, board: &Board, mv: Move) -> Position {
        let mut next = *self;
        let captured = captures::captured_pieces(self, mv);
        let own = self.side.index();
        let from = mv.from().bit();
        let to = mv.last_square().bit();
        next.soldiers[1 - own] &= !captured;
        next.kings[1 - own] &= !captured;
        if self.kings[own] & from != 0 {
            next.kings[own] = self.kings[own] & !from | to;
        } else {
            next.soldiers[own] = self.soldiers[own] & !from | to & !board.last_ranks[own];
            next.kings[own] |= to & board.last_ranks[own];
        }
        next.side = !self.side;
        next.full_move = next_full_move_number(self.full_move, self.side);
        next
    }

    /// Returns whether a legal move makes a soldier a king.
    pub(crate) fn is_promotion(&self, board: &Board, mv: Move) -> bool {
        self.own_soldiers() & mv.from().bit() != 0
            && mv.last_square().bit() & board.last_ranks[self.side.index()] != 0
    }

    /// Returns whether the side to move has a legal move. A legal move exists if a soldier can step
    /// forward, a king can step to an empty square, or a soldier can capture. A capture may take
    /// precedence over such a step, but then the capture is legal. Captures by kings need no check,
    /// because a capturing king first moves at least one step.
    pub fn can_move(&self, board: &Board) -> bool {
        let empty = self.empty_squares(board);
        let steps = |pieces: u64, directions: &[DiagonalDirection]| {
            directions.iter().any(|direction| direction.shift(pieces) & empty != 0)
        };
        steps(self.own_soldiers(), &DiagonalDirection::forward_directions(self.side))
            || steps(self.own_kings(), &DiagonalDirection::ALL)
            || captures::soldier_can_capture(self, empty)
    }

    /// Returns the image of the position under a symmetry of the board. If `swaps` is `true`, the
    /// symmetry swaps the sides.
    pub fn apply_symmetry(&self, swaps: bool, image: impl Fn(Square) -> Square) -> Position {
        let map = |sets: [u64; 2]| {
            let mut sets =
                sets.map(|set| iter_squares(set).fold(0, |set, square| set | image(square).bit()));
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

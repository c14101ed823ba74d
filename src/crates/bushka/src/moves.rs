//! The moves of Bushka and their generation: captures if there are any, otherwise quiet moves.

use super::board::{Board, DiagonalDirection, Square, first_blocker, squares};
use super::captures;
use super::position::Position;

/// A turn, as the squares of its path: the first square, and every stop.
///
/// The path of a phalanx leads from the square of its rearmost soldier that moves to the square
/// that its foremost soldier reaches. The path alone distinguishes all legal moves of a position:
/// - The piece on the first square is a king or a soldier. A single soldier moves one step at a
///   time, and a phalanx of `n` soldiers, at least 2, covers `n` steps at once. So the length of
///   the first leg distinguishes them.
/// - A leg has one direction. The pieces that it captures are right behind its end in that
///   direction: a piece, or for a phalanx the run of soldiers that starts there. So moves with the
///   same stops capture the same pieces.
/// - Either all legal moves of a position capture or none does. A quiet move never ends right
///   before an enemy piece in its direction, because that step would be a capture, which is
///   compulsory.
///
/// A path is packed into 128 bits: 6 bits for each square, from the lowest bits up, and the number
/// of squares in the top byte. A side has at most 17 pieces to lose, so a path has at most 18
/// squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move(u128);

impl Move {
    /// The maximum number of squares of a path.
    pub const MAX_SQUARES: usize = 18;
    const SQUARE_BITS: u32 = 6;
    const COUNT_SHIFT: u32 = 120;

    /// Returns the path that consists of its first square.
    pub fn starting_at(from: Square) -> Move {
        Move(u128::from(from.0) | 1 << Move::COUNT_SHIFT)
    }

    /// Returns the path with one more stop. The path must have fewer than
    /// [`MAX_SQUARES`](Move::MAX_SQUARES) squares.
    pub fn with_stop(self, to: Square) -> Move {
        let shift = Move::SQUARE_BITS * self.count();
        Move((self.0 | u128::from(to.0) << shift) + (1 << Move::COUNT_SHIFT))
    }

    /// Returns the path over these squares, or `None` if there are fewer than two or more than
    /// [`MAX_SQUARES`](Move::MAX_SQUARES).
    pub fn from_path(path: &[Square]) -> Option<Move> {
        let (&from, stops) = path.split_first()?;
        let fits = !stops.is_empty() && path.len() <= Move::MAX_SQUARES;
        fits.then(|| stops.iter().fold(Move::starting_at(from), |path, &stop| path.with_stop(stop)))
    }

    /// Returns the first square of the path: that of the piece, or of the rearmost soldier of the
    /// phalanx.
    pub fn from(self) -> Square {
        self.square(0)
    }

    /// Returns the last square of the path.
    pub fn to(self) -> Square {
        self.square(self.count() - 1)
    }

    /// Returns the squares of the path, in order.
    pub fn squares(self) -> impl Iterator<Item = Square> {
        let mut rest = self.0;
        (0..self.count()).map(move |_| {
            let square = Square(rest as u8 & 63);
            rest >>= Move::SQUARE_BITS;
            square
        })
    }

    /// Returns the legs of the path: the pairs of consecutive squares.
    pub fn segments(self) -> impl Iterator<Item = (Square, Square)> {
        self.squares().zip(self.squares().skip(1))
    }

    /// Returns the image under a symmetry of the board.
    pub fn map(self, image: impl Fn(Square) -> Square) -> Move {
        self.squares()
            .skip(1)
            .fold(Move::starting_at(image(self.from())), |path, stop| path.with_stop(image(stop)))
    }

    fn count(self) -> u32 {
        (self.0 >> Move::COUNT_SHIFT) as u32
    }

    fn square(self, index: u32) -> Square {
        Square((self.0 >> (Move::SQUARE_BITS * index)) as u8 & 63)
    }
}

/// Appends the legal moves: the captures that the rules of precedence allow, or the quiet moves if
/// there is no capture. A game that is over has none.
pub(crate) fn generate_moves(board: &Board, position: &Position, moves: &mut Vec<Move>) {
    if position.enemies() == 0 {
        return;
    }
    let before = moves.len();
    captures::generate_phalanx_captures(board, position, moves);
    if moves.len() == before {
        captures::generate_piece_captures(board, position, moves);
    }
    if moves.len() == before {
        generate_quiet_moves(board, position, moves);
    }
}

/// Appends the quiet moves: soldiers move one step forward, alone or in a phalanx, and kings any
/// distance.
fn generate_quiet_moves(board: &Board, position: &Position, moves: &mut Vec<Move>) {
    let soldiers = position.own_soldiers();
    let empty = position.empty(board);
    for direction in DiagonalDirection::forward(position.side) {
        for head in squares(soldiers & direction.opposite().shift(empty)) {
            let to = head.neighbour(direction);
            moves.extend(
                phalanx_rears(soldiers, head, direction)
                    .map(|rear| Move::starting_at(rear).with_stop(to)),
            );
        }
    }
    for king in squares(position.own_kings()) {
        for direction in DiagonalDirection::ALL {
            let rays = &board.king_rays[direction as usize];
            let blocker = first_blocker(&board.king_rays, king, direction, position.occupied());
            let hidden = blocker.map_or(0, |blocker| rays[usize::from(blocker.0)] | blocker.bit());
            moves.extend(
                squares(rays[usize::from(king.0)] & !hidden)
                    .map(|to| Move::starting_at(king).with_stop(to)),
            );
        }
    }
}

/// Returns the soldiers that can be the rearmost to move when `head` moves a step in this
/// direction: `head` itself, then the soldiers of the unbroken run behind it, from front to back.
pub(crate) fn phalanx_rears(
    soldiers: u64,
    head: Square,
    direction: DiagonalDirection,
) -> impl Iterator<Item = Square> {
    let behind = move |rear: &Square| {
        let next = direction.opposite().shift(rear.bit()) & soldiers;
        (next != 0).then(|| rear.neighbour(direction.opposite()))
    };
    std::iter::successors(Some(head), behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stores_the_longest_path() {
        let path: Vec<Square> =
            (0..Move::MAX_SQUARES as u8).map(|index| Square(63 - index * 3)).collect();
        let mv = Move::from_path(&path).unwrap();
        assert_eq!(mv.squares().collect::<Vec<_>>(), path);
        assert_eq!((mv.from(), mv.to()), (path[0], path[path.len() - 1]));
        assert_eq!(mv.segments().count(), path.len() - 1);
        assert_eq!(mv.map(|square| square), mv);
        let too_long = [path, vec![Square(0)]].concat();
        assert_eq!(Move::from_path(&too_long), None);
        assert_eq!(Move::from_path(&too_long[..1]), None);
        assert_eq!(Move::from_path(&[]), None);
        assert_eq!(size_of::<Move>(), 16);
    }
}

//! The moves of Bushka and their generation: captures if there are any, otherwise quiet moves.

use super::board::{Board, DiagonalDirection, Square, first_blocker, iter_squares};
use super::captures;
use super::position::Position;

/// A turn, as the squares of its path: the first square, and every stop.
///
/// The path of a phalanx begins on the square of the rearmost moving soldier, and ends on the
/// square that the foremost soldier reaches. The path alone distinguishes all legal moves of a
/// position:
/// - The piece on the first square is a king or a soldier. A single soldier moves one step at a
///   time. A phalanx of `n` soldiers (at least 2) covers `n` steps at once. Therefore the length of
///   the first leg distinguishes a soldier from a phalanx.
/// - A leg has one direction. The captured pieces are right behind its end in that direction. A
///   single piece captures one piece. A phalanx captures the run of soldiers that starts there.
///   Therefore moves with the same stops capture the same pieces.
/// - If one legal move of a position captures, all legal moves capture. A quiet move never ends
///   right before an enemy piece in its direction, because that step would be a compulsory capture.
///
/// A path is packed into 128 bits. Each square takes 6 bits, beginning with the lowest bits. The
/// top byte is the number of squares. A side has at most 17 pieces to lose, so a path has at most
/// 18 squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move(u128);

impl Move {
    /// The maximum number of squares of a path.
    pub const MAX_PATH_SQUARES: usize = 18;
    const BITS_PER_SQUARE: u32 = 6;
    const SQUARE_COUNT_SHIFT: u32 = 120;

    /// Returns a path that so far consists only of its first square.
    pub fn starting_at(from: Square) -> Move {
        Move(u128::from(from.0) | 1 << Move::SQUARE_COUNT_SHIFT)
    }

    /// Returns the path with one more stop. The path must have fewer than
    /// [`MAX_PATH_SQUARES`](Move::MAX_PATH_SQUARES) squares.
    pub fn with_next_square(self, to: Square) -> Move {
        let shift = Move::BITS_PER_SQUARE * self.square_count();
        Move((self.0 | u128::from(to.0) << shift) + (1 << Move::SQUARE_COUNT_SHIFT))
    }

    /// Returns the path over these squares. Returns `None` for fewer than two squares or for more
    /// than [`MAX_PATH_SQUARES`](Move::MAX_PATH_SQUARES).
    pub fn from_path(path: &[Square]) -> Option<Move> {
        let (&from, stops) = path.split_first()?;
        let fits = !stops.is_empty() && path.len() <= Move::MAX_PATH_SQUARES;
        fits.then(|| {
            stops.iter().fold(Move::starting_at(from), |path, &stop| path.with_next_square(stop))
        })
    }

    /// Returns the first square of the path: the square of the piece, or of the rearmost moving
    /// soldier.
    pub fn from(self) -> Square {
        self.square_at(0)
    }

    /// Returns the last square of the path.
    pub fn last_square(self) -> Square {
        self.square_at(self.square_count() - 1)
    }

    /// Returns the squares of the path, in order.
    pub fn path_squares(self) -> impl Iterator<Item = Square> {
        let mut rest = self.0;
        (0..self.square_count()).map(move |_| {
            let square = Square(rest as u8 & 63);
            rest >>= Move::BITS_PER_SQUARE;
            square
        })
    }

    /// Returns the legs of the path: the pairs of consecutive squares.
    pub fn legs(self) -> impl Iterator<Item = (Square, Square)> {
        self.path_squares().zip(self.path_squares().skip(1))
    }

    /// Returns the image of the path under a symmetry of the board.
    pub fn apply_symmetry(self, image: impl Fn(Square) -> Square) -> Move {
        self.path_squares().skip(1).fold(Move::starting_at(image(self.from())), |path, stop| {
            path.with_next_square(image(stop))
        })
    }

    fn square_count(self) -> u32 {
        (self.0 >> Move::SQUARE_COUNT_SHIFT) as u32
    }

    fn square_at(self, index: u32) -> Square {
        Square((self.0 >> (Move::BITS_PER_SQUARE * index)) as u8 & 63)
    }
}

/// Appends the legal moves: the captures that the rules of precedence allow, or the quiet moves if
/// there is no capture. Appends nothing if the game is over.
pub(crate) fn generate_moves(board: &Board, position: &Position, moves: &mut Vec<Move>) {
    if position.enemy_pieces() == 0 {
        return;
    }
    let before = moves.len();
    captures::generate_phalanx_captures(board, position, moves);
    if moves.len() == before {
        captures::generate_single_piece_captures(board, position, moves);
    }
    if moves.len() == before {
        generate_quiet_moves(board, position, moves);
    }
}

/// Appends the quiet moves. Soldiers move one step forward, alone or in a phalanx. Kings move any
/// distance.
fn generate_quiet_moves(board: &Board, position: &Position, moves: &mut Vec<Move>) {
    let soldiers = position.own_soldiers();
    let empty = position.empty_squares(board);
    for direction in DiagonalDirection::forward_directions(position.side) {
        for head in iter_squares(soldiers & direction.opposite().shift(empty)) {
            let to = head.neighbour_unchecked(direction);
            moves.extend(
                phalanx_rears(soldiers, head, direction)
                    .map(|rear| Move::starting_at(rear).with_next_square(to)),
            );
        }
    }
    for king in iter_squares(position.own_kings()) {
        for direction in DiagonalDirection::ALL {
            let rays = &board.king_rays[direction as usize];
            let blocker =
                first_blocker(&board.king_rays, king, direction, position.occupied_squares());
            let hidden = blocker.map_or(0, |blocker| rays[usize::from(blocker.0)] | blocker.bit());
            moves.extend(
                iter_squares(rays[usize::from(king.0)] & !hidden)
                    .map(|to| Move::starting_at(king).with_next_square(to)),
            );
        }
    }
}

/// Returns the possible rearmost soldiers if `head` steps in this direction. These are `head`
/// itself and the soldiers of the unbroken run behind it, from front to back.
pub(crate) fn phalanx_rears(
    soldiers: u64,
    head: Square,
    direction: DiagonalDirection,
) -> impl Iterator<Item = Square> {
    let behind = move |rear: &Square| {
        let next = direction.opposite().shift(rear.bit()) & soldiers;
        (next != 0).then(|| rear.neighbour_unchecked(direction.opposite()))
    };
    std::iter::successors(Some(head), behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stores_the_longest_path() {
        let path: Vec<Square> =
            (0..Move::MAX_PATH_SQUARES as u8).map(|index| Square(63 - index * 3)).collect();
        let mv = Move::from_path(&path).unwrap();
        assert_eq!(mv.path_squares().collect::<Vec<_>>(), path);
        assert_eq!((mv.from(), mv.last_square()), (path[0], path[path.len() - 1]));
        assert_eq!(mv.legs().count(), path.len() - 1);
        assert_eq!(mv.apply_symmetry(|square| square), mv);
        let too_long = [path, vec![Square(0)]].concat();
        assert_eq!(Move::from_path(&too_long), None);
        assert_eq!(Move::from_path(&too_long[..1]), None);
        assert_eq!(Move::from_path(&[]), None);
        assert_eq!(size_of::<Move>(), 16);
    }
}

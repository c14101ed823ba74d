//! The moves of Bushka and the generation of those that capture nothing.

use super::board::{Board, Direction, Square, nearest, squares};
use super::captures;
use super::position::Position;

/// A turn: the squares of its path, the one it begins on and every stop.
///
/// A phalanx goes from the square of its rearmost soldier that moves to the square that its foremost one reaches. The
/// path alone tells all moves of a position apart:
/// - Where the path begins stands a king or a soldier. A soldier goes one step at a time, a phalanx of `n` soldiers
///   covers `n` steps at once, `n` being 2 or more: the length of the first leg tells them apart.
/// - A leg has one direction, and what it captures lies right behind its end in that direction: a piece, or for a
///   phalanx the run that this piece heads. So the same stops are the same captures.
/// - All legal moves of a position capture or none does. A quiet move never ends right before an enemy piece in its
///   direction, since the same step would be a capture, which is compulsory.
///
/// Packed into 128 bits: squares of 6 bits from the lowest up, their number in the top byte. A side has at most 17
/// pieces to lose, so that a path has at most 18 squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move(u128);

impl Move {
    /// The squares of the longest path.
    pub const MOST_SQUARES: usize = 18;
    const SQUARE_BITS: u32 = 6;
    const COUNT_SHIFT: u32 = 120;

    /// A path that has only begun.
    pub fn begin(from: Square) -> Move {
        Move(u128::from(from.0) | 1 << Move::COUNT_SHIFT)
    }

    /// The path with one more stop; it must have room for it.
    pub fn then(self, to: Square) -> Move {
        let place = Move::SQUARE_BITS * self.count();
        Move((self.0 | u128::from(to.0) << place) + (1 << Move::COUNT_SHIFT))
    }

    /// The path over these squares; none if no move has so many or so few.
    pub fn along(path: &[Square]) -> Option<Move> {
        let (&from, stops) = path.split_first()?;
        let fits = !stops.is_empty() && path.len() <= Move::MOST_SQUARES;
        fits.then(|| stops.iter().fold(Move::begin(from), |path, &stop| path.then(stop)))
    }

    /// The square it begins on: a piece's or a phalanx's rearmost soldier's.
    pub fn from(self) -> Square {
        self.square(0)
    }

    /// The square it ends on.
    pub fn to(self) -> Square {
        self.square(self.count() - 1)
    }

    /// All squares of the path.
    pub fn squares(self) -> impl Iterator<Item = Square> {
        (0..self.count()).map(move |index| self.square(index))
    }

    /// The parts of the path between one square and the next.
    pub fn legs(self) -> impl Iterator<Item = (Square, Square)> {
        self.squares().zip(self.squares().skip(1))
    }

    /// The image under a symmetry of the board.
    pub fn map(self, image: impl Fn(Square) -> Square) -> Move {
        self.squares().skip(1).fold(Move::begin(image(self.from())), |path, stop| path.then(image(stop)))
    }

    fn count(self) -> u32 {
        (self.0 >> Move::COUNT_SHIFT) as u32
    }

    fn square(self, index: u32) -> Square {
        Square((self.0 >> (Move::SQUARE_BITS * index)) as u8 & 63)
    }
}

/// Appends the legal moves: the captures that the rules of precedence leave, or the quiet moves if there is none. A
/// game that is decided has none.
pub fn generate(board: &Board, position: &Position, moves: &mut Vec<Move>) {
    if position.enemies() == 0 {
        return;
    }
    let before = moves.len();
    captures::of_phalanxes(board, position, moves);
    if moves.len() == before {
        captures::of_pieces(board, position, moves);
    }
    if moves.len() == before {
        quiet(board, position, moves);
    }
}

/// Quiet moves: soldiers one step forward, alone or as the head of a phalanx, and kings as far as they like.
fn quiet(board: &Board, position: &Position, moves: &mut Vec<Move>) {
    let (soldiers, empty) = (position.own_soldiers(), position.empty(board));
    for direction in Direction::forward(position.side) {
        for head in squares(soldiers & direction.back().shift(empty)) {
            let to = head.next(direction);
            moves.extend(rears(soldiers, head, direction).map(|rear| Move::begin(rear).then(to)));
        }
    }
    for king in squares(position.own_kings()) {
        for direction in Direction::ALL {
            let line = &board.far[direction as usize];
            let blocker = nearest(&board.far, king, direction, position.occupied());
            let hidden = blocker.map_or(0, |blocker| line[usize::from(blocker.0)] | blocker.bit());
            moves.extend(squares(line[usize::from(king.0)] & !hidden).map(|to| Move::begin(king).then(to)));
        }
    }
}

/// The soldiers that can be the rearmost to move when this one goes a step: itself, and the unbroken run behind it.
pub fn rears(soldiers: u64, head: Square, direction: Direction) -> impl Iterator<Item = Square> {
    let behind = move |rear: &Square| {
        let next = direction.back().shift(rear.bit()) & soldiers;
        (next != 0).then(|| rear.next(direction.back()))
    };
    std::iter::successors(Some(head), behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_path_keeps_all_its_squares() {
        let path: Vec<Square> = (0..Move::MOST_SQUARES as u8).map(|index| Square(63 - index * 3)).collect();
        let mv = Move::along(&path).unwrap();
        assert_eq!(mv.squares().collect::<Vec<_>>(), path);
        assert_eq!((mv.from(), mv.to()), (path[0], path[path.len() - 1]));
        assert_eq!(mv.legs().count(), path.len() - 1);
        assert_eq!(mv.map(|square| square), mv);
        let too_long = [path, vec![Square(0)]].concat();
        assert_eq!(Move::along(&too_long), None);
        assert_eq!(Move::along(&too_long[..1]), None);
        assert_eq!(Move::along(&[]), None);
        assert_eq!(size_of::<Move>(), 16);
    }
}

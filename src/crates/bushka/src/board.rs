//! The boards of Bushka: the fifty dark squares of 10x10 and of 11x9, as sets of 64 bits, and their diagonals.
//!
//! Both boards share one layout. A dark square, its file and rank counted from 0, has the number
//! `(file + 13 * rank) / 2`: thirteen files, of which the last two or three hold no square. So a step along a diagonal
//! adds or subtracts 6 or 7 wherever it begins, and one that leaves the board ends on a number without a square or
//! outside the 64 bits.

use pentarch_core::notation::points::{Mirror, bits};
use pentarch_core::{Point, Side};

/// The number of files in the layout: odd, and greater than the number of files of either board.
const WIDTH: u8 = 13;

/// A dark square, by its number in the layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Square(pub u8);

impl Square {
    /// The file, counted from 0.
    pub fn file(self) -> u8 {
        2 * self.0 % WIDTH
    }

    /// The rank, counted from 0.
    pub fn rank(self) -> u8 {
        2 * self.0 / WIDTH
    }

    /// The point of the board on which the square lies.
    pub fn point(self) -> Point {
        Point::new(self.file(), self.rank())
    }

    /// The square as a set of squares.
    pub fn bit(self) -> u64 {
        1 << self.0
    }

    /// The distance to a square of the same diagonal, in steps.
    pub fn distance(self, other: Square) -> u8 {
        self.rank().abs_diff(other.rank())
    }

    /// The direction in which another square of the same diagonal lies; none if they share no diagonal or are the same.
    pub fn towards(self, other: Square) -> Option<Direction> {
        (self.distance(other) == self.file().abs_diff(other.file()) && self != other)
            .then(|| self.heading(other))
    }

    /// The direction in which another square of the same diagonal lies. The caller makes sure that it is another square
    /// and that both lie on one diagonal.
    pub fn heading(self, other: Square) -> Direction {
        match (other.0 > self.0, other.file() > self.file()) {
            (true, true) => Direction::UpRight,
            (true, false) => Direction::UpLeft,
            (false, false) => Direction::DownLeft,
            (false, true) => Direction::DownRight,
        }
    }

    /// The next square in this direction. The caller makes sure that it is on the board.
    pub fn next(self, direction: Direction) -> Square {
        Square(self.0.wrapping_add_signed(direction.offset()))
    }
}

/// The squares of a set, in ascending order.
pub fn squares(set: u64) -> impl Iterator<Item = Square> {
    bits(set).map(Square)
}

/// One of the four directions along the diagonals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Towards the upper right: forward for White.
    UpRight,
    /// Towards the upper left: forward for White.
    UpLeft,
    /// Towards the lower left: forward for Black.
    DownLeft,
    /// Towards the lower right: forward for Black.
    DownRight,
}

impl Direction {
    /// All directions: the two that lead White forward, then the two that lead Black forward.
    pub const ALL: [Direction; 4] =
        [Direction::UpRight, Direction::UpLeft, Direction::DownLeft, Direction::DownRight];

    /// The two directions that lead this side forward.
    pub fn forward(side: Side) -> [Direction; 2] {
        match side {
            Side::First => [Direction::UpRight, Direction::UpLeft],
            Side::Second => [Direction::DownLeft, Direction::DownRight],
        }
    }

    /// The direction that leads the other way.
    pub fn opposite(self) -> Direction {
        match self {
            Direction::UpRight => Direction::DownLeft,
            Direction::UpLeft => Direction::DownRight,
            Direction::DownLeft => Direction::UpRight,
            Direction::DownRight => Direction::UpLeft,
        }
    }

    /// What a step in this direction adds to the number of a square.
    fn offset(self) -> i8 {
        match self {
            Direction::UpRight => 7,
            Direction::UpLeft => 6,
            Direction::DownLeft => -7,
            Direction::DownRight => -6,
        }
    }

    /// Moves every square of a set one step in this direction. Squares that leave the board end on numbers that are no
    /// squares, so the caller intersects the result with a set of squares.
    pub fn shift(self, set: u64) -> u64 {
        match self {
            Direction::UpRight => set << 7,
            Direction::UpLeft => set << 6,
            Direction::DownLeft => set >> 7,
            Direction::DownRight => set >> 6,
        }
    }
}

/// Precomputed rays: for each direction and each square, the squares in line from that square on an empty board, the
/// square itself left out.
pub type Rays = [[u64; 64]; 4];

/// The shape of a board and its precomputed sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// The number of files.
    pub files: u8,
    /// The number of ranks.
    pub ranks: u8,
    /// All dark squares.
    pub squares: u64,
    /// For each side, the squares of its three nearest ranks, on which its soldiers start.
    pub homes: [u64; 2],
    /// For each side, the squares of the rank on which its soldiers become kings.
    pub last_ranks: [u64; 2],
    /// The rays of soldiers, two squares long: the empty square onto which a soldier steps, and the piece behind it
    /// that it captures.
    pub soldier_rays: Rays,
    /// The rays of kings, which lead to the edge of the board.
    pub king_rays: Rays,
}

impl Board {
    /// The number of squares of each rank, light ones included, for the board field of position texts.
    pub fn widths(&self) -> Vec<usize> {
        vec![self.files.into(); self.ranks.into()]
    }

    /// The board with this many files and ranks: 10x10 or 11x9.
    pub fn new(files: u8, ranks: u8) -> Board {
        let points = (0..ranks).flat_map(|rank| (0..files).map(move |file| Point::new(file, rank)));
        let dark: Vec<Square> = points.filter_map(dark_square).collect();
        let set = |wanted: &dyn Fn(Square) -> bool| {
            dark.iter().filter(|&&square| wanted(square)).fold(0, |set, square| set | square.bit())
        };
        let all = set(&|_| true);
        let on_rank = |rank: u8| set(&|square| square.rank() == rank);
        let rays = |most: usize| {
            let ray = |square: u8, direction: Direction| {
                let steps = std::iter::successors(Some(1 << square), |&at: &u64| {
                    Some(direction.shift(at) & all)
                });
                steps.skip(1).take(most).fold(0, |set, at| set | at)
            };
            let from = |square: u8, direction| {
                if all & Square(square).bit() == 0 { 0 } else { ray(square, direction) }
            };
            Direction::ALL
                .map(|direction| std::array::from_fn(|square| from(square as u8, direction)))
        };
        Board {
            files,
            ranks,
            squares: all,
            homes: [set(&|square| square.rank() < 3), set(&|square| square.rank() >= ranks - 3)],
            last_ranks: [on_rank(ranks - 1), on_rank(0)],
            soldier_rays: rays(2),
            king_rays: rays(usize::from(files)),
        }
    }

    /// Whether the board has this point, dark or light.
    pub fn contains(&self, point: Point) -> bool {
        point.file < self.files && point.rank < self.ranks
    }

    /// The dark square at this point, if there is one.
    pub fn square_at(&self, point: Point) -> Option<Square> {
        dark_square(point).filter(|_| self.contains(point))
    }

    /// The image of a square. A mirror in one direction is for 11x9 only: on 10x10 it swaps dark and light squares.
    pub fn mirrored(&self, square: Square, mirror: Mirror) -> Square {
        dark_square(mirror.image(square.point(), [self.files, self.ranks])).unwrap_or(square)
    }

    /// The image of a set of squares when the board is turned by 180 degrees: its bits in reverse order, since the
    /// numbers of a square and of its image add up to the same sum everywhere.
    pub fn half_turn_set(&self, set: u64) -> u64 {
        set.reverse_bits() >> self.squares.leading_zeros()
    }
}

/// The dark square at a point of the layout; none if the point is light or outside. Squares with an even sum of file
/// and rank are dark.
fn dark_square(Point { file, rank }: Point) -> Option<Square> {
    (file < WIDTH && rank < 10 && (file + rank).is_multiple_of(2))
        .then(|| Square((file + WIDTH * rank) / 2))
}

/// The first blocker on a ray: of the occupied squares on it, the one nearest to `from`; none if none is occupied.
pub fn first_blocker(
    rays: &Rays,
    from: Square,
    direction: Direction,
    occupied: u64,
) -> Option<Square> {
    let blockers = rays[direction as usize][usize::from(from.0)] & occupied;
    let first = match direction {
        Direction::UpRight | Direction::UpLeft => blockers.trailing_zeros(),
        Direction::DownLeft | Direction::DownRight => blockers.leading_zeros() ^ 63,
    };
    (blockers != 0).then_some(Square(first as u8))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boards() -> [Board; 2] {
        [Board::new(10, 10), Board::new(11, 9)]
    }

    #[test]
    fn both_boards_have_fifty_dark_squares_and_their_soldiers() {
        for (board, soldiers) in boards().iter().zip([15, 17]) {
            assert_eq!(board.squares.count_ones(), 50);
            assert_eq!(board.homes.map(u64::count_ones), [soldiers; 2]);
            for square in squares(board.squares) {
                assert_eq!(board.square_at(square.point()), Some(square));
                assert_eq!((square.file() + square.rank()) % 2, 0);
            }
            assert_eq!(board.square_at(Point::new(0, 0)), Some(Square(0)));
            assert_eq!(board.square_at(Point::new(1, 0)), None);
            assert_eq!(board.square_at(Point::new(board.files, board.files)), None);
            assert_eq!(board.square_at(Point::new(25, 98)), None);
        }
    }

    #[test]
    fn a_shift_reaches_the_diagonal_neighbour_or_no_square() {
        let moves = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
        for board in boards() {
            for square in squares(board.squares) {
                for (direction, (files, ranks)) in Direction::ALL.into_iter().zip(moves) {
                    let next =
                        square.point().step(files, ranks).and_then(|point| board.square_at(point));
                    let shifted = direction.shift(square.bit()) & board.squares;
                    assert_eq!(shifted, next.map_or(0, Square::bit));
                    if let Some(next) = next {
                        assert_eq!(square.next(direction), next);
                        assert_eq!(square.towards(next), Some(direction));
                        assert_eq!(next.towards(square), Some(direction.opposite()));
                    }
                }
            }
        }
    }

    #[test]
    fn rays_follow_the_diagonals_and_the_nearest_piece_blocks_first() {
        for board in boards() {
            for from in squares(board.squares) {
                for to in squares(board.squares & !from.bit()) {
                    let contains = |rays: &Rays, direction: Direction| {
                        rays[direction as usize][usize::from(from.0)] & to.bit() != 0
                    };
                    let towards = from.towards(to);
                    for direction in Direction::ALL {
                        let there = towards == Some(direction);
                        assert_eq!(contains(&board.king_rays, direction), there);
                        assert_eq!(
                            contains(&board.soldier_rays, direction),
                            there && from.distance(to) <= 2
                        );
                    }
                    if let Some(direction) = towards {
                        let beyond = direction.shift(to.bit()) & board.squares;
                        assert_eq!(
                            first_blocker(&board.king_rays, from, direction, beyond | to.bit()),
                            Some(to)
                        );
                    }
                }
            }
        }
    }
}

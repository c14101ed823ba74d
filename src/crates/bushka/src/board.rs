//! The boards of Bushka and their diagonals. Each board, 10x10 or 11x9, has fifty dark squares. A
//! set of squares is 64 bits.
//!
//! Both boards share one layout. A dark square has the number `(file + 13 * rank) / 2`, where file
//! and rank count from 0. The layout has thirteen files, and its last two or three files have no
//! squares. Therefore a step along a diagonal adds 6 or 7 to the number of a square, or subtracts 6
//! or 7. A step off the board ends on a number without a square or outside the 64 bits.

use pentarch_core::notation::points::{BoardReflection, bit_indices};
use pentarch_core::{Point, Side};

/// The number of files in the layout. The number is odd, and greater than the number of files of
/// either board.
const BITBOARD_FILE_COUNT: u8 = 13;

/// A dark square, by its number in the layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Square(pub u8);

impl Square {
    /// Returns the file, counted from 0.
    pub fn file(self) -> u8 {
        2 * self.0 % BITBOARD_FILE_COUNT
    }

    /// Returns the rank, counted from 0.
    pub fn rank(self) -> u8 {
        2 * self.0 / BITBOARD_FILE_COUNT
    }

    /// Returns the point of the square.
    pub fn point(self) -> Point {
        Point::new(self.file(), self.rank())
    }

    /// Returns the set that contains only this square.
    pub fn bit(self) -> u64 {
        1 << self.0
    }

    /// Returns the number of steps to a square on the same diagonal.
    pub fn distance(self, other: Square) -> u8 {
        self.rank().abs_diff(other.rank())
    }

    /// Returns the direction of another square on the same diagonal; `None` if the squares are
    /// equal or not on the same diagonal.
    pub fn direction_to(self, other: Square) -> Option<DiagonalDirection> {
        (self.distance(other) == self.file().abs_diff(other.file()) && self != other)
            .then(|| self.direction_along_diagonal(other))
    }

    /// Returns the direction of another square, which must be on the same diagonal.
    pub fn direction_along_diagonal(self, other: Square) -> DiagonalDirection {
        match (other.0 > self.0, other.file() > self.file()) {
            (true, true) => DiagonalDirection::UpRight,
            (true, false) => DiagonalDirection::UpLeft,
            (false, false) => DiagonalDirection::DownLeft,
            (false, true) => DiagonalDirection::DownRight,
        }
    }

    /// Returns the next square in this direction, which must be on the board.
    pub fn neighbour_unchecked(self, direction: DiagonalDirection) -> Square {
        Square(self.0.wrapping_add_signed(direction.offset()))
    }
}

/// Returns the squares of a set in ascending order.
pub(crate) fn iter_squares(set: u64) -> impl Iterator<Item = Square> {
    bit_indices(set).map(Square)
}

/// One of the four directions along the diagonals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiagonalDirection {
    /// Towards the upper right: forward for White.
    UpRight,
    /// Towards the upper left: forward for White.
    UpLeft,
    /// Towards the lower left: forward for Black.
    DownLeft,
    /// Towards the lower right: forward for Black.
    DownRight,
}

impl DiagonalDirection {
    /// All directions: first White's two forward directions, then Black's two.
    pub const ALL: [DiagonalDirection; 4] = [
        DiagonalDirection::UpRight,
        DiagonalDirection::UpLeft,
        DiagonalDirection::DownLeft,
        DiagonalDirection::DownRight,
    ];

    /// Returns the two directions that are forward for this side.
    pub fn forward_directions(side: Side) -> [DiagonalDirection; 2] {
        match side {
            Side::First => [DiagonalDirection::UpRight, DiagonalDirection::UpLeft],
            Side::Second => [DiagonalDirection::DownLeft, DiagonalDirection::DownRight],
        }
    }

    /// Returns the opposite direction.
    pub fn opposite(self) -> DiagonalDirection {
        match self {
            DiagonalDirection::UpRight => DiagonalDirection::DownLeft,
            DiagonalDirection::UpLeft => DiagonalDirection::DownRight,
            DiagonalDirection::DownLeft => DiagonalDirection::UpRight,
            DiagonalDirection::DownRight => DiagonalDirection::UpLeft,
        }
    }

    /// Returns the number that a step in this direction adds to the number of a square.
    fn offset(self) -> i8 {
        match self {
            DiagonalDirection::UpRight => 7,
            DiagonalDirection::UpLeft => 6,
            DiagonalDirection::DownLeft => -7,
            DiagonalDirection::DownRight => -6,
        }
    }

    /// Moves every square of a set one step in this direction. The caller must intersect the result
    /// with a set of squares, because squares that leave the board end on numbers without a square.
    pub fn shift(self, set: u64) -> u64 {
        match self {
            DiagonalDirection::UpRight => set << 7,
            DiagonalDirection::UpLeft => set << 6,
            DiagonalDirection::DownLeft => set >> 7,
            DiagonalDirection::DownRight => set >> 6,
        }
    }
}

/// Precomputed rays, by direction and by square. A ray contains the squares in this direction on an
/// empty board, without the first square itself.
pub(crate) type RayTable = [[u64; 64]; 4];

/// A board, with its precomputed sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// The number of files of the board.
    pub files: u8,
    /// The number of ranks of the board.
    pub ranks: u8,
    /// All dark squares.
    pub squares: u64,
    /// For each side, the squares of the three ranks nearest to this side, on which its soldiers
    /// start.
    pub home_squares: [u64; 2],
    /// For each side, the squares of the rank on which its soldiers become kings.
    pub last_ranks: [u64; 2],
    /// The rays of soldiers. These rays are two squares long. A capturing soldier steps to the
    /// first square and captures the piece on the second square.
    pub soldier_rays: RayTable,
    /// The rays of kings, up to the edge of the board.
    pub king_rays: RayTable,
}

impl Board {
    /// Returns the number of squares of each rank, light squares included, for the board field of
    /// position strings.
    pub fn rank_widths(&self) -> Vec<usize> {
        vec![self.files.into(); self.ranks.into()]
    }

    /// Creates the board with these numbers of files and ranks: 10x10 or 11x9.
    pub fn new(files: u8, ranks: u8) -> Board {
        let points = (0..ranks).flat_map(|rank| (0..files).map(move |file| Point::new(file, rank)));
        let dark: Vec<Square> = points.filter_map(dark_square_at).collect();
        let set = |is_included: &dyn Fn(Square) -> bool| {
            dark.iter()
                .filter(|&&square| is_included(square))
                .fold(0, |set, square| set | square.bit())
        };
        let all = set(&|_| true);
        let on_rank = |rank: u8| set(&|square| square.rank() == rank);
        let rays = |length: usize| {
            let ray = |square: u8, direction: DiagonalDirection| {
                let steps = std::iter::successors(Some(1 << square), |&at: &u64| {
                    Some(direction.shift(at) & all)
                });
                steps.skip(1).take(length).fold(0, |set, at| set | at)
            };
            let from = |square: u8, direction| {
                if all & Square(square).bit() == 0 { 0 } else { ray(square, direction) }
            };
            DiagonalDirection::ALL
                .map(|direction| std::array::from_fn(|square| from(square as u8, direction)))
        };
        Board {
            files,
            ranks,
            squares: all,
            home_squares: [
                set(&|square| square.rank() < 3),
                set(&|square| square.rank() >= ranks - 3),
            ],
            last_ranks: [on_rank(ranks - 1), on_rank(0)],
            soldier_rays: rays(2),
            king_rays: rays(usize::from(files)),
        }
    }

    /// Returns whether the board has this point, dark or light.
    pub fn contains_point(&self, point: Point) -> bool {
        point.file < self.files && point.rank < self.ranks
    }

    /// Returns the dark square at this point, if there is one.
    pub fn square_at(&self, point: Point) -> Option<Square> {
        dark_square_at(point).filter(|_| self.contains_point(point))
    }

    /// Returns the image of a square. A mirror that reverses only the files or only the ranks is
    /// possible only on 11x9. On 10x10 such a mirror would swap dark and light squares.
    pub fn mirror_square(&self, square: Square, mirror: BoardReflection) -> Square {
        dark_square_at(mirror.reflect_point(square.point(), [self.files, self.ranks]))
            .unwrap_or(square)
    }

    /// Returns the image of a set of squares under a half turn. The image has the bits in reverse
    /// order, because the numbers of a square and of its image always have the same sum.
    pub fn half_turn_square_set(&self, set: u64) -> u64 {
        set.reverse_bits() >> self.squares.leading_zeros()
    }
}

/// Returns the dark square at a point of the layout, or `None` if the point is light or outside.
/// The sum of file and rank is even for dark squares.
fn dark_square_at(Point { file, rank }: Point) -> Option<Square> {
    (file < BITBOARD_FILE_COUNT && rank < 10 && (file + rank).is_multiple_of(2))
        .then(|| Square((file + BITBOARD_FILE_COUNT * rank) / 2))
}

/// Returns the first blocker on a ray: the occupied square nearest to `from`, or `None` if the ray
/// is empty.
pub(crate) fn first_blocker(
    rays: &RayTable,
    from: Square,
    direction: DiagonalDirection,
    occupied: u64,
) -> Option<Square> {
    let blockers = rays[direction as usize][usize::from(from.0)] & occupied;
    let first = match direction {
        DiagonalDirection::UpRight | DiagonalDirection::UpLeft => blockers.trailing_zeros(),
        DiagonalDirection::DownLeft | DiagonalDirection::DownRight => blockers.leading_zeros() ^ 63,
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
    fn both_boards_have_fifty_dark_squares_and_all_soldiers() {
        for (board, soldiers) in boards().iter().zip([15, 17]) {
            assert_eq!(board.squares.count_ones(), 50);
            assert_eq!(board.home_squares.map(u64::count_ones), [soldiers; 2]);
            for square in iter_squares(board.squares) {
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
    fn shifts_reach_the_diagonal_neighbour_or_no_square() {
        let moves = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
        for board in boards() {
            for square in iter_squares(board.squares) {
                for (direction, (files, ranks)) in DiagonalDirection::ALL.into_iter().zip(moves) {
                    let next = square
                        .point()
                        .offset_by(files, ranks)
                        .and_then(|point| board.square_at(point));
                    let shifted = direction.shift(square.bit()) & board.squares;
                    assert_eq!(shifted, next.map_or(0, Square::bit));
                    if let Some(next) = next {
                        assert_eq!(square.neighbour_unchecked(direction), next);
                        assert_eq!(square.direction_to(next), Some(direction));
                        assert_eq!(next.direction_to(square), Some(direction.opposite()));
                    }
                }
            }
        }
    }

    #[test]
    fn rays_follow_diagonals_and_the_nearest_piece_blocks() {
        for board in boards() {
            for from in iter_squares(board.squares) {
                for to in iter_squares(board.squares & !from.bit()) {
                    let contains = |rays: &RayTable, direction: DiagonalDirection| {
                        rays[direction as usize][usize::from(from.0)] & to.bit() != 0
                    };
                    let expected = from.direction_to(to);
                    for direction in DiagonalDirection::ALL {
                        let is_in_line = expected == Some(direction);
                        assert_eq!(contains(&board.king_rays, direction), is_in_line);
                        assert_eq!(
                            contains(&board.soldier_rays, direction),
                            is_in_line && from.distance(to) <= 2
                        );
                    }
                    if let Some(direction) = expected {
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

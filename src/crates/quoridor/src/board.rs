//! The board of Quoridor, as sets of squares and posts.

use pentarch_core::{Point, Side};

use super::square_sets::{PassageSet, Square};

/// For each edge of the board, the posts next to it. If a wall extends from such a post towards the
/// edge, the wall ends at the edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EdgePosts {
    /// The posts of the first file, at the west edge.
    pub west: u128,
    /// The posts of the last file, at the east edge.
    pub east: u128,
    /// The posts of the first rank, at the south edge.
    pub south: u128,
    /// The posts of the last rank, at the north edge.
    pub north: u128,
}

impl EdgePosts {
    /// No posts at any edge, for a search that ignores the edges of the board.
    pub const EMPTY: EdgePosts = EdgePosts { west: 0, east: 0, south: 0, north: 0 };
}

/// The board of one size, as sets of squares and posts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// The number of files, which is also the number of ranks: from 3 to 11.
    pub size: u8,
    /// All posts: the inner corners of the board. The posts form one file and one rank fewer than
    /// the squares.
    pub posts: u128,
    /// The squares of each side's goal rank. The goal rank is the last rank for White and the first
    /// rank for Black.
    pub goals: [u128; 2],
    /// The passages between all neighbouring squares, as on a board without walls.
    pub passages: PassageSet,
    /// The links between all neighbouring posts, stored as passages. Walls lie along these links.
    pub post_links: PassageSet,
    /// The posts next to the edges.
    pub edge_posts: EdgePosts,
}

impl Board {
    /// Creates the board with `size` files and ranks.
    pub fn new(size: u8) -> Board {
        let last = size - 1;
        Board {
            size,
            posts: rectangle_squares(0..last, 0..last),
            goals: [rectangle_squares(0..size, last..size), rectangle_squares(0..size, 0..1)],
            passages: PassageSet {
                north: rectangle_squares(0..size, 0..last),
                east: rectangle_squares(0..last, 0..size),
            },
            post_links: PassageSet {
                north: rectangle_squares(0..last, 0..last - 1),
                east: rectangle_squares(0..last - 1, 0..last),
            },
            edge_posts: EdgePosts {
                west: rectangle_squares(0..1, 0..last),
                east: rectangle_squares(last - 1..last, 0..last),
                south: rectangle_squares(0..last, 0..1),
                north: rectangle_squares(0..last, last - 1..last),
            },
        }
    }

    /// Returns the [number of moves](pentarch_core::Evaluate::expected_moves_left) until a typical
    /// game on this board is decided. On the 9x9 board, half of the games are decided by move 18,
    /// 13 moves before the games end.
    pub fn expected_moves_left(&self, moves_made: u32) -> u32 {
        let squares = u32::from(self.size) * u32::from(self.size);
        (squares / 4).saturating_sub(moves_made).max(squares / 8)
    }

    /// Returns the square at a point, or `None` if the point is not on the board.
    pub fn square_at(&self, point: Point) -> Option<Square> {
        (point.file < self.size && point.rank < self.size).then(|| Square::new(point))
    }

    /// Returns the post with this name, or `None` if the board has no such post.
    pub fn post_at(&self, point: Point) -> Option<Square> {
        self.square_at(point).filter(|square| square.bit() & self.posts != 0)
    }

    /// Returns the set of all squares.
    pub fn all_squares(&self) -> u128 {
        self.goals[0] | self.passages.north
    }

    /// Returns the squares of a file, counted from 0.
    pub fn file_squares(&self, file: u8) -> u128 {
        rectangle_squares(file..file + 1, 0..self.size)
    }

    /// Returns the rank that this side's pawn must reach, counted from 0.
    pub fn goal_rank(&self, side: Side) -> u8 {
        match side {
            Side::First => self.size - 1,
            Side::Second => 0,
        }
    }

    /// Returns the posts next to all edges except the one at this side's goal rank. That edge is
    /// open, as explained in `blocking_walls`.
    pub fn edge_posts_except_goal(&self, side: Side) -> EdgePosts {
        match side {
            Side::First => EdgePosts { north: 0, ..self.edge_posts },
            Side::Second => EdgePosts { south: 0, ..self.edge_posts },
        }
    }

    /// Returns the squares on which pawns start. The squares are listed clockwise, beginning with
    /// the first player's square on the first rank. Each square is in the middle of a side of the
    /// board. On a board of even size, the square is just left of the middle, as the player sees
    /// it. In the game for two, the players start on the first and last rank.
    pub fn start_squares(&self) -> [Square; 4] {
        let last = self.size - 1;
        let low = last / 2;
        let high = self.size / 2;
        [(low, 0), (0, high), (high, last), (last, low)]
            .map(|(file, rank)| Square::new(Point::new(file, rank)))
    }
}

/// Returns the set of all squares on these files and ranks.
fn rectangle_squares(files: std::ops::Range<u8>, ranks: std::ops::Range<u8>) -> u128 {
    let points = files.flat_map(|file| ranks.clone().map(move |rank| Point::new(file, rank)));
    points.fold(0, |set, point| set | Square::new(point).bit())
}

#[cfg(test)]
mod tests {
    use super::super::square_sets::{FILE_STRIDE, iter_squares};
    use super::*;

    #[test]
    fn orders_squares_as_names_and_has_all_squares_and_posts() {
        for size in 3..=FILE_STRIDE {
            let board = Board::new(size);
            let points =
                (0..size).flat_map(|file| (0..size).map(move |rank| Point::new(file, rank)));
            let all: Vec<Square> =
                points.clone().filter_map(|point| board.square_at(point)).collect();
            assert!(
                all.is_sorted()
                    && all.iter().zip(points).all(|(square, point)| square.point() == point)
            );
            assert_eq!(all.len(), usize::from(size).pow(2));
            assert_eq!(
                iter_squares(all.iter().fold(0, |set, square| set | square.bit()))
                    .collect::<Vec<_>>(),
                all
            );
            let posts = all.iter().filter(|square| board.post_at(square.point()).is_some());
            assert_eq!(posts.count(), usize::from(size - 1).pow(2));
        }
    }

    #[test]
    fn rejects_points_off_the_board() {
        let board = Board::new(11);
        assert_eq!(board.square_at(Point::new(11, 0)), None);
        assert_eq!(board.square_at(Point::new(0, 11)), None);
        assert_eq!(board.post_at(Point::new(10, 0)), None);
        assert_eq!(board.post_at(Point::new(9, 9)), Some(Square(108)));
    }
}

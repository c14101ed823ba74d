//! The board of Quoridor: the sets of squares and posts that make it up.

use pentarch_core::{Point, Side};

use super::square_sets::{Passages, Square};

/// For each edge of the board, the posts from which a wall towards that edge ends on the rim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EdgePosts {
    /// The first file of posts.
    pub west: u128,
    /// The last file of posts.
    pub east: u128,
    /// The first rank of posts.
    pub south: u128,
    /// The last rank of posts.
    pub north: u128,
}

impl EdgePosts {
    /// The empty rim, for a search that ignores the edges of the board.
    pub const NONE: EdgePosts = EdgePosts { west: 0, east: 0, south: 0, north: 0 };
}

/// The board of one size, as sets of squares and posts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// The number of files, and of ranks: 3 to 11.
    pub size: u8,
    /// All posts. There is one file and one rank of posts less than of squares.
    pub posts: u128,
    /// The squares of the goal ranks: the last rank for White, the first for Black.
    pub goals: [u128; 2],
    /// The passages between squares when no wall stands.
    pub passages: Passages,
    /// The edges between neighbouring posts, as passages between them that are all open.
    pub post_links: Passages,
    /// The posts that are next to the rim.
    pub edge_posts: EdgePosts,
}

impl Board {
    /// The board with this many files and ranks.
    pub fn new(size: u8) -> Board {
        let last = size - 1;
        Board {
            size,
            posts: rectangle(0..last, 0..last),
            goals: [rectangle(0..size, last..size), rectangle(0..size, 0..1)],
            passages: Passages { north: rectangle(0..size, 0..last), east: rectangle(0..last, 0..size) },
            post_links: Passages { north: rectangle(0..last, 0..last - 1), east: rectangle(0..last - 1, 0..last) },
            edge_posts: EdgePosts {
                west: rectangle(0..1, 0..last),
                east: rectangle(last - 1..last, 0..last),
                south: rectangle(0..last, 0..1),
                north: rectangle(0..last, last - 1..last),
            },
        }
    }

    /// The square at this point, if it is on the board.
    pub fn square(&self, point: Point) -> Option<Square> {
        (point.file < self.size && point.rank < self.size).then(|| Square::new(point))
    }

    /// The post with this name, if there is one.
    pub fn post(&self, point: Point) -> Option<Square> {
        self.square(point).filter(|square| square.bit() & self.posts != 0)
    }

    /// All squares of the board.
    pub fn all_squares(&self) -> u128 {
        self.goals[0] | self.passages.north
    }

    /// The squares of a file, counted from 0.
    pub fn file_squares(&self, file: u8) -> u128 {
        rectangle(file..file + 1, 0..self.size)
    }

    /// The rank that this side's pawn has to reach, counted from 0.
    pub fn goal_rank(&self, side: Side) -> u8 {
        match side {
            Side::First => self.size - 1,
            Side::Second => 0,
        }
    }

    /// The rim without the edge at the goal rank of this side, which is open for its pawn in the argument of
    /// `blocking_walls`.
    pub fn edge_posts_for(&self, side: Side) -> EdgePosts {
        match side {
            Side::First => EdgePosts { north: 0, ..self.edge_posts },
            Side::Second => EdgePosts { south: 0, ..self.edge_posts },
        }
    }

    /// The squares on which pawns start, clockwise from that of the first player on the first rank: in the middle of
    /// each side of the board, or on a board of even size just left of the middle, as the player sees it. Two players
    /// start on the first and on the last rank.
    pub fn start_squares(&self) -> [Square; 4] {
        let (last, low, high) = (self.size - 1, (self.size - 1) / 2, self.size / 2);
        [(low, 0), (0, high), (high, last), (last, low)]
            .map(|(file, rank)| Square::new(Point::new(file, rank)))
    }
}

/// All squares on these files and ranks.
fn rectangle(files: std::ops::Range<u8>, ranks: std::ops::Range<u8>) -> u128 {
    let points = files.flat_map(|file| ranks.clone().map(move |rank| Point::new(file, rank)));
    points.fold(0, |set, point| set | Square::new(point).bit())
}

#[cfg(test)]
mod tests {
    use super::super::square_sets::{STRIDE, squares};
    use super::*;

    #[test]
    fn bits_are_in_the_order_of_texts_and_count_squares_and_posts() {
        for size in 3..=STRIDE {
            let board = Board::new(size);
            let points =
                (0..size).flat_map(|file| (0..size).map(move |rank| Point::new(file, rank)));
            let all: Vec<Square> = points.clone().filter_map(|point| board.square(point)).collect();
            assert!(
                all.is_sorted()
                    && all.iter().zip(points).all(|(square, point)| square.point() == point)
            );
            assert_eq!(all.len(), usize::from(size).pow(2));
            assert_eq!(
                squares(all.iter().fold(0, |set, square| set | square.bit())).collect::<Vec<_>>(),
                all
            );
            let posts = all.iter().filter(|square| board.post(square.point()).is_some());
            assert_eq!(posts.count(), usize::from(size - 1).pow(2));
        }
    }

    #[test]
    fn points_beyond_the_board_are_no_squares() {
        let board = Board::new(11);
        assert_eq!(board.square(Point::new(11, 0)), None);
        assert_eq!(board.square(Point::new(0, 11)), None);
        assert_eq!(board.post(Point::new(10, 0)), None);
        assert_eq!(board.post(Point::new(9, 9)), Some(Square(108)));
    }
}

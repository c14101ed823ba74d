//! The board of Alquerque: twenty-five points, the lines between them, and sets of points as bits.
//!
//! REQ.2, REQ.7: the board has five files and five ranks. Lines join all neighbours on a file or
//! rank. A line joins diagonal neighbours if the file number and the rank number add up to an even
//! number.

use pentarch_core::Point;
use pentarch_core::notation::points::bit_indices;

/// The number of files and of ranks.
pub const BOARD_SIZE: u8 = 5;
/// The number of points on the board.
pub const POINT_COUNT: usize = BOARD_SIZE as usize * BOARD_SIZE as usize;
/// The set of all points.
pub const ALL_POINTS: u32 = (1 << (BOARD_SIZE * BOARD_SIZE)) - 1;

/// A point of the board, as its index in the order of the names. For example, a1 is 0, a2 is 1, and
/// e5 is 24.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct BoardPoint(u8);

impl BoardPoint {
    /// Returns the point with these coordinates, if it is on the board.
    pub fn from_coordinates(point: Point) -> Option<BoardPoint> {
        (point.file < BOARD_SIZE && point.rank < BOARD_SIZE)
            .then(|| BoardPoint(point.file * BOARD_SIZE + point.rank))
    }

    /// Returns the lowest point of a non-empty set.
    pub fn from_lowest_bit(bit: u32) -> BoardPoint {
        BoardPoint(bit.trailing_zeros() as u8)
    }

    /// Returns the file and rank.
    pub fn coordinates(self) -> Point {
        Point::new(self.0 / BOARD_SIZE, self.0 % BOARD_SIZE)
    }

    /// Returns the set that contains only this point.
    pub fn bit(self) -> u32 {
        1 << self.0
    }

    /// Returns the index, from 0 to 24.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Returns the points of a set in ascending order.
pub fn iter_points_of_set(set: u32) -> impl Iterator<Item = BoardPoint> {
    bit_indices(set.into()).map(BoardPoint)
}

/// Returns the names of the points of a set, separated by commas.
pub(crate) fn format_point_set(set: u32) -> String {
    let names: Vec<String> =
        iter_points_of_set(set).map(|point| point.coordinates().to_string()).collect();
    names.join(", ")
}

/// Returns the points of a rank. Ranks are counted from 0.
pub const fn points_of_rank(rank: u8) -> u32 {
    0b00001_00001_00001_00001_00001 << rank
}

/// One of the eight directions, clockwise from straight up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Direction(pub u8);

/// For each direction, the numbers that a step adds to the file and the rank.
const STEP_OFFSETS: [(i8, i8); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
/// For each direction, the points from which a line leads in that direction. A step needs such a
/// line.
const STEP_START_POINTS: [u32; 8] = points_with_lines(1);
/// For each direction, the points from which two lines in a row lead in that direction. A jump
/// needs both lines.
const JUMP_START_POINTS: [u32; 8] = points_with_lines(2);

/// For each direction, the number of bits by which a set is rotated to the right. This rotation
/// moves the set one step against that direction. A step shifts the set by at most six bits, and
/// seven bits of the word are unused. Therefore bits that leave one end of the board do not enter
/// at the other end.
const STEP_ROTATION_BITS: [u32; 8] = {
    let mut rotations = [0; 8];
    let mut direction = 0;
    while direction < 8 {
        let (files, ranks) = STEP_OFFSETS[direction];
        rotations[direction] =
            (files as i32 * BOARD_SIZE as i32 + ranks as i32).rem_euclid(32) as u32;
        direction += 1;
    }
    rotations
};

/// A straight path between two points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StraightPath {
    /// The direction from the first point to the second.
    pub direction: Direction,
    /// The number of steps: 1 or 2.
    pub distance: u8,
}

impl Direction {
    /// All directions.
    pub const ALL: [Direction; 8] = {
        let mut all = [Direction(0); 8];
        let mut index = 0;
        while index < 8 {
            all[index] = Direction(index as u8);
            index += 1;
        }
        all
    };

    /// The set of the two directions along the ranks.
    pub const SIDEWAYS_DIRECTION_SET: u8 = 1 << 2 | 1 << 6;

    /// Returns the index, from 0 to 7.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the set that contains only this direction.
    pub const fn bit(self) -> u8 {
        1 << self.0
    }

    /// Returns the opposite direction.
    pub const fn opposite(self) -> Direction {
        Direction(self.0 ^ 4)
    }

    /// Returns the number of ranks that a step goes up: 1, 0 or -1.
    pub const fn rank_step(self) -> i8 {
        STEP_OFFSETS[self.index()].1
    }

    /// Returns the points from which a line leads in this direction.
    pub const fn line_start_points(self) -> u32 {
        STEP_START_POINTS[self.index()]
    }

    /// Returns the points from which two lines in a row lead in this direction.
    pub const fn double_line_start_points(self) -> u32 {
        JUMP_START_POINTS[self.index()]
    }

    /// Returns the points of a set moved one step in this direction. The result is valid only for
    /// points from which a [line](Direction::line_start_points) leads in this direction.
    pub const fn shift_set(self, set: u32) -> u32 {
        self.opposite().shift_set_back(set)
    }

    /// Returns the points from which one step in this direction leads into the set. The result is
    /// valid only for points from which a [line](Direction::line_start_points) leads in this
    /// direction.
    pub const fn shift_set_back(self, set: u32) -> u32 {
        set.rotate_right(STEP_ROTATION_BITS[self.index()]) & ALL_POINTS
    }

    /// Returns the straight path from one point to another. Returns `None` if the points are equal,
    /// not in one of the eight directions, or more than 2 steps apart. Does not check whether lines
    /// join the points.
    pub fn direction_and_distance(from: Point, to: Point) -> Option<StraightPath> {
        for direction in Direction::ALL {
            let (files, ranks) = STEP_OFFSETS[direction.index()];
            for distance in [1, 2] {
                if from.offset_by(files * distance as i8, ranks * distance as i8) == Some(to) {
                    return Some(StraightPath { direction, distance });
                }
            }
        }
        None
    }
}

/// Returns, for each direction, the points from which `lines` lines in a row lead in that
/// direction.
const fn points_with_lines(lines: i8) -> [u32; 8] {
    let mut result = [0; 8];
    let mut direction = 0;
    while direction < 8 {
        let (files, ranks) = STEP_OFFSETS[direction];
        let mut point = 0;
        while point < BOARD_SIZE * BOARD_SIZE {
            let file = (point / BOARD_SIZE) as i8;
            let rank = (point % BOARD_SIZE) as i8;
            let is_diagonal = direction % 2 != 0;
            let has_lines = !is_diagonal || (file + rank) % 2 == 0;
            if has_lines
                && is_coordinate_on_board(file + files * lines)
                && is_coordinate_on_board(rank + ranks * lines)
            {
                result[direction] |= 1 << point;
            }
            point += 1;
        }
        direction += 1;
    }
    result
}

const fn is_coordinate_on_board(coordinate: i8) -> bool {
    0 <= coordinate && coordinate < BOARD_SIZE as i8
}

/// A symmetry of the board: a function from a point to its image.
pub type SymmetryFn = fn(Point) -> Point;

/// Returns the image of a point when the board is turned by 180 degrees.
pub fn half_turn_point(point: Point) -> Point {
    Point::new(BOARD_SIZE - 1 - point.file, BOARD_SIZE - 1 - point.rank)
}

/// Returns the image of a point in the mirror that swaps left and right.
pub fn mirror_files(point: Point) -> Point {
    Point::new(BOARD_SIZE - 1 - point.file, point.rank)
}

/// Returns the image of a point in the mirror that swaps the near and the far ranks.
pub fn mirror_ranks(point: Point) -> Point {
    Point::new(point.file, BOARD_SIZE - 1 - point.rank)
}

/// Returns the image of a point in the mirror on the diagonal from a1 to e5.
pub fn mirror_diagonal(point: Point) -> Point {
    Point::new(point.rank, point.file)
}

/// Returns the image of a point in the mirror on the diagonal from a5 to e1.
pub fn mirror_antidiagonal(point: Point) -> Point {
    half_turn_point(mirror_diagonal(point))
}

/// Returns the image of a set of points.
pub fn map_point_set(set: u32, symmetry: SymmetryFn) -> u32 {
    iter_points_of_set(set).fold(0, |image, point| image | map_point(point, symmetry).bit())
}

/// Returns the image of a point.
pub fn map_point(point: BoardPoint, symmetry: SymmetryFn) -> BoardPoint {
    BoardPoint::from_coordinates(symmetry(point.coordinates())).unwrap_or(point)
}

/// Returns the image of a direction.
pub fn map_direction(direction: Direction, symmetry: SymmetryFn) -> Direction {
    let centre = Point::new(BOARD_SIZE / 2, BOARD_SIZE / 2);
    let (files, ranks) = STEP_OFFSETS[direction.index()];
    let Some(next) = centre.offset_by(files, ranks) else { return direction };
    Direction::direction_and_distance(symmetry(centre), symmetry(next))
        .map_or(direction, |path| path.direction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_core::notation::parsing::parse_whole_string;
    use pentarch_core::notation::points::parse_point;

    fn bit(name: &str) -> u32 {
        BoardPoint::from_coordinates(parse_whole_string(parse_point, name).unwrap()).unwrap().bit()
    }

    #[test]
    fn req_2_twenty_five_points_in_text_order() {
        let points = (0..6).flat_map(|file| (0..6).map(move |rank| Point::new(file, rank)));
        let names: Vec<String> = points
            .filter_map(BoardPoint::from_coordinates)
            .map(|point| point.coordinates().to_string())
            .collect();
        assert_eq!(names.len(), 25);
        assert!(names.is_sorted());
        assert!(
            iter_points_of_set(ALL_POINTS).map(|point| point.coordinates().to_string()).eq(names)
        );
    }

    #[test]
    fn req_7_lines_join_neighbours_and_every_other_diagonal() {
        let degree = |name| {
            let starts =
                Direction::ALL.map(|direction| direction.line_start_points() & bit(name) != 0);
            starts.into_iter().filter(|&is_start| is_start).count()
        };
        assert_eq!(
            ["a1", "a2", "a3", "b2", "b3", "c3", "d4", "e5"].map(degree),
            [3, 3, 5, 8, 4, 8, 8, 3]
        );
        let lines: u32 =
            Direction::ALL.iter().map(|direction| direction.line_start_points().count_ones()).sum();
        assert_eq!(lines, 2 * (20 + 20 + 16), "each line from both ends");
    }

    #[test]
    fn shifts_agree_with_coordinates() {
        for from in iter_points_of_set(ALL_POINTS) {
            for direction in Direction::ALL {
                let path_to = |set| {
                    let to = BoardPoint::from_lowest_bit(set).coordinates();
                    Direction::direction_and_distance(from.coordinates(), to)
                };
                if direction.line_start_points() & from.bit() != 0 {
                    let next = direction.shift_set(from.bit());
                    assert_eq!(path_to(next), Some(StraightPath { direction, distance: 1 }));
                    assert_eq!(direction.shift_set_back(next), from.bit());
                    assert_eq!(direction.opposite().shift_set(next), from.bit());
                }
                if direction.double_line_start_points() & from.bit() != 0 {
                    let second = direction.shift_set(direction.shift_set(from.bit()));
                    assert_eq!(path_to(second), Some(StraightPath { direction, distance: 2 }));
                }
            }
        }
    }

    #[test]
    fn symmetries_map_directions_with_the_board() {
        assert_eq!(map_direction(Direction(1), mirror_files), Direction(7));
        assert_eq!(map_direction(Direction(1), mirror_ranks), Direction(3));
        assert_eq!(map_direction(Direction(0), mirror_diagonal), Direction(2));
        assert_eq!(map_direction(Direction(0), mirror_antidiagonal), Direction(6));
        for direction in Direction::ALL {
            assert_eq!(map_direction(direction, half_turn_point), direction.opposite());
        }
        assert_eq!(map_point_set(bit("a2") | bit("c4"), mirror_diagonal), bit("b1") | bit("d3"));
    }
}

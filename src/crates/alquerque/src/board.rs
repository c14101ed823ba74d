//! The board of Alquerque: twenty-five points, the lines between them, and sets of points as bits.
//!
//! REQ.2, REQ.7: the board has five files and five ranks; neighbours on a file or rank are joined everywhere, diagonal
//! neighbours where file number and rank number add up to an even number.

use pentarch_core::Point;
use pentarch_core::notation::points::bits;

/// The number of files and of ranks.
pub const SIZE: u8 = 5;
/// The set of all points.
pub const ALL: u32 = (1 << (SIZE * SIZE)) - 1;

/// One of the 25 points, by its number in the order of their texts: a1 is 0, a2 is 1, e5 is 24.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot(u8);

impl Spot {
    /// The spot at this point, if it is on the board.
    pub fn at(point: Point) -> Option<Spot> {
        (point.file < SIZE && point.rank < SIZE).then(|| Spot(point.file * SIZE + point.rank))
    }

    /// The point of a set that has one member.
    pub fn of(bit: u32) -> Spot {
        Spot(bit.trailing_zeros() as u8)
    }

    /// The point as file and rank.
    pub fn point(self) -> Point {
        Point::new(self.0 / SIZE, self.0 % SIZE)
    }

    /// The point as a set.
    pub fn bit(self) -> u32 {
        1 << self.0
    }

    /// The number of the point, from 0 to 24.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The points of a set, in ascending order.
pub fn spots(set: u32) -> impl Iterator<Item = Spot> {
    bits(set.into()).map(Spot)
}

/// The names of the points of a set, as a list.
pub(crate) fn names(set: u32) -> String {
    spots(set).map(|spot| spot.point().to_string()).collect::<Vec<_>>().join(", ")
}

/// The points of a rank. Ranks are counted from 0.
pub const fn rank(rank: u8) -> u32 {
    0b00001_00001_00001_00001_00001 << rank
}

/// One of the eight directions, clockwise from straight up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Direction(pub u8);

/// What a step in each direction adds to file and rank.
const STEPS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
/// For each direction, the points from which a line leads that way, as a step needs.
const LINES: [u32; 8] = points_with_lines(1);
/// For each direction, the points from which two lines lead that way, one behind the other, as a jump needs.
const DOUBLE_LINES: [u32; 8] = points_with_lines(2);

/// For each direction, by how many bits a set of points is rotated to the right to be moved against it. A step moves by
/// six bits at most, and a set leaves seven free: what is rotated out at one end of the board does not come in at the
/// other.
const ROTATIONS: [u32; 8] = {
    let mut rotations = [0; 8];
    let mut direction = 0;
    while direction < 8 {
        let (files, ranks) = STEPS[direction];
        rotations[direction] = (files as i32 * SIZE as i32 + ranks as i32).rem_euclid(32) as u32;
        direction += 1;
    }
    rotations
};

impl Direction {
    /// All directions.
    pub const ALL: [Direction; 8] = {
        let mut all = [Direction(0); 8];
        let mut at = 0;
        while at < 8 {
            all[at] = Direction(at as u8);
            at += 1;
        }
        all
    };

    /// The directions along the ranks, as a set.
    pub const SIDEWAYS: u8 = 1 << 2 | 1 << 6;

    /// The number of the direction, from 0 to 7.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The direction as a set of directions.
    pub const fn bit(self) -> u8 {
        1 << self.0
    }

    /// The direction that leads the other way.
    pub const fn opposite(self) -> Direction {
        Direction(self.0 ^ 4)
    }

    /// The number of ranks that a step goes up: 1, 0 or -1.
    pub const fn ranks(self) -> i8 {
        STEPS[self.index()].1
    }

    /// The points from which a line leads this way.
    pub const fn lines(self) -> u32 {
        LINES[self.index()]
    }

    /// The points from which two lines lead this way, one behind the other.
    pub const fn double_lines(self) -> u32 {
        DOUBLE_LINES[self.index()]
    }

    /// The points one step further in this direction. Only those from which a [line](Direction::lines) leads that way
    /// are moved correctly.
    pub const fn ahead(self, set: u32) -> u32 {
        self.opposite().behind(set)
    }

    /// The points from which one step in this direction leads into the set. The result is right only for points from
    /// which a [line](Direction::lines) leads that way.
    pub const fn behind(self, set: u32) -> u32 {
        set.rotate_right(ROTATIONS[self.index()]) & ALL
    }

    /// The direction that leads straight from one point to another, and the distance, which is 1 or 2; none if there is
    /// no such direction or the distance is greater. Whether lines join the points is not checked.
    pub fn between(from: Point, to: Point) -> Option<(Direction, u8)> {
        let all = Direction::ALL.into_iter().flat_map(|direction| [(direction, 1), (direction, 2)]);
        all.into_iter().find(|&(Direction(direction), distance)| {
            let (files, ranks) = STEPS[usize::from(direction)];
            from.step(files * distance as i8, ranks * distance as i8) == Some(to)
        })
    }
}

/// For each direction, the points from which this many lines lead that way, one behind the other.
const fn points_with_lines(lines: i8) -> [u32; 8] {
    let mut result = [0; 8];
    let mut direction = 0;
    while direction < 8 {
        let (files, ranks) = STEPS[direction];
        let mut spot = 0;
        while spot < SIZE * SIZE {
            let (file, rank) = ((spot / SIZE) as i8, (spot % SIZE) as i8);
            let (to_file, to_rank) = (file + files * lines, rank + ranks * lines);
            let inside =
                0 <= to_file && to_file < SIZE as i8 && 0 <= to_rank && to_rank < SIZE as i8;
            if inside && (direction % 2 == 0 || (file + rank) % 2 == 0) {
                result[direction] |= 1 << spot;
            }
            spot += 1;
        }
        direction += 1;
    }
    result
}

/// A symmetry of the board, as the function that gives the image of a point.
pub type Image = fn(Point) -> Point;

/// The image of a point when the board is turned by 180 degrees.
pub fn half_turn(point: Point) -> Point {
    Point::new(SIZE - 1 - point.file, SIZE - 1 - point.rank)
}

/// The image of a point in the mirror that swaps left and right.
pub fn mirror_files(point: Point) -> Point {
    Point::new(SIZE - 1 - point.file, point.rank)
}

/// The image of a point in the mirror that swaps the near and the far ranks.
pub fn mirror_ranks(point: Point) -> Point {
    Point::new(point.file, SIZE - 1 - point.rank)
}

/// The image of a point in the mirror on the diagonal from a1 to e5.
pub fn mirror_diagonal(point: Point) -> Point {
    Point::new(point.rank, point.file)
}

/// The image of a point in the mirror on the diagonal from a5 to e1.
pub fn mirror_antidiagonal(point: Point) -> Point {
    half_turn(mirror_diagonal(point))
}

/// The image of a set of points.
pub fn map_set(set: u32, image: Image) -> u32 {
    spots(set).fold(0, |result, spot| result | map_spot(spot, image).bit())
}

/// The image of a point.
pub fn map_spot(spot: Spot, image: Image) -> Spot {
    Spot::at(image(spot.point())).unwrap_or(spot)
}

/// The image of a direction.
pub fn map_direction(direction: Direction, image: Image) -> Direction {
    let centre = Point::new(SIZE / 2, SIZE / 2);
    let (files, ranks) = STEPS[direction.index()];
    let towards =
        centre.step(files, ranks).and_then(|next| Direction::between(image(centre), image(next)));
    towards.map_or(direction, |(direction, _)| direction)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(text: &str) -> Spot {
        Spot::at(
            pentarch_core::notation::text::finish(pentarch_core::notation::points::point, text)
                .unwrap(),
        )
        .unwrap()
    }

    #[test]
    fn req_2_twenty_five_points_in_text_order() {
        let points = (0..6).flat_map(|file| (0..6).map(move |rank| Point::new(file, rank)));
        let names: Vec<String> =
            points.filter_map(Spot::at).map(|spot| spot.point().to_string()).collect();
        assert_eq!(names.len(), 25);
        assert!(names.is_sorted());
        assert!(spots(ALL).map(|spot| spot.point().to_string()).eq(names));
    }

    #[test]
    fn req_7_lines_join_neighbours_and_every_other_diagonal() {
        let degree = |text| {
            Direction::ALL
                .iter()
                .filter(|direction| direction.lines() & spot(text).bit() != 0)
                .count()
        };
        assert_eq!(
            ["a1", "a2", "a3", "b2", "b3", "c3", "d4", "e5"].map(degree),
            [3, 3, 5, 8, 4, 8, 8, 3]
        );
        let lines: u32 =
            Direction::ALL.iter().map(|direction| direction.lines().count_ones()).sum();
        assert_eq!(lines, 2 * (20 + 20 + 16), "each line from both ends");
    }

    #[test]
    fn steps_follow_names() {
        for from in spots(ALL) {
            for direction in Direction::ALL {
                let distance =
                    |to| Direction::between(from.point(), to).filter(|found| found.0 == direction);
                if direction.lines() & from.bit() != 0 {
                    let next = direction.ahead(from.bit());
                    assert_eq!(distance(Spot::of(next).point()), Some((direction, 1)));
                    assert_eq!(direction.behind(next), from.bit());
                    assert_eq!(direction.opposite().ahead(next), from.bit());
                }
                if direction.double_lines() & from.bit() != 0 {
                    assert_eq!(
                        distance(Spot::of(direction.ahead(direction.ahead(from.bit()))).point()),
                        Some((direction, 2))
                    );
                }
            }
        }
    }

    #[test]
    fn directions_turn_with_the_board() {
        assert_eq!(map_direction(Direction(1), mirror_files), Direction(7));
        assert_eq!(map_direction(Direction(1), mirror_ranks), Direction(3));
        assert_eq!(map_direction(Direction(0), mirror_diagonal), Direction(2));
        assert_eq!(map_direction(Direction(0), mirror_antidiagonal), Direction(6));
        assert!(
            Direction::ALL
                .iter()
                .all(|&direction| map_direction(direction, half_turn) == direction.opposite())
        );
        assert_eq!(
            map_set(spot("a2").bit() | spot("c4").bit(), mirror_diagonal),
            spot("b1").bit() | spot("d3").bit()
        );
    }
}

//! The board of Alquerque: twenty-five points, the lines between them, and sets of points as bits.
//!
//! REQ.2, REQ.7: the board has five files and five ranks; neighbours on a file or rank are joined everywhere, diagonal
//! neighbours where file number and rank number add up to an even number.

use crate::core::Point;

/// Files, and ranks.
pub const SIZE: u8 = 5;
/// Every point.
pub const ALL: u32 = (1 << (SIZE * SIZE)) - 1;

/// One of the 25 points, counted in the order of their texts: a1 is 0, a2 is 1, e5 is 24.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot(u8);

impl Spot {
    /// The point of the board that has this name, if there is one.
    pub fn at(point: Point) -> Option<Spot> {
        (point.file < SIZE && point.rank < SIZE).then(|| Spot(point.file * SIZE + point.rank))
    }

    /// The only point of a set.
    pub fn of(bit: u32) -> Spot {
        Spot(bit.trailing_zeros() as u8)
    }

    /// The name of the point.
    pub fn point(self) -> Point {
        Point::new(self.0 / SIZE, self.0 % SIZE)
    }

    /// The point as a set.
    pub fn bit(self) -> u32 {
        1 << self.0
    }

    /// Its number, from 0 to 24.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The points of a set, in ascending order.
pub fn spots(mut set: u32) -> impl Iterator<Item = Spot> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| Spot::of(set));
        set &= set.wrapping_sub(1);
        first
    })
}

/// The points of a rank, counted from 0.
pub const fn rank(rank: u8) -> u32 {
    0b00001_00001_00001_00001_00001 << rank
}

/// One of the eight directions, clockwise from straight up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Direction(pub u8);

/// Files and ranks that one step in each direction goes.
const AROUND: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
/// For each direction, the points from which one line leads that way: one can step.
const LINES: [u32; 8] = points_with_lines(1);
/// For each direction, the points from which two lines lead that way: one can jump.
const DOUBLE_LINES: [u32; 8] = points_with_lines(2);

impl Direction {
    /// All of them.
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

    /// A number from 0 to 7.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The direction as a set of directions.
    pub const fn bit(self) -> u8 {
        1 << self.0
    }

    /// The way back.
    pub const fn opposite(self) -> Direction {
        Direction(self.0 ^ 4)
    }

    /// How many ranks up a step goes.
    pub const fn ranks(self) -> i8 {
        AROUND[self.index()].1
    }

    /// The points from which a line leads this way.
    pub const fn lines(self) -> u32 {
        LINES[self.index()]
    }

    /// The points from which two lines lead this way, one behind the other.
    pub const fn double_lines(self) -> u32 {
        DOUBLE_LINES[self.index()]
    }

    /// The points one step further on. Where no [line](Direction::lines) leads, they mean nothing.
    pub const fn ahead(self, set: u32) -> u32 {
        self.opposite().behind(set)
    }

    /// The points from which one step leads into this set. Where no [line](Direction::lines) leads, they mean nothing.
    pub const fn behind(self, set: u32) -> u32 {
        let (files, ranks) = AROUND[self.index()];
        let offset = files * SIZE as i8 + ranks;
        if offset > 0 { set >> offset } else { set << -offset & ALL }
    }

    /// In which direction and how far, one point or two, one comes straight from one point to another.
    pub fn between(from: Point, to: Point) -> Option<(Direction, u8)> {
        let all = Direction::ALL.into_iter().flat_map(|direction| [(direction, 1), (direction, 2)]);
        all.into_iter().find(|&(Direction(direction), distance)| {
            let (files, ranks) = AROUND[usize::from(direction)];
            from.step(files * distance as i8, ranks * distance as i8) == Some(to)
        })
    }
}

/// For each direction, the points from which this many lines lead that way, one behind the other.
const fn points_with_lines(lines: i8) -> [u32; 8] {
    let mut result = [0; 8];
    let mut direction = 0;
    while direction < 8 {
        let (files, ranks) = AROUND[direction];
        let mut spot = 0;
        while spot < SIZE * SIZE {
            let (file, rank) = ((spot / SIZE) as i8, (spot % SIZE) as i8);
            let (to_file, to_rank) = (file + files * lines, rank + ranks * lines);
            let inside = 0 <= to_file && to_file < SIZE as i8 && 0 <= to_rank && to_rank < SIZE as i8;
            if inside && (direction % 2 == 0 || (file + rank) % 2 == 0) {
                result[direction] |= 1 << spot;
            }
            spot += 1;
        }
        direction += 1;
    }
    result
}

/// A symmetry of the board.
pub type Image = fn(Point) -> Point;

/// Turns the board by 180 degrees.
pub fn half_turn(point: Point) -> Point {
    Point::new(SIZE - 1 - point.file, SIZE - 1 - point.rank)
}

/// Swaps left and right.
pub fn mirror_files(point: Point) -> Point {
    Point::new(SIZE - 1 - point.file, point.rank)
}

/// Swaps the near and the far ranks.
pub fn mirror_ranks(point: Point) -> Point {
    Point::new(point.file, SIZE - 1 - point.rank)
}

/// Mirrors the board on the diagonal from a1 to e5.
pub fn mirror_diagonal(point: Point) -> Point {
    Point::new(point.rank, point.file)
}

/// Mirrors the board on the diagonal from a5 to e1.
pub fn mirror_antidiagonal(point: Point) -> Point {
    half_turn(mirror_diagonal(point))
}

/// The image of a set.
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
    let (files, ranks) = AROUND[direction.index()];
    let towards = centre.step(files, ranks).and_then(|next| Direction::between(image(centre), image(next)));
    towards.map_or(direction, |(direction, _)| direction)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(text: &str) -> Spot {
        Spot::at(crate::core::text::finish(crate::core::points::point, text).unwrap()).unwrap()
    }

    #[test]
    fn req_2_twenty_five_points_in_text_order() {
        let points = (0..6).flat_map(|file| (0..6).map(move |rank| Point::new(file, rank)));
        let names: Vec<String> = points.filter_map(Spot::at).map(|spot| spot.point().to_string()).collect();
        assert_eq!(names.len(), 25);
        assert!(names.is_sorted());
        assert!(spots(ALL).map(|spot| spot.point().to_string()).eq(names));
    }

    #[test]
    fn req_7_lines_join_neighbours_and_every_other_diagonal() {
        let degree = |text| Direction::ALL.iter().filter(|way| way.lines() & spot(text).bit() != 0).count();
        assert_eq!(["a1", "a2", "a3", "b2", "b3", "c3", "d4", "e5"].map(degree), [3, 3, 5, 8, 4, 8, 8, 3]);
        let lines: u32 = Direction::ALL.iter().map(|way| way.lines().count_ones()).sum();
        assert_eq!(lines, 2 * (20 + 20 + 16), "each line from both ends");
    }

    #[test]
    fn steps_follow_names() {
        for from in spots(ALL) {
            for way in Direction::ALL {
                let distance = |to| Direction::between(from.point(), to).filter(|found| found.0 == way);
                if way.lines() & from.bit() != 0 {
                    let next = way.ahead(from.bit());
                    assert_eq!(distance(Spot::of(next).point()), Some((way, 1)));
                    assert_eq!(way.behind(next), from.bit());
                    assert_eq!(way.opposite().ahead(next), from.bit());
                }
                if way.double_lines() & from.bit() != 0 {
                    assert_eq!(distance(Spot::of(way.ahead(way.ahead(from.bit()))).point()), Some((way, 2)));
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
        assert!(Direction::ALL.iter().all(|&way| map_direction(way, half_turn) == way.opposite()));
        assert_eq!(map_set(spot("a2").bit() | spot("c4").bit(), mirror_diagonal), spot("b1").bit() | spot("d3").bit());
    }
}

//! The board of Guerre des Deux Roses: twenty cells, their six directions, and the cells from which soldiers support
//! each other.

use pentarch_core::Point;
use pentarch_core::notation::points::bits;

/// The number of cells.
pub const CELL_COUNT: usize = 20;
/// The number of rows.
pub const ROWS: u8 = 6;

/// The files of the board, each with its lowest and highest rank, counted from 0: a2 to a3, b2 to b5, ..., f5 to f6.
const FILES: [(u8, u8); 6] = [(1, 2), (1, 4), (1, 4), (2, 5), (2, 5), (4, 5)];

/// The points of the cells, in the order of their names.
const POINTS: [Point; CELL_COUNT] = {
    let mut points = [Point::new(0, 0); CELL_COUNT];
    let (mut cell, mut file) = (0, 0);
    while file < FILES.len() {
        let (mut rank, highest) = FILES[file];
        while rank <= highest {
            points[cell] = Point::new(file as u8, rank);
            cell += 1;
            rank += 1;
        }
        file += 1;
    }
    points
};

/// The cells of the castles: e3 for White's, b5 for Black's.
pub const HOMES: [Cell; 2] = [Cell(14), Cell(5)];
/// The red cells, c4 and d4, on which no soldier may be dropped.
pub const RED: Cells = 1 << 8 | 1 << 11;
/// For each side, the two pairs of cells from which a phalanx captures the enemy castle: c5 d5 and b3 b4 for White, c3
/// d3 and e4 e5 for Black. There are two because a castle has two neighbours, each on a line of its own.
pub const SIEGES: [[Cells; 2]; 2] =
    [[1 << 9 | 1 << 12, 1 << 3 | 1 << 4], [1 << 7 | 1 << 10, 1 << 15 | 1 << 16]];

/// A cell, by its number in the order of names: a2 is 0, f6 is 19.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell(pub u8);

/// A set of cells, one bit each.
pub type Cells = u32;

impl Cell {
    /// Every cell, in the order of their names.
    pub fn all() -> impl DoubleEndedIterator<Item = Cell> {
        (0..CELL_COUNT as u8).map(Cell)
    }

    /// The cell at this point, if there is one.
    pub fn at(point: Point) -> Option<Cell> {
        Cell::all().find(|cell| cell.point() == point)
    }

    /// The point of the cell: the letter of its name is the file, the number is the rank.
    pub fn point(self) -> Point {
        POINTS[self.index()]
    }

    /// The cell as an index, below [`CELL_COUNT`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The cell as a set of cells.
    pub const fn bit(self) -> Cells {
        1 << self.0
    }

    /// The row, counted from 0 at the top. All cells of a row have the same difference of letter and number.
    pub fn row(self) -> u8 {
        let Point { file, rank } = self.point();
        file + 3 - rank
    }

    /// The number of steps to another cell on an empty board.
    pub fn distance(self, other: Cell) -> u8 {
        let (here, there) = (self.point(), other.point());
        let files = here.file.abs_diff(there.file);
        files.max(here.rank.abs_diff(there.rank)).max(self.row().abs_diff(other.row()))
    }

    /// The image of the cell when the board is turned by 180 degrees, which exchanges the cells of the castles and the
    /// red cells.
    pub const fn half_turn(self) -> Cell {
        Cell(CELL_COUNT as u8 - 1 - self.0)
    }
}

/// The cells of a row from left to right.
pub fn row(row: u8) -> impl Iterator<Item = Cell> {
    Cell::all().filter(move |cell| cell.row() == row)
}

/// The cells of a set, in ascending order.
pub fn cells(set: Cells) -> impl Iterator<Item = Cell> {
    bits(set.into()).map(Cell)
}

/// The image of a set under the half turn.
pub fn half_turn(set: Cells) -> Cells {
    set.reverse_bits() >> (Cells::BITS - CELL_COUNT as u32)
}

/// One of the six directions along the lines of the board, counted clockwise from the right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Direction(u8);

/// What a step in each direction adds to file and rank: right, down right, down left, left, up left, up right.
const STEPS: [(i8, i8); 6] = [(1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0), (0, 1)];

impl Direction {
    /// All directions.
    pub const ALL: [Direction; 6] =
        [Direction(0), Direction(1), Direction(2), Direction(3), Direction(4), Direction(5)];
    /// The three directions in which the numbers of cells ascend, one for each line: right, down right and up right.
    pub const ASCENDING: [Direction; 3] = [Direction(0), Direction(1), Direction(5)];

    /// The direction as an index, below 6.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The direction that leads the other way.
    pub const fn opposite(self) -> Direction {
        Direction((self.0 + 3) % 6)
    }

    /// Whether both directions lead along the same lines, the same way or opposite ways.
    pub const fn is_along(self, other: Direction) -> bool {
        self.0 % 3 == other.0 % 3
    }
}

/// The precomputed tables of the board. They include the rule that has an alternative, attack by support.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    next: [[Option<Cell>; 6]; CELL_COUNT],
    neighbours: [Cells; CELL_COUNT],
    supporters: [[Cells; 6]; CELL_COUNT],
}

impl Board {
    /// Computes the tables. If support must be `contiguous`, the second soldier of an attack by support has to be
    /// adjacent not only to the enemy soldier but also to the soldier that moves.
    pub fn new(contiguous: bool) -> Board {
        let next = |cell: Cell, direction: Direction| {
            let (files, ranks) = STEPS[direction.index()];
            cell.point().step(files, ranks).and_then(Cell::at)
        };
        let neighbours = |cell| {
            Direction::ALL
                .into_iter()
                .filter_map(|direction| next(cell, direction))
                .fold(0, |set, to| set | to.bit())
        };
        let supporters = |from: Cell, direction| {
            let allowed = if contiguous { neighbours(from) } else { !from.bit() };
            next(from, direction).map_or(0, |enemy| neighbours(enemy) & allowed)
        };
        let all: [Cell; CELL_COUNT] = std::array::from_fn(|cell| Cell(cell as u8));
        Board {
            next: all.map(|cell| Direction::ALL.map(|direction| next(cell, direction))),
            neighbours: all.map(neighbours),
            supporters: all.map(|cell| Direction::ALL.map(|direction| supporters(cell, direction))),
        }
    }

    /// The next cell in a direction; none at the edge of the board.
    pub fn next(&self, cell: Cell, direction: Direction) -> Option<Cell> {
        self.next[cell.index()][direction.index()]
    }

    /// The cells adjacent to this one.
    pub fn neighbours(&self, cell: Cell) -> Cells {
        self.neighbours[cell.index()]
    }

    /// The cells from which a second soldier supports the attack of the soldier on `from` on the next cell in a
    /// direction.
    pub fn supporters(&self, from: Cell, direction: Direction) -> Cells {
        self.supporters[from.index()][direction.index()]
    }

    /// The direction that leads from one cell to another; none if they are not on one line.
    pub fn direction(&self, from: Cell, to: Cell) -> Option<Direction> {
        Direction::ALL.into_iter().find(|&direction| {
            std::iter::successors(self.next(from, direction), |&cell| self.next(cell, direction))
                .any(|cell| cell == to)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_core::Side;

    fn cell(name: &str) -> Cell {
        Cell::all().find(|cell| cell.point().to_string() == name).unwrap()
    }

    #[test]
    fn board_six_rows_the_top_row_first() {
        let rows: Vec<String> = (0..ROWS)
            .map(|number| {
                row(number).map(|cell| cell.point().to_string()).collect::<Vec<_>>().join(" ")
            })
            .collect();
        assert_eq!(
            rows,
            ["b5", "a3 b4 c5 d6", "a2 b3 c4 d5 e6", "b2 c3 d4 e5 f6", "c2 d3 e4 f5", "e3"]
        );
    }

    #[test]
    fn board_cells_are_counted_in_the_order_of_their_names() {
        let names: Vec<String> = Cell::all().map(|cell| cell.point().to_string()).collect();
        assert!(names.is_sorted());
        assert!(Cell::all().all(|cell| Cell::at(cell.point()) == Some(cell)));
        for missing in ["a4", "c6", "a1", "b1", "c1", "d2", "f4"] {
            assert!(!names.contains(&missing.to_string()));
        }
        assert_eq!(cells(RED).collect::<Vec<_>>(), [cell("c4"), cell("d4")]);
        assert_eq!(HOMES, [cell("e3"), cell("b5")]);
    }

    #[test]
    fn board_six_neighbours_where_they_exist() {
        let board = Board::new(false);
        let around = |name: &str| -> Vec<Option<String>> {
            let here = cell(name);
            Direction::ALL
                .map(|direction| board.next(here, direction).map(|cell| cell.point().to_string()))
                .to_vec()
        };
        let some = |name: &str| Some(name.to_string());
        assert_eq!(around("c4"), ["d5", "d4", "c3", "b3", "b4", "c5"].map(some));
        assert_eq!(around("b5"), [None, some("c5"), some("b4"), None, None, None]);
        for from in Cell::all() {
            for direction in Direction::ALL {
                let Some(to) = board.next(from, direction) else { continue };
                assert_eq!(board.next(to, direction.opposite()), Some(from));
                assert_eq!(Direction::ASCENDING.contains(&direction), to > from);
                assert_eq!((board.direction(from, to), from.distance(to)), (Some(direction), 1));
            }
        }
    }

    #[test]
    fn attack_by_phalanx_no_cell_lies_behind_a_castle() {
        let board = Board::new(false);
        for home in HOMES {
            for direction in Direction::ALL {
                assert!(
                    board.next(home, direction).is_none()
                        || board.next(home, direction.opposite()).is_none()
                );
            }
        }
        for side in Side::BOTH {
            let castle = HOMES[(!side).index()];
            let siege = |direction| {
                let front = board.next(castle, direction)?;
                Some(front.bit() | board.next(front, direction)?.bit())
            };
            let sieges: Vec<Cells> = Direction::ALL.into_iter().filter_map(siege).collect();
            assert_eq!(sieges, SIEGES[side.index()]);
        }
    }

    /// Of the twelve ways to lay a hexagonal lattice on itself, only doing nothing and the half turn lay this board on
    /// itself, wherever they move it to.
    #[test]
    fn board_the_half_turn_is_its_only_symmetry() {
        let points: Vec<(i8, i8)> =
            POINTS.iter().map(|point| (point.file as i8, point.rank as i8)).collect();
        let mut found = Vec::new();
        for (right, up) in STEPS.into_iter().flat_map(|right| STEPS.map(|up| (right, up))) {
            // Images of right (1, 1) and up right (0, 1), which stay 60 degrees apart.
            let apart = (right.0 - up.0, right.1 - up.1);
            if !STEPS.contains(&apart) {
                continue;
            }
            for shift in (-12..=12).flat_map(|files| (-12..=12).map(move |ranks| (files, ranks))) {
                // (file, rank) is file times right and (rank - file) times up right.
                let image = |&(file, rank): &(i8, i8)| {
                    let ups = rank - file;
                    (file * right.0 + ups * up.0 + shift.0, file * right.1 + ups * up.1 + shift.1)
                };
                let images: Vec<(i8, i8)> = points.iter().map(image).collect();
                if images.iter().all(|point| points.contains(point)) {
                    found.push(images);
                }
            }
        }
        let half_turn = points.iter().rev().copied().collect();
        assert_eq!(found, [points, half_turn]);
        assert_eq!((HOMES[0].half_turn(), super::half_turn(RED)), (HOMES[1], RED));
    }
}

//! The board of Guerre des Deux Roses: twenty cells, their six directions, and who can support whom.

use crate::core::Point;

/// How many cells there are.
pub const COUNT: usize = 20;
/// How many rows there are.
pub const ROWS: u8 = 6;

/// The files of the board, each with its lowest and highest rank, counted from 0: a2 to a3, b2 to b5, ..., f5 to f6.
const FILES: [(u8, u8); 6] = [(1, 2), (1, 4), (1, 4), (2, 5), (2, 5), (4, 5)];

/// Where the cells are, in the order of their names.
const POINTS: [Point; COUNT] = {
    let mut points = [Point::new(0, 0); COUNT];
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

/// The homes of the castles: White's e3, Black's b5.
pub const HOMES: [Cell; 2] = [Cell(14), Cell(5)];
/// The red cells, c4 and d4: no soldier is dropped on them.
pub const RED: Cells = 1 << 8 | 1 << 11;
/// The two pairs of cells from which a phalanx captures the enemy castle: White's c5 d5 and b3 b4, Black's c3 d3 and
/// e4 e5. A castle has two neighbours, each on another line to it.
pub const SIEGES: [[Cells; 2]; 2] = [[1 << 9 | 1 << 12, 1 << 3 | 1 << 4], [1 << 7 | 1 << 10, 1 << 15 | 1 << 16]];

/// One of the cells, counted in the order of their names: a2 is 0, f6 is 19.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell(pub u8);

/// A set of cells, one bit each.
pub type Cells = u32;

impl Cell {
    /// Every cell, in the order of their names.
    pub fn all() -> impl DoubleEndedIterator<Item = Cell> {
        (0..COUNT as u8).map(Cell)
    }

    /// The cell at this point, if there is one.
    pub fn at(point: Point) -> Option<Cell> {
        Cell::all().find(|cell| cell.point() == point)
    }

    /// Where the cell is: its letter as a file, its number as a rank.
    pub fn point(self) -> Point {
        POINTS[self.index()]
    }

    /// The cell as an index, below [`COUNT`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The cell as a set of cells.
    pub const fn bit(self) -> Cells {
        1 << self.0
    }

    /// The row, 0 at the top: a horizontal line keeps letter minus number.
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

    /// The cell on the other side of the board's middle: a half turn exchanges the castles' homes and the red cells.
    pub const fn half_turn(self) -> Cell {
        Cell(COUNT as u8 - 1 - self.0)
    }
}

/// The cells of a row from left to right.
pub fn row(row: u8) -> impl Iterator<Item = Cell> {
    Cell::all().filter(move |cell| cell.row() == row)
}

/// The cells of a set, in ascending order.
pub fn cells(mut set: Cells) -> impl Iterator<Item = Cell> {
    std::iter::from_fn(move || {
        let cell = Cell(set.trailing_zeros() as u8);
        set &= set.wrapping_sub(1);
        (cell.index() < COUNT).then_some(cell)
    })
}

/// The image of a set under the half turn.
pub fn half_turn(set: Cells) -> Cells {
    set.reverse_bits() >> (Cells::BITS - COUNT as u32)
}

/// One of the six ways along the lines of the board, counted clockwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Direction(u8);

/// What a step does to letter and number: right, down right, down left, left, up left, up right.
const STEPS: [(i8, i8); 6] = [(1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0), (0, 1)];

impl Direction {
    /// All six.
    pub const ALL: [Direction; 6] =
        [Direction(0), Direction(1), Direction(2), Direction(3), Direction(4), Direction(5)];
    /// The three that lead to cells later in order, one of each line: right, down right and up right.
    pub const ASCENDING: [Direction; 3] = [Direction(0), Direction(1), Direction(5)];

    /// The direction as an index, below 6.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The way back.
    pub const fn opposite(self) -> Direction {
        Direction((self.0 + 3) % 6)
    }

    /// Whether both directions go along the same lines, forwards or backwards.
    pub const fn is_along(self, other: Direction) -> bool {
        self.0 % 3 == other.0 % 3
    }
}

/// The tables of the board, and of the one rule that has an alternative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    next: [[Option<Cell>; 6]; COUNT],
    neighbours: [Cells; COUNT],
    supporters: [[Cells; 6]; COUNT],
}

impl Board {
    /// Computes the tables. With `contiguous` support, the second soldier of an attack by support must be adjacent not
    /// only to the enemy but also to the soldier that moves.
    pub fn new(contiguous: bool) -> Board {
        let next = |cell: Cell, direction: Direction| {
            let (files, ranks) = STEPS[direction.index()];
            cell.point().step(files, ranks).and_then(Cell::at)
        };
        let neighbours = |cell| {
            Direction::ALL.into_iter().filter_map(|direction| next(cell, direction)).fold(0, |set, to| set | to.bit())
        };
        let supporters = |from: Cell, direction| {
            let allowed = if contiguous { neighbours(from) } else { !from.bit() };
            next(from, direction).map_or(0, |enemy| neighbours(enemy) & allowed)
        };
        let all: [Cell; COUNT] = std::array::from_fn(|cell| Cell(cell as u8));
        Board {
            next: all.map(|cell| Direction::ALL.map(|direction| next(cell, direction))),
            neighbours: all.map(neighbours),
            supporters: all.map(|cell| Direction::ALL.map(|direction| supporters(cell, direction))),
        }
    }

    /// The next cell in a direction, if the board goes on there.
    pub fn next(&self, cell: Cell, direction: Direction) -> Option<Cell> {
        self.next[cell.index()][direction.index()]
    }

    /// The cells adjacent to this one.
    pub fn neighbours(&self, cell: Cell) -> Cells {
        self.neighbours[cell.index()]
    }

    /// The cells from which a second soldier supports the attack of a soldier on the next cell in a direction.
    pub fn supporters(&self, from: Cell, direction: Direction) -> Cells {
        self.supporters[from.index()][direction.index()]
    }

    /// The direction of the line that leads from one cell to another, if they are on one.
    pub fn direction(&self, from: Cell, to: Cell) -> Option<Direction> {
        Direction::ALL.into_iter().find(|&direction| {
            std::iter::successors(self.next(from, direction), |&cell| self.next(cell, direction)).any(|cell| cell == to)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Side;

    fn cell(name: &str) -> Cell {
        Cell::all().find(|cell| cell.point().to_string() == name).unwrap()
    }

    #[test]
    fn board_six_rows_the_top_row_first() {
        let rows: Vec<String> = (0..ROWS)
            .map(|number| row(number).map(|cell| cell.point().to_string()).collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(rows, ["b5", "a3 b4 c5 d6", "a2 b3 c4 d5 e6", "b2 c3 d4 e5 f6", "c2 d3 e4 f5", "e3"]);
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
            Direction::ALL.map(|direction| board.next(here, direction).map(|cell| cell.point().to_string())).to_vec()
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
                assert!(board.next(home, direction).is_none() || board.next(home, direction.opposite()).is_none());
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
        let places: Vec<(i8, i8)> = POINTS.iter().map(|point| (point.file as i8, point.rank as i8)).collect();
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
                let images: Vec<(i8, i8)> = places.iter().map(image).collect();
                if images.iter().all(|place| places.contains(place)) {
                    found.push(images);
                }
            }
        }
        let half_turn = places.iter().rev().copied().collect();
        assert_eq!(found, [places, half_turn]);
        assert_eq!((HOMES[0].half_turn(), super::half_turn(RED)), (HOMES[1], RED));
    }
}

//! The board of Guerre des Deux Roses: twenty cells, the six directions, and the cells from which
//! soldiers support an attack.

use pentarch_core::Point;
use pentarch_core::notation::points::bit_indices;

pub(crate) const CELL_COUNT: usize = 20;
pub(crate) const ROW_COUNT: u8 = 6;

/// The lowest and the highest rank of each file of the board, counted from 0: a2 to a3, b2 to b5,
/// ..., f5 to f6.
const RANK_RANGES_BY_FILE: [(u8, u8); 6] = [(1, 2), (1, 4), (1, 4), (2, 5), (2, 5), (4, 5)];

/// The points of the cells, in the order of their names.
const POINTS_BY_CELL: [Point; CELL_COUNT] = {
    let mut points = [Point::new(0, 0); CELL_COUNT];
    let mut cell = 0;
    let mut file = 0;
    while file < RANK_RANGES_BY_FILE.len() {
        let (mut rank, highest) = RANK_RANGES_BY_FILE[file];
        while rank <= highest {
            points[cell] = Point::new(file as u8, rank);
            cell += 1;
            rank += 1;
        }
        file += 1;
    }
    points
};

/// The cells of the castles: e3 for White's castle, b5 for Black's castle.
pub(crate) const CASTLE_CELLS: [HexCell; 2] = [HexCell(14), HexCell(5)];
/// The red cells, c4 and d4, on which no soldier may be dropped.
pub(crate) const NO_DROP_CELLS: CellSet = 1 << 8 | 1 << 11;
/// For each side, the two pairs of cells from which a phalanx (two soldiers in line) captures the
/// enemy castle: c5 d5 and b3 b4 for White, c3 d3 and e4 e5 for Black. There are two pairs, because
/// a castle has two neighbours, which are on separate lines.
pub(crate) const SIEGE_CELL_PAIRS: [[CellSet; 2]; 2] =
    [[1 << 9 | 1 << 12, 1 << 3 | 1 << 4], [1 << 7 | 1 << 10, 1 << 15 | 1 << 16]];

/// A cell of the board, by its index in the order of names: a2 is 0, f6 is 19.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct HexCell(pub u8);

/// A set of cells, with one bit for each cell.
pub(crate) type CellSet = u32;

impl HexCell {
    /// Returns all cells, in the order of their names.
    pub fn all() -> impl DoubleEndedIterator<Item = HexCell> {
        (0..CELL_COUNT as u8).map(HexCell)
    }

    /// Returns the cell at this point, or `None` if there is no cell.
    pub fn from_point(point: Point) -> Option<HexCell> {
        HexCell::all().find(|cell| cell.point() == point)
    }

    /// Returns the point of the cell. The letter of the cell's name is the file, and the number is
    /// the rank.
    pub fn point(self) -> Point {
        POINTS_BY_CELL[self.index()]
    }

    /// Returns the index. The index is below [`CELL_COUNT`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the set that contains only this cell.
    pub const fn bit(self) -> CellSet {
        1 << self.0
    }

    /// Returns the row, counted from 0 at the top. For all cells of a row, the difference between
    /// letter and number is the same.
    pub fn row(self) -> u8 {
        let Point { file, rank } = self.point();
        file + 3 - rank
    }

    /// Returns the number of steps to another cell on an empty board.
    pub fn distance(self, other: HexCell) -> u8 {
        let here = self.point();
        let there = other.point();
        let files = here.file.abs_diff(there.file);
        files.max(here.rank.abs_diff(there.rank)).max(self.row().abs_diff(other.row()))
    }

    /// Returns the image of the cell when the board is turned by 180 degrees. This half turn
    /// exchanges the cells of the two castles, and also the two red cells.
    pub const fn half_turn(self) -> HexCell {
        HexCell(CELL_COUNT as u8 - 1 - self.0)
    }
}

/// Returns the cells of a row from left to right.
pub(crate) fn row_cells(row: u8) -> impl Iterator<Item = HexCell> {
    HexCell::all().filter(move |cell| cell.row() == row)
}

/// Returns the cells of a set in ascending order.
pub(crate) fn iter_cells(set: CellSet) -> impl Iterator<Item = HexCell> {
    bit_indices(set.into()).map(HexCell)
}

/// Returns the image of a set under the half turn.
pub(crate) fn half_turn_cell_set(set: CellSet) -> CellSet {
    set.reverse_bits() >> (CellSet::BITS - CELL_COUNT as u32)
}

/// One of the six directions along the lines of the board, counted clockwise from the right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Direction(u8);

/// For each direction, the numbers that a step adds to the file and to the rank. The directions are
/// right, down right, down left, left, up left and up right.
const STEP_OFFSETS: [(i8, i8); 6] = [(1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0), (0, 1)];

impl Direction {
    /// All directions.
    pub const ALL: [Direction; 6] =
        [Direction(0), Direction(1), Direction(2), Direction(3), Direction(4), Direction(5)];
    /// The three directions in which the indices of cells ascend: right, down right and up right.
    /// There is one direction for each kind of line.
    pub const ASCENDING_DIRECTIONS: [Direction; 3] = [Direction(0), Direction(1), Direction(5)];

    /// Returns the index. The index is below 6.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the opposite direction.
    pub const fn opposite(self) -> Direction {
        Direction((self.0 + 3) % 6)
    }

    /// Returns whether the directions are equal or opposite.
    pub const fn is_parallel_to(self, other: Direction) -> bool {
        self.0 % 3 == other.0 % 3
    }
}

/// The neighbours and supporters of every cell. The supporters depend on the option for attack by
/// support.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardGraph {
    next: [[Option<HexCell>; 6]; CELL_COUNT],
    neighbours: [CellSet; CELL_COUNT],
    supporters: [[CellSet; 6]; CELL_COUNT],
}

impl BoardGraph {
    /// Computes the tables. In an attack by support, the second soldier must be adjacent to the
    /// enemy soldier. If support must be `contiguous`, the second soldier must also be adjacent to
    /// the soldier that moves.
    pub fn new(contiguous: bool) -> BoardGraph {
        let mut graph = BoardGraph {
            next: [[None; 6]; CELL_COUNT],
            neighbours: [0; CELL_COUNT],
            supporters: [[0; 6]; CELL_COUNT],
        };
        for cell in HexCell::all() {
            for direction in Direction::ALL {
                let (files, ranks) = STEP_OFFSETS[direction.index()];
                let next = cell.point().offset_by(files, ranks).and_then(HexCell::from_point);
                graph.next[cell.index()][direction.index()] = next;
                graph.neighbours[cell.index()] |= next.map_or(0, HexCell::bit);
            }
        }
        for from in HexCell::all() {
            let allowed = if contiguous { graph.neighbours(from) } else { !from.bit() };
            for direction in Direction::ALL {
                if let Some(enemy) = graph.next(from, direction) {
                    graph.supporters[from.index()][direction.index()] =
                        graph.neighbours(enemy) & allowed;
                }
            }
        }
        graph
    }

    /// Returns the next cell in a direction, or `None` at the edge of the board.
    pub fn next(&self, cell: HexCell, direction: Direction) -> Option<HexCell> {
        self.next[cell.index()][direction.index()]
    }

    /// Returns the cells adjacent to this cell.
    pub fn neighbours(&self, cell: HexCell) -> CellSet {
        self.neighbours[cell.index()]
    }

    /// Returns the cells from which a second soldier can support an attack. In the attack, the
    /// soldier on `from` attacks the next cell in `direction`.
    pub fn attack_supporters(&self, from: HexCell, direction: Direction) -> CellSet {
        self.supporters[from.index()][direction.index()]
    }

    /// Returns the direction that leads from one cell to another, or `None` if the cells are not on
    /// one line.
    pub fn direction_between(&self, from: HexCell, to: HexCell) -> Option<Direction> {
        Direction::ALL.into_iter().find(|&direction| {
            let mut next = self.next(from, direction);
            while let Some(cell) = next {
                if cell == to {
                    return true;
                }
                next = self.next(cell, direction);
            }
            false
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_core::Side;

    fn cell(name: &str) -> HexCell {
        HexCell::all().find(|cell| cell.point().to_string() == name).unwrap()
    }

    #[test]
    fn board_six_rows_the_top_row_first() {
        let rows: Vec<String> = (0..ROW_COUNT)
            .map(|number| {
                row_cells(number).map(|cell| cell.point().to_string()).collect::<Vec<_>>().join(" ")
            })
            .collect();
        assert_eq!(
            rows,
            ["b5", "a3 b4 c5 d6", "a2 b3 c4 d5 e6", "b2 c3 d4 e5 f6", "c2 d3 e4 f5", "e3"]
        );
    }

    #[test]
    fn board_cells_are_indexed_in_the_order_of_their_names() {
        let names: Vec<String> = HexCell::all().map(|cell| cell.point().to_string()).collect();
        assert!(names.is_sorted());
        assert!(HexCell::all().all(|cell| HexCell::from_point(cell.point()) == Some(cell)));
        for missing in ["a4", "c6", "a1", "b1", "c1", "d2", "f4"] {
            assert!(!names.contains(&missing.to_string()));
        }
        assert_eq!(iter_cells(NO_DROP_CELLS).collect::<Vec<_>>(), [cell("c4"), cell("d4")]);
        assert_eq!(CASTLE_CELLS, [cell("e3"), cell("b5")]);
    }

    #[test]
    fn board_six_neighbours_where_they_exist() {
        let board = BoardGraph::new(false);
        let around = |name: &str| -> Vec<Option<String>> {
            let here = cell(name);
            Direction::ALL
                .map(|direction| board.next(here, direction).map(|cell| cell.point().to_string()))
                .to_vec()
        };
        let some = |name: &str| Some(name.to_string());
        assert_eq!(around("c4"), ["d5", "d4", "c3", "b3", "b4", "c5"].map(some));
        assert_eq!(around("b5"), [None, some("c5"), some("b4"), None, None, None]);
        for from in HexCell::all() {
            for direction in Direction::ALL {
                let Some(to) = board.next(from, direction) else { continue };
                assert_eq!(board.next(to, direction.opposite()), Some(from));
                assert_eq!(Direction::ASCENDING_DIRECTIONS.contains(&direction), to > from);
                assert_eq!(
                    (board.direction_between(from, to), from.distance(to)),
                    (Some(direction), 1)
                );
            }
        }
    }

    #[test]
    fn attack_by_phalanx_no_cell_is_behind_a_castle() {
        let board = BoardGraph::new(false);
        for home in CASTLE_CELLS {
            for direction in Direction::ALL {
                assert!(
                    board.next(home, direction).is_none()
                        || board.next(home, direction.opposite()).is_none()
                );
            }
        }
        for side in Side::BOTH_SIDES {
            let castle = CASTLE_CELLS[(!side).index()];
            let siege = |direction| {
                let front = board.next(castle, direction)?;
                Some(front.bit() | board.next(front, direction)?.bit())
            };
            let sieges: Vec<CellSet> = Direction::ALL.into_iter().filter_map(siege).collect();
            assert_eq!(sieges, SIEGE_CELL_PAIRS[side.index()]);
        }
    }

    /// A hexagonal lattice has twelve symmetries that leave one point fixed. Each of these
    /// symmetries may be followed by a shift. Of all these maps, only the identity and the half
    /// turn map this board onto itself.
    #[test]
    fn board_the_half_turn_is_its_only_symmetry() {
        let points: Vec<(i8, i8)> =
            POINTS_BY_CELL.iter().map(|point| (point.file as i8, point.rank as i8)).collect();
        let mut found = Vec::new();
        for (right, up) in
            STEP_OFFSETS.into_iter().flat_map(|right| STEP_OFFSETS.map(|up| (right, up)))
        {
            // The images of the directions right (1, 1) and up right (0, 1). They must also be 60
            // degrees apart.
            let apart = (right.0 - up.0, right.1 - up.1);
            if !STEP_OFFSETS.contains(&apart) {
                continue;
            }
            for shift in (-12..=12).flat_map(|files| (-12..=12).map(move |ranks| (files, ranks))) {
                // The point (file, rank) is `file` steps right and `rank - file` steps up right.
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
        assert_eq!(
            (CASTLE_CELLS[0].half_turn(), super::half_turn_cell_set(NO_DROP_CELLS)),
            (CASTLE_CELLS[1], NO_DROP_CELLS)
        );
    }
}

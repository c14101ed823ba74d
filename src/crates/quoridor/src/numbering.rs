//! Numbers the positions with one total number of walls, for tables.
//!
//! The total number of walls on the board and in hand is the same in every position of a game. A
//! class consists of the positions with one number of walls on the board. A wall leads from one
//! class to the next class, and a pawn move stays in the same class. A class has a block for each
//! set of walls that fits on the board, in the order of the sets. A block has a part for each
//! number of walls that the first side has left. A part has two halves, one for each side to move,
//! and a half has an index for each pair of squares of the pawns. `class_solver` solves one part at
//! a time.
//!
//! A mirror of the files or of the ranks maps a set of walls to another set. Of the sets that
//! mirrors map to each other, only the first one, the *canonical* set, has a block. A mirror of the
//! ranks swaps the sides. Each side's pawn is numbered as that side sees it, so a mirror of the
//! ranks does not change the numbers of the pawns.

use pentarch_core::notation::points::BoardReflection;
use pentarch_core::{Point, Side};
use pentarch_tables::{PositionNumbering, TableIndex};

use super::Quoridor;
use super::board::Board;
use super::pawn_retrograde::{BITS_PER_SQUARE_SET, PawnRetrograde, PawnsAndTurn};
use super::position::Position;
use super::square_sets::Square;
use super::wall_placement::walls_fitting_on_board;
use super::walls::Walls;

/// The numbering of the positions with one total number of walls, on one board.
pub(crate) struct QuoridorNumbering {
    rules: Quoridor,
    /// The number of walls on the board and in hand.
    pub total: usize,
    /// For each side, the squares on which the side's pawn can be before the game is over: all
    /// squares except the goal. The list begins with the side's first rank.
    pub squares: [Vec<Square>; 2],
    /// For each side and square, the index of the square in `squares`, or [`NO_SQUARE_NUMBER`] if
    /// the square is not in the list.
    numbers: [[u8; BITS_PER_SQUARE_SET]; 2],
    /// For each index in `squares`, the index of the mirrored square, with the order of the files
    /// reversed.
    pub mirrored_numbers: Vec<u8>,
    /// For each class, its canonical sets of walls in ascending order. The list is empty for
    /// classes that are not numbered.
    sets: Vec<Vec<Walls>>,
}

/// The location of a wall set's block within its class.
pub(crate) struct WallSetBlockLocation {
    /// The number of the block.
    pub block: usize,
    /// The mirror that maps the set of walls to the canonical set of this block.
    pub mirror: BoardReflection,
}

/// The element of `numbers` for a square that is not in `squares`.
const NO_SQUARE_NUMBER: u8 = u8::MAX;

const BOARD_MIRRORS: [BoardReflection; 4] = [
    BoardReflection { files: false, ranks: false },
    BoardReflection { files: true, ranks: false },
    BoardReflection { files: false, ranks: true },
    BoardReflection { files: true, ranks: true },
];

impl QuoridorNumbering {
    /// Creates the numbering of the positions with `total` walls on the board and in hand. Numbers
    /// only the classes for which `has_class` returns `true`. The argument of `has_class` is the
    /// number of walls on the board.
    pub(crate) fn new(
        rules: &Quoridor,
        total: usize,
        has_class: impl Fn(usize) -> bool,
    ) -> QuoridorNumbering {
        let board = &rules.board;
        let size = board.size;
        let mut numbers = [[NO_SQUARE_NUMBER; BITS_PER_SQUARE_SET]; 2];
        let squares = Side::BOTH_SIDES.map(|side| {
            let ranks =
                (0..size - 1).map(|rank| if side == Side::First { rank } else { size - 1 - rank });
            let points = ranks.flat_map(|rank| (0..size).map(move |file| Point::new(file, rank)));
            points.filter_map(|point| board.square_at(point)).collect::<Vec<_>>()
        });
        for (numbers, squares) in numbers.iter_mut().zip(&squares) {
            for (number, square) in (0..).zip(squares) {
                numbers[usize::from(square.0)] = number;
            }
        }
        let mirrored_numbers = (0..size - 1)
            .flat_map(|rank| (0..size).map(move |file| rank * size + size - 1 - file))
            .collect();
        let sets = (0..=total)
            .map(
                |walls| {
                    if has_class(walls) { canonical_wall_sets(board, walls) } else { Vec::new() }
                },
            )
            .collect();
        QuoridorNumbering { rules: rules.clone(), total, squares, numbers, mirrored_numbers, sets }
    }

    /// Creates the numbering of the positions that can follow a position with these walls on the
    /// board and `more` walls in hand.
    pub(crate) fn from_walls(rules: &Quoridor, walls: Walls, more: usize) -> QuoridorNumbering {
        let board = &rules.board;
        let first_class = walls.count() as usize;
        let mut numbering = QuoridorNumbering::new(rules, first_class + more, |_| false);
        numbering.sets[first_class] = vec![canonical_wall_set_image(board, walls).walls];
        for class in first_class..first_class + more {
            let with_one_more = |&set: &Walls| {
                walls_fitting_on_board(board, set)
                    .iter()
                    .map(|wall| canonical_wall_set_image(board, set | wall.into()).walls)
                    .collect::<Vec<_>>()
            };
            let mut next: Vec<Walls> =
                numbering.sets[class].iter().flat_map(with_one_more).collect();
            next.sort_unstable();
            next.dedup();
            numbering.sets[class + 1] = next;
        }
        numbering
    }

    pub(crate) fn file_name(&self, class: usize) -> String {
        table_file_name(&self.rules, self.total, class)
    }

    pub(crate) fn parts_per_block(&self, class: usize) -> usize {
        self.total - class + 1
    }

    /// Returns the number of indices in half a part: one for each pair of squares of the pawns.
    pub(crate) fn half_part_size(&self) -> usize {
        self.squares[0].len().pow(2)
    }

    /// Returns the number of indices in a block of a class.
    pub(crate) fn block_size(&self, class: usize) -> usize {
        self.parts_per_block(class) * 2 * self.half_part_size()
    }

    /// Returns the index of a pawn's square in `squares`. The pawn belongs to this side, and must
    /// not be on its goal.
    pub(crate) fn pawn_square_number(&self, side: Side, pawn: Square) -> usize {
        self.numbers[side.index()][usize::from(pawn.0)].into()
    }

    /// Returns the canonical sets of walls of a class, in ascending order.
    pub(crate) fn wall_sets(&self, class: usize) -> &[Walls] {
        self.sets.get(class).map_or(&[], |sets| sets)
    }

    /// Returns the block for a set of walls, or `None` if its class is not numbered.
    pub(crate) fn find_wall_set_block(&self, walls: Walls) -> Option<WallSetBlockLocation> {
        let image = canonical_wall_set_image(&self.rules.board, walls);
        let sets = self.wall_sets(walls.count() as usize);
        let block = sets.binary_search(&image.walls).ok()?;
        Some(WallSetBlockLocation { block, mirror: image.mirror })
    }
}

impl PositionNumbering for QuoridorNumbering {
    type Rules = Quoridor;

    fn rules(&self) -> &Quoridor {
        &self.rules
    }

    fn class_size(&self, class: usize) -> usize {
        self.wall_sets(class).len() * self.block_size(class)
    }

    fn index_of_position(&self, position: &Position) -> Option<TableIndex> {
        let class = position.walls.count() as usize;
        let left = position.walls_left.map(usize::from);
        if class + left[0] + left[1] != self.total {
            return None;
        }
        let WallSetBlockLocation { block, mirror } = self.find_wall_set_block(position.walls)?;
        let number = |side: Side| {
            let number = self.pawn_square_number(side, position.pawn(side));
            let image = *self.mirrored_numbers.get(number)?;
            Some(if mirror.files { image.into() } else { number })
        };
        let [own, other] = [number(position.mover)?, number(!position.mover)?];
        let (side, part) =
            if mirror.ranks { (!position.mover, left[1]) } else { (position.mover, left[0]) };
        let half = (block * self.parts_per_block(class) + part) * 2 + side.index();
        Some(TableIndex {
            class,
            number: half * self.half_part_size() + own * self.squares[0].len() + other,
        })
    }

    fn position_at_index(&self, TableIndex { class, number }: TableIndex) -> Option<Position> {
        let half = number / self.half_part_size();
        let pawns = number % self.half_part_size();
        let mover = Side::BOTH_SIDES[half % 2];
        let block = half / 2 / self.parts_per_block(class);
        let part = half / 2 % self.parts_per_block(class);
        let [own, other] = [pawns / self.squares[0].len(), pawns % self.squares[0].len()];
        let [own, other] = [(mover, own), (!mover, other)]
            .map(|(side, number)| self.squares[side.index()][number]);
        let pawns = if mover == Side::First { [own, other] } else { [other, own] };
        let walls_left = [part, self.total - class - part].map(|left| left as u8);
        let position = Position {
            walls: *self.wall_sets(class).get(block)?,
            pawns,
            walls_left,
            mover,
            full_move: 1,
        };
        let pawn_retrograde =
            PawnRetrograde::new(&self.rules.board, position.open_passages(&self.rules.board));
        let is_valid_position =
            pawn_retrograde.is_valid_position(PawnsAndTurn { side: mover, own, other });
        is_valid_position.then_some(position)
    }
}

/// Returns the name of the table file for the positions with `total` walls, of which `class` are on
/// the board.
pub(crate) fn table_file_name(rules: &Quoridor, total: usize, class: usize) -> String {
    let size = rules.board.size;
    format!("quoridor-{size}x{size}-{total}-{class}")
}

/// The canonical image of a set of walls, and the mirror that maps the set to this image.
struct CanonicalWallSetImage {
    walls: Walls,
    mirror: BoardReflection,
}

/// Returns the canonical image of a set of walls: the first of its images under the mirrors of the
/// board.
fn canonical_wall_set_image(board: &Board, walls: Walls) -> CanonicalWallSetImage {
    let mut first = CanonicalWallSetImage { walls, mirror: BOARD_MIRRORS[0] };
    for mirror in BOARD_MIRRORS {
        let image = walls.mirrored(board, mirror);
        if image < first.walls {
            first = CanonicalWallSetImage { walls: image, mirror };
        }
    }
    first
}

/// Returns the canonical sets of `walls` walls that fit on the board, in ascending order.
fn canonical_wall_sets(board: &Board, walls: usize) -> Vec<Walls> {
    let mut sets = Vec::new();
    let all = walls_fitting_on_board(board, Walls::EMPTY);
    add_canonical_wall_sets(board, Walls::EMPTY, all, walls, &mut sets);
    sets.sort_unstable();
    sets
}

/// Adds to `sets` the canonical sets that consist of `walls` and `more` other walls. The other
/// walls are taken from `choice`.
fn add_canonical_wall_sets(
    board: &Board,
    walls: Walls,
    mut choice: Walls,
    more: usize,
    sets: &mut Vec<Walls>,
) {
    if more == 0 {
        if canonical_wall_set_image(board, walls).walls == walls {
            sets.push(walls);
        }
        return;
    }
    for wall in choice.iter() {
        choice = choice.difference(wall.into());
        let with = walls | wall.into();
        let left = choice & walls_fitting_on_board(board, with);
        if left.count() as usize + 1 >= more {
            add_canonical_wall_sets(board, with, left, more - 1, sets);
        }
    }
}

/// Counts the sets of walls that fit on a board of this size. The result has a count for each
/// number of walls.
///
/// The function visits the posts in order. Two earlier posts decide which walls fit on a post: the
/// previous post of the row, and the neighbouring post of the previous row.
pub(crate) fn count_wall_sets(size: u8) -> Vec<f64> {
    let row = usize::from(size) - 1;
    // Counts for the posts visited so far, by state. A state shows which of the last posts (as many
    // as a row has) have vertical walls, and whether the previous post has a horizontal wall.
    let mut counts = vec![Vec::new(); 2 << row];
    counts[0] = vec![1.];
    for post in 0..row * row {
        let bit = 1 << (post % row);
        let mut next = vec![Vec::new(); 2 << row];
        for (state, counts) in counts.iter().enumerate().filter(|(_, counts)| !counts.is_empty()) {
            let has_horizontal_before = post % row > 0 && state >> row != 0;
            let vertical = state & !(1 << row);
            let mut add = |state: usize, walls: usize| {
                let sum: &mut Vec<f64> = &mut next[state];
                sum.resize(sum.len().max(counts.len() + walls), 0.);
                sum[walls..].iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            };
            add(vertical & !bit, 0);
            if !has_horizontal_before {
                add(vertical & !bit | 1 << row, 1);
            }
            if vertical & bit == 0 {
                add(vertical | bit, 1);
            }
        }
        counts = next;
    }
    let lengths = counts.iter().map(Vec::len).max().unwrap_or_default();
    (0..lengths).map(|walls| counts.iter().filter_map(|counts| counts.get(walls)).sum()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_core::{OptionSpec, Options, Rules};

    fn rules(size: u8) -> Quoridor {
        let mut options = Options::default();
        let spec: &OptionSpec =
            Quoridor::RULE_OPTIONS.iter().find(|spec| spec.name == "Quoridor_BoardSize").unwrap();
        options.set(spec, &size.to_string()).unwrap();
        Quoridor::from_options(&options)
    }

    /// The numbering maps the position at an index back to this index. The images of the position
    /// are in the same block.
    #[test]
    fn index_and_position_are_inverse() {
        for (size, total) in [(3, 4), (4, 3), (5, 2)] {
            let rules = rules(size);
            let numbering = QuoridorNumbering::new(&rules, total, |_| true);
            for class in 0..=total {
                let mut positions = 0;
                for number in 0..numbering.class_size(class) {
                    let index = TableIndex { class, number };
                    let Some(position) = numbering.position_at_index(index) else { continue };
                    positions += 1;
                    assert_eq!(numbering.index_of_position(&position), Some(index), "{position:?}");
                    for mirror in BOARD_MIRRORS {
                        let image = numbering
                            .index_of_position(&position.mirrored(&rules.board, mirror))
                            .unwrap();
                        assert_eq!(
                            image.number / numbering.block_size(class),
                            number / numbering.block_size(class)
                        );
                    }
                }
                assert!(positions > 0, "{size}x{size}: {class}");
            }
            assert_eq!(
                numbering.index_of_position(&Position::start(&rules.board, [total as u8, 1])),
                None
            );
        }
    }

    #[test]
    fn counts_as_many_wall_sets_as_it_finds() {
        for (size, most) in [(3, 4), (4, 9), (5, 4), (6, 3)] {
            let board = &rules(size).board;
            let counts = count_wall_sets(size);
            for (walls, &count) in counts.iter().enumerate().take(most + 1) {
                let images = |set: &Walls| {
                    let mut images =
                        BOARD_MIRRORS.map(|mirror| set.mirrored(board, mirror)).to_vec();
                    images.sort_unstable();
                    images.dedup();
                    assert_eq!(images[0], *set);
                    images.len()
                };
                let found: usize = canonical_wall_sets(board, walls).iter().map(images).sum();
                assert_eq!(found as f64, count, "{size}x{size} with {walls}");
            }
        }
        // The number of ways to place at most twenty walls, as quoted in question 1018819 of
        // math.stackexchange.com.
        let all: f64 = count_wall_sets(9)[..=20].iter().sum();
        assert!((all / 1_375_968_129_062_134_174_771. - 1.).abs() < 1e-12, "{all}");
    }
}

//! The positions of one number of walls as numbers, for tables.
//!
//! The walls on the board and those in hand are as many as at the start, in every position of a game. Positions with so
//! many walls in all belong to classes: a class has those with one number of walls on the board. A wall leads from one
//! class to the next, and a pawn move stays in its class. A class has a block for each set of walls that fits on the
//! board, in the order of the sets, and the block a part for each number of walls that the first side has left: these
//! are what `layers` solves at once.
//!
//! Of sets that a mirror of the files or of the ranks maps on each other, only the first one has a block. A mirror of
//! the ranks swaps the sides. So each side's pawn is numbered as that side sees it, and such a mirror changes no number
//! of a pawn.

use pentarch_core::notation::points::Mirror;
use pentarch_core::{Point, Side};
use pentarch_tables::{Numbering, TableIndex};

use super::Quoridor;
use super::board::Board;
use super::pawn_retrograde::{PawnRetrograde, SQUARE_BITS};
use super::wall_placement::fitting_walls;
use super::position::Position;
use super::square_sets::Square;
use super::walls::Walls;

/// The numbering of the positions with one number of walls in all, on one board.
pub struct QuoridorNumbering {
    rules: Quoridor,
    /// The number of walls on the board and in hand.
    pub total: usize,
    /// For each side, the squares on which its pawn can stand while the game goes on, from its first rank on.
    pub squares: [Vec<Square>; 2],
    /// For each side, the numbers of these squares; [`NO_NUMBER`] for all others.
    numbers: [[u8; SQUARE_BITS]; 2],
    /// For each number of a square, that of its image in a mirror of the files.
    pub mirrored_numbers: Vec<u8>,
    /// The sets of walls of each class, sorted: of images of each other the first one. Classes that are not numbered
    /// have none.
    sets: Vec<Vec<Walls>>,
}

/// What stands for the number of a square that has none.
const NO_NUMBER: u8 = u8::MAX;

/// The mirrors of the board.
const MIRRORS: [Mirror; 4] = [
    Mirror { files: false, ranks: false },
    Mirror { files: true, ranks: false },
    Mirror { files: false, ranks: true },
    Mirror { files: true, ranks: true },
];

impl QuoridorNumbering {
    /// The numbering of the positions with so many walls in all. Only the classes for which `has_class` is true are
    /// numbered.
    pub fn new(
        rules: &Quoridor,
        total: usize,
        has_class: impl Fn(usize) -> bool,
    ) -> QuoridorNumbering {
        let board = &rules.board;
        let size = board.size;
        let mut numbers = [[NO_NUMBER; SQUARE_BITS]; 2];
        let squares = Side::BOTH.map(|side| {
            let ranks =
                (0..size - 1).map(|rank| if side == Side::First { rank } else { size - 1 - rank });
            let points = ranks.flat_map(|rank| (0..size).map(move |file| Point::new(file, rank)));
            points.filter_map(|point| board.square(point)).collect::<Vec<_>>()
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
            .map(|walls| if has_class(walls) { canonical_sets(board, walls) } else { Vec::new() })
            .collect();
        QuoridorNumbering { rules: rules.clone(), total, squares, numbers, mirrored_numbers, sets }
    }

    /// The numbering of the positions with the walls of this set on the board and so many more on the board or in hand.
    pub fn from_walls(rules: &Quoridor, walls: Walls, more: usize) -> QuoridorNumbering {
        let (least, board) = (walls.count() as usize, &rules.board);
        let mut numbering = QuoridorNumbering::new(rules, least + more, |_| false);
        numbering.sets[least] = vec![canonical_image(board, walls).0];
        for class in least..least + more {
            let with_one_more = |&set: &Walls| {
                fitting_walls(board, set)
                    .iter()
                    .map(|wall| canonical_image(board, set | wall.into()).0)
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

    /// The name of the file of a class.
    pub fn file_name(&self, class: usize) -> String {
        file_name(&self.rules, self.total, class)
    }

    /// How many numbers of walls the first side can have left in a class.
    pub fn part_count(&self, class: usize) -> usize {
        self.total - class + 1
    }

    /// The number of positions of one side to move in a part.
    pub fn half_part_size(&self) -> usize {
        self.squares[0].len().pow(2)
    }

    /// The size of a block.
    pub fn block_size(&self, class: usize) -> usize {
        self.part_count(class) * 2 * self.half_part_size()
    }

    /// The number of the square of this side's pawn, which is not on its goal.
    pub fn pawn_number(&self, side: Side, pawn: Square) -> usize {
        self.numbers[side.index()][usize::from(pawn.0)].into()
    }

    /// The sets of walls of a class.
    pub fn wall_sets(&self, class: usize) -> &[Walls] {
        self.sets.get(class).map_or(&[], |sets| sets)
    }

    /// The number of the block of a set of walls, and the mirror that leads to it; none if its class is not numbered.
    pub fn find_block(&self, walls: Walls) -> Option<(usize, Mirror)> {
        let (first, mirror) = canonical_image(&self.rules.board, walls);
        Some((self.wall_sets(walls.count() as usize).binary_search(&first).ok()?, mirror))
    }
}

impl Numbering for QuoridorNumbering {
    type Rules = Quoridor;

    fn rules(&self) -> &Quoridor {
        &self.rules
    }

    fn size(&self, class: usize) -> usize {
        self.wall_sets(class).len() * self.block_size(class)
    }

    fn index(&self, position: &Position) -> Option<TableIndex> {
        let class = position.walls.count() as usize;
        let left = position.walls_left.map(usize::from);
        if class + left[0] + left[1] != self.total {
            return None;
        }
        let (block, mirror) = self.find_block(position.walls)?;
        let number = |side: Side| {
            let number = self.pawn_number(side, position.pawn(side));
            let image = *self.mirrored_numbers.get(number)?;
            Some(if mirror.files { image.into() } else { number })
        };
        let [own, other] = [number(position.mover)?, number(!position.mover)?];
        let (side, part) =
            if mirror.ranks { (!position.mover, left[1]) } else { (position.mover, left[0]) };
        let half = (block * self.part_count(class) + part) * 2 + side.index();
        Some(TableIndex {
            class,
            number: half * self.half_part_size() + own * self.squares[0].len() + other,
        })
    }

    fn position(&self, TableIndex { class, number }: TableIndex) -> Option<Position> {
        let (half, pawns) = (number / self.half_part_size(), number % self.half_part_size());
        let mover = Side::BOTH[half % 2];
        let (block, part) = (half / 2 / self.part_count(class), half / 2 % self.part_count(class));
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
        let moves = PawnRetrograde::new(&self.rules.board, position.open_passages(&self.rules.board));
        moves.is_position((mover, own, other)).then_some(position)
    }
}

/// The name of the file of the positions with so many walls in all and so many on the board.
pub fn file_name(rules: &Quoridor, total: usize, class: usize) -> String {
    let size = rules.board.size;
    format!("quoridor-{size}x{size}-{total}-{class}")
}

/// The first one of the images of a set of walls, and the mirror that leads to it.
fn canonical_image(board: &Board, walls: Walls) -> (Walls, Mirror) {
    let images = MIRRORS.map(|mirror| (walls.mirrored(board, mirror), mirror));
    images
        .into_iter()
        .reduce(|first, other| if other.0 < first.0 { other } else { first })
        .unwrap_or((walls, MIRRORS[0]))
}

/// The sets of so many walls that fit on the board, sorted: of images of each other the first one.
fn canonical_sets(board: &Board, walls: usize) -> Vec<Walls> {
    let mut sets = Vec::new();
    let all = fitting_walls(board, Walls::NONE);
    add_canonical_sets(board, Walls::NONE, all, walls, &mut sets);
    sets.sort_unstable();
    sets
}

/// Adds the sets that have so many walls of `choice` more than `walls`.
fn add_canonical_sets(board: &Board, walls: Walls, mut choice: Walls, more: usize, sets: &mut Vec<Walls>) {
    if more == 0 {
        if canonical_image(board, walls).0 == walls {
            sets.push(walls);
        }
        return;
    }
    for wall in choice.iter() {
        choice = choice.difference(wall.into());
        let with = walls | wall.into();
        let left = choice & fitting_walls(board, with);
        if left.count() as usize + 1 >= more {
            add_canonical_sets(board, with, left, more - 1, sets);
        }
    }
}

/// How many sets of walls fit on a board of this size, by the number of walls in a set. The posts are gone through one
/// by one; what decides whether a wall fits is the wall on the post before and those on the posts of the last row.
pub fn count_wall_sets(size: u8) -> Vec<f64> {
    let row = usize::from(size) - 1;
    // By the vertical walls of the last row, and whether a horizontal wall is on the post before.
    let mut counts = vec![Vec::new(); 2 << row];
    counts[0] = vec![1.];
    for post in 0..row * row {
        let bit = 1 << (post % row);
        let mut next = vec![Vec::new(); 2 << row];
        for (state, counts) in counts.iter().enumerate().filter(|(_, counts)| !counts.is_empty()) {
            let are_neighbours = post % row > 0 && state >> row != 0;
            let vertical = state & !(1 << row);
            let mut add = |state: usize, walls: usize| {
                let sum: &mut Vec<f64> = &mut next[state];
                sum.resize(sum.len().max(counts.len() + walls), 0.);
                sum[walls..].iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            };
            add(vertical & !bit, 0);
            if !are_neighbours {
                add(vertical & !bit | 1 << row, 1);
            }
            if vertical & bit == 0 {
                add(vertical | bit, 1);
            }
        }
        counts = next;
    }
    let most = counts.iter().map(Vec::len).max().unwrap_or_default();
    (0..most).map(|walls| counts.iter().filter_map(|counts| counts.get(walls)).sum()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_core::{OptionSpec, Options, Rules};

    fn rules(size: u8) -> Quoridor {
        let mut options = Options::default();
        let spec: &OptionSpec =
            Quoridor::OPTIONS.iter().find(|spec| spec.name == "Quoridor_BoardSize").unwrap();
        options.set(spec, &size.to_string()).unwrap();
        Quoridor::from_options(&options)
    }

    /// Every place gives a position whose place it is, and images of a position have places with the same pawns.
    #[test]
    fn places_are_those_of_their_positions() {
        for (size, total) in [(3, 4), (4, 3), (5, 2)] {
            let rules = rules(size);
            let numbering = QuoridorNumbering::new(&rules, total, |_| true);
            for class in 0..=total {
                let mut positions = 0;
                for number in 0..numbering.size(class) {
                    let place = TableIndex { class, number };
                    let Some(position) = numbering.position(place) else { continue };
                    positions += 1;
                    assert_eq!(numbering.index(&position), Some(place), "{position:?}");
                    for mirror in MIRRORS {
                        let image =
                            numbering.index(&position.mirrored(&rules.board, mirror)).unwrap();
                        assert_eq!(
                            image.number / numbering.block_size(class),
                            number / numbering.block_size(class)
                        );
                    }
                }
                assert!(positions > 0, "{size}x{size}: {class}");
            }
            assert_eq!(numbering.index(&Position::start(&rules.board, [total as u8, 1])), None);
        }
    }

    #[test]
    fn sets_of_walls_are_counted_as_they_are_found() {
        for (size, most) in [(3, 4), (4, 9), (5, 4), (6, 3)] {
            let board = &rules(size).board;
            let counts = count_wall_sets(size);
            for (walls, &count) in counts.iter().enumerate().take(most + 1) {
                let images = |set: &Walls| {
                    let mut images = MIRRORS.map(|mirror| set.mirrored(board, mirror)).to_vec();
                    images.sort_unstable();
                    images.dedup();
                    assert_eq!(images[0], *set);
                    images.len()
                };
                let found: usize = canonical_sets(board, walls).iter().map(images).sum();
                assert_eq!(found as f64, count, "{size}x{size} with {walls}");
            }
        }
        // The number of ways to place at most twenty walls that math.stackexchange.com, question 1018819, quotes.
        let all: f64 = count_wall_sets(9)[..=20].iter().sum();
        assert!((all / 1_375_968_129_062_134_174_771. - 1.).abs() < 1e-12, "{all}");
    }
}

//! The board of Alcaxar: 16 squares, 25 towers, 40 wall slots, and the turns of a wall.

use std::ops::Range;

use pentarch_core::Point;
use pentarch_core::notation::points::bit_indices;

/// The number of files, and also of ranks, including those of towers and slots.
pub const BOARD_SIZE: u8 = 9;

/// One of the 16 squares, numbered by file, then rank: b2 is 0, b4 is 1, h8 is 15.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Square(pub u8);

/// One of the 40 wall slots, numbered in the order of their notation: a2 is 0, i8 is 39.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct WallSlot(pub u8);

impl Square {
    /// Returns the square at a point, or `None` if the point is not a square.
    pub fn from_point(point: Point) -> Option<Square> {
        let is_square = point.file % 2 == 1
            && point.rank % 2 == 1
            && point.file < BOARD_SIZE
            && point.rank < BOARD_SIZE;
        is_square.then(|| Square(point.file / 2 * 4 + point.rank / 2))
    }

    /// Returns the point of the square.
    pub fn point(self) -> Point {
        Point::new(self.0 / 4 * 2 + 1, self.0 % 4 * 2 + 1)
    }

    /// Returns the set that contains only this square.
    pub fn bit(self) -> u16 {
        1 << self.0
    }

    /// Returns the distance to another square, in steps on an empty board.
    pub fn distance(self, other: Square) -> u32 {
        u32::from((self.0 / 4).abs_diff(other.0 / 4) + (self.0 % 4).abs_diff(other.0 % 4))
    }
}

impl WallSlot {
    /// The number of slots on the board.
    pub const SLOT_COUNT: u8 = 40;

    /// Returns the slot at a point, or `None` if the point is not a slot.
    pub fn from_point(point: Point) -> Option<WallSlot> {
        let is_slot = (point.file + point.rank) % 2 == 1
            && point.file < BOARD_SIZE
            && point.rank < BOARD_SIZE;
        // A file of towers has four slots, and the file of squares to its right has five. So two
        // neighbouring files have nine slots.
        is_slot.then(|| WallSlot(point.file / 2 * 9 + point.file % 2 * 4 + point.rank / 2))
    }

    /// Returns the point of the slot.
    pub fn point(self) -> Point {
        let file_pair = self.0 / 9;
        let index = self.0 % 9;
        if index < 4 {
            Point::new(file_pair * 2, index * 2 + 1)
        } else {
            Point::new(file_pair * 2 + 1, (index - 4) * 2)
        }
    }

    /// Returns the set that contains only this slot.
    pub fn bit(self) -> u64 {
        1 << self.0
    }

    /// Returns the two towers that a wall in this slot joins.
    pub fn towers(self) -> [Point; 2] {
        let Point { file, rank } = self.point();
        if file % 2 == 0 {
            [Point::new(file, rank - 1), Point::new(file, rank + 1)]
        } else {
            [Point::new(file - 1, rank), Point::new(file + 1, rank)]
        }
    }
}

/// Iterates over the slots of a set in ascending order.
pub fn iter_slots(set: u64) -> impl Iterator<Item = WallSlot> {
    bit_indices(set).map(WallSlot)
}

/// A step of a knight to a neighbouring square, and the slot between the two squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnightStep {
    /// The square that the knight reaches.
    pub to: Square,
    /// The set that contains only the slot between the two squares.
    pub gate: u64,
}

/// The slots and squares that a wall passes during a turn in one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WallTurnSweep {
    /// The slots through which the wall turns, including the last. All these slots must be empty.
    pub slots: u64,
    /// The squares that the wall sweeps. No knight may be on these squares.
    pub squares: u16,
}

/// A turn of a wall from its slot to another slot. The wall turns about the tower that both slots
/// share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WallTurn {
    /// The slot that the wall reaches.
    pub to: WallSlot,
    /// The tower about which the wall turns.
    pub tower: Point,
    /// The turn clockwise, and the turn counter-clockwise.
    pub sweeps: [WallTurnSweep; 2],
}

impl WallTurnSweep {
    /// Returns whether the swept slots and squares contain none of these walls and knights.
    pub fn is_clear(self, walls: u64, knights: u16) -> bool {
        self.slots & walls == 0 && self.squares & knights == 0
    }
}

impl WallTurn {
    /// Returns whether the wall can turn in at least one direction past these walls and knights.
    pub fn is_path_clear(&self, walls: u64, knights: u16) -> bool {
        self.sweeps.iter().any(|sweep| sweep.is_clear(walls, knights))
    }
}

/// The precomputed tables of the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// For each square, the steps from this square that stay on the board.
    pub steps: [Vec<KnightStep>; 16],
    /// For each slot, the turns of a wall in this slot that end on the board.
    pub turns: [Vec<WallTurn>; 40],
    /// For each slot, the set of slots that share a tower with this slot, including the slot
    /// itself.
    pub touching: [u64; 40],
}

/// The change of file and rank in each direction, clockwise: up, right, down, left.
pub const DIRECTION_OFFSETS: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

impl Default for Board {
    fn default() -> Board {
        Board {
            steps: std::array::from_fn(|square| knight_steps_from_square(Square(square as u8))),
            turns: std::array::from_fn(|slot| wall_turns_from_slot(WallSlot(slot as u8))),
            touching: std::array::from_fn(|slot| {
                let towers = WallSlot(slot as u8).towers();
                iter_slots((1 << WallSlot::SLOT_COUNT) - 1)
                    .filter(|other| other.towers().iter().any(|tower| towers.contains(tower)))
                    .fold(0, |set, other| set | other.bit())
            }),
        }
    }
}

impl Board {
    /// Iterates over the squares to which a knight on `from` can step if the other knight is on
    /// `other`.
    pub fn knight_step_targets(
        &self,
        from: Square,
        other: Square,
        walls: u64,
    ) -> impl Iterator<Item = Square> {
        let steps = self.steps[usize::from(from.0)].iter();
        steps.filter(move |step| step.gate & walls == 0 && step.to != other).map(|step| step.to)
    }
}

fn knight_steps_from_square(from: Square) -> Vec<KnightStep> {
    let here = from.point();
    let step = |(files, ranks): (i8, i8)| {
        let gate = WallSlot::from_point(here.offset_by(files, ranks)?)?;
        Some(KnightStep {
            to: Square::from_point(here.offset_by(2 * files, 2 * ranks)?)?,
            gate: gate.bit(),
        })
    };
    DIRECTION_OFFSETS.into_iter().filter_map(step).collect()
}

/// Returns the turns of a wall from a slot, in ascending order of the slots that the wall reaches.
fn wall_turns_from_slot(from: WallSlot) -> Vec<WallTurn> {
    let mut turns = Vec::new();
    for tower in from.towers() {
        let slot = |direction: usize| {
            tower
                .offset_by(DIRECTION_OFFSETS[direction].0, DIRECTION_OFFSETS[direction].1)
                .and_then(WallSlot::from_point)
        };
        // The square between a direction and the next direction clockwise, as seen from the tower.
        let square = |direction: usize| {
            let (files, ranks) = DIRECTION_OFFSETS[direction];
            let (next_files, next_ranks) = DIRECTION_OFFSETS[(direction + 1) % 4];
            tower.offset_by(files + next_files, ranks + next_ranks).and_then(Square::from_point)
        };
        let Some(first) = (0..4).find(|&direction| slot(direction) == Some(from)) else { continue };
        for quarters in 1..4 {
            let Some(to) = slot((first + quarters) % 4) else { continue };
            let sweep = |passed: Range<usize>, swept: Range<usize>| {
                let slots = passed.filter_map(|turn| slot((first + turn) % 4));
                let squares = swept.filter_map(|turn| square((first + turn) % 4));
                WallTurnSweep {
                    slots: slots.fold(0, |set, slot| set | slot.bit()),
                    squares: squares.fold(0, |set, square| set | square.bit()),
                }
            };
            let clockwise = sweep(1..quarters + 1, 0..quarters);
            let counter = sweep(quarters..4, quarters..4);
            turns.push(WallTurn { to, tower, sweeps: [clockwise, counter] });
        }
    }
    turns.sort_by_key(|turn| turn.to);
    turns
}

/// Returns the image of a point when the board is turned by 180 degrees.
pub fn half_turn_point(point: Point) -> Point {
    Point::new(BOARD_SIZE - 1 - point.file, BOARD_SIZE - 1 - point.rank)
}

/// Returns the mirror image of a point in the diagonal from a1 to i9.
pub fn mirror_point(point: Point) -> Point {
    Point::new(point.rank, point.file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_squares_and_slots_in_notation_order() {
        let points = (0..9).flat_map(|file| (0..9).map(move |rank| Point::new(file, rank)));
        let squares: Vec<Square> = points.clone().filter_map(Square::from_point).collect();
        let slots: Vec<WallSlot> = points.filter_map(WallSlot::from_point).collect();
        assert_eq!(squares, (0..16).map(Square).collect::<Vec<_>>());
        assert_eq!(slots, (0..40).map(WallSlot).collect::<Vec<_>>());
        assert!(squares.iter().all(|&square| Square::from_point(square.point()) == Some(square)));
        assert!(slots.iter().all(|&slot| WallSlot::from_point(slot.point()) == Some(slot)));
        assert_eq!(Square::from_point(Point::new(9, 1)), None);
    }

    #[test]
    fn a_wall_joins_the_towers_next_to_it_on_its_line() {
        let towers = |file, rank| {
            WallSlot::from_point(Point::new(file, rank))
                .map(|slot| slot.towers().map(|t| t.to_string()))
        };
        assert_eq!(towers(1, 4), Some(["a5".into(), "c5".into()]));
        assert_eq!(towers(2, 5), Some(["c5".into(), "c7".into()]));
    }

    #[test]
    fn each_turn_has_a_reverse_turn_over_the_same_path() {
        let board = Board::default();
        for from in iter_slots((1 << 40) - 1) {
            for turn in &board.turns[usize::from(from.0)] {
                let back = board.turns[usize::from(turn.to.0)]
                    .iter()
                    .find(|back| back.to == from)
                    .unwrap();
                assert_eq!(back.tower, turn.tower);
                for (there, back) in turn.sweeps.iter().zip(back.sweeps.iter().rev()) {
                    assert_eq!(there.squares, back.squares);
                    assert_eq!(there.slots ^ turn.to.bit(), back.slots ^ from.bit());
                }
            }
        }
    }

    #[test]
    fn a_slot_has_six_turns_and_fewer_on_the_rim() {
        let board = Board::default();
        let turns = |file, rank| {
            board.turns[usize::from(WallSlot::from_point(Point::new(file, rank)).unwrap().0)].len()
        };
        assert_eq!(turns(3, 4), 6);
        assert_eq!(turns(0, 1), 3); // about a1 to b1, about a3 to b3 and a4
        assert_eq!(turns(0, 3), 4); // about a3 to a2 and b3, about a5 to a6 and b5
    }
}

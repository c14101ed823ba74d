//! All positions of Guerre des Deux Roses as numbers, for the tablebase that solves the game.
//!
//! Every position is seen with White to move. If Black is to move, the half turn exchanges the
//! sides. A class is defined by the numbers of soldiers that the side to move and the other side
//! have on the board, and by whether soldiers are still to be dropped.
//!
//! Within a class the numbering is a perfect hash by [ranking
//! combinations](pentarch_tables::combinations): first the set of cells with the soldiers of the
//! side to move, then, among the remaining cells, the set of cells with the soldiers of the other
//! side.

use pentarch_core::Side;
use pentarch_tables::combinations::{Combinations, FreePoints, binomial};
use pentarch_tables::{Numbering, TableIndex};

use super::Roses;
use super::board::{CASTLE_CELLS, CELL_COUNT, CellSet, half_turn};
use super::position::{Position, SOLDIERS_PER_SIDE};

/// The cells of the castles, on which no soldier can be before the end of the game.
pub const CASTLE_SET: CellSet = CASTLE_CELLS[0].bit() | CASTLE_CELLS[1].bit();
/// The number of cells on which soldiers can be.
pub const SOLDIER_CELL_COUNT: usize = CELL_COUNT - 2;
/// All bits that are not such a cell.
const FORBIDDEN_CELL_BITS: CellSet = CASTLE_SET | !0 << CELL_COUNT;
/// The number of different counts of soldiers that a side can have on the board.
pub const COUNTS_PER_SIDE: usize = SOLDIERS_PER_SIDE as usize + 1;

/// The cells on which soldiers can be while there is none on the board.
static FREE_CELLS: FreePoints = FreePoints::new(FORBIDDEN_CELL_BITS);

/// The numbering of all positions with both castles. With it, tables can be
/// [verified](pentarch_tables::verify).
pub struct RosesNumbering<'a> {
    rules: &'a Roses,
    /// The sets of cells by size and rank.
    sets: Combinations,
}

impl RosesNumbering<'_> {
    /// Creates the numbering for these rules. It is the same under all rules.
    pub fn new(rules: &Roses) -> RosesNumbering<'_> {
        RosesNumbering {
            rules,
            sets: Combinations::new(SOLDIER_CELL_COUNT, SOLDIERS_PER_SIDE.into()),
        }
    }
}

/// A class of positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PositionClass {
    /// The number of soldiers that the side to move has on the board.
    pub own: usize,
    /// The number of soldiers that the other side has on the board.
    pub enemy: usize,
    /// Whether the side to move must drop a soldier.
    pub drops: bool,
}

impl PositionClass {
    /// Returns all classes of the move phase.
    pub fn of_move_phase() -> impl Iterator<Item = PositionClass> {
        (0..COUNTS_PER_SIDE).flat_map(|own| {
            (0..COUNTS_PER_SIDE).map(move |enemy| PositionClass { own, enemy, drops: false })
        })
    }

    /// Returns all classes of the drop phase, from the last drop to the first. Before a drop both
    /// sides have the same number of soldiers, or the side to move has one less.
    pub fn of_drop_phase() -> impl Iterator<Item = PositionClass> {
        (0..COUNTS_PER_SIDE - 1)
            .rev()
            .flat_map(|own| [own + 1, own].map(|enemy| PositionClass { own, enemy, drops: true }))
    }

    /// Returns the numbers of all classes.
    pub fn all_ids() -> impl Iterator<Item = usize> {
        PositionClass::of_move_phase().chain(PositionClass::of_drop_phase()).map(PositionClass::id)
    }

    /// Returns the number of the class, as tables use it.
    pub const fn id(self) -> usize {
        (self.own * COUNTS_PER_SIDE + self.enemy) * 2 + self.drops as usize
    }

    /// Returns the class with this number.
    const fn from_id(id: usize) -> PositionClass {
        PositionClass {
            own: id / 2 / COUNTS_PER_SIDE,
            enemy: id / 2 % COUNTS_PER_SIDE,
            drops: id % 2 == 1,
        }
    }

    /// Returns the number of placements of the other side's soldiers for one placement of the
    /// soldiers of the side to move.
    const fn row_length(self) -> usize {
        binomial(SOLDIER_CELL_COUNT - self.own, self.enemy)
    }
}

/// Returns the index of a position in the tablebase; none if a castle is captured.
pub fn index_of(position: &Position) -> Option<TableIndex> {
    if !position.has_both_castles() {
        return None;
    }
    let mut sets = [position.soldiers(position.side), position.soldiers(!position.side)];
    if position.side == Side::Second {
        sets = sets.map(half_turn);
    }
    let [own, enemy] = sets;
    let [own_count, enemy_count] = sets.map(|set| set.count_ones() as usize);
    let class =
        PositionClass { own: own_count, enemy: enemy_count, drops: position.is_drop_phase() };
    let free = FreePoints::new(own | FORBIDDEN_CELL_BITS);
    Some(TableIndex {
        class: class.id(),
        number: FREE_CELLS.rank(own) * class.row_length() + free.rank(enemy),
    })
}

impl Numbering for RosesNumbering<'_> {
    type Rules = Roses;

    fn rules(&self) -> &Roses {
        self.rules
    }

    fn size(&self, class: usize) -> usize {
        let class = PositionClass::from_id(class);
        binomial(SOLDIER_CELL_COUNT, class.own) * class.row_length()
    }

    fn index(&self, position: &Position) -> Option<TableIndex> {
        index_of(position)
    }

    fn position(&self, TableIndex { class, number }: TableIndex) -> Option<Position> {
        let class = PositionClass::from_id(class);
        let own = self.sets.get(class.own, number / class.row_length(), CASTLE_SET);
        let enemy = self.sets.get(class.enemy, number % class.row_length(), own | CASTLE_SET);
        let reserve = |count: usize| if class.drops { SOLDIERS_PER_SIDE - count as u8 } else { 0 };
        let reserves = [reserve(class.own), reserve(class.enemy)];
        Some(Position {
            soldiers: [own, enemy],
            castles: CASTLE_SET,
            reserves,
            side: Side::First,
            full_move: 1,
        })
    }
}

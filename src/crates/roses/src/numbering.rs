//! Numbers all positions of Guerre des Deux Roses, for the tablebase that solves the game.
//!
//! Every position is seen with White to move. If Black is to move, the half turn exchanges the
//! sides. Three facts define a class: how many soldiers each of the two sides has on the board, and
//! whether there are still soldiers to drop.
//!
//! Within a class, the numbering is a perfect hash by [ranking
//! combinations](pentarch_tables::combinations). The first combination is the set of cells with the
//! soldiers of the side to move. The second combination is the set of cells, among the remaining
//! cells, with the soldiers of the other side.

use pentarch_core::Side;
use pentarch_tables::combinations::{Combinations, FreePoints, binomial};
use pentarch_tables::{PositionNumbering, TableIndex};

use super::Roses;
use super::board::{CASTLE_CELLS, CELL_COUNT, CellSet, half_turn_cell_set};
use super::position::{Position, SOLDIERS_PER_SIDE};

/// The cells of the castles. No soldier can be on these cells before the end of the game.
pub const CASTLE_CELL_SET: CellSet = CASTLE_CELLS[0].bit() | CASTLE_CELLS[1].bit();
/// The number of cells on which soldiers can be.
pub const SOLDIER_CELL_COUNT: usize = CELL_COUNT - 2;
/// All bits except those of the cells for soldiers.
const NON_SOLDIER_CELL_MASK: CellSet = CASTLE_CELL_SET | !0 << CELL_COUNT;
/// The number of possible counts of a side's soldiers on the board: 0 to 4.
pub const SOLDIER_COUNT_VALUES: usize = SOLDIERS_PER_SIDE as usize + 1;

/// The free cells for soldiers when no soldier is on the board.
static FREE_SOLDIER_CELLS: FreePoints = FreePoints::new(NON_SOLDIER_CELL_MASK);

/// The numbering of all positions with both castles. The numbering is used to
/// [verify](pentarch_tables::verify) tables.
pub struct RosesNumbering<'a> {
    rules: &'a Roses,
    /// The sets of cells by size and rank.
    sets: Combinations,
}

impl RosesNumbering<'_> {
    /// Creates the numbering for these rules. The numbers are the same under all rules.
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
    pub fn classes_of_move_phase() -> impl Iterator<Item = PositionClass> {
        (0..SOLDIER_COUNT_VALUES).flat_map(|own| {
            (0..SOLDIER_COUNT_VALUES).map(move |enemy| PositionClass { own, enemy, drops: false })
        })
    }

    /// Returns all classes of the drop phase, from the last drop to the first drop. Before a drop,
    /// both sides have the same number of soldiers, or the side to move has one soldier less.
    pub fn classes_of_drop_phase() -> impl Iterator<Item = PositionClass> {
        (0..SOLDIER_COUNT_VALUES - 1)
            .rev()
            .flat_map(|own| [own + 1, own].map(|enemy| PositionClass { own, enemy, drops: true }))
    }

    /// Returns the numbers of all classes.
    pub fn all_class_ids() -> impl Iterator<Item = usize> {
        PositionClass::classes_of_move_phase()
            .chain(PositionClass::classes_of_drop_phase())
            .map(PositionClass::id)
    }

    /// Returns the number of the class in the tablebase.
    pub const fn id(self) -> usize {
        (self.own * SOLDIER_COUNT_VALUES + self.enemy) * 2 + self.drops as usize
    }

    const fn from_id(id: usize) -> PositionClass {
        PositionClass {
            own: id / 2 / SOLDIER_COUNT_VALUES,
            enemy: id / 2 % SOLDIER_COUNT_VALUES,
            drops: id % 2 == 1,
        }
    }

    /// Returns the length of a row: the number of ways to place the other side's soldiers if the
    /// soldiers of the side to move are already placed.
    const fn positions_per_row(self) -> usize {
        binomial(SOLDIER_CELL_COUNT - self.own, self.enemy)
    }
}

/// Returns the index of a position in the tablebase, or `None` if a castle is captured.
pub fn table_index_of(position: &Position) -> Option<TableIndex> {
    if !position.has_both_castles() {
        return None;
    }
    let mut sets = [position.soldiers(position.side), position.soldiers(!position.side)];
    if position.side == Side::Second {
        sets = sets.map(half_turn_cell_set);
    }
    let [own, enemy] = sets;
    let [own_count, enemy_count] = sets.map(|set| set.count_ones() as usize);
    let class =
        PositionClass { own: own_count, enemy: enemy_count, drops: position.is_drop_phase() };
    let free = FreePoints::new(own | NON_SOLDIER_CELL_MASK);
    Some(TableIndex {
        class: class.id(),
        number: FREE_SOLDIER_CELLS.number_of_set(own) * class.positions_per_row()
            + free.number_of_set(enemy),
    })
}

impl PositionNumbering for RosesNumbering<'_> {
    type Rules = Roses;

    fn rules(&self) -> &Roses {
        self.rules
    }

    fn class_size(&self, class: usize) -> usize {
        let class = PositionClass::from_id(class);
        binomial(SOLDIER_CELL_COUNT, class.own) * class.positions_per_row()
    }

    fn index_of_position(&self, position: &Position) -> Option<TableIndex> {
        table_index_of(position)
    }

    fn position_at_index(&self, TableIndex { class, number }: TableIndex) -> Option<Position> {
        let class = PositionClass::from_id(class);
        let own = self.sets.get(class.own, number / class.positions_per_row(), CASTLE_CELL_SET);
        let enemy =
            self.sets.get(class.enemy, number % class.positions_per_row(), own | CASTLE_CELL_SET);
        let reserve = |count: usize| if class.drops { SOLDIERS_PER_SIDE - count as u8 } else { 0 };
        let reserves = [reserve(class.own), reserve(class.enemy)];
        Some(Position {
            soldiers: [own, enemy],
            castles: CASTLE_CELL_SET,
            reserves,
            side: Side::First,
            full_move: 1,
        })
    }
}

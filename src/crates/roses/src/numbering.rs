//! All positions of Guerre des Deux Roses as numbers, for the tablebase that solves the game.
//!
//! Every position is seen with White to move; if Black is to move, the half turn makes it so. A class says how many
//! soldiers the side to move and the other side have on the board, and whether soldiers are still to be dropped.
//!
//! Within a class the numbering is a perfect hash by [ranking combinations](pentarch_tables::combinations): first the
//! set of cells on which the soldiers of the side to move stand, then, among the cells that are left, the set on which
//! those of the other side stand.

use pentarch_core::Side;
use pentarch_tables::combinations::{Combinations, FreePoints, choose};
use pentarch_tables::{Numbering, TableIndex};

use super::Roses;
use super::board::{CELL_COUNT, Cells, HOMES, half_turn};
use super::position::{Position, SOLDIERS};

/// The cells of the castles, on which no soldier stands while the game goes on.
pub const CASTLES: Cells = HOMES[0].bit() | HOMES[1].bit();
/// The number of cells on which soldiers can stand.
pub const FREE_COUNT: usize = CELL_COUNT - 2;
/// All bits that are not such a cell.
const NOT_FREE: Cells = CASTLES | !0 << CELL_COUNT;
/// The number of different counts of soldiers that a side can have on the board.
pub const COUNTS: usize = SOLDIERS as usize + 1;

/// The cells on which soldiers can stand while there is none on the board.
static FREE_CELLS: FreePoints = FreePoints::new(NOT_FREE);

/// The numbering of all positions in which both castles stand. With it, tables can be
/// [verified](pentarch_tables::verify).
pub struct RosesNumbering<'a> {
    rules: &'a Roses,
    /// The sets of cells by size and rank.
    sets: Combinations,
}

impl RosesNumbering<'_> {
    /// The numbering for these rules. It is the same under all rules.
    pub fn new(rules: &Roses) -> RosesNumbering<'_> {
        RosesNumbering { rules, sets: Combinations::new(FREE_COUNT, SOLDIERS.into()) }
    }
}

/// A class of positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Class {
    /// The number of soldiers that the side to move has on the board.
    pub own: usize,
    /// The number of soldiers that the other side has on the board.
    pub enemy: usize,
    /// Whether the side to move must drop a soldier.
    pub drops: bool,
}

impl Class {
    /// All classes of the move phase.
    pub fn of_move_phase() -> impl Iterator<Item = Class> {
        (0..COUNTS).flat_map(|own| (0..COUNTS).map(move |enemy| Class { own, enemy, drops: false }))
    }

    /// All classes of the drop phase, from the last drop to the first. The sides have equally many soldiers before a
    /// drop, or the side to move has one less.
    pub fn of_drop_phase() -> impl Iterator<Item = Class> {
        let before = |own| [own + 1, own].map(|enemy| Class { own, enemy, drops: true });
        (0..COUNTS - 1).rev().flat_map(before)
    }

    /// The number of the class, as tables use it.
    pub const fn id(self) -> usize {
        (self.own * COUNTS + self.enemy) * 2 + self.drops as usize
    }

    /// The class with this number.
    const fn from_id(id: usize) -> Class {
        Class { own: id / 2 / COUNTS, enemy: id / 2 % COUNTS, drops: id % 2 == 1 }
    }

    /// The number of ways to place the soldiers of the other side when those of the side to move are placed.
    const fn row_length(self) -> usize {
        choose(FREE_COUNT - self.own, self.enemy)
    }
}

/// The index of a position in the tablebase; none if a castle is captured.
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
    let class = Class { own: own_count, enemy: enemy_count, drops: position.is_drop_phase() };
    let free = FreePoints::new(own | NOT_FREE);
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
        let class = Class::from_id(class);
        choose(FREE_COUNT, class.own) * class.row_length()
    }

    fn index(&self, position: &Position) -> Option<TableIndex> {
        index_of(position)
    }

    fn position(&self, TableIndex { class, number }: TableIndex) -> Option<Position> {
        let class = Class::from_id(class);
        let own = self.sets.get(class.own, number / class.row_length(), CASTLES);
        let enemy = self.sets.get(class.enemy, number % class.row_length(), own | CASTLES);
        let reserve = |count: usize| if class.drops { SOLDIERS - count as u8 } else { 0 };
        let reserves = [reserve(class.own), reserve(class.enemy)];
        Some(Position {
            soldiers: [own, enemy],
            castles: CASTLES,
            reserves,
            side: Side::First,
            full_move: 1,
        })
    }
}

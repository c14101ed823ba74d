//! All positions of Guerre des Deux Roses as numbers, for the tablebase that solves the game.
//!
//! Every position is seen with White to move; if Black is to move, the half turn makes it so. A class says how many
//! soldiers the side to move and the other side have on the board, and whether soldiers are still to be dropped.
//!
//! Within a class the numbering is a perfect hash by [ranking combinations](crate::tables::combinations): first the set
//! of cells on which the other side's soldiers stand, then, among the cells that are left, the set on which those of
//! the side to move stand. So positions that differ only in the soldiers of the side to move, as the predecessors of a
//! position do, have numbers close to each other.

use crate::core::Side;
use crate::tables::combinations::{Combinations, FreePoints, choose};
use crate::tables::{Numbering, TableIndex};

use super::Roses;
use super::board::{Board, CELL_COUNT, Cell, Cells, Direction, HOMES, cells, half_turn};
use super::moves::{self, Move};
use super::position::{Position, SOLDIERS};

/// The cells of the castles, on which no soldier stands while the game goes on.
const CASTLES: Cells = HOMES[0].bit() | HOMES[1].bit();
/// The number of cells on which soldiers can stand.
const FREE_COUNT: usize = CELL_COUNT - 2;
/// All bits that are not such a cell.
const NOT_FREE: Cells = CASTLES | !0 << CELL_COUNT;
/// The number of different counts of soldiers that a side can have on the board.
const COUNTS: usize = SOLDIERS as usize + 1;

/// The cells on which soldiers can stand while there is none on the board.
static FREE_CELLS: FreePoints = FreePoints::new(NOT_FREE);

/// The numbering of all positions in which both castles stand.
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
struct Class {
    /// The number of soldiers that the side to move has on the board.
    own: usize,
    /// The number of soldiers that the other side has on the board.
    enemy: usize,
    /// Whether the side to move must drop a soldier.
    drops: bool,
}

impl Class {
    /// The number of the class, as tables use it.
    const fn id(self) -> usize {
        (self.own * COUNTS + self.enemy) * 2 + self.drops as usize
    }

    /// The class with this number.
    const fn from_id(id: usize) -> Class {
        Class { own: id / 2 / COUNTS, enemy: id / 2 % COUNTS, drops: id % 2 == 1 }
    }

    /// The number of ways to place the soldiers of the side to move when those of the other side are placed.
    const fn row_length(self) -> usize {
        choose(FREE_COUNT - self.enemy, self.own)
    }
}

/// The indices of all positions of a class in which the soldiers of the other side stand on the same cells.
struct Row {
    class: Class,
    /// The least of their numbers.
    first: usize,
    /// The cells that are left for the soldiers of the side to move.
    free: FreePoints,
}

impl Row {
    fn new(class: Class, enemy: Cells) -> Row {
        let first = FREE_CELLS.rank(enemy) * class.row_length();
        Row { class, first, free: FreePoints::new(enemy | NOT_FREE) }
    }

    /// The index of the position in which the soldiers of the side to move stand on these cells.
    fn index(&self, own: Cells) -> TableIndex {
        TableIndex { class: self.class.id(), number: self.first + self.free.rank(own) }
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
    let count = |set: Cells| set.count_ones() as usize;
    let class = Class { own: count(own), enemy: count(enemy), drops: position.is_drop_phase() };
    Some(Row::new(class, enemy).index(own))
}

impl Numbering for RosesNumbering<'_> {
    type Rules = Roses;

    fn rules(&self) -> &Roses {
        self.rules
    }

    /// The move phase comes first, from few soldiers to many, since captures lead to fewer. The drop phase follows in
    /// reverse, since it ends in the move phase with all soldiers.
    fn groups(&self) -> Vec<Vec<usize>> {
        let id = |own, enemy, drops| Class { own, enemy, drops }.id();
        let pairs = (0..COUNTS).flat_map(|more| (0..=more).map(move |less| (more, less)));
        let mut groups: Vec<Vec<usize>> = pairs
            .map(|(a, b)| if a == b { vec![id(a, a, false)] } else { vec![id(a, b, false), id(b, a, false)] })
            .collect();
        groups
            .sort_by_key(|group| group.iter().map(|&id| Class::from_id(id)).map(|class| class.own + class.enemy).max());
        groups.extend(
            (0..COUNTS - 1).rev().flat_map(|count| [vec![id(count, count + 1, true)], vec![id(count, count, true)]]),
        );
        groups
    }

    fn size(&self, class: usize) -> usize {
        let class = Class::from_id(class);
        choose(FREE_COUNT, class.enemy) * class.row_length()
    }

    fn index(&self, position: &Position) -> Option<TableIndex> {
        index_of(position)
    }

    fn position(&self, TableIndex { class, number }: TableIndex) -> Option<Position> {
        let class = Class::from_id(class);
        let enemy = self.sets.get(class.enemy, number / class.row_length(), CASTLES);
        let own = self.sets.get(class.own, number % class.row_length(), enemy | CASTLES);
        let reserve = |count: usize| if class.drops { SOLDIERS - count as u8 } else { 0 };
        let reserves = [reserve(class.own), reserve(class.enemy)];
        Some(Position { soldiers: [own, enemy], castles: CASTLES, reserves, side: Side::First, full_move: 1 })
    }

    fn images(&self, _: &Position) -> u16 {
        1
    }

    fn leaves_group(&self, position: &Position, mv: Move) -> bool {
        matches!(mv, Move::Drop(_)) || position.captures(&self.rules.board, mv) != 0
    }

    /// Only moves of the move phase stay in a group. A line move or a translation is undone by another one, and an
    /// attack that pushed a soldier is undone by a pull (see `visit_pulls`).
    fn predecessors(&self, position: &Position, moves: &mut Vec<Move>, mut visit: impl FnMut(TableIndex)) {
        if position.is_drop_phase() {
            return;
        }
        let board = &self.rules.board;
        // The position as seen by the side that has just moved, with that side to move again.
        let after = Position { side: Side::First, ..position.half_turn() };
        let [own, enemy] = after.soldiers;
        let count = |set: Cells| set.count_ones() as usize;
        let class = Class { own: count(own), enemy: count(enemy), drops: false };
        let row = Row::new(class, enemy);
        moves::generate(board, &after, moves);
        for mv in moves.drain(..) {
            match mv {
                Move::Forward { from, to, .. } if after.occupied() & to.bit() == 0 => {
                    visit(row.index(own ^ from.bit() ^ to.bit()));
                }
                Move::Translation { from, to } => {
                    visit(row.index(own ^ from[0].bit() ^ from[1].bit() ^ to[0].bit() ^ to[1].bit()));
                }
                _ => {}
            }
        }
        for pushed in cells(enemy).filter(|&pushed| board.neighbours(pushed) & own != 0) {
            visit_pulls(board, &after, pushed, |earlier| {
                let [own, enemy] = earlier.soldiers;
                visit(Row::new(class, enemy).index(own));
            });
        }
    }
}

/// Visits the positions from which the side to move comes to the position `after` by an attack that pushes an enemy
/// soldier to the cell `pushed`.
///
/// Such an attack is undone by a pull: the rearmost attacker is put back one cell if the attack was by support, two if
/// it was by phalanx, and the pushed soldier is put back onto the cell that the attack took.
fn visit_pulls(board: &Board, after: &Position, pushed: Cell, mut visit: impl FnMut(Position)) {
    let (own, free) = (after.soldiers(after.side), !after.occupied());
    for back in Direction::ALL {
        let Some(to) = board.next(pushed, back).filter(|to| own & to.bit() != 0) else { continue };
        let supported = board.next(to, back);
        let in_phalanx = supported.and_then(|middle| board.next(middle, back));
        for from in [supported, in_phalanx].into_iter().flatten().filter(|from| free & from.bit() != 0) {
            let mut earlier = *after;
            earlier.soldiers[after.side.index()] ^= to.bit() | from.bit();
            earlier.soldiers[(!after.side).index()] ^= pushed.bit() | to.bit();
            let attack = moves::forward(board, &earlier, from, back.opposite());
            if matches!(attack, Some(Move::Forward { to: reached, .. }) if reached == to) {
                visit(earlier);
            }
        }
    }
}

//! All positions of Guerre des Deux Roses as numbers, for the tables that solve the game.
//!
//! The side to move is taken for White: otherwise the half turn makes it so. A class is how many soldiers stand on the
//! board, those of the side to move and those of the other one, and whether soldiers are still to be dropped. In it, a
//! number says where the other side's soldiers stand, and then, of the cells that are left, where those of the side to
//! move do: so the positions before a move have numbers close to each other.

use crate::core::Side;
use crate::tables::sets::{Rest, Sets, choose};
use crate::tables::{Numbering, Place};

use super::Roses;
use super::board::{Board, COUNT, Cell, Cells, Direction, HOMES, cells, half_turn};
use super::moves::{self, Move};
use super::position::{Position, SOLDIERS};

/// The cells of the castles, on which no soldier stands while the game goes on.
const CASTLES: Cells = HOMES[0].bit() | HOMES[1].bit();
/// How many other cells there are.
const FREE: usize = COUNT - 2;
/// Whatever is not one of them.
const NOT_FREE: Cells = CASTLES | !0 << COUNT;
/// How many different numbers of soldiers on the board there are.
const COUNTS: usize = SOLDIERS as usize + 1;

/// The cells for soldiers on an empty board.
static EMPTY: Rest = Rest::new(NOT_FREE);

/// The numbering of the positions of the game, decided ones with a captured castle left out.
pub struct Soldiers<'a> {
    game: &'a Roses,
    sets: Sets,
}

impl Soldiers<'_> {
    /// The numbering for the game under these rules, which do not change it.
    pub fn new(game: &Roses) -> Soldiers<'_> {
        Soldiers { game, sets: Sets::new(FREE, SOLDIERS.into()) }
    }
}

/// What a class says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Class {
    /// The soldiers on the board of the side to move.
    own: usize,
    /// Those of the other side.
    enemy: usize,
    /// Whether the side to move must drop.
    drops: bool,
}

impl Class {
    const fn id(self) -> usize {
        (self.own * COUNTS + self.enemy) * 2 + self.drops as usize
    }

    const fn new(id: usize) -> Class {
        Class { own: id / 2 / COUNTS, enemy: id / 2 % COUNTS, drops: id % 2 == 1 }
    }

    /// How many ways to place the soldiers of the side to move there are for each way to place the others.
    const fn row(self) -> usize {
        choose(FREE - self.enemy, self.own)
    }
}

/// The places of all positions in which the other side has the same soldiers, and the side to move as many.
struct Row {
    class: Class,
    /// The number of the first of them.
    first: usize,
    /// The cells that are left.
    rest: Rest,
}

impl Row {
    fn new(class: Class, enemy: Cells) -> Row {
        let first = EMPTY.rank(enemy) * class.row();
        Row { class, first, rest: Rest::new(enemy | NOT_FREE) }
    }

    /// The place of the position in which the side to move has these soldiers.
    fn place(&self, own: Cells) -> Place {
        Place { class: self.class.id(), number: self.first + self.rest.rank(own) }
    }
}

/// The place of a position with both castles.
pub fn place(position: &Position) -> Option<Place> {
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
    Some(Row::new(class, enemy).place(own))
}

impl Numbering for Soldiers<'_> {
    type Game = Roses;

    fn game(&self) -> &Roses {
        self.game
    }

    /// The move phase from few soldiers to many, then the drop phase backwards.
    fn groups(&self) -> Vec<Vec<usize>> {
        let id = |own, enemy, drops| Class { own, enemy, drops }.id();
        let pairs = (0..COUNTS).flat_map(|more| (0..=more).map(move |less| (more, less)));
        let mut groups: Vec<Vec<usize>> = pairs
            .map(|(a, b)| if a == b { vec![id(a, a, false)] } else { vec![id(a, b, false), id(b, a, false)] })
            .collect();
        groups.sort_by_key(|group| group.iter().map(|&id| Class::new(id)).map(|class| class.own + class.enemy).max());
        groups.extend(
            (0..COUNTS - 1).rev().flat_map(|count| [vec![id(count, count + 1, true)], vec![id(count, count, true)]]),
        );
        groups
    }

    fn size(&self, class: usize) -> usize {
        let class = Class::new(class);
        choose(FREE, class.enemy) * class.row()
    }

    fn place(&self, position: &Position) -> Option<Place> {
        place(position)
    }

    fn position(&self, Place { class, number }: Place) -> Option<Position> {
        let class = Class::new(class);
        let enemy = self.sets.get(class.enemy, number / class.row(), CASTLES);
        let own = self.sets.get(class.own, number % class.row(), enemy | CASTLES);
        let reserve = |count: usize| if class.drops { SOLDIERS - count as u8 } else { 0 };
        let reserves = [reserve(class.own), reserve(class.enemy)];
        Some(Position { soldiers: [own, enemy], castles: CASTLES, reserves, side: Side::First, full_move: 1 })
    }

    fn images(&self, _: &Position) -> u16 {
        1
    }

    fn leaves_group(&self, position: &Position, mv: Move) -> bool {
        matches!(mv, Move::Drop(_)) || position.captures(&self.game.board, mv) != 0
    }

    /// A line move or translation is undone by another one. An attack is undone by pulling: the attacker goes one cell
    /// back if it was supported, two if it came in a phalanx, and the soldier behind follows it.
    fn predecessors(&self, position: &Position, moves: &mut Vec<Move>, mut visit: impl FnMut(Place)) {
        if position.is_drop_phase() {
            return;
        }
        let board = &self.game.board;
        // As the side that has moved sees it, and as if it had still to move.
        let after = Position { side: Side::First, ..position.half_turn() };
        let [own, enemy] = after.soldiers;
        let count = |set: Cells| set.count_ones() as usize;
        let class = Class { own: count(own), enemy: count(enemy), drops: false };
        let row = Row::new(class, enemy);
        moves::generate(board, &after, moves);
        for mv in moves.drain(..) {
            match mv {
                Move::Forward { from, to, .. } if after.occupied() & to.bit() == 0 => {
                    visit(row.place(own ^ from.bit() ^ to.bit()));
                }
                Move::Translation { from, to } => {
                    visit(row.place(own ^ from[0].bit() ^ from[1].bit() ^ to[0].bit() ^ to[1].bit()));
                }
                _ => {}
            }
        }
        for pushed in cells(enemy).filter(|&pushed| board.neighbours(pushed) & own != 0) {
            pulls(board, &after, pushed, |earlier| {
                let [own, enemy] = earlier.soldiers;
                visit(Row::new(class, enemy).place(own));
            });
        }
    }
}

/// Visits the positions in which the side to move pushes an enemy soldier to this cell and comes to the position
/// `after`.
fn pulls(board: &Board, after: &Position, pushed: Cell, mut visit: impl FnMut(Position)) {
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

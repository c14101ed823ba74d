//! The evaluation of Guerre des Deux Roses: soldiers, their way to the enemy castle, and phalanxes before it.

use crate::core::{Evaluate, Side};

use super::Roses;
use super::board::{COUNT, Cell, HOMES, SIEGES, cells};
use super::moves::Move;
use super::position::Position;

/// What 0 to 4 soldiers are worth, those in reserve included: two can attack, one alone cannot.
const SOLDIERS: [i32; 5] = [0, 100, 350, 500, 600];
/// What each step nearer to the enemy castle is worth to a soldier.
const STEP: i32 = 12;
/// From so many steps away a soldier counts as far from the castle.
const FAR: i32 = 5;
/// What two soldiers in line before the enemy castle are worth: if nothing is done about them, they capture it.
const PHALANX: i32 = 150;
/// What it is worth to be the next to move.
const TEMPO: i32 = 20;

/// What makes a capture of the castle, a capture, a push and a step towards the enemy castle promising.
const PROMISE: [i32; 4] = [10_000, 1_000, 200, 10];

impl Evaluate for Roses {
    const BENCH: (u32, &'static [&'static str]) = (
        8,
        &[
            "c/4/5/5/4/C w 4/4 1",
            "c/2s1/1s1Ss/s3S/2SS/C w 0/0 16",
            "c/s3/2ssS/S3S/2S1/C w 0/0 16",
            "c/sss1/3s1/2SS1/S2S/C w 0/0 9",
            "c/1sS1/3s1/s1s1S/2SS/C w 0/0 16",
            "c/1s2/s4/4S/2S1/C b 0/0 40",
        ],
    );
    const SLOTS: usize = COUNT + COUNT.pow(2) + COUNT.pow(3);

    fn terms(&self, position: &Position, mut term: impl FnMut(&'static str, [i32; 2])) {
        let soldiers = |side: Side| {
            let all = position.soldiers(side).count_ones() as usize + usize::from(position.reserves[side.index()]);
            SOLDIERS[all]
        };
        let way = |side| cells(position.soldiers(side)).map(|cell| STEP * nearness(side, cell)).sum();
        let phalanx = |side| if besieges(position, side) { PHALANX } else { 0 };
        term("soldiers", Side::BOTH.map(soldiers));
        term("way to the castle", Side::BOTH.map(way));
        term("phalanx before the castle", Side::BOTH.map(phalanx));
        term("the move", Side::BOTH.map(|side| if side == position.side { TEMPO } else { 0 }));
    }

    /// Not if the side to move can capture the castle, for which it must have dropped all its soldiers.
    fn is_quiet(&self, position: &Position) -> bool {
        position.is_drop_phase() || !besieges(position, position.side)
    }

    fn promises<'a>(&'a self, position: &'a Position) -> impl Fn(Move) -> i32 + 'a {
        let [castle, capture, push, step] = PROMISE;
        let gain = move |from: Cell, to: Cell| step * (nearness(position.side, to) - nearness(position.side, from));
        move |mv| match mv {
            Move::Drop(cell) => step * nearness(position.side, cell),
            Move::Forward { from, to, .. } => {
                let captured = position.captures(&self.board, mv);
                let attack = if captured & position.castles != 0 {
                    castle
                } else if captured != 0 {
                    capture
                } else if position.occupied() & to.bit() != 0 {
                    push
                } else {
                    0
                };
                attack + gain(from, to)
            }
            Move::Translation { from, to } => gain(from[0], to[0]) + gain(from[1], to[1]),
        }
    }

    fn slot(&self, mv: Move) -> usize {
        let number = |cells: &[Cell]| cells.iter().fold(0, |number, cell| number * COUNT + cell.index());
        match mv {
            Move::Drop(cell) => cell.index(),
            Move::Forward { from, to, .. } => COUNT + number(&[from, to]),
            Move::Translation { from, to } => COUNT + COUNT.pow(2) + number(&[from[0], from[1], to[0]]),
        }
    }
}

/// How many steps nearer to the castle that this side attacks than [`FAR`] a cell is.
fn nearness(side: Side, cell: Cell) -> i32 {
    FAR - i32::from(HOMES[(!side).index()].distance(cell))
}

/// Whether this side has two soldiers in line before the enemy castle.
fn besieges(position: &Position, side: Side) -> bool {
    SIEGES[side.index()].iter().any(|pair| position.soldiers(side) & pair == *pair)
}

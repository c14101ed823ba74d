//! The evaluation of Guerre des Deux Roses: soldiers, their way to the enemy castle, and phalanxes before it.

use crate::core::{Evaluate, NOISY, Side, Tension};

use super::Roses;
use super::board::{COUNT, Cell, HOMES, SIEGES, cells};
use super::moves::Move;
use super::position::Position;

/// From so many steps away a soldier counts as far from the castle.
const FAR: i32 = 5;
/// What makes a capture of the castle, a capture, a push and a step towards the enemy castle promising.
const PROMISE: [i32; 4] = [10 * NOISY, NOISY, 200, 10];

impl Evaluate for Roses {
    type Insight = ();

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

    /// Soldiers in reserve count too. Two can attack, one alone cannot. What stands in line before the enemy castle
    /// captures it if nothing is done.
    const WEIGHTS: &'static [(&'static str, i32)] = &[
        ("a soldier", 1000),
        ("a second soldier", 2500),
        ("a third soldier", 1500),
        ("a fourth soldier", 1000),
        ("nearness to the castle", 120),
        ("phalanx before the castle", 1500),
        ("the move", 200),
    ];

    fn study(&self, _: &Position) {}

    #[inline]
    fn parts(&self, position: &Position, (): &(), mut part: impl FnMut([i32; 2])) {
        let soldiers =
            Side::BOTH.map(|side| position.soldiers(side).count_ones() + u32::from(position.reserves[side.index()]));
        (1..=4).for_each(|number| part(soldiers.map(|soldiers| i32::from(soldiers >= number))));
        part(Side::BOTH.map(|side| cells(position.soldiers(side)).map(|cell| nearness(side, cell)).sum()));
        part(Side::BOTH.map(|side| i32::from(besieges(position, side))));
        part(position.side.only(1));
    }

    /// Whether the side to move can capture the castle, for which it must have dropped all its soldiers.
    fn tension(&self, position: &Position, (): &()) -> Tension {
        if position.is_drop_phase() || !besieges(position, position.side) { Tension::Quiet } else { Tension::Noisy }
    }

    fn promises<'a>(&'a self, position: &'a Position, (): &'a ()) -> impl Fn(Move) -> i32 + 'a {
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

//! The evaluation of Bushka: pieces, the way to the last rank, and steps left to soldiers and phalanxes.

use crate::core::{Evaluate, Side};

use super::Bushka;
use super::board::{Direction, squares};
use super::captures;
use super::moves::Move;
use super::position::Position;

/// What a soldier is worth.
const SOLDIER: i32 = 100;
/// What a king is worth: it strikes across the board, but never in a phalanx.
const KING: i32 = 280;
/// What each rank that a soldier has gone is worth.
const RANK: i32 = 6;
/// What each step forward onto an empty square is worth, counted by soldier and direction: who runs out of them loses.
const STEP: i32 = 12;
/// What such a step is worth more if a phalanx can make it: only a phalanx captures a phalanx.
const PHALANX: i32 = 6;

impl Evaluate for Bushka {
    const BENCH: (u32, &'static [&'static str]) = (
        6,
        &[
            "1b1b1b1b1b/b1b1b1b1b1/1b1b1b1b1b/10/10/10/10/w1w1w1w1w1/1w1w1w1w1w/w1w1w1w1w1 w 1",
            "1b1b1b1b2/2b1b1b1b1/1b3b1b1b/b1b3b3/10/10/1w1w1w1w2/w1w1w1w1w1/1w3w1w1w/2w3w3 w 6",
            "1b1b3b2/b1b1b1b1b1/1b3b1b1b/6b1b1/10/w9/1w3w1w2/w5w1w1/1w3w1w2/w1w3w1w1 w 6",
            "3b6/2b1b3b1/1b1b1b1b2/2b3b1b1/10/2w3b3/1w8/w1w3w1w1/1w1w3w2/w7w1 w 11",
            "10/2b7/1b8/b1b5b1/1b1w1w1b1b/2w1w1w1b1/1w3w1w2/8b1/10/2w7 w 21",
            "10/10/10/4w5/7b2/10/10/4B5/9W/10 w 41",
        ],
    );
    /// The first and the last square of the path.
    const SLOTS: usize = 64 * 64;

    fn terms(&self, position: &Position, mut term: impl FnMut(&'static str, [i32; 2])) {
        let count = |set: u64| set.count_ones() as i32;
        term("soldiers", position.soldiers.map(|soldiers| SOLDIER * count(soldiers)));
        term("kings", position.kings.map(|kings| KING * count(kings)));
        let advance = |side: Side| {
            let ranks = squares(position.soldiers[side.index()]).map(|square| match side {
                Side::First => square.rank(),
                Side::Second => self.board.ranks - 1 - square.rank(),
            });
            RANK * ranks.map(i32::from).sum::<i32>()
        };
        term("advance", Side::BOTH.map(advance));
        let empty = position.empty(&self.board);
        let free = Side::BOTH.map(|side| free_steps(position.soldiers[side.index()], empty, side));
        term("free steps", free.map(|[soldiers, _]| STEP * soldiers));
        term("free phalanxes", free.map(|[_, phalanxes]| PHALANX * phalanxes));
    }

    fn is_quiet(&self, position: &Position) -> bool {
        !captures::is_due(&self.board, position)
    }

    /// All legal captures take equally many pieces: kings count for more. A promotion comes before other quiet moves,
    /// and a long phalanx before a short one.
    fn promises<'a>(&'a self, position: &'a Position) -> impl Fn(Move) -> i32 + 'a {
        move |mv: Move| {
            let captured = captures::captured(position, mv);
            let kings = captured & position.kings[(!position.side).index()];
            let soldier = position.own_soldiers() & mv.from().bit() != 0;
            let promotes = soldier && mv.to().bit() & self.board.last_ranks[position.side.index()] != 0;
            let together = if soldier { i32::from(mv.from().distance(mv.to())) } else { 0 };
            SOLDIER * captured.count_ones() as i32
                + KING * (kings.count_ones() as i32 + i32::from(promotes))
                + PHALANX * together
        }
    }

    fn slot(&self, mv: Move) -> usize {
        usize::from(mv.from().0) * 64 + usize::from(mv.to().0)
    }
}

/// How many steps forward onto empty squares a side's soldiers have, and how many of them lead a phalanx.
fn free_steps(soldiers: u64, empty: u64, side: Side) -> [i32; 2] {
    let mut free = [0; 2];
    for direction in Direction::forward(side) {
        let heads = soldiers & direction.back().shift(empty);
        free[0] += heads.count_ones() as i32;
        free[1] += (heads & direction.shift(soldiers)).count_ones() as i32;
    }
    free
}

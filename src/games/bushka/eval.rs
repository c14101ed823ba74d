//! The evaluation of Bushka: pieces, the way to the last rank, and steps left to soldiers and phalanxes.

use crate::core::{Evaluate, NOISY, Side, Tension};

use super::Bushka;
use super::board::{Direction, squares};
use super::captures;
use super::moves::Move;
use super::position::Position;

/// What the promise of a move counts for each soldier and king that it captures.
const CAPTURE: [i32; 2] = [NOISY, 3 * NOISY];
/// What it counts for each soldier of a phalanx that moves.
const TOGETHER: i32 = 6;

impl Evaluate for Bushka {
    type Insight = ();

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

    /// A king strikes across the board, but never in a phalanx. Who runs out of steps forward loses; only a phalanx
    /// captures a phalanx.
    const WEIGHTS: &'static [(&'static str, i32)] = &[
        ("soldiers", 1000),
        ("kings", 2800),
        ("ranks gone by soldiers", 60),
        ("free steps of soldiers", 120),
        ("free steps of phalanxes", 60),
    ];

    fn study(&self, _: &Position) {}

    #[inline]
    fn parts(&self, position: &Position, (): &(), mut part: impl FnMut([i32; 2])) {
        let count = |set: u64| set.count_ones() as i32;
        part(position.soldiers.map(count));
        part(position.kings.map(count));
        let advance = |side: Side| {
            let ranks = squares(position.soldiers[side.index()]).map(|square| match side {
                Side::First => square.rank(),
                Side::Second => self.board.ranks - 1 - square.rank(),
            });
            ranks.map(i32::from).sum::<i32>()
        };
        part(Side::BOTH.map(advance));
        let empty = position.empty(&self.board);
        let free = Side::BOTH.map(|side| free_steps(position.soldiers[side.index()], empty, side));
        part(free.map(|[soldiers, _]| soldiers));
        part(free.map(|[_, phalanxes]| phalanxes));
    }

    /// Captures are compulsory.
    fn tension(&self, position: &Position, (): &()) -> Tension {
        if captures::is_due(&self.board, position) { Tension::Forced } else { Tension::Quiet }
    }

    /// All legal captures take equally many pieces: kings count for more. A promotion comes before other quiet moves,
    /// and a long phalanx before a short one.
    fn promises<'a>(&'a self, position: &'a Position, (): &'a ()) -> impl Fn(Move) -> i32 + 'a {
        move |mv: Move| {
            let captured = captures::captured(position, mv);
            let kings = captured & position.kings[(!position.side).index()];
            let soldier = position.own_soldiers() & mv.from().bit() != 0;
            let promotes = soldier && mv.to().bit() & self.board.last_ranks[position.side.index()] != 0;
            let together = if soldier { i32::from(mv.from().distance(mv.to())) } else { 0 };
            let [soldier, king] = CAPTURE;
            soldier * (captured & !kings).count_ones() as i32
                + king * (kings.count_ones() as i32 + i32::from(promotes))
                + TOGETHER * together
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

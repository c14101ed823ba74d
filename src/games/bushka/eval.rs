//! The evaluation of Bushka: pieces, phalanxes, the way to the last rank, and the steps left.

use crate::core::{Evaluate, NOISY, Side, Tension};

use super::Bushka;
use super::board::{Board, Direction};
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

    /// Soldiers count for less than where they stand: who runs out of steps loses, and only a phalanx captures a
    /// phalanx. No enemy can come up behind a soldier on the edge. The first king is worth more than the others, since
    /// it can hardly be caught. The share of the pieces is in hundredths. Three kings always win against one.
    ///
    /// Found by `pentarch tune --game bushka --data FILE --games 4000 --nodes 500 --opening 10 --unit soldiers`, with a
    /// second file of 3000 games by the weights found from the first one; but three or more to one have more than these
    /// games say, because the win is certain.
    const WEIGHTS: &'static [(&'static str, i32)] = &[
        ("soldiers", 1000),
        ("kings", 1387),
        ("a king", 1262),
        ("share of the pieces", -41),
        ("three or more to one", 5000),
        ("three to go", 77),
        ("two to go", 207),
        ("one to go", 78),
        ("on the edges", 94),
        ("in the centre", 59),
        ("steps", 156),
        ("phalanx steps", 90),
        ("long phalanx steps", 117),
        ("safe steps by pieces gone", 5),
        ("safe second steps", 33),
        ("blocked soldiers", -75),
        ("pairs", 3),
        ("pairs by pieces gone", 12),
        ("threes", 39),
        ("wings", -77),
        ("the move", 22),
    ];

    fn study(&self, _: &Position) {}

    #[inline]
    fn parts(&self, position: &Position, (): &(), mut part: impl FnMut([i32; 2])) {
        if is_dead(position) {
            return Bushka::WEIGHTS.iter().for_each(|_| part([0; 2]));
        }
        let [first, second] = Side::BOTH.map(|side| self.parts_of(position, side));
        first.into_iter().zip(second).for_each(|(first, second)| part([first, second]));
        part(position.side.only(1));
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

impl Bushka {
    /// How much one side has of each part of the evaluation but the move.
    fn parts_of(&self, position: &Position, side: Side) -> [i32; Bushka::WEIGHTS.len() - 1] {
        let board = &self.board;
        let (soldiers, kings) = (position.soldiers[side.index()], position.kings[side.index()]);
        let (men, pieces) = (count(soldiers | kings), count(position.occupied()));
        let gone = count(board.homes[0] | board.homes[1]) - pieces;
        let to_go = |ranks: usize| count(soldiers & board.ranks_to_go[side.index()][ranks]);
        let [left, right] = board.wings.map(|wing| count(soldiers & wing));
        let steps = Steps::of(board, position, side);
        let phalanxes = Phalanxes::of(soldiers, side);
        [
            count(soldiers),
            count(kings),
            i32::from(kings != 0),
            100 * men / pieces.max(1),
            i32::from(kings != 0 && men > 2 && pieces - men == 1),
            to_go(3),
            to_go(2),
            to_go(1),
            count(soldiers & board.edges),
            count(soldiers & board.centre),
            steps.soldiers,
            steps.pairs,
            steps.threes,
            steps.safe * gone,
            steps.second,
            steps.blocked,
            phalanxes.pairs,
            phalanxes.pairs * gone,
            phalanxes.threes,
            (left - right).abs(),
        ]
    }
}

/// Whether neither side can hope to win: each has a king, and at most one more piece.
///
/// Solved backwards, nearly all endings of one king against one or two, and of two against two, are drawn unless the
/// side to move captures at once or cannot help losing a king. One king always loses against three.
fn is_dead(position: &Position) -> bool {
    Side::BOTH.iter().all(|&side| position.kings[side.index()] != 0 && count(position.men(side)) <= 2)
}

fn count(set: u64) -> i32 {
    set.count_ones() as i32
}

/// The steps forward onto empty squares that a side's soldiers have, each soldier's in both directions counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Steps {
    /// All of them.
    soldiers: i32,
    /// Those that a phalanx of at least two can make.
    pairs: i32,
    /// Those that a phalanx of at least three can make.
    threes: i32,
    /// Those onto squares where no enemy is faced.
    safe: i32,
    /// The safe steps that could come next after those, each counted once.
    second: i32,
    /// Soldiers without a step.
    blocked: i32,
}

impl Steps {
    fn of(board: &Board, position: &Position, side: Side) -> Steps {
        let soldiers = position.soldiers[side.index()];
        let empty = position.empty(board);
        let safe = empty & !faced(position.men(!side), empty);
        let mut steps = Steps::default();
        let (mut free, mut reached) = (0, 0);
        for way in Direction::forward(side) {
            let heads = soldiers & way.back().shift(empty);
            let pairs = heads & way.shift(soldiers);
            let safely = way.shift(soldiers) & safe;
            steps.soldiers += count(heads);
            steps.pairs += count(pairs);
            steps.threes += count(pairs & way.shift(way.shift(soldiers)));
            steps.safe += count(safely);
            free |= heads;
            reached |= safely;
        }
        steps.second = Direction::forward(side).map(|way| count(way.shift(reached) & safe)).iter().sum();
        steps.blocked = count(soldiers & !free);
        steps
    }
}

/// The empty squares, and others, where a piece would face one of these enemies over one empty square: to step there
/// lets them capture.
fn faced(enemies: u64, empty: u64) -> u64 {
    Direction::ALL.iter().fold(0, |set, way| set | way.shift(way.shift(enemies) & empty))
}

/// Phalanxes of two and of three soldiers, parts of longer ones counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Phalanxes {
    pairs: i32,
    threes: i32,
}

impl Phalanxes {
    fn of(soldiers: u64, side: Side) -> Phalanxes {
        Direction::forward(side).iter().fold(Phalanxes::default(), |sum, way| {
            let seconds = soldiers & way.shift(soldiers);
            Phalanxes { pairs: sum.pairs + count(seconds), threes: sum.threes + count(seconds & way.shift(seconds)) }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::{Square, squares};
    use super::*;
    use crate::core::{Game, Notation, Options};

    /// The squares that lie so many steps in each direction forward from a square, if they are on the board.
    fn forward(board: &Board, square: Square, side: Side, steps: i8) -> [Option<Square>; 2] {
        let ranks = if side == Side::First { steps } else { -steps };
        [ranks, -ranks].map(|files| square.point().step(files, ranks).and_then(|point| board.square_at(point)))
    }

    #[test]
    fn two_kings_do_not_beat_one_and_three_do() {
        let game = Bushka::from_options(&Options::default());
        let judge = |text: &str| game.evaluate(&game.parse_position(text).unwrap(), &());
        assert_eq!(judge("10/10/10/10/9W/10/10/B1W7/10/10 w 51"), 0);
        assert_eq!(judge("10/10/10/10/9W/10/10/B1w7/10/10 b 51"), 0);
        assert!(judge("10/10/1W8/10/9W/10/10/B1W7/10/10 w 51") > 500);
        assert!(judge("10/10/10/10/9W/10/10/b1W7/10/10 w 51") > 100);
    }

    #[test]
    fn steps_and_phalanxes_are_those_of_counting_square_by_square() {
        let game = Bushka::from_options(&Options::default());
        let board = &game.board;
        for text in Bushka::BENCH.1 {
            let position = game.parse_position(text).unwrap();
            for side in Side::BOTH {
                let own = |at: Option<Square>| at.is_some_and(|at| position.soldiers[side.index()] & at.bit() != 0);
                let enemy = |at: Option<Square>| at.is_some_and(|at| position.men(!side) & at.bit() != 0);
                let empty = |at: Option<Square>| at.is_some_and(|at| position.empty(board) & at.bit() != 0);
                let is_safe = |at: Square| {
                    let near = [side, !side].map(|side| forward(board, at, side, 1)).concat();
                    let far = [side, !side].map(|side| forward(board, at, side, 2)).concat();
                    !near.into_iter().zip(far).any(|(near, far)| empty(near) && enemy(far))
                };
                let (mut steps, mut phalanxes) = (Steps::default(), Phalanxes::default());
                let mut reached = Vec::new();
                for from in squares(position.soldiers[side.index()]) {
                    let ways = || (0..2).map(|way| move |steps| forward(board, from, side, steps)[way]);
                    steps.blocked += i32::from(!ways().any(|at| empty(at(1))));
                    for at in ways() {
                        phalanxes.pairs += i32::from(own(at(-1)));
                        phalanxes.threes += i32::from(own(at(-1)) && own(at(-2)));
                        let Some(to) = at(1).filter(|&to| empty(Some(to))) else { continue };
                        steps.soldiers += 1;
                        steps.pairs += i32::from(own(at(-1)));
                        steps.threes += i32::from(own(at(-1)) && own(at(-2)));
                        if is_safe(to) {
                            steps.safe += 1;
                            reached.push(to.0);
                        }
                    }
                }
                reached.sort_unstable();
                reached.dedup();
                let second = reached.into_iter().flat_map(|at| forward(board, Square(at), side, 1)).flatten();
                steps.second = second.filter(|&to| empty(Some(to)) && is_safe(to)).count() as i32;
                assert_eq!(Steps::of(board, &position, side), steps, "{text} {side:?}");
                assert_eq!(Phalanxes::of(position.soldiers[side.index()], side), phalanxes, "{text} {side:?}");
            }
        }
    }
}

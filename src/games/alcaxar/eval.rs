//! The evaluation of Alcaxar: the race to the fortresses round the walls, and the mobility of the knights.

use crate::core::{Evaluate, NOISY, Side, Tension};

use super::Alcaxar;
use super::bitboard::{bitboard, gates};
use super::eval_cache::{EvalCache, MAX_DISTANCE};
use super::moves::Move;
use super::position::Position;

/// Move ordering: the score of a move that wins at once. No other move is noisy.
const WINNING_MOVE: i32 = 10 * NOISY;
/// Move ordering: the score of a knight move. That of a wall move is 0 before the scores below are added.
const KNIGHT_MOVE: i32 = 40;
/// Move ordering: what is added for a knight move that shortens the way round the walls to the fortress.
const KNIGHT_NEARER: i32 = 60;
/// Move ordering: the score of a wall move that closes an exit of the enemy knight's square, and of one that leaves it
/// only one exit.
const CLOSES_EXIT: [i32; 2] = [30, 60];
/// Move ordering: what is added for a wall move that opens an exit of the own knight's square, and taken away for one
/// that closes an exit.
const OPENS_EXIT: i32 = 20;

/// For each square, the number of its offset from the fortress on square 3. An offset is the pair of distances in files
/// and ranks, the smaller first. 0-0, the fortress itself, has number 0; 0-1 0-2 0-3 1-1 1-2 1-3 2-2 2-3 3-3 have the
/// numbers from 1 to 9.
const OFFSETS: [u32; 16] = [3, 2, 1, 0, 6, 5, 4, 1, 8, 7, 5, 2, 9, 8, 6, 3];
/// For each side, the mask whose exclusive or with a square gives the square that has the same offset from square 3 as
/// the original one has from the fortress that the side attacks.
const MIRROR_MASK: [u8; 2] = [15, 0];

impl Evaluate for Alcaxar {
    type EvalCache = EvalCache;

    const BENCH: (u32, &'static [&'static str]) = (
        6,
        &[
            "b8h2 b5c6d7e2e8f3g4h5 r - 1",
            "d8f4 b7c4d7e2e8f3f7h5 r f7 7",
            "d4f4 c2c4d3f5f7g4g6g8 g g4 10",
            "f8h4 a4d5e2e6g6h1h5i8 r g6 11",
            "b6d4 b5c6c8d7d9h1h3h5 g d9 21",
            "f8d6 a4b7c4c6f7g2i2i4 g - 39",
        ],
    );
    const HISTORY_SIZE: usize = 16 + 40 * 40;

    /// The weights are fitted to 3000 games by `pentarch tune --game alcaxar --data alcaxar.games --games 3000 --nodes
    /// 2000`. Distances, offsets and exits have a feature for each value, because the weight of one step or exit more
    /// depends on how many there are.
    const FEATURE_WEIGHTS: &'static [(&'static str, i32)] = &[
        ("1 step to the fortress", 729),
        ("2 steps to the fortress", 662),
        ("3 steps to the fortress", 402),
        ("4 steps to the fortress", 161),
        ("5 steps to the fortress", 115),
        ("6 steps to the fortress", -139),
        ("7 steps to the fortress", -191),
        ("8 steps to the fortress", -282),
        ("no way to the fortress", -603),
        ("1 step to the fortress if walls are turned", 2811),
        ("2 steps to the fortress if walls are turned", 67),
        ("3 steps to the fortress if walls are turned", 340),
        ("4 steps to the fortress if walls are turned", -134),
        ("5 steps to the fortress if walls are turned", 271),
        ("6 steps to the fortress if walls are turned", 51),
        ("7 steps to the fortress if walls are turned", -79),
        ("8 steps to the fortress if walls are turned", -112),
        ("no way to the fortress if walls are turned", -715),
        ("knight 0 by 1 from the fortress", 1894),
        ("knight 0 by 2 from the fortress", -98),
        ("knight 0 by 3 from the fortress", -673),
        ("knight 1 by 1 from the fortress", 1677),
        ("knight 1 by 2 from the fortress", 520),
        ("knight 1 by 3 from the fortress", -590),
        ("knight 2 by 2 from the fortress", 171),
        ("knight 2 by 3 from the fortress", -679),
        ("knight 3 by 3 from the fortress", -737),
        ("1 way out, 0 can be closed", -674),
        ("1 way out, 1 can be closed", -1654),
        ("2 ways out, 0 can be closed", 609),
        ("2 ways out, 1 can be closed", 122),
        ("2 ways out, 2 can be closed", -488),
        ("3 ways out, 0 can be closed", 1187),
        ("3 ways out, 1 can be closed", 634),
        ("3 ways out, 2 can be closed", 791),
        ("3 ways out, 3 can be closed", 359),
        ("4 ways out, 0 can be closed", 1052),
        ("4 ways out, 1 can be closed", 641),
        ("4 ways out, 2 can be closed", 956),
        ("4 ways out, 3 can be closed", 690),
        ("4 ways out, 4 can be closed", 678),
        ("the move", 563),
    ];

    fn eval_cache(&self, position: &Position) -> EvalCache {
        EvalCache::new(&self.board, position)
    }

    #[inline]
    fn features(&self, position: &Position, cache: &EvalCache, mut feature: impl FnMut([i32; 2])) {
        let count = |sets: [u64; 2]| sets.map(|set| set.count_ones());
        let offsets = Side::BOTH.map(|side| OFFSETS[usize::from(position.knight(side).0 ^ MIRROR_MASK[side.index()])]);
        let mut one_hot = |values: [u32; 2], range: std::ops::Range<u32>| {
            range.for_each(|number| feature(values.map(|value| i32::from(value == number))));
        };
        one_hot(cache.distance, 1..MAX_DISTANCE + 1);
        one_hot(cache.safe_distance, 1..MAX_DISTANCE + 1);
        one_hot(offsets, 1..10);
        // Mobility has a feature for each pair of the number of exits, `n`, and the number of closable ones, from 0 to
        // `n`.
        let [exits, closable] = [count(cache.exits), count(cache.closable)];
        one_hot([0, 1].map(|at| exits[at] * (exits[at] + 1) / 2 + closable[at]), 1..15);
        feature(position.side.only(1));
    }

    fn tension(&self, position: &Position, cache: &EvalCache) -> Tension {
        if cache.can_win[position.side.index()] { Tension::Noisy } else { Tension::Quiet }
    }

    fn move_ordering_scores<'a>(&'a self, position: &'a Position, cache: &'a EvalCache) -> impl Fn(Move) -> i32 + 'a {
        let (own, enemy) = (position.side.index(), (!position.side).index());
        let target = bitboard(Position::target(position.side));
        let has_one_exit = cache.exits[enemy].is_power_of_two();
        let own_gates = gates(bitboard(position.knights[own]));
        let enemy_gates = gates(bitboard(position.knights[enemy]));
        let (own_gates, enemy_gates) = (own_gates & !enemy_gates, enemy_gates & !own_gates);
        let closes_exit = CLOSES_EXIT[usize::from(cache.exits[enemy].count_ones() == 2)];
        move |mv| match mv {
            Move::Knight(to) => {
                let to = bitboard(to);
                let wins = to == target || (has_one_exit && to & cache.accessible[enemy] != 0);
                if wins { WINNING_MOVE } else { KNIGHT_MOVE + KNIGHT_NEARER * i32::from(to & cache.nearer[own] != 0) }
            }
            Move::Wall { from, to } => {
                let (from, to) = (from.bit(), to.bit());
                if to & cache.exits[enemy] != 0 && from & enemy_gates == 0 {
                    if has_one_exit { WINNING_MOVE } else { closes_exit }
                } else {
                    OPENS_EXIT * (i32::from(from & own_gates != 0) - i32::from(to & own_gates != 0))
                }
            }
        }
    }

    fn history_index(&self, mv: Move) -> usize {
        match mv {
            Move::Knight(to) => usize::from(to.0),
            Move::Wall { from, to } => 16 + usize::from(from.0) * 40 + usize::from(to.0),
        }
    }

    fn null_move(&self, position: &Position) -> Option<Position> {
        Some(Position { side: !position.side, last_wall: None, ..*position })
    }
}

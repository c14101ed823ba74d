//! The evaluation of Alquerque: checkers first, then how safe they stand, where they can step, and whose turn it is.

use crate::core::{Evaluate, NOISY, Side, Tension};

use super::board::{ALL, Direction, SIZE, Spot, rank};
use super::moves::Move;
use super::position::Position;
use super::rules::{Alquerque, Movement};

/// How many checkers a side has at the start.
const MEN: i32 = 12;
/// The points of the files a and e.
const EDGES: u32 = 0b11111 | 0b11111 << 20;
/// How many points a move can start or end on.
const POINTS: usize = SIZE as usize * SIZE as usize;

impl Evaluate for Alquerque {
    type Insight = ();

    const BENCH: (u32, &'static [&'static str]) = (
        11,
        &[
            "xxxxx/xxxxx/xx1oo/ooooo/ooooo l - - - 1",
            "xxxx1/xxxx1/x1o1x/oooo1/ooooo l - - - 4",
            "xxxxx/x2xx/ox1oo/o2oo/ooxoo l b3b4 - - 4",
            "x1xx1/x4/x2xx/o1oo1/ooooo l - - - 7",
            "x1x2/5/o1x1x/2o2/o1oo1 l - - - 13",
            "x3x/2o2/4o/4o/5 l a5b5c4c3 - - 19",
        ],
    );
    const SLOTS: usize = POINTS * POINTS;

    /// The share of the checkers is in hundredths: the side ahead likes to exchange. Where checkers never step back, the
    /// steps left decide more than checkers do, and those parts have weights of their own.
    ///
    /// Those were found by `pentarch tune --game alquerque --set Alquerque_Ruleset=bell --data FILE --games 3000 --nodes
    /// 1500 --random-plies 8 --unit "bell: checkers"`, with a second file of 4000 games by the weights found from the
    /// first one, and all are scaled to 600 for a checker.
    const WEIGHTS: &'static [(&'static str, i32)] = &[
        ("checkers", 1000),
        ("share of the checkers", 20),
        ("safe checkers", 80),
        ("room to step", 40),
        ("the move", 100),
        ("the huff", 900),
        ("bell: checkers", 600),
        ("bell: share of the checkers", 38),
        ("bell: safe checkers", 385),
        ("bell: room to step", 184),
        ("bell: the move", 53),
        ("bell: room to step forward", -164),
        ("bell: ranks to go", 78),
        ("bell: checkers at the end", -632),
        ("bell: checkers on files a and e", 197),
        ("bell: blocked checkers", 214),
        ("bell: ranks to go by checkers", 10),
    ];

    fn study(&self, _: &Position) {}

    #[inline]
    fn parts(&self, position: &Position, (): &(), part: impl FnMut([i32; 2])) {
        let ways = Side::BOTH.map(|side| {
            let view = Position { side, ..*position };
            Direction::ALL.map(|way| self.steppers(&view, way))
        });
        let common = common(position, &ways);
        let huff = position.side.only(i32::from(position.huff != 0));
        let (free, bell, of_bell) = match self.movement {
            Movement::Free => (common, [[0; 2]; COMMON], [[0; 2]; OF_BELL]),
            Movement::Bell(_) => ([[0; 2]; COMMON], common, of_bell(position, &ways)),
        };
        free.into_iter().chain([huff]).chain(bell).chain(of_bell).for_each(part);
    }

    /// Captures are compulsory.
    fn tension(&self, position: &Position, (): &()) -> Tension {
        if position.huff == 0 && self.jumpers(position) == 0 { Tension::Quiet } else { Tension::Forced }
    }

    /// Captures first, those of many before those of few; steps that leave something to capture last.
    fn promises<'a>(&'a self, position: &'a Position, (): &'a ()) -> impl Fn(Move) -> i32 + 'a {
        move |mv: Move| {
            let (to, taken) = mv.reach();
            if !mv.is_step() {
                return NOISY * taken.count_ones() as i32;
            }
            let mut after = mv.huffed.map_or(*position, |spot| position.huffed(spot));
            after.men[position.side.index()] ^= mv.from.bit() | to;
            after.side = !position.side;
            -20 * self.jumpers(&after).count_ones() as i32
        }
    }

    fn slot(&self, mv: Move) -> usize {
        mv.from.index() * POINTS + Spot::of(mv.reach().0).index()
    }
}

/// How many parts count under all rules, with weights of their own where checkers never step back.
const COMMON: usize = 5;
/// How many parts count only there.
const OF_BELL: usize = 6;

/// The amounts of the common parts. `ways` are the checkers of either side that can step, by direction.
#[inline]
fn common(position: &Position, ways: &[[u32; 8]; 2]) -> [[i32; 2]; COMMON] {
    let all = count(position.occupied()).max(1);
    [
        position.men.map(count),
        position.men.map(|men| 100 * count(men) / all),
        Side::BOTH.map(|side| count(position.men[side.index()] & !threatened(&Position { side, ..*position }))),
        ways.map(|ways| ways.into_iter().map(count).sum()),
        position.side.only(1),
    ]
}

/// The amounts of the parts that count only where checkers never step back.
#[inline]
fn of_bell(position: &Position, ways: &[[u32; 8]; 2]) -> [[i32; 2]; OF_BELL] {
    let gone = 2 * MEN - count(position.occupied());
    let forward = Direction::ALL.map(|way| way.ranks() != 0);
    let both = |of: &dyn Fn(usize, u32) -> i32| [0, 1].map(|side| of(side, position.men[side]));
    let to_go = both(&|side, men| (0..SIZE).map(|ranks| i32::from(ranks) * count(men & far(side, ranks))).sum());
    [
        both(&|side, _| ways[side].iter().zip(forward).map(|(&men, forward)| i32::from(forward) * count(men)).sum()),
        to_go,
        both(&|side, men| count(men & far(side, 0))),
        both(&|_, men| count(men & EDGES)),
        both(&|side, men| count(men & !ways[side].iter().fold(0, |free, men| free | men))),
        to_go.map(|ranks| ranks * gone),
    ]
}

/// The points so many ranks before the last one of a side.
fn far(side: usize, ranks: u8) -> u32 {
    rank(if side == 0 { SIZE - 1 - ranks } else { ranks })
}

fn count(set: u32) -> i32 {
    set.count_ones() as i32
}

/// The checkers of the side to move that an enemy checker could jump over as the board stands.
fn threatened(position: &Position) -> u32 {
    let free = ALL & !position.occupied();
    Direction::ALL
        .into_iter()
        .fold(0, |set, way| set | way.ahead(position.enemy() & way.double_lines()) & position.own() & way.behind(free))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{Game, Notation, Options};

    /// Light on a1, a5 and c3, Dark on e5 and e2, by hand: the checker on a5 has come to the end, and none steps back.
    #[test]
    fn steps_left_are_counted_where_checkers_never_step_back() {
        let mut options = Options::default();
        options.set(&super::super::rules::RULESET, "bell").unwrap();
        let game = Alquerque::from_options(&options);
        let position = game.parse_position("o3x/5/2o2/4x/o4 l - - - 1").unwrap();
        let mut amounts = Vec::new();
        game.parts(&position, &(), |pair| amounts.push(pair));
        // Checkers, their share, safe ones, steps, the move; then steps forward, ranks to go, at the end, on the edges,
        // without a step, ranks to go for each checker gone.
        let expected = [[3, 2], [60, 40], [3, 2], [8, 5], [1, 0]];
        let expected = expected.into_iter().chain([[5, 3], [6, 5], [1, 0], [2, 2], [1, 0], [114, 95]]);
        assert_eq!(amounts[COMMON + 1..], expected.collect::<Vec<_>>());
        assert!(amounts[..=COMMON].iter().all(|&pair| pair == [0; 2]));
    }
}

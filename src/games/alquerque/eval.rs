//! The evaluation of Alquerque: checkers first, then how safe they stand, where they can step, and whose turn it is.

use crate::core::{Evaluate, NOISY, Side, Tension};

use super::board::{ALL, Direction, SIZE, Spot};
use super::moves::Move;
use super::position::Position;
use super::rules::Alquerque;

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

    /// The share of the checkers is in hundredths: the side ahead likes to exchange.
    const WEIGHTS: &'static [(&'static str, i32)] = &[
        ("checkers", 1000),
        ("share of the checkers", 20),
        ("safe checkers", 80),
        ("room to step", 40),
        ("the move", 100),
        ("the huff", 900),
    ];

    fn study(&self, _: &Position) {}

    #[inline]
    fn parts(&self, position: &Position, (): &(), mut part: impl FnMut([i32; 2])) {
        let count = |set: u32| set.count_ones() as i32;
        let all = count(position.occupied()).max(1);
        let sides = Side::BOTH.map(|side| Position { side, ..*position });
        part(position.men.map(count));
        part(position.men.map(|men| 100 * count(men) / all));
        part(sides.each_ref().map(|side| count(side.own() & !threatened(side))));
        let steps = |side: &Position| Direction::ALL.map(|way| count(self.steppers(side, way))).iter().sum::<i32>();
        part(sides.each_ref().map(steps));
        part(position.side.only(1));
        part(position.side.only(i32::from(position.huff != 0)));
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

/// The checkers of the side to move that an enemy checker could jump over as the board stands.
fn threatened(position: &Position) -> u32 {
    let free = ALL & !position.occupied();
    Direction::ALL
        .into_iter()
        .fold(0, |set, way| set | way.ahead(position.enemy() & way.double_lines()) & position.own() & way.behind(free))
}

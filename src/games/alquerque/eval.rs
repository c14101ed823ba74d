//! The evaluation of Alquerque: checkers first, then how safe they stand, where they can step, and whose turn it is.

use crate::core::{Evaluate, Side};

use super::board::{ALL, Direction, SIZE, Spot};
use super::moves::Move;
use super::position::Position;
use super::rules::Alquerque;

/// What a checker is worth.
const CHECKER: i32 = 100;
/// What it is worth to have all the checkers there are; a part of them is worth that part. So the side ahead likes to
/// exchange.
const SHARE: i32 = 200;
/// What a checker is worth that no enemy checker can jump over as the board stands.
const SAFE: i32 = 8;
/// What each step that is not forbidden is worth.
const STEP: i32 = 4;
/// What it is worth to be the next to move.
const TEMPO: i32 = 10;
/// What it is worth to be the next to huff.
const HUFF: i32 = 90;

/// How many points a move can start or end on.
const POINTS: usize = SIZE as usize * SIZE as usize;

impl Evaluate for Alquerque {
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

    fn terms(&self, position: &Position, mut term: impl FnMut(&'static str, [i32; 2])) {
        let count = |set: u32| set.count_ones() as i32;
        let all = count(position.occupied()).max(1);
        let sides = Side::BOTH.map(|side| Position { side, ..*position });
        let to_move = |worth| Side::BOTH.map(|side| if side == position.side { worth } else { 0 });
        term("checkers", position.men.map(|men| CHECKER * count(men)));
        term("share of the checkers", position.men.map(|men| SHARE * count(men) / all));
        term("safe checkers", sides.each_ref().map(|side| SAFE * count(side.own() & !threatened(side))));
        let steps = |side: &Position| Direction::ALL.map(|way| count(self.steppers(side, way))).iter().sum::<i32>();
        term("room to step", sides.each_ref().map(|side| STEP * steps(side)));
        term("the move", to_move(TEMPO));
        term("the huff", to_move(if position.huff == 0 { 0 } else { HUFF }));
    }

    fn is_quiet(&self, position: &Position) -> bool {
        position.huff == 0 && self.jumpers(position) == 0
    }

    /// Captures first, those of many before those of few; steps that leave something to capture last.
    fn promises<'a>(&'a self, position: &'a Position) -> impl Fn(Move) -> i32 + 'a {
        move |mv: Move| {
            let (to, taken) = mv.reach();
            if !mv.is_step() {
                return 100 * taken.count_ones() as i32;
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

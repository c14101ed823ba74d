//! The evaluation of Alcaxar: the race to the fortresses round the walls, and room for the knights.

use crate::core::{Evaluate, Side, Tension};

use super::Alcaxar;
use super::board::{Board, Square};
use super::moves::Move;
use super::position::Position;

/// The longest way that counts: walls will have turned before a longer one is walked. No way at all counts the same.
const FAR: i32 = 9;

/// The promise of a knight move that comes no nearer to the fortress; of wall moves it is 0.
const KNIGHT_MOVE: i32 = 40;
/// What a step nearer adds to it.
const NEARER: i32 = 20;
/// The promise of a wall move that takes room from the enemy knight.
const HEMS_IN: i32 = 30;

/// What is known of a position beyond its men.
#[derive(Debug)]
pub struct Insight {
    /// How far either knight is from the enemy fortress round the walls.
    way: [i32; 2],
    /// How many squares are accessible to either knight.
    room: [usize; 2],
}

impl Evaluate for Alcaxar {
    type Insight = Insight;

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
    const SLOTS: usize = 16 + 40 * 40;

    /// A knight with a single accessible square is easily trapped.
    const WEIGHTS: &'static [(&'static str, i32)] = &[
        ("steps to the fortress", -1000),
        ("one accessible square", -2000),
        ("three accessible squares", 700),
        ("four accessible squares", 1000),
        ("the move", 400),
    ];

    fn study(&self, position: &Position) -> Insight {
        let way = |side| distance(&self.board, position.knight(side), Position::target(side), position.walls);
        Insight { way: Side::BOTH.map(way), room: Side::BOTH.map(|side| position.accessible(&self.board, side)) }
    }

    #[inline]
    fn parts(&self, position: &Position, insight: &Insight, mut part: impl FnMut([i32; 2])) {
        part(insight.way);
        [1, 3, 4].into_iter().for_each(|squares| part(insight.room.map(|room| i32::from(room == squares))));
        part(position.side.only(1));
    }

    fn tension(&self, _: &Position, _: &Insight) -> Tension {
        Tension::Quiet
    }

    fn promises<'a>(&'a self, position: &'a Position, _: &'a Insight) -> impl Fn(Move) -> i32 + 'a {
        let (own, enemy) = (position.knight(position.side), position.knight(!position.side));
        let target = Position::target(position.side);
        let gates = self.board.steps[usize::from(enemy.0)].iter().fold(0, |set, step| set | step.gate);
        move |mv| match mv {
            Move::Knight(to) => KNIGHT_MOVE + NEARER * (own.distance(target) as i32 - to.distance(target) as i32),
            Move::Wall { to, .. } => HEMS_IN * i32::from(gates & to.bit() != 0),
        }
    }

    fn slot(&self, mv: Move) -> usize {
        match mv {
            Move::Knight(to) => usize::from(to.0),
            Move::Wall { from, to } => 16 + usize::from(from.0) * 40 + usize::from(to.0),
        }
    }
}

/// The number of steps from one square to another round the walls, the other knight ignored; at most [`FAR`].
fn distance(board: &Board, from: Square, to: Square, walls: u64) -> i32 {
    let mut reached = from.bit();
    let mut edge = reached;
    for steps in 0..FAR {
        if edge & to.bit() != 0 {
            return steps;
        }
        let mut next = 0;
        while edge != 0 {
            let square = edge.trailing_zeros() as usize;
            edge &= edge - 1;
            let open = board.steps[square].iter().filter(|step| step.gate & walls == 0);
            next |= open.fold(0, |set, step| set | step.to.bit());
        }
        edge = next & !reached;
        reached |= edge;
    }
    FAR
}

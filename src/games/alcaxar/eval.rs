//! The evaluation of Alcaxar: the race to the fortresses round the walls, and room for the knights.

use crate::core::{Evaluate, NOISY, Side, Tension};

use super::Alcaxar;
use super::areas::{area, gates};
use super::insight::{FAR, Insight};
use super::moves::Move;
use super::position::Position;

/// The promise of a move that wins at once, from which on moves are noisy.
const WINS: i32 = 10 * NOISY;
/// The promise of a knight move that comes no nearer to the fortress; of wall moves it is 0.
const KNIGHT_MOVE: i32 = 40;
/// What it adds to come nearer round the walls.
const NEARER: i32 = 60;
/// The promise of a wall move that closes a way out of the enemy knight's square, and if it leaves only one.
const HEMS_IN: [i32; 2] = [30, 60];
/// What it adds to open a way out of the own knight's square.
const FREES: i32 = 20;

/// For each square, its place as seen from the fortress on the square 3: by the numbers of files and of ranks between,
/// the smaller first, 0-1 0-2 0-3 1-1 1-2 1-3 2-2 2-3 3-3 from 1 on; 0 is the fortress itself.
const PLACES: [u32; 16] = [3, 2, 1, 0, 6, 5, 4, 1, 8, 7, 5, 2, 9, 8, 6, 3];
/// What turns a square into the one that lies towards the square 3 as it lies towards the fortress that a side attacks.
const MIRRORED: [u8; 2] = [15, 0];

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

    /// Fitted to 3000 games by `pentarch tune --game alcaxar --data alcaxar.games --games 3000 --nodes 2000`. Ways,
    /// places and ways out are parts of their own for every number, as what a step or a way out is worth depends on how
    /// many there are.
    const WEIGHTS: &'static [(&'static str, i32)] = &[
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

    fn study(&self, position: &Position) -> Insight {
        Insight::of(&self.board, position)
    }

    #[inline]
    fn parts(&self, position: &Position, insight: &Insight, mut part: impl FnMut([i32; 2])) {
        let number = |sets: [u64; 2]| sets.map(|set| set.count_ones());
        let places = Side::BOTH.map(|side| PLACES[usize::from(position.knight(side).0 ^ MIRRORED[side.index()])]);
        let mut each = |values: [u32; 2], kinds: std::ops::Range<u32>| {
            kinds.for_each(|kind| part(values.map(|value| i32::from(value == kind))));
        };
        each(insight.way, 1..FAR + 1);
        each(insight.safe_way, 1..FAR + 1);
        each(places, 1..10);
        let [room, closable] = [number(insight.open), number(insight.closable)];
        each([0, 1].map(|at| room[at] * (room[at] + 1) / 2 + closable[at]), 1..15);
        part(position.side.only(1));
    }

    fn tension(&self, position: &Position, insight: &Insight) -> Tension {
        if insight.wins[position.side.index()] { Tension::Noisy } else { Tension::Quiet }
    }

    fn promises<'a>(&'a self, position: &'a Position, insight: &'a Insight) -> impl Fn(Move) -> i32 + 'a {
        let (own, enemy) = (position.side.index(), (!position.side).index());
        let target = area(Position::target(position.side));
        let cornered = insight.open[enemy].is_power_of_two();
        let about = gates(area(position.knights[enemy])) & !gates(area(position.knights[own]));
        let out = gates(area(position.knights[own])) & !gates(area(position.knights[enemy]));
        let hems_in = HEMS_IN[usize::from(insight.open[enemy].count_ones() == 2)];
        move |mv| match mv {
            Move::Knight(to) => {
                let to = area(to);
                let wins = to == target || (cornered && to & insight.room[enemy] != 0);
                if wins { WINS } else { KNIGHT_MOVE + NEARER * i32::from(to & insight.nearer[own] != 0) }
            }
            Move::Wall { from, to } => {
                let (from, to) = (from.bit(), to.bit());
                if to & insight.open[enemy] != 0 && from & about == 0 {
                    if cornered { WINS } else { hems_in }
                } else {
                    FREES * (i32::from(from & out != 0) - i32::from(to & out != 0))
                }
            }
        }
    }

    fn slot(&self, mv: Move) -> usize {
        match mv {
            Move::Knight(to) => usize::from(to.0),
            Move::Wall { from, to } => 16 + usize::from(from.0) * 40 + usize::from(to.0),
        }
    }

    fn pass(&self, position: &Position) -> Option<Position> {
        Some(Position { side: !position.side, last_wall: None, ..*position })
    }
}

//! The evaluation of Quoridor: the race to the goal ranks round the walls, and the walls in hand.

use crate::core::{Evaluate, Side};

use super::Quoridor;
use super::board::STRIDE;
use super::moves::Move;
use super::position::Position;
use super::walls::{Direction, Walls};

/// What a step nearer to the goal is worth.
const STEP: i32 = 100;
/// What a wall in hand is worth: placed well, it makes the other way a step or two longer, at times the own too.
const WALL: i32 = 60;
/// What it is worth to be the next to move: half a step.
const TEMPO: i32 = 50;

/// The promise of a pawn move that gets nearer to the goal.
const NEARER: i32 = 200;
/// The promise of a wall across the opponent's way.
const ACROSS: i32 = 100;
/// What a wall across one's own way loses of it.
const IN_OWN_WAY: i32 = -60;

impl Evaluate for Quoridor {
    const BENCH: (u32, &'static [&'static str]) = (
        5,
        &[
            "e1e9 - w 10/10 1",
            "e4e6 d6he3h w 9/9 5",
            "d5e5 a1ha5vb6hc3hd6he3hf6hg3hg8h w 6/5 10",
            "f5f4 a1ha6va7hb2vb4hb6vb8hc2hc6he2he6hf5vf7hg2hg6hh1hh7h b 1/2 15",
            "a4h3 a1ha3va5va7hb2vb6hc3hc4vd6he3he5vf2hf6hg3hg4vg8hh2hh6h w 1/1 25",
        ],
    );
    /// Pawn moves, horizontal walls and vertical walls, each by file and rank.
    const SLOTS: usize = 3 * STRIDE as usize * STRIDE as usize;

    fn terms(&self, position: &Position, mut term: impl FnMut(&'static str, [i32; 2])) {
        let open = position.open(&self.board);
        let way = |side: Side| {
            let flood = open.flood_to(position.pawn(side).bit(), self.board.goals[side.index()]);
            -STEP * flood.map_or(0, |(_, steps)| steps as i32)
        };
        term("way to the goal", Side::BOTH.map(way));
        term("walls left", position.left.map(|walls| WALL * i32::from(walls)));
        term("the move", Side::BOTH.map(|side| if side == position.side { TEMPO } else { 0 }));
    }

    fn is_quiet(&self, _: &Position) -> bool {
        true
    }

    fn promises(&self, position: &Position) -> impl Fn(Move) -> i32 {
        let open = position.open(&self.board);
        let [own, other] = [position.side, !position.side]
            .map(|side| open.route(position.pawn(side).bit(), self.board.goals[side.index()]));
        let across = other.map_or(Walls::NONE, |route| route.way.crossed_by());
        let in_own_way = own.map_or(Walls::NONE, |route| route.way.crossed_by());
        let nearer = own.map_or(0, |route| route.nearer);
        move |mv| match mv {
            Move::Pawn(to) => NEARER * i32::from(nearer & to.bit() != 0),
            Move::Wall(wall) => {
                ACROSS * i32::from(across.contains(wall)) + IN_OWN_WAY * i32::from(in_own_way.contains(wall))
            }
        }
    }

    fn slot(&self, mv: Move) -> usize {
        let (kind, square) = match mv {
            Move::Pawn(to) => (0, to),
            Move::Wall(wall) if wall.direction == Direction::Horizontal => (1, wall.post),
            Move::Wall(wall) => (2, wall.post),
        };
        kind * usize::from(STRIDE) * usize::from(STRIDE) + usize::from(square.0)
    }
}

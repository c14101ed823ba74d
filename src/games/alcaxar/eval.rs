//! The evaluation of Alcaxar: the race to the fortresses round the walls, and room for the knights.

use crate::core::{Evaluate, Side};

use super::Alcaxar;
use super::board::{Board, Square};
use super::moves::Move;
use super::position::Position;

/// What a step nearer to the fortress is worth.
const STEP: i32 = 60;
/// The distance that a fortress without any way to it counts as.
const WALLED_OFF: i32 = 9;
/// What having 0 to 4 accessible squares is worth: a knight with one is easily trapped.
const ROOM: [i32; 5] = [-300, -120, 0, 40, 60];
/// What it is worth to be the next to move.
const TEMPO: i32 = 25;

impl Evaluate for Alcaxar {
    const BENCH: (u32, &'static [&'static str]) = (
        5,
        &[
            "b8h2 b5c6d7e2e8f3g4h5 r - 1",
            "f6b2 a6c4d3d5e4e6f5f7 r - 9",
            "d6f4 b5c6d7e2e8f3g4h5 g - 4",
            "b4h6 b3c8d5e2f5f9g4h7 r f5 12",
        ],
    );
    const SLOTS: usize = 16 + 40 * 40;

    fn terms(&self, position: &Position, mut term: impl FnMut(&'static str, [i32; 2])) {
        let way = |side| {
            let (from, to) = (position.knight(side), Position::target(side));
            -STEP * distance(&self.board, from, to, position.walls).map_or(WALLED_OFF, |steps| steps as i32)
        };
        term("way to the fortress", Side::BOTH.map(way));
        term("room for the knight", Side::BOTH.map(|side| ROOM[position.accessible(&self.board, side)]));
        term("the move", Side::BOTH.map(|side| if side == position.side { TEMPO } else { 0 }));
    }

    fn is_quiet(&self, _: &Position) -> bool {
        true
    }

    fn promise(&self, position: &Position, mv: Move) -> i32 {
        match mv {
            Move::Knight(to) => {
                let target = Position::target(position.side);
                let nearer = position.knight(position.side).distance(target) as i32 - to.distance(target) as i32;
                40 + 20 * nearer
            }
            // A wall that comes to stand at the enemy knight takes room from it.
            Move::Wall { to, .. } => {
                let enemy = position.knight(!position.side);
                let beside = self.board.steps[usize::from(enemy.0)].iter().any(|step| step.gate == to.bit());
                30 * i32::from(beside)
            }
        }
    }

    fn slot(&self, mv: Move) -> usize {
        match mv {
            Move::Knight(to) => usize::from(to.0),
            Move::Wall { from, to } => 16 + usize::from(from.0) * 40 + usize::from(to.0),
        }
    }
}

/// The number of steps from one square to another round the walls, the other knight ignored; none without a way.
fn distance(board: &Board, from: Square, to: Square, walls: u64) -> Option<u32> {
    let mut reached = from.bit();
    let mut edge = reached;
    for steps in 0.. {
        if edge & to.bit() != 0 {
            return Some(steps);
        }
        let mut next = 0;
        while edge != 0 {
            let square = edge.trailing_zeros() as usize;
            edge &= edge - 1;
            let open = board.steps[square].iter().filter(|step| step.gate & walls == 0);
            next |= open.fold(0, |set, step| set | step.to.bit());
        }
        edge = next & !reached;
        if edge == 0 {
            return None;
        }
        reached |= edge;
    }
    None
}

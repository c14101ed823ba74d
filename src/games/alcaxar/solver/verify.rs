//! Holds what the solver has found against the rules: each state against those that its moves lead to, by the game's
//! own moves. No code is shared with the solver but the numbering of the entries.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use pentarch_core::{Outcome, Side};
use pentarch_tables::in_parallel;

use super::super::board::{Board, Square, half_turn, slots};
use super::super::moves;
use super::super::position::Position;
use super::Solver;
use super::stages::Stage;
use super::wall_sets::{count, unrank};

/// How many sets of walls at most are looked at; they are spread evenly.
const SETS: usize = 20_000;

/// Verifies the states of all sets of walls, or of 20,000 of them spread evenly, after a stage has ended. Gives how
/// many states were verified.
///
/// Red wins a state if some move of red wins or leads to a won state, or, with green to move, if every move does; and
/// not otherwise. A win that is not [certain](Stage::Certain) may be left out there, as one may that is not needed
/// [for the start](Stage::Start), and what is [safe](Stage::Safe) is only the positions that red owns.
///
/// # Errors
/// The first position found wrong, with the side whose wins were looked for on the side of red.
pub fn verify(solver: &Solver, board: &Board, stage: Stage, threads: usize) -> Result<u64, Box<Position>> {
    let walls = solver.numbering.walls;
    let stride = count(walls).div_ceil(SETS);
    let (verified, wrong) = (AtomicU64::new(0), OnceLock::new());
    in_parallel(threads, 0..count(walls).div_ceil(stride), |at, moves| {
        let mut states = 0;
        let mut positions = undecided_positions(board, unrank(walls, at * stride)).inspect(|_| states += 1);
        let is_wrong = |position: &Position| {
            let is_forced = is_forced(solver, board, position, moves)
                && match stage {
                    Stage::Safe(winner) => is_owned(board, position, winner),
                    Stage::Plain | Stage::Certain(_) | Stage::Repetition(_) | Stage::Start(_) => true,
                };
            let may_differ = matches!(stage, Stage::Certain(_) | Stage::Start(_)) && is_forced;
            solver.is_won(position) != is_forced && !may_differ
        };
        let found = positions.find(is_wrong);
        verified.fetch_add(states, Relaxed);
        found.is_none_or(|position| wrong.set(Box::new(position)).is_err())
    });
    wrong.into_inner().map_or(Ok(verified.into_inner()), Err)
}

/// All undecided positions with these walls, for both sides and after each move that may have come before.
pub fn undecided_positions(board: &Board, walls: u64) -> impl Iterator<Item = Position> {
    let knights = (0..16).flat_map(|red| (0..16).map(move |green| [Square(red), Square(green)]));
    let sides = knights.flat_map(|knights| Side::BOTH.map(|side| (knights, side)));
    let positions = sides.flat_map(move |(knights, side)| {
        let last_walls = std::iter::once(None).chain(slots(walls).map(Some));
        last_walls.map(move |last_wall| Position { knights, walls, side, last_wall, full_move: 1 })
    });
    positions.filter(|position| is_undecided(board, position))
}

/// Whether the game goes on in a position with any knights: they stand apart, and neither is trapped or has arrived.
pub fn is_undecided(board: &Board, position: &Position) -> bool {
    let is_over = |side| position.outcome(board).is_some() || position.accessible(board, side) == 0;
    let has_arrived = |side: Side| position.knight(side) == Position::target(side);
    position.knights[0] != position.knights[1] && !Side::BOTH.into_iter().any(|side| is_over(side) || has_arrived(side))
}

/// Whether `winner`, which this position has on the side of red, wins by its repetition.
pub(super) fn is_owned(board: &Board, position: &Position, winner: Side) -> bool {
    let position = if winner == Side::First { *position } else { position.map(true, half_turn) };
    position.stalemate_winner(board).0 == winner
}

/// Whether red can force from this position that it has won after the next move, or that the next position is won.
fn is_forced(solver: &Solver, board: &Board, position: &Position, moves: &mut Vec<moves::Move>) -> bool {
    moves.clear();
    moves::generate(board, position, moves);
    let is_good = |&mv: &moves::Move| {
        let next = position.play(mv);
        match next.outcome(board) {
            Some(outcome) => matches!(outcome, Outcome::Win(Side::First, _)),
            None => solver.is_won(&next),
        }
    };
    if position.side == Side::First { moves.iter().any(is_good) } else { moves.iter().all(is_good) }
}

#[cfg(test)]
mod tests {
    use super::super::Step;
    use super::*;

    #[test]
    fn a_wrong_state_is_found() {
        let board = Board::default();
        let mut solver = Solver::new(&board, 1).unwrap();
        solver.clear();
        solver.make_all_due();
        while solver.step(Side::First, Step::Attract, 1) + solver.step(Side::Second, Step::Attract, 1) > 0 {}
        assert_eq!(verify(&solver, &board, Stage::Plain, 2), Ok(33_712));
        let mut rng = fastrand::Rng::with_seed(28);
        for _ in 0..100 {
            let positions: Vec<Position> = undecided_positions(&board, unrank(1, rng.usize(..count(1)))).collect();
            let position = positions[rng.usize(..positions.len())];
            let place = solver.numbering.index(position.walls, position.last_wall);
            if !place.is_mirrored {
                let pair = position.knights[0].0 * 16 + position.knights[1].0;
                let toggle = |solver: &mut Solver| {
                    let mut set = solver.entries.get(position.side, place.entry);
                    set.0[usize::from(pair / 64)] ^= 1 << (pair % 64);
                    solver.entries.set(position.side, place.entry, set);
                };
                toggle(&mut solver);
                assert!(verify(&solver, &board, Stage::Plain, 2).is_err());
                toggle(&mut solver);
            }
        }
    }
}

//! The numbers by which players of Quoridor assess a position: the steps to the goal, and the walls
//! in hand.

use pentarch_core::view::layout::Site;
use pentarch_core::view::position_counts::LabelledCount;

use super::board::Board;
use super::layout::site_of_square;
use super::position::{PlayerToMove, Position};
use super::square_sets::{PassageSet, Square, iter_squares};

pub(crate) const STEPS_LABEL: &str = "steps to the goal";

/// Returns the steps of each player to the goal, and then the walls in hand of each player. As in
/// the rules, a path ignores the pawns.
pub(crate) fn labelled_position_counts<const PLAYERS: usize, M: PlayerToMove>(
    board: &Board,
    goals: &[u128],
    position: &Position<PLAYERS, M>,
) -> Vec<LabelledCount> {
    let open = position.open_passages(board);
    let mut counts = Vec::with_capacity(2 * PLAYERS);
    for (player, (&pawn, &goal)) in position.pawns.iter().zip(goals).enumerate() {
        counts.push(LabelledCount::of_path(STEPS_LABEL, player, shortest_path(open, pawn, goal)));
    }
    for (player, &walls) in position.walls_left.iter().enumerate() {
        counts.push(LabelledCount::of_number("walls in hand", player, walls.into()));
    }
    counts
}

/// Returns the squares of a shortest path from the pawn's square to the goal.
fn shortest_path(open: PassageSet, pawn: Square, goal: u128) -> Option<Vec<Site>> {
    let paths = open.shortest_paths(pawn.bit(), goal)?;
    let steps = paths.chosen_path_squares(open).flat_map(iter_squares);
    Some(std::iter::once(pawn).chain(steps).map(site_of_square).collect())
}

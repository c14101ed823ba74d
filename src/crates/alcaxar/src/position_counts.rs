//! The numbers by which players of Alcaxar assess a position: the steps to the enemy fortress, and
//! the wall moves.

use pentarch_core::view::layout::Site;
use pentarch_core::view::position_counts::LabelledCount;
use pentarch_core::{Rules, Side};

use super::Alcaxar;
use super::board::{Board, Square, iter_slots};
use super::moves::Move;
use super::position::Position;

const SQUARE_COUNT: usize = 16;

/// Returns the number of steps from each knight to the enemy fortress, and then the number of legal
/// wall moves of each side, with the walls that can move. A path goes around the walls and ignores
/// the other knight.
pub(crate) fn labelled_position_counts(rules: &Alcaxar, position: &Position) -> Vec<LabelledCount> {
    let mut counts = Vec::with_capacity(4);
    for side in Side::BOTH_SIDES {
        let fortress = Position::target_fortress(side);
        let path = shortest_path(&rules.board, position.walls, position.knight(side), fortress);
        counts.push(LabelledCount::of_path("steps to the fortress", side.index(), path));
    }
    for side in Side::BOTH_SIDES {
        counts.push(count_wall_moves(rules, position, side));
    }
    counts
}

/// Returns the squares of a shortest path between two squares. A breadth-first search from the end
/// stores the next square of the path for each square.
fn shortest_path(board: &Board, walls: u64, from: Square, to: Square) -> Option<Vec<Site>> {
    let mut next_squares = [None; SQUARE_COUNT];
    let mut reached = vec![to];
    let mut searched = 0;
    while let Some(&square) = reached.get(searched) {
        searched += 1;
        for neighbour in board.knight_step_targets(square, square, walls) {
            if !reached.contains(&neighbour) {
                next_squares[usize::from(neighbour.0)] = Some(square);
                reached.push(neighbour);
            }
        }
    }
    let mut at = from;
    let mut path = vec![from.point().into()];
    while at != to {
        at = next_squares[usize::from(at.0)]?;
        path.push(at.point().into());
    }
    Some(path)
}

fn count_wall_moves(rules: &Alcaxar, position: &Position, side: Side) -> LabelledCount {
    let last_wall = if position.side == side { position.last_wall } else { None };
    let mut moves = Vec::new();
    if rules.outcome(position).is_none() {
        rules.legal_moves(&Position { side, last_wall, ..*position }, &mut moves);
    }
    let mut wall_moves = 0;
    let mut walls = 0;
    for mv in moves {
        if let Move::Wall { from, .. } = mv {
            wall_moves += 1;
            walls |= from.bit();
        }
    }
    let sites = iter_slots(walls).map(|slot| slot.point().into()).collect();
    LabelledCount { sites, ..LabelledCount::of_number("wall moves", side.index(), wall_moves) }
}

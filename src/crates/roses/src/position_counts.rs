//! The numbers by which players of Roses assess a position: the soldiers, and the pieces under
//! attack.

use pentarch_core::view::position_counts::LabelledCount;
use pentarch_core::{Rules, Side};

use super::Roses;
use super::board::{CellSet, iter_cells};
use super::layout::cell_site;
use super::moves::Move;
use super::position::Position;

/// Returns three counts of each side: its soldiers on the board, its soldiers in reserve, and the
/// enemy pieces that the side can attack.
pub(crate) fn labelled_position_counts(rules: &Roses, position: &Position) -> Vec<LabelledCount> {
    let mut counts = Vec::with_capacity(6);
    for side in Side::BOTH_SIDES {
        let soldiers = iter_cells(position.soldiers(side)).map(cell_site);
        counts.push(LabelledCount::of_sites("soldiers on the board", side.index(), soldiers));
    }
    for (player, &reserve) in position.reserves.iter().enumerate() {
        counts.push(LabelledCount::of_number("soldiers in reserve", player, reserve.into()));
    }
    for side in Side::BOTH_SIDES {
        let attacked = iter_cells(attacked_cells(rules, position, side)).map(cell_site);
        counts.push(LabelledCount::of_sites("attacks on offer", side.index(), attacked));
    }
    counts
}

/// Returns the cells of the enemy pieces that a side can attack.
fn attacked_cells(rules: &Roses, position: &Position, side: Side) -> CellSet {
    if rules.outcome(position).is_some() {
        return 0;
    }
    let position = Position { side, ..*position };
    let mut moves = Vec::new();
    rules.legal_moves(&position, &mut moves);
    let enemies = position.pieces(!side);
    let mut attacked = 0;
    for mv in moves {
        if let Move::Forward { to, .. } = mv {
            attacked |= enemies & to.bit();
        }
    }
    attacked
}

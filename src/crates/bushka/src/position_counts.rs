//! The numbers by which players of Bushka assess a position: soldiers, kings, movable pieces and
//! capturable pieces.

use pentarch_core::view::position_counts::LabelledCount;
use pentarch_core::{Rules, Side};

use super::Bushka;
use super::board::iter_squares;
use super::captures::{captured_pieces, is_phalanx_move};
use super::layout::square_site;
use super::position::Position;

/// The squares of movable pieces, and the squares of capturable pieces.
#[derive(Default)]
struct MoversAndCaptured {
    movers: u64,
    captured: u64,
}

/// Returns four counts of each side: soldiers, kings, pieces that can move, and enemy pieces that
/// can be captured.
pub(crate) fn labelled_position_counts(rules: &Bushka, position: &Position) -> Vec<LabelledCount> {
    let movers_and_captured =
        Side::BOTH_SIDES.map(|side| movers_and_captured(rules, position, side));
    let labelled_sets = [
        ("soldiers", position.soldiers),
        ("kings", position.kings),
        ("pieces that can move", movers_and_captured.each_ref().map(|sets| sets.movers)),
        ("captures on offer", movers_and_captured.each_ref().map(|sets| sets.captured)),
    ];
    let counts = labelled_sets.map(|(label, sets)| {
        LabelledCount::of_each_side(label, sets.map(|set| iter_squares(set).map(square_site)))
    });
    counts.into_iter().flatten().collect()
}

/// Returns the movable pieces of a side, and the enemy pieces that it can capture.
fn movers_and_captured(rules: &Bushka, position: &Position, side: Side) -> MoversAndCaptured {
    let mut sets = MoversAndCaptured::default();
    if rules.outcome(position).is_some() {
        return sets;
    }
    let position = Position { side, ..*position };
    let mut moves = Vec::new();
    rules.legal_moves(&position, &mut moves);
    for mv in moves {
        let direction = mv.from().direction_along_diagonal(mv.last_square());
        let is_phalanx = is_phalanx_move(&position, mv);
        let moving_pieces = if is_phalanx { mv.from().distance(mv.last_square()) } else { 1 };
        let mut square = mv.from();
        for _ in 0..moving_pieces {
            sets.movers |= square.bit();
            square = square.neighbour_unchecked(direction);
        }
        sets.captured |= captured_pieces(&position, mv);
    }
    sets
}

//! The numbers by which players of Alquerque assess a position: all checkers, movable checkers and
//! capturable checkers.

use pentarch_core::view::position_counts::LabelledCount;
use pentarch_core::{Rules, Side};

use super::board::iter_points_of_set;
use super::layout::point_site;
use super::position::Position;
use super::rules::Alquerque;

/// The points of movable checkers, and the points of capturable checkers.
#[derive(Default)]
struct MoversAndCaptured {
    movers: u32,
    captured: u32,
}

/// Returns three counts of each side: all checkers, checkers that can move, and enemy checkers that
/// can be captured.
pub(crate) fn labelled_position_counts(
    rules: &Alquerque,
    position: &Position,
) -> Vec<LabelledCount> {
    let movers_and_captured =
        Side::BOTH_SIDES.map(|side| movers_and_captured(rules, position, side));
    let labelled_sets = [
        ("checkers", position.checkers),
        ("checkers that can move", movers_and_captured.each_ref().map(|sets| sets.movers)),
        ("captures on offer", movers_and_captured.each_ref().map(|sets| sets.captured)),
    ];
    let counts = labelled_sets.map(|(label, sets)| {
        LabelledCount::of_each_side(label, sets.map(|set| iter_points_of_set(set).map(point_site)))
    });
    counts.into_iter().flatten().collect()
}

/// Returns the movable checkers of a side, and the enemy checkers that it can capture. A side that
/// is not to move has no huff due.
fn movers_and_captured(rules: &Alquerque, position: &Position, side: Side) -> MoversAndCaptured {
    let huff = if position.side == side { position.huff } else { 0 };
    let mut moves = Vec::new();
    if rules.outcome(position).is_none() {
        rules.legal_moves(&Position { side, huff, ..*position }, &mut moves);
    }
    let mut sets = MoversAndCaptured::default();
    for mv in moves {
        sets.movers |= mv.visited_points().next().map_or(0, |point| point.bit());
        sets.captured |= mv.effect().captured;
    }
    sets
}

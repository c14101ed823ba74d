//! The pairs of squares of the knights that a set of walls allows, computed for all pairs at once.

use std::cmp::Ordering;
use std::sync::LazyLock;

use pentarch_core::Side;

use super::super::position::{FORTRESSES, Position};
use super::pair_set::{OpenSteps, PairSet};

/// Sets of pairs of knights that depend on the walls and not on the side to move.
#[derive(Debug, Clone, Copy)]
pub(super) struct KnightPairs {
    /// The steps that no wall blocks.
    steps: OpenSteps,
    /// For each side, the pairs in which the side's knight has an accessible square.
    accessible: [PairSet; 2],
    /// The pairs that can occur and in which the game is not over.
    pub undecided: PairSet,
}

impl KnightPairs {
    /// Computes the sets of pairs for a set of walls.
    pub(super) fn for_walls(walls: u64) -> KnightPairs {
        let steps = OpenSteps::for_walls(walls);
        let different_squares = PairSet::different_squares();
        let accessible =
            [steps.before_red(&different_squares), steps.before_green(&different_squares)];
        let [red_fortress, green_fortress] = FORTRESSES.map(|square| square.bit());
        let nobody_arrived = PairSet::product(!green_fortress, !red_fortress);
        KnightPairs {
            steps,
            accessible,
            undecided: nobody_arrived & different_squares & accessible[0] & accessible[1],
        }
    }

    /// Returns the pairs from which a step of this side's knight leads to a pair in the set.
    pub(super) fn before(&self, side: Side, set: &PairSet) -> PairSet {
        if side == Side::First { self.steps.before_red(set) } else { self.steps.before_green(set) }
    }

    /// Returns the pairs after a legal move of red that ends the game.
    pub(super) fn won_by_red(&self) -> PairSet {
        let arrived = PairSet::product(Position::target(Side::First).bit(), u16::MAX);
        self.accessible[0] & PairSet::different_squares() & (arrived | !self.accessible[1])
    }

    /// Returns the pairs to which no legal move of green leads.
    pub(super) fn never_after_green(&self) -> PairSet {
        !(self.accessible[1] & PairSet::different_squares())
    }

    /// Returns the pairs that red owns: red wins if the position occurs for the third time. If
    /// `wins_ties` is `true`, red also owns the pairs in which both knights are equally near and
    /// equally free.
    pub(super) fn owned_by_red(&self, wins_ties: bool) -> PairSet {
        let [more, as_many] = self.steps.compare_accessible();
        let freer = if wins_ties { more | as_many } else { more };
        let DistanceSets { red_nearer, equal } = *DISTANCE_SETS;
        red_nearer | equal & freer
    }
}

/// Sets of pairs by the distances of the knights to the enemy fortresses, on an empty board.
#[derive(Debug, Clone, Copy)]
pub(super) struct DistanceSets {
    /// The pairs in which the red knight is nearer than the green knight.
    pub(super) red_nearer: PairSet,
    /// The pairs in which both knights are equally near.
    pub(super) equal: PairSet,
}

/// The sets of pairs by distance.
pub(super) static DISTANCE_SETS: LazyLock<DistanceSets> = LazyLock::new(|| {
    let [red_nearer, equal] = [Ordering::Less, Ordering::Equal].map(|wanted| {
        PairSet::matching(|red, green| {
            red.distance(FORTRESSES[1]).cmp(&green.distance(FORTRESSES[0])) == wanted
        })
    });
    DistanceSets { red_nearer, equal }
});

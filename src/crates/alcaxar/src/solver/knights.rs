//! What a set of walls leaves to the knights, for all pairs of them at once.

use std::cmp::Ordering;
use std::sync::LazyLock;

use pentarch_core::Side;

use super::super::position::{FORTRESSES, Position};
use super::pair_set::{OpenSteps, PairSet};

/// What depends on the walls and not on the side to move, for all pairs of knights at once.
#[derive(Debug, Clone, Copy)]
pub struct Knights {
    /// The steps that are open.
    steps: OpenSteps,
    /// For each side, where its knight has an accessible square.
    accessible: [PairSet; 2],
    /// Where the game is not over, and could come about.
    pub undecided: PairSet,
}

impl Knights {
    /// All pairs of knights between these walls.
    pub fn between(walls: u64) -> Knights {
        let steps = OpenSteps::between(walls);
        let different = PairSet::different();
        let accessible = [steps.before_red(&different), steps.before_green(&different)];
        let [red_fortress, green_fortress] = FORTRESSES.map(|square| square.bit());
        let nobody_arrived = PairSet::product(!green_fortress, !red_fortress);
        Knights {
            steps,
            accessible,
            undecided: nobody_arrived & different & accessible[0] & accessible[1],
        }
    }

    /// The pairs from which a step of this side's knight leads to a pair of the set.
    pub(super) fn before(&self, side: Side, set: &PairSet) -> PairSet {
        if side == Side::First { self.steps.before_red(set) } else { self.steps.before_green(set) }
    }

    /// The pairs after a legal move of red that ends the game.
    pub(super) fn won_by_red(&self) -> PairSet {
        let arrived = PairSet::product(Position::target(Side::First).bit(), u16::MAX);
        self.accessible[0] & PairSet::different() & (arrived | !self.accessible[1])
    }

    /// The pairs that no legal move of green leads to.
    pub(super) fn never_after_green(&self) -> PairSet {
        !(self.accessible[1] & PairSet::different())
    }

    /// The pairs in which the position belongs to red, so that red wins if it stands for the third time. With `ties`,
    /// these are also those in which both knights are equally near and equally free.
    pub fn owned_by_red(&self, ties: bool) -> PairSet {
        let [more, equal] = self.steps.compare_accessible();
        let freer = if ties { more | equal } else { more };
        let [nearer, as_near] = *NEARER;
        nearer | as_near & freer
    }
}

/// The pairs in which the red knight is nearer to the enemy fortress than the green one, and those in which both are
/// equally near.
pub(super) static NEARER: LazyLock<[PairSet; 2]> = LazyLock::new(|| {
    [Ordering::Less, Ordering::Equal].map(|wanted| {
        PairSet::of(|red, green| {
            red.distance(FORTRESSES[1]).cmp(&green.distance(FORTRESSES[0])) == wanted
        })
    })
});

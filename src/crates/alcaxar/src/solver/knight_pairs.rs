//! Sets of pairs of knight squares that depend on a set of walls: for example, the pairs in which a
//! knight can step. Each set is computed for all pairs at once.

use std::cmp::Ordering;
use std::sync::LazyLock;

use pentarch_core::Side;

use super::super::position::{FORTRESS_SQUARES, Position};
use super::pair_set::{OpenStepMasks, PairSet};

/// Sets of pairs of knight squares for one set of walls. They do not depend on the side to move.
#[derive(Debug, Clone, Copy)]
pub(super) struct KnightPairSets {
    /// The steps that no wall blocks.
    steps: OpenStepMasks,
    /// For each side, the pairs in which the side's knight can step to at least one square.
    accessible: [PairSet; 2],
    /// The pairs that can occur in an unfinished game.
    pub undecided: PairSet,
}

impl KnightPairSets {
    pub(super) fn for_walls(walls: u64) -> KnightPairSets {
        let steps = OpenStepMasks::for_walls(walls);
        let different_squares = PairSet::different_squares();
        let accessible = [
            steps.predecessors_by_red_step(&different_squares),
            steps.predecessors_by_green_step(&different_squares),
        ];
        let [red_fortress, green_fortress] = FORTRESS_SQUARES.map(|square| square.bit());
        let nobody_arrived = PairSet::from_square_sets(!green_fortress, !red_fortress);
        KnightPairSets {
            steps,
            accessible,
            undecided: nobody_arrived & different_squares & accessible[0] & accessible[1],
        }
    }

    /// Returns the pairs from which a step of this side's knight leads to a pair in the set.
    pub(super) fn pairs_before_step(&self, side: Side, set: &PairSet) -> PairSet {
        if side == Side::First {
            self.steps.predecessors_by_red_step(set)
        } else {
            self.steps.predecessors_by_green_step(set)
        }
    }

    /// Returns the pairs in which red has just won by a legal move.
    pub(super) fn pairs_won_by_red(&self) -> PairSet {
        let arrived =
            PairSet::from_square_sets(Position::target_fortress(Side::First).bit(), u16::MAX);
        self.accessible[0] & PairSet::different_squares() & (arrived | !self.accessible[1])
    }

    /// Returns the pairs to which no legal move of green leads.
    pub(super) fn pairs_unreachable_by_green(&self) -> PairSet {
        !(self.accessible[1] & PairSet::different_squares())
    }

    /// Returns the pairs that red owns. Red owns a position if it wins at the third occurrence of
    /// this position. If `wins_ties` is `true`, red also owns the pairs in which both knights are
    /// equally near to the enemy fortress and can step to equally many squares.
    pub(super) fn pairs_with_repetition_won_by_red(&self, wins_ties: bool) -> PairSet {
        let [more, as_many] = self.steps.compare_mobility();
        let freer = if wins_ties { more | as_many } else { more };
        let PairSetsByNearerKnight { red_nearer, equal } = *PAIR_SETS_BY_NEARER_KNIGHT;
        red_nearer | equal & freer
    }
}

/// Two sets of pairs that compare the distances of the knights to the enemy fortresses, on a board
/// without walls.
#[derive(Debug, Clone, Copy)]
pub(super) struct PairSetsByNearerKnight {
    /// The pairs in which the red knight is nearer to its target than the green knight is to its
    /// own.
    pub(super) red_nearer: PairSet,
    /// The pairs in which both knights are equally near to their targets.
    pub(super) equal: PairSet,
}

/// The sets of pairs by distance.
pub(super) static PAIR_SETS_BY_NEARER_KNIGHT: LazyLock<PairSetsByNearerKnight> =
    LazyLock::new(|| {
        let [red_nearer, equal] = [Ordering::Less, Ordering::Equal].map(|wanted| {
            PairSet::with_property(|red, green| {
                red.distance(FORTRESS_SQUARES[1]).cmp(&green.distance(FORTRESS_SQUARES[0]))
                    == wanted
            })
        });
        PairSetsByNearerKnight { red_nearer, equal }
    });

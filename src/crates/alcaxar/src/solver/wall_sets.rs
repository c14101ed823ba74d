//! The numbering of the sets of walls by the combinatorial number system: sets of one size, in the order of their bits.

use pentarch_tables::combinations::{binomials, next_combination};

use super::super::board::Slot;

/// The most walls of a set.
pub const MAX_WALLS: usize = 8;

/// The binomial coefficients, by `n` and `k`.
const CHOOSE: [[u32; MAX_WALLS + 2]; Slot::COUNT as usize + 1] = binomials();

/// The number of sets of so many walls.
pub fn count(walls: usize) -> usize {
    CHOOSE[usize::from(Slot::COUNT)][walls] as usize
}

/// The set of this size and rank.
pub fn unrank(size: usize, rank: usize) -> u64 {
    let mut rest = rank as u32;
    (1..=size).rev().fold(0, |set, size| {
        let slot = (0..usize::from(Slot::COUNT))
            .rev()
            .find(|&slot| CHOOSE[slot][size] <= rest)
            .unwrap_or(0);
        rest -= CHOOSE[slot][size];
        set | 1 << slot
    })
}

/// All sets of this size, in the order of their ranks.
pub fn all(size: usize) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(unrank(size, 0)), |&set| Some(next_combination(set)))
        .take(count(size))
}

/// A set with partial sums of its rank, so that the ranks of the sets that differ from it in one wall take a few
/// additions: the walls between the slot that is left and the one that is reached move up or down by one place.
#[derive(Debug, Clone, Copy)]
pub struct RankedSet {
    /// The set.
    pub set: u64,
    /// The sums over the first walls, one more for each entry: if each wall stands one place lower among the walls, as
    /// they count in this set, and if each stands one place higher.
    sums: [[u32; MAX_WALLS + 1]; 3],
}

impl RankedSet {
    /// The partial sums of a set of at most eight walls.
    pub fn new(set: u64) -> RankedSet {
        let (mut sums, mut rest) = ([[0; MAX_WALLS + 1]; 3], set);
        for at in 0..MAX_WALLS {
            for (before, sums) in (at..).zip(&mut sums) {
                let term =
                    if rest == 0 { 0 } else { CHOOSE[rest.trailing_zeros() as usize][before] };
                sums[at + 1] = sums[at] + term;
            }
            rest &= rest.wrapping_sub(1);
        }
        RankedSet { set, sums }
    }

    /// The rank of the set: the number of sets of the same size whose bits are a smaller number.
    pub fn rank(&self) -> usize {
        self.sums[1][MAX_WALLS] as usize
    }

    /// How many walls of the set are before this slot.
    pub fn before(&self, slot: Slot) -> usize {
        (self.set & (slot.bit() - 1)).count_ones() as usize
    }

    /// The rank of the set after the wall at this place of the set, counted from 0, has moved to an empty slot.
    pub fn rank_after(&self, place: usize, to: Slot) -> usize {
        let [lower, here, higher] = &self.sums;
        let (total, before, slot) = (here[MAX_WALLS], self.before(to), usize::from(to.0));
        let sum = if before > place {
            here[place]
                + (lower[before] - lower[place + 1])
                + CHOOSE[slot][before]
                + (total - here[before])
        } else {
            here[before]
                + CHOOSE[slot][before + 1]
                + (higher[place] - higher[before])
                + (total - here[place + 1])
        };
        sum as usize
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::board::slots;
    use super::*;

    fn rank(set: u64) -> usize {
        RankedSet::new(set).rank()
    }

    #[test]
    fn sets_are_numbered_in_the_order_of_their_bits() {
        for size in 1..=3 {
            let mut last = 0;
            for (number, set) in all(size).enumerate() {
                assert_eq!(
                    (rank(set), unrank(size, number), set.count_ones() as usize),
                    (number, set, size)
                );
                assert!(set > last);
                last = set;
            }
            assert!(next_combination(last) >= 1 << Slot::COUNT);
        }
        assert_eq!(rank(0xff << 32), count(8) - 1);
    }

    #[test]
    fn the_ranks_after_a_move_of_a_wall_are_those_of_the_sets() {
        let mut rng = fastrand::Rng::with_seed(23);
        for size in 1..=MAX_WALLS {
            for _ in 0..100 {
                let set = unrank(size, rng.usize(..count(size)));
                let ranked = RankedSet::new(set);
                for (place, from) in slots(set).enumerate() {
                    for to in slots(!set & ((1 << Slot::COUNT) - 1)) {
                        assert_eq!(ranked.rank_after(place, to), rank(set ^ from.bit() | to.bit()));
                    }
                }
            }
        }
    }
}

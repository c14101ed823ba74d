//! Numbers the sets of walls with the combinatorial number system. Read a set as a number with one
//! bit for each slot. The rank of the set is its index among all sets of the same size, in
//! ascending order of these numbers. (The rank of a win, which the [solver](super) explains, is a
//! different number.)

use pentarch_tables::combinations::{binomial_table, next_combination};

use super::super::board::WallSlot;

/// The maximum number of walls of a set.
pub const MAX_WALLS: usize = 8;

/// The binomial coefficients, by `n` and `k`.
const BINOMIAL_COEFFICIENTS: [[u32; MAX_WALLS + 2]; WallSlot::SLOT_COUNT as usize + 1] =
    binomial_table();

/// Returns the number of sets of `walls` walls.
pub fn count_wall_sets(walls: usize) -> usize {
    BINOMIAL_COEFFICIENTS[usize::from(WallSlot::SLOT_COUNT)][walls] as usize
}

/// Returns the set with this size and rank.
pub fn unrank_wall_set(size: usize, rank: usize) -> u64 {
    let mut rest = rank as u32;
    (1..=size).rev().fold(0, |set, size| {
        let slot = (0..usize::from(WallSlot::SLOT_COUNT))
            .rev()
            .find(|&slot| BINOMIAL_COEFFICIENTS[slot][size] <= rest)
            .unwrap_or(0);
        rest -= BINOMIAL_COEFFICIENTS[slot][size];
        set | 1 << slot
    })
}

/// Iterates over all sets of a size, in the order of their ranks.
pub fn all_wall_sets(size: usize) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(unrank_wall_set(size, 0)), |&set| Some(next_combination(set)))
        .take(count_wall_sets(size))
}

/// A set of walls with partial sums of its rank. With these sums, a few additions give the rank
/// after a move of one wall, because only the walls between the old and the new slot change their
/// index in the set.
#[derive(Debug, Clone, Copy)]
pub struct RankedWallSet {
    /// The set of walls, with one bit per slot.
    pub set: u64,
    /// Partial sums of the rank: the element `n` of an array is the sum over the first `n` walls.
    /// The second array uses each wall's own index in the set. The first array uses the next lower
    /// index, and the third array the next higher index.
    sums: [[u32; MAX_WALLS + 1]; 3],
}

impl RankedWallSet {
    /// Computes the partial sums of a set of at most eight walls.
    pub fn new(set: u64) -> RankedWallSet {
        let mut sums = [[0; MAX_WALLS + 1]; 3];
        let mut rest = set;
        for at in 0..MAX_WALLS {
            for (before, sums) in (at..).zip(&mut sums) {
                let term = if rest == 0 {
                    0
                } else {
                    BINOMIAL_COEFFICIENTS[rest.trailing_zeros() as usize][before]
                };
                sums[at + 1] = sums[at] + term;
            }
            rest &= rest.wrapping_sub(1);
        }
        RankedWallSet { set, sums }
    }

    /// Returns the rank of the set. This is the number of sets of the same size whose bits form a
    /// smaller number.
    pub fn rank(&self) -> usize {
        self.sums[1][MAX_WALLS] as usize
    }

    /// Returns the number of walls of the set before a slot.
    pub fn count_walls_before(&self, slot: WallSlot) -> usize {
        (self.set & (slot.bit() - 1)).count_ones() as usize
    }

    /// Returns the rank of the set after one wall has moved to an empty slot. `wall` is the index
    /// of the wall in the set, counted from 0.
    pub fn rank_after_wall_move(&self, wall: usize, to: WallSlot) -> usize {
        let [lower, here, higher] = &self.sums;
        let total = here[MAX_WALLS];
        let before = self.count_walls_before(to);
        let slot = usize::from(to.0);
        let sum = if before > wall {
            here[wall]
                + (lower[before] - lower[wall + 1])
                + BINOMIAL_COEFFICIENTS[slot][before]
                + (total - here[before])
        } else {
            here[before]
                + BINOMIAL_COEFFICIENTS[slot][before + 1]
                + (higher[wall] - higher[before])
                + (total - here[wall + 1])
        };
        sum as usize
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::board::iter_slots;
    use super::*;

    fn rank(set: u64) -> usize {
        RankedWallSet::new(set).rank()
    }

    #[test]
    fn ranks_follow_the_order_of_bits() {
        for size in 1..=3 {
            let mut last = 0;
            for (number, set) in all_wall_sets(size).enumerate() {
                assert_eq!(
                    (rank(set), unrank_wall_set(size, number), set.count_ones() as usize),
                    (number, set, size)
                );
                assert!(set > last);
                last = set;
            }
            assert!(next_combination(last) >= 1 << WallSlot::SLOT_COUNT);
        }
        assert_eq!(rank(0xff << 32), count_wall_sets(8) - 1);
    }

    #[test]
    fn rank_after_is_the_rank_of_the_changed_set() {
        let mut rng = fastrand::Rng::with_seed(23);
        for size in 1..=MAX_WALLS {
            for _ in 0..100 {
                let set = unrank_wall_set(size, rng.usize(..count_wall_sets(size)));
                let ranked = RankedWallSet::new(set);
                for (wall, from) in iter_slots(set).enumerate() {
                    for to in iter_slots(!set & ((1 << WallSlot::SLOT_COUNT) - 1)) {
                        assert_eq!(
                            ranked.rank_after_wall_move(wall, to),
                            rank(set ^ from.bit() | to.bit())
                        );
                    }
                }
            }
        }
    }
}

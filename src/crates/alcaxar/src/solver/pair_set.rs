//! Sets of pairs of squares. A pair consists of the square of the red knight and the square of the
//! green knight.

use std::ops::{BitAnd, BitOr, BitXor, Not};

use pentarch_core::notation::points::bit_indices;

use super::super::board::Square;

/// A set of pairs of squares, with one bit for each pair. The bit number of a pair is 16 times the
/// square of the red knight plus the square of the green knight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PairSet(pub [u64; 4]);

const LOWEST_BIT_OF_EACH_LANE: u64 = 0x0001_0001_0001_0001;

impl PairSet {
    /// No pair.
    pub const EMPTY: PairSet = PairSet([0; 4]);
    /// All pairs, including those of two equal squares.
    pub const ALL: PairSet = PairSet([u64::MAX; 4]);

    /// Returns the pairs that have a property.
    pub fn with_property(has: impl Fn(Square, Square) -> bool) -> PairSet {
        let pairs = (0..=255_u8).filter(|pair| has(Square(pair / 16), Square(pair % 16)));
        pairs.fold(PairSet::EMPTY, |mut set, pair| {
            set.0[usize::from(pair / 64)] |= 1 << (pair % 64);
            set
        })
    }

    /// Returns the pairs with the red knight on a square of `red` and the green knight on a square
    /// of `green`.
    pub fn from_square_sets(red: u16, green: u16) -> PairSet {
        pairs_with_red_knight_on(red) & pairs_with_green_knight_on(green)
    }

    /// Returns the pairs of two different squares.
    pub const fn different_squares() -> PairSet {
        let mut words = [u64::MAX; 4];
        let mut square = 0;
        while square < 16 {
            words[square / 4] &= !(1 << (square % 4 * 16 + square));
            square += 1;
        }
        PairSet(words)
    }

    /// Returns the squares of the red knight and those of the green knight in the pairs of the set.
    pub fn knight_squares(&self) -> [u16; 2] {
        let green = self.0.into_iter().fold(0, |all, word| all | word);
        let green = green | green >> 32;
        // First, the highest bit of each group of 16 bits is set if any bit of the group is set.
        // Then the highest bits of the groups in a word are moved next to each other.
        let low = 0x7fff * LOWEST_BIT_OF_EACH_LANE;
        let red = self.0.map(|word| {
            let any = (((word & low) + low) | word) >> 15 & LOWEST_BIT_OF_EACH_LANE;
            (any | any >> 15 | any >> 30 | any >> 45) as u16 & 0xf
        });
        let red = red[0] | red[1] << 4 | red[2] << 8 | red[3] << 12;
        [red, (green | green >> 16) as u16]
    }

    /// Returns whether the set has this pair.
    pub fn contains(&self, [red, green]: [Square; 2]) -> bool {
        self.0[usize::from(red.0 / 4)] >> (red.0 % 4 * 16 + green.0) & 1 != 0
    }

    /// Returns whether the set has no pair.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    /// Returns all pairs with bit numbers lower than that of the first pair of the set.
    pub fn all_pairs_before_first(&self) -> PairSet {
        let mut is_before = true;
        PairSet(self.0.map(|word| {
            let lower = if is_before { (word & word.wrapping_neg()).wrapping_sub(1) } else { 0 };
            is_before &= word == 0;
            lower
        }))
    }

    /// Iterates over the bit numbers of the pairs, in ascending order.
    pub fn iter_numbers(self) -> impl Iterator<Item = u8> {
        let words = [0, 64, 128, 192].into_iter().zip(self.0);
        words.flat_map(|(first, word)| bit_indices(word).map(move |number| first + number))
    }

    /// Returns the number of pairs.
    pub fn len(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Returns the mirror image in the diagonal from a9 to i1. This reflection maps each fortress
    /// to itself. With columns and rows counted from 0, the square in column `f` and row `r`
    /// becomes the square in column `3 - r` and row `3 - f`.
    ///
    /// The method exchanges blocks of two by two squares across the diagonal, and then the squares
    /// within each block (delta swaps; Knuth, "The Art of Computer Programming", section 7.1.3).
    pub fn mirror(&self) -> PairSet {
        /// Exchanges each bit of `mask` with the bit that is `by` positions higher.
        fn delta_swap(word: u64, by: u32, mask: u64) -> u64 {
            let differences = (word ^ word >> by) & mask;
            word ^ differences ^ differences << by
        }
        /// Exchanges each bit of `mask` in the word `one` with the bit that is `by` positions
        /// higher in the word `other`.
        fn delta_swap_words(words: &mut [u64; 4], [one, other]: [usize; 2], by: u32, mask: u64) {
            let differences = (words[one] ^ words[other] >> by) & mask;
            words[one] ^= differences;
            words[other] ^= differences << by;
        }
        let mut words = self.0.map(|word| {
            delta_swap(
                delta_swap(word, 10, 0x33 * LOWEST_BIT_OF_EACH_LANE),
                5,
                0x505 * LOWEST_BIT_OF_EACH_LANE,
            )
        });
        [[0, 2], [1, 3]]
            .into_iter()
            .for_each(|pair| delta_swap_words(&mut words, pair, 32, 0xffff_ffff));
        [[0, 1], [2, 3]]
            .into_iter()
            .for_each(|pair| delta_swap_words(&mut words, pair, 16, 0xffff_0000_ffff));
        PairSet(words)
    }
}

fn pairs_with_red_knight_on(squares: u16) -> PairSet {
    // The bit of each square becomes the lowest bit of a group of 16 bits. Then it is copied to all
    // bits of the group.
    PairSet([0, 4, 8, 12].map(|first| {
        let bits = u64::from(squares >> first);
        (bits & 1 | (bits & 2) << 15 | (bits & 4) << 30 | (bits & 8) << 45) * 0xffff
    }))
}

fn pairs_with_green_knight_on(squares: u16) -> PairSet {
    PairSet([u64::from(squares) * LOWEST_BIT_OF_EACH_LANE; 4])
}

impl BitAnd for PairSet {
    type Output = PairSet;

    fn bitand(self, other: PairSet) -> PairSet {
        PairSet(std::array::from_fn(|at| self.0[at] & other.0[at]))
    }
}

impl BitOr for PairSet {
    type Output = PairSet;

    fn bitor(self, other: PairSet) -> PairSet {
        PairSet(std::array::from_fn(|at| self.0[at] | other.0[at]))
    }
}

impl BitXor for PairSet {
    type Output = PairSet;

    fn bitxor(self, other: PairSet) -> PairSet {
        PairSet(std::array::from_fn(|at| self.0[at] ^ other.0[at]))
    }
}

impl Not for PairSet {
    type Output = PairSet;

    fn not(self) -> PairSet {
        PairSet(self.0.map(|word| !word))
    }
}

/// The steps between neighbouring squares that walls leave open.
#[derive(Debug, Clone, Copy)]
pub struct OpenStepMasks {
    /// The squares from which a step up is open.
    up: u16,
    /// The squares from which a step to the right is open.
    right: u16,
}

impl OpenStepMasks {
    /// Returns the steps that these walls leave open.
    pub fn for_walls(walls: u64) -> OpenStepMasks {
        // Along a file, the slots above the squares have consecutive numbers, and so do the slots
        // to the right of the squares.
        let file = |file: u32, first: u32, squares: u16| {
            (!(walls >> first) as u16 & squares) << (4 * file)
        };
        OpenStepMasks {
            up: (0..4).fold(0, |set, at| set | file(at, 9 * at + 5, 0x7)),
            right: (0..3).fold(0, |set, at| set | file(at, 9 * at + 9, 0xf)),
        }
    }

    /// Returns, for each direction, the pairs from which a step of the red knight leads to a pair
    /// in the set.
    fn red_predecessors_by_direction(self, set: &PairSet) -> [PairSet; 4] {
        let [up, right] = [self.up, self.right].map(pairs_with_red_knight_on);
        let [a, b, c, d] = set.0;
        let below = *set & up;
        let [e, f, g, _] = (*set & right).0;
        [
            PairSet(set.0.map(|word| word >> 16)) & up,
            PairSet([b, c, d, a]) & right,
            PairSet(below.0.map(|word| word << 16)),
            PairSet([0, e, f, g]),
        ]
    }

    /// Returns, for each direction, the pairs from which a step of the green knight leads to a pair
    /// in the set.
    fn green_predecessors_by_direction(self, set: &PairSet) -> [PairSet; 4] {
        let [up, right] = [self.up, self.right].map(pairs_with_green_knight_on);
        let from_below = PairSet(set.0.map(|word| word >> 1)) & up;
        let from_left = PairSet(set.0.map(|word| word >> 4)) & right;
        let below = *set & up;
        let left = *set & right;
        let from_above = PairSet(below.0.map(|word| word << 1));
        let from_right = PairSet(left.0.map(|word| word << 4));
        [from_below, from_left, from_above, from_right]
    }

    /// Returns the pairs from which a step of the red knight leads to a pair in the set.
    pub fn predecessors_by_red_step(self, set: &PairSet) -> PairSet {
        self.red_predecessors_by_direction(set).into_iter().fold(PairSet::EMPTY, PairSet::bitor)
    }

    /// Returns the pairs from which a step of the green knight leads to a pair in the set.
    pub fn predecessors_by_green_step(self, set: &PairSet) -> PairSet {
        self.green_predecessors_by_direction(set).into_iter().fold(PairSet::EMPTY, PairSet::bitor)
    }

    /// Returns the pairs in which the red knight has more accessible squares than the green knight,
    /// and the pairs with equally many.
    pub fn compare_mobility(self) -> [PairSet; 2] {
        let counts = [
            self.red_predecessors_by_direction(&PairSet::different_squares()),
            self.green_predecessors_by_direction(&PairSet::different_squares()),
        ]
        .map(count_containing_sets);
        let [mut more, mut equal] = [PairSet::EMPTY, PairSet::ALL];
        for (&red, &green) in counts[0].iter().zip(&counts[1]) {
            more = more | equal & red & !green;
            equal = equal & (red & green | !red & !green);
        }
        [more, equal]
    }
}

/// Counts, for each pair, the sets that contain it (with a bit-sliced adder). Returns the counts as
/// binary digits: the fours, the twos and the ones.
fn count_containing_sets([a, b, c, d]: [PairSet; 4]) -> [PairSet; 3] {
    let ones = a ^ b;
    let others = c ^ d;
    let carries = [a & b, c & d, ones & others];
    let twos = carries.into_iter().fold(PairSet::EMPTY, PairSet::bitxor);
    [carries[0] & carries[1], twos, ones ^ others]
}

#[cfg(test)]
mod tests {
    use super::super::super::board::{self, Board, WallSlot};
    use super::super::super::position::map_square;
    use super::*;

    #[test]
    fn steps_and_accessible_squares_match_the_board() {
        let board = Board::default();
        let mut rng = fastrand::Rng::with_seed(21);
        for _ in 0..200 {
            let walls = (0..8).fold(0, |walls, _| walls | WallSlot(rng.u8(0..40)).bit());
            let steps = OpenStepMasks::for_walls(walls);
            let set = PairSet(std::array::from_fn(|_| rng.u64(..)));
            let accessible = |knight, other| board.knight_step_targets(knight, other, walls);
            let red_step_sources = PairSet::with_property(|red, green| {
                board.steps[usize::from(red.0)]
                    .iter()
                    .any(|step| step.gate & walls == 0 && set.contains([step.to, green]))
            });
            let green_step_sources = PairSet::with_property(|red, green| {
                board.steps[usize::from(green.0)]
                    .iter()
                    .any(|step| step.gate & walls == 0 && set.contains([red, step.to]))
            });
            assert_eq!(
                [steps.predecessors_by_red_step(&set), steps.predecessors_by_green_step(&set)],
                [red_step_sources, green_step_sources]
            );
            let [more, equal] = steps.compare_mobility();
            let counts =
                |red, green| (accessible(red, green).count(), accessible(green, red).count());
            let compared = |red, green| counts(red, green).0.cmp(&counts(red, green).1);
            assert_eq!(
                more & PairSet::different_squares(),
                PairSet::with_property(|red, green| red != green && compared(red, green).is_gt())
            );
            assert_eq!(
                equal & PairSet::different_squares(),
                PairSet::with_property(|red, green| red != green && compared(red, green).is_eq())
            );
        }
    }

    #[test]
    fn squares_match_the_pairs() {
        let mut rng = fastrand::Rng::with_seed(25);
        for pairs in 0..100 {
            let mut set = PairSet::EMPTY;
            (0..pairs / 8).for_each(|_| set.0[rng.usize(..4)] |= 1 << rng.u32(..64));
            let [mut red, mut green] = [0_u16; 2];
            for number in set.iter_numbers() {
                red |= 1 << (number / 16);
                green |= 1 << (number % 16);
            }
            assert_eq!(set.knight_squares(), [red, green]);
            assert_eq!(set.iter_numbers().count() as u64, set.len());
            assert_eq!(set & PairSet::from_square_sets(red, green), set);
        }
    }

    #[test]
    fn mirror_maps_the_squares_of_each_pair() {
        let mut rng = fastrand::Rng::with_seed(22);
        let image =
            |square| map_square(square, |point| board::half_turn_point(board::mirror_point(point)));
        for _ in 0..50 {
            let set = PairSet(std::array::from_fn(|_| rng.u64(..)));
            assert_eq!(
                set.mirror(),
                PairSet::with_property(|red, green| set.contains([image(red), image(green)]))
            );
            assert_eq!(set.mirror().mirror(), set);
        }
    }
}

//! Perfect hashing of sets of points. The sets of each size are numbered from 0 without gaps, in
//! the order of their bits, read as a number.
//!
//! A set is a word with one bit for each of up to 32 points. The sets of `k` out of `n` points have
//! the numbers from 0 to [`binomial`]`(n, k) - 1`. This numbering is the combinatorial number
//! system. For any `n`, a set of points `p1 < p2 < ... < pk` has the number
//! `binomial(p1, 1) + binomial(p2, 2) + ... + binomial(pk, k)`.

/// The maximum size of a numbered set.
const MAX_NUMBERED_SET_SIZE: usize = 12;

/// The binomial coefficients, by `n` and `k`.
const BINOMIALS: [[u32; MAX_NUMBERED_SET_SIZE + 1]; 33] = binomial_table();

/// Computes the binomial coefficients, by `n` and `k`, as in Pascal's triangle.
pub const fn binomial_table<const N: usize, const K: usize>() -> [[u32; K]; N] {
    let mut table = [[0; K]; N];
    let mut n = 0;
    while n < N {
        table[n][0] = 1;
        let mut k = 1;
        while n > 0 && k < K {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
}

/// Returns the binomial coefficient: the number of sets of `k` out of `n` points. `k` is at most
/// 12, and `n` at most 32.
pub const fn binomial(n: usize, k: usize) -> usize {
    BINOMIALS[n][k] as usize
}

/// The free points of a board: those that no piece occupies. Sets of free points are numbered as if
/// the board had no other points.
#[derive(Debug, Clone, Copy)]
pub struct FreePoints {
    /// For each point of the board, the number of free points before it.
    free_before: [u8; 32],
}

impl FreePoints {
    /// Returns all points except the points in the set `without`.
    pub const fn new(without: u32) -> FreePoints {
        let mut free_before = [0; 32];
        let mut point = 0;
        let mut free = 0;
        while point < free_before.len() {
            free_before[point] = free;
            free += (without >> point & 1 == 0) as u8;
            point += 1;
        }
        FreePoints { free_before }
    }

    /// Returns the number of a set of free points: its index among the sets of free points of the
    /// same size. The set has at most 12 points.
    #[inline]
    pub fn number_of_set(&self, mut set: u32) -> usize {
        let mut number = 0;
        let mut size = 1;
        while set != 0 && size <= MAX_NUMBERED_SET_SIZE {
            number +=
                BINOMIALS[usize::from(self.free_before[set.trailing_zeros() as usize & 31])][size];
            set &= set - 1;
            size += 1;
        }
        number as usize
    }
}

/// All sets of points up to a size. A set is found by its size and number, so this is the inverse
/// of [`FreePoints::number_of_set`].
#[derive(Debug, Clone)]
pub struct Combinations {
    /// The sets by size and number.
    sets: Vec<Box<[u32]>>,
}

impl Combinations {
    /// Lists the sets of at most `size` points among the first `points` points.
    pub fn new(points: usize, size: usize) -> Combinations {
        let of_size = |size: usize| {
            let first = (1_u64 << size) - 1;
            std::iter::successors(Some(first), |&set| Some(next_combination(set)))
                .map(|set| set as u32)
        };
        Combinations {
            sets: (0..=size)
                .map(|size| of_size(size).take(binomial(points, size)).collect())
                .collect(),
        }
    }

    /// Returns the set with this size and number. The set contains no points of `without`.
    #[inline]
    pub fn get(&self, size: usize, number: usize, mut without: u32) -> u32 {
        let mut set = self.sets[size][number];
        while without != 0 {
            let below = (without & without.wrapping_neg()) - 1;
            without &= without - 1;
            set += set & !below;
        }
        set
    }
}

/// Returns the next set of the same size (Gosper's hack). The order of the sets is that of their
/// bits, read as a number. The lowest point that can move up by one moves up. The points below this
/// point move down as far as possible. For the empty set, the result is again the empty set.
#[inline]
pub fn next_combination(set: u64) -> u64 {
    let lowest = set & set.wrapping_neg();
    let up = set + lowest;
    up | (set ^ up).wrapping_shr(lowest.trailing_zeros() + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_a_size_are_numbered_without_gaps() {
        let all = Combinations::new(10, 5);
        for without in [0, 0b1, 0b10_0110_0001] {
            let rest = FreePoints::new(without);
            let left = 10 - u32::count_ones(without) as usize;
            for size in 0..=5 {
                let is_one = |set: &u32| set.count_ones() as usize == size && set & without == 0;
                let sets: Vec<u32> = (0..1 << 10).filter(is_one).collect();
                assert_eq!(sets.len(), binomial(left, size));
                for (number, &set) in sets.iter().enumerate() {
                    assert_eq!(
                        (rest.number_of_set(set), all.get(size, number, without)),
                        (number, set)
                    );
                }
            }
        }
    }

    #[test]
    fn sets_of_the_maximum_size_have_numbers() {
        let last = 0b1111_1111_1111 << 20;
        assert_eq!(FreePoints::new(0).number_of_set(last), binomial(32, 12) - 1);
        assert_eq!(Combinations::new(32, 2).get(2, binomial(32, 2) - 1, 0), 0b11 << 30);
    }
}

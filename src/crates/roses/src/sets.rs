//! The sets of cells on which the soldiers of a side can stand, as numbers.

use pentarch_tables::combinations::{Combinations, choose};

use super::board::{CELL_COUNT, Cells, half_turn};
use super::numbering::{CASTLES, COUNTS, Class, FREE_COUNT};

/// The sets of at most four cells on which soldiers can stand, by size and number.
pub struct Sets {
    /// The sets of each size, in the order of their numbers.
    pub of_size: Vec<Vec<Cells>>,
    /// The number of each set among those of its size.
    number: Vec<u16>,
    /// The number of the half turn of each set.
    pub turned: Vec<Vec<u16>>,
}

impl Sets {
    /// All sets.
    pub fn new() -> Sets {
        let all = Combinations::new(FREE_COUNT, COUNTS - 1);
        let of_size: Vec<Vec<Cells>> = (0..COUNTS)
            .map(|size| {
                (0..choose(FREE_COUNT, size)).map(|number| all.get(size, number, CASTLES)).collect()
            })
            .collect();
        let mut number = vec![0; 1 << CELL_COUNT];
        for sets in &of_size {
            sets.iter().zip(0..).for_each(|(&set, at)| number[set as usize] = at);
        }
        let turned = of_size
            .iter()
            .map(|sets| sets.iter().map(|&set| number[half_turn(set) as usize]).collect());
        let turned = turned.collect();
        Sets { of_size, number, turned }
    }

    /// The number of a set.
    pub fn number(&self, set: Cells) -> usize {
        self.number[set as usize].into()
    }

    /// The number of pairs of sets of these sizes.
    pub fn size(&self, [own, enemy]: [usize; 2]) -> usize {
        self.of_size[own].len() * self.of_size[enemy].len()
    }

    /// The sets of this size that `holds`, as a row of bits.
    pub fn row(&self, size: usize, holds: impl Fn(Cells) -> bool) -> Vec<u64> {
        let bit = |&set: &Cells| u64::from(holds(set));
        let word =
            |sets: &[Cells]| sets.iter().zip(0..).fold(0, |word, (set, at)| word | bit(set) << at);
        self.of_size[size].chunks(64).map(word).collect()
    }

    /// The values of the pairs of sets that share no cell, in the order of their numbers.
    pub fn without_overlap(&self, class: Class, values: &[u8]) -> Box<[u8]> {
        let [own, enemy] = [class.own, class.enemy].map(|size| &self.of_size[size]);
        let rows = own.iter().zip(values.chunks(enemy.len()));
        let apart = rows.flat_map(|(own, row)| {
            enemy
                .iter()
                .zip(row)
                .filter(move |(enemy, _)| own & **enemy == 0)
                .map(|(_, &value)| value)
        });
        apart.collect()
    }
}

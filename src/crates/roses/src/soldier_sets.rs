//! Numbers the sets of cells on which the soldiers of a side can be.

use pentarch_tables::combinations::{Combinations, binomial};

use super::board::{CELL_COUNT, CellSet, half_turn_cell_set};
use super::numbering::{CASTLE_CELL_SET, PositionClass, SOLDIER_CELL_COUNT, SOLDIER_COUNT_VALUES};

/// The numbers of soldiers that the two sides have on the board.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SoldierCounts {
    /// The number of soldiers of the side to move.
    pub own: usize,
    /// The number of soldiers of the other side.
    pub enemy: usize,
}

impl SoldierCounts {
    /// Returns all counts, in the order of their indices.
    pub(crate) fn all() -> impl Iterator<Item = SoldierCounts> {
        (0..SOLDIER_COUNT_VALUES).flat_map(|own| {
            (0..SOLDIER_COUNT_VALUES).map(move |enemy| SoldierCounts { own, enemy })
        })
    }

    /// Returns the index of this pair in [`SoldierCounts::all`].
    pub(crate) fn index(self) -> usize {
        self.own * SOLDIER_COUNT_VALUES + self.enemy
    }
}

/// All sets of at most four cells on which soldiers can be. Sets of the same size are numbered from
/// 0.
pub(crate) struct SoldierSets {
    /// For each size, the sets in the order of their numbers.
    pub by_size: Vec<Vec<CellSet>>,
    /// The number of each set, indexed by the bits of the set.
    number: Vec<u16>,
    /// For each size and each number of a set, the number of the set's image under the half turn.
    pub half_turns: Vec<Vec<u16>>,
}

impl SoldierSets {
    pub(crate) fn new() -> SoldierSets {
        let all = Combinations::new(SOLDIER_CELL_COUNT, SOLDIER_COUNT_VALUES - 1);
        let mut by_size = Vec::new();
        let mut number = vec![0; 1 << CELL_COUNT];
        for size in 0..SOLDIER_COUNT_VALUES {
            let mut sets = Vec::new();
            for rank in 0..binomial(SOLDIER_CELL_COUNT, size) {
                let set = all.get(size, rank, CASTLE_CELL_SET);
                number[set as usize] = rank as u16;
                sets.push(set);
            }
            by_size.push(sets);
        }
        let mut half_turns = Vec::new();
        for sets in &by_size {
            half_turns
                .push(sets.iter().map(|&set| number[half_turn_cell_set(set) as usize]).collect());
        }
        SoldierSets { by_size, number, half_turns }
    }

    pub(crate) fn number_of_set(&self, set: CellSet) -> usize {
        self.number[set as usize].into()
    }

    /// Returns the number of pairs of sets in which the first set has `own` cells and the second
    /// has `enemy` cells.
    pub(crate) fn pair_count(&self, SoldierCounts { own, enemy }: SoldierCounts) -> usize {
        self.by_size[own].len() * self.by_size[enemy].len()
    }

    /// Returns a row of bits for the sets of this size, in the order of their numbers. The bit of a
    /// set shows whether `matches` returns `true` for this set.
    pub(crate) fn matching_set_bits(
        &self,
        size: usize,
        matches: impl Fn(CellSet) -> bool,
    ) -> Vec<u64> {
        let mut row = Vec::new();
        for sets in self.by_size[size].chunks(64) {
            let mut word = 0;
            for (bit, &set) in sets.iter().enumerate() {
                word |= u64::from(matches(set)) << bit;
            }
            row.push(word);
        }
        row
    }

    /// Selects the values of the pairs of sets that share no cell. `values` has the values of all
    /// pairs, in the order of the pairs' numbers.
    pub(crate) fn values_without_overlap(&self, class: PositionClass, values: &[u8]) -> Box<[u8]> {
        let enemy_sets = &self.by_size[class.enemy];
        let mut compact = Vec::new();
        for (own, row) in self.by_size[class.own].iter().zip(values.chunks(enemy_sets.len())) {
            for (enemy, &value) in enemy_sets.iter().zip(row) {
                if own & enemy == 0 {
                    compact.push(value);
                }
            }
        }
        compact.into_boxed_slice()
    }
}

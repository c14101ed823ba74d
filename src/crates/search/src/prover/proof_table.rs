//! The table of the proof-number search: proof numbers by position, in a fixed amount of memory.

use std::ops::Range;

use pentarch_core::{BanSet, Searchable};
use pentarch_system::memory;

use super::proof_numbers::{INFINITE_PROOF_NUMBER, ProofNumbers};
use super::result_transfer_conditions::ResultTransferConditions;

/// The number of entries of a bucket. A position can be in any entry of its bucket.
const ENTRIES_PER_BUCKET: usize = 4;
/// The bit of the key that is flipped for a result with conditions. So results with and without
/// conditions never have the same key.
const CONDITIONAL_KEY_BIT: u64 = 1;

/// The table of the proof-number search. A table of size 0 stores nothing.
#[derive(Debug, Default)]
pub struct ProofTable {
    /// The entries of the table. An entry is a pair of a key and packed proof numbers.
    entries: Box<[[u64; 2]]>,
    /// For each entry, the bits of the [conditions](ResultTransferConditions) under which the entry
    /// holds; empty if the game has no bans.
    conditions: Box<[[u64; 2]]>,
}

impl ProofTable {
    /// Creates a table that takes at most `mib` MiB, for questions about this game. Returns `None`
    /// if there is not [enough memory](memory::allocate_zeros).
    pub fn new<G: Searchable>(mib: usize, rules: &G) -> Option<ProofTable> {
        let has_conditions = rules.position_bans(&rules.start_position()).is_some();
        let size = size_of::<[u64; 2]>() + if has_conditions { size_of::<[u64; 2]>() } else { 0 };
        let entries =
            mib.saturating_mul(1024 * 1024) / size / ENTRIES_PER_BUCKET * ENTRIES_PER_BUCKET;
        Some(ProofTable {
            entries: memory::allocate_zeros(entries)?,
            conditions: memory::allocate_zeros(if has_conditions { entries } else { 0 })?,
        })
    }

    /// Returns the maximum number of entries.
    pub fn capacity(&self) -> usize {
        self.entries.len()
    }

    /// Returns the proof numbers of the position with this key, if the table contains them.
    pub fn get(&self, key: u64) -> Option<ProofNumbers> {
        self.entry_indices_of_key(key).next().map(|at| unpack_proof_numbers(self.entries[at][1]))
    }

    /// Stores proof numbers, found by a search of `nodes` nodes. The new numbers replace the
    /// numbers with the same key, or else the entry of the bucket that took the fewest nodes.
    pub fn put(&mut self, key: u64, numbers: ProofNumbers, nodes: u64) {
        let bucket = self.bucket_indices(key);
        let entries = self.entries[bucket].iter_mut();
        if let Some(entry) = entries.min_by_key(|entry| (entry[0] != key, entry[1] >> 56)) {
            *entry = [key, pack_proof_numbers(numbers, nodes)];
        }
    }

    /// Removes the proof numbers of the position with this key.
    pub fn remove(&mut self, key: u64) {
        for at in self.bucket_indices(key) {
            if self.entries[at][0] == key {
                self.entries[at] = [0; 2];
            }
        }
    }

    /// Removes all results of a position, under any conditions. `key` is the key of the position
    /// without its history.
    pub fn remove_conditional_results(&mut self, key: u64) {
        self.remove(key ^ CONDITIONAL_KEY_BIT);
    }

    /// Returns a result that holds under these bans of the attacker and of the defender, and the
    /// result's conditions. `key` is the key of the position without its history.
    pub fn get_conditional_result(
        &self,
        key: u64,
        bans: [BanSet; 2],
    ) -> Option<(ProofNumbers, ResultTransferConditions)> {
        let key = key ^ CONDITIONAL_KEY_BIT;
        let result = |at: usize| {
            (
                unpack_proof_numbers(self.entries[at][1]),
                ResultTransferConditions::from_bits(self.conditions[at]),
            )
        };
        let mut results = self.entry_indices_of_key(key).map(result);
        results.find(|(numbers, conditions)| {
            conditions.are_met_by(numbers.sort_values_winner_first(bans))
        })
    }

    /// Stores a result that holds under `conditions`, found by a search of `nodes` nodes. The new
    /// result replaces the same result under stricter conditions, or else the entry of the bucket
    /// that took the fewest nodes. `key` is the key of the position without its history.
    pub fn put_conditional_result(
        &mut self,
        key: u64,
        numbers: ProofNumbers,
        conditions: ResultTransferConditions,
        nodes: u64,
    ) {
        let key = key ^ CONDITIONAL_KEY_BIT;
        for at in self.bucket_indices(key) {
            let is_same =
                self.entries[at][0] == key && unpack_proof_numbers(self.entries[at][1]) == numbers;
            if is_same
                && conditions
                    .are_implied_by(ResultTransferConditions::from_bits(self.conditions[at]))
            {
                self.entries[at] = [0; 2];
            }
        }
        if let Some(at) = self.bucket_indices(key).min_by_key(|&at| self.entries[at][1] >> 56) {
            self.entries[at] = [key, pack_proof_numbers(numbers, nodes)];
            self.conditions[at] = conditions.bits();
        }
    }

    fn entry_indices_of_key(&self, key: u64) -> impl Iterator<Item = usize> {
        self.bucket_indices(key)
            .filter(move |&at| self.entries[at][0] == key && self.entries[at][1] != 0)
    }

    /// Returns the indices of the entries in which this key can be stored. A table of size 0 has no
    /// such entries.
    fn bucket_indices(&self, key: u64) -> Range<usize> {
        let buckets = (self.entries.len() / ENTRIES_PER_BUCKET) as u128;
        let at = ((u128::from(key) * buckets) >> 64) as usize * ENTRIES_PER_BUCKET;
        at..at + ENTRIES_PER_BUCKET.min(self.entries.len())
    }
}

/// Packs proof numbers into a word, together with the number of nodes of the search that found
/// them. From the lowest bit on, the word contains the proof number (28 bits), the disproof number
/// (28 bits) and the logarithm of the number of nodes (8 bits). The word is never 0, because at
/// most one of the proof and the disproof number is 0.
fn pack_proof_numbers(numbers: ProofNumbers, nodes: u64) -> u64 {
    let log_nodes = u64::from(nodes.checked_ilog2().map_or(0, |log| log + 1));
    u64::from(numbers.proof) | u64::from(numbers.disproof) << 28 | log_nodes << 56
}

fn unpack_proof_numbers(data: u64) -> ProofNumbers {
    let number = |bits: u64| bits as u32 & INFINITE_PROOF_NUMBER;
    ProofNumbers { proof: number(data), disproof: number(data >> 28) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_nim::Nim;

    #[test]
    fn entries_that_took_most_nodes_remain() {
        let mut table = ProofTable::new(1, &Nim::default()).unwrap();
        let open = ProofNumbers { proof: 3, disproof: 70_000 };
        for (key, nodes) in (1..).zip([900, 1, 50, u64::MAX]) {
            table.put(key, open, nodes);
        }
        assert_eq!(table.get(2), Some(open));
        table.put(5, ProofNumbers::PROVED_PROOF_NUMBERS, 0);
        table.put(1, ProofNumbers::DISPROVED_PROOF_NUMBERS, 0);
        let known = [1, 2, 3, 4, 5].map(|key| table.get(key));
        assert_eq!(
            known,
            [
                Some(ProofNumbers::DISPROVED_PROOF_NUMBERS),
                None,
                Some(open),
                Some(open),
                Some(ProofNumbers::PROVED_PROOF_NUMBERS)
            ]
        );
    }

    #[test]
    fn removed_entries_are_not_found() {
        let entries = || vec![[0; 2]; 8].into_boxed_slice();
        let mut table = ProofTable { entries: entries(), conditions: entries() };
        table.put(6, ProofNumbers::PROVED_PROOF_NUMBERS, 1);
        table.put_conditional_result(
            6,
            ProofNumbers::DISPROVED_PROOF_NUMBERS,
            ResultTransferConditions::default(),
            1,
        );
        let known = |table: &ProofTable| {
            (
                table.get(6),
                table.get_conditional_result(6, [BanSet::NO_BANS; 2]).map(|found| found.0),
            )
        };
        assert_eq!(
            known(&table),
            (Some(ProofNumbers::PROVED_PROOF_NUMBERS), Some(ProofNumbers::DISPROVED_PROOF_NUMBERS))
        );
        table.remove(6);
        assert_eq!(known(&table), (None, Some(ProofNumbers::DISPROVED_PROOF_NUMBERS)));
        table.remove_conditional_results(6);
        assert_eq!(known(&table), (None, None));
    }

    #[test]
    fn a_table_of_size_zero_stores_nothing() {
        let mut table = ProofTable::new(0, &Nim::default()).unwrap();
        table.put(42, ProofNumbers::PROVED_PROOF_NUMBERS, 7);
        table.remove(42);
        assert_eq!(table.get(42), None);
    }
}

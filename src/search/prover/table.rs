//! What the proof-number search knows of positions, in a table of a fixed size.

use std::ops::Range;

use crate::core::{Complete, room};

use super::numbers::{NEVER, Numbers};
use super::terms::Terms;

/// Entries that a position can be kept in.
const WAYS: usize = 4;
/// What makes the key of what is settled on terms another one.
const ON_TERMS: u64 = 1;

/// The table. One of size 0 remembers nothing.
#[derive(Debug, Default)]
pub struct ProofTable {
    /// Pairs of a key and what is known of its position.
    entries: Box<[[u64; 2]]>,
    /// On what [terms](Terms) they are settled, as bits, if terms are kept.
    terms: Box<[[u64; 2]]>,
}

impl ProofTable {
    /// A table of at most this many MiB for questions about this game; none if the system does not give that much
    /// memory, and [some](room) besides.
    pub fn new<G: Complete>(mib: usize, game: &G) -> Option<ProofTable> {
        let has_terms = game.forbidden(&game.start()).is_some();
        let size = size_of::<[u64; 2]>() + if has_terms { size_of::<[u64; 2]>() } else { 0 };
        let entries = mib.saturating_mul(1024 * 1024) / size / WAYS * WAYS;
        Some(ProofTable { entries: room::zeroed(entries)?, terms: room::zeroed(if has_terms { entries } else { 0 })? })
    }

    /// How many entries it holds.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What is known of the position with this key.
    pub fn get(&self, key: u64) -> Option<Numbers> {
        let bucket = &self.entries[self.bucket(key)];
        bucket.iter().find(|entry| entry[0] == key && entry[1] != 0).map(|entry| unpack(entry[1]))
    }

    /// Remembers what took this many nodes to find out, in the place of what took least.
    pub fn put(&mut self, key: u64, numbers: Numbers, nodes: u64) {
        let bucket = self.bucket(key);
        let worth = |entry: &&mut [u64; 2]| (entry[0] != key, entry[1] >> 56);
        let least = self.entries[bucket].iter_mut().min_by_key(worth);
        if let Some(entry) = least {
            *entry = [key, pack(numbers, nodes)];
        }
    }

    /// What is settled about the positions that have this key but for their past, if it holds where this is forbidden
    /// to the attacker and to the other side; and on what terms.
    pub fn settled(&self, key: u64, forbidden: [u64; 2]) -> Option<(Numbers, Terms)> {
        let key = key ^ ON_TERMS;
        let entries = self.bucket(key).filter(|&at| self.entries[at][0] == key && self.entries[at][1] != 0);
        let mut known = entries.map(|at| (unpack(self.entries[at][1]), Terms::of_bits(self.terms[at])));
        known.find(|(numbers, terms)| terms.are_met(numbers.winner_first(forbidden)))
    }

    /// Remembers what was settled on these terms, in the place of what is settled on stricter ones, and of what took
    /// least.
    pub fn settle(&mut self, key: u64, numbers: Numbers, terms: Terms, nodes: u64) {
        let key = key ^ ON_TERMS;
        for at in self.bucket(key) {
            let [other, data] = self.entries[at];
            if other == key && unpack(data) == numbers && terms.are_met_by(Terms::of_bits(self.terms[at])) {
                self.entries[at] = [0; 2];
            }
        }
        if let Some(at) = self.bucket(key).min_by_key(|&at| self.entries[at][1] >> 56) {
            self.entries[at] = [key, pack(numbers, nodes)];
            self.terms[at] = terms.bits();
        }
    }

    /// The places that an entry with this key can have; a table of size 0 has none.
    fn bucket(&self, key: u64) -> Range<usize> {
        let buckets = (self.entries.len() / WAYS) as u128;
        let at = ((u128::from(key) * buckets) >> 64) as usize * WAYS;
        at..at + WAYS.min(self.entries.len())
    }
}

/// Bits from the lowest: what a win is short of 28, what its refutation is short of 28, the work as a power of two 8.
/// Never 0: one of the numbers is not.
fn pack(numbers: Numbers, nodes: u64) -> u64 {
    let work = u64::from(nodes.checked_ilog2().map_or(0, |log| log + 1));
    u64::from(numbers.win) | u64::from(numbers.refuted) << 28 | work << 56
}

fn unpack(data: u64) -> Numbers {
    let number = |bits: u64| bits as u32 & NEVER;
    Numbers { win: number(data), refuted: number(data >> 28) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::tests::nim::Nim;

    #[test]
    fn what_took_most_work_stays() {
        let mut table = ProofTable::new(1, &Nim::default()).unwrap();
        let open = Numbers { win: 3, refuted: 70_000 };
        for (key, nodes) in (1..).zip([900, 1, 50, u64::MAX]) {
            table.put(key, open, nodes);
        }
        assert_eq!(table.get(2), Some(open));
        table.put(5, Numbers::WON, 0);
        table.put(1, Numbers::REFUTED, 0);
        let known = [1, 2, 3, 4, 5].map(|key| table.get(key));
        assert_eq!(known, [Some(Numbers::REFUTED), None, Some(open), Some(open), Some(Numbers::WON)]);
    }

    #[test]
    fn a_table_of_size_zero_remembers_nothing() {
        let mut table = ProofTable::new(0, &Nim::default()).unwrap();
        table.put(42, Numbers::WON, 7);
        assert_eq!(table.get(42), None);
    }
}

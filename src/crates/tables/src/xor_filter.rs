//! A table of small numbers by the keys of positions that does not store the keys: a static function, made like an xor
//! filter (Graf and Lemire, 2020).
//!
//! Each key has three slots, one in each third of the table. The exclusive or of the bytes in these slots is the entry
//! of the key: its low bits are the number, its high bits a fingerprint of the key. Of the keys that have no number,
//! one in eight has the right fingerprint by chance and seems to have one.

use pentarch_core::rules::key;

/// The number of bits of a number.
const BITS: u32 = 5;
/// The greatest number that can be kept.
pub const GREATEST: u8 = (1 << BITS) - 1;
/// The number of bytes before the slots: the seed of the hash function, and the label.
const HEADER: usize = 4;
/// The number of seeds that are tried before giving up; seldom is more than one needed.
const SEEDS: u16 = 100;

/// A table, read from bytes.
#[derive(Debug, Clone, Copy)]
pub struct XorFilter<'a> {
    seed: u16,
    /// A number that belongs to the table as a whole; its users say what it means.
    pub label: u16,
    slots: &'a [u8],
}

impl<'a> XorFilter<'a> {
    /// Reads a table; none if there are too few bytes.
    pub fn new(bytes: &'a [u8]) -> Option<XorFilter<'a>> {
        let (&[a, b, c, d], slots) = bytes.split_first_chunk::<HEADER>()?;
        Some(XorFilter {
            seed: u16::from_le_bytes([a, b]),
            label: u16::from_le_bytes([c, d]),
            slots,
        })
    }

    /// The number of a key. A key without a number gives none in seven cases of eight, and else some number.
    pub fn get(&self, key: u64) -> Option<u8> {
        let hashed = Hashed::new(key, self.seed, self.slots.len());
        let entry =
            hashed.slots.iter().try_fold(0, |entry, &slot| Some(entry ^ self.slots.get(slot)?))?;
        (entry >> BITS == hashed.fingerprint).then_some(entry & GREATEST)
    }
}

/// The slots and the fingerprint of a key.
#[derive(Debug, Clone, Copy)]
struct Hashed {
    slots: [usize; 3],
    fingerprint: u8,
}

impl Hashed {
    fn new(key: u64, seed: u16, size: usize) -> Hashed {
        let [low, high] = [1, 2].map(|part| key::hash(&[key, u64::from(seed), part]));
        let third = size / 3;
        let slot = |part: usize, bits: u64| {
            part * third + (((bits & 0xffff_ffff) * third as u64) >> 32) as usize
        };
        Hashed {
            slots: [slot(0, low), slot(1, low >> 32), slot(2, high)],
            fingerprint: (high >> (56 + BITS)) as u8,
        }
    }
}

/// The bytes of a table with these pairs of a key and its number. The keys are different, and the numbers at most
/// [`GREATEST`]. None if no seed is found by which the table can be made.
pub fn build(numbers: &[(u64, u8)], label: u16) -> Option<Vec<u8>> {
    let size = (numbers.len() * 123 / 100 + 32).next_multiple_of(3);
    (0..SEEDS).find_map(|seed| {
        let hashed: Vec<Hashed> =
            numbers.iter().map(|&(key, _)| Hashed::new(key, seed, size)).collect();
        let mut slots = vec![0; size];
        // The key that was peeled off last is entered first: no key that is entered later changes its slots.
        for &(at, slot) in peel(&hashed, size)?.iter().rev() {
            let entry = hashed[at].fingerprint << BITS | numbers[at].1;
            slots[slot] = hashed[at].slots.iter().fold(entry, |entry, &slot| entry ^ slots[slot]);
        }
        Some([seed, label].into_iter().flat_map(u16::to_le_bytes).chain(slots).collect())
    })
}

/// Peels off one key after the other, each with a slot that no key left has. Gives the indices of the keys with these
/// slots, in the order of peeling; none if some keys cannot be peeled off.
fn peel(hashed: &[Hashed], size: usize) -> Option<Vec<(usize, usize)>> {
    // For each slot, how many keys have it, and the exclusive or of their indices: the index itself if one key is left.
    let mut users = vec![(0u32, 0usize); size];
    let mut order = Vec::with_capacity(hashed.len());
    for (at, slot) in
        hashed.iter().enumerate().flat_map(|(at, hashed)| hashed.slots.map(|slot| (at, slot)))
    {
        users[slot] = (users[slot].0 + 1, users[slot].1 ^ at);
    }
    let mut single: Vec<usize> = (0..size).filter(|&slot| users[slot].0 == 1).collect();
    while let Some(slot) = single.pop() {
        let (1, at) = users[slot] else { continue };
        order.push((at, slot));
        for slot in hashed[at].slots {
            users[slot] = (users[slot].0 - 1, users[slot].1 ^ at);
            if users[slot].0 == 1 {
                single.push(slot);
            }
        }
    }
    (order.len() == hashed.len()).then_some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_their_numbers_and_other_keys_none() {
        for count in [0, 1, 2, 10, 1000, 30_000] {
            let numbers: Vec<(u64, u8)> =
                (0..count).map(|number| (key::hash(&[number]), number as u8 & GREATEST)).collect();
            let bytes = build(&numbers, 77).unwrap();
            assert!(bytes.len() as u64 <= 5 * count / 4 + 100);
            let table = XorFilter::new(&bytes).unwrap();
            assert_eq!(table.label, 77);
            assert!(numbers.iter().all(|&(key, number)| table.get(key) == Some(number)));
            let false_positives =
                (0..100_000).filter(|&number| table.get(key::hash(&[number, 1])).is_some()).count();
            assert!(false_positives < 13_000, "{false_positives}");
        }
    }

    #[test]
    fn truncated_tables_are_harmless() {
        let whole = build(&[(1, 1), (2, 2)], 0).unwrap();
        assert!(XorFilter::new(&whole[..3]).is_none());
        for length in HEADER..whole.len() {
            let table = XorFilter::new(&whole[..length]).unwrap();
            assert!((0..1000).all(|key| table.get(key).is_none_or(|number| number <= GREATEST)));
        }
    }
}

//! A table from the keys of positions to small numbers. The table does not store the keys: the
//! table is a static function, built like an xor filter (Graf and Lemire, 2020).
//!
//! Each key has three slots, one in each third of the table. The exclusive or of the bytes in these
//! slots is the entry of the key. The low bits of the entry are the number, and its high bits are a
//! fingerprint of the key. One in eight of the keys without a number matches its fingerprint by
//! chance and seems to have a number.
//!
//! A table has the [format of opening books](BOOK_FILE_FORMAT).

use pentarch_core::evaluation::data_format::BOOK_FILE_FORMAT;
use pentarch_core::rules::key;

/// The number of bits of a number.
const FILTER_BITS_PER_NUMBER: u32 = 5;
/// The greatest number that can be stored.
pub const MAX_FILTER_NUMBER: u8 = (1 << FILTER_BITS_PER_NUMBER) - 1;
/// The number of bytes before the slots. These bytes contain the seed of the hash function and the
/// label of the table.
const FILTER_HEADER_BYTES: usize = 4;
/// The maximum number of seeds to try for the hash function. The first seed almost always works.
const MAX_SEED_ATTEMPTS: u16 = 100;

/// A table, read from bytes.
#[derive(Debug, Clone, Copy)]
pub struct XorFilter<'a> {
    seed: u16,
    /// A number for the whole table. The users of the table define its meaning.
    pub label: u16,
    slots: &'a [u8],
}

impl<'a> XorFilter<'a> {
    /// Reads a table from its file, without verifying the checksum. Returns `None` if the file has
    /// another format, or too few bytes.
    pub fn new(file: &'a [u8]) -> Option<XorFilter<'a>> {
        let contents = BOOK_FILE_FORMAT.unverified_contents(file)?;
        let (&[a, b, c, d], slots) = contents.split_first_chunk::<FILTER_HEADER_BYTES>()?;
        Some(XorFilter {
            seed: u16::from_le_bytes([a, b]),
            label: u16::from_le_bytes([c, d]),
            slots,
        })
    }

    /// Returns the number of a key. If the key has no number, the result is `None` in seven of
    /// eight cases, and an arbitrary number in one of eight cases.
    pub fn get(&self, key: u64) -> Option<u8> {
        let key_slots = FilterKeyHash::new(key, self.seed, self.slots.len());
        let entry = key_slots
            .slots
            .iter()
            .try_fold(0, |entry, &slot| Some(entry ^ self.slots.get(slot)?))?;
        (entry >> FILTER_BITS_PER_NUMBER == key_slots.fingerprint)
            .then_some(entry & MAX_FILTER_NUMBER)
    }
}

/// The slots and the fingerprint of a key.
#[derive(Debug, Clone, Copy)]
struct FilterKeyHash {
    slots: [usize; 3],
    fingerprint: u8,
}

impl FilterKeyHash {
    fn new(key: u64, seed: u16, size: usize) -> FilterKeyHash {
        let [low, high] = [1, 2].map(|part| key::hash_words(&[key, u64::from(seed), part]));
        let third = size / 3;
        let slot = |part: usize, bits: u64| {
            part * third + (((bits & 0xffff_ffff) * third as u64) >> 32) as usize
        };
        FilterKeyHash {
            slots: [slot(0, low), slot(1, low >> 32), slot(2, high)],
            fingerprint: (high >> (56 + FILTER_BITS_PER_NUMBER)) as u8,
        }
    }
}

/// Builds the file of a table from pairs of a key and its number. The keys must be distinct, and
/// the numbers at most [`MAX_FILTER_NUMBER`]. Returns `None` if no seed of the hash function works
/// for these keys.
pub fn build_xor_filter(numbers: &[(u64, u8)], label: u16) -> Option<Vec<u8>> {
    let size = (numbers.len() * 123 / 100 + 32).next_multiple_of(3);
    (0..MAX_SEED_ATTEMPTS).find_map(|seed| {
        let key_slots: Vec<FilterKeyHash> =
            numbers.iter().map(|&(key, _)| FilterKeyHash::new(key, seed, size)).collect();
        let mut slots = vec![0; size];
        // The keys are entered in reverse order of peeling. Each key sets its own slot, which no
        // key entered earlier uses.
        for &PeeledKey { index, slot } in peel_keys(&key_slots, size)?.iter().rev() {
            let entry = key_slots[index].fingerprint << FILTER_BITS_PER_NUMBER | numbers[index].1;
            slots[slot] =
                key_slots[index].slots.iter().fold(entry, |entry, &slot| entry ^ slots[slot]);
        }
        let header = [seed, label].into_iter().flat_map(u16::to_le_bytes);
        Some(BOOK_FILE_FORMAT.file_with_contents(&header.chain(slots).collect::<Vec<u8>>()))
    })
}

/// A key, and the slot by which it was peeled off. Keys that are peeled off later do not use this
/// slot.
#[derive(Debug, Clone, Copy)]
struct PeeledKey {
    index: usize,
    slot: usize,
}

/// Peels off the keys one by one: finds a slot that only one of the remaining keys uses, and
/// removes this key. Returns the keys in the order of removal, or `None` if the remaining keys
/// share every slot.
fn peel_keys(key_slots: &[FilterKeyHash], size: usize) -> Option<Vec<PeeledKey>> {
    // The users of each slot among the remaining keys: their number, and the exclusive or of their
    // indices. If a slot has a single user, the exclusive or is the index of this key.
    let mut users = vec![(0u32, 0usize); size];
    let mut order = Vec::with_capacity(key_slots.len());
    for (at, key) in key_slots.iter().enumerate() {
        for slot in key.slots {
            users[slot] = (users[slot].0 + 1, users[slot].1 ^ at);
        }
    }
    let mut single: Vec<usize> = (0..size).filter(|&slot| users[slot].0 == 1).collect();
    while let Some(slot) = single.pop() {
        let (1, at) = users[slot] else { continue };
        order.push(PeeledKey { index: at, slot });
        for slot in key_slots[at].slots {
            users[slot] = (users[slot].0 - 1, users[slot].1 ^ at);
            if users[slot].0 == 1 {
                single.push(slot);
            }
        }
    }
    (order.len() == key_slots.len()).then_some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_their_numbers_and_other_keys_none() {
        for count in [0, 1, 2, 10, 1000, 30_000] {
            let numbers: Vec<(u64, u8)> = (0..count)
                .map(|number| (key::hash_words(&[number]), number as u8 & MAX_FILTER_NUMBER))
                .collect();
            let bytes = build_xor_filter(&numbers, 77).unwrap();
            assert!(bytes.len() as u64 <= 5 * count / 4 + 100);
            let table = XorFilter::new(&bytes).unwrap();
            assert_eq!(table.label, 77);
            assert!(numbers.iter().all(|&(key, number)| table.get(key) == Some(number)));
            let false_positives = (0..100_000)
                .filter(|&number| table.get(key::hash_words(&[number, 1])).is_some())
                .count();
            assert!(false_positives < 13_000, "{false_positives}");
        }
    }

    #[test]
    fn truncated_tables_are_harmless() {
        let whole = build_xor_filter(&[(1, 1), (2, 2)], 0).unwrap();
        let contents = BOOK_FILE_FORMAT.unverified_contents(&whole).unwrap();
        let start = whole.len() - contents.len() + FILTER_HEADER_BYTES;
        assert!(XorFilter::new(&whole[..start - 1]).is_none());
        for length in start..whole.len() {
            let table = XorFilter::new(&whole[..length]).unwrap();
            assert!(
                (0..1000)
                    .all(|key| table.get(key).is_none_or(|number| number <= MAX_FILTER_NUMBER))
            );
        }
    }
}

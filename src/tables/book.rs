//! Small numbers by the keys of positions, without the keys: a static function (the "xor filter" of Graf and Lemire,
//! 2020).
//!
//! Each key has three places, one in each third of the table; the exclusive or of the bytes there is its entry: the low
//! bits the number, the high bits a mark made from the key. Of other keys one in eight seems to have a number.

use crate::core::key;

/// Bits of the numbers.
const BITS: u32 = 5;
/// The greatest number that can be kept.
pub const GREATEST: u8 = (1 << BITS) - 1;
/// The bytes before the entries: the seed of the hash function, and a number that belongs to the whole.
const HEADER: usize = 4;
/// Seeds that are tried before giving up: more than one is needed seldom.
const SEEDS: u16 = 100;

/// A table, read from bytes.
#[derive(Debug, Clone, Copy)]
pub struct Book<'a> {
    seed: u16,
    /// What belongs to the whole.
    pub label: u16,
    entries: &'a [u8],
}

impl<'a> Book<'a> {
    /// Reads a table; none if the bytes are too few.
    pub fn new(bytes: &'a [u8]) -> Option<Book<'a>> {
        let (header, entries) = bytes.split_at_checked(HEADER)?;
        Some(Book { seed: word(header, 0)?, label: word(header, 1)?, entries })
    }

    /// The number for a key; none, most often, if it has none.
    pub fn get(&self, key: u64) -> Option<u8> {
        let hashed = Hashed::new(key, self.seed, self.entries.len());
        let sum = hashed.places.iter().try_fold(0, |sum, &place| Some(sum ^ self.entries.get(place)?))?;
        (sum >> BITS == hashed.mark).then_some(sum & GREATEST)
    }
}

/// One of the 16-bit words in these bytes.
fn word(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes([*bytes.get(2 * at)?, *bytes.get(2 * at + 1)?]))
}

/// Where a key belongs.
#[derive(Debug, Clone, Copy)]
struct Hashed {
    places: [usize; 3],
    mark: u8,
}

impl Hashed {
    fn new(key: u64, seed: u16, size: usize) -> Hashed {
        let [low, high] = [1, 2].map(|part| key::hash(&[key, u64::from(seed), part]));
        let third = size / 3;
        let place = |part: usize, bits: u64| part * third + (((bits & 0xffff_ffff) * third as u64) >> 32) as usize;
        Hashed { places: [place(0, low), place(1, low >> 32), place(2, high)], mark: (high >> (56 + BITS)) as u8 }
    }
}

/// The bytes of a table with these numbers, at most [`GREATEST`], for different keys; none if it cannot be done.
pub fn bytes(numbers: &[(u64, u8)], label: u16) -> Option<Vec<u8>> {
    let size = (numbers.len() * 123 / 100 + 32).next_multiple_of(3);
    (0..SEEDS).find_map(|seed| {
        let hashed: Vec<Hashed> = numbers.iter().map(|&(key, _)| Hashed::new(key, seed, size)).collect();
        let mut entries = vec![0; size];
        // What was taken away last decides first: its place is nobody's else any more.
        for &(at, place) in order(&hashed, size)?.iter().rev() {
            let wanted = hashed[at].mark << BITS | numbers[at].1;
            entries[place] = hashed[at].places.iter().fold(wanted, |sum, &place| sum ^ entries[place]);
        }
        Some([seed, label].into_iter().flat_map(u16::to_le_bytes).chain(entries).collect())
    })
}

/// Takes keys away one after the other, each with a place that none of those left has; none if that does not succeed.
fn order(hashed: &[Hashed], size: usize) -> Option<Vec<(usize, usize)>> {
    // For each place how many keys have it, and the exclusive or of them: the last one left, in the end.
    let mut users = vec![(0u32, 0usize); size];
    let mut order = Vec::with_capacity(hashed.len());
    for (at, place) in hashed.iter().enumerate().flat_map(|(at, hashed)| hashed.places.map(|place| (at, place))) {
        users[place] = (users[place].0 + 1, users[place].1 ^ at);
    }
    let mut single: Vec<usize> = (0..size).filter(|&place| users[place].0 == 1).collect();
    while let Some(place) = single.pop() {
        let (1, at) = users[place] else { continue };
        order.push((at, place));
        for place in hashed[at].places {
            users[place] = (users[place].0 - 1, users[place].1 ^ at);
            if users[place].0 == 1 {
                single.push(place);
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
            let bytes = bytes(&numbers, 77).unwrap();
            assert!(bytes.len() as u64 <= 5 * count / 4 + 100);
            let book = Book::new(&bytes).unwrap();
            assert_eq!(book.label, 77);
            assert!(numbers.iter().all(|&(key, number)| book.get(key) == Some(number)));
            let strangers = (0..100_000).filter(|&number| book.get(key::hash(&[number, 1])).is_some()).count();
            assert!(strangers < 13_000, "{strangers}");
        }
    }

    #[test]
    fn torn_tables_are_harmless() {
        let whole = bytes(&[(1, 1), (2, 2)], 0).unwrap();
        assert!(Book::new(&whole[..3]).is_none());
        for length in HEADER..whole.len() {
            let book = Book::new(&whole[..length]).unwrap();
            assert!((0..1000).all(|key| book.get(key).is_none_or(|number| number <= GREATEST)));
        }
    }
}

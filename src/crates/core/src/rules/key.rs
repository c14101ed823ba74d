//! Hash keys, computed from the bits of a position.

/// The first bits of the fractional part of the golden ratio: an odd number whose bits have no
/// structure.
const HASH_SEED: u64 = 0x9e37_79b9_7f4a_7c15;
/// The first bits of the fractional part of the square root of three: also an odd number whose bits
/// have no structure.
const HASH_FACTOR: u64 = 0xbb67_ae85_84ca_a73b;

/// Hashes the words of a position to 64 bits by folded multiplication. For each word, the hash is
/// rotated, and the word is mixed into the hash by exclusive or. The mixed hash is multiplied by a
/// constant. The new hash is the exclusive or of the mixed hash and both halves of this 128-bit
/// product.
///
/// The same words in the same order give the same key on every machine and in every run. The key
/// depends on the order of the words.
#[inline]
pub fn hash_words(words: &[u64]) -> u64 {
    let folded = words
        .iter()
        .fold(HASH_SEED, |hash, &word| mix_words(hash.rotate_left(23) ^ word, HASH_FACTOR));
    mix_words(folded ^ HASH_SEED, HASH_FACTOR)
}

fn mix_words(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64) ^ a
}

#[cfg(test)]
mod tests {
    use super::hash_words;
    use std::collections::HashSet;

    #[test]
    fn small_differences_give_different_keys() {
        let mut seen = HashSet::new();
        for a in 0..300 {
            for b in 0..300 {
                assert!(seen.insert(hash_words(&[a, b])), "{a} {b}");
            }
        }
        for bit in 0..64 {
            assert!(seen.insert(hash_words(&[1 << bit, 1 << 63, 7])));
        }
    }

    #[test]
    fn order_and_number_of_words_count() {
        assert_ne!(hash_words(&[1, 2]), hash_words(&[2, 1]));
        assert_ne!(hash_words(&[0]), hash_words(&[0, 0]));
    }
}

//! Compressed sets of pairs of knights.
//!
//! The sets store the closed classes: one set of pairs for each set of walls. The states of a
//! closed class have already entered in two rounds, so no more of its states may enter. In each
//! stage, only one kind of step uses the closed classes, and there are few such steps. Compressed
//! by chunk, the sets take a quarter of the memory.

use bytemuck::{cast_slice, cast_slice_mut};
use lz4_flex::block::{compress, decompress_into};

use super::WALL_SETS_PER_CHUNK;

/// The uncompressed sets of a chunk: one set of pairs of knights for each set of walls. Each is
/// stored as the words of a [`PairSet`](super::PairSet).
pub type ChunkPairSets = [[u64; 4]; WALL_SETS_PER_CHUNK];

/// The compressed sets of a chunk: one set of pairs of knights for each set of walls. By default
/// all sets are empty.
#[derive(Debug, Clone, Default)]
pub struct CompressedPairSets(Box<[u8]>);

impl CompressedPairSets {
    /// Decompresses the sets into `sets`.
    pub fn decompress(&self, sets: &mut ChunkPairSets) {
        if self.0.is_empty() {
            sets.fill([0; 4]);
        } else {
            decompress_into(&self.0, cast_slice_mut(&mut sets[..]))
                .expect("the compressed sets are intact");
        }
    }

    /// Compresses `sets`, which replace the stored sets.
    pub fn compress(&mut self, sets: &ChunkPairSets) {
        let is_empty = sets.iter().all(|words| *words == [0; 4]);
        self.0 = if is_empty { Box::default() } else { compress(cast_slice(sets)).into() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_survive_compression() {
        let mut compressed = CompressedPairSets::default();
        let mut rng = fastrand::Rng::with_seed(29);
        let decompressed = |compressed: &CompressedPairSets| {
            let mut sets = Box::new([[1; 4]; WALL_SETS_PER_CHUNK]);
            compressed.decompress(&mut sets);
            sets
        };
        assert_eq!(*decompressed(&compressed), [[0; 4]; WALL_SETS_PER_CHUNK]);
        for bits in [WALL_SETS_PER_CHUNK, 100, 1, 0] {
            let mut sets = Box::new([[0; 4]; WALL_SETS_PER_CHUNK]);
            (0..bits).for_each(|_| {
                sets[rng.usize(..WALL_SETS_PER_CHUNK)][rng.usize(..4)] |= 1 << rng.u32(..64)
            });
            compressed.compress(&sets);
            assert_eq!(decompressed(&compressed), sets);
            assert_eq!(compressed.0.is_empty(), bits == 0);
        }
    }
}

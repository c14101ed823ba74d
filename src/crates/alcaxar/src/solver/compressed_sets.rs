//! Sets of pairs of knights that are needed seldom, kept compressed.
//!
//! The solver has such a set for each set of walls: the classes that have entered in two rounds, so that no more of
//! their states may enter. Only one kind of step looks at them, and few classes are among them. Compressed, a chunk of
//! the sets of walls at a time, they take a quarter of the memory.

use bytemuck::{cast_slice, cast_slice_mut};
use lz4_flex::block::{compress, decompress_into};

use super::CHUNK;

/// For each set of walls of a chunk, a set of pairs, as the words of a [`PairSet`](super::PairSet).
pub type ChunkSets = [[u64; 4]; CHUNK];

/// The sets of pairs of a chunk, compressed; at first they are empty.
#[derive(Debug, Clone, Default)]
pub struct CompressedSets(Box<[u8]>);

impl CompressedSets {
    /// Writes the sets to these.
    pub fn get(&self, sets: &mut ChunkSets) {
        if self.0.is_empty() {
            sets.fill([0; 4]);
        } else {
            decompress_into(&self.0, cast_slice_mut(&mut sets[..]))
                .expect("what was compressed is whole");
        }
    }

    /// Replaces the sets by these.
    pub fn set(&mut self, sets: &ChunkSets) {
        let is_empty = sets.iter().all(|words| *words == [0; 4]);
        self.0 = if is_empty { Box::default() } else { compress(cast_slice(sets)).into() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_kept() {
        let (mut kept, mut rng) = (CompressedSets::default(), fastrand::Rng::with_seed(29));
        let get = |kept: &CompressedSets| {
            let mut sets = Box::new([[1; 4]; CHUNK]);
            kept.get(&mut sets);
            sets
        };
        assert_eq!(*get(&kept), [[0; 4]; CHUNK]);
        for bits in [CHUNK, 100, 1, 0] {
            let mut sets = Box::new([[0; 4]; CHUNK]);
            (0..bits).for_each(|_| sets[rng.usize(..CHUNK)][rng.usize(..4)] |= 1 << rng.u32(..64));
            kept.set(&sets);
            assert_eq!(get(&kept), sets);
            assert_eq!(kept.0.is_empty(), bits == 0);
        }
    }
}

//! The classes of the other side that have entered in two rounds, so that no more of their states may enter.
//!
//! Only one kind of step looks at them, and few are closed. So they are kept compressed, a chunk of the sets of walls at
//! a time: that takes a quarter of the memory.

use bytemuck::{cast_slice, cast_slice_mut};
use lz4_flex::block::{compress, decompress_into};

use super::CHUNK;

/// For each set of walls of a chunk, the closed classes, as the words of a [`PairSet`](super::PairSet).
pub type ClosedPairs = [[u64; 4]; CHUNK];

/// The closed classes of one side in a chunk, compressed.
#[derive(Debug, Clone, Default)]
pub struct Closed(Box<[u8]>);

impl Closed {
    /// The closed classes of each set of walls.
    pub fn pairs(&self) -> Box<ClosedPairs> {
        let mut pairs = Box::new([[0; 4]; CHUNK]);
        if !self.0.is_empty() {
            decompress_into(&self.0, cast_slice_mut(&mut pairs[..])).expect("what was compressed is whole");
        }
        pairs
    }

    /// Replaces the closed classes by these.
    pub fn set(&mut self, pairs: &ClosedPairs) {
        let is_empty = pairs.iter().all(|words| *words == [0; 4]);
        self.0 = if is_empty { Box::default() } else { compress(cast_slice(pairs)).into() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_classes_are_kept() {
        let (mut closed, mut rng) = (Closed::default(), fastrand::Rng::with_seed(29));
        assert_eq!(*closed.pairs(), [[0; 4]; CHUNK]);
        for sets in [CHUNK, 100, 1, 0] {
            let mut pairs = Box::new([[0; 4]; CHUNK]);
            (0..sets).for_each(|_| pairs[rng.usize(..CHUNK)][rng.usize(..4)] |= 1 << rng.u32(..64));
            closed.set(&pairs);
            assert_eq!(closed.pairs(), pairs);
            assert_eq!(closed.0.is_empty(), sets == 0);
        }
    }
}

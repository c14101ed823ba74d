//! Values that are compressed in blocks, so that a reader can read a part of the values without the
//! rest.
//!
//! The blocks are stored one after the other, each in the [LZ4 block format]. An index follows. For
//! each block, the index has two little-endian numbers of four bytes: the length of the block in
//! bytes, and a checksum. The checksum covers the values and the number of the block. The reader
//! must know the number of values. To read a value, the reader reads the value's block and verifies
//! the checksum, unless the block is still cached from an earlier read.
//!
//! LZ4 was chosen for its speed. Writing and reading a solver's data takes hardly longer than the
//! disk needs, and reading a single block takes some microseconds.
//!
//! [LZ4 block format]: https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md

use std::io::{self, ErrorKind, Write};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use lz4_flex::block::{compress_into, decompress_into, get_maximum_output_size};
use pentarch_core::rules::key;

use super::error::TableFileError;

/// The number of values in a block, one byte each. The last block may have fewer.
const VALUES_PER_BLOCK: usize = 1 << 14;
/// The index entry of a block: its length and its checksum.
type BlockIndexEntry = [[u8; 4]; 2];

const WORDS_HASHED_AT_ONCE: usize = 16;
const VALUES_HASHED_AT_ONCE: usize = WORDS_HASHED_AT_ONCE * size_of::<u64>();

/// The checksum of a sequence of values, computed while the values arrive. The checksum does not
/// depend on how the sequence is divided into parts.
#[derive(Debug, Default)]
pub struct Checksum {
    sum: u64,
    /// The last added values, which are still too few to be hashed.
    rest: Vec<u8>,
}

impl Checksum {
    /// Adds the next values.
    pub fn add(&mut self, values: &[u8]) {
        let missing =
            if self.rest.is_empty() { 0 } else { VALUES_HASHED_AT_ONCE - self.rest.len() };
        let (first, values) = values.split_at(missing.min(values.len()));
        self.rest.extend_from_slice(first);
        if self.rest.len() == VALUES_HASHED_AT_ONCE {
            self.sum = add_to_checksum(self.sum, &self.rest);
            self.rest.clear();
        }
        let (whole, rest) =
            values.split_at(values.len() / VALUES_HASHED_AT_ONCE * VALUES_HASHED_AT_ONCE);
        self.sum = add_to_checksum(self.sum, whole);
        self.rest.extend_from_slice(rest);
    }

    /// Returns the checksum of all values.
    pub fn sum(&self) -> u64 {
        add_to_checksum(self.sum, &self.rest)
    }
}

/// Continues a checksum. `sum` is the checksum of the values so far; the function returns the
/// checksum of these values followed by `values`.
fn add_to_checksum(sum: u64, values: &[u8]) -> u64 {
    values.chunks(VALUES_HASHED_AT_ONCE).fold(sum, |sum, values| {
        let mut words = [0; WORDS_HASHED_AT_ONCE + 1];
        words[WORDS_HASHED_AT_ONCE] = sum;
        for (word, bytes) in words.iter_mut().zip(values.chunks(size_of::<u64>())) {
            *word = bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        }
        key::hash_words(&words)
    })
}

fn block_checksum(number: usize, values: &[u8]) -> u32 {
    add_to_checksum(number as u64, values) as u32
}

/// Compresses values block by block and writes them to `writer`. The values need not be in memory
/// all at once.
#[derive(Debug)]
pub struct BlockWriter<W> {
    writer: W,
    /// The values that are not written yet: too few for a full block.
    values: Vec<u8>,
    /// The index entries of the blocks that have been written.
    index: Vec<BlockIndexEntry>,
}

impl<W: Write> BlockWriter<W> {
    /// Creates a writer that appends to the data already written to `writer`.
    pub fn new(writer: W) -> BlockWriter<W> {
        BlockWriter { writer, values: Vec::with_capacity(VALUES_PER_BLOCK), index: Vec::new() }
    }

    /// Writes the next values.
    ///
    /// # Errors
    /// If the values cannot be written. The other methods return the same errors.
    pub fn write(&mut self, mut values: &[u8]) -> io::Result<()> {
        while !values.is_empty() {
            let space = VALUES_PER_BLOCK - self.values.len();
            let (now, later) = values.split_at(values.len().min(space));
            self.values.extend_from_slice(now);
            values = later;
            if now.len() == space {
                self.write_block()?;
            }
        }
        Ok(())
    }

    fn write_block(&mut self) -> io::Result<()> {
        let mut compressed = [0; get_maximum_output_size(VALUES_PER_BLOCK)];
        let len = compress_into(&self.values, &mut compressed).map_err(io::Error::other)?;
        let checksum = block_checksum(self.index.len(), &self.values);
        self.index.push([len as u32, checksum].map(u32::to_le_bytes));
        self.values.clear();
        self.writer.write_all(&compressed[..len])
    }

    /// Writes the remaining values and the index. Returns the writer.
    pub fn finish(mut self) -> io::Result<W> {
        if !self.values.is_empty() {
            self.write_block()?;
        }
        self.writer.write_all(self.index.as_flattened().as_flattened())?;
        Ok(self.writer)
    }
}

/// The number of cached blocks: 1 MiB.
const MAX_CACHED_BLOCKS: usize = 64;

/// A reader for the values of a file. The reader caches the most recently read blocks, because
/// successive reads often need values of the same blocks.
#[derive(Debug)]
pub struct BlockReader {
    /// The offsets in the file at which the blocks begin, and finally the end of the last block.
    ends: Vec<u64>,
    checksums: Vec<u32>,
    /// The number of values in the file.
    pub values: u64,
    /// The cached blocks. A block is stored at the index that is its number modulo
    /// [`MAX_CACHED_BLOCKS`] (a direct-mapped cache).
    cached: [Mutex<Option<CachedBlock>>; MAX_CACHED_BLOCKS],
}

/// The values of a block.
#[derive(Debug)]
struct CachedBlock {
    number: usize,
    values: Vec<u8>,
}

impl BlockReader {
    /// Reads the index of compressed blocks. `values` is the number of values in all blocks.
    /// `bytes` is the range of the file that contains the blocks and their index. `read_at` fills a
    /// slice with the bytes at an offset of the file. Returns `None` if the length of the range
    /// differs from the length that the index states.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn new(
        read_at: impl FnOnce(u64, &mut [u8]) -> io::Result<()>,
        bytes: Range<u64>,
        values: u64,
    ) -> io::Result<Option<BlockReader>> {
        let index_len = values
            .div_ceil(VALUES_PER_BLOCK as u64)
            .checked_mul(size_of::<BlockIndexEntry>() as u64);
        let Some(index_len) = index_len else { return Ok(None) };
        let Some(at) = bytes.end.checked_sub(index_len).filter(|&at| at >= bytes.start) else {
            return Ok(None);
        };
        let mut index = vec![0; index_len as usize];
        read_at(at, &mut index)?;
        let mut ends = vec![bytes.start];
        let mut end = bytes.start;
        let mut checksums = Vec::new();
        for indexed in bytemuck::cast_slice::<u8, BlockIndexEntry>(&index) {
            let [length, checksum] = indexed.map(u32::from_le_bytes);
            end += u64::from(length);
            ends.push(end);
            checksums.push(checksum);
        }
        let cached = [const { Mutex::new(None) }; MAX_CACHED_BLOCKS];
        Ok((end == at).then_some(BlockReader { ends, checksums, values, cached }))
    }

    /// Fills `values` with values of the file, beginning with the value at index `at`. `read_at`
    /// fills a slice with the bytes at an offset of the file.
    ///
    /// # Errors
    /// If there are too few values, if the values cannot be read, or if a block is damaged.
    pub fn read(
        &self,
        mut at: u64,
        mut values: &mut [u8],
        mut read_at: impl FnMut(u64, &mut [u8]) -> io::Result<()>,
    ) -> Result<(), TableFileError> {
        let end = at.checked_add(values.len() as u64).filter(|&end| end <= self.values);
        let end = end.ok_or(io::Error::from(ErrorKind::UnexpectedEof))?;
        while at < end {
            let number = (at / VALUES_PER_BLOCK as u64) as usize;
            let skipped = (at % VALUES_PER_BLOCK as u64) as usize;
            let mut cached = self.cached[number % MAX_CACHED_BLOCKS]
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let block = match cached.take().filter(|block| block.number == number) {
                Some(block) => block,
                None => self.read_block(number, &mut read_at)?,
            };
            let part;
            (part, values) = values.split_at_mut(values.len().min(block.values.len() - skipped));
            part.copy_from_slice(&block.values[skipped..][..part.len()]);
            at += part.len() as u64;
            *cached = Some(block);
        }
        Ok(())
    }

    fn read_block(
        &self,
        number: usize,
        read_at: &mut impl FnMut(u64, &mut [u8]) -> io::Result<()>,
    ) -> Result<CachedBlock, TableFileError> {
        let damaged = || TableFileError::Block { number };
        let mut compressed = [0; get_maximum_output_size(VALUES_PER_BLOCK)];
        let [from, to] = [self.ends[number], self.ends[number + 1]];
        let compressed = compressed.get_mut(..(to - from) as usize).ok_or_else(damaged)?;
        read_at(from, compressed)?;
        let mut values = vec![
            0;
            (self.values - (number * VALUES_PER_BLOCK) as u64).min(VALUES_PER_BLOCK as u64)
                as usize
        ];
        let is_whole = decompress_into(compressed, &mut values).ok() == Some(values.len());
        if !is_whole || block_checksum(number, &values) != self.checksums[number] {
            return Err(damaged());
        }
        Ok(CachedBlock { number, values })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    /// Returns test values. A part of the values compresses well, and the rest does not.
    fn values(len: usize) -> Vec<u8> {
        let mut random = fastrand::Rng::with_seed(7);
        (0..len)
            .map(|at| if at / 10_000 % 2 == 0 { random.u8(..) } else { (at / 100) as u8 })
            .collect()
    }

    fn written(parts: &[&[u8]]) -> Vec<u8> {
        let mut writer = BlockWriter::new(b"head".to_vec());
        parts.iter().for_each(|part| writer.write(part).unwrap());
        writer.finish().unwrap()
    }

    fn reader(file: &[u8], len: usize) -> Option<BlockReader> {
        let read_at = |at: u64, bytes: &mut [u8]| (&file[at as usize..]).read_exact(bytes);
        BlockReader::new(read_at, 4..file.len() as u64, len as u64).unwrap()
    }

    fn read(
        reader: &BlockReader,
        file: &[u8],
        at: usize,
        len: usize,
    ) -> Result<Vec<u8>, TableFileError> {
        let mut found = vec![0; len];
        let read_at = |at: u64, bytes: &mut [u8]| (&file[at as usize..]).read_exact(bytes);
        reader.read(at as u64, &mut found, read_at).map(|()| found)
    }

    #[test]
    fn values_of_any_length_round_trip() {
        for len in [
            0,
            1,
            VALUES_PER_BLOCK - 1,
            VALUES_PER_BLOCK,
            VALUES_PER_BLOCK + 1,
            5 * VALUES_PER_BLOCK + 77,
        ] {
            let values = values(len);
            let cut = [len / 3, len / 2];
            let file = written(&[&values[..cut[0]], &values[cut[0]..cut[1]], &values[cut[1]..]]);
            assert_eq!(file, written(&[&values]));
            let reader = reader(&file, len).unwrap();
            assert_eq!(reader.values, len as u64);
            let read = |at, len| read(&reader, &file, at, len);
            assert_eq!(read(0, len).unwrap(), values);
            let mut random = fastrand::Rng::with_seed(8);
            for _ in 0..100 {
                let at = random.usize(..=len);
                let some = random.usize(..=len - at);
                assert_eq!(read(at, some).unwrap(), values[at..at + some]);
            }
            assert!(read(len, 1).is_err());
        }
    }

    #[test]
    fn a_checksum_does_not_depend_on_the_parts() {
        let (values, mut random) = (values(5000), fastrand::Rng::with_seed(9));
        let mut whole = Checksum::default();
        whole.add(&values);
        for most in [1, 7, 128, 300] {
            let (mut parts, mut rest) = (Checksum::default(), &values[..]);
            while !rest.is_empty() {
                let part;
                (part, rest) = rest.split_at(random.usize(..=most).min(rest.len()));
                parts.add(part);
            }
            assert_eq!(parts.sum(), whole.sum());
        }
        let mut other = Checksum::default();
        other.add(&values[1..]);
        assert_ne!(other.sum(), whole.sum());
    }

    #[test]
    fn truncated_extended_and_damaged_files_are_detected() {
        let values = values(3 * VALUES_PER_BLOCK);
        let file = written(&[&values]);
        for len in 4..file.len() {
            assert!(reader(&file[..len], values.len()).is_none(), "{len}");
        }
        assert!(reader(&[&file[..], b"x"].concat(), values.len()).is_none());
        assert!(reader(&file, values.len() + VALUES_PER_BLOCK).is_none());
        assert!(reader(&file, usize::MAX).is_none());
        let good = reader(&file, values.len()).unwrap();
        // A changed byte makes only the values of its block unreadable.
        for at in (4..file.len() - 24).step_by(101) {
            let mut damaged = file.clone();
            damaged[at] ^= 0x55;
            let number = good.ends.iter().skip(1).position(|&end| (at as u64) < end).unwrap();
            let reader = reader(&damaged, values.len()).unwrap();
            for block in 0..3 {
                let found = read(&reader, &damaged, block * VALUES_PER_BLOCK + 7, 9);
                assert_eq!(found.is_err(), block == number, "{at}");
            }
        }
        // A changed checksum in the index makes only the values of its block unreadable. Two
        // swapped blocks make only the values of these two blocks unreadable.
        for at in file.len() - 24..file.len() {
            let mut damaged = file.clone();
            damaged[at] ^= 0x55;
            let is_length = (at - (file.len() - 24)) % 8 < 4;
            let reader = reader(&damaged, values.len());
            assert_eq!(reader.is_none(), is_length, "{at}");
            assert!(
                reader.is_none_or(|reader| read(&reader, &damaged, 0, values.len()).is_err()),
                "{at}"
            );
        }
        let same = vec![7; 2 * VALUES_PER_BLOCK];
        let file = written(&[&same]);
        let mut exchanged = file.clone();
        let len = file.len();
        exchanged[len - 16..len - 8].copy_from_slice(&file[len - 8..]);
        exchanged[len - 8..].copy_from_slice(&file[len - 16..len - 8]);
        let exchanged_reader = reader(&exchanged, same.len()).unwrap();
        assert!(read(&exchanged_reader, &exchanged, 0, 1).is_err());
        assert!(read(&good, &file[1..], 0, values.len()).is_err());
    }

    #[test]
    fn a_cached_block_is_not_read_again_until_it_is_replaced() {
        let values = values((MAX_CACHED_BLOCKS + 1) * VALUES_PER_BLOCK);
        let file = written(&[&values]);
        let reader = reader(&file, values.len()).unwrap();
        let mut reads = Vec::new();
        for number in [0, 1, 0, MAX_CACHED_BLOCKS, 1, 0] {
            let (at, mut found) = (number * VALUES_PER_BLOCK + 100, [0; 7]);
            let read_at = |from: u64, bytes: &mut [u8]| {
                reads.push(number);
                (&file[from as usize..]).read_exact(bytes)
            };
            reader.read(at as u64, &mut found, read_at).unwrap();
            assert_eq!(found, values[at..at + 7]);
        }
        assert_eq!(reads, [0, 1, MAX_CACHED_BLOCKS, 0]);
    }
}

//! Values that are compressed in blocks, so that some of them can be read without the others.
//!
//! The blocks stand one after the other, each in the [LZ4 block format]. Then comes an index: for each block two
//! little-endian numbers of four bytes, its length in bytes and the checksum of its values, into which the number of
//! the block goes, too. How many values there are must be known to read them. Whoever reads a value reads its block,
//! and holds it against the checksum, unless the block is still kept from an earlier read.
//!
//! LZ4 was chosen for its speed: what a solver holds is written and read again in about the time that a disk takes for
//! it, and a single block is read in some microseconds.
//!
//! [LZ4 block format]: https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md

use std::io::{self, ErrorKind, Write};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use lz4_flex::block::{compress_into, decompress_into, get_maximum_output_size};
use pentarch_core::rules::key;

use super::error::TableFileError;

/// How many values a block has, one byte each; the last block may have fewer.
const BLOCK: usize = 1 << 14;
/// What the index has of a block: its length and its checksum.
type Indexed = [[u8; 4]; 2];

/// How many words are hashed at once, and how many values they are.
const HASHED: usize = 16;
const HASHED_VALUES: usize = HASHED * size_of::<u64>();

/// The checksum of values that come in parts; it is the same whatever the parts are.
#[derive(Debug, Default)]
pub struct Checksum {
    sum: u64,
    /// Values that are too few to be hashed yet.
    rest: Vec<u8>,
}

impl Checksum {
    /// Adds the next values.
    pub fn add(&mut self, values: &[u8]) {
        let missing = if self.rest.is_empty() { 0 } else { HASHED_VALUES - self.rest.len() };
        let (first, values) = values.split_at(missing.min(values.len()));
        self.rest.extend_from_slice(first);
        if self.rest.len() == HASHED_VALUES {
            self.sum = add_to_checksum(self.sum, &self.rest);
            self.rest.clear();
        }
        let (whole, rest) = values.split_at(values.len() / HASHED_VALUES * HASHED_VALUES);
        self.sum = add_to_checksum(self.sum, whole);
        self.rest.extend_from_slice(rest);
    }

    /// The checksum of all values.
    pub fn sum(&self) -> u64 {
        add_to_checksum(self.sum, &self.rest)
    }
}

/// The checksum of values that follow values with the checksum `sum`.
fn add_to_checksum(sum: u64, values: &[u8]) -> u64 {
    values.chunks(HASHED_VALUES).fold(sum, |sum, values| {
        let mut words = [0; HASHED + 1];
        words[HASHED] = sum;
        for (word, bytes) in words.iter_mut().zip(values.chunks(size_of::<u64>())) {
            *word = bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        }
        key::hash(&words)
    })
}

/// The checksum of the block of this number.
fn block_checksum(number: usize, values: &[u8]) -> u32 {
    add_to_checksum(number as u64, values) as u32
}

/// Writes values that come one after the other.
#[derive(Debug)]
pub struct BlockWriter<W> {
    writer: W,
    /// The values of the block that is not full yet.
    values: Vec<u8>,
    /// The index of the blocks that have been written.
    index: Vec<Indexed>,
}

impl<W: Write> BlockWriter<W> {
    /// Begins behind what the writer has written.
    pub fn new(writer: W) -> BlockWriter<W> {
        BlockWriter { writer, values: Vec::with_capacity(BLOCK), index: Vec::new() }
    }

    /// Writes the next values.
    ///
    /// # Errors
    /// If they cannot be written. This holds for the other methods, too.
    pub fn write(&mut self, mut values: &[u8]) -> io::Result<()> {
        while !values.is_empty() {
            let room = BLOCK - self.values.len();
            let (now, later) = values.split_at(values.len().min(room));
            self.values.extend_from_slice(now);
            values = later;
            if now.len() == room {
                self.write_block()?;
            }
        }
        Ok(())
    }

    fn write_block(&mut self) -> io::Result<()> {
        let mut compressed = [0; get_maximum_output_size(BLOCK)];
        let len = compress_into(&self.values, &mut compressed).map_err(io::Error::other)?;
        let checksum = block_checksum(self.index.len(), &self.values);
        self.index.push([len as u32, checksum].map(u32::to_le_bytes));
        self.values.clear();
        self.writer.write_all(&compressed[..len])
    }

    /// Writes what is left, and the index. Returns the writer.
    pub fn finish(mut self) -> io::Result<W> {
        if !self.values.is_empty() {
            self.write_block()?;
        }
        self.writer.write_all(self.index.as_flattened().as_flattened())?;
        Ok(self.writer)
    }
}

/// How many blocks are kept for the next reads, 1 MiB.
const KEPT: usize = 64;

/// Reads values of a file. Blocks that were read last are kept: values that are asked for one after the other often
/// stand in the same ones.
#[derive(Debug)]
pub struct BlockReader {
    /// Where each block begins in the file, and where the last one ends.
    ends: Vec<u64>,
    /// The checksum of each block.
    checksums: Vec<u32>,
    /// The number of values.
    pub values: u64,
    /// The blocks that are kept, direct-mapped: each in the place of its number modulo [`KEPT`].
    kept: [Mutex<Option<Block>>; KEPT],
}

/// The values of a block.
#[derive(Debug)]
struct Block {
    number: usize,
    values: Vec<u8>,
}

impl BlockReader {
    /// Reads the index of blocks with so many values that stand in these bytes of a file; none if the bytes are more or
    /// fewer than the index says. `read_at` fills bytes from a place in the file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn new(
        read_at: impl FnOnce(u64, &mut [u8]) -> io::Result<()>,
        bytes: Range<u64>,
        values: u64,
    ) -> io::Result<Option<BlockReader>> {
        let index_len = values.div_ceil(BLOCK as u64).checked_mul(size_of::<Indexed>() as u64);
        let Some(index_len) = index_len else { return Ok(None) };
        let Some(at) = bytes.end.checked_sub(index_len).filter(|&at| at >= bytes.start) else {
            return Ok(None);
        };
        let mut index = vec![0; index_len as usize];
        read_at(at, &mut index)?;
        let mut ends = vec![bytes.start];
        let (mut end, mut checksums) = (bytes.start, Vec::new());
        for indexed in bytemuck::cast_slice::<u8, Indexed>(&index) {
            let [length, checksum] = indexed.map(u32::from_le_bytes);
            end += u64::from(length);
            ends.push(end);
            checksums.push(checksum);
        }
        let kept = [const { Mutex::new(None) }; KEPT];
        Ok((end == at).then_some(BlockReader { ends, checksums, values, kept }))
    }

    /// Fills `values` with those that begin at this one. `read_at` fills bytes from a place in the file.
    ///
    /// # Errors
    /// If there are not so many, they cannot be read, or their block is damaged.
    pub fn read(
        &self,
        mut at: u64,
        mut values: &mut [u8],
        mut read_at: impl FnMut(u64, &mut [u8]) -> io::Result<()>,
    ) -> Result<(), TableFileError> {
        let end = at.checked_add(values.len() as u64).filter(|&end| end <= self.values);
        let end = end.ok_or(io::Error::from(ErrorKind::UnexpectedEof))?;
        while at < end {
            let (number, skipped) = ((at / BLOCK as u64) as usize, (at % BLOCK as u64) as usize);
            let mut kept = self.kept[number % KEPT].lock().unwrap_or_else(PoisonError::into_inner);
            let block = match kept.take().filter(|block| block.number == number) {
                Some(block) => block,
                None => self.block(number, &mut read_at)?,
            };
            let part;
            (part, values) = values.split_at_mut(values.len().min(block.values.len() - skipped));
            part.copy_from_slice(&block.values[skipped..][..part.len()]);
            at += part.len() as u64;
            *kept = Some(block);
        }
        Ok(())
    }

    /// The block of this number, read from the file.
    fn block(
        &self,
        number: usize,
        read_at: &mut impl FnMut(u64, &mut [u8]) -> io::Result<()>,
    ) -> Result<Block, TableFileError> {
        let damaged = || TableFileError::Block { number };
        let mut compressed = [0; get_maximum_output_size(BLOCK)];
        let [from, to] = [self.ends[number], self.ends[number + 1]];
        let compressed = compressed.get_mut(..(to - from) as usize).ok_or_else(damaged)?;
        read_at(from, compressed)?;
        let mut values =
            vec![0; (self.values - (number * BLOCK) as u64).min(BLOCK as u64) as usize];
        let is_whole = decompress_into(compressed, &mut values).ok() == Some(values.len());
        if !is_whole || block_checksum(number, &values) != self.checksums[number] {
            return Err(damaged());
        }
        Ok(Block { number, values })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    /// Values of which some compress well and some do not.
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
    fn any_values_are_read_as_they_were_written() {
        for len in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK + 77] {
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
    fn a_checksum_is_that_of_all_values_whatever_their_parts() {
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
    fn what_is_cut_or_longer_or_damaged_is_found_out() {
        let values = values(3 * BLOCK);
        let file = written(&[&values]);
        for len in 4..file.len() {
            assert!(reader(&file[..len], values.len()).is_none(), "{len}");
        }
        assert!(reader(&[&file[..], b"x"].concat(), values.len()).is_none());
        assert!(reader(&file, values.len() + BLOCK).is_none());
        assert!(reader(&file, usize::MAX).is_none());
        let good = reader(&file, values.len()).unwrap();
        // Only the values of the block are not read, whichever of its bytes is another one.
        for at in (4..file.len() - 24).step_by(101) {
            let mut damaged = file.clone();
            damaged[at] ^= 0x55;
            let number = good.ends.iter().skip(1).position(|&end| (at as u64) < end).unwrap();
            let reader = reader(&damaged, values.len()).unwrap();
            for block in 0..3 {
                let found = read(&reader, &damaged, block * BLOCK + 7, 9);
                assert_eq!(found.is_err(), block == number, "{at}");
            }
        }
        // So it is if its checksum in the index is another one, or if it stands in the place of another block.
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
        let same = vec![7; 2 * BLOCK];
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
    fn a_kept_block_is_not_read_again_until_another_one_takes_its_place() {
        let values = values((KEPT + 1) * BLOCK);
        let file = written(&[&values]);
        let reader = reader(&file, values.len()).unwrap();
        let mut reads = Vec::new();
        for number in [0, 1, 0, KEPT, 1, 0] {
            let (at, mut found) = (number * BLOCK + 100, [0; 7]);
            let read_at = |from: u64, bytes: &mut [u8]| {
                reads.push(number);
                (&file[from as usize..]).read_exact(bytes)
            };
            reader.read(at as u64, &mut found, read_at).unwrap();
            assert_eq!(found, values[at..at + 7]);
        }
        assert_eq!(reads, [0, 1, KEPT, 0]);
    }
}

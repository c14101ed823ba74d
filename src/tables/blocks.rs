//! Values that are compressed in blocks, so that some of them can be read without the others.
//!
//! The blocks stand one after the other, each in the [LZ4 block format]. Then comes an index: the length of each block
//! in bytes, as a little-endian number. How many values there are must be known to read them.
//!
//! LZ4 was chosen for its speed: what a solver holds is written and read again in about the time that a disk takes for
//! it, and a single block is read in some microseconds.
//!
//! [LZ4 block format]: https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md

use std::io::{self, ErrorKind, Write};
use std::ops::Range;

use lz4_flex::block::{compress_into, decompress_into, get_maximum_output_size};

/// How many values a block has, one byte each; the last block may have fewer.
const BLOCK: usize = 1 << 14;
/// A length in the index.
type Length = u32;

/// Writes values that come one after the other.
#[derive(Debug)]
pub struct BlockWriter<W> {
    writer: W,
    /// The values of the block that is not full yet.
    values: Vec<u8>,
    /// The index of the blocks that have been written.
    index: Vec<u8>,
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
        self.index.extend_from_slice(&(len as Length).to_le_bytes());
        self.values.clear();
        self.writer.write_all(&compressed[..len])
    }

    /// Writes what is left, and the index. Returns the writer.
    pub fn finish(mut self) -> io::Result<W> {
        if !self.values.is_empty() {
            self.write_block()?;
        }
        self.writer.write_all(&self.index)?;
        Ok(self.writer)
    }
}

/// The index of a file.
#[derive(Debug)]
pub struct BlockIndex {
    /// Where each block begins in the file, and where the last one ends.
    ends: Vec<u64>,
    /// The number of values.
    pub values: u64,
}

impl BlockIndex {
    /// Reads the index of blocks with so many values that stand in these bytes of a file; none if the bytes are more or
    /// fewer than the index says. `read_at` fills bytes from a place in the file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(
        read_at: impl FnOnce(u64, &mut [u8]) -> io::Result<()>,
        bytes: Range<u64>,
        values: u64,
    ) -> io::Result<Option<BlockIndex>> {
        let index_len = values.div_ceil(BLOCK as u64) * size_of::<Length>() as u64;
        let Some(at) = bytes.end.checked_sub(index_len).filter(|&at| at >= bytes.start) else { return Ok(None) };
        let mut index = vec![0; index_len as usize];
        read_at(at, &mut index)?;
        let mut ends = vec![bytes.start];
        let mut end = bytes.start;
        for length in bytemuck::cast_slice::<u8, [u8; size_of::<Length>()]>(&index) {
            end += u64::from(Length::from_le_bytes(*length));
            ends.push(end);
        }
        Ok((end == at).then_some(BlockIndex { ends, values }))
    }

    /// Fills `values` with those that begin at this one. `read_at` fills bytes from a place in the file.
    ///
    /// # Errors
    /// If there are not so many, they cannot be read, or their block is damaged.
    pub fn read_values(
        &self,
        mut at: u64,
        mut values: &mut [u8],
        mut read_at: impl FnMut(u64, &mut [u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let damaged = || io::Error::new(ErrorKind::InvalidData, "it is damaged");
        let end = at.checked_add(values.len() as u64).filter(|&end| end <= self.values);
        let end = end.ok_or(ErrorKind::UnexpectedEof)?;
        let (mut compressed, mut block) = ([0; get_maximum_output_size(BLOCK)], [0; BLOCK]);
        while at < end {
            let (number, skipped) = ((at / BLOCK as u64) as usize, (at % BLOCK as u64) as usize);
            let [from, to] = [self.ends[number], self.ends[number + 1]];
            let compressed = compressed.get_mut(..(to - from) as usize).ok_or_else(damaged)?;
            read_at(from, compressed)?;
            let block = &mut block[..(self.values - at + skipped as u64).min(BLOCK as u64) as usize];
            if decompress_into(compressed, block).ok() != Some(block.len()) {
                return Err(damaged());
            }
            let part;
            (part, values) = values.split_at_mut(values.len().min(block.len() - skipped));
            part.copy_from_slice(&block[skipped..][..part.len()]);
            at += part.len() as u64;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    /// Values of which some compress well and some do not.
    fn values(len: usize) -> Vec<u8> {
        let mut random = fastrand::Rng::with_seed(7);
        (0..len).map(|at| if at / 10_000 % 2 == 0 { random.u8(..) } else { (at / 100) as u8 }).collect()
    }

    fn written(parts: &[&[u8]]) -> Vec<u8> {
        let mut writer = BlockWriter::new(b"head".to_vec());
        parts.iter().for_each(|part| writer.write(part).unwrap());
        writer.finish().unwrap()
    }

    fn index(file: &[u8], len: usize) -> Option<BlockIndex> {
        let read_at = |at: u64, bytes: &mut [u8]| (&file[at as usize..]).read_exact(bytes);
        BlockIndex::read(read_at, 4..file.len() as u64, len as u64).unwrap()
    }

    fn read(index: &BlockIndex, file: &[u8], at: usize, len: usize) -> io::Result<Vec<u8>> {
        let mut found = vec![0; len];
        let read_at = |at: u64, bytes: &mut [u8]| (&file[at as usize..]).read_exact(bytes);
        index.read_values(at as u64, &mut found, read_at).map(|()| found)
    }

    #[test]
    fn any_values_are_read_as_they_were_written() {
        for len in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK + 77] {
            let values = values(len);
            let cut = [len / 3, len / 2];
            let file = written(&[&values[..cut[0]], &values[cut[0]..cut[1]], &values[cut[1]..]]);
            assert_eq!(file, written(&[&values]));
            let index = index(&file, len).unwrap();
            assert_eq!(index.values, len as u64);
            let read = |at, len| read(&index, &file, at, len);
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
    fn what_is_cut_or_longer_or_damaged_is_found_out() {
        let values = values(3 * BLOCK);
        let file = written(&[&values]);
        for len in 4..file.len() {
            assert!(index(&file[..len], values.len()).is_none(), "{len}");
        }
        assert!(index(&[&file[..], b"x"].concat(), values.len()).is_none());
        assert!(index(&file, values.len() + BLOCK).is_none());
        assert!(index(&file, usize::MAX).is_none());
        let good = index(&file, values.len()).unwrap();
        // Whatever stands there, reading ends; the checksum tells the rest.
        for at in (4..file.len() - 12).step_by(101) {
            let mut damaged = file.clone();
            damaged[at] ^= 0x55;
            let _ = read(&good, &damaged, 0, values.len());
        }
        assert!(read(&good, &file[1..], 0, values.len()).is_err());
    }
}

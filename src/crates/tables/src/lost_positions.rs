//! The lost positions of solved classes, packed into a few bytes.
//!
//! The values of all positions follow from the positions that the side to move loses. If a move
//! leads to a lost position, the side to move wins, and the nearest such loss determines the
//! distance. A position that is neither lost nor won is a draw. So losses are enough for perfect
//! play, and the losses take a third of the space of all values.
//!
//! The packed form is an [LZ4 block] with its uncompressed size in front. The block has a bit for
//! each position, class by class and in the order of the numbers: 1 for a loss. Each class begins
//! with a new byte, whose lowest bit comes first. The distances of the losses follow in half bytes,
//! the lower half first. Each distance is half the number of plies to the end of the game. A half
//! byte of 15 means that the next half byte is added.
//!
//! [LZ4 block]: https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md

use lz4_flex::block::{compress_prepend_size, decompress_into, uncompressed_size};
use pentarch_system::memory;

use super::dtm::Dtm;
use super::{PositionNumbering, Tablebase};

/// The half byte that is followed by another half byte of the same distance.
const CONTINUED_HALF_BYTE: u8 = 15;

/// Packs the losses of these classes.
pub fn pack_losses(tables: &Tablebase, classes: &[usize]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut half_bytes = Vec::new();
    for &class in classes {
        for values in tables.class_values(class).chunks(8) {
            let mut bits = 0;
            for (at, &value) in values.iter().enumerate() {
                if Dtm(value).is_loss() {
                    bits |= 1 << at;
                    let distance = value / 2;
                    let continued = usize::from(distance / CONTINUED_HALF_BYTE);
                    half_bytes.extend(std::iter::repeat_n(CONTINUED_HALF_BYTE, continued));
                    half_bytes.push(distance % CONTINUED_HALF_BYTE);
                }
            }
            bytes.push(bits);
        }
    }
    let pairs = half_bytes.chunks(2);
    bytes.extend(pairs.map(|pair| pair[0] | pair.get(1).unwrap_or(&0) << 4));
    compress_prepend_size(&bytes)
}

/// Unpacks the losses of these classes. All other positions get the value of a draw. Returns `None`
/// if the bytes have another form, or if there is not enough memory.
pub fn unpack_losses(
    packed: &[u8],
    numbering: &impl PositionNumbering,
    classes: &[usize],
) -> Option<Tablebase> {
    let (size, compressed) = uncompressed_size(packed).ok()?;
    let mut bytes = memory::allocate_zeros::<u8>(size)?;
    if decompress_into(compressed, &mut bytes).ok()? != size {
        return None;
    }
    let bit_bytes = |class: usize| numbering.class_size(class).div_ceil(8);
    let (mut bits, distances) =
        bytes.split_at_checked(classes.iter().map(|&class| bit_bytes(class)).sum())?;
    let mut distances = DistanceReader { bytes: distances, next: 0 };
    let mut tables = Tablebase::default();
    for &class in classes {
        let mut values = memory::allocate_zeros::<u8>(numbering.class_size(class))?;
        let class_bits;
        (class_bits, bits) = bits.split_at(bit_bytes(class));
        for (values, &byte) in values.chunks_mut(8).zip(class_bits) {
            let mut rest = byte;
            while rest != 0 {
                let at = rest.trailing_zeros() as usize;
                *values.get_mut(at)? = distances.next_loss()?.0;
                rest &= rest - 1;
            }
        }
        tables.put_class_values(class, values);
    }
    Some(tables)
}

/// A reader of distances.
struct DistanceReader<'a> {
    bytes: &'a [u8],
    /// The index of the next half byte.
    next: usize,
}

impl DistanceReader<'_> {
    /// Reads the next distance and returns the value of a loss at this distance. Returns `None` at
    /// the end, or if the value does not fit into a byte.
    fn next_loss(&mut self) -> Option<Dtm> {
        let mut distance = 0_u8;
        loop {
            let half_byte = self.bytes.get(self.next / 2)? >> (self.next % 2 * 4) & 15;
            self.next += 1;
            distance = distance.checked_add(half_byte)?;
            if half_byte != CONTINUED_HALF_BYTE {
                return Some(Dtm(distance.checked_mul(2)?.checked_add(1)?));
            }
        }
    }
}

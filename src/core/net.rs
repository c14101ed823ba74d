//! A small neural net that judges positions: inputs that are on or off, one hidden layer, one number.
//!
//! Each input that is on adds its row of weights to the hidden units. What a unit has then, held between 0 and 1, times
//! the unit's own weight, summed over the units, is the judgement. Everything is counted in whole numbers: [`ONE`]
//! stands for 1 in the hidden layer, and behind it a centipawn has [`GRAIN`] parts.
//!
//! A file holds 16-bit numbers, the low byte first: the rows in the order of the inputs, the biases of the hidden units,
//! their weights, and what is added in the end.

/// How many hidden units a net has.
pub const HIDDEN: usize = 32;
/// What stands for 1 in the hidden layer.
pub const ONE: i16 = 255;
/// The parts of a centipawn that the judgement is added up from.
pub const GRAIN: i16 = 8;

/// A net with so many inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Net<const INPUTS: usize> {
    rows: [[i16; HIDDEN]; INPUTS],
    biases: [i16; HIDDEN],
    weights: [i16; HIDDEN],
    offset: i16,
}

/// How many numbers a net with so many inputs has.
pub const fn numbers(inputs: usize) -> usize {
    (inputs + 2) * HIDDEN + 1
}

impl<const INPUTS: usize> Net<INPUTS> {
    /// Reads a file, when the program is compiled.
    ///
    /// # Panics
    /// If it is of another size.
    pub const fn from_bytes(bytes: &[u8]) -> Net<INPUTS> {
        assert!(bytes.len() == 2 * numbers(INPUTS), "the net has other inputs or hidden units");
        let mut rows = [[0; HIDDEN]; INPUTS];
        let mut input = 0;
        while input < INPUTS {
            rows[input] = layer(bytes, input);
            input += 1;
        }
        let [biases, weights] = [layer(bytes, INPUTS), layer(bytes, INPUTS + 1)];
        Net { rows, biases, weights, offset: number(bytes, (INPUTS + 2) * HIDDEN) }
    }

    /// The judgement in centipawns if these inputs are on, each below `INPUTS`.
    #[inline]
    pub fn judge(&self, inputs: impl Iterator<Item = usize>) -> i32 {
        let mut hidden = self.biases;
        inputs.for_each(|input| {
            hidden.iter_mut().zip(&self.rows[input]).for_each(|(sum, weight)| *sum = sum.saturating_add(*weight));
        });
        let units = hidden.iter().zip(&self.weights);
        let sum: i32 = units.map(|(sum, weight)| i32::from(*sum.clamp(&0, &ONE)) * i32::from(*weight)).sum();
        (sum / i32::from(ONE) + i32::from(self.offset)) / i32::from(GRAIN)
    }
}

/// One number for each hidden unit, the layers in front of it left out.
const fn layer(bytes: &[u8], before: usize) -> [i16; HIDDEN] {
    let mut numbers = [0; HIDDEN];
    let mut unit = 0;
    while unit < HIDDEN {
        numbers[unit] = number(bytes, before * HIDDEN + unit);
        unit += 1;
    }
    numbers
}

const fn number(bytes: &[u8], place: usize) -> i16 {
    i16::from_le_bytes([bytes[2 * place], bytes[2 * place + 1]])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of a net with two inputs whose numbers all are 0 but these.
    fn file(set: &[(usize, i16)]) -> Vec<u8> {
        let mut file = vec![0; 2 * numbers(2)];
        set.iter().for_each(|&(place, number)| file[2 * place..][..2].copy_from_slice(&number.to_le_bytes()));
        file
    }

    #[test]
    fn hidden_units_are_held_between_0_and_1() {
        let [first, second, bias, weight] = [0, 1, 2, 3].map(|layer| layer * HIDDEN + 5);
        let offset = numbers(2) - 1;
        let net = Net::<2>::from_bytes(&file(&[
            (first, 100),
            (second, -300),
            (bias, 200),
            (weight, GRAIN * 51),
            (offset, 7 * GRAIN),
        ]));
        assert_eq!(net.judge([].into_iter()), 7 + 40);
        assert_eq!(net.judge([0].into_iter()), 7 + 51, "no more than 1");
        assert_eq!(net.judge([1].into_iter()), 7, "no less than 0");
        assert_eq!(net.judge([0, 1].into_iter()), 7);
        assert_eq!(net.judge([1, 0, 0, 0, 0].into_iter()), 7 + 51, "the sum is what counts");
    }

    #[test]
    fn sums_beyond_all_bounds_are_held_too() {
        let all: Vec<(usize, i16)> = (0..numbers(2)).map(|place| (place, i16::MAX)).collect();
        let most = Net::<2>::from_bytes(&file(&all)).judge([0, 1].into_iter());
        assert_eq!(most, (i32::from(i16::MAX) * (HIDDEN as i32 + 1)) / i32::from(GRAIN));
    }

    #[test]
    #[should_panic(expected = "other inputs")]
    fn a_file_of_another_size_is_no_net() {
        Net::<3>::from_bytes(&file(&[]));
    }
}

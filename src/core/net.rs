//! A small neural net for evaluation: binary inputs, one hidden layer with clipped ReLU, one output.
//!
//! The sum of a hidden unit is its bias and the weights of the active inputs for this unit. Its activation is the sum,
//! clipped to the range from 0 to 1. The output is a bias and the sum of the activations, each times the output weight
//! of its unit. The net is quantised to integers: [`ONE`] stands for 1 in the hidden layer, and the output is counted
//! in units of which a centipawn has [`GRAIN`].
//!
//! A file holds the parameters as 16-bit numbers, the low byte first: the input weights, input by input; the hidden
//! biases; the output weights; and the output bias.

/// The number of hidden units.
pub const HIDDEN: usize = 32;
/// The quantised activation that stands for 1.
pub const ONE: i16 = 255;
/// The number of units of the quantised output in a centipawn.
pub const GRAIN: i16 = 8;

/// A net with `INPUTS` inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Net<const INPUTS: usize> {
    input_weights: [[i16; HIDDEN]; INPUTS],
    hidden_biases: [i16; HIDDEN],
    output_weights: [i16; HIDDEN],
    output_bias: i16,
}

/// The number of parameters of a net with so many inputs.
pub const fn numbers(inputs: usize) -> usize {
    (inputs + 2) * HIDDEN + 1
}

impl<const INPUTS: usize> Net<INPUTS> {
    /// Reads a file, when the program is compiled.
    ///
    /// # Panics
    /// If the file does not have the size of such a net.
    pub const fn from_bytes(bytes: &[u8]) -> Net<INPUTS> {
        assert!(bytes.len() == 2 * numbers(INPUTS), "the net has other inputs or hidden units");
        let mut input_weights = [[0; HIDDEN]; INPUTS];
        let mut input = 0;
        while input < INPUTS {
            input_weights[input] = row(bytes, input);
            input += 1;
        }
        let [hidden_biases, output_weights] = [row(bytes, INPUTS), row(bytes, INPUTS + 1)];
        Net { input_weights, hidden_biases, output_weights, output_bias: parameter(bytes, (INPUTS + 2) * HIDDEN) }
    }

    /// The output in centipawns when these inputs are active, each of which must be below `INPUTS`.
    #[inline]
    pub fn evaluate(&self, inputs: impl Iterator<Item = usize>) -> i32 {
        let mut hidden = self.hidden_biases;
        inputs.for_each(|input| {
            let weights = &self.input_weights[input];
            hidden.iter_mut().zip(weights).for_each(|(sum, weight)| *sum = sum.saturating_add(*weight));
        });
        let units = hidden.iter().zip(&self.output_weights);
        let sum: i32 = units.map(|(sum, weight)| i32::from(*sum.clamp(&0, &ONE)) * i32::from(*weight)).sum();
        (sum / i32::from(ONE) + i32::from(self.output_bias)) / i32::from(GRAIN)
    }
}

/// The row of parameters with this index: one parameter for each hidden unit.
const fn row(bytes: &[u8], index: usize) -> [i16; HIDDEN] {
    let mut row = [0; HIDDEN];
    let mut unit = 0;
    while unit < HIDDEN {
        row[unit] = parameter(bytes, index * HIDDEN + unit);
        unit += 1;
    }
    row
}

const fn parameter(bytes: &[u8], index: usize) -> i16 {
    i16::from_le_bytes([bytes[2 * index], bytes[2 * index + 1]])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of a net with two inputs in which all parameters but these are 0.
    fn file(set: &[(usize, i16)]) -> Vec<u8> {
        let mut file = vec![0; 2 * numbers(2)];
        set.iter().for_each(|&(index, number)| file[2 * index..][..2].copy_from_slice(&number.to_le_bytes()));
        file
    }

    #[test]
    fn activations_are_clipped_to_0_and_1() {
        let [first, second, bias, weight] = [0, 1, 2, 3].map(|row| row * HIDDEN + 5);
        let output_bias = numbers(2) - 1;
        let net = Net::<2>::from_bytes(&file(&[
            (first, 100),
            (second, -300),
            (bias, 200),
            (weight, GRAIN * 51),
            (output_bias, 7 * GRAIN),
        ]));
        assert_eq!(net.evaluate([].into_iter()), 7 + 40);
        assert_eq!(net.evaluate([0].into_iter()), 7 + 51, "no more than 1");
        assert_eq!(net.evaluate([1].into_iter()), 7, "no less than 0");
        assert_eq!(net.evaluate([0, 1].into_iter()), 7);
        assert_eq!(net.evaluate([1, 0, 0, 0, 0].into_iter()), 7 + 51, "the sum is what counts");
    }

    #[test]
    fn sums_saturate() {
        let all: Vec<(usize, i16)> = (0..numbers(2)).map(|index| (index, i16::MAX)).collect();
        let most = Net::<2>::from_bytes(&file(&all)).evaluate([0, 1].into_iter());
        assert_eq!(most, (i32::from(i16::MAX) * (HIDDEN as i32 + 1)) / i32::from(GRAIN));
    }

    #[test]
    #[should_panic(expected = "other inputs")]
    fn a_file_of_another_size_is_no_net() {
        Net::<3>::from_bytes(&file(&[]));
    }
}

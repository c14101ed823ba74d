//! A small neural net for evaluation: sparse binary inputs, one hidden layer, one output.
//!
//! Each hidden unit adds its bias and its weights for the active inputs. The activation of the unit
//! is this sum, clipped to the range from 0 to 1 and squared (SCReLU). The output is a bias plus a
//! weighted sum of the activations, with one output weight for each unit. Each phase of the game is
//! an output bucket, with its own output weights and its own output bias. Such nets are common in
//! chess engines ("NNUE"; Y. Nasu, 2018). This net is small enough to be computed from scratch for
//! each position.
//!
//! The net is quantised to integers: [`QUANTISED_ACTIVATION_OF_ONE`] stands for 1 in the hidden
//! layer, and the output has [`OUTPUT_UNITS_PER_CENTIPAWN`] units per centipawn.
//!
//! A file has the [format of nets](NET_FILE_FORMAT). The file contains the parameters as 16-bit
//! numbers: first the low bytes of all parameters, and then all high bytes. Most high bytes are
//! equal, so this order compresses better. The order of the parameters is: the input weights, input
//! by input; the hidden biases; the output weights, bucket by bucket; the output biases.

use super::data_format::NET_FILE_FORMAT;

/// The quantised activation that stands for 1.
pub const QUANTISED_ACTIVATION_OF_ONE: i16 = 255;
/// The number of units of the quantised output in a centipawn.
pub const OUTPUT_UNITS_PER_CENTIPAWN: i16 = 8;
/// The greatest activation of a hidden unit: the square of the greatest clipped sum, divided by
/// 256.
const MAX_SQUARED_ACTIVATION: i32 =
    (QUANTISED_ACTIVATION_OF_ONE as i32 * QUANTISED_ACTIVATION_OF_ONE as i32) >> 8;

/// The shape of a net.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NetShape {
    /// The number of inputs of the net.
    pub inputs: usize,
    /// The number of hidden units.
    pub hidden: usize,
    /// The number of output buckets.
    pub buckets: usize,
}

impl NetShape {
    /// Returns the number of parameters.
    pub const fn parameter_count(self) -> usize {
        (self.inputs + 1) * self.hidden + self.buckets * (self.hidden + 1)
    }

    /// Returns the number of bytes of the parameters in a file.
    pub const fn parameter_byte_count(self) -> usize {
        2 * self.parameter_count()
    }
}

/// A net with `INPUTS` inputs, `HIDDEN` hidden units and `BUCKETS` output buckets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Net<const INPUTS: usize, const HIDDEN: usize, const BUCKETS: usize> {
    input_weights: [[i16; HIDDEN]; INPUTS],
    hidden_biases: [i16; HIDDEN],
    output_weights: [[i16; HIDDEN]; BUCKETS],
    output_biases: [i16; BUCKETS],
}

/// The sums of the hidden units for the inputs added so far. The sums begin a cache line.
#[derive(Debug, Clone, PartialEq, Eq)]
#[repr(align(64))]
pub struct Accumulator<const HIDDEN: usize>([i16; HIDDEN]);

impl<const HIDDEN: usize> Accumulator<HIDDEN> {
    /// The sums of no inputs, without the biases.
    pub const ZERO_SUMS: Self = Accumulator([0; HIDDEN]);

    /// Adds the sums for other inputs, without the biases.
    #[inline]
    pub fn add_sums(&mut self, others: &Self) {
        let sums = self.0.iter_mut().zip(&others.0);
        sums.for_each(|(sum, other)| *sum = sum.saturating_add(*other));
    }
}

impl<const INPUTS: usize, const HIDDEN: usize, const BUCKETS: usize> Net<INPUTS, HIDDEN, BUCKETS> {
    /// The shape of these nets.
    pub const NET_SHAPE: NetShape = NetShape { inputs: INPUTS, hidden: HIDDEN, buckets: BUCKETS };
    /// The net whose parameters are all 0.
    const ZERO_NET: Self = Net {
        input_weights: [[0; HIDDEN]; INPUTS],
        hidden_biases: [0; HIDDEN],
        output_weights: [[0; HIDDEN]; BUCKETS],
        output_biases: [0; BUCKETS],
    };

    /// Reads a net from its file at compile time, without verifying the checksum.
    ///
    /// # Panics
    /// If the file has another format, or does not have the size of this net.
    pub const fn from_bytes(file: &[u8]) -> Self {
        let contents = NET_FILE_FORMAT
            .unverified_contents(file)
            .expect("the file is not a net of this version");
        assert!(
            contents.len() == Self::NET_SHAPE.parameter_byte_count(),
            "the net has other inputs, hidden units or buckets"
        );
        let mut net = Self::ZERO_NET;
        net.set_parameters_from_bytes(contents);
        net
    }

    /// Reads a net from its file. Returns `None` if the file has another format, has a wrong
    /// checksum, or does not have the size of this net.
    pub fn from_verified_file(file: &[u8]) -> Option<Box<Self>> {
        let contents = NET_FILE_FORMAT.verified_contents(file).ok()?;
        if contents.len() != Self::NET_SHAPE.parameter_byte_count() {
            return None;
        }
        let mut net = Box::new(Self::ZERO_NET);
        net.set_parameters_from_bytes(contents);
        Some(net)
    }

    /// Sets the parameters from the contents of a file. The contents must have the size of the net.
    const fn set_parameters_from_bytes(&mut self, bytes: &[u8]) {
        let mut input = 0;
        while input < INPUTS {
            self.input_weights[input] = decode_parameter_row(bytes, input);
            input += 1;
        }
        self.hidden_biases = decode_parameter_row(bytes, INPUTS);
        let mut bucket = 0;
        while bucket < BUCKETS {
            self.output_weights[bucket] = decode_parameter_row(bytes, INPUTS + 1 + bucket);
            self.output_biases[bucket] =
                decode_net_parameter(bytes, (INPUTS + 1 + BUCKETS) * HIDDEN + bucket);
            bucket += 1;
        }
    }

    /// Returns an accumulator to which no inputs have been added yet.
    #[inline]
    pub fn new_accumulator(&self) -> Accumulator<HIDDEN> {
        Accumulator(self.hidden_biases)
    }

    /// Adds an input, which must be below `INPUTS`, to an accumulator.
    #[inline]
    pub fn add_input(&self, accumulator: &mut Accumulator<HIDDEN>, input: usize) {
        let sums = accumulator.0.iter_mut().zip(&self.input_weights[input]);
        sums.for_each(|(sum, weight)| *sum = sum.saturating_add(*weight));
    }

    /// Returns the output in centipawns for the inputs added to an accumulator. `bucket` must be
    /// below `BUCKETS`.
    #[inline]
    pub fn output(&self, accumulator: &Accumulator<HIDDEN>, bucket: usize) -> i32 {
        let activation = |sum: i16| {
            let clipped = sum.clamp(0, QUANTISED_ACTIVATION_OF_ONE);
            // `clipped` is at most 255, and 255 * 255 fits into an unsigned number of 16 bits.
            ((clipped as u16).wrapping_mul(clipped as u16) >> 8) as i16
        };
        let units = accumulator.0.iter().zip(&self.output_weights[bucket]);
        let sum: i32 =
            units.map(|(&sum, &weight)| i32::from(activation(sum)) * i32::from(weight)).sum();
        (sum / MAX_SQUARED_ACTIVATION + i32::from(self.output_biases[bucket]))
            / i32::from(OUTPUT_UNITS_PER_CENTIPAWN)
    }
}

/// Returns the row of parameters at index `index`. A row has one parameter for each hidden unit.
const fn decode_parameter_row<const HIDDEN: usize>(bytes: &[u8], index: usize) -> [i16; HIDDEN] {
    let mut row = [0; HIDDEN];
    let mut unit = 0;
    while unit < HIDDEN {
        row[unit] = decode_net_parameter(bytes, index * HIDDEN + unit);
        unit += 1;
    }
    row
}

const fn decode_net_parameter(bytes: &[u8], index: usize) -> i16 {
    i16::from_le_bytes([bytes[index], bytes[bytes.len() / 2 + index]])
}

/// Returns the parameters that the contents of a net's file contain.
pub fn decode_parameters(contents: &[u8]) -> impl Iterator<Item = i16> {
    (0..contents.len() / 2).map(|index| decode_net_parameter(contents, index))
}

/// Returns the file of a net with these parameters.
pub fn encode_net_file(parameters: &[i16]) -> Vec<u8> {
    let bytes = |at: usize| parameters.iter().map(move |parameter| parameter.to_le_bytes()[at]);
    NET_FILE_FORMAT.file_with_contents(&bytes(0).chain(bytes(1)).collect::<Vec<u8>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    type SmallNet = Net<2, 32, 3>;

    /// Returns the file of a net with this shape. `set` contains the indices and values of some
    /// parameters; all other parameters are 0.
    fn file(shape: NetShape, set: &[(usize, i16)]) -> Vec<u8> {
        let mut parameters = vec![0; shape.parameter_count()];
        set.iter().for_each(|&(index, number)| parameters[index] = number);
        super::encode_net_file(&parameters)
    }

    fn evaluate(net: &SmallNet, inputs: &[usize], bucket: usize) -> i32 {
        let mut accumulator = net.new_accumulator();
        inputs.iter().for_each(|&input| net.add_input(&mut accumulator, input));
        net.output(&accumulator, bucket)
    }

    #[test]
    fn activations_are_squared_and_the_bucket_chooses_the_output() {
        let [first, second, bias] = [0, 1, 2].map(|row| row * 32 + 9);
        let [weight, other_weight] = [4, 5].map(|row| row * 32 + 9);
        let other_bias = SmallNet::NET_SHAPE.parameter_count() - 1;
        let set = [
            (first, 128),
            (second, -300),
            (bias, 128),
            (weight, OUTPUT_UNITS_PER_CENTIPAWN * 400),
            (other_weight, OUTPUT_UNITS_PER_CENTIPAWN * -40),
            (other_bias, 80),
        ];
        let net = SmallNet::from_bytes(&file(SmallNet::NET_SHAPE, &set));
        assert_eq!(
            [0, 1, 2].map(|bucket| evaluate(&net, &[], bucket)),
            [0, 100, 0],
            "a half, squared"
        );
        assert_eq!(
            [0, 1, 2].map(|bucket| evaluate(&net, &[0], bucket)),
            [0, 400, -30],
            "no more than 1"
        );
        assert_eq!(
            [0, 1, 2].map(|bucket| evaluate(&net, &[1], bucket)),
            [0, 0, 10],
            "no less than 0"
        );
    }

    #[test]
    fn sums_saturate() {
        let all = |shape: NetShape| {
            (0..shape.parameter_count()).map(|index| (index, i16::MAX)).collect::<Vec<_>>()
        };
        let most = (i32::from(i16::MAX) * 33) / i32::from(OUTPUT_UNITS_PER_CENTIPAWN);
        let net = SmallNet::from_bytes(&file(SmallNet::NET_SHAPE, &all(SmallNet::NET_SHAPE)));
        assert_eq!(evaluate(&net, &[0, 1], 2), most);
    }

    #[test]
    #[should_panic(expected = "other inputs")]
    fn a_file_of_another_size_is_rejected() {
        Net::<3, 32, 3>::from_bytes(&file(SmallNet::NET_SHAPE, &[]));
    }
}

//! The samples for a regression or for the training of a net. A sample has the features or the net
//! inputs of a position, and the result of its game.

use std::ops::Range;

/// A list of samples. The samples of each game are contiguous.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureSamples {
    /// The number of features of a sample.
    pub width: usize,
    /// The features of all samples, `width` numbers for each.
    features: Vec<i32>,
    /// The result of each sample for the first side: 1, 0.5 or 0.
    results: Vec<f64>,
    /// The index of the first sample of each game.
    game_starts: Vec<usize>,
}

/// One sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FeatureSample<'a> {
    /// For each feature, its value for the first side minus its value for the second side.
    pub features: &'a [i32],
    /// The result for the first side: 1, 0.5 or 0.
    pub result: f64,
}

impl FeatureSamples {
    /// Creates an empty list of samples with `width` features.
    pub fn new(width: usize) -> FeatureSamples {
        FeatureSamples { width, features: Vec::new(), results: Vec::new(), game_starts: Vec::new() }
    }

    /// Returns the number of samples.
    pub fn len(&self) -> usize {
        self.results.len()
    }

    /// Returns whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }

    /// Begins a new game. Samples that are pushed from now on belong to this game.
    pub fn begin_game(&mut self) {
        self.game_starts.push(self.len());
    }

    /// Adds a sample with these features. If there are fewer than `width` features, the others are
    /// 0.
    pub fn push(&mut self, features: impl IntoIterator<Item = i32>, result: f64) {
        let before = self.features.len();
        self.features.extend(features);
        self.features.resize(before + self.width, 0);
        self.results.push(result);
    }

    /// Returns the same samples with a single feature, which is the weighted sum of the old
    /// features.
    pub fn with_weighted_sum_feature(&self, weights: &[i32]) -> FeatureSamples {
        let sum = |sample: FeatureSample| {
            sample.features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum()
        };
        FeatureSamples { width: 1, features: self.iter().map(sum).collect(), ..self.clone() }
    }

    /// Returns the range of the samples of each game. Games without samples are omitted.
    pub fn game_ranges(&self) -> impl Iterator<Item = Range<usize>> {
        let ends = self.game_starts.iter().copied().skip(1).chain([self.len()]);
        let ranges = self.game_starts.iter().zip(ends).map(|(&start, end)| start..end);
        ranges.filter(|range| !range.is_empty())
    }

    /// Returns the samples of a range.
    pub fn range(&self, range: Range<usize>) -> impl Iterator<Item = FeatureSample<'_>> {
        let features = self.features[range.start * self.width..range.end * self.width]
            .chunks_exact(self.width);
        features
            .zip(&self.results[range])
            .map(|(features, &result)| FeatureSample { features, result })
    }

    /// Returns all samples.
    pub fn iter(&self) -> impl Iterator<Item = FeatureSample<'_>> {
        self.range(0..self.len())
    }
}

/// The positions with which a net is trained or checked. Each list except `inputs` has one entry
/// for each position.
#[derive(Debug, Clone, PartialEq)]
pub struct NetSamples {
    /// The indices of the active inputs of all positions, one position after the other.
    pub inputs: Vec<u16>,
    /// For each position, the index in `inputs` at which its inputs end.
    pub ends: Vec<usize>,
    /// The output bucket of each position.
    pub buckets: Vec<u8>,
    /// For each position, a pair of numbers for the side to move: the score of the search in
    /// centipawns, and the result of the game.
    pub targets: Vec<[f32; 2]>,
    /// Samples whose only feature is the score of the search, in tenths of a centipawn for the
    /// first side.
    pub searched: FeatureSamples,
    /// Samples whose only feature is the evaluation before the training, in tenths of a centipawn
    /// for the first side.
    pub evaluated: FeatureSamples,
}

/// A position as input of the net.
#[derive(Debug, Clone, Copy)]
pub struct NetPosition<'a> {
    /// The indices of the active inputs.
    pub inputs: &'a [u16],
    /// The output bucket.
    pub bucket: usize,
}

impl Default for NetSamples {
    fn default() -> NetSamples {
        NetSamples {
            inputs: Vec::new(),
            ends: Vec::new(),
            buckets: Vec::new(),
            targets: Vec::new(),
            searched: FeatureSamples::new(1),
            evaluated: FeatureSamples::new(1),
        }
    }
}

impl NetSamples {
    /// Returns the position at this index.
    pub fn position(&self, index: usize) -> NetPosition<'_> {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        NetPosition {
            inputs: &self.inputs[start..self.ends[index]],
            bucket: self.buckets[index].into(),
        }
    }
}

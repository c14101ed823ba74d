//! The samples of a regression and of the training of a net: positions by their features or by what the net sees of
//! them, with the results of their games.

use std::ops::Range;

/// A list of samples, in which the samples of each game are neighbours.
#[derive(Debug, Clone, PartialEq)]
pub struct Samples {
    /// The number of features of a sample.
    pub width: usize,
    /// The features of all samples, `width` numbers for each.
    features: Vec<i32>,
    /// The result of each sample for the first side: 1, 0.5 or 0.
    results: Vec<f64>,
    /// The place of the first sample of each game.
    games: Vec<usize>,
}

/// One sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample<'a> {
    /// How much more of each feature the first side has than the second.
    pub features: &'a [i32],
    /// The result for the first side: 1, 0.5 or 0.
    pub result: f64,
}

impl Samples {
    /// An empty list of samples with this many features.
    pub fn new(width: usize) -> Samples {
        Samples { width, features: Vec::new(), results: Vec::new(), games: Vec::new() }
    }

    /// The number of samples.
    pub fn len(&self) -> usize {
        self.results.len()
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }

    /// Begins a new game, to which the samples that are added from now on belong.
    pub fn begin_game(&mut self) {
        self.games.push(self.len());
    }

    /// Adds a sample. Features that are missing at the end are 0.
    pub fn push(&mut self, features: impl IntoIterator<Item = i32>, result: f64) {
        let before = self.features.len();
        self.features.extend(features);
        self.features.resize(before + self.width, 0);
        self.results.push(result);
    }

    /// The same samples with only one feature, the sum of the features weighted with these weights.
    pub fn weighted(&self, weights: &[i32]) -> Samples {
        let sum = |sample: Sample| {
            sample.features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum()
        };
        Samples { width: 1, features: self.iter().map(sum).collect(), ..self.clone() }
    }

    /// The places of the samples of each game. Games without samples are left out.
    pub fn games(&self) -> impl Iterator<Item = Range<usize>> {
        let ends = self.games.iter().copied().skip(1).chain([self.len()]);
        self.games
            .iter()
            .zip(ends)
            .map(|(&start, end)| start..end)
            .filter(|places| !places.is_empty())
    }

    /// The samples at these places.
    pub fn range(&self, places: Range<usize>) -> impl Iterator<Item = Sample<'_>> {
        let features = self.features[places.start * self.width..places.end * self.width]
            .chunks_exact(self.width);
        features.zip(&self.results[places]).map(|(features, &result)| Sample { features, result })
    }

    /// All samples.
    pub fn iter(&self) -> impl Iterator<Item = Sample<'_>> {
        self.range(0..self.len())
    }
}

/// The positions that a net is trained on or checked with, each with an entry in every list.
#[derive(Debug, Clone, PartialEq)]
pub struct NetSamples {
    /// The inputs that are active, position after position.
    pub inputs: Vec<u16>,
    /// Where the inputs of each position end.
    pub ends: Vec<usize>,
    /// The output bucket of each position.
    pub buckets: Vec<u8>,
    /// For each position the score of the search in centipawns and the result of the game, both for the side to move.
    pub targets: Vec<[f32; 2]>,
    /// The scores of the search, in thousandths for the first side, with the results of the games.
    pub searched: Samples,
    /// The present evaluations, in thousandths for the first side, with the results of the games.
    pub evaluated: Samples,
}

/// A position as the net sees it.
#[derive(Debug, Clone, Copy)]
pub struct NetInput<'a> {
    /// The active inputs.
    pub inputs: &'a [u16],
    /// The output bucket.
    pub bucket: usize,
}

impl Default for NetSamples {
    fn default() -> NetSamples {
        let [searched, evaluated] = [(); 2].map(|()| Samples::new(1));
        let (inputs, ends, buckets, targets) = Default::default();
        NetSamples { inputs, ends, buckets, targets, searched, evaluated }
    }
}

impl NetSamples {
    /// The position at this place.
    pub fn get(&self, place: usize) -> NetInput<'_> {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        NetInput {
            inputs: &self.inputs[start..self.ends[place]],
            bucket: self.buckets[place].into(),
        }
    }
}

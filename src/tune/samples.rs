//! The samples of a regression and of the training of a net: quiet positions by their features or by what the net sees
//! of them, with the results of their games.

use std::ops::Range;

use crate::core::{NOISY, Side, Tension, Turn};

use crate::games::Game;

use super::selfplay_file::SelfPlayGame;

/// A position of a game that can be evaluated as it stands.
#[derive(Debug)]
pub struct QuietPosition<'a, G: Game> {
    /// The position.
    pub position: &'a G::Position,
    /// The evaluation cache of the position.
    pub cache: G::EvalCache,
    /// The score of the search in this position, in centipawns for the side to move.
    pub score: i32,
    /// The result of the game for the first side: 1, 0.5 or 0.
    pub result: f64,
}

/// Calls `visit` with the quiet positions of a game after its random opening: those in which the side to move is not
/// forced to act and the move that was played is a quiet one that a search chose.
///
/// A later random move makes the result after it a little less certain for the positions before it. They count all the
/// same, because nearly all positions of the first moves of a game are such ones.
pub fn for_each_quiet<G: Game>(rules: &G, game: &SelfPlayGame<G::Move>, mut visit: impl FnMut(QuietPosition<G>)) {
    let result = match game.winner {
        Some(Side::First) => 1.0,
        Some(Side::Second) => 0.0,
        None => 0.5,
    };
    let mut position = rules.start();
    for &(mv, evaluation) in &game.moves {
        if let Some(evaluation) = evaluation {
            let cache = rules.eval_cache(&position);
            let is_quiet = rules.move_ordering_scores(&position, &cache)(mv) < NOISY;
            if is_quiet && rules.tension(&position, &cache) != Tension::Forced {
                visit(QuietPosition {
                    position: &position,
                    cache,
                    score: evaluation.centipawns.clamp(-9999, 9999),
                    result,
                });
            }
        }
        position = rules.play(&position, mv);
    }
}

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

    /// Adds a game: a sample for each of its [quiet positions](for_each_quiet).
    pub fn add<G: Game>(&mut self, rules: &G, game: &SelfPlayGame<G::Move>) {
        self.begin_game();
        for_each_quiet(rules, game, |quiet| {
            let mut features = Vec::with_capacity(self.width);
            rules.features(quiet.position, &quiet.cache, |[first, second]| features.push(first - second));
            self.push(features, quiet.result);
        });
    }

    /// The same samples with only one feature, the sum of the features weighted with these weights.
    pub fn weighted(&self, weights: &[i32]) -> Samples {
        let sum = |sample: Sample| sample.features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum();
        Samples { width: 1, features: self.iter().map(sum).collect(), ..self.clone() }
    }

    /// The places of the samples of each game. Games without samples are left out.
    pub fn games(&self) -> impl Iterator<Item = Range<usize>> {
        let ends = self.games.iter().copied().skip(1).chain([self.len()]);
        self.games.iter().zip(ends).map(|(&start, end)| start..end).filter(|places| !places.is_empty())
    }

    /// The samples at these places.
    pub fn range(&self, places: Range<usize>) -> impl Iterator<Item = Sample<'_>> {
        let features = self.features[places.start * self.width..places.end * self.width].chunks_exact(self.width);
        features.zip(&self.results[places]).map(|(features, &result)| Sample { features, result })
    }

    /// All samples.
    pub fn iter(&self) -> impl Iterator<Item = Sample<'_>> {
        self.range(0..self.len())
    }
}

/// The positions that a net is trained on or checked with.
#[derive(Debug, Clone, PartialEq)]
pub struct NetSamples {
    /// The inputs that are active, position after position.
    pub inputs: Vec<u16>,
    /// Where the inputs of each position end.
    pub ends: Vec<usize>,
    /// The output bucket of each position.
    buckets: Vec<u8>,
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
    /// Adds the quiet positions of a game.
    pub fn add<G: Game>(&mut self, rules: &G, game: &SelfPlayGame<G::Move>) {
        self.searched.begin_game();
        self.evaluated.begin_game();
        for_each_quiet(rules, game, |quiet| {
            let side = quiet.position.side_to_move();
            let result = if side == Side::First { quiet.result } else { 1.0 - quiet.result };
            rules.inputs(quiet.position, &quiet.cache, |input| self.inputs.push(input as u16));
            self.ends.push(self.inputs.len());
            self.buckets.push(rules.output_bucket(quiet.position) as u8);
            self.targets.push([quiet.score as f32, result as f32]);
            let evaluation = rules.evaluate(quiet.position, &quiet.cache);
            self.searched.push([10 * quiet.score * side.sign()], quiet.result);
            self.evaluated.push([10 * evaluation * side.sign()], quiet.result);
        });
    }

    /// The position at this place.
    pub fn get(&self, place: usize) -> NetInput<'_> {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        NetInput { inputs: &self.inputs[start..self.ends[place]], bucket: self.buckets[place].into() }
    }
}

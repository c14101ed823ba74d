//! What a regression learns from: positions, as how much more of each part the first side has, and the results of
//! their games.

use std::ops::Range;

use crate::core::{Complete, NOISY, Side, Tension};

use super::file::Record;

/// A position of a game that can be judged as it stands.
#[derive(Debug)]
pub struct Quiet<'a, G: Complete> {
    /// The position.
    pub position: &'a G::Position,
    /// What is known of it.
    pub insight: G::Insight,
    /// What the search gave it, in centipawns for the side to move.
    pub score: i32,
    /// How the game ended for the first side: 1, 0.5 or 0.
    pub result: f64,
}

/// Calls `learn` with the positions of a game after its last random move that can be judged as they stand, because
/// nothing is forced there and what was played is quiet.
pub fn each_quiet<G: Complete>(rules: &G, record: &Record<G::Move>, mut learn: impl FnMut(Quiet<G>)) {
    let result = match record.winner {
        Some(Side::First) => 1.0,
        Some(Side::Second) => 0.0,
        None => 0.5,
    };
    let random = record.moves.iter().rposition(|(_, score)| score.is_none()).map_or(0, |last| last + 1);
    let mut position = rules.start();
    for (ply, &(mv, score)) in record.moves.iter().enumerate() {
        if let Some(score) = score.filter(|_| ply >= random) {
            let insight = rules.study(&position);
            let is_quiet = rules.promises(&position, &insight)(mv) < NOISY;
            if is_quiet && rules.tension(&position, &insight) != Tension::Forced {
                learn(Quiet { position: &position, insight, score, result });
            }
        }
        position = rules.play(&position, mv);
    }
}

/// Samples, those of one game together.
#[derive(Debug, Clone, PartialEq)]
pub struct Samples {
    width: usize,
    /// `width` numbers for each sample.
    parts: Vec<i32>,
    /// The result for the first side: 1, 0.5 or 0.
    results: Vec<f64>,
    /// Where the samples of each game begin.
    games: Vec<usize>,
}

/// One sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample<'a> {
    /// How much more of each part the first side has.
    pub parts: &'a [i32],
    /// The result for the first side.
    pub result: f64,
}

impl Samples {
    /// No samples, of a model with this many parts.
    pub fn new(width: usize) -> Samples {
        Samples { width, parts: Vec::new(), results: Vec::new(), games: Vec::new() }
    }

    /// How many parts the model has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many samples there are.
    pub fn len(&self) -> usize {
        self.results.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }

    /// Begins a new game: the samples that follow are its own.
    pub fn begin_game(&mut self) {
        self.games.push(self.len());
    }

    /// Adds a sample.
    pub fn push(&mut self, parts: impl IntoIterator<Item = i32>, result: f64) {
        let before = self.parts.len();
        self.parts.extend(parts);
        self.parts.resize(before + self.width, 0);
        self.results.push(result);
    }

    /// Adds the samples of a game: its [quiet positions](each_quiet).
    pub fn add<G: Complete>(&mut self, rules: &G, record: &Record<G::Move>) {
        self.begin_game();
        each_quiet(rules, record, |quiet| {
            let mut parts = Vec::with_capacity(self.width);
            rules.parts(quiet.position, &quiet.insight, |[first, second]| parts.push(first - second));
            self.push(parts, quiet.result);
        });
    }

    /// The same samples for a model whose only part is the sum of these parts by these weights.
    pub fn weighted(&self, weights: &[i32]) -> Samples {
        let sum = |sample: Sample| sample.parts.iter().zip(weights).map(|(part, weight)| part * weight).sum();
        Samples { width: 1, parts: self.iter().map(sum).collect(), ..self.clone() }
    }

    /// The places of the samples of each game.
    pub fn games(&self) -> impl Iterator<Item = Range<usize>> {
        let ends = self.games.iter().copied().skip(1).chain([self.len()]);
        self.games.iter().zip(ends).map(|(&start, end)| start..end).filter(|places| !places.is_empty())
    }

    /// Some of the samples.
    pub fn range(&self, places: Range<usize>) -> impl Iterator<Item = Sample<'_>> {
        let parts = self.parts[places.start * self.width..places.end * self.width].chunks_exact(self.width);
        parts.zip(&self.results[places]).map(|(parts, &result)| Sample { parts, result })
    }

    /// All samples.
    pub fn iter(&self) -> impl Iterator<Item = Sample<'_>> {
        self.range(0..self.len())
    }
}

//! SPSA: finds the numbers on which pruning and reductions depend ([`SearchParameters`]) from games of the engine with
//! itself.
//!
//! Simultaneous perturbation stochastic approximation (J. C. Spall, 1992) is the usual tuner of chess programs. Each
//! iteration changes all values at once, each up or down at random by its step; the engine with these values plays a
//! pair of games against the engine with the opposite changes, and all values move a little in the direction that has
//! scored more. An iteration here does so with several pairs, each with changes of its own, so that they can be played
//! at once.
//!
//! The changes and the moves shrink as the iterations go on, by Spall's exponents. The tuning depends on the rules and
//! the settings alone. Its state is kept after each iteration, and the same settings go on from there.

use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::io::progress::Progress;
use crate::io::workers::on_threads;
use pentarch_core::rules::key::hash;
use pentarch_core::{GameHistory, Options, SearchParameters, Side};
use pentarch_games::{Game, Visitor};
use pentarch_search::{Limits, Searcher};

use super::checkpoint::Checkpoint;
use super::error::TuneError;
use super::game_settings::GameSettings;
use super::openings::{self, Balance};
use super::selfplay::SelfPlayError;
use super::{drawing_rules, found, nodes_alone, play_on, searcher};

/// The number of parameters.
const LENGTH: usize = SearchParameters::FIELDS.len();
/// The values of the parameters while they are tuned.
type Values = [f32; LENGTH];

/// The steps of the parameters.
fn steps() -> Values {
    std::array::from_fn(|at| SearchParameters::FIELDS[at].step as f32)
}

/// The number of pairs of games in an iteration.
const PAIRS: usize = 8;
/// By which part of its change a value moves for a point more in a pair, in the last iteration.
const RATE: f32 = 0.01;
/// Spall's exponents: how quickly the moves and the changes shrink.
const MOVE_EXPONENT: f32 = 0.602;
/// See [`MOVE_EXPONENT`].
const CHANGE_EXPONENT: f32 = 0.101;
/// What is added to the number of an iteration, as a part of all, so that the first ones move the values less.
const STABILITY: f32 = 0.1;
/// How far from even an opening may be, in centipawns, and how many times the nodes of a move the search has that says
/// so.
const OPENING_BALANCE: (i32, u64) = (50, 4);
/// The size of each transposition table, in MiB.
const HASH_MIB: usize = 8;

/// Tunes the numbers of the search.
#[derive(Debug, Clone, Copy)]
pub struct TuneSearch<'a> {
    /// How the games are played.
    pub play: &'a GameSettings,
    /// The number of iterations.
    pub iterations: u32,
    /// The options that choose the rules. Repetitions draw, whatever the options say.
    pub options: &'a Options,
    /// The path of the file that keeps the state.
    pub state: &'a Path,
}

/// The result of a tuning: the parameters before and after it. Its text is the whole report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tuned {
    /// The parameters of the game.
    pub present: SearchParameters,
    /// The parameters that were found.
    pub new: SearchParameters,
}

impl Visitor for TuneSearch<'_> {
    type Output = Result<Tuned, TuneError>;

    fn visit<G: Game>(self) -> Result<Tuned, TuneError> {
        let (options, rules) = drawing_rules::<G>(self.options);
        let players =
            Players { rules: &rules, tables: &rules.shared_tables(None), play: self.play };
        self.run(&players, &options)
    }
}

impl TuneSearch<'_> {
    fn run<G: Game>(&self, players: &Players<G>, options: &Options) -> Result<Tuned, TuneError> {
        let present = G::SEARCH_PARAMETERS.values();
        let checkpoint = Checkpoint::new(self.state.into(), self.key::<G>(options))?;
        let (mut done, mut values) = (0, present.map(|value| value as f32));
        match checkpoint.read(LENGTH, 0)? {
            Some((steps, state)) => {
                done = steps;
                values.copy_from_slice(&state);
            }
            // A place that cannot be written is found before games are played.
            None => checkpoint.write(0, values.into_iter())?,
        }
        let mut progress = Progress::begin("SPSA".into());
        for number in done..self.iterations {
            progress.show(&format!("{number} of {} iterations", self.iterations));
            values = self.iterate(players, number, values)?;
            checkpoint.write(number + 1, values.into_iter())?;
        }
        Ok(Tuned { present: G::SEARCH_PARAMETERS, new: rounded(&values) })
    }

    /// A hash of what the tuning depends on.
    fn key<G: Game>(&self, options: &Options) -> u64 {
        let GameSettings { nodes, random_plies, plies, seed, .. } = *self.play;
        let specs = G::OPTIONS.iter().map(|spec| options.value(spec).to_string());
        let rules = specs.fold(G::ID.to_string(), |text, value| text + " " + &value);
        let rules = rules.bytes().map(u64::from).fold(0, |key, byte| hash(&[key, byte]));
        let numbers = [nodes, random_plies.into(), plies.into(), seed, self.iterations.into()];
        let present = G::SEARCH_PARAMETERS.values().map(|value| value as u64);
        hash(&[&[rules], &numbers[..], &present].concat())
    }

    /// The values after the iteration with this number.
    fn iterate<G: Game>(
        &self,
        players: &Players<G>,
        number: u32,
        values: Values,
    ) -> Result<Values, SelfPlayError> {
        let (at, last) = ((number + 1) as f32, self.iterations as f32);
        let scale = (last / at).powf(CHANGE_EXPONENT);
        let rate = RATE * ((1.0 + STABILITY) * last / (at + STABILITY * last)).powf(MOVE_EXPONENT);
        let pairs: Vec<Pair> =
            (0..PAIRS).map(|pair| self.pair(number, pair, scale, &values)).collect();
        let (waiting, leads) = (Mutex::new(pairs.iter().enumerate()), Mutex::new([0; PAIRS]));
        let new_searcher = || searcher(players.tables, HASH_MIB);
        let begin = || Ok::<_, SelfPlayError>([new_searcher()?, new_searcher()?]);
        let play = |searchers: &mut _, (at, pair): (usize, &Pair)| {
            let lead = players.play_pair(pair, searchers);
            leads.lock().unwrap_or_else(PoisonError::into_inner)[at] = lead;
            Ok(())
        };
        let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
        on_threads(self.play.concurrency.into(), begin, next, play)?;
        let leads = leads.into_inner().unwrap_or_else(PoisonError::into_inner);
        let moved = pairs
            .iter()
            .zip(leads)
            .fold(values, |values, (pair, lead)| add(&values, &pair.changes, rate * lead as f32));
        Ok(within_range(moved))
    }

    /// A pair of games, in which the values are changed by `scale` steps.
    fn pair(&self, iteration: u32, pair: usize, scale: f32, values: &Values) -> Pair {
        let mut rng =
            fastrand::Rng::with_seed(hash(&[self.play.seed, iteration.into(), pair as u64]));
        let mut changes = steps().map(|step| scale * step);
        changes.iter_mut().filter(|_| rng.bool()).for_each(|change| *change = -*change);
        let players = [1.0, -1.0].map(|sign| rounded(&within_range(add(values, &changes, sign))));
        Pair { changes, players, rng }
    }
}

/// A pair of games.
struct Pair {
    /// By how much the values of the first player are greater than those between both.
    changes: Values,
    /// The parameters of both players.
    players: [SearchParameters; 2],
    /// The random generator for the opening.
    rng: fastrand::Rng,
}

/// The rules of the games, and how they are played.
struct Players<'a, G: Game> {
    rules: &'a Arc<G>,
    tables: &'a Arc<G::Tables>,
    play: &'a GameSettings,
}

impl<G: Game> Players<'_, G> {
    /// Plays a pair of games from a random opening, in which both players begin once. Returns how many points more the
    /// first player scores: a win counts 1 and a loss -1.
    fn play_pair(&self, pair: &Pair, searchers: &[Searcher<G>; 2]) -> i32 {
        let mut rng = pair.rng.clone();
        let (most, factor) = OPENING_BALANCE;
        let balance = Balance { most, nodes: self.play.nodes.saturating_mul(factor) };
        searchers[0].clear();
        let opening = openings::balanced(
            self.rules,
            &searchers[0],
            self.play.random_plies,
            balance,
            &mut rng,
        );
        let lead = |first: Side| match self.winner(opening.clone(), first, &pair.players, searchers)
        {
            Some(side) if side == first => 1,
            Some(_) => -1,
            None => 0,
        };
        Side::BOTH.into_iter().map(lead).sum()
    }

    /// The winner of a game in which the first player has this side; none if it is drawn. It ends when its result is
    /// proven.
    fn winner(
        &self,
        mut history: GameHistory<G>,
        first: Side,
        players: &[SearchParameters; 2],
        searchers: &[Searcher<G>; 2],
    ) -> Option<Side> {
        searchers.iter().for_each(Searcher::clear);
        play_on(&mut history, self.play.plies as usize, |history| {
            let player = usize::from(history.side_to_move() != first);
            let parameters = Some(Box::new(players[player]));
            let answer = searchers[player]
                .search(history, &Limits { parameters, ..nodes_alone(self.play.nodes) });
            answer.map_or(ControlFlow::Break(None), |answer| found(history, &answer))
        })
    }
}

/// `values` and so many times `others`.
fn add(values: &Values, others: &Values, factor: f32) -> Values {
    std::array::from_fn(|at| values[at] + factor * others[at])
}

/// The values, each brought into the range of its parameter.
fn within_range(values: Values) -> Values {
    std::array::from_fn(|at| {
        let (least, greatest) = SearchParameters::FIELDS[at].range;
        values[at].clamp(least as f32, greatest as f32)
    })
}

/// The parameters nearest to these values.
fn rounded(values: &Values) -> SearchParameters {
    SearchParameters::from_values(values.map(|value| value.round() as i32))
}

impl fmt::Display for Tuned {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        writeln!(out, "{:24}{:>9}{:>9}", "", "present", "new")?;
        let values = self.present.values().into_iter().zip(self.new.values());
        for (field, (present, new)) in SearchParameters::FIELDS.iter().zip(values) {
            writeln!(out, "{:24}{present:>9}{new:>9}", field.name)?;
        }
        writeln!(out, "\n    const SEARCH_PARAMETERS: SearchParameters = SearchParameters {{")?;
        for (field, new) in SearchParameters::FIELDS.iter().zip(self.new.values()) {
            writeln!(out, "        {}: {new},", field.name)?;
        }
        write!(out, "    }};")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_bushka::Bushka;
    use pentarch_core::{Evaluate, Probe};

    /// Plays `count` pairs between these parameters, and returns the sum of the leads.
    fn lead(players: [SearchParameters; 2], count: u64) -> i32 {
        let rules = Arc::new(Bushka::default());
        let tables = rules.shared_tables(None);
        let searchers = [(); 2].map(|()| Searcher::with_tables(tables.clone(), 1).unwrap());
        let play =
            GameSettings { nodes: 400, random_plies: 6, plies: 300, seed: 1, concurrency: 1 };
        let all = Players { rules: &rules, tables: &tables, play: &play };
        let pair = |seed| Pair { changes: steps(), players, rng: fastrand::Rng::with_seed(seed) };
        (0..count).map(|seed| all.play_pair(&pair(seed), &searchers)).sum()
    }

    #[test]
    fn the_better_player_leads_whichever_it_is() {
        let present = Bushka::SEARCH_PARAMETERS;
        // This player prunes and reduces nearly everything.
        let careless = SearchParameters {
            reverse_futility_margin: 10,
            futility_margin: 10,
            late_moves: 100,
            late_moves_slope: 20,
            null_move_reduction: 5000,
            null_move_slope: 800,
            reduction: 1900,
            reduction_slope: 600,
            ..present
        };
        let better = lead([present, careless], 8);
        assert!(better >= 4, "{better}");
        assert_eq!(lead([careless, present], 8), -better);
        assert_eq!(lead([present; 2], 2), 0, "between equals each pair is even");
    }

    #[test]
    fn values_stay_within_their_ranges() {
        let present = SearchParameters::DEFAULT.values().map(|value| value as f32);
        let least = within_range(add(&present, &steps(), -1000.0));
        let greatest = within_range(add(&present, &steps(), 1000.0));
        for (at, field) in SearchParameters::FIELDS.iter().enumerate() {
            assert_eq!((least[at] as i32, greatest[at] as i32), field.range, "{field:?}");
        }
        assert_eq!(rounded(&within_range(present)), SearchParameters::DEFAULT);
    }
}

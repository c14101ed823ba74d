//! SPSA: tunes the parameters of pruning and reductions ([`SearchParameters`]) by games of the
//! engine with itself.
//!
//! Simultaneous perturbation stochastic approximation (J. C. Spall, 1992) is the usual method for
//! tuning chess programs. Each iteration perturbs all values at once: each value goes up or down at
//! random by its step. The engine with these values plays a pair of games against the engine with
//! the opposite perturbation. Then all values move a little in the direction that has scored more.
//! Here an iteration plays several pairs, each with its own perturbation, so that the pairs can be
//! played at once.
//!
//! The perturbations and the moves shrink with the iterations, by Spall's exponents. The tuning
//! depends only on the rules and the settings. Its state is written after each iteration, and a run
//! with the same settings continues from this state.

use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::io::progress::ProgressLine;
use crate::io::workers::run_tasks_on_threads;
use pentarch_core::rules::key::hash_words;
use pentarch_core::{GameHistory, Options, SearchParameters, Side};
use pentarch_games::{Game, GameOperation};
use pentarch_search::{Limits, Searcher};

use super::checkpoint::CheckpointFile;
use super::error::TuneError;
use super::openings::{self, OpeningBalanceCriterion};
use super::selfplay::SelfPlayError;
use super::selfplay_settings::SelfPlaySettings;
use super::{
    best_move_or_proven_winner, create_searcher, options_and_rules_with_repetition_draw,
    play_until_proven,
};

/// The number of tuned parameters.
const PARAMETER_COUNT: usize = SearchParameters::PARAMETER_FIELDS.len();
/// The values of the parameters during the tuning.
type ParameterValues = [f32; PARAMETER_COUNT];

/// Returns the steps of the parameters.
fn perturbation_step_of_each_parameter() -> ParameterValues {
    std::array::from_fn(|index| SearchParameters::PARAMETER_FIELDS[index].step as f32)
}

const GAME_PAIRS_PER_ITERATION: usize = 8;
/// The learning rate of the last iteration. For each extra point in a pair, a value moves by this
/// fraction of its perturbation.
const FINAL_LEARNING_RATE: f32 = 0.01;
/// Spall's exponent of the learning rate.
const LEARNING_RATE_EXPONENT: f32 = 0.602;
/// Spall's exponent of the perturbations.
const PERTURBATION_EXPONENT: f32 = 0.101;
/// The fraction of all iterations to add to the iteration number in the formula of the learning
/// rate. So the first iterations move the values less.
const SPSA_STABILITY_FRACTION: f32 = 0.1;
const MAX_OPENING_SCORE_CENTIPAWNS: i32 = 50;
/// The nodes of the search that scores an opening, as a multiple of the nodes for a move.
const OPENING_SEARCH_NODES_FACTOR: u64 = 4;
/// The size of each transposition table, in MiB.
const HASH_TABLE_MIB: usize = 8;

/// A tuner of the parameters of the search.
#[derive(Debug, Clone, Copy)]
pub struct SearchTuner<'a> {
    /// The settings of the games.
    pub play: &'a SelfPlaySettings,
    /// The number of iterations of the tuning.
    pub iterations: u32,
    /// The options that choose the rules. Repetitions are draws, regardless of the options.
    pub options: &'a Options,
    /// The path of the file for the state of the tuning.
    pub state: &'a Path,
}

/// The parameters before and after a tuning. Displaying this value shows the whole report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParameterTuningReport {
    /// The parameters in the program.
    pub present: SearchParameters,
    /// The parameters after the tuning.
    pub new: SearchParameters,
}

impl GameOperation for SearchTuner<'_> {
    type Output = Result<ParameterTuningReport, TuneError>;

    fn run_for_game_type<G: Game>(self) -> Result<ParameterTuningReport, TuneError> {
        let (options, rules) = options_and_rules_with_repetition_draw::<G>(self.options);
        let tables = rules.create_or_share_tables(None);
        let games = GamePairSetup { rules: &rules, tables: &tables, play: self.play };
        self.tune(&games, &options)
    }
}

impl SearchTuner<'_> {
    fn tune<G: Game>(
        &self,
        games: &GamePairSetup<G>,
        options: &Options,
    ) -> Result<ParameterTuningReport, TuneError> {
        let present = G::SEARCH_PARAMETERS.parameter_values();
        let checkpoint = CheckpointFile::new(self.state.into(), self.config_hash::<G>(options))?;
        let mut done = 0;
        let mut values = present.map(|value| value as f32);
        match checkpoint.read(PARAMETER_COUNT, 0)? {
            Some((steps, state)) => {
                done = steps;
                values.copy_from_slice(&state);
            }
            // A file that cannot be written is reported before games are played.
            None => checkpoint.write(0, values.into_iter())?,
        }
        let mut progress = ProgressLine::begin("SPSA".into());
        for number in done..self.iterations {
            progress.show(&format!("{number} of {} iterations", self.iterations));
            values = self.run_iteration(games, number, values)?;
            checkpoint.write(number + 1, values.into_iter())?;
        }
        Ok(ParameterTuningReport {
            present: G::SEARCH_PARAMETERS,
            new: nearest_search_parameters(&values),
        })
    }

    /// Returns a hash of everything that the tuning depends on.
    fn config_hash<G: Game>(&self, options: &Options) -> u64 {
        let SelfPlaySettings { nodes, random_plies, plies, seed, .. } = *self.play;
        let values = G::RULE_OPTIONS.iter().map(|spec| options.value(spec).to_string());
        let rules = values.fold(G::GAME_ID.to_string(), |text, value| text + " " + &value);
        let rules = rules.bytes().map(u64::from).fold(0, |key, byte| hash_words(&[key, byte]));
        let numbers = [nodes, random_plies.into(), plies.into(), seed, self.iterations.into()];
        let present = G::SEARCH_PARAMETERS.parameter_values().map(|value| value as u64);
        hash_words(&[&[rules], &numbers[..], &present].concat())
    }

    /// Returns the values after the iteration with this number.
    fn run_iteration<G: Game>(
        &self,
        games: &GamePairSetup<G>,
        number: u32,
        values: ParameterValues,
    ) -> Result<ParameterValues, SelfPlayError> {
        let iteration = (number + 1) as f32;
        let last = self.iterations as f32;
        let scale = (last / iteration).powf(PERTURBATION_EXPONENT);
        let rate = FINAL_LEARNING_RATE
            * ((1.0 + SPSA_STABILITY_FRACTION) * last
                / (iteration + SPSA_STABILITY_FRACTION * last))
                .powf(LEARNING_RATE_EXPONENT);
        let pairs: Vec<SpsaGamePair> = (0..GAME_PAIRS_PER_ITERATION)
            .map(|pair| self.create_spsa_game_pair(number, pair, scale, &values))
            .collect();
        let pending = Mutex::new(pairs.iter().enumerate());
        let leads = Mutex::new([0; GAME_PAIRS_PER_ITERATION]);
        let play = |searchers: &mut _, (index, pair): (usize, &SpsaGamePair)| {
            let lead = games.play_game_pair(pair, searchers);
            leads.lock().unwrap_or_else(PoisonError::into_inner)[index] = lead;
            Ok(())
        };
        let next = || pending.lock().unwrap_or_else(PoisonError::into_inner).next();
        let new_searcher = || create_searcher(games.tables, HASH_TABLE_MIB);
        run_tasks_on_threads(
            self.play.concurrency.into(),
            || Ok::<_, SelfPlayError>([new_searcher()?, new_searcher()?]),
            next,
            play,
        )?;
        let leads = leads.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut moved = values;
        for (pair, lead) in pairs.iter().zip(leads) {
            moved = sum_with_scaled_values(&moved, &pair.perturbation, rate * lead as f32);
        }
        Ok(clamp_to_parameter_ranges(moved))
    }

    /// Creates a pair of games in which the values are perturbed by `scale` steps.
    fn create_spsa_game_pair(
        &self,
        iteration: u32,
        pair: usize,
        scale: f32,
        values: &ParameterValues,
    ) -> SpsaGamePair {
        let mut rng =
            fastrand::Rng::with_seed(hash_words(&[self.play.seed, iteration.into(), pair as u64]));
        let mut perturbation = perturbation_step_of_each_parameter().map(|step| scale * step);
        perturbation.iter_mut().filter(|_| rng.bool()).for_each(|change| *change = -*change);
        let players = [1.0, -1.0].map(|sign| {
            nearest_search_parameters(&clamp_to_parameter_ranges(sum_with_scaled_values(
                values,
                &perturbation,
                sign,
            )))
        });
        SpsaGamePair { perturbation, players, rng }
    }
}

/// A pair of games between engines with opposite perturbations.
struct SpsaGamePair {
    /// The perturbation of the first player's values; the second player's values have the opposite
    /// perturbation.
    perturbation: ParameterValues,
    /// The parameters of both players.
    players: [SearchParameters; 2],
    /// The random generator for the opening.
    rng: fastrand::Rng,
}

/// The rules, tables and settings of pairs of games.
struct GamePairSetup<'a, G: Game> {
    rules: &'a Arc<G>,
    tables: &'a Arc<G::Tables>,
    play: &'a SelfPlaySettings,
}

impl<G: Game> GamePairSetup<'_, G> {
    /// Plays a pair of games from a random opening; each player begins once. Returns the lead of
    /// the first player: a win counts 1 and a loss -1.
    fn play_game_pair(&self, pair: &SpsaGamePair, searchers: &[Searcher<G>; 2]) -> i32 {
        let mut rng = pair.rng.clone();
        let criterion = OpeningBalanceCriterion {
            max_score: MAX_OPENING_SCORE_CENTIPAWNS,
            nodes: self.play.nodes.saturating_mul(OPENING_SEARCH_NODES_FACTOR),
        };
        searchers[0].clear();
        let opening = openings::random_balanced_opening(
            self.rules,
            &searchers[0],
            self.play.random_plies,
            criterion,
            &mut rng,
        );
        let lead = |first: Side| match self.play_perturbed_game(
            opening.clone(),
            first,
            &pair.players,
            searchers,
        ) {
            Some(side) if side == first => 1,
            Some(_) => -1,
            None => 0,
        };
        Side::BOTH_SIDES.into_iter().map(lead).sum()
    }

    /// Plays a game in which the first player has the side `first`, until its result is proven.
    /// Returns the winner; `None` for a draw.
    fn play_perturbed_game(
        &self,
        mut history: GameHistory<G>,
        first: Side,
        players: &[SearchParameters; 2],
        searchers: &[Searcher<G>; 2],
    ) -> Option<Side> {
        searchers.iter().for_each(Searcher::clear);
        play_until_proven(&mut history, self.play.plies as usize, |history| {
            let player = usize::from(history.side_to_move() != first);
            let parameters = Some(Box::new(players[player]));
            let limits = Limits { parameters, ..Limits::nodes_without_tablebases(self.play.nodes) };
            let answer = searchers[player].search(history, &limits);
            answer.map_or(ControlFlow::Break(None), |answer| {
                best_move_or_proven_winner(history, &answer)
            })
        })
    }
}

/// Returns `values + factor * others`.
fn sum_with_scaled_values(
    values: &ParameterValues,
    others: &ParameterValues,
    factor: f32,
) -> ParameterValues {
    std::array::from_fn(|index| values[index] + factor * others[index])
}

fn clamp_to_parameter_ranges(values: ParameterValues) -> ParameterValues {
    std::array::from_fn(|index| {
        let (least, greatest) = SearchParameters::PARAMETER_FIELDS[index].range;
        values[index].clamp(least as f32, greatest as f32)
    })
}

/// Returns the parameters nearest to these values.
fn nearest_search_parameters(values: &ParameterValues) -> SearchParameters {
    SearchParameters::from_parameter_values(values.map(|value| value.round() as i32))
}

impl fmt::Display for ParameterTuningReport {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        writeln!(out, "{:24}{:>9}{:>9}", "", "present", "new")?;
        let values = self.present.parameter_values().into_iter().zip(self.new.parameter_values());
        for (field, (present, new)) in SearchParameters::PARAMETER_FIELDS.iter().zip(values) {
            writeln!(out, "{:24}{present:>9}{new:>9}", field.name)?;
        }
        writeln!(out, "\n    const SEARCH_PARAMETERS: SearchParameters = SearchParameters {{")?;
        for (field, new) in
            SearchParameters::PARAMETER_FIELDS.iter().zip(self.new.parameter_values())
        {
            writeln!(out, "        {}: {new},", field.name)?;
        }
        write!(out, "    }};")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_bushka::Bushka;
    use pentarch_core::{Evaluate, ProbeTables};

    /// Plays `count` pairs between these parameters, and returns the sum of the leads.
    fn lead(players: [SearchParameters; 2], count: u64) -> i32 {
        let rules = Arc::new(Bushka::default());
        let tables = rules.create_or_share_tables(None);
        let searchers = [(); 2].map(|()| Searcher::with_tables(tables.clone(), 1).unwrap());
        let play =
            SelfPlaySettings { nodes: 400, random_plies: 6, plies: 300, seed: 1, concurrency: 1 };
        let games = GamePairSetup { rules: &rules, tables: &tables, play: &play };
        let pair = |seed| SpsaGamePair {
            perturbation: perturbation_step_of_each_parameter(),
            players,
            rng: fastrand::Rng::with_seed(seed),
        };
        (0..count).map(|seed| games.play_game_pair(&pair(seed), &searchers)).sum()
    }

    #[test]
    fn the_better_player_leads_on_either_side() {
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
        let present =
            SearchParameters::DEFAULT_PARAMETERS.parameter_values().map(|value| value as f32);
        let least = clamp_to_parameter_ranges(sum_with_scaled_values(
            &present,
            &perturbation_step_of_each_parameter(),
            -1000.0,
        ));
        let greatest = clamp_to_parameter_ranges(sum_with_scaled_values(
            &present,
            &perturbation_step_of_each_parameter(),
            1000.0,
        ));
        for (index, field) in SearchParameters::PARAMETER_FIELDS.iter().enumerate() {
            assert_eq!((least[index] as i32, greatest[index] as i32), field.range, "{field:?}");
        }
        assert_eq!(
            nearest_search_parameters(&clamp_to_parameter_ranges(present)),
            SearchParameters::DEFAULT_PARAMETERS
        );
    }
}

//! The tuner. From self-play games, the tuner finds the weights of a game's evaluation and the
//! parameters of the search.
//!
//! | module | contents |
//! |---|---|
//! | [`error`] | the errors that end a tuning run |
//! | [`checkpoint`] | the file of an unfinished tuning |
//! | [`openings`] | random balanced openings, and lists of them for matches |
//! | [`exact_position_games`] | games through positions whose winner is known from tables |
//! | [`selfplay_settings`] | the settings of the games |
//! | [`selfplay`] | games of the engine with itself, played on several threads |
//! | [`selfplay_file`] | the file of these games |
//! | [`samples`] | the training samples: positions of the games, and the results of the games |
//! | [`training`] | the training of a [net](pentarch_core::evaluation::net), for games that have one |
//! | [`epoch_losses`] | the losses of a training by epoch |
//! | [`spsa`] | SPSA, for the parameters of the search |
//! | [`report`] | the results as tables for people and as lines of source |
//!
//! The method is Texel's tuning (P. Österlund, 2014), the standard in chess programming. The model
//! of the first side's expected result is `1 / (1 + exp(-scale * evaluation))`. The tuner finds the
//! weights and the scale that make the results of the games most likely. The evaluation is linear
//! in its features. Therefore this is a logistic regression, and Newton's method solves it exactly.
//! The parameters of a net are found by gradient descent instead.

pub mod checkpoint;
pub mod epoch_losses;
pub mod error;
pub mod exact_position_games;
pub mod openings;
pub mod report;
pub mod samples;
pub mod selfplay;
pub mod selfplay_file;
pub mod selfplay_settings;
pub mod spsa;
pub mod training;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use pentarch_training::samples::{FeatureSamples, NetSamples};
use thiserror::Error;

use crate::io::progress::ProgressLine;
use crate::io::record_file::format_record_entry;
use crate::shard::ShardOptions;
use pentarch_core::evaluation::data_format::NET_FILE_FORMAT;
use pentarch_core::evaluation::net::NetShape;
use pentarch_core::rules::options::{REPETITION_DRAW_OPTION, TABLE_PATH_OPTION};
use pentarch_core::{GameHistory, Options, Side};
use pentarch_games::{Game, GameOperation};
use pentarch_search::{SearchResult, Searcher, score};
use pentarch_system::WithErrorLocation;

use error::{ExistingNetFileError, TuneError};
use report::TuneReport;
use selfplay::SelfPlayError;
use selfplay_file::{GameResultCounts, SelfPlayFile, SelfPlayGame, SelfPlayGames};
use selfplay_settings::SelfPlaySettings;
use training::NetTraining;

/// The settings of a tuning run that learns from games. The file of games is created if it does not
/// exist.
#[derive(Debug, Clone)]
pub struct TuneConfig {
    /// The file of games; the games in an existing file are not played again.
    pub data: Option<PathBuf>,
    /// More files of games to learn from, under any rules of the game.
    pub others: Vec<PathBuf>,
    /// The number of games that the file should have.
    pub games: u32,
    /// The settings of the games.
    pub play: SelfPlaySettings,
    /// The strength of the present weights in the fit, as a number of samples. With a higher prior,
    /// the new weights stay closer to the present weights.
    pub prior: u32,
    /// The name of a feature whose weight stays unchanged, and so sets the scale of the other
    /// weights. If this is `None`, the overall scale of the weights stays unchanged.
    pub unit: Option<String>,
    /// Whether to play [games with exact values](exact_position_games) instead of self-play.
    pub exact: bool,
}

/// A tuner of the weights of the evaluation. The tuner plays the games that the file lacks, and
/// fits the weights to all games.
#[derive(Debug, Clone, Copy)]
pub struct WeightTuner<'a> {
    /// The settings of the run.
    pub config: &'a TuneConfig,
    /// The options that choose the rules. Repetitions are draws, regardless of the options.
    pub options: &'a Options,
}

impl GameOperation for WeightTuner<'_> {
    type Output = Result<TuneReport, TuneError>;

    fn run_for_game_type<G: Game>(self) -> Result<TuneReport, TuneError> {
        let WeightTuner { config, options } = self;
        let unit = config.unit.as_deref().map(report::find_weight_unit_feature::<G>).transpose()?;
        let mut sets = [(); 2].map(|()| FeatureSamples::new(G::FEATURE_WEIGHTS.len()));
        let counts = play_and_visit_selfplay_games::<G>(config, options, |rules, set, game| {
            samples::add_game_samples(&mut sets[set], rules, game)
        })?;
        let [training, held_out] = &sets;
        Ok(TuneReport::new::<G>(counts, [training, held_out], unit, f64::from(config.prior))?)
    }
}

/// A trainer of the game's net. The trainer plays the games that the file lacks, and trains the net
/// on all games.
#[derive(Debug, Clone, Copy)]
pub struct NetTrainer<'a> {
    /// The settings of the run.
    pub config: &'a TuneConfig,
    /// The options that choose the rules. Repetitions are draws, regardless of the options.
    pub options: &'a Options,
    /// The number of epochs. In each epoch, the net learns every position once.
    pub epochs: u32,
    /// The path of the file for the net.
    pub net: &'a Path,
    /// The bytes of the existing file at this path; `None` if there is no file.
    pub existing: Option<&'a [u8]>,
}

impl GameOperation for NetTrainer<'_> {
    /// The report, and the bytes of the net's file.
    type Output = Result<(TuneReport, Vec<u8>), TuneError>;

    fn run_for_game_type<G: Game>(self) -> Self::Output {
        let NetTrainer { config, options, epochs, net, existing } = self;
        let shape = G::NET_SHAPE.ok_or(TuneError::NoNet { game: G::GAME_NAME })?;
        let existing = existing.map(|file| net_file_contents::<G>(shape, file));
        let existing = existing.transpose().with_file_path(net)?;
        let mut sets = [(); 2].map(|()| NetSamples::default());
        let counts = play_and_visit_selfplay_games::<G>(config, options, |rules, set, game| {
            samples::add_net_samples(&mut sets[set], rules, game)
        })?;
        let training = NetTraining {
            shape,
            prior: f64::from(config.prior),
            epochs,
            seed: config.play.seed,
            net,
            existing,
        };
        training.train_and_report::<G>(counts, &sets)
    }
}

/// Returns the contents of a net's file.
///
/// # Errors
/// If the file is not a net of the game.
fn net_file_contents<G: Game>(shape: NetShape, file: &[u8]) -> Result<&[u8], ExistingNetFileError> {
    let contents = NET_FILE_FORMAT.verified_contents(file)?;
    match contents.len() == shape.parameter_byte_count() {
        true => Ok(contents),
        false => Err(ExistingNetFileError::NotANet { game: G::GAME_NAME }),
    }
}

/// A shard of the games to play and write.
#[derive(Debug, Clone)]
pub struct SelfPlayShard<'a> {
    /// The settings of the run.
    pub config: &'a TuneConfig,
    /// The options that choose the rules. Repetitions are draws, regardless of the options.
    pub options: &'a Options,
    /// The range and the file of the shard.
    pub shard: ShardOptions,
}

impl GameOperation for SelfPlayShard<'_> {
    type Output = Result<(), TuneError>;

    fn run_for_game_type<G: Game>(self) -> Result<(), TuneError> {
        let SelfPlayShard { config, options, shard } = self;
        let SelfPlaySettings { nodes, random_plies, plies, seed, .. } = config.play;
        let (options, rules) = options_and_rules_with_repetition_draw::<G>(options);
        let tags = selfplay_file::selfplay_file_tags::<G>(&options, seed);
        let rule_values: Vec<&str> = tags.iter().map(|(_, value)| value.as_str()).collect();
        let settings = vec![
            ("game and seed", rule_values.join(" ")),
            ("nodes", nodes.to_string()),
            ("random plies", random_plies.to_string()),
            ("plies", plies.to_string()),
            ("exact", config.exact.to_string()),
        ];
        shard.check_file_and_watch_input()?;
        let Some(shard) = shard.create_writer("tune", config.games.into(), settings)? else {
            return Ok(());
        };
        // The range of the shard does not extend beyond the last game. So all its numbers fit into
        // `u32`.
        let numbers: Vec<u32> =
            shard.number_range().filter_map(|number| u32::try_from(number).ok()).collect();
        let count = numbers.len();
        let path = options.string_value(&TABLE_PATH_OPTION);
        let directory: Option<&Path> = config.exact.then_some(path.as_ref());
        let finished = Mutex::new((BTreeMap::new(), ProgressLine::begin("tune".into())));
        let on_end = |game: SelfPlayGame<G::Move>| {
            let (records, progress) = &mut *finished.lock().unwrap_or_else(PoisonError::into_inner);
            let record = selfplay_file::selfplay_game_record(&rules, &tags, &game);
            records.insert(game.number.into(), format_record_entry(&record, (1, Side::First)));
            progress.show(&format!("{} of {count} games", records.len()));
            Ok(())
        };
        selfplay::play_selfplay_games(&rules, numbers, &config.play, directory, &on_end)?;
        let (records, mut progress) = finished.into_inner().unwrap_or_else(PoisonError::into_inner);
        progress.clear();
        Ok(shard.write(&records)?)
    }
}

/// Plays the games that the file lacks, and calls `add(rules, set, game)` for each game of all
/// files. The set is 0 for the training set and 1 for the held-out set. Returns the counts of the
/// games by result.
fn play_and_visit_selfplay_games<G: Game>(
    config: &TuneConfig,
    options: &Options,
    mut add: impl FnMut(&G, usize, &SelfPlayGame<G::Move>),
) -> Result<GameResultCounts, SelfPlayError> {
    // The other files are read first, so that their errors are reported before games are played for
    // hours.
    let others: Vec<SelfPlayGames<G>> =
        config.others.iter().map(|path| SelfPlayGames::read(path)).collect::<Result<_, _>>()?;
    let file = fill_selfplay_file::<G>(
        &config.data.clone().unwrap_or_default(),
        config.games,
        &config.play,
        config.exact,
        options,
    )?;
    let mut counts = GameResultCounts::default();
    let mut add_all = |games: &SelfPlayGames<G>| {
        for game in games.games.values() {
            counts.count_game(game.winner);
            add(
                &games.rules,
                usize::from(game.number % HELD_OUT_GAME_INTERVAL == HELD_OUT_GAME_INTERVAL - 1),
                game,
            );
        }
    };
    add_all(&file.games);
    others.iter().for_each(add_all);
    Ok(counts)
}

/// Plays the games that are missing from a file of `games` games. With `exact`, plays [games with
/// exact values](exact_position_games) from the tables named by the options.
///
/// # Errors
/// If the file has other games or cannot be written, or tables are not usable.
pub fn fill_selfplay_file<G: Game>(
    path: &Path,
    games: u32,
    play: &SelfPlaySettings,
    exact: bool,
    options: &Options,
) -> Result<SelfPlayFile<G>, SelfPlayError> {
    let (options, rules) = options_and_rules_with_repetition_draw::<G>(options);
    let mut file = SelfPlayFile::<G>::open(path, rules, &options, play.seed)?;
    let tables = options.string_value(&TABLE_PATH_OPTION);
    let directory: Option<&Path> = exact.then_some(tables.as_ref());
    selfplay::play_missing_games(
        &mut file,
        games,
        play,
        directory,
        ProgressLine::begin(path.display().to_string()),
    )?;
    Ok(file)
}

/// The interval between held-out games. One game in each interval is in the held-out set, which
/// checks the weights.
const HELD_OUT_GAME_INTERVAL: u32 = 10;

/// Returns these options with draws by repetition, and the rules that the options choose.
fn options_and_rules_with_repetition_draw<G: Game>(options: &Options) -> (Options, Arc<G>) {
    let mut options = options.clone();
    options.turn_on(&REPETITION_DRAW_OPTION);
    let rules = Arc::new(G::from_options(&options));
    (options, rules)
}

/// The error for a transposition table that does not fit into memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("there are no {mib} MiB of memory for a search")]
pub struct SearchMemoryError {
    /// The size of the table, in MiB.
    pub mib: usize,
}

/// Creates a searcher with these tables of the game, and with a transposition table of `mib` MiB.
fn create_searcher<G: Game>(
    tables: &Arc<G::Tables>,
    mib: usize,
) -> Result<Searcher<G>, SearchMemoryError> {
    Searcher::with_tables(tables.clone(), mib).ok_or(SearchMemoryError { mib })
}

/// Continues a game until its result is proven, until the game is over, or until it has `plies`
/// plies. `choose` returns the next move, or the winner if the winner is proven. Returns the
/// winner; `None` for a draw.
fn play_until_proven<G: Game>(
    history: &mut GameHistory<G>,
    plies: usize,
    mut choose: impl FnMut(&GameHistory<G>) -> ControlFlow<Option<Side>, G::Move>,
) -> Option<Side> {
    while history.len() < plies {
        if let Some(outcome) = history.outcome() {
            return outcome.winner();
        }
        match choose(history) {
            ControlFlow::Continue(mv) => history.push(mv),
            ControlFlow::Break(winner) => return winner,
        }
    }
    None
}

/// Returns the best move of a search, or the winner if the search has proven one.
fn best_move_or_proven_winner<G: Game>(
    history: &GameHistory<G>,
    answer: &SearchResult<G::Move>,
) -> ControlFlow<Option<Side>, G::Move> {
    let side = history.side_to_move();
    match answer.score {
        Some(score) if score::is_proven_score(score) => {
            ControlFlow::Break(Some(if score > 0 { side } else { !side }))
        }
        _ => ControlFlow::Continue(answer.best),
    }
}

//! The tuner: finds the weights of a game's evaluation, and the numbers of its search, from games that the engine plays
//! with itself.
//!
//! | module | what it holds |
//! |---|---|
//! | [`error`] | the errors that end a tuning run |
//! | [`checkpoint`] | the file of an unfinished tuning |
//! | [`openings`] | random openings in which both sides have their chances, and lists of them for matches |
//! | [`exact`] | games through positions whose winner is known from tables |
//! | [`game_settings`] | how the games are played |
//! | [`selfplay`] | games of the engine with itself, played on several threads |
//! | [`selfplay_file`] | the file that keeps the games |
//! | [`samples`] | what is learnt from: positions of the games, and the results of these |
//! | [`training`] | the training of a [net](pentarch_core::evaluation::net), for games that have one |
//! | [`epoch_losses`] | the losses of a training by epoch |
//! | [`spsa`] | SPSA, for the numbers of the search |
//! | [`report`] | the results as tables for people and as lines of source |
//!
//! The method is Texel's tuning (P. Österlund, 2014), the standard in chess programming: the expected result of the
//! first side is modelled as `1 / (1 + exp(-scale * evaluation))`, and the weights and the scale are those that make
//! the results of the games most likely. As the evaluation is linear in its features, this is a logistic regression,
//! which Newton's method solves exactly. The parameters of a net are found by gradient descent instead.

pub mod checkpoint;
pub mod epoch_losses;
pub mod error;
pub mod exact;
pub mod game_settings;
pub mod openings;
pub mod report;
pub mod samples;
pub mod selfplay;
pub mod selfplay_file;
pub mod spsa;
pub mod training;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use pentarch_training::samples::{NetSamples, Samples};
use thiserror::Error;

use crate::io::progress::Progress;
use crate::io::record_file::entry;
use crate::shards::ShardPlan;
use pentarch_core::rules::options::{REPETITION_DRAW, TABLE_PATH};
use pentarch_core::{GameHistory, Options, Side};
use pentarch_games::{Game, Visitor};
use pentarch_search::{Limits, SearchResult, Searcher, score};
use pentarch_system::ErrorContext;

use error::{NetFileError, TuneError};
use game_settings::GameSettings;
use report::Report;
use selfplay::SelfPlayError;
use selfplay_file::{SelfPlayFile, SelfPlayGame, SelfPlayGames, Tally};
use training::Training;

/// The settings of a tuning run that learns from games. Its file of games is created if it does not exist. With `exact`
/// it makes [games of exact values](exact) instead of self-play.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The file of games; if it is there, what it holds is not played again
    pub data: Option<PathBuf>,
    /// Learn from the games of this file too, by whatever rules of the game; may be given more than once
    pub others: Vec<PathBuf>,
    /// How many games FILE is to hold
    pub games: u32,
    /// How the games are played.
    pub play: GameSettings,
    /// How many samples the present weights count for: the more, the less the new ones leave them
    pub prior: u32,
    /// Leave the weight of this part as it is and fit the others to it, instead of the scale of all
    pub unit: Option<String>,
    /// Fill FILE with games whose positions have exact values, by the tables of --set TablePath; Alcaxar only
    pub exact: bool,
}

/// Plays the games that the file lacks, and fits the weights of the evaluation to all games.
#[derive(Debug, Clone, Copy)]
pub struct Tune<'a> {
    /// The settings of the run.
    pub plan: &'a Plan,
    /// The options that choose the rules. Repetitions draw, whatever the options say.
    pub options: &'a Options,
}

impl Visitor for Tune<'_> {
    type Output = Result<Report, TuneError>;

    fn visit<G: Game>(self) -> Result<Report, TuneError> {
        let Tune { plan, options } = self;
        let unit = plan.unit.as_deref().map(report::unit::<G>).transpose()?;
        let mut sets = [(); 2].map(|()| Samples::new(G::FEATURE_WEIGHTS.len()));
        let tally = for_each_game::<G>(plan, options, |rules, set, game| {
            samples::add_game(&mut sets[set], rules, game)
        })?;
        let [training, held_out] = &sets;
        Ok(Report::new::<G>(tally, [training, held_out], unit, f64::from(plan.prior))?)
    }
}

/// Plays the games that the file lacks, and trains the game's net on all games.
#[derive(Debug, Clone, Copy)]
pub struct Train<'a> {
    /// The settings of the run.
    pub plan: &'a Plan,
    /// The options that choose the rules. Repetitions draw, whatever the options say.
    pub options: &'a Options,
    /// How many times the training goes through all positions.
    pub epochs: u32,
    /// The path to which the net is going to be written.
    pub net: &'a Path,
    /// The bytes of the file that is there already.
    pub there: Option<&'a [u8]>,
}

impl Visitor for Train<'_> {
    /// The report, and the bytes of the net's file.
    type Output = Result<(Report, Vec<u8>), TuneError>;

    fn visit<G: Game>(self) -> Self::Output {
        let Train { plan, options, epochs, net, there } = self;
        let shape = G::NET.ok_or(TuneError::NoNet { game: G::NAME })?;
        if there.is_some_and(|bytes| bytes.len() != 2 * shape.parameters()) {
            return Ok(Err(NetFileError::NotANet { game: G::NAME }).in_file(net)?);
        }
        let mut sets = [(); 2].map(|()| NetSamples::default());
        let tally = for_each_game::<G>(plan, options, |rules, set, game| {
            samples::add_net_game(&mut sets[set], rules, game)
        })?;
        let training = Training {
            shape,
            prior: f64::from(plan.prior),
            epochs,
            seed: plan.play.seed,
            net,
            there,
        };
        training.run::<G>(tally, &sets)
    }
}

/// Plays a shard of the games, and writes it.
#[derive(Debug, Clone)]
pub struct PlayShard<'a> {
    /// The settings of the run.
    pub plan: &'a Plan,
    /// The options that choose the rules. Repetitions draw, whatever the options say.
    pub options: &'a Options,
    /// The shard.
    pub shard: ShardPlan,
}

impl Visitor for PlayShard<'_> {
    type Output = Result<(), TuneError>;

    fn visit<G: Game>(self) -> Result<(), TuneError> {
        let PlayShard { plan, options, shard } = self;
        let GameSettings { nodes, random_plies, plies, seed, .. } = plan.play;
        let (options, rules) = drawing_rules::<G>(options);
        let tags = selfplay_file::tags::<G>(&options, seed);
        let rule_values: Vec<&str> = tags.iter().map(|(_, value)| value.as_str()).collect();
        let settings = vec![
            ("game and seed", rule_values.join(" ")),
            ("nodes", nodes.to_string()),
            ("random plies", random_plies.to_string()),
            ("plies", plies.to_string()),
            ("exact", plan.exact.to_string()),
        ];
        shard.watch()?;
        let Some(shard) = shard.begin("tune", plan.games.into(), settings)? else {
            return Ok(());
        };
        // The range ends with the number of games.
        let numbers: Vec<u32> =
            shard.range().filter_map(|number| u32::try_from(number).ok()).collect();
        let (path, all) = (options.text(&TABLE_PATH), numbers.len());
        let directory: Option<&Path> = plan.exact.then_some(path.as_ref());
        let kept = Mutex::new((BTreeMap::new(), Progress::begin("tune".into())));
        let keep = |game: SelfPlayGame<G::Move>| {
            let (texts, progress) = &mut *kept.lock().unwrap_or_else(PoisonError::into_inner);
            let record = selfplay_file::record(&rules, &tags, &game);
            texts.insert(game.number.into(), entry(&record, (1, Side::First)));
            progress.show(&format!("{} of {all} games", texts.len()));
            Ok(())
        };
        selfplay::play_each(&rules, numbers, &plan.play, directory, &keep)?;
        let (texts, mut progress) = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
        progress.clear();
        Ok(shard.write(&texts)?)
    }
}

/// Plays the games that the file lacks, and calls `add` with the rules, the set and the game for each game of all
/// files. The set is 0 for the training set and 1 for the held-out set. Returns how the games ended.
fn for_each_game<G: Game>(
    plan: &Plan,
    options: &Options,
    mut add: impl FnMut(&G, usize, &SelfPlayGame<G::Move>),
) -> Result<Tally, SelfPlayError> {
    // What may be wrong with the files is said before games are played for hours.
    let others: Vec<SelfPlayGames<G>> =
        plan.others.iter().map(|path| SelfPlayGames::read(path)).collect::<Result<_, _>>()?;
    let file = fill_file::<G>(
        &plan.data.clone().unwrap_or_default(),
        plan.games,
        &plan.play,
        plan.exact,
        options,
    )?;
    let mut tally = Tally::default();
    let mut add_all = |games: &SelfPlayGames<G>| {
        for game in games.games.values() {
            tally.count(game.winner);
            add(
                &games.rules,
                usize::from(game.number % HELD_OUT_INTERVAL == HELD_OUT_INTERVAL - 1),
                game,
            );
        }
    };
    add_all(&file.games);
    others.iter().for_each(add_all);
    Ok(tally)
}

/// Plays the games that a file of so many games lacks, those [of exact values](exact) by the tables that the options
/// name if they are `exact`.
///
/// # Errors
/// If the file is of other games or cannot be written, or tables cannot be used.
pub fn fill_file<G: Game>(
    path: &Path,
    games: u32,
    play: &GameSettings,
    exact: bool,
    options: &Options,
) -> Result<SelfPlayFile<G>, SelfPlayError> {
    let (options, rules) = drawing_rules::<G>(options);
    let mut file = SelfPlayFile::<G>::open(path, rules, &options, play.seed)?;
    let tables = options.text(&TABLE_PATH);
    let directory: Option<&Path> = exact.then_some(tables.as_ref());
    selfplay::fill(&mut file, games, play, directory, Progress::begin(path.display().to_string()))?;
    Ok(file)
}

/// One game in this many belongs to the held-out set, which serves to check the weights.
const HELD_OUT_INTERVAL: u32 = 10;

/// These options, by which repetitions draw whatever they say, and the rules that they choose.
fn drawing_rules<G: Game>(options: &Options) -> (Options, Arc<G>) {
    let mut options = options.clone();
    options.turn_on(&REPETITION_DRAW);
    let rules = Arc::new(G::from_options(&options));
    (options, rules)
}

/// There is no memory for the transposition table of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("there are no {mib} MiB of memory for a search")]
pub struct NoSearchMemory {
    /// The size of the table, in MiB.
    pub mib: usize,
}

/// A searcher with these tables of the game, and with a transposition table of so many MiB.
fn searcher<G: Game>(tables: &Arc<G::Tables>, mib: usize) -> Result<Searcher<G>, NoSearchMemory> {
    Searcher::with_tables(tables.clone(), mib).ok_or(NoSearchMemory { mib })
}

/// Plays a game on until its result is proven, or until it has so many plies or is over. `choose` gives each move, or
/// the winner where that is proven. Returns the winner; none for a draw.
fn play_on<G: Game>(
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

/// The move that a search has found, or the winner if it has proven one.
fn found<G: Game>(
    history: &GameHistory<G>,
    answer: &SearchResult<G::Move>,
) -> ControlFlow<Option<Side>, G::Move> {
    let side = history.side_to_move();
    match answer.score {
        Some(score) if score::is_proven(score) => {
            ControlFlow::Break(Some(if score > 0 { side } else { !side }))
        }
        _ => ControlFlow::Continue(answer.best),
    }
}

/// The limits of a search of so many nodes that leaves tables and books alone, so that it depends on the game alone.
fn nodes_alone<M>(nodes: u64) -> Limits<M> {
    Limits { nodes: Some(nodes), use_tablebases: false, ..Limits::default() }
}

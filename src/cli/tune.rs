//! The subcommand `tune`: parses its flags, and runs the tuning that they specify.

use std::fs;
use std::path::PathBuf;

use clap::{ArgGroup, Args};

use crate::cli::CliError;
use crate::cli::arguments::{MAX_NODES_ARGUMENT, number_parser};
use crate::cli::shard_arguments::ShardArguments;
use crate::games::RunOperation;
use crate::io::whole_files::{check_output_path, check_regular_file};
use crate::tune::checkpoint::remove_checkpoint_of_net;
use crate::tune::error::{ExistingNetFileError, TuneError};
use crate::tune::selfplay_settings::SelfPlaySettings;
use crate::tune::spsa::SearchTuner;
use crate::tune::{NetTrainer, SelfPlayShard, TuneConfig, WeightTuner};
use pentarch_core::Options;
use pentarch_core::rules::options::TABLE_PATH_OPTION;
use pentarch_engine::engine_state::two_player_rules;
use pentarch_engine::games::GAME_OPTION;
use pentarch_system::WithErrorLocation;
use pentarch_system::new_file::replace_file;

/// Tunes the weights of a game's evaluation, or the parameters of its search, by games of the
/// engine with itself.
///
/// The command plays the games that FILE lacks, under the rules of --game and --set. Then it prints
/// the weights that make the results of all games in FILE most likely, as a table with standard
/// errors and as lines of source. With --spsa it plays games between different margins and
/// reductions of the search instead, and prints the final values.
#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES_HELP, group(ArgGroup::new("work").required(true).args(["data", "spsa", "shard"])))]
pub(super) struct TuneArguments {
    #[command(flatten)]
    games: TuneGamesArguments,
    /// Train the net of the game's evaluation instead of its weights, and write the net to this
    /// file; an existing net is replaced only if the new one predicts the held-out games better
    #[arg(long, value_name = "NET", conflicts_with_all = ["unit", "shard"])]
    net: Option<PathBuf>,
    /// Replace an existing net even if it is better
    #[arg(long, requires = "net")]
    force: bool,
    /// Number of passes of the training over all positions
    #[arg(long, value_name = "N", default_value_t = 25, value_parser = number_parser::<u32>(1, 10_000), requires = "net")]
    epochs: u32,
    /// Tune the margins and reductions of the search by SPSA instead of the weights, and store the
    /// state of the tuning in this file
    #[arg(
        long,
        value_name = "STATE",
        conflicts_with_all = ["others", "games", "prior", "unit", "net", "epochs", "force"],
    )]
    spsa: Option<PathBuf>,
    /// Number of iterations of SPSA, of 16 games each
    #[arg(long, value_name = "N", default_value_t = 200, conflicts_with_all = ["data", "shard"])]
    #[arg(value_parser = number_parser::<u32>(1, 1_000_000))]
    iterations: u32,
    #[command(flatten)]
    shard: ShardArguments,
}

/// The arguments about the games that a tuning run learns from.
#[derive(Debug, Clone, Args)]
struct TuneGamesArguments {
    /// The file of games; the games in an existing file are not played again
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// Also learn from the games of this file, under any rules of the game; may be given more than
    /// once
    #[arg(long = "with", value_name = "FILE", conflicts_with = "shard")]
    others: Vec<PathBuf>,
    /// Number of games that FILE should have
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = number_parser::<u32>(0, 1_000_000))]
    games: u32,
    /// The settings of the games.
    #[command(flatten)]
    play: SelfPlayArguments,
    /// Strength of the present weights, as a number of samples; with a higher number the new
    /// weights stay closer to the present weights
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number_parser::<u32>(1, u32::MAX.into()))]
    #[arg(conflicts_with = "shard")]
    prior: u32,
    /// Keep the weight of this feature and fit the others to it, instead of keeping the scale of
    /// all weights
    #[arg(long, value_name = "PART", conflicts_with = "shard")]
    unit: Option<String>,
    /// Fill FILE with games whose positions have exact values, by the tables of --set TablePath;
    /// Alcaxar only
    #[arg(long, conflicts_with = "spsa")]
    exact: bool,
}

/// The settings of the games.
#[derive(Debug, Clone, Args)]
struct SelfPlayArguments {
    /// Positions searched for each move
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = number_parser::<u64>(1, MAX_NODES_ARGUMENT))]
    nodes: u64,
    /// Begin with up to this number of random moves, better moves more often; with --spsa with
    /// exactly this number
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = number_parser::<u32>(1, 1000))]
    random_plies: u32,
    /// End a game as a draw after this many plies
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = number_parser::<u32>(1, 10_000))]
    plies: u32,
    /// Seed of the random moves
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number_parser::<u64>(0, u64::MAX))]
    seed: u64,
    /// Number of games to play at once; it does not change the games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number_parser::<u16>(1, 1024))]
    concurrency: u16,
}

impl TuneGamesArguments {
    fn tune_config(&self) -> TuneConfig {
        let TuneGamesArguments { data, others, games, play, prior, unit, exact } = self.clone();
        let SelfPlayArguments { nodes, random_plies, plies, seed, concurrency } = play;
        let play = SelfPlaySettings { nodes, random_plies, plies, seed, concurrency };
        TuneConfig { data, others, games, play, prior, unit, exact }
    }
}

const EXAMPLES_HELP: &str = "\
Examples:
  Play 5000 games on four cores and learn from them; after an interruption the same command continues:
    pentarch tune --game roses --data roses.games --games 5000 --concurrency 4
  Learn again from the games in the file, and play none:
    pentarch tune --game roses --data roses.games --games 0
  Learn from games by two sets of rules, with the weight of a checker fixed at 1000:
    pentarch tune --game alquerque --data modern.games --games 0
    pentarch tune --game alquerque --set Alquerque_Ruleset=bell --data bell.games \\
      --with modern.games --unit checkers
  Train a net; after an interruption the same command continues, even in the middle of the training:
    pentarch tune --game bushka --data bushka.games --games 100000 --nodes 500 \\
      --concurrency 4 --net new.net
  Learn from 10 million positions of Alcaxar whose winner is known, 32 from each game:
    pentarch tune --game alcaxar --set TablePath=tables --exact --data exact.games \\
      --games 312500 --random-plies 40
  Tune the search by 3200 games with 5000 nodes per move; after an interruption the same command continues:
    pentarch tune --game quoridor --spsa quoridor.spsa --iterations 200 \\
      --nodes 5000 --concurrency 4

Each game depends only on its number, the seed and the settings. It begins with random moves that lose little by the
evaluation, up to a position that a search finds balanced, if there is one after some attempts. The weights come from
logistic regression: they make the results of the games most likely. The report compares how well the old and the new
weights predict games that they were not fitted to. A weight within two standard errors of the old one has not changed
for certain, and only a match shows whether the new weights play better.

--net trains a net by gradient descent on the results and on the scores of the search, on two threads; the same games
yield the same net. The state is written after each epoch to NET.checkpoint. The report has the losses of each epoch:
that of the targets during the training, and that of the results of held-out games; also the loss of the results for
the net in the program, and which of the two nets is better. An existing net is replaced if it predicts the held-out
games worse than the new one, or with --force; otherwise the new net stays in NET.checkpoint, so that the same command
with --force ends at once.

--spsa changes margins and reductions of the search up and down at random, lets the two engines play a pair of games
from a balanced opening of --random-plies moves, and moves all numbers a little towards the engine that scores more.
The state is written after each iteration. Only a match shows whether the new numbers play better.

The printed table replaces FEATURE_WEIGHTS in the game's eval.rs, and a net the one next to it. In a game with a net
only --net is useful. With either the engine plays other games: to tune again, begin a new file.";

/// Runs the subcommand, and returns its report; `None` for a shard.
///
/// # Errors
/// If the arguments are invalid, the games have no positions for learning, or a file cannot be read
/// or written.
pub(super) fn run_tune(
    arguments: &TuneArguments,
    options: &Options,
) -> Result<Option<String>, CliError> {
    let game =
        two_player_rules(options, "tuning is by games").map_err(super::invalid_arguments_error)?;
    let config = &arguments.games.tune_config();
    if let Some(state) = &arguments.spsa {
        let iterations = arguments.iterations;
        let tuner = SearchTuner { play: &config.play, iterations, options, state };
        return Ok(Some(game.run_operation(tuner)?.to_string()));
    }
    if config.exact && options.string_value(&TABLE_PATH_OPTION).is_empty() {
        return Err(CliError::InvalidArguments(format!(
            "--exact needs tables: --set {}=DIRECTORY",
            TABLE_PATH_OPTION.name
        )));
    }
    if let Some(shard) = arguments.shard.shard_options(super::exit_process) {
        game.run_operation(SelfPlayShard { config, options, shard })?;
        return Ok(None);
    }
    let Some(path) = &arguments.net else {
        return Ok(Some(game.run_operation(WeightTuner { config, options })?.to_string()));
    };
    let existing = match path.symlink_metadata() {
        Ok(_) => {
            let bytes = check_regular_file(path).and_then(|()| fs::read(path));
            Some(bytes.with_file_path(path).map_err(CliError::command_failed)?)
        }
        Err(_) => check_output_path(path).map(|()| None).map_err(CliError::command_failed)?,
    };
    let (report, net) = game.run_operation(NetTrainer {
        config,
        options,
        epochs: arguments.epochs,
        net: path,
        existing: existing.as_deref(),
    })?;
    let same_net = existing.as_ref() == Some(&net);
    if let Some([there, new]) =
        report.file_losses.filter(|[there, new]| !arguments.force && there <= new)
    {
        if same_net {
            // An earlier run was interrupted before it could remove the checkpoint, which is now
            // useless.
            remove_checkpoint_of_net(path);
        }
        return Err(ExistingNetFileError::NoWorse { there, new })
            .with_file_path(path)
            .map_err(CliError::command_failed);
    }
    replace_file(path, &net).with_file_path(path).map_err(CliError::command_failed)?;
    remove_checkpoint_of_net(path);
    let advice = format!(
        "To use it, put {}\nin place of the net in src/crates/{}, and build.",
        path.display(),
        options.value(&GAME_OPTION)
    );
    Ok(Some(format!("{report}\n{advice}\nOnly a match shows whether it plays better.")))
}

impl From<TuneError> for CliError {
    fn from(error: TuneError) -> CliError {
        if error.is_usage_error() {
            CliError::invalid_arguments(error)
        } else {
            CliError::command_failed(error)
        }
    }
}

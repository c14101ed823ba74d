//! The subcommand `tune`: its flags, and the tuning run that they specify.

use std::fs;
use std::path::PathBuf;

use clap::{ArgGroup, Args};

use crate::cli::Failure;
use crate::cli::arguments::{MAX_NODES, number};
use crate::cli::shard_arguments::ShardArguments;
use crate::io::files::{check_output, check_plain};
use crate::tune::checkpoint::remove_beside;
use crate::tune::error::{NetFileError, TuneError};
use crate::tune::game_settings::GameSettings;
use crate::tune::spsa::TuneSearch;
use crate::tune::{Plan, PlayShard, Train, Tune};
use pentarch_core::Options;
use pentarch_core::rules::options::TABLE_PATH;
use pentarch_engine::engine_state::game_for_two;
use pentarch_games::GAME;
use pentarch_system::ErrorContext;
use pentarch_system::new_file::replace_file;

/// Finds weights for the evaluation of a game, or numbers for its search, from games of the engine with itself.
///
/// It plays the games that FILE lacks, by --game and --set, and then prints the weights that make the results of all
/// games in FILE most likely: as a table with standard errors, and as lines of source. With --spsa it plays games
/// between different margins and reductions of the search instead, and prints those that it has come to.
#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES, group(ArgGroup::new("work").required(true).args(["data", "spsa", "shard"])))]
pub struct TuneArguments {
    #[command(flatten)]
    plan: PlanArguments,
    /// Train the net of the game's evaluation instead, and write it to this file; a net that is there is replaced if it
    /// predicts the games held out worse
    #[arg(long, value_name = "NET", conflicts_with_all = ["unit", "shard"])]
    net: Option<PathBuf>,
    /// Replace the net that is there even if it is better
    #[arg(long, requires = "net")]
    force: bool,
    /// How many times the training goes through all positions
    #[arg(long, value_name = "N", default_value_t = 25, value_parser = number::<u32>(1, 10_000), requires = "net")]
    epochs: u32,
    /// Tune margins and reductions of the search by SPSA instead, and keep the state in this file
    #[arg(
        long,
        value_name = "STATE",
        conflicts_with_all = ["others", "games", "prior", "unit", "net", "epochs", "force"],
    )]
    spsa: Option<PathBuf>,
    /// How many iterations of SPSA, of 16 games each
    #[arg(long, value_name = "N", default_value_t = 200, conflicts_with_all = ["data", "shard"])]
    #[arg(value_parser = number::<u32>(1, 1_000_000))]
    iterations: u32,
    #[command(flatten)]
    shard: ShardArguments,
}

/// The games that a tuning run learns from.
#[derive(Debug, Clone, Args)]
struct PlanArguments {
    /// The file of games; if it is there, what it holds is not played again
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// Learn from the games of this file too, by whatever rules of the game; may be given more than once
    #[arg(long = "with", value_name = "FILE", conflicts_with = "shard")]
    others: Vec<PathBuf>,
    /// How many games FILE is to hold
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = number::<u32>(0, 1_000_000))]
    games: u32,
    /// How the games are played.
    #[command(flatten)]
    play: GameArguments,
    /// How many samples the present weights count for: the more, the less the new ones leave them
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number::<u32>(1, u32::MAX.into()))]
    #[arg(conflicts_with = "shard")]
    prior: u32,
    /// Leave the weight of this part as it is and fit the others to it, instead of the scale of all
    #[arg(long, value_name = "PART", conflicts_with = "shard")]
    unit: Option<String>,
    /// Fill FILE with games whose positions have exact values, by the tables of --set TablePath; Alcaxar only
    #[arg(long, conflicts_with = "spsa")]
    exact: bool,
}

/// How games are played.
#[derive(Debug, Clone, Args)]
struct GameArguments {
    /// Positions searched for each move
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = number::<u64>(1, MAX_NODES))]
    nodes: u64,
    /// Begin with up to so many random moves, the better the likelier; with --spsa with as many
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = number::<u32>(1, 1000))]
    random_plies: u32,
    /// Call a game a draw after this many plies
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = number::<u32>(1, 10_000))]
    plies: u32,
    /// Choose the random moves by this number
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(0, u64::MAX))]
    seed: u64,
    /// How many games to play at once; the games are the same
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u16>(1, 1024))]
    concurrency: u16,
}

impl PlanArguments {
    fn plan(&self) -> Plan {
        let PlanArguments { data, others, games, play, prior, unit, exact } = self.clone();
        let GameArguments { nodes, random_plies, plies, seed, concurrency } = play;
        let play = GameSettings { nodes, random_plies, plies, seed, concurrency };
        Plan { data, others, games, play, prior, unit, exact }
    }
}

const EXAMPLES: &str = "\
Examples:
  Play 5000 games on four cores and learn from them; after an interruption the same command goes on:
    pentarch tune --game roses --data roses.games --games 5000 --concurrency 4
  Learn once more from the games that the file holds, and play none:
    pentarch tune --game roses --data roses.games --games 0
  Learn from games by two sets of rules, a checker staying at 1000:
    pentarch tune --game alquerque --data modern.games --games 0
    pentarch tune --game alquerque --set Alquerque_Ruleset=bell --data bell.games \\
      --with modern.games --unit checkers
  Train a net; after an interruption the same command goes on, also in the middle of the training:
    pentarch tune --game bushka --data bushka.games --games 100000 --nodes 500 \\
      --concurrency 4 --net new.net
  Learn from 10 million positions of Alcaxar whose winner is known, 32 of each game:
    pentarch tune --game alcaxar --set TablePath=tables --exact --data exact.games \\
      --games 312500 --random-plies 40
  Tune the search by 3200 games at 5000 nodes a move; after an interruption the same command goes on:
    pentarch tune --game quoridor --spsa quoridor.spsa --iterations 200 \\
      --nodes 5000 --concurrency 4

Each game is decided by its number, the seed and the settings alone. It begins with random moves that lose little by
the evaluation, up to a position that a search finds balanced, as far as it finds one. The weights come from logistic
regression: they make the results of the games most likely. The report compares how well the old and the new weights
predict games that they were not fitted to. A weight within two standard errors of the old one has not moved for
certain, and whether the new weights play better only a match tells.

--net trains a net by gradient descent on the results and on the scores of the search, on two threads; the same games
give the same net. What is reached is kept after each epoch in NET.checkpoint. The report has the losses of each epoch:
that of the targets while the net learns, and that of the results of games held out; the loss of the results for the net in
the program, too, and which of the two is the better one. A net that is in the way is replaced if it predicts the games
held out worse than the new one, or with --force; else what was learnt stays in NET.checkpoint, so that the same
command with --force ends at once.

--spsa changes margins and reductions of the search up and down at random, lets the two engines play a pair of games
from a balanced opening of --random-plies moves, and moves all numbers a little towards the engine that scores more.
What is reached is kept after each iteration. Whether the new numbers play better only a match tells.

The printed table takes the place of FEATURE_WEIGHTS in the game's eval.rs, and a net that of the one beside it. In a
game with a net only --net is of use. With either the engine plays other games: to tune again, begin a new file.";

/// Runs the subcommand, and returns its report; there is none of a shard.
///
/// # Errors
/// If the arguments are bad, the games have no positions to learn from, or a file cannot be read or written.
pub fn run(arguments: &TuneArguments, options: &Options) -> Result<Option<String>, Failure> {
    let game = game_for_two(options, "tuning is by games").map_err(super::bad_arguments)?;
    let plan = &arguments.plan.plan();
    if let Some(state) = &arguments.spsa {
        let (play, iterations) = (&plan.play, arguments.iterations);
        return Ok(Some(game.visit(TuneSearch { play, iterations, options, state })?.to_string()));
    }
    if plan.exact && options.text(&TABLE_PATH).is_empty() {
        return Err(Failure::BadArguments(format!(
            "--exact needs tables: --set {}=DIRECTORY",
            TABLE_PATH.name
        )));
    }
    if let Some(shard) = arguments.shard.plan(super::exit) {
        game.visit(PlayShard { plan, options, shard })?;
        return Ok(None);
    }
    let Some(path) = &arguments.net else {
        return Ok(Some(game.visit(Tune { plan, options })?.to_string()));
    };
    let there = match path.symlink_metadata() {
        Ok(_) => {
            let bytes = check_plain(path).and_then(|()| fs::read(path));
            Some(bytes.in_file(path).map_err(Failure::failed)?)
        }
        Err(_) => check_output(path).map(|()| None).map_err(Failure::failed)?,
    };
    let (report, net) = game.visit(Train {
        plan,
        options,
        epochs: arguments.epochs,
        net: path,
        there: there.as_deref(),
    })?;
    let same_net = there.as_ref() == Some(&net);
    if let Some([there, new]) =
        report.losses_of_files.filter(|[there, new]| !arguments.force && there <= new)
    {
        if same_net {
            // This run was ended before it could remove the state of the training, which is of no use any more.
            remove_beside(path);
        }
        return Err(NetFileError::NoWorse { there, new }).in_file(path).map_err(Failure::failed);
    }
    replace_file(path, &net).in_file(path).map_err(Failure::failed)?;
    remove_beside(path);
    let place = format!(
        "To use it, put {}\nin the place of the net in src/crates/{}, and build.",
        path.display(),
        options.value(&GAME)
    );
    Ok(Some(format!("{report}\n{place}\nWhether it plays better only a match tells.")))
}

impl From<TuneError> for Failure {
    fn from(error: TuneError) -> Failure {
        if error.is_usage() { Failure::bad_arguments(error) } else { Failure::failed(error) }
    }
}

//! The subcommand `openings`: parses its flags, and writes the list of openings that they specify.

use clap::Args;

use crate::cli::CliError;
use crate::cli::arguments::{MAX_NODES_ARGUMENT, number_parser};
use crate::games::RunOperation;
use crate::io::output::Output;
use crate::tune::openings::{OpeningListBuilder, OpeningListSettings};
use pentarch_core::Options;
use pentarch_core::rules::options::REPETITION_DRAW_OPTION;
use pentarch_engine::engine_state::{non_default_rules, two_player_rules};
use pentarch_engine::games::{GAME_OPTION, all_games};

/// Builds a list of openings for matches, from which either side can win.
///
/// The options --game and --set choose the game. The openings are random moves that are likely by
/// the evaluation of the game. They lead to different positions; symmetric positions count as
/// equal. Each opening passes two checks. A short and a long search must score it within 30
/// centipawns. In eight quick games each side must score at least two points. 'arena --openings'
/// reads such a list.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES_HELP)]
pub(super) struct OpeningsArguments {
    /// Number of openings
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = number_parser::<u32>(1, 1_000_000))]
    count: u32,
    /// Number of moves of each opening
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = number_parser::<u32>(1, 100))]
    plies: u32,
    /// Positions to search in the check whether a side is ahead
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = number_parser::<u64>(1, MAX_NODES_ARGUMENT))]
    nodes: u64,
    /// Seed of the random moves
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number_parser::<u64>(0, u64::MAX))]
    seed: u64,
    /// Number of openings to check at once; it does not change the list
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number_parser::<u16>(1, 1024))]
    concurrency: u16,
}

const EXAMPLES_HELP: &str = "\
Examples:
  Fifty openings of Quoridor on a small board, and a match that begins with them:
    pentarch openings --game quoridor --set Quoridor_BoardSize=5 --count 50 \\
      > small.txt
    pentarch arena --game quoridor --set Quoridor_BoardSize=5 --openings small.txt \\
      --nodes 1000 --second ./old

Each opening is written as soon as it is found, after a comment with the command that builds the list. The same command
builds the same list again, until the search or the evaluation of the game changes; a larger --count extends it. If there
are fewer openings, those that were found are written, and the exit code is 1.

Under its default rules each game has such a list, with which matches begin by default.";

/// Runs the subcommand: writes the list.
///
/// # Errors
/// If there are fewer openings than requested, or if a search lacks memory or a thread.
pub(super) fn run_openings(
    arguments: &OpeningsArguments,
    options: &Options,
    out: &Output,
) -> Result<(), CliError> {
    let &OpeningsArguments { count, plies, nodes, seed, concurrency } = arguments;
    let settings = &OpeningListSettings { count, plies, nodes, seed, concurrency };
    let game = two_player_rules(options, "openings are for games")
        .map_err(super::invalid_arguments_error)?;
    let mut command = format!("# pentarch openings --game {}", options.value(&GAME_OPTION));
    for (spec, value) in non_default_rules(options)
        .into_iter()
        .filter(|(spec, _)| **spec != REPETITION_DRAW_OPTION.spec)
    {
        command += &format!(" --set {}={value}", spec.name);
    }
    let name = all_games()[options.combo_value(&GAME_OPTION)].name;
    let heading = format!(
        "{command} --count {count} --plies {plies} --nodes {nodes} --seed {seed}\n\
         # made this list of openings of {name} from which either side can win.\n"
    );
    out.write_lines(&heading);
    game.run_operation(OpeningListBuilder { settings, options, out })
        .map_err(CliError::command_failed)
}

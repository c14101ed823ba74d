//! The subcommand `play`: plays a game at the terminal.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

use crate::cli::arguments::number_parser;
use crate::cli::error::CliError;
use crate::io::output::Output;
use crate::play::clock::ClockSetting;
use crate::play::error::PlayError;
use crate::play::game_start::GameStart;
use crate::play::pace::Pace;
use crate::play::setup::GameSetup;
use pentarch_core::Options;

const EXAMPLES_HELP: &str = "\
Examples:
  pentarch play                          asks for the game, your side and the engine's level
  pentarch play quoridor                 the same, for this game
  pentarch play bushka --side black --level casual
  pentarch play alquerque --set Alquerque_Ruleset=bell --side both
  pentarch play roses --level auto       a level that adapts to your results
  pentarch play alcaxar --fair swap      the second player may swap sides after the first move
  pentarch play quoridor --handicap 2    you have 10 walls, the engine 6
  pentarch play bushka --clock 5+3       five minutes each, and three seconds per move
  pentarch play --load game.txt          a game that 'save' has written
  pentarch play --resume                 your last game again; --list shows all
  pentarch play roses --learn            the moves of Roses in small tasks, then a game
  pentarch play roses --side none        the engine plays against itself
  pentarch play roses --problems         positions in which one move wins or draws
  pentarch play roses --drills           won and drawn positions to play to the end
  pentarch play quoridor --set Quoridor_Players=4 --side player1,player2

In the game 'help' lists the commands.";

/// Plays a game with you at the terminal
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES_HELP)]
pub(super) struct PlayArguments {
    /// The game ('pentarch games' lists them)
    #[arg(value_name = "GAME")]
    pub word: Option<String>,

    #[command(flatten)]
    pub setup: GameSetupArguments,

    /// Solve problems: positions in which one move wins or draws
    #[arg(long, conflicts_with_all = ["side", "load", "clock", "ask_rules", "seconds", "pace", "fair", "handicap", "no_pager", "learn", "resume", "list"])]
    problems: bool,

    /// Play won and drawn positions to the end against perfect replies
    #[arg(long, conflicts_with_all = ["problems", "side", "load", "clock", "ask_rules", "seconds", "pace", "fair", "handicap", "no_pager", "learn", "resume", "list"])]
    drills: bool,

    /// Generate other drills than the built-in ones, from this seed
    #[arg(long, value_name = "N", value_parser = number_parser::<u64>(0, u64::MAX), requires = "drills")]
    seed: Option<u64>,
}

/// The settings of a game.
#[derive(Debug, Clone, Args)]
pub(super) struct GameSetupArguments {
    /// Your side, by its name in the game, or several sides with commas between them; 'team1' or
    /// 'team2' in games with teams, 'both' for two people, 'all' for four, 'none' to watch,
    /// 'random' to let chance decide
    #[arg(long, value_name = "SIDE")]
    side: Option<String>,

    /// Continue the game in this file; FILE:NUMBER in a file with several games. GAME is the game
    /// of a file that names none
    #[arg(long, value_name = "FILE")]
    pub load: Option<PathBuf>,

    /// Play with clocks: minutes and the increment in seconds; one setting for all players, or one
    /// for each with commas
    #[arg(long, value_name = "MIN+SEC", value_delimiter = ',')]
    clock: Vec<ClockSetting>,

    /// Begin fairly: with a random opening from which either side can win, or so that the second
    /// player may swap sides after the first move
    #[arg(long, value_name = "START", conflicts_with_all = ["load", "resume", "list"])]
    fair: Option<FairStart>,

    /// Give the engine a handicap: fewer walls or pieces than you have. A higher number is a larger
    /// handicap; 'play GAME --handicap 9' lists them
    #[arg(long, value_name = "N", value_parser = number_parser::<u8>(1, 9), conflicts_with_all = ["fair", "load", "resume", "list"])]
    handicap: Option<u8>,

    /// Also ask for the rules if the game has several rule sets, and how the game begins
    #[arg(long)]
    ask_rules: bool,

    /// The engine's time per move at its highest level without a clock
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = number_parser::<u64>(1, 86_400))]
    seconds: u64,

    /// The minimum time per move of the engine at a terminal: natural (0.3 to 2 seconds), instant,
    /// or a number of seconds
    #[arg(long, value_name = "PACE", default_value = "natural")]
    pace: Pace,

    /// Print long output without a pager
    #[arg(long)]
    no_pager: bool,

    /// Begin with the lesson of the game: its moves in a few small tasks
    #[arg(long, conflicts_with_all = ["load", "resume", "list"])]
    learn: bool,

    /// Continue the stored game with this number of --list, or the newest unfinished one
    #[arg(long, value_name = "N", num_args = 0..=1, conflicts_with_all = ["side", "load", "clock", "ask_rules"])]
    resume: Option<Option<usize>>,

    /// List the stored games, the newest first
    #[arg(long, conflicts_with_all = ["side", "load", "clock", "ask_rules", "resume"])]
    list: bool,

    /// Neither read nor store games and solved problems
    #[arg(long)]
    no_state: bool,
}

/// A fair way to begin a game.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum FairStart {
    /// A random opening from which either side can win
    Balanced,
    /// The second player may swap sides after the first move
    Swap,
}

impl GameSetupArguments {
    fn game_setup(&self, auto_level: bool) -> GameSetup {
        let GameSetupArguments { side, load, clock, ask_rules, seconds, pace, no_pager, .. } =
            self.clone();
        let GameSetupArguments { fair, handicap, learn, resume, list, no_state, .. } = *self;
        let start = match (fair, handicap) {
            (Some(FairStart::Balanced), _) => GameStart::Balanced,
            (Some(FairStart::Swap), _) => GameStart::Swap,
            (None, Some(number)) => GameStart::Handicap(number.into()),
            (None, None) => GameStart::Usual,
        };
        GameSetup {
            side,
            load,
            clock,
            ask_rules,
            seconds,
            pace,
            auto_level,
            start,
            no_pager,
            learn,
            resume,
            list,
            no_state,
        }
    }
}

impl PlayArguments {
    /// Runs the subcommand. If `auto_level`, the engine adapts its level to the results.
    ///
    /// # Errors
    /// If the arguments do not fit the game, a file cannot be read, the input fails, or the output
    /// fails.
    pub(super) fn run(
        &self,
        options: Options,
        auto_level: bool,
        out: &Output,
    ) -> Result<(), CliError> {
        if self.problems {
            crate::play::problems::run_problems(options, self.setup.no_state, out)?;
        } else if self.drills {
            crate::play::drills::run_drills(options, self.seed, out)?;
        } else {
            let setup = self.setup.game_setup(auto_level);
            crate::play::play_games_at_terminal(&setup, options, out)?;
        }
        Ok(())
    }
}

impl From<PlayError> for CliError {
    fn from(error: PlayError) -> CliError {
        if error.is_usage_error() {
            CliError::invalid_arguments(error)
        } else {
            CliError::command_failed(error)
        }
    }
}

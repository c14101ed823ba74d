//! The subcommand `play`: a game at the terminal.

use clap::Args;

use crate::io::arguments::number;
use crate::io::output::Output;
use crate::play::setup::Setup;
use pentarch_core::{Failure, Options};

const EXAMPLES: &str = "\
Examples:
  pentarch play                          asks for the game, your side and how strong the engine is
  pentarch play quoridor                 the same, for this game
  pentarch play bushka --side black --level casual
  pentarch play alquerque --set Alquerque_Ruleset=bell --side both
  pentarch play bushka --clock 5+3       with five minutes each, and three seconds more a move
  pentarch play --load game.txt          a game that was kept with 'save'
  pentarch play roses --side none        the engine plays with itself
  pentarch play roses --problems         positions in which one move wins or draws
  pentarch play roses --drills           won and drawn positions, to be played to their end
  pentarch play quoridor --set Quoridor_Players=4 --side player1,player2

In the game 'help' says what can be typed.";

/// Plays a game with you at the terminal
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct PlayArguments {
    /// The game ('pentarch games' lists them)
    #[arg(value_name = "GAME")]
    pub word: Option<String>,

    #[command(flatten)]
    pub setup: Setup,

    /// Solve problems of the game instead: positions in which one move wins
    #[arg(long, conflicts_with_all = ["side", "load", "clock", "ask_rules", "seconds", "pace", "no_pager"])]
    problems: bool,

    /// Play won and drawn positions to their end instead, against perfect replies
    #[arg(long, conflicts_with_all = ["problems", "side", "load", "clock", "ask_rules", "seconds", "pace", "no_pager"])]
    drills: bool,

    /// Find other drills, chosen by this number, instead of those that the program has
    #[arg(long, value_name = "N", value_parser = number::<u64>(0, u64::MAX), requires = "drills")]
    seed: Option<u64>,
}

impl PlayArguments {
    /// Plays.
    ///
    /// # Errors
    /// If the arguments do not fit the game, a file cannot be read, or the input or the output fails.
    pub fn run(&self, options: Options, out: &Output) -> Result<(), Failure> {
        if self.problems {
            return crate::play::problems::run(options, out);
        }
        if self.drills {
            return crate::play::drills::run(options, self.seed, out);
        }
        crate::play::run(&self.setup, options, out)
    }
}

//! How the games are played from which evaluations are learnt.

use clap::Args;

use crate::io::arguments::{MAX_NODES, number};

/// How games are played. All numbers of random moves at the beginning, from 0 on, are equally likely, so that positions
/// from the first move on come up. The random generator of a game depends on the seed and on the number of the game.
#[derive(Debug, Clone, Args)]
pub struct GameSettings {
    /// Positions searched for each move
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = number::<u64>(1, MAX_NODES))]
    pub nodes: u64,
    /// Begin with up to so many random moves, the better the likelier; with --spsa with as many
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = number::<u32>(1, 1000))]
    pub random_plies: u32,
    /// Call a game a draw after this many plies
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = number::<u32>(1, 10_000))]
    pub plies: u32,
    /// Choose the random moves by this number
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(0, u64::MAX))]
    pub seed: u64,
    /// How many games to play at once; the games are the same
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u16>(1, 1024))]
    pub concurrency: u16,
}

//! The settings of the games from which a tuning run learns.

/// The settings of the games for tuning. A game begins with random moves. The number of these moves
/// is uniformly random from 0 up, so that positions after very few moves also occur. The random
/// generator of a game depends on the seed and on the number of the game.
#[derive(Debug, Clone, Copy)]
pub struct SelfPlaySettings {
    /// The number of nodes for each move.
    pub nodes: u64,
    /// The maximum number of random moves at the beginning; for SPSA the exact number.
    pub random_plies: u32,
    /// The maximum length of a game in plies. A game of this length is a draw.
    pub plies: u32,
    /// The seed of the random moves.
    pub seed: u64,
    /// The number of games that are played at once. This number does not change the games.
    pub concurrency: u16,
}

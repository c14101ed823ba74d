//! How the games are played from which evaluations are learnt.

/// How games are played. All numbers of random moves at the beginning, from 0 on, are equally likely, so that positions
/// from the first move on come up. The random generator of a game depends on the seed and on the number of the game.
#[derive(Debug, Clone, Copy)]
pub struct GameSettings {
    /// Positions searched for each move
    pub nodes: u64,
    /// Begin with up to so many random moves, the better the likelier; with --spsa with as many
    pub random_plies: u32,
    /// Call a game a draw after this many plies
    pub plies: u32,
    /// Choose the random moves by this number
    pub seed: u64,
    /// How many games to play at once; the games are the same
    pub concurrency: u16,
}

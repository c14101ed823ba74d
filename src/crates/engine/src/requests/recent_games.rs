//! A cache of the games of recent requests, so that further requests about the same game are fast.

use std::sync::{Arc, Mutex, PoisonError};

use pentarch_core::{OptionSpec, OptionValue, Options};

use crate::engine_state::{non_default_rules, session_with_tables};
use crate::error::EngineError;
use crate::host::Host;
use crate::input_word::Word;
use crate::session::Session;
use pentarch_games::GAME_OPTION;

/// The maximum number of cached rule sets. Each may have separate tablebases.
const MAX_RULES: usize = 32;
/// The maximum number of cached games.
const MAX_GAMES: usize = 8;

/// The game, and the options of its rules that differ from their defaults.
type RulesKey = (usize, Vec<(&'static OptionSpec, OptionValue)>);

/// A game in its first position for each recent rule set. Its copies share its tablebases.
type SharedStarts = Arc<Mutex<Vec<(RulesKey, Box<dyn Session>)>>>;

/// The games of recent requests, and recent rule sets, which [`RecentGames::with_shared_rules`] shares.
#[derive(Default)]
pub(super) struct RecentGames {
    starts: SharedStarts,
    /// The games, the most recent one last.
    games: Vec<(RulesKey, Box<dyn Session>)>,
}

impl RecentGames {
    /// Creates an empty cache that shares the rule sets and their tablebases.
    pub(super) fn with_shared_rules(&self) -> RecentGames {
        RecentGames { starts: self.starts.clone(), games: Vec::new() }
    }

    /// Returns the game with these rules that begins at `fen`, or at the start position, and has
    /// these moves. It reuses the cached game with the most moves in common.
    ///
    /// # Errors
    /// If `fen` is not a position of these rules, or if a move is not legal.
    pub(super) fn game(
        &mut self,
        options: &Options,
        fen: Option<&[Word]>,
        moves: &[Word],
        host: &dyn Host,
    ) -> Result<&mut dyn Session, EngineError> {
        let key = (options.choice(&GAME_OPTION), non_default_rules(options));
        // A game with less than half of its moves in common stays in the cache for the next request
        // about it.
        let count_shared_moves = |(known, game): &(RulesKey, Box<dyn Session>)| {
            let shared = if *known == key { game.count_shared_moves(fen, moves) } else { None };
            shared.filter(|shared| 2 * shared >= game.game_state().moves)
        };
        let candidates = self
            .games
            .iter()
            .enumerate()
            .filter_map(|(index, game)| Some((count_shared_moves(game)?, index)));
        let (key, mut game) = match candidates.max() {
            Some((_, index)) => self.games.remove(index),
            None => {
                let game = self.new_game(&key, options, host);
                (key, game)
            }
        };
        let result = game.set_position(fen, moves);
        if self.games.len() >= MAX_GAMES {
            self.games.remove(0);
        }
        self.games.push((key, game));
        result?;
        let last = self.games.len() - 1;
        Ok(self.games[last].1.as_mut())
    }

    /// Returns a new game by these rules.
    fn new_game(&self, key: &RulesKey, options: &Options, host: &dyn Host) -> Box<dyn Session> {
        let mut starts = self.starts.lock().unwrap_or_else(PoisonError::into_inner);
        let start = match starts.iter().position(|(known, _)| known == key) {
            Some(index) => starts.remove(index),
            None => (key.clone(), session_with_tables(options, host)),
        };
        if starts.len() >= MAX_RULES {
            starts.remove(0);
        }
        let game = start.1.copy();
        starts.push(start);
        game
    }
}
